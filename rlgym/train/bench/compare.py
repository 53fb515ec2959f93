"""Runs both trainers in turns, one step of each at a time, so that other load on the machine slows both equally."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rlgym.train.bench.trl_side import TrlSide, trl_version
from rlgym.train.bench.workload import StepStats, Workload, make_config, make_folder, step_tasks


def compare(workload: Workload, on_progress: Callable[[int, int], None] | None = None) -> dict[str, Any]:
    """Seconds per step of ours and of TRL's, by phase, and their ratio step by step. Raises PackageMissing without TRL."""
    version = trl_version()
    import torch

    threads_before = torch.get_num_threads()
    if workload.cpu_threads:
        torch.set_num_threads(workload.cpu_threads)
    try:
        with tempfile.TemporaryDirectory(prefix="rlgym-bench-") as folder:
            pairs = alternate(workload, Path(folder), on_progress)
        return {"trl_version": version, "cpu_threads": torch.get_num_threads(), "workload": asdict(workload), **summary(pairs)}
    finally:
        torch.set_num_threads(threads_before)


def alternate(workload: Workload, folder: Path, on_progress: Callable[[int, int], None] | None = None) -> list[tuple[StepStats, StepStats]]:
    """The measured steps of both trainers, in pairs."""
    from rlgym.train.bench.rlgym_side import RlgymSide, longest_prompt
    from rlgym.train.tasks.spec import TaskSettings

    make_folder(workload, folder)
    probe = make_config(workload, folder, 1)
    settings = TaskSettings(probe.seed, probe.held_out_fraction, probe.rollout.answer_style)
    trl = TrlSide(workload, folder, step_tasks(probe), settings)
    rlgym = RlgymSide(workload, folder, longest_prompt(workload, folder))
    pairs: list[tuple[StepStats, StepStats]] = []

    def after_step(stats: StepStats) -> None:
        pairs.append((rlgym.step(), stats))
        if on_progress:
            on_progress(len(pairs), workload.steps + workload.warmup_steps)

    try:
        trl.run(after_step)
    finally:
        rlgym.close()
    return pairs[workload.warmup_steps :]


def summary(pairs: Sequence[tuple[StepStats, StepStats]]) -> dict[str, Any]:
    """Medians of both trainers, and the median, quartiles and range of the ratios of TRL's seconds to ours."""
    ratios = sorted(trl.seconds / rlgym.seconds for rlgym, trl in pairs)
    quartiles = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else [ratios[0]] * 3
    return {
        "rlgym": _side_summary([rlgym for rlgym, _ in pairs]),
        "trl": _side_summary([trl for _, trl in pairs]),
        "ratio": round(statistics.median(ratios), 3),
        "ratio_quartiles": [round(quartiles[0], 3), round(quartiles[2], 3)],
        "ratio_range": [round(ratios[0], 3), round(ratios[-1], 3)],
    }


def _side_summary(steps: Sequence[StepStats]) -> dict[str, Any]:
    seconds = statistics.median(stats.seconds for stats in steps)
    return {
        "seconds": round(seconds, 5),
        "parts": {name: round(statistics.median(stats.parts[name] for stats in steps), 5) for name in steps[0].parts},
        "sampled": [stats.sampled for stats in steps],
        "trained": [stats.trained for stats in steps],
        "read": [stats.read for stats in steps],
        "tokens_per_s": round(statistics.median(stats.sampled / stats.seconds for stats in steps), 1),
    }
