"""`rlgym steps train`: train a scorer of steps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rlgym.cli.output import Json, console, path_argument, path_option, print_json
from rlgym.core.errors import RlgymError


def train(
    data: Annotated[Path, path_argument(help="labelled steps, or for pairs the preferences of `rlgym steps tree`: a folder or a file")],
    model: Annotated[Path, path_option("--model", "-m", help="Hugging Face folder of the initial model")],
    out: Annotated[Path, path_option("--out", "-o", help="the scorer's folder")],
    objective: Annotated[str, typer.Option(help="steps, outcome, tokens, td or pairs")] = "steps",
    source: Annotated[
        str | None, typer.Option("--labels", help="steps: the source of the labels: exact, rates or judge [default: exact]")
    ] = None,
    merge: Annotated[bool, typer.Option("--merge", help="steps: add responses in which two consecutive steps are one")] = False,
    balance: Annotated[
        bool, typer.Option("--balance", help="steps: leave out responses until as many end in a wrong step as in a right one")
    ] = False,
    held_out: Annotated[
        Path | None, path_option("--held-out", help="labelled steps of other tasks, by which each environment gets a weight")
    ] = None,
    weight_every: Annotated[int | None, typer.Option(min=1, help="--held-out: steps between updates of the weights [default: 10]")] = None,
    weight_lr: Annotated[float | None, typer.Option(min=0, help="--held-out: how far a weight moves in an update [default: 0.5]")] = None,
    decay: Annotated[float | None, typer.Option(min=0, max=1, help="td: the lambda of the returns [default: 0.5]")] = None,
    epochs: Annotated[int, typer.Option(min=1, help="passes over the data")] = 1,
    batch_size: Annotated[int, typer.Option(min=1, help="responses, or pairs, in an optimizer step")] = 16,
    lr: Annotated[float, typer.Option(min=0, help="learning rate of AdamW")] = 1e-5,
    seed: Annotated[int, typer.Option(min=0, help="seed of the order of the data")] = 0,
    as_json: Json = False,
) -> None:
    """Train a scorer of steps: a model with a value head. `rlgym eval --scorer` uses it in searches and best of n."""
    from rlgym.cli.train_setup import prepare

    prepare()
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from rlgym.train.scorer.train import ScorerOptions, train_scorer

    for option, value, only in (("--labels", source, "steps"), ("--decay", decay, "td")):
        if value is not None and objective != only:
            raise RlgymError(f"{option} applies to the objective {only!r} only, not to {objective!r}: leave it out")
    for option, number in (("--weight-every", weight_every), ("--weight-lr", weight_lr)):
        if number is not None and held_out is None:
            raise RlgymError(f"{option} applies to weights of environments: give --held-out, or leave it out")
    given: dict[str, Any] = {"source": source, "decay": decay, "weight_every": weight_every, "weight_lr": weight_lr}
    options = ScorerOptions(
        objective, merge=merge, epochs=epochs, batch_size=batch_size, lr=lr, seed=seed, balance=balance,
        held_out="" if held_out is None else str(held_out),
        **{k: v for k, v in given.items() if v is not None},
    )  # fmt: skip
    columns = (TextColumn("training"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=as_json) as progress:
        bar = progress.add_task("training", total=None)
        losses = train_scorer(data, model, out, options, lambda done, total, _: progress.update(bar, completed=done, total=total))
    if as_json:
        print_json({"folder": str(out), "steps": len(losses), "first_loss": losses[0], "last_loss": losses[-1]})
        return
    console.print(f"{out}: {len(losses)} steps, loss {losses[0]:.4f} at first and {losses[-1]:.4f} at last", markup=False)
