"""The words of a command line as a `Choice`; typer reads them and writes the help."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from agent_cockpit.choices import (
    SUB_COMMANDS,
    Choice,
    CockpitMode,
    Examine,
    Export,
    FormName,
    ListSittings,
    OpenCockpit,
    OpenDemo,
    OutputName,
    ProviderName,
    Replay,
    RunGoal,
    RunMode,
    SandboxName,
    SittingChoice,
    TestPolicy,
)
from agent_cockpit.errors import PersonCanAct

NAME = "agent-cockpit"

ProviderOption = Annotated[
    ProviderName | None, typer.Option("--provider", help="Which voice answers.")
]
BaseUrlOption = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        metavar="URL",
        help="An OpenAI-compatible server, with its version part (http://127.0.0.1:8080/v1).",
    ),
]
ModelOption = Annotated[
    str | None, typer.Option("--model", metavar="NAME", help="The server's name for the model.")
]
SandboxOption = Annotated[
    SandboxName | None, typer.Option("--sandbox", help="What holds commands (default: auto).")
]
LogOption = Annotated[
    Path | None,
    typer.Option("--log", metavar="PATH", help="Where the journal goes (default: state folder)."),
]
DirtyOption = Annotated[
    bool, typer.Option("--allow-dirty", help="Start although there are uncommitted changes.")
]
AutoOption = Annotated[
    bool, typer.Option("--auto", help="Failed checks end the goal as failed, without a question.")
]
ContinueOption = Annotated[
    bool, typer.Option("--continue", "-c", help="Go on with the newest sitting of the folder.")
]
PlainOption = Annotated[
    bool,
    typer.Option(
        "--plain", help="Lines in place of the screen, answers by number (AGENT_COCKPIT_PLAIN=1)."
    ),
]
ResumeOption = Annotated[
    str | None,
    typer.Option(
        "--resume", "-r", metavar="ID", help="Go on with this sitting: its id, or its journal."
    ),
]


def _app() -> typer.Typer:
    return typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


bare = _app()
named = {name: _app() for name in SUB_COMMANDS}
"""Each an app of one command: a group of commands would load pydantic for its help."""

_EPILOG = "\n".join(
    [
        "\b",
        "Commands (the first word; ./run names a folder):",
        *(f"  {name:<10}{words}" for name, words in SUB_COMMANDS.items()),
        "",
        "\b",
        "Provider, model and the rest also come from agent-cockpit.toml, .agent-cockpit.toml",
        "and AGENT_COCKPIT_… variables; the key from OPENAI_API_KEY.",
    ]
)


def parse(words: Sequence[str]) -> Choice | int:
    """What the words ask for, or the exit code when help or a version was asked and printed.

    Raises `PersonCanAct` for words that make no sense.
    """
    name = words[0] if words and words[0] in SUB_COMMANDS else ""
    command = f"{NAME} {name}".rstrip()
    app, rest = (named[name], words[1:]) if name else (bare, words)
    try:
        chosen = app(list(rest), prog_name=command, standalone_mode=False)
    except Exception as error:
        # Older and newer typer raise different classes; both tell what is wrong this way.
        told = getattr(error, "format_message", None)
        if told is None:
            raise
        message = told().replace("Value error, ", "").rstrip(".")
        raise PersonCanAct(f"{message}; see `{command} --help`") from None
    return chosen if isinstance(chosen, Choice) else int(chosen or 0)


def _print_version(wanted: bool) -> None:
    if wanted:
        from agent_cockpit import __version__

        typer.echo(f"{NAME} {__version__}")
        raise typer.Exit


@bare.command(epilog=_EPILOG)
def cockpit(
    workspace: Annotated[
        str | None, typer.Argument(metavar="WORKSPACE", help="The folder (default: here).")
    ] = None,
    provider: ProviderOption = None,
    base_url: BaseUrlOption = None,
    model: ModelOption = None,
    sandbox: SandboxOption = None,
    mode: Annotated[
        CockpitMode | None, typer.Option("--mode", help="Pin the mode of every goal.")
    ] = None,
    go_on: ContinueOption = False,
    resume: ResumeOption = None,
    log: LogOption = None,
    allow_dirty: DirtyOption = False,
    auto: AutoOption = False,
    plain: PlainOption = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version, help="Show the version and exit."
        ),
    ] = False,
) -> OpenCockpit:
    """A cockpit for coding sessions: a model proposes, you decide by keypress, the engine
    proves the result."""
    _one_way_on(go_on, resume, log)
    sitting = SittingChoice(
        workspace=workspace,
        provider=provider,
        base_url=base_url,
        model=model,
        sandbox=sandbox,
        go_on=go_on,
        resume=resume,
        log=log,
        allow_dirty=allow_dirty,
        auto=auto,
    )
    return OpenCockpit(sitting, mode=mode, plain=plain)


@named["demo"].command()
def demo(log: LogOption = None, plain: PlainOption = False) -> OpenDemo:
    """Open the cockpit on a fresh copy of a small sample project, with a built-in scripted
    model: no key, no network."""
    return OpenDemo(log=log, plain=plain)


@named["run"].command()
def run(
    goal: Annotated[str, typer.Argument(metavar="GOAL", help="What to do; - reads it from stdin.")],
    workspace: Annotated[
        str | None, typer.Option("--workspace", metavar="DIR", help="The folder (default: here).")
    ] = None,
    mode: Annotated[
        RunMode | None, typer.Option("--mode", help="The goal's mode (default: by its words).")
    ] = None,
    provider: ProviderOption = None,
    base_url: BaseUrlOption = None,
    model: ModelOption = None,
    sandbox: SandboxOption = None,
    output: Annotated[
        OutputName, typer.Option("--output", help="What stdout carries; the rest goes to stderr.")
    ] = "text",
    go_on: ContinueOption = False,
    resume: ResumeOption = None,
    log: LogOption = None,
    allow_dirty: DirtyOption = False,
    auto: AutoOption = False,
    allow: Annotated[
        list[str] | None,
        typer.Option(
            "--allow",
            metavar="TOOL[:PREFIX]",
            help="Allow calls ahead, such as 'run_command:git status'; may be repeated.",
        ),
    ] = None,
) -> RunGoal:
    """Run one goal without the screen. What would need a person is denied, and said.

    \b
    Exit codes: 0 success, 1 failed, 2 wrong use, 3 blocked or needs a person,
    4 incomplete, 5 model server, 70 internal fault, 130 and 143 stopped.
    """
    if not goal.strip():
        raise typer.BadParameter("the goal is empty")
    _one_way_on(go_on, resume, log)
    sitting = SittingChoice(
        workspace=workspace,
        provider=provider,
        base_url=base_url,
        model=model,
        sandbox=sandbox,
        go_on=go_on,
        resume=resume,
        log=log,
        allow_dirty=allow_dirty,
        auto=auto,
    )
    return RunGoal(goal, sitting, mode=mode, output=output, allow=tuple(allow or ()))


@named["replay"].command()
def replay(
    journal: Annotated[Path, typer.Argument(metavar="JOURNAL", help="A sitting's .jsonl file.")],
    as_text: Annotated[
        bool, typer.Option("--print", help="Print it as plain text instead.")
    ] = False,
) -> Replay:
    """Show a recorded sitting in the real screen, read-only, or as plain text."""
    return Replay(journal=journal, as_text=as_text)


@named["sessions"].command()
def sessions(
    workspace: Annotated[
        str | None, typer.Option("--workspace", metavar="DIR", help="The folder (default: here).")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Of every folder.")] = False,
    search: Annotated[
        str, typer.Option("--search", metavar="TEXT", help="Whose prompts or answers hold this.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="All facts, as JSON.")] = False,
) -> ListSittings:
    """List recorded sittings, the newest first; --resume ID goes on with one."""
    return ListSittings(workspace=workspace, all=every, search=search, json=as_json)


@named["export"].command()
def export(
    sitting: Annotated[
        str | None,
        typer.Argument(metavar="SITTING", help="Its id, name or journal (default: the newest)."),
    ] = None,
    workspace: Annotated[
        str | None, typer.Option("--workspace", metavar="DIR", help="The folder (default: here).")
    ] = None,
    form: Annotated[
        FormName | None,
        typer.Option("--as", help="The form (default: what FILE's ending says, else md)."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where to (default: to standard output)."
        ),
    ] = None,
) -> Export:
    """Write a recorded sitting as Markdown, as one HTML page that needs no other file, or as
    JSON. Nothing that is no earlier export of that sitting is written over."""
    return Export(sitting=sitting, workspace=workspace, form=form, file=file)


@named["doctor"].command()
def doctor(
    workspace: Annotated[
        str | None, typer.Option("--workspace", metavar="DIR", help="The folder (default: here).")
    ] = None,
    provider: ProviderOption = None,
    base_url: BaseUrlOption = None,
    model: ModelOption = None,
    sandbox: SandboxOption = None,
    online: Annotated[
        bool, typer.Option("--online", help="Also ask the model for one word.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="All findings, as JSON.")] = False,
) -> Examine:
    """Look at terminal, clipboard, git, search, sandbox, folders, settings and model, and say
    what to do about each. Exit code 1 when something does not work."""
    sitting = SittingChoice(
        workspace=workspace, provider=provider, base_url=base_url, model=model, sandbox=sandbox
    )
    return Examine(sitting, online=online, json=as_json)


@named["policy"].command()
def policy(
    action: Annotated[Literal["test"], typer.Argument(metavar="test", help="Decide, run nothing.")],
    command: Annotated[
        str | None, typer.Argument(metavar="[COMMAND]", help="A line for the shell, in quotes.")
    ] = None,
    journal: Annotated[
        Path | None,
        typer.Option(
            "--journal",
            metavar="FILE",
            help="Decide the calls of this journal anew, and list what would change.",
        ),
    ] = None,
    workspace: Annotated[
        str | None, typer.Option("--workspace", metavar="DIR", help="The folder (default: here).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The answer as JSON.")] = False,
) -> TestPolicy:
    """Show what would be decided about a command: each part with its tier and why, and the
    rule behind it with file and line. Nothing runs."""
    if (command is None) == (journal is None):
        raise typer.BadParameter("name a command line, or a journal with --journal")
    return TestPolicy(workspace=workspace, command=command, journal=journal, json=as_json)


def _one_way_on(go_on: bool, resume: str | None, log: Path | None) -> None:
    if go_on and resume is not None:
        raise typer.BadParameter("--continue and --resume name two sittings; give one of them")
    if log is not None and (go_on or resume is not None):
        raise typer.BadParameter("a sitting goes on in its own journal; leave --log out")
