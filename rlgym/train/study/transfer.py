"""The study of transfer: reinforcement learning on one family of tasks at a time, measured on all families.

For every seed one small model is taught all families by SFT. From it starts one run of reinforcement learning for each family, and every trained model is
measured on the same held-out tasks of all families, of their shifted families, and of families of other domains that no run
trains on. A few families are sampled up to 256 times by the base and by the trained model, to compare what each can solve at all.

A folder of results holds settings.json, a folder for every run, a file for every measurement, and what `transfer_page` writes. Repeating the command resumes
unfinished runs and repeats no finished run or measurement.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from rlgym.core.errors import RlgymError
from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.loop import train
from rlgym.train.model.checkpoint import list_checkpoints
from rlgym.train.study.families import Families, base_config, base_model
from rlgym.train.study.folder import code_version, keep_settings, read_json, versions, write_json
from rlgym.train.study.measure import Measurement, measured
from rlgym.train.study.run import changed
from rlgym.train.study.studies import BY_FAMILY
from rlgym.train.study.summary import MAX_SEEDS
from rlgym.train.study.transfer_page import write_results

QUESTION = BY_FAMILY["transfer"]


class RlSettings(Protocol):
    """What the studies over families share in their runs of reinforcement learning."""

    @property
    def families(self) -> Families: ...
    @property
    def steps(self) -> int: ...
    @property
    def groups_per_step(self) -> int: ...
    @property
    def group_size(self) -> int: ...
    @property
    def lr(self) -> float: ...


@dataclass(frozen=True)
class TransferSettings:
    """How the study is run.

    steps            steps of reinforcement learning of every run, each of `groups_per_step` tasks with `group_size` rollouts
    seeds            one model after SFT, and one run for each family, for each; more seeds may be added to a finished study
    eval_tasks       held-out tasks per family, with one response each
    support          families on which pass@k is measured up to `support_samples`
    support_tasks    held-out tasks per family for pass@k
    """

    families: Families = field(default_factory=Families)
    steps: int = 40
    seeds: tuple[int, ...] = (0, 1, 2)
    groups_per_step: int = 12
    group_size: int = 8
    lr: float = 1e-4
    eval_tasks: int = 32
    support: tuple[str, ...] = ("chain_sum", "boolean_ring_normal_form")
    support_tasks: int = 8
    support_samples: int = 256

    def __post_init__(self) -> None:
        check_sizes(self, "support_tasks", "support_samples")
        if unknown := sorted(set(self.support) - set(self.families.trained)):
            raise RlgymError(f"pass@k compares the base with a trained model, and {' and '.join(unknown)} is not trained on")


class Sized(Protocol):
    """Settings of a study that trains on tasks in groups."""

    @property
    def seeds(self) -> tuple[int, ...]: ...
    @property
    def steps(self) -> int: ...
    @property
    def groups_per_step(self) -> int: ...
    @property
    def group_size(self) -> int: ...
    @property
    def eval_tasks(self) -> int: ...


def check_sizes(settings: Sized, *further: str) -> None:
    """RlgymError unless the seeds are different and not too many for an interval, and all counts, also those in `further` fields, are large enough."""
    seeds = settings.seeds
    if not 1 <= len(set(seeds)) == len(seeds) <= MAX_SEEDS:
        raise RlgymError(f"a study takes 1 to {MAX_SEEDS} different seeds, got {list(seeds)}")
    for name in ("steps", "groups_per_step", "eval_tasks", *further):
        if getattr(settings, name) < 1:
            raise RlgymError(f"{name} must be at least 1, got {getattr(settings, name)}")
    if settings.group_size < 2:
        raise RlgymError(f"group_size must be at least 2, because rollouts of a task are compared, got {settings.group_size}")


def run_transfer(out: str | Path, settings: TransferSettings | None = None, callback: ProgressCallback | None = None) -> dict[str, Any]:
    """Run what is missing of the study in the folder `out`/transfer, and write its results; they are returned as in study.json.

    RlgymError where the folder holds the study with other settings; the seeds may differ.
    """
    settings, callback = settings or TransferSettings(), callback or ProgressCallback()
    folder, families = Path(out) / "transfer", settings.families
    facts = describe("transfer", QUESTION, settings)
    keep_settings(folder, facts)
    base: dict[int, dict[str, Measurement]] = {}
    trained: dict[str, dict[int, dict[str, Measurement]]] = {name: {} for name in families.trained}
    runs: dict[str, dict[int, dict[str, Any]]] = {name: {} for name in families.trained}
    support: dict[str, dict[int, dict[str, Measurement]]] = {name: {} for name in settings.support}
    for seed in settings.seeds:
        start = base_model(Path(out), seed, families, callback)
        base[seed] = _measure_all(folder / "base" / f"seed-{seed}.json", start, settings, seed)
        for name in families.trained:
            run = folder / "runs" / name / f"seed-{seed}"
            runs[name][seed] = train_on(run, [name], start, seed, settings, callback)
            trained[name][seed] = _measure_all(run.with_name(f"seed-{seed}.json"), trained_model(run), settings, seed)
        for name in settings.support:
            models = {"base": start, "trained": trained_model(folder / "runs" / name / f"seed-{seed}")}
            support[name][seed] = {
                label: _measure_support(folder / "support" / name / label / f"seed-{seed}.json", model, name, settings, seed)
                for label, model in models.items()
            }
    results = facts | {
        "seeds": list(settings.seeds),
        "code": code_versions(folder),
        "base": base,
        "trained": trained,
        "runs": runs,
        "support": support,
    }
    return write_results(folder, results, families)


def describe(study: str, question: str, settings: Any) -> dict[str, Any]:
    """What the numbers of a study belong to. Seeds are left out: each is a study of its own, to which others may be added."""
    chosen = asdict(settings)
    del chosen["seeds"]
    return {"study": study, "question": question, "settings": chosen} | versions(settings.families.main)


def code_versions(folder: Path) -> list[str]:
    """The versions of the code that made the measurements in a folder."""
    return sorted({read_json(file)["code"] for file in folder.rglob("seed-*.json")} | {code_version()})


def train_on(folder: Path, names: list[str], start: Path, seed: int, settings: RlSettings, callback: ProgressCallback) -> dict[str, Any]:
    """Facts of one run of reinforcement learning, which is trained or resumed if it is not finished."""
    facts = folder.with_name(f"run-{folder.name}.json")
    known = read_json(facts)
    if known is None:
        train(rl_config(folder, names, start, seed, settings), callback)
        lines = read_lines(folder / "metrics.jsonl")
        known = {
            "rollouts": sum(line["rollouts"] for line in lines),
            "tokens": sum(line["rollout_tokens"] for line in lines),
            "solve_rate": [line["solve_rate"] for line in lines],
        }
        write_json(facts, known)
    return dict(known)


def rl_config(folder: Path, names: list[str], start: Path, seed: int, settings: RlSettings) -> Config:
    """The configuration of one run: GRPO from the model after SFT, on the given families alone."""
    return changed(
        base_config(folder, seed, settings.families),
        {
            "model": str(start),
            "output_dir": str(folder),
            "sft": None,
            "tasks": [{"names": list(names), "levels": [settings.families.level]}],
            "steps": settings.steps,
            "rollout.groups_per_step": settings.groups_per_step,
            "rollout.group_size": settings.group_size,
            "update.lr": settings.lr,
            "update.lr_schedule": "constant",
            "update.warmup_steps": 2,
            "checkpoints.every_steps": 5,
        },
    )


def trained_model(run: Path) -> Path:
    """The model folder of a finished run."""
    return list_checkpoints(run / "checkpoints")[-1] / "model"


def _measure_all(file: Path, model: Path, settings: TransferSettings, seed: int) -> dict[str, Measurement]:
    families = settings.families
    config = base_config(file.parent, seed, families)
    return measured(file, model, config, families.main + families.shifted, families.level, settings.eval_tasks, 1)


def _measure_support(file: Path, model: Path, name: str, settings: TransferSettings, seed: int) -> Measurement:
    config = base_config(file.parent, seed, settings.families)
    return measured(file, model, config, [name], settings.families.level, settings.support_tasks, settings.support_samples)[name]
