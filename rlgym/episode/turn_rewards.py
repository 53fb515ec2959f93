"""Rewards for every turn: differences of a potential, so that the rewards of an episode sum to its score.

The potential is 0 at the start, the progress over the declared milestones during the episode, and the score's value at its end. The reward
of a turn is the potential after it minus the potential before it, which leaves the optimal policies unchanged (Ng, Harada and Russell, 1999,
"Policy Invariance Under Reward Transformations", with a discount factor of 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from rlgym.core.declare import Declaration, Game
from rlgym.core.errors import DeclarationError, EpisodeError
from rlgym.episode.play import EpisodeState

TurnRewards = bool | Literal["emotion"]
"""Whether every turn is rewarded, and whether by its progress or by the emotion of the people of the world."""


def milestones(declared: Declaration, position: EpisodeState) -> dict[str, float]:
    """The share, from 0 to 1, of each part of the final check that holds now; empty where the environment declares no milestones."""
    if not isinstance(declared, Game) or declared.milestones is None:
        return {}
    return _milestone_shares(declared, position.state)


def potential(declared: Declaration, position: EpisodeState) -> float:
    """A number from 0 to 1: 0 at the start, the score's value at the end, and between them the progress since the start.

    Progress is the mean over the milestones, scaled so that what holds at the start counts nothing; a state worse than the start has 0.
    """
    if position.score is not None:
        return position.score.value
    if not isinstance(declared, Game) or declared.milestones is None or position.turn == 0:
        return 0.0
    first, now = (_mean(_milestone_shares(declared, state)) for state in (position.task.data, position.state))
    return max(0.0, (now - first) / (1 - first)) if first < 1 else 0.0


def turn_rewards(declared: Declaration, positions: Sequence[EpisodeState]) -> list[float]:
    """The reward of each turn of an episode, given its states from the first on. They sum to the score's value once there is a score."""
    potentials = [potential(declared, position) for position in positions]
    return [after - before for before, after in pairwise(potentials)]


def moods(declared: Declaration, position: EpisodeState) -> dict[str, float]:
    """The mood, from 0 to 1, of each person of the world; empty where no people take part."""
    return dict(declared.moods(position.state)) if isinstance(declared, Game) and declared.moods is not None else {}


def emotion(declared: Declaration, position: EpisodeState) -> float:
    """How people feel about what was said and done, from 0 to 1: half the mean of their moods and half the `potential`; 0 at the start.

    At the end it is half the mean mood and half the score's value, so that an episode that fails never earns more than one that succeeds.
    EpisodeError where no people take part.

    RLVER: Reinforcement Learning with Verifiable Emotion Rewards for Empathetic Agents.
    """
    if not isinstance(declared, Game) or declared.moods is None:
        raise EpisodeError("no people take part in this environment: there is no emotion to reward")
    if position.turn == 0:
        return 0.0
    return (_mean(moods(declared, position)) + potential(declared, position)) / 2


def emotion_rewards(declared: Declaration, positions: Sequence[EpisodeState]) -> list[float]:
    """The change of `emotion` in each turn, given the states of an episode from the first on; they sum to the last emotion."""
    emotions = [emotion(declared, position) for position in positions]
    return [after - before for before, after in pairwise(emotions)]


def _milestone_shares(declared: Game[object, object, object], state: object) -> dict[str, float]:  # type: ignore[type-var]
    assert declared.milestones is not None
    shares = dict(declared.milestones(state))
    for name, share in shares.items():
        if not 0.0 <= share <= 1.0:
            raise DeclarationError(f"the milestone {name!r} must be from 0 to 1, got {share!r}")
    return shares


def _mean(shares: dict[str, float]) -> float:
    return sum(shares.values()) / len(shares) if shares else 0.0
