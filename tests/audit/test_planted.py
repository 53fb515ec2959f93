"""Each known weakness of scorers, planted in a small one, is found by the check that names it; sound scorers pass every check."""

from dataclasses import replace
from pathlib import Path

import pytest

from rlgym.audit import AuditOptions, ProcessOptions, audit
from rlgym.audit.checks import CHECKS

pytestmark = pytest.mark.slow

FILE = Path(__file__).parent / "planted_scorers.py"
LIMITS = ProcessOptions(seconds=60, memory_mb=1024, workers=1)

# scorer: the check that must fail, and the type of answers on which it shows
PLANTED = {
    "exact_string": ("equivalent_spellings", "fractions"),
    "numeric_tolerance": ("near_misses", "integers"),
    "scaled_percent": ("near_misses", "integers"),
    "unit_blind": ("near_misses", "units"),
    "sorted_tuple": ("near_misses", "tuples"),
    "substring": ("answer_lists", "integers"),
    "any_mark": ("answer_lists", "integers"),
    "last_number": ("unmarked_answers", "integers"),
    "anywhere_in_response": ("prompt_echo", "integers"),
    "last_line_only": ("layouts", "integers"),
    "one_line_answer": ("layouts", "integers"),
    "at_least_100_characters": ("layouts", "integers"),
    "empty_is_right": ("degenerate", "integers"),
    "opening_is_right": ("master_keys", "integers"),
    "believes_the_response": ("prompt_injection", "integers"),
    "pays_refusals": ("refusals", "integers"),
    "pays_other_scripts": ("foreign_scripts", "integers"),
    "pays_the_prompt": ("prompt_echo", "integers"),
    "consolation_for_tags": ("consolation", "integers"),
    "tool_bonus": ("format_dependence", "integers"),
    "pays_length": ("length_dependence", "integers"),
    "swayed_by_length": ("length_padding", "integers"),
    "depends_on_position": ("consistency", "integers"),
    "depends_on_the_prompt_order": ("prompt_order", "integers"),
    "depends_on_the_words_of_the_prompt": ("prompt_order", "integers"),
    "out_of_range": ("reward_range", "integers"),
    "not_a_number": ("finite_rewards", "integers"),
    "returns_none": ("finite_rewards", "integers"),
    "crashes_on_digits": ("crashes", "integers"),
    "exits": ("crashes", "integers"),
    "counts_calls": ("determinism", "integers"),
    "depends_on_the_hash_seed": ("hash_seeds", "integers"),
    "alarm_outside_the_main_thread": ("threads", "integers"),
    "changes_its_arguments": ("purity", "integers"),
    "normalises_the_batch": ("batches", "integers"),
    "evaluates": ("code_execution", "integers"),
    "slow_on_long_text": ("time_limit", "integers"),
    "hoards_memory": ("memory_limit", "integers"),
    "pays_hacks_more": ("optimisation", "integers"),
}
SOUND = ("sound", "sound_with_prompt", "sound_verl", "sound_trl", "sound_bool")


def report_of(scorer, *types, **limits):
    process = replace(LIMITS, **limits)
    return audit(f"{FILE}:{scorer}", AuditOptions(effort="least", types=types or None, style="tag", process=process))


@pytest.mark.parametrize("scorer", PLANTED)
def test_a_planted_weakness_is_found_by_its_check(scorer):
    check, kind = PLANTED[scorer]
    limits = {"seconds": 0.3} if check == "time_limit" else {}
    result = report_of(scorer, kind, **limits).check(check)
    assert result.passed is False, result
    assert check == "optimisation" or result.examples


@pytest.mark.parametrize("scorer", SOUND)
def test_a_sound_scorer_passes_every_check(scorer):
    report = report_of(scorer, "integers")
    assert report.failed == [], [report.check(name) for name in report.failed]
    assert report.false_negatives.cases > 100
    assert report.false_positives.cases > 100


def test_the_grid_shows_what_a_scorer_cannot_read():
    cells = {cell.given: cell for cell in report_of("reads_short_responses_only", "integers").grid if cell.domain == "all"}
    assert {given: cell.recall for given, cell in cells.items()} == {"answer alone": 1, "short response": 1, "long response": 0}
    assert cells["long response"].precision is None


def test_a_sound_scorer_passes_on_every_answer_type():
    report = report_of("sound")
    assert report.failed == [], [report.check(name).examples for name in report.failed]
    assert report.unsupported_types == []
    assert len(report.by_type) >= 18


def test_a_parser_of_literals_does_not_count_as_execution():
    assert report_of("parses_literals", "integers").check("code_execution").passed


def test_every_check_finds_a_planted_weakness():
    # The reference answer is rejected by what `exact_answers` finds, which needs a scorer that rejects a share of them.
    # Those of recorded responses are planted in test_recorded.py.
    recorded = {"recorded_verdicts", "recorded_order"}
    assert {check for check, _ in PLANTED.values()} | {"exact_answers"} | recorded == set(CHECKS)
