"""Skills: folders with a SKILL.md that says how to do one thing, named, listed and called.

Law: a skill is text for the model. Nothing of it is run, and it allows nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent_cockpit.rules.model.frontmatter import flag, frontmatter
from agent_cockpit.rules.model.reminders import SKILLS_MARK
from agent_cockpit.text import clean_line, shorten

SKILL_CALL = "/skill:"
"""A prompt that begins so calls the skill that follows."""

MOST_NAME_CHARACTERS = 64
FULL_ENTRY_CHARACTERS = 400
SHORT_ENTRY_CHARACTERS = 120

_HOW = (
    "When a task fits one, read its file before you begin and do what it says, as far as the "
    "person's words and what is allowed here go."
)
NO_SKILLS = f"{SKILLS_MARK}\nThere are none any more; those that were listed earlier are gone."
_SCOPES = ("project", "added", "yours")


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """One skill: `path` is its SKILL.md, `scope` is project, added or yours.

    `is_listed` shows it to the model, `is_command` lets a person call it by name.
    """

    name: str
    scope: str
    path: str
    description: str = ""
    when_to_use: str = ""
    body: str = ""
    is_listed: bool = True
    is_command: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenSkill:
    """A SKILL.md that is left out, and why."""

    path: str
    problem: str


def parse_skill(text: str, *, folder: str, scope: str, path: str) -> Skill:
    """The skill of a SKILL.md; `ValueError` says what is wrong with it."""
    fields, body = frontmatter(text)
    name = slug(fields.get("name", "")) or slug(folder)
    if not name:
        raise ValueError("neither its name nor its folder's has a letter or a digit")
    return Skill(
        name=name,
        scope=scope,
        path=path,
        description=clean_line(fields.get("description", "")),
        when_to_use=clean_line(fields.get("when-to-use", "")),
        body=body.strip("\n"),
        is_listed=not flag(fields, "disable-model-invocation", default=False),
        is_command=flag(fields, "user-invocable", default=True),
    )


def slug(name: str) -> str:
    """A name as it is typed: small letters and digits, one `-` for all between them."""
    word = re.sub(r"[\W_]+", "-", name.lower()).strip("-")
    return word[:MOST_NAME_CHARACTERS].rstrip("-")


def named(skills: Sequence[Skill]) -> tuple[Skill, ...]:
    """The skills with names of their own, given highest precedence first.

    Of two with one name in one scope the first stays; in different scopes both stay, as
    `scope:name`. The result is in order of scope and name.
    """
    first: dict[tuple[str, str], Skill] = {}
    for skill in skills:
        first.setdefault((skill.scope, skill.name), skill)
    scopes = Counter(name for _, name in first)
    unique = [
        replace(skill, name=f"{skill.scope}:{skill.name}") if scopes[skill.name] > 1 else skill
        for skill in first.values()
    ]
    return tuple(sorted(unique, key=lambda skill: (_SCOPES.index(skill.scope), skill.name)))


def called(word: str, skills: Sequence[Skill]) -> Skill | None:
    """The skill that a person calls by `word`."""
    wanted = word.lower()
    return next((skill for skill in skills if skill.is_command and skill.name == wanted), None)


def call_text(skill: Skill, arguments: str) -> str:
    """A called skill as the model reads it: its body as it is, then the arguments."""
    head = f"The person calls the skill {skill.name} ({clean_line(skill.path)}):"
    parts = [head, skill.body]
    if arguments.strip():
        parts.append(f"ARGUMENTS: {arguments.strip()}")
    return "\n\n".join(parts)


def reminder(skills: Sequence[Skill], budget_characters: int) -> str:
    """The list that the model gets, within the budget: whole entries, else short ones, else
    names; empty when there is none."""
    listed = [skill for skill in skills if skill.is_listed]
    if not listed:
        return ""
    head = f"{SKILLS_MARK}\n{_HOW}"
    for limit in (FULL_ENTRY_CHARACTERS, SHORT_ENTRY_CHARACTERS):
        lines = [_entry(skill, limit) for skill in listed]
        if sum(len(line) + 1 for line in lines) <= budget_characters:
            return "\n".join([head, *lines])
    return "\n".join([head, *_names(listed, budget_characters)])


def listing(skills: Sequence[Skill], broken: Sequence[BrokenSkill]) -> str:
    """What is loaded and from where, for the person."""
    if not skills and not broken:
        return "no skills: there is no .agents/skills here, and no skills in your settings folder"
    lines = []
    for skill in skills:
        call = f"/skill:{skill.name}" if skill.is_command else f"{skill.name} (not by hand)"
        hidden = "" if skill.is_listed else "  [the model is not told]"
        lines.append(f"{call}  {shorten(skill.description, 100)}{hidden}".rstrip())
        lines.append(f"    {skill.scope}: {clean_line(skill.path)}")
    lines += [f"left out: {clean_line(each.path)}: {each.problem}" for each in broken]
    return "\n".join(["skills (/skill:NAME ARGUMENTS calls one):", *lines])


def _entry(skill: Skill, limit: int) -> str:
    """One line that ends with the path, which is never cut."""
    use = f" Use when: {skill.when_to_use}" if skill.when_to_use else ""
    place = f" ({clean_line(skill.path)})"
    words = f"{skill.description}{use}".strip()
    room = limit - len(skill.name) - len(place) - 4
    said = f": {shorten(words, room)}" if words and room > 0 else ""
    return f"- {skill.name}{said}{place}"


def _names(skills: Sequence[Skill], budget_characters: int) -> list[str]:
    lines: list[str] = []
    room = budget_characters
    for skill in skills:
        line = f"- {skill.name}"
        room -= len(line) + 1
        if room < 0:
            lines.append(f"{len(skills) - len(lines)} more")
            break
        lines.append(line)
    return lines
