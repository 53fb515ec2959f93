"""Specifications of functions on lists of integers, put together from steps.

Every step is said in words, written as code in two ways, and meant by a function; so a pipeline of them has a statement, a
reference program, a second program, and misreadings in which one step is taken for a near one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, reduce
from itertools import accumulate, combinations, combinations_with_replacement, groupby, pairwise
from math import gcd
from operator import le, lt
from textwrap import indent
from typing import Any

from rlgym.core.config import Config, knob
from rlgym.core.rng import Rng
from rlgym.generators.programs.suites import chosen, differs

REDRAWN = 24
LEAST, MOST, LONGEST = -50, 50, 20  # of the values, and of a list
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


class Knobs(Config):
    """What makes a pipeline hard; environments add knobs of their own."""

    steps: int = knob(3, easy=1, hard=7, doc="steps before the ending")
    kinds: int = knob(10, easy=5, hard=15, doc="how many kinds of steps there are to draw from, plain ones first")
    branches: int = knob(1, easy=0, hard=4, doc="steps that depend on the list so far, or take a number from it")


@dataclass(frozen=True)
class Drawn:
    """A pipeline that was drawn, and inputs that show what it does."""

    steps: tuple[Step, ...]
    inputs: tuple[Input, ...]

    @cached_property
    def right(self) -> Meaning:
        return meant([step.meaning for step in self.steps])

    @cached_property
    def reference(self) -> str:
        return program([step.code for step in self.steps])

    @cached_property
    def other(self) -> str:
        return program([step.other for step in self.steps])

    @cached_property
    def misread(self) -> list[tuple[str, Meaning]]:
        return misread(self.steps)

    @cached_property
    def renumbered(self) -> list[Meaning]:
        """What the pipeline comes to with other numbers in one step."""
        return renumbered(self.steps)

    @property
    def few(self) -> tuple[Input, ...]:
        return self.inputs[:60]

    def tests(self, *more: Meaning) -> list[tuple[str, str]]:
        """Hidden tests that tell the pipeline from its misreadings, from those with other numbers, and from further wrong programs."""
        wrong = [*more, *(meaning for _, meaning in self.misread), *self.renumbered]
        return chosen(self.right, wrong, self.inputs, least=30, most=80, twice=3)

    def example(self, arguments: Input) -> tuple[str, str]:
        return repr(arguments), repr(self.right(*arguments))


def sample(rng: Rng, knobs: Knobs) -> Drawn:
    """A pipeline in which every step is seen in the end."""
    drawn_inputs = inputs(rng.child("inputs"), 300)
    return Drawn(tuple(telling(rng, knobs.steps, knobs.kinds, knobs.branches, drawn_inputs[:60])), tuple(drawn_inputs))


def call(example: tuple[str, str]) -> str:
    """An example in words: what solve returns for its arguments."""
    return f"solve{example[0].replace(',)', ')')} returns {example[1]}"


RANGE = f"a list of at most {LONGEST} integers from {LEAST} to {MOST}"


def within(values: object) -> bool:
    """Whether this is a list that a pipeline takes."""
    return isinstance(values, list) and len(values) <= LONGEST and all(type(value) is int and LEAST <= value <= MOST for value in values)


def statement(steps: Sequence[Step]) -> str:
    """The steps in words, numbered."""
    return "\n".join(f"{number}. {step.words[0].upper()}{step.words[1:]}." for number, step in enumerate(steps, 1))


def program(codes: Sequence[str]) -> str:
    """A program that does these statements one after the other."""
    return f"def solve(values):\n{inner(*codes)}"


def inner(*codes: str) -> str:
    """The inside of a function that does these statements one after the other."""
    return indent("\n".join([*codes, "return values"]), "    ")


def meant(meanings: Sequence[Meaning]) -> Meaning:
    """What a sequence of steps comes to."""
    return lambda values: reduce(lambda so_far, meaning: meaning(so_far), meanings, list(values))


def misread(steps: Sequence[Step]) -> list[tuple[str, Meaning]]:
    """Programs, and what they do, in which one step is taken for a near one, left out, or done too early."""
    codes, changed = [step.code for step in steps], _changes(steps)
    near = [(i, code, meaning) for i, step in enumerate(steps) for code, meaning in step.near]
    out = [(program([*codes[:i], code, *codes[i + 1 :]]), changed(i, [meaning], i + 1)) for i, code, meaning in near]
    out += [(program(codes[:i] + codes[i + 1 :]), meaning) for i, meaning in enumerate(left_out(steps))]
    for i in range(len(steps) - 2):
        swapped = program([*codes[:i], codes[i + 1], codes[i], *codes[i + 2 :]])
        out.append((swapped, changed(i, [steps[i + 1].meaning, steps[i].meaning], i + 2)))
    return out


def renumbered(steps: Sequence[Step]) -> list[Meaning]:
    """What the steps come to if one of them has other numbers or conditions, each kind drawn REDRAWN times."""
    rng, changed = Rng("renumbered", *(step.code for step in steps)), _changes(steps)
    out: list[Meaning] = []
    for i, step in enumerate(steps):
        if step.redrawn is not None:
            others = {other.code: other.meaning for other in map(step.redrawn, map(rng.child, range(REDRAWN)))}
            out += [changed(i, [meaning], i + 1) for code, meaning in others.items() if code != step.code]
    return out


def _changes(steps: Sequence[Step]) -> Callable[[int, Sequence[Meaning], int], Meaning]:
    """What the steps come to with those from one number up to another replaced. The states on the way are worked out once per input."""
    meanings = [step.meaning for step in steps]

    @lru_cache(maxsize=512)
    def trail(values: tuple[int, ...]) -> list[Any]:
        return list(accumulate(meanings, lambda so_far, meaning: meaning(so_far), initial=list(values)))

    def changed(begin: int, others: Sequence[Meaning], end: int) -> Meaning:
        def result(values: Sequence[int]) -> Any:
            states = trail(tuple(values))
            there = reduce(lambda so_far, meaning: meaning(so_far), others, states[begin])
            if type(there) is type(states[end]) and there == states[end]:
                return states[-1]
            return reduce(lambda so_far, meaning: meaning(so_far), meanings[end:], there)

        return result

    return changed


def faulty(rng: Rng, steps: Sequence[Step], count: int) -> tuple[list[int], list[str], Meaning]:
    """Which steps are wrong, the code of all, and what that does: `count` steps are taken for near ones."""
    codes, meanings = [step.code for step in steps], [step.meaning for step in steps]
    able = [i for i, step in enumerate(steps) if step.near]
    places = sorted(rng.sample(able, min(count, len(able))))
    for i in places:
        codes[i], meanings[i] = rng.choice(steps[i].near)
    return places, codes, meant(meanings)


def telling(rng: Rng, length: int, kinds: int, branches: int, few: Sequence[Input]) -> list[Step]:
    """A pipeline in which every step is seen in the end, and which gives many different results on these inputs."""
    while True:
        steps = pipeline(rng, length, kinds, branches)
        right = meant([step.meaning for step in steps])
        if _varied(right, few) and all(differs(right, without, few) for without in [*left_out(steps), *_single_branch_meanings(steps)]):
            return steps


def _varied(meaning: Meaning, few: Sequence[Input]) -> bool:
    seen: set[str] = set()
    for arguments in few:
        seen.add(repr(meaning(*arguments)))
        if len(seen) >= min(10, len(few) // 2):
            return True
    return False


def _single_branch_meanings(steps: Sequence[Step]) -> list[Meaning]:
    """What the steps come to if a branch is always the same, one branch after the other."""
    changed = _changes(steps)
    return [changed(i, [variant], i + 1) for i, step in enumerate(steps) for variant in step.ways]


def left_out(steps: Sequence[Step]) -> list[Meaning]:
    """What the steps come to without the first, without the second, and so on; the ending is always there."""
    changed = _changes(steps)
    return [changed(i, [], i + 1) for i in range(len(steps) - 1)]


def pipeline(rng: Rng, length: int, kinds: int, branches: int) -> list[Step]:
    """`length` steps of the first `kinds` kinds, `branches` of them with two ways to go, and one that ends it."""
    makers = rng.sample(STEPS[:kinds], min(length, kinds))
    steps = [_drawn_step(rng, maker) for maker in makers]
    for i in rng.sample(range(len(steps)), min(branches, len(steps))):
        steps[i] = _branch(rng, steps[i], kinds) if rng.chance(0.5) else _remembered(rng, kinds)
    return [*steps, _drawn_step(rng, rng.choice(ENDS[:kinds]))]


def _drawn_step(rng: Rng, maker: Callable[[Rng], Step]) -> Step:
    return replace(maker(rng), redrawn=maker)


def inputs(rng: Rng, count: int) -> list[Input]:
    """Boundary cases, then random lists: short and long, of few and of many different values."""
    value = rng.integer(1, 9)
    lists: list[list[int]] = [
        [],
        [value],
        [-value],
        [0],
        [value, value],
        [value, -value],
        [LEAST, MOST],
        list(range(1, 11)),
        list(range(9, -1, -1)),
        [2] * 7,
    ]
    while len(lists) < count:
        most = rng.choice((3, 6, 12, MOST))
        lists.append([rng.integer(-most if rng.chance(0.6) else 0, most) for _ in range(rng.integer(2, rng.choice((6, 12, LONGEST))))])
    return [(values,) for values in lists[:count]]


def specifications(length: int, kinds: int) -> int:
    """A lower bound on how many pipelines of that length can be drawn: orders of steps and choices of endings, numbers aside."""
    count = len(ENDS[:kinds])
    for i in range(length):
        count *= max(1, min(kinds, len(STEPS)) - i)
    return count


def _test(rng: Rng) -> Test:
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


def _only(holds: Callable[[int], bool]) -> Meaning:
    return lambda values: [v for v in values if holds(v)]


def _number_of(holds: Callable[[int], bool]) -> Meaning:
    return lambda values: sum(map(holds, values))


def _by(holds: Callable[[list[int]], bool], first: Meaning, second: Meaning) -> Meaning:
    return lambda values: first(values) if holds(values) else second(values)


def _added(number: Meaning) -> Meaning:
    return lambda values: [number(values) + v for v in values]


def _keep(rng: Rng) -> Step:
    test = _test(rng)
    return Step(
        f"keep only the values that are {test.words}" if not test.words.startswith("whose") else f"keep only the values {test.words}",
        f"values = [v for v in values if {test.code}]",
        f"kept = []\nfor v in values:\n    if not ({test.code}):\n        continue\n    kept.append(v)\nvalues = kept",
        lambda values: list(filter(test.holds, values)),
        (
            (f"values = [v for v in values if not ({test.code})]", lambda values: [v for v in values if not test.holds(v)]),
            *((f"values = [v for v in values if {code}]", _only(holds)) for code, holds in test.near),
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


def _unique(rng: Rng) -> Step:
    return Step(
        "remove duplicates, keeping the first occurrence of each value",
        "values = list(dict.fromkeys(values))",
        "values = [v for i, v in enumerate(values) if v not in values[:i]]",
        lambda values: sorted(set(values), key=values.index),
        (
            ("values = sorted(set(values))", lambda values: sorted(set(values))),
            ("values = [v for v in values if values.count(v) == 1]", lambda values: [v for v in values if values.count(v) == 1]),
            ("values = list(dict.fromkeys(values[::-1]))[::-1]", lambda values: list(dict.fromkeys(values[::-1]))[::-1]),
        ),
    )


def _every(rng: Rng) -> Step:
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
        lambda values: [sum(values[: i + 1]) for i in range(len(values))],
        (("values = [sum(values[:i]) for i in range(len(values))]", lambda values: [sum(values[:i]) for i in range(len(values))]),),
    )


DIGITS = "sum(map(int, str(abs(v))))"
ORDERS: tuple[tuple[str, str, Callable[[int], int]], ...] = (
    ("abs(v)", "absolute value", abs),
    ("abs(v) % 10", "last decimal digit", lambda v: int(str(v)[-1])),
    (DIGITS, "sum of decimal digits (ignoring the sign)", lambda v: sum(map(int, str(abs(v))))),
    ("v % 3", "remainder modulo 3 (0, 1 or 2)", lambda v: v - 3 * (v // 3)),
)


def _sorted(rng: Rng) -> Step:
    key, words, worth = rng.choice(ORDERS)
    return Step(
        f"sort by {words} in ascending order; values that tie keep their order",
        f"values = sorted(values, key=lambda v: {key})",
        f"values = [v for _, _, v in sorted(({key}, i, v) for i, v in enumerate(values))]",
        lambda values: [values[i] for i in sorted(range(len(values)), key=lambda i: (worth(values[i]), i))],
        (
            (f"values = sorted(values, key=lambda v: ({key}, v))", lambda values: sorted(values, key=lambda v: (worth(v), v))),
            (f"values = sorted(values, key=lambda v: -({key}))", lambda values: sorted(values, key=lambda v: -worth(v))),
            ("values = sorted(values)", lambda values: sorted(values)),
        ),
    )


def _either(rng: Rng) -> Step:
    test, k, b = _test(rng), rng.integer(2, 4), rng.integer(1, 9)
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
        lambda values: [v for i, v in enumerate(values) if all(v > w for w in values[max(0, i - 1) : i] + values[i + 1 : i + 2])],
        (
            (
                "values = [v for i, v in enumerate(values) if 0 < i < len(values) - 1 and values[i - 1] < v > values[i + 1]]",
                lambda values: [values[i] for i in range(1, len(values) - 1) if values[i - 1] < values[i] > values[i + 1]],
            ),
            (
                "values = [v for i, v in enumerate(values) if (i == 0 or v >= values[i - 1]) and (i == len(values) - 1 or v >= values[i + 1])]",
                lambda values: [v for i, v in enumerate(values) if all(v >= w for w in values[max(0, i - 1) : i] + values[i + 1 : i + 2])],
            ),
        ),
    )


def _above(rng: Rng) -> Step:
    return Step(
        "keep only the values that are greater than the arithmetic mean of the list",
        "values = [v for v in values if v * len(values) > sum(values)]",
        "from fractions import Fraction\nvalues = [v for v in values if v > Fraction(sum(values), len(values))]",
        lambda values: [v for v in values if sum(v - w for w in values) > 0],
        (
            (
                "values = [v for v in values if v * len(values) >= sum(values)]",
                lambda values: [v for v in values if v * len(values) >= sum(values)],
            ),
            (
                "values = [v for v in values if v > sum(values) // len(values)]",
                lambda values: [v for v in values if v > sum(values) // len(values)],
            ),
            (
                "values = [v for v in values if v > sorted(values)[len(values) // 2]]",
                lambda values: [v for v in values if v > sorted(values)[len(values) // 2]],
            ),
        ),
    )


STEPS: tuple[Callable[[Rng], Step], ...] = (
    *(_keep, _scaled, _reversed, _unique, _every, _sums, _differences, _rotated),
    *(_either, _sorted, _chunks, _runs, _windows, _peaks, _above),
)


def _total(rng: Rng) -> Step:
    return Step(
        "return the sum of the values (0 if there are none)",
        "values = sum(values)",
        "total = 0\nfor v in values:\n    total += v\nvalues = total",
        lambda values: sum(values),
        (("values = len(values)", len), ("values = sum(map(abs, values))", lambda values: sum(map(abs, values)))),
    )


def _count(rng: Rng) -> Step:
    test = _test(rng)
    return Step(
        f"return how many of the values are {test.words}"
        if not test.words.startswith("whose")
        else f"return how many values there are {test.words}",
        f"values = sum(1 for v in values if {test.code})",
        f"values = len([v for v in values if {test.code}])",
        lambda values: len(list(filter(test.holds, values))),
        tuple((f"values = sum(1 for v in values if {code})", _number_of(holds)) for code, holds in test.near),
    )


def _list(rng: Rng) -> Step:
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
        lambda values: max(range(len(values)), key=lambda i: (values[i], -i), default=-1),
        (
            (
                "values = max(range(len(values)), key=lambda i: (values[i], i), default=-1)",
                lambda values: max(range(len(values)), key=lambda i: (values[i], i), default=-1),
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


def _common(rng: Rng) -> Step:
    return Step(
        "return the most frequent value, or the smallest of them if several are equally frequent (0 if there are no values)",
        "values = min(values, key=lambda v: (-values.count(v), v)) if values else 0",
        "counts = {}\nfor v in values:\n    counts[v] = counts.get(v, 0) + 1\nvalues = max(sorted(counts), key=counts.get, default=0)",
        lambda values: max(sorted(set(values)), key=values.count, default=0),
        (
            ("values = max(values, key=values.count) if values else 0", lambda values: max(values, key=values.count) if values else 0),
            (
                "values = max(values, key=lambda v: (values.count(v), v)) if values else 0",
                lambda values: max(values, key=lambda v: (values.count(v), v)) if values else 0,
            ),
        ),
    )


def _alternating(rng: Rng) -> Step:
    return Step(
        "return the first value minus the second plus the third minus the fourth and so on (0 if there are none)",
        "values = sum(values[::2]) - sum(values[1::2])",
        "sign, total = 1, 0\nfor v in values:\n    total += sign * v\n    sign = -sign\nvalues = total",
        lambda values: sum((-1) ** i * v for i, v in enumerate(values)),
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
        lambda values: sum(values[i] == total - values[j] for i in range(len(values)) for j in range(i + 1, len(values))),
        (
            (
                f"values = sum(1 for a, b in zip(values, values[1:]) if a + b == {total})",
                lambda values: sum(1 for a, b in pairwise(values) if a + b == total),
            ),
            (
                f"values = sum(1 for b in values for a in values if a + b == {total})",
                lambda values: sum(1 for b in values for a in values if a + b == total),
            ),
            (
                f"values = len({{(a, b) for j, b in enumerate(values) for a in values[:j] if a + b == {total}}})",
                lambda values: len({(a, b) for j, b in enumerate(values) for a in values[:j] if a + b == total}),
            ),
        ),
    )


def _best_part(rng: Rng) -> Step:
    return Step(
        "return the largest sum of any one or more consecutive values (0 for an empty list, but a negative number if all values are negative)",
        "best = run = values[0] if values else 0\nfor v in values[1:]:\n    run = max(run, 0) + v\n    best = max(best, run)\nvalues = best",
        "values = max((sum(values[i:j]) for i in range(len(values)) for j in range(i + 1, len(values) + 1)), default=0)",
        lambda values: max((end - begin for begin, end in combinations(accumulate(values, initial=0), 2)), default=0),
        (
            (
                "best = run = 0\nfor v in values:\n    run = max(run + v, 0)\n    best = max(best, run)\nvalues = best",
                lambda values: max(
                    (end - begin for begin, end in combinations_with_replacement(accumulate(values, initial=0), 2)), default=0
                ),
            ),
            ("values = sum(v for v in values if v > 0)", lambda values: sum(v for v in values if v > 0)),
        ),
    )


def _unsorted(rng: Rng) -> Step:
    return Step(
        "return the number of pairs of positions i < j such that the value at i is greater than the value at j",
        "values = sum(1 for j, b in enumerate(values) for a in values[:j] if a > b)",
        "pairs = 0\nfor i in range(len(values)):\n    for j in range(i + 1, len(values)):\n        pairs += values[i] > values[j]\nvalues = int(pairs)",
        lambda values: sum(values[i] > values[j] for i in range(len(values)) for j in range(i + 1, len(values))),
        (
            (
                "values = sum(1 for j, b in enumerate(values) for a in values[:j] if a >= b)",
                lambda values: sum(1 for j, b in enumerate(values) for a in values[:j] if a >= b),
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
    *(_total, _count, _spread, _list, _place, _second, _alternating),
    *(_common, _rising, _pairs, _unsorted, _best_part, _divisor),
)


def examples(kinds: int) -> tuple[str, str]:
    """Steps and endings of the first kinds in words, a line each, with numbers that stand for any."""
    rng = Rng("examples of pipelines")
    steps, ends = (tuple(maker(rng).words for maker in makers[:kinds]) for makers in (STEPS, ENDS))
    return "\n".join(f"- {words}" for words in steps), "\n".join(f"- {words}" for words in ends)


def _branch(rng: Rng, first: Step, kinds: int) -> Step:
    """One of two steps, by what the list looks like at that point."""
    second = _drawn_step(rng, rng.choice(STEPS[:kinds]))
    condition = rng.choice(
        (
            ("the list has an even number of values", "len(values) % 2 == 0", lambda values: len(values) % 2 == 0),
            ("the sum of the values is negative", "sum(values) < 0", lambda values: sum(values) < 0),
            ("some value occurs more than once", "len(set(values)) < len(values)", lambda values: len(set(values)) < len(values)),
        )
    )
    return _joined(condition, first, second)


def _joined(condition: tuple[str, str, Callable[[list[int]], bool]], one: Step, other: Step) -> Step:
    """One of two steps, by the condition."""
    words, code, holds = condition
    close = {
        "sum(values) < 0": (("sum(values) <= 0", lambda values: sum(values) <= 0), ("sum(values) < -1", lambda values: sum(values) < -1))
    }

    def either(first: str, second: str, code: str = code) -> str:
        return f"if {code}:\n{indent(first, '    ')}\nelse:\n{indent(second, '    ')}"

    return Step(
        f"if {words} at this point, {one.words}. Otherwise, {other.words}",
        either(one.code, other.code),
        either(one.other, other.other),
        _by(holds, one.meaning, other.meaning),
        (
            (either(other.code, one.code), _by(holds, other.meaning, one.meaning)),
            (one.code, one.meaning),
            (other.code, other.meaning),
            *((either(one.code, other.code, near), _by(test, one.meaning, other.meaning)) for near, test in close.get(code, ())),
            *((either(near, other.code), _by(holds, meaning, other.meaning)) for near, meaning in one.near),
            *((either(one.code, near), _by(holds, one.meaning, meaning)) for near, meaning in other.near),
        ),
        lambda rng: _joined(condition, *_redraw_one(rng, one, other)),
        (one.meaning, other.meaning),
    )


def _redraw_one(rng: Rng, first: Step, second: Step) -> tuple[Step, Step]:
    if first.redrawn is not None and rng.chance(0.5):
        return first.redrawn(rng), second
    return first, second.redrawn(rng) if second.redrawn is not None else second


def _remembered(rng: Rng, kinds: int) -> Step:
    """A number taken from the whole list changes every value."""
    ends = [end for end in ENDS[:kinds] if end is not _list]
    return _added_to_each(_drawn_step(rng, rng.choice(ends)))


def _added_to_each(end: Step) -> Step:
    words = end.words.removeprefix("return ")
    return Step(
        f"add one number, computed from the list before this step, to each value: {words}",
        f"kept = values\n{end.code}\nvalues = [v + values for v in kept]",
        f"kept = list(values)\n{end.other}\nnumber = values\nvalues = [number + v for v in kept]",
        _added(end.meaning),
        tuple((f"kept = values\n{code}\nvalues = [v + values for v in kept]", _added(meaning)) for code, meaning in end.near),
        (lambda rng: _added_to_each(end.redrawn(rng) if end.redrawn is not None else end)),
    )
