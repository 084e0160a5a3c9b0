"""What a command line asks for, as values: named tuples, which cost a start next to nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

SUB_COMMANDS = {
    "demo": "the cockpit on a copy of a small sample project, no key and no network needed",
    "run": "one goal without the screen: text, JSON or JSON lines out, the outcome as exit code",
    "export": "a recorded sitting as Markdown, as one HTML page, or as JSON",
    "sessions": "the recorded sittings of this folder: listed, searched",
    "replay": "a recorded sitting, in the real screen or as text",
    "doctor": "what works here, what does not, and what to do about it",
    "policy": "what the rules would decide about a command or a recorded sitting",
}

CockpitMode = Literal["edit", "investigate", "test_only", "plan", "auto"]
RunMode = Literal["edit", "investigate", "test_only"]
SandboxName = Literal["auto", "bwrap", "landlock", "none"]
ProviderName = Literal["openai", "demo"]
OutputName = Literal["text", "json", "stream-json"]
FormName = Literal["md", "html", "json"]


class SittingChoice(NamedTuple):
    """What cockpit and headless runs have in common; None: not given."""

    workspace: str | None = None
    provider: ProviderName | None = None
    base_url: str | None = None
    model: str | None = None
    sandbox: SandboxName | None = None
    log: Path | None = None
    allow_dirty: bool = False
    auto: bool = False
    resume: str | None = None
    """The journal, or the beginning of the id, of the sitting to take up again."""
    go_on: bool = False
    """Take up the newest sitting of the folder."""


class OpenCockpit(NamedTuple):
    """The cockpit on a folder."""

    sitting: SittingChoice = SittingChoice()
    mode: CockpitMode | None = None
    plain: bool = False
    """Lines in place of the screen."""


class OpenDemo(NamedTuple):
    """The cockpit on a fresh copy of the sample project."""

    log: Path | None = None
    plain: bool = False


class RunGoal(NamedTuple):
    """One goal without the screen; `-` as the goal reads it from stdin."""

    goal: str
    sitting: SittingChoice = SittingChoice()
    mode: RunMode | None = None
    output: OutputName = "text"
    allow: tuple[str, ...] = ()


class ListSittings(NamedTuple):
    """The recorded sittings of a folder, or of all; with a text, those that hold it."""

    workspace: str | None = None
    all: bool = False
    search: str = ""
    json: bool = False


class Export(NamedTuple):
    """A recorded sitting as a document: the newest of the folder, or the one that is named.

    Without a file it goes to standard output, as Markdown where no form is named.
    """

    sitting: str | None = None
    workspace: str | None = None
    form: FormName | None = None
    file: Path | None = None


class Replay(NamedTuple):
    """A journal in the screen, or as text."""

    journal: Path
    as_text: bool = False


class Examine(NamedTuple):
    """Look at what there is here; with `online`, ask the model for a word too."""

    sitting: SittingChoice = SittingChoice()
    online: bool = False
    json: bool = False


class TestPolicy(NamedTuple):
    """What the rules would decide: about a command line, or about a journal's calls."""

    workspace: str | None = None
    command: str | None = None
    journal: Path | None = None
    json: bool = False


Choice = OpenCockpit | OpenDemo | RunGoal | ListSittings | Export | Replay | TestPolicy | Examine
