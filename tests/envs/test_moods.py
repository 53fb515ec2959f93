"""The emotion of the people in a world as a reward: what it is in every turn, and that kind words never make up for a failure."""

import pytest

import rlgym
from rlgym.core.errors import EpisodeError
from rlgym.dataset import Session, sample
from rlgym.episode.turn_rewards import moods

WORLDS = [name for name in rlgym.names() if getattr(rlgym.environment(name), "moods", None)]


def played(name, policy, level=0.0):
    """The rewards of an episode and its last info."""
    env = rlgym.make(name, level=level, turn_rewards="emotion")
    env.reset(seed=1)
    rewards, over, info = [], False, {}
    while not over:
        _, reward, over, _, info = env.step(policy(env, len(rewards)))
        rewards.append(reward)
    return rewards, info


def test_there_are_worlds_with_people():
    assert len(WORLDS) >= 15


@pytest.mark.parametrize("name", WORLDS)
def test_the_rewards_of_the_oracle_sum_to_half_the_mood_and_half_the_score(name):
    rewards, info = played(name, lambda env, turn: env.oracle())
    moods = info["moods"]
    assert moods
    assert all(0 <= mood <= 1 for mood in moods.values())
    assert sum(rewards) == pytest.approx(sum(moods.values()) / len(moods) / 2 + 0.5)
    [row] = sample(name, levels=[0.0], count=1)
    session = Session(row)
    while not session.done:
        session.step(session.oracle())
    assert sum(session.emotion_rewards) == pytest.approx(sum(session.moods.values()) / len(session.moods) / 2 + 0.5)


@pytest.mark.parametrize("name", WORLDS)
def test_who_does_nothing_earns_less_than_half(name):
    rewards, info = played(name, lambda env, turn: "I do not know.")
    assert info["score"].value == 0
    assert 0 <= sum(rewards) < 0.5


def say(env, text):
    """The oracle's first message with other words in place of its own."""
    oracle, marker = env.oracle(), '"text": "'
    before, _, after = oracle.partition(marker)
    return f"{before}{marker}{text}{after[after.index(chr(34)) :]}"


def test_kind_words_lift_the_mood_and_rude_ones_lower_it():
    changes = {}
    for text in ("I am very sorry to hear that.", "You are an idiot.", "Qwertz asdf."):
        env = rlgym.make("clinic_appointments", level=0.0, turn_rewards="emotion")
        env.reset(seed=3)
        while '"text": "' not in env.oracle():
            env.step(env.oracle())
        before = env.snapshot()
        *_, info = env.step(say(env, text))
        changes[text] = min(info["moods"].values()) - 0.5, max(info["moods"].values()) - 0.5
        # Words alone make no progress, so that half the change of the mean mood is all.
        earlier = moods(env.declared, before) if before.turn else dict.fromkeys(info["moods"], 0.0)
        change = sum(info["moods"].values()) - sum(earlier.values())
        assert env.emotion_since(before) == pytest.approx(change / len(info["moods"]) / 2)
    (_, kind), (rude, _), (unclear, _) = changes.values()
    assert kind == pytest.approx(0.1)
    assert rude == pytest.approx(-0.3)
    assert unclear == pytest.approx(-0.1)


def test_worlds_without_people_refuse():
    with pytest.raises(EpisodeError, match="no people"):
        rlgym.make("maze_walk", turn_rewards="emotion")
    with pytest.raises(EpisodeError, match="turn_rewards is True, False or 'emotion'"):
        rlgym.make("maze_walk", turn_rewards="joy")
    [row] = sample("maze_walk", levels=[0.0], count=1)
    with pytest.raises(EpisodeError, match="no people"):
        _ = Session(row).emotion_rewards
    assert Session(row).moods == {}
