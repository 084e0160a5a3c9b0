"""`/permissions`: what stands, how often it was used, since when, and taking it back."""

from __future__ import annotations

import pytest

from agent_cockpit.check_trust import FolderCheckTrust
from agent_cockpit.engine.consent.ledger import Ledger
from agent_cockpit.engine.record.past import refusal_words
from agent_cockpit.events.harness import ApprovalRequested
from agent_cockpit.rules.consent.grants import ApprovalGrant
from agent_cockpit.rules.consent.scopes import SeenCall
from agent_cockpit.rules.facts import CallFacts
from tests.support.goals import CHECK, Folder, no, questions, run_with, runs, writes, yes
from tests.support.scripted_provider import Reply, calls, says


def touch(name: str) -> SeenCall:
    facts = CallFacts(tool="run_command", tier=3, command=f"touch {name}", prefix="touch")
    return SeenCall("goal", f"run_command:touch {name}", facts)


TOUCH = ApprovalGrant(tool="run_command", prefix="touch", tier=3)


def test_uses_are_counted_from_the_moment_a_grant_was_given() -> None:
    now_s = 100.0
    ledger = Ledger(lambda: now_s)
    ledger.seen += [touch("a"), touch("b")]
    ledger.gave(TOUCH)
    assert ledger.use_of(TOUCH).times == 0
    ledger.seen += [touch("a"), touch("c")]
    ledger.gave("run_command:touch c")
    now_s = 160.0
    assert (ledger.use_of(TOUCH).times, ledger.use_of(TOUCH).age_s) == (2, 60.0)
    assert ledger.use_of("run_command:touch c").times == 0


def test_a_grant_that_was_made_by_hand_has_no_age() -> None:
    ledger = Ledger(lambda: 1.0)
    ledger.seen.append(touch("a"))
    assert (ledger.use_of(TOUCH).times, ledger.use_of(TOUCH).age_s) == (1, None)


def test_what_is_given_again_is_counted_anew() -> None:
    ledger = Ledger(lambda: 1.0)
    ledger.gave(TOUCH)
    ledger.seen.append(touch("a"))
    ledger.gave(TOUCH)
    assert ledger.use_of(TOUCH).times == 0


async def listed(folder: Folder, *script: Reply, **how: object) -> str:
    repl = folder.sitting(*script, says("ok"), max_repair_attempts=1)
    repl.set_mode("edit")
    session = repl.start("go")
    await run_with(session, yes(session, **how))
    return repl.run_meta("/permissions").text


async def test_a_grant_is_listed_with_its_uses_and_its_age(folder: Folder) -> None:
    text = await listed(folder, runs("touch a"), runs("touch b"), runs("touch c"), remember=True)
    line = text.splitlines()[1]
    assert line.startswith("1  every `touch …` (tier 3), this sitting, used 2 times")
    assert line.endswith(" ago")


@pytest.mark.parametrize(("scope", "reach"), [("session", "this sitting"), ("turn", "this goal")])
async def test_trust_is_listed_as_exactly_what_it_covers(
    folder: Folder, scope: str, reach: str
) -> None:
    repl = folder.sitting(runs("touch a"), runs("touch a"), runs("touch z"), says("ok"))
    repl.set_mode("investigate")
    session = repl.start("go")
    listing = []

    async def person(question: ApprovalRequested) -> None:
        listing.append(repl.run_meta("/permissions").text)
        await session.resolve_approval(question.approval_id, allow=True, scope=scope)

    await run_with(session, person)
    assert len(questions(session)) == 2
    assert f"1  exactly `touch a`, {reach}, used 1 time, given" in listing[1]


async def test_a_folders_remembered_checks_are_listed_and_forgotten(folder: Folder) -> None:
    trust = FolderCheckTrust(folder.root, state=folder.state)
    script = (writes(), says("done"), writes("good 2\n"), says("done"))
    repl = folder.sitting(*script, check_trust=trust)
    repl.set_mode("edit")
    first = repl.start("one")
    repl.record(await run_with(first, yes(first)))
    assert f"1  the check `{CHECK}`, this folder" in repl.run_meta("/permissions").text
    assert repl.run_meta("/permissions revoke 1").text == f"revoked: the check `{CHECK}`"
    second = repl.start("two")
    await run_with(second, yes(second))
    assert len(questions(second)) == 1


