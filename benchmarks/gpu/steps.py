"""Parts 3 and 4: a whole step of reinforcement learning by phase, and the same step by TRL in the same run."""

from __future__ import annotations

import statistics
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import Place, Row, Skip
from models import folder, settings

from rlgym.train.bench.setting import Setting


def _largest(place: Place) -> tuple[str, Setting]:
    return list(settings(place).items())[-1]


def step(place: Place) -> list[Row]:
    """Our own step, by phase."""
    from rlgym.train.bench.ours import Ours, longest_prompt

    name, setting = _largest(place)
    made = folder(place, name, setting)
    with TemporaryDirectory(dir=place.folder) as runs:
        ours = Ours(setting, made, longest_prompt(setting, made), out=Path(runs) / "run")
        try:
            works = [ours.step() for _ in range(setting.steps + setting.unmeasured)][setting.unmeasured :]
        finally:
            ours.close()
    whole = statistics.median(work.seconds for work in works)
    out = [Row("step", f"{name}, whole", whole, "s", f"{works[0].sampled:,} tokens sampled", None)]
    for phase in works[0].parts:
        taken = statistics.median(work.parts[phase] for work in works)
        out.append(Row("step", f"{name}, {phase}", taken, "s", "of the step", taken / whole))
    return out


def beside_trl(place: Place) -> list[Row]:
    """TRL's step and ours in turns: seconds of TRL over seconds of ours."""
    from rlgym.core.errors import PackageMissing
    from rlgym.train.bench.beside import compare

    name, setting = _largest(place)
    try:
        report = compare(replace(setting, unmeasured=1))
    except PackageMissing as missing:
        raise Skip(str(missing)) from None
    parts = [
        Row("beside TRL", f"{name}, {phase}", report["theirs"]["parts"][phase] / max(seconds, 1e-9), "times", f"ours {seconds:.2f} s")
        for phase, seconds in report["ours"]["parts"].items()
        if phase in report["theirs"]["parts"]
    ]
    low, high = report["ratio_range"]
    whole = Row(
        "beside TRL", f"{name}, whole step", report["ratio"], "times", f"{low:.2f} to {high:.2f}, TRL {report['trl']}", None, ">= 2"
    )
    return [*parts, whole]
