"""Programs that carry bytes between machines: which way, and where they land.

Law: only options known to fetch, and to nothing else, leave it at fetching.
"""

from __future__ import annotations

import re

from agent_cockpit.rules.shell.judgement import Judgement, names, operands, options, runs, sends
from agent_cockpit.rules.shell.words import Word


def judge_fetcher(name: str, rest: tuple[Word, ...]) -> Judgement | None:
    """Judge curl, wget and rsync; None: it is another program."""
    if name == "curl":
        return _curl(rest)
    if name == "wget":
        return _wget(rest)
    if name == "rsync":
        return _rsync(rest)
    if name in ("http", "https", "xh", "xhs", "httpie"):
        return sends(name, "may send data to another machine")
    return None


def _curl(rest: tuple[Word, ...]) -> Judgement:
    given = options(rest, _CURL_VALUED)
    methods = _values(rest, "X", "request")
    if any(method.upper() not in ("GET", "HEAD", "OPTIONS") for method in methods):
        return sends("curl", "sends data to another machine")
    return _fetched(
        "curl", rest, given, _CURL, _CURL_VALUED, _values(rest, "o", "output"), _CURL_LONG_VALUED
    )


def _wget(rest: tuple[Word, ...]) -> Judgement:
    given = options(rest, _WGET_VALUED)
    written = [*_values(rest, "O", "output-document"), *_values(rest, "P", "directory-prefix")]
    return _fetched("wget", rest, given, _WGET, _WGET_VALUED, written, _WGET_LONG_VALUED)


def _fetched(
    name: str,
    rest: tuple[Word, ...],
    given: frozenset[str],
    known: frozenset[str],
    valued: str,
    written: list[str],
    long_valued: tuple[str, ...],
) -> Judgement:
    if not given <= known:
        return sends(name, "may send data to another machine")
    if any(not word.literal for word in rest):
        return sends(name, "may send a value that is not known here to another machine")
    if not all(
        re.match(r"https?://|[\w.-]+(:\d+)?(/|\Z)", word.text)
        for word in operands(rest, valued, long_valued)
    ):
        return sends(name, "uses an address that is not judged")
    return Judgement(
        tier=3,
        reason="fetches from another machine",
        prefix=name,
        kept=False,
        network=True,
        writes=tuple(Word(path) for path in written if path != "-"),
    )


def _values(rest: tuple[Word, ...], letter: str, name: str) -> list[str]:
    """The values given to `-letter` and `--name`, however they are attached."""
    found: list[str] = []
    for at, word in enumerate(rest):
        after = rest[at + 1].text if at + 1 < len(rest) else ""
        if word.text == f"--{name}":
            found.append(after)
        elif word.text.startswith(f"--{name}="):
            found.append(word.text.partition("=")[2])
        elif match := re.match(rf"-(?!-)[a-zA-Z#]*?{letter}(.*)", word.text):
            found.append(match[1] or after)
    return found


def _rsync(rest: tuple[Word, ...]) -> Judgement:
    given = options(rest)
    places = operands(rest)
    if any(":" in word.text for word in places) or any(not word.literal for word in rest):
        return sends("rsync", "may send files to another machine")
    if any(option.startswith(("--del", "--remove", "--rsh")) or option == "-e" for option in given):
        return Judgement(tier=4, reason="deletes files", prefix="rsync", kept=False)
    judged = runs("rsync", "copies files", kept=False)
    return Judgement(
        tier=3,
        reason=judged.reason,
        prefix="rsync",
        kept=False,
        reads=places[:-1],
        writes=places[-1:],
    )


_CURL_VALUED = "HAmoXwbcerux"
_CURL_LONG_VALUED = ("header", "user-agent", "max-time", "connect-timeout", "retry", "output")
_CURL = names(
    """-s -S -f -L -I -i -v -H -A -m -o -O -X -w -4 -6 -g -# --silent --show-error --fail --location
    --head --include --verbose --header --user-agent --max-time --connect-timeout --retry --output
    --remote-name --request --write-out --compressed --ipv4 --ipv6 --fail-with-body --globoff"""
)
_WGET_VALUED = "OPTtU"
_WGET_LONG_VALUED = ("output-document", "directory-prefix", "timeout", "tries", "user-agent")
_WGET = names(
    """-q -O -P -T -t -U -c -N -S -v -nv --quiet --output-document --directory-prefix --timeout
    --tries --user-agent --continue --no-verbose --spider --server-response"""
)
