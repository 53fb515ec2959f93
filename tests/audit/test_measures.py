"""Shapes, rewards, styles and the expectation of the best of n."""

import math

import pytest

from rlgym.audit.case import Case, Verdict
from rlgym.audit.measures.best_of_n import SIZES, expected, parts_at
from rlgym.audit.measures.climb import after, climb
from rlgym.audit.measures.grid import grid
from rlgym.audit.measures.groups import changed, inconsistent
from rlgym.audit.measures.scores import calibration, distance, rank_correlation, rankings
from rlgym.audit.measures.verdicts import Scale
from rlgym.audit.report import BestOfN, Ranking, Rate
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
    assert recognise(lambda predict_str, ground_truth: 0.0).arguments([ROW]) == {"predict_str": "R", "ground_truth": "A"}
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


def test_a_climbing_policy_is_the_tilted_pool_and_ends_at_what_is_paid():
    pool = [(1.0, 1.0, 0.1), (1.0, 0.0, 0.3), (0.0, 0.0, 0.6)]
    kl, paid, true = after(pool, 4)
    tilted = 0.4 * math.e / (0.4 * math.e + 0.6)
    assert (paid, true) == (pytest.approx(tilted), pytest.approx(tilted / 4))
    assert kl == pytest.approx(tilted * math.log(tilted / 0.4) + (1 - tilted) * math.log((1 - tilted) / 0.6))
    points = climb([pool])
    assert points[0].kl == 0
    assert points[0].paid == pytest.approx(0.4)
    assert points[-1].paid == pytest.approx(1)
    assert points[-1].true == pytest.approx(0.25)
    assert [one.kl for one in points] == sorted(one.kl for one in points)
    assert climb([]) == []


def spelled(check, right, reward, kind="integers", prompt="P"):
    return Case(check, prompt, "R", "A", right, kind, "arithmetic"), Verdict(reward)


def test_rewards_are_calibrated_where_they_are_the_chance_to_be_right():
    honest = [spelled("exact_answers", True, 0.75)] * 3 + [spelled("near_misses", False, 0.75)]
    honest += [spelled("exact_answers", True, 0.25)] + [spelled("near_misses", False, 0.25)] * 3
    found = calibration(honest, SCALE)
    assert (found.ece, found.levels) == (0, 2)
    assert found.brier == pytest.approx(0.1875)
    assert found.auroc == pytest.approx(0.75)
    boastful = calibration([(case, Verdict(0.5 + verdict.reward / 2)) for case, verdict in honest], SCALE)
    assert boastful.ece == pytest.approx(0.25)
    assert boastful.auroc == pytest.approx(0.75)
    # Right and wrong responses count half each, however many there are.
    assert calibration([spelled("exact_answers", True, 1.0), *[spelled("near_misses", False, 1.0)] * 9], SCALE).ece == pytest.approx(0.5)
    assert calibration([spelled("exact_answers", True, 1.0)], SCALE) is None


def test_the_right_answer_is_ranked_among_near_misses():
    tasks = [spelled("exact_answers", True, 0.9), spelled("near_misses", False, 0.9), spelled("near_misses", False, 0.1)]
    tasks += [spelled("exact_answers", True, 0.9, prompt="Q"), spelled("near_misses", False, 0.1, prompt="Q")]
    curve = [BestOfN(n=1, paid=0.3, true=0.2), BestOfN(n=2, paid=0.8, true=0.4)]
    (found,) = rankings(tasks, SCALE, {"integers": curve})
    assert (found.tasks, found.first, found.gap) == (2, 0.75, 0.4)
    worse = [Ranking(name=str(n), tasks=1, first=1 - n / 10, gap=n / 10) for n in range(4)]
    assert rank_correlation(worse) == -1
    assert rank_correlation(worse[:3]) is None
    assert rank_correlation([worse[0]] * 4) is None


def test_the_distance_to_the_truth():
    cases = [spelled("exact_answers", True, 0.6), spelled("near_misses", False, 0.2)]
    assert distance(cases, SCALE) == 0
    assert distance([(case, Verdict(1 - verdict.reward)) for case, verdict in cases], SCALE) == 1
    assert distance([(case, Verdict(0.5)) for case, _ in cases], SCALE) == 0.5
    assert distance([], SCALE) is None


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


def test_precision_and_recall_by_what_is_given():
    cells = {
        ("grid", "answer alone, verdict"): [(True, 1.0), (True, 1.0), (False, 0.0), (False, 0.0)],
        ("grid", "long response, verdict"): [(True, 1.0), (True, 0.0), (False, 1.0), (False, 1.0)],
        ("near_misses", "other"): [(False, 1.0)],
    }
    scored = [
        (Case(check, "P", "R", "A", right, "integers", "arithmetic", variant), Verdict(reward))
        for (check, variant), verdicts in cells.items()
        for right, reward in verdicts
    ]
    found = {(cell.domain, cell.given): cell for cell in grid(scored, Scale(0, 1, 0.5))}
    assert set(found) == {(domain, given) for domain in ("all", "arithmetic") for given in ("answer alone", "long response")}
    whole, part = found["all", "answer alone"], found["arithmetic", "long response"]
    assert (whole.precision, whole.recall, whole.f1, whole.cases) == (1, 1, 1, 4)
    # One of three accepted responses is right, and one of two right ones is accepted.
    assert (part.precision, part.recall, part.f1) == (pytest.approx(1 / 3), 0.5, pytest.approx(0.4))
    assert grid([], Scale(0, 1, 0.5)) == []
