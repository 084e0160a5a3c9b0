"""Untrusted text made safe and visible; nothing from a model, tool, file or server
reaches a terminal without passing here.

Law: the output of `clean` holds no character that a terminal acts on, except newline
and tab, and `clean(clean(x)) == clean(x)`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_ESCAPES = re.compile(
    r"\x1b[\]PX^_][^\x07\x1b\x90-\x9f]*(?:\x07|\x1b\\|\x9c)"  # OSC, DCS, SOS, PM, APC
    r"|[\x90\x98\x9d\x9e\x9f][^\x07\x1b\x90-\x9f]*(?:\x07|\x1b\\|\x9c)"  # their C1 forms
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI: colours, cursor, modes
    r"|\x1b[ -/]*[0-~]?"
)
_PLAIN = re.compile("[\n\t -~]*")
"""Most texts are nothing else, and need not be looked through for each of what follows."""
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_SURROGATES = re.compile("[\ud800-\udfff]")

_EMOJI = "\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001f1e5\U0001f200-\U0001faff"
_LETTERS = "\u0600-\u061b\u061d-\u115e\u1161-\u17b3\u17b6-\u180a\u1810-\u1fff"
_COLOURED = f"#*0-9\u00a9\u00ae\u203c\u2049\u2122\u2139{_EMOJI}"


@cache
def _stray_joiners() -> re.Pattern[str]:
    """Joiners that join nothing: whoever measures text takes them for more than they are.

    Made when a text holds one: it takes longer than all else here together.
    """
    return re.compile(
        f"(?<![{_COLOURED}])\ufe0f"
        f"|(?<![{_EMOJI}])(?<![{_EMOJI}]\ufe0f)\u200d|\u200d(?![{_EMOJI}])"
        f"|(?<![{_LETTERS}])\u200c|\u200c(?![{_LETTERS}])"
    )


@cache
def joinable_end() -> re.Pattern[str]:
    """The end of a text, as far as what comes next may be joined to it."""
    joined = f"(?:[{_EMOJI}]\ufe0f?\u200d|[{_LETTERS}]\u200c){{0,9}}"
    return re.compile(f"{joined}[{_COLOURED}{_LETTERS}]\ufe0f?[\u200c\u200d]?\\Z")


def clean(text: str) -> str:
    """Text for the screen: escapes removed, line ends made `\\n`, hidden characters dropped.

    For flowing text (answers, output, file contents). What a person is asked to allow
    goes through `reveal` instead, which drops nothing.
    """
    if _PLAIN.fullmatch(text):
        return text
    return _harmless(_ESCAPES.sub("", text.replace("\r\n", "\n")))


def _harmless(text: str) -> str:
    """A text without escapes, made safe."""
    if any(joiner in text for joiner in _JOINERS):
        text = _stray_joiners().sub("", text)
    text = text.replace("\r", "\n")
    text = _CONTROLS.sub(lambda match: "" if match[0] != "\n" else "\n", text)
    text = _SURROGATES.sub("\ufffd", text)
    return _drop_hidden(text)


def clean_output(text: str) -> str:
    """As `clean`, for what a command printed: of a line that it wrote over and over, as a
    progress bar does, the last state."""
    text = _ESCAPES.sub("", text)
    if "\r" in text:
        text = "\n".join(map(_last_state, text.split("\n")))
    return _harmless(text)


def _last_state(line: str) -> str:
    states = (_harmless(state) for state in reversed(line.split("\r")))
    return next(filter(None, states), "")


def clean_line(text: str) -> str:
    """One line for the screen: as `clean`, with newlines and tabs as single spaces."""
    return " ".join(clean(text).split())


def reveal(text: str) -> str:
    """Text as it is, with everything that a terminal hides or acts on written out.

    `\\x1b` shows as `␛`, other controls as their picture, direction marks and
    zero-width characters as `<U+202E>`; newline and tab stay.
    """
    return "".join(_reveal_one(char) for char in text)


def reveal_line(text: str) -> str:
    """As `reveal`, on one line: newlines and tabs are written out too, as `␊` and `␉`."""
    return reveal(text).replace("\n", "␊").replace("\t", "␉")


def has_hidden(text: str) -> bool:
    """Whether `text` holds a character that a terminal hides, reorders or acts on."""
    return bool(
        _CONTROLS.search(text.replace("\r\n", "\n"))
        or "\x1b" in text
        or _HIDDEN.search(text)
        or _SURROGATES.search(text)
    )


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters of `text`, with `…` in place of what was cut; no letter
    loses its marks and no emoji a part."""
    if len(text) <= limit:
        return text
    cut = max(0, limit - 1)
    while cut and (text[cut - 1] == "\u200d" or _cells(text[cut]) == 0):
        cut -= 1
    return text[:cut] + "…"


def head_and_tail(text: str, budget: int) -> str:
    """At most about `budget` characters: 40 % from the head, 60 % from the tail.

    The line between says how many characters are left out and of how many.
    """
    if len(text) <= budget:
        return text
    head, tail = int(budget * 0.4), budget - int(budget * 0.4)
    left_out = len(text) - head - tail
    return f"{text[:head]}\n[… {left_out} of {len(text)} characters left out …]\n{text[-tail:]}"


def cell_width(text: str) -> int:
    """Terminal cells that one line of cleaned text takes; joined emoji take those of one."""
    if text.isascii():
        return len(text)
    cells, before, own = 0, "", 0
    for char in text:
        if char == "\ufe0f":
            cells, own = cells + (own == 1), 0
        else:
            own = 0 if before == "\u200d" else _cells(char)
            cells += own
        before = char
    return cells


def _cells(char: str) -> int:
    if unicodedata.category(char) in _MARKS or _PARTS.match(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


_MARKS = ("Mn", "Me", "Mc", "Cf")
_PARTS = re.compile("[\u1160-\u11ff\ud7b0-\ud7ff\U0001f3fb-\U0001f3ff]")
"""Parts of a Hangul syllable behind its first, and skin tones: they lie in what is before."""


def _drop_hidden(text: str) -> str:
    """Drop hidden characters, but keep the joiners that emoji and scripts are written with:
    between emoji, between letters, and the mark that asks for the coloured form."""
    return _HIDDEN.sub(lambda match: match[0] if match[0] in _JOINERS else "", text)


_JOINERS = "\u200c\u200d\ufe0f"
"""Zero-width (non-)joiner and the emoji presentation mark: they cannot reorder or hide words."""


def _reveal_one(char: str) -> str:
    code = ord(char)
    if char in "\n\t":
        return char
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0x80 <= code <= 0x9F or _HIDDEN.match(char) or 0xD800 <= code <= 0xDFFF:
        return f"<U+{code:04X}>"
    return char


def money(dollars: float) -> str:
    """`$0.004`, `$0.12`, `$12.30`; what is less than a tenth of a cent is `<$0.001`."""
    if 0 < dollars < 0.001:
        return "<$0.001"
    return f"${dollars:.3f}" if dollars < 0.1 else f"${dollars:.2f}"
