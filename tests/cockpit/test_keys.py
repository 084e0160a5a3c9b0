"""One table of keys: no two meanings, and nothing that works is missing from it."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.keys.key import Situation
from agent_cockpit.cockpit.keys.key_table import KEYS, PANELS, PLACES
from agent_cockpit.cockpit.keys.keymap import Keymap
from agent_cockpit.cockpit.prompt.composer import Composer
from agent_cockpit.cockpit.replay_app import ReplayApp
from agent_cockpit.cockpit.screens.diff_modal import DiffModal
from agent_cockpit.cockpit.screens.help_screen import HelpScreen
from agent_cockpit.cockpit.widgets.note_field import NoteField
from agent_cockpit.text import cell_width

situations = st.builds(
    Situation,
    **{
        **{name: st.booleans() for name in Situation._fields},
        "reading": st.sampled_from(["", "search", "blocks", "menu"]),
    },
).map(lambda now: now._replace(read_only=True) if now.replays else now)
"""What is recorded can only be read."""


def test_ids_are_unique_and_places_known() -> None:
    assert max(Counter(line.id for line in KEYS).values()) == 1
    assert {line.where for line in KEYS} == set(PLACES)


@pytest.mark.parametrize("panel", PANELS)
def test_a_key_has_one_meaning_in_a_panel(panel: str) -> None:
    """What works anywhere gives way to the panel's own."""
    shared = "" if panel == "prompt" else "anywhere"
    places = [place for place in PANELS[panel] if place != shared]
    keys = [key for line in KEYS if line.where in places for key in line.keys]
    assert [key for key, count in Counter(keys).items() if count > 1] == []


def test_every_place_is_part_of_a_panel() -> None:
    assert {place for places in PANELS.values() for place in places} == set(PLACES)


def test_every_action_of_the_table_exists() -> None:
    homes = {"composer": Composer, "diff": DiffModal, "page": HelpScreen, "writing": NoteField}
    for line in KEYS:
        owner, _, name = line.action.partition("(")[0].rpartition(".")
        app = ReplayApp if line.where == "replay" else CockpitApp
        home = app if owner == "app" else homes.get(line.where)
        if line.action and home is not None:
            assert hasattr(home, f"action_{name}"), line.action


def test_help_names_every_key() -> None:
    named = [words for _, lines in Keymap().help() for _, words in lines]
    assert {line.words for line in KEYS} == set(named)


def test_a_line_without_a_key_of_its_own_says_whose_it_is() -> None:
    ids = {line.id for line in KEYS if line.keys}
    assert [line.id for line in KEYS if not line.keys and line.of not in ids] == []


@given(situations)
def test_the_footer_names_only_what_works(now: Situation) -> None:
    for line in KEYS:
        if line.shown is not None and line.shown(now):
            assert line.works(now), line.id


@given(situations)
def test_the_footer_is_short_and_names_no_label_twice(now: Situation) -> None:
    labels = [label for label, _ in Keymap().footer(now)]
    assert len(labels) == len(set(labels))
    assert all(cell_width(words) <= 16 for _, words in Keymap().footer(now))


@given(situations)
def test_the_footer_offers_to_send_only_where_that_works(now: Situation) -> None:
    if now.read_only or now.asking:
        assert not {"send", "steer", "queue"} & {words for _, words in Keymap().footer(now)}
