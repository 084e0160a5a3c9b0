"""What a git command does: looks, changes the repository, throws work away, or sends it.

Law: an option or sub-command that is not known here is asked for every time; options that
make git start another program count as the worst that they could start.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from agent_cockpit.rules.shell.judgement import (
    Judgement,
    Sweep,
    destroys,
    names,
    only_reads,
    operands,
    options,
    runs,
    sends,
    starts,
)
from agent_cockpit.rules.shell.readers import may_add_options
from agent_cockpit.rules.shell.words import Word

_STARTS = "makes git start another program"


def judge_git(words: tuple[Word, ...]) -> Judgement:
    """Judge `git …`; all words before the sub-command must be known ones."""
    at = 1
    folders: list[Word] = []
    while at < len(words) and words[at].text.startswith("-"):
        text = words[at].text
        value = words[at + 1] if at + 1 < len(words) else Word("")
        if text == "-C" and value.literal:
            folders.append(value)
            at += 2
        elif text == "-c" and value.literal:
            if not _HARMLESS_SETTING.match(value.text):
                return starts("git -c", _STARTS, tier=4)
            at += 2
        elif text in ("--no-pager", "--no-optional-locks", "--literal-pathspecs", "-P"):
            at += 1
        elif text in ("--version", "--help") and len(words) == 2:
            return only_reads("git")
        elif text.startswith(("--git-dir", "--work-tree", "--exec-path", "--config-env", "-c")):
            return starts("git", "makes git work with other settings or another repository", tier=4)
        else:
            return _worst(words[at:])
    if at >= len(words):
        return only_reads("git")
    if not words[at].literal:
        return starts("git", "depends on values that are not known here")
    sub, rest = words[at].text, words[at + 1 :]
    judged = _judge_sub(sub, rest)
    if folders:
        judged = _within(judged, tuple(folders))
    if judged.tier < 4 and any(not word.literal for word in rest):
        return runs(f"git {sub}", "depends on values that are not known here", kept=False)
    return judged


def _within(judged: Judgement, folders: tuple[Word, ...]) -> Judgement:
    return replace(judged, others=(*judged.others, *folders))


def _judge_sub(sub: str, rest: tuple[Word, ...]) -> Judgement:
    name = f"git {sub}"
    given = options(rest)
    plain = [word.text for word in operands(rest)]
    long_names = {option for option in given if option.startswith("--")}
    if any(_may_mean(option, _STARTING) for option in long_names):
        return starts(name, _STARTS, tier=4)
    if sub in _DESTROYING:
        return destroys(name, _DESTROYING[sub])
    if sub in _SENDING:
        return sends(name, _SENDING[sub])
    if sub in _SPECIAL:
        return _SPECIAL[sub](name, rest, given, plain)
    if sub in _READING:
        if any(_may_mean(option, ("--output",)) for option in long_names):
            return runs(name, "writes its output to a file", kept=False)
        if sub == "grep" and "-O" in given:
            return starts(name, _STARTS, tier=4)
        if may_add_options(rest[: [word.text for word in (*rest, Word("--"))].index("--")]):
            return runs(name, "takes file names that could be taken for options", kept=False)
        return replace(_reads(name, rest), sweeps=_sweeps(sub, rest, given))
    if sub in _FETCHING:
        if any(re.match(r"ext::|fd::", text) for text in plain) or (
            sub == "clone" and given & {"-c", "-u", "--config", "--template"}
        ):
            return starts(name, _STARTS, tier=4)
        return Judgement(
            tier=3, reason="fetches from another machine", prefix=name, network=True, others=rest
        )
    if sub in _CHANGING:
        return Judgement(tier=3, reason=_CHANGING[sub], prefix=name, others=operands(rest, "m"))
    return runs(name, "is no git command that is known here", kept=False)


def _reads(name: str, rest: tuple[Word, ...]) -> Judgement:
    seen = [Word(word.text.rpartition(":")[2], pattern=word.pattern) for word in operands(rest)]
    return Judgement(tier=2, reason="reads only", prefix=name, mutates=False, others=(*seen, *rest))


def _sweeps(sub: str, rest: tuple[Word, ...], given: frozenset[str]) -> Sweep:
    """Whether it shows contents of all files that are tracked, in their present or past."""
    shows = sub in _SHOWING or (sub == "log" and bool(given & {"-p", "-u", "-c", "-L", "--patch"}))
    said = [word.text for word in rest]
    behind = rest[said.index("--") + 1 :] if "--" in said else ()
    named = bool(behind) or any(":" in text for text in said)
    return "tracked" if shows and not named and not given & _NAMING else ""


def _may_mean(option: str, names: tuple[str, ...]) -> bool:
    """Whether git would take `option` for one of `names`: it accepts any unambiguous start."""
    return len(option) > 3 and any(name.startswith(option) for name in names)


def _worst(words: tuple[Word, ...]) -> Judgement:
    for word in words:
        if word.text in _DESTROYING or word.text in _SENDING or word.text in ("reset", "clean"):
            reason = f"may run `git {word.text}` behind an option not known here"
            return starts("git", reason, tier=4)
    return starts("git", "uses an option that is not known here")


Given = frozenset[str]
Judge = Callable[[str, tuple[Word, ...], Given, list[str]], Judgement]


def _reset(name: str, rest: tuple[Word, ...], given: Given, plain: list[str]) -> Judgement:
    if any(_may_mean(option, ("--hard", "--merge", "--keep")) for option in given):
        return destroys(name, "throws away uncommitted work")
    return runs(name, "changes what is staged, or where the branch points")


def _clean(name: str, rest: tuple[Word, ...], given: Given, plain: list[str]) -> Judgement:
    if given & {"-n", "--dry-run"} and given <= {"-n", "--dry-run", "-d", "-x", "-X"}:
        return _reads(name, rest)
    return destroys(name, "deletes untracked files")


def _branch(name: str, rest: tuple[Word, ...], given: Given, plain: list[str]) -> Judgement:
    if given & {"-d", "-D", "-M", "-f", "-C"} or any(
        _may_mean(option, ("--delete", "--force")) for option in given
    ):
        return destroys(name, "deletes or overwrites a branch or tag")
    listing = {"-a", "-r", "-v", "-l", "-n", "--list", "--all", "--remotes", "--verbose"}
    listing |= {"--show-current", "--contains", "--merged", "--no-merged", "--sort", "--format"}
    listing |= {"--points-at", "--no-color", "--column", "--no-column"}
    if given <= listing and (not plain or given & (listing - {"-a", "-r", "-v"})):
        return _reads(name, rest)
    return runs(name, "creates or changes a branch or tag")


def _checkout(name: str, rest: tuple[Word, ...], given: Given, plain: list[str]) -> Judgement:
    forced = given & {"-f", "-B", "-p", "--ours", "--theirs", "--force", "--patch"}
    if forced or any(word.text == "--" for word in rest) or (len(plain) > 1 and not given & {"-b"}):
        return destroys(name, "throws away uncommitted work")
    if given & {"-b", "--orphan"}:
        return runs(name, "creates a branch and switches to it")
    if any("." in text or text.endswith("/") for text in plain):
        return destroys(name, "throws away uncommitted work, if this names a file")
    return runs(name, "switches branch, or throws away changes of a file so named", kept=False)


def _switch(name: str, rest: tuple[Word, ...], given: Given, plain: list[str]) -> Judgement:
    dropping = ("--discard-changes", "--force", "--force-create")
    if given & {"-f", "-C"} or any(_may_mean(option, dropping) for option in given):
        return destroys(name, "throws away uncommitted work")
    return runs(name, "switches branch")


def _restore(name: str, rest: tuple[Word, ...], given: Given, plain: list[str]) -> Judgement:
    if given & {"-S", "--staged"} and not given & {"-W", "--worktree", "-s", "--source", "-p"}:
        return runs(name, "takes files out of what is staged")
    return destroys(name, "throws away uncommitted work")


def _stash(name: str, rest: tuple[Word, ...], given: Given, plain: list[str]) -> Judgement:
    verb = plain[0] if plain else "push"
    if verb in ("drop", "clear"):
        return destroys(f"{name} {verb}", "deletes stashed work")
    if verb in ("list", "show"):
        return _reads(f"{name} {verb}", rest)
    if verb in ("push", "pop", "apply", "save", "branch", "create", "store"):
        return runs(f"{name} {verb}", "moves uncommitted work to or from the stash")
    return runs(name, "is no git command that is known here", kept=False)


def _listed(*reading: str, change: str, removing: str = "") -> Judge:
    def judge(name: str, rest: tuple[Word, ...], given: Given, plain: list[str]) -> Judgement:
        verb = plain[0] if plain else ""
        whole = f"{name} {verb}".rstrip()
        if verb in reading:
            return _reads(whole, rest)
        if removing and verb in removing.split():
            return destroys(whole, f"removes a {change}")
        return runs(whole, f"changes a {change}", kept=False)

    return judge


def _config(name: str, rest: tuple[Word, ...], given: Given, plain: list[str]) -> Judgement:
    asks = {"--get", "--get-all", "--get-regexp", "--list", "-l", "--show-origin", "--show-scope"}
    if given & asks and given <= asks | {"--local", "--global", "--system", "-z", "--name-only"}:
        return _reads(name, rest)
    if plain[:1] in (["get"], ["list"]):
        return _reads(name, rest)
    return runs(name, "changes git's settings, which can make it start programs", kept=False)


def _rebase(name: str, rest: tuple[Word, ...], given: Given, plain: list[str]) -> Judgement:
    if given & {"-x", "-i", "--exec", "--interactive"}:
        return starts(name, _STARTS, tier=4)
    return runs(name, "rewrites the branch")


def _submodule(name: str, rest: tuple[Word, ...], given: Given, plain: list[str]) -> Judgement:
    verb = plain[0] if plain else "status"
    if verb in ("foreach", "deinit"):
        if verb == "foreach":
            return starts(f"{name} {verb}", _STARTS, tier=4)
        return destroys(f"{name} {verb}", "removes a submodule")
    if verb in ("status", "summary"):
        return _reads(f"{name} {verb}", rest)
    return Judgement(
        tier=3, reason="fetches from another machine", prefix=f"{name} {verb}", network=True
    )


def _bisect(name: str, rest: tuple[Word, ...], given: Given, plain: list[str]) -> Judgement:
    if plain[:1] == ["run"]:
        return starts(f"{name} run", _STARTS, tier=4)
    if plain[:1] in (["log"], ["view"]):
        return _reads(f"{name} {plain[0]}", rest)
    return runs(name, "moves the working tree between commits")


def _archive(name: str, rest: tuple[Word, ...], given: Given, plain: list[str]) -> Judgement:
    return runs(name, "writes an archive", kept=False)


_HARMLESS_SETTING = re.compile(
    r"(color\.\w+|core\.(quote[pP]ath|autocrlf|abbrev)|user\.(name|email)|advice\.\w+"
    r"|log\.\w+|diff\.(renames|context|noprefix)|init\.default[bB]ranch)=",
    re.I,
)
_STARTING = (
    "--ext-diff",
    "--exec",
    "--upload-pack",
    "--receive-pack",
    "--open-files-in-pager",
    "--extcmd",
    "--tool",
    "--paginate",
)
_DESTROYING = {
    "filter-branch": "rewrites history",
    "filter-repo": "rewrites history",
    "rm": "deletes files",
    "gc": "may delete unreachable commits",
    "prune": "deletes unreachable commits",
    "update-ref": "moves or deletes branches",
    "replace": "replaces objects of the history",
    "difftool": _STARTS,
    "mergetool": _STARTS,
    "instaweb": _STARTS,
    "hook": _STARTS,
    "checkout-index": "overwrites files",
    "read-tree": "overwrites what is staged",
    "maintenance": _STARTS,
    "credential": "hands out passwords",
}
_SENDING = {
    "push": "sends commits to another machine",
    "send-email": "sends mail",
    "send-pack": "sends commits to another machine",
    "http-push": "sends commits to another machine",
    "svn": "talks to another machine",
    "p4": "talks to another machine",
    "daemon": "serves the repository to others",
    "imap-send": "sends mail",
    "request-pull": "talks to another machine",
    "lfs": "talks to another machine",
}
_FETCHING = frozenset({"fetch", "pull", "clone", "ls-remote"})
_CHANGING = {
    "add": "stages files",
    "commit": "commits",
    "mv": "moves files",
    "init": "makes a repository",
    "merge": "merges",
    "cherry-pick": "copies commits",
    "revert": "reverts commits",
    "am": "applies patches",
    "apply": "applies a patch",
    "format-patch": "writes patches",
}
_READING = names(
    """
        status log diff show rev-parse ls-files ls-tree blame annotate shortlog describe
        cat-file rev-list name-rev merge-base grep for-each-ref count-objects check-ignore
        version whatchanged diff-tree diff-index diff-files show-ref show-branch cherry
        range-diff merge-tree var check-attr verify-commit
    """
)
_SHOWING = names("diff show whatchanged grep diff-tree diff-index diff-files range-diff")
_NAMING = frozenset(
    {"--stat", "--shortstat", "--numstat", "--name-only", "--name-status", "--summary", "--quiet"}
)
"""Options with which a diff shows no contents."""
_SPECIAL: dict[str, Judge] = {
    "reset": _reset,
    "clean": _clean,
    "branch": _branch,
    "tag": _branch,
    "checkout": _checkout,
    "switch": _switch,
    "restore": _restore,
    "stash": _stash,
    "config": _config,
    "rebase": _rebase,
    "submodule": _submodule,
    "bisect": _bisect,
    "archive": _archive,
    "remote": _listed("", "-v", "get-url", change="remote", removing="remove rm"),
    "worktree": _listed("list", change="worktree", removing="remove prune"),
    "reflog": _listed("", "show", change="reflog", removing="expire delete"),
    "notes": _listed("", "list", "show", change="note", removing="remove prune"),
    "symbolic-ref": _listed(change="reference"),
}
