"""Invented libraries: their documentation, their source, questions that only they can answer, and programs that ask them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import indent
from typing import Any

from rlgym.core.rng import Rng

NAMES = {
    "library": ("depot", "atlas", "quarry", "harbour", "loom"),
    "load": ("open_load", "register", "admit", "enter"),
    "fetch": ("page", "batch", "sheet", "portion"),
    "grade": ("grade", "rate", "appraise"),
    "toll": ("toll", "duty", "levy"),
    "weigh": ("weigh", "heft", "burden"),
    "bond": ("bond", "affinity", "pull"),
}
MEASURES = ("coarse grade", "fine grade", "toll", "weight")
Measure = Callable[[int], int]


@dataclass(frozen=True)
class Library:
    """A library. Its numbers stand in no documentation: they are found out by calling it."""

    names: dict[str, str]
    numbers: tuple[int, ...]  # of the formulas
    size: int  # of a page, and of what may be weighed at once
    first: int  # number of the first page
    ends: str  # what comes after the last page: "empty" or "error"
    newest: bool  # whether what was loaded last comes first
    default: str  # the scale of grades where none is given
    turned: bool  # whether the bond takes what is bound before what it is bound to


def sample(rng: Rng, paged: bool) -> Library:
    """A library; without pages all comes on one."""
    names = {what: rng.choice(some) for what, some in NAMES.items()}
    numbers = tuple(rng.integer(low, high) for low, high in ((3, 40), (1, 90), (5, 9), (2, 4), (3, 40), (5, 60), (7, 40), (3, 40), (1, 30)))
    quirks = rng.chance(0.5), rng.chance(0.6), rng.choice(("coarse", "fine")), rng.chance(0.5)
    size = rng.integer(2, 5) if paged else 40
    return Library(names, numbers, size, rng.integer(0, 2), "error" if quirks[0] else "empty", quirks[1], quirks[2], quirks[3])


def measure(library: Library, what: str) -> Measure:
    """What the library says of an item; 0 for a toll that there is none of."""
    n = library.numbers
    return {
        "fine grade": lambda v: (v * n[0] + n[1]) % 97,
        "coarse grade": lambda v: (v * n[0] + n[1]) % 97 // n[2],
        "toll": lambda v: 0 if v % n[3] == 0 else (v * n[4]) % 53 + 1,
        "weight": lambda v: (v * v + n[5] * v) % n[6] + 1,
    }[what]


def bound(library: Library, one: int, to: int) -> int:
    """How strongly an item is bound to another."""
    return (library.numbers[7] * one + library.numbers[8] * to + one * to) % 41


def source(library: Library) -> str:
    """The library's own program."""
    n, name = library.numbers, library.names
    end = "return []" if library.ends == "empty" else "raise IndexError('there is no such page')"
    pair = "item, to" if library.turned else "to, item"
    return f"""
class NoToll(ValueError):
    pass
class Library:
    NoToll = NoToll
    def {name["load"]}(self, values):
        return tuple(reversed(values)) if {library.newest} else tuple(values)
    def {name["fetch"]}(self, load, number):
        start = (number - {library.first}) * {library.size}
        if not 0 <= start < len(load):
            {end}
        return list(load[start:start + {library.size}])
    def {name["grade"]}(self, item, scale={library.default!r}):
        if scale not in ("fine", "coarse"):
            raise ValueError("scale must be 'fine' or 'coarse'")
        fine = (item * {n[0]} + {n[1]}) % 97
        return fine if scale == "fine" else fine // {n[2]}
    def {name["grade"]}_all(self, items):
        return sorted(self.{name["grade"]}(item) for item in items)
    def {name["toll"]}(self, item):
        if item % {n[3]} == 0:
            raise self.NoToll("this item has no toll")
        return item * {n[4]} % 53 + 1
    def usual_{name["toll"]}(self, items):
        return 17 * len(items)
    def {name["weigh"]}(self, items):
        if len(items) > {max_weighings(library)}:
            raise ValueError("too many items")
        return {{item: (item * item + {n[5]} * item) % {n[6]} + 1 for item in items}}
    def estimate_{name["weigh"]}(self, item):
        return self.{name["weigh"]}([item])[item] // 5 * 5
    def {name["bond"]}(self, {pair}):
        return ({n[7]} * item + {n[8]} * to + item * to) % 41
    def size(self, load):
        return len(set(load))
{name["library"]} = Library()
import sys
sys.modules[{name["library"]!r}] = {name["library"]}
del sys, Library, NoToll
"""


