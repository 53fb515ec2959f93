"""`rlgym eval report` and `rlgym eval compare`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from rlgym.cli.output import Json, console, path_argument, path_option, percent, print_json, print_table

Folder = Annotated[Path, path_argument(help="the folder of a run")]


def report(folder: Folder, as_json: Json = False) -> None:
    """Write results.parquet, summary.json and report.html of a finished or unfinished run."""
    import json

    from rlgym.evaluate.episodes.episode_log import EPISODE_LOG
    from rlgym.evaluate.episodes.results import load, write_results
    from rlgym.evaluate.report.html_report import SUMMARY, write_report

    loaded = write_results(folder) if (folder / EPISODE_LOG).exists() else load(folder)
    page = write_report(folder)
    if as_json:
        print_json({"folder": str(folder), "rows": len(loaded.rows), "expected": loaded.expected, "finished": loaded.finished})
        return
    print_summary(json.loads((folder / SUMMARY).read_text(encoding="utf-8")))
    partial = "" if loaded.finished else f" (unfinished: {len(loaded.rows)} of {loaded.expected})"
    console.print(f"report: {page}, {len(loaded.rows)} episodes{partial}", markup=False)


def print_summary(summary: Mapping[str, Any]) -> None:
    """Print the headline numbers of a summary and the accuracy by domain."""
    from rlgym.evaluate.report.charts.svg import number
    from rlgym.evaluate.report.html_report import warnings

    for warning in warnings(summary):
        console.print(warning, style="yellow", markup=False)
    several, profile = summary["samples"], summary["profile"] or {}
    lines = {"accuracy": summary["overall"]["accuracy"]}
    if several["most"] > 1:
        lines |= {f"pass@{several['most']}": several["pass"][-1], f"maj@{several['most']}": several["maj"][-1]}
    lines |= {"IQM over environments": profile.get("iqm"), "shift gap": (summary["shift"] or {}).get("gap")}
    table = Table("", "", "95 %", box=None, show_header=True)
    for name, estimate in lines.items():
        if estimate and estimate["mean"] is not None:
            table.add_row(name, percent(estimate["mean"]), _interval(estimate), style="bold" if name == "accuracy" else None)
    table.add_row("tokens per sample", number(summary["lengths"]["completion_tokens"]["all"]["mean"]), "")
    if summary["masked"]["samples"]:
        table.add_row("masked samples", str(summary["masked"]["samples"]), "excluded above")
    print_table(table)
    _print_groups(summary["by"]["domain"], "domain")


def _print_groups(rows: Any, by: str) -> None:
    table = Table(by, "accuracy", "95 %", "tasks", box=None)
    for row in rows:
        estimate = row["accuracy"]
        table.add_row(escape(str(row[by])), percent(estimate["mean"]), _interval(estimate), str(estimate["tasks"]))
    print_table(table)


def _interval(estimate: Mapping[str, Any]) -> str:
    return "" if estimate["low"] is None else f"{100 * estimate['low']:.1f} to {100 * estimate['high']:.1f}"


def compare(
    a: Annotated[Path, path_argument(help="the folder of a run, for example of the base model")],
    b: Annotated[Path, path_argument(help="the folder of another run of the same suite")],
    out: Annotated[Path | None, path_option("--out", "-o", help="write the comparison as one HTML file")] = None,
    common: Annotated[bool, typer.Option("--common", help="compare runs of different suites on their common tasks")] = False,
    as_json: Json = False,
) -> None:
    """Compare two runs of the same suite task by task."""
    from rlgym.evaluate.compare import compare as compared
    from rlgym.evaluate.compare import write_comparison

    compared_runs = compared(a, b, common)
    page = write_comparison(compared_runs, out) if out else None
    if as_json:
        print_json(compared_runs.to_dict())
        return
    print_comparison(compared_runs.facts)
    if page:
        console.print(f"comparison: {page}", markup=False)


def export(
    folder: Folder,
    out: Annotated[Path, path_option("--out", "-o", help="the log to write: for inspect .eval or .json, for lighteval its output folder")],
    format_: Annotated[str, typer.Option("--for", help="the tool that reads the log: inspect or lighteval")] = "inspect",
) -> None:
    """Write a run as the log of another evaluation tool."""
    exports = {"inspect": _inspect_log().export_inspect, "lighteval": _lighteval_log().export_lighteval}
    console.print(f"log: {_choice('--for', format_, exports)(folder, out)}", markup=False)


def import_log(
    log: Annotated[Path, path_argument(help="a log of Inspect, .eval or .json, or lighteval's output folder")],
    out: Annotated[Path, path_option("--out", "-o", help="the folder of the new run")],
    format_: Annotated[
        str | None, typer.Option("--from", help="the tool that wrote it: inspect or lighteval; by default read from LOG")
    ] = None,
    scorer: Annotated[str | None, typer.Option(help="the score or metric to read; by default ours, or the only one")] = None,
) -> None:
    """Read the log of another evaluation tool as a run, for `rlgym eval report` and `rlgym eval compare`."""
    found = format_ or ("lighteval" if log.is_dir() or log.name.startswith("results_") else "inspect")
    imports = {"inspect": _inspect_log().import_inspect, "lighteval": _lighteval_log().import_lighteval}
    run = _choice("--from", found, imports)(log, out, scorer=scorer)
    console.print(f"run: {out}, {len(run.rows)} episodes; compare it with `rlgym eval compare --common`", markup=False)


def _inspect_log() -> Any:
    from rlgym.evaluate.logs import inspect_log

    return inspect_log


def _lighteval_log() -> Any:
    from rlgym.evaluate.logs import lighteval_log

    return lighteval_log


def _choice(option: str, name: str, choices: Mapping[str, Any]) -> Any:
    from rlgym.core.errors import RlgymError

    if name not in choices:
        raise RlgymError(f"{option} takes {' or '.join(choices)}, got {name!r}")
    return choices[name]


def print_comparison(comparison: Mapping[str, Any]) -> None:
    """Print the change overall and by domain, and the numbers of newly solved and lost tasks."""
    from rlgym.evaluate.report.comparison_page import format_crossover_interval, format_p_value

    for note in comparison["notes"]:
        console.print(note, style="yellow", markup=False)
    overall = comparison["overall"]
    table = Table("", "A", "B", "B minus A", "95 %", "tasks", box=None)
    for name, row in [("all", overall), *((row["domain"], row) for row in comparison["by"]["domain"])]:
        change, style = row["change"], "bold" if row is overall else None
        interval = "" if change["low"] is None else f"{100 * change['low']:+.1f} to {100 * change['high']:+.1f}"
        sides = [percent(row[side]["mean"]) for side in ("a", "b")]
        table.add_row(escape(str(name)), *sides, f"{100 * change['mean']:+.1f}", interval, str(change["tasks"]), style=style)
    print_table(table)
    console.print(
        f"{overall['test']}: {format_p_value(overall['p'])}; probability of improvement {percent(comparison['improvement']['mean'])}",
        markup=False,
    )
    crossing, solved = comparison["pass_at_k"]["crossover"], comparison["solved"]
    if comparison["pass_at_k"]["most"] > 1:
        most = comparison["pass_at_k"]["most"]
        conclusion = f"do not cross up to k = {most}"
        if crossing:
            conclusion = (
                f"{crossing['ahead_after'].upper()} catches up at k = {crossing['k']} ({format_crossover_interval(crossing, most)})"
            )
        console.print(f"pass@k curves: {conclusion}", markup=False)
    console.print(f"newly solved by B: {solved['expanded']}, lost: {solved['shrunk']}, solved by both: {solved['preserved']}", markup=False)
