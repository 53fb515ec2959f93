"""What a group reward sees besides the episodes, and their addition to the rewards of a step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rlgym.core.answer import Style
from rlgym.train.registry import GROUP_REWARDS, Algorithm, OptionError, finite_number

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

    Every group reward sees the rewards before any other is added. Raises OptionError for anything but a finite number for each episode.
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
            for place, amount in zip(places, _amounts(algorithm, [episodes[place] for place in places], context, options), strict=True):
                totals[place] += amount
                amounts.append(amount)
        amounts_by_name[name] = amounts
    return [replace(episode, reward=episode.reward + total) for episode, total in zip(episodes, totals, strict=True)], amounts_by_name


def _amounts(algorithm: Algorithm[..., Any], group: Sequence[Episode], context: GroupContext, options: object) -> list[float]:
    found = algorithm(group, context, options)
    if not isinstance(found, Sequence) or isinstance(found, str) or len(found) != len(group):
        raise OptionError(
            f"{algorithm.field}.{algorithm.name} returned {found!r:.60}: it must return a list of {len(group)} numbers, one for each rollout"
        )
    amounts = []
    for given in found:
        amount = finite_number(given)
        if amount is None:
            raise OptionError(f"{algorithm.field}.{algorithm.name} returned {given!r:.60}: it must return finite numbers")
        amounts.append(amount)
    return amounts
