"""What can be done with blocks of the transcript, and in which words it is offered.

Pure: which deeds there are follows from the blocks and how they are folded.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent_cockpit.cockpit.consent.question import Option
from agent_cockpit.cockpit.render.fold import Fold
from agent_cockpit.text import clean_line, shorten
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
from agent_cockpit.transcript.copying import as_code, as_text, hunks_of, place_of, why_allowed
from agent_cockpit.transcript.links import links_in
from agent_cockpit.transcript.plain import call_title

_NAMES: dict[type[Block], str] = {
    PromptBlock: "prompt",
    AnswerBlock: "answer",
    ThoughtBlock: "thought",
    VerdictBlock: "verdict",
    NoticeBlock: "notice",
    QuestionBlock: "question",
    PlanBlock: "plan",
    OutcomeBlock: "outcome",
}


def title_of(blocks: Sequence[Block], *, lines: int = 0) -> str:
    """What the menu is about: one block by its name, or how many; or `lines` of them."""
    of = f"{lines} {'line' if lines == 1 else 'lines'} of " if lines else ""
    if len(blocks) != 1:
        return f"{of}{len(blocks)} blocks"
    block = blocks[0]
    if isinstance(block, CallBlock):
        return of + shorten(clean_line(call_title(block)), 60)
    return of + _NAMES[type(block)]


def deeds_for(
    blocks: Sequence[Block],
    *,
    kind: str,
    kind_fold: Fold,
    is_open: bool,
    is_closed: bool,
    may_fold: bool,
    lines: int = 0,
    reads_only: bool = False,
) -> tuple[Option, ...]:
    """The deeds for the selected blocks. Folding is offered for one: `kind` is what it goes by,
    `kind_fold` what all of its kind are folded to, `is_open` and `is_closed` whether it shows all
    of itself or as little as it can. Where `lines` of them are selected, these are copied and
    quoted. Where a person `reads_only`, nothing is offered that runs or writes anything."""
    words = "the line" if lines == 1 else f"the {lines} lines"
    whole = "the block" if len(blocks) == 1 else "the blocks"
    options = [
        Option("c", f"copy {words}" if lines else "copy as text", "text", "text"),
        Option(
            "m",
            f"copy {whole} as Markdown" if lines else "copy as Markdown",
            "markdown",
            "markdown",
        ),
    ]
    if len(blocks) == 1:
        (block,) = blocks
        if (code := as_code(block)[0]) and not (code == "output" and not is_open):
            options.append(Option("b", f"copy the {code}", "code", code))
        if may_fold:
            options.append(Option("f", "show less" if is_open else "show more", "fold", "fold"))
            if kind_fold == "auto":
                words = f"keep every {kind} {'open' if is_closed else 'folded'}"
            else:
                words = f"every {kind} as usual again"
            options.append(Option("k", words, "kind", "kind"))
        if hunks_of(block) > 1 and not is_closed:
            options.append(Option("h", "fold or unfold its hunks", "hunks", "hunks"))
        if not reads_only and (place := place_of(block)) is not None:
            where = shorten(clean_line(place.path), 40) + (
                f":{place.line}" if place.line > 1 else ""
            )
            options.append(Option("o", f"open {where}", "open", "open"))
        if links := list(dict.fromkeys(link.address for link in links_in(as_text(block)))):
            words = shorten(links[0], 40) if len(links) == 1 else f"{len(links)} links"
            options.append(Option("l", f"copy {words}", "links", "links"))
        if list(why_allowed(block)):
            options.append(Option("w", "why it was allowed", "why", "why"))
    if reads_only:
        return tuple(options)
    options += [
        Option("q", f"quote {words}" if lines else "quote into the prompt", "quote", "quote"),
        Option("v", "read it all in $EDITOR", "view", "view"),
    ]
    return tuple(options)
