"""What a model server's refusal means for the person: which of the kinds it is, whether it
may pass, and what to do. Pure: replies in, `ProviderError` out."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from pydantic_core import from_json

from agent_cockpit.errors import ProviderError
from agent_cockpit.text import clean_line, shorten

_WORDS_AT_MOST = 300

_OVERFLOW = re.compile(
    r"context[ _-]?(?:length|window|size)|maximum context|exceed_context_size"
    r"|too many (?:input )?tokens|(?:prompt|input|request) (?:is )?too (?:long|large)"
    r"|reduce the length|exceeds? the (?:maximum|limit).{0,40}tokens",
    re.IGNORECASE,
)
_NO_CREDIT = re.compile(r"insufficient_quota|billing|credit|payment", re.IGNORECASE)
_KEY_SHAPE = re.compile(r"\b(?:sk|pk|key|gsk|xai)-[\w*.-]{6,}")
_DURATION = re.compile(r"(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?")
_PASSING = frozenset({408, 409, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Whom we talk to. `key` is only ever taken out of texts, `key_name` is what to set."""

    url: str
    model: str
    key: str = ""
    key_name: str = "OPENAI_API_KEY"

    @property
    def has_version(self) -> bool:
        """Whether the address ends in its version part."""
        return re.search(r"/v\d+\w*/?$", self.url) is not None

    def safe(self, text: str) -> str:
        """A server's words for the person: one clean line, bounded, without the key."""
        text = clean_line(text)
        text = text.replace(self.key, "…") if self.key else text
        return shorten(_KEY_SHAPE.sub("…", text), _WORDS_AT_MOST)


def refusal(
    address: Address, status: int, headers: Mapping[str, str], body: str, *, now: datetime
) -> ProviderError:
    """The error for a reply that is no success; header names in small letters."""
    said = address.safe(words_of(body))
    tail = f": {said}" if said else ""
    wait_s = retry_after(headers, now=now)
    if status in (401, 403):
        return ProviderError(_about_key(address, status) + tail, kind="auth")
    if status == 402:
        return ProviderError(f"the account at {address.url} has no credit{tail}", kind="auth")
    if status == 429:
        if _NO_CREDIT.search(body):
            return ProviderError(f"the account at {address.url} has no credit{tail}", kind="rate")
        return ProviderError(
            f"the model server asks to slow down (429){tail}",
            kind="rate",
            retryable=True,
            retry_after_s=wait_s,
        )
    if status in _PASSING:
        return ProviderError(
            f"the model server is in trouble ({status}){tail}",
            retryable=True,
            retry_after_s=wait_s,
        )
    if 300 <= status < 400:
        to = address.safe(headers.get("location", "elsewhere"))
        return ProviderError(f"{address.url} redirects to {to}: set base_url to where the API is")
    if is_page(headers, body):
        return page(address)
    if status == 413 or (status < 500 and _OVERFLOW.search(body)):
        return ProviderError(
            f"the conversation is too long for the model `{address.model}`{tail}", kind="overflow"
        )
    if status == 404:
        doubt = "" if address.has_version else ", or base_url lacks its version part (`/v1`)"
        return ProviderError(
            f"the server at {address.url} does not know the model `{address.model}`{doubt}{tail}",
            kind="model",
        )
    return ProviderError(f"the model server refused the request ({status}){tail}")


def error_in_stream(address: Address, error: Any) -> ProviderError:
    """The error for an error object that came inside a reply that began well."""
    details: dict[str, Any] = error if isinstance(error, dict) else {}
    said = address.safe(_words_in(error) or "no reason was given")
    code = details.get("code", details.get("status"))
    names = f"{code} {details.get('type', '')} {said}"
    if _OVERFLOW.search(names):
        return ProviderError(
            f"the conversation is too long for the model `{address.model}`: {said}", kind="overflow"
        )
    status = int(code) if isinstance(code, int | str) and re.fullmatch(r"\d{3}", str(code)) else 0
    limited = status == 429 or "rate_limit" in names
    passing = limited or status in _PASSING or bool(re.search(r"overload|unavailable|busy", names))
    return ProviderError(
        f"the model server stopped with an error: {said}",
        kind="rate" if limited else "server",
        retryable=passing,
    )


def page(address: Address) -> ProviderError:
    """The error for a reply that is meant for a browser."""
    where = "to where the API is" if address.has_version else "to its address with `/v1`"
    advice = f"set base_url {where}"
    return ProviderError(f"{address.url} is a web page, not an API: {advice}", kind="server")


def is_page(headers: Mapping[str, str], body: str) -> bool:
    """Whether a reply is meant for a browser."""
    start = body.lstrip("\ufeff \t\r\n")[:15].lower()
    return "html" in headers.get("content-type", "") or start.startswith(("<!doctype", "<html"))


def words_of(body: str) -> str:
    """What an error reply says, without its JSON or HTML around it."""
    try:
        found = _words_in(from_json(body))
    except ValueError:
        found = re.sub(r"<[^>]*>", " ", re.sub(r"(?is)<(style|script).*?</\1>", " ", body[:20_000]))
    return found or ""


def retry_after(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """The server's own wish in seconds, above 0; None when there is none or it is nonsense."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds:
        return milliseconds / 1000
    wish = headers.get("retry-after", "").strip()
    return _number(wish.split(",")[0]) or _until(wish, now) or _window(headers)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value > 0 else None


def _until(date: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    wait_s = (moment - now).total_seconds()
    return wait_s if wait_s > 0 else None


def _window(headers: Mapping[str, str]) -> float | None:
    """When the limit that is used up opens again, from `x-ratelimit-reset-*` (`1m6s`)."""
    waits = []
    for what in ("requests", "tokens"):
        if headers.get(f"x-ratelimit-remaining-{what}", "").strip() != "0":
            continue
        match = _DURATION.fullmatch(headers.get(f"x-ratelimit-reset-{what}", "").strip())
        if match:
            hours, minutes, seconds, thousandths = (float(part or 0) for part in match.groups())
            waits.append(hours * 3600 + minutes * 60 + seconds + thousandths / 1000)
    return max(waits, default=0) or None


def _about_key(address: Address, status: int) -> str:
    if not address.key:
        return f"{address.url} wants a key ({status}): set {address.key_name}"
    return f"{address.url} does not take the key ({status}): check {address.key_name}"


def _words_in(value: Any, depth: int = 0) -> str:
    """The first message in the many shapes that servers use."""
    if isinstance(value, str):
        return value
    if depth > 4:
        return ""
    if isinstance(value, list):
        return next((found for item in value[:5] if (found := _words_in(item, depth + 1))), "")
    if isinstance(value, dict):
        for key in ("message", "error", "detail", "msg", "error_description", "type"):
            if found := _words_in(value.get(key), depth + 1):
                return found
    return ""
