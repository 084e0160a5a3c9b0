"""What the real vim makes of the cases in `tests/cockpit/vim_cases.json`: records it anew.

`python -m tests.support.record_vim` wants a `vim` on the PATH; the tests only read the table. A
new case is a line with its text (the cursor at `|`) and its keys, and two empty results.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path

TABLE = Path(__file__).parent.parent / "cockpit" / "vim_cases.json"

_SCRIPT = r"""
set nocompatible shiftwidth=4 expandtab backspace=indent,eol,start noautoindent
set startofline nojoinspaces noswapfile viminfo= encoding=utf-8
let results = []
for case in json_decode(join(readfile($CASES), ''))
  enew!
  call setreg('"', '', 'c')
  call setcharsearch({'char': '', 'forward': 1, 'until': 0})
  set undolevels=-1
  call setline(1, split(case.text, "\n", 1))
  set undolevels=1000
  let above = split(strcharpart(case.text, 0, case.cursor), "\n", 1)
  call setcursorcharpos(len(above), strchars(above[-1]) + 1)
  call feedkeys(case.keys, 'tx')
  let lines = getline(1, '$')
  let place = getcursorcharpos()
  let cursor = place[2] - 1
  for line in lines[:place[1] - 2]
    let cursor += place[1] > 1 ? strchars(line) + 1 : 0
  endfor
  call add(results, {'text': join(lines, "\n"), 'cursor': cursor, 'register': getreg('"')})
  exe "normal! \<Esc>"
endfor
call writefile([json_encode(results)], $RESULTS)
qa!
"""


def main() -> None:
    """Write the table again, with what vim makes of each case now."""
    rows = json.loads(TABLE.read_text(encoding="utf-8"))
    lines = [
        json.dumps([shown, keys, *result], ensure_ascii=False)
        for (shown, keys, *_), result in zip(rows, _results(rows), strict=True)
    ]
    TABLE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def _results(rows: list[list[str]]) -> list[tuple[str, str]]:
    cases = [
        {"text": shown.replace("|", ""), "cursor": shown.index("|"), "keys": keys}
        for shown, keys, *_ in rows
    ]
    with tempfile.TemporaryDirectory() as folder:
        script, given, made = (Path(folder) / name for name in ("s.vim", "cases", "results"))
        script.write_text(_SCRIPT, encoding="utf-8")
        given.write_text(json.dumps(cases), encoding="utf-8")
        surroundings = {"CASES": str(given), "RESULTS": str(made), "LC_ALL": "C.UTF-8"}
        subprocess.run(
            ["vim", "-u", "NONE", "-i", "NONE", "-N", "-es", "-S", str(script)],
            env={**os.environ, **surroundings},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=120,
        )
        results = json.loads(made.read_text(encoding="utf-8"))
    return [(_shown(result["text"], result["cursor"]), result["register"]) for result in results]


def _shown(text: str, cursor: int) -> str:
    return f"{text[:cursor]}|{text[cursor:]}"


if __name__ == "__main__":
    main()
