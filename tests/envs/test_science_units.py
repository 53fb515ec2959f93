"""Science answers keep their units and names, and working that skips a check is found."""

from fractions import Fraction

import pytest

import rlgym
from rlgym.answers import Unreadable
from rlgym.envs.science import bond_pricing, circuit_resistance, gas_laws, kinematics, quantum_circuit_output, titration


@pytest.mark.parametrize(
    ("environment", "right", "same", "other_kind"),
    [
        (circuit_resistance.environment, "75 ohm", "0.075 kΩ", "75 V"),
        (gas_laws.environment, "7600/53 kPa", "76/53 bar", "7600/53 J"),
        (kinematics.environment, "10 m/s", "36 km/h", "10 m"),
        (titration.environment, "1/2 mol/L", "500 mol/m^3", "1/2 mol"),
        (bond_pricing.environment, "50 dollars", "5000 cents", "50 s"),
    ],
)
def test_units_are_converted_and_never_left_out(environment: object, right: str, same: str, other_kind: str) -> None:
    answer = environment.answer  # type: ignore[attr-defined]
    assert answer.parse(right) == answer.parse(same)
    for wrong in (right.split()[0], other_kind):
        with pytest.raises(Unreadable):
            answer.parse(wrong)


def test_outcomes_with_chance_0_may_be_named() -> None:
    task = quantum_circuit_output.generate(rlgym.Rng("units", 2), quantum_circuit_output.Knobs.at(0.5))
    right = quantum_circuit_output.solve(task)
    rest = [(name, Fraction(0)) for name in quantum_circuit_output.NAMES if len(name) == 3 and name not in dict(right)]
    assert quantum_circuit_output.verify(task, tuple(sorted((*right, *rest)))).value == 1
    assert quantum_circuit_output.verify(task, (*right, ("0", Fraction(1)))).value == 0


def test_a_formula_with_a_number_from_nowhere_does_not_follow() -> None:
    task = circuit_resistance.generate(rlgym.Rng("units", 1), circuit_resistance.Knobs.at(0.0))
    steps = circuit_resistance.environment.explain(task)
    value = Fraction(task.data.answer)
    steps[-1] = f"Answer: resistance from A to B = {997 * value.numerator} / {997 * value.denominator} = {steps[-1].split(' = ')[-1]}"
    assert circuit_resistance.environment.replay(task, steps) == len(steps) - 1
