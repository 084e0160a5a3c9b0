"""What the cockpit looks like where few people see it: wide pages, few colours, little room."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from textual.pilot import Pilot

from agent_cockpit.cockpit.look.theme import drawn_theme
from agent_cockpit.cockpit.screens.diff_modal import DiffModal
from agent_cockpit.engine.state import MetaResult
from agent_cockpit.events import harness as h
from agent_cockpit.events.base import Event
from agent_cockpit.events.messages import Message
from agent_cockpit.events.sitting import ContextCompacted
from tests.cockpit.screen import at_rest_and_measured, text_of, until
from tests.cockpit.test_look import goal, still
from tests.support.scripted_source import ScriptedSource
from tests.transcript.stories import EDIT_DIFF, PARSER_DIFF, fixed_test, hard_goal, pieces, stamped

Compare = Callable[..., bool]

WIDE_WORDS = """\
## 平均値の修正 🛠️

`average` 関数は件数から一を引いた数で割っていました。値が一つだけのときはゼロ除算になり、
テスト「一つの値はそれ自身が平均」が失敗します。修正後は件数で割ります。

- **原因**：`len(numbers) - 1` 👩‍💻 が残っていた
- **확인**: 테스트 14개가 모두 통과했습니다 ✅
- **后续**：没有其他调用者依赖旧的行为 🎉🎉🎉

| 文件 | 改动 | 说明 |
|---|--:|---|
| calc.py | +1 −1 | 除数改为个数 |
| テスト.py | +12 | 一つの値 🙂 |

```py
def 平均(値):  # 🇯🇵 全角の名前
    return sum(値) / len(値)
```
"""


def told(events: list[Event], words: str) -> tuple[Any, Callable[[Pilot[Any]], Awaitable[None]]]:
    """An app that is told these events, and waits until these words stand there."""
    source = ScriptedSource()
    app = still(source)

    async def before(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(*events)
        await until(pilot, lambda: words in text_of(app))

    return app, before


def test_a_diff_on_a_wide_page(snap_compare: Compare) -> None:
    source = ScriptedSource()
    source.meta = {"/diff": MetaResult("diff", EDIT_DIFF + PARSER_DIFF)}
    app = still(source)

    async def before(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: app.driving.source is not None)
        app.driving.meta("/diff")
        await until(pilot, lambda: isinstance(app.screen, DiffModal))

    assert snap_compare(app, terminal_size=(160, 40), run_before=before)


def test_a_terminal_of_sixteen_colours(snap_compare: Compare) -> None:
    app, before = told(hard_goal(), "? waits for you")

    async def in_few_colours(pilot: Pilot[Any]) -> None:
        await before(pilot)
        theme = drawn_theme("cockpit-light", is_bare=True)
        assert theme is not None
        app.register_theme(theme)
        app.theme = theme.name
        await at_rest_and_measured(pilot)

    assert snap_compare(app, terminal_size=(100, 50), run_before=in_few_colours)


def test_a_conversation_that_was_made_shorter(snap_compare: Compare) -> None:
    shorter = ContextCompacted(
        message=Message.of("user", "The goal: fix the failing test. Done: `average`."),
        stands_for=24,
        kept=3,
        summarised=24,
        by="model",
        keep="the API must stay",
        tokens_before=48_200,
        tokens_after=12_400,
        window=60_000,
    )
    app, before = told(stamped([*fixed_test(), shorter]), "12k")
    assert snap_compare(app, terminal_size=(100, 30), run_before=before)


def test_hardly_any_room(snap_compare: Compare) -> None:
    app, before = told(fixed_test(), "success")
    assert snap_compare(app, terminal_size=(20, 5), run_before=before)


def test_an_answer_of_wide_characters(snap_compare: Compare) -> None:
    end = h.AgentEnd(status="completed", outcome="success")
    said = [goal(), h.TurnStart(), *pieces(WIDE_WORDS), h.TurnEnd(), end]
    app, before = told(stamped(said), "success")
    assert snap_compare(app, terminal_size=(70, 34), run_before=before)
