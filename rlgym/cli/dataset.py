"""`rlgym dataset`: build, check, score, show and export offline datasets."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from rlgym.cli.dataset_adopt import adopt
from rlgym.cli.dataset_grade_tests import grade_tests
from rlgym.cli.dataset_reports import overlap, tokens
from rlgym.cli.dataset_round_trip import round_trip
from rlgym.cli.output import DatasetFolder, Json, console, heading, path_argument, path_option, print_json, print_table

group = typer.Typer(help="Build, score, show and export offline datasets.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    for command in (tokens, overlap, adopt):
        group.command()(command)
    group.command(name="round-trip")(round_trip)
    group.command(name="grade-tests")(grade_tests)
    app.add_typer(group, name="dataset")


@group.command()
def build(
    recipe: Annotated[Path | None, path_argument(help="a recipe file, YAML or JSON; the options below override it")] = None,
    out: Annotated[Path, path_option("--out", "-o", help="the dataset folder")] = Path("dataset"),
    names: Annotated[str | None, typer.Option(help="environments, domains or patterns, comma-separated; or all")] = None,
    levels: Annotated[str | None, typer.Option(help="levels, separated by commas")] = None,
    between: Annotated[
        str | None, typer.Option(help="only levels that the calibrated model solves at rates from LOW to HIGH, such as 0.2,0.8")
    ] = None,
    calibration: Annotated[str | None, typer.Option(help="the table of `rlgym calibrate` for --between: a model's name or a file")] = None,
    count: Annotated[int | None, typer.Option("--count", "-n", help="number of tasks")] = None,
    seed: Annotated[int | None, typer.Option(help="seed of the recipe")] = None,
    style: Annotated[str | None, typer.Option(help="answer style: tag, boxed or fence")] = None,
    exclude: Annotated[str | None, typer.Option(help="environments, domains or patterns to leave out, comma-separated")] = None,
    kinds: Annotated[str | None, typer.Option(help="only these kinds, comma-separated: environment (one turn), game, match")] = None,
    cap: Annotated[
        bool, typer.Option("--cap", help="environments with too few different tasks give what they have, the others the rest")
    ] = False,
    unique: Annotated[
        bool, typer.Option("--remove-near-duplicates", help="no two prompts equal once numbers and names are masked")
    ] = False,
    behaviours: Annotated[
        str | None,
        typer.Option(
            help="worked solutions are searches with these behaviours, comma-separated: backtracking, checking, subgoals; or none"
        ),
    ] = None,
    dead_ends: Annotated[int | None, typer.Option(help="with --behaviours backtracking: dead ends of each solution, 3 by default")] = None,
    format_: Annotated[str | None, typer.Option("--format", help="file format: parquet or jsonl")] = None,
    workers: Annotated[int, typer.Option(help="number of processes")] = 1,
    as_json: Json = False,
) -> None:
    """Build a dataset. Repeat the command to resume an interrupted build; the result is byte-identical."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from rlgym.core.errors import RecipeError
    from rlgym.dataset import Recipe
    from rlgym.dataset import build as run

    fields: dict[str, Any] = Recipe.read(recipe).model_dump() if recipe else {}
    options = {"names": names, "exclude": exclude, "kinds": kinds, "count": count, "seed": seed, "answer_style": style, "format": format_}
    options |= {"cap": cap or None, "near_duplicates": "remove" if unique else None}
    fields |= {key: value for key, value in options.items() if value is not None}
    if levels is not None:
        try:
            fields["levels"] = [float(level) for level in levels.split(",")]
        except ValueError:
            raise RecipeError(f"--levels takes numbers separated by commas, got {levels!r}") from None
    if behaviours is not None or dead_ends is not None:
        chosen: dict[str, Any] = (
            {} if behaviours is None else {"behaviours": [each.strip() for each in behaviours.split(",") if each.strip() != "none"]}
        )
        chosen |= {} if dead_ends is None else {"dead_ends": dead_ends}
        fields["traces"] = (fields.get("traces") or {}) | chosen
    if between is not None:
        fields = _between(fields, between, calibration)
    task_recipe = Recipe(**fields)
    for reason in () if as_json else task_recipe.skipped().values():
        console.print(f"skipped: {reason}", markup=False)
    columns = (TextColumn("building"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=as_json) as progress:
        bar = progress.add_task("building", total=task_recipe.count)
        manifest = run(task_recipe, out, workers=workers, progress=lambda done, total: progress.update(bar, completed=done, total=total))
    if as_json:
        print_json(manifest.model_dump())
        return
    counts = ", ".join(f"{rows} {split}" for split, rows in manifest.splits.items())
    console.print(f"{out}: {manifest.rows} tasks from {len(manifest.environments)} environments ({counts})")
    if manifest.capped:
        console.print(f"capped, for want of different tasks: {', '.join(f'{name} {rows}' for name, rows in manifest.capped.items())}")
    if manifest.near_duplicates:
        like_train = "".join(
            f", {rows} of the {split} split like one of train" for split, rows in manifest.near_duplicates_of_train.items()
        )
        console.print(f"near-duplicates (equal once numbers and names are masked): {manifest.near_duplicates}{like_train}")


def _between(fields: dict[str, Any], between: str, calibration: str | None) -> dict[str, Any]:
    """The recipe with the levels of a band of solve rates, and without the environments that have none; these are printed."""
    from rlgym.core.errors import RecipeError
    from rlgym.dataset import Recipe
    from rlgym.dataset.pass_rates.calibration import levels_between
    from rlgym.episode.calibration import calibration_file, read_calibration

    try:
        low, high = (float(rate) for rate in between.split(","))
    except ValueError:
        raise RecipeError(f"--between takes two solve rates such as 0.2,0.8, got {between!r}") from None
    if calibration is None:
        raise RecipeError("--between needs --calibration, the table of a model that `rlgym calibrate` writes")
    levels, left_out = levels_between(read_calibration(calibration_file(calibration)), Recipe(**fields).environments(), low, high)
    for name, why in left_out.items():
        console.print(f"left out: {name}: {why}", markup=False)
    return fields | {"names": list(levels), "exclude": [], "levels_by_env": levels}


@group.command()
def score(
    folder: DatasetFolder,
    responses: Annotated[str, typer.Option(help="a JSONL or Parquet file with id and response; or oracle, or wrong")],
    split: Annotated[str | None, typer.Option(help="only this split")] = None,
    out: Annotated[Path | None, path_option("--out", "-o", help="write all scores to this file, as JSON lines")] = None,
    workers: Annotated[int, typer.Option(help="number of processes")] = 1,
    pass_rates: Annotated[Path | None, path_option(help="record the solve rates of the tasks in this pass-rate store")] = None,
    model: Annotated[str, typer.Option(help="the name of the model that responded, for --pass-rates")] = "",
    as_json: Json = False,
) -> None:
    """Score responses to a dataset, using only its files."""
    from rlgym.dataset import score_responses

    if (pass_rates is None) != (not model):
        raise typer.BadParameter("--pass-rates and --model go together: solve rates are those of a model")
    summary = score_responses(folder, responses, split=split, out=out, workers=workers, pass_rates=pass_rates, model=model).to_dict()
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
    print_table(table)


@group.command()
def judge(
    runs: Annotated[list[Path], path_argument(help="folders of evaluations (rlgym eval run) of the same tasks, of one or several models")],
    out: Annotated[Path, path_option("--out", "-o", help="the file of rows, .jsonl or .parquet")],
    kind: Annotated[str, typer.Option(help="grade_solution, pairwise, best_of, first_error or critique_refine")] = "pairwise",
    seed: Annotated[int, typer.Option(min=0, help="seed of the choice and the order of responses")] = 0,
    language: Annotated[str, typer.Option(help="language of the prompts, such as de; English by default")] = "",
    all_tasks: Annotated[
        bool, typer.Option("--all-tasks", help="grade_solution: also tasks whose responses are all right, or all not right")
    ] = False,
    as_json: Json = False,
) -> None:
    """Make judge tasks from the responses of evaluations, labelled by the verifier."""
    from collections import Counter

    from rlgym.core.errors import RowError
    from rlgym.dataset.files import shard_bytes, write_atomically
    from rlgym.dataset.judge_rows import judge_rows
    from rlgym.evaluate.episodes.results import load as load_run

    file_format = out.suffix.removeprefix(".")
    if file_format not in ("jsonl", "parquet"):
        raise RowError(f"--out takes a file that ends in .jsonl or .parquet, got {out.name!r}")
    loaded = [load_run(run) for run in runs]
    results = ({**row, "model": str(run.info["model"].get("name", ""))} for run in loaded for row in run.rows)
    found = judge_rows(results, kind, seed=seed, mixed=not all_tasks, language=language)
    if not found.rows:
        raise RowError(f"the run has no responses for such tasks; left out: {dict(found.skipped)}")
    write_atomically(out, shard_bytes(found.rows, file_format))
    skipped = {reason: count for reason, count in found.skipped.items() if count}
    if as_json:
        by_model: dict[str, dict[str, int]] = {}
        for (model, verdict), count in sorted(found.shown.items()):
            by_model.setdefault(model, {})[verdict] = count
        counts = {"rows": len(found.rows), "environments": Counter(row["env"] for row in found.rows), "skipped": skipped}
        print_json(counts | ({"by_model": by_model} if by_model else {}))
        return
    console.print(f"{out}: {len(found.rows)} tasks", markup=False)
    for reason, count in skipped.items():
        console.print(f"left out: {count} responses {reason}", markup=False)


@group.command()
def solutions(
    runs: Annotated[list[Path], path_argument(help="folders of evaluations (rlgym eval run), of one or several models")],
    out: Annotated[Path, path_option("--out", "-o", help="the file of solutions, .jsonl or .parquet")],
    as_json: Json = False,
) -> None:
    """Write the right and wrong responses of evaluations with their verdicts: what a verifier is trained on."""
    from rlgym.core.errors import RowError
    from rlgym.dataset.labelled_solutions import labelled_solutions, write_solutions
    from rlgym.evaluate.episodes.results import load as load_run

    loaded = [load_run(run) for run in runs]
    found = labelled_solutions((str(run.info["model"].get("name", "")), row) for run in loaded for row in run.rows)
    if not found:
        raise RowError("the runs have no scored responses of one turn")
    write_solutions(found, out)
    right = sum(solution["label"] for solution in found)
    if as_json:
        print_json({"solutions": len(found), "right": int(right)})
        return
    console.print(f"{out}: {len(found)} solutions, {right:g} of them right", markup=False)


@group.command()
def show(
    folder: DatasetFolder,
    split: Annotated[str | None, typer.Option(help="only this split")] = None,
    count: Annotated[int, typer.Option("--count", "-n", min=0, help="number of rows to print")] = 3,
    verify: Annotated[bool, typer.Option("--verify", help="compare the files with the hashes in the manifest")] = False,
    as_json: Json = False,
) -> None:
    """Show the contents of a dataset and a few rows."""
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
    print_table(table)
    counts = ", ".join(f"{many} {name}" for name, many in manifest.splits.items())
    console.print(f"{manifest.rows} tasks ({counts}), made by {manifest.made_by}, {manifest.licence}")
    if verify:
        console.print("every shard matches its hash in the manifest")
    for row in rows:
        heading(f"{row['id']} ({row['split']}, level {row['level']:g})")
        console.print(row["messages"][0]["content"], markup=False)
        console.print(f"\noracle: {row['oracle_response']}", markup=False)


@group.command()
def export(
    folder: DatasetFolder,
    layout: Annotated[
        str,
        typer.Option(
            "--for",
            help="trl, verl, openrlhf, verifiers, open-r1, synthetic-2, open-instruct, nemo, harbor, sft, dpo, part-dpo, reward-pairs, chat, "
            "swe-bench or jsonl",
        ),
    ],
    out: Annotated[
        Path, path_option("--out", "-o", help="the file to write: .parquet, .jsonl, or .tar for WebDataset; with harbor: a new folder")
    ],
    split: Annotated[str | None, typer.Option(help="only this split")] = None,
    rollouts: Annotated[
        Path | None, path_option(help="a file of responses; with dpo, wrong ones become rejected; with part-dpo, they are compared")
    ] = None,
    single_turn: Annotated[bool, typer.Option("--single-turn", help="leave out rows of many turns")] = False,
    wheel: Annotated[Path | None, path_option(help="with harbor: the wheel of rlgym that the images install")] = None,
    as_json: Json = False,
) -> None:
    """Write a dataset in the columns of a trainer, or as task folders."""
    from rlgym.dataset.export import export as run
    from rlgym.dataset.layouts import SINGLE_TURN

    done = run(folder, layout, out, split=split, rollouts=rollouts, single_turn=single_turn, wheel=wheel)
    if done.many_turns:
        remedy = f"{done.many_turns} of {done.rows} rows have many turns: {SINGLE_TURN[layout]}, or drop the rows with --single-turn"
        typer.echo(f"warning: {remedy}", err=True)
    if as_json:
        print_json(asdict(done))
        return
    exclusions = f"; {done.left_out} rows were left out" if done.left_out else ""
    exclusions += f"; {done.dropped} rows of many turns were dropped" if done.dropped else ""
    console.print(f"{out}: {done.records} records from {done.rows} rows{exclusions}")


def _cells(tally: dict[str, Any]) -> list[str]:
    mean, pass_1 = ("-" if tally[key] is None else f"{tally[key]:.3f}" for key in ("mean", "pass@1"))
    outcomes = ", ".join(f"{count} {name}" for name, count in sorted(tally["outcomes"].items()))
    return [str(tally["tasks"]), str(tally["responses"]), mean, pass_1, outcomes]
