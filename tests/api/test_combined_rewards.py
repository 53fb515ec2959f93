"""Combined rewards against numbers calculated by hand, and what holds for every combination."""

from math import exp, sqrt
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rlgym
from rlgym.core.errors import KnobError, UnknownName
from rlgym.core.score import Outcome, Score
from rlgym.rewards import NAMES, combined_reward, combined_shaping
from rlgym.rewards.combined import Group, Response

RIGHT, WRONG, SILENT = Score(1.0, Outcome.RIGHT), Score(0.0, Outcome.WRONG), Score(0.0, Outcome.UNREADABLE)
SHORT = {"short": {"free_tokens": 100, "max_tokens": 300}}


def of(description, *responses, step=0, free=True):
    """The rewards of a group of (score, tokens) or whole responses."""
    group = Group(tuple(r if isinstance(r, Response) else Response(r[0], "", r[1]) for r in responses), step)
    reward = combined_reward(description, wrong_may_outrank=free)
    return [pytest.approx(reward(group, place)) for place in range(len(responses))]


def with_parts(**parts):
    return Response(Score.partial(0.4, "", **parts))


def test_terms_of_the_score():
    group = ((RIGHT, 1), (Score.partial(0.4), 1), (WRONG, 1), (SILENT, 1))
    assert of("right", *group) == [1, 0, 0, 0]
    assert of("correct", *group) == [1, 0.4, 0, 0]
    assert of("readable", *group) == [1, 1, 1, 0]
    assert of({"part": {"name": "tests", "default": 0.1}}, with_parts(tests=0.7), with_parts()) == [0.7, 0.1]
    # (3 * 0.5 + 1 * 1) / 4
    assert of({"parts": {"weights": {"clear": 3, "kind": 1}}}, with_parts(clear=0.5, kind=1.0), with_parts(kind=1.0)) == [0.625, 0.25]


def test_progress_falls_into_tiers_below_a_right_answer():
    # p 0.4 of 3 tiers: floor(1.6) = 1, so 0.6 / 3
    assert of({"tiers": {"count": 3, "highest": 0.6}}, (RIGHT, 1), (Score.partial(0.4), 1), (WRONG, 1)) == [1, 0.2, 0]
    assert of({"tiers": {"progress": "parts"}}, with_parts(a=1.0, b=1.0, c=0.0), with_parts()) == [pytest.approx(0.5 * 2 / 3), 0]


def test_candidates_are_paid_by_their_number_and_rank():
    second_of_four = Score.partial(1 / sqrt(8), "", share=1 / 4, rank_share=1 / 2)
    none_of_four = Score.wrong("", share=1 / 4, rank_share=0.0)
    assert of("adaptive_exploration", Response(second_of_four), Response(none_of_four), (WRONG, 1)) == [1 / sqrt(8), -0.25, -1]


def test_answers_must_agree_after_shuffling():
    given_twice = [(1, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)]
    scores = [Score.exact(bool(a and b), "", first=a, second=b, agree=c) for a, b, c in given_twice]
    responses = [Response(score) for score in scores]
    assert of({"answer_consistent": {"right_once": 0.3, "agree_only": 0.1}}, *responses) == [1, 0.3, 0.3, 0.1, 0]


def test_terms_of_the_length():
    lengths = [(RIGHT, 100), (WRONG, 150), (RIGHT, 300), (WRONG, 900)]
    assert of(SHORT, *lengths) == [1, 0.75, 0, 0]
    assert of({"within": {"tokens": 150}}, *lengths) == [1, 1, 0, 0]
    # Peak at 200 of 400
    assert of({"length_surrogate": {"max_tokens": 400}}, *lengths) == [0.5, 0.75, 0.5, 0]
    # Half are right: the target is that of medium tasks.
    assert of({"within_by_difficulty": {"easy_tokens": 10, "medium_tokens": 200, "hard_tokens": 1000}}, *lengths) == [1, 1, 0, 0]


def test_the_length_budget_falls_with_the_steps():
    budget = {"length_budget": {"start_tokens": 400, "decay": 0.5, "interval_steps": 10}}
    assert of(budget, (RIGHT, 200), (RIGHT, 400), (RIGHT, 600), (RIGHT, 900)) == [0.5, 1, 0.5, 0]
    assert of(budget, (RIGHT, 200), (RIGHT, 400), step=10) == [1, 0]


