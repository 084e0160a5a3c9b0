"""One line above the composer while an approved plan is built: how far it is, what strays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

if TYPE_CHECKING:
    from agent_cockpit.transcript.status import Status


class PlanLine(Static):
    """`plan 2 of 4 · ▸ 3. Run the tests · not in the plan: x.py`; hidden where none is built."""

    DEFAULT_CSS = """
    PlanLine { height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self._shown: tuple[object, ...] = ()

    def on_mount(self) -> None:
        self.display = False

    def show(self, status: Status | None, *, crowded: bool = False) -> None:
        """Show the plan that is built now."""
        is_built = status is not None and status.is_running and bool(status.plan_steps)
        self.display = is_built and not crowded
        if status is None or not self.display:
            return
        shown = (status.plan_steps, status.plan_strays)
        if shown != self._shown:
            self._shown = shown
            self.update(_words(status))


def _words(status: Status) -> Content:
    steps, strays = status.plan_steps, status.plan_strays
    done = sum(step.state == "done" for step in steps)
    at_work = next((step for step in steps if step.state == "working"), None)
    step = at_work or next((step for step in steps if step.state == "open"), None)
    parts: list[Content | tuple[str, str]] = [
        ("≡ ", "$text-accent"),
        (f"plan {done} of {len(steps)}", "bold"),
    ]
    if strays:
        more = f" +{len(strays) - 1}" if len(strays) > 1 else ""
        parts.append((f" · not in the plan: {strays[0]}{more}", "$text-warning"))
    if step is not None:
        sign = "▸" if at_work else "next:"
        parts.append((f" · {sign} {step.number}. {step.text}", "$foreground-muted"))
    return Content.assemble(*parts)
