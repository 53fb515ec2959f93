"""Both sides in turns, a step of one and a step of the other, so that whatever else the machine does slows both alike."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rlgym.train.bench.setting import Setting, Work, configuration, make_folder, picks
from rlgym.train.bench.theirs import Theirs, installed


def compare(setting: Setting, tell: Callable[[int, int], None] | None = None) -> dict[str, Any]:
    """Seconds per step of ours and of TRL's, by phase, and their ratio step by step. Raises PackageMissing without TRL."""
    version = installed()
    import torch

    before = torch.get_num_threads()
    if setting.threads:
        torch.set_num_threads(setting.threads)
    try:
        with tempfile.TemporaryDirectory(prefix="rlgym-bench-") as folder:
            pairs = alternate(setting, Path(folder), tell)
        return {"trl": version, "threads": torch.get_num_threads(), "setting": asdict(setting), **summary(pairs)}
    finally:
        torch.set_num_threads(before)


def alternate(setting: Setting, folder: Path, tell: Callable[[int, int], None] | None = None) -> list[tuple[Work, Work]]:
    """The steps of both that are measured, in pairs."""
    from rlgym.train.bench.ours import Ours, longest_prompt
    from rlgym.train.scoring import Rules

    make_folder(setting, folder)
    probe = configuration(setting, folder, 1)
    theirs = Theirs(setting, folder, picks(probe), Rules(probe.seed, probe.held_out, probe.rollout.style))
    ours = Ours(setting, folder, longest_prompt(setting, folder))
    pairs: list[tuple[Work, Work]] = []

    def turn(work: Work) -> None:
        pairs.append((ours.step(), work))
        if tell:
            tell(len(pairs), setting.steps + setting.unmeasured)

    try:
        theirs.run(turn)
    finally:
        ours.close()
    return pairs[setting.unmeasured :]


def summary(pairs: Sequence[tuple[Work, Work]]) -> dict[str, Any]:
    """Medians of both sides, and the median, least and most of the ratios of theirs to ours."""
    ratios = sorted(theirs.seconds / ours.seconds for ours, theirs in pairs)
    middle = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else [ratios[0]] * 3
    return {
        "ours": _side([ours for ours, _ in pairs]),
        "theirs": _side([theirs for _, theirs in pairs]),
        "ratio": round(statistics.median(ratios), 3),
        "ratio_quartiles": [round(middle[0], 3), round(middle[2], 3)],
        "ratio_range": [round(ratios[0], 3), round(ratios[-1], 3)],
    }


def _side(steps: Sequence[Work]) -> dict[str, Any]:
    seconds = statistics.median(work.seconds for work in steps)
    return {
        "seconds": round(seconds, 5),
        "parts": {name: round(statistics.median(work.parts[name] for work in steps), 5) for name in steps[0].parts},
        "sampled": [work.sampled for work in steps],
        "trained": [work.trained for work in steps],
        "read": [work.read for work in steps],
        "tokens_per_s": round(statistics.median(work.sampled / work.seconds for work in steps), 1),
    }
