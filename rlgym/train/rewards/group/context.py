"""What a group reward sees besides the episodes, and their addition to the rewards of a step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rlgym.core.answer import Style
from rlgym.train.registry import GROUP_REWARDS, OptionError

if TYPE_CHECKING:
    from rlgym.train.config.schema import Config
    from rlgym.train.rewards.group.objectives import ObjectiveWeights
    from rlgym.train.rollout.episodes import Episode


@dataclass(frozen=True, slots=True)
class GroupContext:
    """The step of the run, counted from 0, the style in which prompts ask for the answer, and what was measured during the run.

    length_targets  the targets of `length_target`
    objectives      the statistics and weights of `objectives`
    """

    step: int
    answer_style: Style = "tag"
    length_targets: tuple[int, int, int] | None = None
    objectives: ObjectiveWeights | None = None


def add_group_rewards(
    episodes: Sequence[Episode],
    config: Config,
    step: int,
    length_targets: tuple[int, int, int] | None = None,
    objectives: ObjectiveWeights | None = None,
) -> tuple[list[Episode], dict[str, list[float]]]:
    """The episodes with all configured group rewards added, and the amounts by name; episodes without a valid score stay as they are.

    Every group reward sees the rewards before any other is added. Raises OptionError for an amount that is not a finite number.
    """
    context = GroupContext(step, config.rollout.answer_style, length_targets, objectives)
    groups: dict[int, list[int]] = {}
    for place, episode in enumerate(episodes):
        if episode.valid:
            groups.setdefault(episode.group, []).append(place)
    totals, amounts_by_name = [0.0] * len(episodes), {}
    for name, given in config.algorithm.group_rewards.items():
        algorithm, amounts = GROUP_REWARDS[name], []
        options = algorithm.options.from_dict(given)
        for places in groups.values():
            found = algorithm([episodes[place] for place in places], context, options)
            for place, amount in zip(places, found, strict=True):
                if not math.isfinite(amount):
                    raise OptionError(f"algorithm.group_rewards.{name} returned {amount!r}: it must return finite numbers")
                totals[place] += amount
                amounts.append(amount)
        amounts_by_name[name] = amounts
    return [replace(episode, reward=episode.reward + total) for episode, total in zip(episodes, totals, strict=True)], amounts_by_name
