"""The public names of the package: all there, all lazy, no others."""

from __future__ import annotations

import inspect

import pytest

import agent_cockpit
from agent_cockpit.events.harness import HARNESS_EVENT_TYPES

NAMES = [
    *("Harness", "HarnessConfig", "AgentRunner", "TaskState", "Session", "ApprovalGrant"),
    *("ReplSession", "SessionState", "Turn", "MetaResult", "PlanDecision", "ModeClassifier"),
    *("EventBus", "JsonlEventJournal", "HarnessEvent", "Report", "TurnExecution", "ToolApproval"),
    *("CancellationToken", "InputQueue", "Approver", "AllowAll", "default_mode"),
]
EVENTS = [kind.__name__ for kind in HARNESS_EVENT_TYPES]


@pytest.mark.parametrize("name", [*NAMES, *EVENTS])
def test_every_public_name_resolves_to_a_documented_thing(name: str) -> None:
    value = getattr(agent_cockpit, name)
    assert getattr(agent_cockpit, name) is value
    if inspect.isclass(value):
        assert inspect.getdoc(value)


def test_there_are_nineteen_events() -> None:
    assert len(set(EVENTS)) == 19


def test_the_names_are_listed_and_no_others_are_lazy() -> None:
    assert set(agent_cockpit._HOME_OF) == {*NAMES, *EVENTS}
    assert {*NAMES, *EVENTS} <= set(dir(agent_cockpit))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = agent_cockpit.no_such_name


@pytest.mark.parametrize(
    ("owner", "methods"),
    [
        (
            "ReplSession",
            "start start_plan start_build record submit submit_plan run_meta set_mode "
            "resolve_mode run run_text history announce set_model set_effort add_root "
            "cancel_handle input_queue with_approver astart aresolve_mode arun_meta events "
            "resolve_approval cancel extract_plan plan_is_approvable",
        ),
        ("Session", "run events resolve_approval cancel"),
        ("CancellationToken", "cancel cancelled"),
        ("InputQueue", "push pending"),
        ("Harness", "from_env run arun session"),
    ],
)
def test_the_documented_methods_are_there(owner: str, methods: str) -> None:
    kind = getattr(agent_cockpit, owner)
    assert [name for name in methods.split() if not hasattr(kind, name)] == []
