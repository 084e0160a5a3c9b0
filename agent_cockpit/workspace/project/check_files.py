"""Reads the few files that say how a project checks itself, and finds its own checks."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from agent_cockpit.events.checks import PlannedCheck
from agent_cockpit.rules.checks.check_detection import (
    MAKEFILES,
    MANIFESTS,
    REQUIREMENTS,
    WORKFLOWS,
    detect_checks,
)

MAX_FILE_BYTES = 200_000
"""Longer manifests are cut: what decides stands near their top, and reading stays cheap."""
MAX_FILES_A_FOLDER = 50


DOCUMENTS = (
    *("README.md", "README.rst", "README.txt", "README", "CONTRIBUTING.md", "CONTRIBUTING.rst"),
    *("AGENTS.md", "justfile", "Justfile", "Taskfile.yml", "Rakefile", "composer.json"),
    *("build.gradle", "build.gradle.kts", "pom.xml", "CMakeLists.txt", "meson.build", "mix.exs"),
)
"""Where a person would look who wants to know how a project is tested."""


def find_checks(root: Path) -> tuple[PlannedCheck, ...]:
    """The checks that the project itself names, with a Python that this machine has."""
    return with_present_python(detect_checks(read_check_files(root)))


def read_check_files(root: Path) -> dict[str, str]:
    """The bounded candidates by path relative to `root`; what cannot be read is left out.

    Only regular files are opened: a pipe or a device in a project must not stop a start.
    """
    texts: dict[str, str] = {}
    for path in _candidates(root):
        text = _read(path)
        if text is not None:
            texts[path.relative_to(root).as_posix()] = text
    return texts


def read_documents(root: Path, *, chars: int) -> dict[str, str]:
    """How the files begin that may say in words how to check the project, by relative path."""
    texts = {name: _read(root / name) for name in DOCUMENTS}
    texts |= read_check_files(root)
    return {name: text[:chars] for name, text in texts.items() if text}


def with_present_python(checks: Iterable[PlannedCheck]) -> tuple[PlannedCheck, ...]:
    """The checks, with `python3` where the machine has no `python`."""
    return tuple(
        check.model_copy(update={"command": present_python(check.command)}) for check in checks
    )


def present_python(command: str, *, search_path: str | None = None) -> str:
    """The command, with a leading `python` as `python3` if only that one is on the PATH."""
    if not command.startswith("python ") or shutil.which("python", path=search_path):
        return command
    if shutil.which("python3", path=search_path):
        return "python3" + command.removeprefix("python")
    return command


def _candidates(root: Path) -> Iterator[Path]:
    yield from _folder(root / WORKFLOWS, (".yml", ".yaml"))
    for name in (*MANIFESTS, *REQUIREMENTS, *MAKEFILES, "conftest.py"):
        yield root / name
    yield from _folder(root, (".py",), prefix="test")
    for folder in ("tests", "test"):
        yield root / folder / "__init__.py"
        yield root / folder / "conftest.py"
        yield from _folder(root / folder, (".py",), prefix="test")


def _folder(folder: Path, suffixes: tuple[str, ...], prefix: str = "") -> Iterator[Path]:
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - names are enough, one call
    except OSError:
        return
    wanted = (name for name in names if name.startswith(prefix) and name.endswith(suffixes))
    for name, _ in zip(wanted, range(MAX_FILES_A_FOLDER), strict=False):
        yield folder / name


def _read(path: Path) -> str | None:
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return file.read(MAX_FILE_BYTES).decode("utf-8", "replace")
    except OSError:
        return None