def test_length_relative_to_the_right_ones_where_most_are_right():
    # Lengths 2, 4, 6 of the right ones: mean 4, standard deviation sqrt(8 / 3)
    group, z = ((RIGHT, 2), (RIGHT, 4), (RIGHT, 6), (WRONG, 4)), 2 / sqrt(8 / 3)
    assert of({"relative_short": {"min_solve_rate": 0.75}}, *group) == [
        pytest.approx(1 / (1 + exp(-z)), abs=1e-5),
        0.5,
        pytest.approx(1 / (1 + exp(z)), abs=1e-5),
        0.5,
    ]
    assert of({"relative_short": {"min_solve_rate": 0.8}}, *group) == [1, 1, 1, 1]


def test_exploring_pays_long_wrong_responses_that_do_not_repeat_themselves():
    fresh, repeated = " ".join(map(str, range(20))), "again and again and " * 5
    responses = [Response(WRONG, fresh, 50), Response(WRONG, repeated, 50), Response(WRONG, fresh, 40), Response(RIGHT, fresh, 50)]
    assert of({"exploring": {"tokens": 40, "n": 2}}, *responses) == [1, 0, 0, 0]


def test_combiners_by_hand():
    group = ((RIGHT, 100), (RIGHT, 200), (WRONG, 100), (Score.partial(0.6), 250))
    # short: 1, 0.5, 1, 0.25
    weights = [{"weight": 3, "reward": "right"}, {"weight": 1, "reward": SHORT}]
    assert of({"weighted": {"terms": weights}}, *group, free=False) == [1, 0.875, 0.25, 0.0625]
    assert of({"product": {"terms": ["correct", SHORT]}}, *group) == [1, 0.5, 0, 0.15]
    assert of({"minimum": {"terms": ["correct", SHORT]}}, *group) == [1, 0.5, 0, 0.25]
    assert of({"nominal_and_worst": {"nominal": "correct", "others": [SHORT], "nominal_weight": 0.75}}, *group) == [1, 0.875, 0, 0.5125]
    assert of({"gated": {"gate": "right", "reward": SHORT, "otherwise": -1}}, *group) == [1, 0.5, -1, -1]
    # Levels 0 to 2 in base 3: (2, 2), (2, 1), (0, 2), (1, 0 after rounding 0.5 to even), over 2 + 2/3
    levels = [8 / 3, 7 / 3, 2 / 3, 1]
    assert of({"lexicographic": {"terms": ["correct", SHORT], "levels": 2}}, *group) == [pytest.approx(d / (8 / 3)) for d in levels]


def test_faults_multiply_the_progress():
    late, unsafe = {"fault": {"part": {"name": "late"}}, "penalty": 0.5}, {"fault": {"part": {"name": "unsafe"}}, "penalty": 1}
    reward = {"penalised": {"reward": "correct", "faults": [late, unsafe]}}
    assert of(reward, with_parts(late=1.0), with_parts(late=1.0, unsafe=1.0), with_parts()) == [0.2, 0, 0.4]


def test_conciseness_multiplies_the_outcome():
    reward = {"concise": {"conciseness": SHORT, "alpha": 1, "anneal_steps": 10}}
    # Half are right, so d = 0.5; s = 1, then 0: (1 + c (s + d)) / 3
    group = ((RIGHT, 200), (WRONG, 100))
    assert of(reward, *group, free=False) == [(1 + 0.5 * 1.5) / 3, 0]
    assert of(reward, *group, step=10) == of(reward, *group, step=99) == [(1 + 0.5 * 0.5) / 3, 0]


def test_relative_rewards_are_mean_sigmoids_of_the_differences():
    assert of({"relative": {"reward": "correct"}}, (RIGHT, 1), (WRONG, 1), (WRONG, 1), free=False) == [
        1 / (1 + exp(-1)),
        (0.5 + 1 / (1 + exp(1))) / 2,
        (0.5 + 1 / (1 + exp(1))) / 2,
    ]
    assert of({"relative": {"reward": "correct"}}, (RIGHT, 1)) == [0.5]


def test_components_are_standardised_under_a_reference():
    terms = [
        {"reward": "right", "mean": 0.25, "std": 0.5, "weakness": 0.5},
        {"reward": SHORT, "mean": 0.5, "std": 0.25, "redundancy": 0.5, "risk": 1},
        {"reward": "readable", "mean": 0.9, "std": 0.1, "risk": 0},
    ]
    # Weights 1/2, 1/2, 0. Right at 200 tokens: (1.5 + 0) / 2; wrong at 100: (-0.5 + 2 clipped to 1) / 2
    assert of({"standardised": {"terms": terms, "clip": 1}}, (RIGHT, 200), (WRONG, 100)) == [0.5, 0.25]


