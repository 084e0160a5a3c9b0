"""The model asks the person: the goal waits for the answer."""

from __future__ import annotations

from textual.strip import Strip

from agent_cockpit.cockpit.render.markdown import markdown_lines
from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.transcript.blocks import QuestionBlock


def question_lines(block: QuestionBlock, page: Page) -> list[Strip]:
    """The question behind its mark; like everything that waits for the person, it is loud."""
    lines = markdown_lines(block.text, page, page.room())
    for line in lines[:1]:
        line.stylize("bold")
    return [
        page.line(line, mark="?" if number == 0 else "", ink=page.ink.warning)
        for number, line in enumerate(lines)
    ]
