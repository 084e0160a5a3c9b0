"""Walking through sent prompts loses nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.cockpit.prompt.history import History


def test_walking_back_and_forward_gives_the_draft_back() -> None:
    history = History(["one", "two"])
    assert history.back("draft") == "two"
    assert history.back("two") == "one"
    assert history.back("one") is None
    assert history.forward("one") == "two"
    assert history.forward("two") == "draft"
    assert history.forward("draft") is None


def test_the_same_prompt_twice_in_a_row_is_kept_once() -> None:
    history = History(["again", "again"])
    assert history.back("") == "again"
    assert history.back("again") is None


def test_an_empty_history_moves_nowhere() -> None:
    history = History()
    assert history.back("draft") is None
    assert history.forward("draft") is None


def test_a_changed_prompt_keeps_its_change_while_walking() -> None:
    history = History(["one", "two"])
    history.back("")
    history.back("two, but better")
    assert history.forward("one") == "two, but better"


def test_what_is_written_filters_the_walk() -> None:
    history = History(["fix a", "look", "fix b", "look again"])
    assert history.back("fix") == "fix b"
    assert history.back("fix b") == "fix a"
    assert history.back("fix a") is None
    assert history.forward("fix a") == "fix b"
    assert history.forward("fix b") == "fix"


def test_a_beginning_that_no_prompt_has_filters_nothing() -> None:
    assert History(["fix a", "look"]).back("why") == "look"


def test_a_walk_meets_the_same_prompt_once() -> None:
    history = History(["again", "other", "again"])
    assert [history.back(""), history.back(""), history.back("")] == ["again", "other", None]


def test_a_new_walk_begins_at_what_is_written_then() -> None:
    history = History(["fix a", "look"])
    assert history.back("") == "look"
    assert history.forward("look") == ""
    assert history.back("fix") == "fix a"


def test_prompts_of_earlier_sittings_stand_behind_the_present_ones() -> None:
    history = History(["now"], limit=3)
    assert history.back("") == "now"
    history.add_older(["long ago", "older", "old"])
    assert history.back("now") is None
    history.add("newest")
    assert history.newest_first() == ["newest", "now", "old"]


def test_sending_ends_the_walk() -> None:
    history = History(["one", "two"])
    history.back("draft")
    history.back("two")
    history.add("three")
    assert history.forward("") is None
    assert history.back("") == "three"


def test_only_the_newest_are_kept() -> None:
    history = History([str(number) for number in range(20)], limit=2)
    assert [history.back(""), history.back(""), history.back("")] == ["19", "18", None]


@given(st.lists(st.text(min_size=1)), st.text(), st.lists(st.booleans()))
def test_the_draft_survives_every_walk(prompts: list[str], draft: str, steps: list[bool]) -> None:
    history, shown = History(prompts), draft
    for back in steps:
        moved = history.back(shown) if back else history.forward(shown)
        shown = shown if moved is None else moved
    while (moved := history.forward(shown)) is not None:
        shown = moved
    assert shown == draft
