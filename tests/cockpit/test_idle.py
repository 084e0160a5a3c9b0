"""When nothing happens, nothing is done: no clock ticks, and the first paint is styled once."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.events.harness import AgentEnd, AgentStart, ModelUpdate, ToolStart, TurnStart
from tests.cockpit.screen import until
from tests.support.scripted_source import ScriptedSource


def ticking(app: App[Any]) -> list[object]:
    """Timers of the app and of all that is in it which are not paused."""
    nodes: list[DOMNode] = [app]
    for screen in app.screen_stack:
        nodes += screen.walk_children(with_self=True)
    return [timer for node in nodes for timer in node._timers if timer._active.is_set()]


async def test_no_clock_ticks_at_the_prompt_after_a_goal_nor_without_the_focus() -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await until(pilot, lambda: not ticking(app))
        source.say(AgentStart(goal="g"), TurnStart(iteration=1), ModelUpdate(delta="Well, "))
        source.say(ToolStart(call_id="c", tool="run_tests"))
        await until(pilot, lambda: ticking(app))
        source.say(AgentEnd(status="completed"))
        await pilot.press("h", "i")
        await until(pilot, lambda: not ticking(app))
        app.app_focus = False
        await pilot.pause()
        await until(pilot, lambda: not ticking(app))
        app.app_focus = True
        await pilot.pause()
        await until(pilot, lambda: not ticking(app))
        assert app.composer.has_focus


class CountingStylesheet(Stylesheet):
    """Remembers how often everything was styled anew."""

    times = 0

    def update(self, root: DOMNode, animate: bool = False) -> None:
        self.times += 1
        super().update(root, animate=animate)


async def test_the_first_paint_is_styled_once_and_a_theme_chosen_later_again() -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source)
    app.stylesheet = styled = CountingStylesheet(variables=app.get_css_variables())
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        assert app.current_theme.name == "cockpit-dark"
        assert app.screen.styles.background.hex == app.theme_variables["background"].upper()
        assert styled.times == 0
        app.looks.preview("cockpit-light")
        await until(pilot, lambda: styled.times == 1)
        assert app.screen.styles.background.hex == app.theme_variables["background"].upper()
