"""Programs whose variables get other types for other integers n, and how often each type occurs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs import interpreter
from rlgym.generators.programs.bounded_operators import Stopped
from rlgym.generators.programs.typed import NAMES, Type, expressions_of, show

RANGE = range(1, 61)
# Conditions on n, as they are written and as they are evaluated while programs are drawn.
TESTS: dict[str, Callable[[int, int, int], bool]] = {
    "n % {m} == {r}": lambda n, m, r: n % m == r,
    "n % {m} > {r}": lambda n, m, r: n % m > r,
    "n * n % {m} == {r}": lambda n, m, r: n * n % m == r,
    "n % {m} == n % 2": lambda n, m, r: n % m == n % 2,
    "n // {m} % 2 == 0": lambda n, m, r: n // m % 2 == 0,
    "(n + n // 10) % {m} == {r}": lambda n, m, r: (n + n // 10) % m == r,
}
START = "values = [n, n % 4, n + 5]"


class Variants:
    """A program being written, and the types of its variables for one n of each combination of conditions."""

    def __init__(self, rng: Rng, deepest: int) -> None:
        self.rng, self.deepest = rng, deepest
        self.lines = [START]
        self.keys: dict[int, tuple[bool, ...]] = dict.fromkeys(RANGE, ())
        self.names = ["values"]
        self.cases: dict[tuple[bool, ...], int] = {(): 1}
        self.types: dict[tuple[bool, ...], dict[str, Type]] = {(): types_for(self.source, 1) or {}}

    @property
    def source(self) -> str:
        return "\n".join(["def solve(n):", *(f"    {line}" for line in self.lines), f"    return {self.names[-1]}"])

    def _expression(self) -> str:
        """An expression that some n allows, mostly with a variable that has many types already."""
        types = self.rng.choice(list(self.types.values()))
        varied = sorted(self.rng.shuffled(self.names), key=lambda name: -len({str(held[name]) for held in self.types.values()}))
        name = self.rng.choice(varied[:2] if self.rng.chance(0.75) else self.names)
        able = [text for text, kind in expressions_of(name, types[name]) if kind.depth <= self.deepest]
        # The input stays as it is, so that conditions are about n alone.
        able = [text for text in able if not text.startswith(("values.sort", "values.append"))]
        return self.rng.choice(able or [f"[{name}]"])

    def assign(self) -> bool:
        name = self.rng.choice([name for name in NAMES if name not in self.names])
        return self._add([f"{name} = {self._expression()}"], name, self.cases)

    def branch(self) -> bool:
        """One of two expressions, depending on a condition on n."""
        modulus = self.rng.choice((3, 4, 5))
        test, remainder = self.rng.choice(list(TESTS)), self.rng.integer(0, modulus - 2)
        keys = {n: (*key, TESTS[test](n, modulus, remainder)) for n, key in self.keys.items()}
        cases: dict[tuple[bool, ...], int] = {}
        for n, key in keys.items():
            cases.setdefault(key, n)
        one, other = self._expression(), self._expression()
        name = self.rng.choice([name for name in NAMES if name not in self.names])
        if one == other or len(cases) < 2 * len(self.cases) - 1:
            return False
        if self._add([f"if {test.format(m=modulus, r=remainder)}:", f"    {name} = {one}", "else:", f"    {name} = {other}"], name, cases):
            self.keys = keys
            return True
        return False

    def _add(self, lines: Sequence[str], name: str, cases: dict[tuple[bool, ...], int]) -> bool:
        """Add lines if every n of the cases gives all variables a type that is not ambiguous."""
        before = self.lines, self.names
        self.lines, self.names = [*self.lines, *lines], [*self.names, name]
        types: dict[tuple[bool, ...], dict[str, Type]] = {}
        for key, n in cases.items():
            found = types_for(self.source, n)
            if found is None or found[name].depth > self.deepest:
                self.lines, self.names = before
                return False
            types[key] = found
        self.cases, self.types = cases, types
        return True


def types_for(source: str, n: int) -> dict[str, Type] | None:
    """The types of the variables when `solve(n)` has returned; None if it raises an exception or a type is ambiguous."""
    last: dict[str, Any] = {}

    def watch(line: int, names: dict[str, Any]) -> None:
        if "values" in names:
            last.update(names)

    try:
        ended = interpreter.program(source).run(n, watch=watch)
    except Stopped:
        return None
    if ended.raised:
        return None
    kinds = {name: show(value) for name, value in last.items() if name != "n"}
    return {name: kind for name, kind in kinds.items() if kind} if all(kinds.values()) else None


def sample(rng: Rng, branches: int, statements: int, deepest: int) -> tuple[str, list[dict[str, str]]]:
    """A program, and for every n of the range the types of its variables as text."""
    while True:
        writing = Variants(rng, deepest)
        for _ in range(12 * branches):
            if len(writing.keys[1]) < branches:
                (writing.branch if rng.chance(0.6) or len(writing.names) > 3 * branches else writing.assign)()
        for _ in range(2 * statements):
            if len(writing.names) <= statements:
                writing.assign()
        varied = [name for name in writing.names if len({str(held[name]) for held in writing.types.values()}) > 2]
        if len(writing.keys[1]) < branches or len(varied) < 2 or len(writing.names) <= statements:
            continue
        every = [types_for(writing.source, n) for n in RANGE]
        if all(every):
            return writing.source, [{name: str(kind) for name, kind in (types or {}).items()} for types in every]


def count_values_of_type(types: Sequence[dict[str, str]], name: str, kind: str) -> int:
    """For how many n the variable gets the type."""
    return sum(held[name] == kind for held in types)
