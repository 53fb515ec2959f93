"""Chains of operations out of a numbered list, sampled so that all chains that fit the examples agree on a new input."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, Generic, Protocol, TypeVar

from rlgym.core.rng import Rng
from rlgym.core.task import Task, TaskData
from rlgym.solutions import Derivation, Solution, Step

V = TypeVar("V")
W = TypeVar("W", covariant=True)
CHAIN = Step("Take the operations {numbers}, in this order")
STAGE = Step("{where}, operation {number}: {before} becomes {after}")
END = "The output: {answer}"
LENGTHS = {
    1: "The rule is one of the operations below.",
    2: "The rule applies one or two of the operations below, one after the other; both may be the same operation.",
    3: "The rule applies one, two or three of the operations below, one after another; an operation may be used more than once.",
}
TIMES = {2: "twice", 3: "three times"}
Notes = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Operation(Generic[V]):
    text: str
    do: Callable[[V], V]


Operations = Sequence[Operation[V]]
Pairs = Sequence[tuple[V, V]]


@dataclass(frozen=True)
class Puzzle(Generic[V]):
    examples: tuple[tuple[V, V], ...]
    new: V
    chain: tuple[int, ...]
    right: V


def run(operations: Operations[V], chain: Sequence[int], value: V) -> V:
    for k in chain:
        value = operations[k].do(value)
    return value


def run_repeatedly(operations: Operations[V], chain: Sequence[int], value: V, times: int) -> V:
    for _ in range(times):
        value = run(operations, chain, value)
    return value


def outcomes_of_repeated(operations: Operations[V], depth: int, times: int, examples: Pairs[V], new: V) -> dict[V, tuple[int, ...]]:
    """The same for chains that are applied several times to make an example, and once to the new input."""
    by_result = dict[V, tuple[int, ...]]()
    (first, goal), *others = examples
    layer: dict[tuple[int, ...], V] = {(): first}
    for _ in range(depth):
        layer = {(*chain, k): operation.do(value) for chain, value in layer.items() for k, operation in enumerate(operations)}
        for chain, value in layer.items():
            if run_repeatedly(operations, chain, value, times - 1) == goal and all(
                run_repeatedly(operations, chain, given, times) == output for given, output in others
            ):
                by_result.setdefault(run(operations, chain, new), chain)
    return by_result


def outcomes(operations: Operations[V], depth: int, examples: Pairs[V], new: V) -> dict[V, tuple[int, ...]]:
    """All that chains of 1 to `depth` operations that fit the examples make of a new input, each with a shortest chain."""
    goal = tuple(output for _, output in examples)
    layer: dict[tuple[V, ...], tuple[int, ...]] = {(*(given for given, _ in examples), new): ()}
    seen, by_result = set(layer), dict[V, tuple[int, ...]]()
    for length in range(1, depth + 1):
        following: dict[tuple[V, ...], tuple[int, ...]] = {}
        for state, chain in layer.items():
            for k, operation in enumerate(operations):
                if length == depth and operation.do(state[0]) != goal[0]:
                    continue
                outputs = tuple(map(operation.do, state))
                if outputs[:-1] == goal:
                    by_result.setdefault(outputs[-1], (*chain, k))
                if outputs not in seen:
                    seen.add(outputs)
                    following[outputs] = (*chain, k)
        layer = following
    return by_result


def sample_puzzle(
    rng: Rng, operations: Operations[V], depth: int, examples: int, draw: Callable[[], V], sound: Callable[[V], bool], times: int = 1
) -> Puzzle[V]:
    """A chain of exactly `depth` operations, none shorter fitting, and examples by which the new output is certain.

    The outputs of examples come from applying the chain `times` times; that of the new input comes from applying it once.
    """
    # The search applies every operation to the same values again and again.
    operations = [Operation(operation.text, cache(operation.do)) for operation in operations]
    while True:
        chain = tuple(rng.integer(0, len(operations) - 1) for _ in range(depth))
        inputs = list(dict.fromkeys(draw() for _ in range(examples + 4)))
        outputs = [run_repeatedly(operations, chain, value, times) for value in inputs]
        if len(inputs) < examples + 1 or not sound(outputs[0]) or outputs[0] == inputs[0]:
            continue
        if len(set(outputs)) < len(outputs) - 1 or sum(map(sound, outputs)) < examples:
            continue
        once = run(operations, chain, inputs[0]) if inputs else None
        if times > 1 and (once in (inputs[0], outputs[0]) or once is None or not sound(once)):
            continue
        shown = [(given, output) for given, output in zip(inputs[1:], outputs[1:]) if sound(output)]
        if 2 * sum(given == output for given, output in shown) > len(shown):
            continue
        for count in range(examples, len(shown) + 1):
            by_outcome = (
                outcomes(operations, depth, shown[:count], inputs[0])
                if times == 1
                else outcomes_of_repeated(operations, depth, times, shown[:count], inputs[0])
            )
            if any(len(fitting) < depth for fitting in by_outcome.values()):
                continue
            if len(by_outcome) == 1:
                return Puzzle(tuple(shown[:count]), inputs[0], *next((chain, right) for right, chain in by_outcome.items()))


def fitting_chains(operations: Operations[V], depth: int, examples: Pairs[V], times: int = 1) -> Iterator[tuple[int, ...]]:
    """All chains that fit, the last of each length first, by going through all of them."""

    def chains(values: list[V], depth_left: int) -> Iterator[tuple[int, ...]]:
        for k in reversed(range(len(operations))):
            if depth_left > 1:
                yield from ((k, *rest) for rest in chains([operations[k].do(value) for value in values], depth_left - 1))
            elif all(operations[k].do(value) == output for value, (_, output) in zip(values, examples)):
                yield (k,)

    for length in range(1, depth + 1):
        if times > 1:
            every = product(reversed(range(len(operations))), repeat=length)
            yield from (c for c in every if all(run_repeatedly(operations, c, value, times) == output for value, output in examples))
            continue
        yield from chains([given for given, _ in examples], length)


class Texts(TaskData):
    """The data of a task where values are texts."""

    table: str
    numbers: tuple[int, ...]  # which operations of the table, in the order of the prompt
    depth: int
    examples: tuple[tuple[str, str], ...]
    new: str
    right: str


class Known(Protocol[W]):
    """What the data of a task must hold."""

    @property
    def table(self) -> str: ...
    @property
    def numbers(self) -> tuple[int, ...]: ...
    @property
    def depth(self) -> int: ...
    @property
    def examples(self) -> tuple[tuple[W, W], ...]: ...
    @property
    def new(self) -> W: ...
    @property
    def right(self) -> W: ...


def _times(data: Known[Any]) -> int:
    """How often the rule was applied to make the output of an example."""
    times: int = getattr(data, "times", 1)
    return times


class Family(Generic[V]):
    """A kind of values with tables of operations on them: how tasks are sampled, rendered, solved and explained.

    things  what the values are called, as in "lists of numbers"
    notes   (pattern, sentence) pairs; a sentence is shown where the listed operations contain its pattern
    """

    def __init__(self, tables: Mapping[str, Operations[V]], shown: Callable[[V], str], things: str, notes: Notes = ()) -> None:
        self.tables, self.shown, self.things, self.notes = tables, shown, things, notes

    def operations(self, data: Known[V]) -> list[Operation[V]]:
        return [self.tables[data.table][k] for k in data.numbers]

    def sample(
        self, rng: Rng, table: str, size: int, depth: int, examples: int, draw: Callable[[], V], sound: Callable[[V], bool], times: int = 1
    ) -> tuple[str, dict[str, Any]]:
        """The prompt and the fields of the data, with the first `size` operations of a table in any order."""
        numbers = tuple(rng.shuffled(range(min(size, len(self.tables[table])))))
        operations = [self.tables[table][k] for k in numbers]
        puzzle = sample_puzzle(rng, operations, depth, examples, draw, sound, times)
        fields = {"table": table, "numbers": numbers, "depth": depth}
        return self._render_prompt(operations, depth, puzzle, times), fields | {
            "examples": puzzle.examples,
            "new": puzzle.new,
            "right": puzzle.right,
        }

    def _render_prompt(self, operations: Operations[V], depth: int, puzzle: Puzzle[V], times: int) -> str:
        texts = [operation.text for operation in operations]
        listing = "\n".join(f"{k}. {text}" for k, text in enumerate(texts, 1))
        notes = "".join(f" {note}" for words, note in self.notes if re.search(words, "\n".join(texts), re.I))
        gap = "\n" if "\n" in self.shown(puzzle.new) else " "
        rows = [
            f"Input {k}:{gap}{self.shown(given)}\nOutput {k}:{gap}{self.shown(output)}"
            for k, (given, output) in enumerate(puzzle.examples, 1)
        ]
        shown, once = "The same rule produced all of these outputs:", ""
        if times > 1:
            shown = (
                f"Each of these outputs was produced by applying the same rule {TIMES[times]}, one application after the other, each to the "
                "result of the one before:"
            )
            once = " when the rule is applied once"
        return (
            f"A rule turns {self.things} into {self.things}. {LENGTHS[depth]}{notes}\n{listing}\n\n"
            f"{shown}\n"
            + "\n".join(rows)
            + f"\n\nNew input:{gap}{self.shown(puzzle.new)}\n\nWhat is the output for the new input{once}? All rules of this kind that fit the "
            "examples give the same one."
        )

    def solve(self, data: Known[V]) -> V:
        """By the last chain of all that fit; `generate` uses the first."""
        operations = self.operations(data)
        return run(operations, next(fitting_chains(operations, data.depth, data.examples, _times(data))), data.new)

    def _inline(self, value: V) -> str:
        return self.shown(value).replace("\n", " / ")

    def solution(self) -> Solution[Any]:
        """A chain that fits, worked through each example and the new input; any chain that fits is right."""
        return Solution(self._derive, END, whole=True)

    def _derive(self, task: Task[Any]) -> Derivation:
        data: Known[V] = task.data
        operations = self.operations(data)

        def fits(numbers: str) -> bool:
            chain = [int(number) - 1 for number in numbers.split()]
            return min(chain) >= 0 and all(
                run_repeatedly(operations, chain, given, _times(data)) == output for given, output in data.examples
            )

        found = (
            outcomes(operations, data.depth, data.examples, data.new)
            if _times(data) == 1
            else outcomes_of_repeated(operations, data.depth, _times(data), data.examples, data.new)
        )
        chain = next(iter(found.values()))
        taken = yield CHAIN(numbers=" ".join(str(k + 1) for k in chain)).accepting(fits)
        for where, value in _places(data):
            for number in list(map(int, taken["numbers"].split())) * (1 if where == "New input" else _times(data)):
                after = operations[number - 1].do(value)
                yield STAGE(where=where, number=number, before=self._inline(value), after=self._inline(after))
                value = after


def _places(data: Known[V]) -> list[tuple[str, V]]:
    return [*((f"Example {k}", given) for k, (given, _) in enumerate(data.examples, 1)), ("New input", data.new)]
