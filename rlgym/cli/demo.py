"""`rlgym demo`: the main job on real input, end to end."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.panel import Panel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from rlgym.cli.output import console
from rlgym.core.errors import RlgymError

LEVELS = [0.0, 0.25, 0.5, 0.75, 1.0]
AGAIN = 10  # every how many-th task of a domain is made again from its seed
SHOWN = ("chain_sum", "shortest_path", "countdown", "knights_and_knaves", "higher_lower")


def add_to(app: typer.Typer) -> None:
    app.command()(demo)


def demo(
    count: Annotated[int, typer.Option(min=1, help="tasks in the dataset")] = 10_000,
    out: Annotated[Path, typer.Option(help="where the dataset goes; an earlier demo's is replaced")] = Path("demo"),
    workers: Annotated[int, typer.Option(min=1, help="processes")] = 2,
) -> None:
    """Play some episodes, build a dataset over all environments, score right and wrong responses to it, and show the table."""
    import rlgym

    for name in SHOWN:
        if name in rlgym.names():
            episode(name)
    totals = dataset(count, out, workers)
    console.print(table(totals))
    if any(row["oracle"] < 1 or row["wrong"] > 0 for row in totals.values()):
        raise RlgymError("a right answer was refused or a wrong one paid; see the table")
    console.print(f"The dataset is in {out}; look at it with `rlgym dataset show {out}`.")


def episode(name: str) -> None:
    """Play one episode with the oracle and one with a junk answer, and show both."""
    import rlgym

    for player in ("oracle", "junk"):
        env = rlgym.make(name, level=0.1)
        observation, _ = env.reset(seed=7)
        over, responses = False, []
        info: dict[str, Any] = {}
        while not over:
            responses.append(env.oracle() if player == "oracle" else "<answer>I am sure this is correct.</answer>")
            _, _, over, _, info = env.step(responses[-1])
        score = info["score"]
        if player == "oracle":
            console.print(Panel(Text(observation), title=f"{name}, level 0.1, seed 7", title_align="left"), soft_wrap=False)
        said = responses[0] if len(responses) == 1 else f"{responses[0]} ... {responses[-1]} ({len(responses)} turns)"
        reason = f": {score.reason}" if score.reason else ""
        console.print(f"  {player:>6} says {said}\n         score {score.value:g} ({score.outcome.value}){reason}", markup=False)
    console.print()


def dataset(count: int, out: Path, workers: int) -> dict[str, dict[str, Any]]:
    """Build the dataset, score right and wrong responses from its files alone; totals per domain."""
    from rlgym.dataset import Recipe, build, load, responses, wrong_response
    from rlgym.episode.scoring import score

    shutil.rmtree(out, ignore_errors=True)
    recipe = Recipe(name="demo", names=["all"], levels=LEVELS, count=count, seed=0)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    begun = time.perf_counter()
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("building", total=count)
        manifest = build(recipe, out, workers=workers, progress=lambda done, total: progress.update(bar, completed=done, total=total))
        built = time.perf_counter() - begun
        bar = progress.add_task("scoring", total=count)
        totals: dict[str, dict[str, Any]] = {}
        prompts: Counter[tuple[str, str]] = Counter()
        for row in load(out):
            totals.setdefault(row["domain"], {"tasks": 0, "oracle": 0.0, "wrong": 0.0, "duplicates": 0, "again": 0, "seconds": 0.0})
            into = totals[row["domain"]]
            if into["tasks"] % AGAIN == 0:
                _made_again(row, into)
            into["tasks"] += 1
            into["oracle"] += score(row, responses(row)).value
            into["wrong"] += score(row, wrong_response(row)).value
            into["duplicates"] += prompts[row["env"], row["prompt"]] > 0
            prompts[row["env"], row["prompt"]] += 1
            progress.advance(bar)
    console.print(f"built {count} tasks in {built:.1f} s with {workers} processes: {count / built:,.0f} tasks/s, oracle checked")
    console.print(f"{manifest.duplicates} duplicates were met and refused while building")
    for row in totals.values():
        row["oracle"] /= row["tasks"]
        row["wrong"] /= row["tasks"]
    return dict(sorted(totals.items()))


def _made_again(row: dict[str, Any], into: dict[str, Any]) -> None:
    """Make a task of the dataset again from its seed, to time it and to see that it is the same."""
    import json

    import rlgym

    begun = time.perf_counter()
    task = rlgym.task(row["env"], row["seed"], **json.loads(row["knobs"]))
    into["seconds"] += time.perf_counter() - begun
    into["again"] += 1
    if task.prompt != row["prompt"]:
        raise RlgymError(f"{row['id']} is another task when it is made again")


def table(totals: dict[str, dict[str, Any]]) -> Table:
    """The table per domain."""
    shown = Table("domain", box=None)
    for column in ("tasks", "tasks/s", "oracle accuracy", "wrong-answer accuracy", "duplicates"):
        shown.add_column(column, justify="right")
    for domain, row in totals.items():
        rate = row["again"] / row["seconds"]
        shown.add_row(domain, str(row["tasks"]), f"{rate:,.0f}", f"{row['oracle']:.3f}", f"{row['wrong']:.3f}", str(row["duplicates"]))
    return shown
