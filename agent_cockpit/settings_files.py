"""Reads settings from where people keep them; each value remembers where it came from.

Order, the later wins: defaults, the user's file, the project's file, environment, flags.
Law: a project's file can only make consent tighter, and never says where words are sent.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_cockpit.errors import SettingsError
from agent_cockpit.settings import PROJECT_FILE, HarnessConfig
from agent_cockpit.settings_values import (
    NotAllowed,
    close_names,
    known_names,
    typed_value,
    value_of_text,
)
from agent_cockpit.text import clean_line

if TYPE_CHECKING:
    from agent_cockpit.rules.consent.policy import ConfiguredRule

USER_FILE = "agent-cockpit.toml"
PREFIX = "AGENT_COCKPIT_"
MAX_FILE_BYTES = 1_000_000

_NEVER_IN_A_PROJECT = {
    "provider": "which model server gets your words",
    "base_url": "which model server gets your words",
    "api_key": "with which key a model server is paid",
    "classifier_model": "which model gets your prompts",
    "planner_model": "which model gets your documents",
    "extra_roots": "which other folders tell the model how to work",
    "workspace_root": "which folder is worked on",
    "journal_dir": "where your journals are kept",
    "sandbox_write": "which of your folders commands may write to",
}
"""Name: what it would decide over the head of the person who opens the project."""

_READ_ELSEWHERE = frozenset({"plain"})
"""Variables that are no settings: whether there is a screen is decided before any is read."""

_FROM_TIGHT_TO_LOOSE = {
    "consent": ("ask", "accept_edits"),
    "autonomous_amendment_policy": ("deny", "approve"),
    "autonomous_escalation_policy": ("deny", "approve"),
    "sandbox": ("bwrap", "auto", "landlock", "none"),
    "discovery": (False, True),
}


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings and, for each that is no default, the words that say where it was set.

    `rules` are those of all files together; `notices` tell which could not be taken, and why.
    """

    config: HarnessConfig
    sources: dict[str, str]
    rules: tuple[ConfiguredRule, ...] = ()
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Setting:
    value: Any
    source: str


@dataclass(frozen=True, slots=True)
class _File:
    settings: dict[str, _Setting] = field(default_factory=dict)
    rules: tuple[ConfiguredRule, ...] = ()
    notices: tuple[str, ...] = ()


def load_settings(
    *, flags: Mapping[str, Any], environ: Mapping[str, str], user_file: Path, cwd: Path
) -> Loaded:
    """All layers as one; `workspace_root` comes back absolute.

    `flags` maps names of settings to values, None for a flag that was not given. The
    project's file is the one in the workspace that flags, environment or the user's file
    name, else in `cwd`. Raises `SettingsError` for the first thing that is wrong.
    """
    given = {
        name: _Setting(_checked(name, value, where), where)
        for name, value in flags.items()
        if value is not None and (where := f"--{name.replace('_', '-')}")
    }
    own = _file(user_file, may_allow=True)
    above = {**dict(_environment(environ)), **given}
    named = above.get("workspace_root") or own.settings.get("workspace_root")
    root = cwd / (str(named.value) if named else ".")
    project = _file(root / PROJECT_FILE, may_allow=False)
    merged = {**own.settings, **_tightened(project.settings, own.settings), **above}
    values = {name: setting.value for name, setting in merged.items()}
    config = HarnessConfig.model_validate({**values, "workspace_root": str(root)})
    return Loaded(
        config,
        {name: setting.source for name, setting in merged.items()},
        rules=(*own.rules, *project.rules),
        notices=(*own.notices, *project.notices, *_ignored(environ)),
    )


def user_settings_file() -> Path:
    """Where this system keeps the user's settings of this program."""
    from platformdirs import user_config_path

    folder = user_config_path("agent-cockpit")
    if not folder.is_absolute():
        # A relative XDG_CONFIG_HOME would let any folder that one enters supply settings.
        folder = Path.home() / ".config" / "agent-cockpit"
    return folder / USER_FILE


def _environment(environ: Mapping[str, str]) -> Iterator[tuple[str, _Setting]]:
    """Settings of variables; the key's usual variable counts too, ours before it.

    An empty variable counts as unset. Of unknown ones those are refused that are nearly a
    setting's name, and the others told by `_ignored`: the prefix is not ours alone.
    """
    if key := environ.get("OPENAI_API_KEY", "").strip():
        yield "api_key", _Setting(key, "OPENAI_API_KEY")
    names = known_names()
    for variable, text in sorted(environ.items()):
        if not variable.startswith(PREFIX) or not text.strip():
            continue
        name = variable.removeprefix(PREFIX).lower()
        if name == "rules":
            raise SettingsError(f"{variable}: rules are written in settings files, as [[rules]]")
        if name not in names:
            if close_names(name):
                raise SettingsError(_unknown(variable, variable, name, PREFIX))
            continue
        try:
            yield name, _Setting(value_of_text(name, text), variable)
        except NotAllowed as wrong:
            raise SettingsError(f"{variable}: {wrong}") from None


