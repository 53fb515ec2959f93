"""`rlgym eval rank`: several runs in order, with and without doubtful tasks."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from rich.markup import escape
from rich.table import Table

from rlgym.cli.output import Json, console, path_argument, print_json, print_table

SHOWN = 10
"""Doubtful tasks that are printed; `--json` has all."""


def rank(
    runs: Annotated[list[Path], path_argument(help="folders of runs, two or more, three or more for votes on the labels")],
    as_json: Json = False,
) -> None:
    """Rank runs over their common tasks, with and without the tasks on which most models agree and the verifier does not."""
    from rlgym.core.errors import RlgymError
    from rlgym.evaluate.comparison.ranking import rank_rows
    from rlgym.evaluate.episodes.results import load

    loaded, unfinished = {}, {}
    for folder in runs:
        run = load(folder)
        label = str(run.info["label"])
        if label in loaded:
            raise RlgymError(f"two runs have the label {label!r}: give one of them another --label")
        loaded[label] = run.rows
        if not run.finished:
            unfinished[label] = f"{len(run.rows)} of {run.expected} episodes"
    result = rank_rows(loaded)
    if as_json:
        print_json(asdict(result) | {"unfinished": unfinished})
        return
    for label, part in unfinished.items():
        console.print(f"{label} is unfinished, {part}: all runs are ranked over what it has", style="yellow", markup=False)
    without = {place.label: place for place in result.places_without}
    table = Table("rank", "run", "accuracy", "95 %", "rank without doubtful tasks", "accuracy", box=None)
    for place in result.places:
        other = without.get(place.label)
        second = (str(other.rank), f"{100 * other.accuracy:.1f} %") if other else ("-", "-")
        table.add_row(
            str(place.rank),
            escape(place.label),
            f"{100 * place.accuracy:.1f} %",
            f"{100 * place.low:.1f} to {100 * place.high:.1f}",
            *second,
        )
    print_table(table)
    console.print(f"{result.tasks} common tasks, {result.left_out} left out, {len(result.doubtful)} doubtful", markup=False)
    for each in result.doubtful[:SHOWN]:
        console.print(f"{each.id}: {each.votes} of {each.models} models answer {each.answer[:60]!r}", markup=False)
