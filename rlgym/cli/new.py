"""`rlgym new`: write the skeleton of an environment."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from rlgym.cli.output import console, path_option
from rlgym.core.errors import RlgymError

SKELETON = '''"""Say in one sentence what the model has to do."""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer


class Knobs(Config):
    size: int = knob(6, easy=4, hard=30, doc="how many numbers there are")


class Data(TaskData):
    numbers: tuple[int, ...]
    spread: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    numbers = tuple(rng.integer(-10_000, 10_000) for _ in range(knobs.size))
    prompt = f"By how much is the largest of these numbers above the smallest? {', '.join(map(str, numbers))}"
    return Task(prompt, Data(numbers=numbers, spread=max(numbers) - min(numbers)))


def solve(task: Task[Data]) -> int:
    # Works from the prompt, by another method than `generate`.
    smallest, *_, largest = sorted(int(number) for number in task.prompt.partition("? ")[2].split(", "))
    return largest - smallest


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.spread, "this is not the largest number minus the smallest")


def mistakes(task: Task[Data], right: int) -> list[int]:
    numbers = task.data.numbers
    return [max(numbers), max(numbers) + min(numbers), numbers[-1] - numbers[0], right + 1, -right]


def cost(task: Task[Data]) -> float:
    return len(task.data.numbers)


def explain(task: Task[Data]) -> list[str]:
    steps, smallest, largest = [], task.data.numbers[0], task.data.numbers[0]
    for number in task.data.numbers[1:]:
        smallest, largest = min(smallest, number), max(largest, number)
        steps.append(f"Up to {number}, the smallest number is {smallest} and the largest is {largest}.")
    return [*steps, f"The largest minus the smallest is {largest - smallest}."]


environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    concept="Keep the smallest and the largest number seen so far, and subtract.",
)
'''


def add_to(app: typer.Typer) -> None:
    app.command()(new)


def new(
    name: Annotated[str, typer.Argument(metavar="DOMAIN/NAME", help="domain and name, such as arithmetic/my_sum")],
    root: Annotated[Path, path_option(help="the folder that contains the domains")] = Path("envs"),
) -> None:
    """Write the skeleton of an environment: a small complete one, to be edited into yours."""
    import rlgym

    domain, slash, short = name.partition("/")
    if not slash or not all(re.fullmatch(r"[a-z][a-z0-9_]*", part) for part in (domain, short)):
        raise RlgymError(f"give DOMAIN/NAME in lower case letters, digits and underscores, got {name!r}")
    if short in rlgym.names():
        raise RlgymError(f"an environment called {short!r} exists already; names are unique across domains")
    folder = root / domain
    file = folder / f"{short}.py"
    if file.exists():
        raise RlgymError(f"{file} exists already")
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "__init__.py").exists():
        (folder / "__init__.py").write_text(f'"""Environments of the domain {domain}."""\n', encoding="utf-8")
    file.write_text(SKELETON, encoding="utf-8")
    console.print(f"wrote {file}\nnext: edit it, run `rlgym check {short}` until it passes, then `rlgym freeze {short}`")
