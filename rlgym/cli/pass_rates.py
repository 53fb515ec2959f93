"""`rlgym pass-rates` and `rlgym calibrate`: how often models solve which tasks."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from rlgym.cli.output import Json, console, path_argument, path_option, print_json, print_table

group = typer.Typer(help="Record and read how often models solve which tasks.", no_args_is_help=True)
Store = Annotated[Path, path_option(help="the pass-rate store, a SQLite file")]
Model = Annotated[str, typer.Option(help="the name of the model in the store")]
DEFAULT = Path("pass_rates.sqlite")


def add_to(app: typer.Typer) -> None:
    app.add_typer(group, name="pass-rates")
    app.command()(calibrate)


@group.command()
def add(
    runs: Annotated[list[Path], path_argument(help="folders of runs of rlgym eval")],
    store: Store = DEFAULT,
    model: Annotated[str, typer.Option(help="the name to record instead of the run's model")] = "",
) -> None:
    """Record runs, finished or not; a run that is recorded again replaces what it recorded before."""
    from rlgym.evaluate.episodes.results import load
    from rlgym.evaluate.pass_rates import record_run

    for run in runs:
        tasks, unknown = record_run(run, store, model)
        found = load(run)
        notes = [] if found.finished else [f"unfinished: {len(found.rows)} of {found.expected} episodes, those that ended first"]
        notes += [f"{unknown} rows of other versions or knobs left out"] if unknown else []
        console.print(f"{run}: {'; '.join([f'{tasks} tasks', *notes])}", markup=False)


@group.command()
def show(store: Store = DEFAULT, as_json: Json = False) -> None:
    """Show the models of a store and their mean solve rates."""
    from rlgym.dataset.pass_rates import PassRates

    with PassRates(store) as rates:
        facts = {model: rates.rates(model) for model in rates.models()}
    if as_json:
        print_json(facts)
        return
    table = Table("model", "environments", "mean solve rate", box=None)
    for model, by_env in facts.items():
        mean = f"{sum(by_env.values()) / len(by_env):.3f}" if by_env else "no task of a current version"
        table.add_row(model, str(len(by_env)), mean)
    print_table(table)


@group.command()
def select(
    model: Model,
    out: Annotated[Path, path_option("--out", "-o", help="the file of tasks to write, JSON lines with the columns of a dataset")],
    store: Store = DEFAULT,
    low: Annotated[float, typer.Option(min=0, max=1, help="least solve rate")] = 0.2,
    high: Annotated[float, typer.Option(min=0, max=1, help="greatest solve rate")] = 0.8,
    min_samples: Annotated[int, typer.Option(min=1, help="least number of samples of a task")] = 4,
    as_json: Json = False,
) -> None:
    """Write the tasks that a model solves at rates from LOW to HIGH, such as those from which reinforcement learning learns most."""
    from rlgym.dataset.pass_rates import PassRates
    from rlgym.dataset.pass_rates.selection import write_selection

    with PassRates(store) as rates:
        report = write_selection(rates, model, out, low=low, high=high, min_samples=min_samples)
    if as_json:
        print_json(report)
        return
    console.print(
        f"{out}: {report['tasks']} tasks of {len(report['by_env'])} environments with a solve rate from {low:g} to {high:g}", markup=False
    )


@group.command()
def teacher(
    student: Annotated[str, typer.Option(help="the model to be taught, by its name in the store")],
    teacher: Annotated[str, typer.Option(help="the model that teaches, by its name in the store")],
    out: Annotated[Path, path_option("--out", "-o", help="the file of tasks to write, JSON lines with the columns of a dataset")],
    store: Store = DEFAULT,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="number of tasks")] = 100,
    min_samples: Annotated[int, typer.Option(min=1, help="least number of samples of a task by either model")] = 1,
    as_json: Json = False,
) -> None:
    """Write the tasks that the teacher solves and the student does not, for which the teacher's responses help most."""
    from rlgym.dataset.pass_rates import PassRates
    from rlgym.dataset.pass_rates.selection import write_teacher_tasks

    with PassRates(store) as rates:
        report = write_teacher_tasks(rates, student, teacher, out, count, min_samples)
    if as_json:
        print_json(report)
        return
    console.print(f"{out}: {report['tasks']} tasks of {len(report['by_env'])} environments", markup=False)


