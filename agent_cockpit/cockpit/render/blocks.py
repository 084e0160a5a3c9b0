"""Which renderer draws which block, what space stands before it, how high it may become.

Renderers of Markdown and diffs are imported when the first of them is drawn: the cockpit
paints before it has read them.
"""

from __future__ import annotations

from collections.abc import Set

from textual.strip import Strip

from agent_cockpit.cockpit.render.call import call_lines
from agent_cockpit.cockpit.render.fold import Fold
from agent_cockpit.cockpit.render.notice import notice_lines
from agent_cockpit.cockpit.render.outcome import outcome_lines
from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.cockpit.render.prompt import prompt_lines
from agent_cockpit.cockpit.render.thought import thought_lines
from agent_cockpit.cockpit.render.verdict import verdict_lines
from agent_cockpit.transcript.blocks import (
    AnswerBlock,
    Block,
    CallBlock,
    NoticeBlock,
    OutcomeBlock,
    PlanBlock,
    PromptBlock,
    QuestionBlock,
    ThoughtBlock,
    VerdictBlock,
)
from agent_cockpit.transcript.wording import call_label

_MACHINERY = (CallBlock, ThoughtBlock)


def block_lines(
    block: Block, page: Page, fold: Fold = "auto", folded_hunks: Set[int] = frozenset()
) -> list[Strip]:
    """The block's lines, without the space before it; none for what is not shown."""
    match block:
        case PromptBlock():
            return prompt_lines(block, page, fold)
        case AnswerBlock():
            from agent_cockpit.cockpit.render.answer import answer_lines

            return answer_lines(block, page)
        case ThoughtBlock():
            return thought_lines(block, page, fold)
        case CallBlock():
            return call_lines(block, page, fold, folded_hunks)
        case VerdictBlock():
            return verdict_lines(block, page, fold)
        case NoticeBlock():
            return notice_lines(block, page)
        case OutcomeBlock():
            return outcome_lines(block, page)
        case QuestionBlock():
            from agent_cockpit.cockpit.render.question import question_lines

            return question_lines(block, page)
        case PlanBlock():
            from agent_cockpit.cockpit.render.plan import plan_lines

            return plan_lines(block, page, fold)
        case _:
            raise TypeError(f"no renderer for {type(block).__name__}")


def preload() -> None:
    """Load what the first answer and the first diff need; for a thread, ahead of them."""
    import agent_cockpit.cockpit.render.answer
    import agent_cockpit.cockpit.render.diff  # noqa: F401
    from agent_cockpit.cockpit.render.code import lexer_for_path

    lexer_for_path("any.py")  # the patterns of all file names


def space_before(block: Block, previous: Block | None) -> int:
    """Blank lines above a block: machinery stays close to what it belongs to."""
    if previous is None:
        return 0
    if isinstance(block, _MACHINERY):
        return 0 if isinstance(previous, (AnswerBlock, *_MACHINERY)) else 1
    if isinstance(block, AnswerBlock) and isinstance(previous, ThoughtBlock):
        return 0
    return 0 if isinstance(block, NoticeBlock) and isinstance(previous, NoticeBlock) else 1


def may_fold(block: Block) -> bool:
    """Whether a click on the block shows more or less of it."""
    return isinstance(block, CallBlock | ThoughtBlock | VerdictBlock | PlanBlock | PromptBlock)


def kind_of(block: Block) -> str:
    """What the block goes by when its kind is folded: a call by its verb."""
    if isinstance(block, CallBlock):
        return call_label(block.tool)
    return _KINDS.get(type(block), "")


def has_failed(block: Block) -> bool:
    """Whether the block tells of a failure, which no folding of its kind hides."""
    if isinstance(block, CallBlock):
        return block.state in ("failed", "waiting")
    return isinstance(block, VerdictBlock) and block.passed is False


_KINDS: dict[type[Block], str] = {
    ThoughtBlock: "thought",
    VerdictBlock: "verdict",
    PlanBlock: "plan",
    PromptBlock: "prompt",
}


def guessed_height(block: Block, page: Page) -> int:
    """About how many lines the block takes, space included, without drawing it."""
    if isinstance(block, CallBlock):
        return 1 + (min(40, block.added + block.removed + 6) if block.diff else 0)
    if isinstance(block, ThoughtBlock):
        return 1
    text = getattr(block, "text", "")
    return 2 + len(text) // page.text_cells + text.count("\n", 0, 20_000)
