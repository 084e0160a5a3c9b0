"""Which addresses can be followed, and where they end."""

from __future__ import annotations

import pytest

from agent_cockpit.transcript.links import links_in


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("see https://x.org/a?b=c#d.", ["https://x.org/a?b=c#d"]),
        ("(http://x.org/y), then", ["http://x.org/y"]),
        ("https://en.wikipedia.org/wiki/A_(b)", ["https://en.wikipedia.org/wiki/A_(b)"]),
        ("**https://x.org**", ["https://x.org"]),
        ("<https://x.org> and 'http://y.org'", ["https://x.org", "http://y.org"]),
        ("https://раypal.com https://pаypal.com", []),
        ("https://x.org/\u202egpj", ["https://x.org/"]),
        ("file:///etc/passwd javascript://x ftp://y", []),
        ("https:// http://.", []),
        ("nothing", []),
    ],
)
def test_only_whole_visible_web_addresses_are_links(text: str, addresses: list[str]) -> None:
    found = list(links_in(text))
    assert [link.address for link in found] == addresses
    assert [text[link.start : link.end] for link in found] == addresses
