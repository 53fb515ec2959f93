"""Studies whose rows are ways of training over families of tasks: what was trained on, how, and with how much, from one base model.

`pairs`     families alone, in pairs and together, and one of them with another order of levels, reward, template and language
`scaling`   more and more families with the same number of responses
`gap`       reinforcement learning against SFT on the oracle's solutions, by the number of different tasks and by the length of answers

They share the base models, runs and measurements of the study of transfer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from rlgym.core.errors import RlgymError
from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.loop import train
from rlgym.train.study.families import Families, base_config, base_model, supervised_model
from rlgym.train.study.folder import keep_settings, read_json, write_json
from rlgym.train.study.measure import Measurement, measured
from rlgym.train.study.rows_page import Row, write_results
from rlgym.train.study.run import changed
from rlgym.train.study.studies import BY_FAMILY, Change
from rlgym.train.study.transfer import check_sizes, code_versions, describe, rl_config, trained_model

MOST_PAIRED = 3
"""The most families of the study `pairs`."""


@dataclass(frozen=True)
class RowSettings:
    """How a study over rows is run.

    on           the families that the rows choose from, in this order
    steps        steps of every run, each of `groups_per_step` tasks with `group_size` rollouts, or as many solutions of SFT
    sft_lr       peak learning rate of SFT, in `gap`
    num_tasks    numbers of different tasks of each family, in `gap`
    levels       levels of the tasks, in `gap`; higher levels have longer answers and working
    eval_tasks   held-out tasks per family, with one response each
    """

    families: Families = field(default_factory=Families)
    on: tuple[str, ...] = ("chain_sum", "digit_steps", "functional_dependencies")
    steps: int = 40
    seeds: tuple[int, ...] = (0, 1, 2)
    groups_per_step: int = 12
    group_size: int = 8
    lr: float = 1e-4
    sft_lr: float = 3e-4
    num_tasks: tuple[int, ...] = (8, 64, 512)
    levels: tuple[float, ...] = (0.0, 0.1)
    eval_tasks: int = 32

    def __post_init__(self) -> None:
        check_sizes(self)
        if not self.on or set(self.on) - set(self.families.trained):
            raise RlgymError(f"the rows train on some of the trained families, got {list(self.on)}")
        if not self.levels or not all(0 <= level <= 1 for level in self.levels):
            raise RlgymError(f"levels must be from 0 (easiest) to 1 (hardest), got levels={list(self.levels)}")
        if not self.num_tasks or min(self.num_tasks) < 1:
            raise RlgymError(f"num_tasks must be at least 1, got {list(self.num_tasks)}")


def pair_rows(settings: RowSettings) -> dict[str, Row]:
    """Each family alone, all pairs, all together, and variants of the first: order of levels, reward, template and language.

    RlgymError for more than `MOST_PAIRED` families: the number of pairs grows with the square of theirs.
    """
    if len(settings.on) > MOST_PAIRED:
        raise RlgymError(
            f"the study pairs trains on every pair of its families, so it takes {MOST_PAIRED} of them at most, got {len(settings.on)}: "
            f"{', '.join(settings.on[: MOST_PAIRED + 1])}{', ...' if len(settings.on) > MOST_PAIRED + 1 else ''}"
        )
    level, first = settings.families.level, settings.on[0]
    rows = {name: Row((name,), level=level) for name in settings.on}
    for size in sorted({2, len(settings.on)}):
        for chosen in combinations(settings.on, size):
            rows[" + ".join(chosen)] = Row(chosen, level=level)
    top = min(1.0, level + 0.1)

    def tasks(names: list[str], levels: Any) -> Change:
        return {"tasks": [{"names": names, "levels": levels}]}

    variants: dict[str, Change] = {
        "levels mixed": tasks([first], [level, round(level + (top - level) / 2, 6), top]),
        "easy levels first": tasks(
            [first], {"start_level": level, "min_level": level, "max_level": top, "step_size": (top - level) / 4 or 0.025}
        ),
        "partial reward": {"algorithm.reward_shaping": {"format_bonus": {"amount": 0.1}}},
        "boxed template": {"rollout.answer_style": "boxed"},
        "German prompts": tasks([f"{first}:de"], [level]),
    }
    return rows | {f"{first}, {label}": Row((first,), level=level, change=change, pair=first) for label, change in variants.items()}


def scaling_rows(settings: RowSettings) -> dict[str, Row]:
    """The first family, the first two, four, and so on to all that are trained on, each with the same number of responses."""
    names = settings.families.trained
    counts = sorted({2**power for power in range(len(names).bit_length()) if 2**power <= len(names)} | {len(names)})
    return {f"{count} {'family' if count == 1 else 'families'}": Row(names[:count], level=settings.families.level) for count in counts}


def gap_rows(settings: RowSettings) -> dict[str, Row]:
    """Reinforcement learning and SFT for each number of different tasks and each level."""
    rows = {}
    for level in settings.levels:
        for count in settings.num_tasks:
            label = f"{count} tasks, level {level:g}"
            change: Change = {"tasks": [{"names": list(settings.on), "levels": [level], "num_tasks": count}]}
            rows[f"rl, {label}"] = Row(settings.on, "rl", level, change)
            rows[f"sft, {label}"] = Row(settings.on, "sft", level, change, pair=f"rl, {label}")
    return rows


ROWS: dict[str, Callable[[RowSettings], dict[str, Row]]] = {"pairs": pair_rows, "scaling": scaling_rows, "gap": gap_rows}
"""The studies of this file, and their rows."""


def run_rows(name: str, out: str | Path, settings: RowSettings | None = None, callback: ProgressCallback | None = None) -> dict[str, Any]:
    """Run what is missing of the study in the folder `out`/NAME, and write its results; they are returned as in study.json.

    RlgymError where the folder holds the study with other settings; the seeds may differ.
    """
    settings, callback = settings or RowSettings(), callback or ProgressCallback()
    folder, rows = Path(out) / name, ROWS[name](settings)
    facts = describe(name, BY_FAMILY[name], settings)
    keep_settings(folder, facts)
    base: dict[str, dict[int, dict[str, Measurement]]] = {f"{row.level:g}": {} for row in rows.values()}
    trained: dict[str, dict[int, dict[str, Measurement]]] = {label: {} for label in rows}
    runs: dict[str, dict[int, dict[str, Any]]] = {label: {} for label in rows}
    for seed in settings.seeds:
        start = base_model(Path(out), seed, settings.families, callback)
        for level in dict.fromkeys(row.level for row in rows.values()):
            base[f"{level:g}"][seed] = _measure(folder / "base" / f"level-{level:g}" / f"seed-{seed}.json", start, level, settings, seed)
        for label, row in rows.items():
            place = folder / "runs" / label.replace(",", "").replace(" ", "-") / f"seed-{seed}"
            model, runs[label][seed] = _train(row, place, start, seed, settings, callback)
            trained[label][seed] = _measure(place.with_name(f"seed-{seed}.json"), model, row.level, settings, seed)
    results = facts | {"seeds": list(settings.seeds), "code": code_versions(folder), "base": base, "trained": trained, "runs": runs}
    return write_results(folder, results, settings.families, rows)


def _train(row: Row, place: Path, start: Path, seed: int, settings: RowSettings, callback: ProgressCallback) -> tuple[Path, dict[str, Any]]:
    """The model of a row, trained or resumed if it is not finished, and how many responses it learned from and sampled tokens."""
    responses = float(settings.steps * settings.groups_per_step * settings.group_size)
    if row.method == "sft":
        return supervised_model(place, row_config(row, place, start, seed, settings), callback), {"responses": responses}
    file = place.with_name(f"run-{place.name}.json")
    known = read_json(file)
    if known is None:
        train(row_config(row, place, start, seed, settings), callback)
        lines = read_lines(place / "metrics.jsonl")
        known = {"responses": sum(line["rollouts"] for line in lines), "tokens": sum(line["rollout_tokens"] for line in lines)}
        write_json(file, known)
    return trained_model(place), dict(known)


def row_config(row: Row, place: Path, start: Path, seed: int, settings: RowSettings) -> Config:
    """The configuration of a row."""
    if row.method == "rl":
        config = rl_config(place, list(row.on), start, seed, settings)
    else:
        config = changed(
            base_config(place, seed, settings.families),
            {
                "model": str(start),
                "sft.steps": settings.steps,
                "sft.batch_size": settings.groups_per_step * settings.group_size,
                "sft.lr": settings.sft_lr,
                "sft.warmup_steps": 2,
                "checkpoints.every_steps": 5,
            },
        )
    own = {"tasks": [{"names": list(row.on), "levels": [row.level]}]}
    return changed(config, own | dict(row.change))


def _measure(file: Path, model: Path, level: float, settings: RowSettings, seed: int) -> dict[str, Measurement]:
    families = settings.families
    config = base_config(file.parent, seed, families)
    return measured(file, model, config, families.main + families.shifted, level, settings.eval_tasks, 1)