@group.command()
def items(
    models: Annotated[
        list[str] | None, typer.Option("--model", help="a model by its name in the store; repeatable, all by default")
    ] = None,
    out: Annotated[Path | None, path_option("--out", "-o", help="write the difficulties of the tasks to this file, as JSON lines")] = None,
    store: Store = DEFAULT,
    as_json: Json = False,
) -> None:
    """Fit abilities of models and difficulties of tasks on one scale (item response), with intervals of 95 %."""
    from rlgym.dataset.pass_rates import PassRates
    from rlgym.evaluate.item_table import item_table, write_items

    with PassRates(store) as rates:
        fitted = item_table(rates, models or [])
    if out is not None:
        write_items(fitted, out)
    if as_json:
        abilities = {name: asdict(measure) for name, measure in fitted.fit.abilities.items()}
        print_json({"abilities": abilities, "tasks": len(fitted.tasks), "unconnected": fitted.unconnected})
        return
    for name in fitted.unconnected:
        console.print(f"{name} shares no task with the others: its ability lies on no common scale with theirs", markup=False)
    table = Table("model", "ability", "95 %", "tasks", "samples", box=None)
    for name, measure in sorted(fitted.fit.abilities.items(), key=lambda pair: -pair[1].mean):
        tasks, samples = fitted.counts[name]
        table.add_row(name, f"{measure.mean:+.2f}", f"{measure.low:+.2f} to {measure.high:+.2f}", str(tasks), str(samples))
    print_table(table)
    console.print(f"{len(fitted.tasks)} tasks" + (f"; difficulties in {out}" if out else ""), markup=False)


@group.command()
def suite(
    models: Annotated[list[str], typer.Option("--model", help="a model by its name in the store; repeatable")],
    out: Annotated[Path, path_option("--out", "-o", help="the suite file to write, such as hard-mine.json")],
    store: Store = DEFAULT,
    per_domain: Annotated[int, typer.Option(min=1, help="environments of each domain")] = 5,
    levels: Annotated[str, typer.Option(help="levels, separated by commas")] = "0.75,1",
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="tasks of an environment at each level")] = 2,
    min_tasks: Annotated[int, typer.Option(min=1, help="least number of recorded tasks of every model in an environment")] = 4,
    as_json: Json = False,
) -> None:
    """Pin a suite of the environments that models solve least, with fresh tasks; `rlgym eval run --suite FILE` plays it."""
    from rlgym.cli.evaluate.plan import level_list
    from rlgym.dataset.pass_rates import PassRates
    from rlgym.evaluate.hard_suite import pin_hard_suite

    with PassRates(store) as rates:
        pinned, chosen, left_out = pin_hard_suite(
            rates, models, out, per_domain=per_domain, levels=level_list(levels), seeds=count, min_tasks=min_tasks
        )
    if as_json:
        print_json({"file": str(out), "tasks": pinned.tasks, "environments": [asdict(each) for each in chosen], "left_out": left_out})
        return
    table = Table("environment", "solve rate", "recorded tasks", box=None)
    for each in chosen:
        table.add_row(each.name, f"{each.rate:.3f}", str(each.tasks))
    print_table(table)
    for name, why in left_out.items():
        console.print(f"left out: {name}: {why}", markup=False)
    console.print(f"wrote {out}: {pinned.tasks} tasks of {len(chosen)} environments", markup=False)


