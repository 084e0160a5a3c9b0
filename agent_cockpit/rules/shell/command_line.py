"""A shell line judged: what each simple command of it would do, and the worst of that.

Law: the line's tier is its highest part's, however the part is wrapped, quoted, nested or
chained; what is not fully understood is at least tier 3, and no grant covers it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from agent_cockpit.rules.facts import CommandPart
from agent_cockpit.rules.shell.judgement import (
    Judgement,
    in_a_reason,
    names,
    only_reads,
    runs,
    sends,
    starts,
)
from agent_cockpit.rules.shell.places import Places
from agent_cockpit.rules.shell.programs import judge_program, program_name
from agent_cockpit.rules.shell.tree import Redirect, SimpleCommand, read_line
from agent_cockpit.rules.shell.words import Word
from agent_cockpit.rules.shell.wrappers import MOST_TRIED, unwrap
from agent_cockpit.text import has_hidden

LONGEST_BYTES = 16_384
"""A longer line is not judged: nobody reads it to its end before allowing it."""
DEEPEST = 8
"""Lines inside lines (`sh -c "sh -c …"`) beyond this are not judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandAnalysis:
    """What a line would do. `reason` is the deciding part's, in the person's words.

    `grantable`: a standing approval may cover it. A line of several commands has a `prefix`
    (and `scope_words`) only if all parts that need one share it; grants for each part
    cover it as well. `refusal` is a hard no with its reason. `sweeps`: how it looks through
    folders (`judgement.Sweep`).
    """

    parts: tuple[CommandPart, ...]
    tier: int
    reason: str
    grantable: bool
    prefix: str = ""
    scope_words: str | None = None
    network: bool = False
    mutates: bool = True
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    refusal: str | None = None
    sweeps: frozenset[str] = frozenset()


def analyse(
    command: str,
    *,
    root: str,
    test_commands: Collection[str] = (),
    sensitive_globs: Collection[str] = (),
    secrets_in: Collection[str] = ("all", "visible"),
) -> CommandAnalysis:
    """Judge `command`, to be run in `root` (absolute); never raises and reads no disk.

    `test_commands` are the project's own checks, by their exact text: tier 2. A path that
    matches `sensitive_globs` is refused where a command certainly touches it, and asked
    about each time where it might. `secrets_in` are the sweeps (`judgement.Sweep`) that would
    come by such a path.
    """
    places = Places(root, tuple(sensitive_globs), secrets_in)
    line = _Line(places, frozenset(t.strip() for t in test_commands))
    line.whole(command)
    return line.concluded()


@dataclass(frozen=True, slots=True)
class _Found:
    part: CommandPart
    kept: bool
    refusal: str | None = None


