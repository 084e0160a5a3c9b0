"""The composer: keys in order, history at the edges, pastes whole and safe."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from textual import events
from textual.app import App, ComposeResult

from agent_cockpit.cockpit.prompt.composer import Composer
from agent_cockpit.cockpit.prompt.history import History


class Host(App[None]):
    """The smallest app that holds a composer and keeps what it says."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, prompts: Iterable[str] = ()) -> None:
        super().__init__()
        self.prompts = History(prompts)
        self.sent: list[tuple[str, str]] = []
        self.said: list[str] = []

    def compose(self) -> ComposeResult:
        yield Composer(prompts=self.prompts)

    @property
    def composer(self) -> Composer:
        return self.query_one(Composer)

    def on_composer_sent(self, message: Composer.Sent) -> None:
        self.sent.append((message.text, message.kind))

    def on_composer_entered_empty(self) -> None:
        self.said.append("empty")

    def on_composer_quit_asked(self) -> None:
        self.said.append("quit")

    def on_composer_help_asked(self) -> None:
        self.said.append("help")

    def action_interrupt(self) -> None:
        self.said.append("interrupt")

    def action_copy_or_quit(self) -> None:
        self.said.append("copy")

    def action_edit_outside(self) -> None:
        self.said.append("editor")

    def action_suspend_process(self) -> None:
        self.said.append("suspend")


def burst(app: App[None], *keys: str) -> None:
    """All keys at once, as one write to a terminal delivers them."""
    for key in keys:
        app.post_message(events.Key(key, key if len(key) == 1 else None))