def max_weighings(library: Library) -> int:
    """How many items may be weighed at once."""
    return min(library.size, 5)


def documentation(rng: Rng, library: Library, distractors: int) -> str:
    """What is said of its functions, in some order; the last ones are of no use."""
    name, lib = library.names, library.names["library"]
    order = "the most recently loaded value first" if library.newest else "in the order in which they were loaded"
    end = "an empty list is returned" if library.ends == "empty" else "IndexError is raised (also for a load without items)"
    pair = "item, to" if library.turned else "to, item"
    other = "coarse" if library.default == "fine" else "fine"
    paragraphs = [
        (f"{name['load']}(values)", "Takes a list of integers, the items, and returns a load, which only this library can read."),
        (
            f"{name['fetch']}(load, number)",
            f"The items of one page of a load, as a list of at most {library.size}, {order}. Pages are numbered from {library.first}. "
            f"After the last page {end}.",
        ),
        (
            f"{name['grade']}(item, scale={library.default!r})",
            f"The {library.default} grade of an item, an integer. With scale={other!r}, its {other} grade instead.",
        ),
        (
            f"{name['toll']}(item)",
            f"The toll of an item, a positive integer. An item may have none: then {lib}.NoToll, a ValueError, is raised.",
        ),
        (
            f"{name['weigh']}(items)",
            f"A dictionary from each of these items to its weight. Takes a list of at most {max_weighings(library)} items; ValueError is raised for more.",
        ),
        (f"{name['bond']}({pair})", "How strongly `item` is bound to `to`, an integer from 0 to 40. This is not symmetric."),
    ]
    useless = [
        (f"{name['grade']}_all(items)", "The grades of several items on the default scale, smallest first."),
        (f"usual_{name['toll']}(items)", "A rough estimate of the sum of the tolls of these items; not exact."),
        (f"estimate_{name['weigh']}(item)", "The weight of one item, rounded down to a multiple of 5."),
        ("size(load)", "The number of distinct items in a load."),
    ]
    parts = rng.shuffled([*paragraphs, *rng.sample(useless, distractors)])
    return "\n".join(f"{lib}.{head}\n    {body}" for head, body in parts)


@dataclass(frozen=True)
class Stage:
    """A step of a question: `what` of keep, even, bound, sort, and then one of sum, list, best, items."""

    what: str
    measure: str
    limit: int = 0


def stages(rng: Rng, count: int, kinds: int) -> list[Stage]:
    """The steps of a question and its ending; `kinds` says how many kinds of measures there are to draw from."""
    drawn = []
    for what in rng.sample(("keep", "even", "sort", "bound", "keep"), count):
        name = rng.choice(MEASURES[:kinds])
        low, high = {"coarse grade": (2, 9), "fine grade": (15, 70), "toll": (5, 35), "weight": (3, 12)}[name]
        drawn.append(Stage(what, name, rng.integer(8, 20) if what == "bound" else rng.integer(low, high)))
    return [*drawn, Stage(rng.choice(("sum", "list", "best")), rng.choice(MEASURES[:kinds]))]


def words(steps: Sequence[Stage]) -> str:
    """The question, a numbered line for each step."""
    lines = []
    for i, step in enumerate(steps, 1):
        of = f"{step.measure} (0 for an item that has none)" if step.measure == "toll" else step.measure
        phrases = {
            "keep": f"Keep only the items whose {of} is {step.limit} or more.",
            "even": f"Keep only the items whose {of} is even.",
            "sort": f"Sort the items by {of}, smallest first; those that tie keep their order.",
            "bound": f"Keep the first item, and of the others those that are bound to the item just before them (in the list as it was before this step) "
            f"with a strength of {step.limit} or more.",
            "sum": f"Return the sum over all items of the {of}; 0 if there are no items.",
            "list": f"Return the list with the {of} of each item, in the order of the items.",
            "best": f"Return the item whose {of} is largest, the first of them if there are several; None if there are no items.",
        }[step.what]
        lines.append(f"{i}. {phrases}")
    return "\n".join(lines)


