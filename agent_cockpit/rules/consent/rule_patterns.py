"""How the words and paths of a configured rule meet those of a call.

Law: against the call every doubt counts. A word is compared without its disguise, options
wherever they stand, and a sub-command that is not certain may be any word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from fnmatch import translate
from itertools import pairwise
from typing import Generic, TypeVar

from agent_cockpit.rules.facts import CallFacts, CommandPart
from agent_cockpit.rules.paths import may_meet
from agent_cockpit.rules.shell.command_line import analyse
from agent_cockpit.rules.shell.programs import program_name
from agent_cockpit.rules.shell.words import unquote
from agent_cockpit.text import clean

Matcher = str | re.Pattern[str]
Item = TypeVar("Item")

MOST_FOLDERS = 16
MOST_CHARACTERS = 100_000
MOST_TOKENS = 4_000
"""Of a line that could not be taken apart, so much is looked through; none of it is allowed."""


class Reading:
    """One program start as a rule sees it: the names it goes by, its sub-command (None: any
    word may be it), its words behind the name, and whether their order is known."""

    __slots__ = ("args", "given", "letters", "longs", "names", "ordered", "subs")

    def __init__(
        self,
        names: Iterable[str],
        subs: frozenset[str] | None,
        args: tuple[str, ...],
        *,
        ordered: bool = True,
    ) -> None:
        self.ordered = ordered
        self.names = frozenset(names)
        self.subs = subs
        self.args = args
        self.given = frozenset(args)
        self.longs = tuple(arg for arg in self.given if arg.startswith("--") and len(arg) > 3)
        clusters = (arg for arg in self.given if arg[:1] == "-" and arg[1:2] not in ("-", ""))
        self.letters = frozenset(letter for arg in clusters for letter in arg[1:])


class CommandPattern:
    """The beginning of a command, by whole words; `*` and `?` stand for letters of one word.

    Words are compared to a program and its arguments. An option may stand anywhere, and
    `-rf` is met by its letters in any order and clusters; other words keep their order.
    """

    __slots__ = ("key", "name", "options", "sub", "words")

    def __init__(self, text: str) -> None:
        first, *rest = plain(text).split()
        self.name = matcher(program_name(first))
        self.words = tuple(matcher(word) for word in rest if not word.startswith("-"))
        self.options = tuple(word for word in rest if word.startswith("-"))
        self.sub = self.words[0] if rest and not rest[0].startswith("-") else None
        self.key = next((word for word in reversed(self.words) if isinstance(word, str)), "")
        """A word that every command has which the pattern meets ("" : none is certain)."""

    def is_named(self, name: str) -> bool:
        """Whether a program of this name is the one meant."""
        return fits(self.name, name)

    def meets(self, reading: Reading) -> bool:
        """Whether the rule means this start of the program, or may."""
        wanted = self.words
        if self.sub is not None and reading.subs is not None:
            if not any(fits(self.sub, sub) for sub in reading.subs):
                return False
            wanted = wanted[1:]
        if not all(_has_option(option, reading) for option in self.options):
            return False
        args: Iterable[str] = iter(reading.args) if reading.ordered else reading.args
        return all(any(fits(word, arg) for arg in args) for word in wanted)


class PathPattern:
    """A place in the workspace: `*` stands within a folder, `**` through folders; without a
    slash a name at any depth; a folder means all that lies in it.

    Letter case and disguise do not matter, unless `exact`.
    """

    __slots__ = ("_expression", "_text", "key")

    def __init__(self, text: str, *, exact: bool = False) -> None:
        bare = (text if exact else plain(text).casefold()).removeprefix("./").rstrip("/")
        while bare.endswith("/**"):
            bare = bare[:-3]
        anywhere = r"(?:.*/)?" if "/" not in bare else r"(?:/.*/)?"
        self._text = bare
        self._expression = re.compile(rf"{anywhere}{_path_expression(bare)}(?:/.*)?", re.S)
        self.key = next((part for part in bare.split("/") if part and not is_glob(part)), "")
        """A part that every path has which lies there ("" : none is certain)."""

    def holds(self, path: str) -> bool:
        """Whether the path lies there by its letters."""
        return self._expression.fullmatch(path) is not None

    def meets(self, path: str) -> bool:
        """Whether the path lies there; one with wildcards, whether it may."""
        if self.holds(path):
            return True
        if not is_glob(path):
            return False
        own = [*self._text.split("/"), "**"]
        return may_meet(path.split("/"), own if "/" in self._text else ["**", *own])


class ByHead(Generic[Item]):
    """Things by a name that may hold wildcards, found by what stands before the first one."""

    def __init__(self) -> None:
        self._heads: dict[str, list[Item]] = {}
        self._sizes: tuple[int, ...] = ()

    def add(self, name: str, item: Item) -> None:
        """Keep `item` under `name`."""
        head = plain(re.split(r"[*?\[]", name, maxsplit=1)[0]).lower()
        self._heads.setdefault(head, []).append(item)
        self._sizes = tuple(sorted({*self._sizes, len(head)}))

    def under(self, name: str) -> Iterator[Item]:
        """All whose name may be this one."""
        lowered = name.lower()
        for size in self._sizes:
            yield from self._heads.get(lowered[:size], ()) if size <= len(lowered) else ()


def plain(text: str) -> str:
    """`text` without disguise: what a terminal hides or obeys is gone, look-alike letters are
    the plain ones."""
    if text.isascii() and text.isprintable():
        return text
    return unicodedata.normalize("NFKC", clean(text)).translate(_LOOK_ALIKES)


def readings(facts: CallFacts) -> Iterator[Reading]:
    """Every program start of the call, and of a line that hides some, every word as one."""
    parts = facts.parts
    if not parts and facts.command is not None:
        parts = analyse(facts.command, root="/").parts
    for part in parts:
        yield from part_readings(part)
    if any(part.opaque for part in parts):
        yield _any_reading("\n".join((facts.command or "", *(part.text for part in parts))))


def part_readings(part: CommandPart) -> Iterator[Reading]:
    """The ways to call one part: by its words, and by what its prefix says of them."""
    words = tuple(map(plain, part.words))
    prefix = plain(part.prefix).split()
    names = {program_name(word) for word in (*words[:1], *prefix[:1], plain(part.program)) if word}
    if not names:
        return
    certain = prefix[1:2] and not prefix[1].startswith("-") and prefix[0] in (*words[:1], *names)
    subs = frozenset((*prefix[1:2], *words[1:2])) if certain else None
    yield Reading(names, subs, (*prefix[1:], *words[1:]))
    if "-m" in prefix[1:-1]:
        module = prefix[prefix.index("-m") + 1 :]
        yield Reading(module[:1], None, (*module[1:], *words[1:]))


def touched(facts: CallFacts) -> tuple[str, ...]:
    """The paths that a rule may mean, without disguise; each word of a command may be one,
    from each folder that the command may be in by then."""
    words = [word for part in facts.parts for word in part.words[1:]]
    if any(part.opaque for part in facts.parts):
        words += _any_reading(facts.command or "").args
    words += [word.partition("=")[2] for word in words if "=" in word]
    below = [f"{folder}/{word}" for folder in _folders(facts) for word in words]
    named = dict.fromkeys((*facts.reads, *facts.writes, *words, *below))
    return tuple(filter(None, (_lexical(plain(path).casefold()) for path in named)))


def _folders(facts: CallFacts) -> list[str]:
    """Where a `cd` or a `-C` may lead, one within the other."""
    found: list[str] = []
    for part in facts.parts:
        went = part.words[1:2] if part.program in ("cd", "pushd") else ()
        given = (after for word, after in pairwise(part.words) if word == "-C")
        for target in (*went, *given):
            found = [target, *(f"{folder}/{target}" for folder in found), *found][:MOST_FOLDERS]
    return found


def is_glob(path: str) -> bool:
    """Whether a shell would look for names that fit."""
    return any(char in path for char in "*?[")


def _any_reading(line: str) -> Reading:
    """A line that hides what it starts: each of its words may be a program or an argument."""
    spelled = plain(line[:MOST_CHARACTERS]).replace("\\\n", "")
    words = _WORD.findall(re.sub(r"""["'\\]""", " ", spelled))
    words += _WORD.findall(re.sub(r"""\$?["'\\]""", "", spelled))
    words += (unquote(chunk).text for chunk in spelled.split())
    tokens = tuple(dict.fromkeys(words[:MOST_TOKENS]))
    return Reading(map(program_name, tokens), None, tokens, ordered=False)


