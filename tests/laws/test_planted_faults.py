"""Every law detects the environments that are broken on purpose to violate it, with its least sample."""

import sys
from dataclasses import replace
from pathlib import Path

import planted.faulty
import planted.faulty_answers
import planted.faulty_explanations
import planted.faulty_games
import planted.faulty_matches
import planted.faulty_solvers
import planted.faulty_source
import planted.faulty_wording
import pytest

from rlgym import knob
from rlgym.laws import LAWS, Subject, certify

CAUGHT_BY = {
    "global_randomness": "determinism",
    "set_order_leak": "determinism",
    "remembers_earlier_tasks": "determinism",
    "wrong_oracle": "oracle_accuracy",
    "fails_in_a_corner": "oracle_accuracy",
    "writes_names_in_lower_case": "oracle_accuracy",
    "writes_fractions_beside_decimals": "oracle_accuracy",
    "game_with_a_wrong_oracle": "oracle_accuracy",
    "claims_to_be_unique": "completeness",
    "two_right_answers": "completeness",
    "claims_many": "completeness",
    "accepts_everything": "no_free_reward",
    "pays_for_trying": "no_free_reward",
    "too_small_a_pool": "constant_answer",
    "level_0_has_two_answers": "constant_answer",
    "names_its_answer": "prompt_copying",
    "spaces_evenly": "prompt_copying",
    "crowds_to_one_end": "prompt_copying",
    "takes_letters_in_turn": "prompt_copying",
    "adds_one_to_a_number": "prompt_copying",
    "asks_for_the_most_mentioned": "prompt_copying",
    "game_won_by_a_fixed_plan": "constant_answer",
    "match_won_by_one_move_over_and_over": "constant_answer",
    "match_won_by_echoing": "constant_answer",
    "game_won_by_cycling": "prompt_copying",
    "world_won_by_looking_up": "prompt_copying",
    "world_won_by_doing_nothing": "random_policy",
    "world_won_by_random_calls": "random_policy",
    "match_won_at_random": "random_policy",
    "world_that_checks_one_rule": "rule_coverage",
    "world_with_an_idle_rule": "rule_coverage",
    "world_that_declares_no_rules": "rule_coverage",
    "world_without_rules_or_a_reason": "rule_coverage",
    "world_with_rules_and_a_reason": "rule_coverage",
    "match_with_a_random_opponent": "opponent_strength",
    "match_with_a_weak_opponent": "opponent_strength",
    "match_with_a_random_opponent_at_level_0": "opponent_strength",
    "match_won_by_greedy_play": "opponent_strength",
    "match_that_forgives_the_first_move": "opponent_strength",
    "match_of_two_moves": "opponent_strength",
    "ignores_the_sign": "mistakes_rejected",
    "ignores_the_last_digit": "mistakes_rejected",
    "no_mistakes": "mistakes_rejected",
    "game_that_pays_everybody": "mistakes_rejected",
    "refuses_a_spelling": "equivalent_spellings",
    "refuses_a_fence": "answer_layout",
    "refuses_a_unit": "answer_layout",
    "reads_another_number_in_bold": "answer_layout",
    "takes_layout_for_content": "answer_layout",
    "refuses_an_equals_sign": "answer_layout",
    "refuses_lists_on_lines": "answer_layout",
    "takes_a_table_for_a_grid": "answer_layout",
    "refuses_an_approximation": "answer_layout",
    "rewards_an_approximation": "answer_layout",
    "keeps_its_precision_quiet": "stated_precision",
    "refuses_rounded_decimals": "stated_precision",
    "rounds_too_much": "stated_precision",
    "asks_for_many_digits": "number_length",
    "tests_that_miss": "mutation_score",
    "tests_without_programs_that_miss": "mutation_score",
    "refuses_another_program": "mutation_score",
    "shares_a_wrong_helper": "independent_solver",
    "hides_its_shared_helper": "independent_solver",
    "copies_the_shared_helper": "independent_solver",
    "crashes_on_odd_answers": "robustness",
    "slow_on_long_text": "robustness",
    "game_that_raises": "robustness",
    "flat_difficulty": "monotonic_difficulty",
    "easier_with_level": "monotonic_difficulty",
    "repeats_itself": "diversity",
    "judges_from_memory": "serialization",
    "loses_data": "serialization",
    "game_that_remembers": "serialization",
    "slow": "speed",
    "leaks_in_feedback": "explanations_and_hints",
    "explains_something_else": "explanations_and_hints",
    "refuses_its_explanation": "step_verification",
    "finds_every_step_right": "step_verification",
    "replays_without_explaining": "step_verification",
    "compares_with_its_explanation": "step_verification",
    "draws_unclosed_tags": "pictures",
    "draws_a_script": "pictures",
    "draws_the_same_for_all": "pictures",
    "plural_after_one": "prompt_quality",
    "announces_one_in_the_plural": "prompt_quality",
    "lists_one_word_in_the_plural": "prompt_quality",
    "allows_at_most_one_moves": "prompt_quality",
    "range_of_one_number": "prompt_quality",
    "unidiomatic_prompt": "prompt_quality",
    "form_names_what_is_absent": "prompt_quality",
    "explains_with_a_plural_after_one": "prompt_quality",
    "explains_with_a_number_that_equals_itself": "prompt_quality",
}


