"""Task specifications: data that any process can create a task from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from rlgym.core.answer import Style

if TYPE_CHECKING:
    from rlgym.train.config.rewards import TokenRewardConfig

Knobs = Mapping[str, int | float | str]
ShapingOptions = tuple[tuple[str, bool | float | int | str], ...]


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """Which task to create: the next task of an environment and level that lies in a split, counted from `index`.

    `hint_fraction` is the fraction of the explanation that the prompt contains, or with `hint_tier` no more than a sign that there is a hint, of that
    kind; `feedback` on an earlier attempt is the hint of the tier of that name. `retry` counts the tasks that it replaces because their prompts were too
    long; an empty `split` stands for any. With `paraphrase` the prompt is in other words; `instruction` follows the prompt, and
    `role` is what it asks of a prover in `algorithm.prover_roles`. `seed` is that of a task on
    record, which `index` then does not choose; a replacement is chosen as others are.
    """

    name: str
    level: float
    index: int
    split: str
    knobs: Knobs = field(default_factory=dict)
    hint_fraction: float = 0.0
    retry: int = 0
    seed: int | None = None
    paraphrase: bool = False
    hint_tier: Literal["", "concept", "plan", "partial", "feedback"] = ""
    instruction: str = ""
    feedback: str = ""
    role: Literal["", "helpful", "sneaky"] = ""

    @property
    def label(self) -> str:
        """The environment and level, with overridden knobs, as metrics name them: `chain_sum@0.1,terms=4`."""
        return f"{self.name}@{self.level:g}" + "".join(f",{knob}={value}" for knob, value in sorted(self.knobs.items()))


@dataclass(frozen=True, slots=True)
class TaskSettings:
    """What all tasks of a run share: the seed, the held-out fraction, the answer style, the reward shaping, the plug-ins and the token rewards."""

    seed: int
    held_out_fraction: float
    answer_style: Style = "tag"
    reward_shaping: tuple[tuple[str, ShapingOptions], ...] = ()
    plugins: tuple[str, ...] = ()
    token_rewards: TokenRewardConfig | None = None

    @property
    def asks_confidence(self) -> bool:
        """True if prompts ask for the probability that the answer is correct."""
        return any(name == "brier_penalty" for name, _ in self.reward_shaping)
