"""Keys that a person moved: what is taken, what is refused and how that is said."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.cockpit.actions import _keys_of
from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.keys.key_names import NoKey, key_named
from agent_cockpit.cockpit.keys.key_table import KEYS, PANELS
from agent_cockpit.cockpit.keys.keymap import RESERVED
from agent_cockpit.cockpit.keys.user_keys import keys_of, read_keys
from agent_cockpit.cockpit.screens.keys_screen import KeysScreen
from tests.cockpit.screen import text_of, type_in, until
from tests.cockpit.test_approval_modal import Asking
from tests.support.scripted_source import ScriptedSource, asks


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("ctrl+x", "ctrl+x"),
        ("Ctrl-X", "ctrl+x"),
        ("shift+a", "A"),
        ("A", "A"),
        ("alt+A", "alt+shift+a"),
        ("Alt+Up", "alt+up"),
        ("pgdn", "pagedown"),
        ("?", "question_mark"),
        ("ctrl++", "ctrl+plus"),
        ("super+shift+f5", "shift+super+f5"),
    ],
)
def test_keys_are_written_as_people_write_them(written: str, key: str) -> None:
    assert key_named(written) == key


@pytest.mark.parametrize("written", ["", "ctrl", "foo+x", "ctrl+m", "ctrl+[", "nokey", "\x00"])
def test_what_is_no_key_or_cannot_be_told_apart_is_refused(written: str) -> None:
    with pytest.raises(NoKey):
        key_named(written)


def test_entries_count_one_by_one() -> None:
    found = keys_of('fold = "f5"\nhelp = ["f2", "f1"]\nsuspend = []', "k")
    assert found.problems == ()
    assert found.keymap.moved == {"fold": ("f5",), "help": ("f2", "f1"), "suspend": ()}
    assert found.keymap.label("help") == "f2 f1"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('fold = "q"', "k, line 1: `fold` works while you type, and q is text there"),
        ('find_before = "r"', "k, line 1: `find_before` works while you type, and r is text there"),
        ('palette_down = "j"', "k, line 1: `palette_down` works while you type, and j is text"),
        ('\nfodl = "f5"', "k, line 2: there is no action `fodl`; did you mean `fold`"),
        ('fold = "ctrl+c"', "k, line 1: ctrl+c stays what it is, in every panel"),
        ('always = "esc"', "k, line 1: esc stays what it is, in every panel"),
        ('allow = "enter"', "k, line 1: `allow` lets something happen, and enter is pressed"),
        ('plan-approve = "space"', "k, line 1: `plan_approve` lets something happen, and space"),
        ('allow = "n"', "k, line 1: n is `deny` already (no (also esc"),
        ('fold = "f6"\nhelp = "f6"', "k, line 2: f6 is `fold` already"),
        ('steer = "f6"', "k, line 1: `steer` is what the key of `send` does then; move `send`"),
        ('number = "f6"', "k, line 1: `number` stays on 1-9"),
        ("fold = 3", "k, line 1: `fold` needs a key as text"),
        ('fold = "ctrl+i"', "k, line 1: a terminal sends ctrl+i as tab"),
        ('fold = "ctrl+j"', "k, line 1: ctrl+j is `newline` already"),
        ("fold = ", "cannot read k, line 1: "),
        pytest.param("fold = " + "9" * 5_000, "cannot read k: ", id="a number too long"),
    ],
)
def test_what_is_wrong_is_off_and_says_where(text: str, problem: str) -> None:
    found = keys_of(text, "k")
    assert len(found.problems) == 1
    assert found.problems[0].startswith(problem)
    assert "fold" not in found.keymap.moved or found.keymap.moved["fold"] == ("f6",)


def test_what_is_wrong_takes_nothing_else_along() -> None:
    found = keys_of('fold = "q"\nhelp = "f2"', "k")
    assert found.keymap.moved == {"help": ("f2",)}


def test_two_keys_may_change_places() -> None:
    found = keys_of('send = "ctrl+j"\nnewline = "enter"', "k")
    assert found.problems == ()
    assert found.keymap.meant("composer", "enter") == "ctrl+j"


def test_the_safe_answer_stays_on_escape_whatever_else_it_is() -> None:
    keymap = keys_of('deny = "x"\nplan_leave = "q"', "k").keymap
    assert keymap.moved == {"deny": ("x", "escape"), "plan_leave": ("q", "escape")}
    assert keymap.meant("approval", "n") == ""
    assert keymap.meant("approval", "escape") == "escape"


def test_a_file_that_cannot_be_read_moves_nothing(tmp_path: Path) -> None:
    assert read_keys(tmp_path / "none.toml").problems == ()
    (tmp_path / "bytes").write_bytes(b"\xff")
    for path in (tmp_path, tmp_path / "bytes"):
        found = read_keys(path)
        assert found.keymap.moved == {}
        assert str(path) in found.problems[0]


movable = [line.id for line in KEYS if not (line.stays or line.of)]
names = st.sampled_from(["y", "n", "q", "enter", "ctrl+c", "esc", "f1", "f7", "ctrl+y", "tab", "é"])


@given(st.dictionaries(st.sampled_from(movable), st.lists(names, max_size=3), max_size=6))
def test_whatever_is_moved_no_key_means_two_things(moves: dict[str, list[str]]) -> None:
    keymap = keys_of("\n".join(f"{key} = {value!r}" for key, value in moves.items()), "k").keymap
    for places in PANELS.values():
        lines = [line for line in keymap.lines if line.where in places]
        for moved in (line for line in lines if line.id in keymap.moved):
            others = {key for line in lines if line is not moved for key in line.keys}
            assert set(moved.keys) & others <= set(RESERVED)
    for line in keymap.lines:
        before = next(each for each in KEYS if each.id == line.id)
        assert set(before.keys) & set(RESERVED) == set(line.keys) & set(RESERVED)


async def test_moved_keys_act_and_are_shown_everywhere(tmp_path: Path) -> None:
    (tmp_path / "keys.toml").write_text(
        'send = "ctrl+s"\nallow = "j"\nhelp = "f2"\nedit_call = "y"\n'
    )
    asking = Asking(quiet_s=0.0, keys_file=lambda: tmp_path / "keys.toml")
    app = asking.app
    async with app.run_test(size=(100, 40)) as pilot:
        await until(pilot, lambda: app.keymap.moved and app.driving.source is not None)
        await pilot.press("o", "k")
        await until(pilot, lambda: "ctrl+s send" in asking.text)
        await pilot.press("enter", "ctrl+s")
        await until(pilot, lambda: ("drive", "ok\n", "steering") in asking.source.calls)
        await pilot.press("f2")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        assert "ctrl+s" in asking.text
        await pilot.press("escape")
        await asking.asked(pilot, asks())
        assert "[j] once" in asking.text
        assert "[y] edit" in asking.text
        await pilot.press("y")
        await until(pilot, lambda: app.panel.is_writing)
        await pilot.press("escape", "j")
        await until(pilot, lambda: asking.answers)
        assert asking.answers == [("call-1", True, False, "")]


async def test_an_entry_that_is_off_is_told(tmp_path: Path) -> None:
    (tmp_path / "keys.toml").write_text('fold = "q"\n')
    source = ScriptedSource()
    app = CockpitApp(lambda: source, keys_file=lambda: tmp_path / "keys.toml")
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.driving.source is not None and app.key_problems)
        await until(pilot, lambda: "q is text there" in " ".join(text_of(app).split()))
        assert "Say what you want done." in text_of(app)


async def test_the_bar_of_a_search_and_the_welcome_name_the_keys_in_force(tmp_path: Path) -> None:
    (tmp_path / "keys.toml").write_text('find_kind = "alt+x"\ncycle = "f6"\n')
    app = CockpitApp(lambda: ScriptedSource(), keys_file=lambda: tmp_path / "keys.toml")
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.keymap.moved and app.driving.source is not None)
        await until(pilot, lambda: "f6     lets edits run" in text_of(app))
        app.tell("there is something to search")
        await pilot.press("ctrl+f")
        await until(pilot, lambda: "text alt+x · esc back" in text_of(app))


def test_keys_in_a_folder_that_may_not_be_read_are_said_to_be_unread(tmp_path: Path) -> None:
    class Closed(type(Path())):  # type: ignore[misc]
        """A file below a folder that only others may enter."""

        def stat(self, **_: Any) -> NoReturn:
            raise PermissionError(errno.EACCES, "Permission denied")

        def open(self, *_: Any, **__: Any) -> NoReturn:
            raise PermissionError(errno.EACCES, "Permission denied")

    keys_file = Closed(tmp_path / "keys.toml")
    _, found = _keys_of(lambda: keys_file)
    assert found is not None
    assert found.problems == (f"cannot read {keys_file}: Permission denied",)


async def test_the_list_of_keys_shows_what_is_in_force_and_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "keys.toml").write_text('help = "f2"\nfold = "q"\n')
    source = ScriptedSource()
    app = CockpitApp(lambda: source, keys_file=lambda: tmp_path / "keys.toml")
    async with app.run_test(size=(120, 60)) as pilot:
        await until(pilot, lambda: app.driving.source is not None and app.key_problems)
        await type_in(pilot, "/keys ")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, KeysScreen))
        lines = [line.split() for line in text_of(app).splitlines()]
        assert ["f2", "help", "all", "keys", "and", "commands", "·", "moved"] in lines
        unwrapped = "".join(text_of(app).split())
        assert "qistextthere" in unwrapped
        assert str(tmp_path / "keys.toml") in unwrapped


async def test_without_a_file_the_tables_own_keys_are_in_force(tmp_path: Path) -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, keys_file=lambda: tmp_path / "none.toml")
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        assert app.keymap.moved == {}
        await pilot.press("f1")
        await until(pilot, lambda: "while you type" in text_of(app))
