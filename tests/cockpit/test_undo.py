"""`/undo` and `/redo` in the composer, on a real sitting in a real folder."""

from __future__ import annotations

from pathlib import Path

from agent_cockpit.engine.sitting.session_state import ReplSession
from tests.cockpit.screen import text_of, type_in, until
from tests.cockpit.test_app import NotingApp
from tests.support.goals import Folder, writes
from tests.support.scripted_provider import says


async def test_what_was_done_is_taken_back_and_made_again_in_sight(tmp_path: Path) -> None:
    folder = Folder(tmp_path)

    def open_source() -> ReplSession:
        return folder.sitting(writes(), says("It is good."), allow_dirty=True)

    app = NotingApp(open_source)
    async with app.run_test(size=(150, 40)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)

        async def send(text: str, shown: str) -> str:
            await type_in(pilot, text)
            await pilot.press("enter")
            await until(pilot, lambda: shown in text_of(app) and not app.composer.text)
            return text_of(app)

        def changed() -> list[str]:
            assert app.driving.bridge is not None
            return [change.path for change in app.driving.bridge.status.changes]

        await send("/undo", "there is no goal whose file changes")
        await send("make a.txt good", "edit · ✔ success")
        assert changed() == ["a.txt"]
        taken = await send("/undo", "edit · ◌ taken back")
        assert 'taken back: "make a.txt good" · 1 file · /redo makes it again' in taken
        assert "changed back: a.txt +1 −1" in taken
        assert folder.text() == "bad\n"
        assert changed() == []
        made = await send("/redo", "edit · ◌ made again")
        assert 'made again: "make a.txt good" · 1 file · /undo takes it back' in made
        assert folder.text() == "good\n"
        assert changed() == ["a.txt"]
