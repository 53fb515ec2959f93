"""`rlgym train quickstart` and `rlgym train CONFIG.yaml`."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table as Shown

from rlgym.cli.output import Json, console, print_json
from rlgym.core.errors import PackageMissing, RlgymError

if TYPE_CHECKING:
    from rlgym.train.evaluate import Table

QUICKSTART = "quickstart"


def add_to(app: typer.Typer) -> None:
    app.command()(train)


def train(
    what: Annotated[str, typer.Argument(metavar="quickstart | CONFIG.yaml", help="the built-in small run, or a configuration file")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="the folder of the run; goes over that of a configuration")] = None,
    seed: Annotated[int | None, typer.Option("--seed", "-s", min=0, help="the run's seed; goes over that of a configuration")] = None,
    minutes: Annotated[float | None, typer.Option(help="quickstart: about how long, on two free cores")] = None,
    control: Annotated[bool, typer.Option("--control", help="deal the rewards out at random, so that nothing can be learned")] = False,
    check_only: Annotated[bool, typer.Option("--check", help="a configuration: only say whether it could run")] = False,
    as_json: Json = False,
) -> None:
    """Train a model: a warm-up on oracle explanations, then reinforcement learning. A run that was stopped goes on where it was."""
    # Threads that wait for each other by spinning are far slower than one wherever anything else runs. To be set before torch is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            raise PackageMissing(f"training needs {package}: install it with `pip install 'rlvrgym[train]'`")
    from rlgym.cli.watch import Progress
    from rlgym.train.team import Team

    team = Team.asked()
    if what == QUICKSTART:
        if team.size > 1:
            raise RlgymError("the quickstart is for one process: start it without torchrun, or give a configuration file")
        if check_only:
            raise RlgymError("--check is for a configuration file; the quickstart needs none")
        from rlgym.train.quickstart import MINUTES, quickstart

        folder = out or Path(QUICKSTART)
        with Progress(hidden=as_json) as watch:
            tables = quickstart(folder, seed=seed or 0, minutes=minutes or MINUTES, control=control, watch=watch)
        finish(tables, folder / "run", as_json)
        return
    if minutes is not None:
        raise RlgymError("--minutes is for the quickstart; a configuration file says how many steps there are")
    from rlgym.train.config import Config, check

    config = _overridden(Config.read(what), out, seed, control)
    if check_only:
        from rlgym.train.agree import check_algorithms
        from rlgym.train.scale import check_scale

        check(config)
        check_algorithms(config)
        check_scale(config, team)
        console.print(f"{what} can run; it would write to {config.out}")
        return
    from rlgym.train.loop import train as run
    from rlgym.train.report import write_report

    with Progress(hidden=as_json or not team.leads) as watch:
        tables = run(config, watch)
    if not team.leads:
        return
    write_report(Path(config.out), f"rlgym train {what}")
    finish(tables, Path(config.out), as_json)


def _overridden(config: Any, out: Path | None, seed: int | None, control: bool) -> Any:
    changes: dict[str, Any] = {}
    if out is not None:
        changes["out"] = str(out)
    if seed is not None:
        changes["seed"] = seed
    if control:
        changes["algorithm"] = config.algorithm.model_copy(update={"shuffled": True})
    return config.model_copy(update=changes)


def finish(tables: dict[str, Table], folder: Path, as_json: bool) -> None:
    """Print the table of held-out accuracies, and where the rest is."""
    if as_json:
        print_json({label: {place: accuracy.to_dict() for place, accuracy in table.items()} for label, table in tables.items()})
        return
    from rlgym.train.metrics import read_lines
    from rlgym.train.report import rows

    head, *body = rows(read_lines(folder / "evaluations.jsonl"))
    table = Shown(*head, box=None)
    for row in body:
        table.add_row(*row, style="bold" if row[0] == "mean" else None)
    console.print(table)
    console.print(f"{folder}/report.html shows the curves and sample episodes; checkpoints/*/model are Hugging Face folders")
