"""The demo voice on the real sample project: it reacts, and it tells the truth."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agent_cockpit.events.messages import Message, TextBlock
from agent_cockpit.providers.demo.project import copy_demo_project
from agent_cockpit.providers.demo.voice import DemoProvider
from agent_cockpit.providers.protocol import ModelRequest, Stop, Text, Thought, Usage
from tests.providers.demo_engine import DemoEngine, Judge


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return copy_demo_project(tmp_path / "sample")


def commands(engine: DemoEngine) -> list[str]:
    return [given["command"] for tool, given in engine.calls if tool == "run_command"]


def names(engine: DemoEngine) -> list[str]:
    return [tool for tool, _ in engine.calls]


def passes(project: Path) -> bool:
    run = subprocess.run(
        [sys.executable, "-B", "-m", "unittest"], cwd=project, capture_output=True, check=False
    )
    return run.returncode == 0


async def test_what_was_changed_between_two_prompts_is_seen(project: Path) -> None:
    engine, faulty = DemoEngine(project), (project / "calc.py").read_text()
    await engine.ask("Fix the failing test")
    assert "already" in await engine.ask("Fix the failing test")
    (project / "calc.py").write_text(faulty)

    answer = await engine.ask("Fix the failing test")

    assert passes(project)
    assert "by one too few" in answer


def says_no_to(tool: str, reason: str) -> Judge:
    def judge(name: str, given: dict[str, Any]) -> str | None:
        return reason if name == tool else None

    return judge


async def test_the_failing_test_is_found_fixed_and_run(project: Path) -> None:
    assert not passes(project)
    engine = DemoEngine(project)

    answer = await engine.ask("Fix the failing test")

    assert passes(project)
    assert "`calc.py:11`" in answer
    assert "The tests pass." in answer
    assert names(engine).index("read_file") < names(engine).index("str_replace")
    assert names(engine).index("str_replace") < names(engine).index("run_tests")
    assert commands(engine) == ["mkdir -p notes", "mkdir -p notes/fixes"]
    assert (project / "notes" / "fixes").is_dir()
    told = "".join(message.text for message in engine.messages)
    assert "follow: answer `always` here" in told, "by key on the screen, by number in lines"
    assert "press" not in told


async def test_a_file_that_cannot_be_read_is_left_out(project: Path) -> None:
    def judge(tool: str, given: dict[str, Any]) -> str | None:
        return "private" if given.get("path") == "report.py" else None

    engine = DemoEngine(project, judge)
    await engine.ask("Fix the failing test")

    assert passes(project)
    assert [given["path"] for tool, given in engine.calls if tool == "read_file"].count(
        "report.py"
    ) == 1


async def test_a_second_fix_says_that_there_is_nothing_to_do(project: Path) -> None:
    engine = DemoEngine(project)
    await engine.ask("Fix the failing test")
    before = (project / "calc.py").read_bytes()

    answer = await engine.ask("Fix the failing test")

    assert "nothing to fix" in answer
    assert (project / "calc.py").read_bytes() == before
    assert names(engine).count("str_replace") == 1


async def test_a_denied_edit_is_not_repeated_and_its_reason_is_named(project: Path) -> None:
    engine = DemoEngine(project, says_no_to("str_replace", "I want to do it myself"))

    answer = await engine.ask("Fix the failing test")
    again = await engine.reject("diff_present: nothing changed")

    assert names(engine).count("str_replace") == 1
    assert "I want to do it myself" in answer
    assert "calc.py:11" in answer
    assert "nothing" in again
    assert not passes(project)


async def test_asked_to_try_again_it_proposes_the_denied_edit_anew(project: Path) -> None:
    engine = DemoEngine(project, says_no_to("str_replace", "not yet"))
    await engine.ask("Fix the failing test")
    engine.judge = lambda tool, given: None

    await engine.ask("try again")

    assert passes(project)


async def test_a_reason_that_names_another_way_is_followed(project: Path) -> None:
    def judge(tool: str, given: dict[str, Any]) -> str | None:
        wrong_way = tool == "str_replace" and "sum(" not in given["new_string"]
        return "use sum() instead" if wrong_way else None

    engine = DemoEngine(project, judge)
    await engine.ask("Fix the failing test")

    assert "return sum(numbers) / len(numbers)" in (project / "calc.py").read_text()
    assert passes(project)


async def test_after_a_denied_command_no_other_is_proposed(project: Path) -> None:
    engine = DemoEngine(project, says_no_to("run_command", "no folders please"))

    answer = await engine.ask("Fix the failing test")

    assert commands(engine) == ["mkdir -p notes"]
    assert "no folders please" in answer
    assert passes(project)


async def test_an_edit_that_does_not_fit_any_more_is_looked_at_again(project: Path) -> None:
    def fixed_meanwhile(tool: str, given: dict[str, Any]) -> str | None:
        if tool == "str_replace":
            text = (project / "calc.py").read_text()
            (project / "calc.py").write_text(text.replace("(len(numbers) - 1)", "len(numbers)"))
        return None

    engine = DemoEngine(project, fixed_meanwhile)

    answer = await engine.ask("Fix the failing test")

    assert names(engine).count("str_replace") == 1
    assert "nothing to fix" in answer


async def test_a_plan_comes_from_looking_only(project: Path) -> None:
    engine = DemoEngine(project)

    plan = await engine.ask("Fix the failing test", mode="plan")

    assert plan.startswith("## Plan\n\n1. Divide by the number of values in `calc.py`, line 11")
    assert {"list_files", "search_repo", "read_file"} >= set(names(engine))


@pytest.mark.parametrize(
    ("note", "comes", "goes"),
    [
        ("also add a test", "Add a test for a single number", None),
        ("no commands please", None, "notes/fixes"),
        ("explain it in the docs", "`notes/average.md`", None),
        ("run the tests first", "1. Run the tests once before", None),
        ("keep it polite", "Keep to your note: keep it polite", None),
    ],
)
async def test_a_note_changes_the_plan_visibly(
    project: Path, note: str, comes: str | None, goes: str | None
) -> None:
    engine = DemoEngine(project)
    first = await engine.ask("Fix the failing test", mode="plan")

    second = await engine.ask(
        "Fix the failing test", mode="plan", constraints=sent_back(first, note)
    )

    assert second.startswith("## Plan, version 2")
    if comes:
        assert comes in second
        assert comes not in first
    if goes:
        assert goes in first
        assert goes not in second


async def test_a_third_version_keeps_what_the_second_added(project: Path) -> None:
    engine = DemoEngine(project)
    plan = await engine.ask("Fix it", mode="plan")
    plan = await engine.ask("Fix it", mode="plan", constraints=sent_back(plan, "add a test"))

    plan = await engine.ask("Fix it", mode="plan", constraints=sent_back(plan, "drop the folder"))

    assert plan.startswith("## Plan, version 3")
    assert "Add a test" in plan
    assert "Make the folder" not in plan


def sent_back(plan: str, note: str) -> str:
    lines = "\n".join(line for line in plan.splitlines() if line)
    return (
        f"Hold to this:\n- The plan so far:\n{lines}\n"
        f"The person sends it back with this note:\n{note}\n"
        f"Refused earlier in this conversation, with the reason:\n- nothing"
    )


async def test_an_approved_plan_is_built_as_it_stands(project: Path) -> None:
    engine = DemoEngine(project)
    await engine.ask("Fix the failing test", mode="plan")
    plan = (
        "1. Divide by the number of values in `calc.py`\n"
        "2. Add a test for a single number\n"
        "3. Write down what was wrong in `notes/average.md`\n"
        "4. Run the tests"
    )

    held_to = f"Hold to this:\n- The approved plan:\n{plan}"
    await engine.ask("Fix the failing test", mode="build", constraints=held_to)

    assert passes(project)
    assert "test_spread_of_one_number" in (project / "test_calc.py").read_text()
    assert (project / "notes" / "average.md").is_file()
    assert commands(engine) == []


async def test_what_the_person_adds_meanwhile_is_heard(project: Path) -> None:
    engine = DemoEngine(project)
    engine.steering = "be careful with calc.py"

    await engine.ask("Fix the failing test")

    said = [message.text for message in engine.messages if message.role == "assistant"]
    assert sum("be careful with calc.py" in text for text in said) == 1
    assert passes(project)


async def test_told_to_stop_it_stops(project: Path) -> None:
    engine = DemoEngine(project)
    engine.steering = "stop, please"

    answer = await engine.ask("Fix the failing test")

    assert answer.startswith("You added")
    assert "I stop here" in answer
    assert not passes(project)


async def test_a_test_can_be_added_alone(project: Path) -> None:
    engine = DemoEngine(project)

    await engine.ask("Add a test for one number", mode="test_only")

    assert "test_spread_of_one_number" in (project / "test_calc.py").read_text()
    assert "(len(numbers) - 1)" in (project / "calc.py").read_text()


async def test_a_denied_test_is_told_as_such(project: Path) -> None:
    engine = DemoEngine(project, says_no_to("str_replace", "no"))

    assert "not added" in await engine.ask("Write a test", mode="test_only")
    assert names(engine).count("str_replace") == 1


async def test_an_objection_to_a_claim_is_answered_honestly(project: Path) -> None:
    engine = DemoEngine(project)
    await engine.ask("Fix the failing test")

    answer = await engine.reject("The check `python -m unittest` failed with exit code 127.")

    assert "exit code 127" in answer
    assert "calc.py" in answer
    assert names(engine).count("str_replace") == 1


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("hello", "Hello!"),
        ("Thanks!", "You are welcome."),
        ("What can you do?", "Fix the failing test"),
        ("what did you change?", "Nothing so far"),
        ("tell me more", "| mistake |"),
        ("Explain at length how a mean goes wrong", "```python"),
    ],
)
async def test_it_chats_without_touching_anything(project: Path, prompt: str, answer: str) -> None:
    engine = DemoEngine(project)

    assert answer in await engine.ask(prompt, mode="investigate")
    assert engine.calls == []


@pytest.mark.parametrize("prompt", ["Where is the bug?", "Why does the test fail?"])
async def test_a_question_about_the_bug_is_answered_from_the_files(
    project: Path, prompt: str
) -> None:
    (project / "calc.py").write_text("# one line more\n" + (project / "calc.py").read_text())
    engine = DemoEngine(project)

    answer = await engine.ask(prompt, mode="investigate")

    assert "`calc.py:12`" in answer
    assert "str_replace" not in names(engine)


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("What does spread do?", "`spread` (`calc.py:14`) says of itself: Return the distance"),
        ("How does average work?", "It does not: `calc.py:11` divides by one too few."),
        ("What is this project?", "`README.md` says: A few sums over lists of numbers"),
        ("What is the capital of France?", "I cannot do that"),
    ],
)
async def test_other_questions_are_answered_as_far_as_the_files_go(
    project: Path, prompt: str, words: str
) -> None:
    assert words in await DemoEngine(project).ask(prompt, mode="investigate")


async def test_a_denied_step_of_a_plan_is_named_and_the_rest_is_built(project: Path) -> None:
    def judge(tool: str, given: dict[str, Any]) -> str | None:
        return (
            "my own style"
            if given.get("path") == "test_calc.py" and "new_string" in given
            else None
        )

    engine = DemoEngine(project, judge)
    await engine.ask("Fix it", mode="plan")
    held_to = "- The approved plan:\n1. Divide\n2. Add a test for a single number\n3. Run the tests"

    answer = await engine.ask("Fix it", mode="build", constraints=held_to)

    assert "You said no to an edit (“my own style”)" in answer
    assert passes(project)


async def test_an_unknown_goal_is_looked_at_and_declined(project: Path) -> None:
    engine = DemoEngine(project)

    answer = await engine.ask("Port this to Fortran")

    assert "I cannot do that" in answer
    assert "`calc.py`" in answer
    assert names(engine) == ["list_files"]


async def test_something_slow_is_a_long_command(project: Path) -> None:
    engine = DemoEngine(project, says_no_to("run_command", "no time"))

    answer = await engine.ask("Run something slow")

    assert commands(engine) == ["sleep 30"]
    assert "nothing was run" in answer


async def test_without_a_question_tool_it_ends_in_plain_words(project: Path) -> None:
    engine = DemoEngine(project, says_no_to("str_replace", ""))
    engine.tools = [tool for tool in engine.tools if tool != "ask_user"]

    answer = await engine.ask("Fix the failing test")

    assert "You said no to the edit" in answer
    assert engine.messages[-1].calls == ()


async def test_a_reply_is_cut_in_words_and_accounted_for() -> None:
    request = ModelRequest(
        messages=(Message(role="user", blocks=(TextBlock(text="tell me more"),)),)
    )
    pieces = [piece async for piece in DemoProvider(pace_s=0).stream(request)]

    words = [piece.text for piece in pieces if isinstance(piece, Text)]
    assert len(words) > 300
    assert max(len(word.strip()) for word in words) < 40
    assert isinstance(pieces[-2], Usage)
    assert pieces[-2].completion_tokens > 300
    assert pieces[-1] == Stop("end_turn")


@pytest.mark.parametrize("said", ["", "   ", "\x00\x1b]0;x\x07", "a" * 100_000, "((((("])
async def test_any_prompt_gets_a_reply(said: str) -> None:
    request = ModelRequest(messages=(Message.of("user", said),))

    pieces = [piece async for piece in DemoProvider(pace_s=0).stream(request)]

    assert isinstance(pieces[-1], Stop)
    assert any(isinstance(piece, Text | Thought) for piece in pieces)


async def test_an_empty_conversation_gets_a_reply() -> None:
    pieces = [p async for p in DemoProvider(pace_s=0).stream(ModelRequest(messages=()))]

    assert isinstance(pieces[-1], Stop)
