"""Two runs of the same tasks beside each other: what changed, and whether it could be chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rlgym.evaluate.comparing.changes import crossed, grouped, improvement, overall
from rlgym.evaluate.comparing.pairs import Pairs, pair
from rlgym.evaluate.comparing.support import buckets, compression, curves, solved_sets
from rlgym.evaluate.metrics.bootstrap import DRAWS, SEED, Resampling, described
from rlgym.evaluate.metrics.tasks import as_rows


@dataclass(frozen=True)
class Comparison:
    """B beside A. `facts` are JSON-able; all numbers are of the shared tasks of the main split, or of the shift split where there is no other."""

    facts: Mapping[str, Any]

    @property
    def change(self) -> float:
        """The accuracy of B less that of A."""
        return float(self.facts["overall"]["change"]["mean"])

    @property
    def notes(self) -> list[str]:
        """What was left out, and what else differs between the runs."""
        return list(self.facts["notes"])

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON-able data."""
        return dict(self.facts)


def compare(a_folder: str | Path, b_folder: str | Path, common: bool = False) -> Comparison:
    """Compare the runs in two folders. SuitesDiffer where they were asked different tasks, unless only the `common` ones shall count."""
    from rlgym.evaluate.results import load

    a, b = load(a_folder), load(b_folder)
    return compare_rows((a.rows, a.info), (b.rows, b.info), common)


def compare_rows(
    a: tuple[Any, Mapping[str, Any]], b: tuple[Any, Mapping[str, Any]], common: bool = False, draws: int = DRAWS, seed: int = SEED
) -> Comparison:
    """Compare two runs, each given as its rows and its run.json."""
    everything = pair((as_rows(a[0]), a[1]), (as_rows(b[0]), b[1]), common)
    main = everything.of(everything.a.split != "shift")
    pairs, split = (main, "main") if len(main) else (everything, "shift")
    shifted = everything.of(everything.a.split == "shift")
    resampling = Resampling.of(pairs.a, draws, seed)
    facts = {
        "format": 1,
        "a": dict(a[1]),
        "b": dict(b[1]),
        "tasks": len(pairs),
        "split": split,
        "notes": list(everything.notes),
        "intervals": described(pairs.a, resampling),
        "overall": overall(pairs, resampling),
        "improvement": improvement(pairs, resampling),
        "by": {name: grouped(pairs, resampling, name) for name in ("environment", "domain", "level")},
        "environment_level": crossed(pairs, resampling, "environment"),
        "shift": _shifted(shifted, draws, seed) if len(main) and len(shifted) else None,
        "passes": curves(pairs, resampling),
        "solved": solved_sets(pairs),
        "compression": compression(pairs),
        "buckets": buckets(pairs, draws, seed),
    }
    return Comparison(facts)


def _shifted(pairs: Pairs, draws: int, seed: int) -> dict[str, Any]:
    return overall(pairs, Resampling.of(pairs.a, draws, seed))


def compare_report(a_folder: str | Path, b_folder: str | Path, out: str | Path, common: bool = False) -> Path:
    """Write the comparison of two runs as one self-contained HTML file."""
    from rlgym.evaluate.results import load

    a, b = load(a_folder), load(b_folder)
    found = compare_rows((a.rows, a.info), (b.rows, b.info), common)
    return write_comparison(found, out)


def write_comparison(found: Comparison, out: str | Path) -> Path:
    """Write a comparison as one self-contained HTML file."""
    from rlgym.dataset.files import write_whole
    from rlgym.evaluate.compare_page import html_comparison

    place = Path(out)
    place.parent.mkdir(parents=True, exist_ok=True)
    write_whole(place, html_comparison(found.facts).encode("utf-8", "replace"))
    return place
