"""Lines of worked calculations: a number is not repeated as its own result, and both forms are read."""

import pytest

import rlgym
from rlgym.generators.calculations import ANSWER_LINE, LINE, CalculationStep, calculation_line, filled
from rlgym.generators.numbers.factors import ResidueChecker


@pytest.mark.parametrize(
    ("formula", "unit", "written"),
    [
        ("24", "", "x = 24"),
        ("24", "km", "x = 24 km"),
        ("(-3)", "", "x = -3"),
        ("(3/4)", "hours", "x = 3/4 hours"),
        ("20 + 4", "", "x = 20 + 4 = 24"),
        ("2 * 3", "km", "x = 2 * 3 = 6 km"),
        ("6/8", "", "x = 6/8 = 3/4"),
    ],
)
def test_a_number_is_not_repeated_as_its_own_result(formula, unit, written):
    line = calculation_line("x", formula, unit)
    assert filled(line, LINE).text == written
    assert filled(written, LINE).text == written
    assert filled(f"Answer: {line}", ANSWER_LINE, LINE).text == f"Answer: {written}"


@pytest.mark.parametrize("text", ["x = 24", "x = 24 = 24", "x = 24 km", "x = 24 = 24 km"])
def test_both_forms_give_the_formula(text):
    assert LINE.read(text)["formula"] == "24"
    assert LINE.read(text)["name"] == "x"


@pytest.mark.parametrize("text", ["x is 24", "x = y", "x = twenty", "x = 3 apples = 3 pears"])
def test_what_is_no_calculation_has_no_formula_left_out(text):
    assert (LINE.read(text) or {}).get("formula") in (None, "3 apples")


def test_a_reason_may_follow_the_value():
    step = CalculationStep("{name} = {formula} = {value:int}: {reason}")
    assert step.write(name="ABC", formula="50", value=50, reason="given") == "ABC = 50: given"
    assert step.read("ABC = 50: given") == {"name": "ABC", "formula": "50", "value": "50", "reason": "given"}


def test_remainders_are_read_with_and_without_a_formula():
    for text, follows in [
        ("a = 3", True),
        ("a = 3 = 3", True),
        ("a = 4", False),
        ("a = 2 + 1 = 3", True),
        ("b = 3", False),
        ("a = 5", False),
    ]:
        assert ResidueChecker("3 and 4", {"a": (3, 0)}).follows(text) == follows, text


@pytest.mark.parametrize("name", ["word_problem_mixture", "angle_chase", "ballot_paths", "queueing_exact", "clock_angles"])
def test_replay_reads_a_repeated_number_too_and_refuses_another_one(name):
    declared = rlgym.environment(name)
    for seed in range(5):
        task = rlgym.task(name, seed=seed, level=0.3)
        steps = list(map(str, declared.explain(task)))
        place = next((k for k, step in enumerate(steps) if LINE.read(step) and step.count(" = ") == 1 and ":" not in step), None)
        if place is None:
            continue
        left, value = steps[place].rsplit(" = ", 1)
        number = value.split()[0]
        repeated = [*steps[:place], f"{left} = {number} = {value}", *steps[place + 1 :]]
        wrong = [*steps[:place], f"{left} = {value.replace(number, number + '1', 1)}", *steps[place + 1 :]]
        assert declared.replay(task, steps) is None
        assert declared.replay(task, repeated) is None
        assert declared.replay(task, wrong) == place
