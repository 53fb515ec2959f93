"""Small worlds with composed rules of what happens when: a desk with clerks, a machine that sells, a robot on a grid, a lift."""

from __future__ import annotations

from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs import worlds
from rlgym.generators.programs.specialise import Rules
from rlgym.generators.programs.specifications import Specification

ORDERS = {
    "first": "the one who comes first in the list",
    "last": "the one who comes last in the list",
    "shortest": "the one whose service takes the fewest minutes",
    "longest": "the one whose service takes the most minutes",
    "rank": "the one with the highest rank",
    "patient": "the one with the lowest rank",
}
TOLD = {
    "starts": "the list of the minutes at which each customer's service starts, in the order of the list, -1 for those never served",
    "order": "the list of the positions in the list, from 0, of the customers served, in the order in which their services start",
    "waiting": "how many minutes all customers who are served have waited before that, together",
    "unserved": "the list of the positions in the list, from 0, of the customers never served, ascending",
    "end": "the minute at which the last service ends, 0 if there is none",
}
EDGES = {
    "stop": "it stays where it is",
    "wrap": "it appears on the opposite side of the grid, in the same row or column",
    "right": "it stays where it is and turns right by 90 degrees",
    "back": "it stays where it is and turns around",
}
SEEN = {
    "cell": "the cell it ends on, as a tuple (x, y)",
    "visited": "how many different cells it has been on, the first one included",
    "bumps": "how many of its moves failed",
    "state": "a tuple (x, y, direction, number of failed moves) for the end",
    "most": "how often it has been on its most visited cell; the start counts once, and so does each move that leads to another cell",
}
PICKS = {
    "early": "the one that came first; of several at one minute the first in the list",
    "near": "the one whose floor is nearest, of several the lower floor",
    "nearup": "the one whose floor is nearest, of several the higher floor",
    "low": "the one with the lowest floor",
    "high": "the one with the highest floor",
}
LIFTED = {
    "minutes": "the list of the minutes at which the calls are answered, in the order of the list of calls",
    "travelled": "how many floors it has moved when the last call has been answered, each move by one floor counted, 0 if there is no call",
    "longest": "the longest time in minutes from a call's own minute to that at which it is answered, 0 if there is no call",
    "answered": "the list of the positions in the list, from 0, of the calls in the order in which they are answered, "
    "those answered at one minute in the order of the list",
}


def desk(rng: Rng, extra: int, kinds: int) -> Specification:
    """A desk: how many clerks, whom they call next, how many may wait and for how long."""
    on = _sample_up_to(rng, ("room", "patience", "rest", "hurry"), extra)
    rules: dict[str, Any] = {
        "clerks": rng.integer(1, 3),
        "order": rng.choice(tuple(ORDERS)[: kinds + 1]),
        "room": rng.integer(2, 3) if "room" in on else 0,
        "patience": rng.integer(2, 6) if "patience" in on else 0,
        "rest": rng.integer(1, 3) if "rest" in on else 0,
        "hurry": rng.integer(1, 2) if "hurry" in on else 0,
        "told": rng.choice(tuple(TOLD)),
    }
    clerks = "is one clerk, free at first" if rules["clerks"] == 1 else f"are {rules['clerks']} clerks, all free at first"
    lines = [
        *([f"Customers who have waited {rules['patience']} minutes leave."] if "patience" in on else []),
        f"Customers who arrive at that minute come in, in the order of the list, and wait{_room(rules['room'])}.",
        f"While a clerk is free and somebody waits, the next one is served, from that minute on: {ORDERS[rules['order']]}{_tie(rules['order'])}."
        + (
            f" If at least {rules['hurry']} still wait without that one, the service takes only half its minutes, rounded up."
            if "hurry" in on
            else ""
        ),
    ]
    rests = (
        f" After a service a clerk rests for {rules['rest']} minute{'s' * (rules['rest'] > 1)} and is free only then."
        if "rest" in on
        else ""
    )
    words = (
        "Write a Python function solve(customers) for a desk. customers is a list of at most 12 tuples (arrival, need, rank) of integers, sorted by "
        f"arrival: the minute at which a customer comes (0 or later), how many minutes the service takes (1 or more), and a rank (1 to 5). There {clerks}. "
        f"At each minute, the following happens in this order:\n{_numbered_lines(lines)}\nA clerk who starts a service of k minutes at "
        f"minute t is free again at minute t + k, before anything else happens at that minute.{rests} It goes on until nobody waits or will come.\n"
        f"Return {TOLD[rules['told']]}."
    )
    near = _near_misses(
        rules,
        clerks=(rules["clerks"] + 1,),
        order=ORDERS,
        room=(0, rules["room"] + 1),
        patience=(0, rules["patience"] + 1),
        rest=(0, 1),
        hurry=(0, rules["hurry"] + 1),
    )
    weight = 8 + 3 * len(on) + 2 * list(ORDERS).index(rules["order"]) + rules["clerks"]
    return Specification(
        words, worlds.desk_plain, worlds.desk_swift, rules, near, inputs(rng.child("inputs"), 200, "desk"), weight, kind="desk"
    )


