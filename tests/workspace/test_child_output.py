"""Bounded output: nothing lost below the budget, never a torn character above it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.workspace.child_output import HeadAndTail, LiveOutput


@given(st.text(), st.integers(1, 40), st.integers(1, 9))
def test_head_and_tail_are_bounded_and_truthful(text: str, budget: int, step: int) -> None:
    data = text.encode(errors="replace")
    kept = HeadAndTail(budget)
    for start in range(0, len(data), step):
        kept.feed(data[start : start + step])
    assert kept.dropped_bytes == max(0, len(data) - budget)
    if len(data) <= budget:
        assert kept.text() == data.decode()
    else:
        head, tail = kept.text().split(
            f"\n[… {kept.dropped_bytes} of {len(data)} bytes left out …]\n"
        )
        assert data.decode().startswith(head)
        assert data.decode().endswith(tail)


async def test_live_text_comes_whole_and_in_order() -> None:
    heard: list[str] = []
    live = LiveOutput(heard.append)
    for byte in "ein Käse für 3 €".encode():
        live.feed(bytes([byte]))
    live.finish()
    assert "".join(heard) == "ein Käse für 3 €"
    assert len(heard) == 2
