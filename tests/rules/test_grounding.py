"""Which files a prompt refers to."""

from __future__ import annotations

import pytest

from agent_cockpit.rules.grounding import Reference, references


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("nothing here", ()),
        ("see @calc.py", (Reference("calc.py"),)),
        ("see @calc.py, then @src/a.py.", (Reference("calc.py"), Reference("src/a.py"))),
        ("(@calc.py)", (Reference("calc.py"),)),
        ("@calc.py:3-9 and @calc.py:4", (Reference("calc.py", 3, 9), Reference("calc.py", 4, 4))),
        ('open @"my file.txt" now', (Reference("my file.txt"),)),
        ("write to me@example.org", ()),
        ("twice @a @a", (Reference("a"),)),
        ("a lone @ sign", ()),
        ("naïve @dossier/été.txt!", (Reference("dossier/été.txt"),)),
    ],
)
def test_references(prompt: str, expected: tuple[Reference, ...]) -> None:
    assert references(prompt) == expected