def machine(rng: Rng, extra: int, kinds: int) -> Specification:
    """A machine that sells: coins it takes, prices, what is left, and what happens to the change."""
    on = _sample_up_to(rng, ("most", "bonus", "change", "swallow"), extra)
    most = rng.integer(11, 16) if "most" in on or "swallow" in on else 0
    rules: dict[str, Any] = {
        "prices": tuple(rng.integer(2, 9) for _ in range(rng.integer(2, 4))),
        "stock": rng.integer(1, 3),
        "coins": ((1, 2, 5), (1, 5, 10), (2, 5), (1, 2, 5, 10))[rng.integer(0, 3)],
        "most": most,
        "change": "change" in on,
        "bonus": rng.integer(2, 3) if "bonus" in on else 0,
        "swallow": "swallow" in on,
    }
    names = "abcd"[: len(rules["prices"])]
    prices = ", ".join(f"{name} costs {price}" for name, price in zip(names, rules["prices"], strict=True))
    too_much = f"; if the credit would then be more than {most}, it is set to {most}, and {most} returned" if rules["swallow"] else ""
    if most and not rules["swallow"]:
        too_much = f"; but if the credit would then be more than {most}, the coin is refused and -2 returned"
    half = {2: "2nd, 4th, 6th", 3: "3rd, 6th, 9th"}.get(rules["bonus"], "")
    due = f"its price (half of it, rounded down, if this would be the {half}, ... item sold, of whatever name)" if half else "its price"
    kept = "All credit left is given back, and returned" if rules["change"] else "What is left of the credit stays, and is returned"
    words = (
        f"Write a Python function solve(operations) for a machine that sells items. At first it holds {rules['stock']} of each item; {prices}. "
        "The credit is 0 at first. operations is a list of at most 25 tuples, done one after the other; the function returns the list of what they return:\n"
        f'- ("coin", value): a positive integer. If value is not among {", ".join(map(str, rules["coins"]))}, the coin is refused and -1 returned. '
        f"Otherwise value is added to the credit, and the credit returned{too_much}.\n"
        f'- ("buy", name): a letter from a to e. If there is no such item, or none is left, returns -1. Else, if the credit is less than {due}, '
        f"returns -2. Else the item is sold and paid from the credit. {kept}.\n"
        '- ("cancel",): all credit is given back and returned.\n'
        '- ("count",): returns how many items are left, all names together.'
    )
    near = _near_misses(
        rules,
        stock=(rules["stock"] + 1,),
        most=(0, most + 1, most - 1) if most else (),
        change=(True, False),
        bonus=(0, 2, 3),
        swallow=(True, False) if most else (),
        coins=((1, 2, 5, 10),),
    )
    return Specification(
        words,
        worlds.machine_plain,
        worlds.machine_swift,
        rules,
        near,
        inputs(rng.child("inputs"), 200, "machine"),
        9.0 + 3 * len(on) + kinds,
        kind="machine",
    )


