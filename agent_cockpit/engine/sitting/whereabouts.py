"""`/status`: where the sitting stands, in one column of names and one of words."""

from __future__ import annotations

from agent_cockpit.engine.sitting.asides import Asides
from agent_cockpit.text import clean_line, money, reveal_line
from agent_cockpit.transcript.wording import compact, count

_CONSENT = {"ask": "asks before edits", "accept_edits": "accepts edits"}


def whereabouts(sitting: Asides) -> str:
    """The lines, from what is known now; asks nobody and writes nothing."""
    facts = [
        ("name", clean_line(sitting.name)),
        ("model", _model(sitting)),
        ("mode", _mode(sitting)),
        ("folder", reveal_line(sitting.state.workspace_root)),
        ("sandbox", clean_line(sitting.harness.sandbox_name)),
        ("allowed", _allowed(sitting)),
        ("context", _context(sitting)),
        ("goals", _goals(sitting)),
        ("cost", _cost(sitting)),
        ("journal", reveal_line(str(sitting.journal_path or "not recorded"))),
    ]
    width = max(len(name) for name, _ in facts)
    return "\n".join(f"{name:<{width}}  {words}" for name, words in facts if words)


def _model(sitting: Asides) -> str:
    provider = clean_line(sitting.harness.config.provider)
    model = clean_line(sitting.model)
    return f"{model} ({provider})" if provider and provider != model else model


def _mode(sitting: Asides) -> str:
    kind = f"{sitting.mode}, pinned" if sitting.mode else "each prompt decides"
    planning = sitting.execution.mode == "plan"
    return f"{kind} · {'plan mode' if planning else _CONSENT[sitting.consent]}"


def _allowed(sitting: Asides) -> str:
    grants = len(sitting.state.grants) + len(sitting.execution.trust_levels)
    return f"{count(grants, 'standing approval')} (/permissions)" if grants else "nothing ahead"


def _goals(sitting: Asides) -> str:
    ended = str(len(sitting.state.tasks))
    return f"{ended} ended, one runs" if sitting.execution.is_active else ended


def _cost(sitting: Asides) -> str:
    """Of the goals that ended; nothing where no prices are set."""
    cost = sum(task.cost for task in sitting.state.tasks)
    return f"{money(cost)} for these goals, by the prices in your settings" if cost else ""


def _context(sitting: Asides) -> str:
    used, size = sitting.context_use
    return f"{compact(used)} of {compact(size)} tokens ({round(100 * used / size)} %)"
