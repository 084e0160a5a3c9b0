"""One table of keys: no two meanings, and nothing that works is missing from it."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.key import Situation
from agent_cockpit.cockpit.key_table import KEYS, PLACES
from agent_cockpit.cockpit.keys import bindings, footer, key_help
from agent_cockpit.cockpit.widgets.composer import Composer
from agent_cockpit.text import cell_width

situations = st.builds(
    Situation,
    **{
        **{name: st.booleans() for name in Situation.__dataclass_fields__},
        "reading": st.sampled_from(["", "search", "blocks", "menu"]),
    },
)


def test_ids_are_unique_and_places_known() -> None:
    assert max(Counter(line.id for line in KEYS).values()) == 1
    assert {line.where for line in KEYS} == set(PLACES)


@pytest.mark.parametrize("place", PLACES)
def test_a_key_has_one_meaning_in_a_place(place: str) -> None:
    shared = ["anywhere"] if place == "composer" else []
    keys = [key for line in KEYS if line.where in {place, *shared} for key in line.keys]
    assert [key for key, count in Counter(keys).items() if count > 1] == []


def test_every_action_of_the_table_exists() -> None:
    for binding in bindings("composer", "anywhere"):
        owner, _, name = binding.action.rpartition(".")
        home = CockpitApp if owner == "app" else Composer
        assert hasattr(home, f"action_{name.split('(')[0]}"), binding.action


def test_help_names_every_key() -> None:
    named = [label for _, lines in key_help() for label, _ in lines]
    assert sorted(named) == sorted(line.label for line in KEYS)


@given(situations)
def test_the_footer_is_short_and_names_no_label_twice(now: Situation) -> None:
    labels = [label for label, _ in footer(now)]
    assert len(labels) == len(set(labels))
    assert all(cell_width(words) <= 16 for _, words in footer(now))


@given(situations)
def test_the_footer_offers_to_send_only_where_that_works(now: Situation) -> None:
    if now.read_only or now.asking:
        assert not {"send", "steer", "queue"} & {words for _, words in footer(now)}
