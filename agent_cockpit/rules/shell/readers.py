"""Programs that only look, and the options with which they do more than that.

Law: a program with any option that writes or starts something is listed with the options
that do not; an option that is not listed takes it out of this table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from agent_cockpit.rules.shell.judgement import (
    Judgement,
    Sweep,
    names,
    only_reads,
    operands,
    options,
    runs,
    starts,
)
from agent_cockpit.rules.shell.words import Word


@dataclass(frozen=True, slots=True)
class Reader:
    """How one reader may be called. `flags` None: none of its options does harm.

    `valued` letters take a value, `skip` operands come before the paths, `most` is how many
    operands are harmless (None: any number), `paths` False: operands name no files.
    """

    flags: str | None = None
    valued: str = ""
    longs: tuple[str, ...] = ()
    skip: int = 0
    most: int | None = None
    names_only: bool = False
    paths: bool = True


def judge_reader(name: str, words: tuple[Word, ...]) -> Judgement | None:
    """The judgement of a program in the table; None: it is not in it."""
    rest = words[1:]
    reader = _READERS.get(name)
    if reader is None and name not in _SCRIPTED:
        return None
    if (reader is None or reader.flags is not None) and may_add_options(rest):
        return runs(name, "takes file names that could be taken for options", kept=False)
    if reader is None:
        return _SCRIPTED[name](rest)
    if name in _SPEAKERS:
        if _speaks_only(name, rest):
            return only_reads(name, names_only=True)
        return runs(name, "may show a key, or change a variable", kept=False)
    if any(not word.literal for word in rest):
        reason = "depends on values that are not known here"
        harmless = reader.flags is None
        return only_reads(name).raised(reason) if harmless else runs(name, reason, kept=False)
    given = options(rest, reader.valued)
    if reader.flags is not None and not all(_listed(option, reader) for option in given):
        return _more(name)
    valued = reader.valued.replace("f", "") if "-f" in given else reader.valued
    paths = operands(rest, valued) if reader.paths else ()
    if reader.most is not None and len(paths) > reader.most:
        return _more(name)
    skip = 0 if given & {"-e", "-f", "--regexp", "--file"} else reader.skip
    if name == "jq" and re.search(r"\benv\b|\$ENV", " ".join(word.text for word in paths[:1])):
        return runs(name, "prints the environment, where keys may be", kept=False)
    named = tuple(word for word in rest if word.text.startswith("--") and "=" in word.text)
    judged = replace(
        only_reads(name, paths[skip:], names_only=reader.names_only),
        others=() if name in _GREPS else named,
    )
    if name in _GREPS:
        sweeps, limits = _swept(name, rest, given)
        return replace(judged, sweeps=sweeps, reads=(*judged.reads, *limits))
    if name == "diff" and given & {"-r", "--recursive"}:
        return replace(judged, sweeps="all")
    return judged


def may_add_options(words: tuple[Word, ...]) -> bool:
    """Whether a file named like an option could become one: by a pattern that begins a word."""
    return any(word.pattern and word.text[:1] in ("*", "?", "[") for word in words)


def _more(name: str) -> Judgement:
    return starts(name, "uses an option that can write or start something")


def _listed(option: str, reader: Reader) -> bool:
    if option.startswith("--"):
        return option[2:] in reader.longs
    return option[1:] in (reader.flags or "") or option[1:] in reader.valued or option[1:].isdigit()


def _speaks_only(name: str, rest: tuple[Word, ...]) -> bool:
    """Not so: printing what may be a key, setting a variable, and tests that do arithmetic
    on what a variable holds."""
    said = " ".join(word.text for word in rest)
    if any(not word.literal and _KEYS.search(word.text) for word in rest):
        return False
    if name == "printf":
        return not rest or (rest[0].literal and not said.startswith("-v"))
    if name in ("test", "[", "[["):
        computes = re.search(r"(^|\s)-(eq|ne|lt|le|gt|ge)\s", said) and name == "[["
        unknown = re.search(r"[A-Za-z_$`]", re.sub(r"(^|\s)-[a-z]+(?=\s)", "", said))
        return not re.search(r"(^|\s)-[vR]\s", said) and not (computes and unknown)
    return True


def _swept(
    name: str, rest: tuple[Word, ...], given: frozenset[str]
) -> tuple[Sweep, tuple[Word, ...]]:
    """Of a search through folders: what it looks into, or the patterns that it is limited to."""
    said = [word.text for word in rest]
    if name == "rg":
        wide = given & {"-u", "-.", "--hidden", "--no-ignore", "--unrestricted"}
        globs = [*_valued(said, "-g", "--glob"), *_valued(said, "", "--iglob")]
        limits = [glob for glob in globs if not glob.startswith("!")]
        types = {*_valued(said, "-t", "--type")}
        if types and types <= _CODE_TYPES:
            return "", ()
        sweep: Sweep = "all" if wide else "visible"
    elif given & {"-r", "-R", "--recursive", "--dereference-recursive"}:
        sweep, limits = "all", _valued(said, "", "--include")
    else:
        return "", ()
    return ("", tuple(Word(each, pattern=True) for each in limits)) if limits else (sweep, ())


def _valued(said: list[str], short: str, long: str) -> list[str]:
    """The values of an option, however they are attached."""
    found = [text.partition("=")[2] for text in said if text.startswith(f"{long}=")]
    found += [after for text, after in pairwise(said) if text in (short, long)]
    if short:
        found += [text[2:] for text in said if text.startswith(short) and len(text) > 2]
    return found


def _sed(rest: tuple[Word, ...]) -> Judgement:
    given = options(rest, "e")
    known = {"-n", "-E", "-r", "-e", "-s", "-u", "-z", "--quiet", "--silent", "--expression"}
    in_place = {option for option in given if option in ("-i", "--in-place")}
    if any(not word.literal for word in rest):
        return starts("sed", "depends on values that are not known here")
    scripts, files = _scripts(rest)
    safe = all(_SED.fullmatch(script.strip()) for script in scripts) and scripts
    if not safe or given - known - in_place or (in_place and _inplace_suffix(rest)):
        return starts("sed", "runs a sed script that can write or start something")
    if in_place:
        return Judgement(tier=3, reason="edits files in place", prefix="sed -i", writes=files)
    return only_reads("sed", files)


def _inplace_suffix(rest: tuple[Word, ...]) -> bool:
    return any(re.match(r"-[a-zA-Z]*i.|--in-place=", word.text) for word in rest)


def _scripts(rest: tuple[Word, ...]) -> tuple[list[str], tuple[Word, ...]]:
    scripts: list[str] = []
    files: list[Word] = []
    take = False
    given = bool(options(rest, "e") & {"-e", "--expression"})
    for word in rest:
        text = word.text
        if take:
            scripts.append(text)
            take = False
        elif text.startswith("--expression="):
            scripts.append(text.partition("=")[2])
        elif re.fullmatch(r"-[nErsuz]*e|--expression", text):
            take = True
        elif text.startswith("-") and text != "-":
            if "e" in text and not text.startswith("--"):
                scripts.append(text[text.index("e") + 1 :])
        elif not given and not scripts:
            scripts.append(text)
        else:
            files.append(word)
    return scripts, tuple(files)


def _awk(rest: tuple[Word, ...]) -> Judgement:
    if any(not word.literal for word in rest):
        return starts("awk", "depends on values that are not known here")
    plain = operands(rest, "Fv")
    harmless = options(rest, "Fv") <= {"-F", "-v"} and plain
    if not harmless or _AWK_ACTS.search(re.sub(r"\|\||>=", " ", plain[0].text)):
        return starts("awk", "runs an awk program that can write or start something")
    return only_reads("awk", plain[1:])


def _date(rest: tuple[Word, ...]) -> Judgement:
    sets = any(option in ("-s", "-f") or option.startswith("--s") for option in options(rest, "dr"))
    plain = operands(rest, "dr", ("date", "reference"))
    if sets or any(not word.text.startswith("+") for word in plain):
        return runs("date", "can set the clock", kept=False)
    return only_reads("date", names_only=True)


def _find(rest: tuple[Word, ...]) -> Judgement:
    if any(not word.literal for word in rest):
        return starts("find", "depends on values that are not known here")
    tests = [word.text for word in rest if re.match(r"-[A-Za-z]", word.text)]
    if any(test.startswith(("-delete", "-fprint", "-fls", "-ok", "-exec")) for test in tests):
        return starts("find", "writes or starts something for each file")
    if any(test[1:] not in _FIND_TESTS for test in tests):
        return runs("find", "uses a test that is not known here", kept=False)
    folders: list[Word] = []
    for word in rest:
        if word.text in ("-H", "-L", "-P"):
            continue
        if word.text.startswith("-") or word.text in ("(", ")", "!", ","):
            break
        folders.append(word)
    return only_reads("find", tuple(folders), names_only=True)


_SED_ADDRESS = r"(?:\d+|\$|/(?:\\.|[^/\\\n])*/)"
_SED_COMMAND = (
    rf"(?:{_SED_ADDRESS}(?:,\+?{_SED_ADDRESS})?\s*!?\s*)?"
    r"(?:[pdqDPhHgGxnNl=]|s([/|#,:@])(?:\\.|(?!\{n})[^\\\n])*\{n}(?:\\.|(?!\{n})[^\\\n])*\{n}[gpiI\d]*)"
)
_SED = re.compile(
    _SED_COMMAND.replace(r"{n}", "1") + rf"(?:\s*[;\n]\s*{_SED_COMMAND.replace('{n}', '2')})?"
)
"""Print, delete, quit and substitute, at most two of them: no `w`, `e`, `r` or `s///e`."""

_KEYS = re.compile(r"\$\{?\w*(KEY|TOKEN|SECRET|PASS|CRED|AUTH)", re.I)
_AWK_ACTS = re.compile(r"system|getline|close|fflush|ENVIRON|ARGV|[|>@]")

_FIND_TESTS = names(
    """
        name iname path ipath wholename iwholename regex iregex regextype type xtype size empty
        mtime mmin atime amin ctime cmin newer anewer cnewer newermt perm user group uid gid
        nouser nogroup readable writable executable links inum samefile maxdepth mindepth depth
        d mount xdev prune print print0 ls printf quit true false follow noleaf daystart not a
        and o or H L P lname ilname fstype used
    """
)
_SPEAKERS = frozenset({"echo", "printf", "test", "[", "[[", "true", "false", ":", "pwd"})
_GREPS = frozenset({"grep", "egrep", "fgrep", "rg"})
_CODE_TYPES = names(
    "py rust go js ts c cpp java ruby php css html md markdown sh swift kotlin lua sql tex"
)
"""Kinds of files, as rg names them, none of which is a kind for secrets."""

_NAMES = Reader(names_only=True)
_READERS: dict[str, Reader] = {
    **dict.fromkeys(
        names(
            """
                cat tac nl wc paste comm cmp diff md5sum sha1sum sha256sum sha512sum cksum fold
                expand unexpand od hexdump strings column rev
            """
        ),
        Reader(),
    ),
    **dict.fromkeys(
        names("ls stat du df basename dirname realpath readlink"),
        _NAMES,
    ),
    **dict.fromkeys(
        names("id whoami uname arch nproc seq expr which type uptime sleep tr"),
        Reader(names_only=True, paths=False),
    ),
    **dict.fromkeys(("head", "tail"), Reader(valued="nc")),
    "cut": Reader(valued="dfbc"),
    "join": Reader(valued="t12joae"),
    **dict.fromkeys(_SPEAKERS, _NAMES),
    **dict.fromkeys(("grep", "egrep", "fgrep"), Reader(skip=1, valued="efmABCdD")),
    "jq": Reader(
        flags="rcsSeMCnRaj", longs=("raw-output", "compact-output", "slurp", "tab"), skip=1
    ),
    "file": Reader(flags="bhikLNr0", longs=("brief", "mime", "mime-type"), names_only=True),
    "tree": Reader(
        flags="adfilpsughDCJNQ", valued="LIP", longs=("noreport", "dirsfirst"), names_only=True
    ),
    "sort": Reader(
        flags="bdfghiMnRrVcCuzsm",
        valued="kt",
        longs=("reverse", "numeric-sort", "unique", "key", "human-numeric-sort", "version-sort"),
    ),
    "uniq": Reader(flags="cdDuiz", valued="fsw", longs=("count", "repeated", "unique"), most=1),
    "xxd": Reader(flags="bipu", valued="lcsg", most=1),
    "rg": Reader(
        flags="niIlLcowvxsSFPUpqHN0u.",
        valued="eABCtTgmMjfr",
        longs=tuple(
            names(
                """
                    line-number ignore-case files-with-matches count only-matching word-regexp
                    glob type context after-context before-context max-count files hidden
                    no-ignore no-heading heading json stats smart-case fixed-strings multiline
                    sort color type-list with-filename unrestricted no-filename invert-match
                    max-depth iglob
                """
            )
        ),
        skip=1,
    ),
    "fd": Reader(
        flags="HIuisagF0lp",
        valued="edtEScj",
        longs=("hidden", "no-ignore", "extension", "type", "glob", "max-depth", "exclude"),
        skip=1,
        names_only=True,
    ),
}
_SCRIPTED = {"sed": _sed, "awk": _awk, "gawk": _awk, "mawk": _awk, "date": _date, "find": _find}