_WORD = re.compile(r"[^\s;&|()<>{}`$,=!\[\]]+")


def _has_option(wanted: str, reading: Reading) -> bool:
    if wanted in reading.given:
        return True
    if "*" in wanted or "?" in wanted:
        return any(fits(matcher(wanted), arg) for arg in reading.args)
    if wanted.startswith("--"):
        value = f"{wanted}="
        return any(arg.startswith(value) or wanted.startswith(arg) for arg in reading.longs)
    return len(wanted) > 1 and reading.letters.issuperset(wanted[1:])


def matcher(word: str) -> Matcher:
    """A word of a rule, ready to be compared."""
    return re.compile(translate(word)) if re.search(r"[*?]", word) else word


def fits(wanted: Matcher, text: str) -> bool:
    """Whether a word is the one that a rule wants."""
    return wanted == text if isinstance(wanted, str) else wanted.match(text) is not None


def _path_expression(pattern: str) -> str:
    found = ""
    for piece in re.findall(r"\*\*/|\*\*|\*|\?|[^*?]+", pattern):
        known = {"**/": r"(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
        found += known.get(piece) or re.escape(piece)
    return found


def _lexical(path: str) -> str:
    """`path` with `.`, `..` and doubled slashes taken out; absolute ones stay so."""
    parts: list[str] = []
    for part in path.replace("\\", "/").split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return ("/" if path.startswith("/") else "") + "/".join(parts)


_LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕԁһԛԝкмтвнАВЕКМНОРСТХУІЈЅοαερυνικτΑΒΕΖΗΙΚΜΝΟΡΤΥΧ՝ոսցօɡıʟʀɴᴄᴏᴜᴠᴡᴢ‐‑‒–—−ⅼ",
    "aeopcyxijsdhqwkmtbhABEKMHOPCTXYIJSoaepuviktABEZHIKMNOPTYX'nugogilrncouvwz------l",
)
"""Letters that a person takes for plain ones, as they are met in programs' names."""
