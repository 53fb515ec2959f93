"""Compares two runs over the same tasks: what changed, and whether the change is significant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rlgym.evaluate.comparison.accuracy import crossed, grouped, improvement, overall
from rlgym.evaluate.comparison.pairs import Pairs, pair
from rlgym.evaluate.comparison.solved import buckets, compression, curves, solved_sets
from rlgym.evaluate.metrics.bootstrap import DRAWS, SEED, Resampling, describe_intervals
from rlgym.evaluate.metrics.task_table import rows_as_dicts


@dataclass(frozen=True)
class Comparison:
    """B compared with A. `facts` are JSON-able. All numbers cover the shared tasks of the main split, or of the shift split if there is no other."""

    facts: Mapping[str, Any]

    @property
    def change(self) -> float:
        """The accuracy of B minus that of A."""
        return float(self.facts["overall"]["change"]["mean"])

    @property
    def notes(self) -> list[str]:
        """What was excluded, and other differences between the runs."""
        return list(self.facts["notes"])

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON-able data."""
        return dict(self.facts)


def compare(a_folder: str | Path, b_folder: str | Path, common: bool = False) -> Comparison:
    """Compare the runs in two folders. Raises SuitesDiffer if their suites differ, unless `common` restricts the comparison to common tasks."""
    from rlgym.evaluate.episodes.results import load

    a, b = load(a_folder), load(b_folder)
    return compare_rows((a.rows, a.checked_info), (b.rows, b.checked_info), common)


def compare_rows(
    a: tuple[Any, Mapping[str, Any]], b: tuple[Any, Mapping[str, Any]], common: bool = False, draws: int = DRAWS, seed: int = SEED
) -> Comparison:
    """Compare two runs, each given as its rows and its run.json."""
    all_pairs = pair((rows_as_dicts(a[0]), a[1]), (rows_as_dicts(b[0]), b[1]), common)
    main = all_pairs.subset(all_pairs.a.split != "shift")
    pairs, split = (main, "main") if len(main) else (all_pairs, "shift")
    shifted = all_pairs.subset(all_pairs.a.split == "shift")
    resampling = Resampling.of(pairs.a, draws, seed)
    facts = {
        "format": 1,
        "a": dict(a[1]),
        "b": dict(b[1]),
        "tasks": len(pairs),
        "split": split,
        "notes": list(all_pairs.notes),
        "intervals": describe_intervals(pairs.a, resampling),
        "overall": overall(pairs, resampling),
        "improvement": improvement(pairs, resampling),
        "by": {name: grouped(pairs, resampling, name) for name in ("environment", "domain", "level")},
        "environment_level": crossed(pairs, resampling, "environment"),
        "shift": _shift_comparison(shifted, draws, seed) if len(main) and len(shifted) else None,
        "pass_at_k": curves(pairs, resampling),
        "solved": solved_sets(pairs),
        "compression": compression(pairs),
        "buckets": buckets(pairs, draws, seed),
    }
    return Comparison(facts)


def _shift_comparison(pairs: Pairs, draws: int, seed: int) -> dict[str, Any]:
    return overall(pairs, Resampling.of(pairs.a, draws, seed))


def compare_report(a_folder: str | Path, b_folder: str | Path, out: str | Path, common: bool = False) -> Path:
    """Write the comparison of two runs as one self-contained HTML file."""
    from rlgym.evaluate.episodes.results import load

    a, b = load(a_folder), load(b_folder)
    comparison = compare_rows((a.rows, a.checked_info), (b.rows, b.checked_info), common)
    return write_comparison(comparison, out)


def write_comparison(comparison: Comparison, out: str | Path) -> Path:
    """Write a comparison as one self-contained HTML file."""
    from rlgym.dataset.files import write_atomically
    from rlgym.evaluate.report.comparison_page import render_comparison

    path = Path(out)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, render_comparison(comparison.facts).encode("utf-8", "replace"))
    return path
