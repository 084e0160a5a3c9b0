"""Vim's keys: what each does to a text, and that they leave the prompt's own keys alone."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from textual import events

from agent_cockpit.cockpit.prompt.vim import MOST_PUT_CHARS, Edit, Order, Step, Vim, Written, press
from agent_cockpit.cockpit.prompt.vim_keys import VimKeys
from agent_cockpit.settings import HarnessConfig
from tests.cockpit.screen import text_of, until
from tests.cockpit.test_composer import Host, burst
from tests.cockpit.test_look import still
from tests.support.scripted_source import ScriptedSource


def typed(shown: str, keys: str) -> tuple[str, Vim]:
    """What a text with its cursor at `|` becomes by keys in normal mode, `<` for Esc."""
    text, cursor = shown.replace("|", ""), shown.index("|")
    vim = Vim(mode="normal")
    for key in keys:
        step = press(vim, "escape" if key == "<" else key, Written(text, cursor))
        vim = step.vim
        if not step.taken:
            text, cursor = text[:cursor] + key + text[cursor:], cursor + 1
        if step.edit is not None:
            text = text[: step.edit.start] + step.edit.text + text[step.edit.end :]
        cursor = cursor if step.cursor is None else step.cursor
    return f"{text[:cursor]}|{text[cursor:]}", vim


@pytest.mark.parametrize(
    ("shown", "keys", "after"),
    [
        ("ab|c", "h", "a|bc"),
        ("|abc", "h", "|abc"),
        ("|abc", "2l", "ab|c"),
        ("|abc", "9l", "ab|c"),
        ("|a\nb", "l", "|a\nb"),
        ("|e\u0301x", "l", "e\u0301|x"),
        ("|fix the bug", "w", "fix |the bug"),
        ("|fix the bug", "2w", "fix the |bug"),
        ("fix the |bug", "w", "fix the bu|g"),
        ("|f(x)", "w", "f|(x)"),
        ("|a\n\nb", "w", "a\n|\nb"),
        ("a\n|\n  b", "w", "a\n\n  |b"),
        ("fix the b|ug", "b", "fix the |bug"),
        ("fix the |bug", "2b", "|fix the bug"),
        ("a\n\n|b", "b", "a\n|\nb"),
        ("|fix the", "e", "fi|x the"),
        ("fi|x the", "e", "fix th|e"),
        ("|fix\n a_1", "2e", "fix\n a_|1"),
        ("a\n|", "e", "a\n|"),
        ("  ab|c", "0", "|  abc"),
        ("  ab|c", "^", "  |abc"),
        ("|abc\nd", "$", "ab|c\nd"),
        ("|abc\nde", "2$", "abc\nd|e"),
        ("|", "$wbeh", "|"),
        ("a\nb\n|c", "gg", "|a\nb\nc"),
        ("|a\nb\n  c", "G", "a\nb\n  |c"),
        ("|a\nb\nc", "2G", "a\n|b\nc"),
        ("a\nb\n|c", "2gg", "a\n|b\nc"),
        ("|10 x", "10l", "10 |x"),
    ],
)
def test_motions(shown: str, keys: str, after: str) -> None:
    assert typed(shown, keys) == (after, Vim(mode="normal"))


@pytest.mark.parametrize(
    ("shown", "keys", "after", "register"),
    [
        ("a|bc", "x", "a|c", "b"),
        ("ab|c", "x", "a|b", "c"),
        ("|abc", "2x", "|c", "ab"),
        ("|", "x", "|", ""),
        ("|e\u0301x", "x", "|x", "e\u0301"),
        ("ab|c", "X", "a|c", "b"),
        ("a\n|b\nc", "dd", "a\n|c", "b"),
        ("a\n|b", "dd", "|a", "b"),
        ("|a", "dd", "|", "a"),
        ("|a\nb\nc", "2dd", "|c", "a\nb"),
        ("|a\nb\nc", "d2d", "|c", "a\nb"),
        ("|a\nb", "9dd", "|", "a\nb"),
        ("|a\nb\nc", "dj", "|c", "a\nb"),
        ("a\nb\n|c", "dk", "|a", "b\nc"),
        ("a\n|b\nc", "dG", "|a", "b\nc"),
        ("a\n|b\nc", "dgg", "|c", "a\nb"),
        ("a|bc de", "D", "|a", "bc de"),
        ("|fix the bug", "dw", "|the bug", "fix "),
        ("|fix the bug", "2dw", "|bug", "fix the "),
        ("|fix\nbug", "dw", "|\nbug", "fix"),
        ("fix the |bug", "db", "fix |bug", "the "),
        ("|fix the", "de", "| the", "fix"),
        ("fi|x the", "d0", "|x the", "fi"),
        ("a |b\nc", "d$", "a| \nc", "b"),
        ("|a b c d e", "2d2w", "|e", "a b c d "),
    ],
)
def test_what_is_cut_is_held(shown: str, keys: str, after: str, register: str) -> None:
    text, vim = typed(shown, keys)
    assert (text, vim.register, vim.mode) == (after, register, "normal")


@pytest.mark.parametrize(
    ("shown", "keys", "after"),
    [
        ("|fix the", "cwmend", "mend| the"),
        ("|a b c", "c2wx", "x| c"),
        ("a| b", "cwx", "ax|b"),
        ("|f x", "cwgg", "gg| x"),
        ("a\n  |b\nc", "ccx", "a\nx|\nc"),
        ("ab|cd", "Cx", "abx|"),
        ("a|bc", "sx", "ax|c"),
        ("a|b", "ix", "ax|b"),
        ("a|b", "ax", "abx|"),
        ("|", "ax", "x|"),
        ("  a|b", "Ix", "  x|ab"),
        ("| ", "Ix", " x|"),
        ("|ab\nc", "Ax", "abx|\nc"),
        ("a|b\nc", "ox", "ab\nx|\nc"),
        ("a\n|b", "Ox", "a\nx|\nb"),
    ],
)
def test_what_begins_to_write(shown: str, keys: str, after: str) -> None:
    text, vim = typed(shown, keys)
    assert (text, vim.mode) == (after, "insert")


@pytest.mark.parametrize(
    ("shown", "keys", "after"),
    [
        ("|a\nb", "yyp", "a\n|a\nb"),
        ("a\n|b", "yyP", "a\n|b\nb"),
        ("|a\nb", "ddp", "b\n|a"),
        ("|a", "yy2p", "a\n|a\na"),
        ("|ab", "xp", "b|a"),
        ("|ab c", "ywP", "ab| ab c"),
        ("|ab c", "yw$p", "ab cab| "),
        ("a|b", "yhp", "a|ab"),
        ("|ab", "p", "|ab"),
    ],
)
def test_what_was_held_is_put(shown: str, keys: str, after: str) -> None:
    assert typed(shown, keys)[0] == after


@pytest.mark.parametrize("keys", ["d<", "2<", "g<", "dz", "gz", "2d<", "dgz", "zZ?:/", "dj", "dk"])
def test_a_command_that_is_none_changes_nothing(keys: str) -> None:
    assert typed("a|b", keys) == ("a|b", Vim(mode="normal"))


def test_a_chip_is_cut_as_one() -> None:
    step = press(Vim(mode="normal"), "x", Written("a[chip]b", 1, ((1, 7),)))
    assert (step.edit, step.vim.register) == (Edit(1, 7), "[chip]")


def test_a_slip_on_the_digits_costs_nothing() -> None:
    vim = Vim(mode="normal", register="abc", count="9" * 5000)
    put = press(vim, "p", Written("", 0)).edit
    assert put is not None
    assert len(put.text) <= MOST_PUT_CHARS


@pytest.mark.parametrize(("key", "order"), [("k", "up"), ("j", "down"), ("u", "undo")])
def test_what_the_prompt_does_itself_is_ordered(key: str, order: Order) -> None:
    asked = press(Vim(mode="normal", count="3"), key, Written("a", 0))
    assert asked == Step(vim=Vim(mode="normal"), order=order, times=3)


@pytest.mark.parametrize("key", ["enter", "ctrl+r", "left", "escape"])
def test_other_keys_stay_what_they_are(key: str) -> None:
    assert not press(Vim(mode="normal"), key, Written("a", 0)).taken


class WithVimKeys(ScriptedSource):
    """A sitting whose settings want vim's keys."""

    harness = SimpleNamespace(config=HarnessConfig(vim_keys=True))