def work(library: Library, steps: Sequence[Stage], values: list[int], slip: str = "") -> Any:
    """What the question's answer is; a slip is a way to misread the documentation."""
    items = values[::-1] if library.newest != (slip == "order") else list(values)
    if slip == "first page":
        items = items[library.size :]
    for step in steps:
        name = step.measure
        if slip == "scale":
            name = {"fine grade": "coarse grade", "coarse grade": "fine grade"}.get(name, name)
        worth = measure(library, name)
        match step.what:
            case "keep":
                items = [v for v in items if worth(v) > step.limit or (worth(v) == step.limit and slip != "more")]
            case "even":
                items = [v for v in items if worth(v) % 2 == 0]
            case "sort":
                items = [items[i] for i in sorted(range(len(items)), key=lambda i: (worth(items[i]), i))]
            case "bound":
                pairs = zip(items[1:], items, strict=False)
                kept = [one for one, to in pairs if (bound(library, to, one) if slip == "bond" else bound(library, one, to)) >= step.limit]
                items = items[:1] + kept
            case "sum":
                return sum(map(worth, items))
            case "list":
                return list(map(worth, items))
            case "best":
                return max(items, key=worth, default=None)
    return items


SLIPS = ("order", "scale", "more", "bond", "first page")


def program(library: Library, steps: Sequence[Stage], slip: str = "", other: bool = False) -> str:
    """A program that asks the library."""
    name = {what: f"{library.names['library']}.{function_name}" for what, function_name in library.names.items() if what != "library"}
    lib = library.names["library"]
    scale = {"fine": "coarse", "coarse": "fine"} if slip == "scale" else {"fine": "fine", "coarse": "coarse"}
    first = library.first + (slip == "first page")
    pair = "v, to" if library.turned != (slip == "bond") else "to, v"
    many = 1 if other else max_weighings(library) + (slip == "many") * 40
    helpers = {
        "fine grade": f"def fine_grade(items):\n    return [{name['grade']}(v, scale={scale['fine']!r}) for v in items]",
        "coarse grade": f"def coarse_grade(items):\n    return [{name['grade']}(v, scale={scale['coarse']!r}) for v in items]",
        "toll": "def toll(items):\n    found = []\n    for v in items:\n        try:\n"
        f"            found.append({name['toll']}(v))\n        except {lib}.NoToll:\n            found.append(0)\n    return found",
        "weight": f"def weight(items):\n    known = {{}}\n    for i in range(0, len(items), {many}):\n"
        f"        known.update({name['weigh']}(items[i:i + {many}]))\n    return [known[v] for v in items]",
    }
    if slip == "toll":
        helpers["toll"] = f"def toll(items):\n    return [{name['toll']}(v) for v in items]"
    used = dict.fromkeys(step.measure for step in steps if step.what != "bound")
    fetch = f"items, number = [], {first}\nwhile True:\n"
    if library.ends == "empty":
        fetch += f"    found = {name['fetch']}(load, number)\n    if not found:\n        break\n"
    else:
        fetch += f"    try:\n        found = {name['fetch']}(load, number)\n    except IndexError:\n        break\n"
    body = [f"load = {name['load']}(values)", fetch + "    items += found\n    number += 1"]
    if other:
        body = [f"items = {'values[::-1]' if library.newest else 'values[:]'}"]
    elif slip == "order":
        body.append("items.reverse()")
    for step in steps:
        marks = f"{step.measure.replace(' ', '_')}(items)"
        sign = ">" if slip == "more" else ">="
        body.append(
            {
                "keep": f"items = [v for v, mark in zip(items, {marks}) if mark {sign} {step.limit}]",
                "even": f"items = [v for v, mark in zip(items, {marks}) if mark % 2 == 0]",
                "sort": f"items = [v for _, _, v in sorted(zip({marks}, range(len(items)), items))]",
                "bound": f"items = items[:1] + [v for to, v in zip(items, items[1:]) if {name['bond']}({pair}) >= {step.limit}]",
                "sum": f"return sum({marks})",
                "list": f"return {marks}",
                "best": f"marks = {marks}\nreturn items[marks.index(max(marks))] if items else None",
            }[step.what]
        )
    return "\n\n".join([*(helpers[helper] for helper in used), "def solve(values):\n" + indent("\n".join(body), "    ")])
