"""Which commands prove a project: read from its own CI, manifests and Makefile.

Law: a file that cannot be understood proposes nothing and never raises.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from agent_cockpit.events.checks import PlannedCheck
from agent_cockpit.rules.checks.ci_commands import ci_commands
from agent_cockpit.settings import HarnessConfig

Slot = Literal["test", "lint"]

MAKEFILES = ("Makefile", "makefile", "GNUmakefile")
MANIFESTS = (
    "package.json",
    "pyproject.toml",
    "setup.cfg",
    "pytest.ini",
    "tox.ini",
    "noxfile.py",
    "Cargo.toml",
    "go.mod",
    ".pre-commit-config.yaml",
)
REQUIREMENTS = ("requirements.txt", "requirements-dev.txt", "dev-requirements.txt")
WORKFLOWS = ".github/workflows/"


@dataclass(frozen=True, slots=True)
class _Proposal:
    slot: Slot
    command: str
    provenance: str


def plan_checks(
    config: HarnessConfig, detected: tuple[PlannedCheck, ...]
) -> tuple[PlannedCheck, ...]:
    """The plan before any declaration: a configured command wins over a detected one."""
    configured: tuple[tuple[Slot, str], ...] = (
        ("test", config.test_command.strip()),
        ("lint", config.lint_command.strip()),
    )
    plan: list[PlannedCheck] = []
    for slot, command in configured:
        if command:
            plan.append(_check(_Proposal(slot, command, f"config:{slot}_command")))
        else:
            plan += [check for check in detected if check.kind == slot]
    return tuple(plan)


def detect_checks(files: Mapping[str, str]) -> tuple[PlannedCheck, ...]:
    """At most one test and one lint check, tests first.

    `files` maps paths relative to the workspace to their texts (`read_check_files`). CI
    wins over manifests, these over a Makefile, and that over a guess from the test files
    themselves; the first found at a rank wins.
    """
    found: dict[Slot, _Proposal] = {}
    for proposal in _proposals(files):
        found.setdefault(proposal.slot, proposal)
    slots: tuple[Slot, ...] = ("test", "lint")
    return tuple(_check(found[slot]) for slot in slots if slot in found)


def _check(proposal: _Proposal) -> PlannedCheck:
    return PlannedCheck(
        name="tests" if proposal.slot == "test" else "lint",
        command=proposal.command,
        kind=proposal.slot,
        provenance=proposal.provenance,
    )


def _proposals(files: Mapping[str, str]) -> Iterator[_Proposal]:
    for path in sorted(files):
        if path.startswith(WORKFLOWS) and path.endswith((".yml", ".yaml")):
            for kind, command in ci_commands(files[path]):
                yield _Proposal(kind, command, f"ci:{path}")
    for name in MANIFESTS:
        if name in files:
            for kind, command in _manifest(name, files[name]):
                yield _Proposal(kind, command, f"manifest:{name}")
    for name in REQUIREMENTS:
        for kind, command in _python_tools(_requirement_names(files.get(name, ""))):
            yield _Proposal(kind, command, f"manifest:{name}")
    makefile = next((name for name in MAKEFILES if name in files), None)
    if makefile:
        for target in _targets(files[makefile]):
            slot: Slot = "lint" if target == "lint" else "test"
            yield _Proposal(slot, f"make {target}", f"makefile:{makefile}")
    yield from _python_tests(files)


def _manifest(name: str, text: str) -> Iterator[tuple[Slot, str]]:
    match name:
        case "package.json":
            yield from _package_json(text)
        case "pyproject.toml":
            yield from _pyproject(text)
        case "setup.cfg" if "[tool:pytest]" in text:
            yield "test", "python -m pytest"
        case "pytest.ini":
            yield "test", "python -m pytest"
        case "tox.ini":
            yield "test", "python -m pytest" if "[testenv" not in text else "python -m tox"
        case "noxfile.py":
            yield "test", "python -m nox"
        case "Cargo.toml":
            yield "test", "cargo test"
        case "go.mod":
            yield "test", "go test ./..."
            yield "lint", "go vet ./..."
        case ".pre-commit-config.yaml":
            yield "lint", "python -m pre_commit run --all-files"
        case _:
            return


def _package_json(text: str) -> Iterator[tuple[Slot, str]]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return
    scripts = data.get("scripts") if isinstance(data, dict) else None
    if not isinstance(scripts, dict):
        return
    test, lint = scripts.get("test"), scripts.get("lint")
    if isinstance(test, str) and test.strip() and "no test specified" not in test:
        yield "test", "npm test"
    if isinstance(lint, str) and lint.strip():
        yield "lint", "npm run lint"


def _pyproject(text: str) -> Iterator[tuple[Slot, str]]:
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError):
        return
    tools = _table(data, "tool")
    names = {_bare_name(entry) for entry in _strings(_dependencies(data))}
    names |= {name for name in ("pytest", "ruff") if name in tools}
    poetry = _table(tools, "poetry")
    for group in (poetry, *_table(poetry, "group").values()):
        for key in ("dependencies", "dev-dependencies"):
            names |= set(_table(group, key))
    yield from _python_tools(names)


def _dependencies(data: dict[str, Any]) -> list[Any]:
    project = _table(data, "project")
    return [
        project.get("dependencies"),
        _table(project, "optional-dependencies"),
        _table(data, "dependency-groups"),
    ]


def _python_tools(names: set[str]) -> Iterator[tuple[Slot, str]]:
    if "pytest" in names:
        yield "test", "python -m pytest"
    if "ruff" in names:
        yield "lint", "python -m ruff check"


def _python_tests(files: Mapping[str, str]) -> Iterator[_Proposal]:
    """Test files themselves: with pytest in them pytest, else the standard library's runner."""
    tests = {path: text for path, text in files.items() if _is_python_test(path)}
    if "conftest.py" in files or any(_imports(text, "pytest") for text in tests.values()):
        yield _Proposal("test", "python -m pytest", "manifest:pytest")
    unittests = [path for path, text in tests.items() if _imports(text, "unittest")]
    if not unittests:
        return
    folders = {path.rpartition("/")[0] for path in unittests}
    command = "python -m unittest"
    if "" not in folders:
        folder = min(folders)
        found_from_root = f"{folder}/__init__.py" in files
        command += "" if found_from_root else f" discover -s {folder}"
    yield _Proposal("test", command, "manifest:unittest")


def _is_python_test(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name.endswith(".py") and (name.startswith("test") or name == "conftest.py")


def _imports(text: str, module: str) -> bool:
    lines = (line.split() for line in text.splitlines())
    return any(
        words[0] in ("import", "from") and words[1].strip(",").split(".")[0] == module
        for words in lines
        if len(words) > 1
    )


def _targets(text: str) -> Iterator[str]:
    """The wanted targets of a Makefile in a fixed order: test, tests, lint."""
    defined = {
        word
        for line in text.splitlines()
        if line[:1] not in ("\t", " ", "#", ".") and ":" in line and ":=" not in line
        for word in line.split(":", 1)[0].split()
    }
    yield from (target for target in ("test", "tests", "lint") if target in defined)


def _table(data: Any, key: str) -> dict[str, Any]:
    value = data.get(key) if isinstance(data, dict) else None
    return value if isinstance(value, dict) else {}


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)


def _requirement_names(text: str) -> set[str]:
    return {_bare_name(line) for line in text.splitlines()}


def _bare_name(requirement: str) -> str:
    """`PyTest[extra] >= 8; python…` as `pytest`."""
    name = requirement.strip()
    for mark in "[<>=!~;@ #(":
        name = name.split(mark, 1)[0]
    return name.strip().lower()
