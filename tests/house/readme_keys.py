"""Writes the key table of README.md from the cockpit's own table, as a module of its own:
`python -m tests.house.readme_keys`."""

from __future__ import annotations

import re
from pathlib import Path

from agent_cockpit.cockpit.keys.keymap import Keymap

README = Path(__file__).parents[2] / "README.md"
_PLACE = re.compile(r"(<!-- keys: [^\n]*-->\n).*?(<!-- /keys -->)", re.DOTALL)


def key_table() -> str:
    """The keys as a Markdown table, by the place where they work."""
    rows = ["| where | key | does |", "|---|---|---|"]
    for place, lines in Keymap().help():
        for number, (label, words) in enumerate(lines):
            shown = words.replace("|", "\\|").replace("\\ before", "`\\` before")
            rows.append(f"| {place if number == 0 else ''} | `{label}` | {shown} |")
    return "\n".join(rows)


def with_keys(readme: str) -> str:
    """The README with its key table as it should be."""
    return _PLACE.sub(lambda match: f"{match[1]}{key_table()}\n{match[2]}", readme)


if __name__ == "__main__":
    README.write_text(with_keys(README.read_text(encoding="utf-8")), encoding="utf-8")