def test_a_reward_that_prefers_wrong_answers_needs_consent():
    for unsafe in (
        SHORT,
        {"within": {"tokens": 9}},
        {"weighted": {"terms": [{"weight": 1, "reward": "right"}, {"weight": 2, "reward": SHORT}]}},
    ):
        with pytest.raises(KnobError, match="wrong answer may outrank a right one"):
            combined_reward(unsafe)
        assert combined_reward(unsafe, wrong_may_outrank=True)


@pytest.mark.parametrize(
    ("description", "message"),
    [
        ("rigth", "Did you mean 'right'"),
        ({"short": {}}, "missing a required argument: 'free_tokens'"),
        ({"short": {"free_tokens": 3, "max_tokens": 2}}, "must be below"),
        ({"right": {"amount": 1}}, "unexpected keyword"),
        ({"right": {}, "correct": {}}, "mapping of one name"),
        ({"weighted": {"terms": [{"weight": -1, "reward": "right"}]}}, "weights must be numbers from 0"),
        ({"weighted": {"terms": [{"reward": "right"}]}}, "the keys weight, reward"),
        ({"product": {"terms": []}}, "list of one or more"),
        ({"product": {"terms": ["adaptive_exploration"]}}, "never negative"),
        ({"lexicographic": {"terms": ["right"] * 5}}, "one to four"),
        ({"concise": {"conciseness": "adaptive_exploration"}}, "between 0 and 1"),
        ({"part": {"name": "x", "default": float("nan")}}, "default must be a number"),
        (3, "expected a name"),
    ],
)
def test_what_is_wrong_in_a_description_is_said(description, message):
    with pytest.raises((KnobError, UnknownName), match=message):
        combined_reward(description)


def test_an_environment_is_played_with_a_combined_reward():
    reward = combined_shaping(
        {"weighted": {"terms": [{"weight": 0.5, "reward": "right"}, {"weight": 0.5, "reward": {"within": {"tokens": 5}}}]}}
    )
    env = rlgym.make("chain_sum", level=0.1, rewards=reward)
    env.reset(seed=1)
    assert env.step(env.unwrapped.oracle())[1] == 1
    env.reset(seed=1)
    assert env.step("a b c d e f " + env.unwrapped.oracle())[1] == 0.5
    env.reset(seed=1)
    assert env.step("nothing")[1] == 0.5
    env = rlgym.make("chain_sum", level=0.1, rewards=combined_shaping(SHORT, wrong_may_outrank=True, count_tokens=len))
    env.reset(seed=1)
    assert env.step("x" * 200)[1] == pytest.approx(0.5)


# What holds for every combination

FRACTION = st.floats(0, 1, allow_nan=False)
POSITIVE = st.floats(0.01, 1)
LEAF = st.one_of(
    st.sampled_from(["right", "correct", "readable", "answer_consistent"]),
    st.builds(lambda name, default: {"part": {"name": name, "default": default}}, st.sampled_from("ab"), FRACTION),
    st.builds(lambda highest: {"tiers": {"highest": highest, "progress": "parts"}}, st.floats(0, 0.9)),
    st.builds(lambda free, more: {"short": {"free_tokens": free, "max_tokens": free + more}}, st.integers(0, 50), st.integers(1, 50)),
    st.sampled_from(["relative_short", "length_budget"]).map(lambda name: {name: {}}),
    st.builds(lambda tokens: {"within": {"tokens": tokens}}, st.integers(1, 50)),
)


def combinations(terms):
    several = st.lists(terms, min_size=1, max_size=3)
    pairs = st.lists(st.builds(lambda w, r: {"weight": w, "reward": r}, POSITIVE, terms), min_size=1, max_size=3)
    return st.one_of(
        pairs.map(lambda listed: {"weighted": {"terms": listed}}),
        several.map(lambda listed: {"product": {"terms": listed}}),
        several.map(lambda listed: {"minimum": {"terms": listed}}),
        several.map(lambda listed: {"lexicographic": {"terms": listed}}),
        st.builds(lambda gate, reward: {"gated": {"gate": gate, "reward": reward, "threshold": 0.5}}, terms, terms),
        st.builds(lambda first, rest: {"nominal_and_worst": {"nominal": first, "others": rest}}, terms, several),
        st.builds(lambda reward, fault: {"penalised": {"reward": reward, "faults": [{"fault": fault, "penalty": 0.3}]}}, terms, terms),
        terms.map(lambda term: {"concise": {"conciseness": term}}),
        terms.map(lambda term: {"relative": {"reward": term}}),
    )


