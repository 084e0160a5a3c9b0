"""A diff on a full screen: safe, whole, quick, file by file."""

from __future__ import annotations

import pytest
from textual.app import App

from agent_cockpit.cockpit.screens.diff_modal import DiffModal
from tests.cockpit.screen import text_of, until

ONE = "diff --git a/{0} b/{0}\n--- a/{0}\n+++ b/{0}\n@@ -1 +1 @@\n-old\n+new {0}\n"


def host(diff: str) -> App[None]:
    class Host(App[None]):
        def on_mount(self) -> None:
            self.push_screen(DiffModal(diff))

    return Host()


async def test_an_empty_diff_says_so_and_closes() -> None:
    app = host(" \n")
    async with app.run_test() as pilot:
        assert "no changes" in text_of(app)
        await pilot.press("escape")
        assert len(app.screen_stack) == 1


async def test_it_counts_files_and_lines() -> None:
    app = host(ONE.format("a.py") + ONE.format("b.py"))
    async with app.run_test():
        assert "2 files · +2 −2" in text_of(app)


@pytest.mark.parametrize("hostile", ["[/]", "[link='x", "\x1b]52;c;aGk=\x07", "a\u202eb", "\x9b2J"])
async def test_hostile_lines_are_shown_and_do_nothing(hostile: str) -> None:
    app = host(f"--- a\n+++ b\n@@ -1 +1 @@\n+{hostile}\n")
    async with app.run_test():
        shown = text_of(app)
        assert not any(char in shown for char in "\x1b\x9b\u202e\x07")


async def test_a_diff_of_a_hundred_thousand_lines_opens_and_steps_by_file() -> None:
    app = host(ONE.format("a.py") + "+x\n" * 100_000 + ONE.format("z.py"))
    async with app.run_test() as pilot:
        await pilot.press("n")
        await until(pilot, lambda: "new z.py" in text_of(app))
        await pilot.press("p")
        await until(pilot, lambda: "new a.py" in text_of(app))


async def test_a_line_of_a_megabyte_is_cut_with_a_mark() -> None:
    app = host("+" + "y" * 1_000_000)
    async with app.run_test() as pilot:
        await pilot.press("end")
        assert "+yyy" in text_of(app)


async def test_a_file_stands_under_its_path_without_the_letters_of_the_header() -> None:
    new = "diff --git a/b c.py b/b c.py\nnew file mode 100644\nindex 0..1\n--- /dev/null\n"
    gone = "--- a/gone.py\t2026\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n"
    app = host(f"{new}+++ b/b c.py\n@@ -0,0 +1 @@\n+--- it\n{gone}")
    async with app.run_test(size=(40, 14)):
        shown = [line.strip() for line in text_of(app).split("\n")]
    assert shown[1:7] == [
        "b c.py · new file",
        "1 + --- it",
        "",
        "gone.py",
        "1 − old",
        "",
    ]
    assert shown[0] == "2 files · +1 −1"
