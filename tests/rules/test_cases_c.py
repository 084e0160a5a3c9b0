"""The known ways around consent, one test a case: chains, substitutions, wrappers, links,
secrets, and what a person cannot see. Real sittings on real folders; nobody answers."""

from __future__ import annotations

import asyncio
import hashlib
import unicodedata
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.engine.goals.session import Session
from agent_cockpit.errors import ToolRefused
from agent_cockpit.events.harness import AgentStart, ApprovalRequested
from agent_cockpit.rules.consent.grants import ApprovalGrant
from agent_cockpit.rules.consent.policy import ConfiguredRule
from agent_cockpit.rules.shell.command_line import analyse
from agent_cockpit.settings import SENSITIVE_PATHS
from agent_cockpit.text import reveal
from agent_cockpit.transcript.fold import Transcript
from agent_cockpit.transcript.plain import plain_lines
from agent_cockpit.workspace.workspace import Workspace
from tests.cockpit.screen import text_of, until
from tests.support.goals import Folder, ends, next_of, questions, run_with, runs, started
from tests.support.scripted_provider import calls, says
from tests.support.scripted_source import ScriptedSource, asks


@pytest.fixture
async def folder(tmp_path: Path) -> AsyncIterator[Folder]:
    made = Folder(tmp_path)
    yield made
    await made.close()


OK = [says("ok")] * 6
"""What a model says on; the checks of these goals fail, since nothing was done."""


def grants(*prefixes: str) -> list[ApprovalGrant]:
    return [ApprovalGrant(tool="run_command", prefix=prefix, tier=3) for prefix in prefixes]


async def unanswered(
    folder: Folder, command: str, *granted: str, marker: str = ""
) -> ApprovalRequested:
    """The question that a command raises; while it is open nothing has happened."""
    session = folder.goal(runs(command), *OK)
    session.grants.extend(grants(*granted))
    stream = session.events()
    task = asyncio.create_task(session.run())
    question = await next_of(stream, ApprovalRequested)
    assert question.input["command"] == command
    assert not started(session)
    assert not marker or not (folder.root / marker).exists(), marker
    await session.cancel()
    await task
    assert len(questions(session)) == 1
    assert not marker or not (folder.root / marker).exists(), marker
    return question


async def ran(folder: Folder, command: str, *granted: str) -> str:
    """What a command printed that was allowed without a question."""
    session = folder.goal(runs(command), *OK, unattended=True, auto=True)
    session.grants.extend(grants(*granted))
    await session.run()
    assert started(session), "it was not allowed"
    return ends(session)[0].content


def judged(command: str) -> tuple[int, bool, bool]:
    """Tier, whether a grant may cover it, whether it only reads."""
    seen = analyse(command, root="/w/proj", sensitive_globs=SENSITIVE_PATHS)
    return seen.tier, seen.grantable, not seen.mutates


@pytest.mark.parametrize(
    ("command", "marker"),
    [
        ("git status && touch p1", "p1"),
        ("git status; touch p2", "p2"),
        ("git log | tee p3", "p3"),
        ("git foo || touch p4", "p4"),
        ("cd sub && touch p5", "sub/p5"),
        ("gitx status", ""),
    ],
)
async def test_c01_nothing_rides_on_a_grant_for_the_first_program(
    folder: Folder, command: str, marker: str
) -> None:
    (folder.root / "sub").mkdir()
    granted = ("git", "git status", "git log", "git foo", "cd")
    await unanswered(folder, command, *granted, marker=marker)


@pytest.mark.parametrize(
    ("command", "marker"),
    [
        ("echo $(touch s1)", "s1"),
        ("git status `touch s2`", "s2"),
        ("git diff <(touch s3)", "s3"),
        ('echo "$(touch s4)"', "s4"),
        ("echo ${X:-$(touch s5)}", "s5"),
    ],
)
async def test_c03_what_is_substituted_is_asked_about(
    folder: Folder, command: str, marker: str
) -> None:
    await unanswered(folder, command, "echo", "git", "git status", "git diff", marker=marker)


async def test_c03_quoted_text_and_sums_run_nothing_extra(folder: Folder) -> None:
    assert "$(touch s6)" in await ran(folder, "echo '$(touch s6)'")
    assert "3" in await ran(folder, "echo $((1+2))")
    assert not (folder.root / "s6").exists()


async def test_c04_the_program_is_found_behind_assignments(folder: Folder) -> None:
    question = await unanswered(folder, "FOO=1 touch e1", marker="e1")
    assert question.grant_scope == "every `touch …` in this sitting"
    await unanswered(folder, "X=`touch e2` git status", "git status", "git", marker="e2")
    assert "exit 0" in await ran(folder, "A=1 B=2 git status")


