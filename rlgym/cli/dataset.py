"""`rlgym dataset build | score | show | export`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from rlgym.cli.output import Json, console, print_json

group = typer.Typer(help="Build, score and look at offline datasets.", no_args_is_help=True)
Folder = Annotated[Path, typer.Argument(help="the folder of a dataset")]


def add_to(app: typer.Typer) -> None:
    app.add_typer(group, name="dataset")


@group.command()
def build(
    recipe: Annotated[Path | None, typer.Argument(help="a recipe file, YAML or JSON; the options below go over it")] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="the folder to build in")] = Path("dataset"),
    names: Annotated[str | None, typer.Option(help="environments, domains or patterns, separated by commas, or all")] = None,
    levels: Annotated[str | None, typer.Option(help="levels, separated by commas")] = None,
    count: Annotated[int | None, typer.Option("--count", "-n", help="how many tasks")] = None,
    seed: Annotated[int | None, typer.Option(help="the recipe's seed")] = None,
    style: Annotated[str | None, typer.Option(help="tag, boxed or fence")] = None,
    format_: Annotated[str | None, typer.Option("--format", help="parquet or jsonl")] = None,
    workers: Annotated[int, typer.Option(help="processes")] = 1,
    as_json: Json = False,
) -> None:
    """Build a dataset; started again after a kill, it goes on and ends with the same bytes."""
    from rlgym.core.errors import RecipeError
    from rlgym.dataset import Recipe
    from rlgym.dataset import build as run

    given: dict[str, Any] = Recipe.read(recipe).model_dump() if recipe else {}
    options = {"names": names, "count": count, "seed": seed, "answer_style": style, "format": format_}
    given |= {key: value for key, value in options.items() if value is not None}
    if levels is not None:
        try:
            given["levels"] = [float(level) for level in levels.split(",")]
        except ValueError:
            raise RecipeError(f"levels are numbers separated by commas, got {levels!r}") from None
    made = Recipe(**given)
    columns = (TextColumn("building"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=as_json) as progress:
        bar = progress.add_task("building", total=made.count)
        manifest = run(made, out, workers=workers, progress=lambda done, total: progress.update(bar, completed=done, total=total))
    if as_json:
        print_json(manifest.model_dump())
        return
    counts = ", ".join(f"{rows} {split}" for split, rows in manifest.splits.items())
    console.print(f"{out} holds {manifest.rows} tasks of {len(manifest.environments)} environments ({counts})")


@group.command()
def score(
    folder: Folder,
    responses: Annotated[str, typer.Option(help="a JSONL or Parquet file with id and response; or oracle, or wrong")],
    split: Annotated[str | None, typer.Option(help="only this split")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="write every score there, as JSON lines")] = None,
    workers: Annotated[int, typer.Option(help="processes")] = 1,
    as_json: Json = False,
) -> None:
    """Score responses to a dataset, from its files alone."""
    from rlgym.dataset import score_responses

    summary = score_responses(folder, responses, split=split, out=out, workers=workers).to_dict()
    if as_json:
        print_json(summary)
        return
    table = Table("", box=None)
    for column in ("tasks", "responses", "mean score", "pass@1", "outcomes"):
        table.add_column(column, justify="left" if column == "outcomes" else "right")
    for title, part in (("by domain", "by_domain"), ("by level", "by_level"), ("by environment", "by_env")):
        table.add_row(f"[bold]{title}[/]")
        for name, tally in summary[part].items():
            table.add_row(name, *_cells(tally))
    table.add_row("[bold]all[/]", *_cells(summary))
    console.print(table)


@group.command()
def show(
    folder: Folder,
    split: Annotated[str | None, typer.Option(help="only this split")] = None,
    count: Annotated[int, typer.Option("--count", "-n", min=0, help="how many rows to print")] = 3,
    verify: Annotated[bool, typer.Option("--verify", help="compare the files with the hashes in the manifest")] = False,
    as_json: Json = False,
) -> None:
    """Show what a dataset holds, and a few of its rows."""
    from itertools import islice

    from rlgym.dataset import load, read_manifest

    manifest = read_manifest(folder, verify=verify)
    rows = list(islice(load(folder, split), count))
    if as_json:
        print_json({**manifest.model_dump(), "sample": rows})
        return
    table = Table("environment", "version", "rows", box=None)
    for name, many in manifest.environments.items():
        table.add_row(name, str(manifest.versions[name]), str(many))
    console.print(table)
    counts = ", ".join(f"{many} {name}" for name, many in manifest.splits.items())
    console.print(f"{manifest.rows} tasks ({counts}), made by {manifest.made_by}, {manifest.licence}")
    if verify:
        console.print("every shard has the hash that the manifest says")
    for row in rows:
        console.rule(f"{row['id']} ({row['split']}, level {row['level']:g})", align="left")
        console.print(row["messages"][0]["content"], markup=False)
        console.print(f"\noracle: {row['oracle_response']}", markup=False)


@group.command()
def export(
    folder: Folder,
    layout: Annotated[str, typer.Option("--for", help="trl, verl, openrlhf, verifiers, sft, dpo, chat or jsonl")],
    out: Annotated[Path, typer.Option("--out", "-o", help="the file to write, .parquet or .jsonl")],
    split: Annotated[str | None, typer.Option(help="only this split")] = None,
    rollouts: Annotated[Path | None, typer.Option(help="with dpo: responses, of which the wrong ones are rejected")] = None,
    as_json: Json = False,
) -> None:
    """Write a dataset in the columns that a trainer reads."""
    from rlgym.dataset.export import export as run

    done = run(folder, layout, out, split=split, rollouts=rollouts)
    if as_json:
        print_json(asdict(done))
        return
    left = f"; {done.left_out} rows gave none" if done.left_out else ""
    console.print(f"{out} holds {done.records} records of {done.rows} rows{left}")


def _cells(tally: dict[str, Any]) -> list[str]:
    mean, pass_1 = ("-" if tally[key] is None else f"{tally[key]:.3f}" for key in ("mean", "pass@1"))
    outcomes = ", ".join(f"{count} {name}" for name, count in sorted(tally["outcomes"].items()))
    return [str(tally["tasks"]), str(tally["responses"]), mean, pass_1, outcomes]
