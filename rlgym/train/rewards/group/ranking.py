"""The group reward `ranking`: how often a response beats another one of its group, by a verifier that ranks instead of scoring."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from pydantic import Field, field_validator, model_validator

from rlgym.train.registry import Options, group_reward

if TYPE_CHECKING:
    from rlgym.train.rewards.group.context import GroupContext
    from rlgym.train.rollout.episodes import Episode

MEASURES = ("value", "turns", "tokens")
PART = "parts."


class RankingOptions(Options):
    """Options of `ranking`."""

    by: tuple[str, ...] = Field(
        ("value", "turns"),
        min_length=1,
        max_length=8,
        description="what decides, the first difference first: value (the score), turns or tokens (fewer are better), or parts.NAME (a part of the score, "
        "0 where it is missing)",
    )
    wrong_may_outrank: bool = Field(
        False, description="allow another first measure than value, by which a wrong answer may outrank a right one"
    )

    @field_validator("by")
    @classmethod
    def _check_measures(cls, by: tuple[str, ...]) -> tuple[str, ...]:
        for name in by:
            if name not in MEASURES and not (name.startswith(PART) and len(name) > len(PART)):
                raise ValueError(f"by holds value, turns, tokens or parts.NAME, got {name!r}")
        return by

    @model_validator(mode="after")
    def _check_first(self) -> RankingOptions:
        if self.by[0] != "value" and not self.wrong_may_outrank:
            raise ValueError(f"by={list(self.by)} lets a wrong answer outrank a right one: put value first, or set wrong_may_outrank")
        return self


@group_reward("ranking", paper="A Unified Pairwise Framework for RLHF: Bridging Generative Reward Modeling and Policy Optimization")
def ranking(episodes: Sequence[Episode], context: GroupContext, options: RankingOptions) -> list[float]:
    """Replaces the reward by the share of the other responses of the group that are ranked below, ties half; a response without another keeps its reward."""
    keys = [tuple(_measure(episode, name) for name in options.by) for episode in episodes]
    out = []
    for place, (episode, key) in enumerate(zip(episodes, keys, strict=True)):
        others = [other for number, other in enumerate(keys) if number != place]
        beaten = [1.0 if key > other else 0.5 if key == other else 0.0 for other in others]
        out.append(fmean(beaten) - episode.reward if beaten else 0.0)
    return out


def _measure(episode: Episode, name: str) -> float:
    """One measure of a response, of which more is better."""
    assert episode.score is not None
    if name == "value":
        return episode.score.value
    if name == "turns":
        return -float(sum(role == "assistant" for role, _ in episode.messages))
    return -float(episode.num_sampled) if name == "tokens" else episode.score.parts.get(name.removeprefix(PART), 0.0)
