"""A proposed plan and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.render.fold import Fold, shortened
from agent_cockpit.cockpit.render.markdown import markdown_lines
from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.transcript.blocks import PlanBlock
from agent_cockpit.transcript.plain import plan_words

if TYPE_CHECKING:
    from agent_cockpit.events.plans import PlanStepState

_LINES = 30


def plan_lines(block: PlanBlock, page: Page, fold: Fold) -> list[Strip]:
    """One line that says where the plan stands; its text, unless the answer above is it."""
    ink = page.ink
    waits = block.is_open and not block.decision
    style = ink.warning + Style(bold=True) if waits else ink.text
    strips = page.paragraph(
        Text(plan_words(block), style=style), mark="≡", ink=ink.warning if waits else ink.live
    )
    if fold == "closed":
        return strips
    steps = [strip for step in block.steps for strip in _step_lines(step, page)]
    strips += shortened(steps, _LINES, fold, page, indent=page.body_indent)
    if fold != "open" and (block.is_shown_above or block.steps):
        return strips
    room = page.room(page.body_indent)
    body = [
        page.line(line, indent=page.body_indent) for line in markdown_lines(block.text, page, room)
    ]
    return strips + shortened(body, _LINES, fold, page, indent=page.body_indent)


def _step_lines(step: PlanStepState, page: Page) -> list[Strip]:
    """A step with its tick and what ticked it."""
    ink = page.ink
    sign, style = {
        "done": ("✔", ink.success),
        "working": ("▸", ink.live),
    }.get(step.state, ("☐", ink.muted))
    text = Text.assemble(
        (f"{sign} ", style),
        (f"{step.number}. {step.text}", ink.muted if step.state == "done" else ink.text),
        (f"  {step.why}" if step.why else "", ink.muted),
    )
    return page.paragraph(text, indent=page.body_indent)