DESCRIPTIONS = st.recursive(LEAF, combinations, max_leaves=4)
SCORES = st.one_of(
    st.sampled_from([RIGHT, WRONG, SILENT]),
    st.builds(lambda value, a, b: Score.partial(value, "", a=a, b=b), st.floats(0, 0.99), FRACTION, FRACTION),
)
GROUPS = st.lists(st.builds(Response, SCORES, st.just("a b"), st.integers(0, 100)), min_size=1, max_size=4)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(DESCRIPTIONS, GROUPS, st.integers(0, 500))
def test_rewards_are_bounded_and_no_wrong_answer_outranks_a_right_one(description, responses, step):
    reward, group = combined_reward(description, wrong_may_outrank=True), Group(tuple(responses), step)
    values = [reward(group, place) for place in range(len(responses))]
    for value, response in zip(values, responses, strict=True):
        bounds = reward.right if response.right else reward.wrong
        assert -1e-9 + bounds.low <= value <= bounds.high + 1e-9
        assert -1e-9 <= value <= 1 + 1e-9
    if reward.never_outranked:
        best_wrong = max((value for value, response in zip(values, responses, strict=True) if not response.right), default=-1)
        worst_right = min((value for value, response in zip(values, responses, strict=True) if response.right), default=2)
        assert best_wrong <= worst_right + 1e-9


def test_a_weighted_sum_that_rounds_above_1_is_a_conciseness():
    terms = [{"weight": weight, "reward": "right"} for weight in (0.9120500455201558, 0.25, 0.13951660195505933)]
    reward = combined_reward({"concise": {"conciseness": {"weighted": {"terms": terms}}}})
    group = Group((Response(RIGHT, "a b", 2),), 0)
    assert reward(group, 0) == pytest.approx(1)


A, B = {"part": {"name": "a"}}, {"part": {"name": "b"}}
GROWING = [
    {"weighted": {"terms": [{"weight": 2, "reward": A}, {"weight": 1, "reward": B}]}},
    {"product": {"terms": [A, B]}},
    {"minimum": {"terms": [A, B]}},
    {"lexicographic": {"terms": [A, B]}},
    {"nominal_and_worst": {"nominal": A, "others": [B]}},
    {"gated": {"gate": A, "threshold": 0.5, "reward": B}},
    {"standardised": {"terms": [{"reward": A, "mean": 0.3, "std": 0.2}, {"reward": B, "mean": 0.3, "std": 0.2}]}},
    {"relative": {"reward": {"product": {"terms": [A, B]}}}},
    {"parts": {"weights": {"a": 1, "b": 2}}},
]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.sampled_from(GROWING), FRACTION, FRACTION, FRACTION, FRACTION)
def test_a_higher_part_never_lowers_the_reward(description, a, b, higher_a, higher_b):
    reward, other = combined_reward(description, wrong_may_outrank=True), with_parts(a=0.5, b=0.5)
    low = reward(Group((with_parts(a=a, b=b), other)), 0)
    high = reward(Group((with_parts(a=max(a, higher_a), b=max(b, higher_b)), other)), 0)
    assert low <= high + 1e-9


@settings(max_examples=60, deadline=None, derandomize=True)
@given(FRACTION, FRACTION, FRACTION, FRACTION)
def test_a_fault_never_raises_the_reward(progress, fault, more, penalty):
    reward = combined_reward({"penalised": {"reward": A, "faults": [{"fault": B, "penalty": penalty}]}}, wrong_may_outrank=True)
    low = reward(Group((with_parts(a=progress, b=max(fault, more)),)), 0)
    assert low <= reward(Group((with_parts(a=progress, b=fault),)), 0) + 1e-9


@settings(max_examples=100, deadline=None, derandomize=True)
@given(FRACTION, FRACTION, FRACTION, FRACTION)
def test_the_first_term_of_a_lexicographic_reward_decides(a, b, other_a, other_b):
    reward = combined_reward({"lexicographic": {"terms": [A, B], "levels": 5}}, wrong_may_outrank=True)
    first, second = (reward(Group((with_parts(a=x, b=y),)), 0) for x, y in ((a, b), (other_a, other_b)))
    if (round(5 * a), round(5 * b)) > (round(5 * other_a), round(5 * other_b)):
        assert first > second


def test_every_name_is_tested_and_documented():
    source = Path(__file__).read_text(encoding="utf-8")
    page = (Path(__file__).parents[2] / "docs" / "rewards.md").read_text(encoding="utf-8")
    assert not [name for name in NAMES if f'"{name}"' not in source or f"\n| `{name}` |" not in page]
