"""Choices of which the best, or how many there are, is asked: positions of a list, cuts of it, walks on a grid, and packing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs import suites, totals
from rlgym.generators.programs.specialise import Rules
from rlgym.generators.programs.specifications import Specification
from rlgym.generators.programs.suites import Meaning

ASKS = {
    "most": "the largest total of all allowed {}; None if there are none",
    "ways": "how many allowed {} there are",
    "least": "the smallest total of all allowed {}; None if there are none",
    "best": "how many of the allowed {} have the largest total that any of them has; 0 if there are none",
    "different": "how many different totals the allowed {} have",
    "above": "the smallest total that is larger than {target} and that one of the allowed {} has; None if there is no such total",
    "divisible": "how many of the allowed {} have a total that {target} divides (0 and negative multiples count too)",
    "near": "the total of one of the allowed {} that is nearest to {target}, of two totals equally near the smaller one; None if there are none",
}
COUNTED = ("ways", "best", "divisible")  # where it matters which choices are different
PARITY = "Of any two chosen values with no chosen value between them, one must be even and the other odd."
RISES = {
    "": "",
    "weak": "The chosen values must not decrease from left to right.",
    "strict": "The chosen values must increase strictly from left to right.",
    "unlike": PARITY,
}
CHOSEN = {
    "sum": "the sum of the chosen values (0 for none)",
    "first": "the sum of the chosen values, the leftmost one counted twice (0 for none)",
    "left": "the sum of the chosen values, minus {price} for each position that is not chosen",
    "alternate": "the first chosen value from the left, minus the second, plus the third, minus the fourth, and so on (0 for none)",
    "jumps": "the sum of the chosen values, minus the absolute difference of each two of them with no chosen value between them (0 for none)",
    "places": "the sum of the chosen values, minus {price} for each position not chosen that lies between two chosen ones (0 for none)",
}
PIECES = {
    "largest": "its largest value",
    "spread": "its largest value minus its smallest",
    "smallest": "its smallest value",
    "sum": "the sum of its values, times how many they are",
    "product": "its first value times its last (for a piece of one value, that value squared)",
}
UNLIKE = {
    "": "",
    "length": "Two neighbouring pieces must not have the same length.",
    "even": "The sum of each piece must be even.",
    "ends": "The last value of each piece must be smaller than the first value of the next piece.",
}
WALKED = {
    "sum": "the sum of all its cells, the first and the last included",
    "last": "the sum of all its cells, the first and the last included, the last one counted twice",
    "climb": "the sum of what each move gains: the value of the new cell minus that of the old one if this is positive, else 0",
    "steps": "the sum of the absolute differences between the old cell's value and the new one's over all moves",
}
PACKED = {
    "sum": "the sum of the worths of all packed items (0 for nothing)",
    "empty": "the sum of the worths of all packed items, minus {price} for each unit of room left empty",
    "kinds": "the sum of the worths of all packed items, minus {price} for each item of which something is packed",
    "missed": "the sum of the worths of all packed items, minus {price} for each item of which nothing is packed",
    "less": "the sum of the worths of all packed items, where of an item packed more than once each further time counts half its worth, rounded down "
    "as Python's // does",
}
OFF: dict[str, Rules] = {
    "gap": {"gap": 1},
    "limit": {"limit": 0, "exact": False},
    "rise": {"rise": ""},
    "worth": {"worth": "sum", "price": 0},
    "unlike": {"unlike": ""},
    "price": {"price": 0},
    "least": {"least": 1},
    "slant": {"slant": False},
    "closed": {"closed": -100},
    "turn": {"turn": 0},
    "run": {"run": 0},
    "copies": {"copies": 1},
    "full": {"full": False},
    "apart": {"apart": False},
}


def sample(rng: Rng, shapes: int, extra: int, asks: int, large: bool) -> Specification:
    """A choice with `extra` further rules, each of which matters, and one of the first `asks` questions about its totals."""
    name = rng.choice(tuple(SHAPES)[:shapes])
    drawn_inputs = inputs(rng.child("inputs"), 90, name)
    plain, swift, hasty, shape = SHAPES[name]
    for attempt in count():
        ask = rng.choice(tuple(ASKS)[:asks])
        words, rules, on, near, amounts = shape(rng, max(1, extra - attempt // 10), large, ask)
        off = [{key: value for key, value in OFF[rule].items() if key in rules} for rule in on]
        rules |= {"ask": ask, "target": rng.integer(2, 5) if ask == "divisible" else rng.integer(3, 15) if ask in ("above", "near") else 0}
        right = partial(swift, **rules)
        different = len({repr(right(*arguments)) for arguments in drawn_inputs})
        if different >= 8 and all(suites.differs(right, partial(swift, **{**rules, **other}), drawn_inputs, times=4) for other in off):
            break
    near += [{"ask": "best" if ask == "ways" else "ways" if ask == "best" else "least" if ask == "most" else "most"}]
    if ask in ("above", "divisible", "near"):
        near.append({"target": rules["target"] + 1})
    result_text = (
        ASKS[ask].format(amounts, target=rules["target"])
        if ask != "above"
        else ASKS[ask].replace("{target}", str(rules["target"])).format(amounts)
    )
    many = (_large(rng.child("large"), name),) if large else ()
    weight = 8 + 4 * len(off) + list(ASKS).index(ask) + 6 * large
    return Specification(
        f"{words}\nReturn {result_text}.{f' Trying all {amounts} may take too long: all tests together have one second.' * large}",
        plain,
        swift,
        rules,
        [{**rules, **other} for other in [*off, *near]],
        drawn_inputs,
        weight,
        hasty=[hasty] if ask == "most" else [],
        large=many,
        kind=name,
    )


Shaped = tuple[str, dict[str, Any], list[str], list[Rules], str]  # words, rules, the further ones by name, rules near, what is counted


def choose(rng: Rng, extra: int, large: bool, ask: str) -> Shaped:
    on = _sample_rules(rng, ("gap", "limit", "rise", "worth"), extra, ask)
    limit, exact = (rng.integer(2, 4), rng.chance(0.4)) if "limit" in on else (0, False)
    rules: dict[str, Any] = {
        "gap": rng.integer(2, 3) if "gap" in on else 1,
        "limit": limit,
        "exact": exact,
        "rise": rng.choice(tuple(RISES)[1:]) if "rise" in on else "",
        "worth": rng.choice(tuple(CHOSEN)[1:]) if "worth" in on else "sum",
    }
    rules["price"] = rng.integer(1, 4) if rules["worth"] in ("left", "places") else 0
    number = f"{'exactly' if exact else 'at most'} {limit} of its positions" + ("" if exact else ", or none")
    lines = [
        f"Write a Python function solve(values). values is a list of at most {30 if large else 7} integers from -9 to 20; it may be empty. Choose "
        f"{number if limit else 'any of its positions, or none'}.",
        f"Any two chosen positions must differ by at least {rules['gap']}." if rules["gap"] > 1 else "",
        RISES[rules["rise"]],
        f"The total of a choice is {CHOSEN[rules['worth']].format(price=rules['price'])}." if ask != "ways" else "",
        "Two choices are different if their positions are, even where the values are the same." if ask in COUNTED else "",
    ]
    near: list[Rules] = [{"gap": rules["gap"] + 1}, {"limit": limit + 1} if limit else {"limit": 3}]
    near += [{"exact": not exact}] if limit else []
    near += [{"rise": "strict" if rules["rise"] == "weak" else "weak"}, {"price": rules["price"] + 1}]
    return _lines(lines), rules, on, near, "choices"


def cut(rng: Rng, extra: int, large: bool, ask: str) -> Shaped:
    on = _sample_rules(rng, ("limit", "unlike", "price", "least"), extra, ask)
    if "limit" in on:
        on = [name for name in on if name != "least"]  # both at once would hardly leave a cut
    limit, exact = (rng.integer(2, 3), rng.chance(0.4)) if "limit" in on else (0, False)
    if large and limit:
        limit += 2
    rules: dict[str, Any] = {
        "least": 2 if "least" in on else 1,
        "most": 8 if large and limit else rng.integer(3, 5),
        "limit": limit,
        "exact": exact,
        "unlike": rng.choice(tuple(UNLIKE)[1:]) if "unlike" in on else "",
        "price": rng.integer(1, 6) if "price" in on else 0,
        "worth": rng.choice(tuple(PIECES)),
    }
    minus = f", minus {rules['price']} for each piece" if rules["price"] else ""
    lines = [
        f"Write a Python function solve(values). values is a list of at most {30 if large else 8} integers from -9 to 20. Cut it into pieces, each made of "
        f"values that stand next to one another, so that every value is in exactly one piece; one piece alone is also a way to cut.",
        f"There must be {'exactly' if exact else 'at most'} {limit} pieces." if limit else "",
        f"Each piece must have from {rules['least']} to {rules['most']} values.",
        UNLIKE[rules["unlike"]],
        f"The worth of a piece is {PIECES[rules['worth']]}, and the total of a cut is the sum of the worths of its pieces{minus}."
        if ask != "ways"
        else "",
        "Two cuts are different if they cut at different places. " * (ask in COUNTED)
        + "An empty list cannot be cut: it has no allowed cuts.",
    ]
    near: list[Rules] = [{"most": rules["most"] + 1}, {"most": rules["most"] - 1}, {"least": rules["least"] + 1}]
    near += [{"exact": not exact}, {"limit": limit + 1}] if limit else []
    near += [{"price": rules["price"] + 1}] + [{"worth": worth} for worth in ("largest", "spread", "sum")]
    return _lines(lines), rules, on, near, "cuts"


def walk(rng: Rng, extra: int, large: bool, ask: str) -> Shaped:
    on = _sample_rules(rng, ("slant", "closed", "turn", "run", "worth"), extra, ask)
    if ask == "ways" and "closed" not in on:
        on.append("closed")
    rules: dict[str, Any] = {
        "slant": "slant" in on,
        "closed": 0 if "closed" in on else -100,
        "turn": rng.integer(1, 4) if "turn" in on else 0,
        "run": rng.integer(1, 2) if "run" in on else 0,
        "worth": rng.choice(tuple(WALKED)[1:]) if "worth" in on else "sum",
    }
    slant = ", one cell down, or one cell right and down at once (a direction of its own)" if rules["slant"] else " or one cell down"
    turn = f", minus {rules['turn']} for each move in a different direction from the move before it" if rules["turn"] else ""
    runs = ("", "Two moves in a row must not go in the same direction.", "No more than 2 moves in a row may go in the same direction.")
    rows = 12 if large else 4
    lines = [
        f"Write a Python function solve(grid). grid is a list of at most {rows} rows, which are lists of 1 to {rows} integers from -3 to "
        "9, all of the same length; the list of rows may be empty. A walk goes from the top left cell to the bottom right cell, each move one cell to "
        f"the right{slant}. On a grid of one cell, it makes no move. An empty grid has no walks.",
        "Cells with a 0 must not be walked on, nor may a walk begin or end there." if rules["closed"] == 0 else "",
        runs[rules["run"]],
        f"The total of a walk is {WALKED[rules['worth']]}{turn}." if ask != "ways" else "",
    ]
    near: list[Rules] = [{"slant": not rules["slant"]}, {"run": rules["run"] + 1}, {"turn": rules["turn"] + 1}]
    near += [{"worth": worth} for worth in WALKED] + [{"closed": -1}]
    return _lines(lines), rules, on, near, "walks"


def pack(rng: Rng, extra: int, large: bool, ask: str) -> Shaped:
    on = _sample_rules(rng, ("copies", "full", "limit", "apart", "worth"), extra, ask)
    rules: dict[str, Any] = {
        "copies": rng.integer(2, 3) if "copies" in on else 1,
        "full": "full" in on,
        "limit": rng.integer(2, 3) if "limit" in on else 0,
        "apart": "apart" in on,
        "worth": rng.choice(tuple(PACKED)[1 : 5 if "copies" in on else 4]) if "worth" in on else "sum",
    }
    if rules["full"] and rules["worth"] == "empty":
        rules["worth"] = "kinds"
    rules["price"] = rng.integer(1, 3) if rules["worth"] in ("empty", "kinds", "missed") else 0
    most = 24 if large else 5
    copies = f"up to {rules['copies']} times" if rules["copies"] > 1 else "once"
    lines = [
        f"Write a Python function solve(items, room). items is a list of at most {most} tuples (weight, worth) of integers, weights from 1 to 9, worths from "
        f"-3 to 12; the list may be empty. room is an integer from 0 to {30 if large else 16}. Each item may be packed "
        f"{copies}, or not at all. The sum of all weights packed must be "
        f"{'exactly room' if rules['full'] else 'at most room'}.",
        f"At most {rules['limit']} items may be packed in all, where an item counts each time it is packed." if rules["limit"] else "",
        "Two items that are adjacent in the list must not both be packed." if rules["apart"] else "",
        f"The total of a packing is {PACKED[rules['worth']].format(price=rules['price'])}." if ask != "ways" else "",
        "Two packings are different if some item, identified by its place in the list, is packed a different number of times. "
        * (ask in COUNTED)
        + "Packing nothing is a packing too, of weight 0.",
    ]
    near: list[Rules] = [
        {"copies": rules["copies"] + 1},
        {"full": not rules["full"]},
        {"apart": not rules["apart"]},
        {"price": rules["price"] + 1},
    ]
    near += [{"limit": rules["limit"] + 1} if rules["limit"] else {"limit": 3}]
    return _lines(lines), rules, on, near, "packings"


Shape = tuple[Meaning, Meaning, Meaning, Callable[[Rng, int, bool, str], Shaped]]
SHAPES: dict[str, Shape] = {
    "choose": (totals.choose_plain, totals.choose_swift, totals.choose_hasty, choose),
    "pack": (totals.pack_plain, totals.pack_swift, totals.pack_hasty, pack),
    "walk": (totals.walk_plain, totals.walk_swift, totals.walk_hasty, walk),
    "cut": (totals.cut_plain, totals.cut_swift, totals.cut_hasty, cut),
}


def inputs(rng: Rng, amount: int, kind: str) -> list[tuple[Any, ...]]:
    """Small inputs, the plainest first."""
    sizes = [0, 1, 2, 3, *(rng.integer(2, 7) for _ in range(amount - 4))]
    return [_input(rng, kind, size) for size in sizes]


def _input(rng: Rng, kind: str, size: int) -> tuple[Any, ...]:
    match kind:
        case "walk":
            rows, columns = (0, 0) if size == 0 else (1, 1) if size == 1 else (rng.integer(1, 4), rng.integer(2, 4))
            return ([[rng.integer(-3, 9) for _ in range(columns)] for _ in range(rows)],)
        case "pack":
            return [(rng.integer(1, rng.choice((4, 9))), rng.integer(-2, 12)) for _ in range(min(size, 5))], rng.integer(0, 16)
    low, high = rng.choice(((-9, 20), (0, 9), (-4, 4)))
    return ([rng.integer(low, high) for _ in range(size)],)


def _large(rng: Rng, kind: str) -> tuple[Any, ...]:
    match kind:
        case "walk":
            # A grid with few closed cells, and not at its ends, so that there are walks.
            grid = [[rng.choice((-2, -1, 1, 2, 3, 5, 8, 0) if rng.chance(0.3) else (1, 2, 4, 7)) for _ in range(12)] for _ in range(12)]
            grid[0][0] = grid[-1][-1] = 1
            return (grid,)
        case "pack":
            return [(rng.integer(1, 6), rng.integer(-1, 9)) for _ in range(24)], rng.integer(24, 30)
    return ([rng.integer(-5, 9) for _ in range(30)],)


def _sample_rules(rng: Rng, names: tuple[str, ...], count: int, ask: str) -> list[str]:
    """Further rules; of the number of ways nothing is asked that makes totals."""
    fit = [name for name in names if ask != "ways" or name not in ("worth", "price", "turn")]
    return rng.sample(fit, min(count, len(fit)))


def _lines(lines: list[str]) -> str:
    return "\n".join(line for line in lines if line)
