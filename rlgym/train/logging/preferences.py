"""Pairs of responses to the same task, one right and one failed, in the columns of preference trainers and reward models.

From "Agent-RLVR: Training Software Engineering Agents via Guidance and Environment Rewards": guided attempts that the environment rewards are preferred to
attempts without guidance that failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rlgym.train.rollout.episodes import Episode


def preference_pairs(episodes: Sequence[Episode], step: int) -> list[dict[str, Any]]:
    """A pair for each group with a right episode and a failed one without a hint: the first of each, a right one with a hint only where no other is right.

    Groups of gradings and of proposals, whose numbers are negative, are left out: their task is not one that its seed makes. So are those that are asked
    for a wrong solution.
    `prompt` is that of the failed one, without any hint; `chosen` and `rejected` are the turns after it; `guided` is true where the chosen one had a hint.
    """
    groups: dict[int, list[Episode]] = {}
    for episode in episodes:
        if episode.valid and episode.group >= 0 and episode.task.role != "sneaky" and not (episode.oracle or episode.auxiliary):
            groups.setdefault(episode.group, []).append(episode)
    pairs = []
    for _, members in sorted(groups.items()):
        right = sorted((member for member in members if member.solved), key=_has_hint)
        failed = [member for member in members if not member.solved and not _has_hint(member)]
        if right and failed:
            task = failed[0].task
            pairs.append(
                {
                    "step": step,
                    "env": task.name,
                    "level": task.level,
                    "seed": failed[0].seed,
                    "guided": _has_hint(right[0]),
                    "prompt": _turns(failed[0])[:1],
                    "chosen": _turns(right[0])[1:],
                    "rejected": _turns(failed[0])[1:],
                    "chosen_value": right[0].score.value if right[0].score else 0.0,
                    "rejected_value": failed[0].score.value if failed[0].score else 0.0,
                }
            )
    return pairs


def _has_hint(episode: Episode) -> bool:
    return episode.hinted or episode.task.hint_fraction > 0


def _turns(episode: Episode) -> list[dict[str, str]]:
    return [{"role": role, "content": text} for role, text in episode.messages]
