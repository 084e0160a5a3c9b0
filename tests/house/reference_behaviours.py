"""The behaviours that the documents ask to be tested: the ids of turns D and the headings of
engine 13, each with tests of ours, or the reason why there is none."""

from __future__ import annotations

from tests.house.reference_faults import Because, Shown

_MACHINE = "rules/test_turn_execution"
_CELLS = f"{_MACHINE}:each_operation_in_each_phase"
_STORM = "engine/test_fault_storm:no_sitting_of_random_faults_breaks_a_law"

TURN_MACHINE: dict[str, Shown] = {
    "T01": (f"{_MACHINE}:what_can_be_asked_follows_from_mode_and_phase",),
    "T02": (_CELLS, f"{_MACHINE}:plan_mode_changes_no_transition"),
    "T03": (
        f"{_MACHINE}:a_provider_that_starts_clears_an_error_and_does_not_start_over_an_approval",
    ),
    "T04": (_CELLS, f"{_MACHINE}:the_first_request_keeps_the_slot"),
    "T05": (_CELLS,),
    "T06": (f"{_MACHINE}:an_answer_puts_the_run_back_exactly_where_it_was",),
    "T07": (f"{_MACHINE}:only_a_lasting_approval_is_remembered_and_for_that_command_alone",),
    "T08": (f"{_MACHINE}:a_word_of_no_vocabulary_is_a_bug_of_the_caller",),
    "T09": (f"{_MACHINE}:trust_answers_beside_a_person_who_is_asked", _CELLS),
    "T10": (f"{_MACHINE}:a_start_tells_once_whether_trust_answered_for_it", _CELLS),
    "T11": (f"{_MACHINE}:tools_that_run_together_keep_their_order",),
    "T12": (f"{_MACHINE}:tools_that_run_together_keep_their_order", _CELLS),
    "T13": (f"{_MACHINE}:an_end_under_a_waiting_approval_leaves_it_waiting",),
    "T14": (f"{_MACHINE}:a_start_clears_an_error_and_an_end_keeps_it",),
    "T15": (f"{_MACHINE}:a_prompt_waits_behind_a_run_and_starts_one_otherwise",),
    "T16": (f"{_MACHINE}:queues_give_each_text_away_once",),
    "T17": (f"{_MACHINE}:plan_mode_drops_a_waiting_approval_and_nothing_else",),
    "T18": (f"{_MACHINE}:a_cut_run_loses_what_it_owned_and_the_sitting_keeps_its_own",),
    "T19": (
        f"{_MACHINE}:a_cut_run_loses_what_it_owned_and_the_sitting_keeps_its_own",
        f"{_MACHINE}:a_second_failure_replaces_the_first",
    ),
    "T20": (f"{_MACHINE}:an_error_on_the_way_ends_nothing",),
    "T21": (_CELLS,),
    "T22": (
        f"{_MACHINE}:a_late_end_does_not_revive_a_failed_run",
        f"{_MACHINE}:completing_forgets_tools_approval_and_error",
    ),
    "T23": (
        f"{_MACHINE}:finishing_sends_all_that_was_queued_steering_first",
        f"{_MACHINE}:a_run_does_not_finish_while_an_approval_waits",
    ),
    "T24": (f"{_MACHINE}:a_failed_send_leaves_no_trust_and_restores_nothing",),
    "T25": (f"{_MACHINE}:reset_and_restore_forget_everything",),
    "T26": (
        f"{_MACHINE}:an_exact_trust_comes_before_trust_in_the_whole_tool",
        "rules/test_approval:other_arguments_are_another_call_and_their_order_is_not",
    ),
    "T27": (f"{_MACHINE}:trust_is_revoked_one_by_one_or_at_once",),
    "T28": (f"{_MACHINE}:only_a_sitting_at_rest_with_nothing_waiting_can_be_reclaimed",),
    "T29": (
        f"{_MACHINE}:one_file_has_one_boundary_however_it_is_written",
        f"{_MACHINE}:a_boundary_that_is_none_is_refused_in_words",
        f"{_MACHINE}:boundaries_go_one_by_one_or_at_once",
    ),
    "T30": ("rules/test_turn_execution_machine:TestAnySitting",),
}

