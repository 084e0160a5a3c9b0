"""The command: chooses cockpit, headless run or replay, and turns every end into an exit code.

Law: nothing heavy is imported before it is needed, and no person ever sees a traceback.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from agent_cockpit import __version__
from agent_cockpit.choices import (
    SUB_COMMANDS,
    Choice,
    Examine,
    Export,
    ListSittings,
    OpenCockpit,
    OpenDemo,
    Replay,
    RunGoal,
    SittingChoice,
    TestPolicy,
)
from agent_cockpit.cli.endings import (
    Ending,
    Terminated,
    leave_the_terminals_reader,
    let_go_of_streams,
    let_streams_take_any_text,
)
from agent_cockpit.cli.quick import understood
from agent_cockpit.cli.show import show, show_replay, wants_lines
from agent_cockpit.errors import PersonCanAct, ProviderError, WorkspaceError
from agent_cockpit.exit_codes import BROKEN_PIPE, INTERNAL, MODEL_ERROR, OK, USAGE
from agent_cockpit.text import clean_line

if TYPE_CHECKING:
    from agent_cockpit.cockpit.opening import Offer, Others
    from agent_cockpit.engine.sitting.session_state import ReplSession
    from agent_cockpit.events.base import Event
    from agent_cockpit.harness import Harness
    from agent_cockpit.prompt_files import PromptFiles
    from agent_cockpit.rules.consent.policy import ConfiguredRule
    from agent_cockpit.settings_files import Loaded
    from agent_cockpit.sittings import Recorded


def main(words: Sequence[str] | None = None) -> int:
    """Run the command with these words (None: the process's own); returns the exit code."""
    words = sys.argv[1:] if words is None else words
    let_streams_take_any_text()
    ending = Ending()
    try:
        with ending.heard():
            choice = choice_of(words)
            return choice if isinstance(choice, int) else _follow(choice)
    except PersonCanAct as error:
        return _fail(USAGE, str(error))
    except ProviderError as error:
        return _fail(MODEL_ERROR, str(error))
    except BrokenPipeError:
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except Terminated:
        return 128 + ending.number
    except Exception as error:
        if ending.number:  # what breaks on the way out, at a dead terminal, is no news
            return 128 + ending.number
        from agent_cockpit.faults import record_fault

        return _fail(INTERNAL, record_fault(error))
    finally:
        gc.enable()
        let_go_of_streams()
        if ending.number:
            leave_the_terminals_reader(128 + ending.number)


def choice_of(words: Sequence[str]) -> Choice | int:
    """As the parser says; most command lines, and the version, need none."""
    if list(words) == ["--version"]:
        print(f"agent-cockpit {__version__}")
        return OK
    if (choice := understood(words)) is not None:
        return choice
    from agent_cockpit.cli.parser import parse

    return parse(words)


def _follow(choice: Choice) -> int:
    match choice:
        case OpenCockpit():
            return _open_cockpit(choice)
        case OpenDemo(log=log, plain=plain):
            from agent_cockpit.cli.demo import DEMO_GOAL, demo_memory, open_demo

            return show(
                lambda: open_demo(_absolute(log)),
                open_new=lambda: open_demo(None),
                memory=demo_memory,
                plain=plain,
                title="demo",
                suggestion=DEMO_GOAL,
            )
        case RunGoal():
            return _run_goal(choice)
        case ListSittings():
            return _list_sittings(choice)
        case Export():
            from agent_cockpit.cli.sittings import export_sitting

            return export_sitting(choice, _workspace(choice))
        case Examine():
            from agent_cockpit.doctor.examination import run_doctor

            sitting = choice.sitting
            return run_doctor(choice, _workspace(sitting), lambda root: _load(sitting, root))
        case TestPolicy():
            from agent_cockpit.cli.policy import test_policy

            return test_policy(
                choice, _workspace(choice), lambda root: _load(SittingChoice(), root)
            )
        case Replay():
            return _replay(choice)


def _open_cockpit(choice: OpenCockpit) -> int:
    sitting = choice.sitting
    root, past = _root_and_past(sitting)

    def open_source(past: Recorded | None = past, log: Path | None = sitting.log) -> ReplSession:
        from agent_cockpit.check_trust import FolderCheckTrust
        from agent_cockpit.harness import Harness

        if past is not None and past.provider == "demo" and sitting.provider is None:
            from agent_cockpit.cli.demo import demo_harness

            return _open_sitting(demo_harness(root, past.path), sitting, past)
        loaded = _load(sitting, root)
        config = loaded.config
        if "max_wall_clock_seconds" not in loaded.sources:
            config = config.model_copy(update={"max_wall_clock_seconds": None})
        harness = Harness(
            config=config,
            rules=loaded.rules,
            notices=loaded.notices,
            asks_edits=True,
            check_trust=FolderCheckTrust(root),
            log=past.path if past else _absolute(log),
        )
        repl = _open_sitting(harness, sitting, past)
        if choice.mode is not None:
            repl.set_mode(None if choice.mode == "auto" else choice.mode)
        return repl

    def offer_demo() -> Offer:
        from agent_cockpit.cli.demo import DEMO_GOAL, open_demo
        from agent_cockpit.cockpit.opening import Offer

        return Offer(lambda: open_demo(_absolute(sitting.log)), "demo", DEMO_GOAL)

    def read_past_ending() -> list[Event]:
        from agent_cockpit.cli.replay import read_ending

        return read_ending(past.path) if past is not None else []

    def memory() -> PromptFiles:
        from agent_cockpit.prompt_files import PromptFiles

        return PromptFiles(root)

    def others() -> Others:
        from agent_cockpit.cli.others import others_of

        return others_of(root, lambda past: open_source(past, None))

    return show(
        open_source,
        plain=choice.plain,
        title=root.name,
        offer_demo=offer_demo,
        open_new=lambda: open_source(None, None),
        memory=memory,
        read_ending=read_past_ending,
        others=others,
    )


def _root_and_past(choice: SittingChoice) -> tuple[Path, Recorded | None]:
    """The folder to work on and the sitting to take up again, if any; one that is named works
    on its own folder, unless another is named too."""
    root = _workspace(choice)
    if choice.resume is None and not choice.go_on:
        return root, None
    from agent_cockpit.cli.sittings import chosen, workspace_of

    past = chosen(choice.resume, root)
    return (root if choice.workspace or choice.go_on else workspace_of(past)), past


def _open_sitting(harness: Harness, choice: SittingChoice, past: Recorded | None) -> ReplSession:
    from agent_cockpit.harness import open_sitting, resume_sitting

    if past is None:
        return open_sitting(harness, allow_dirty=choice.allow_dirty, auto=choice.auto)
    return resume_sitting(harness, past.path, allow_dirty=choice.allow_dirty, auto=choice.auto)


def _run_goal(choice: RunGoal) -> int:
    gc.disable()  # until all is loaded, of which nothing ever becomes garbage
    sitting = choice.sitting
    root, past = _root_and_past(sitting)
    rules = _allow_rules(choice.allow)
    goal = _goal_text(choice.goal)
    if not goal.strip():
        raise PersonCanAct("the goal is empty")
    loaded = _load(sitting, root)

    import asyncio

    from agent_cockpit import headless
    from agent_cockpit.harness import Harness

    log = past.path if past else _absolute(sitting.log)

    async def run() -> int:
        harness = Harness(
            config=loaded.config,
            rules=(*rules, *loaded.rules),
            notices=loaded.notices,
            unattended=True,
            log=log,
        )
        repl = _open_sitting(harness, sitting, past)
        gc.enable()
        try:
            return await headless.run_goal(
                repl,
                goal,
                mode=choice.mode,
                output=choice.output,
                out=sys.stdout,
                err=sys.stderr,
            )
        finally:
            await repl.aclose()

    return asyncio.run(run())


def _list_sittings(choice: ListSittings) -> int:
    from agent_cockpit.cli.sittings import list_sittings

    return list_sittings(choice, _workspace(choice))


def _replay(choice: Replay) -> int:
    from agent_cockpit.cli.replay import journal_of, open_replay, print_journal, read_ending

    path = journal_of(choice)
    if choice.as_text or wants_lines():
        return print_journal(path)
    return show_replay(
        lambda: open_replay(path), title=path.name, read_ending=lambda: read_ending(path)
    )


def _load(choice: SittingChoice, root: Path) -> Loaded:
    from agent_cockpit.settings_files import load_settings, user_settings_file

    return load_settings(
        flags={
            "workspace_root": str(root),
            "provider": choice.provider,
            "base_url": choice.base_url,
            "model": choice.model,
            "sandbox": choice.sandbox,
        },
        environ=os.environ,
        user_file=user_settings_file(),
        cwd=root,
    )


def _goal_text(written: str) -> str:
    """The goal, from stdin for `-`; bytes that are no UTF-8 come as replacement marks."""
    if written == "-":
        if sys.stdin is None:
            raise PersonCanAct("the goal is to be read from stdin, and stdin is closed")
        written = sys.stdin.buffer.read().decode("utf-8", "replace")
    return written.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _allow_rules(written: tuple[str, ...]) -> tuple[ConfiguredRule, ...]:
    if not written:
        return ()
    from agent_cockpit.rules.consent.rule_entries import parse_allow

    try:
        return tuple(map(parse_allow, written))
    except ValueError as error:
        raise PersonCanAct(str(error)) from None


def _workspace(choice: SittingChoice | ListSittings | Export | TestPolicy) -> Path:
    """The folder to work on: named, else of the environment, else here."""
    try:
        here = Path.cwd()
    except OSError:
        raise WorkspaceError("the current folder is gone; go to another one first") from None
    name = choice.workspace or os.environ.get("AGENT_COCKPIT_WORKSPACE_ROOT") or "."
    from agent_cockpit.workspace.at_home import at_home

    root = here / at_home(name)
    if root.is_dir():
        return root.resolve()
    if root.exists():
        raise WorkspaceError(f"`{name}` is a file; name the folder to work on")
    from difflib import get_close_matches

    meant = get_close_matches(name, SUB_COMMANDS, n=1)
    hint = f"; did you mean the command `{meant[0]}`?" if meant else ""
    raise WorkspaceError(f"there is no folder `{name}`{hint}")


def _absolute(path: Path | None) -> Path | None:
    if path is None:
        return None
    from agent_cockpit.workspace.at_home import at_home

    return Path.cwd() / at_home(path)


def _fail(code: int, message: str) -> int:
    with suppress(OSError, ValueError, AttributeError):
        print(f"agent-cockpit: {clean_line(message)}", file=sys.stderr, flush=True)
    return code
