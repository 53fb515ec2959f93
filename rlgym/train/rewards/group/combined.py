"""The group reward `combined`: a reward that is put together from terms in the configuration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from pydantic import Field, model_validator

from rlgym.core.errors import RlgymError
from rlgym.rewards.combined import Group, Response, combined_reward
from rlgym.train.registry import Options, group_reward

if TYPE_CHECKING:
    from rlgym.train.rewards.group.context import GroupContext
    from rlgym.train.rollout.episodes import Episode


class CombinedOptions(Options):
    """Options of `combined`."""

    reward: str | dict[str, Any] = Field(..., description="a term, or a term or combiner with its options, e.g. {'concise': {...}}")
    wrong_may_outrank: bool = Field(False, description="allow rewards by which a wrong answer may outrank a right one")

    @model_validator(mode="after")
    def _check_reward(self) -> Self:
        try:
            combined_reward(self.reward, self.wrong_may_outrank)
        except RlgymError as error:
            raise ValueError(str(error)) from None
        return self


@group_reward("combined")
def combined(episodes: Sequence[Episode], context: GroupContext, options: CombinedOptions) -> list[float]:
    """Replaces the score by a combined reward, such as `{weighted: {terms: [...]}}` over the terms of the score, length and group."""
    reward = combined_reward(options.reward, options.wrong_may_outrank)
    group = group_of(episodes, context.step)
    return [reward(group, place) - response.score.value for place, response in enumerate(group.responses)]


def group_of(episodes: Sequence[Episode], step: int) -> Group:
    """The valid episodes of a group as combined rewards see them."""
    return Group(tuple(response_of(episode) for episode in episodes), step)


def response_of(episode: Episode) -> Response:
    """An episode as combined rewards see it."""
    assert episode.score is not None
    texts = [text for role, text in episode.messages if role == "assistant"]
    return Response(episode.score, texts[-1] if texts else "", episode.num_sampled, len(texts))
