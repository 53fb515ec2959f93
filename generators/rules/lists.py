"""Operations on lists of numbers: by place, and by value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import accumulate, pairwise

from rlgym.generators.rules.chains import Operation

Values = tuple[int, ...]
NOTES = " An operation that needs a number where the list has none leaves the list as it is. Places are counted from 1."


def render_list(values: Values) -> str:
    return f"[{', '.join(map(str, values))}]"


def _op(said: str, do: Callable[[Values], Values]) -> Operation[Values]:
    return Operation(said, do)


BY_PLACE: tuple[Operation[Values], ...] = (
    _op("Reverse the list.", lambda v: v[::-1]),
    _op("Add 1 to every number.", lambda v: tuple(x + 1 for x in v)),
    _op("Remove the first number.", lambda v: v[1:]),
    _op("Move the first number to the end.", lambda v: v[1:] + v[:1]),
    _op("Double every number.", lambda v: tuple(2 * x for x in v)),
    _op("Remove the last number.", lambda v: v[:-1]),
    _op("Move the last number to the front.", lambda v: v[-1:] + v[:-1]),
    _op("Exchange the first and the last number.", lambda v: v[-1:] + v[1:-1] + v[:1] if len(v) > 1 else v),
    _op("Write a copy of the first number at the end.", lambda v: v + v[:1]),
    _op("Keep only the numbers at odd places.", lambda v: v[::2]),
    _op("Add to every number its place.", lambda v: tuple(x + k for k, x in enumerate(v, 1))),
    _op("Keep only the first three numbers.", lambda v: v[:3]),
    _op("Write every number twice, side by side.", lambda v: tuple(x for x in v for _ in (0, 1))),
    _op("Keep only the numbers at even places.", lambda v: v[1::2]),
    _op("Write the length of the list at the end.", lambda v: (*v, len(v))),
    _op("Exchange the numbers at places 1 and 2, those at 3 and 4, and so on.", lambda v: _swap_pairs(v)),
    _op("Multiply every number by its place.", lambda v: tuple(x * k for k, x in enumerate(v, 1))),
    _op("Take every number from 10.", lambda v: tuple(10 - x for x in v)),
    _op("Append the list in reverse order to the list.", lambda v: v + v[::-1]),
    _op("Leave out the middle number, if the length is odd.", lambda v: v[: len(v) // 2] + v[len(v) // 2 + 1 :] if len(v) % 2 else v),
    _op("Write the sum of all numbers at the front.", lambda v: (sum(v), *v)),
    _op(
        "Put the second half in front of the first one; if the length is odd, the middle number belongs to the first half.",
        lambda v: _halves(v),
    ),
)
BY_VALUE: tuple[Operation[Values], ...] = (
    _op("Sort the list, the least number first.", lambda v: tuple(sorted(v))),
    _op("Keep only the even numbers.", lambda v: tuple(x for x in v if x % 2 == 0)),
    _op("Replace every number by the sum of all numbers up to it, itself included.", lambda v: tuple(accumulate(v))),
    _op("Sort the list, the greatest number first.", lambda v: tuple(sorted(v, reverse=True))),
    _op("Remove every number that occurs earlier in the list.", lambda v: tuple(dict.fromkeys(v))),
    _op("Keep only the odd numbers.", lambda v: tuple(x for x in v if x % 2)),
    _op("Leave out the greatest number, the first one if there are several.", lambda v: _without(v, max(v)) if v else v),
    _op("Keep only the numbers above 4.", lambda v: tuple(x for x in v if x > 4)),
    _op("Replace every number by its last digit.", lambda v: tuple(abs(x) % 10 for x in v)),
    _op("Leave out the least number, the first one if there are several.", lambda v: _without(v, min(v)) if v else v),
    _op("Write the greatest number at the end.", lambda v: (*v, max(v)) if v else v),
    _op(
        "Replace every number but the first by its difference from the one before it.",
        lambda v: v[:1] + tuple(b - a for a, b in pairwise(v)),
    ),
    _op("Replace every number by how often it stands in the list.", lambda v: tuple(map(Counter(v).__getitem__, v))),
    _op("Halve the even numbers and leave the odd ones.", lambda v: tuple(x // 2 if x % 2 == 0 else x for x in v)),
    _op("Put all even numbers before all odd ones, otherwise in the order as before.", lambda v: tuple(sorted(v, key=lambda x: x % 2))),
    _op("Add 3 to the odd numbers.", lambda v: tuple(x + 3 if x % 2 else x for x in v)),
    _op("Replace every number by the greatest one up to it, itself included.", lambda v: tuple(accumulate(v, max))),
    _op("Write the least number at the front.", lambda v: (min(v), *v) if v else v),
    _op("Replace every number by how many numbers in the list are less than it.", lambda v: tuple(sum(y < x for y in v) for x in v)),
    _op("Leave out every number that equals the one just before it.", lambda v: v[:1] + tuple(b for a, b in pairwise(v) if a != b)),
    _op("Replace every number by its difference from the greatest one.", lambda v: tuple(max(v) - x for x in v)),
    _op(
        "Replace every pair of neighbours by its sum, if there are at least two numbers.",
        lambda v: tuple(a + b for a, b in pairwise(v)) or v,
    ),
)


def _swap_pairs(values: Values) -> Values:
    out = list(values)
    for k in range(0, len(out) - 1, 2):
        out[k], out[k + 1] = out[k + 1], out[k]
    return tuple(out)


def _halves(values: Values) -> Values:
    middle = (len(values) + 1) // 2
    return values[middle:] + values[:middle]


def _without(values: Values, one: int) -> Values:
    k = values.index(one)
    return values[:k] + values[k + 1 :]
