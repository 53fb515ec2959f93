"""`rlgym list`, `rlgym show` and `rlgym sample`: find environments and look at their tasks."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from rlgym.cli.output import UNLIMITED, Json, Knob, Level, Seed, console, cut, heading, knobs, print_json, print_table
from rlgym.core.errors import RlgymError

if TYPE_CHECKING:
    from rlgym.cli.environment_index import IndexEntry


WIDE = 100
"""A narrower terminal has no room for all columns."""
SHORTEST_DESCRIPTION = 12


def add_to(app: typer.Typer) -> None:
    app.command(name="list")(list_)
    app.command()(show)
    app.command()(sample)


def list_(
    domain: Annotated[str | None, typer.Argument(help="only this domain")] = None,
    domain_option: Annotated[str | None, typer.Option("--domain", "-d", help="only this domain", hidden=True)] = None,
    search: Annotated[str, typer.Option("--search", "-s", help="only environments that match all these words")] = "",
    names_only: Annotated[bool, typer.Option("--names", help="print only the names")] = False,
    as_json: Json = False,
) -> None:
    """List the environments, one line each: name, domain, kind and description."""
    from rlgym.cli.environment_index import environment_index

    entries = environment_index(domain or domain_option)
    if search.strip():
        entries = [entry for entry in entries if entry.matches(search.split())]
    if as_json:
        print_json([entry.to_dict() for entry in entries])
    elif names_only:
        sys.stdout.write("".join(f"{entry.name}\n" for entry in entries))
    else:
        _print_entries(entries, show_domain=not (domain or domain_option))
    if not entries:
        raise RlgymError(f"no environment matches {search!r}: search for a part of a name or a word of the description")


def _print_entries(entries: list[IndexEntry], show_domain: bool) -> None:
    """One line per environment. On a terminal the description is cut to the width; names and pipes are never cut."""
    width = console.width if console.is_terminal else UNLIMITED
    columns = {"name": [entry.name for entry in entries]}
    columns |= {"domain": [entry.domain for entry in entries]} if show_domain else {}
    columns |= {"kind": [entry.kind for entry in entries]} if width >= WIDE else {}
    columns |= {"description": [_description(entry) for entry in entries]}
    rows = list(zip(*([title, *values] for title, values in columns.items())))
    sizes = [max(map(len, column)) for column in list(zip(*rows))[:-1]]
    room = width - sum(sizes) - 2 * len(sizes)
    lines = []
    for *cells, description in rows if console.is_terminal else rows[1:]:
        padded = [cell.ljust(size) for cell, size in zip(cells, sizes)]
        lines.append("  ".join([*padded, cut(description, room)]) if room >= SHORTEST_DESCRIPTION else cells[0])
    if console.is_terminal:
        domains = len({entry.domain for entry in entries})
        lines.append(f"{len(entries)} environments in {domains} domain{'s' if domains != 1 else ''}; `rlgym show NAME` shows one")
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def _description(entry: IndexEntry) -> str:
    return f"[needs {', '.join(entry.needs)}] {entry.description}" if entry.needs else entry.description


def show(name: Annotated[str, typer.Argument(help="name of an environment")], as_json: Json = False) -> None:
    """Show an environment: its description, its knobs, what readers solved, and a task at three levels."""
    import rlgym
    from rlgym.evaluate.readings import readings_of

    spec, readings = rlgym.spec(name), readings_of(name)
    samples = {level: _sample(name, 1, level, {}) for level in (0.0, 0.5, 1.0)}
    if as_json:
        print_json({**spec, "readings": [reading.model_dump(mode="json") for reading in readings], "samples": samples})
        return
    console.print(f"[bold]{spec['id']}[/]  ({spec['domain']}, {spec['kind']})\n")
    console.print(spec["doc"], markup=False)
    table = Table("knob", "default", "easy", "hard", "description", box=None)
    for knob, facts in spec["knobs"].items():
        hard = f"{facts['hard']} (by name up to {facts['beyond']})" if "beyond" in facts else str(facts["hard"])
        table.add_row(knob, str(facts["default"]), str(facts["easy"]), hard, facts["doc"])
    console.print()
    print_table(table)
    if readings:
        console.print("\nSolved by readers who saw the prompt alone:")
    for each in readings:
        place = f"{each.level:g}" + (f" with {each.knobs}" if each.knobs else "")
        solved = f"{each.environment} v{each.version}, level {place}: {each.solved} of {each.read} ({each.reader}, {each.date})"
        console.print(f"  {solved}{f'; not solved: {each.not_solved}' if each.not_solved else ''}", markup=False)
    for level, sampled in samples.items():
        heading(f"level {level:g}, seed 1")
        console.print(sampled["observation"], markup=False)
        console.print(f"\noracle: {sampled['oracle']}", markup=False)


def sample(
    name: Annotated[str, typer.Argument(help="name of an environment")],
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="number of tasks, with consecutive seeds")] = 1,
    seed: Seed = 0,
    level: Level = None,
    knob: Knob = None,
    as_json: Json = False,
) -> None:
    """Print tasks with the oracle's answers."""
    tasks = [_sample(name, seed + i, level, knobs(knob)) for i in range(count)]
    if as_json:
        print_json(tasks)
        return
    for sampled in tasks:
        heading(f"{name}, seed {sampled['seed']}")
        console.print(sampled["observation"], markup=False)
        console.print(f"\noracle: {sampled['oracle']}", markup=False)


def _sample(name: str, seed: int, level: float | None, overrides: dict[str, Any]) -> dict[str, Any]:
    import rlgym
    from rlgym.episode.play import oracle_response, start_episode

    declared, task = rlgym.environment(name), rlgym.task(name, seed, level=level, **overrides)
    position = start_episode(declared, task, "tag")
    return {"seed": seed, "observation": position.observation, "oracle": oracle_response(declared, position, "tag"), "task": task.to_dict()}