def _ignored(environ: Mapping[str, str]) -> Iterator[str]:
    """A notice for each variable that looks like a setting and is none."""
    known = known_names() | _READ_ELSEWHERE
    for variable, text in sorted(environ.items()):
        name = variable.removeprefix(PREFIX).lower()
        if variable.startswith(PREFIX) and text.strip() and name not in known:
            yield f"{clean_line(variable)} is set, and there is no such setting: it does nothing"


def _tightened(settings: dict[str, _Setting], below: Mapping[str, _Setting]) -> dict[str, _Setting]:
    """A project's settings, with what would loosen anything of `below` refused."""
    defaults = HarnessConfig()
    for name, setting in settings.items():
        where = setting.source
        if name in _NEVER_IN_A_PROJECT:
            raise SettingsError(
                f"{where}: a project may not decide {_NEVER_IN_A_PROJECT[name]}; "
                f"remove `{name}` there, and set it in your own {USER_FILE}"
            )
        before = below[name].value if name in below else getattr(defaults, name)
        if name in _FROM_TIGHT_TO_LOOSE:
            order = _FROM_TIGHT_TO_LOOSE[name]
            if order.index(setting.value) > order.index(before):
                raise SettingsError(
                    f'{where}: a project may not loosen consent; `{name}` is "{before}" here '
                    f'and may become "{order[0]}" only'
                )
        if name == "sensitive_path_globs":
            if not setting.value:
                raise SettingsError(
                    f"{where}: a project may only add to `sensitive_path_globs`, "
                    "and an empty list would take away"
                )
            added = tuple(glob for glob in setting.value if glob not in before)
            settings[name] = _Setting((*before, *added), where)
    return settings


def _file(path: Path, *, may_allow: bool) -> _File:
    """The settings and rules of one TOML file; none when there is no such file."""
    text = _text(path)
    try:
        # The newline lets the parser name the last line instead of "end of document".
        values = tomllib.loads(text + "\n")
    except ValueError as error:  # a number too long is no TOMLDecodeError
        reason, _, line = str(error).partition(" (at line ")
        place = f", line {line.split(',')[0]}" if line else ""
        raise SettingsError(f"cannot read {path}{place}: {clean_line(reason)}") from None
    except RecursionError:
        raise SettingsError(f"cannot read {path}: it is nested too deeply") from None
    written = values.pop("rules", None)
    settings: dict[str, _Setting] = {}
    for name, value in values.items():
        where = f"{path}{_line_of(name, text)}"
        settings[name] = _Setting(_checked(name, value, where), where)
    if written is None:
        return _File(settings)
    from agent_cockpit.settings_rules import rules_of

    found = rules_of(path, written, text, may_allow=may_allow)
    return _File(settings, found.rules, found.notices)


def _text(path: Path) -> str:
    try:
        if not path.exists():
            return ""
        if not path.is_file():
            raise SettingsError(f"cannot read {path}: it is not a file")
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise SettingsError(f"cannot read {path}: {error.strerror or error}") from error
    if len(data) > MAX_FILE_BYTES:
        raise SettingsError(f"cannot read {path}: it is larger than {MAX_FILE_BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SettingsError(f"cannot read {path}: byte {error.start} is not UTF-8") from None


def _checked(name: str, value: Any, where: str) -> Any:
    if name not in known_names():
        raise SettingsError(_unknown(where, name, name))
    try:
        return typed_value(name, value)
    except NotAllowed as wrong:
        raise SettingsError(f"{where}: {wrong}") from None


def _unknown(where: str, shown: str, name: str, prefix: str = "") -> str:
    closest = " or ".join(
        f"`{prefix + close.upper() if prefix else close}`" for close in close_names(name)
    )
    place = "" if where == shown else f"{where}: "
    asked = f"; did you mean {closest}?" if closest else ""
    return f"{place}there is no setting `{clean_line(shown)}`{asked}"


def _line_of(name: str, text: str) -> str:
    """`, line 4` for a top-level key or table, nothing for one that is written unusually."""
    key = rf"(?:{re.escape(name)}|\"{re.escape(name)}\"|'{re.escape(name)}')"
    match = re.search(rf"^[ \t]*\[{{0,2}}[ \t]*{key}[ \t]*[.=\]]", text, re.MULTILINE)
    return f", line {text.count(chr(10), 0, match.start()) + 1}" if match else ""