BOUNDARIES: dict[str, Shown] = {
    "B01": (
        "rules/test_edit_boundary:both_ends_are_inside",
        "rules/test_edit_boundary:a_range_is_inside_when_all_of_it_is",
    ),
    "B02": ("rules/test_edit_boundary:the_range_follows_an_edit",),
    "B03": (
        "rules/test_edit_boundary:an_edit_above_keeps_the_span_unless_the_file_ends_before_it",
    ),
    "B04": ("workspace/test_edits:only_lines_inside_the_boundary_are_edited",),
    "B05": (
        "engine/test_small_promises:"
        "an_edit_inside_a_boundary_moves_its_end_and_the_next_edit_still_fits",
    ),
    "B06": Because("there is no edit of several replacements; each is a call, and moves the lines"),
    "B07": ("workspace/test_edits:a_boundary_holds_under_every_name_and_against_whole_file_edits",),
    "B08": ("workspace/test_edits:a_boundary_holds_under_every_name_and_against_whole_file_edits",),
    "B09": Because("a person's own edit between two calls is not followed; the file is read anew"),
}

PLAN_AND_APPROVALS: dict[str, Shown] = {
    "P01": ("engine/test_plan_flow:planning_refuses_what_changes_before_anybody_is_asked",),
    "P02": ("engine/test_walls:plan_mode_takes_a_waiting_question_back",),
    "P03": ("engine/test_walls:plan_mode_after_the_answer_still_comes_first",),
    "P04": ("engine/test_walls:plan_mode_does_not_stop_what_runs",),
    "P05": ("engine/test_plan_flow:a_plan_that_nobody_decides_about_is_left_and_the_gate_stays",),
    "P06": (
        _CELLS,
        "engine/test_meta:plan_and_exec_move_gate_and_pin_and_bring_the_former_pin_back",
    ),
    "P07": ("rules/test_permission:plan_mode_stops_what_changes_and_nothing_else",),
    "P08": (
        "engine/test_plan_flow:an_approved_plan_is_built_and_recorded_once",
        "engine/test_proof:an_investigation_leaves_the_tree_as_it_was",
    ),
    "P09": ("engine/test_plan_flow:what_is_queued_under_a_pin_on_plan_becomes_a_plan",),
    "A01": ("engine/test_grants:always_is_asked_once_and_recorded_as_a_grant_after",),
    "A02": ("engine/test_grants:trust_of_a_goal_covers_the_exact_command_and_dies_with_the_goal",),
    "A03": (
        "engine/test_grants:trust_of_a_sitting_outlives_the_goal",
        f"{_MACHINE}:reset_and_restore_forget_everything",
    ),
    "A04": (
        "rules/test_permission:the_worst_tier_is_never_allowed_ahead",
        "tools/test_contracts:an_amendment_is_asked_every_time_and_gives_its_reason",
    ),
    "A05": ("rules/test_grants:where_always_does_not_apply_nothing_is_stored",),
    "A06": ("engine/test_grants:there_is_no_always_no",),
    "A07": (
        "engine/test_approvals:an_id_that_was_never_issued_answers_the_one_that_waits",
        "engine/test_approvals:a_settled_id_decides_nothing_ever_again",
    ),
    "A08": ("engine/test_approvals:calls_of_one_reply_are_asked_one_after_the_other",),
    "A09": (
        "engine/test_approvals:without_a_person_a_question_is_announced_and_denied_at_once",
        "engine/test_approvals:an_amendment_without_a_person_follows_its_own_policy",
    ),
    "A10": ("engine/test_approvals:a_waiting_question_is_denied_when_its_time_is_up",),
    "A11": ("engine/test_approvals:a_cancel_denies_what_waits_in_the_engines_name",),
    "A12": ("engine/test_approvals:a_no_and_its_reason_reach_the_model_and_the_record",),
    "A13": ("engine/test_approvals:calls_of_one_reply_are_asked_one_after_the_other", _STORM),
    "A14": (f"{_MACHINE}:trust_answers_beside_a_person_who_is_asked", _STORM),
}

QUEUES: dict[str, Shown] = {
    "Q01": ("engine/test_queue:steering_follows_the_results_of_the_batch_in_one_marked_block",),
    "Q02": ("engine/test_queue:steering_follows_the_results_of_the_batch_in_one_marked_block",),
    "Q03": ("engine/test_queue:what_no_batch_could_carry_opens_the_next_goal_unmarked",),
    "Q04": ("engine/test_queue:a_follow_up_never_joins_the_running_goal",),
    "Q05": ("engine/test_queue:all_that_waits_at_the_end_is_one_goal_steering_first",),
    "Q06": ("engine/test_queue:the_next_goal_that_cannot_start_goes_back_to_the_composer",),
    "Q07": (
        "engine/test_queue:a_cancel_gives_everything_undelivered_back",
        "engine/test_queue:without_a_person_what_was_queued_is_dropped_and_said_so",
        "engine/test_queue:delivered_steering_stays_in_the_conversation_after_a_cancel",
    ),
    "Q08": ("engine/test_queue:a_fault_gives_everything_undelivered_back",),
    "Q09": Because("a failure empties the queue into the composer, or drops it and says so"),
    "Q10": ("engine/test_queue:what_was_taken_back_is_not_delivered",),
    "Q11": ("cockpit/test_app:local_commands_go_to_the_engine_and_never_to_the_model",),
    "Q12": ("transcript/test_fold:steering_shows_where_it_reached_the_model",),
    "Q13": ("engine/test_queue:pushes_from_another_thread_arrive_in_order",),
}

