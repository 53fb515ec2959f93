"""Shapes, rewards, styles and the expectation of the best of n."""

import math

import pytest

from rlgym.audit.case import Case, Verdict
from rlgym.audit.measures.best_of_n import SIZES, expected, parts_at
from rlgym.audit.measures.groups import changed, inconsistent
from rlgym.audit.measures.verdicts import Scale
from rlgym.audit.report import BestOfN, Rate
from rlgym.audit.scorers.shapes import UnknownShape, recognise
from rlgym.audit.scorers.values import read_reward
from rlgym.audit.spellings import DOMAINS, TYPES, pairs
from rlgym.audit.styles import AnswerStyle, custom_style

ROW = {"prompt": "P", "response": "R", "answer": "A", "context": {}}
SCALE = Scale(0.0, 1.0, 0.5)


def case(right, group="g"):
    return Case("layouts", "P", "R", "A", right, "integers", "arithmetic", group=group)


def test_shapes_are_recognised_by_parameters():
    def gold_first(gold, pred): ...
    def three(problem, solution, answer): ...
    def two(response, solution): ...
    def verl(data_source, solution_str, ground_truth, extra_info=None, **kwargs): ...
    def trl(completions, ground_truth, **kwargs): ...
    def any_columns(prompts, completions, **kwargs): ...

    assert recognise(gold_first).arguments([ROW]) == {"gold": "A", "pred": "R"}
    assert recognise(three).arguments([ROW]) == {"problem": "P", "solution": "R", "answer": "A"}
    assert recognise(two).arguments([ROW]) == {"response": "R", "solution": "A"}
    given = recognise(verl, "my/data").arguments([ROW])
    assert (given["data_source"], given["solution_str"], given["ground_truth"]) == ("my/data", "R", "A")
    assert recognise(verl).name == "verl"
    assert recognise(trl).arguments([ROW, ROW])["ground_truth"] == ["A", "A"]
    assert recognise(trl).batched
    assert recognise(any_columns, chat=True).arguments([ROW])["completions"] == [[{"role": "assistant", "content": "R"}]]


@pytest.mark.parametrize("function", [lambda a, b: 0, lambda response: 0, lambda completions: 0, lambda response, answer, other: 0])
def test_other_parameters_are_an_error_that_lists_the_shapes(function):
    with pytest.raises(UnknownShape, match="the shapes are"):
        recognise(function)


@pytest.mark.parametrize(
    ("value", "reward"), [(1, 1.0), (True, 1.0), ({"score": 0.5}, 0.5), (None, None), ("1", None), ([1], None), ({}, None), (2j, None)]
)
def test_rewards_are_numbers_or_dictionaries_with_a_score(value, reward):
    assert read_reward(value)[0] == reward
    assert (read_reward(value)[1] == "") == (reward is not None)
    assert math.isnan(read_reward(float("nan"))[0])


def test_the_best_of_n_is_the_exact_expectation():
    pool = [(1.0, 1.0, 0.1), (1.0, 0.0, 0.1), (0.0, 0.0, 0.8)]
    for n in SIZES:
        paid, true = expected(pool, n)
        assert paid == pytest.approx(1 - 0.8**n)
        assert true == pytest.approx((1 - 0.8**n) / 2)
    curve = [BestOfN(n=n, paid=expected(pool, n)[0], true=expected(pool, n)[1]) for n in SIZES]
    assert parts_at(curve) == 2
    assert parts_at([BestOfN(n=1, paid=0.5, true=0.5)]) is None


def test_groups_with_two_verdicts_are_inconsistent_and_the_minority_is_shown():
    group = [(case(True), Verdict(1.0)), (case(True), Verdict(1.0)), (case(True), Verdict(0.0))]
    assert [one.reward for one in inconsistent([group], SCALE)] == [0.0]
    assert inconsistent([group[:2]], SCALE) == []


def test_a_changed_reward_is_found_and_a_timeout_is_not_one():
    cases = [case(True), case(True), case(True)]
    first = [Verdict(1.0), Verdict(1.0), Verdict(float("nan"))]
    second = [Verdict(0.5), Verdict(None, timed_out=True), Verdict(float("nan"))]
    assert len(changed(cases, first, second, "determinism", "again")) == 1


def test_a_rate_has_the_interval_of_wilson():
    rate = Rate.of(1, 10)
    assert (rate.low, rate.high) == pytest.approx((0.0179, 0.4042), abs=1e-4)
    assert Rate.of(0, 0).mean is None


def test_a_template_marks_the_answer():
    assert custom_style("Result: [{answer}]").mark("{5}") == "Result: [{5}]"
    assert AnswerStyle("bare", "{answer}").respond("5") == "5"


@pytest.mark.parametrize("kind", TYPES)
def test_each_type_makes_equal_and_unequal_spellings_that_repeat(kind):
    triples = list(pairs(kind, 120, seed=3))
    assert triples == list(pairs(kind, 120, seed=3))
    assert {equal for _, _, equal in triples} == {True, False}
    assert not {(a, b) for a, b, equal in triples if equal} & {(a, b) for a, b, equal in triples if not equal}
    assert kind in DOMAINS
