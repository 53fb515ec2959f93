"""Steps that take a list of integers and give a list of integers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate, count, groupby, pairwise
from math import inf

from rlgym.core.rng import Rng
from rlgym.generators.programs.pipeline_steps import Meaning, Step, keep_matching, sample_test


def _keep(rng: Rng) -> Step:
    test = sample_test(rng)
    return Step(
        f"keep only the values that are {test.words}" if not test.words.startswith("whose") else f"keep only the values {test.words}",
        f"values = [v for v in values if {test.code}]",
        f"kept = []\nfor v in values:\n    if not ({test.code}):\n        continue\n    kept.append(v)\nvalues = kept",
        lambda values: list(filter(test.holds, values)),
        (
            (f"values = [v for v in values if not ({test.code})]", lambda values: [v for v in values if not test.holds(v)]),
            *((f"values = [v for v in values if {code}]", keep_matching(holds)) for code, holds in test.near),
        ),
    )


def _scaled(rng: Rng) -> Step:
    a, b = rng.choice((-3, -2, 2, 3, 4, 5)), rng.choice((-4, -3, -1, 1, 2, 7))
    return Step(
        f"replace each value v with {a} * v {'+' if b > 0 else '-'} {abs(b)}",
        f"values = [{a} * v + {b} for v in values]",
        f"values = list(map(lambda v: v * {a} - {-b}, values))",
        lambda values: [b + v * a for v in values],
        ((f"values = [{a} * (v + {b}) for v in values]", lambda values: [a * (v + b) for v in values]),),
    )


def _reversed(rng: Rng) -> Step:
    return Step(
        "reverse the order of the values",
        "values = values[::-1]",
        "values = [values[-1 - i] for i in range(len(values))]",
        lambda values: list(reversed(values)),
        (("values = sorted(values, reverse=True)", lambda values: sorted(values, reverse=True)),),
    )


def _single(values: Sequence[int]) -> list[int]:
    times = Counter(values)
    return [v for v in values if times[v] == 1]


def _unique(rng: Rng) -> Step:
    return Step(
        "remove duplicates, keeping the first occurrence of each value",
        "values = list(dict.fromkeys(values))",
        "values = [v for i, v in enumerate(values) if v not in values[:i]]",
        lambda values: sorted(set(values), key=values.index),
        (
            ("values = sorted(set(values))", lambda values: sorted(set(values))),
            ("values = [v for v in values if values.count(v) == 1]", _single),
            ("values = list(dict.fromkeys(values[::-1]))[::-1]", lambda values: list(dict.fromkeys(values[::-1]))[::-1]),
        ),
    )


def _remove_every_kth(rng: Rng) -> Step:
    k = rng.integer(2, 4)
    return Step(
        f"remove every value whose position, counted from 1, is a multiple of {k}",
        f"values = [v for i, v in enumerate(values, 1) if i % {k}]",
        f"values = values[:]\ndel values[{k - 1}::{k}]",
        lambda values: [values[i] for i in range(len(values)) if i % k != k - 1],
        (
            (f"values = [v for i, v in enumerate(values) if i % {k}]", lambda values: [v for i, v in enumerate(values) if i % k]),
            (f"values = [v for v in values if v % {k}]", lambda values: [v for v in values if v % k]),
        ),
    )


def _rotated(rng: Rng) -> Step:
    k = rng.integer(1, 4)
    return Step(
        f"move the first value to the end, {k} times (an empty list stays empty)"
        if k > 1
        else "move the first value to the end (an empty list stays empty)",
        f"values = [values[(i + {k}) % len(values)] for i in range(len(values))]",
        f"values = list(values)\nfor _ in range({k}):\n    values = values[1:] + values[:1]",
        lambda values: values[k % len(values) :] + values[: k % len(values)] if values else [],
        (
            (
                f"values = [values[(i - {k}) % len(values)] for i in range(len(values))]",
                lambda values: [values[(i - k) % len(values)] for i in range(len(values))],
            ),
            (f"values = values[{k}:] + values[:{k}]", lambda values: values[k:] + values[:k]),
        ),
    )


def _differences(rng: Rng) -> Step:
    return Step(
        "replace each value except the first with itself minus the value before it (both as they were before this step)",
        "values = [v - values[i - 1] if i else v for i, v in enumerate(values)]",
        "values = values[:1] + [b - a for a, b in zip(values, values[1:])]",
        lambda values: [*values[:1], *(b - a for a, b in pairwise(values))],
        (
            ("values = [b - a for a, b in zip(values, values[1:])]", lambda values: [b - a for a, b in pairwise(values)]),
            (
                "values = values[:1] + [a - b for a, b in zip(values, values[1:])]",
                lambda values: [*values[:1], *(a - b for a, b in pairwise(values))],
            ),
        ),
    )


def _sums(rng: Rng) -> Step:
    return Step(
        "replace each value with the sum of all values up to and including it",
        "total, sums = 0, []\nfor v in values:\n    total += v\n    sums.append(total)\nvalues = sums",
        "values = [sum(values[:i + 1]) for i in range(len(values))]",
        lambda values: list(accumulate(values)),
        (("values = [sum(values[:i]) for i in range(len(values))]", lambda values: list(accumulate(values, initial=0))[:-1]),),
    )


DIGITS = "sum(map(int, str(abs(v))))"

ORDERS: tuple[tuple[str, str, Callable[[int], int]], ...] = (
    ("abs(v)", "absolute value", abs),
    ("abs(v) % 10", "last decimal digit (ignoring the sign)", lambda v: abs(v) % 10),
    (DIGITS, "sum of decimal digits (ignoring the sign)", lru_cache(1024)(lambda v: sum(map(int, str(abs(v)))))),
    ("v % 3", "remainder modulo 3 (0, 1 or 2)", lambda v: v - 3 * (v // 3)),
)


def _sorted(rng: Rng) -> Step:
    key, words, worth = rng.choice(ORDERS)
    return Step(
        f"sort by {words} in ascending order; values that tie keep their order",
        f"values = sorted(values, key=lambda v: {key})",
        f"values = [v for _, _, v in sorted(({key}, i, v) for i, v in enumerate(values))]",
        lambda values: [v for _, _, v in sorted(zip(map(worth, values), count(), values))],
        (
            (f"values = sorted(values, key=lambda v: ({key}, v))", lambda values: [v for _, v in sorted(zip(map(worth, values), values))]),
            (f"values = sorted(values, key=lambda v: -({key}))", lambda values: sorted(values, key=lambda v: -worth(v))),
            ("values = sorted(values)", lambda values: sorted(values)),
        ),
    )


def _replace_by_test(rng: Rng) -> Step:
    test, k, b = sample_test(rng), rng.integer(2, 4), rng.integer(1, 9)
    return Step(
        f"replace each value v {'that is ' * (not test.words.startswith('whose'))}{test.words} with v // {k} (rounded down), "
        f"and every other value v with v + {b}",
        f"values = [v // {k} if {test.code} else v + {b} for v in values]",
        f"new = []\nfor v in values:\n    if {test.code}:\n        new.append((v - v % {k}) // {k})\n    else:\n        new.append({b} + v)\nvalues = new",
        lambda values: [(v - v % k) // k if test.holds(v) else v + b for v in values],
        (
            (
                f"values = [int(v / {k}) if {test.code} else v + {b} for v in values]",
                lambda values: [int(v / k) if test.holds(v) else v + b for v in values],
            ),
            (
                f"values = [v + {b} if {test.code} else v // {k} for v in values]",
                lambda values: [v + b if test.holds(v) else v // k for v in values],
            ),
            *(_either_near(code, holds, k, b) for code, holds in test.near),
            *(_either_near(test.code, test.holds, k + by, b) for by in (-1, 1) if k + by > 1),
            *(_either_near(test.code, test.holds, k, b + by) for by in (-1, 1)),
        ),
    )


def _either_near(code: str, holds: Callable[[int], bool], k: int, b: int) -> tuple[str, Meaning]:
    return (f"values = [v // {k} if {code} else v + {b} for v in values]", lambda values: [v // k if holds(v) else v + b for v in values])


def _runs(rng: Rng) -> Step:
    return Step(
        "replace each maximal run of equal neighbouring values with the length of the run",
        "runs = []\nfor i, v in enumerate(values):\n    if i and v == values[i - 1]:\n        runs[-1] += 1\n    else:\n        runs.append(1)\nvalues = "
        "runs",
        "from itertools import groupby\nvalues = [len(list(same)) for _, same in groupby(values)]",
        lambda values: [len(list(same)) for _, same in groupby(values)],
        (
            ("values = [values.count(v) for v in dict.fromkeys(values)]", lambda values: list(Counter(values).values())),
            ("values = [v for i, v in enumerate(values) if not i or v != values[i - 1]]", lambda values: [v for v, _ in groupby(values)]),
        ),
    )


def _chunks(rng: Rng) -> Step:
    k = rng.integer(2, 4)
    return Step(
        f"split the list into pieces of {k} values, from the left (the last piece may be shorter), and replace each piece with its sum",
        f"values = [sum(values[i:i + {k}]) for i in range(0, len(values), {k})]",
        f"sums = []\nfor i, v in enumerate(values):\n    if i % {k} == 0:\n        sums.append(0)\n    sums[-1] += v\nvalues = sums",
        lambda values: [sum(values[i * k : i * k + k]) for i in range(-(-len(values) // k))],
        (
            (
                f"values = [sum(values[i:i + {k}]) for i in range(0, len(values) - {k - 1}, {k})]",
                lambda values: [sum(values[i : i + k]) for i in range(0, len(values) - k + 1, k)],
            ),
            (
                f"values = [sum(values[i:i + {k}]) for i in range(len(values) - {k - 1})]",
                lambda values: [sum(values[i : i + k]) for i in range(len(values) - k + 1)],
            ),
        ),
    )


def _windows(rng: Rng) -> Step:
    k = rng.integer(2, 4)
    best, worst = rng.choice((("max", "min"), ("min", "max")))
    pick, wrong = {"max": (max, min), "min": (min, max)}[best]
    return Step(
        f"replace the list with the {best}imum of every {k} consecutive values: of values 1 to {k}, of values 2 to {k + 1}, "
        f"and so on (fewer than {k} values give an empty list)",
        f"values = [{best}(values[i:i + {k}]) for i in range(len(values) - {k} + 1)]",
        f"values = [{best}(near) for near in zip(*(values[i:] for i in range({k})))]",
        lambda values: [pick(values[i : i + k]) for i in range(max(0, len(values) - k + 1))],
        (
            (
                f"values = [{best}(values[i:i + {k}]) for i in range(len(values))]",
                lambda values: [pick(values[i : i + k]) for i in range(len(values))],
            ),
            (
                f"values = [{worst}(values[i:i + {k}]) for i in range(len(values) - {k} + 1)]",
                lambda values: [wrong(values[i : i + k]) for i in range(len(values) - k + 1)],
            ),
        ),
    )


def _peaks(rng: Rng) -> Step:
    return Step(
        "keep only the values that are greater than each of their neighbours in the list "
        "(the first and the last value have only one neighbour; a single value is kept)",
        "values = [v for i, v in enumerate(values) if (i == 0 or v > values[i - 1]) and (i == len(values) - 1 or v > values[i + 1])]",
        "low = float('-inf')\npadded = [low, *values, low]\nvalues = [b for a, b, c in zip(padded, padded[1:], padded[2:]) if a < b > c]",
        lambda values: [b for a, b, c in zip([-inf, *values], values, [*values[1:], -inf]) if a < b > c],
        (
            (
                "values = [v for i, v in enumerate(values) if 0 < i < len(values) - 1 and values[i - 1] < v > values[i + 1]]",
                lambda values: [values[i] for i in range(1, len(values) - 1) if values[i - 1] < values[i] > values[i + 1]],
            ),
            (
                "values = [v for i, v in enumerate(values) if (i == 0 or v >= values[i - 1]) and (i == len(values) - 1 or v >= values[i + 1])]",
                lambda values: [b for a, b, c in zip([-inf, *values], values, [*values[1:], -inf]) if a <= b >= c],
            ),
        ),
    )


def _greater(values: Sequence[int], bound: int, times: int = 1) -> list[int]:
    return [v for v in values if v * times > bound]


def _above(rng: Rng) -> Step:
    return Step(
        "keep only the values that are greater than the arithmetic mean of the list",
        "values = [v for v in values if v * len(values) > sum(values)]",
        "from fractions import Fraction\nvalues = [v for v in values if v > Fraction(sum(values), len(values))]",
        lambda values: _greater(values, sum(values), len(values)),
        (
            (
                "values = [v for v in values if v * len(values) >= sum(values)]",
                lambda values: _greater(values, sum(values) - 1, len(values)),
            ),
            (
                "values = [v for v in values if v > sum(values) // len(values)]",
                lambda values: _greater(values, sum(values) // max(1, len(values))),
            ),
            (
                "values = [v for v in values if v > sorted(values)[len(values) // 2]]",
                lambda values: _greater(values, sorted(values)[len(values) // 2]) if values else [],
            ),
        ),
    )


STEPS: tuple[Callable[[Rng], Step], ...] = (
    *(_keep, _scaled, _reversed, _unique, _remove_every_kth, _sums, _differences, _rotated),
    *(_replace_by_test, _sorted, _chunks, _runs, _windows, _peaks, _above),
)