async def test_bursts_of_vim_keys_act_in_their_order() -> None:
    app = Host(["sent before"])
    async with app.run_test() as pilot:
        app.composer.focus()
        app.composer.vim = VimKeys(app.composer)
        await pilot.pause()
        burst(app, *"fix teh", "escape", *"bcwthe bug", "escape", *"0i!", "escape", "x", "enter")
        burst(app, "a", "ctrl+j", *"b c", "escape", *"dwkyyjpu", "enter")
        burst(app, *"xyz")
        app.post_message(events.Key("alt+x", "x"))  # Esc and x in one write
        burst(app, *"ix", "enter")
        await pilot.pause()
        assert [text for text, _ in app.sent] == ["fix the bug", "a\nb ", "xxy"]
        burst(app, *"/x", "escape", "u", *"kkk", "enter", "h", "escape", "j", "escape")
        await pilot.pause()
        assert [text for text, _ in app.sent[3:]] == ["fix the bug"]
        assert (app.composer.text, app.said) == ("h", ["interrupt"])


async def test_the_mode_is_said_and_esc_interrupts_from_normal_mode_only() -> None:
    source = WithVimKeys()
    app = still(source)
    async with app.run_test(size=(100, 20)) as pilot:
        await until(pilot, lambda: "insert   ready" in text_of(app))
        burst(app, *"go", "enter")
        await until(pilot, lambda: "esc normal mode" in text_of(app))
        burst(app, *"/he")
        await until(pilot, lambda: app.situation.running and app.situation.choosing)
        burst(app, "escape")
        await until(pilot, lambda: "normal" in text_of(app) and not app.situation.choosing)
        assert "esc interrupt" in text_of(app)
        assert "cancel" not in [call[0] for call in source.calls]
        burst(app, "escape")
        await until(pilot, lambda: "cancel" in [call[0] for call in source.calls])
        assert app.composer.text == "/he"
