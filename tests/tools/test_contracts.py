"""declare_verification, alter_verification, switch_to_editing: what a person gets to decide."""

from __future__ import annotations

import pytest

from agent_cockpit.errors import ToolRefused
from agent_cockpit.events.checks import PlannedCheck
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.tools.alter_verification import AlterVerification, AlterVerificationInput
from agent_cockpit.tools.contract_call import ContractInput
from agent_cockpit.tools.declare_verification import DeclareVerification
from agent_cockpit.tools.switch_to_editing import SwitchToEditing, SwitchToEditingInput
from tests.tools.conftest import MakeDeps


def contract(*commands: str, **more: object) -> ContractInput:
    return ContractInput.model_validate(
        {"checks": [{"command": command} for command in commands], **more}
    )


async def test_a_declaration_is_buffered_as_a_contract(make_deps: MakeDeps) -> None:
    result = await DeclareVerification().run(contract("make a && make b"), make_deps())
    assert result.contract is not None
    assert [check.command for check in result.contract.checks] == ["make a", "make b"]
    assert result.contract.change_kinds == ("code",)
    assert result.content == "declared for changes of code:\ndeclared_1: make a\ndeclared_2: make b"


async def test_what_will_be_run_unasked_later_is_asked_about_now(make_deps: MakeDeps) -> None:
    facts = await DeclareVerification().facts(contract("node check.js"), make_deps())
    assert (facts.tier, facts.grantable, facts.mutates) == (3, False, False)
    assert "node check.js" in facts.preview
    known = make_deps(config=HarnessConfig(test_command="node check.js"))
    facts = await DeclareVerification().facts(contract("node check.js"), known)
    assert facts.tier == 0


@pytest.mark.parametrize("command", ["rm -rf src", "git push", "cat .env"])
async def test_a_check_that_destroys_sends_or_looks_at_secrets_is_refused(
    make_deps: MakeDeps, command: str
) -> None:
    with pytest.raises(ToolRefused, match="cannot be a check"):
        await DeclareVerification().facts(contract("pytest", command), make_deps())


async def test_a_contract_that_proves_nothing_is_refused_before_anybody_is_asked(
    make_deps: MakeDeps,
) -> None:
    for checks in ([], ["true"], ["pytest | tail"]):
        with pytest.raises(ToolRefused):
            await DeclareVerification().facts(contract(*checks), make_deps())


async def test_an_amendment_is_asked_every_time_and_gives_its_reason(make_deps: MakeDeps) -> None:
    args = AlterVerificationInput.model_validate(
        {"checks": [{"command": "pytest -q"}], "rationale": "there\x1b is\nno Makefile"}
    )
    facts = await AlterVerification().facts(args, make_deps())
    assert (facts.tier, facts.grantable, facts.scope_words) == (3, False, None)
    assert facts.reason == "changes what proves the work: there␛ is␊no Makefile"
    result = await AlterVerification().run(args, make_deps())
    assert result.contract is not None
    assert result.contract.rationale == args.rationale
    with pytest.raises(ToolRefused, match="rationale is empty"):
        await AlterVerification().facts(args.model_copy(update={"rationale": " "}), make_deps())


async def test_an_amendment_is_shown_with_the_old_and_the_new_commands(
    make_deps: MakeDeps,
) -> None:
    plan = (
        PlannedCheck(name="declared_1", command="make check", kind="declared"),
        PlannedCheck(name="declared_2", command="pytest -q", kind="declared"),
        PlannedCheck(name="tests", command="tox", kind="test"),
    )
    args = AlterVerificationInput.model_validate(
        {
            "checks": [{"command": "pytest -q"}, {"command": "python3 che\u202eck.py"}],
            "change_kinds": ["code"],
            "rationale": "no Makefile",
        }
    )
    facts = await AlterVerification().facts(args, make_deps(frozen_checks=plan))
    shown = facts.preview.split("\n")
    assert shown[:5] == [
        "@@ what proves the work @@",
        "-make check",
        "+python3 che<U+202E>ck.py",
        " pytest -q",
        " tox",
    ]
    assert shown[5] == "@@ for changes of code; what runs @@"
    assert all(line.startswith(" ") for line in shown[6:])
    assert any("tier" in line for line in shown[6:])


async def test_escalation_is_asked_every_time(make_deps: MakeDeps) -> None:
    args = SwitchToEditingInput(reason="the off-by-one in calc.py")
    facts = await SwitchToEditing().facts(args, make_deps())
    assert (facts.tier, facts.grantable) == (3, False)
    assert "calc.py" in facts.reason
    assert (await SwitchToEditing().run(args, make_deps())).escalate
    with pytest.raises(ToolRefused):
        await SwitchToEditing().facts(SwitchToEditingInput(reason="  "), make_deps())
