"""Files that somebody else changes between a question and its answer, under the running cockpit.

`python -m tests.cockpit.file_storm --runs 20` plays twenty sittings; `--seed N` plays one again.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import traceback
from pathlib import Path
from tempfile import TemporaryDirectory

from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.panels.approval_modal import ApprovalModal
from agent_cockpit.providers.protocol import ModelRequest
from tests.cockpit.screen import until
from tests.support.goals import FILES, Folder
from tests.support.scripted_provider import Reply, calls, says

GOALS = 3
CALLS_OF_A_GOAL = 5
ANSWERS = (["y"], ["n"], ["escape"], ["space", "y"], ["v", "v", "y"])


class Broken(AssertionError):
    """A law does not hold."""


class Meddler:
    """Somebody else at the same files. `marks` are the words that they left in each, and that
    nobody who was asked about has seen yet."""

    def __init__(self, dice: random.Random, root: Path, outside: Path) -> None:
        self.marks: dict[Path, str] = {}
        self._dice, self._root, self._outside = dice, root, outside
        self._number = 0

    def change(self, name: str) -> str:
        """Change this file, in any way; what was done, in words."""
        path = self._root / name
        self._number += 1
        (deed,) = self._dice.choices(["write", "add", "delete", "link"], [4, 4, 2, 1])
        mark = f"mine{self._number}z"
        before = path.read_text() if path.exists() and not path.is_symlink() else ""
        path.unlink(missing_ok=True)
        self.marks.pop(path, None)
        if deed == "link":
            path.symlink_to(self._outside)
        elif deed != "delete":
            path.write_text(f"{before if deed == 'add' else ''}{mark}\n")
            self.marks[path] = mark
        return f"{deed} {path.name} {mark}"

    def unlink(self) -> None:
        """Put files in the place of links."""
        for path in (self._root / name for name in FILES):
            if path.is_symlink():
                path.unlink()
                path.write_text("a file again\n")

    def seen(self, preview: str) -> None:
        """A question shows that these lines go."""
        gone = {line[1:].strip() for line in preview.split("\n") if line.startswith("-")}
        self.marks = {path: mark for path, mark in self.marks.items() if mark not in gone}

    def check(self) -> None:
        """What they wrote is there, unless somebody was asked about losing it."""
        for path, mark in self.marks.items():
            if not path.exists() or mark not in path.read_text():
                raise Broken(f"{mark} is gone from {path.name}, and nobody was asked")


class Storm:
    """Some goals of one sitting. `acts` are what happened."""

    def __init__(self, seed: int, home: Path) -> None:
        self.acts: list[str] = []
        self._dice = random.Random(seed)
        self._folder = Folder(home)
        self._outside = home / "outside.txt"
        self._outside.write_text("not theirs\n")
        self._meddler = Meddler(self._dice, self._folder.root, self._outside)

    async def rage(self) -> None:
        """Play it; raises where a law does not hold."""
        script = [
            self._reply(left) for _ in range(GOALS) for left in range(CALLS_OF_A_GOAL, -1, -1)
        ]
        repl = self._folder.sitting(
            *script, asks_edits=True, allow_dirty=True, test_command="true", max_repair_attempts=0
        )
        repl.set_mode("edit")
        app = CockpitApp(lambda: repl, quiet_s=0.0)
        async with app.run_test(size=(100, 40)) as pilot:
            await until(pilot, lambda: app.driving.source is not None)
            for _ in range(GOALS):
                self._meddler.unlink()
                app.driving.send("change them", "steering")
                await until(pilot, lambda: app.driving.is_busy)
                await self._goal(pilot, app)
        self._meddler.check()
        if self._outside.read_text() != "not theirs\n":
            raise Broken("a file outside of the workspace was written")

    async def _goal(self, pilot: Pilot[None], app: CockpitApp) -> None:
        while True:
            await until(pilot, lambda: app.panel.is_lit or not app.driving.is_busy)
            self._meddler.check()
            question = app.panel.question
            if question is None or app.opening.bridge is None:
                if not app.driving.is_busy:
                    return
                continue
            asked = question.question_id
            name = self._dice.choice(sorted(FILES))
            for call in app.opening.bridge.status.approvals:
                if call.approval_id == asked:
                    self._meddler.seen(call.preview)
                    name = str(call.input["path"]) if self._dice.random() < 0.8 else name
            self.acts.append(f"asks {asked}")
            if self._dice.random() < 0.6:
                self.acts.append(self._meddler.change(name))
            await self._answer(pilot, app.panel, asked)

    async def _answer(self, pilot: Pilot[None], panel: ApprovalModal, asked: str) -> None:
        keys = self._dice.choice(ANSWERS)
        self.acts.append(" ".join(keys))
        await pilot.press(*keys)

        def is_settled() -> bool:
            return panel.question is None or panel.question.question_id != asked

        if not is_settled() and panel.is_lit and not panel.is_writing:
            await pilot.press("escape", "escape")
        await until(pilot, is_settled)

    def _reply(self, left: int) -> Reply:
        """One or two edits, each of a text that the model has never read anew; at last words."""

        def reply(request: ModelRequest) -> Reply:
            if not left:
                return says("done")
            return calls(*[self._edit() for _ in range(self._dice.choice([1, 1, 2]))])

        return reply

    def _edit(self) -> tuple[str, dict[str, object]]:
        name = self._dice.choice(sorted(FILES))
        path = self._folder.root / name
        match self._dice.choice(["write_file", "str_replace", "delete_file"]):
            case "delete_file":
                return "delete_file", {"path": name}
            case "str_replace" if path.exists() and path.read_text().strip():
                old = self._dice.choice(path.read_text().strip().split("\n"))
                return "str_replace", {"path": name, "old_string": old, "new_string": "new"}
            case _:
                text = f"its{self._dice.randrange(99)}\nend\n"
                return "write_file", {"path": name, "content": text, "overwrite": True}


async def play(seed: int) -> str:
    """Empty, or what broke."""
    with TemporaryDirectory() as home:
        storm = Storm(seed, Path(home))
        try:
            await storm.rage()
        except Exception as problem:
            told = "".join(traceback.format_exception(problem)[-6:])
            return "\n  ".join([f"seed {seed}:", *storm.acts, told])
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1, help="sittings to play, from seed 0 on")
    parser.add_argument("--seed", type=int, help="play this one only")
    given = parser.parse_args()
    seeds = range(given.runs) if given.seed is None else [given.seed]
    told = [found for seed in seeds if (found := asyncio.run(play(seed)))]
    print("\n".join(told) or f"{len(seeds)} sittings, every law held")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