async def test_all_takes_back_grants_trust_and_checks(folder: Folder) -> None:
    trust = FolderCheckTrust(folder.root, state=folder.state)
    trust.trust((CHECK, "other"))
    FolderCheckTrust(folder.root.parent, state=folder.state).trust(("theirs",))
    repl = folder.sitting(check_trust=trust)
    repl.state.grants.append(TOUCH)
    assert repl.run_meta("/permissions revoke all").text == "3 standing approvals revoked"
    assert (repl.state.grants, trust.listed()) == ([], ())
    assert FolderCheckTrust(folder.root.parent, state=folder.state).listed() == ("theirs",)


async def test_a_no_is_listed_with_its_reason(folder: Folder) -> None:
    repl = folder.sitting(runs("touch x"), says("ok"))
    repl.set_mode("investigate")
    session = repl.start("go")
    await run_with(session, no(session, "use make"))
    text = repl.run_meta("/permissions").text
    assert text.splitlines() == [
        "no standing approvals in this sitting",
        "refused lately:",
        "- run touch x: use make",
    ]


def test_a_refused_call_without_a_subject_leaves_no_gap() -> None:
    assert refusal_words("switch_to_editing", {"reason": "x"}, "no") == "switch_to_editing: no"


def test_with_nothing_to_revoke_it_says_that_none_stands(folder: Folder) -> None:
    text = folder.sitting().run_meta("/permissions revoke 1").text
    assert text == "no standing approvals in this sitting"


async def test_a_revoked_trust_is_asked_about_again(folder: Folder) -> None:
    repl = folder.sitting(*[runs("touch a")] * 3, says("ok"), says("ok"))
    repl.set_mode("investigate")
    session = repl.start("go")

    async def person(question: ApprovalRequested) -> None:
        await session.resolve_approval(question.approval_id, allow=True, scope="session")

    await run_with(session, person)
    assert len(questions(session)) == 1
    assert repl.run_meta("/permissions revoke 1").text == "revoked: exactly `touch a`"
    assert dict(repl.execution.trust_levels) == {}


async def test_trust_in_a_tool_is_listed_as_every_call_of_it(folder: Folder) -> None:
    repl = folder.sitting(writes("one\n"), says("ok"), asks_edits=True, max_repair_attempts=1)
    repl.set_mode("edit")
    session = repl.start("go")
    await run_with(session, yes(session, remember=True))
    assert "`write_file …`" not in repl.run_meta("/permissions").text
    assert (
        "1  every write of a whole file (tier 1), this sitting"
        in repl.run_meta("/permissions").text
    )


def test_reading_the_list_needs_no_call(folder: Folder) -> None:
    repl = folder.sitting(calls(("read_file", {"path": "a.txt"})))
    assert repl.run_meta("/permissions").text == "no standing approvals in this sitting"


async def test_accepted_edits_are_listed_and_taken_back_like_any_other_consent(
    folder: Folder,
) -> None:
    repl = folder.sitting(writes(), says("ok"), asks_edits=True, max_repair_attempts=1)
    assert repl.run_meta("/permissions").text.startswith("no standing approvals")
    assert repl.cycle_consent() == "accept edits"
    listed = "1  every edit in the workspace (tier 1), this sitting, by accepting edits"
    assert listed in repl.run_meta("/permissions").text
    assert repl.run_meta("/permissions revoke 1").text == "revoked: every edit in the workspace"
    repl.set_mode("edit")
    session = repl.start("go")
    await run_with(session, no(session))
    assert len(questions(session)) == 1
    assert folder.text() == "bad\n"


def test_where_nobody_is_asked_about_edits_none_are_listed_as_accepted(folder: Folder) -> None:
    repl = folder.sitting(says("ok"))
    assert repl.run_meta("/permissions").text.startswith("no standing approvals")
