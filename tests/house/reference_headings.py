"""The headings of the behaviours that the reference's own suite pins (engine 13), each with the
files of tests that hold them here."""

from __future__ import annotations

from tests.house.reference_faults import Because

HEADINGS: dict[str, tuple[str, ...] | Because] = {
    "events": ("events/test_codec",),
    "bus": ("engine/test_bus",),
    "journal": ("engine/test_journal", "engine/test_resume"),
    "legacy emitter/log": Because("there is one stream of typed events and no second channel"),
    "state": ("engine/test_floor", "engine/test_report"),
    "runner (sync)": ("engine/test_runner", "engine/test_proof", "engine/test_faults"),
    "arun": ("engine/test_runner", "engine/test_cancel", "engine/test_session_planes"),
    "approval clock": ("engine/test_runner", "rules/test_budget"),
    "session": ("engine/test_session_planes", "engine/test_approvals"),
    "grants": ("engine/test_grants", "rules/test_grants"),
    "session_state": ("engine/test_repl", "engine/test_repl_runs", "engine/test_continuity"),
    "intent": ("rules/test_modes", "engine/test_repl"),
    "meta": ("engine/test_meta", "rules/test_meta_commands"),
    "grounding": ("rules/test_grounding", "engine/test_walls"),
    "plan": ("engine/test_plan_flow", "rules/test_plan"),
    "permission/security": ("rules/test_permission", "engine/test_walls", "rules/test_paths"),
    "workspace": ("workspace/test_workspace", "workspace/test_edits", "workspace/test_git"),
    "tools": ("tools/test_reading", "tools/test_editing", "tools/test_registry"),
    "run_command": ("tools/test_commands", "workspace/test_processes"),
    "shell boundary": ("rules/test_command_line", "rules/test_contract"),
    "planner": ("rules/test_check_detection", "workspace/test_check_files"),
    "change kinds": ("rules/test_verification", "rules/test_contract"),
    "declaration": ("engine/test_proof", "tools/test_contracts"),
    "escalation": ("engine/test_proof", "engine/test_repeats", "engine/test_approvals"),
    "verifier": ("engine/test_verifier", "rules/test_verification", "rules/test_smoke_floor"),
    "authority": ("engine/test_proof", "test_headless"),
    "sandbox": ("workspace/test_sandbox", "workspace/test_sandbox_places"),
    "model client": (
        "providers/test_openai",
        "providers/test_openai_answer",
        "providers/test_openai_faults",
        "providers/test_openai_wire",
        "engine/test_faults",
    ),
    "cockpit": ("cockpit/test_app", "cockpit/test_composer", "cockpit/test_status_line"),
    "modals": ("cockpit/test_approval_modal", "cockpit/test_plan_modal", "cockpit/test_diff_modal"),
}
