"""Whose a change is, and which goal is taken back or made again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.events.changes import ChangesKept, ChangesMoved, LeftPath, PathChange
from agent_cockpit.rules.undoing import (
    SLACK_NS,
    ChangeHistory,
    Differing,
    Whose,
    Work,
    reversed_change,
    told_to_model,
    whose,
)

SECOND = 1_000_000_000
BEGAN = 100 * SECOND
COMMAND = Work(110 * SECOND, 120 * SECOND)
EDIT = Work(130 * SECOND, 131 * SECOND, frozenset({"a"}))


@pytest.mark.parametrize(
    ("differing", "work", "expected"),
    [
        (Differing("x", 115 * SECOND), [COMMAND], "goal"),
        (Differing("x", 110 * SECOND - SLACK_NS), [COMMAND], "goal"),
        (Differing("x", 110 * SECOND - SLACK_NS - 1), [COMMAND], "others"),
        (Differing("x", 125 * SECOND), [COMMAND], "others"),
        (Differing("a", 130 * SECOND), [EDIT], "goal"),
        (Differing("x", 130 * SECOND), [EDIT], "others"),
        (Differing("a", 140 * SECOND), [EDIT], "both"),
        (Differing("a", 115 * SECOND), [COMMAND, EDIT], "goal"),
        (Differing("x", None), [COMMAND], "goal"),
        (Differing("a", None), [EDIT], "goal"),
        (Differing("x", None), [EDIT], "others"),
        (Differing("d/x", 50 * SECOND, (115 * SECOND,)), [COMMAND], "goal"),
        (Differing("d/x", 50 * SECOND, (125 * SECOND, 115 * SECOND)), [COMMAND], "goal"),
        (Differing("d/x", 50 * SECOND, (125 * SECOND,)), [COMMAND], "others"),
        (Differing("d/x", 125 * SECOND, (115 * SECOND,)), [COMMAND], "others"),
        (Differing("d/x", 50 * SECOND, (130 * SECOND,)), [EDIT], "others"),
        (Differing("x", 115 * SECOND), [], "others"),
        (
            Differing("x", 115 * SECOND),
            [Work(COMMAND.began_ns, COMMAND.ended_ns, frozenset())],
            "others",
        ),
    ],
)
def test_a_change_is_the_goals_where_its_call_ran_when_it_was_made(
    differing: Differing, work: list[Work], expected: Whose
) -> None:
    assert whose(differing, work, began_ns=BEGAN) == expected


@pytest.mark.parametrize("path", ["a", "x"])
def test_what_somebody_had_changed_when_a_call_changed_it_is_both_theirs(path: str) -> None:
    by_edit, by_command = Differing(path, 130 * SECOND), Differing(path, 115 * SECOND)
    expected = "both" if path == "a" else "others"
    assert whose(by_edit, [EDIT], began_ns=BEGAN, foreign={path}) == expected
    assert whose(by_command, [COMMAND], began_ns=BEGAN, foreign={path}) == "both"


def kept(name: str, *paths: str, problem: str = "") -> ChangesKept:
    return ChangesKept(
        task_id=name, goal=name, files=[PathChange(path=path) for path in paths], problem=problem
    )


def moved(to: str, name: str, *paths: str) -> ChangesMoved:
    return ChangesMoved.model_validate(
        {"to": to, "task_id": name, "files": [{"path": path} for path in paths]}
    )


MOVES = st.lists(st.sampled_from(["goal", "undo", "redo"]), max_size=30)


@given(MOVES)
def test_steps_are_undone_and_redone_like_pages_turned(moves: list[str]) -> None:
    """A pile of pages is turned back and forth; one more page takes the place of those turned."""
    history, standing, turned = ChangeHistory(), list[str](), list[str]()
    for number, move in enumerate(moves):
        if move == "goal":
            history = history.kept(kept(str(number), "a", "b"))
            standing, turned = [*standing, str(number)], []
        elif move == "undo" and standing:
            history = history.moved(moved("before", standing[-1], "a", "b"))
            turned.append(standing.pop())
        elif move == "redo" and turned:
            history = history.moved(moved("after", turned[-1], "a", "b"))
            standing.append(turned.pop())
        assert [step.task_id for step in history.standing] == standing
        assert [step.task_id for step in history.undone] == turned


def test_only_what_was_taken_back_can_be_made_again() -> None:
    history = ChangeHistory().kept(kept("one", "a", "b")).moved(moved("before", "one", "b"))
    assert [change.path for step in history.undone for change in step.files] == ["b"]
    assert history.standing == ()


def test_a_move_of_an_unknown_goal_changes_nothing() -> None:
    history = ChangeHistory().kept(kept("one", "a"))
    assert history.moved(moved("before", "two", "a")) == history
    assert history.moved(moved("after", "one", "a")) == history


def test_a_step_that_was_passed_over_stays_while_the_one_before_moves() -> None:
    history = ChangeHistory().kept(kept("one", "a")).kept(kept("two", problem="lost"))
    history = history.moved(moved("before", "one", "a"))
    assert [step.task_id for step in history.standing] == ["two"]


@given(st.sampled_from("AMD"), st.none() | st.integers(0), st.none() | st.integers(0))
def test_a_change_reversed_twice_is_the_change(
    status: str, added: int | None, removed: int | None
) -> None:
    change = PathChange.model_validate(
        {"path": "a", "status": status, "added": added, "removed": removed}
    )
    assert reversed_change(reversed_change(change)) == change


def test_the_model_is_told_of_thousands_of_files_in_a_few_lines() -> None:
    event = ChangesMoved(
        goal="g",
        files=[PathChange(path=f"f{n}", status="D") for n in range(5_000)],
        left=[LeftPath(path="mine", why="changed since")],
    )
    told = told_to_model(event)
    assert len(told.splitlines()) < 60
    assert "- gone now: f0\n" in told
    assert "and 4951 more files" in told
