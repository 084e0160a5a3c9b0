"""A field's inks are looked up when they can be others, and not for each key."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import TextArea

from agent_cockpit.cockpit.widgets.field import Field
from tests.support.steps import steps_of

ROW = Region(0, 0, 20, 1)


class Host(App[None]):
    CSS = """
    .warm { background: darkred; }
    .hot .text-area--cursor { background: red; color: white; }
    Field:disabled { color: gray; }
    Field:focus .text-area--cursor { background: green; }
    """

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Field("words")

    @property
    def field(self) -> Field:
        return self.query_one(Field)


def rows(field: Field) -> list[Strip]:
    field._styles_cache.clear()
    return field.render_lines(ROW)


async def test_a_key_looks_no_ink_up() -> None:
    async with Host().run_test() as pilot:
        field = pilot.app.query_one(Field)
        rows(field)
        field.refresh()  # what each key does
        typed = steps_of(lambda: rows(field))
        field._inks_of = (None, None, None)
        assert typed * 2 < steps_of(lambda: rows(field))


CHANGES: dict[str, Callable[[Host], object]] = {
    "theme": lambda app: setattr(app, "theme", "textual-light"),
    "no focus": lambda app: app.screen.set_focus(None),
    "disabled": lambda app: setattr(app.field, "disabled", True),
    "a cursor of another class": lambda app: app.field.parent.add_class("hot"),  # type: ignore[union-attr]
    "another ground": lambda app: app.field.parent.add_class("warm"),  # type: ignore[union-attr]
    "a ground of its own": lambda app: setattr(app.screen.styles, "background", "blue"),
    "the text's theme": lambda app: setattr(app.field, "theme", "monokai"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
async def test_another_look_shows_at_once(change: Callable[[Host], object]) -> None:
    app = Host()
    async with app.run_test() as pilot:
        app.screen.set_focus(app.field)
        await pilot.pause()
        before = rows(app.field)
        change(app)
        await pilot.pause()
        after = rows(app.field)
        assert after != before
        app.field._line_cache.clear()
        app.field._styles_cache.clear()
        assert TextArea.render_lines(app.field, ROW) == after
