"""Last steps of a pipeline: they take a list of integers and give an integer, or the list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from itertools import accumulate, combinations, count, cycle, pairwise, product, starmap
from math import gcd
from operator import add, ge, gt, le, lt, mul, sub

from rlgym.core.rng import Rng
from rlgym.generators.programs.pipeline_steps import Step, count_matching, sample_test


def _total(rng: Rng) -> Step:
    return Step(
        "return the sum of the values (0 if there are none)",
        "values = sum(values)",
        "total = 0\nfor v in values:\n    total += v\nvalues = total",
        lambda values: sum(values),
        (("values = len(values)", len), ("values = sum(map(abs, values))", lambda values: sum(map(abs, values)))),
    )


def _count(rng: Rng) -> Step:
    test = sample_test(rng)
    return Step(
        f"return how many of the values are {test.words}"
        if not test.words.startswith("whose")
        else f"return how many values there are {test.words}",
        f"values = sum(1 for v in values if {test.code})",
        f"values = len([v for v in values if {test.code}])",
        lambda values: len(list(filter(test.holds, values))),
        tuple((f"values = sum(1 for v in values if {code})", count_matching(holds)) for code, holds in test.near),
    )


def return_list(rng: Rng) -> Step:
    return Step(
        "return the resulting list", "values = list(values)", "values = values[:]", lambda values: values, (("values = len(values)", len),)
    )


def _spread(rng: Rng) -> Step:
    return Step(
        "return the largest value minus the smallest (0 if there are none)",
        "values = max(values) - min(values) if values else 0",
        "values = max((a - b for a in values for b in values), default=0)",
        lambda values: max(values, default=0) - min(values, default=0),
        (
            ("values = values[-1] - values[0] if values else 0", lambda values: values[-1] - values[0] if values else 0),
            (
                "values = max(map(abs, values), default=0) - min(map(abs, values), default=0)",
                lambda values: max(map(abs, values), default=0) - min(map(abs, values), default=0),
            ),
        ),
    )


def _place(rng: Rng) -> Step:
    return Step(
        "return the position, counted from 0, of the largest value, the first one if there are several (-1 if there are none)",
        "values = values.index(max(values)) if values else -1",
        "best = -1\nfor i, v in enumerate(values):\n    if best < 0 or v > values[best]:\n        best = i\nvalues = best",
        lambda values: -max(zip(values, count(0, -1)), default=(0, 1))[1],
        (
            (
                "values = max(range(len(values)), key=lambda i: (values[i], i), default=-1)",
                lambda values: max(zip(values, count()), default=(0, -1))[1],
            ),
            ("values = values.index(max(values)) + 1 if values else -1", lambda values: values.index(max(values)) + 1 if values else -1),
        ),
    )


def _second(rng: Rng) -> Step:
    return Step(
        "return the second largest distinct value (-1 if there are fewer than two distinct values)",
        "different = sorted(set(values))\nvalues = different[-2] if len(different) > 1 else -1",
        "values = max((v for v in values if v != max(values)), default=-1)",
        lambda values: sorted({*values})[-2] if len({*values}) > 1 else -1,
        (
            ("values = sorted(values)[-2] if len(values) > 1 else -1", lambda values: sorted(values)[-2] if len(values) > 1 else -1),
            (
                "values = sorted(set(values))[1] if len(set(values)) > 1 else -1",
                lambda values: sorted(set(values))[1] if len(set(values)) > 1 else -1,
            ),
        ),
    )


def _rising(rng: Rng) -> Step:
    return Step(
        "return the length of the longest run of consecutive values in which each value is greater than the one before it (0 for an empty list)",
        "best = run = 0\nfor i, v in enumerate(values):\n    run = run + 1 if i and v > values[i - 1] else 1\n    best = max(best, run)\nvalues = best",
        "values = max((j - i for i in range(len(values)) for j in range(i + 1, len(values) + 1) "
        "if all(a < b for a, b in zip(values[i:j], values[i + 1:j]))), default=0)",
        lambda values: _longest_run(values, lt),
        (
            (
                "best = run = 0\nfor i, v in enumerate(values):\n    run = run + 1 if i and v >= values[i - 1] else 1\n"
                "    best = max(best, run)\nvalues = best",
                lambda values: _longest_run(values, le),
            ),
            ("values = sum(1 for a, b in zip(values, values[1:]) if a < b)", lambda values: sum(1 for a, b in pairwise(values) if a < b)),
        ),
    )


def _longest_run(values: Sequence[int], rises: Callable[[int, int], bool]) -> int:
    marks = "".join("+" if rises(a, b) else " " for a, b in pairwise(values))
    return len(max(marks.split(), default="", key=len)) + 1 if values else 0


def _most_frequent_largest(values: Sequence[int]) -> int:
    times = Counter(values)
    return max(times, key=lambda v: (times[v], v), default=0)


def _common(rng: Rng) -> Step:
    return Step(
        "return the most frequent value, or the smallest of them if several are equally frequent (0 if there are no values)",
        "values = min(values, key=lambda v: (-values.count(v), v)) if values else 0",
        "counts = {}\nfor v in values:\n    counts[v] = counts.get(v, 0) + 1\nvalues = max(sorted(counts), key=counts.get, default=0)",
        lambda values: max(sorted(set(values)), key=Counter(values).__getitem__, default=0),
        (
            (
                "values = max(values, key=values.count) if values else 0",
                lambda values: max(values, key=Counter(values).__getitem__, default=0),
            ),
            ("values = max(values, key=lambda v: (values.count(v), v)) if values else 0", _most_frequent_largest),
        ),
    )


def _alternating(rng: Rng) -> Step:
    return Step(
        "return the first value minus the second plus the third minus the fourth and so on (0 if there are none)",
        "values = sum(values[::2]) - sum(values[1::2])",
        "sign, total = 1, 0\nfor v in values:\n    total += sign * v\n    sign = -sign\nvalues = total",
        lambda values: sum(map(mul, values, cycle((1, -1)))),
        (
            ("values = sum(values[1::2]) - sum(values[::2])", lambda values: sum(values[1::2]) - sum(values[::2])),
            ("values = values[0] - sum(values[1:]) if values else 0", lambda values: values[0] - sum(values[1:]) if values else 0),
        ),
    )


def _pairs(rng: Rng) -> Step:
    total = rng.integer(-4, 9)
    return Step(
        f"return the number of pairs of positions i < j whose values add up to {total}",
        f"values = sum(1 for j, b in enumerate(values) for a in values[:j] if a + b == {total})",
        f"seen, pairs = {{}}, 0\nfor v in values:\n    pairs += seen.get({total} - v, 0)\n    seen[v] = seen.get(v, 0) + 1\nvalues = pairs",
        lambda values: list(starmap(add, combinations(values, 2))).count(total),
        (
            (
                f"values = sum(1 for a, b in zip(values, values[1:]) if a + b == {total})",
                lambda values: sum(1 for a, b in pairwise(values) if a + b == total),
            ),
            (
                f"values = sum(1 for b in values for a in values if a + b == {total})",
                lambda values: list(starmap(add, product(values, values))).count(total),
            ),
            (
                f"values = len({{(a, b) for j, b in enumerate(values) for a in values[:j] if a + b == {total}}})",
                lambda values: len({(a, b) for a, b in combinations(values, 2) if a + b == total}),
            ),
        ),
    )


def _best_part(rng: Rng) -> Step:
    return Step(
        "return the largest sum of any one or more consecutive values (0 for an empty list, but a negative number if all values are negative)",
        "best = run = values[0] if values else 0\nfor v in values[1:]:\n    run = max(run, 0) + v\n    best = max(best, run)\nvalues = best",
        "values = max((sum(values[i:j]) for i in range(len(values)) for j in range(i + 1, len(values) + 1)), default=0)",
        lambda values: max(_gains(values), default=0),
        (
            (
                "best = run = 0\nfor v in values:\n    run = max(run + v, 0)\n    best = max(best, run)\nvalues = best",
                lambda values: max([0, *_gains(values)]),
            ),
            ("values = sum(v for v in values if v > 0)", lambda values: sum(v for v in values if v > 0)),
        ),
    )


def _gains(values: Sequence[int]) -> Iterable[int]:
    """The largest sum of consecutive values that ends at each value."""
    sums = list(accumulate(values, initial=0))
    return map(sub, sums[1:], accumulate(sums, min))


def _unsorted(rng: Rng) -> Step:
    return Step(
        "return the number of pairs of positions i < j such that the value at i is greater than the value at j",
        "values = sum(1 for j, b in enumerate(values) for a in values[:j] if a > b)",
        "pairs = 0\nfor i in range(len(values)):\n    for j in range(i + 1, len(values)):\n        pairs += values[i] > values[j]\nvalues = int(pairs)",
        lambda values: sum(starmap(gt, combinations(values, 2))),
        (
            (
                "values = sum(1 for j, b in enumerate(values) for a in values[:j] if a >= b)",
                lambda values: sum(starmap(ge, combinations(values, 2))),
            ),
            ("values = sum(1 for a, b in zip(values, values[1:]) if a > b)", lambda values: sum(1 for a, b in pairwise(values) if a > b)),
        ),
    )


def _divisor(rng: Rng) -> Step:
    return Step(
        "return the greatest common divisor of the absolute values (0 if there are no values or only zeros)",
        "from math import gcd\nvalues = gcd(*values)",
        "best = 0\nfor v in values:\n    a, b = best, abs(v)\n    while b:\n        a, b = b, a % b\n    best = a\nvalues = best",
        lambda values: reduce(gcd, values, 0),
        (("values = min(map(abs, values), default=0)", lambda values: min(map(abs, values), default=0)),),
    )


ENDS: tuple[Callable[[Rng], Step], ...] = (
    *(_total, _count, _spread, return_list, _place, _second, _alternating),
    *(_common, _rising, _pairs, _unsorted, _best_part, _divisor),
)
