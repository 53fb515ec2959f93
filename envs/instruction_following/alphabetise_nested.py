"""Put a nested list in order level by level, each level by a rule of its own, with some items that keep their place."""

from collections.abc import Sequence
from functools import partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, OneOf, Solution, Step

ORDERS = {
    "up": "in alphabetical order",
    "down": "in reversed alphabetical order, from z to a",
    "length": "by length, the shortest first, those of the same length in alphabetical order",
    "ending": "in alphabetical order of the words read backwards",
    "inside": "by the number of items directly under them, the fewest first, ties in alphabetical order",
    "vowels": "by the number of their letters a, e, i, o and u, the most first, ties in alphabetical order",
}
RULES = {"one": ("up",), "levels": ("up", "down", "length", "ending"), "kept": ("down", "length", "ending", "inside", "vowels")}
UNDER = Step("Under {parent} come {children:words}")
TOP = "the top"


class Knobs(Config):
    items: int = knob(12, easy=5, hard=40, doc="items of the list")
    depth: int = knob(3, easy=2, hard=5, doc="levels of the list")
    rules: str = knob(
        "levels", easy="one", hard="kept", order=tuple(RULES), doc="one rule, a rule for each level, or also items that keep their place"
    )


class Data(TaskData):
    names: tuple[str, ...]
    parents: tuple[int, ...]
    """Of each item, in the order in which siblings are shown, the place of its parent, -1 at the top."""
    orders: tuple[str, ...]
    kept: tuple[int, ...]
    pairs: bool
    right: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, pairs=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The list is given as pairs of an item and its parent, in no order."""
    return _sample_task(rng, knobs, pairs=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # The next item is picked again and again among the siblings left; `generate` sorts all siblings at once.
    data, lines = task.data, list[str]()

    def walk(parent: int, depth: int) -> None:
        siblings = _children_of(data, parent)
        places, free = list(siblings), [item for item in siblings if item not in data.kept]
        for place in range(len(places)):
            item = places[place] if places[place] in data.kept else min(free, key=lambda item: _key(data, item, data.orders[depth]))
            if item in free:
                free.remove(item)
            lines.append(f"{'-' * (depth + 1)} {data.names[item]}")
            walk(item, depth + 1)

    walk(-1, 0)
    return tuple(lines)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    right = task.data.right
    if len(answer) != len(right):
        return Score.wrong(f"the list does not have {len(answer)} lines")
    wrong = sum(first.lower() != second for first, second in zip(answer, right, strict=True))
    return Score.exact(not wrong, f"{wrong} of the lines are wrong")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    every = [_outline(data.model_copy(update={"orders": (order,) * len(data.orders)})) for order in ("up", "down", "length")]
    free = _outline(data.model_copy(update={"kept": ()}))
    flat = tuple(sorted(right, key=lambda line: line.lstrip("- ")))
    return [*every, free, flat, right[::-1], right[:-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.names) * (1 + len(set(data.orders)) + (2 if data.kept else 0)))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    parents_left = {
        TOP if parent < 0 else data.names[parent]: parent for parent in (-1, *range(len(data.names))) if _children_of(data, parent)
    }
    while parents_left:
        families = [
            UNDER(parent=name, children=[data.names[item] for item in _sorted_children(data, parent)])
            for name, parent in parents_left.items()
        ]
        taken = yield OneOf(tuple(due.accepting(partial(_is_family, data, parents_left)) for due in families))
        del parents_left[taken["parent"]]


def _is_family(data: Data, left: dict[str, int], /, parent: str, children: tuple[str, ...]) -> bool:
    """Whether these are the children in an order of their keys, with those that are kept where they stand."""
    items, shown = [data.names.index(name) for name in children], _children_of(data, left[parent])
    keys = [_key(data, item, data.orders[_depth(data, item)]) for item in items if item not in data.kept]
    stay = all((a in data.kept) == (b in data.kept) and (a not in data.kept or a == b) for a, b in zip(shown, items, strict=True))
    return stay and sorted(items) == sorted(shown) and keys == sorted(keys)


def _sample_task(rng: Rng, knobs: Knobs, pairs: bool) -> Task[Data]:
    while True:
        names = tuple(rng.sample(WORDS, knobs.items))
        parents, depths = list[int](), list[int]()
        for i in range(knobs.items):
            fit = [k for k in range(i) if depths[k] < knobs.depth - 1]
            parent = i - 1 if fit and i < min(knobs.depth, knobs.items - 2) else rng.choice([*fit, -1, -1]) if i else -1
            parents.append(parent)
            depths.append(depths[parent] + 1 if parent >= 0 else 0)
        allowed = RULES[knobs.rules]
        orders = tuple(rng.choice(allowed) for _ in range(knobs.depth)) if knobs.rules != "one" else ("up",) * knobs.depth
        if pairs:
            orders = tuple("vowels" if order == "inside" else order for order in orders)
        kept = tuple(sorted(rng.sample(range(knobs.items), max(1, knobs.items // 6)))) if knobs.rules == "kept" and not pairs else ()
        data = Data(names=names, parents=tuple(parents), orders=orders, kept=kept, pairs=pairs, right=())
        right, shown = _outline(data), tuple(_render_list(data))
        if right != tuple(line.removesuffix(" *") for line in shown):
            return Task(_render_prompt(rng, data, shown), data.model_copy(update={"right": right}))


def _children_of(data: Data, parent: int) -> list[int]:
    return [item for item, above in enumerate(data.parents) if above == parent]


def _depth(data: Data, item: int) -> int:
    depth = 0
    while data.parents[item] >= 0:
        item, depth = data.parents[item], depth + 1
    return depth


def _key(data: Data, item: int, order: str) -> tuple[int, str]:
    name = data.names[item]
    match order:
        case "down":
            return 0, "".join(chr(219 - ord(letter)) for letter in name) + "~"
        case "length":
            return len(name), name
        case "ending":
            return 0, name[::-1]
        case "inside":
            return data.parents.count(item), name
        case "vowels":
            return -sum(name.count(vowel) for vowel in "aeiou"), name
    return 0, name


def _sorted_children(data: Data, parent: int) -> list[int]:
    """The items under one, in order."""
    shown = _children_of(data, parent)
    if not shown:
        return []
    order = data.orders[_depth(data, shown[0])]
    free = iter(sorted((item for item in shown if item not in data.kept), key=lambda item: _key(data, item, order)))
    return [item if item in data.kept else next(free) for item in shown]


def _outline(data: Data, parent: int = -1, depth: int = 0) -> tuple[str, ...]:
    return tuple(
        line
        for item in _sorted_children(data, parent)
        for line in (f"{'-' * (depth + 1)} {data.names[item]}", *_outline(data, item, depth + 1))
    )


def _render_list(data: Data, parent: int = -1, depth: int = 0) -> list[str]:
    return [
        line
        for item in _children_of(data, parent)
        for line in (f"{'-' * (depth + 1)} {data.names[item]}{' *' * (item in data.kept)}", *_render_list(data, item, depth + 1))
    ]


def _render_prompt(rng: Rng, data: Data, shown: Sequence[str]) -> str:
    if data.pairs:
        item_texts = [
            f"{name} is at the top" if above < 0 else f"{name} is under {data.names[above]}"
            for name, above in zip(data.names, data.parents, strict=True)
        ]
        given = f"A nested list is told item by item: {'; '.join(rng.shuffled(item_texts))}."
    else:
        given = (
            "Here is a nested list. The number of hyphens is the level; an item belongs to the nearest item above it with one hyphen fewer.\n\n"
            + "\n".join(shown)
        )
    rules = "\n".join(f"- level {level}: {ORDERS[order]}" for level, order in enumerate(data.orders, 1))
    kept = (
        "\nAn item with an asterisk keeps its place among the items under the same item (it stays the first, the second, ... of them), and the others are "
        "put in order around it; what is under it is put in order as well. Asterisks are left out of the answer."
        if data.kept
        else ""
    )
    return (
        f"{given}\n\nSort the items at the top (level 1) and the items under each item; what is under an item moves with it. The order is\n{rules}{kept}\n\n"
        "Give the whole list in order, one item per line, each preceded by as many hyphens as its level and a space."
    )


environment = Environment(
    Knobs, Lines("the list, one item per line, as in `-- name` for an item of level 2", max_items=200),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "The list in order:\n{answer}", whole=True),
    concept="Order one family of siblings at a time by the rule of its level, and carry what stands under each along.",
    version=3,
)  # fmt: skip
