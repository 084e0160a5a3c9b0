"""Settings from files, environment and flags."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_cockpit.errors import SettingsError
from agent_cockpit.settings import PROJECT_FILE, SENSITIVE_PATHS, HarnessConfig
from agent_cockpit.settings_files import (
    MAX_FILE_BYTES,
    USER_FILE,
    Loaded,
    load_settings,
    user_settings_file,
)
from agent_cockpit.settings_values import known_names


@dataclass
class Home:
    """A user's settings folder and a project folder, both real."""

    root: Path

    @property
    def user(self) -> Path:
        return self.root / "config" / USER_FILE

    @property
    def project(self) -> Path:
        return self.root / "project" / PROJECT_FILE

    def load(
        self,
        *,
        user: str | bytes = "",
        project: str | bytes = "",
        environ: dict[str, str] | None = None,
        **flags: Any,
    ) -> Loaded:
        for path, text in ((self.user, user), (self.project, project)):
            path.parent.mkdir(exist_ok=True)
            if text:
                path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return load_settings(
            flags=flags, environ=environ or {}, user_file=self.user, cwd=self.project.parent
        )

    def refused(self, **given: Any) -> str:
        with pytest.raises(SettingsError) as caught:
            self.load(**given)
        return str(caught.value)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_without_anything_the_defaults_hold(home: Home) -> None:
    loaded = home.load()
    assert loaded.config == HarnessConfig(workspace_root=str(home.project.parent))
    assert loaded.sources == {}


def test_each_layer_wins_over_those_below_and_is_remembered(home: Home) -> None:
    loaded = home.load(
        user='model = "u"\neffort = "low"\nmax_iterations = 1\ntheme = "u"\n',
        project="# ours\nmodel = 'p'\nmax_iterations = 2\ntheme = 'p'\n",
        environ={"AGENT_COCKPIT_MODEL": "e", "AGENT_COCKPIT_MAX_ITERATIONS": "3"},
        model="f",
        base_url=None,
    )
    config = loaded.config
    assert (config.model, config.max_iterations, config.theme, config.effort) == (
        "f",
        3,
        "p",
        "low",
    )
    assert loaded.sources == {
        "model": "--model",
        "max_iterations": "AGENT_COCKPIT_MAX_ITERATIONS",
        "theme": f"{home.project}, line 4",
        "effort": f"{home.user}, line 2",
    }