class _Line:
    """Gathers the parts of one line; lives for one `analyse`."""

    def __init__(self, places: Places, test_commands: frozenset[str]) -> None:
        self.places = places
        self.test_commands = test_commands - {""}
        self.found: list[_Found] = []

    def whole(self, command: str) -> None:
        if not command.strip():
            self.add(command, "", runs("", "is empty", kept=False))
            return
        unseen = has_hidden(command) or re.search(r"[^\S \t\n]", command)
        if unseen:
            self.add(command, "", starts("", "holds characters that cannot be seen"))
        if len(command.encode("utf-8", "replace")) > LONGEST_BYTES or "\0" in command:
            self.add(command, "", starts("", "is too long or broken to be judged", tier=4))
        elif command.strip() in self.test_commands and not unseen:
            own = command.strip()
            self.add(own, program_name(own.split()[0]), _own_check(own))
        else:
            self.text(command, 0)

    def text(self, command: str, depth: int) -> None:
        """Judge shell text: the line itself, or what a shell inside it is handed."""
        if depth > DEEPEST:
            self.add(command, "", starts("", _TOO_DEEP, tier=4))
            return
        tree = read_line(command)
        for problem in dict.fromkeys(tree.problems):
            worst = problem.runs_code or self.spells_the_worst(command)
            self.add(command, "", starts("", problem.text, tier=4 if worst else 3))
        if len(_CONTINUED.findall(command)) < command.count("\\\n"):
            self.add(command, "", starts("", "continues a line in the middle of something", tier=4))
        if tree.functions:
            self.add(command, "", runs("", "defines a function", kept=False))
        for simple in tree.commands:
            self.simple(simple, depth)

    def spells_the_worst(self, command: str) -> bool:
        """Whether text that could not be parsed holds, anywhere, a program start of tier 4."""
        plain = re.sub(r"""["'\\]""", "", command)
        words = [Word(text) for text in re.findall(r"[^\s;&|()<>{}`$]+", plain)]
        if len(words) > 1000 or re.search(r"\b(push|publish|reset|clean|delete|destroy)\b", plain):
            return True
        return any(
            self.tier_of(judge_program(tuple(words[at : at + 12]))) >= 4 for at in range(len(words))
        )

    def tier_of(self, judged: Judgement) -> int:
        return self.places.settle(judged).judged.tier

    def simple(self, simple: SimpleCommand, depth: int) -> None:
        self.assignments(simple.assignments, simple.text, with_command=bool(simple.words))
        for redirect in simple.redirects:
            self.redirect(redirect, simple.text)
        if simple.words:
            declares = simple.text.split(None, 1)[:1] == [simple.words[0].text]
            if not (declares and simple.assignments):
                self.listing(simple.words, simple.text)
            if simple.text in self.test_commands and depth == 0:
                self.add(simple.text, simple.words[0].text, _own_check(simple.text))
            else:
                self.program(simple.words, simple.text, simple.fed, depth)

    def listing(self, words: tuple[Word, ...], text: str) -> None:
        """A declaration that names nothing prints what there is instead, values and all."""
        named = any(not word.text.startswith(("-", "+")) for word in words[1:])
        if words[0].text in _DECLARING and not named:
            reason = "prints the environment, where keys may be"
            self.add(text, "", runs("", reason, kept=False))

    def assignments(
        self, assignments: tuple[tuple[str, Word], ...], text: str, *, with_command: bool
    ) -> None:
        for name, value in assignments:
            if _STEERING.fullmatch(name):
                reason = f"sets {name}, which can change what runs"
                self.add(text, "", starts("", reason, tier=4))
            elif not value.literal:
                self.add(
                    text, "", runs("", "depends on values that are not known here", kept=False)
                )
            elif not with_command:
                self.add(text, "", only_reads(""))
            if value.literal and self.places.is_sensitive(value.text):
                self.refuse(text, self.places.secret_words(value.text))

    def redirect(self, redirect: Redirect, text: str) -> None:
        target = redirect.target
        judged = Judgement(
            tier=3 if redirect.writes else 2,
            reason=f"writes `{in_a_reason(target.text)}`" if redirect.writes else "reads only",
            prefix="",
            mutates=redirect.writes,
            kept=not redirect.writes,
            reads=() if redirect.writes else (target,),
            writes=(target,) if redirect.writes else (),
        )
        if target.text.startswith(("/dev/tcp/", "/dev/udp/")):
            self.add(text, "", sends("", "opens a connection"))
        elif not target.literal or target.pattern:
            self.add(
                text, "", runs("", "reads or writes a file that is not known here", kept=False)
            )
        elif redirect.writes and target.text in _NOWHERE:
            return
        else:
            self.add(text, "", judged)

    def program(self, words: tuple[Word, ...], text: str, fed: str, depth: int) -> None:
        if depth > DEEPEST:
            self.add(text, "", starts("", _TOO_DEEP, tier=4))
            return
        first = words[0]
        if not first.literal or first.pattern or not first.text:
            self.add(text, "", starts("", "starts a program that is not known here"))
            self.worst_of(tuple(words[at:] for at in range(1, len(words))), text, fed)
            return
        if first.text in _RESERVED:
            self.add(text, "", starts("", "uses shell syntax that is not judged", tier=4))
            return
        name = program_name(first.text)
        wrapped = unwrap(name, words, fed=fed)
        if wrapped is None:
            self.add(text, name, judge_program(words, fed=fed), words)
            if name == "cd":
                self.places.enter(words[1:])
            return
        self.add(text, name, wrapped.own, words)
        self.assignments(wrapped.assignments, text, with_command=True)
        for inner in wrapped.inner:
            if inner:
                self.listing(inner, text)
                self.program(inner, text, fed, depth + 1)
        for code in wrapped.code:
            self.text(code, depth + 1)
        self.worst_of(wrapped.maybe, text, fed)

    def worst_of(self, tails: tuple[tuple[Word, ...], ...], text: str, fed: str) -> None:
        """Add the worst of what might be started, if that is worse than anything unknown."""
        if len(tails) > MOST_TRIED:
            self.add(text, "", starts("", "starts something that is not known here", tier=4))
            return
        for tail in tails:
            if not tail[0].literal or not tail[0].text:
                continue
            name = program_name(tail[0].text)
            nested = unwrap(name, tail, fed=fed)
            judged = nested.own if nested else judge_program(tail, fed=fed)
            if self.tier_of(judged) >= 4:
                self.add(text, name, judged, tail)
                return
            for code in nested.code if nested else ():
                self.text(code, DEEPEST)

    def add(self, text: str, program: str, judged: Judgement, words: tuple[Word, ...] = ()) -> None:
        """Add one part, with where its paths lead taken in."""
        hides = judged.opaque or any(not word.literal for word in words[:2])
        settled = self.places.settle(judged)
        judged = settled.judged
        part = CommandPart(
            text=text,
            program=program,
            tier=judged.tier,
            reason=judged.reason,
            reads=settled.reads,
            writes=settled.writes,
            network=judged.network,
            mutates=judged.mutates,
            prefix=judged.prefix,
            words=tuple(word.text for word in words),
            opaque=hides,
        )
        self.found.append(_Found(part, judged.kept, settled.refusal))

    def refuse(self, text: str, refusal: str) -> None:
        part = CommandPart(text=text, program="", tier=3, reason=refusal)
        self.found.append(_Found(part, kept=False, refusal=refusal))

    def concluded(self) -> CommandAnalysis:
        if not self.found:
            self.found.append(
                _Found(CommandPart(text="", program="", tier=3, reason="is empty"), kept=False)
            )
        parts = tuple(found.part for found in self.found)
        tier = max(part.tier for part in parts)
        deciding = max(self.found, key=lambda found: (found.part.tier, not found.kept))
        grantable = tier < 3 or (tier < 4 and all(found.kept for found in self.found))
        prefixes = {part.prefix for part in parts if part.tier >= 3}
        prefix = prefixes.pop() if grantable and len(prefixes) == 1 else ""
        refusal = next((found.refusal for found in self.found if found.refusal), None)
        return CommandAnalysis(
            parts=parts,
            tier=tier,
            reason=deciding.part.reason,
            grantable=grantable and refusal is None,
            prefix=prefix,
            scope_words=f"every `{in_a_reason(prefix)} …` in this sitting" if prefix else None,
            network=any(part.network for part in parts),
            mutates=any(part.mutates for part in parts),
            reads=_once(path for part in parts for path in part.reads),
            writes=_once(path for part in parts for path in part.writes),
            refusal=refusal,
            sweeps=frozenset(self.places.sweeps),
        )


