"""Commands in each sandbox that works here: what they can do, and what they try in vain."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest

from agent_cockpit.workspace.cancellation import CancellationToken
from agent_cockpit.workspace.processes import ChildResult
from agent_cockpit.workspace.sandbox import landlock_child
from agent_cockpit.workspace.sandbox.protocol import OF_A_CHECK, Limits
from tests.support.waiting import WITHIN_S, until
from tests.workspace.sandboxes import NAMES, Field, ground_in, working

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux sandboxes")


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A folder outside the workspace and outside `/tmp`."""
    place = Path(tempfile.mkdtemp(dir="/var/tmp", prefix="elsewhere-"))
    (place / "theirs.txt").write_text("theirs\n")
    yield place
    shutil.rmtree(place)


@pytest.fixture(params=NAMES)
def field(request: pytest.FixtureRequest, tmp_path: Path, elsewhere: Path) -> Field:
    ground = ground_in(tmp_path)
    return Field(ground, elsewhere, working(request.param, ground))


def python(code: str) -> str:
    return f"{shlex.quote(sys.executable)} -I -c {shlex.quote(code)}"


def is_intact(elsewhere: Path) -> bool:
    names = [path.name for path in elsewhere.iterdir()]
    return names == ["theirs.txt"] and (elsewhere / "theirs.txt").read_text() == "theirs\n"


async def test_a_command_writes_in_the_workspace_and_ends_as_it_would(field: Field) -> None:
    result = await field.run("mkdir sub && echo hi > sub/new; mv sub/new . && cat new >&2; exit 7")
    assert (result.exit_code, result.output) == (7, "hi\n")
    assert (field.root / "new").read_text() == "hi\n"


@pytest.mark.parametrize(
    "attempt",
    [
        "echo mine > {there}/theirs.txt",
        "echo mine >> {there}/theirs.txt",
        ": > {there}/new.txt",
        "rm -f {there}/theirs.txt",
        "rm -rf {there}",
        "mkdir {there}/new",
        "mv {there}/theirs.txt .",
        "ln -s {there}/theirs.txt link && echo mine > link",
        "ln -s {there} link && : > link/new.txt",
        "ln {there}/theirs.txt hard && echo mine > hard",
        "ln -s {there} /tmp/link && : > /tmp/link/new.txt",
        "truncate -s 0 {there}/theirs.txt",
        "cp /proc/self/exe {there}/theirs.txt",
        "echo mine > /proc/self/root{there}/theirs.txt",
        "mount --bind . {there} && : > {there}/new.txt",
        "unshare -rm sh -c 'mount -o remount,rw /; echo mine > {there}/theirs.txt'",
        "chroot / sh -c 'echo mine > {there}/theirs.txt'",
    ],
)
async def test_nothing_outside_is_written(field: Field, elsewhere: Path, attempt: str) -> None:
    await field.run(attempt.format(there=elsewhere))
    assert is_intact(elsewhere)


async def test_a_command_that_only_reads_cannot_write_at_all(field: Field) -> None:
    (field.root / "kept.txt").write_text("kept\n")
    looking = Limits(writes=False)
    result = await field.run("cat kept.txt; echo x > kept.txt; : > new.txt; rm kept.txt", looking)
    assert "kept\n" in result.output
    assert [path.name for path in field.root.iterdir()] == ["kept.txt"]
    assert (field.root / "kept.txt").read_text() == "kept\n"


async def test_what_was_allowed_outside_is_written_and_nothing_beside_it(
    field: Field, elsewhere: Path
) -> None:
    allowed = elsewhere / "allowed"
    allowed.mkdir()
    limits = Limits(also_writes=(allowed,))
    await field.run(f"echo ok > {allowed}/new.txt; echo no > {elsewhere}/theirs.txt", limits)
    assert (allowed / "new.txt").read_text() == "ok\n"
    assert (elsewhere / "theirs.txt").read_text() == "theirs\n"
    await field.run(f"echo ok > {elsewhere}/theirs.txt", Limits(anywhere=True))
    assert (elsewhere / "theirs.txt").read_text() == "ok\n"


