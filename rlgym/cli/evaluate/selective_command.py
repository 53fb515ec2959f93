"""`rlgym eval selective`: thresholds of certainty from one set of verdicts, tried on another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from rlgym.cli.output import Json, console, path_argument, path_option, print_json, print_table

Place = Annotated[Path, path_argument(help="the folder of a run, or a JSONL file of a verifier's verdicts with score and label")]


def selective(
    calibration: Place,
    shifted: Place,
    target: Annotated[float, typer.Option(help="target accuracy of the admitted verdicts")] = 0.9,
    out: Annotated[Path | None, path_option("--out", "-o", help="write the result as one HTML file")] = None,
    as_json: Json = False,
) -> None:
    """Choose certainty thresholds on one set of verdicts, and report what they admit on another, such as those of a shifted family."""
    from rlgym.dataset.files import write_atomically
    from rlgym.evaluate.comparison.selective import read_verdicts
    from rlgym.evaluate.comparison.selective import selective as selected
    from rlgym.evaluate.report.selective_page import KEPT, render_selective

    results = selected(read_verdicts(calibration), read_verdicts(shifted), target)
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(out, render_selective(results, (calibration.name, shifted.name)).encode("utf-8", "replace"))
    if as_json:
        print_json(results)
        return
    for note in results["notes"]:
        console.print(note, style="yellow", markup=False)
    table = Table("class", "threshold", "side", "coverage", "accuracy", "accuracy of all", "target", box=None)
    for found in results["classes"]:
        for side, place in (("calibration", calibration), ("shifted", shifted)):
            part = found[side]
            shares = [_percent(part["coverage"]), _percent(part["accuracy"]["mean"]), _percent(part["accuracy_of_all"])]
            threshold = "-" if found["threshold"] is None else f"{found['threshold']:.3f}"
            table.add_row(escape(found["class"]), threshold, escape(place.name), *shares, KEPT[part["kept"]])
    print_table(table)
    if out is not None:
        console.print(f"report: {out}", markup=False)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"
