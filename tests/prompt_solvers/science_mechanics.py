"""Mechanics, optics and circuits, in exact fractions."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations, pairwise, permutations

import sympy

from prompt_solvers.parsing import between
from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import group, listed

NUMBER = r"-?\d+(?:\.\d+)?(?:/\d+)?"


def amounts(text: str, unit: str) -> list[Fraction]:
    """The numbers that stand directly before a unit, which is a pattern."""
    return [Fraction(number) for number in re.findall(rf"({NUMBER}) (?:{unit})(?![\w/^])", text)]


@prompt_solver("beam_statics")
def solve_beam_statics(prompt: str) -> str:
    (one, at_one), (two, at_two) = re.findall(rf"(\w) at ({NUMBER}) m", group(r"rests on the supports (.*?)\.\n", prompt))
    weight, moment = Fraction(0), Fraction(0)
    for line in listed(prompt).values():
        force = sum(amounts(line, "N")) + 1000 * sum(amounts(line, "kN"))
        places = amounts(line, "m")
        if len(places) == 2:
            force *= places[1] - places[0]
        weight += force
        moment += force * sum(places) / len(places)
    second = (moment - weight * Fraction(at_one)) / (Fraction(at_two) - Fraction(at_one))
    return f"{one} = {weight - second}, {two} = {second}"


def two_terminal_resistance(edges: list[tuple[str, str, float]]) -> float:
    """The resistance between A and B of a network of points: points other than these are taken out one by one, star to mesh."""
    siemens: dict[frozenset[str], float] = {}
    for a, b, ohms in edges:
        siemens[frozenset((a, b))] = siemens.get(frozenset((a, b)), 0) + 1 / ohms
    for point in sorted({x for a, b, _ in edges for x in (a, b)} - {"A", "B"}):
        star = {min(pair - {point}): siemens.pop(pair) for pair in list(siemens) if point in pair}
        for one, other in combinations(star, 2):
            pair = frozenset((one, other))
            siemens[pair] = siemens.get(pair, 0) + star[one] * star[other] / sum(star.values())
    return 1 / siemens[frozenset("AB")]


@prompt_solver("circuit_resistance")
def solve_circuit_resistance(prompt: str) -> str:
    if places := re.findall(r"^- place \d+: (\w+) to (\w+)$", prompt, re.M):
        values = [Fraction(value) for value in re.findall(r"\d+", group(r"Resistors of (.*) ohm", prompt))]
        pick = min if "the smallest possible resistance" in prompt else max
        orders = {
            order: two_terminal_resistance([(*place, float(ohms)) for place, ohms in zip(places, order, strict=True)])
            for order in permutations(values)
        }
        best = pick(orders.values())
        near = [order for order, value in orders.items() if abs(value - best) < 1e-9]
        exact = [two_terminal_resistance([(*place, ohms) for place, ohms in zip(places, order, strict=True)]) for order in near]
        return f"{pick(exact)} ohm"
    names: dict[str, str] = {}

    def joint(letter: str) -> str:
        while names.setdefault(letter, letter) != letter:
            letter = names[letter]
        return letter

    resistors = []
    for a, b, part in re.findall(r"^- (\w+) to (\w+): (.*)$", prompt, re.M):
        if part == "a bare wire":
            names[joint(a)] = joint(b)
        else:
            resistors.append((a, b, Fraction(part.split()[0]) * (1000 if "kilo" in part else 1)))
    start, end = joint("A"), joint("B")
    edges = [(joint(a), joint(b), 1 / ohms) for a, b, ohms in resistors if joint(a) != joint(b)]
    reached = {start}
    for _ in edges:
        reached |= {x for a, b, _ in edges for x in (a, b) if a in reached or b in reached}
    order = sorted(reached - {end})
    matrix = sympy.zeros(len(order), len(order))
    for a, b, siemens in edges:
        value = sympy.Rational(siemens.numerator, siemens.denominator)
        inside = [order.index(x) for x in (a, b) if x in order]
        for i in inside:
            matrix[i, i] += value
        if len(inside) == 2:
            matrix[inside[0], inside[1]] -= value
            matrix[inside[1], inside[0]] -= value
    source = sympy.zeros(len(order), 1)
    source[order.index(start)] = 1
    return f"{matrix.LUsolve(source)[order.index(start)]} ohm"


@prompt_solver("collision_1d")
def solve_collision_1d(prompt: str) -> str:
    groups = []  # [names, mass in kg, place in m, velocity in m/s] from left to right
    for line in re.findall(r"^- .*$", prompt, re.M):
        mass = Fraction(sum(amounts(line, "kg"))) + Fraction(sum(amounts(line, "g")), 1000)
        place = Fraction(sum(amounts(line, "m"))) + Fraction(sum(amounts(line, "cm")), 100)
        speed = sum(amounts(line, "m/s")) + Fraction(sum(amounts(line, "m/min")), 60) + Fraction(sum(amounts(line, "cm/s")), 100)
        groups.append([line[2], mass, place, -speed if "moving left" in line else speed])
    bounce: dict[tuple[str, str], Fraction | None] = {}
    for part in between(prompt, "Collisions: ", ".\n").split("; "):
        names = re.findall(r"\b([a-z])\b(?! times)", part.replace("without loss", "").split(" part at")[0])[:2]
        lossless = "without loss" in part or "perfectly elastically" in part
        stick = "move on as one" in part or "stick together" in part
        ratio = re.search(rf"coefficient of restitution ({NUMBER})|part at ({NUMBER}) times", part)
        assert lossless + stick + (ratio is not None) == 1, part
        bounce[names[0], names[1]] = Fraction(1) if lossless else None if stick else Fraction(ratio[1] or ratio[2])  # type: ignore[index]
    for _ in range(10_000):
        meetings = []
        for i, (left, right) in enumerate(pairwise(groups)):
            if left[3] > right[3]:
                meetings.append(((right[2] - left[2]) / (left[3] - right[3]), i))
        if not meetings:
            break
        time, i = min(meetings)
        assert not any(other == time and abs(j - i) == 1 for other, j in meetings)
        for body in groups:
            body[2] += body[3] * time
        (a, m1, x, v1), (b, m2, _, v2) = groups[i : i + 2]
        ratio = bounce[a[-1], b[0]]
        middle = (m1 * v1 + m2 * v2) / (m1 + m2)
        if ratio is None:
            groups[i : i + 2] = [[a + b, m1 + m2, x, middle]]
        else:
            groups[i][3] = middle - ratio * (v1 - v2) * m2 / (m1 + m2)
            groups[i + 1][3] = middle + ratio * (v1 - v2) * m1 / (m1 + m2)
    else:
        raise ValueError("the collisions do not stop")
    return ", ".join(f"{name} = {body[3]}" for body in groups for name in body[0])


def speed_in(text: str) -> Fraction | None:
    """The speed in m/s that a text names, if any."""
    found = [*amounts(text, "m/s"), *(kmh / Fraction(18, 5) for kmh in amounts(text, "km/h"))]
    return found[0] if found else None


@prompt_solver("kinematics")
def solve_kinematics(prompt: str) -> str:
    head = prompt.split("\n1. ")[0]
    speed, way, time = speed_in(head), Fraction(0), Fraction(0)
    assert speed is not None
    for line in listed(prompt).values():
        rate = re.search(rf"({NUMBER}) m/s(?:\^2| in every second)", line)
        acceleration = Fraction(rate[1]) if rate else None
        rest = line.replace(rate[0], "") if rate else line
        goal = speed_in(rest)
        seconds = [*amounts(rest, "s"), *(60 * minutes for minutes in amounts(rest, "min"))]
        metres = [*amounts(rest, "m"), *(1000 * km for km in amounts(rest, "km"))]
        assert len(seconds) + len(metres) + (goal is not None) + (acceleration is not None) in (1, 2), line
        if acceleration is not None:
            if goal is None:
                goal = speed + acceleration * seconds[0]
            duration = (goal - speed) / acceleration
        elif goal is None:
            goal = speed
            duration = seconds[0] if seconds else metres[0] / speed
        else:
            duration = seconds[0] if seconds else metres[0] / ((speed + goal) / 2)
        assert duration > 0
        way += (speed + goal) / 2 * duration
        time += duration
        speed = goal
    return f"{way / time} m/s"


def force_on_output(line: str, force: Fraction) -> Fraction | None:
    cm = amounts(line, "cm|cm radius")
    if (limit := re.search(r"its input bears at most (\d+) N", line)) and force > int(limit[1]):
        return None
    if "slope" in line:
        force *= cm[0] / cm[1]
    elif "tackle" in line:
        force /= int(group(r"(\d+) (?:parallel )?strands", line))
    elif "pulley" in line:
        force = (force + amounts(line, "N")[0]) / 2
    elif "lever" in line or "axle" in line:
        force *= cm[0] / cm[1]
    else:
        raise ValueError(line)
    friction = re.search(rf"because of friction, its output force must be ({NUMBER})%", line)
    return force * (Fraction(friction[1]) / 100 if friction else 1)


@prompt_solver("lever_and_pulley")
def solve_lever_and_pulley(prompt: str) -> str:
    opening = prompt.split("\n1. ")[0]
    force, lines = amounts(opening, "N")[0], list(listed(prompt).values())
    if count := re.search(r"(\d+) of (?:these|the following) \d+ machines", opening):
        ends = {force: [frozenset[int]()]}
        for _ in range(int(count[1])):
            after = dict[Fraction, list[frozenset[int]]]()
            for now, sets in ends.items():
                for k, line in enumerate(lines):
                    unused = [used | {k} for used in sets if k not in used]
                    then = force_on_output(line, now) if unused else None
                    if then is not None:
                        after.setdefault(then, []).extend(unused)
            ends = after
        return f"{min(ends)} N"
    for line in lines:
        force = force_on_output(line, force)
    return f"{force} N"


@prompt_solver("optics_thin_lens")
def solve_optics_thin_lens(prompt: str) -> str:
    lenses = []
    for line in re.findall(r"^- .*$", prompt, re.M):
        power = re.search(rf"power ({NUMBER}) dioptre", line)
        focal = 100 / Fraction(power[1]) if power else Fraction(group(rf"focal length ({NUMBER}) cm", line))
        assert "lens" in line
        assert (focal > 0) == ("converging" in line)
        lenses.append((Fraction(re.findall(rf"({NUMBER}) cm", line.replace(f"focal length {focal} cm", ""))[0]), focal))
    place, magnification = Fraction(0), Fraction(1)
    for at, focal in sorted(lenses):
        distance = at - place
        image = 1 / (1 / focal - 1 / distance)
        magnification *= -image / distance
        place = at + image
    return f"x = {place}, m = {magnification}"