def _own_check(text: str) -> Judgement:
    return Judgement(tier=2, reason="runs the project's own check", prefix=text, opaque=True)


def _once(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(paths))


_CONTINUED = re.compile(r"[^\s\\][ \t]+\\\n(?=[ \t]*[^\s\\])")
"""A continued line as people write it. Elsewhere the grammar and a shell part ways: to one
`ls⏎\\⏎rm x` is a single command, to the other two."""
_TOO_DEEP = "is nested too deeply to be judged"
_RESERVED = names(
    "! { } if then elif else fi while until for do done case esac in function select ]]"
)
"""Where the grammar takes one of these for a program, a shell does not (`! ! rm x`)."""
_DECLARING = names("export declare typeset readonly")
_NOWHERE = ("/dev/null", "/dev/stdout", "/dev/stderr")
_STEERING = re.compile(
    r"PATH|IFS|ENV|HOME|SHELL|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|CDPATH|TMPDIR|XDG_CONFIG_HOME"
    r"|(BASH|LD|DYLD|GIT|SSH|PYTHON|PERL|RUBY|NODE|NPM_CONFIG|npm_config|PIP|UV|CARGO|RUSTC?|GO"
    r"|DOCKER|KUBE|JAVA|_JAVA|JDK|MAVEN|GRADLE|LESS|AWS|GOOGLE|AZURE|MAKE|GCONV|LUA|PHP)_?\w*"
    r"|(\w+_)?(PAGER|EDITOR|VISUAL|BROWSER|ASKPASS|PROXY|proxy)|CC|CXX|AR"
    r"|\w*(CONFIG|OPTIONS|OPTS|FLAGS|PRELOAD|WRAPPER|HOME|COMMAND|CMD|PATH)"
)
"""Variables that choose which program runs, or what it loads."""
