"""`rlgym list`, `rlgym show` and `rlgym sample`: what there is."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.table import Table

from rlgym.cli.output import Json, Knob, Level, Seed, console, knobs, print_json


def add_to(app: typer.Typer) -> None:
    app.command(name="list")(list_)
    app.command()(show)
    app.command()(sample)


def list_(domain: Annotated[str | None, typer.Option("--domain", "-d", help="only this domain")] = None, as_json: Json = False) -> None:
    """List the environments."""
    import rlgym

    specs = [rlgym.spec(name) for name in rlgym.names(domain)]
    if as_json:
        print_json(specs)
        return
    table = Table("name", "domain", "kind", "answer", "what", box=None)
    for spec in specs:
        table.add_row(spec["name"], spec["domain"], spec["kind"], spec["answer"]["format"], spec["doc"].split("\n")[0])
    console.print(table)
    console.print(f"{len(specs)} environments")


def show(name: Annotated[str, typer.Argument(help="name of an environment")], as_json: Json = False) -> None:
    """Show an environment: what it is, its knobs, and a sample per level."""
    import rlgym

    spec = rlgym.spec(name)
    samples = {level: _sample(name, 1, level, {}) for level in (0.0, 0.5, 1.0)}
    if as_json:
        print_json({**spec, "samples": samples})
        return
    console.print(f"[bold]{spec['id']}[/]  ({spec['domain']}, {spec['kind']})\n")
    console.print(spec["doc"], markup=False)
    table = Table("knob", "default", "easy", "hard", "what", box=None)
    for knob, facts in spec["knobs"].items():
        table.add_row(knob, *(str(facts[key]) for key in ("default", "easy", "hard", "doc")))
    console.print()
    console.print(table)
    for level, sampled in samples.items():
        console.rule(f"level {level:g}, seed 1", align="left")
        console.print(sampled["observation"], markup=False)
        console.print(f"\noracle: {sampled['oracle']}", markup=False)


def sample(
    name: Annotated[str, typer.Argument(help="name of an environment")],
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="how many tasks, from this seed on")] = 1,
    seed: Seed = 0,
    level: Level = None,
    knob: Knob = None,
    as_json: Json = False,
) -> None:
    """Print tasks with the oracle's answers."""
    found = [_sample(name, seed + i, level, knobs(knob)) for i in range(count)]
    if as_json:
        print_json(found)
        return
    for sampled in found:
        console.rule(f"{name}, seed {sampled['seed']}", align="left")
        console.print(sampled["observation"], markup=False)
        console.print(f"\noracle: {sampled['oracle']}", markup=False)


def _sample(name: str, seed: int, level: float | None, given: dict[str, Any]) -> dict[str, Any]:
    import rlgym
    from rlgym.episode.play import opening, oracle_answer

    declared, task = rlgym.environment(name), rlgym.task(name, seed, level=level, **given)
    position = opening(declared, task, "tag")
    return {
        "seed": seed,
        "observation": position.observation,
        "oracle": declared.answer.write(oracle_answer(declared, position), "tag"),
        "task": task.to_dict(),
    }
