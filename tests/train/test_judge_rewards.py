"""Rewards by a judge: pairs in both orders, rubrics, exemplars, and questions cut to its room."""

from dataclasses import replace
from itertools import pairwise

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")


from rlgym.train.config.second_models import JudgeRewardConfig
from rlgym.train.registry import OptionError
from rlgym.train.rollout.judge import add_judge_rewards
from rlgym.train.rollout.questions import fitted
from rlgym.train.rollout.second_models import SecondModel
from rlgym.train.tasks.spec import TaskSettings


class Fixed:
    """A judge that prefers the text with the higher number, by a fixed rule; what it was asked."""

    def __init__(self, rule):
        self.rule, self.asked = rule, []

    def score(self, continuations, temperature=1.0):
        out = []
        for place, continuation in enumerate(continuations):
            text = "".join(map(chr, continuation.prefix))
            self.asked.append(text)
            out.append((self.rule(text, place % 2 == 0),))
        return out


class Letters:
    """A chat of characters as tokens."""

    stop = (0,)

    def prompt_tokens(self, text):
        return [ord(letter) for letter in text]

    def encode(self, text):
        return [ord(letter) for letter in text]

    def decode(self, tokens):
        return "".join(map(chr, tokens))


def judged(given, rule, **options):
    """The rewards of responses that say these numbers, one group, and the judge."""
    from train.test_filters import episodes

    listed = [
        replace(episode, messages=[("user", "P"), ("assistant", text)])
        for episode, text in zip(episodes([1] * len(given)), given, strict=True)
    ]
    engine = Fixed(rule)
    judge = SecondModel("judge", engine, Letters(), 400)
    worker = type("Worker", (), {"settings": TaskSettings(0, 0.1)})()
    found, metrics = add_judge_rewards(judge, worker, listed, JudgeRewardConfig(model="judge", **options), seed=1)
    return [episode.reward for episode in found], metrics, engine.asked


def prefers_larger(text, first):
    """log P(A) - log P(B) is large where the first number is the larger one."""
    left, right = (int(part) for part in text.split("|")[1:3])
    return 0.0 if (left > right) == first and left != right else -50.0 if left != right else -1.0


def test_pairs_are_asked_in_both_orders_and_rewarded_by_hand():
    rewards, _, asked = judged(["1", "3", "2", "3"], prefers_larger, kind="pairwise", question="|{first}|{second}|")
    # 3 wins against 1 and 2 and ties with 3: (1 + 1 + 0.5) / 3.
    assert rewards == pytest.approx([0, 2.5 / 3, 1 / 3, 2.5 / 3])
    assert len(asked) == 2 * 2 * 6  # two answers, two orders, six pairs
    rewards, _, _ = judged(["1", "3", "2", "3"], prefers_larger, kind="bootstrap", question="|{first}|{second}|")
    assert sorted(rewards).count(0.0) == 1  # the reference has none
    reference = rewards.index(0.0)
    value = [1, 3, 2, 3]
    for place, reward in enumerate(rewards):
        assert reward == (0 if place == reference else 1 if value[place] > value[reference] else -1)


def test_a_judge_with_a_taste_for_the_first_of_two_prefers_none():
    """Both orders cancel what depends on the place alone."""
    rewards, _, _ = judged(["1", "3", "2"], lambda text, first: 0.0 if first else -3.0, kind="pairwise", question="|{first}|{second}|")
    assert rewards == pytest.approx([0.5, 0.5, 0.5])


def test_a_rubric_is_the_mean_over_its_criteria_and_a_threshold_makes_it_hard():
    def rule(text, first):
        likely = text.split("|")[1] in ("x", "y")
        return 0.0 if likely == first else -50.0

    options = {"question": "{response}|{criterion}|", "criteria": ("x", "y", "z")}
    rewards, metrics, _ = judged(["1", "2"], rule, **options)
    assert rewards == pytest.approx([2 / 3, 2 / 3])
    assert metrics["judge_agreement"] == 1
    assert judged(["1"], rule, threshold=0.6, **options)[0] == [1.0]
    assert judged(["1"], rule, threshold=0.7, **options)[0] == [0.0]


def test_a_long_response_is_cut_to_the_room_of_the_judge():
    _, _, asked = judged(["8" * 2000], lambda text, first: 0.0, question="{prompt} {response} right?")
    assert all(len(text) < 400 and text.startswith("P 888") and text.endswith("8 right?") for text in asked)


def test_parts_of_a_question_share_the_room_and_a_short_one_leaves_the_rest_to_the_others():
    judge = SecondModel("judge", Fixed(lambda text, first: 0.0), Letters(), 116)
    shown = {"first": "1" * 10, "second": "2" * 400, "third": "3" * 400}
    text = fitted(judge, "{first}|{second}|{third}", shown, ["first", "second", "third"])
    assert (text.count("1"), text.count("2"), text.count("3")) == (10, 41, 41)
    text = fitted(judge, "{first}|{second}|{third}", shown | {"third": "34"}, ["second"], ["third"], keep_end=frozenset({"third"}))
    assert (text.count("1"), text.count("2"), text[-2:]) == (10, 84, "34")
    text = fitted(judge, "{first}|{second}", {"first": "", "second": "2" * 99 + "!"}, ["first"], ["second"], keep_end=frozenset({"second"}))
    assert text == "|" + "2" * 96 + "!"


def test_a_long_reference_is_cut_as_well_where_the_responses_have_no_room():
    judge = SecondModel("judge", Fixed(lambda text, first: 0.0), Letters(), 100)
    text = fitted(judge, "{solution} {response}", {"solution": "s" * 300, "response": "r" * 5}, ["response"], ["solution"])
    assert "r" not in text
    assert 70 < len(text) <= 84


def test_a_reward_that_is_not_a_number_names_the_judge():
    with pytest.raises(OptionError, match=r"algorithm.judge_reward returned nan .* check second_models.judge"):
        judged(["1"], lambda text, first: float("nan"), question="{response}")


def test_pairs_of_orders_are_complementary():
    """Swapping which of two is called first swaps their rewards."""
    forwards, _, _ = judged(["1", "2"], prefers_larger, kind="pairwise", question="|{first}|{second}|")
    backwards, _, _ = judged(["2", "1"], prefers_larger, kind="pairwise", question="|{first}|{second}|")
    assert forwards == pytest.approx(backwards[::-1])
    assert all(abs(sum(pair) - 1) < 1e-6 for pair in pairwise(forwards))
