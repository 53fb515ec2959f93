"""`rlgym eval report` and `rlgym eval compare`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from rlgym.cli.output import Json, console, print_json

Folder = Annotated[Path, typer.Argument(help="the folder of a run")]


def add_to(room: typer.Typer) -> None:
    room.command()(report)
    room.command()(compare)


def report(folder: Folder, as_json: Json = False) -> None:
    """Write results.parquet, summary.json and report.html of a run, of half a one too."""
    import json

    from rlgym.evaluate.journal import JOURNAL
    from rlgym.evaluate.report import SUMMARY, write
    from rlgym.evaluate.results import finish, load

    loaded = finish(folder) if (folder / JOURNAL).exists() else load(folder)
    page = write(folder)
    if as_json:
        print_json({"folder": str(folder), "rows": len(loaded.rows), "expected": loaded.expected, "finished": loaded.finished})
        return
    tell_summary(json.loads((folder / SUMMARY).read_text(encoding="utf-8")))
    half = "" if loaded.finished else f" (the run is not finished: {len(loaded.rows)} of {loaded.expected})"
    console.print(f"{page} tells of {len(loaded.rows)} episodes{half}", markup=False)


def tell_summary(found: Mapping[str, Any]) -> None:
    """The headline numbers of a summary, and accuracy by domain, on the terminal."""
    from rlgym.evaluate.charts.svg import number
    from rlgym.evaluate.report import warnings

    for warning in warnings(found):
        console.print(warning, style="yellow", markup=False)
    several, profile = found["samples"], found["profile"] or {}
    lines = {"accuracy": found["overall"]["accuracy"]}
    if several["most"] > 1:
        lines |= {f"pass@{several['most']}": several["pass"][-1], f"maj@{several['most']}": several["maj"][-1]}
    lines |= {"IQM over environments": profile.get("iqm"), "shift gap": (found["shift"] or {}).get("gap")}
    table = Table("", "", "95 %", box=None, show_header=True)
    for name, estimate in lines.items():
        if estimate and estimate["mean"] is not None:
            table.add_row(name, _share(estimate["mean"]), _interval(estimate), style="bold" if name == "accuracy" else None)
    table.add_row("tokens a sample", number(found["lengths"]["completion_tokens"]["all"]["mean"]), "")
    if found["masked"]["samples"]:
        table.add_row("masked samples", str(found["masked"]["samples"]), "in no other number")
    console.print(table)
    _tell_groups(found["by"]["domain"], "domain")


def _tell_groups(rows: Any, by: str) -> None:
    table = Table(by, "accuracy", "95 %", "tasks", box=None)
    for row in rows:
        estimate = row["accuracy"]
        table.add_row(escape(str(row[by])), _share(estimate["mean"]), _interval(estimate), str(estimate["tasks"]))
    console.print(table)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"


def _interval(estimate: Mapping[str, Any]) -> str:
    return "" if estimate["low"] is None else f"{100 * estimate['low']:.1f} to {100 * estimate['high']:.1f}"


def compare(
    a: Annotated[Path, typer.Argument(help="the folder of a run, such as that of a base model")],
    b: Annotated[Path, typer.Argument(help="the folder of another run of the same suite")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="write the comparison as one HTML file")] = None,
    common: Annotated[bool, typer.Option("--common", help="compare runs of different suites on the tasks that both have")] = False,
    as_json: Json = False,
) -> None:
    """Compare two runs of the same suite, task by task."""
    from rlgym.evaluate.compare import compare as compared
    from rlgym.evaluate.compare import write_comparison

    found = compared(a, b, common)
    page = write_comparison(found, out) if out else None
    if as_json:
        print_json(found.to_dict())
        return
    tell_comparison(found.facts)
    if page:
        console.print(f"{page} shows the rest", markup=False)


def tell_comparison(found: Mapping[str, Any]) -> None:
    """The change overall and by domain, what was gained and lost, on the terminal."""
    from rlgym.evaluate.compare_page import between_ks, chance

    for note in found["notes"]:
        console.print(note, style="yellow", markup=False)
    whole = found["overall"]
    table = Table("", "A", "B", "B minus A", "95 %", "tasks", box=None)
    for name, row in [("all", whole), *((row["domain"], row) for row in found["by"]["domain"])]:
        change, style = row["change"], "bold" if row is whole else None
        interval = "" if change["low"] is None else f"{100 * change['low']:+.1f} to {100 * change['high']:+.1f}"
        sides = [_share(row[side]["mean"]) for side in ("a", "b")]
        table.add_row(escape(str(name)), *sides, f"{100 * change['mean']:+.1f}", interval, str(change["tasks"]), style=style)
    console.print(table)
    console.print(f"{whole['test']}: {chance(whole['p'])}; probability of improvement {_share(found['improvement']['mean'])}", markup=False)
    crossing, solved = found["passes"]["crossover"], found["solved"]
    if found["passes"]["most"] > 1:
        most = found["passes"]["most"]
        said = f"do not cross up to k = {most}"
        if crossing:
            said = f"{crossing['ahead_after'].upper()} catches up at k = {crossing['k']} ({between_ks(crossing, most)})"
        console.print(f"pass@k curves: {said}", markup=False)
    console.print(f"newly solved by B: {solved['expanded']}, lost: {solved['shrunk']}, solved by both: {solved['preserved']}", markup=False)
