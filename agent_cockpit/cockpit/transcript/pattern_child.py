"""The child process that runs a person's regular expressions; standard library only.

A line of JSON in: `pattern`, `ignore_case`, `want` (`counts` or `spans`), `texts`. A line of
JSON out: what was wanted, one for each text, or an `error`. It ends with its input.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

MOST_SPANS = 10_000
"""Of one text; nobody looks at more marks than these."""


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """What the request wants; empty matches are none."""
    flags = re.MULTILINE | (re.IGNORECASE if request["ignore_case"] else 0)
    try:
        pattern = re.compile(request["pattern"], flags)
    except (re.error, RecursionError, OverflowError) as error:
        return {"error": str(error)}
    if request["want"] == "counts":
        return {"counts": [sum(1 for _ in _spans(pattern, text)) for text in request["texts"]]}
    return {"spans": [list(_spans(pattern, text))[:MOST_SPANS] for text in request["texts"]]}


def _spans(pattern: re.Pattern[str], text: str) -> Any:
    return (found.span() for found in pattern.finditer(text) if found.end() > found.start())


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
