"""A verification: the commands that decide, running and concluded, and the verdict."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.render.fold import Fold, shortened
from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.cockpit.render.wrapping import joined
from agent_cockpit.transcript.blocks import Check, VerdictBlock
from agent_cockpit.transcript.plain import no_check
from agent_cockpit.transcript.wording import check_name, count, duration, proof_reserve

_EVIDENCE_LINES = 8


def verdict_lines(block: VerdictBlock, page: Page, fold: Fold) -> list[Strip]:
    """One line for a plain success; every check and its evidence for a failure."""
    ink = page.ink
    bold = Style(bold=True)
    right = Text(block.figures.words, style=ink.muted)
    checks = [check for check in block.checks if check.command]
    if block.is_open:
        head = Text.assemble(("verifying", ink.live + bold))
        now = next((check for check in block.checks if check.state == "running"), None)
        if now is not None:
            head.append(f"   {now.command or check_name(now.name)}", ink.text)
        if page.ticking:
            right = joined([Text(page.ticking, style=ink.live), right], "   ")
        done = [check for check in block.checks if check.state != "running"]
        return [
            *page.row(head, right, mark=page.spinner, ink=ink.live),
            *(strip for check in done for strip in _check(check, page, fold)),
        ]
    if block.passed is None:
        return page.row(Text("verification interrupted", style=ink.muted), right, mark="■")
    if not block.passed:
        head = Text.assemble(("not verified", ink.error + bold), ("   " + block.summary, ink.text))
        shown = [c for c in block.checks if c.state == "fail" or c.command or fold == "open"]
        return [
            *page.row(head, right, mark="✘", ink=ink.error, is_whole=True),
            *(strip for check in shown for strip in _check(check, page, fold)),
        ]
    if not checks:
        head = Text.assemble(("answered", ink.muted), (f"   {no_check(block.summary)}", ink.muted))
        return page.row(head, right, mark="✔", ink=ink.muted, is_whole=True)
    head = Text.assemble(("verified", ink.success + bold))
    what = count(len(checks), "check") if len(checks) > 1 else _words(checks[0])
    after = "after the last edit" if block.figures.files else ""
    head.append(f"   {' · '.join(part for part in (what, after) if part)}", ink.text)
    if reserve := proof_reserve(block.summary):
        head.append(f" · {reserve}", ink.muted)
    strips = page.row(head, right, mark="✔", ink=ink.success, is_whole=True)
    shown = list(block.checks) if fold == "open" else checks if len(checks) > 1 else []
    if fold != "closed":
        strips += [strip for check in shown for strip in _check(check, page, fold)]
    return strips


def _words(check: Check) -> str:
    what = check.command or check_name(check.name, has_failed=check.state == "fail")
    return f"{what} · exit {check.exit_code}" if check.exit_code is not None else what


def _check(check: Check, page: Page, fold: Fold) -> list[Strip]:
    """One check below the verdict; the end of its output when it failed or is unfolded."""
    ink = page.ink
    sign, style = {
        "pass": ("✔", ink.success),
        "fail": ("✘", ink.error),
        "skip": ("○", ink.muted),
        "running": (page.spinner, ink.live),
    }[check.state]
    left = Text(_words(check), style=ink.text if check.state == "fail" else ink.muted)
    if check.state == "skip":
        left.append(f" · skipped: {' '.join(check.evidence.split())}", ink.muted)
    optional = Text("" if check.is_required else "optional", style=ink.muted)
    took = Text(duration(check.duration_ms) if check.duration_ms else "", style=ink.muted)
    strips = page.row(left, joined([optional, took], "   "), mark=sign, ink=style, indent=2)
    evidence = check.evidence.strip("\n")
    if evidence and (check.state == "fail" or (fold == "open" and check.state == "pass")):
        body = page.paragraph(Text(evidence, style=ink.muted), indent=page.body_indent)
        strips += shortened(body, _EVIDENCE_LINES, fold, page, indent=page.body_indent, keep="tail")
    return strips
