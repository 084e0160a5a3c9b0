"""What a model, a tool, a file or a paste may hold: text of every width, direction and malice."""

from __future__ import annotations

_HARD = (
    *("[/]", "\x1b[2J", "\u202e", "[b]x", "\ud83d", "a\nb\r\nc", "", "x\n" * 40, "\tx\ty"),
    *("w" * 400, "\x00\x7f\x9b31m", "\u2028\u2029\x85\x0b\x0c", "$(rm -rf /)`'\"\\", "%s{0}"),
)
_WIDE = (
    *(
        "한글 漢字",
        "e\u0301\u0301\u0301",
        "👨\u200d👩\u200d👧 🇩🇪 ❤\ufe0f",
        "漢" * 200,
        "ｆｕｌｌ　width",
    ),
    *("Z\u0338\u0322\u031ba\u0338l\u0338g\u0338o" * 9, "\u0301 alone", "क्षि नमस्ते ไทย ที่", "𝒳𓀀🫠🪿"),
    *(
        "👩\u200d❤\ufe0f\u200d💋\u200d👨",
        "👍🏽☝🏿1\ufe0f\u20e3 ⚠\ufe0f ✔\ufe0e",
        "\u1100\u1161\u11a8",
        "x漢" * 90,
    ),
)
_BOTH_WAYS = (
    *(
        "שלום \u202b abc \u202c",
        "مرحبا (بالعالم)",
        "\u2066a\u2067ב\u2069",
        "\u200f\u200e\u061c",
        "ﷺ",
    ),
    "a\u202egpj.exe",
)
_ACTING = (
    *(
        "\x1b]52;c;aGk=\x07",
        "\x1b]0;title\x1b\\",
        "\x1b[201~\rls\r",
        "\x1bP+q\x1b\\",
        "\x1b[?1049l",
    ),
    *("\x1b[6n", "\x1b", "\x9d52;c;\x9c", "\u200b" * 50, "\ufeff\U000e0041"),
)
_MARKED = (
    *("```python\ndef f():\n\treturn 1\n", "| a | b |\n|--|--|\n| 漢 | `x` |\n", "**b"),
    *("> q\n- l\n", "[x](javascript:1) <a@b.c>", "~~~\n```", "$$\\frac{", "# " * 60, "- " * 60),
)
TEXTS = (*_HARD, *_WIDE, *_BOTH_WAYS, *_ACTING, *_MARKED)

_HUNKS = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-{0}\n+{1}\n@@ -9 +9 @@\n-{1}\n+{0}\n"
DIFF = _HUNKS.format("a", "b")
DIFFS = (
    DIFF,
    _HUNKS.format("漢" * 90, "👨\u200d👩\u200d👧" * 30),
    _HUNKS.format("a\u202eb\x1b[2J", "e\u0301" * 200),
    _HUNKS.format("\t\tx", "שלום (a)"),
)
"""Each of two hunks."""
