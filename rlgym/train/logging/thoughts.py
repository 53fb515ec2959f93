"""Signs of thought collapse: thoughts that repeat, that do not mention the state, and that lead to actions that are not allowed.

From "GTR: Guided Thought Reinforcement Prevents Thought Collapse in RL-based VLM Agent Training". A thought is what a response says before `<answer>`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlgym.train.rollout.episodes import Episode

WORD = re.compile(r"\w+")


def thought_metrics(episodes: Sequence[Episode]) -> dict[str, float]:
    """Three rates over the turns of all valid episodes.

    thought/distinct        different thoughts per thought; templates repeat
    thought/state_mentions  share of the thoughts with a word or number of the last observation that not every first prompt of the environment has
    thought/invalid         share of the turns that the environment could not read or did not allow
    """
    valid = [episode for episode in episodes if episode.valid]
    common = _common_words(valid)
    thoughts, mentions = list[str](), list[bool]()
    for episode in valid:
        for (role, observation), (_, response) in zip(episode.messages, episode.messages[1:]):
            if role != "user":
                continue
            thoughts.append(" ".join(response.partition("<answer>")[0].split()))
            mentions.append(bool(_words(thoughts[-1]) & (_words(observation) - common[episode.task.name])))
    turns = sum(role == "assistant" for episode in valid for role, _ in episode.messages)
    return {
        "thought/distinct": len(set(thoughts)) / max(1, len(thoughts)),
        "thought/state_mentions": sum(mentions) / max(1, len(mentions)),
        "thought/invalid": sum(episode.invalid_turns for episode in valid) / max(1, turns),
    }


def _common_words(episodes: Sequence[Episode]) -> dict[str, set[str]]:
    """The words that all first prompts of an environment share; none where there is one prompt alone."""
    prompts: dict[str, dict[int, set[str]]] = {}
    for episode in episodes:
        prompts.setdefault(episode.task.name, {})[episode.group] = _words(episode.messages[0][1])
    return {name: set.intersection(*found.values()) if len(found) > 1 else set() for name, found in prompts.items()}


def _words(text: str) -> set[str]:
    return set(WORD.findall(text.lower()))
