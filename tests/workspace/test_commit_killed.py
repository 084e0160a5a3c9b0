"""A process that dies in the middle of an edit leaves the old content or the new, whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import agent_cockpit

WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from agent_cockpit.workspace.editing.commit import commit_edit
from agent_cockpit.workspace.editing.edits import plan_write
from agent_cockpit.workspace.workspace import Workspace
workspace = Workspace(Path(sys.argv[2]))
contents = [letter * 3_000_000 for letter in "ab"]
if (workspace.root / "f").read_text() == contents[0]:  # to write what it holds is refused
    contents.reverse()
print("ready", flush=True)
while True:
    for content in contents:
        commit_edit(plan_write(workspace, "f", content, overwrite=True))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a kill is no kill there")
def test_a_kill_at_any_moment_leaves_one_whole_content(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("c")
    package = str(Path(agent_cockpit.__file__).parents[1])
    for moment_s in (0.0, 0.013, 0.029, 0.053):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, package, str(tmp_path)], stdout=subprocess.PIPE
        ) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n"
            with pytest.raises(subprocess.TimeoutExpired):
                writer.wait(moment_s)
            writer.kill()
        content = (tmp_path / "f").read_text()
        assert content in ("c", "a" * 3_000_000, "b" * 3_000_000)
