"""Fields of a configuration that do not go together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter

from rlgym.train.config.sections import TrainError


def refuse_together(field: str, others: Mapping[str, object]) -> None:
    """Raise TrainError that names `field` and the first of `others` that is set (is not empty, 0, False or None)."""
    for other, value in others.items():
        if value:
            raise TrainError(f"{field} does not support {other}: leave one of them out")


NOT_WITH_OTHER_TASKS = """
rollout.segment_tokens rollout.recorded algorithm.token_rewards algorithm.likelihood_reward algorithm.twin_reward algorithm.dynamic_sampling_rounds
algorithm.pair_tasks algorithm.replay algorithm.self_distillation algorithm.shuffle_rewards
""".split()
"""Fields that need every episode of a step to be of a task of the curriculum; with `shuffle_rewards` the others would keep their true rewards, and learn."""


def set_fields(config: object, names: Iterable[str]) -> dict[str, object]:
    """The values of fields by their dotted names, as `refuse_together` takes them."""
    return {name: attrgetter(name)(config) for name in names}
