"""Rules in settings files: each by itself, with its place; a project can only tighten."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.errors import SettingsError
from agent_cockpit.rules.consent.rule_entries import FIELDS
from agent_cockpit.settings import PROJECT_FILE
from agent_cockpit.settings_files import Loaded, load_settings
from agent_cockpit.settings_rules import rules_of


def load(root: Path, *, own: str = "", project: str = "", **environ: str) -> Loaded:
    user_file = root / "own.toml"
    user_file.write_text(own)
    (root / PROJECT_FILE).write_text(project)
    return load_settings(flags={}, environ=environ, user_file=user_file, cwd=root)


GOOD = '[[rules]]\naction = "deny"\ncommand = "git push"\n'


def test_rules_of_both_files_hold_together_and_know_their_lines(tmp_path: Path) -> None:
    own = 'model = "m"\n\n' + GOOD + '\n# more\n[[ rules ]]\naction = "allow"\ncommand = "mkdir"\n'
    loaded = load(tmp_path, own=own, project='[[rules]]\naction = "ask"\npath = "db/**"\n')
    assert [str(rule) for rule in loaded.rules] == [
        f"deny run_command:git push ({tmp_path}/own.toml, line 3)",
        f"allow run_command:mkdir ({tmp_path}/own.toml, line 8)",
        f"ask every call in db/** ({tmp_path}/{PROJECT_FILE}, line 1)",
    ]
    assert loaded.notices == ()
    assert loaded.config.model == "m"
    assert "rules" not in loaded.sources


def test_a_broken_rule_is_switched_off_alone_and_told_with_its_line(tmp_path: Path) -> None:
    broken = '[[rules]]\naction = "deny"\ncomand = "ls"\n[[rules]]\naction = 3\ntool = "x"\n'
    loaded = load(tmp_path, own=GOOD + broken + GOOD)
    assert len(loaded.rules) == 2
    assert loaded.notices == (
        f"{tmp_path}/own.toml, line 4: this rule is switched off: "
        "a rule has no `comand`; did you mean `command`?",
        f"{tmp_path}/own.toml, line 7: this rule is switched off: "
        '`action` is "allow", "ask" or "deny", not 3',
    )


def test_a_rule_whose_example_fails_is_broken(tmp_path: Path) -> None:
    loaded = load(tmp_path, own=GOOD + 'match = ["git pull"]\n' + GOOD)
    assert len(loaded.rules) == 1
    assert "line 1: this rule is switched off: its example fails" in loaded.notices[0]


def test_a_project_cannot_allow_anything(tmp_path: Path) -> None:
    allow = '[[rules]]\naction = "allow"\ntool = "run_command"\n'
    loaded = load(tmp_path, project=allow + GOOD)
    assert [rule.action for rule in loaded.rules] == ["deny"]
    assert "a project may only deny or ask" in loaded.notices[0]


def test_what_looks_like_a_rule_inside_a_text_moves_no_line(tmp_path: Path) -> None:
    own = 'test_command = """\n[[rules]]\n"""\n' + GOOD + GOOD
    lines = [rule.origin.rpartition(" ")[2] for rule in load(tmp_path, own=own).rules]
    assert lines == ["4", "7"]


def test_rules_in_one_line_are_counted(tmp_path: Path) -> None:
    own = 'rules = [{action="deny", command="a"}, {action="deny", command="b"}, 3]\n'
    loaded = load(tmp_path, own=own)
    assert [rule.origin for rule in loaded.rules] == [
        f"{tmp_path}/own.toml, rule 1",
        f"{tmp_path}/own.toml, rule 2",
    ]
    assert loaded.notices[0].startswith(f"{tmp_path}/own.toml, rule 3: this rule is switched off")


@pytest.mark.parametrize("text", ["rules = 3", "[rules]\naction = 'deny'", "rules = 'deny ls'"])
def test_rules_that_are_no_list_are_told(tmp_path: Path, text: str) -> None:
    loaded = load(tmp_path, own=text)
    assert loaded.rules == ()
    assert "each one begins with [[rules]]" in loaded.notices[0]


def test_rules_do_not_come_from_the_environment(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="written in settings files"):
        load(tmp_path, AGENT_COCKPIT_RULES="[]")


WORDS = st.sampled_from(["deny", "git push", "*", "", "\x1b[2J", "a\nb", "..", "~", "é", "$(x)"])
VALUES = WORDS | st.integers() | st.none() | st.booleans() | st.lists(WORDS | st.integers())
ENTRIES = st.dictionaries(st.sampled_from([*FIELDS, "x"]), VALUES, max_size=5) | VALUES


@given(st.lists(ENTRIES, max_size=5), st.booleans())
def test_no_entry_takes_another_along(entries: list[object], may_allow: bool) -> None:
    good = {"action": "deny", "command": "git push"}
    found = rules_of(Path("f"), [*entries, good], "", may_allow=may_allow)
    assert found.rules[-1].pattern == "git push"
    assert len(found.notices) <= len(entries)
    assert all("\x1b" not in notice and "\n" not in notice for notice in found.notices)
    assert may_allow or all(rule.action != "allow" for rule in found.rules)
