"""One step of a pipeline on a list, a condition on a value, and what steps are made from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from rlgym.core.rng import Rng

Meaning = Callable[[Any], Any]

Input = tuple[list[int]]


@dataclass(frozen=True)
class Step:
    """One change of `values`. `code` and `other` are statements; `near` holds what a careless reader would take it for."""

    words: str
    code: str
    other: str
    meaning: Meaning
    near: tuple[tuple[str, Meaning], ...] = ()
    redrawn: Callable[[Rng], Step] | None = field(default=None, compare=False)
    """Gives a step of the same kind with other numbers and conditions."""
    ways: tuple[Meaning, ...] = ()
    """What it comes to if the same of its branches is always taken."""


@dataclass(frozen=True)
class Test:
    """A condition on one value `v`."""

    words: str
    code: str
    holds: Callable[[int], bool]
    near: tuple[tuple[str, Callable[[int], bool]], ...]


class _Known(dict[int, bool]):
    """Which integers a condition holds for, looked up again where they come again."""

    def __init__(self, holds: Callable[[int], bool]) -> None:
        self._holds = holds

    def __missing__(self, v: int) -> bool:
        known = self[v] = self._holds(v)
        return known


def sample_test(rng: Rng) -> Test:
    test = _sample_test(rng)
    return replace(test, holds=_Known(test.holds).__getitem__, near=tuple((code, _Known(holds).__getitem__) for code, holds in test.near))


def _sample_test(rng: Rng) -> Test:
    k, t = rng.integer(2, 7), rng.integer(-9, 15)
    r, width = rng.integer(1, k - 1), rng.integer(3, 12)
    match rng.integer(0, 5):
        case 0:
            return Test(f"divisible by {k}", f"v % {k} == 0", lambda v: v % k == 0, ((f"v % {k + 1} == 0", lambda v: v % (k + 1) == 0),))
        case 1:
            return Test(
                f"greater than {t}", f"v > {t}", lambda v: v > t, ((f"v >= {t}", lambda v: v >= t), (f"abs(v) > {t}", lambda v: abs(v) > t))
            )
        case 2:
            return Test(
                f"at most {t}", f"v <= {t}", lambda v: v <= t, ((f"v < {t}", lambda v: v < t), (f"v <= {t + 1}", lambda v: v <= t + 1))
            )
        case 3:
            near = (
                (f"{t} < v <= {t + width}", lambda v: t < v <= t + width),
                (f"{t} <= v < {t + width}", lambda v: t <= v < t + width),
                (f"{t - 1} <= v <= {t + width + 1}", lambda v: t - 1 <= v <= t + width + 1),
            )
            return Test(f"from {t} to {t + width} (inclusive)", f"{t} <= v <= {t + width}", lambda v: t <= v <= t + width, near)
        case 4:
            return Test(
                f"of the form {k} * n + {r} for some integer n (which may be negative)",
                f"v % {k} == {r}",
                lambda v: (v - r) % k == 0,
                ((f"abs(v) % {k} == {r}", lambda v: abs(v) % k == r),),
            )
        case _:
            return Test(
                "whose decimal digits have an even sum (ignoring the sign)",
                "sum(map(int, str(abs(v)))) % 2 == 0",
                lambda v: sum(int(digit) for digit in str(v).lstrip("-")) % 2 == 0,
                (("v % 2 == 0", lambda v: v % 2 == 0),),
            )


def keep_matching(holds: Callable[[int], bool]) -> Meaning:
    return lambda values: list(filter(holds, values))


def count_matching(holds: Callable[[int], bool]) -> Meaning:
    return lambda values: sum(map(holds, values))


def conditional(holds: Callable[[list[int]], bool], first: Meaning, second: Meaning) -> Meaning:
    return lambda values: first(values) if holds(values) else second(values)


def add_constant(number: Meaning) -> Meaning:
    return lambda values: [number(values) + v for v in values]
