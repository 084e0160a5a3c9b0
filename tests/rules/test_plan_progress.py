"""A step is ticked by evidence; a file that the plan does not name is a stray."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.plan_progress import (
    Progress,
    begin,
    commanded,
    edited,
    files_named,
    is_named,
    noticed,
    passed,
    said,
)

PLAN = """\
1. Divide by the count in `calc.py`, line 11
2. Add a test to `tests/test_calc.py`
3. Run the tests: `python -m unittest`
4. Tell what was wrong

Touches `calc.py` and docs/why.md, no network."""


def done(progress: Progress) -> list[int]:
    return [step.number for step in progress.steps if step.is_done]


def test_an_edit_of_a_file_that_a_step_names_ticks_it() -> None:
    progress = edited(begin(PLAN), ["calc.py"])
    assert done(progress) == [1]
    assert progress.steps[0].why == "edited calc.py"
    assert done(edited(progress, ["src/tests/test_calc.py"])) == [1, 2]


def test_a_step_with_two_files_waits_for_both_or_for_the_models_word() -> None:
    progress = edited(begin("1. Move it from `a.py` to `b.py`\n2. Commit"), ["b.py"])
    assert (done(progress), progress.working) == ([], 1)
    assert done(edited(progress, ["a.py"])) == [1]
    assert done(said(progress, "Step 1 done")) == [1]


def test_of_two_steps_with_one_file_the_one_at_work_is_ticked() -> None:
    plan = "1. Rename in `a.py`\n2. Sort in `a.py`"
    assert done(edited(begin(plan), ["a.py"])) == [1]
    assert done(edited(said(begin(plan), "Step 2: sort"), ["a.py"])) == [2]


def test_a_command_that_a_step_names_ticks_it_when_it_passed() -> None:
    assert done(passed(begin(PLAN), ["python -m unittest"], is_check=True)) == [3]
    assert done(passed(begin(PLAN), ["python -m unittest -q tests"], is_check=False)) == [3]
    assert done(passed(begin(PLAN), ["python -m pytest"], is_check=True)) == []


def test_a_word_alone_ticks_nothing_and_with_a_check_it_does() -> None:
    claimed = said(begin(PLAN), "It was the divisor.\nStep 4 done")
    assert done(claimed) == []
    assert done(passed(claimed, [], is_check=False)) == []
    assert done(passed(claimed, ["make"], is_check=True)) == [4]


def test_going_on_claims_the_step_before() -> None:
    progress = said(said(begin(PLAN), "Step 3: the tests"), "**Step 4**: the reason")
    assert progress.working == 4
    assert done(passed(progress, [], is_check=True)) == [3]


@pytest.mark.parametrize(
    "words", ["step", "Step 0: x", "Step 9: x", "the next step 2 is", "Step 99999999 done", "\x00"]
)
def test_words_that_name_no_step_change_nothing(words: str) -> None:
    assert said(begin(PLAN), words) == begin(PLAN)


def test_files_that_the_plan_does_not_name_are_strays_once() -> None:
    progress = edited(begin(PLAN), ["calc.py", "other.py"])
    progress = noticed(progress, ["other.py", "docs/why.md", "more.py"])
    assert progress.strays == ("other.py", "more.py")


def test_a_plan_that_names_no_file_has_no_strays() -> None:
    assert edited(begin("1. Fix it\n2. Test it"), ["a.py"]).strays == ()


def test_a_command_that_changes_things_ticks_what_it_names() -> None:
    plan = "1. Make the folder `notes/fixes`\n2. Edit `a.py`"
    progress = commanded(begin(plan), "mkdir -p notes/fixes")
    assert [step.why for step in progress.steps] == ["ran mkdir -p notes/fixes", ""]
    assert progress.strays == ()


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("edit `calc.py:12` and `./lib/a.ts#L3-L9`", ("calc.py", "lib/a.ts")),
        ("see src/app/main.rs, README.md.", ("src/app/main.rs", "README.md")),
        ("`Makefile` and `docs/`", ("Makefile", "docs/")),
        ("use Python 3.11, e.g. os.path and self.count", ()),
        ("`os.path.join(a, b)` or `a/b > c`", ()),
        ("https://example.org/a.py", ()),
        ("`python -m unittest`", ()),
        ("`.env`", (".env",)),
    ],
)
def test_what_counts_as_a_file(text: str, files: tuple[str, ...]) -> None:
    assert files_named(text) == files


@pytest.mark.parametrize(
    ("path", "name", "same"),
    [
        ("src/a.py", "a.py", True),
        ("a.py", "src/a.py", False),
        ("ba.py", "a.py", False),
        ("docs/x/y.md", "docs/", True),
        ("docs/x/y.md", "docs/x", True),
        ("docsx/y.md", "docs", False),
    ],
)
def test_which_path_a_name_means(path: str, name: str, same: bool) -> None:
    assert is_named(path, [name]) is same


words = st.text(alphabet="step 1234:`./ab\n-py", max_size=80)


@given(words, st.lists(st.tuples(st.sampled_from(["say", "edit", "pass", "run"]), words)))
def test_any_words_and_edits_keep_the_steps_and_never_untick(
    plan: str, happened: list[tuple[str, str]]
) -> None:
    progress = begin(plan)
    numbers = [step.number for step in progress.steps]
    for what, text in happened:
        before = set(done(progress))
        if what == "say":
            progress = said(progress, text)
            assert set(done(progress)) - before <= {s.number for s in progress.steps if s.edited}
        elif what == "edit":
            progress = edited(progress, [text])
        elif what == "run":
            progress = commanded(progress, text)
        else:
            progress = passed(progress, [text], is_check=True)
        assert before <= set(done(progress))
        assert [step.number for step in progress.steps] == numbers
        assert progress.working is None or progress.working in numbers


def test_a_huge_plan_is_read_in_time() -> None:
    progress = begin("\n".join(f"{n}. edit `f{n}.py`" for n in range(1, 3000)))
    assert done(edited(progress, ["f2999.py"])) == [2999]
    assert len(begin("a`" * 50_000).steps) == 1
