"""Statements of knights, knaves and spies about each other: written and evaluated."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations

from rlgym.core.task import TaskData

KINDS = ("knight", "knave", "spy")


class Statement(TaskData):
    kind: str
    people: tuple[int, ...]
    kinds: tuple[int, ...]
    number: int = 0


def plural(kind: str, number: int) -> str:
    return kind if number == 1 else "spies" if kind == "spy" else f"{kind}s"


def render_statement(statement: Statement, names: tuple[str, ...]) -> str:
    people = [names[i] for i in statement.people]
    claims = [f"{name} is a {KINDS[kind]}" for name, kind in zip(people, statement.kinds, strict=True)]
    match statement.kind:
        case "is":
            return f"{claims[0]}." if statement.number else f"{people[0]} is not a {KINDS[statement.kinds[0]]}."
        case "same":
            return f"{people[0]} and {people[1]} are {'of the same kind' if statement.number else 'of different kinds'}."
        case "and":
            return f"{claims[0]} and {claims[1]}."
        case "or":
            return f"{claims[0]}, or {claims[1]}, or both."
        case "if":
            return f"If {claims[0]}, then {claims[1]}."
        case "iff":
            return f"{claims[0]} exactly when {claims[1]}."
        case _:
            kind = plural(KINDS[statement.kinds[0]], 2)
            return f"Among {', '.join(people[:-1])} and {people[-1]}, the number of {kind} is exactly {statement.number}."


def is_true(statement: Statement, kinds: Sequence[int]) -> bool:
    claimed = [kinds[i] == kind for i, kind in zip(statement.people, statement.kinds, strict=True)]
    match statement.kind:
        case "is":
            return claimed[0] == (statement.number > 0)
        case "same":
            return (kinds[statement.people[0]] == kinds[statement.people[1]]) == (statement.number > 0)
        case "and":
            return all(claimed)
        case "or":
            return any(claimed)
        case "if":
            return not claimed[0] or claimed[1]
        case "iff":
            return claimed[0] == claimed[1]
        case _:
            return sum(kinds[i] == statement.kinds[0] for i in statement.people) == statement.number


@cache
def possible_worlds(counts: tuple[int, int, int]) -> tuple[list[tuple[int, ...]], list[list[int]]]:
    """All assignments with these numbers of each kind, and for each person and kind the bits of those in which the person is of the kind."""
    count, worlds = sum(counts), list[tuple[int, ...]]()
    for knights in combinations(range(count), counts[0]):
        rest = [i for i in range(count) if i not in knights]
        worlds += [tuple(0 if i in knights else 1 if i in knaves else 2 for i in range(count)) for knaves in combinations(rest, counts[1])]
    atoms = [[sum(1 << w for w, world in enumerate(worlds) if world[i] == kind) for kind in range(3)] for i in range(count)]
    return worlds, atoms
