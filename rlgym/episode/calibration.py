"""Difficulty as a model sees it: the level at which it is expected to solve a given share of an environment's tasks.

`rlgym calibrate --model M` fits a table of curves and writes it to calibrations/M.json.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rlgym.core.config import knob_position
from rlgym.core.errors import KnobError, RowError, suggestion
from rlgym.core.paths import local_path
from rlgym.registry import environment

FORMAT = 1
GRID = 200
"""Levels that are compared where knobs are set by name."""
FOLDER = Path("calibrations")
"""Where tables are looked up by the name of the model, in the working directory."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A fitted curve: the logit of the solve rate is `intercept` - `slope` * level - the sum of `knobs[k]` * shift_k.

    tasks, samples  what it was fitted to
    low, high       the levels between which there were tasks
    version         of the environment
    knobs           how much harder each knob makes a task that is set apart from the level, where such tasks were recorded; its shift is the
                    distance of its value from that of the level, as a share of the knob's range
    """

    intercept: float
    slope: float
    tasks: int
    samples: int
    low: float
    high: float
    version: int
    knobs: dict[str, float] = field(default_factory=dict)

    def rate(self, level: float, shifts: Mapping[str, float] | None = None) -> float:
        """The expected solve rate at a level, with knobs that are set apart from it; those without a figure do not count."""
        return sigmoid(self.intercept - self.slope * level - sum(self.knobs.get(name, 0.0) * by for name, by in (shifts or {}).items()))

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

    def level_beside(self, env: str, target: float, knobs: Mapping[str, Any]) -> float:
        """The same where these knobs are set by name, whatever the level: the level of the others whose expected solve rate is nearest."""
        level, curve = self.level(env, target), self.curves[env]
        if not any(name in curve.knobs for name in knobs):
            return level
        levels = [place / GRID for place in range(GRID + 1)]
        return min(levels, key=lambda each: (abs(curve.rate(each, shifts(env, each, knobs)) - target), each))

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


def shifts(env: str, level: float, knobs: Mapping[str, Any]) -> dict[str, float]:
    """How far knobs are from their values at a level, as shares of their ranges; knobs with the level's own value are left out."""
    config = environment(env).config
    own, given = config.at(level), config.at(level, **knobs)
    found = {
        name: knob_position(given, name) - knob_position(own, name) for name in config.knobs() if getattr(given, name) != getattr(own, name)
    }
    return {name: by for name, by in found.items() if abs(by) > 1e-9}


def level_for(env: str, target: float, calibration: str | Path, knobs: Mapping[str, Any] | None = None) -> float:
    """The level at which a model solves `target` of an environment's tasks by its table, a file or the name of the model.

    `knobs` are set by name: their part in the solve rate counts where the table knows it.

    KnobError if the table has no curve for the environment, or one of another version.
    """
    table = read_calibration(calibration_file(str(calibration)))
    level = table.level_beside(env, target, knobs or {})
    if (version := environment(env).version) != table.curves[env].version:
        raise KnobError(
            f"the curve of {env!r} is of version {table.curves[env].version}, and the environment has version {version}: calibrate again"
        )
    return level


def sigmoid(x: float) -> float:
    """The logistic function."""
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))
