"""The work that both sides are given: model, tasks, sizes, and rewards under which every rollout counts.

A new model solves nothing, so that true rewards would leave nothing to learn from. Both sides therefore judge every response as
usual, and then put in the place of the reward a number made from the response's text.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rlgym.core.errors import RlgymError
from rlgym.train.config import Config
from rlgym.train.curriculum import Curriculum
from rlgym.train.scoring import Here, Job, Pick, Stand


@dataclass(frozen=True)
class Setting:
    """What one comparison is made of.

    groups, group   tasks a step, and responses to each; every response has exactly `tokens` tokens
    passes          into how many forward passes an update is divided, on both sides
    vocabulary      tokens of the model, of which those that the tokenizer does not have are sampled too
    steps           of each side that are measured, after `unmeasured` ones
    """

    environment: str = "chain_sum"
    level: float = 0.0
    layers: int = 3
    width: int = 128
    vocabulary: int = 640
    groups: int = 16
    group: int = 8
    tokens: int = 64
    passes: int = 1
    steps: int = 10
    unmeasured: int = 2
    threads: int = 0
    device: str = "cpu"
    dtype: str = "float32"
    seed: int = 0

    def __post_init__(self) -> None:
        least = {"layers": 1, "width": 32, "vocabulary": 262, "groups": 1, "group": 2, "tokens": 2, "passes": 1, "steps": 1}
        for name, bound in least.items():
            if getattr(self, name) < bound:
                raise RlgymError(f"{name} must be at least {bound}, got {getattr(self, name)!r}")
        if (self.groups * self.group) % self.passes:
            raise RlgymError(f"{self.groups * self.group} rollouts cannot be divided into {self.passes} equal passes: change passes")

    @property
    def rollouts(self) -> int:
        """Rollouts a step."""
        return self.groups * self.group


@dataclass
class Work:
    """What was done in one step, counted where it was done.

    sampled   tokens drawn by the engine
    trained   sampled tokens whose log-probability got a gradient
    read      tokens of prompts and responses that went through the network forward and backward, padding left out
    seconds   the whole step
    parts     seconds by phase
    """

    sampled: int = 0
    trained: int = 0
    read: int = 0
    seconds: float = 0.0
    parts: dict[str, float] = field(default_factory=dict)


def dealt(text: str) -> float:
    """A reward from 0 to 1 that depends on the response's text alone, and differs between responses."""
    return zlib.crc32(text.encode("utf-8", "replace")) / 2**32


class Dealing(Here):
    """Judges as usual, and then rewards by the text."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[int, str] = {}

    def submit(self, jobs: Sequence[Job]) -> None:
        self._said |= {job.key: job.response for job in jobs if job.snapshot is not None}
        super().submit(jobs)

    def done(self, wait: bool) -> list[tuple[int, Stand]]:
        stands = super().done(wait)
        return [(key, stand if stand.score is None else replace(stand, reward=dealt(self._said.pop(key)))) for key, stand in stands]


def make_folder(setting: Setting, folder: Path) -> Path:
    """A new model of these sizes with its tokenizer, as a Hugging Face folder."""
    from rlgym.train.model import make_model, make_tokenizer

    made = folder / "model"
    make_tokenizer(made)
    make_model(
        made,
        layers=setting.layers,
        width=setting.width,
        vocabulary=setting.vocabulary,
        context=4096,
        seed=setting.seed,
        head_width=_heads(setting),
    )
    return made


def _heads(setting: Setting) -> int:
    return 64 if setting.width >= 512 else 32


def configuration(setting: Setting, folder: Path, longest_prompt: int, out: Path | None = None) -> Config:
    """Our run: one update a step, on the sampler's own log-probabilities, as TRL does where it trains on what it has just sampled.

    folder   holds the model, and the run too unless `out` is given
    """
    longest = longest_prompt + setting.tokens + 1
    given: dict[str, Any] = {
        "model": str(folder / "model"),
        "out": str(out or folder / "run"),
        "seed": setting.seed,
        "tasks": [{"names": [setting.environment], "levels": [setting.level]}],
        "steps": setting.steps + setting.unmeasured,
        "rollout": {
            "groups": setting.groups,
            "group": setting.group,
            "tokens": setting.tokens,
            "context": longest,
            "options": {"rows": setting.rollouts, "context": longest},
        },
        "algorithm": {"skip_dead": False},
        "update": {"lr": 1e-6, "warmup": 0, "tokens": longest * -(-setting.rollouts // setting.passes), "old": "sampler"},
        "scoring": {"workers": 0},
        "log": {"transcripts": 0},
        "compute": {"device": setting.device, "threads": setting.threads, "dtype": setting.dtype},
    }
    return Config.of(given)


def picks(config: Config) -> list[list[Pick]]:
    """The tasks of every step, as the run itself will choose them."""
    chooser = Curriculum(config.tasks, config.seed, config.sampling)
    return [[pick for _, pick in chooser.choose(step, config.rollout.groups)] for step in range(config.steps)]
