"""What a person does to a plan: notes stay where they belong, comparisons say what changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.cockpit.consent.plan_review import LINES_MATCHED, PlanReview

PLAN = "1. Divide\n2. Test\n3. Commit"


def shown(review: PlanReview) -> list[str]:
    return [line.text for line in review.lines()[0]]


def test_a_note_stands_below_its_line_and_goes_with_the_revision() -> None:
    review = PlanReview(PLAN)
    review.move(1)
    review.comment("one more\ncase")
    assert shown(review) == [
        "  1. Divide",
        "▸ 2. Test",
        "    ✎ one more",
        "    ✎ case",
        "  3. Commit",
    ]
    assert review.revision("be brief") == "be brief\n\nOn line 2, “2. Test”:\none more\ncase"
    review.comment("  ")
    assert review.comments == {}


def test_a_revision_without_a_word_is_empty() -> None:
    assert PlanReview(PLAN).revision("  ") == ""


def test_a_changed_text_goes_with_the_revision() -> None:
    review = PlanReview(PLAN)
    review.change("1. Divide\n2. Commit")
    assert review.revision("").endswith("go on from it:\n1. Divide\n2. Commit")
    assert review.is_edited


def test_an_emptied_text_is_the_proposed_one_again() -> None:
    review = PlanReview(PLAN)
    review.change(" \n ")
    assert (review.text, review.is_edited) == (PLAN, False)


@pytest.mark.parametrize(
    ("after", "places"),
    [
        ("0. Look\n1. Divide\n2. Test\n3. Commit", {2: "note"}),
        ("1. Divide\n3. Commit", {1: "note"}),
        ("2. Test", {0: "note"}),
        ("something else", {0: "note"}),
        ("1. Divide\n2. Test it\n3. Commit", {1: "note"}),
    ],
)
def test_a_note_keeps_its_line_when_the_text_changes(after: str, places: dict[int, str]) -> None:
    review = PlanReview(PLAN)
    review.move(1)
    review.comment("note")
    review.change(after)
    assert review.comments == places


def test_notes_whose_lines_become_one_are_both_kept() -> None:
    review = PlanReview(PLAN)
    for note in ("first", "second", "third"):
        review.comment(note)
        review.move(1)
    review.change("1. All of it")
    assert review.comments == {0: "first\nsecond\nthird"}


def test_comparing_goes_from_the_newest_text_to_the_oldest_and_ends() -> None:
    review = PlanReview(PLAN, ["1. Divide", "1. Divide\n2. Test"])
    review.change(PLAN + "\n4. Push")
    names = []
    for _ in range(5):
        names.append(review.compared_with)
        review.compare_next()
    assert names == ["", "what was proposed", "version 2", "version 1", ""]
    review.show_plan()
    review.compare_next()
    assert shown(review) == ["  1. Divide", "  2. Test", "  3. Commit", "+ 4. Push"]


def test_a_comparison_shows_what_went_and_what_came() -> None:
    review = PlanReview("1. Divide\n2. Test it", ["1. Divide\n2. Test\n3. Push"])
    review.compare_next()
    assert shown(review) == ["  1. Divide", "- 2. Test", "- 3. Push", "+ 2. Test it"]
    assert review.changes() == (1, 2)


def test_new_lines_are_marked_in_the_plan_itself() -> None:
    review = PlanReview(PLAN, ["1. Divide\n2. Test"])
    assert shown(review) == ["▸   1. Divide", "    2. Test", "  + 3. Commit"]


def test_a_plan_of_many_lines_is_compared_at_once() -> None:
    many = "\n".join(f"line {n % 7}" for n in range(LINES_MATCHED * 10))
    review = PlanReview(f"{many}\nlast", [f"first\n{many}"])
    assert review.changes()[0] > 0
    review.comment("here")
    review.change(f"new\n{many}\nlast")
    assert len(review.comments) == 1


texts = st.text(alphabet="ab\n \x1b[\u202e", max_size=60)


@given(texts, st.lists(texts, max_size=3), texts, st.lists(st.integers(-5, 5), max_size=6))
def test_no_note_is_lost_and_nothing_hidden_is_shown(
    plan: str, earlier: list[str], after: str, moves: list[int]
) -> None:
    review = PlanReview(plan, earlier)
    for number, move in enumerate(moves):
        review.move(move)
        review.comment(f"note {number}")
    before = sorted("\n".join(review.comments.values()).split("\n"))
    review.change(after)
    assert sorted("\n".join(review.comments.values()).split("\n")) == before
    assert all(0 <= place <= review.text.count("\n") for place in review.comments)
    for _ in range(6):
        lines, owners = review.lines()
        assert len(lines) == len(owners)
        assert not any("\x1b" in line.text or "\u202e" in line.text for line in lines)
        review.compare_next()
