"""Figures of triangles described in words: which angles add up to what and why, and what follows from some of them step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

Triangle = tuple[str, str, str]


def angle(arm: str, corner: str, other: str) -> str:
    """The name of the angle at a corner, its arms in the order of the alphabet."""
    return min(arm, other) + corner + max(arm, other)


@dataclass(frozen=True)
class Fact:
    """Angles with a factor each add up to a number of degrees."""

    terms: tuple[tuple[int, str], ...]
    total: int
    reason: str

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(name for _, name in self.terms)

    def gives(self, name: str, known: Mapping[str, int]) -> str | None:
        """The formula of one angle from the others; None where some other one is not known."""
        if any(other != name and other not in known for other in self.names):
            return None
        factor = next(factor for factor, other in self.terms if other == name)
        parts = [(self.total if factor > 0 else -self.total, "")] if self.total else []
        for term, other in self.terms:
            if other != name:
                times = f"{abs(term)}*" if abs(term) > 1 else ""
                parts.append((known[other] * (-1 if (term > 0) == (factor > 0) else 1), times))
        ordered = sorted(parts, key=lambda part: part[0] < 0)
        formula = "".join(f" {'+' if value > 0 else '-'} {times}{abs(value)}" for value, times in ordered).removeprefix(" + ")
        return formula if abs(factor) == 1 else f"({formula})/{abs(factor)}"


def inside(triangle: Triangle) -> Fact:
    a, b, c = triangle
    return Fact(
        ((1, angle(b, a, c)), (1, angle(a, b, c)), (1, angle(a, c, b))), 180, f"the angles of triangle {''.join(triangle)} make 180"
    )


def cut(apex: str, first: str, second: str, point: str) -> list[Fact]:
    """A point on the side between two corners, joined with the third."""
    side = f"{point} lies on {first}{second}"
    return [
        Fact(((1, angle(first, point, apex)), (1, angle(second, point, apex))), 180, f"{side}, so both angles there make 180"),
        Fact(
            ((1, angle(first, apex, point)), (1, angle(second, apex, point)), (-1, angle(first, apex, second))),
            0,
            f"{apex}{point} cuts {angle(first, apex, second)}",
        ),
        Fact(((1, angle(apex, first, point)), (-1, angle(apex, first, second))), 0, f"{side}, seen from {first}"),
        Fact(((1, angle(apex, second, point)), (-1, angle(apex, second, first))), 0, f"{side}, seen from {second}"),
    ]


def glue(apex: str, first: str, second: str, point: str) -> list[Fact]:
    """A triangle over the side between two corners, away from the third."""
    facts = []
    for corner, opposite in ((first, second), (second, first)):
        terms = ((1, angle(apex, corner, opposite)), (1, angle(opposite, corner, point)), (-1, angle(apex, corner, point)))
        facts.append(Fact(terms, 0, f"{corner}{opposite} cuts {angle(apex, corner, point)}"))
    return facts


def equal(apex: str, one: str, other: str) -> list[Fact]:
    """Two sides from one corner are equally long."""
    sides, first, second = f"{apex}{one} = {apex}{other}", angle(apex, one, other), angle(apex, other, one)
    top = angle(one, apex, other)
    facts = [Fact(((1, first), (-1, second)), 0, f"{sides} makes {first} and {second} equal")]
    facts += [Fact(((2, base), (1, top)), 180, f"{sides}, so twice {base} and {top} make 180") for base in (first, second)]
    return facts


def follow(facts: Sequence[Fact], given: Mapping[str, int]) -> list[tuple[str, Fact]]:
    """All that follows, in order: each angle with the fact that gives it from what was known before."""
    known, derived = set(given), list[tuple[str, Fact]]()
    unused = list(facts)
    while True:
        before = len(derived)
        for fact in unused:
            missing = fact.names - known
            if len(missing) == 1:
                name = next(iter(missing))
                known.add(name)
                derived.append((name, fact))
        if len(derived) == before:
            return derived
        unused = [fact for fact in unused if not fact.names <= known]


def needed_steps(steps: Sequence[tuple[str, Fact]], target: str) -> list[tuple[str, Fact]]:
    """Those steps without which one angle does not follow."""
    needed_names, kept = {target}, list[tuple[str, Fact]]()
    for name, fact in reversed(steps):
        if name in needed_names:
            kept.append((name, fact))
            needed_names |= fact.names
    return kept[::-1]


def eliminate(facts: Sequence[Fact], given: Mapping[str, int], target: str) -> Fraction | None:
    """The asked angle from all equations at once, by elimination; None where they leave it open."""
    names = [*sorted({name for fact in facts for name in fact.names} - set(given) - {target}), target]
    rows = []
    for fact in facts:
        row = dict.fromkeys(names, Fraction(0))
        right = Fraction(fact.total)
        for factor, name in fact.terms:
            if name in given:
                right -= factor * given[name]
            else:
                row[name] += factor
        rows.append(([row[name] for name in names], right))
    for column in range(len(names)):
        pivot = next((k for k, (row, _) in enumerate(rows) if row[column] and not any(row[:column])), None)
        if pivot is None:
            continue
        line, right = rows[pivot]
        if column == len(names) - 1:
            return right / line[column]
        for k, (other, value) in enumerate(rows):
            if k != pivot and other[column]:
                share = other[column] / line[column]
                rows[k] = ([a - share * b if b else a for a, b in zip(other, line)], value - share * right)
    return None
