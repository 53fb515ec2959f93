"""`rlgym train`: the quickstart, new configurations, studies, recipes, verifiers and other models from files, and `rlgym train CONFIG.yaml`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table as Shown

from rlgym.cli.output import Json, console, path_option, print_json
from rlgym.cli.train_options import INIT, OFFLINE, QUICKSTART, RANK, RECIPE, STUDY, VERIFIER, refuse_foreign
from rlgym.cli.train_setup import prepare
from rlgym.core.errors import RlgymError

if TYPE_CHECKING:
    from rlgym.train.evaluate import Table


def add_to(app: typer.Typer) -> None:
    app.command()(train)


def train(
    context: typer.Context,
    target: Annotated[
        str,
        typer.Argument(
            metavar="quickstart | init | study | recipe | verifier | heads | mix-heads | value | rank | CONFIG.yaml",
            help="the built-in small run, a new configuration file, algorithms side by side, a published recipe, a small verifier, heads of several "
            "objectives, a mixture of them, a value model, responses ranked by it, or a configuration file",
        ),
    ],
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[STUDY | list | show | run | DATA]",
            help="study: its name, or none for a list; recipe: list, show, run or a name; verifier, heads, value and rank: a file of labels or pairs; "
            "mix-heads: the folder of heads",
        ),
    ] = None,
    recipe: Annotated[str | None, typer.Argument(metavar="[RECIPE]", help="recipe: its name")] = None,
    out: Annotated[
        Path | None,
        path_option(
            "--out", "-o", help="folder of the run, overriding output_dir, of the studies, or of the recipe; init: the file to write"
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", "-s", min=0, help="seed of the run; overrides the configuration's seed")] = None,
    minutes: Annotated[float | None, typer.Option(help="quickstart: approximate duration on two idle cores")] = None,
    control: Annotated[bool, typer.Option("--control", help="shuffle the rewards (negative control): nothing can be learned")] = False,
    check_only: Annotated[bool, typer.Option("--check", help="only check whether the configuration can run")] = False,
    model: Annotated[
        Path | None,
        path_option(
            "--model", "-m", help="init, recipe, verifier, heads and value: Hugging Face folder of the initial model; rank: the value model"
        ),
    ] = None,
    teacher: Annotated[
        Path | None, path_option("--teacher", help="recipe run: Hugging Face folder of a model whose responses are imitated")
    ] = None,
    preset: Annotated[str, typer.Option(help="init: grpo, dapo, ppo, rloo, reinforce++ or sft")] = "grpo",
    environments: Annotated[
        list[str] | None,
        typer.Option("--env", "-e", help="init, and the studies over families of tasks: environment or domain; may be repeated"),
    ] = None,
    seeds: Annotated[int | None, typer.Option(min=1, help="study: number of seeds [default: 3]")] = None,
    steps: Annotated[
        int | None, typer.Option(min=1, help="study, verifier, heads and value: steps of every run [default: 40; of the others 200]")
    ] = None,
    toy: Annotated[
        bool,
        typer.Option("--toy", help="recipe run and study: a small model from scratch and one easy environment; a recipe takes a few steps"),
    ] = False,
    until: Annotated[str | None, typer.Option(metavar="STAGE", help="recipe run: the last stage to run")] = None,
    lr: Annotated[
        float | None, typer.Option(min=0, help="verifier, heads and value: learning rate [default: 0.0001; of the others 0.00001]")
    ] = None,
    batch_size: Annotated[
        int | None,
        typer.Option(min=1, help="verifier and value: responses or pairs per step [default: 16]; heads: pairs of each part [default: 8]"),
    ] = None,
    tie_weight: Annotated[float | None, typer.Option(min=0, help="verifier: weight of a tie beside a pair [default: 1]")] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option(
            min=2,
            help="verifier, heads and value: tokens of a text; of a longer one (heads and value: of its prompt) the end is kept [default: 1024]",
        ),
    ] = None,
    value_steps: Annotated[
        int | None, typer.Option(min=0, help="value: steps of the value head alone, before --steps [default: 200]")
    ] = None,
    beta: Annotated[
        float | None, typer.Option(min=0, help="heads: coefficient of the log-ratios to the initial model [default: 0.1]")
    ] = None,
    weights: Annotated[
        list[str] | None,
        typer.Option("--weight", metavar="PART=WEIGHT", help="mix-heads: weight of the head of an objective; may be repeated"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Train a model: SFT on reference solutions, then reinforcement learning. Repeat the command to resume an interrupted run."""
    prepare()
    refuse_foreign(target, _given(context))
    if target == STUDY:
        from rlgym.cli.train_study import run_or_list

        run_or_list(name, out or Path("studies"), seeds, steps, environments, as_json, toy)
        return
    if target == RECIPE:
        from rlgym.cli.train_recipe import recipe_command

        recipe_command(name or "list", recipe, out, model, teacher, seed=seed, toy=toy, until=until, as_json=as_json)
        return
    if target == VERIFIER:
        from rlgym.cli.train_verifier import verifier_command

        options = {"steps": steps, "batch_size": batch_size, "lr": lr, "tie_weight": tie_weight, "max_tokens": max_tokens, "seed": seed}
        verifier_command(name, model, out or Path(VERIFIER), options, as_json)
        return
    if target in OFFLINE:
        from rlgym.cli.train_offline import offline_command

        options = {
            "steps": steps,
            "batch_size": batch_size,
            "lr": lr,
            "max_tokens": max_tokens,
            "seed": seed,
            "beta": beta,
            "value_steps": value_steps,
        }
        offline_command(target, name, model, out or Path("ranked.jsonl" if target == RANK else target), options, weights or [], as_json)
        return
    if target == INIT:
        _write_preset(out or Path("train.yaml"), model, preset, environments or ["chain_sum"])
        return
    from rlgym.cli.watch import ProgressBars
    from rlgym.train.distributed.process_group import ProcessGroup

    process_group = ProcessGroup.from_environment()
    if target == QUICKSTART:
        if process_group.size > 1:
            raise RlgymError("the quickstart runs in one process: start it without torchrun, or pass a configuration file")
        from rlgym.train.quickstart import MINUTES, quickstart

        folder = out or Path(QUICKSTART)
        with ProgressBars(hidden=as_json) as callback:
            tables = quickstart(folder, seed=seed or 0, minutes=minutes or MINUTES, control=control, callback=callback)
        finish(tables, folder / "run", as_json)
        return
    from rlgym.train.config.schema import Config

    config = _overridden(Config.read(target), out, seed, control)
    if check_only:
        from rlgym.train.validate.report import check

        for line in check(config, process_group).lines():
            console.print(line, highlight=False, soft_wrap=True)
        console.print(f"{target} can run; its output folder is {config.output_dir}")
        return
    from rlgym.train.logging.report import write_report
    from rlgym.train.loop import train as run

    with ProgressBars(hidden=as_json or not process_group.is_main) as callback:
        tables = run(config, callback)
    if not process_group.is_main:
        return
    write_report(Path(config.output_dir), f"rlgym train {target}")
    finish(tables, Path(config.output_dir), as_json)


