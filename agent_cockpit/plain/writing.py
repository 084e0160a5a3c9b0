"""A text that a person changes: in their editor where they named one, else line by line."""

from __future__ import annotations

from agent_cockpit.cockpit.consent.question import Editable
from agent_cockpit.cockpit.editor import edit_outside, has_editor
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.plain.choosing import name_of
from agent_cockpit.plain.hearing import END_OF_TEXT, Hearing, Say
from agent_cockpit.text import clean, clean_line
from agent_cockpit.workspace.to_the_end import to_the_end


async def written_anew(editable: Editable, hearing: Hearing, say: Say) -> str | None:
    """The one text of a call as it shall be; None when it shall stay as it is."""
    name, is_long = name_of(editable), editable.is_long
    return await changed_text(editable.text, name, hearing, say, is_long=is_long)


async def changed_text(
    text: str, name: str, hearing: Hearing, say: Say, *, is_long: bool
) -> str | None:
    """`text` as it shall be, by the name that it is asked for; the newlines at its end stay."""
    end = text[len(text.rstrip("\n")) :]
    found = None
    if hearing.is_terminal and has_editor():
        say([f"- the {name} is in your editor"])
        try:
            found = await to_the_end(edit_outside(hearing, text), give_up=lambda: None)
        except (PersonCanAct, OSError) as problem:
            say([f"! {clean_line(str(problem))}"])
    elif is_long or "\n" in text.rstrip("\n"):
        say([f"- the {name} as it is:", *(f"    {line}".rstrip() for line in text.split("\n"))])
        asks = f"the new {name}, line by line; a lone {END_OF_TEXT} ends it, at once it keeps all:"
        found = await hearing.next_text(asks)
    else:
        found = await hearing.next_line(f"the new {name} in one line, nothing keeps it:")
    return clean(found).rstrip("\n") + end if found and found.strip() else None
