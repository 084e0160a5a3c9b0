"""A diff on a full screen: safe, whole, quick, file by file."""

from __future__ import annotations

import pytest
from textual.app import App

from agent_cockpit.cockpit.screens.diff_modal import DiffModal
from tests.cockpit.screen import text_of, until

TWO_HUNKS = """\
diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -1 +1 @@
-one
+uno
@@ -9,2 +9 @@ def nine():
 nine
-ten
"""
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
        await until(pilot, lambda: "+yyy" in text_of(app))


async def test_a_file_stands_under_its_path_without_the_letters_of_the_header() -> None:
    new = "diff --git a/b c.py b/b c.py\nnew file mode 100644\nindex 0..1\n--- /dev/null\n"
    gone = "--- a/gone.py\t2026\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n"
    app = host(f"{new}+++ b/b c.py\n@@ -0,0 +1 @@\n+--- it\n{gone}")
    async with app.run_test(size=(40, 14)):
        shown = [line.strip() for line in text_of(app).split("\n")]
    assert shown[1:7] == [
        "▾ b c.py · new file",
        "1 + --- it",
        "",
        "▾ gone.py",
        "1 − old",
        "",
    ]
    assert shown[0] == "2 files · +1 −1"


def shown_by(app: App[None]) -> list[str]:
    """The rows between title and keys that hold something."""
    return [row.strip() for row in text_of(app).split("\n")[1:-1] if row.strip()]


async def test_hunks_and_files_are_folded_and_unfolded() -> None:
    app = host(TWO_HUNKS + ONE.format("z.py"))
    async with app.run_test(size=(60, 20)) as pilot:
        unfolded = shown_by(app)
        assert unfolded[:3] == ["▾ a.py", "▾", "1 − one"]
        await pilot.press("right_square_bracket", "right_square_bracket", "space")
        await until(pilot, lambda: "nine():" in text_of(app) and "ten" not in text_of(app))
        assert shown_by(app)[4] == "▸ def nine(): · from line 9 · 2 lines · +0 −1"
        await pilot.press("left_square_bracket", "left_square_bracket", "space")
        await until(pilot, lambda: "uno" not in text_of(app))
        assert shown_by(app)[:2] == ["▸ a.py · 4 lines · +1 −2", "▾ z.py"]
        await pilot.press("ctrl+o")
        await until(pilot, lambda: shown_by(app) == unfolded)
        await pilot.press("ctrl+o")
        await until(pilot, lambda: len(shown_by(app)) == 2)
        await pilot.press("space")
        await until(pilot, lambda: "uno" in text_of(app))


async def test_a_click_on_a_head_folds_it() -> None:
    app = host(TWO_HUNKS)
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.click("#diff-lines", offset=(8, 4))
        await until(pilot, lambda: "ten" not in text_of(app))
        await pilot.click("#diff-lines", offset=(8, 2))
        await pilot.pause()
        assert "− one" in text_of(app)
        await pilot.click("#diff-lines", offset=(2, 0))
        await until(pilot, lambda: "one" not in text_of(app))


async def test_what_has_no_lines_is_told_beside_its_name() -> None:
    app = host(
        "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n"
        "diff --git a/x.png b/x.png\nindex 1..2\nBinary files a/x.png and b/x.png differ\n"
        "Binary files /dev/null and b/y.bin differ\n"
        "diff --git a/old.py b/new.py\nsimilarity index 100%\n"
        "rename from old.py\nrename to new.py\n"
        'diff --git "a/caf\\303\\251.py" "b/caf\\303\\251.py"\nnew file mode 100644\n'
    )
    async with app.run_test(size=(60, 20)) as pilot:
        assert shown_by(app) == [
            "run · may be run now",
            "x.png · binary",
            "y.bin · binary",
            "new.py · was old.py",
            "café.py · new file",
        ]
        assert "5 files" in text_of(app)
        await pilot.press("space", "ctrl+o", "right_square_bracket", "space")
        assert len(shown_by(app)) == 5


@pytest.mark.parametrize(("width", "is_beside"), [(130, True), (110, False)])
async def test_old_and_new_stand_beside_each_other_where_there_is_room(
    width: int, is_beside: bool
) -> None:
    app = host(TWO_HUNKS)
    async with app.run_test(size=(width, 20)):
        assert ("− one" in text_of(app) and "│" in text_of(app)) is is_beside
        rows = [row for row in shown_by(app) if "one" in row or "uno" in row]
        assert len(rows) == (1 if is_beside else 2)