MODULES = (
    planted.faulty,
    planted.faulty_answers,
    planted.faulty_explanations,
    planted.faulty_games,
    planted.faulty_matches,
    planted.faulty_solvers,
    planted.faulty_wording,
)


def planted_subject(name, **changed):
    """The planted environment with this name, with some fields changed, and the file that declares it."""
    module = next(module for module in MODULES if hasattr(module, name))
    return Subject(name, replace(getattr(module, name), **changed), str(Path(module.__file__)))


AT_QUICK = ("level_0_has_two_answers", "refuses_an_approximation", "repeats_itself", "slow_on_long_text")
"""Faults that ten tasks or texts of moderate length seldom show, or those of another level than the name chooses."""


@pytest.mark.parametrize("fault", CAUGHT_BY)
def test_its_law_catches_the_fault(fault):
    subject = planted_subject(fault)
    law = CAUGHT_BY[fault]
    finding = certify(subject, effort="quick" if fault in AT_QUICK else "least", laws=[law]).findings[law]
    assert not finding.passed
    assert finding.failures


def test_a_single_task_that_takes_very_long_breaks_the_law_of_speed(monkeypatch):
    monkeypatch.setattr(sys.modules["rlgym.laws.speed"], "SLOWEST", 2)
    subject = planted_subject("slow_for_one_task")
    monkeypatch.setattr(planted.faulty, "SLOW_PROMPTS", {subject.fresh(2, 0.5).prompt})
    failures = certify(subject, effort="least", laws=["speed"]).findings["speed"].failures
    assert len(failures) == 1
    assert "the task of seed 2 at level 0.5" in failures[0]


def test_evaluating_text_is_caught_in_the_source():
    subject = Subject("faulty_source", planted.faulty_source.environment, planted.faulty_source.__file__)
    assert not certify(subject, effort="least", laws=["clean_source"]).passed


class KeyKnobs(planted.faulty.Knobs):
    keys: int = knob(2, easy=1, hard=3, doc="a knob with the name of a method of mappings")


def test_a_knob_may_have_the_name_of_a_method_of_mappings():
    subject = planted_subject("sound", config=KeyKnobs)
    assert certify(subject, effort="least", laws=["oracle_accuracy"]).passed


@pytest.mark.parametrize("name", ["sound", "precise", "solves_apart", "contracts", "sound_game", "sound_world", "world_with_rules"])
def test_sound_environments_break_no_law(name):
    subject = planted_subject(name)
    laws = [law for law in LAWS if law != "clean_source"]  # the file holds the faulty ones, whose source is not clean
    broken = {law: finding.failures for law, finding in certify(subject, effort="least", laws=laws).findings.items() if not finding.passed}
    assert not broken


def test_a_match_with_a_strong_opponent_passes_and_reasons_excuse_what_they_name():
    def finding(name, **reasons):
        subject = planted_subject(name, **reasons)
        return certify(subject, effort="least", laws=["opponent_strength"]).findings["opponent_strength"]

    sound = finding("sound_match")
    assert sound.passed, sound.failures
    assert sound.measured["won_at_random"]["1"] == 0.0
    assert sound.measured["moves_at_level_1"] >= 6
    assert finding("match_of_two_moves", short_matches="The heap is small.").passed
    assert not finding("match_of_two_moves", recoverable_first_move="The heap is small.").passed
    assert not finding("match_with_a_weak_opponent", recoverable_first_move="The opponent is greedy.").passed


def test_every_law_is_proved_by_a_fault():
    assert set(CAUGHT_BY.values()) | {"clean_source"} == set(LAWS)


def test_the_share_without_each_rule_is_measured():
    subject = planted_subject("world_that_checks_one_rule")
    finding = certify(subject, effort="quick", laws=["rule_coverage"]).findings["rule_coverage"]
    assert finding.measured["by_rule"] == {"end": {"0.5": 0.0, "1": 0.0}, "half": {"0.5": 1.0, "1": 1.0}}
    assert finding.measured["right_without_a_rule"] == 1.0
    assert finding.broken == 2


def test_a_world_of_tools_without_rules_states_the_reason():
    subject = planted_subject("sound_world")
    finding = certify(subject, effort="least", laws=["rule_coverage"]).findings["rule_coverage"]
    assert finding.passed
    assert finding.not_measured == "The goal is all that the task states."


def test_the_mutation_score_is_measured():
    subject = planted_subject("programs")
    finding = certify(subject, effort="least", laws=["mutation_score"]).findings["mutation_score"]
    assert finding.passed, finding.failures
    assert finding.measured["detected"] == finding.measured["accepted"] == 1.0
    assert finding.measured["wrong"] == 2 * finding.measured["right"] > 0