async def test_what_may_write_anywhere_is_among_this_machines_files_and_processes(
    field: Field,
) -> None:
    with tempfile.NamedTemporaryFile("w", dir="/tmp") as file:
        print("of this machine", file=file, flush=True)
        seen = await field.run(
            f"cat {file.name}; kill -0 {os.getpid()} && echo lives", Limits(anywhere=True)
        )
    assert seen.output == "of this machine\nlives\n"


async def test_secrets_of_the_home_folder_cannot_be_read(field: Field) -> None:
    home = field.home
    files = [".ssh/id_ed25519", ".config/gh/hosts.yml", ".netrc", "notes.txt"]
    everything = " ".join(str(home / name) for name in files)
    result = await field.run(f"cat {everything}; cp -r {home}/.ssh . && cat .ssh/*")
    assert "plain" in result.output
    assert not any(secret in result.output for secret in ("PRIVATE", "abc", "hunter2"))
    link = await field.run(
        f"ln -s {home}/.ssh/id_ed25519 key && cat key /proc/self/root{home}/.netrc"
    )
    assert "PRIVATE" not in link.output
    assert "hunter2" not in link.output


async def test_a_program_may_see_the_secrets_that_it_needs(field: Field) -> None:
    command = f"cat {field.home}/.ssh/id_ed25519 {field.home}/.netrc"
    result = await field.run(command, Limits(secrets=(".ssh",)))
    assert "PRIVATE" in result.output
    assert "hunter2" not in result.output


CONNECT = """
import socket, sys
for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
    try:
        with socket.socket(socket.AF_INET, kind) as there:
            there.settimeout(20)
            there.connect(("127.0.0.1", int(sys.argv[1])))
            there.send(b"out")
    except OSError as error:
        print(error)
"""


async def heard_by(field: Field, limits: Limits) -> tuple[bool, bool]:
    """Whether a command reached a server outside, by TCP and by UDP."""
    with (
        closing(socket.socket(socket.AF_INET, socket.SOCK_STREAM)) as tcp,
        closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as udp,
    ):
        tcp.bind(("127.0.0.1", 0))
        udp.bind(tcp.getsockname())
        tcp.listen()
        port = tcp.getsockname()[1]
        await field.run(f"{python(CONNECT)} {port}", limits)
        for there in (tcp, udp):
            there.setblocking(False)
        try:
            tcp.accept()[0].close()
            by_tcp = True
        except BlockingIOError:
            by_tcp = False
        try:
            by_udp = udp.recv(10) == b"out"
        except BlockingIOError:
            by_udp = False
        return by_tcp, by_udp


async def test_there_is_no_network_unless_it_was_allowed(field: Field) -> None:
    assert await heard_by(field, Limits()) == (False, False)
    assert await heard_by(field, Limits(network="open")) == (True, True)


async def test_a_check_may_serve_itself(field: Field) -> None:
    code = """
import socket, threading
server = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=lambda: server.accept()[0].sendall(b"served")).start()
print(socket.create_connection(server.getsockname()).recv(10).decode())
"""
    result = await field.run(python(code), OF_A_CHECK)
    assert result.output == "served\n"


async def test_processes_outside_are_neither_stopped_nor_read(field: Field) -> None:
    if field.sandbox.name == "landlock" and landlock_child.version() < 6:
        pytest.skip("this kernel's Landlock does not keep signals in")
    env = {"PATH": os.environ["PATH"], "OPENAI_API_KEY": "sk-of-the-cockpit"}
    with sleeper(env) as outside:
        try:
            result = await field.run(
                f"kill -9 {outside.pid}; cat /proc/{outside.pid}/environ; "
                "cat /proc/*/environ | tr '\\0' '\\n'"
            )
            again = await field.run(python(f"print(open('/proc/{outside.pid}/mem', 'rb').seek(0))"))
            assert outside.poll() is None
        finally:
            outside.kill()
    assert "sk-of-the-cockpit" not in result.output
    assert again.exit_code != 0


