"""A terminal cockpit for coding sessions; its public names, each loaded when first used.

Law: `import agent_cockpit` imports nothing else.
"""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "harness": "Harness",
    "settings": "HarnessConfig",
    "engine.goals.runner": "AgentRunner",
    "engine.goals.session": "Session",
    "engine.sitting.session_state": "ReplSession",
    "engine.state": "TaskState SessionState Turn MetaResult PlanDecision Report",
    "engine.ports": "ModeClassifier Approver AllowAll",
    "engine.record.bus": "EventBus",
    "engine.record.journal": "JsonlEventJournal",
    "engine.sitting.input_queue": "InputQueue",
    "rules.consent.grants": "ApprovalGrant",
    "rules.turn_execution": "TurnExecution",
    "rules.consent.approval": "ToolApproval",
    "rules.modes": "default_mode",
    "workspace.cancellation": "CancellationToken",
    "events.harness": (
        "HarnessEvent AgentStart AgentEnd TurnStart TurnEnd PhaseChanged DeclarationRequired "
        "ModelDecisionEvent ModelUpdate ToolStart ToolEnd ApprovalRequested ApprovalResolved "
        "DecisionError ModelUsage VerificationPlanFrozen VerificationStart VerificationEnd "
        "CancellationObserved TaskEscalated"
    ),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    module = _HOME_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
