"""Rollouts that branch: after an observation, a copy of an unfinished episode takes a free place of its group and continues on its own.

From "Agentic Reinforced Policy Optimization". With H the entropy of the first tokens of the last response divided by log V, and H_0 that of the episode's
first response since it began or branched off, an episode branches if clip(u - entropy_weight (H - H_0), 0, 1) <= threshold, u uniform: the less certain
the policy has become, the more likely. The entropy is estimated by -log of the sampled tokens' probabilities, which every engine reports. Places
that are still free when all episodes have ended start from the prompt.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlgym.train.config.branching import BranchingConfig
    from rlgym.train.rollout.engines.base import Completion
    from rlgym.train.rollout.episodes import Episode


@dataclass
class Branching:
    """The free places of each group, and the entropies of the episodes that run.

    uniform  a number from 0 to 1 for an episode and the number of its branch, always the same for the same episode
    """

    options: BranchingConfig
    vocab_size: int
    uniform: Callable[[Episode, int], float]
    free: dict[int, list[Episode]] = field(default_factory=dict)
    first: dict[int, float] = field(default_factory=dict)
    last: dict[int, float] = field(default_factory=dict)

    def hold_back(self, episodes: Iterable[Episode]) -> list[Episode]:
        """The episodes that start now; those of a group beyond `initial_rollouts` are free places."""
        started: dict[int, int] = {}
        out = []
        for episode in episodes:
            started[episode.group] = started.get(episode.group, 0) + 1
            if started[episode.group] <= self.options.initial_rollouts or episode.num_sampled:
                out.append(episode)
            else:
                self.free.setdefault(episode.group, []).append(episode)
        return out

    def measure(self, episode: Episode, completion: Completion) -> None:
        """Note the entropy of a response."""
        entropy = first_entropy(completion.logprobs, self.options.entropy_tokens, self.vocab_size)
        self.first.setdefault(episode.key, entropy)
        self.last[episode.key] = entropy

    def branch(self, keys: Sequence[int], running: Mapping[int, Episode]) -> list[Episode]:
        """The branches of these episodes, which have just read an observation."""
        out = []
        for key in keys:
            episode = running[key]
            for number in range(self.options.max_branches):
                if not self.free.get(episode.group):
                    break
                drawn = self.uniform(episode, number) - self.options.entropy_weight * (self.last[key] - self.first[key])
                if min(1.0, max(0.0, drawn)) <= self.options.threshold:
                    out.append(copy_into(episode, self.free[episode.group].pop(0)))
        return out

    def release(self) -> list[Episode]:
        """The places that are still free, as episodes that start from their prompts."""
        out = [episode for places in self.free.values() for episode in places]
        self.free = {}
        return out


def first_entropy(logprobs: Sequence[float], tokens: int, vocab_size: int) -> float:
    """-sum of the log-probabilities of the first tokens, divided by log V."""
    return -sum(logprobs[:tokens]) / math.log(vocab_size)


def copy_into(episode: Episode, place: Episode) -> Episode:
    """Make a free place continue an episode: it has the same tokens, messages, spans and state of the environment, and samples on its own."""
    place.tokens, place.loss_mask, place.logprobs = list(episode.tokens), list(episode.loss_mask), list(episode.logprobs)
    place.messages, place.segments = list(episode.messages), list(episode.segments)
    place.spans = None if episode.spans is None else list(episode.spans)
    place.snapshot, place.version = episode.snapshot, episode.version
    place.shared_tokens = episode.num_sampled
    return place