def sleeper(env: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(["sleep", "60"], env=env)


async def test_no_key_reaches_a_childs_environment(
    field: Field, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("AGENT_COCKPIT_API_KEY", "sk-secret")
    result = await field.run("env; cat /proc/$PPID/environ; cat /proc/self/environ")
    assert "TMPDIR=" in result.output
    assert "sk-secret" not in result.output


async def test_temporary_files_last_from_command_to_command_and_are_private(
    field: Field,
) -> None:
    name = f"note-{uuid4().hex}"
    await field.run(f"echo kept > $TMPDIR/{name} && mktemp && echo $TMPDIR > place")
    result = await field.run(f"cat $TMPDIR/{name}")
    assert result.output == "kept\n"
    if field.sandbox.name == "bwrap":
        assert (field.root / "place").read_text() == "/tmp\n"
        assert name not in {path.name for path in listed(Path("/tmp"))}


def listed(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def test_programs_get_a_terminal_and_shared_memory(field: Field) -> None:
    code = """
import multiprocessing, os, pty
multiprocessing.Lock()
master, slave = pty.openpty()
os.write(slave, b"typed")
print(os.read(master, 9).decode())
"""
    result = await field.run(python(code))
    assert result.output == "typed\n"


async def test_a_command_is_asked_to_end_before_it_is_killed(field: Field) -> None:
    command = "trap 'echo last words; exit' TERM; echo ready; while :; do sleep 0.05; done"
    result, token = await stopped_when(field, command, "ready")
    assert (result.cancelled, token.cancelled) == (True, True)
    assert result.output.startswith("ready\n")
    assert result.output.endswith("last words\n"), "a shell may tell of its own child between"


async def test_a_command_that_is_stopped_leaves_nothing_behind(field: Field) -> None:
    beat = "while :; do echo x >> beat; sleep 0.02; done"
    command = f"({beat}) & trap '' TERM; echo ready; {beat}"
    await stopped_when(field, command, "ready")
    await is_quiet(field.root / "beat")


async def test_a_command_that_ends_takes_what_left_its_group_with_it(field: Field) -> None:
    if field.sandbox.name == "landlock":
        pytest.skip("Landlock knows no process namespaces")
    beat = "while :; do echo x >> beat; sleep 0.02; done"
    result = await field.run(
        f"setsid sh -c '{beat}' >/dev/null 2>&1 & until [ -s beat ]; do :; done"
    )
    assert result.exit_code == 0
    await is_quiet(field.root / "beat")


async def test_a_command_that_takes_too_long_is_stopped(field: Field) -> None:
    result = await field.run("echo begun; sleep 600", timeout_s=4)
    assert (result.timed_out, result.output) == (True, "begun\n")


LIVE = """
import asyncio, os, sys
from pathlib import Path
from agent_cockpit.workspace.cancellation import CancellationToken
from agent_cockpit.workspace.processes import run_child
from agent_cockpit.workspace.sandbox.protocol import Limits
from agent_cockpit.workspace.sandbox.choice import open_sandbox
from agent_cockpit.workspace.sandbox.places import Ground
root = Path(sys.argv[1])
sandbox = open_sandbox("bwrap", Ground(root=root, home=root, environ=os.environ))
asyncio.run(run_child(
    "setsid sh -c 'while :; do echo x >> beat; sleep 0.02; done'",
    cwd=root, timeout_s=60, cancellation=CancellationToken(), output_budget=1000,
    heard=print, held=sandbox.hold(Limits()),
))
"""


async def test_a_killed_cockpit_takes_its_commands_with_it(field: Field) -> None:
    if field.sandbox.name == "landlock":
        pytest.skip("only a watcher of its own can end a command then")
    cockpit = await asyncio.create_subprocess_exec(sys.executable, "-c", LIVE, str(field.root))
    beat = field.root / "beat"
    await until(beat.exists)
    cockpit.kill()
    await cockpit.wait()
    await is_quiet(beat)


async def stopped_when(
    field: Field, command: str, said: str
) -> tuple[ChildResult, CancellationToken]:
    token = CancellationToken()

    def heard(text: str) -> None:
        if said in text:
            token.cancel("enough")

    return await field.run(command, token=token, heard=heard), token


async def is_quiet(beat: Path) -> None:
    """Nobody writes to the file any more: several beats long it stays as it is."""
    deadline = time.monotonic() + WITHIN_S
    while True:
        before = size_of(beat)
        await asyncio.sleep(0.2)
        if size_of(beat) == before:
            return
        assert time.monotonic() < deadline, "something still writes"


def size_of(path: Path) -> int:
    return path.stat().st_size
