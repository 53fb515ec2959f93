"""Shifts of beam_statics by single knobs: the forces found balance the loads that the prompt states."""

import re
from fractions import Fraction

import pytest

import rlgym

NUMBER = r"-?\d+(?:\.\d+)?"


def amounts(line, unit):
    return [Fraction(number) for number in re.findall(rf"({NUMBER}) {unit}(?![\w/])", line)]


def imbalance(prompt, forces):
    """The force and the clockwise moment about the left end that are left over, of the loads in the prompt and the forces of the supports."""
    supports = dict(re.findall(rf"\b([ab]) at ({NUMBER}) m", prompt))
    force, moment = -sum(forces.values()), -sum(forces[name] * Fraction(at) for name, at in supports.items())
    for line in re.findall(r"^\d+\. .*", prompt, re.M):
        if turn := amounts(line, "N m") + [1000 * turn for turn in amounts(line, "kN m")]:
            moment += turn[0]
            continue
        load = sum(amounts(line, "N")) + 1000 * sum(amounts(line, "kN"))
        places = amounts(line, "m")
        load *= places[1] - places[0] if len(places) == 2 else 1
        force, moment = force + load, moment + load * sum(places) / len(places)
    return force, moment


@pytest.mark.parametrize("knobs", [{}, {"supports": "inside"}, {"couples": "some"}, {"supports": "inside", "couples": "some", "loads": 8}])
def test_the_forces_balance_the_loads_of_every_shift(knobs):
    for seed in range(12):
        task = rlgym.task("beam_statics", seed, level=0.5, **knobs)
        forces = dict(zip("ab", map(Fraction, task.data.answer), strict=True))
        assert imbalance(task.prompt, forces) == (0, 0)
        right = f"<answer>a = {forces['a']}, b = {forces['b']}</answer>"
        assert rlgym.score(task, right).value == 1
        length = int(re.search(r"(\d+) m", task.prompt)[1])
        at_ends = task.data.supports == ("0", str(length))
        assert at_ends == ("supports" not in knobs)
        assert any(load.kind == "couple" for load in task.data.loads) == ("couples" in knobs)
        assert ("hold the beam down" in task.prompt) == any(force < 0 for force in forces.values())
