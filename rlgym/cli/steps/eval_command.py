"""`rlgym steps eval`: measure a scorer of steps."""

from __future__ import annotations

from typing import Annotated, cast, get_args

import typer
from rich.table import Table

from rlgym.cli.output import Json, decimal, print_json, print_table
from rlgym.cli.steps.data_commands import At, StepsPlace
from rlgym.core.errors import RlgymError


def evaluate(
    steps: StepsPlace,
    scorer: Annotated[str, typer.Option(help="folders of trained scorers, comma-separated: an ensemble")],
    source: Annotated[str, typer.Option("--labels", help="the source of the labels: exact, rates or judge")] = "exact",
    at: At = 0.0,
    reduce: Annotated[str, typer.Option(help="the score of a response from those of its steps: min, last, mean or product")] = "min",
    without: Annotated[
        str | None, typer.Option(help="measure again without these parts of the steps, comma-separated: prose, formulas")
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure a scorer on labelled steps: F1 on the first wrong step, best of n, and what is left without prose or formulas."""
    from rlgym.cli.train_setup import prepare

    prepare()
    from rlgym.evaluate.models.step_scorer import StepScorer
    from rlgym.evaluate.steps.measure import measure_scorer
    from rlgym.evaluate.steps.records import read_records
    from rlgym.evaluate.strategies.scored import Reduce

    if reduce not in get_args(Reduce):
        raise RlgymError(f"--reduce must be one of {', '.join(get_args(Reduce))}, got {reduce!r}")
    records = [record for record in read_records(steps) if any(label is not None for label in record.labels_of(source))]
    if not records:
        raise RlgymError(f"{steps} has no response with labels of the source {source!r}")
    parts = [part.strip() for part in (without or "").split(",") if part.strip()]
    folders = [folder.strip() for folder in scorer.split(",") if folder.strip()]
    found = measure_scorer(records, StepScorer(folders), source, at, cast(Reduce, reduce), parts)
    if as_json:
        print_json(found)
        return
    names = ("step_accuracy", "error_accuracy", "sound_accuracy", "f1", "right_wrong_process", "min_last", "solve_rate")
    sizes = list(found[0]["best_of"])
    table = Table("steps", *(name.replace("_", " ") for name in names), *(f"best of {n}" for n in sizes), box=None)
    for facts in found:
        table.add_row(facts["steps"], *(decimal(facts[name]) for name in names), *(decimal(facts["best_of"][n]) for n in sizes))
    print_table(table)
