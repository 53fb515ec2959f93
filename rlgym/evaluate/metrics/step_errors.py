"""How well first wrong steps are found: the F1 of ProcessBench, the harmonic mean of the accuracies on wrong and on sound solutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def step_error_metrics(pairs: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """The metrics of pairs of the true and the stated first wrong step, -1 for a sound solution.

    error_accuracy  the share of solutions with a wrong step whose first one is named; None without such solutions
    sound_accuracy  the share of sound solutions that are called sound; None without such solutions
    f1              2 error sound / (error + sound) of these accuracies; None where one of them is
    """
    wrong = [true == said for true, said in pairs if true >= 0]
    sound = [true == said for true, said in pairs if true < 0]
    error, faultless = (sum(part) / len(part) if part else None for part in (wrong, sound))
    f1 = None if error is None or faultless is None else 2 * error * faultless / (error + faultless) if error + faultless else 0.0
    return {"solutions": len(pairs), "error_accuracy": error, "sound_accuracy": faultless, "f1": f1}
