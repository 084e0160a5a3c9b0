"""Secrets are told by their shape, and blotted out the same way every time."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.secrets import added_secrets, redact

VARIED = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
KEY_BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\nMzEfYyji\n"
PEM = f"-----BEGIN PRIVATE KEY-----\n{KEY_BODY}-----END PRIVATE KEY-----"
TOKENS = {
    "AKIA" + "Z7QX4M2NPL8RT5WB": "aws-key",
    f"ghp_{VARIED}": "github-token",
    f"gho_{VARIED}": "github-token",
    f"github_pat_{VARIED}": "github-token",
    f"sk-{VARIED}": "api-key",
    f"sk-proj-{VARIED}_{VARIED}": "api-key",
    f"sk-ant-api03-{VARIED}": "api-key",
    f"sk_live_{VARIED}": "payment-key",
    f"xoxb-1234-{VARIED}": "slack-token",
    f"AIza{VARIED[:35]}": "google-key",
    f"glpat-{VARIED[:20]}": "gitlab-token",
}
HARMLESS = (
    '<input placeholder="your name">',
    "PLACEHOLDER = '<placeholder>'",
    "AKIAIOSFODNN7EXAMPLE",
    "ghp_" + "x" * 36,
    "sk-...",
    ".sk-fading-circle-with-a-very-long-class-name { color: red }",
    "task-force-one-hundred-and-twenty-three-A1b2C3d4E5f6G7h8",
    'if line.startswith("-----BEGIN PRIVATE KEY-----"):',
    "-----BEGIN CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
)


def diff_of(*lines: str, path: str = "app.py") -> str:
    body = "\n".join(lines)
    added = sum(1 for line in body.split("\n") if line.startswith("+"))
    removed = sum(1 for line in body.split("\n") if line.startswith("-"))
    return f"--- a/{path}\n+++ b/{path}\n@@ -1,{removed} +1,{added} @@\n{body}\n"


@pytest.mark.parametrize(("token", "kind"), TOKENS.items())
def test_a_real_token_in_an_added_line_is_found_without_being_repeated(
    token: str, kind: str
) -> None:
    found = added_secrets(diff_of("+import os", f'+KEY = "{token}"'))
    assert [str(one) for one in found] == [f"app.py:2: {kind}"]
    assert token not in repr(found)


@pytest.mark.parametrize("line", HARMLESS)
def test_ordinary_text_is_no_secret(line: str) -> None:
    assert added_secrets(diff_of(f"+{line}")) == ()
    assert redact(line) == line


@pytest.mark.parametrize(
    "lines",
    [
        ["+-----BEGIN RSA PRIVATE KEY-----"],
        [f"+{line}" for line in PEM.split("\n")],
        ["+key = '''-----BEGIN OPENSSH PRIVATE KEY-----", "+" + KEY_BODY.split("\n")[0]],
        ['+{"k": "' + PEM.replace("\n", "\\n") + '"}'],
    ],
    ids=["bare header", "whole", "in a string", "escaped"],
)
def test_a_private_key_is_found(lines: list[str]) -> None:
    assert {one.kind for one in added_secrets(diff_of(*lines))} == {"private key"}


def test_removing_or_moving_a_secret_adds_none() -> None:
    old, new = f"-KEY = '{list(TOKENS)[1]}'", f"+    KEY = '{list(TOKENS)[1]}'"
    assert added_secrets(diff_of(old)) == ()
    assert added_secrets(diff_of(old, new)) == ()


def test_an_added_line_that_looks_like_a_header_is_still_read() -> None:
    token = next(iter(TOKENS))
    found = added_secrets(diff_of(f"+++ {token}", f"+{token}"))
    assert [one.line for one in found] == [1, 2]


@pytest.mark.parametrize("diff", ["", "@@", "+++ b/x\n+lost", "@@ -1 +1,9999999 @@\n+x", "\0"])
def test_a_damaged_diff_is_read_as_far_as_it_goes(diff: str) -> None:
    assert added_secrets(diff) == ()


@pytest.mark.parametrize(("token", "kind"), TOKENS.items())
def test_a_token_is_replaced_by_the_same_mark_every_time(token: str, kind: str) -> None:
    once = redact(f"curl -H 'x: {token}' # {token}")
    assert token not in once
    assert once.count(f"[redacted:{kind}:") == 2
    assert redact(token) in once


@pytest.mark.parametrize("before", ["", "a\n", "\t", "\x1b", "é", '"', "\\"])
@pytest.mark.parametrize("token", TOKENS)
def test_a_token_is_found_inside_json_too(token: str, before: str) -> None:
    line = redact(json.dumps({"text": f"{before}{token}"}))
    assert token not in line
    assert "[redacted:" in json.loads(line)["text"]


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"Authorization: Bearer {VARIED}", VARIED),
        (f"https://ada:{VARIED}@git.example.org/x", VARIED),
        (f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkw.{VARIED}", VARIED),
        (PEM, "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"),
        (PEM.replace("\n", "\\n"), "MIIEvQIBADANBgkq"),
        (PEM[:90] + "\n[… 900 of 1200 characters left out …]", "MIIEvQIBADANBgkq"),
    ],
)
def test_what_belongs_in_no_record_is_blotted_out(text: str, secret: str) -> None:
    assert secret not in redact(text)
    assert "[redacted:" in redact(text)


def test_what_stands_behind_one_secret_may_be_another() -> None:
    once = redact(f"Bearer {VARIED}Bearer {VARIED[::-1]}")
    assert once.count("[redacted:bearer:") == 2


def test_a_known_key_is_blotted_out_whatever_its_shape() -> None:
    assert "local-key-1" not in redact("sent local-key-1 along", known=["local-key-1", "a", ""])
    assert redact("a cat", known=["a"]) == "a cat"


def test_one_secret_in_a_generated_file_of_megabytes_is_found() -> None:
    lines = [f"+  resolved {number} sk-x" for number in range(100_000)]
    lines[70_000] = f"+ghp_{VARIED}"
    assert [one.line for one in added_secrets(diff_of(*lines))] == [70_001]


PIECES = st.sampled_from(
    [*TOKENS, *HARMLESS, PEM, "\n", " ", "-", "_", "=", "Bearer ", "://a:", "@", "x", "\\n", ":"]
)


@given(st.lists(PIECES, max_size=8).map("".join))
def test_redacting_twice_changes_nothing(text: str) -> None:
    assert redact(redact(text)) == redact(text)


@pytest.mark.parametrize(
    "unit", ["sk-", "a", "+", "-----BEGIN PRIVATE KEY-----", "eyJ", "://a:", "xoxb-", "Bearer "]
)
def test_hostile_repetition_costs_no_time(unit: str) -> None:
    redact(unit * (400_000 // len(unit)))
    added_secrets(diff_of("+" + unit * (100_000 // len(unit))))
