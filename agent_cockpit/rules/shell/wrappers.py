"""Programs that start other programs, and what they start.

Law: a wrapper is transparent for refusing and opaque for granting. Where its own options
are not all known, every later word may be the program, and the worst of them counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent_cockpit.rules.shell.judgement import (
    Judgement,
    destroys,
    names,
    only_reads,
    runs,
    starts,
)
from agent_cockpit.rules.shell.words import Word

MOST_TRIED = 60
"""Words that are tried as the program of an unknown wrapper; a longer tail is taken as bad."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapped:
    """What a wrapper does by itself (`own`), and what it starts.

    `inner` are command words for certain, `maybe` those that may be a command, `code` is
    shell text that it runs.
    """

    own: Judgement
    inner: tuple[tuple[Word, ...], ...] = ()
    maybe: tuple[tuple[Word, ...], ...] = ()
    code: tuple[str, ...] = ()
    assignments: tuple[tuple[str, Word], ...] = ()


UNKNOWN = Word("$…", literal=False)
"""Stands for arguments that a wrapper adds and nobody can see beforehand."""


def unwrap(name: str, words: tuple[Word, ...], *, fed: str) -> Wrapped | None:
    """What `words` starts; None: `name` is no wrapper."""
    if name in SHELLS:
        return _shell(name, words, fed)
    if name in ("eval", "trap"):
        return _evaluated(name, words)
    if name in ("find", "fd"):
        return _per_file(name, words)
    if name in ("sudo", "doas", "pkexec", "su", "runuser"):
        found = _behind(words, _OPTIONS.get(name, _NO_OPTIONS))
        own = destroys(name, "runs as another user, who may do anything")
        return Wrapped(own=own, inner=(found,) if found else ())
    if name == "command" and any(word.text in ("-v", "-V") for word in words[1:2]):
        return Wrapped(own=only_reads("command -v", names_only=True))
    if name in _OPTIONS:
        return _plain(name, words)
    two = " ".join(word.text for word in words[:2])
    if name in _OPAQUE or two in _OPAQUE_TWO or (name in ("npx", "bunx", "uvx")):
        prefix = two if two in _OPAQUE_TWO else name
        own = starts(prefix, "starts another program", network=two not in _LOCAL)
        return Wrapped(own=own, maybe=_tails(words))
    return None


def _plain(name: str, words: tuple[Word, ...]) -> Wrapped:
    found = _behind(words, _OPTIONS[name])
    if found is None:
        own = starts(name, "starts another program in a way that is not known here")
        said = " ".join(word.text for word in words[1:])
        split = re.match(r"(?:.*\s)?(?:-\w*S|--split-string)[\s=]*(.*)", said, re.S)
        code = (split[1],) if name == "env" and split else ()
        return Wrapped(own=own, maybe=_tails(words), code=code)
    assignments: list[tuple[str, Word]] = []
    while name == "env" and found and (match := re.match(r"([A-Za-z_]\w*)=(.*)", found[0].text)):
        assignments.append((match[1], Word(match[2], found[0].literal)))
        found = found[1:]
    if not found:
        return Wrapped(own=_alone(name), assignments=tuple(assignments))
    own = Judgement(tier=2, reason="starts another program", prefix=name, mutates=False, kept=False)
    if name == "xargs":
        found = (*found, UNKNOWN)
    return Wrapped(own=own, inner=(found,), assignments=tuple(assignments))


def _alone(name: str) -> Judgement:
    if name == "env":
        return runs("env", "prints the environment, where keys may be", kept=False)
    if name in ("xargs", "time", "command", "builtin"):
        return only_reads(name)
    return runs(name, "changes the shell that runs the line", kept=False)


@dataclass(frozen=True, slots=True)
class _Options:
    """A wrapper's own: `flags` alone, `valued` with a value, `skip` words before the program."""

    flags: str = ""
    valued: str = ""
    longs: tuple[str, ...] = ()
    skip: int = 0


def _behind(words: tuple[Word, ...], own: _Options) -> tuple[Word, ...] | None:
    """The words behind the wrapper's own; None where an option is not known."""
    at = 1
    while at < len(words):
        text = words[at].text
        if not text.startswith("-") or text == "-":
            break
        at += 1
        if text == "--":
            break
        if text.startswith("--"):
            if text[2:].split("=", 1)[0] not in own.longs:
                return None
            continue
        for place, char in enumerate(text[1:], 1):
            if char in own.valued:
                at += place == len(text) - 1
                break
            if char not in own.flags:
                return None
    if any(not word.literal for word in words[1 : at + own.skip]):
        return None
    return words[at + own.skip :]


def _tails(words: tuple[Word, ...]) -> tuple[tuple[Word, ...], ...]:
    return tuple(words[start:] for start in range(1, min(len(words), MOST_TRIED + 2)))


