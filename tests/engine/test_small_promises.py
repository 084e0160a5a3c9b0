"""Promises between tools and engine that neither could keep alone."""

from __future__ import annotations

from pathlib import Path

from agent_cockpit.check_trust import FolderCheckTrust
from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.harness import Harness, open_sitting
from agent_cockpit.settings import HarnessConfig
from tests.support.scripted_provider import ScriptedProvider, calls, says


def sitting_on(
    root: Path, provider: ScriptedProvider, state: Path, *, test_command: str = ""
) -> ReplSession:
    config = HarnessConfig(workspace_root=str(root), test_command=test_command)
    trust = FolderCheckTrust(root, state=state)
    trust.trust((test_command,))
    harness = Harness(config=config, provider=provider, state=state, check_trust=trust)
    return open_sitting(harness)


async def test_an_edit_inside_a_boundary_moves_its_end_and_the_next_edit_still_fits(
    tmp_path: Path,
) -> None:
    root = tmp_path / "w"
    root.mkdir()
    (root / "a.txt").write_text("one\ntwo\nthree\nfour\n")
    longer = {"path": "a.txt", "old_string": "two", "new_string": "two\ntwo and a half"}
    then = {"path": "a.txt", "old_string": "three", "new_string": "THREE"}
    outside = {"path": "a.txt", "old_string": "four", "new_string": "FOUR"}
    provider = ScriptedProvider(
        [
            calls(("str_replace", longer)),
            calls(("str_replace", then), ("str_replace", outside)),
            says("done"),
        ]
    )
    repl = sitting_on(root, provider, tmp_path / "s", test_command="true")
    repl.tolerate_dirt()
    assert "only in lines 2-3" in repl.run_meta("/boundary a.txt 2-3").text
    await repl.drive("fix a.txt")
    assert (root / "a.txt").read_text() == "one\ntwo\ntwo and a half\nTHREE\nfour\n"
    assert repl.execution.boundary(str(root / "a.txt")) == (1, 3)
    await repl.aclose()


async def test_an_answer_that_cites_a_search_hit_is_grounded(tmp_path: Path) -> None:
    root = tmp_path / "w"
    root.mkdir()
    (root / "notes.txt").write_text("the answer is 42\n")
    provider = ScriptedProvider(
        [calls(("search_repo", {"query": "answer"})), says("42, says notes.txt:1.")]
    )
    repl = sitting_on(root, provider, tmp_path / "s")
    state = await repl.drive("what is the answer?")
    assert state is not None
    assert state.verifier_results[-1].summary != "ungrounded"
    await repl.aclose()