def _given(context: typer.Context) -> list[str]:
    """The options and further arguments that stand on the command line, as they are written there."""
    places = {"name": "a second argument", "recipe": "a third argument"}
    given = []
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name != "target" and source is not None and source.name == "COMMANDLINE":
            given.append(places.get(parameter.name or "", parameter.opts[0]))
    return given


def _write_preset(file: Path, model: Path | None, preset: str, environments: list[str]) -> None:
    if model is None:
        raise RlgymError("init needs the model to train: pass its Hugging Face folder with --model")
    if file.exists():
        raise RlgymError(f"{str(file)!r} exists: choose another file with --out, or remove it")
    from rlgym.train.presets import preset_yaml

    file.write_text(preset_yaml(preset, model, "run", environments), encoding="utf-8")
    console.print(f"wrote {file}: `rlgym train {file} --check` measures it, `rlgym train {file}` runs it")


def _overridden(config: Any, out: Path | None, seed: int | None, control: bool) -> Any:
    changes: dict[str, Any] = {}
    if out is not None:
        changes["output_dir"] = str(out)
    if seed is not None:
        changes["seed"] = seed
    if control:
        changes["algorithm"] = config.algorithm.model_copy(update={"shuffle_rewards": True})
    return config.model_copy(update=changes)


def finish(tables: dict[str, Table], folder: Path, as_json: bool) -> None:
    """Print the table of held-out accuracies, and the paths of the results."""
    if as_json:
        print_json({label: {place: accuracy.to_dict() for place, accuracy in table.items()} for label, table in tables.items()})
        return
    from rlgym.train.logging.metrics_logger import read_lines
    from rlgym.train.logging.report import table_rows

    head, *body = table_rows(read_lines(folder / "evaluations.jsonl"))
    table = Shown(*head, box=None)
    for row in body:
        table.add_row(*row, style="bold" if row[0] == "mean" else None)
    console.print(table)
    console.print(f"{folder}/report.html shows the curves and sample episodes; {folder}/checkpoints/*/model are Hugging Face folders")
