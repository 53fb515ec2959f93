"""Searches that make one step after the other: joining numbers, pouring water."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rlgym.dataset.traces.tree import Branch, Node, Option


def countdown(data: Any, right: Any) -> Node:
    """Two numbers are joined to one until the target is there."""
    steps = tuple(_operations(right))
    return NumbersNode(data.target, data.all, tuple(sorted(data.numbers, reverse=True)), tuple(text for text, _ in steps))


def _operations(tree: Any) -> Iterator[tuple[str, int]]:
    """The operations of an expression as text and value, in an order in which they can be done."""
    if not hasattr(tree, "parts"):
        return
    values = []
    for part in tree.parts:
        yield from _operations(part)
        values.append(_value(part))
    yield _join(values[0], tree.head, values[1])


def _value(tree: Any) -> int:
    if not hasattr(tree, "parts"):
        return int(tree.value)
    left, right = (_value(part) for part in tree.parts)
    return _join(left, tree.head, right)[1]


def _join(left: int, sign: str, right: int) -> tuple[str, int]:
    if sign in "+*" and left < right:
        left, right = right, left
    value = {"+": left + right, "-": left - right, "*": left * right, "/": left // right if right else 0}[sign]
    return f"{left} {sign} {right}", value


@dataclass(frozen=True, slots=True)
class NumbersNode:
    """The numbers that are left, largest first, and the operations of the oracle that are still to come; none off its path."""

    target: int
    all: bool
    numbers: tuple[int, ...]
    plan: tuple[str, ...] | None

    @property
    def solved(self) -> bool:
        """Whether what is wanted is there."""
        if self.plan is not None:
            return not self.plan
        return self.target in self.numbers and (not self.all or len(self.numbers) == 1)

    def branch(self) -> Branch:
        """What can be done next."""
        options = list(self._options())
        have = ", ".join(map(str, self.numbers))
        exhausted = f"only {have} is left, and {self.target} is wanted."
        return Branch(f"Next: make {self.target} from {have}.", options, exhausted, f"nothing can be made of {have} that leads on.")

    def _options(self) -> Iterator[Option]:
        seen = set[str]()
        for place, left in enumerate(self.numbers):
            for right in self.numbers[place + 1 :]:
                for sign in "+-*/":
                    text, value = _join(left, sign, right)
                    if text in seen or value < 1 or (sign == "/" and left % right):
                        continue
                    seen.add(text)
                    yield self._option(text, left, right, value)

    def _option(self, text: str, left: int, right: int, value: int) -> Option:
        rest = list(self.numbers)
        rest.remove(left)
        rest.remove(right)
        numbers = tuple(sorted((*rest, value), reverse=True))
        on_path = self.plan is not None and self.plan[:1] == (text,)
        plan = self.plan[1:] if on_path and self.plan is not None else None
        have = ", ".join(map(str, self.numbers))
        child = partial(NumbersNode, self.target, self.all, numbers, plan)
        return Option(
            f"Try {text} = {value}, which leaves {', '.join(map(str, numbers))}.",
            f"Back: the numbers are {have} again.",
            check=f"Check: {left} and {right} are both there, and {value} is a positive whole number.",
            open=child,
            solution=on_path,
        )


def water_jugs(data: Any, right: Any) -> Node | None:
    """Water is poured until the amounts are there; None where that is impossible."""
    if not data.most:
        return None
    return JugsNode(data.sizes, data.tap, data.goal, data.most, (data.start,), tuple(right))


@dataclass(frozen=True, slots=True)
class JugsNode:
    """The contents of the jugs so far, the current ones last, and the remaining steps of the oracle; none off its path."""

    sizes: tuple[int, ...]
    tap: bool
    goal: tuple[tuple[int, int], ...]
    most: int
    states: tuple[tuple[int, ...], ...]
    plan: tuple[str, ...] | None

    @property
    def solved(self) -> bool:
        """Whether what is wanted is there."""
        now = self.states[-1]
        return all(amount in now if jug < 0 else now[jug] == amount for jug, amount in self.goal)

    def branch(self) -> Branch:
        """What can be done next."""
        done = len(self.states) - 1
        wanted = " and ".join(f"{amount} in {'some jug' if jug < 0 else 'ABCDE'[jug]}" for jug, amount in self.goal)
        now = _render_jugs(self.states[-1])
        exhausted = (
            f"all {self.most} steps are used, and {wanted} is not reached."
            if done == self.most
            else f"every step from {now} leads to what the jugs have held before."
        )
        subgoal = f"Next: step {done + 1} of at most {self.most}, to get {wanted}."
        return Branch(subgoal, list(self._options()), exhausted, f"no step from {now} leads on.")

    def _options(self) -> Iterator[Option]:
        if len(self.states) > self.most:
            return
        for name, after in _pours(self.sizes, self.tap, self.states[-1]):
            text, undo = f"Try {name}: {_render_jugs(after)}.", f"Back: {_render_jugs(self.states[-1])}."
            if after in self.states:
                yield Option(text, undo, dead=f"the jugs have held {_render_jugs(after)} before.")
                continue
            on_path = self.plan is not None and self.plan[0].casefold() == name.casefold()
            plan = self.plan[1:] if on_path and self.plan is not None else None
            child = partial(JugsNode, self.sizes, self.tap, self.goal, self.most, (*self.states, after), plan)
            check = f"Check: no jug holds more than it can, and {_render_jugs(after)} is new."
            yield Option(text, undo, check=check, open=child, solution=on_path)


def _pours(sizes: Sequence[int], tap: bool, state: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    names = "ABCDE"
    for a, size in enumerate(sizes):
        if tap and state[a] < size:
            yield f"fill {names[a]}", (*state[:a], size, *state[a + 1 :])
        if tap and state[a]:
            yield f"empty {names[a]}", (*state[:a], 0, *state[a + 1 :])
        for b, room in enumerate(sizes):
            poured = min(state[a], room - state[b])
            if a != b and poured:
                after = list(state)
                after[a], after[b] = state[a] - poured, state[b] + poured
                yield f"pour {names[a]} {names[b]}", tuple(after)


def _render_jugs(state: Sequence[int]) -> str:
    return ", ".join(f"{name} {amount}" for name, amount in zip("ABCDE", state, strict=False))
