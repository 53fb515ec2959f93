"""The last stage of many recipes: the models of several stages on the same held-out tasks, with pass@k and the spread of single runs.

Each model is measured once and its counts are kept in a file of its own, so that an interrupted comparison repeats no finished model. All models of a
comparison answer the same tasks with the same random numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rlgym.core.intervals import Z_95
from rlgym.dataset.files import write_atomically
from rlgym.evaluate.metrics.pass_at_k import pass_at, powers_of_two
from rlgym.evaluate.report.tables import Cell, bar, percent, text
from rlgym.evaluate.report.tables import table as html_table
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.evaluate import evaluation_episodes, evaluation_worker, wilson_interval
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.rollout.episodes import Episode
from rlgym.train.run import Run
from rlgym.train.study.folder import codes_of, note_code, read_json, versions, write_json
from rlgym.train.study.page import markdown_table, study_page
from rlgym.train.tasks.curriculum import eval_tasks

COMPARISON, TABLE, PAGE, COUNTS = "comparison.json", "comparison.md", "report.html", "models"

Answers: TypeAlias = list[list[bool]]
"""Of one part and label: for each task whether each of its samples is right. Samples without a score for reasons other than the model are left out."""
Array: TypeAlias = "NDArray[np.float64]"


def compare_models(
    config: Config, models: Mapping[str, Path], groups: Mapping[str, Sequence[int]], callback: ProgressCallback
) -> dict[str, float]:
    """Measure the models on the held-out tasks of a configuration, and write comparison.json, comparison.md and report.html in its folder;
    accuracies by model.

    models  the models by the names of their stages; the first is what the others are compared with
    groups  parts of the mixture, by their positions, over which accuracies are also averaged
    """
    folder = Path(config.output_dir)
    callback.on_phase_start("compare", len(models), 0)
    answers: dict[str, list[dict[str, Answers]]] = {}
    for number, (name, model) in enumerate(models.items(), 1):
        counts = folder / COUNTS / f"{name}.json"  # apart from the summary, whose name a stage may have
        known = read_json(counts)
        if known is None:
            note_code(folder / "runs" / name)
            known = _measure(config, model, folder / "runs" / name, callback)
            write_json(counts, known)
        answers[name] = known
        callback.on_step_end("compare", number, {"accuracy": _average([rates for part in known for rates in part.values()])})
    measured = [folder / "runs" / name for name in models]
    found = summarize(answers, groups) | _facts(config) | {"code": codes_of(measured)}
    write_json(folder / COMPARISON, found)
    write_atomically(folder / TABLE, comparison_table(found).encode())
    write_atomically(folder / PAGE, comparison_page(found).encode())
    return {name: row["accuracy"] for name, row in found["models"].items()}


def _facts(config: Config) -> dict[str, Any]:
    """The seed, the tasks and the versions of a comparison."""
    parts = [f"{', '.join(part.environments())} at {part.all_levels()}" for part in config.tasks]
    evaluation = config.evaluation
    settings = {
        "tasks": {str(number): part for number, part in enumerate(parts)},
        "levels": evaluation.levels or "those of the tasks",
        "tasks_per_level": evaluation.tasks_per_level,
        "samples_per_task": evaluation.samples_per_task,
        "temperature": evaluation.temperature,
    }
    return {"seeds": [config.seed], "settings": settings} | versions(name for part in config.tasks for name in part.environments())


def _measure(config: Config, model: Path, folder: Path, callback: ProgressCallback) -> list[dict[str, Answers]]:
    """For each part of the mixture the answers by environment and level."""
    own = config.model.model_copy(update={"path": str(model)})
    run = Run.open(config.model_copy(update={"model": own, "output_dir": str(folder), "pass_rates": None, "sft": None, "steps": 0}))
    evaluation = config.evaluation
    worker = evaluation_worker(run)
    try:
        return [
            answers_by_label(
                evaluation_episodes(
                    worker,
                    eval_tasks([part], evaluation.tasks_per_level, evaluation.levels),
                    evaluation.samples_per_task,
                    config.seed,
                    callback.on_rollout_progress,
                )
            )
            for part in config.tasks
        ]
    finally:
        run.close()


def answers_by_label(episodes: Sequence[Episode]) -> dict[str, Answers]:
    """Which samples of which tasks are right, by environment and level, in the order of the tasks."""
    groups: dict[str, dict[int, list[bool]]] = {}
    for episode in episodes:
        of_task = groups.setdefault(episode.task.label, {}).setdefault(episode.group, [])
        if episode.valid:
            of_task.append(episode.solved)
    if not groups:
        raise TrainError("a comparison needs at least one held-out task: check the tasks of its stage")
    if unscored := [label for label, by_task in groups.items() if not any(by_task.values())]:
        raise TrainError(f"no response to {unscored[0]} has a score, for reasons other than the model: `rlgym doctor` says what is missing")
    return {label: list(by_task.values()) for label, by_task in sorted(groups.items())}


def summarize(answers: Mapping[str, Sequence[Mapping[str, Answers]]], groups: Mapping[str, Sequence[int]]) -> dict[str, Any]:
    """Accuracy, pass@k, the spread of single runs and the change against the first model, for all models; averages weigh labels equally.

    A single run is one sample of every task: its standard deviation says how far two evaluations with one sample each may lie apart.
    """
    first = next(iter(answers))
    parts = range(len(answers[first]))
    chosen = {"all": list(parts)} | {name: list(members) for name, members in groups.items()}
    rows = {}
    for name, found in answers.items():
        cells = [rates for part in found for rates in part.values()]
        rates = _task_rates(cells)
        low, high = wilson_interval(list(rates)) if len(cells) == 1 else _normal(_average(cells), _error(cells))
        rows[name] = {
            "accuracy": _average(cells),
            "low": low,
            "high": high,
            "single_run_sd": single_run_sd(cells),
            "pass_at": pass_at_k(cells),
            "groups": {
                group: {"accuracy": _average(_cells(found, members)), **_change(_cells(found, members), _cells(answers[first], members))}
                for group, members in chosen.items()
            },
        }
    labels = {
        f"{label}" if len(parts) == 1 else f"{part}: {label}": {name: _average([answers[name][part][label]]) for name in answers}
        for part in parts
        for label in answers[first][part]
    }
    return {"first": first, "models": rows, "labels": labels}


def pass_at_k(cells: Sequence[Answers]) -> dict[int, float]:
    """pass@k for powers of two, by the unbiased estimator, over the tasks with as many samples, up to those that every cell has a task of."""
    most = min(max(len(task) for task in cell) for cell in cells)
    return {
        k: float(np.mean([np.mean([pass_at(k, len(task), sum(task)) for task in cell if len(task) >= k]) for cell in cells]))
        for k in powers_of_two(most)
    }


def single_run_sd(cells: Sequence[Answers]) -> float | None:
    """The standard deviation of the accuracy of runs with one sample per task, over the tasks of which every sample has a score; None with a single one."""
    most = max(len(task) for cell in cells for task in cell)
    whole = [kept for cell in cells if (kept := [task for task in cell if len(task) == most])]
    if most < 2:
        return None
    runs = [np.mean([np.mean([task[number] for task in cell]) for cell in whole]) for number in range(most)]
    return float(np.std(runs, ddof=1))


def _cells(found: Sequence[Mapping[str, Answers]], parts: Sequence[int]) -> list[Answers]:
    return [rates for part in parts for rates in found[part].values()]


def _rates(cell: Answers) -> Array:
    """The share of right samples of each task; NaN of a task without a score."""
    return np.array([sum(task) / len(task) if task else np.nan for task in cell])


def _task_rates(cells: Sequence[Answers]) -> Array:
    rates = np.concatenate([_rates(cell) for cell in cells])
    return rates[~np.isnan(rates)]


def _average(cells: Sequence[Answers]) -> float:
    return float(np.mean([np.nanmean(_rates(cell)) for cell in cells]))


def _error(cells: Sequence[Answers], minus: Sequence[Answers] | None = None) -> float:
    """The standard error over tasks of the average, or of a paired difference of averages, over the tasks that both have scores of."""
    rates = [_rates(cell) for cell in cells]
    if minus is not None:
        rates = [mine - _rates(other) for mine, other in zip(rates, minus, strict=True)]
    rates = [values[~np.isnan(values)] for values in rates]
    variances = [values.var(ddof=1) / len(values) if len(values) > 1 else 0.25 for values in rates]
    return math.sqrt(sum(variances)) / len(rates)


def _change(cells: Sequence[Answers], before: Sequence[Answers]) -> dict[str, float]:
    """The change of the average over the tasks that both have scores of, and half the width of its interval."""
    differences = [_rates(mine) - _rates(other) for mine, other in zip(cells, before, strict=True)]
    known = [float(np.nanmean(values)) for values in differences if not np.isnan(values).all()]
    change = sum(known) / len(known) if known else math.nan
    return {"change": change, "half_width": Z_95 * _error(cells, before)}


def _normal(mean: float, error: float) -> tuple[float, float]:
    return max(0.0, mean - Z_95 * error), min(1.0, mean + Z_95 * error)


def comparison_table(found: Mapping[str, Any]) -> str:
    """The comparison as Markdown: pass@k, averages over groups with paired changes, and accuracies by environment and level."""
    models, first = found["models"], found["first"]
    ks = list(models[first]["pass_at"])
    heads = ["model", "accuracy", "95 % interval", "standard deviation of one run", *(f"pass@{k}" for k in ks if int(k) > 1)]
    rows = [
        [
            name,
            f"{row['accuracy']:.3f}",
            f"{row['low']:.3f} to {row['high']:.3f}",
            "-" if row["single_run_sd"] is None else f"{row['single_run_sd']:.3f}",
            *(f"{row['pass_at'][k]:.3f}" if k in row["pass_at"] else "-" for k in ks if int(k) > 1),
        ]
        for name, row in models.items()
    ]
    parts = [markdown_table(heads, rows)]
    groups = list(models[first]["groups"])
    shown = [[name, *(_group_cell(row["groups"][group], name == first) for group in groups)] for name, row in models.items()]
    parts += [f"Accuracies over groups of tasks, with the paired change from `{first}`:", markdown_table(["model", *groups], shown)]
    by_label = [[label, *(f"{value:.3f}" for value in values.values())] for label, values in found["labels"].items()]
    parts.append(markdown_table(["environment and level", *models], by_label))
    return "\n\n".join(parts) + "\n"


def _group_cell(value: Mapping[str, float], is_first: bool) -> str:
    return f"{value['accuracy']:.3f}" + ("" if is_first else f" ({value['change']:+.3f} ± {value['half_width']:.3f})")


def comparison_page(found: Mapping[str, Any]) -> str:
    """The comparison as one self-contained page, with its settings and versions."""
    models, first = found["models"], found["first"]
    ks = [k for k in models[first]["pass_at"] if int(k) > 1]
    groups = list(models[first]["groups"])
    rows = []
    for name, row in models.items():
        estimate = {"mean": row["accuracy"], "low": row["low"], "high": row["high"]}
        rows.append([text(name), bar(estimate), *(percent(row["pass_at"][k]) for k in ks)])
    changes = [
        [text(name), *(Cell(_group_cell(row["groups"][group], name == first), row["groups"][group]["accuracy"]) for group in groups)]
        for name, row in models.items()
    ]
    labels = [[text(label), *(percent(value) for value in values.values())] for label, values in found["labels"].items()]
    sections = [
        ("accuracy", "Accuracy", html_table("accuracies", ("Model", "Accuracy", *(f"pass@{k}" for k in ks)), rows)),
        ("groups", f"Groups of tasks, with the paired change from {first}", html_table("changes", ("Model", *groups), changes)),
        ("tasks", "By environment and level", html_table("labels", ("Environment and level", *models), labels, shown=50)),
    ]
    return study_page("Comparison of the stages", found, sections)
