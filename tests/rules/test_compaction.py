"""One message stands for the oldest part of a conversation, and nothing that matters is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.events.messages import Message, TextBlock, ToolResultBlock, ToolUseBlock
from agent_cockpit.rules.model.compaction import (
    SUMMARY_MARK,
    cut,
    digest,
    is_worth_it,
    opening_texts,
    script,
    summary_message,
)
from agent_cockpit.rules.model.context import holds_results, size_of
from agent_cockpit.rules.model.pairing import Repairs, repair
from agent_cockpit.rules.model.reminders import INSTRUCTIONS_MARK, SKILLS_MARK, newest


def opening(prompt: str, *reminders: str) -> Message:
    texts = ("Goal kind: edit.", *reminders, prompt)
    return Message(role="user", blocks=tuple(TextBlock(text=text) for text in texts))


def step(name: str, output: str = "fine", *, failed: bool = False) -> list[Message]:
    call = ToolUseBlock(call_id=name, name="read_file", input={"path": name})
    result = ToolResultBlock(call_id=name, content=output, is_error=failed)
    return [Message(role="assistant", blocks=(call,)), Message(role="user", blocks=(result,))]


def talk(goals: int) -> list[Message]:
    return [
        message
        for number in range(goals)
        for message in (
            opening(f"goal {number}"),
            *step(f"{number}.txt", "x" * 500),
            Message.of("assistant", f"answer {number}"),
        )
    ]


def test_a_quarter_stays_word_for_word() -> None:
    said = talk(8)
    parts = cut(said)
    assert parts is not None
    assert (*parts.old, *parts.kept) == tuple(said)
    assert 0 < size_of(parts.kept) <= size_of(said) // 4


@pytest.mark.parametrize("room", [2_000, 5_000, 10_000])
def test_of_what_outgrew_the_window_a_quarter_of_the_window_stays(room: int) -> None:
    said = talk(100)
    parts = cut(said, room)
    assert parts is not None
    assert 0 < size_of(parts.kept) <= room // 4
    assert cut(said, 10 * size_of(said)) == cut(said)


@pytest.mark.parametrize(
    ("answer_characters", "kept"), [(100, 1), (3_000, 1), (9_000, 0)], ids=["short", "long", "all"]
)
def test_the_last_answer_stays_unless_it_is_nearly_everything(
    answer_characters: int, kept: int
) -> None:
    answer = Message.of("assistant", "a" * answer_characters)
    said = [opening("read"), *step("a", "x" * 5_000), answer]
    parts = cut(said)
    assert parts is not None
    assert len(parts.kept) == kept


@pytest.mark.parametrize(
    "said", [[], [opening("only this")], [opening("a"), *step("b")][:2]], ids=["", "one", "call"]
)
def test_what_is_one_piece_is_not_cut(said: list[Message]) -> None:
    parts = cut(said)
    assert parts is None or not holds_results((*parts.kept, opening("x"))[0])


@given(sizes=st.lists(st.integers(0, 5_000), max_size=20), tail=st.booleans())
def test_no_cut_parts_a_call_from_its_result(sizes: list[int], tail: bool) -> None:
    said = [
        opening("begin"),
        *(m for n, size in enumerate(sizes) for m in step(str(n), "x" * size)),
    ]
    said = [*said, Message.of("assistant", "done")] if tail else said
    parts = cut(said)
    if parts is not None:
        assert parts.old
        for part in (parts.old, parts.kept):
            assert repair(part)[1] == Repairs()


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [(100_000, 20_000, True), (100_000, 95_000, False), (100_000, 120_000, False), (900, 1, False)],
)
def test_a_compaction_must_be_worth_its_loss(before: int, after: int, expected: bool) -> None:
    assert is_worth_it(before, after) is expected


def test_reminders_of_the_old_part_are_still_shown_unless_newer_ones_are() -> None:
    said = [
        opening("one", f"{INSTRUCTIONS_MARK}\n\nwhisper", f"{SKILLS_MARK}\n- old"),
        *step("a", "x" * 9_000),
        opening("two", f"{SKILLS_MARK}\n- new"),
        Message.of("assistant", "ok"),
    ]
    parts = cut(said)
    assert parts is not None
    shown = [summary_message("gist", parts), *parts.kept]
    assert newest(shown, INSTRUCTIONS_MARK) == f"{INSTRUCTIONS_MARK}\n\nwhisper"
    assert newest(shown, SKILLS_MARK) == f"{SKILLS_MARK}\n- new"
    assert "- old" not in "".join(message.text for message in shown)


def test_a_second_summary_builds_on_the_first_and_carries_its_reminders() -> None:
    first = cut([opening("one", f"{INSTRUCTIONS_MARK}\n\nwhisper"), *talk(8)])
    assert first is not None
    summary = summary_message("they want blue", first, pins=["Open question: which blue?"])
    again = cut([summary, *first.kept, *talk(8)])
    assert again is not None
    rules = digest(again.old, 4_000)
    assert "they want blue" in rules
    assert "which blue?" in rules
    assert "they want blue" in script(again.old, 4_000)
    carried = summary_message(rules, again)
    assert newest([carried], INSTRUCTIONS_MARK) == f"{INSTRUCTIONS_MARK}\n\nwhisper"
    assert rules.count("whisper") == 0


def test_summaries_of_summaries_do_not_grow() -> None:
    said = talk(20)
    for number in range(12):
        parts = cut(said)
        assert parts is not None
        summary = summary_message(digest(parts.old, 2_000), parts, pins=[f"pin {number}"])
        assert size_of([summary]) < 2_500
        assert summary.text.count("Earlier:") <= 1
        said = [summary, *parts.kept, *talk(20)]
    assert "pin 10" in said[0].text


def test_a_running_goals_words_are_repeated_without_the_reminders_beside_them() -> None:
    begun = opening("paint it", f"{INSTRUCTIONS_MARK}\n\nwhisper")
    assert opening_texts(begun) == ("Goal kind: edit.", "paint it")


def test_a_digest_says_who_asked_what_and_what_failed() -> None:
    said = [opening("find it"), *step("a.py", "no such file", failed=True), *step("b.py")]
    text = digest([*said, Message.of("assistant", "here")], 2_000)
    assert text.splitlines() == [
        "person: find it",
        "call: read_file {'path': 'a.py'}",
        "failed: no such file",
        "call: read_file {'path': 'b.py'}",
        "model: here",
    ]


@given(limit=st.integers(0, 5_000))
def test_a_digest_keeps_to_its_limit_and_prefers_what_is_new(limit: int) -> None:
    said = talk(200)
    for text in (digest(said, limit), script(said, limit)):
        assert len(text) <= limit + 60
        if limit > 800:
            assert "answer 199" in text
            assert "older entries are left out" in text


def test_a_summary_says_that_it_is_one() -> None:
    parts = cut(talk(4))
    assert parts is not None
    text = summary_message("gist", parts, pins=["", "hold"]).text
    assert text.startswith(SUMMARY_MARK)
    assert f"its {len(parts.old)} oldest messages" in text
    assert "- hold" in text
    assert "- \n" not in text
