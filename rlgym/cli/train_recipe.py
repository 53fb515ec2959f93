"""`rlgym train recipe list`, `show NAME` and `run NAME`, or `rlgym train recipe NAME`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.markdown import Markdown
from rich.table import Table

from rlgym.cli.output import console, print_json, print_table
from rlgym.core.errors import RlgymError, UnknownName, suggestion

if TYPE_CHECKING:
    from rlgym.train.recipes.recipe import Recipe

ACTIONS = ("list", "show", "run")


def recipe_command(
    action: str,
    name: str | None,
    out: Path | None,
    model: Path | None,
    teacher: Path | None = None,
    *,
    seed: int | None,
    toy: bool,
    until: str | None,
    as_json: bool,
) -> None:
    """List the recipes, show one, or run one; the name of a recipe alone runs it."""
    if action not in ACTIONS:
        from rlgym.train.recipes.recipe import recipe_names

        if action not in recipe_names() or name is not None:
            known = (*ACTIONS, *(recipe_names() if name is None else ()))
            raise UnknownName(f"recipe takes {', '.join(ACTIONS)} or the name of a recipe, got {action!r}.{suggestion(action, known)}")
        action, name = "run", action
    if action != "run" and (toy or until is not None or teacher is not None or seed is not None):
        raise RlgymError("--toy, --until, --teacher and --seed apply to `rlgym train recipe run NAME` only")
    if action == "list":
        if name is not None:
            raise RlgymError(f"list takes no name: `rlgym train recipe show {name}` shows one recipe")
        if out is not None or model is not None:
            raise RlgymError("--out and --model apply to `rlgym train recipe show NAME` and `run NAME` only")
        _list(as_json)
        return
    if name is None:
        raise RlgymError(f"{action} needs the name of a recipe: `rlgym train recipe list` lists them")
    from rlgym.train.recipes.recipe import recipe

    chosen = recipe(name)
    if action == "show":
        _show(chosen, out, model, as_json)
    else:
        _run(chosen, out or Path("recipes") / f"{name}{'-toy' if toy else ''}", model, teacher, seed or 0, toy, until, as_json)


def _list(as_json: bool) -> None:
    from rlgym.train.recipes.recipe import recipes

    if as_json:
        print_json([{"name": found.name, "theme": found.theme, "title": found.title, "paper": found.paper} for found in recipes()])
        return
    table = Table("recipe", "theme", "title", "stages", "idea", box=None)
    for found in recipes():
        table.add_row(found.name, found.theme, found.title, str(len(found.stages)), found.idea)
    print_table(table)


def _show(chosen: Recipe, out: Path | None, model: Path | None, as_json: bool) -> None:
    from rlgym.train.recipes.show import stage_yaml, text

    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        for number, stage in enumerate(chosen.stages, 1):
            if stage.kind != "train":
                console.print(
                    f"no file for {stage.name}, which trains nothing: `rlgym train recipe run {chosen.name} --until {stage.name}`"
                )
                continue
            file = out / f"{number}-{stage.name}.yaml"
            file.write_text(stage_yaml(chosen, stage, model or Path("MODEL"), out), encoding="utf-8")
            console.print(f"wrote {file}")
        return
    if as_json:
        print_json(chosen.model_dump(mode="json"))
        return
    console.print(text(chosen), markup=False)


def _run(
    chosen: Recipe, out: Path, model: Path | None, teacher: Path | None, seed: int, toy: bool, until: str | None, as_json: bool
) -> None:
    from rlgym.cli.watch import ProgressBars
    from rlgym.train.recipes.run import run_recipe
    from rlgym.train.recipes.toy import has_learning_signal

    with ProgressBars(hidden=as_json) as callback:
        results = run_recipe(chosen, out, model, teacher=teacher, toy=toy, seed=seed, until=until, callback=callback)
    if as_json:
        print_json(
            [
                {
                    "stage": done.stage,
                    "model": str(done.model),
                    "accuracy": done.accuracy,
                    "learning_signal": has_learning_signal(done.folder),
                    "table": done.table,
                }
                for done in results
            ]
        )
        return
    table = Table("stage", "held-out accuracy", "learning signal", "model", box=None)
    for done in results:
        shown = ", ".join(f"{label} {value:.3f}" for label, value in done.accuracy.items() if value is not None)
        table.add_row(done.stage, shown or "not measured", "yes" if has_learning_signal(done.folder) else "no", str(done.model))
    print_table(table)
    for done in results:
        if done.table:
            console.print(Markdown(f"## {done.stage}\n\n{done.table}"))
            console.print(f"{done.folder} holds comparison.md, comparison.json and report.html")
