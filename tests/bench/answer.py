"""The answer that both programs show: Markdown of any number of tokens, ending in a mark."""

from __future__ import annotations

import re
from itertools import count

ASKED = re.compile(r"bench n=(\d+) r=(\d+) id=(\w+)")
"""A prompt names the tokens, how many of them a second (0: as fast as they go), and an id."""

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
_TOKEN = re.compile(r"\n+|[ ]?[A-Za-z]{1,6}|[ ]?[0-9]{1,3}|[ ]+|[^A-Za-z0-9\s]{1,3}|\S")


def mark_of(ident: str) -> str:
    """The last word of the answer with this id."""
    return f"ZQEND{ident}ZQ"


def answer_tokens(number: int, ident: str) -> list[str]:
    """`number` tokens of about four characters."""
    tokens: list[str] = []
    for section in count(1):
        if len(tokens) >= number:
            break
        tokens += _TOKEN.findall(_SECTION.format(i=section))
    tokens = tokens[: max(0, number - 1)]
    is_open = "".join(tokens).count("```") % 2
    return [*tokens, ("\n```" if is_open else "") + f"\n\n{mark_of(ident)}\n"]
