"""The answer that both programs show: Markdown of any number of tokens, ending in a mark."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count

ASKED = re.compile(r"bench n=(\d+) r=(\d+) id=(\w+)(?: c=(\d+))?")
"""A prompt names the tokens, how many of them a second (0: as fast as they go), an id, and how
many files are read before."""

_SECTION = '''## Section {i}: how it works

The **parser** reads each line once, keeps a small table of `offsets`, and lets later passes
seek without scanning the buffer again. See [the notes](https://example.invalid/{i}).

- first, open the file and read the header number {i}
- then, walk the records and check each `crc32`

```python
def load_{i}(path: str, limit: int = {i}) -> list[str]:
    """Read at most limit lines."""
    with open(path, encoding="utf-8") as lines:
        return [line.rstrip("\\n") for _, line in zip(range(limit), lines)]
```

| field | type | note |
|-------|------|------|
| id_{i} | int | primary key |
| name | str | up to {i} characters |

'''
_SEEN = """Section {i}: how it works
The parser reads each line once, keeps a small table of offsets, and lets later passes
seek without scanning the buffer again. See the notes (https://example.invalid/{i}).
• first, open the file and read the header number {i}
• then, walk the records and check each crc32
def load_{i}(path: str, limit: int = {i}) -> list[str]:
    \"\"\"Read at most limit lines.\"\"\"
    with open(path, encoding="utf-8") as lines:
        return [line.rstrip("\\n") for _, line in zip(range(limit), lines)]
field type note
id_{i} int primary key
name str up to {i} characters
"""
"""A section as a person reads it, whatever the lines and frames around it."""
WORDS = "words"
"""An answer with an id that begins so is of numbered words, each of which can be waited for."""
_WORDS_A_PARAGRAPH = 60
_TOKEN = re.compile(r"\n+|[ ]?[A-Za-z]{1,6}|[ ]?[0-9]{1,3}|[ ]+|[^A-Za-z0-9\s]{1,3}|\S")


def mark_of(ident: str) -> str:
    """The last word of the answer with this id."""
    return f"ZQEND{ident}ZQ"


def answer_tokens(number: int, ident: str) -> list[str]:
    """`number` tokens of about four characters."""
    if ident.startswith(WORDS):
        return [_word(place) for place in range(number - 1)] + [f"\n\n{mark_of(ident)}\n"]
    tokens: list[str] = []
    for section in count(1):
        if len(tokens) >= number:
            break
        tokens += _section(section)
    tokens = tokens[: max(0, number - 1)]
    is_open = "".join(tokens).count("```") % 2
    return [*tokens, ("\n```" if is_open else "") + f"\n\n{mark_of(ident)}\n"]


def missing_characters(rows: Iterable[str], number: int, ident: str) -> int:
    """How many characters of the answer of so many tokens are not in these rows, in its order.

    What is looked for are whole sections and the mark; of the section that is cut off by the
    number nothing.
    """
    shown, at, missing = _squashed("".join(rows)), 0, 0
    wanted, tokens = [], 0
    for section in count(1):
        tokens += len(_section(section))
        if tokens >= number:
            break
        wanted.append(_SEEN.format(i=section))
    for text in map(_squashed, (*wanted, mark_of(ident))):
        place = shown.find(text, at)
        if place < 0:
            missing += len(text)
        else:
            at = place + len(text)
    return missing


def _word(place: int) -> str:
    ends = (place + 1) % _WORDS_A_PARAGRAPH == 0
    return f"w{place:04}" + ("\n\n" if ends else " ")


def _section(number: int) -> list[str]:
    return _TOKEN.findall(_SECTION.format(i=number))


def _squashed(text: str) -> str:
    """Without white space, and without the lines and marks that stand around text."""
    return re.sub(r"[\s◆─-╿▀-▟]", "", text)