@pytest.mark.parametrize(
    ("keys", "sent"),
    [
        (["a", "b", "c", "backspace", "enter"], "ab"),
        (["a", "b", "left", "X", "enter"], "aXb"),
        (["a", "b", "home", "X", "end", "Y", "enter"], "XabY"),
        (["a", "space", "b", "ctrl+w", "c", "enter"], "a c"),
        (["a", "ctrl+j", "b", "enter"], "a\nb"),
        (["a", "shift+enter", "b", "enter"], "a\nb"),
        (["a", "alt+enter", "b", "enter"], "a\nb"),
        (["a", "\\", "enter", "b", "enter"], "a\nb"),
        (["a", "b", "ctrl+u", "c", "enter"], "c"),
        (["a", "ctrl+c", "b", "enter"], "ab"),
        (["a", "space", "b", "alt+backspace", "ctrl+y", "ctrl+y", "enter"], "a bb"),
        (["a", "space", "b", "ctrl+w", "ctrl+w", "X", "ctrl+y", "enter"], "Xa b"),
        (["a", "b", "left", "ctrl+u", "ctrl+k", "ctrl+y", "enter"], "ab"),
        (["a", "ctrl+j", "b", "up", "ctrl+k", "ctrl+y", "ctrl+y", "enter"], "a\n\nb"),
        (["a", "b", "ctrl+u", "c", "ctrl+u", "ctrl+y", "enter"], "c"),
        (["a", "space", "b", "alt+b", "X", "ctrl+a", "alt+f", "Y", "enter"], "aY Xb"),
        (["a", "space", "b", "ctrl+a", "alt+d", "c", "enter"], "c b"),
        (["a", "ctrl+underscore", "alt+underscore", "b", "enter"], "ab"),
        (["a", "ctrl+shift+k", "ctrl+x", "b", "enter"], "b"),
        (["a", "ctrl+j", "b", "ctrl+shift+k", "c", "enter"], "a\nc"),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else "",
)
async def test_a_burst_acts_in_the_order_of_its_keys(keys: list[str], sent: str) -> None:
    app = Host()
    async with app.run_test() as pilot:
        app.composer.focus()
        await pilot.pause()
        for key in keys:
            character = " " if key == "space" else key if len(key) == 1 else None
            app.post_message(events.Key(key, character))
        await pilot.pause()
        assert app.sent == [(sent, "steering")]
        assert app.composer.text == ""


async def test_two_prompts_in_one_burst_are_two_prompts() -> None:
    app = Host()
    async with app.run_test() as pilot:
        app.composer.focus()
        await pilot.pause()
        burst(app, "a", "enter", "b", "enter", "c")
        await pilot.pause()
        assert [text for text, _ in app.sent] == ["a", "b"]
        assert app.composer.text == "c"


async def test_arrows_walk_the_history_at_the_edges_only() -> None:
    app = Host(["first", "second"])
    async with app.run_test() as pilot:
        app.composer.focus()
        await pilot.press("d", "ctrl+j", "e", "up")
        assert app.composer.text == "d\ne"
        await pilot.press("up")
        assert app.composer.text == "second"
        await pilot.press("up", "up", "down", "down")
        assert app.composer.text == "d\ne"


async def test_tab_sends_a_follow_up() -> None:
    app = Host()
    async with app.run_test() as pilot:
        app.composer.focus()
        await pilot.press("l", "a", "t", "e", "r", "tab")
        assert app.sent == [("later", "follow_up")]


async def test_blank_text_is_never_sent() -> None:
    app = Host()
    async with app.run_test() as pilot:
        app.composer.focus()
        await pilot.press("space", "space", "enter", "tab")
        assert app.sent == []
        assert app.said == ["empty"]


async def test_the_end_of_input_quits_only_when_empty() -> None:
    app = Host()
    async with app.run_test() as pilot:
        app.composer.focus()
        await pilot.press("a", "home", "ctrl+d")
        assert app.composer.text == ""
        assert app.said == []
        await pilot.press("ctrl+d")
        assert app.said == ["quit"]


async def test_a_question_mark_asks_for_help_only_when_empty() -> None:
    app = Host()
    async with app.run_test() as pilot:
        app.composer.focus()
        await pilot.press("question_mark", "a", "question_mark")
        assert app.said == ["help"]
        assert app.composer.text == "a?"


async def test_ctrl_x_ctrl_e_opens_the_editor_and_each_alone_does_not() -> None:
    app = Host()
    async with app.run_test() as pilot:
        app.composer.focus()
        await pilot.press("a", "b", "home", "ctrl+x", "c", "ctrl+e", "d", "ctrl+x", "ctrl+e")
        assert (app.composer.text, app.said) == ("cabd", ["editor"])


async def test_copy_and_suspend_belong_to_the_app() -> None:
    app = Host()
    async with app.run_test() as pilot:
        app.composer.focus()
        await pilot.press("a", "ctrl+c", "ctrl+z", "escape")
        assert app.said == ["copy", "suspend", "interrupt"]
        assert app.composer.text == "a"


@pytest.mark.parametrize(
    ("pasted", "text"),
    [
        ("two\r\nlines", "two\nlines"),
        ("\x1b[31mred\x1b[0m\x1b]52;c;aGk=\x07", "red"),
        ("a\u202eb\x00c\u200bd", "abcd"),
        ("[/] [b]not markup[/b]", "[/] [b]not markup[/b]"),
        ("ends in a newline\n", "ends in a newline\n"),
        ("", ""),
    ],
)
async def test_a_paste_arrives_whole_safe_and_unsent(pasted: str, text: str) -> None:
    app = Host()
    async with app.run_test() as pilot:
        app.composer.focus()
        await pilot.pause()
        app.post_message(events.Paste(pasted))
        await pilot.pause()
        assert app.composer.text == text
        assert app.sent == []


async def test_a_huge_paste_is_sent_unchanged() -> None:
    app = Host()
    lines = "line of text\n" * 10_000
    async with app.run_test() as pilot:
        app.composer.focus()
        await pilot.pause()
        app.post_message(events.Paste(lines))
        await pilot.press("x", "enter")
        assert app.sent == [(lines + "x", "steering")]


async def test_it_grows_to_eight_lines_and_no_further() -> None:
    app = Host()
    async with app.run_test(size=(40, 20)) as pilot:
        app.composer.focus()
        await pilot.pause()
        heights = []
        for _ in range(12):
            heights.append(app.composer.size.height)
            await pilot.press("ctrl+j")
        assert heights[:4] == [1, 2, 3, 4]
        assert max(heights) == app.composer.size.height == 8


async def test_undo_takes_more_lines_away_than_fit() -> None:
    app = Host()
    async with app.run_test() as pilot:
        app.composer.focus()
        await pilot.pause()
        app.post_message(events.Paste("\n" * 9))
        await pilot.press("ctrl+underscore")
        assert app.composer.text == ""


async def test_what_comes_back_stands_above_what_was_written_since() -> None:
    app = Host()
    async with app.run_test():
        app.composer.put("new")
        app.composer.give_back("old")
        assert app.composer.text == "old\nnew"


async def test_wide_and_joined_characters_survive_editing() -> None:
    app = Host()
    family = "👨‍👩‍👧 한글 é"
    async with app.run_test(size=(20, 10)) as pilot:
        app.composer.focus()
        await pilot.pause()
        app.post_message(events.Paste(family))
        await pilot.press("left", "left", "a", "backspace", "enter")
        assert app.sent == [(family, "steering")]


async def test_a_prompt_that_was_written_elsewhere_is_shown_without_its_escapes() -> None:
    app = Host(["a\x1b]0;title\x07b\x1b[31m"])
    async with app.run_test() as pilot:
        await pilot.press("up")
        assert app.composer.text == "ab"