def robot(rng: Rng, extra: int, kinds: int) -> Specification:
    """A robot on a grid: what the edge does, what walls do, and how long it runs."""
    on = _sample_up_to(rng, ("walls", "block", "fuel", "start"), extra)
    width, height = rng.integer(2, 5), rng.integer(2, 5)
    start = (rng.integer(0, width - 1), rng.integer(0, height - 1)) if "start" in on else (0, 0)
    cells = [(x, y) for x in range(width) for y in range(height) if (x, y) != start]
    rules: dict[str, Any] = {
        "width": width,
        "height": height,
        "start": start,
        "edge": rng.choice(tuple(EDGES)[: max(2, kinds)]),
        "walls": tuple(sorted(rng.sample(cells, rng.integer(1, min(4, len(cells) - 1))))) if "walls" in on or "block" in on else (),
        "block": rng.choice(("right", "back")) if "block" in on else "stop",
        "fuel": rng.integer(6, 10) if "fuel" in on else 0,
        "told": rng.choice(tuple(SEEN)),
    }
    walls = ", ".join(map(str, rules["walls"]))
    blocked = (
        f" If the cell it would come to is one of the walls {walls}, {EDGES[rules['block']]}, and the move has failed." if walls else ""
    )
    fuel = (
        f" Only the first {rules['fuel']} moves (F or B, failed ones included) are tried; later ones do nothing and do not fail."
        if rules["fuel"]
        else ""
    )
    failed = "" if rules["edge"] == "wrap" else ", and the move has failed"
    words = (
        f"Write a Python function solve(commands) for a robot on a grid of {width} columns (x from 0 to {width - 1}) and {height} rows (y from 0 to "
        f"{height - 1}). It starts on the cell {start}, written (x, y), and faces N. commands is a string of at most 40 letters, possibly empty, done one "
        "after the other: L turns left by 90 degrees, R turns right by 90 degrees, F moves by one cell ahead, B moves by one cell back without turning. "
        f"N is towards greater y, E towards greater x, S and W are opposite to them."
        f"\nIf a move would lead off the grid, {EDGES[rules['edge']]}{failed}.{blocked}{fuel}\n"
        f"Return {SEEN[rules['told']]}.{' The direction is the string N, E, S or W.' if rules['told'] == 'state' else ''}"
    )
    near = _near_misses(
        rules,
        edge=EDGES,
        block=("stop", "right", "back") if walls else (),
        walls=((),),
        fuel=(0, rules["fuel"] + 1),
        width=(width + 1,),
        height=(height + 1,),
    )
    weight = 7.0 + 3 * len(on) + 2 * list(EDGES).index(rules["edge"])
    return Specification(
        words, worlds.robot_plain, worlds.robot_swift, rules, near, inputs(rng.child("inputs"), 200, "robot"), weight, kind="robot"
    )