@group.command(name="hard-tasks")
def hard_tasks(
    models: Annotated[list[str], typer.Option("--model", help="a model by its name in the store, whose errors choose; repeatable")],
    out: Annotated[Path, path_option("--out", "-o", help="the suite file to write, such as hard-tasks.json")],
    store: Store = DEFAULT,
    witness: Annotated[list[str] | None, typer.Option(help="a model whose error rate is reported but does not choose; repeatable")] = None,
    levels: Annotated[str | None, typer.Option(help="levels, separated by commas; all by default")] = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="number of tasks")] = 100,
    min_samples: Annotated[int, typer.Option(min=1, help="least number of samples of a task by every model")] = 1,
    as_json: Json = False,
) -> None:
    """Pin a suite of the recorded held-out tasks that models fail most; `rlgym eval run --suite FILE` plays it."""
    from rlgym.cli.evaluate.plan import level_list
    from rlgym.dataset.pass_rates import PassRates
    from rlgym.evaluate.hard_tasks import pin_hard_tasks

    chosen_levels = None if levels is None else level_list(levels)
    with PassRates(store) as rates:
        mined = pin_hard_tasks(rates, models, out, count=count, levels=chosen_levels, witnesses=witness or [], min_samples=min_samples)
    if as_json:
        facts = {"file": str(out), "tasks": mined.suite.tasks, "places": [place._asdict() for place in mined.places]}
        print_json(facts | {"error_rate": mined.error_rate, "witnesses": mined.witnesses, "left_out": mined.left_out})
        return
    table = Table("models", "error rate of the suite", "of all tasks to choose from", box=None)
    for name, (chosen, everything) in {", ".join(models): mined.error_rate, **mined.witnesses}.items():
        table.add_row(name, f"{chosen:.3f}", f"{everything:.3f}")
    print_table(table)
    for why, number in mined.left_out.items():
        console.print(f"left out: {number} tasks: {why}", markup=False)
    console.print(f"wrote {out}: {mined.suite.tasks} tasks", markup=False)


@group.command()
def export(out: Annotated[Path, path_option("--out", "-o", help="the Parquet file to write")], store: Store = DEFAULT) -> None:
    """Write all counts as Parquet, to share."""
    from rlgym.dataset.pass_rates import PassRates

    with PassRates(store) as rates:
        console.print(f"{out}: {rates.export(out)} tasks", markup=False)


@group.command(name="import")
def import_(file: Annotated[Path, path_argument(help="a Parquet file that was exported")], store: Store = DEFAULT) -> None:
    """Record the counts of an exported file."""
    from rlgym.dataset.pass_rates import PassRates

    with PassRates(store) as rates:
        console.print(f"{store}: {rates.import_(file)} tasks", markup=False)


def calibrate(
    model: Model,
    store: Store = DEFAULT,
    out: Annotated[Path | None, path_option("--out", "-o", help="the table; calibrations/MODEL.json by default")] = None,
    min_tasks: Annotated[int, typer.Option(min=2, help="least number of tasks of an environment")] = 10,
    as_json: Json = False,
) -> None:
    """Fit a model's accuracy against level for each environment, so that make(name, target=0.5, calibration=MODEL) picks the level."""
    from rlgym.dataset.pass_rates import PassRates
    from rlgym.dataset.pass_rates.calibration import calibrate as fit
    from rlgym.episode.calibration import calibration_file

    with PassRates(store) as rates:
        table, skipped = fit(rates, model, min_tasks)
    file = out or calibration_file(model)
    table.write(file)
    if as_json:
        print_json({"file": str(file), "curves": {env: asdict(curve) for env, curve in table.curves.items()}, "skipped": skipped})
        return
    shown = Table("environment", "tasks", "samples", "rate at 0", "rate at 1", "level for 0.5", box=None)
    for env, curve in sorted(table.curves.items()):
        ends = (f"{curve.rate(level):.2f}" for level in (0.0, 1.0))
        shown.add_row(env, str(curve.tasks), str(curve.samples), *ends, f"{curve.level(0.5):.2f}")
    print_table(shown)
    for env, why in skipped.items():
        console.print(f"left out: {env}: {why}", markup=False)
    console.print(f"wrote {file}", markup=False)
