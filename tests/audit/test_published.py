"""Each weakness that was found in published reward code is found by the audit: by the check that names it, on the answers on which it shows."""

from dataclasses import replace
from pathlib import Path

import pytest
from audit import published_weaknesses
from audit.test_planted import LIMITS

from rlgym.audit import AuditOptions, audit

pytestmark = pytest.mark.slow

FILE = Path(__file__).parent / "published_weaknesses.py"
# Not here, since they are no matter of one response and its reference answer: rewards of groups (Laser), proofs and programs (VERINA), prompts
# (SPARKLE), replies of judges (OREAL, CM2: test_rude_judges.py and test_targets.py). The rules of one task (Enigmata) have a test of their own.
# Whether `50%` is 50 (UniR) depends on the question.
# scorer: where it was found, the check that must fail, and the type of answers on which it shows
PUBLISHED = {
    "evaluates_expressions": ("Enigmata, Countdown and Game24; FAPO; Reasoning360, tables", "code_execution", "integers"),
    "lets_powers_through": ("cognitive-behaviors, Countdown as in TinyZero", "time_limit", "integers"),
    "reads_the_last_line": ("cognitive-behaviors, Countdown", "layouts", "integers"),
    "tenth_for_a_tag": ("cognitive-behaviors; A-Data-Centric-Study; InternBootcamp", "consolation", "integers"),
    "json_on_one_line": ("Reasoning360, Zebra; ToolRL, pretty-printed calls", "layouts", "json"),
    "half_for_given_keys": ("Reasoning360, Zebra; ToolRL, names and keys right", "near_misses", "json"),
    "extra_entries_are_free": ("Reasoning360, Zebra: extra rows", "near_misses", "json"),
    "order_is_free": ("A-Data-Centric-Study, Zebra; ToolRL, order of calls", "near_misses", "tuples"),
    "more_than_one": ("A-Data-Centric-Study, maximum 1.1; ARPO; InternBootcamp, reward 7", "reward_range", "integers"),
    "nan_confidence": ("RLCR", "finite_rewards", "integers"),
    "needs_100_characters": ("InternBootcamp", "layouts", "integers"),
    "typed_tool_tags": ("ARPO", "format_dependence", "integers"),
    "token_f1": ("ARPO", "answer_lists", "integers"),
    "unknown_is_met": ("MulDimIF; UniR, the empty string", "degenerate", "integers"),
    "crashes_without_an_answer": ("unary-feedback", "crashes", "integers"),
    "alarm_in_a_thread": ("Reasoning360, Zebra: scored from a worker thread", "threads", "integers"),
    "shotgun": ("ToolRL, twenty guesses; ExCyTIn, lists of entities", "answer_lists", "integers"),
    "words_of_length": ("ToolRL, WITHLENGTH=1", "length_dependence", "integers"),
    "near_enough": ("OREAL", "near_misses", "integers"),
    "brackets_are_stripped": ("OREAL", "near_misses", "expressions"),
    "falls_back_to_the_last_number": ("OREAL", "unmarked_answers", "integers"),
    "units_are_stripped": ("UniR", "near_misses", "units"),
    "names_of_unknowns_are_stripped": ("UniR", "near_misses", "assignments"),
    "unreduced_is_wrong": ("UniR, 2/4 for 1/2", "equivalent_spellings", "fractions"),
    "negation_is_not_read": ("Laser, knights and knaves", "answer_lists", "names"),
    "no_message_is_a_pass": ("VERINA, a missing message is a pass", "degenerate", "integers"),
    "near_some_number": ("BeamPERL", "near_misses", "tuples"),
    "calls_over_solved": ("FTRL, 2 solved / (calls + 1)", "reward_range", "integers"),
    "solved_items_are_removed": ("FTRL, the list of unsolved items", "purity", "integers"),
}


@pytest.mark.parametrize("scorer", PUBLISHED)
def test_a_published_weakness_is_found(scorer):
    _, check, kind = PUBLISHED[scorer]
    process = replace(LIMITS, seconds=0.5) if check == "time_limit" else LIMITS
    report = audit(f"{FILE}:{scorer}", AuditOptions(effort="least", types=(kind,), style="tag", process=process))
    result = report.check(check)
    assert result.passed is False, (report.failed, result)
    assert result.examples


def test_every_scorer_is_listed():
    scorers = {
        name for name, value in vars(published_weaknesses).items() if callable(value) and value.__module__ == published_weaknesses.__name__
    }
    assert scorers - {"marked", "same", "any_operator"} == set(PUBLISHED)


def test_operators_that_a_task_does_not_allow_are_found_on_its_environment():
    """Enigmata, Countdown: `7//2` and the like are paid although only + - * / are allowed."""
    options = AuditOptions(effort="least", environment="countdown", style="tag", process=LIMITS)
    report = audit(f"{FILE}:any_operator", options)
    assert report.check("near_misses").passed is False
    paid = " ".join(failure.response for failure in report.failures if failure.check == "near_misses")
    assert all(mark in paid for mark in ("//", "- -", "int("))
    own = audit("countdown", AuditOptions(effort="least", process=LIMITS))
    assert own.check("near_misses").passed, own.check("near_misses")
