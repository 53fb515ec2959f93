"""Runs a study: for every seed one model after SFT, and from it one run of reinforcement learning for each member.

A folder of results holds settings.json (what was compared), a folder for every run, and study.json, table.md and the pictures. Repeating the
command resumes unfinished runs and repeats no finished one, and the same settings give the same tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rlgym.core.errors import RlgymError
from rlgym.dataset.files import write_atomically
from rlgym.evaluate.report.tables import count, text
from rlgym.evaluate.report.tables import table as html_table
from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.loop import train
from rlgym.train.quickstart import MIXTURE, SFT_STEPS, make_initial_model, quickstart_config
from rlgym.train.recipes.recipe import recipe
from rlgym.train.recipes.toy import make_toy_model
from rlgym.train.run import Run
from rlgym.train.sft.train import run_sft
from rlgym.train.study.folder import codes_of, keep_settings, mixed_code, note_code, versions, write_json
from rlgym.train.study.page import estimate_cell, picture, study_page
from rlgym.train.study.plots import plot_study, plot_trade_off
from rlgym.train.study.studies import Change, Study, study
from rlgym.train.study.summary import MAX_SEEDS, summarize, table

GROUPS_PER_STEP, GROUP_SIZE = 12, 8
ONE_THREAD = {"compute.cpu_threads": 1}
"""Sums over several threads depend on their number, and the tables must not."""
TOY_MIXTURE: tuple[dict[str, Any], ...] = ({"names": ["chain_sum"], "levels": [0.0]},)
TOY: dict[str, Any] = {
    "tasks": [dict(part) for part in TOY_MIXTURE],
    "rollout.max_new_tokens": 48,
    "update.lr": 1e-4,
    "update.warmup_steps": 0,
    "scoring.num_workers": 0,
    "checkpoints.every_steps": 1000,
    "compute.cpu_threads": 1,
}
"""What a toy study changes in the configuration of the quickstart."""


@dataclass(frozen=True)
class Settings:
    """How a study is run: what all members share.

    steps        steps of reinforcement learning of every member
    seeds        one model after SFT, and one run of every member, for each
    sft_steps    steps of SFT before them
    eval_tasks   held-out tasks per environment, with two responses each
    toy          a model of two layers on the easiest `chain_sum`, in seconds for each run; `sft_steps` are those of the toy recipes then
    """

    steps: int = 40
    seeds: tuple[int, ...] = (0, 1, 2)
    sft_steps: int = SFT_STEPS
    eval_tasks: int = 60
    toy: bool = False

    def __post_init__(self) -> None:
        if not 1 <= len(set(self.seeds)) == len(self.seeds) <= MAX_SEEDS:
            raise RlgymError(f"a study takes 1 to {MAX_SEEDS} different seeds, got {list(self.seeds)}")
        for name in ("steps", "sft_steps", "eval_tasks"):
            if getattr(self, name) < 1:
                raise RlgymError(f"{name} must be at least 1, got {getattr(self, name)}")


def run_study(name: str, out: str | Path, settings: Settings | None = None, callback: ProgressCallback | None = None) -> dict[str, Any]:
    """Run what is missing of a study in the folder `out`/NAME, and write its results; they are returned as in study.json.

    UnknownName for a study that does not exist; RlgymError where the folder holds the same study with other settings.
    """
    chosen, settings, callback = study(name), settings or Settings(), callback or ProgressCallback()
    folder = Path(out) / name
    facts = describe(name, chosen, settings)
    keep_settings(folder, facts)
    runs: dict[str, dict[int, dict[str, Any]]] = {label: {} for label in chosen.members}
    places: list[Path] = []
    for seed in settings.seeds:
        start = start_model(Path(out) / "start", seed, settings, callback, chosen.toy_recipe)
        places.append(start_folder(Path(out) / "start", seed, settings, chosen.toy_recipe))
        for label, change in chosen.members.items():
            place = folder / _folder_name(label) / f"seed-{seed}"
            runs[label][seed] = _run_member(place, start, seed, change, settings, callback)
            places.append(place)
    summary = summarize(runs, chosen.baseline)
    results = facts | {"code": codes_of(places), "summary": summary, "runs": runs}
    write_json(folder / "study.json", results)
    write_atomically(folder / "table.md", _page(name, chosen, settings, results).encode())
    plot_study(runs, folder / "curves.png")
    plot_trade_off(summary, folder / "trade_off.png")
    report = _report(name, results, introduction(chosen, settings), folder)
    write_atomically(folder / "report.html", report.encode())
    return results


def describe(name: str, chosen: Study, settings: Settings) -> dict[str, Any]:
    """What was compared: members, settings, and the versions of the environments and of the code."""
    mixture = TOY_MIXTURE if settings.toy else MIXTURE
    names = sorted({environment for part in mixture for environment in part["names"]})
    return {
        "study": name,
        "question": chosen.question,
        "members": {label: dict(change) for label, change in chosen.members.items()},
        "settings": asdict(settings) | {"seeds": list(settings.seeds)},
    } | versions(names)


def start_model(folder: Path, seed: int, settings: Settings, callback: ProgressCallback, toy_recipe: str = Study.toy_recipe) -> Path:
    """The model from which all members of a seed start."""
    place = start_folder(folder, seed, settings, toy_recipe)
    if not (place / "finished").exists():
        note_code(place)
    if settings.toy:
        return make_toy_model(recipe(toy_recipe), place, seed, callback)
    return model_after_sft(place, seed, settings.sft_steps, callback)


def start_folder(folder: Path, seed: int, settings: Settings, toy_recipe: str = Study.toy_recipe) -> Path:
    """The folder of that model and its training; all studies below one folder share it."""
    toy = f"toy-seed-{seed}" if toy_recipe == Study.toy_recipe else f"toy-{toy_recipe}-seed-{seed}"
    return folder / (toy if settings.toy else f"seed-{seed}-sft-{settings.sft_steps}")


def model_after_sft(place: Path, seed: int, sft_steps: int, callback: ProgressCallback) -> Path:
    """The model of a seed after SFT, trained if it does not exist yet."""
    model = place / "model"
    if (place / "finished").exists():
        return model
    make_initial_model(place, seed)
    config = changed(quickstart_config(place, seed, 10.0, False), {"sft.steps": sft_steps} | ONE_THREAD)
    run = Run.open(config)
    try:
        callback.on_phase_start("sft", sft_steps, run.step)
        run_sft(run, callback)
        run.save_model(model)
    finally:
        run.close()
    (place / "finished").touch()
    return model


def _run_member(folder: Path, start: Path, seed: int, change: Change, settings: Settings, callback: ProgressCallback) -> dict[str, Any]:
    """The numbers of one run, which is trained or resumed if it is not finished."""
    if not any(line["label"] == "end" for line in read_lines(folder / "evaluations.jsonl")):
        note_code(folder)
        train(member_config(folder, start, seed, change, settings), callback)
    lines = read_lines(folder / "metrics.jsonl")
    before, *_, after = (line["accuracy"]["mean"]["avg"] for line in read_lines(folder / "evaluations.jsonl"))
    return {
        "before": before,
        "after": after,
        "rollouts": sum(line["rollouts"] for line in lines),
        "tokens": sum(line["rollout_tokens"] for line in lines),
        "response_tokens": response_tokens(lines),
        "solve_rate": [line["solve_rate"] for line in lines],
        "reward_gap": [line["reward_gap"] for line in lines],
        "alarm_step": next((line["step"] for line in lines if line["reward_alarm"]), None),
    }


def response_tokens(lines: Sequence[Mapping[str, Any]]) -> float:
    """The mean length of the rollouts in the last quarter of the steps."""
    last = lines[-max(1, len(lines) // 4) :]
    return sum(line["rollout_tokens"] for line in last) / sum(line["rollouts"] for line in last)


def member_config(folder: Path, start: Path, seed: int, change: Change, settings: Settings) -> Config:
    """The configuration of one run: that of the quickstart without SFT, with smaller steps and the changes of the member."""
    shared = {
        "model": str(start),
        "output_dir": str(folder),
        "sft": None,
        "steps": settings.steps,
        "rollout.groups_per_step": GROUPS_PER_STEP,
        "rollout.group_size": GROUP_SIZE,
        "rollout.engine_options": {"max_num_seqs": GROUPS_PER_STEP * GROUP_SIZE},
        "update.lr_schedule": "constant",
        "evaluation.every_steps": 0,
        "evaluation.tasks_per_level": settings.eval_tasks,
        "log.transcripts_per_step": 0,
    } | ONE_THREAD
    if settings.toy:
        shared |= TOY
    return changed(quickstart_config(folder, seed, 10.0, False), shared | dict(change))


def changed(config: Config, change: Change) -> Config:
    """A configuration with other values of some fields, by their dotted names."""
    data = config.model_dump(mode="json")
    for name, value in change.items():
        *sections, last = name.split(".")
        part = data
        for section in sections:
            part = part[section]
        part[last] = value
    return Config.from_dict(data)


def _folder_name(label: str) -> str:
    return label.replace(",", "").replace(" ", "-")


def introduction(chosen: Study, settings: Settings) -> str:
    """What the table of a study shows, in a paragraph."""
    seeds: Sequence[int] = settings.seeds
    what = f"{len(seeds)} seeds, mean and 95 % t interval over seeds" if len(seeds) > 1 else "one seed, so no interval"
    return (
        f"Held-out accuracy before and after {settings.steps} steps of {GROUPS_PER_STEP} tasks with {GROUP_SIZE} rollouts each, {what}. "
        f"The baseline is `{chosen.baseline}`; differences from it are of the same seeds, which share the model after SFT. "
        f"Rollouts and tokens are those sampled in training."
        + (
            f" The model has two layers, and its tasks are those of `chain_sum` at {_toy_levels(chosen)} (the toy size)."
            if settings.toy
            else ""
        )
    )


def _toy_levels(chosen: Study) -> str:
    """The levels on which a toy study is measured, in words."""
    levels = next(iter(chosen.members.values())).get("evaluation.levels", [0])
    return f"level{'s' * (len(levels) > 1)} {', '.join(f'{level:g}' for level in levels)}"


def _page(name: str, chosen: Study, settings: Settings, results: dict[str, Any]) -> str:
    head = "\n\n".join([introduction(chosen, settings), *mixed_code(results["code"])])
    pictures = "![Solve rates](curves.png)\n\n![Accuracy and length](trade_off.png)\n"
    return f"# {name}\n\n{chosen.question}\n\n{head}\n\n{table(results['summary'])}\n\n{pictures}"


def _report(name: str, results: dict[str, Any], head: str, folder: Path) -> str:
    """The self-contained page of a study."""
    gains = [("before", False), ("after", False), ("gain", True), ("difference", True)]
    rows = [
        [
            text(label),
            *(estimate_cell(row.get(part), sign) for part, sign in gains),
            count(row["rollouts"]),
            count(row["tokens"]),
            estimate_cell(row["response_tokens"], sign=False),
        ]
        for label, row in results["summary"].items()
    ]
    heads = ("member", "before", "after", "gain", "after, minus the baseline", "rollouts", "tokens", "length at the end")
    body = f"<p>{head.replace('`', '')}</p>{html_table('members', heads, rows)}"
    image = picture((folder / "curves.png").read_bytes(), "solve rate in training by step")
    trade_off = picture((folder / "trade_off.png").read_bytes(), "held-out accuracy over the tokens of a response")
    facts = results | {"seeds": results["settings"]["seeds"]}
    sections = [("table", "Accuracy", body), ("curves", "Solve rates in training", image), ("lengths", "Accuracy and length", trade_off)]
    return study_page(f"{name}: {results['question']}", facts, sections)
