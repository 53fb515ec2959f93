"""Machines that pass a force on, and mobiles of hanging rods."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.calculations import format_decimal
from rlgym.generators.science.quantities import Working

SAID = {
    "lever": (
        "a lever whose input is {a} cm from the pivot and whose output is {b} cm from the pivot, on the other side",
        "a lever with an input arm of {a} cm on one side of the pivot and an output arm of {b} cm on the other",
    ),
    "wheel": (
        "a wheel and axle: the input rope is wound round the axle, of {a} cm radius, and the output rope round the wheel, of {b} cm radius",
        "a winch: the input rope is wound round its axle, which has a radius of {a} cm, and the output rope round its wheel, which has a radius of {b} cm",
    ),
    "pulleys": (
        "a tackle whose input hangs on {a} parallel strands of one rope; the free end of this rope is the output",
        "a block and tackle with {a} strands of rope that share the input force equally; the free end of the rope is the output",
    ),
    "weighted": (
        "a movable pulley that weighs {a} N and carries the input: one end of its rope is tied to the ceiling, and the other end is the output",
        "a movable pulley of {a} N weight from which the input hangs; its rope is fixed to the ceiling at one end, and the other end is the output",
    ),
    "slope": (
        "a weightless trolley on a slope that rises {a} cm over {b} cm of its length: the input pulls the trolley straight down, and a rope along the slope "
        "is the output",
    ),
}


class Machine(TaskData):
    """lever ARM ARM, wheel RADIUS RADIUS, pulleys PIECES, weighted NEWTONS, slope RISE LENGTH; what share of the force that is needed without friction
    is needed with it, in percent."""

    kind: str
    numbers: tuple[int, ...]
    friction: int
    limit: int = 0  # newtons that its input bears; 0 if that is any force


class Rod(TaskData):
    """A rod that hangs from one point: what hangs on its left arm (numbers of rods before, or newtons), and the weight that balances it.

    The centre of the rod is `off` cm to the left of the point from which it hangs, and it weighs `weight` newtons.
    """

    left: tuple[tuple[int, int], ...]  # centimetres from the point, and the number of a rod, counted from 0
    loads: tuple[tuple[int, int], ...]  # centimetres from the point to the left, and newtons
    arm: int  # centimetres to the right, where the unknown weight hangs
    weight: int
    off: int


def machine(rng: Rng, kinds: Sequence[str], friction: float) -> Machine:
    """A machine that often makes the force smaller."""
    kind = rng.choice(kinds)
    share = 100 + 5 * rng.integer(1, 8) if rng.chance(friction) else 100
    short, long = rng.integer(5, 40), rng.integer(20, 120)
    if kind == "slope":
        short, long = 10 * rng.integer(2, 14), 10 * rng.integer(15, 40)
    numbers = {"pulleys": (rng.integer(2, 6),), "weighted": (rng.integer(2, 40),)}.get(kind, (short, long))
    return Machine(kind=kind, numbers=numbers, friction=share)


def choosable_machine(rng: Rng, load: int, friction: float) -> Machine:
    """A machine that makes the force a little smaller, often a heavy pulley of limited strength."""
    kind = rng.choice(("lever", "wheel", "slope", "weighted", "weighted"))
    share = 100 + 5 * rng.integer(1, 4) if rng.chance(friction / 2) else 100
    long = 5 * rng.integer(8, 20)
    numbers: tuple[int, ...] = (long * rng.integer(9, 16) // 20, long)
    limit = 10 * rng.integer(load // 40, load // 11) if rng.chance(0.3) else 0
    if kind == "weighted":
        numbers = (2 * rng.integer(1, load // 8),)
        limit = 10 * rng.integer(load * 3 // 100, load * 6 // 100) if numbers[0] > load // 30 else limit
    return Machine(kind=kind, numbers=numbers, friction=share, limit=limit)


def along(work: Working, force: Fraction, machines: Sequence[Machine], order: Sequence[int] = ()) -> Fraction:
    """Lines for the force after each machine, in an order of their numbers or in their own."""
    for k in order or range(1, len(machines) + 1):
        machine = machines[k - 1]
        name = f"force after machine {k}{', without friction' if machine.friction != 100 else ''}"
        formula = {"pulleys": "{} / {}", "weighted": "({} + {}) / 2"}.get(machine.kind, "{} * {} / {}")
        force = work.add(name, "N", formula, force, *machine.numbers)
        if machine.friction != 100:
            force = work.add(f"force after machine {k}", "N", "{} * {} / 100", force, machine.friction)
    return force


def by_ratios(force: Fraction, machines: Sequence[Machine]) -> Fraction:
    """The same: the force is a multiple of the first one plus a constant from the weights of pulleys."""
    ratio, offset = Fraction(1), Fraction(0)
    for machine in machines:
        first, *rest = machine.numbers
        share = (
            Fraction(1, first) if machine.kind == "pulleys" else Fraction(1, 2) if machine.kind == "weighted" else Fraction(first, rest[0])
        )
        share *= Fraction(machine.friction, 100)
        ratio, offset = ratio * share, (offset + (first if machine.kind == "weighted" else 0)) * share
    return force * ratio + offset


def pull(machine: Machine, force: Fraction) -> Fraction:
    """The force on the output for one on the input."""
    first, *rest = machine.numbers
    if machine.kind == "weighted":
        force = (force + first) / 2
    else:
        force = force / first if machine.kind == "pulleys" else force * first / rest[0]
    return force * machine.friction / 100


def bears(machine: Machine, force: Fraction) -> bool:
    return not machine.limit or force <= machine.limit


def least_forces(force: Fraction, machines: Sequence[Machine], count: int) -> tuple[Fraction, tuple[int, ...]] | None:
    """The least force after `count` of the machines in any order, with the order; None if no order bears the load.

    More force on an input never makes less on the output, so the best for a set of machines extends the best for a smaller one.
    """
    best: dict[frozenset[int], tuple[Fraction, tuple[int, ...]]] = {frozenset(): (force, ())}
    for _ in range(count):
        larger: dict[frozenset[int], tuple[Fraction, tuple[int, ...]]] = {}
        for used, (now, order) in best.items():
            for k, machine in enumerate(machines, 1):
                if k not in used and bears(machine, now):
                    after = (pull(machine, now), (*order, k))
                    key = used | {k}
                    if key not in larger or after < larger[key]:
                        larger[key] = after
        best = larger
    return min(best.values(), default=None)


def force_by_offsets(force: Fraction, machines: Sequence[Machine], count: int) -> Fraction | None:
    """The least force when each set of machines is taken in the order that would be best if each bore any force.

    Without limits, of two machines that make a * force + b of a force, the one with the greater b / (1 - a) goes first.
    """

    def fixed_point(machine: Machine) -> Fraction:
        offset = pull(machine, Fraction(0))
        return offset / (1 + offset - pull(machine, Fraction(1)))

    ends = []
    for chosen in combinations(sorted(machines, key=fixed_point, reverse=True), count):
        now, left = force, list(chosen)
        while machine := next((machine for machine in left if bears(machine, now)), None):
            now = pull(machine, now)
            left.remove(machine)
        ends += [] if left else [now]
    return min(ends, default=None)


def searched_force(force: Fraction, machines: Sequence[Machine], count: int) -> Fraction:
    """The least force by going through all orders that bear the load."""
    if not count:
        return force
    rest = [(machine, [*machines[:k], *machines[k + 1 :]]) for k, machine in enumerate(machines) if bears(machine, force)]
    return min((searched_force(pull(machine, force), others, count - 1) for machine, others in rest), default=Fraction(10**9))


def mobile(rng: Rng, count: int, weights: float) -> list[Rod]:
    """Rods, each hanging from a later one but for the last."""
    rods: list[Rod] = []
    open_rods: list[int] = []
    for k in range(count):
        rest = count - k
        taken = len(open_rods) if rest == 1 else rng.integer(0, len(open_rods)) if len(open_rods) < 3 else rng.integer(1, len(open_rods))
        hung, open_rods = open_rods[:taken], [*open_rods[taken:], k]
        places = rng.sample(range(4, 60), len(hung) + rng.integer(0 if hung else 1, 2))
        loads = tuple((place, rng.integer(2, 60)) for place in places[len(hung) :])
        heavy = rng.chance(weights)
        rods.append(
            Rod(
                left=tuple(zip(places, hung)),
                loads=loads,
                arm=rng.integer(4, 60),
                weight=rng.integer(2, 30) if heavy else 0,
                off=rng.integer(1, 12) if heavy else 0,
            )
        )
    return rods


def balance_lines(work: Working, rods: Sequence[Rod]) -> Fraction:
    """Lines for the weight that balances each rod, and for what each weighs with all that hangs on it."""
    totals: list[Fraction] = []
    for k, rod in enumerate(rods, 1):
        pairs = [(Fraction(place), Fraction(load)) for place, load in rod.loads] + [
            (Fraction(place), totals[rod_number]) for place, rod_number in rod.left
        ]
        pairs += [(Fraction(rod.off), Fraction(rod.weight))] * (rod.weight > 0)
        numbers = [number for pair in pairs for number in pair]
        turning = work.add(f"moment to the left on rod {k}", "N cm", " + ".join(["{} * {}"] * len(pairs)), *numbers)
        counter = work.add(f"weight on the right of rod {k}", "N", "{} / {}", turning, rod.arm)
        totals.append(work.total(f"weight of rod {k} with all that hangs on it", "N", [*(load for _, load in pairs), counter]))
    return totals[-1]


def by_leaves(rods: Sequence[Rod]) -> Fraction:
    """The same from the top down: each newton at a place weighs (1 + place / arm) with its counterweight, and so on upwards."""
    total, factor = Fraction(0), [Fraction(1)] * len(rods)
    for k in range(len(rods) - 1, -1, -1):
        rod = rods[k]
        for place, rod_number in rod.left:
            factor[rod_number] = factor[k] * (1 + Fraction(place, rod.arm))
        total += sum(
            (factor[k] * load * (1 + Fraction(place, rod.arm)) for place, load in (*rod.loads, (rod.off, rod.weight))), Fraction(0)
        )
    return total


def tree(rods: Sequence[Rod]) -> list[str]:
    """A sentence for each rod."""
    out = []
    for k, rod in enumerate(rods, 1):
        hung = [f"{load} N at {place} cm" for place, load in rod.loads] + [
            f"rod {rod_number + 1} at {place} cm" for place, rod_number in rod.left
        ]
        own = f" It weighs {rod.weight} N, its centre being {rod.off} cm to the left." if rod.weight else ""
        out.append(
            f"- rod {k}: to the left {', '.join(hung)}; to the right a counterweight of unknown size at {format_decimal(rod.arm)} cm.{own}"
        )
    return out
