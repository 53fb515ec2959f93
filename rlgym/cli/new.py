"""`rlgym new`: the skeleton of an environment."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from rlgym.cli.output import console
from rlgym.core.errors import RlgymError

SKELETON = '''"""Say in one sentence what the model has to do."""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer


class Knobs(Config):
    size: int = knob(5, easy=2, hard=30, doc="how many numbers there are")


class Data(TaskData):
    numbers: tuple[int, ...]
    largest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    numbers = tuple(rng.integer(-10_000, 10_000) for _ in range(knobs.size))
    prompt = f"What is the largest of these numbers? {', '.join(map(str, numbers))}"
    return Task(prompt, Data(numbers=numbers, largest=max(numbers)))


def solve(task: Task[Data]) -> int:
    # From what the prompt shows, by another route than `generate`.
    return sorted(int(number) for number in task.prompt.partition("? ")[2].split(", "))[-1]


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.largest, "there is a larger number, or this one is not among them")


def mistakes(task: Task[Data], right: int) -> list[int]:
    return [min(task.data.numbers), right + 1, max(task.data.numbers, key=abs), -right]


def cost(task: Task[Data]) -> float:
    return len(task.data.numbers)


def explain(task: Task[Data]) -> list[str]:
    steps, best = [], task.data.numbers[0]
    for number in task.data.numbers[1:]:
        steps.append(f"{number} is {'larger' if number > best else 'not larger'} than {best}.")
        best = max(best, number)
    return [*steps, f"The largest is {best}."]


environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    concept="Keep the largest number seen so far.",
)
'''


def add_to(app: typer.Typer) -> None:
    app.command()(new)


def new(
    name: Annotated[str, typer.Argument(metavar="DOMAIN/NAME", help="where it goes, such as arithmetic/my_sum")],
    root: Annotated[Path, typer.Option(help="the folder that holds the domains")] = Path("envs"),
) -> None:
    """Write the skeleton of an environment: a small one that works, to be changed into yours."""
    import rlgym

    domain, slash, short = name.partition("/")
    if not slash or not all(re.fullmatch(r"[a-z][a-z0-9_]*", part) for part in (domain, short)):
        raise RlgymError(f"give DOMAIN/NAME in lower case letters, digits and underscores, got {name!r}")
    if short in rlgym.names():
        raise RlgymError(f"there is an environment called {short!r} already; names are unique over all domains")
    folder = root / domain
    file = folder / f"{short}.py"
    if file.exists():
        raise RlgymError(f"{file} exists already")
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "__init__.py").exists():
        (folder / "__init__.py").write_text(f'"""Environments of the domain {domain}."""\n', encoding="utf-8")
    file.write_text(SKELETON, encoding="utf-8")
    console.print(f"wrote {file}\nnext: change it, then `rlgym check {short}` and `rlgym freeze {short}`")
