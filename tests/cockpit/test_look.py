"""What the cockpit looks like around the transcript, at the sizes that people have."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC
from typing import Any

from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.opening import Offer
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.events.harness import AgentStart, ApprovalRequested
from tests.cockpit.screen import until
from tests.support.scripted_source import ScriptedSource, asks
from tests.transcript.stories import fixed_test

Compare = Callable[..., bool]
Before = Callable[[Pilot[None]], Awaitable[None]]
SIZES = [(120, 40), (80, 24), (40, 15)]

DIFF = """\
--- a/calc.py
+++ b/calc.py
@@ -8,4 +8,4 @@
     for number in numbers:
         total += number
-    return total / (len(numbers) - 1)
+    return total / len(numbers)
"""


def still(source: ScriptedSource, *, quiet_s: float = 0.0, suggestion: str = "") -> CockpitApp:
    """An app in which nothing moves by itself."""
    app = CockpitApp(
        lambda: source, title="sample", suggestion=suggestion, quiet_s=quiet_s, zone=UTC
    )
    app.animation_level = "none"
    return app


def after(app: CockpitApp, source: ScriptedSource, *events: Any, lit: bool = True) -> Before:
    """Tell these events, and wait until a call among them asks."""

    async def before(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(*events)
        if events and isinstance(events[-1], ApprovalRequested):
            await until(pilot, lambda: app.panel.is_lit if lit else app.panel.is_open)

    return before


def goal() -> AgentStart:
    story = fixed_test()
    return next(event for event in story if isinstance(event, AgentStart))


def test_an_empty_sitting_that_offers_a_goal(snap_compare: Compare) -> None:
    source = ScriptedSource()
    app = still(source, suggestion="Fix the failing test")
    assert snap_compare(app, terminal_size=(80, 24), run_before=after(app, source))


def test_a_call_at_twenty_columns(snap_compare: Compare) -> None:
    source = ScriptedSource()
    app = still(source)
    before = after(app, source, goal(), asks())
    assert snap_compare(app, terminal_size=(20, 5), run_before=before)


def test_no_model_is_set(snap_compare: Compare) -> None:
    def no_model() -> Any:
        raise PersonCanAct("no model is set: give --model and --base-url, or set them in a file")

    app = CockpitApp(no_model, title="sample", offer_demo=lambda: Offer(no_model, "demo"))

    async def before(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.driving.is_blocked)

    assert snap_compare(app, terminal_size=(80, 24), run_before=before)
