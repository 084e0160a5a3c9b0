"""`/copy`, `/clear` and `/new` on the screen."""

from __future__ import annotations

from typing import Any

from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.opening import Offer, Others, Past
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.events.harness import AgentEnd, AgentStart, ModelUpdate
from agent_cockpit.events.messages import Message
from agent_cockpit.events.sitting import ContextCompacted, Notice
from tests.cockpit.screen import text_of, until
from tests.support.scripted_source import ScriptedSource

ANSWER = "Try:\n\n```\nx = 1\n```\n"


def said(source: ScriptedSource, *, prompt: str = "go", answer: str = ANSWER) -> None:
    source.say(AgentStart(goal=prompt, task_kind="edit"))
    source.say(ModelUpdate(kind="answer", delta=answer))
    source.say(AgentEnd(outcome="success", status="completed"))


def app_on(*sources: ScriptedSource, **options: Any) -> CockpitApp:
    waiting = list(sources)
    return CockpitApp(lambda: waiting.pop(0), **options)


async def command(pilot: Pilot[None], text: str) -> None:
    app = pilot.app
    assert isinstance(app, CockpitApp)
    app.composer.put(text)
    await pilot.press("enter")


async def test_the_last_answer_its_code_or_everything_is_copied() -> None:
    source = ScriptedSource()
    app = app_on(source)
    async with app.run_test() as pilot:
        said(source)
        await until(pilot, lambda: "x = 1" in text_of(app))
        await command(pilot, "/copy")
        await until(pilot, lambda: app.clipboard == ANSWER.strip())
        await command(pilot, "/copy code")
        await until(pilot, lambda: app.clipboard == "x = 1")
        await command(pilot, "/copy all")
        await until(pilot, lambda: app.clipboard.startswith("## Prompt"))
        await command(pilot, "/copy that")
        await until(pilot, lambda: "/copy code or /copy all" in text_of(app))


async def test_help_begins_with_what_it_was_asked_for() -> None:
    app = app_on(ScriptedSource())
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await command(pilot, "/help")
        await until(pilot, lambda: "scroll" in text_of(app) and "/verify" in text_of(app))
        await pilot.press("escape", "f1")
        await until(pilot, lambda: "while you type" in text_of(app))


async def test_without_an_answer_nothing_is_copied() -> None:
    source = ScriptedSource()
    app = app_on(source)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await command(pilot, "/copy code")
        await until(pilot, lambda: "no answer has code in it" in text_of(app))
        await command(pilot, "/copy")
        await until(pilot, lambda: "nothing to copy" in text_of(app))
        assert app.clipboard == ""


async def test_a_new_page_shows_only_what_comes_after_it() -> None:
    source = ScriptedSource()
    app = app_on(source)
    async with app.run_test() as pilot:
        said(source, answer="Before it.")
        await until(pilot, lambda: "Before it." in text_of(app))
        source.say(ContextCompacted(message=Message.of("user", "page"), cause="page"))
        said(source, prompt="more", answer="After it.")
        await until(pilot, lambda: "After it." in text_of(app))
        assert "a new page" in text_of(app)
        assert "Before it." not in text_of(app)


async def test_a_new_sitting_takes_the_place_of_the_one_that_is_closed() -> None:
    first, second = ScriptedSource(), ScriptedSource()
    app = app_on(first, open_new=lambda: second)
    async with app.run_test() as pilot:
        said(first, answer="Before it.")
        await until(pilot, lambda: "Before it." in text_of(app))
        await command(pilot, "/new")
        await until(pilot, lambda: app.driving.source is second)
        assert ("aclose",) in first.calls
        await until(pilot, lambda: "the sitting before goes on with" in text_of(app))
        await command(pilot, "hello")
        await until(pilot, lambda: ("drive", "hello", "steering") in second.calls)
        assert "Before it." not in text_of(app)
        second.finish()


