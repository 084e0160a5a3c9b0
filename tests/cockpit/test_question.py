"""What a panel asks: all of the call, revealed, with the answers that apply."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.cockpit.consent.about_call import LINES_SHOWN, about_call
from agent_cockpit.cockpit.consent.diff_body import numbered
from agent_cockpit.cockpit.consent.question import about_dirty_tree
from agent_cockpit.cockpit.keys.key_table import KEYS
from agent_cockpit.text import has_hidden
from agent_cockpit.transcript.approval_view import ApprovalView

DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n"

values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def call(**given_values: Any) -> ApprovalView:
    return ApprovalView(**({"approval_id": "1", "tool": "run_command"} | given_values))


def body(**given_values: Any) -> str:
    return "\n".join(line.text for line in about_call(call(**given_values)).body)


@given(st.text(), st.dictionaries(st.text(), values, max_size=4), st.text(), st.text())
def test_nothing_hidden_is_left_in_what_a_person_reads(
    tool: str, call_input: dict[str, Any], reason: str, preview: str
) -> None:
    view = call(tool=tool, input=call_input, reason=reason, preview=preview, grant_scope=reason)
    question = about_call(view)
    lines = [line.text for line in (*question.body, *question.whole)]
    words = [option.words for option in question.options]
    assert not any(has_hidden(text) or "\n" in text for text in (*lines, *words, question.title))


@pytest.mark.parametrize(
    ("tool", "call_input", "title"),
    [
        ("run_command", {"command": "ls"}, "run a command?"),
        ("str_replace", {"path": "a.py"}, "change a.py?"),
        ("write_file", {"path": "a\nb"}, "write a␊b?"),
        ("delete_file", {}, "delete a file?"),
        ("switch_to_editing", {}, "go from looking to editing?"),
        ("mcp [/] tool", {}, "use mcp [/] tool?"),
    ],
)
def test_the_title_is_a_question_in_plain_words(
    tool: str, call_input: dict[str, Any], title: str
) -> None:
    assert about_call(call(tool=tool, input=call_input)).title == title


def test_a_command_is_shown_whole_with_its_further_lines() -> None:
    shown = body(input={"command": "one\ntwo"})
    assert shown.startswith("7 characters in 2 lines\n$ one\n  two")


def test_a_simple_command_is_not_shown_twice() -> None:
    shown = body(input={"command": "mkdir x"}, preview="mkdir x\n    tier 3 · makes folders")
    assert shown.count("mkdir x") == 1


@pytest.mark.parametrize(
    ("confinement", "tone"),
    [
        ("sandboxed · writes only in the workspace · no network", "muted"),
        ("sandboxed · writes only in the workspace · with network", "warning"),
        ("sandboxed · writes in the workspace and outside: /srv · no network", "warning"),
        ("no sandbox: it can do whatever you can", "warning"),
    ],
)
def test_what_the_sandbox_leaves_to_a_command_is_said(confinement: str, tone: str) -> None:
    shown = about_call(call(input={"command": "ls"}, confinement=confinement)).body
    assert [line.tone for line in shown if line.text == confinement] == [tone]


def test_the_parts_of_a_compound_command_are_all_shown() -> None:
    shown = body(input={"command": "a && b"}, preview="a\n    reads\nb\n    writes")
    assert shown.endswith("a\n    reads\nb\n    writes")


def test_an_edit_shows_its_lines_and_not_its_arguments() -> None:
    shown = body(tool="str_replace", input={"path": "x", "new_string": "secret"}, preview=DIFF)
    assert "+new" in shown
    assert "secret" not in shown


def test_what_is_cut_says_so_and_is_whole_on_demand() -> None:
    text = "\n".join(str(number) for number in range(LINES_SHOWN * 2))
    question = about_call(call(tool="note", input={"text": text}))
    assert "more lines: [v] shows all of it" in question.body[-1].text
    assert f"  {LINES_SHOWN * 2 - 1}" in [line.text for line in question.whole]


@pytest.mark.parametrize(("scope", "letters"), [("every x", "yarnv"), (None, "yrnv"), ("", "yrnv")])
def test_always_is_offered_only_with_its_scope(scope: str | None, letters: str) -> None:
    question = about_call(call(grant_scope=scope))
    assert "".join(option.letter for option in question.options) == letters


def test_the_answers_are_the_keys_of_the_table() -> None:
    options = about_call(call(grant_scope="every x")).options
    keys = {key for line in KEYS if line.where == "approval" for key in line.keys}
    assert {option.letter for option in options} <= keys


def test_a_check_of_the_folder_is_shown_once_and_taken_as_it_is() -> None:
    asked = call(tool="run_tests", input={"command": "make test"}, reason="from Makefile")
    question = about_call(asked)
    assert [line.text for line in question.body] == ["$ make test", "from Makefile"]
    assert "".join(option.letter for option in question.options) == "yrnv"


def test_an_escalation_says_its_reason_once() -> None:
    reason = "turns this investigation into an edit: x"
    asked = call(tool="switch_to_editing", input={"reason": "x"}, reason=reason)
    assert [line.text for line in about_call(asked).body] == [reason]


def test_a_dirty_tree_names_the_files_and_how_to_answer() -> None:
    question = about_dirty_tree("go on with --allow-dirty", ("a\x1b.py",))
    assert not any("--allow-dirty" in line.text for line in question.body)
    assert "  a␛.py" in [line.text for line in question.body]
    assert [option.letter for option in question.options] == ["y", "n"]


def test_a_question_is_a_value() -> None:
    question = about_call(call())
    assert question == about_call(call())
    with pytest.raises(dataclasses.FrozenInstanceError):
        question.title = "other"  # type: ignore[misc]


def test_inside_a_hunk_the_first_sign_says_what_a_line_is() -> None:
    """A removed SQL comment looks like the header of a file."""
    lines = [
        "--- a/x.sql",
        "+++ b/x.sql",
        "@@ -1,3 +1,3 @@",
        "--- old",
        " same",
        "",
        "+++ new",
        "--- a",
    ]
    tones = ["muted", "muted", "place", "removed", "plain", "plain", "added", "muted"]
    numbers = [-1, -1, 0, 1, 1, 2, 3, -1]
    old = [0, 0, 0, 0, 2, 3, 0, 0]
    assert list(numbered(lines)) == list(zip(tones, numbers, old, strict=True))


def test_what_is_no_whole_diff_is_toned_by_its_signs() -> None:
    assert [tone for tone, *_ in numbered(["+a", "-b", "c", "\\ No newline"])] == [
        "added",
        "removed",
        "plain",
        "muted",
    ]


def test_how_much_an_edit_changes_stands_in_its_title_and_not_once_more() -> None:
    edit = {"tool": "str_replace", "input": {"path": "x"}, "preview": DIFF, "tier": 1}
    question = about_call(call(**edit, reason="changes x (+1 -1)"))
    assert question.weight == "tier 1 · edits in the workspace · +1 −1"
    assert [line.text for line in question.body] == ["-old", "+new"]


def test_a_reason_that_says_more_than_how_much_is_kept() -> None:
    edit = {"tool": "str_replace", "input": {"path": "x"}, "preview": DIFF, "tier": 1}
    question = about_call(call(**edit, reason="changes x (+1 -1), outside the boundary"))
    assert question.body[0].text == "changes x (+1 -1), outside the boundary"
