"""How far the build of a plan is: each step is ticked by evidence, never by a claim alone.

Law: a step is done when the files that it names were edited, when a command that it names
passed, or when the model said so and a check passed after that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from agent_cockpit.rules.plan import plan_steps
from agent_cockpit.text import clean, clean_line, shorten


@dataclass(frozen=True, slots=True)
class Step:
    """One step and what is known of it; `why` is what ticked it, empty while it is open."""

    number: int
    text: str
    files: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    edited: frozenset[str] = frozenset()
    is_claimed: bool = False
    why: str = ""

    @property
    def is_done(self) -> bool:
        """Whether there is evidence for it."""
        return bool(self.why)


@dataclass(frozen=True, slots=True)
class Progress:
    """A plan under way. `files` are all that it names; without any, nothing is a stray."""

    steps: tuple[Step, ...] = ()
    files: tuple[str, ...] = ()
    working: int | None = None
    strays: tuple[str, ...] = ()
    known: frozenset[str] = field(default_factory=frozenset)
    """Changed paths that were looked at already."""


def begin(plan: str) -> Progress:
    """Nothing is done yet."""
    steps = tuple(
        Step(step.number, step.text, files_named(step.text), _commands(step.text))
        for step in plan_steps(plan)
    )
    everything = clean(plan)
    named = (*files_named(everything), *_words_of_commands(everything))
    return Progress(steps, tuple(dict.fromkeys(named)))


def said(progress: Progress, text: str) -> Progress:
    """The model wrote `Step 2: …` when it began a step, or `Step 2 done` when it ended one.

    Going on with a later step claims the one before.
    """
    for match in _MARK.finditer(clean(text)):
        number = int(match["number"])
        if not 1 <= number <= len(progress.steps):
            continue
        if match["done"]:
            progress = _claimed(progress, number)
            if progress.working == number:
                progress = replace(progress, working=None)
        else:
            if progress.working is not None and progress.working < number:
                progress = _claimed(progress, progress.working)
            progress = replace(progress, working=number)
    return progress


def edited(progress: Progress, paths: Iterable[str]) -> Progress:
    """Files were changed: ticks the step that names them, and notes those that none names."""
    for path in paths:
        why = f"edited {shorten(clean_line(path), 60)}"
        progress = _touched(noticed(progress, [path]), path, why)
    return progress


def commanded(progress: Progress, command: str) -> Progress:
    """A command that changes things ended well: what it names counts as edited."""
    why = f"ran {shorten(clean_line(command), 60)}"
    for word in command.split():
        progress = _touched(progress, word.strip("'\""), why)
    return progress


def noticed(progress: Progress, paths: Iterable[str]) -> Progress:
    """These paths differ; those that the plan does not name are strays."""
    for path in paths:
        if path in progress.known:
            continue
        progress = replace(progress, known=progress.known | {path})
        if progress.files and not is_named(path, progress.files):
            progress = replace(progress, strays=(*progress.strays, path))
    return progress


def passed(progress: Progress, commands: Collection[str], *, is_check: bool) -> Progress:
    """These commands ended well: ticks the steps that name them, and, where it was a check,
    those that the model claimed before."""
    for step in progress.steps:
        if step.is_done:
            continue
        named = next((one for one in step.commands if _same(one, commands)), None)
        if named is not None and not (step.files and not step.edited):
            progress = _with(progress, replace(step, why=f"{shorten(named, 60)} passed"))
        elif is_check and step.is_claimed:
            progress = _with(progress, replace(step, why="said to be done, and a check passed"))
    return progress


def is_named(path: str, names: Iterable[str]) -> bool:
    """Whether one of `names` means this path: the same, its end, or a folder above it."""
    path = _plain(path)
    for name in map(_plain, names):
        folder = name.rstrip("/")
        if path == folder or path.endswith(f"/{folder}") or path.startswith(f"{folder}/"):
            return True
    return False


def files_named(text: str) -> tuple[str, ...]:
    """The files and folders that a text names, in backticks or by an ending that code has."""
    found: dict[str, None] = {}
    for match in _QUOTED.finditer(text):
        token = match[1].strip()
        if _is_path(token, quoted=True):
            found[_plain(token)] = None
    for match in _BARE.finditer(_QUOTED.sub(" ", text)):
        token = match[0].rstrip(".")
        if _is_path(token, quoted=False):
            found[_plain(token)] = None
    return tuple(found)


_MARK = re.compile(
    r"^[\s>*_#`-]*step[ \t]+(?P<number>[0-9]{1,4})\b[*_`]*"
    r"[ \t]*(?:(?P<done>(?:is[ \t]+)?(?:done|complete|completed|finished)\b)|[:.–—-]|$)",
    re.IGNORECASE | re.MULTILINE,
)
_QUOTED = re.compile(r"`([^`\n]{1,300})`")
_BARE = re.compile(r"(?<![\w/.:@-])(?:[\w.-]{1,80}/){0,12}[\w.-]{1,80}(?![\w/])")
_PLACE = re.compile(r"(?::[0-9]+(?:[-:][0-9]+)?|#L[0-9]+(?:-L?[0-9]+)?)$")
_ENDING_WORDS = (
    "py pyi js mjs cjs ts tsx jsx md rst txt toml yaml yml json html htm css scss go rs rb java kt "
    "c h cc cpp hpp cs php sh bash zsh fish sql ini cfg lock xml csv vue svelte swift dart ex exs "
    "erl hs lua pl r jl proto tf gradle mk nix zig ml mli clj scala ipynb tcss svg env"
)
_ENDINGS = frozenset(_ENDING_WORDS.split())
_NAMES = frozenset(
    {"makefile", "dockerfile", "readme", "license", "changelog", "justfile", "gemfile", "procfile"}
)


def _is_path(token: str, *, quoted: bool) -> bool:
    token = _PLACE.sub("", token)
    if not token or " " in token or "://" in token or token.startswith(("-", "~", "$")):
        return False
    name = token.rstrip("/").rsplit("/", 1)[-1]
    stem, dot, ending = name.rpartition(".")
    if dot and (stem or quoted) and ending.lower() in _ENDINGS:
        return True
    if name.lower() in _NAMES:
        return quoted or "/" in token
    return quoted and "/" in token and not re.search(r"[()=<>|;,{}\"']", token)


def _plain(path: str) -> str:
    return _PLACE.sub("", path.strip()).replace("\\", "/").removeprefix("./")


def _commands(text: str) -> tuple[str, ...]:
    """What stands in backticks and is no path."""
    quoted = (match[1].strip() for match in _QUOTED.finditer(text))
    return tuple(dict.fromkeys(one for one in quoted if one and not _is_path(one, quoted=True)))


def _words_of_commands(text: str) -> tuple[str, ...]:
    words = (word for command in _commands(text) for word in command.split())
    return tuple(_plain(word) for word in words if _is_path(word, quoted=False))


def _same(named: str, commands: Collection[str]) -> bool:
    """Whether a command that ran is the named one, or begins with it."""
    wanted = named.split()
    return any(command.split()[: len(wanted)] == wanted for command in commands)


def _touched(progress: Progress, path: str, why: str) -> Progress:
    step = _step_for(progress, path)
    if step is None:
        return progress
    mine = frozenset(name for name in step.files if is_named(path, [name]))
    now = replace(step, edited=step.edited | mine)
    if now.edited >= set(step.files) or now.is_claimed:
        now = replace(now, why=why)
    progress = _with(progress, now)
    if progress.working is None and not now.is_done:
        progress = replace(progress, working=step.number)
    return progress


def _step_for(progress: Progress, path: str) -> Step | None:
    """The step that an edit of this path belongs to: the one at work, else the first open."""
    fitting = [s for s in progress.steps if not s.is_done and is_named(path, s.files)]
    at_work = (step for step in fitting if step.number == progress.working)
    return next(at_work, fitting[0] if fitting else None)


def _claimed(progress: Progress, number: int) -> Progress:
    step = progress.steps[number - 1]
    if step.is_done:
        return progress
    now = replace(step, is_claimed=True)
    if now.edited:
        now = replace(now, why=f"edited {shorten(sorted(now.edited)[0], 60)}")
    return _with(progress, now)


def _with(progress: Progress, step: Step) -> Progress:
    steps = list(progress.steps)
    steps[step.number - 1] = step
    working = None if step.is_done and progress.working == step.number else progress.working
    return replace(progress, steps=tuple(steps), working=working)
