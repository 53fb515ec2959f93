"""`rlgym eval horizon`: how far ahead one must look from random play in small matches."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table

from rlgym.cli.output import Json, console, print_json, print_table


def horizon(
    names: Annotated[list[str], typer.Argument(help="matches, such as nim")],
    level: Annotated[float, typer.Option(min=0, max=1, help="difficulty")] = 0.0,
    seeds: Annotated[int, typer.Option(min=1, help="tasks of each match, from seed 0 on")] = 3,
    max_states: Annotated[int, typer.Option(min=1, help="tasks with more states are left out")] = 20_000,
    as_json: Json = False,
) -> None:
    """The effective horizon of matches: the least lookahead with which greedy play over random play's values is optimal, and its samples."""
    from rlgym.core.errors import RlgymError, UnknownName
    from rlgym.episode.effective_horizon import effective_horizon

    found, left_out = [], []
    for name in names:
        for seed in range(seeds):
            try:
                found.append({"env": name, "seed": seed} | asdict(effective_horizon(name, seed, level=level, max_states=max_states)))
            except UnknownName:
                raise
            except RlgymError as error:
                left_out.append({"env": name, "seed": seed, "reason": str(error)})
    if as_json:
        print_json({"level": level, "tasks": found, "left_out": left_out})
        return
    table = Table("match", "seed", "states", "moves", "actions", "k", "effective horizon", "rollouts", box=None)
    for row in found:
        counts = [str(row[name]) for name in ("seed", "states", "horizon", "actions", "min_k")]
        table.add_row(str(row["env"]), *counts, f"{row['effective_horizon']:.1f}", f"{row['rollouts']:.2g}")
    if found:
        print_table(table)
    for row in left_out:
        console.print(f"{row['env']}, seed {row['seed']}: {row['reason']}", style="yellow", markup=False)
