"""`agent-cockpit doctor`: what works here, what does not, and what to do about it.

Law: it changes nothing and sends nothing, unless `--online` asks for one word of the model.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from agent_cockpit import __version__
from agent_cockpit.choices import Examine
from agent_cockpit.doctor.findings import Finding, tell
from agent_cockpit.doctor.terminal import ask_terminal, look_at_terminal, tmux_option
from agent_cockpit.errors import GitFailed, PersonCanAct, ProviderError, SettingsError
from agent_cockpit.events.messages import Message
from agent_cockpit.places import journal_dir, state_dir
from agent_cockpit.providers.catalog import open_provider
from agent_cockpit.providers.protocol import ModelRequest, Provider
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.settings_files import Loaded, user_settings_file
from agent_cockpit.text import clean_line, shorten
from agent_cockpit.workspace.finding.search import find_ripgrep
from agent_cockpit.workspace.git import Git
from agent_cockpit.workspace.sandbox.choice import ground_of, try_all
from agent_cockpit.workspace.sandbox.places import nearest

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

ONLINE_S = 30.0
"""A model that takes longer for its first word is no pleasure to work with."""


def run_doctor(choice: Examine, root: Path, load: Callable[[Path], Loaded]) -> int:
    """Look at everything, tell it, and return the exit code: 1 when something does not work."""
    findings = examine(root, load, online=choice.online)
    return 0 if tell(findings, as_json=choice.json, out=sys.stdout) else 1


def examine(root: Path, load: Callable[[Path], Loaded], *, online: bool) -> Iterator[Finding]:
    """Everything that was looked at, as it is found."""
    yield Finding("program", "ok", f"agent-cockpit {__version__}, {_python()}")
    size = tuple(shutil.get_terminal_size()) if sys.stdout and sys.stdout.isatty() else None
    yield from look_at_terminal(
        os.environ, cast("tuple[int, int] | None", size), ask_terminal, tmux_option
    )
    yield _git()
    yield _search()
    config = HarnessConfig()
    try:
        loaded = load(root)
        config = loaded.config
        yield _settings(loaded)
    except PersonCanAct as error:
        yield Finding("settings", "fault", str(error), "until then nothing else starts")
    yield from _sandbox(config, root)
    yield _folder("journals", journal_dir(config), "set journal_dir to a folder of yours")
    yield _folder("state", state_dir(), "set XDG_STATE_HOME to a folder of yours")
    yield _folder("config", user_settings_file().parent, "set XDG_CONFIG_HOME to one of yours")
    yield from _model(config, online=online)


def _python() -> str:
    return f"Python {platform.python_version()}, {platform.system()} {platform.release()}"


def _git() -> Finding:
    program = shutil.which("git")
    advice = "install git: without it only files that edits name can be put back"
    if program is None:
        return Finding("git", "note", "not installed", advice)
    try:
        said = Git(program).run("--version", cwd=Path("/"), deadline_s=5)
    except GitFailed as error:
        return Finding("git", "note", str(error), advice)
    return Finding("git", "ok", said.decode(errors="replace").strip())


def _search() -> Finding:
    program = find_ripgrep()
    if program is None:
        words = "ripgrep is not installed; a slower search takes its place"
        return Finding("search", "note", words, "install ripgrep, or the extra `search` of ours")
    return Finding("search", "ok", f"ripgrep, {program}")


def _settings(loaded: Loaded) -> Finding:
    values = loaded.config.model_dump()
    details = [
        f"{name} = {_shown(name, values[name])} from {source}"
        for name, source in sorted(loaded.sources.items())
        if name in values and name != "workspace_root"
    ]
    details += [f"rules: {len(loaded.rules)}"] if loaded.rules else []
    if loaded.notices:
        advice = "mend these; what is wrong in a rule turns only that rule off"
        return Finding("settings", "fault", "some do not hold", advice, (*details, *loaded.notices))
    words = "these differ from what they are at first" if details else "none was changed"
    return Finding("settings", "ok", words, details=tuple(details))


def _shown(name: str, value: Any) -> str:
    if name == "api_key":
        return "a key, not shown"
    return shorten(json.dumps(value, ensure_ascii=False, default=str), 120)


def _sandbox(config: HarnessConfig, root: Path) -> Iterator[Finding]:
    """What holds commands, and why nothing better does."""
    hidden = (state_dir(), journal_dir(config), user_settings_file())
    works, faults = "", []
    for tried in try_all(ground_of(config, root, hidden=hidden)):
        if tried.works is None:
            faults.append(f"{tried.name}: {tried.fault}")
        elif config.sandbox in ("auto", tried.name):
            works = tried.name
            break
    advice = _sandbox_advice(faults)
    if config.sandbox == "none":
        words = "none, as `sandbox` says: commands run with your rights"
        yield Finding("sandbox", "note", words, 'set sandbox = "auto"')
    elif works == "bwrap" or (works and sys.platform == "darwin"):
        yield Finding("sandbox", "ok", works)
    elif works:
        words = f"{works}: no cover for git's hooks, and checks keep their network"
        yield Finding("sandbox", "note", words, advice, tuple(faults))
    elif config.sandbox == "auto":
        words = "none works here: commands run with your rights, and each card says so"
        yield Finding("sandbox", "note", words, advice, tuple(faults))
    else:
        words = f"`sandbox = {config.sandbox}` does not work, so nothing starts"
        yield Finding("sandbox", "fault", words, advice or 'set it to "auto"', tuple(faults))


def _sandbox_advice(faults: list[str]) -> str:
    said = " ".join(faults).lower()
    if "not installed" in said:
        return "install bubblewrap (`apt install bubblewrap`, `dnf install bubblewrap`)"
    if "bwrap" in said and ("permission" in said or "permitted" in said or "uid map" in said):
        return (
            "unprivileged user namespaces are closed here: on Ubuntu give bwrap an AppArmor "
            "profile with `userns,`; in a container allow them from outside"
        )
    return ""


def _folder(name: str, folder: Path, advice: str) -> Finding:
    """Whether files can be written there, tried in what there is of it."""
    place = nearest(folder)
    try:
        if not place.is_dir():
            raise NotADirectoryError(20, f"{place} is no folder")
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        return Finding(name, "fault", f"{folder}: {error.strerror or error}", advice)
    later = "" if place == folder else " (made when first needed)"
    return Finding(name, "ok", f"{folder}{later}")


def _model(config: HarnessConfig, *, online: bool) -> Iterator[Finding]:
    try:
        provider = open_provider(config)
    except SettingsError as error:
        yield Finding("model", "note", "not ready", str(error))
        return
    where = f" at {config.base_url}" if config.base_url else ""
    yield Finding("model", "ok", clean_line(f"{provider.model}, {provider.name}{where}"))
    if not online:
        yield Finding("online", "ok", "not tried; --online asks the model for one word")
        return
    try:
        said = asyncio.run(_one_word(provider))
    except TimeoutError:
        yield Finding("online", "fault", f"no word within {ONLINE_S:g} s", "try another model")
    except ProviderError as error:
        yield Finding("online", "fault", str(error))
    else:
        yield Finding("online", "ok", f"it answers: {shorten(clean_line(said), 40) or '(nothing)'}")


async def _one_word(provider: Provider) -> str:
    """The first piece of an answer; the rest is not waited for."""
    question = Message.of("user", "Answer with the one word: ready")
    request = ModelRequest(messages=(question,), mode="investigate")
    try:
        async with asyncio.timeout(ONLINE_S):
            pieces = cast("AsyncGenerator[Any, None]", provider.stream(request))
            async with aclosing(pieces):
                async for piece in pieces:
                    if text := getattr(piece, "text", ""):
                        return str(text)
        return ""
    finally:
        await provider.aclose()