RUNS: dict[str, Shown] = {
    "R01": ("engine/test_session_planes:a_goal_is_announced_first_and_ended_last",),
    "R02": (
        "engine/test_continuity:a_later_goal_sees_the_whole_of_the_earlier",
        "engine/test_report:counts_are_of_this_goal_alone",
    ),
    "R03": ("engine/test_faults:the_messages_of_a_record_are_the_conversation",),
    "R04": (
        "engine/test_faults:a_fault_that_stays_ends_the_goal_after_its_tries",
        "engine/test_faults:a_fault_that_no_retry_mends_is_not_retried",
    ),
    "R05": ("engine/test_faults:nothing_at_all_is_asked_for_again",),
    "R06": ("engine/test_runner:the_budget_of_turns_is_checked_after_the_batch",),
    "R07": ("engine/test_faults:after_any_fault_the_next_goal_sees_a_paired_conversation",),
    "R08": ("engine/test_continuity:the_conversation_goes_on_after",),
    "R09": ("engine/test_cancel:a_cancel_in_mid_sentence_ends_the_request",),
    "R10": ("engine/test_cancel:a_cancel_in_a_batch_keeps_what_ran_and_runs_no_more",),
    "R11": ("engine/test_faults:a_cancel_in_a_wait_for_the_server_stops_at_once",),
    "R12": (
        "engine/test_repl_runs:a_cancel_of_the_next_goals_handle_stops_it_before_its_first_call",
    ),
    "R13": ("engine/test_repl_runs:a_late_cancel_hits_nobody",),
    "R14": ("rules/test_pairing:any_conversation_becomes_valid_and_stays_as_mended",),
    "R15": ("engine/test_continuity:signed_reasoning_goes_back_as_it_came",),
    "R16": (
        "engine/test_runner:the_answer_is_streamed_whole_before_it_is_decided_about",
        "transcript/test_fold:a_retry_voids_what_the_failed_attempt_wrote",
    ),
    "R17": (
        "engine/test_repl_runs:another_model_speaks_from_the_next_goal_on_and_is_announced",
        "engine/test_repl_runs:the_preamble_is_never_rewritten",
    ),
    "R18": ("engine/test_repl_runs:effort_reaches_the_model_and_says_nothing",),
    "R19": ("engine/test_repl_runs:run_text_never_raises", _STORM),
    "R20": (
        "test_headless:the_first_match_gives_the_exit_code",
        "test_headless:a_signal_before_the_goal_began_leaves_stdout_empty",
        "test_headless:a_signal_cancels_the_goal_and_it_still_reports",
    ),
    "R21": ("engine/test_session_planes:a_fault_ends_the_goal_with_one_last_event",),
}

TRACE_AND_DISCOVERY: dict[str, Shown] = {
    "J01": (
        "engine/test_journal:a_torn_tail_is_bridged_and_healed_before_the_next_line",
        "engine/test_journal:damage_in_the_middle_and_unknown_types_cost_nothing_else",
    ),
    "J02": Because("journals are named by date and id; the folder stands inside, whole"),
    "J03": ("engine/test_faults:a_journal_that_cannot_be_written_costs_the_record_only",),
    "J04": ("engine/test_resume:ids_go_on_and_there_is_no_second_header",),
    "J05": ("engine/test_journal:events_come_back_in_order_and_the_file_is_private",),
    "D01": (
        "workspace/test_instructions:the_persons_own_come_first_then_from_the_top_down",
        "workspace/test_instructions:an_empty_override_silences_its_folder",
        "workspace/test_instructions:what_git_ignores_does_not_count",
        "rules/test_project_instructions:too_much_is_cut_with_a_mark_and_keeps_both_ends",
    ),
    "D02": (
        "engine/test_repl_runs:"
        "project_instructions_reach_the_model_once_and_again_when_they_change",
    ),
    "D03": (
        "rules/test_skills:a_list_that_is_too_long_degrades_in_steps",
        "rules/test_skills:in_one_scope_the_first_stays_and_over_scopes_all_do",
        "engine/test_discovery:a_skill_written_in_a_goal_is_listed_in_the_next",
    ),
    "D04": ("engine/test_discovery:switched_off_nothing_is_looked_for",),
}

TURNS = {
    **TURN_MACHINE,
    **BOUNDARIES,
    **PLAN_AND_APPROVALS,
    **QUEUES,
    **RUNS,
    **TRACE_AND_DISCOVERY,
}
