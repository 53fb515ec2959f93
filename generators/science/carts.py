"""Carts on a straight track: the order of their collisions, and the velocities after them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from rlgym.generators.science.quantities import Working

OPENINGS = (
    "Small carts roll without friction on a straight track, from left to right in this order:",
    "On a straight air track there are these gliders, listed from left to right:",
    "These point-like trolleys move along one straight frictionless rail (leftmost first):",
    "Pucks slide without friction along a narrow straight groove. From left to right they are:",
)
CARTS = ("{name}: {mass}, at {place}, {way}", "{name} of {mass}, {place} from the zero mark, {way}")
BOUNCES = (
    "{a} and {b} bounce off each other with coefficient of restitution {bounce} (the speed at which they part is {bounce} times that at which they met)",
    "when {a} hits {b}, they part at {bounce} times the relative speed at which they met",
)
STICK = ("{a} and {b} couple when they meet and move on as one", "{a} and {b} stick together for good when they meet")
LOSSLESS = ("{a} and {b} bounce off each other without loss of energy", "{a} and {b} collide perfectly elastically")
ASKED = (
    "What is the velocity of each after the last collision?",
    "Give the velocity of each when no more collisions happen.",
    "What is the final velocity of each, when nothing collides any more?",
    "Find all the velocities after the last collision.",
)

MOST = 24  # collisions, after which a draw is thrown away
Bounce = Callable[[Fraction, Fraction, Fraction, Fraction, Fraction], tuple[Fraction, Fraction]]  # masses, velocities, restitution


@dataclass
class Block:
    """Carts that move as one; `start` is where it would have been at time 0 had it always moved like this."""

    names: str
    mass: Fraction
    start: Fraction
    speed: Fraction


@dataclass(frozen=True)
class Hit:
    """Two neighbours meet, or one meets a wall (the other name is then empty)."""

    left: str
    right: str
    time: Fraction


def by_momentum(m: Fraction, n: Fraction, v: Fraction, w: Fraction, bounce: Fraction) -> tuple[Fraction, Fraction]:
    """Velocities after a collision: the momentum stays, the difference of velocities turns round and shrinks."""
    common = (m * v + n * w) / (m + n)
    return common - bounce * n * (v - w) / (m + n), common + bounce * m * (v - w) / (m + n)


def by_impulse(m: Fraction, n: Fraction, v: Fraction, w: Fraction, bounce: Fraction) -> tuple[Fraction, Fraction]:
    """The same by the impulse that passes between the two."""
    impulse = (1 + bounce) * (v - w) / (1 / m + 1 / n)
    return v - impulse / m, w + impulse / n


def run(
    masses: Sequence[Fraction],
    starts: Sequence[Fraction],
    speeds: Sequence[Fraction],
    bounces: Sequence[Fraction],
    wall: bool,
    bounce: Bounce,
) -> tuple[list[Hit], list[Block]] | None:
    """All collisions in order, and the blocks after the last; None where two happen at once, or too many."""
    blocks = [Block(chr(97 + i), *of) for i, of in enumerate(zip(masses, starts, speeds))]
    hits: list[Hit] = []
    now = Fraction(0)
    while len(hits) < MOST:
        soon = [
            ((right.start - left.start) / (left.speed - right.speed), i)
            for i, (left, right) in enumerate(pairwise(blocks), 1)
            if left.speed > right.speed
        ]
        if wall and blocks[0].speed < 0:
            soon.append((-blocks[0].start / blocks[0].speed, 0))
        if not soon:
            return hits, blocks
        time, i = min(soon)
        if time <= now or sum(other_time == time for other_time, _ in soon) > 1:
            return None
        now, right = time, blocks[i]
        left = blocks[i - 1] if i else None
        hits.append(Hit(left.names if left else "", right.names, time))
        where, parts = right.start + right.speed * time, [right]
        if left is None:
            right.speed = -right.speed
        else:
            restitution = bounces[ord(left.names[-1]) - 97]
            left.speed, right.speed = bounce(left.mass, right.mass, left.speed, right.speed, restitution)
            parts.append(left)
            if not restitution:
                blocks[i - 1 : i + 1] = [Block(left.names + right.names, left.mass + right.mass, where, left.speed)]
                parts = [blocks[i - 1]]
        for block in parts:
            block.start = where - block.speed * time
    return None


def working(shown: Sequence[Sequence[tuple[str, Fraction]]], bounces: Sequence[Fraction], hits: Sequence[Hit]) -> Working:
    """The collisions one by one; each cart's mass, place and velocity are given as a formula and the number that the prompt shows."""
    work, units = Working("0 1 2 18 60 100 1000"), ("kg", "m", "m/s")
    of: dict[str, list[Fraction]] = {}
    for i, cart in enumerate(shown):
        quantities = zip(("mass", "place", "velocity"), units, cart)
        of[chr(97 + i)] = [work.add(f"{what} of {chr(97 + i)}", unit, formula, number) for what, unit, (formula, number) in quantities]
    for k, hit in enumerate(hits, 1):
        (n, y, w), after = of[hit.right], f"after collision {k}"
        if not hit.left:
            time = work.add(f"time of collision {k}, {hit.right} with the wall", "s", "(0 - {}) / {}", y, w)
            of[hit.right][2] = work.add(f"velocity of {hit.right} {after}", "m/s", "0 - {}", w)
            of[hit.right][1] = work.add(
                f"place of {hit.right} at time 0 had it moved as {after}", "m", "0 - {} * {}", of[hit.right][2], time
            )
            continue
        (m, x, v), bounce = of[hit.left], bounces[ord(hit.left[-1]) - 97]
        time = work.add(f"time of collision {k}, {hit.left} with {hit.right}", "s", "({} - {}) / ({} - {})", y, x, v, w)
        place = work.add(f"place of collision {k}", "m", "{} + {} * {}", x, v, time)
        common = work.add(f"velocity of the centre of mass at collision {k}", "m/s", "({} * {} + {} * {}) / ({} + {})", m, v, n, w, m, n)
        new = {hit.left: (m, v), hit.right: (n, w)} if bounce else {}
        for name, (mass, old) in new.items():
            speed = work.add(f"velocity of {name} {after}", "m/s", "{} - {} * ({} - {})", common, bounce, old, common)
            of[name] = [
                mass,
                work.add(f"place of {name} at time 0 had it moved as {after}", "m", "{} - {} * {}", place, speed, time),
                speed,
            ]
        if not bounce:
            both = hit.left + hit.right
            mass = work.add(f"mass of {both}", "kg", "{} + {}", m, n)
            start = work.add(f"place of {both} at time 0 had it moved as {after}", "m", "{} - {} * {}", place, common, time)
            of[both] = [mass, start, common]
            del of[hit.left], of[hit.right]
    return work
