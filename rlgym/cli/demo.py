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

from rlgym.cli.output import console, path_option
from rlgym.core.errors import RlgymError

LEVELS = [0.0, 0.25, 0.5, 0.75, 1.0]
REGENERATED = 10  # every how many-th task of a domain is generated again from its seed
EPISODES = ("chain_sum", "shortest_path", "higher_lower")
NEXT_STEPS = (
    ("rlgym list", "all environments, one line each"),
    ("rlgym play sudoku", "play one yourself"),
    ("rlgym show shortest_path", "knobs, answer format and a sample of an environment"),
    ("rlgym check shortest_path", "measure the laws on it"),
)


def add_to(app: typer.Typer) -> None:
    app.command()(demo)


def demo(
    count: Annotated[int, typer.Option(min=1, help="tasks in the dataset")] = 1000,
    out: Annotated[Path, path_option(help="the folder of the dataset; that of an earlier demo is replaced")] = Path("demo"),
    workers: Annotated[int, typer.Option(min=1, help="processes")] = 2,
) -> None:
    """Play three episodes, build a small dataset over all environments, score right and wrong responses to it, and print a table."""
    import rlgym

    for name in EPISODES:
        if name in rlgym.names():
            episode(name)
    totals = dataset(count, out, workers)
    console.print(table(totals))
    if any(row["oracle"] < 1 or row["wrong"] > 0 for row in totals.values()):
        raise RlgymError("a right answer scored below 1 or a wrong one above 0; see the table")
    console.print(f"\nThe dataset is in {out}. What to try next:")
    for command, what in [(f"rlgym dataset show {out}", "rows of the dataset"), *NEXT_STEPS]:
        console.print(f"  {command:<28} {what}", markup=False, highlight=False)


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
        shown = responses[0] if len(responses) == 1 else f"{responses[0]} ... {responses[-1]} ({len(responses)} turns)"
        reason = f": {score.reason}" if score.reason else ""
        console.print(f"  {player:>6} answers {shown}\n         score {score.value:g} ({score.outcome.value}){reason}", markup=False)
    console.print()


def dataset(count: int, out: Path, workers: int) -> dict[str, dict[str, Any]]:
    """Build the dataset, score right and wrong responses from its files alone; totals per domain."""
    from rlgym.dataset import Recipe, build, load, oracle_response, wrong_response
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
            totals.setdefault(row["domain"], {"tasks": 0, "oracle": 0.0, "wrong": 0.0, "duplicates": 0, "regenerated": 0, "seconds": 0.0})
            into = totals[row["domain"]]
            if into["tasks"] % REGENERATED == 0:
                _regenerate(row, into)
            into["tasks"] += 1
            into["oracle"] += score(row, oracle_response(row)).value
            into["wrong"] += score(row, wrong_response(row)).value
            into["duplicates"] += prompts[row["env"], row["prompt"]] > 0
            prompts[row["env"], row["prompt"]] += 1
            progress.advance(bar)
    console.print(f"built {count} tasks in {built:.1f} s with {workers} processes: {count / built:,.0f} tasks/s, oracle answers included")
    console.print(f"{manifest.duplicates} duplicates were discarded and redrawn")
    for reason in recipe.skipped().values():
        console.print(f"skipped: {reason}", markup=False)
    for row in totals.values():
        row["oracle"] /= row["tasks"]
        row["wrong"] /= row["tasks"]
    return dict(sorted(totals.items()))


def _regenerate(row: dict[str, Any], into: dict[str, Any]) -> None:
    """Generate a task of the dataset again from its seed, to time it and to compare it."""
    import json

    import rlgym

    begun = time.perf_counter()
    task = rlgym.task(row["env"], row["seed"], **json.loads(row["knobs"]))
    into["seconds"] += time.perf_counter() - begun
    into["regenerated"] += 1
    if task.prompt != row["prompt"]:
        raise RlgymError(f"{row['id']} differs when it is generated again from its seed")


def table(totals: dict[str, dict[str, Any]]) -> Table:
    """Per domain: tasks, generation speed, the mean scores of the oracle and of wrong answers, and duplicates."""
    shown = Table(box=None)
    shown.add_column("domain", no_wrap=True)
    for column in ("tasks", "tasks/s", "oracle", "wrong answers", "duplicates"):
        shown.add_column(column, justify="right", no_wrap=True)
    for domain, row in totals.items():
        rate = row["regenerated"] / row["seconds"]
        shown.add_row(domain, str(row["tasks"]), f"{rate:,.0f}", f"{row['oracle']:.3f}", f"{row['wrong']:.3f}", str(row["duplicates"]))
    return shown
