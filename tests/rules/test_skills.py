"""Skills are named without doubt, listed within a budget, and called by a person."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.model.reminders import SKILLS_MARK, to_send
from agent_cockpit.rules.model.skills import (
    FULL_ENTRY_CHARACTERS,
    MOST_NAME_CHARACTERS,
    NO_SKILLS,
    BrokenSkill,
    Skill,
    call_text,
    called,
    listing,
    named,
    parse_skill,
    reminder,
    slug,
)


def skill(name: str, scope: str = "project", **parts: Any) -> Skill:
    return Skill(name=name, scope=scope, path=f"/{scope}/{name}/SKILL.md", **parts)


def parsed(text: str, folder: str = "my-folder") -> Skill:
    return parse_skill(text, folder=folder, scope="project", path="/p/SKILL.md")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Review PR", "review-pr"),
        ("  a__b--c  ", "a-b-c"),
        ("über/läufer", "über-läufer"),
        ("!!!", ""),
        ("x" * 100, "x" * MOST_NAME_CHARACTERS),
        ("a" * 63 + "-b", "a" * 63),
    ],
)
def test_a_name_becomes_one_word(name: str, expected: str) -> None:
    assert slug(name) == expected


@given(st.text(max_size=200))
def test_every_slug_can_be_typed_and_stays_itself(name: str) -> None:
    word = slug(name)
    assert len(word) <= MOST_NAME_CHARACTERS
    assert len(word.split()) <= 1
    assert not word.startswith("-")
    assert not word.endswith("-")


def test_the_five_fields_are_read_and_others_ignored() -> None:
    made = parsed(
        "---\nname: Review PR\ndescription: Reviews.\nwhen-to-use: On asking.\n"
        "disable-model-invocation: true\nuser-invocable: false\nallowed-tools: all\n---\nDo it.\n"
    )
    assert (made.name, made.description, made.when_to_use) == (
        "review-pr",
        "Reviews.",
        "On asking.",
    )
    assert (made.is_listed, made.is_command, made.body) == (False, False, "Do it.")


def test_a_folder_names_a_skill_without_a_name() -> None:
    assert parsed("Do it.").name == "my-folder"
    assert parsed("---\nname: '!'\n---\n").name == "my-folder"
    with pytest.raises(ValueError, match="letter or a digit"):
        parsed("Do it.", folder="--")


def test_in_one_scope_the_first_stays_and_over_scopes_all_do() -> None:
    near, far = skill("review", body="near"), skill("review", body="far")
    mine, other = skill("review", "yours"), skill("alone", "yours")
    names = named([near, far, mine, other])
    assert [(each.name, each.body) for each in names] == [
        ("project:review", "near"),
        ("alone", ""),
        ("yours:review", ""),
    ]


def test_a_person_calls_by_name_unless_it_is_not_for_them() -> None:
    names = named([skill("review"), skill("secret", is_command=False)])
    assert called("Review", names) is not None
    assert called("secret", names) is None
    assert called("", names) is None


def test_a_call_is_the_body_as_it_is_and_the_arguments() -> None:
    body = "Do  it:\n\n    $ARGUMENTS {{x}}"
    text = call_text(skill("review", body=body), " the parser ")
    assert body in text
    assert text.endswith("ARGUMENTS: the parser")
    assert "ARGUMENTS:" not in call_text(skill("review", body="b"), " ")


def test_the_list_says_what_when_and_where() -> None:
    one = skill("review", description="Reviews.", when_to_use="asked")
    text = reminder([one, skill("hidden", is_listed=False)], 10_000)
    assert text.startswith(SKILLS_MARK)
    assert "- review: Reviews. Use when: asked (/project/review/SKILL.md)" in text
    assert "hidden" not in text
    assert reminder([skill("hidden", is_listed=False)], 10_000) == ""
    assert reminder([], 10_000) == ""


def test_a_list_that_is_too_long_degrades_in_steps() -> None:
    many = [skill(f"skill-{n:03}", description="word " * 200) for n in range(100)]
    full = reminder(many, 100 * (FULL_ENTRY_CHARACTERS + 1))
    assert "word word word word word word word word word word word word word" in full
    assert "(/project/skill-099/SKILL.md)" in full
    short = reminder(many, 20_000)
    assert "(/project/skill-099/SKILL.md)" in short
    assert len(short) < 21_000
    names = reminder(many, 200)
    assert names.splitlines()[-1].endswith(" more")
    shown = [line for line in names.splitlines() if line.startswith("- skill-")]
    assert f"{100 - len(shown)} more" in names


@given(st.integers(0, 3_000), st.integers(0, 60))
def test_a_list_keeps_to_its_budget(budget: int, count: int) -> None:
    many = [skill(f"s{n}", description="x" * (n * 7)) for n in range(count)]
    text = reminder(many, budget)
    head = text.split("\n- ")[0]
    assert len(text) <= len(head) + budget + 20


def test_a_changed_list_is_sent_whole_and_an_emptied_one_is_said_once() -> None:
    reminder_to_send = partial(to_send, gone=NO_SKILLS)
    first, second = reminder([skill("a")], 999), reminder([skill("b")], 999)
    assert reminder_to_send(first, None) == first
    assert reminder_to_send(first, first) is None
    assert reminder_to_send(second, first) == second
    gone = reminder_to_send("", second)
    assert gone is not None
    assert "none any more" in gone
    assert reminder_to_send("", gone) is None
    assert reminder_to_send("", None) is None


def test_a_person_sees_where_each_came_from_and_what_is_broken() -> None:
    text = listing(
        named([skill("review", description="Reviews.\x1b[2J"), skill("off", is_listed=False)]),
        [BrokenSkill(path="/p/x/SKILL.md", problem="its frontmatter has no closing ---")],
    )
    assert "/skill:review" in text
    assert "project: /project/review/SKILL.md" in text
    assert "[the model is not told]" in text
    assert "left out: /p/x/SKILL.md: its frontmatter" in text
    assert "no skills" in listing([], [])