async def test_another_sitting_is_gone_on_with_by_its_id() -> None:
    first, second = ScriptedSource(), ScriptedSource()
    past = (AgentStart(goal="asked long ago"), AgentEnd(outcome="success", status="completed"))
    second.take_past = lambda: past  # type: ignore[attr-defined]

    def find(name: str) -> Past:
        if name != "abcd":
            raise PersonCanAct(f"no sitting has the id `{name}`")
        return Past(lambda: second, lambda: [])

    app = app_on(first, others=lambda: Others(find, lambda: "abcd  asked long ago"))
    async with app.run_test() as pilot:
        said(first, answer="Before it.")
        await until(pilot, lambda: "Before it." in text_of(app))
        await command(pilot, "/resume")
        await until(pilot, lambda: "abcd  asked long ago" in text_of(app))
        await command(pilot, "/resume nobody")
        await until(pilot, lambda: "no sitting has the id" in text_of(app))
        assert app.driving.source is first
        await command(pilot, "/resume abcd")
        await until(pilot, lambda: app.driving.source is second)
        assert ("aclose",) in first.calls
        await until(pilot, lambda: "the sitting before goes on with" in text_of(app))
        shown = text_of(app)
        assert "Before it." not in shown
        assert shown.index("asked long ago") < shown.index("the sitting before goes on")
        second.finish()


async def test_a_sitting_that_goes_on_where_no_model_is_set_offers_no_demo_any_more() -> None:
    def refuse() -> ScriptedSource:
        raise PersonCanAct("no model is set")

    source = ScriptedSource()
    others = Others(lambda name: Past(lambda: source, lambda: []), lambda: "")
    app = CockpitApp(refuse, offer_demo=lambda: Offer(refuse, "demo"), others=lambda: others)
    async with app.run_test() as pilot:
        await until(pilot, lambda: "enter opens the demo" in text_of(app))
        await command(pilot, "/resume abcd")
        await until(pilot, lambda: app.driving.source is source)
        await until(pilot, lambda: "enter opens the demo" not in text_of(app))
        await command(pilot, "go")
        await until(pilot, lambda: ("drive", "go", "steering") in source.calls)
        source.finish()


async def test_where_there_are_no_other_sittings_none_is_gone_on_with() -> None:
    source = ScriptedSource()
    app = app_on(source)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await command(pilot, "/resume")
        await until(pilot, lambda: "no other sitting to be had" in text_of(app))
        assert app.driving.source is source


async def test_no_sitting_is_left_while_its_goal_runs() -> None:
    source = ScriptedSource()
    app = app_on(source, open_new=ScriptedSource)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await command(pilot, "go")
        await until(pilot, lambda: app.driving.is_busy)
        await command(pilot, "/new")
        await until(pilot, lambda: "not now" in text_of(app))
        assert app.driving.source is source
        source.finish()


async def test_a_notice_does_not_cut_an_answer_that_is_being_written() -> None:
    source = ScriptedSource()
    app = app_on(source)
    async with app.run_test() as pilot:
        source.say(AgentStart(goal="go", task_kind="edit"))
        source.say(ModelUpdate(kind="answer", delta="One sent"))
        source.say(Notice(text="beside"))
        source.say(ModelUpdate(kind="answer", delta="ence."))
        await until(pilot, lambda: "One sentence." in text_of(app))
        source.say(AgentEnd(outcome="success", status="completed"))


async def test_a_new_sitting_that_cannot_be_opened_says_why_and_keeps_the_prompt() -> None:
    def refuse() -> ScriptedSource:
        raise PersonCanAct("no model is set")

    source = ScriptedSource()
    app = app_on(source, open_new=refuse)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await command(pilot, "/new")
        await until(pilot, lambda: "no model is set" in text_of(app))
        assert "agent-cockpit --resume" in text_of(app)
        await command(pilot, "hello")
        assert app.composer.text == "hello"
        assert app.driving.source is None
