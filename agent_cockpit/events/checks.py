"""What the verifier planned and found: values carried by events and reports."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

CheckKind = Literal["test", "lint", "smoke", "declared", "floor"]


class PlannedCheck(BaseModel):
    """One command of a verification plan.

    `provenance` says where it comes from (`config:…`, `ci:…`, `manifest:…`,
    `makefile:…`, `model-declared`); checks of one `chain` run in order, and a failed
    one fails the rest without running them.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    command: str
    kind: CheckKind
    provenance: str = ""
    chain: str | None = None


class CheckResult(BaseModel):
    """What one check concluded; `evidence` is its output, head and tail, or the reason."""

    model_config = ConfigDict(frozen=True)

    name: str
    kind: Literal["required", "optional"] = "required"
    status: Literal["pass", "fail", "skip"]
    evidence: str = ""
    skip_reason: str | None = None
    command: str = ""
    exit_code: int | None = None
    duration_ms: int = 0


class VerifierResult(BaseModel):
    """The verdict on one claim of being done; `detail` is what the model gets to read."""

    model_config = ConfigDict(frozen=True)

    passed: bool
    summary: str
    checks: tuple[CheckResult, ...] = ()
    recommended_next_action: str | None = None
    detail: str = ""
