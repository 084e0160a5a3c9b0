"""What a program start comes to, by its name, sub-command and options.

Law: a name that is not in any table runs at tier 3, under its own name; a file that merely
has a known name (`./git`) may be worse than the program, never better.
"""

from __future__ import annotations

import re
from dataclasses import replace

from agent_cockpit.rules.shell.fetchers import judge_fetcher
from agent_cockpit.rules.shell.git_commands import judge_git
from agent_cockpit.rules.shell.judgement import (
    Judgement,
    destroys,
    only_reads,
    operands,
    options,
    runs,
    sends,
    starts,
)
from agent_cockpit.rules.shell.program_tables import (
    DESTROYERS,
    FAMILIES,
    INTERPRETERS,
    OPEN_ENDED,
    OPEN_MODULES,
    SENDERS,
    SHELL_WORDS,
    VERSIONED,
    WRITERS,
    Family,
)
from agent_cockpit.rules.shell.readers import judge_reader
from agent_cockpit.rules.shell.words import Word

_STANDARD = re.compile(r"\A(/usr(/local)?|/opt/homebrew)?/s?bin/(?=[^/]+\Z)")


_STRANGE = re.compile(
    r"(-g|-i|--global|--user|--system|--index-url|--extra-index-url|--registry|--trusted-host"
    r"|--config|--script-shell|--?exec|--?toolexec|--?vettool|--root|--target)(=|\Z)"
)
"""Options that change what is started, where it comes from, or where it lands."""


def program_name(text: str) -> str:
    """The name that a program goes by, whatever path, letter case or ending it is called with."""
    name = re.split(r"[/\\]", text)[-1].lower()
    return re.sub(r"\.(exe|cmd|bat|com)\Z", "", name)


def judge_program(words: tuple[Word, ...], *, fed: str = "") -> Judgement:
    """Judge a program that starts no other one; `words[0]` is known."""
    called = _STANDARD.sub("", words[0].text)
    name = program_name(called)
    judged = _by_name(name, words, fed)
    if called == name:
        return judged
    if judged.tier >= 4:
        return judged
    prefix = called + judged.prefix[len(name) :] if judged.prefix.startswith(name) else called
    return replace(
        runs(prefix, kept=called.isascii() and judged.kept, network=judged.network),
        opaque=judged.opaque,
        others=(*words[1:], *judged.writes),
    )


def _by_name(name: str, words: tuple[Word, ...], fed: str) -> Judgement:
    rest = words[1:]
    if not name.isascii() or not name:
        return runs(name, "has a name with look-alike letters", kept=False)
    if name in VERSIONED and [word.text for word in rest] in (["--version"], ["-V"]):
        return only_reads(name)
    if name == "git":
        return judge_git(words)
    if (read := judge_reader(name, words)) is not None:
        return read
    if (fetched := judge_fetcher(name, rest)) is not None:
        return fetched
    if name in DESTROYERS or name.startswith("mkfs"):
        return destroys(name, DESTROYERS.get(name, "overwrites a disk"))
    if name in SENDERS:
        return sends(name, SENDERS[name])
    if name in WRITERS:
        return _writer(name, rest)
    if (family := _family(name)) is not None:
        return _member(name, family, rest)
    if re.fullmatch(INTERPRETERS, name):
        return _interpreter(name, rest, fed)
    if name in SHELL_WORDS:
        return _shell_word(name, rest)
    if name in OPEN_ENDED:
        judged = starts(name, "can start other programs by its options")
        return replace(judged, others=rest)
    unknown = any(not word.literal for word in rest)
    reason = "depends on values that are not known here" if unknown else ""
    return Judgement(
        tier=3, reason=reason or f"runs `{name}`", prefix=name, kept=not unknown, others=rest
    )


def _writer(name: str, rest: tuple[Word, ...]) -> Judgement:
    given = options(rest)
    if name in ("chmod", "chown", "chgrp") and given & {"-R", "--recursive"}:
        return destroys(name, "changes the rights of whole folders")
    if any(not word.literal for word in rest):
        return runs(name, "depends on values that are not known here", kept=False)
    if name == "make":
        return _make(rest)
    paths = operands(rest, "mt" if name in ("mkdir", "install") else "t")
    named = tuple(word for word in rest if word.text.startswith("--") and "=" in word.text)
    skip = 1 if name in ("chmod", "chown", "chgrp") else 0
    reads: tuple[Word, ...] = ()
    if name == "cp" and not given & {"-t", "--target-directory"}:
        reads, paths = paths[:-1], paths[-1:]
    if given & {"-t", "--target-directory"}:
        paths = tuple(word for word in rest if not word.text.startswith("-"))
    return Judgement(
        tier=3,
        reason=WRITERS[name],
        prefix=name,
        reads=reads,
        writes=paths[skip:],
        others=named,
    )


def _make(rest: tuple[Word, ...]) -> Judgement:
    targets = [word.text for word in rest if not word.text.startswith("-")]
    known = options(rest, "j") <= {"-j", "-k", "-s", "-B", "-n", *(f"-{n}" for n in range(10))}
    if not known or any("=" in target for target in targets):
        return starts("make", "uses an option that can change what make starts")
    return runs(" ".join(["make", *targets[:1]]))


