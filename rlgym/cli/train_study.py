"""`rlgym train study`, which `rlgym study` is short for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markdown import Markdown
from rich.table import Table

from rlgym.cli.output import Json, console, path_option, print_json
from rlgym.cli.train_setup import prepare
from rlgym.core.errors import RlgymError


def add_to(app: typer.Typer) -> None:
    app.command()(study)


def study(
    name: Annotated[str | None, typer.Argument(help="its name, or none for a list")] = None,
    out: Annotated[Path, path_option("--out", "-o", help="folder of the studies")] = Path("studies"),
    environments: Annotated[
        list[str] | None, typer.Option("--env", "-e", help="studies over families of tasks: environment or domain; may be repeated")
    ] = None,
    seeds: Annotated[int | None, typer.Option(min=1, help="number of seeds [default: 3]")] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="steps of every run [default: 40]")] = None,
    toy: Annotated[bool, typer.Option("--toy", help="a model of two layers on one easy environment: seconds for each run")] = False,
    as_json: Json = False,
) -> None:
    """Compare algorithms side by side over several seeds, as `rlgym train study` does. Repeat the command to resume an interrupted study."""
    prepare()
    run_or_list(name, out, seeds, steps, environments, as_json, toy)


def run_or_list(
    name: str | None, out: Path, seeds: int | None, steps: int | None, environments: list[str] | None, as_json: bool, toy: bool = False
) -> None:
    """Run the study called `name` in a folder below `out`, or list the studies."""
    from rlgym.train.study.studies import BY_FAMILY
    from rlgym.train.study.studies import study as known_study

    if name is None:
        if environments or seeds or steps or toy:
            raise RlgymError("--env, --seeds, --steps and --toy apply to a study by its name; without one the studies are listed")
        _list(as_json)
        return
    if name in BY_FAMILY:
        if toy:
            raise RlgymError(f"--toy applies to the other studies: {name} is over families of tasks")
        _run_by_family(name, out, seeds, steps, environments, as_json)
        return
    known_study(name)
    if environments:
        *most, last = BY_FAMILY
        raise RlgymError(f"--env applies to the studies {', '.join(most)} and {last} only: {name} has tasks of its own")
    from rlgym.cli.watch import ProgressBars
    from rlgym.train.study.run import Settings, run_study
    from rlgym.train.study.summary import table

    defaults = Settings()
    settings = Settings(steps=steps or defaults.steps, seeds=tuple(range(seeds)) if seeds else defaults.seeds, toy=toy)
    with ProgressBars(hidden=as_json) as callback:
        results = run_study(name, out, settings, callback)
    if as_json:
        print_json(results)
        return
    console.print(Markdown(table(results["summary"])))
    console.print(f"{out / name} holds table.md, curves.png, trade_off.png, study.json and every run")


def _list(as_json: bool) -> None:
    from rlgym.train.study.methods import METHODS
    from rlgym.train.study.rows import ROWS, RowSettings
    from rlgym.train.study.studies import BY_FAMILY, STUDIES

    members = {label: list(known.members) for label, known in STUDIES.items()} | {"transfer": ["one family each"], "methods": list(METHODS)}
    members |= {label: list(rows(RowSettings())) for label, rows in ROWS.items()}
    questions = {label: known.question for label, known in STUDIES.items()} | BY_FAMILY
    if as_json:
        print_json({label: {"question": question, "members": members[label]} for label, question in questions.items()})
        return
    listing = Table("study", "question", "members", box=None)
    for label, question in questions.items():
        listing.add_row(label, question, ", ".join(members[label]))
    console.print(listing)


def _run_by_family(name: str, out: Path, seeds: int | None, steps: int | None, environments: list[str] | None, as_json: bool) -> None:
    from rlgym.cli.watch import ProgressBars
    from rlgym.train.study.families import Families, chosen_families
    from rlgym.train.study.methods import MethodSettings, run_methods
    from rlgym.train.study.rows import RowSettings, run_rows
    from rlgym.train.study.transfer import TransferSettings, run_transfer

    families = chosen_families(environments) if environments else Families()
    options: dict[str, Any] = (
        {"families": families} | ({"steps": steps} if steps else {}) | ({"seeds": tuple(range(seeds))} if seeds else {})
    )
    with ProgressBars(hidden=as_json) as callback:
        if name == "transfer":
            known = tuple(label for label in TransferSettings.support if label in families.trained) or families.trained[:1]
            results = run_transfer(out, TransferSettings(support=known, **options), callback)
        elif name != "methods":
            results = run_rows(name, out, RowSettings(on=families.trained if environments else RowSettings.on, **options), callback)
        else:
            on = families.trained if environments else MethodSettings.on
            results = run_methods(out, MethodSettings(on=on, **options), callback)
    if as_json:
        print_json(results)
        return
    console.print(Markdown((out / name / "table.md").read_text(encoding="utf-8")))
    console.print(f"{out / name} holds report.html, table.md, study.json, every run and every measurement")
