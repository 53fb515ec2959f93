"""Difficulty as a model sees it: the level at which it is expected to solve a given share of an environment's tasks.

`rlgym calibrate --model M` fits a table of curves and writes it to calibrations/M.json.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from rlgym.core.errors import KnobError, RowError, suggestion
from rlgym.core.paths import local_path
from rlgym.registry import environment

FORMAT = 1
FOLDER = Path("calibrations")
"""Where tables are looked up by the name of the model, in the working directory."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A fitted curve: the logit of the solve rate is `intercept` - `slope` * level.

    tasks, samples  what it was fitted to
    low, high       the levels between which there were tasks
    version         of the environment
    """

    intercept: float
    slope: float
    tasks: int
    samples: int
    low: float
    high: float
    version: int

    def rate(self, level: float) -> float:
        """The expected solve rate at a level."""
        return sigmoid(self.intercept - self.slope * level)

    def level(self, target: float) -> float:
        """The level whose expected solve rate is nearest to `target`, among the levels from 0 to 1."""
        if not 0 < target < 1:
            raise KnobError(f"target must be between 0 and 1, got {target!r}")
        if self.slope < 1e-9:
            return 0.5
        return min(1.0, max(0.0, (self.intercept - math.log(target / (1 - target))) / self.slope))


@dataclass(frozen=True, slots=True)
class Calibration:
    """The curves of one model, by environment."""

    model: str
    curves: dict[str, Curve]

    def level(self, env: str, target: float) -> float:
        """The level at which the model is expected to solve `target` of the tasks of an environment."""
        if env not in self.curves:
            raise KnobError(f"the calibration of {self.model!r} has no curve for {env!r}.{suggestion(env, self.curves)}")
        return self.curves[env].level(target)

    def write(self, file: str | Path) -> None:
        """Write the table as JSON."""
        facts = {"format": FORMAT, "model": self.model, "curves": {env: asdict(curve) for env, curve in sorted(self.curves.items())}}
        path = local_path(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def read_calibration(file: str | Path) -> Calibration:
    """The table in a file."""
    try:
        facts = json.loads(local_path(file).read_text(encoding="utf-8"))
        if facts["format"] != FORMAT:
            raise RowError(f"{str(file)!r} must have format {FORMAT}, got {facts['format']!r}")
        return Calibration(facts["model"], {env: Curve(**curve) for env, curve in facts["curves"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RowError(f"{str(file)!r} is not a calibration: {error}") from None


def calibration_file(model: str) -> Path:
    """The file of a model's table: the file itself if one is named, else calibrations/MODEL.json."""
    path = local_path(model)
    return path if path.suffix == ".json" else FOLDER / f"{re.sub(r'[^A-Za-z0-9_.-]', '_', model)}.json"


def level_for(env: str, target: float, calibration: str | Path) -> float:
    """The level at which a model solves `target` of an environment's tasks by its table, a file or the name of the model.

    KnobError if the table has no curve for the environment, or one of another version.
    """
    table = read_calibration(calibration_file(str(calibration)))
    level = table.level(env, target)
    if (version := environment(env).version) != table.curves[env].version:
        raise KnobError(
            f"the curve of {env!r} is of version {table.curves[env].version}, and the environment has version {version}: calibrate again"
        )
    return level


def sigmoid(x: float) -> float:
    """The logistic function."""
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))
