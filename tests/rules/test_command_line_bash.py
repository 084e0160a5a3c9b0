"""What bash really starts, the judge has seen: random lines, run with a harmless `rm`."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from agent_cockpit.rules.shell.command_line import analyse
from agent_cockpit.rules.shell.tree import read_line

BASH = shutil.which("bash")
PIECES = (
    *["rm x"] * 4,
    *[" "] * 4,
    *["\n"] * 3,
    *["rm", "echo a", ";", "&&", " || ", "|", "|&", "(", ")", "{ ", "; }", "$(", "`", '"', "'"],
    *["\\", "\\\n", " \\\n ", "#", " #", "<<E\n", "\nE\n", "<<'E'\n", "<<<", "$'", '$"', "${x:-"],
    *["}", "[[ ", " ]]", "if ", "then ", "; fi", "else ", "while ", "do ", "; done", "for i in "],
    *["case x in ", "x) ", ";;", "esac", "$((", "))", "((", "x=", "x=1 ", "a[", "]", "!", "<("],
    *["2>&1", "> f", "< /dev/null", "eval ", "exec ", "trap ", "EXIT", "f() ", "coproc "],
    *["time ", "-p ", "\t", "declare ", "a", "1", "~", "*", ","],
)
WORDS = (
    *[
        "q a",
        "q b c",
        "q ",
        " ",
        " ",
        "\n",
        ";",
        " && ",
        "||",
        "(",
        ")",
        "{ ",
        "; }",
        "$(",
        '"',
        "'",
    ],
    *["\\", "\\ ", "#", " #", "<<E\n", "\nE\n", "<<'E'\n", "<<-E\n", "<<< x", "$'", "\\'", "\\x41"],
    *["[[ ", " ]]", "if ", "then ", "; fi", "while ", "for i in ", "case x in ", "x) ", "esac"],
    *["$((", "))", "x=1 ", "a+=2 ", "! ", "2>&1", "> f", "> f ", "< /dev/null", "f() ", "a", "1"],
    *[
        "--",
        "-x",
        "=",
        "%",
        "^",
        ",",
        "é",
        "]",
        "[",
        "@",
        "2>",
        "$",
        "\t",
        "a'b'c",
        '"a b"',
        "''",
        "\\#",
    ],
)
LINES = 300


@pytest.mark.skipif(BASH is None, reason="there is no bash here")
@pytest.mark.parametrize("seed", range(3))
def test_no_line_that_starts_rm_can_be_granted(seed: int, tmp_path: Path) -> None:
    assert BASH is not None
    log = tmp_path / "log"
    (tmp_path / "bin").mkdir()
    (tmp_path / "work").mkdir()
    fake = tmp_path / "bin" / "rm"
    fake.write_text(f"#!/bin/sh\necho hit >> '{log}'\n")
    fake.chmod(0o755)
    chance = random.Random(seed)
    hits = 0
    for _ in range(LINES):
        line = "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 9)))
        if "rm" not in line:
            continue
        log.unlink(missing_ok=True)
        _run(BASH, line, tmp_path)
        if log.exists():
            hits += 1
            analysis = analyse(line, root="/w/proj")
            assert not analysis.grantable, line
            assert analysis.tier >= 3, line
            assert analysis.mutates, line
    assert hits > 3, "the lines must be worth judging"


@pytest.mark.skipif(BASH is None, reason="there is no bash here")
@pytest.mark.parametrize("seed", range(3))
def test_bash_hands_over_the_words_that_the_judge_has_read(seed: int, tmp_path: Path) -> None:
    assert BASH is not None
    log = tmp_path / "log"
    (tmp_path / "bin").mkdir()
    (tmp_path / "work").mkdir()
    fake = tmp_path / "bin" / "q"
    fake.write_text(f"#!/bin/sh\n{{ printf '%s\\1' \"$@\"; printf '\\2'; }} >> '{log}'\n")
    fake.chmod(0o755)
    chance = random.Random(seed)
    hits = 0
    for _ in range(LINES * 3):
        line = "".join(chance.choice(WORDS) for _ in range(chance.randint(2, 9)))
        tree = read_line(line)
        known = all(word.literal and not word.pattern for c in tree.commands for word in c.words)
        reserved = any(c.words and c.words[0].text in ("!", "{", "}") for c in tree.commands)
        if "q" not in line or tree.problems or not known or reserved:
            continue
        log.unlink(missing_ok=True)
        _run(BASH, line, tmp_path)
        read = [tuple(word.text for word in c.words[1:]) or ("",) for c in tree.commands]
        if log.exists():
            hits += 1
            for started in log.read_text(encoding="utf-8").split("\2")[:-1]:
                assert tuple(started.split("\1")[:-1]) in read, line
    assert hits > 3, "the lines must be worth judging"


def _run(bash: str, line: str, folder: Path) -> None:
    process = subprocess.Popen(
        [bash, "-c", f"ulimit -t 1 -f 64; FUNCNEST=9; eval {_quoted(line)}"],
        cwd=folder / "work",
        env={"PATH": str(folder / "bin"), "HOME": str(folder / "work")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        process.wait(2)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _quoted(line: str) -> str:
    return "'" + line.replace("'", "'\\''") + "'"
