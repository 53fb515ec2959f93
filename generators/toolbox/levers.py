"""A machine with a gauge and levers, what the pages of its handbook say of them, and how a reading is reached with the fewest pulls."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.text.names import invent

OPERATIONS = {
    "add": "the gauge rises by {0}",
    "take": "the gauge falls by {0}",
    "times": "the reading is multiplied by {0}",
    "part": "the reading is divided by {0}, and what is left over is dropped",
    "mirror": "the gauge jumps to {0} less the reading",
    "digits": "the gauge rises by the sum of the digits of its reading",
    "flip": "the lamp changes from off to on or from on to off, and the gauge rises by {0}",
}
CONDITIONS = {
    "even": "the reading is even",
    "odd": "the reading is odd",
    "above": "the reading is above {0}",
    "lamp": "the lamp is on",
    "after": "the lever pulled just before was {1}",
}


class Case(NamedTuple):
    """What a lever does under a condition; with no condition always."""

    condition: str
    number: int
    operation: str
    amount: int


class Lever(NamedTuple):
    name: str
    cases: tuple[Case, ...]  # the first that applies decides
    before: int = -1  # the lever that the condition `after` is about
    watched: bool = False  # whether such a condition is about this lever


class Spot(NamedTuple):
    gauge: int
    lamp: bool = False
    last: int = -1


class Machine(NamedTuple):
    levers: tuple[Lever, ...]
    top: int  # the gauge goes from 0 to this
    start: Spot
    target: int
    pulls: int  # the fewest that reach the target
    misprints: tuple[tuple[int, int], ...]  # levers, and the amount that their pages give wrongly for the first case


def machine(rng: Rng, levers: int, pulls: int, top: int, kinds: str, misprints: int) -> Machine:
    """A machine whose target takes `pulls` pulls, or as near to it as 30 draws come."""
    best: Machine | None = None
    for _ in range(12):
        drawn_levers = _levers(rng, levers, top, kinds)
        start = Spot(rng.integer(1, top // 3))
        depths = _depths(drawn_levers, top, start, pulls)
        deepest = max(depths.values())
        if best and deepest <= best.pulls:
            continue
        wrong = [k for k in rng.shuffled(range(levers)) if drawn_levers[k].cases[0].operation != "digits"][:misprints]
        printed = tuple((k, drawn_levers[k].cases[0].amount + rng.integer(1, 4)) for k in sorted(wrong))
        target = rng.choice([gauge for gauge, depth in depths.items() if depth == deepest])
        best = Machine(drawn_levers, top, start, target, deepest, printed)
        if deepest == pulls:
            break
    assert best is not None
    return best


def pull(levers: tuple[Lever, ...], spot: Spot, k: int) -> Spot:
    """Where a pull leads, out of the gauge's range or not."""
    lever = levers[k]
    last = k if lever.watched else -1
    for case in lever.cases:
        if not case.condition or _holds(case, lever, spot):
            gauge, lamp = _apply_operation(case, spot)
            return Spot(gauge, lamp, last)
    return Spot(spot.gauge, spot.lamp, last)


@lru_cache(maxsize=64)
def shortest(machine: Machine, spot: Spot) -> tuple[int, ...] | None:
    """The fewest pulls from a spot to the target, found by going through all of them."""
    predecessors: dict[Spot, tuple[Spot, int] | None] = {spot: None}
    queue = [spot]
    for now in queue:
        if now.gauge == machine.target:
            path: list[int] = []
            at = predecessors[now]
            while at is not None:
                path.append(at[1])
                at = predecessors[at[0]]
            return tuple(reversed(path))
        for k in range(len(machine.levers)):
            after = pull(machine.levers, now, k)
            if 0 <= after.gauge <= machine.top and after not in predecessors:
                predecessors[after] = (now, k)
                queue.append(after)
    return None


def handbook(machine: Machine) -> list[tuple[str, str]]:
    """Titles and texts of the pages: one for each lever, in the order of the levers, and the corrections where there are any."""
    wrong = dict(machine.misprints)
    pages = []
    for k, lever in enumerate(machine.levers):
        cases = lever.cases
        if k in wrong:
            cases = (cases[0]._replace(amount=wrong[k]), *cases[1:])
        pages.append((f"The lever {lever.name}", _page(machine, lever, cases)))
    if wrong:
        rows = [f"on {machine.levers[k].name}, {machine.levers[k].cases[0].amount} instead of {wrong[k]}" for k in wrong]
        pages.append(("Corrections", f"In the first sentence, in what the lever does and not in the condition, read: {'; '.join(rows)}."))
    return pages


