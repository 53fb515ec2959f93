"""Parts 3 and 4: a whole step of reinforcement learning by phase, and the same step by TRL in the same run."""

from __future__ import annotations

import statistics
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import Place, Row, Skip
from models import folder, settings

from rlgym.train.bench.workload import Workload


def _largest(place: Place) -> tuple[str, Workload]:
    return list(settings(place).items())[-1]


def step(place: Place) -> list[Row]:
    """Our own step, by phase."""
    from rlgym.train.bench.rlgym_side import RlgymSide, longest_prompt

    name, setting = _largest(place)
    model_folder = folder(place, name, setting)
    with TemporaryDirectory(dir=place.folder) as runs:
        ours = RlgymSide(setting, model_folder, longest_prompt(setting, model_folder), out=Path(runs) / "run")
        try:
            stats = [ours.step() for _ in range(setting.steps + setting.warmup_steps)][setting.warmup_steps :]
        finally:
            ours.close()
    total = statistics.median(step.seconds for step in stats)
    out = [Row("step", f"{name}, whole", total, "s", f"{stats[0].sampled:,} tokens sampled", None)]
    for phase in stats[0].parts:
        phase_seconds = statistics.median(step.parts[phase] for step in stats)
        out.append(Row("step", f"{name}, {phase}", phase_seconds, "s", "of the step", phase_seconds / total))
    return out


def compare_with_trl(place: Place) -> list[Row]:
    """TRL's step and ours in turns: seconds of TRL over seconds of ours."""
    from rlgym.core.errors import PackageMissing
    from rlgym.train.bench.compare import compare

    name, setting = _largest(place)
    try:
        report = compare(replace(setting, warmup_steps=1))
    except PackageMissing as missing:
        raise Skip(str(missing)) from None
    parts = [
        Row("compared with TRL", f"{name}, {phase}", report["trl"]["parts"][phase] / max(seconds, 1e-9), "times", f"ours {seconds:.2f} s")
        for phase, seconds in report["rlgym"]["parts"].items()
        if phase in report["trl"]["parts"]
    ]
    low, high = report["ratio_range"]
    total = Row(
        "compared with TRL",
        f"{name}, whole step",
        report["ratio"],
        "times",
        f"{low:.2f} to {high:.2f}, TRL {report['trl_version']}",
        None,
        ">= 2",
    )
    return [*parts, total]
