"""Every setting, as values with their defaults; reading them is `settings_files`'s work."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

PROJECT_FILE = ".agent-cockpit.toml"
"""A project's own settings, in the folder that is worked on."""

SENSITIVE_PATHS = (
    ".env",
    ".env.*",
    ".envrc",
    "?*.env",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    ".ssh",
    ".aws",
    ".gnupg",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".docker/config.json",
    ".kube/config",
    ".vault-token",
    "proc/*/environ",
    "proc/*/mem",
    "proc/*/fd",
    "proc/*/fd/*",
    "credentials*",
    "secrets",
)
"""A pattern without a slash matches any part of a path, one with a slash the whole
relative path; letter case never matters."""


class HarnessConfig(BaseModel):
    """The settings of one sitting; each field is one key of the settings files and, as
    `AGENT_COCKPIT_` + its name in capitals, one environment variable."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    workspace_root: str = "."
    """The folder to work on."""

    provider: Literal["", "openai", "demo"] = ""
    """Which voice; empty: none chosen yet."""
    model: str = ""
    base_url: str = ""
    """Of an OpenAI-compatible server, with its version part (`http://127.0.0.1:8080/v1`)."""
    api_key: str | None = Field(default=None, repr=False)
    temperature: float | None = None
    effort: Literal["low", "medium", "high"] | None = None
    context_window: int | None = Field(default=None, gt=0)
    """Tokens that the model can take in; None: unknown, `max_context_tokens` holds."""

    price_input: float | None = Field(default=None, ge=0)
    """Dollars for a million tokens that the model reads. With prices the cockpit says what
    goals cost; it knows none by itself."""
    price_cached: float | None = Field(default=None, ge=0)
    """The same for tokens that the server had in its cache; None: as for all that is read."""
    price_output: float | None = Field(default=None, ge=0)
    """The same for tokens that the model writes."""

    consent: Literal["ask", "accept_edits"] = "ask"
    """Whether the cockpit asks before edits inside the workspace."""
    approval_timeout_seconds: float | None = Field(default=None, gt=0)
    autonomous_amendment_policy: Literal["deny", "approve"] = "deny"
    autonomous_escalation_policy: Literal["deny", "approve"] = "deny"
    sensitive_path_globs: tuple[str, ...] = SENSITIVE_PATHS

    max_iterations: int = Field(default=50, ge=1)
    max_wall_clock_seconds: float | None = Field(default=1800, gt=0)
    """Per goal, without the time a person takes to decide; the cockpit has no limit unless set."""
    max_cost: float | None = Field(default=None, gt=0)
    """Dollars that one goal may cost, by the prices above; None: no limit."""
    max_consecutive_failures: int = Field(default=5, ge=1)
    max_refusals: int = Field(default=8, ge=1)
    """Calls of one goal that may be refused in a row before the goal stops as incomplete."""
    max_repair_attempts: int = Field(default=3, ge=0)
    max_declaration_nudges: int = Field(default=3, ge=0)
    discovery: bool = True
    """Whether AGENTS.md files and skills are looked for; folders that are added always are."""
    extra_roots: tuple[str, ...] = ()
    """More folders whose AGENTS.md files and skills count, such as `~/team`; a relative one
    is seen from the workspace."""
    max_context_tokens: int = Field(default=100_000, ge=1000)
    compact_at_percent: int = Field(default=80, ge=0, le=95)
    """How full the model's window may get before older messages are summarised; 0: only when
    a person asks, or a server finds the conversation too long."""
    escalation_thrash_repeats: int = Field(default=3, ge=1)

    sandbox: Literal["auto", "bwrap", "landlock", "none"] = "auto"
    """What holds commands; `auto`: the best that works here, and where none does, nothing,
    which is said."""
    sandbox_write: tuple[str, ...] = ()
    """Places outside the workspace that every command may write to, such as `~/.gradle`."""
    test_command: str = ""
    lint_command: str = ""
    command_timeout_seconds: float = Field(default=120, gt=0)
    command_output_budget: int = Field(default=16_000, ge=256)

    request_timeout_seconds: float = Field(default=240, gt=0)
    request_idle_timeout_seconds: float = Field(default=30, gt=0)
    """The longest silence inside a stream."""
    transport_max_retries: int = Field(default=2, ge=0)
    retry_backoff_seconds: float = Field(default=0.5, ge=0)

    classifier_model: str | None = None
    """A model that routes prompts to modes; None: words decide."""
    classifier_timeout_seconds: float = Field(default=5, gt=0)
    planner_model: str | None = None
    """A model that proposes checks from what the project's documents name, where neither
    settings nor the project's files say any; None: only the model at work may declare them."""
    planner_timeout_seconds: float = Field(default=30, gt=0)

    theme: str = "cockpit-dark"
    """The cockpit's colours until `/theme` chooses others, which are remembered."""
    reduced_motion: bool = False
    """Nothing turns, glides or blinks in the cockpit; `NO_MOTION=1` says so everywhere."""
    vim_keys: bool = False
    """Whether the prompt is written with vim's keys: Esc to normal mode, `i` back."""
    notify: Literal["auto", "bell", "osc9", "osc777", "osc99", "off"] = "auto"
    """How you are told that something waits or is over while the terminal is not in front."""
    terminal_title: bool = True
    """Whether the window's title says project, mode and state."""
    terminal_progress: bool = True
    """Whether terminals that can show progress in tab or task bar do."""
    leave_transcript: Literal["off", "goal", "all"] = "off"
    """What stays in the terminal as text when the cockpit is left: the last goal, or all."""
    journal_dir: str = Field(default="", pattern=r"^(?:$|~?[/\\]|~$|[A-Za-z]:[/\\])")
    """In which folder of yours the folder `agent-cockpit-journals` is made, from `/` or `~` on;
    empty: journals lie in the user's state directory."""