def _page(machine: Machine, lever: Lever, cases: tuple[Case, ...]) -> str:
    sentences: list[str] = []
    for case in cases:
        done = OPERATIONS[case.operation].format(case.amount)
        before = machine.levers[lever.before].name if lever.before >= 0 else ""
        when = CONDITIONS[case.condition].format(case.number, before) if case.condition else ""
        if not when:
            sentences.append(f"Otherwise {done}." if sentences else f"{done[:1].upper()}{done[1:]}.")
        else:
            sentences.append(f"{'Else, if' if sentences else 'If'} {when}: {done}.")
    if cases[-1].condition:
        sentences.append("Otherwise nothing happens.")
    return " ".join(sentences)


def _levers(rng: Rng, count: int, top: int, kinds: str) -> tuple[Lever, ...]:
    names = [name[:-1] for name in invent(rng, count)]
    order = ["add", "times", "take", "part", "add", "mirror", "take", "digits"]
    if kinds == "lamp":
        order[2] = "flip"
    out = []
    for k, name in enumerate(names):
        cases: tuple[Case, ...] = (_case(rng, order[k % len(order)], top),)
        before = -1
        if kinds != "plain" and (k % 2 or rng.chance(0.4)):
            known = ["even", "odd", "above"] + (["lamp", "lamp", "after", "after"] if kinds == "lamp" else [])
            condition = rng.choice(known)
            before = rng.choice([other for other in range(count) if other != k]) if condition == "after" else -1
            first = cases[0]._replace(condition=condition, number=rng.integer(top // 5, top // 2))
            other = _case(rng, rng.choice(("add", "take", "add")), top)
            cases = (first, other) if rng.chance(0.75) else (first,)
        out.append(Lever(name, cases, before))
    watched = {lever.before for lever in out}
    out = [lever._replace(watched=k in watched) for k, lever in enumerate(out)]
    return tuple(rng.shuffled(out)) if kinds != "lamp" else tuple(out)  # with a lamp, levers speak of one another by position


def _case(rng: Rng, operation: str, top: int) -> Case:
    least, most = {
        "add": (3, max(9, top // 9)),
        "take": (2, max(7, top // 11)),
        "times": (2, 3),
        "part": (2, 3),
        "mirror": (top * 2 // 3, top),
        "digits": (0, 0),
        "flip": (1, 7),
    }[operation]
    return Case("", 0, operation, rng.integer(least, most))


def _holds(case: Case, lever: Lever, spot: Spot) -> bool:
    match case.condition:
        case "even":
            return spot.gauge % 2 == 0
        case "odd":
            return spot.gauge % 2 == 1
        case "above":
            return spot.gauge > case.number
        case "lamp":
            return spot.lamp
        case "after":
            return spot.last == lever.before
    return True


def _apply_operation(case: Case, spot: Spot) -> tuple[int, bool]:
    gauge, lamp = spot.gauge, spot.lamp
    match case.operation:
        case "add":
            return gauge + case.amount, lamp
        case "take":
            return gauge - case.amount, lamp
        case "times":
            return gauge * case.amount, lamp
        case "part":
            return gauge // case.amount, lamp
        case "mirror":
            return case.amount - gauge, lamp
        case "digits":
            return gauge + sum(map(int, str(gauge))), lamp
    return gauge + case.amount, not lamp


def _depths(levers: tuple[Lever, ...], top: int, start: Spot, most: int) -> dict[int, int]:
    """The fewest pulls that reach each reading, as far as it is reached with so many."""
    seen, level, depths = {start}, [start], {start.gauge: 0}
    for depth in range(1, most + 1):
        fresh = []
        for spot in level:
            for k in range(len(levers)):
                after = pull(levers, spot, k)
                if 0 <= after.gauge <= top and after not in seen:
                    seen.add(after)
                    fresh.append(after)
                    depths.setdefault(after.gauge, depth)
        level = fresh
    return depths
