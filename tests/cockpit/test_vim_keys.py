"""Vim's keys at work in the composer: they leave the prompt's own keys alone."""

from __future__ import annotations

from types import SimpleNamespace

from textual import events

from agent_cockpit.cockpit.prompt.vim_keys import VimKeys
from agent_cockpit.events.sitting import Notice
from agent_cockpit.settings import HarnessConfig
from tests.cockpit.screen import text_of, until
from tests.cockpit.test_composer import Host, burst
from tests.cockpit.test_look import still
from tests.support.scripted_source import ScriptedSource


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


async def test_esc_and_a_sign_in_one_write_are_two_keys() -> None:
    app = Host()
    async with app.run_test() as pilot:
        app.composer.focus()
        app.composer.vim = VimKeys(app.composer)
        await pilot.pause()
        burst(app, *"fix teh bug")
        app.post_message(events.Key("alt+0", "º"))
        burst(app, *"wcwthe")
        app.post_message(events.Key("alt+dollar_sign", "$"))
        burst(app, *"xv")
        app.post_message(events.Key("alt+circumflex_accent", "^"))
        burst(app, *"d2")
        app.post_message(events.Key("alt+shift+w", "W"))
        burst(app, *"i(", "enter")
        await pilot.pause()
        assert [text for text, _ in app.sent] == ["fix (the bu"]


async def test_what_visual_mode_selects_is_shown_and_copied() -> None:
    app = Host()
    async with app.run_test() as pilot:
        composer = app.composer
        composer.focus()
        composer.vim = VimKeys(composer)
        await pilot.pause()
        burst(app, *"fix the bug", "ctrl+j", "ctrl+j", *"now", "escape", *"ggwv")
        burst(app, "right", *"e")
        await pilot.pause()
        assert (composer.selected_text, composer.vim.mode) == ("the", "visual")
        chosen = composer.get_component_rich_style("text-area--selection").bgcolor
        grounds = {part.text: part.style and part.style.bgcolor for part in composer.render_line(0)}
        assert grounds["th"] == chosen  # the cursor stands on the third letter
        burst(app, *"Vjj")
        await pilot.pause()
        assert (composer.selected_text, composer.vim.mode) == ("fix the bug\n\nnow", "visual line")
        (empty, *_) = composer.render_line(1)
        assert empty.style is not None
        assert empty.style.bgcolor == chosen
        burst(app, "d", "enter")
        await pilot.pause()
        assert (composer.text, composer.selected_text, app.sent) == ("", "", [])


async def test_ctrl_r_redoes_and_a_prompt_that_comes_back_ends_the_selecting() -> None:
    app = Host()
    async with app.run_test() as pilot:
        composer = app.composer
        composer.focus()
        composer.vim = VimKeys(composer)
        await pilot.pause()
        burst(app, *"one two", "escape", *"0dwuxu", "ctrl+r", *".p")
        await pilot.pause()
        assert composer.text == "en two"
        burst(app, "v")
        await pilot.pause()
        composer.give_back("before")
        burst(app, "d", "w", "enter")
        await pilot.pause()
        assert app.sent == [("before\nen tw", "steering")]


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


async def test_ctrl_c_copies_what_visual_mode_selects() -> None:
    app = still(WithVimKeys())
    async with app.run_test(size=(100, 20)) as pilot:
        await until(pilot, lambda: "insert   ready" in text_of(app))
        burst(app, *"fix the bug", "escape", *"bve", "ctrl+c")
        await until(pilot, lambda: app.clipboard == "bug")
        burst(app, "escape", *"x")
        await until(pilot, lambda: app.composer.text == "fix the bu")
        assert not app.quitting.is_armed


async def test_esc_and_a_letter_whose_key_does_nothing_now_are_two_keys() -> None:
    app = still(WithVimKeys())
    async with app.run_test(size=(100, 20)) as pilot:
        await until(pilot, lambda: "insert   ready" in text_of(app))
        burst(app, *"bu fix", "escape", *"0x")
        app.post_message(events.Key("i", "i"))
        app.post_message(events.Key("alt+p", "p"))
        app.post_message(events.Key("alt+a", "a"))
        burst(app, "g")
        await until(pilot, lambda: app.composer.text == "ubg fix")


async def test_a_letter_right_behind_esc_is_vims_while_keys_write_and_ours_at_rest() -> None:
    app = still(WithVimKeys())
    async with app.run_test(size=(100, 20)) as pilot:
        await until(pilot, lambda: "insert   ready" in text_of(app))
        view = app.transcript_view
        burst(app, *"fox")
        app.post_message(events.Key("alt+s", "s"))  # Esc and s, or alt and s: nobody knows
        burst(app, "r", "escape")
        await until(pilot, lambda: app.composer.text == "for")
        assert view.diff_view == "auto"
        app.post_message(events.Key("alt+s", "s"))
        await until(pilot, lambda: view.diff_view == "beside")
        burst(app, *"iw")
        app.post_message(events.Key("alt+s", None))  # from a terminal that tells them apart
        await until(pilot, lambda: view.diff_view == "unified")
        assert app.composer.text == "fowr"


async def test_what_vims_keys_ask_for_outside_of_the_prompt_is_done_or_told() -> None:
    source = WithVimKeys()
    app = still(source)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.composer.vim is not None)
        burst(app, "escape", ":", *"stat")
        await until(pilot, lambda: app.composer.text == "/stat" and app.composer.is_choosing)
        burst(app, "escape", "escape", "R")
        await until(pilot, lambda: "there is no R here" in text_of(app))
        burst(app, ":")
        await until(pilot, lambda: "on an empty prompt" in text_of(app))
        assert app.composer.text == "/stat"
        source.say(Notice(text="a word"))
        await until(pilot, lambda: app.transcript_view.display)
        burst(app, "/")
        await until(pilot, lambda: app.reading_place == "search")