async def test_c06_readers_that_write_are_no_readers(folder: Folder) -> None:
    commands = [
        "find . -name z -delete",
        "find . -exec touch r1 {} +",
        "sed -i s/a/b/ notes.md",
        "sed 'w r2' notes.md",
        "sort -o r3 notes.md",
        "uniq notes.md r4",
        "git diff --output=r5",
        "git branch -D x",
        "git remote set-url origin u",
        "rg --pre ./x a",
        "awk 'BEGIN{system(\"touch r6\")}'",
        "tee r7",
    ]
    for command in commands:
        tier, _, only_reads = judged(command)
        assert tier >= 3, command
        assert not only_reads, command
    before = {path.name for path in folder.root.iterdir()}
    batch = calls(*(("run_command", {"command": command}) for command in commands))
    session = folder.goal(batch, *[says("1. nothing")] * 6, mode="plan", unattended=True, auto=True)
    session.grants.extend(grants("find", "sed", "sed -i", "sort", "uniq", "tee", "rg"))
    await session.run()
    assert not started(session)
    assert {path.name for path in folder.root.iterdir()} == before
    assert (folder.root / "notes.md").read_text() == "one\ntwo\nthree\n"


WRAPPED = [
    "timeout 5 rm -rf d",
    "env rm -rf d",
    "nice -n 5 rm -rf d",
    "\\rm -rf d",
    "/bin/rm -rf d",
    "sh -c 'rm -rf d'",
    "echo d | xargs rm -rf",
    "eval 'rm -rf d'",
    "busybox rm -rf d",
]


@pytest.mark.parametrize("command", WRAPPED)
async def test_c08_a_wrapper_hides_nothing_and_takes_no_grant(folder: Folder, command: str) -> None:
    (folder.root / "d").mkdir()
    question = await unanswered(folder, command, "rm", "env", "timeout", "xargs", "sh", "eval")
    assert (question.tier, question.grant_scope) == (4, None)
    assert (folder.root / "d").is_dir()


async def test_c08_a_deny_rule_sees_through_every_wrapper(folder: Folder) -> None:
    (folder.root / "d").mkdir()
    deny = (ConfiguredRule("deny", "run_command", "rm", "file"),)
    batch = calls(*(("run_command", {"command": command}) for command in WRAPPED))
    session = folder.goal(batch, *OK, rules=deny, max_refusals=50)
    await session.run()
    assert not questions(session)
    assert not started(session)
    assert all("deny run_command:rm (file)" in end.content for end in ends(session))
    assert (folder.root / "d").is_dir()


async def test_c08_always_on_a_wrapped_command_stores_nothing(folder: Folder) -> None:
    session = folder.goal(runs("env mkdir x"), *OK, max_repair_attempts=1)

    async def always(question: ApprovalRequested) -> None:
        assert question.grant_scope is None
        await session.resolve_approval(question.approval_id, allow=True, remember=True)

    await run_with(session, always)
    assert session.grants == []
    assert (folder.root / "x").is_dir()


@pytest.mark.parametrize(
    ("always", "then", "marker"),
    [
        ("python3 -m pytest", "python3 -c \"open('i1','w')\"", "i1"),
        ("npm test", "npm publish", ""),
        ("git status", "git push --force", ""),
    ],
)
async def test_c09_always_is_for_the_sub_command_alone(
    folder: Folder, always: str, then: str, marker: str
) -> None:
    question = await unanswered(folder, then, always, marker=marker)
    assert question.grant_scope is None


async def test_c10_no_link_leads_a_call_outside(folder: Folder) -> None:
    outside = folder.root.parent / "OUT"
    outside.mkdir()
    victim = outside / "v.txt"
    victim.write_text("SECRET123\n")
    before = hashlib.sha256(victim.read_bytes()).hexdigest()
    (folder.root / "out").symlink_to("../OUT")
    (folder.root / "n.md").symlink_to("../OUT/v.txt")
    (folder.root / "draft").symlink_to("../OUT/not-yet")
    (folder.root / "inside").symlink_to("notes.md")
    given = {"content": "x\n", "overwrite": True}
    batch = calls(
        *(
            ("write_file", {"path": path, **given})
            for path in ("out/a", "n.md", "draft", "out/new/deep.txt", "inside")
        ),
        ("read_file", {"path": "n.md"}),
        ("list_files", {"glob": "out/**"}),
        ("run_command", {"command": "cat n.md"}),
        ("run_command", {"command": "touch out/b"}),
        ("run_command", {"command": "cp a.txt draft"}),
    )
    session = folder.goal(batch, *OK, unattended=True, auto=True, max_refusals=50)
    session.grants.extend(grants("touch", "cp", "cat"))
    await session.run()
    assert [path.name for path in outside.iterdir()] == ["v.txt"]
    assert hashlib.sha256(victim.read_bytes()).hexdigest() == before
    assert "SECRET123" not in str(folder.provider.requests)
    assert (folder.root / "inside").is_symlink()
    assert folder.text("notes.md") == "x\n"


