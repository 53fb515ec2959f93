"""Lines that set, copy, change and swap variables, in prose and in code, and what they do to the values held."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from rlgym.core.task import TaskData
from rlgym.generators.facts import Bank

STARTS = range(100)  # the values that an unknown variable may have at the start
BANK = Bank("""
set: {name} = {number} | Let {name} be {number}. | Store {number} in {name}. | Set {name} to {number}.
copy: {name} = {source} | Let {name} be equal to {source}. | Set {name} to the value of {source}.
copy: Copy the value of {source} into {name}.
add: {name} = {source} + {number} | Let {name} be {number} more than {source}. | Set {name} to {source} plus {number}.
add: Take {source}, add {number}, and store the result in {name}.
less: {name} = {source} - {number} | Let {name} be {number} less than {source}. | Set {name} to {source} minus {number}.
less: Take {source}, subtract {number}, and store the result in {name}.
both: {name} = {source} + {second} | Let {name} be the sum of {source} and {second}. | Set {name} to the total of {source} and {second}.
both: Add {source} to {second}, and store the result in {name}.
swap: {name}, {source} = {source}, {name} | Exchange the values of {name} and {source}. | Swap {name} with {source}.
swap: The values of {name} and {source} are swapped.
if: if {left} > {right}: {name} = {source} | If {left} is greater than {right}, set {name} to the value of {source}.
if: Set {name} to the value of {source}, but only if {left} is greater than {right}.
if: Copy the value of {source} into {name} if {left} is greater than {right}.
""")


class Move(TaskData):
    kind: str
    name: str
    source: str = ""
    second: str = ""
    left: str = ""
    right: str = ""
    number: int = 0


def execute(values_held: dict[str, int], move: Move) -> dict[str, int]:
    match move.kind:
        case "set":
            return values_held | {move.name: move.number}
        case "swap":
            return values_held | {move.name: values_held[move.source], move.source: values_held[move.name]}
        case "if":
            return values_held | {move.name: values_held[move.source]} if values_held[move.left] > values_held[move.right] else values_held
        case "both":
            return values_held | {move.name: values_held[move.source] + values_held[move.second]}
        case kind:
            return values_held | {move.name: values_held[move.source] + {"add": 1, "less": -1}.get(kind, 0) * move.number}


def run(values_held: dict[str, int], moves: Iterable[Move]) -> dict[str, int]:
    for move in moves:
        values_held = execute(values_held, move)
    return values_held


def bends(values: Sequence[Sequence[int]]) -> int:
    """How often one of the sequences changes its slope."""
    slopes = [tuple(after - before for before, after in zip(*pair)) for pair in pairwise(zip(*values))]
    return sum(before != after for before, after in pairwise(slopes))


def pieces(moves: Sequence[Move], unknown: str) -> list[range]:
    """The values of the unknown variable at the start, split where a condition turns out otherwise."""

    def outcomes(start: int) -> list[bool]:
        held, holds = {unknown: start}, list[bool]()
        for move in moves:
            if move.kind == "if":
                holds.append(held[move.left] > held[move.right])
            held = execute(held, move)
        return holds

    told = [outcomes(start) for start in STARTS]
    cuts = [0, *(start for start in STARTS[1:] if told[start] != told[start - 1]), len(STARTS)]
    return [range(low, high) for low, high in pairwise(cuts)]
