"""The families of tasks of a study, and the small model of each seed that SFT teaches all of them.

The studies of transfer and of methods share them: a model of well below a million parameters, from scratch, in one thread.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import rlgym
from rlgym.core.errors import RlgymError
from rlgym.dataset.recipe import Recipe
from rlgym.train.config.schema import Config
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.quickstart import make_initial_model, quickstart_config
from rlgym.train.run import Run
from rlgym.train.sft.train import ExampleSource, run_sft
from rlgym.train.study.folder import versions
from rlgym.train.study.run import changed

TRAINED = (
    "chain_sum",
    "random_calculation",
    "digit_steps",
    "long_division",
    "roman_numerals",
    "modular_arithmetic",
    "complex_arithmetic",
    "boolean_ring_normal_form",
    "l_system",
    "moore_mealy_output",
    "functional_dependencies",
    "propositional_equivalence",
)
APART = ("partial_derivatives", "unit_dimension_check", "rotation_composition", "string_rewriting")
VOCAB_SIZE, MAX_SEQ_LEN, MAX_NEW_TOKENS = 1536, 320, 64
TOKENIZER_TASKS = 1280
SFT_BATCH_SIZE = 32


@dataclass(frozen=True)
class Families:
    """Which families of tasks a study has.

    trained       families that reinforcement learning trains on
    apart         families of other domains, which only SFT touches
    level         the level of all tasks
    apart_weight  the share of a family apart in SFT, relative to the share of a trained family
    sft_steps     steps of SFT
    base_seed     the seed of the one model after SFT from which the runs of all seeds start; None for a model of its own for each seed
    """

    trained: tuple[str, ...] = TRAINED
    apart: tuple[str, ...] = APART
    level: float = 0.0
    apart_weight: float = 0.25
    sft_steps: int = 2000
    base_seed: int | None = 0

    def __post_init__(self) -> None:
        if not self.trained:
            raise RlgymError("a study needs at least one family to train on")
        if repeated := sorted(name for name in {*self.trained, *self.apart} if (self.trained + self.apart).count(name) > 1):
            raise RlgymError(f"{' and '.join(repeated)} is given more than once among the families of a study")
        domains = {domain(name): name for name in self.trained}
        for name in self.apart:
            if domain(name) in domains:
                raise RlgymError(
                    f"{name} cannot be held out: its domain {domain(name)!r} is also that of {domains[domain(name)]}, which is trained on"
                )
        if not 0 <= self.level <= 1:
            raise RlgymError(f"level must be from 0 (easiest) to 1 (hardest), got level={self.level!r}")
        if not self.apart_weight > 0:
            raise RlgymError(f"apart_weight must be above 0, got {self.apart_weight!r}")
        if self.sft_steps < 1:
            raise RlgymError(f"sft_steps must be at least 1, got {self.sft_steps!r}")

    @property
    def main(self) -> tuple[str, ...]:
        """All families."""
        return self.trained + self.apart

    @property
    def shifted(self) -> tuple[str, ...]:
        """The structurally shifted families NAME:shift, of those that have one."""
        return tuple(f"{name}:shift" for name in self.main if has_shift(name))


def chosen_families(names: Sequence[str], **options: Any) -> Families:
    """Families to train on, by names, domains or patterns; held out are the usual families of the domains that remain."""
    trained = tuple(Recipe(names=list(names)).environments())
    domains = {domain(name) for name in trained}
    return Families(trained, tuple(name for name in APART if domain(name) not in domains), **options)


@cache
def domain(name: str) -> str:
    """The domain of an environment."""
    return str(rlgym.spec(name)["domain"])


@cache
def has_shift(name: str) -> bool:
    """True if an environment has a structurally shifted family."""
    return f"{name}:shift" in rlgym.spec(name)["derived"]


def mixture(families: Families) -> list[dict[str, Any]]:
    """The tasks of SFT."""
    weights = dict.fromkeys(families.trained, 1.0) | dict.fromkeys(families.apart, families.apart_weight)
    return [{"names": [name], "levels": [families.level], "weight": weight} for name, weight in weights.items()]


def base_config(folder: Path, seed: int, families: Families) -> Config:
    """The configuration of SFT, of which reinforcement learning changes the tasks and the model."""
    return changed(
        quickstart_config(folder, seed, 10.0, False),
        {
            "tasks": mixture(families),
            "sft.steps": families.sft_steps,
            "sft.batch_size": SFT_BATCH_SIZE,
            "rollout.max_new_tokens": MAX_NEW_TOKENS,
            "rollout.max_seq_len": MAX_SEQ_LEN,
            "rollout.engine_options": {"max_num_seqs": 256},
            "scoring.num_workers": 0,
            "evaluation.every_steps": 0,
            "evaluation.tasks_per_level": 1,
            "evaluation.samples_per_task": 1,
            "checkpoints.every_steps": 25,
            "checkpoints.keep_last": 1,
            "log.transcripts_per_step": 0,
            "compute.cpu_threads": 1,
        },
    )


def base_model(out: Path, seed: int, families: Families, callback: ProgressCallback) -> Path:
    """The model after SFT from which a seed starts, trained or resumed if it is not finished; studies of a folder share it if their families are the same."""
    seed = seed if families.base_seed is None else families.base_seed
    key = hashlib.sha256(json.dumps([asdict(families), versions(families.main)], sort_keys=True).encode()).hexdigest()[:8]
    place = out / f"base-{key}" / f"seed-{seed}"
    if not (place / "model-finished").exists():
        shares = mixture(families)
        make_initial_model(place, seed, shares, vocab_size=VOCAB_SIZE, max_seq_len=MAX_SEQ_LEN, tokenizer_tasks=TOKENIZER_TASKS)
    return supervised_model(place, base_config(place, seed, families), callback)


def supervised_model(
    place: Path, config: Config, callback: ProgressCallback, source: Callable[[Run], ExampleSource | None] = lambda run: None
) -> Path:
    """The model of a supervised run, trained or resumed if it is not finished. `source` gives its examples, by default the oracle's solutions."""
    model, finished = place / "model", place / "model-finished"
    if finished.exists():
        return model
    assert config.sft is not None
    run = Run.open(config)
    try:
        callback.on_phase_start("sft", config.sft.steps, run.step)
        run_sft(run, callback, source(run))
        run.save_model(model)
    finally:
        run.close()
    finished.touch()
    return model
