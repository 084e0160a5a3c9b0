"""Which files a prompt refers to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.grounding import Reference, mention, references


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("nothing here", ()),
        ("see @calc.py", (Reference("calc.py"),)),
        ("see @calc.py, then @src/a.py.", (Reference("calc.py"), Reference("src/a.py"))),
        ("(@calc.py)", (Reference("calc.py"),)),
        ("@calc.py:3-9 and @calc.py:4", (Reference("calc.py", 3, 9), Reference("calc.py", 4, 4))),
        ('open @"my file.txt" now', (Reference("my file.txt"),)),
        (
            '@"my file.txt":3-9 and @"b c:4".',
            (Reference("my file.txt", 3, 9), Reference("b c", 4, 4)),
        ),
        ("write to me@example.org", ()),
        ("twice @a @a", (Reference("a"),)),
        ("a lone @ sign", ()),
        ("naïve @dossier/été.txt!", (Reference("dossier/été.txt"),)),
    ],
)
def test_references(prompt: str, expected: tuple[Reference, ...]) -> None:
    assert references(prompt) == expected


@pytest.mark.parametrize(
    ("path", "lines", "written"),
    [
        ("calc.py", "", "@calc.py"),
        ("calc.py", ":3-9", "@calc.py:3-9"),
        ("my notes.md", "", '@"my notes.md"'),
        ("my notes.md", ":3", '@"my notes.md":3'),
        ("it's.md", "", '@"it\'s.md"'),
        ("logo@2x.png", "", '@"logo@2x.png"'),
        ("what?", "", '@"what?"'),
        ("e\u0301.md", "", "@e\u0301.md"),
        ("src/", "", "@src/"),
        ('a "b".md', "", None),
        ("a\nb", "", None),
        ("log:10", "", None),
        ("log:10", ":2-3", "@log:10:2-3"),
        ("", "", None),
    ],
)
def test_a_path_is_written_so_that_it_is_read_again(
    path: str, lines: str, written: str | None
) -> None:
    assert mention(path, lines) == written


@given(st.text(max_size=12))
def test_what_can_be_written_names_its_path_alone(path: str) -> None:
    written = mention(path)
    if written is not None:
        assert references(f"see {written} and go on") == (Reference(path),)
