"""The 75 faults that the reference was seen to have (engine 12), each with the tests of ours that
such a fault would fail, or the reason why it has no place here.

A test is named `room/test_file:what_it_says`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Because:
    """Why there is no test: the fault cannot occur here, or the thing itself is not built."""

    reason: str


Shown = tuple[str, ...] | Because

FAULTS: dict[int, Shown] = {
    # A: correctness of the interactive flow
    1: ("engine/test_proof:a_question_after_an_edit_is_answered",),
    2: (
        "engine/test_proof:a_question_after_an_edit_is_answered",
        "engine/test_repl:a_sitting_may_begin_on_a_dirty_tree_when_told_so",
    ),
    3: ("engine/test_proof:earlier_work_is_no_proof_for_a_later_goal",),
    4: (
        "engine/test_proof:small_talk_succeeds_and_is_called_ungrounded",
        "engine/test_proof:an_answer_that_names_what_was_looked_at_is_grounded",
        "engine/test_small_promises:an_answer_that_cites_a_search_hit_is_grounded",
    ),
    5: (
        "rules/test_verification:a_plan_needs_words_and_an_untouched_tree_and_nothing_else",
        "engine/test_plan_flow:what_may_be_offered",
    ),
    6: (
        "engine/test_runner:what_the_model_is_offered",
        "engine/test_proof:an_escalated_investigation_is_held_to_the_checks",
    ),
    7: ("engine/test_proof:a_wrong_fix_comes_back_with_the_failing_output",),
    8: ("rules/test_verification:every_check_has_its_own_hint",),
    9: ("engine/test_proof:a_success_takes_an_earlier_error_off_the_record",),
    10: (
        "engine/test_repeats:tests_after_an_edit_are_no_repeat_and_without_one_they_are",
        "engine/test_repeats:a_read_after_an_edit_is_no_repeat",
    ),
    11: ("engine/test_faults:refusals_in_a_row_stop_the_goal",),
    12: ("engine/test_approvals:a_no_and_its_reason_reach_the_model_and_the_record",),
    13: (
        "engine/test_walls:no_answer_opens_it",
        "engine/test_grants:always_counts_as_once_where_nothing_may_be_kept",
    ),
    14: (
        "engine/test_approvals:a_settled_id_decides_nothing_ever_again",
        "engine/test_approvals:an_id_that_was_never_issued_answers_the_one_that_waits",
        "cockpit/test_approval_modal:one_key_answers_one_request_only",
    ),
    15: ("engine/test_approvals:a_cancel_denies_what_waits_in_the_engines_name",),
    16: (
        "engine/test_session_planes:a_fault_ends_the_goal_with_one_last_event",
        "engine/test_session_planes:a_hard_cancel_rises_and_still_ends_the_goal",
        "engine/test_repl:a_hard_cancel_leaves_no_turn_without_a_reply",
        "engine/test_fault_storm:no_sitting_of_random_faults_breaks_a_law",
    ),
    17: (
        "engine/test_answering:work_done_before_the_question_counts_after_the_answer",
        "engine/test_answering:what_was_read_before_the_question_grounds_the_answer",
    ),
    18: (
        "engine/test_meta:a_mode_is_pinned",
        "engine/test_plan_flow:after_a_plan_without_a_pin_the_next_goal_may_edit",
    ),
    19: ("engine/test_plan_flow:a_revision_carries_the_plan_so_far_and_the_note",),
    20: (
        "engine/test_approvals:a_waiting_question_is_denied_when_its_time_is_up",
        "engine/test_approvals:an_amendment_without_a_person_follows_its_own_policy",
        "engine/test_approvals:an_escalation_without_a_person_follows_its_own_policy",
    ),
    21: (
        "rules/test_modes:an_order_to_change_something_is_an_edit",
        "rules/test_modes:everything_else_is_an_investigation",
        "cockpit/test_app:a_space_before_the_slash_makes_it_a_prompt",
    ),
    # B: safety
    22: (
        "tools/test_contracts:what_will_be_run_unasked_later_is_asked_about_now",
        "tools/test_contracts:a_check_that_destroys_sends_or_looks_at_secrets_is_refused",
    ),
    23: (
        "engine/test_approvals:a_folders_own_check_is_asked_about_once",
        "engine/test_sandboxed:checks_are_held_and_judged_all_the_same",
    ),
    24: (
        "workspace/test_workspace:git_is_read_but_never_written",
        "workspace/test_git:filters_of_a_repository_are_not_started_to_see_what_is_dirty",
        "workspace/test_snapshots_hostile:"
        "no_setting_of_a_repository_changes_a_diff_or_starts_a_program",
    ),
    25: (
        "rules/test_cases_c:c01_nothing_rides_on_a_grant_for_the_first_program",
        "rules/test_cases_c:c08_a_wrapper_hides_nothing_and_takes_no_grant",
        "rules/test_cases_c:c09_always_is_for_the_sub_command_alone",
        "engine/test_grants:what_the_panel_promises_is_what_the_grant_covers",
    ),
    26: ("rules/test_command_line:a_line_is_judged_as_the_table_says",),
    27: (
        "rules/test_command_line_bash:bash_hands_over_the_words_that_the_judge_has_read",
        "rules/test_contract:syntax_that_hides_an_exit_code_is_refused",
    ),
    28: (
        "tools/test_commands:what_cannot_run_is_told_before_anybody_is_asked",
        "rules/test_permission:the_first_step_that_hits_decides",
    ),
    29: ("workspace/test_processes:it_runs_in_the_given_folder_without_stdin",),
    30: (
        "workspace/test_processes:a_timeout_keeps_the_output_so_far",
        "workspace/test_processes:a_timeout_ends_grandchildren_that_ignore_sigterm",
    ),
    31: (
        "engine/test_session_planes:a_hard_cancel_in_a_command_ends_the_command_and_its_call",
        "workspace/test_to_the_end:a_cancelled_waiter_waits_for_the_thread_and_tells_it",
        "workspace/test_processes:a_cancelled_task_leaves_no_process_behind",
    ),
    32: (
        "rules/test_secrets:ordinary_text_is_no_secret",
        "rules/test_secrets:a_real_token_in_an_added_line_is_found_without_being_repeated",
    ),
    33: (
        "workspace/test_snapshots_hostile:"
        "no_setting_of_a_repository_changes_a_diff_or_starts_a_program",
    ),
    34: (
        "engine/test_journal:events_come_back_in_order_and_the_file_is_private",
        "engine/test_journal:a_secret_that_comes_in_pieces_is_not_written",
        "engine/test_sandboxed:the_record_is_hidden_from_commands",
    ),
    35: ("workspace/test_workspace:our_own_record_is_neither_read_nor_listed",),
    36: Because("a journal's path is made absolute once, and hidden under that path"),
    # C: workspace and git
    37: (
        "workspace/test_snapshots:a_sub_directory_is_limited_to_itself",
        "workspace/test_git:dirty_paths_are_relative_to_the_workspace_and_limited_to_it",
    ),
    38: (
        "workspace/test_snapshots:names_beyond_ascii_are_readable_in_a_diff",
        "workspace/test_snapshots:odd_names_are_recorded_and_restored",
    ),
    39: (
        "workspace/test_snapshots:a_folder_without_a_repository_is_recorded_and_compared",
        "workspace/test_snapshots:a_repository_without_a_commit_has_diffs",
        "engine/test_runner:a_folder_without_git_is_worked_on_like_any",
    ),
    40: ("workspace/test_snapshots:an_ignored_file_that_an_edit_names_can_be_undone",),
    41: (
        "engine/test_walls:the_users_own_git_is_never_touched",
        "workspace/test_snapshots:the_users_repository_is_not_touched",
    ),
    42: (
        "workspace/test_edits:a_replacement_keeps_every_other_byte",
        "workspace/test_commit_killed:a_kill_at_any_moment_leaves_one_whole_content",
        "workspace/test_edits:mode_and_link_are_kept",
    ),
    43: (
        "engine/test_undo:an_edit_is_taken_back_and_made_again",
        "engine/test_undo:what_a_command_did_is_taken_back_and_made_again",
        "workspace/test_snapshots:an_undo_can_be_undone",
        "workspace/test_snapshots_property:putting_back_all_changes_gives_the_tree_back",
    ),
    44: (
        "workspace/test_listing:ignore_rules_hold_and_the_nearest_one_wins",
        "tools/test_reading:a_long_file_comes_in_pieces_that_fit_together",
        "workspace/test_search:a_walk_that_takes_too_long_ends_at_the_deadline",
    ),
    45: (
        "rules/test_grounding:references",
        "engine/test_walls:a_referenced_secret_is_noted_and_never_shown",
    ),
    # D: events, journal, performance
    46: (
        "engine/test_bus:goals_of_a_sitting_share_one_counter_and_one_id",
        "engine/test_repl_runs:ids_grow_over_the_whole_sitting",
    ),
    47: ("engine/test_runner:the_answer_is_streamed_whole_before_it_is_decided_about",),
    48: (
        "engine/test_faults:a_passing_fault_is_tried_again_and_said_so",
        "engine/test_faults:a_call_that_makes_no_sense_is_answered_and_the_goal_goes_on",
    ),
    49: ("engine/test_faults:a_fault_that_stays_ends_the_goal_after_its_tries",),
    50: (
        "engine/test_journal:a_torn_tail_is_bridged_and_healed_before_the_next_line",
        "engine/test_journal:damage_in_the_middle_and_unknown_types_cost_nothing_else",
    ),
    51: (
        "engine/test_faults:a_journal_that_cannot_be_written_costs_the_record_only",
        "engine/test_journal:a_disk_that_was_full_for_a_while_loses_what_came_then_and_says_so",
    ),
    52: ("engine/test_bus:an_abandoned_stream_is_forgotten",),
    53: Because("no turn looks at git: what changed is measured by the verdict and at the end"),
    54: (
        "engine/test_repl:a_classifier_that_never_answers_costs_its_time_only",
        "engine/test_queue:a_cancel_before_the_goal_began_gives_all_prompts_back",
    ),
    55: ("engine/test_compaction:five_hundred_goals_leave_room_for_the_next",),
    56: ("engine/test_compaction:a_full_window_is_summarised_by_the_model_and_the_goal_goes_on",),
    57: (
        "engine/test_continuity:a_later_goal_sees_the_whole_of_the_earlier",
        "engine/test_repl_runs:the_preamble_is_never_rewritten",
    ),
    58: (
        "engine/test_runner:results_stand_in_the_order_of_the_calls",
        "engine/test_runner:reads_of_one_reply_run_beside_each_other",
    ),
    59: (
        "engine/test_resume:a_kill_after_any_line_leaves_a_sitting_that_goes_on",
        "engine/test_resume:grants_and_trust_are_gone_and_the_next_call_asks",
        "engine/test_resume:a_call_that_waited_is_over_and_undecided_and_told_to_both",
    ),
    60: Because("not built: MCP, sub-agents and cost; the model can be changed between goals"),
    # E: the cockpit
    61: ("cockpit/test_approval_modal:the_panel_closes_with_its_request_and_late_keys_are_typing",),
    62: ("cockpit/test_approval_modal:the_panel_closes_with_its_request_and_late_keys_are_typing",),
    63: (
        "cockpit/test_plan_modal:each_key_gives_its_decision",
        "engine/test_plan_flow:ten_notes_without_approval_end_as_incomplete",
    ),
    64: (
        "cockpit/test_app:escape_interrupts_only_what_runs",
        "cockpit/test_approval_modal:each_key_gives_its_answer",
    ),
    65: (
        "transcript/test_fold:who_decided_is_said_in_words",
        "transcript/test_status:the_activity_is_what_a_person_would_say",
    ),
    66: ("cockpit/test_status_line:it_says_where_the_sitting_stands",),
    67: (
        "cockpit/test_transcript_render:a_success_is_one_line_until_it_is_opened",
        "cockpit/test_question:an_edit_shows_its_lines_and_not_its_arguments",
    ),
    68: ("engine/test_consent:only_the_hunks_that_were_kept_are_written",),
    69: (
        "cockpit/test_app:enter_while_a_goal_runs_queues_in_sight",
        "engine/test_queue:steering_follows_the_results_of_the_batch_in_one_marked_block",
    ),
    70: (
        "cockpit/test_status_line:it_says_where_the_sitting_stands",
        "cockpit/test_search:walking_goes_around_and_opens_only_what_it_stands_in",
        "cockpit/test_resumed:earlier_prompts_are_in_reach_of_the_arrow",
    ),
    71: (
        "engine/test_meta:diffs_of_goal_sitting_and_head",
        "cockpit/test_diff_modal:a_diff_of_a_hundred_thousand_lines_opens_and_steps_by_file",
    ),
    72: (
        "cockpit/test_approval_modal:the_scope_of_always_is_spelled_out",
        "engine/test_standing:a_grant_is_listed_with_its_uses_and_its_age",
        "engine/test_grants:a_revoked_grant_is_asked_about_again",
    ),
    73: (
        "test_cli:words_become_a_choice",
        "test_headless:the_first_match_gives_the_exit_code",
    ),
    74: ("test_sittings:the_newest_comes_first_and_those_without_a_prompt_not_at_all",),
    75: (
        "engine/test_approvals:without_a_person_a_question_is_announced_and_denied_at_once",
        "engine/test_faults:nothing_at_all_is_asked_for_again",
        "workspace/test_workspace:files_that_may_hold_secrets_are_refused",
        "cockpit/test_transcript_render:square_brackets_are_no_markup",
        "engine/test_runner:the_wall_clock_stands_still_while_a_person_decides",
        "engine/test_repl:a_second_goal_cannot_begin_beside_the_first",
    ),
}
