"""Weights of environments in the training of a scorer, learned from held-out responses.

From "DreamPRM: Domain-Reweighted Process Reward Model for Multimodal Reasoning"; see `rlgym.train.update.family_weights`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from rlgym import Rng
from rlgym.evaluate.steps.records import StepsError
from rlgym.train.update.family_weights import moved_weights

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.config.sections import DomainWeightsConfig
    from rlgym.train.scorer.objectives import Example


class FamilyWeights:
    """The examples of each environment with its weight, 1 at first, and the held-out examples that judge the weights."""

    def __init__(
        self, families: Mapping[str, Sequence[Example]], held_out: Sequence[Example], options: DomainWeightsConfig, seed: int
    ) -> None:
        """Raises StepsError for a single environment, and for held-out responses to tasks that are learned from."""
        if len(families) < 2:
            raise StepsError(f"held-out responses weigh environments, and the data has {', '.join(families)} alone: leave --held-out out")
        learned = {example.group for members in families.values() for example in members}
        if both := sorted(learned & {example.group for example in held_out}):
            raise StepsError(f"{both[0]} is learned from and held out: leave it out of one of the files")
        self.names, self._members = list(families), list(families.values())
        self._held_out, self._options, self._seed = held_out, options, seed
        self.weights = [1.0] * len(self.names)

    def by_name(self) -> dict[str, float]:
        """The present weights."""
        return dict(zip(self.names, self.weights, strict=True))

    def batch(self, step: int, size: int) -> list[Example]:
        """The examples of a step, drawn with replacement: environments by weight times number of examples."""
        rng = Rng("weighted scorer", self._seed, step)
        shares = [round(1000 * weight * len(members)) for weight, members in zip(self.weights, self._members, strict=True)]
        return [rng.choice(rng.weighted(self._members, shares)) for _ in range(size)]

    def update(self, step: int, parameters: Sequence[Tensor], gradient: Callable[[Sequence[Example]], Sequence[Tensor]]) -> None:
        """Move the weights, in every `every_steps`-th step; `gradient` is that of the loss on some examples at the parameters of the moment."""
        if step % self._options.every_steps:
            return
        rng = Rng("families of a scorer", self._seed, step)
        chosen = [[rng.choice(members) for _ in range(self._options.examples)] for members in self._members]
        total = sum(map(len, self._members))
        shares = [len(members) / total for members in self._members]
        gradients = [gradient(examples) for examples in chosen]
        self.weights = moved_weights(parameters, self.weights, shares, gradients, lambda: gradient(self._held_out), self._options)
