"""Against a real server with a window of its own: goals go on, whatever it takes in."""

from __future__ import annotations

from typing import Any

from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.engine.record.journal_reader import load_events
from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.events.sitting import ContextCompacted, RetryWaiting
from agent_cockpit.harness import Harness
from agent_cockpit.settings import HarnessConfig
from tests.support.chat_server import Asked, ChatServer, ScriptItem, calls, failure, says
from tests.support.goals import Folder, of
from tests.support.repositories import write

TAKES_TOKENS = 9_000
GOALS = 12


def small_server(asked: Asked) -> ScriptItem:
    """A model that reads the long file for each prompt, and refuses what it cannot take in."""
    messages: list[dict[str, Any]] = asked.json["messages"]
    tokens = len(asked.body) // 3
    if tokens > TAKES_TOKENS:
        return failure(400, f"This model's maximum context length is {TAKES_TOKENS} tokens.")
    answered = {message["tool_call_id"] for message in messages if message["role"] == "tool"}
    called = {call["id"] for message in messages for call in message.get("tool_calls") or ()}
    assert answered == called
    if "tools" not in asked.json:
        return says("They asked about the long file.", usage=(tokens, 8))
    if messages[-1]["role"] == "user":
        return calls(("read_file", {"path": "long.txt"}), usage=(tokens, 8))
    return says(f"It is in long.txt:1. {'word ' * 200}", usage=(tokens, 200))


async def test_a_server_with_an_unknown_small_window_serves_many_goals(folder: Folder) -> None:
    write(folder.root, {"long.txt": "a line of it\n" * 300})
    with ChatServer([small_server] * 100) as server:
        config = HarnessConfig(
            workspace_root=str(folder.root),
            provider="openai",
            model="small",
            base_url=server.base_url,
            retry_backoff_seconds=0,
        )
        harness = Harness(config=config, state=folder.state, config_dir=folder.config_dir)
        journal = JsonlEventJournal(folder.journal)
        repl = ReplSession(harness, journal=journal, allow_dirty=True)
        for number in range(GOALS):
            state = await repl.submit(f"what is in the long file, {number}?")
            assert (state.outcome, state.error) == ("success", None)
        await repl.aclose()
    events = load_events(folder.journal)
    causes = [event.cause for event in of(events, ContextCompacted)]
    assert causes.count("overflow") in (1, 2)
    assert len(of(events, RetryWaiting)) == causes.count("overflow")
    assert causes.count("threshold") >= 1
