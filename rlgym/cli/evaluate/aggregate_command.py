"""`rlgym eval aggregate`: several methods, each with a run for every training seed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from rlgym.cli.output import Json, console, path_option, print_json, print_table


def aggregate(
    run: Annotated[list[str], typer.Option(help="METHOD=FOLDER, the folder of a run of a method; repeat it for every training seed")],
    out: Annotated[Path | None, path_option("--out", "-o", help="write the aggregates as one HTML file")] = None,
    common: Annotated[bool, typer.Option("--common", help="aggregate runs of different suites over their common tasks")] = False,
    as_json: Json = False,
) -> None:
    """Compare methods with several runs each, with intervals over training seeds and tasks together."""
    from rlgym.dataset.files import write_atomically
    from rlgym.evaluate.comparison.aggregate import aggregate as aggregated
    from rlgym.evaluate.report.aggregate_page import render_aggregate

    results = aggregated(_methods(run), common)
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(out, render_aggregate(results).encode("utf-8", "replace"))
    if as_json:
        print_json(results)
        return
    for note in results["notes"]:
        console.print(note, style="yellow", markup=False)
    table = Table("rank", "method", "mean", "95 %", "IQM", "95 %", "optimality gap", "runs", box=None)
    for row in sorted(results["methods"], key=lambda row: (row["rank"] is None, row["rank"] or 0, -row["mean"]["mean"])):
        shares = [part for name in ("mean", "iqm") for part in (_percent(row[name]["mean"]), _interval(row[name]))]
        rank = "-" if row["rank"] is None else str(row["rank"])
        table.add_row(rank, escape(row["method"]), *shares, _percent(row["optimality_gap"]["mean"]), str(len(row["runs"])))
    print_table(table)
    for row in results["improvement"]:
        console.print(f"{row['method']} over {row['than']}: {_percent(row['mean'])} ({_interval(row) or 'no interval'})", markup=False)
    console.print(f"tasks: {results['tasks']}, environments: {results['environments']}", markup=False)
    if out is not None:
        console.print(f"aggregate: {out}", markup=False)


def _methods(given: list[str]) -> dict[str, list[Any]]:
    from rlgym.core.errors import RlgymError
    from rlgym.evaluate.episodes.results import load

    methods: dict[str, list[Any]] = {}
    folders: set[Path] = set()
    for text in given:
        name, equals, folder = text.partition("=")
        if not (name.strip() and equals and folder.strip()):
            raise RlgymError(f"--run takes METHOD=FOLDER, got {text!r}")
        place = Path(folder.strip()).resolve()
        if place in folders:
            raise RlgymError(f"the run {folder.strip()!r} is given twice: a run counts once")
        folders.add(place)
        loaded = load(place)
        methods.setdefault(name.strip(), []).append((loaded.rows, loaded.checked_info))
    return methods


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _interval(estimate: Mapping[str, Any]) -> str:
    return "" if estimate["low"] is None else f"{100 * estimate['low']:.1f} to {100 * estimate['high']:.1f}"