def test_the_projects_file_is_that_of_the_named_workspace(home: Home, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / PROJECT_FILE).write_text('lint_command = "true"')
    by_flag = home.load(project='lint_command = "false"', workspace_root="../other")
    assert by_flag.config.lint_command == "true"
    assert Path(by_flag.config.workspace_root).resolve() == other
    by_variable = home.load(environ={"AGENT_COCKPIT_WORKSPACE_ROOT": str(other)})
    assert by_variable.config.lint_command == "true"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('model = "a"\nconsent = "fast"', 'line 2: `consent = "fast"` is not allowed'),
        ('consent = "fast"', 'it takes one of "ask", "accept_edits"'),
        ("max_iterations = 0", "a whole number, at least 1"),
        ('max_iterations = "many"', 'line 1: `max_iterations = "many"`'),
        ("max_iterations = true", "a whole number"),
        ("command_timeout_seconds = inf", "a number above 0"),
        ("command_timeout_seconds = nan", "a number above 0"),
        ("sensitive_path_globs = '.env'", "a list of texts"),
        ("sensitive_path_globs = [1]", "a list of texts"),
        ("model = 1979-05-27", "a text in quotes"),
        ('\n\nmodle = "x"', "line 3: there is no setting `modle`; did you mean `model`?"),
        ("[model]\nname = 'x'", "line 1: `model ="),
        ("[tool.x]\ny = 1", "there is no setting `tool`"),
        ('"max-iterations" = 1', "line 1: there is no setting `max-iterations`; did you mean"),
        ("model = 'a'\nmodel = 'b'", "line 2"),
        ("model = ", "line 1"),
        ('{"a":', "cannot read"),
        (b"\xff\xfe\x00", "is not UTF-8"),
        ("a = " + "[" * 100_000, "cannot read"),
        pytest.param("max_iterations = " + "9" * 5_000, "cannot read", id="a number too long"),
        ("#" * (MAX_FILE_BYTES + 1), "larger than"),
        ("'\\u001b[31m' = 1", "there is no setting"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_place_and_way_out(
    home: Home, text: str | bytes, words: str
) -> None:
    message = home.refused(user=text)
    assert str(home.user) in message
    assert words in message
    assert "\x1b" not in message


def test_a_folder_or_a_pipe_in_place_of_a_file_is_told(home: Home) -> None:
    home.user.parent.mkdir()
    home.user.mkdir()
    assert "it is not a file" in home.refused()
    home.user.rmdir()
    os.mkfifo(home.user)
    assert "it is not a file" in home.refused()


def test_a_byte_order_mark_and_an_empty_file_do_no_harm(home: Home) -> None:
    assert home.load(user=b'\xef\xbb\xbfmodel = "m"').config.model == "m"
    home.user.write_bytes(b"")
    assert home.load().sources == {}


@pytest.mark.parametrize("place", ["journals", "./x", "..", "~nobody/x", "$HOME/x", "C:x"])
def test_a_place_for_journals_that_depends_on_where_one_stands_is_refused(
    home: Home, place: str
) -> None:
    told = f'`journal_dir = "{place}"` is not allowed; it takes a whole path in quotes, from / or ~'
    assert told in home.refused(user=f"journal_dir = '{place}'")


@pytest.mark.parametrize("place", ["", "/srv/x", "~", "~/x", "C:/x", "D:\\x"])
def test_a_place_for_journals_is_a_whole_path(home: Home, place: str) -> None:
    assert home.load(user=f"journal_dir = '{place}'").config.journal_dir == place


@pytest.mark.parametrize(
    "name", ["provider", "base_url", "api_key", "classifier_model", "workspace_root", "journal_dir"]
)
def test_a_project_never_says_where_words_and_records_go(home: Home, name: str) -> None:
    value = "demo" if name == "provider" else "/x"
    message = home.refused(project=f'{name} = "{value}"')
    assert f"{home.project}, line 1: a project may not decide" in message
    assert USER_FILE in message


@pytest.mark.parametrize(
    ("name", "tight", "loose"),
    [
        ("consent", "ask", "accept_edits"),
        ("autonomous_amendment_policy", "deny", "approve"),
        ("autonomous_escalation_policy", "deny", "approve"),
        ("sandbox", "bwrap", "none"),
        ("sandbox", "auto", "landlock"),
    ],
)
def test_a_project_tightens_consent_and_never_loosens_it(
    home: Home, name: str, tight: str, loose: str
) -> None:
    assert "a project may not loosen consent" in home.refused(project=f'{name} = "{loose}"')
    user = f'{name} = "{loose}"'
    assert getattr(home.load(user=user, project=f'{name} = "{tight}"').config, name) == tight
    assert getattr(home.load(user=user, project=f'{name} = "{loose}"').config, name) == loose


def test_what_the_model_is_told_elsewhere_is_the_persons_to_decide(home: Home) -> None:
    assert "a project may not decide" in home.refused(project='extra_roots = ["/x"]')
    off = "discovery = false"
    assert "a project may not loosen" in home.refused(user=off, project="discovery = true")
    home.user.unlink()
    assert home.load(project=off).config.discovery is False
    assert home.load(environ={"AGENT_COCKPIT_DISCOVERY": "true"}).config.discovery is True
    assert "true or false" in home.refused(environ={"AGENT_COCKPIT_DISCOVERY": "perhaps"})


def test_a_project_opens_no_folder_to_commands(home: Home) -> None:
    assert "your folders" in home.refused(project='sandbox_write = ["~"]')


def test_a_project_adds_sensitive_paths_and_takes_none_away(home: Home) -> None:
    loaded = home.load(project='sensitive_path_globs = ["notes.txt", ".env"]')
    assert loaded.config.sensitive_path_globs == (*SENSITIVE_PATHS, "notes.txt")
    assert "only add" in home.refused(project="sensitive_path_globs = []")


@pytest.mark.parametrize(
    ("variable", "text", "name", "value"),
    [
        ("MAX_ITERATIONS", "7", "max_iterations", 7),
        ("COMMAND_TIMEOUT_SECONDS", " 0.5 ", "command_timeout_seconds", 0.5),
        ("MAX_WALL_CLOCK_SECONDS", "none", "max_wall_clock_seconds", None),
        ("SENSITIVE_PATH_GLOBS", '["a", "b"]', "sensitive_path_globs", ("a", "b")),
        ("CONSENT", "accept_edits", "consent", "accept_edits"),
        ("TEST_COMMAND", "pytest -q", "test_command", "pytest -q"),
        ("MODEL", "", "model", ""),
    ],
)
def test_a_variable_is_read_as_the_settings_type(
    home: Home, variable: str, text: str, name: str, value: object
) -> None:
    loaded = home.load(environ={f"AGENT_COCKPIT_{variable}": text})
    assert getattr(loaded.config, name) == value


@pytest.mark.parametrize(
    ("variable", "text", "words"),
    [
        ("AGENT_COCKPIT_MAX_ITERATIONS", "many", "a whole number, at least 1"),
        ("AGENT_COCKPIT_MAX_ITERATIONS", "1e400", "a whole number"),
        ("AGENT_COCKPIT_COMMAND_TIMEOUT_SECONDS", "inf", "a number above 0"),
        ("AGENT_COCKPIT_SENSITIVE_PATH_GLOBS", ".env", "a list of texts"),
        ("AGENT_COCKPIT_PROVIDER", "anthropic", 'one of "openai", "demo"'),
        ("AGENT_COCKPIT_TEST_COMAND", "x", "did you mean `AGENT_COCKPIT_TEST_COMMAND`?"),
    ],
)
def test_a_wrong_variable_is_named_with_what_it_takes(
    home: Home, variable: str, text: str, words: str
) -> None:
    message = home.refused(environ={variable: text})
    assert variable in message
    assert words in message


def test_a_variable_that_is_no_setting_is_told_and_does_nothing(home: Home) -> None:
    loaded = home.load(
        environ={"AGENT_COCKPIT_XYZZY": "1", "AGENT_COCKPIT_PLAIN": "1", "PATH": "/bin"}
    )
    assert loaded.sources == {}
    (told,) = loaded.notices
    assert told.startswith("AGENT_COCKPIT_XYZZY is set")


def test_the_key_comes_from_its_usual_variable_and_is_never_shown(home: Home) -> None:
    loaded = home.load(environ={"OPENAI_API_KEY": "sk-usual"}, user='api_key = "sk-file"')
    assert (loaded.config.api_key, loaded.sources["api_key"]) == ("sk-usual", "OPENAI_API_KEY")
    both = home.load(environ={"OPENAI_API_KEY": "sk-a", "AGENT_COCKPIT_API_KEY": "sk-b"})
    assert both.config.api_key == "sk-b"
    assert "sk-usual" not in repr(loaded)
    assert "4711" not in home.refused(user="api_key = 4711")


def test_none_is_a_word_where_a_setting_may_be_none(home: Home) -> None:
    assert home.load(user='max_wall_clock_seconds = "none"').config.max_wall_clock_seconds is None
    assert "max_iterations" in home.refused(user='max_iterations = "none"')


def test_a_wrong_flag_is_named_as_it_was_written(home: Home) -> None:
    assert home.refused(provider="x").startswith("--provider: ")


def test_the_users_file_has_an_absolute_place() -> None:
    path = user_settings_file()
    assert path.is_absolute()
    assert path.name == USER_FILE


NAMES = st.sampled_from(sorted(known_names()))
VALUES = st.one_of(st.text(), st.integers(), st.floats(), st.booleans(), st.lists(st.text()))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.dictionaries(NAMES, VALUES.map(lambda value: str(value).replace("\0", ""))))
def test_any_environment_gives_settings_or_one_clear_error(
    home: Home, values: dict[str, str]
) -> None:
    environ = {f"AGENT_COCKPIT_{name.upper()}": text for name, text in values.items()}
    message = ""
    try:
        home.load(environ=environ)
    except SettingsError as error:
        message = str(error)
    is_no_folder = message.startswith(f"cannot read {home.root}")
    assert message == "" or message.split(":")[0] in environ or is_no_folder