def lift(rng: Rng, extra: int, kinds: int) -> Specification:
    """A lift: which call it turns to, whether it stops on its way, and where it waits."""
    on = _sample_up_to(rng, ("passing", "home", "doors", "first"), extra)
    rules: dict[str, Any] = {
        "first": rng.integer(1, 8) if "first" in on else 0,
        "pick": rng.choice(tuple(PICKS)[:kinds]),
        "doors": rng.integer(2, 4) if "doors" in on else 1,
        "passing": "passing" in on,
        "home": rng.integer(0, 5) if "home" in on else -1,
        "told": rng.choice(tuple(LIFTED)),
    }
    stops = "it is at its goal" + (", or on any other floor with calls that wait" if rules["passing"] else "")
    home = f"it moves by one floor towards floor {rules['home']}, or stays if it is there" if rules["home"] >= 0 else "it stays where it is"
    lines = [
        "Calls of this minute begin to wait.",
        f"If its doors are open, nothing else happens at this minute. They stay open for {rules['doors']} minute{'s' * (rules['doors'] > 1)}, including "
        "the minute at which they open.",
        f"If it has no goal and calls wait, the floor of one of them becomes its goal: {PICKS[rules['pick']]}. It keeps a goal until it answers calls there.",
        f"If {stops}, all calls that wait on this floor are answered and the doors open. Otherwise, if it has a goal, it moves by one floor towards it. "
        f"Without a goal {home}. After a move it is on the new floor at the next minute.",
    ]
    words = (
        "Write a Python function solve(calls) for a lift. calls is a list of at most 10 tuples (minute, floor) of integers, sorted by minute: when somebody "
        f"calls (0 or later), and from which floor (0 to 9). The lift is on floor {rules['first']} at minute 0, with its doors shut and no goal. At each "
        f"minute, the following happens in this order:\n{_numbered_lines(lines)}\nIt ends when all calls have been answered.\nReturn {LIFTED[rules['told']]}."
    )
    near = _near_misses(
        rules,
        first=(0,),
        pick=PICKS,
        doors=(rules["doors"] - 1, rules["doors"] + 1) if rules["doors"] > 1 else (2,),
        passing=(True, False),
        home=(-1, 0),
    )
    weight = 10.0 + 3 * len(on) + 2 * list(PICKS).index(rules["pick"])
    return Specification(
        words, worlds.lift_plain, worlds.lift_swift, rules, near, inputs(rng.child("inputs"), 200, "lift"), weight, kind="lift"
    )


WORLDS = {"machine": machine, "robot": robot, "desk": desk, "lift": lift}


def inputs(rng: Rng, count: int, kind: str) -> list[tuple[Any, ...]]:
    """What such a world can be run with, plain ones first."""
    drawn: list[tuple[Any, ...]] = [("" if kind == "robot" else [],)]
    while len(drawn) < count:
        drawn.append((_input(rng, kind, 1 if len(drawn) < 4 else rng.integer(2, 10)),))
    return drawn


def _input(rng: Rng, kind: str, length: int) -> Any:
    match kind:
        case "desk":
            spread = rng.choice((1, 4, 12, 30))
            arrivals = sorted(rng.integer(0, spread) for _ in range(length))
            return [(arrival, rng.integer(1, rng.choice((3, 9))), rng.integer(1, 5)) for arrival in arrivals]
        case "lift":
            spread = rng.choice((3, 12, 40))
            return [(minute, rng.integer(0, 9)) for minute in sorted(rng.integer(0, spread) for _ in range(length))]
        case "robot":
            return "".join(rng.weighted("LRFB", (2, 2, 8, 1)) for _ in range(length * 3))
    drawn: list[tuple[Any, ...]] = []
    for _ in range(length * 2):
        name = rng.weighted(("coin", "buy", "cancel", "count"), (6, 5, 1, 1))
        drawn.append(
            {"coin": ("coin", rng.choice((1, 2, 5, 5, 10, 3))), "buy": ("buy", rng.weighted("abcde", (6, 4, 2, 1, 1)))}.get(name, (name,))
        )
    return drawn


def _sample_up_to(rng: Rng, names: tuple[str, ...], count: int) -> list[str]:
    return rng.sample(names, min(count, len(names)))


def _near_misses(rules: Rules, **others: Any) -> list[Rules]:
    return [{**rules, name: value} for name, values in others.items() for value in values if value != rules[name]]


def _numbered_lines(lines: list[str]) -> str:
    return "\n".join(f"{i + 1}. {line}" for i, line in enumerate(lines))


def _room(room: int) -> str:
    return f", but one who finds {room} waiting already goes away at once and is never served" if room else ""


def _tie(order: str) -> str:
    return "" if order in ("first", "last") else ", of several the one who comes first in the list"
