"""Names of files as links: only what is there, in the workspace, and under its own name."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.look.theme import DARK, palette_of
from agent_cockpit.cockpit.render.file_links import FileLinks
from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.transcript.blocks import AnswerBlock
from agent_cockpit.transcript.copying import Place, place_of
from tests.cockpit.transcript_host import Host
from tests.support.waiting import until
from tests.transcript.stories import fixed_test


@pytest.fixture
def files(tmp_path: Path) -> FileLinks:
    root = tmp_path / "work"
    (root / "src").mkdir(parents=True)
    for name in ("calc.py", "src/a b.py", "src/naïve.py", "Makefile"):
        (root / name).write_text("")
    (tmp_path / "secret.txt").write_text("")
    (root / "out.txt").symlink_to(tmp_path / "secret.txt")
    (root / "in.py").symlink_to(root / "calc.py")
    (root / "src/inner").mkdir()
    (root / "src/out.txt").write_text("")
    (root / "deep").symlink_to(root / "src/inner")
    return FileLinks(str(root))


def links(files: FileLinks, text: str) -> list[tuple[str, str]]:
    """What is linked in a text, and to which path below the workspace."""
    before = f"file://{socket.gethostname()}{files.root}/"
    found = files.links_in(text)
    return [(text[link.start : link.end], link.address.removeprefix(before)) for link in found]


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("read calc.py · 18 lines", [("calc.py", "calc.py")]),
        ("(calc.py:11, calc.py:3-9).", [("calc.py:11", "calc.py"), ("calc.py:3-9", "calc.py")]),
        ("It is in calc.py.", [("calc.py", "calc.py")]),
        (
            "./calc.py and src/naïve.py",
            [("./calc.py", "calc.py"), ("src/naïve.py", "src/na%C3%AFve.py")],
        ),
        ("in.py", [("in.py", "in.py")]),
        ("out.txt ../secret.txt src/../../secret.txt", []),
        ("calc.pyx xcalc.py a/calc.py src missing.py Makefile", []),
        ("https://example.org/calc.py", []),
        ("https://example.org/?f=calc.py&g=src/naïve.py", []),
        ("https://example.org/(calc.py) calc.py", [("calc.py", "calc.py")]),
        ("src/../calc.py", [("src/../calc.py", "calc.py")]),
        ("deep/../out.txt", []),
        ("http://calc.py/ calc.py://x", []),
        ("cal\u200bc.py", []),
        ("~/calc.py /calc.py", []),
        ("a." * 3000, []),
    ],
)
def test_a_name_leads_to_the_file_of_this_name(
    files: FileLinks, text: str, linked: list[tuple[str, str]]
) -> None:
    assert links(files, text) == linked


def test_a_whole_path_is_linked_within_the_workspace_only(files: FileLinks) -> None:
    assert links(files, f"{files.root}/calc.py") == [(f"{files.root}/calc.py", "calc.py")]
    assert links(files, f"{files.root[:-5]}/secret.txt /etc/passwd") == []


def test_a_file_that_comes_later_is_linked_when_its_block_is_drawn_again(files: FileLinks) -> None:
    assert links(files, "new.py") == []
    Path(files.root, "new.py").write_text("")
    assert links(files, "new.py") == []
    files.look_again()
    assert links(files, "new.py") == [("new.py", "new.py")]


def test_a_file_that_became_a_link_out_of_the_workspace_is_linked_no_more(
    files: FileLinks,
) -> None:
    assert links(files, "calc.py") == [("calc.py", "calc.py")]
    calc = Path(files.root, "calc.py")
    calc.unlink()
    calc.symlink_to(Path(files.root).parent / "secret.txt")
    files.look_again()
    assert links(files, "calc.py") == []


def test_nothing_beyond_the_workspace_is_looked_at(
    files: FileLinks, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[str] = []
    before = os.stat

    def stat(path: Any, **how: Any) -> os.stat_result:
        looked_at.append(os.fspath(path))
        return before(path, **how)

    monkeypatch.setattr(os, "stat", stat)
    assert links(files, "/net/far.example/x.py ../../net/y.py calc.py") == [("calc.py", "calc.py")]
    assert looked_at
    assert all(path.startswith(f"{files.root}/") for path in looked_at)


def addresses(strip: Strip) -> list[str]:
    return [style.link for _, style, _ in strip if style is not None and style.link]


def test_a_line_of_a_page_carries_the_link_and_its_text_stays_what_it_was(files: FileLinks) -> None:
    drawn = Page(width=80, palette=palette_of(DARK), console=Console(width=80), files=files)
    strip = drawn.line(Text("edit    calc.py:11"))
    assert addresses(strip) == [f"file://{socket.gethostname()}{files.root}/calc.py"]
    assert strip.text == "   edit    calc.py:11"
    plain = Page(
        width=80, palette=drawn.palette, console=drawn.console, files=files, has_links=False
    )
    assert addresses(plain.line(Text("calc.py"))) == []


def test_a_web_address_that_goes_on_in_the_next_row_stays_whole(files: FileLinks) -> None:
    drawn = Page(width=28, palette=palette_of(DARK), console=Console(width=28), files=files)
    address = "https://example.org/?from=calc.py"
    rows = drawn.paragraph(Text(address))
    assert [row.text.strip() for row in rows] == ["https://example.org/?from=", "calc.py"]
    assert {found for row in rows for found in addresses(row)} == {address}


def linked(host: Host) -> list[str]:
    """The rows that hold a link."""
    return [strip.text for strip in map(host.view.render_line, range(40)) if addresses(strip)]


async def test_calls_and_answers_name_files_that_can_be_followed(
    files: FileLinks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    host = Host(fixed_test())
    async with host.run_test(size=(120, 40)):
        shown = [host.view.render_line(y) for y in range(40)]
        assert not any(map(addresses, shown))
        host.view.work_in(files.root)
        await until(lambda: any("▾ edit" in text for text in linked(host)))
        assert all("calc.py" in text for text in linked(host))
        assert "\x1b" not in (host.screen.get_selected_text() or "")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("See `src/calc.py:11`, and calc.py:3.", Place("src/calc.py", 11)),
        ("See ../x.py:3, /etc/passwd:1 and calc.py:7-9.", Place("calc.py", 7)),
        ("Nothing but calc.py is named.", None),
    ],
)
def test_an_answer_is_opened_at_the_first_place_that_it_cites(
    text: str, place: Place | None
) -> None:
    assert place_of(AnswerBlock(key=0, text=text)) == place
