"""Names alone say whether a path is inside, secret, or a repository's own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.paths import (
    is_git_internal,
    is_inside,
    is_sensitive,
    may_match_sensitive,
    normalise,
    relative,
)
from agent_cockpit.settings import SENSITIVE_PATHS

ROOT = "/w/proj"


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        ("a.py", True),
        ("", True),
        (".", True),
        ("a/..", True),
        ("a/../b", True),
        ("/w/proj", True),
        ("/w/proj/", True),
        ("/w/proj/a", True),
        ("/w/proj//a/./b", True),
        ("..a", True),
        ("...", True),
        ("..", False),
        ("../proj", True),
        ("../proj-old/s.txt", False),
        ("/w/proj-old/s.txt", False),
        ("/w/project", False),
        ("a/../../proj-old/s.txt", False),
        ("/", False),
        ("/etc/passwd", False),
        ("//etc/passwd", False),
        ("a\0b", False),
    ],
)
def test_a_path_is_inside_by_its_folders_not_its_letters(path: str, inside: bool) -> None:
    assert is_inside(ROOT, path) is inside


def test_everything_is_inside_the_root_of_the_disk() -> None:
    assert is_inside("/", "/etc/passwd")
    assert is_inside("/", "a/../../..")


@given(st.lists(st.sampled_from(["a", "..", ".", "", "proj", "b c"]), max_size=8).map("/".join))
def test_inside_agrees_with_the_normal_form(path: str) -> None:
    whole = normalise(ROOT, "", path)
    assert is_inside(ROOT, path) == (whole == ROOT or whole.startswith(ROOT + "/"))
    assert is_inside(ROOT, whole) == is_inside(ROOT, path)


def test_a_path_is_named_from_the_folder_it_is_said_in() -> None:
    assert normalise(ROOT, "src", "../a.py") == "/w/proj/a.py"
    assert normalise(ROOT, "src", "/x") == "/x"
    assert normalise("/w/proj/", "", "a//b/") == "/w/proj/a/b"


def test_a_path_is_shown_from_the_workspace() -> None:
    assert relative(ROOT, "/w/proj/src/a.py") == "src/a.py"
    assert relative(ROOT, "src/./a.py") == "src/a.py"
    assert relative(ROOT, "/etc/x") == "/etc/x"


@pytest.mark.parametrize(
    ("path", "sensitive"),
    [
        (".env", True),
        (".ENV", True),
        ("a/.env", True),
        ("a/.env/b", True),
        (".env.local", True),
        (".env.production", True),
        (".env.example", False),
        ("a/.env.sample", False),
        (".env.example/id_rsa", True),
        ("environment", False),
        ("env", False),
        ("server.pem", True),
        ("deep/er/SERVER.PEM", True),
        ("pem", False),
        ("id_rsa", True),
        ("id_rsa.pub", False),
        (".ssh/config", True),
        ("/home/x/.aws/credentials", True),
        ("credentials.json", True),
        ("secrets/a.txt", True),
        ("secrets.py", False),
        ("my-secrets", False),
        (".env. ", True),
        ("a\\.env", True),
        ("", False),
    ],
)
def test_a_path_may_hold_secrets_by_its_name(path: str, sensitive: bool) -> None:
    assert is_sensitive(path, SENSITIVE_PATHS) is sensitive


def test_a_pattern_with_a_slash_is_for_the_whole_path() -> None:
    assert is_sensitive("conf/prod.yml", ["conf/*.yml"])
    assert is_sensitive("CONF/prod.yml", ["conf/*.YML"])
    assert is_sensitive("./conf//prod.yml", ["conf/*.yml"])
    assert not is_sensitive("a/conf/prod.yml", ["conf/*.yml"])
    assert is_sensitive("/w/proj/conf/prod.yml", ["conf/*.yml"])


def test_an_example_is_secret_where_it_is_named_without_wildcards() -> None:
    assert is_sensitive(".env.example", [".env.example"])


@pytest.mark.parametrize(
    ("path", "internal"),
    [
        (".git", True),
        (".git/config", True),
        ("sub/.git/hooks/x", True),
        (".GIT/config", True),
        (".git./config", True),
        (".git /config", True),
        (".git::$INDEX_ALLOCATION/config", True),
        ("git~1/config", True),
        (".g\u200cit/config", True),
        ("a\\.git\\config", True),
        (".gitignore", False),
        (".github/workflows/x.yml", False),
        ("git/config", False),
        ("a.git", False),
        ("", False),
    ],
)
def test_a_repositorys_own_store_is_known_by_every_spelling(path: str, internal: bool) -> None:
    assert is_git_internal(path) is internal


@pytest.mark.parametrize(
    ("glob", "may"),
    [
        ("*", True),
        (".e*", True),
        (".*", True),
        ("id_?sa", True),
        ("*.pem", True),
        ("s*/x", True),
        ("cred*", True),
        ("[i]d_rsa", True),
        ("*.py", False),
        ("src/*.py", False),
        ("*.md", False),
        ("test_*.py", False),
        ("?env", False),
    ],
)
def test_a_shell_pattern_may_stand_for_a_secret(glob: str, may: bool) -> None:
    assert may_match_sensitive(glob, SENSITIVE_PATHS) is may


@given(st.sampled_from([".env", "id_rsa", "credentials", "secrets"]), st.integers(0, 9))
def test_a_pattern_made_from_a_secret_name_may_match_it(name: str, cut: int) -> None:
    cut = max(1, cut % len(name))
    assert may_match_sensitive(name[:cut] + "*", SENSITIVE_PATHS)
    assert may_match_sensitive(name[:cut] + "?" + name[cut + 1 :], SENSITIVE_PATHS)


@given(st.text(max_size=40), st.text(max_size=20))
def test_no_name_breaks_the_questions(path: str, glob: str) -> None:
    is_inside(ROOT, path)
    is_git_internal(path)
    assert is_sensitive(path, []) is False
    may_match_sensitive(path, [glob])
