"""Each law is proved by environments that break it: what a law does not catch, it does not promise."""

from pathlib import Path

import planted.faulty
import planted.faulty_source
import pytest

from rlgym.laws import LAWS, Subject, certify

CAUGHT_BY = {
    "global_randomness": "deterministic",
    "set_order_leak": "deterministic",
    "remembers_earlier_tasks": "deterministic",
    "wrong_oracle": "solvable",
    "fails_in_a_corner": "solvable",
    "game_with_a_wrong_oracle": "solvable",
    "claims_to_be_unique": "complete",
    "two_right_answers": "complete",
    "claims_many": "complete",
    "accepts_everything": "unpaid",
    "pays_for_trying": "unpaid",
    "too_small_a_pool": "unpaid",
    "world_won_by_resting": "aimless",
    "world_won_by_flailing": "aimless",
    "match_won_at_random": "aimless",
    "ignores_the_sign": "unmistaken",
    "ignores_the_last_digit": "unmistaken",
    "no_mistakes": "unmistaken",
    "game_that_pays_everybody": "unmistaken",
    "refuses_a_spelling": "spelled",
    "tests_that_miss": "telling",
    "refuses_another_program": "telling",
    "crashes_on_odd_answers": "total",
    "slow_on_long_text": "total",
    "game_that_raises": "total",
    "flat_difficulty": "harder",
    "easier_with_level": "harder",
    "repeats_itself": "rich",
    "judges_from_memory": "saved",
    "loses_data": "saved",
    "game_that_remembers": "saved",
    "slow": "fast",
    "leaks_in_feedback": "helpful",
    "explains_something_else": "helpful",
    "refuses_its_explanation": "replayed",
    "finds_every_step_right": "replayed",
    "replays_without_explaining": "replayed",
    "compares_with_its_explanation": "replayed",
    "draws_unclosed_tags": "drawn",
    "draws_a_script": "drawn",
    "draws_the_same_for_all": "drawn",
}


@pytest.mark.parametrize("fault", CAUGHT_BY)
def test_the_law_that_is_there_for_it_catches_the_fault(fault):
    subject = Subject(fault, getattr(planted.faulty, fault), str(Path(planted.faulty.__file__)))
    law = CAUGHT_BY[fault]
    finding = certify(subject, seconds=1.0, laws=[law]).findings[law]
    assert not finding.passed
    assert finding.failures


def test_evaluating_text_is_caught_in_the_source():
    subject = Subject("faulty_source", planted.faulty_source.environment, planted.faulty_source.__file__)
    assert not certify(subject, seconds=1.0, laws=["clean"]).passed


@pytest.mark.parametrize("name", ["sound", "sound_game", "sound_world"])
def test_sound_environments_break_no_law(name):
    subject = Subject(name, getattr(planted.faulty, name), str(Path(planted.faulty.__file__)))
    laws = [law for law in LAWS if law != "clean"]  # the file holds the faulty ones, whose source is not clean
    broken = {law: finding.failures for law, finding in certify(subject, seconds=2.0, laws=laws).findings.items() if not finding.passed}
    assert not broken


def test_every_law_is_proved_by_a_fault():
    assert set(CAUGHT_BY.values()) | {"clean"} == set(LAWS)


def test_tests_that_tell_are_measured():
    subject = Subject("programs", planted.faulty.programs, str(Path(planted.faulty.__file__)))
    finding = certify(subject, seconds=1.0, laws=["telling"]).findings["telling"]
    assert finding.passed, finding.failures
    assert finding.measured["detected"] == finding.measured["accepted"] == 1.0
    assert finding.measured["wrong"] == 2 * finding.measured["right"] > 0
