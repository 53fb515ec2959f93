"""Intrinsic rewards from a judge of captions: each asked about once, kept by its hash, and generalised by a small model."""

import threading

import gymnasium
import numpy as np
import pytest

import rlgym
from rlgym.rewards.captions import (
    CaptionError,
    CaptionReward,
    IntrinsicReward,
    caption_of,
    fit_logistic,
    rewards_of_captions,
    word_features,
)
from rlgym.rubrics import FunctionJudge

GOAL = "Find the key and open the door."


def judge(rule):
    """A judge that says yes by a rule of the first message, and what it was asked."""
    asked = []

    def reply(prompt):
        asked.append(prompt)
        return "YES" if rule(prompt) else "NO"

    return FunctionJudge(reply, "stub"), asked


def message(prompt, number=0):
    return prompt.split("-----\n")[3 + 2 * number].strip()


def test_a_caption_is_judged_once_and_paid_by_its_label():
    stub, asked = judge(lambda prompt: "key" in message(prompt))
    reward = CaptionReward(stub, wait=True)
    assert [reward(GOAL, text) for text in ("You see a key.", "You see a wall.", "You see a key.")] == [1.0, 0.0, 1.0]
    assert (len(asked), reward.labels) == (2, 2)
    assert GOAL in asked[0]
    # Another goal is another question.
    reward("Count the walls.", "You see a wall.")
    assert len(asked) == 3


def test_until_the_judge_has_replied_there_is_no_reward_and_the_episode_does_not_wait():
    held = threading.Event()
    reward = CaptionReward(FunctionJudge(lambda prompt: held.wait(10) and "YES", "slow"))
    assert reward(GOAL, "You see a key.") == 0.0
    held.set()
    reward.join()
    assert reward(GOAL, "You see a key.") == 1.0
    reward.close()


def test_a_judge_that_fails_or_says_neither_leaves_no_label():
    replies = iter(["perhaps", None, "YES"])

    def reply(prompt):
        if (text := next(replies)) is None:
            raise TimeoutError
        return text

    reward = CaptionReward(FunctionJudge(reply, "stub"), wait=True)
    assert [reward(GOAL, text) for text in ("one", "two", "three")] == [0.0, 0.0, 1.0]
    assert (reward.failures, reward.labels) == (2, 1)


class Broken:
    """A judge that raises what no judge should, and then answers."""

    version = "broken"

    def __init__(self):
        self.asked = 0

    def reply(self, prompt):
        self.asked += 1
        if self.asked == 1:
            raise KeyError("a bug")
        return "YES"


@pytest.mark.parametrize("wait", [True, False])
def test_no_exception_of_a_judge_ends_its_thread(wait):
    reward = CaptionReward(Broken(), wait=wait)
    for text in ("one", "two \ud800"):
        reward(GOAL, text)
    joined = threading.Thread(target=reward.join, daemon=True)
    joined.start()
    joined.join(10)
    assert not joined.is_alive(), "join() waits for ever"
    assert (reward.failures, reward.labels, reward(GOAL, "two \ud800")) == (1, 1, 1.0)
    assert isinstance(reward.last_failure, KeyError)
    reward.close()


def test_a_classifier_rewards_a_caption_before_the_judge_has_seen_it():
    stub, asked = judge(lambda prompt: "key" in message(prompt))
    reward = CaptionReward(stub, "classification", wait=True)
    rooms = ("hall", "cellar", "kitchen", "garden", "tower")
    for room in rooms:
        reward(GOAL, f"In the {room} lies a key.")
        reward(GOAL, f"The {room} has only a wall.")
    assert len(asked) == 10
    reward.judge = FunctionJudge(lambda prompt: "no idea", "silent")
    assert reward(GOAL, "In the attic lies a key.") == 1.0
    assert reward(GOAL, "The attic has only a wall.") == 0.0


def test_a_ranking_puts_captions_in_order():
    """The judge compares how many things were found; the model is fitted to its comparisons alone."""

    def found(text):
        return text.count("key") + text.count("lamp") + text.count("rope")

    stub, asked = judge(lambda prompt: found(message(prompt)) > found(message(prompt, 1)))
    reward = CaptionReward(stub, "ranking", wait=True)
    things = ("nothing", "a key", "a lamp", "a rope", "a key and a lamp", "a lamp and a rope", "a key, a lamp and a rope")
    for place in ("hall", "cellar", "tower", "garden"):
        for thing in things:
            reward(GOAL, f"In the {place} you have {thing}.")
    assert len(asked) == reward.labels == 4 * len(things) - 1
    high, low = reward(GOAL, "In the attic you have a key, a lamp and a rope."), reward(GOAL, "In the attic you have nothing.")
    assert low < 0.35 < 0.65 < high


def test_the_regression_by_hand():
    """One example of each kind with orthogonal features: the weights have opposite signs and equal size."""
    weights = fit_logistic(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1.0, 0.0]))
    assert weights[0] > 1
    assert weights[0] == pytest.approx(-weights[1])
    assert float(word_features("Key, KEY.") @ word_features("key key")) == pytest.approx(1.0)


def test_a_repeated_caption_is_worth_less():
    assert rewards_of_captions(["a", "b", "a", "a"], lambda caption: 1.0) == pytest.approx([1.0, 1.0, 2**-0.5, 3**-0.5])
    assert rewards_of_captions(["a", "a"], lambda caption: 1.0, 0.0) == [1.0, 1.0]


def test_steps_of_an_environment_earn_the_rewards_of_their_captions():
    stub, asked = judge(lambda prompt: "higher" in message(prompt) or "lower" in message(prompt))
    env = IntrinsicReward(rlgym.make("higher_lower", level=0.3), CaptionReward(stub, wait=True), weight=0.5)
    assert isinstance(env, gymnasium.Wrapper)
    first, _ = env.reset(seed=4)
    rewards, plain, over = [], [], False
    while not over:
        _, reward, over, _, info = env.step(env.unwrapped.oracle())
        rewards.append(info["intrinsic_reward"])
        plain.append(reward - info["intrinsic_reward"])
    assert len(rewards) > 2
    assert rewards[0] == 0.5
    assert rewards[-1] == 0.0, "the score is the reward of the last step"
    assert plain == pytest.approx([0.0] * (len(plain) - 1) + [1.0])
    assert caption_of(first) in asked[0]
    assert 1 <= len(asked) <= len(rewards)


@pytest.mark.parametrize("options", [{"weight": -1}, {"count_exponent": -0.5}])
def test_wrong_options_are_refused(options):
    with pytest.raises(CaptionError, match="at least 0"):
        IntrinsicReward(rlgym.make("higher_lower"), lambda goal, caption: 0.0, **options)
    with pytest.raises(CaptionError, match="kind is one of retrieval, classification, ranking, got 'hash'"):
        CaptionReward(FunctionJudge(str, "stub"), "hash")
