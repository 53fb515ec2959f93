"""Loaded beams on two supports, or on three with a hinge: the forces that hold them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from rlgym.core.task import TaskData
from rlgym.generators.science.quantities import Working


class Load(TaskData):
    kind: str  # point, spread or couple
    force: str  # newtons, newtons per metre or newton metres, or thousands of them
    kilo: bool
    at: str
    end: str


def by_virtual_work(supports: Sequence[str], joint: str, loads: Sequence[Load]) -> list[Fraction]:
    """The forces of the supports: each sinks by 1 while the others stay, and the loads follow."""
    places = [Fraction(support) for support in supports]
    hinge = Fraction(joint) if joint else None
    reactions = list[Fraction]()
    for k in range(len(places)):
        sunk = [Fraction(int(i == k)) for i in range(len(places))]
        slope = (sunk[1] - sunk[0]) / (places[1] - places[0])
        total = Fraction(0)
        for force, at, turn, beyond in (piece for load in loads for piece in _pieces(load, hinge)):
            if beyond and hinge is not None:
                low = sunk[0] + slope * (hinge - places[0])
                steep = (sunk[2] - low) / (places[2] - hinge)
                total += force * (low + steep * (at - hinge)) + turn * steep
            else:
                total += force * (sunk[0] + slope * (at - places[0])) + turn * slope
        reactions.append(total)
    return reactions


def _pieces(load: Load, hinge: Fraction | None) -> list[tuple[Fraction, Fraction, Fraction, bool]]:
    """Force, place, couple, and whether beyond the hinge."""
    at, force = Fraction(load.at), Fraction(load.force) * (1000 if load.kilo else 1)
    if load.kind == "couple":
        return [(Fraction(0), at, force, hinge is not None and at > hinge)]
    if load.kind == "point":
        return [(force, at, Fraction(0), hinge is not None and at > hinge)]
    end = Fraction(load.end)
    cuts = [at, hinge, end] if hinge is not None and at < hinge < end else [at, end]
    return [(force * (b - a), (a + b) / 2, Fraction(0), hinge is not None and b > hinge) for a, b in pairwise(cuts)]


def working(supports: Sequence[str], joint: str, loads: Sequence[Load]) -> Working:
    """The moments of each beam about one of its joints, the one beyond the hinge first."""
    work, places, hinge = Working(), [Fraction(support) for support in supports], Fraction(joint) if joint else None
    pushed: list[tuple[Fraction, Fraction]] = []
    for beyond in (True, False) if hinge is not None else (False,):
        about, other, held = (hinge, places[2], "c") if beyond and hinge is not None else (places[0], places[1], "b")
        where = "the hinge" if beyond else "support a"
        beam = "" if hinge is None else f" on the {'right' if beyond else 'left'} beam"
        turning, weights = [], []
        for i, load in enumerate(loads, 1):
            for cut, (_, at, turn, right) in enumerate(_pieces(load, hinge)):
                if right != beyond:
                    continue
                lead, size = "1000 * " * load.kilo + "{}", Fraction(load.force)
                name = f"load {i}" + (
                    f", {'right' if right else 'left'} of the hinge" if load.kind == "spread" and hinge is not None else ""
                )
                if turn:
                    turning.append(work.add(f"moment of {name} about {where}", "N m", lead, size))
                    continue
                if load.kind == "spread":
                    start = hinge if cut and hinge is not None else Fraction(load.at)
                    weights.append(work.add(f"weight of {name}", "N", lead + " * ({} - {})", size, 2 * at - start, start))
                    work.add(f"middle of {name}", "m", "({} + {}) / 2", start, 2 * at - start)
                else:
                    weights.append(work.add(f"weight of {name}", "N", lead, size))
                turning.append(work.add(f"moment of {name} about {where}", "N m", "{} * ({} - {})", weights[-1], at, about))
        for weight, at in pushed:
            weights.append(weight)
            turning.append(work.add(f"moment of the hinge about {where}", "N m", "{} * ({} - {})", weight, at, about))
        moment = work.total(f"all moments about {where}", "N m", turning)
        force = work.add(f"force of support {held}", "N", "{} / ({} - {})", moment, other, about)
        rest = work.add(
            "push of the hinge" if beyond else "force of support a", "N", "{} - {}", work.total(f"all weight{beam}", "N", weights), force
        )
        pushed = [(rest, about)]
    return work