async def test_c11_a_folder_beside_the_workspace_is_outside(folder: Folder) -> None:
    old = folder.root.parent / f"{folder.root.name}-old"
    old.mkdir()
    (old / "s.txt").write_text("SECRET123\n")
    ways = (f"../{old.name}/s.txt", str(old / "s.txt"), f"a/../../{old.name}/s.txt")
    workspace = Workspace(folder.root)
    assert workspace.locate("a/..").path == workspace.root
    for way in ways:
        with pytest.raises(ToolRefused):
            workspace.locate(way)
    batch = calls(
        *(("read_file", {"path": way}) for way in ways),
        *(("write_file", {"path": way, "content": "x", "overwrite": True}) for way in ways),
        ("list_files", {"glob": f"../{old.name}/*"}),
        ("list_files", {"glob": f"{old}/*"}),
        *(("run_command", {"command": f"cat {way}"}) for way in ways),
        ("run_command", {"command": f"cd {old} && cat s.txt"}),
        ("run_command", {"command": f"cd ../{old.name} && touch new"}),
    )
    session = folder.goal(batch, *OK, unattended=True, auto=True, max_refusals=50)
    session.grants.extend(grants("cat", "touch"))
    await session.run()
    assert "SECRET123" not in str(folder.provider.requests)
    assert [path.name for path in old.iterdir()] == ["s.txt"]


async def test_c12_secrets_come_out_on_no_way(folder: Folder) -> None:
    secret = (".env", ".env.local", ".env.production", ".envrc", "app.env", "id_rsa")
    for name in secret:
        (folder.root / name).write_text("K=SECRET123\n")
    (folder.root / ".env.example").write_text("K=EXAMPLE_OK\n")
    (folder.root / "innocent.txt").symlink_to(".env")
    commands = (
        *("cat .env", "cat '.env'", "cat .e*", "cd . && cat .env", "V=.env; cat $V"),
        *("grep -r SECRET .", "rg SECRET", "rg --hidden SECRET", "cat *", "cat app.e?v"),
        *("head .envrc", "cat < .env", "git diff --no-index /dev/null .env", "cat innocent.txt"),
        *("cat ~/.aws/credentials", "cat /proc/self/environ", "find . -exec cat {} +"),
        *(
            "sh -c 'cat .env'",
            "sed -n p app.env",
            "cat ./sub/../.ENV",
            "cp .env b",
            "diff -r . /tmp",
        ),
        *("cat in*.txt", "python3 -c \"print(open('.env').read())\"", "xxd id_rsa", "tac .e''nv"),
    )
    batch = calls(
        *(("read_file", {"path": name}) for name in (*secret, "innocent.txt", ".env.example")),
        ("search_repo", {"query": "SECRET"}),
        ("list_files", {"glob": "**/*"}),
        ("str_replace", {"path": ".env", "old_string": "K", "new_string": "J"}),
        ("delete_file", {"path": "app.env"}),
        *(("run_command", {"command": command}) for command in commands),
    )
    repl = folder.sitting(batch, *OK, unattended=True, auto=True, max_refusals=99)
    repl.set_mode("investigate")
    session = repl.start("look at @.env and @app.env and @innocent.txt:1-2")
    session.grants.extend(grants("cat", "cp", "git diff", "python3", "sed"))
    await session.run()
    heard = "".join("\n".join(plain_lines(block)) for block in transcript_of(session).blocks)
    assert len(ends(session)) == 10 + len(commands) + 2
    assert "EXAMPLE_OK" in str(folder.provider.requests)
    assert "SECRET123" not in str(folder.provider.requests)
    assert "SECRET123" not in heard
    for name in secret:
        assert (folder.root / name).read_text() == "K=SECRET123\n"


def test_c12_what_may_touch_a_secret_is_marked_and_never_granted() -> None:
    for command in ("cat .e*", "grep -r SECRET .", "rg SECRET", "cat *", "git show HEAD:.env"):
        seen = analyse(command, root="/w/proj", sensitive_globs=SENSITIVE_PATHS)
        assert (seen.tier, seen.grantable) == (3, False), command
        assert "secrets" in seen.reason, command


