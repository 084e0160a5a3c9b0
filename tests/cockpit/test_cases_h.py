"""The known faults of answers by key, one test a case: typed ahead, and every way to say no."""

from __future__ import annotations

import pytest

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.screens.plan_modal import PlanModal
from tests.cockpit.screen import until
from tests.support.scripted_source import ScriptedSource, asks

TYPED = "always try again"


@pytest.mark.parametrize("before", [0, 1, 7, len(TYPED)])
@pytest.mark.parametrize("what", ["a call", "a plan"])
async def test_h03_what_is_typed_around_the_paint_answers_nothing_and_is_kept(
    before: int, what: str
) -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=30.0)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        if what == "a plan":
            source.plan = ["1. Divide"]
            app.driving.send("go", "steering")
        keys = ["space" if letter == " " else letter for letter in TYPED]
        if what == "a call":
            await pilot.press(*keys[:before])
            source.say(asks())
            await until(pilot, lambda: app.panel.is_open)
            await pilot.press(*keys[before:])
        else:
            await until(pilot, lambda: isinstance(app.screen, PlanModal))
            await pilot.press(*keys)
        await until(pilot, lambda: app.composer.text == TYPED)
        assert [call for call in source.calls if call[0] == "resolve"] == []
        assert source.decisions == []


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        (["escape"], ""),
        (["n"], ""),
        (["r", *"use", "space", *"make", "enter"], "use make"),
        (["ctrl+c"], ""),
    ],
    ids=["esc", "n", "n with a reason", "ctrl+c"],
)
async def test_h10_every_way_out_of_an_approval_is_a_no(keys: list[str], reason: str) -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=0.0)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(asks())
        await until(pilot, lambda: app.panel.is_lit)
        await pilot.press(*keys)
        await until(pilot, lambda: [c for c in source.calls if c[0] in ("resolve", "cancel")])
        given = [call for call in source.calls if call[0] == "resolve"]
        assert given == [("resolve", "call-1", False, False, reason)]


async def test_h10_a_cockpit_that_is_closed_over_a_plan_approves_nothing() -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=0.0)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.plan = ["1. Divide"]
        app.driving.send("go", "steering")
        await until(pilot, lambda: isinstance(app.screen, PlanModal))
    assert source.decisions in ([], [None])