def _shell(name: str, words: tuple[Word, ...], fed: str) -> Wrapped:
    at, takes_code = 1, False
    while at < len(words) and re.match(r"[-+][a-zA-Z-]", words[at].text):
        text = words[at].text
        takes_code = takes_code or bool(re.fullmatch(r"-[a-z]*c[a-z]*|-Command|/c", text))
        at += 2 if re.fullmatch(r"[-+][a-z]*[oO]|--(rcfile|init-file)", text) else 1
    rest = words[at:]
    if takes_code and rest:
        own = starts(f"{name} -c", "hands a line to another shell")
        return Wrapped(own=own, code=(_inside(rest[0]),))
    if not rest or any(word.text == "-s" for word in words[1:at]):
        if fed:
            return Wrapped(own=starts(name, "runs whatever it is fed", tier=4))
        return Wrapped(own=runs(name, "opens another shell", kept=False))
    if "<(" in rest[0].text or (fed == "pipe" and rest[0].text in ("-", "/dev/stdin")):
        return Wrapped(own=starts(name, "runs whatever another command prints", tier=4))
    return Wrapped(own=starts(name, "runs a shell script"), maybe=_tails(words))


def _evaluated(name: str, words: tuple[Word, ...]) -> Wrapped:
    said = words[1:2] if name == "trap" else words[1:]
    own = starts(name, "runs text as shell commands")
    return Wrapped(own=own, code=(" ".join(_inside(word) for word in said),))


def _inside(word: Word) -> str:
    """The text that a shell would be handed; of an unknown word its spelling, unquoted."""
    return word.text if word.literal else word.text.replace('"', "")


def _per_file(name: str, words: tuple[Word, ...]) -> Wrapped | None:
    starts = ("-exec", "-execdir", "-ok", "-okdir") if name == "find" else _FD_STARTS
    begins = [at for at, word in enumerate(words) if word.text in starts]
    if any(word.text == "-delete" for word in words) and name == "find":
        return Wrapped(own=destroys(name, "deletes the files that it finds"))
    if not begins:
        return None
    inner = []
    for begin in begins:
        tail = words[begin + 1 :]
        ends = [at for at, word in enumerate(tail) if word.text in (";", "+")]
        inner.append((*tail[: ends[0] if ends else None], UNKNOWN))
    own = runs(name, "starts something for each file", kept=False)
    return Wrapped(own=own, inner=tuple(inner))


SHELLS = names("sh bash zsh dash ksh mksh fish ash csh tcsh pwsh powershell cmd")
_FD_STARTS = ("-x", "-X", "--exec", "--exec-batch")
_NO_OPTIONS = _Options()
_OPTIONS = {
    "env": _Options("i0v", "u", ("ignore-environment", "null")),
    "timeout": _Options("v", "ks", ("foreground", "preserve-status", "verbose"), skip=1),
    "nice": _Options("0123456789", "n", ("adjustment",)),
    "ionice": _Options("t", "cn"),
    "time": _Options("pvqal"),
    "nohup": _NO_OPTIONS,
    "setsid": _Options("cfw", "", ("fork", "wait", "ctty")),
    "stdbuf": _Options("", "ioe", ("input", "output", "error")),
    "xargs": _Options("0rtx", "nPIdLsE", ("null", "no-run-if-empty", "max-args", "max-procs")),
    "command": _Options("p"),
    "builtin": _NO_OPTIONS,
    "exec": _Options("cl", "a"),
    "busybox": _NO_OPTIONS,
    "toybox": _NO_OPTIONS,
    "sudo": _Options("nEHkSbPA", "ugpCrtTUhRD"),
    "doas": _Options("n", "uC"),
    "chronic": _NO_OPTIONS,
    "caffeinate": _Options("dimsu", "t"),
    "unbuffer": _Options("p"),
}
_OPAQUE = names(
    """parallel flock coproc
    strace ltrace gdb lldb valgrind script watch entr expect tmux screen chroot
    unshare nsenter taskset chrt numactl fakeroot proot rlwrap systemd-run at batch direnv mise
    asdf nix nix-shell dotenv cross-env concurrently nodemon watchexec xvfb-run ssh-agent
    dbus-run-session perf hyperfine faketime start-stop-daemon firejail bwrap wine"""
)
_OPAQUE_TWO = {
    "uv run",
    "uv tool",
    "poetry run",
    "pipenv run",
    "pdm run",
    "hatch run",
    "rye run",
    "conda run",
    "bundle exec",
    "npm exec",
    "npm x",
    "pnpm exec",
    "pnpm dlx",
    "yarn exec",
    "yarn dlx",
    "bun x",
    "pipx run",
    "docker run",
    "docker exec",
    "podman run",
    "podman exec",
}
_LOCAL = _OPAQUE_TWO & {"bundle exec", "pnpm exec", "docker exec", "podman exec"}