def _member(name: str, family: Family, rest: tuple[Word, ...]) -> Judgement:
    at = 0
    while at < len(rest) and rest[at].text in family.flags:
        at += 1
    if at >= len(rest):
        return runs(name, kept=False)
    bad = family.destroying | family.sending
    sub = rest[at].text
    if sub.startswith("-") or not rest[at].literal:
        if worst := next((word.text for word in rest if word.text in bad), None):
            return starts(name, f"may run `{name} {worst}` behind an option not known here", tier=4)
        return starts(name, "uses an option that is not known here")
    tail = rest[at + 1 :]
    prefix = f"{name} {sub}"
    if sub in family.nested and tail:
        if tail[0].text.startswith("-") or not tail[0].literal:
            return starts(prefix, "uses an option that is not known here")
        prefix, sub = f"{prefix} {tail[0].text}", f"{sub} {tail[0].text}"
        tail = tail[1:]
    return _by_sub(name, sub, prefix, tail, family)


def _by_sub(name: str, sub: str, prefix: str, tail: tuple[Word, ...], family: Family) -> Judgement:
    first = sub.split(" ", 1)[0]
    if sub in family.destroying or first in family.destroying:
        return destroys(prefix, "deletes, stops or overwrites something")
    if sub in family.sending or first in family.sending:
        return sends(prefix, "publishes, or acts on another machine")
    unknown = any(not word.literal for word in tail)
    if sub in family.reading and not unknown:
        return only_reads(prefix)
    if unknown:
        return runs(prefix, "depends on values that are not known here", kept=False)
    if sub in family.opaque or first in family.opaque:
        return starts(prefix, "can start or change anything")
    strange = next((word.text for word in tail if _STRANGE.match(word.text)), None)
    if strange is not None:
        return starts(prefix, f"uses `{strange}`, which reaches further")
    if sub in family.fetching or first in family.fetching:
        return Judgement(
            tier=3, reason="fetches packages", prefix=prefix, network=True, others=tail
        )
    if family.known is not None and sub not in family.known and first not in family.known:
        if any(len(sub) > 2 and each.startswith(sub) for each in family.sending):
            return sends(prefix, "publishes, or acts on another machine")
        return runs(prefix, f"is no {name} command that is known here", kept=False)
    return Judgement(tier=3, reason=f"runs `{prefix}`", prefix=prefix, others=tail)


def _family(name: str) -> Family | None:
    return FAMILIES.get("pip" if re.fullmatch(r"pip[\d.]*", name) else name)


def _interpreter(name: str, rest: tuple[Word, ...], fed: str) -> Judgement:
    flags = "bBdEhiIOqRsSuvx" if name.startswith(("python", "pypy")) else ""
    for at, word in enumerate(rest):
        text = word.text
        if not word.literal:
            worst = "<(" in text
            return starts(name, "runs code that is not known here", tier=4 if worst else 3)
        if not text.startswith("-") or text == "-":
            if text == "-" or text == "/dev/stdin":
                break
            prefix = f"{name} {text}"
            return Judgement(
                tier=3,
                reason=f"runs `{prefix}`",
                prefix=prefix,
                others=rest[at:],
                kept=all(word.literal for word in rest),
            )
        if flags and (match := re.fullmatch(rf"-[{flags}]*([cm])(.*)", text)):
            module = match[2] or (rest[at + 1].text if at + 1 < len(rest) else "")
            if match[1] == "m":
                return _module(name, module, rest[at + (1 if match[2] else 2) :], fed)
            return starts(f"{name} -c", "runs code given on the line")
        if not flags or not re.fullmatch(rf"-[{flags}]+", text):
            return starts(f"{name} {text}", "runs code given on the line")
    if fed == "pipe":
        return starts(name, "runs whatever it is fed", tier=4)
    return starts(name, "runs code given on the line")


def _module(name: str, module: str, tail: tuple[Word, ...], fed: str) -> Judgement:
    prefix = f"{name} -m {module}"
    if module in ("pip", "uv", "twine", "poetry", "hatch", "flit"):
        inner = _by_name(module, (Word(module), *tail), fed)
        return replace(inner, prefix=f"{name} -m {inner.prefix}")
    if module in OPEN_MODULES or not re.fullmatch(r"[A-Za-z_][\w.]*", module):
        return starts(prefix, "can start other programs by its options")
    kept = all(word.literal for word in tail)
    return Judgement(tier=3, reason=f"runs `{prefix}`", prefix=prefix, kept=kept, others=tail)


def _shell_word(name: str, rest: tuple[Word, ...]) -> Judgement:
    said = [word.text for word in rest]
    if name in ("source", "."):
        if any("<(" in text for text in said):
            return starts(name, "runs whatever another command prints", tier=4)
        return runs(name, "runs a file inside the shell", kept=False)
    quiet = {
        "cd": len(said) <= 1 and all(word.literal for word in rest) and said != ["-"],
        "set": bool(said) and all(re.fullmatch(r"[-+][euxo]+|pipefail", text) for text in said),
        "unset": all(re.fullmatch(r"\w+", text) for text in said),
    }
    leaves = name in ("exit", "return", "break", "continue", "wait", "shift", "times", "jobs")
    plain = leaves and all(re.fullmatch(r"\d+", text) for text in said)
    assigns = name in ("export", "declare", "typeset", "local", "readonly")
    declares = assigns and all(
        re.fullmatch(r"-[xrgaA]+|\w+", text) and word.literal
        for word, text in zip(rest, said, strict=True)
    )
    if plain or declares or quiet.get(name, False):
        goes = (rest[:1] or (Word("~"),)) if name == "cd" else ()
        return only_reads(name, goes, names_only=True)
    return starts(name, "changes the shell that runs the line")