def transcript_of(session: Session) -> Transcript:
    transcript = Transcript()
    for event in session.history:
        transcript.apply(event)
    return transcript


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
@pytest.mark.parametrize(
    "command",
    [
        "echo " + "a" * 300 + " && touch TAIL",
        "echo ok" + "\n" * 80 + "touch TAIL",
        "echo ok" + " " * 500 + "; touch TAIL",
        "echo " + "a" * 40_000 + "; touch TAIL",
    ],
    ids=["long", "blank lines", "spaces", "40 KB"],
)
async def test_c14_the_end_of_a_long_command_can_be_read(
    command: str, size: tuple[int, int]
) -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=0.0)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        request = asks(tool="run_command", input={"command": command})
        source.say(AgentStart(goal="g", task_kind="edit"), request)
        await until(pilot, lambda: app.panel.is_lit)
        await pilot.press("v", "end")
        await until(pilot, lambda: "touch TAIL" in text_of(app).replace("\n", " "))


HIDDEN = [
    ("rm -rf ./\u202egnp.elif", "<U+202E>"),
    ("rm /tmp/\u200bkeep", "<U+200B>"),
    ("echo a\u00a0b", ""),
    ("ls \u2066x\u2069", "<U+2066>"),
    ("\ufeffls", "<U+FEFF>"),
    ("ls \U000e0061", "<U+E0061>"),
    ("curl https://\u0430pple.example", ""),
]


@pytest.mark.parametrize(("command", "shown"), HIDDEN)
def test_c15_what_cannot_be_seen_is_asked_and_written_out(command: str, shown: str) -> None:
    tier, grantable, _ = judged(command)
    assert tier >= 3
    assert not grantable
    assert shown in reveal(command)
    assert not any(unicodedata.category(char) == "Cf" for char in reveal(command))


async def test_c15_the_panel_shows_them_and_warns() -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=0.0)
    command = "; ".join(command for command, _ in HIDDEN)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        request = asks(tool="run_command", input={"command": command})
        source.say(AgentStart(goal="g", task_kind="edit"), request)
        await until(pilot, lambda: app.panel.is_open)
        await until(pilot, lambda: "U+202E" in text_of(app))
        assert not set("\u202e\u200b\u2066\u2069\ufeff") & set(text_of(app))
        assert "hidden characters" in text_of(app)


async def test_c16_no_escape_of_a_command_or_name_reaches_a_reader(folder: Folder) -> None:
    (folder.root / "esc\x1b]0;PWN\x07.txt").write_text("x")
    hostile = (
        "printf 'A\\033[2J\\033]0;T\\007\\033]52;c;eA==\\007\\033]8;;http://x\\033\\\\L"
        "\\033]8;;\\033\\\\\\302\\2331mB\\rC\\bD'"
    )
    batch = calls(
        ("run_command", {"command": hostile}),
        ("list_files", {"glob": "*"}),
        ("search_repo", {"query": "x"}),
        ("read_file", {"path": "no\x1b[2Jfile"}),
        ("run_command", {"command": "ls\x1b[2J"}),
    )
    session = folder.goal(batch, *[says("\x1b]0;T\x07done")] * 6, unattended=True, auto=True)
    await session.run()
    lines = [line for block in transcript_of(session).blocks for line in plain_lines(block)]
    results = [end.content for end in ends(session)]
    told = "\n".join([*lines, *results])
    assert not any(ord(char) < 32 and char not in "\n\t" for char in told)
    assert not any(0x7F <= ord(char) < 0xA0 for char in told)
    assert "esc␛]0;PWN" in told


@pytest.mark.parametrize(
    "name",
    [
        *(".ENV", ".Env", "\uff0eenv", ".env.", ".env ", ".//.env", ".env/.", "./a/../.env"),
        *("ID_RSA", "id_rs\uff41", "%2eenv", "file:///w/proj/.env", ".env\u200b", "e\u0301/.env"),
    ],
)
async def test_c19_no_form_of_a_denied_name_opens_it(folder: Folder, name: str) -> None:
    for secret in (".env", "id_rsa"):
        (folder.root / secret).write_text("K=SECRET123\n")
    batch = calls(
        ("read_file", {"path": name}),
        ("write_file", {"path": name, "content": "x", "overwrite": True}),
        ("run_command", {"command": f"cat '{name}'"}),
    )
    session = folder.goal(batch, *OK, unattended=True, auto=True)
    session.grants.extend(grants("cat"))
    await session.run()
    assert "SECRET123" not in str(folder.provider.requests)
    assert (folder.root / ".env").read_text() == "K=SECRET123\n"
