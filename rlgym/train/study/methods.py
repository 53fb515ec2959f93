"""The study of methods: reinforcement learning, SFT and distillation from the same models, on the same tasks, with the same number of responses.

Every method starts from the base model of its seed and makes the same number of steps. A step of reinforcement learning samples `groups_per_step` tasks with
`group_size` responses each; a step of SFT learns from as many of the oracle's solutions; a step of distillation samples as many responses from a
teacher, and learns from those that the verifier finds right. The teachers are the models that the first two methods made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rlgym.core.errors import RlgymError
from rlgym.train.config.schema import Config
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.rollout.worker import RolloutWorker
from rlgym.train.sft.data import SftExample
from rlgym.train.study.families import Families, base_config, base_model, supervised_model
from rlgym.train.study.folder import keep_settings
from rlgym.train.study.measure import Measurement, measured, worker_of
from rlgym.train.study.methods_page import write_results
from rlgym.train.study.run import changed
from rlgym.train.study.studies import BY_FAMILY
from rlgym.train.study.transfer import check_sizes, code_versions, describe, train_on, trained_model
from rlgym.train.tasks.spec import TaskSpec

QUESTION = BY_FAMILY["methods"]
METHODS = ("rl", "sft", "distillation from rl", "distillation from sft")
ROUNDS = 5
"""How often a teacher is asked other tasks while it has solved none of them."""


@dataclass(frozen=True)
class MethodSettings:
    """How the study is run.

    on           the families that all methods train on, in equal shares
    steps        steps of every method
    lr           learning rate of reinforcement learning, constant after two steps
    sft_lr       peak learning rate of SFT and of distillation, which decays linearly
    explained    share of the oracle's solutions with the working, in `sft`
    eval_tasks   held-out tasks per family, with one response each
    """

    families: Families = field(default_factory=Families)
    on: tuple[str, ...] = ("chain_sum", "digit_steps", "boolean_ring_normal_form", "functional_dependencies")
    steps: int = 40
    seeds: tuple[int, ...] = (0, 1, 2)
    groups_per_step: int = 12
    group_size: int = 8
    lr: float = 1e-4
    sft_lr: float = 3e-4
    explained: float = 0.5
    eval_tasks: int = 32

    def __post_init__(self) -> None:
        check_sizes(self)
        if not 0 <= self.explained <= 1:
            raise RlgymError(f"explained must be a share from 0 to 1, got {self.explained!r}")
        if not self.on or set(self.on) - set(self.families.trained):
            raise RlgymError(f"the methods train on some of the trained families, got {list(self.on)}")


class TeacherData:
    """The responses of a teacher that the verifier finds right, as supervised examples. The step alone determines its batch."""

    def __init__(self, teacher: RolloutWorker, names: Sequence[str], settings: MethodSettings, seed: int) -> None:
        self.teacher, self.names, self.settings, self.seed = teacher, names, settings, seed

    def batch(self, step: int) -> list[SftExample]:
        """The right responses to the tasks of a step."""
        count = self.settings.groups_per_step
        for attempt in range(ROUNDS):
            first = (1 << 41) + (step * ROUNDS + attempt) * count
            specs = [
                TaskSpec(self.names[index % len(self.names)], self.settings.families.level, index, "train")
                for index in range(first, first + count)
            ]
            digest = hashlib.sha256(f"{self.seed} distillation {step} {attempt}".encode()).digest()
            episodes = self.teacher.rollout(specs, self.settings.group_size, int.from_bytes(digest[:8], "big") >> 1)
            right = [episode for episode in episodes if episode.solved]
            if right:
                return [SftExample(episode.task, tuple(episode.tokens), tuple(episode.loss_mask)) for episode in right]
        raise RlgymError(f"the teacher solved none of {ROUNDS * count} tasks of {', '.join(self.names)}: it has nothing to teach")


def run_methods(out: str | Path, settings: MethodSettings | None = None, callback: ProgressCallback | None = None) -> dict[str, Any]:
    """Run what is missing of the study in the folder `out`/methods, and write its results; they are returned as in study.json.

    RlgymError where the folder holds the study with other settings; the seeds may differ.
    """
    settings, callback = settings or MethodSettings(), callback or ProgressCallback()
    folder, families = Path(out) / "methods", settings.families
    facts = describe("methods", QUESTION, settings)
    keep_settings(folder, facts)
    base: dict[int, dict[str, Measurement]] = {}
    trained: dict[str, dict[int, dict[str, Measurement]]] = {name: {} for name in METHODS}
    runs: dict[str, dict[int, dict[str, Any]]] = {name: {} for name in METHODS}
    for seed in settings.seeds:
        start = base_model(Path(out), seed, families, callback)
        base[seed] = _measure(folder / "base" / f"seed-{seed}.json", start, settings, seed)
        models: dict[str, Path] = {}
        for name in METHODS:
            place = folder / "runs" / name.replace(" ", "-") / f"seed-{seed}"
            models[name], runs[name][seed] = _train(name, place, start, models, seed, settings, callback)
            trained[name][seed] = _measure(place.with_name(f"seed-{seed}.json"), models[name], settings, seed)
    results = facts | {"seeds": list(settings.seeds), "code": code_versions(folder), "base": base, "trained": trained, "runs": runs}
    return write_results(folder, results, families, settings.on)


def _train(
    name: str, place: Path, start: Path, models: dict[str, Path], seed: int, settings: MethodSettings, callback: ProgressCallback
) -> tuple[Path, dict[str, Any]]:
    """The model that a method makes, and facts of its run."""
    if name == "rl":
        facts = train_on(place, list(settings.on), start, seed, settings, callback)
        return trained_model(place), {"responses": facts["rollouts"]}
    config = supervised_config(place, start, seed, settings)
    teacher = models.get(name.removeprefix("distillation from "))

    def source(_: Any) -> TeacherData | None:
        return None if teacher is None or name == "sft" else TeacherData(worker_of(teacher, config), settings.on, settings, seed)

    model = supervised_model(place, config, callback, source)
    return model, {"responses": float(settings.steps * settings.groups_per_step * settings.group_size)}


def supervised_config(place: Path, start: Path, seed: int, settings: MethodSettings) -> Config:
    """The configuration of SFT and of distillation."""
    return changed(
        base_config(place, seed, settings.families),
        {
            "model": str(start),
            "tasks": [{"names": list(settings.on), "levels": [settings.families.level]}],
            "sft.steps": settings.steps,
            "sft.batch_size": settings.groups_per_step * settings.group_size,
            "sft.lr": settings.sft_lr,
            "sft.warmup_steps": 2,
            "sft.explanation_fraction": settings.explained,
            "checkpoints.every_steps": 5,
        },
    )


def _measure(file: Path, model: Path, settings: MethodSettings, seed: int) -> dict[str, Measurement]:
    families = settings.families
    config = base_config(file.parent, seed, families)
    return measured(file, model, config, families.main + families.shifted, families.level, settings.eval_tasks, 1)
