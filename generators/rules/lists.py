"""Operations on lists of numbers: by place, and by value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import accumulate, pairwise

from rlgym.generators.rules.chains import Operation

Values = tuple[int, ...]
NOTES = (("", "An operation that needs a number leaves an empty list unchanged."), ("position", "Positions are counted from 1."))


def render_list(values: Values) -> str:
    return f"[{', '.join(map(str, values))}]"


def _op(text: str, do: Callable[[Values], Values]) -> Operation[Values]:
    return Operation(text, do)


BY_PLACE: tuple[Operation[Values], ...] = (
    _op("Reverse the list.", lambda v: v[::-1]),
    _op("Add 1 to every number.", lambda v: tuple(x + 1 for x in v)),
    _op("Remove the first number.", lambda v: v[1:]),
    _op("Move the first number to the end.", lambda v: v[1:] + v[:1]),
    _op("Double every number.", lambda v: tuple(2 * x for x in v)),
    _op("Remove the last number.", lambda v: v[:-1]),
    _op("Move the last number to the front.", lambda v: v[-1:] + v[:-1]),
    _op("Swap the first and the last number.", lambda v: v[-1:] + v[1:-1] + v[:1] if len(v) > 1 else v),
    _op("Append a copy of the first number.", lambda v: v + v[:1]),
    _op("Keep only the numbers at odd positions.", lambda v: v[::2]),
    _op("Add its position to every number.", lambda v: tuple(x + k for k, x in enumerate(v, 1))),
    _op("Keep only the first three numbers.", lambda v: v[:3]),
    _op("Replace every number with two copies of it.", lambda v: tuple(x for x in v for _ in (0, 1))),
    _op("Keep only the numbers at even positions.", lambda v: v[1::2]),
    _op("Append the length of the list.", lambda v: (*v, len(v))),
    _op("Swap the numbers at positions 1 and 2, those at positions 3 and 4, and so on.", lambda v: _swap_pairs(v)),
    _op("Multiply every number by its position.", lambda v: tuple(x * k for k, x in enumerate(v, 1))),
    _op("Replace every number x with 10 - x.", lambda v: tuple(10 - x for x in v)),
    _op("Append a reversed copy of the list.", lambda v: v + v[::-1]),
    _op("Remove the middle number if the length is odd.", lambda v: v[: len(v) // 2] + v[len(v) // 2 + 1 :] if len(v) % 2 else v),
    _op("Insert the sum of all numbers at the front.", lambda v: (sum(v), *v)),
    _op("Swap the two halves of the list; if the length is odd, the middle number belongs to the first half.", lambda v: _halves(v)),
)
BY_VALUE: tuple[Operation[Values], ...] = (
    _op("Sort the list in ascending order.", lambda v: tuple(sorted(v))),
    _op("Keep only the even numbers.", lambda v: tuple(x for x in v if x % 2 == 0)),
    _op("Replace every number with the sum of all numbers up to and including it.", lambda v: tuple(accumulate(v))),
    _op("Sort the list in descending order.", lambda v: tuple(sorted(v, reverse=True))),
    _op("Remove every number that occurs earlier in the list.", lambda v: tuple(dict.fromkeys(v))),
    _op("Keep only the odd numbers.", lambda v: tuple(x for x in v if x % 2)),
    _op("Remove the greatest number (the first one if there are several).", lambda v: _without(v, max(v)) if v else v),
    _op("Keep only the numbers above 4.", lambda v: tuple(x for x in v if x > 4)),
    _op("Replace every number with its last digit, without a sign.", lambda v: tuple(abs(x) % 10 for x in v)),
    _op("Remove the least number (the first one if there are several).", lambda v: _without(v, min(v)) if v else v),
    _op("Append a copy of the greatest number.", lambda v: (*v, max(v)) if v else v),
    _op(
        "Replace every number except the first with itself minus the number before it.",
        lambda v: v[:1] + tuple(b - a for a, b in pairwise(v)),
    ),
    _op("Replace every number with the number of times it occurs in the list.", lambda v: tuple(map(Counter(v).__getitem__, v))),
    _op("Halve the even numbers and leave the odd ones unchanged.", lambda v: tuple(x // 2 if x % 2 == 0 else x for x in v)),
    _op(
        "Move all even numbers in front of all odd ones, keeping the order within each group.",
        lambda v: tuple(sorted(v, key=lambda x: x % 2)),
    ),
    _op("Add 3 to the odd numbers.", lambda v: tuple(x + 3 if x % 2 else x for x in v)),
    _op("Replace every number with the greatest number up to and including it.", lambda v: tuple(accumulate(v, max))),
    _op("Insert a copy of the least number at the front.", lambda v: (min(v), *v) if v else v),
    _op("Replace every number with how many numbers in the list are less than it.", lambda v: tuple(sum(y < x for y in v) for x in v)),
    _op("Remove every number that equals the one just before it.", lambda v: v[:1] + tuple(b for a, b in pairwise(v) if a != b)),
    _op("Replace every number x with the greatest number minus x.", lambda v: tuple(max(v) - x for x in v)),
    _op(
        "Replace the list with the sums of each two neighbouring numbers, if there are at least two numbers.",
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


def _without(values: Values, value: int) -> Values:
    k = values.index(value)
    return values[:k] + values[k + 1 :]
