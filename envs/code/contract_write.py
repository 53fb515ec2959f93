"""Write a contract for a small function: what it requires, and what it ensures.

z3 checks it for all integers: what is required must rule out exactly the calls that fail; what is ensured must hold of the value that every
other call returns, and of no other value.
"""

from rlgym import Audit, Config, Environment, Outcome, Rng, Score, Task, TaskData, knob
from rlgym.answers import Condition
from rlgym.generators.programs import proofs
from rlgym.solutions import Derivation, Solution, Step, any_order

NAMES = ("x", "y", "z")
Point = dict[str, int]
CASE = Step("The value is {value} when {condition}")
ASSERTED = Step("The assertion {assertion} is reached unless an earlier case has returned, so the call requires {condition}")
END = "Joined for all assertions, and for all cases with their values, the contract is:\n{answer}"


class Knobs(Config):
    inputs: int = knob(2, easy=1, hard=3, doc="arguments")
    branches: int = knob(2, easy=1, hard=5, doc="cases that the function tells apart")
    asserted: int = knob(1, easy=0, hard=3, doc="assertions that may fail")
    largest: int = knob(9, easy=5, hard=20, doc="largest number in the function")


class Data(TaskData):
    inputs: tuple[str, ...]
    asserted: tuple[tuple[int, str], ...]  # before which case, and what
    cases: tuple[tuple[str, str], ...]  # condition and value, the last condition being True


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    inputs = NAMES[: knobs.inputs]
    places = [rng.integer(0, knobs.branches) for _ in range(knobs.asserted)]
    points = _points(inputs, knobs.largest)
    asserted, cases = list[tuple[int, str]](), list[tuple[str, str]]()
    for i in range(knobs.branches + 1):
        for _ in range(places.count(i)):
            text, points, _ = _sample_splitting_condition(rng, inputs, knobs.largest, points)
            asserted.append((i, text))
        condition, _, points = (
            ("True", points, []) if i == knobs.branches else _sample_splitting_condition(rng, inputs, knobs.largest, points)
        )
        cases.append((condition, _term(rng, inputs, knobs.largest)))
    data = Data(inputs=inputs, asserted=tuple(asserted), cases=tuple(cases))
    return Task(_render_prompt(data), data)


def _sample_splitting_condition(
    rng: Rng, inputs: tuple[str, ...], largest: int, points: list[Point]
) -> tuple[str, list[Point], list[Point]]:
    """A condition, the points for which it holds, and those for which it does not: some of each, where there are any."""
    for _ in range(40):
        text = _test(rng, inputs, largest)
        true_points = [point for point in points if proofs.evaluate(text, point)]
        if len(points) // 5 < len(true_points) < len(points):
            break
    return text, true_points, [point for point in points if point not in true_points]


def solve(task: Task[Data]) -> str:
    # The calls that fail are those that come to an assertion that does not hold; each case has its own value.
    data = task.data
    safe = [f"({_or_before(data.cases[:before], condition)})" for before, condition in data.asserted]
    clauses = [f"(not ({_path_condition(data.cases, i)}) or result == {value})" for i, (_, value) in enumerate(data.cases)]
    return _format(data).parse(f"requires: {' and '.join(safe) or 'True'}\nensures: {' and '.join(clauses)}")


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    requires, ensures = (line.partition(": ")[2] for line in answer.split("\n"))
    values = proofs.variables(data.inputs)
    given = proofs.formula(requires, values)
    safe = proofs.formula(
        " and ".join(f"({_or_before(data.cases[:before], condition)})" for before, condition in data.asserted) or "True", values
    )

    returned = proofs.formula(_value(data.cases), values)
    result = proofs.variables([*data.inputs, "result"], values)["result"]
    try:
        if not proofs.always(safe, [given]):
            return Score.wrong("what is required allows a call that fails")
        if not proofs.always(given, [safe]):
            return Score.wrong("what is required forbids a call that does not fail")
        if not proofs.always(proofs.formula(ensures, {**values, "result": returned}), [given]):
            return Score.wrong("what is ensured does not hold for some call that is allowed")
        if not proofs.always(result == returned, [given, proofs.formula(ensures, {**values, "result": result})]):
            return Score.wrong("what is ensured also holds for a value that the function does not return")
    except proofs.Undecided as why:
        return Score.nothing(Outcome.TIMED_OUT, str(why))
    return Score.exact(True)


def mistakes(task: Task[Data], right: str) -> list[str]:
    requires, ensures = right.split("\n")
    first, value = task.data.cases[0]
    reads = _format(task.data).parse
    wrong = [
        "requires: True\nensures: True",
        f"{requires}\nensures: True",
        f"requires: False\n{ensures}",
        f"{requires}\nensures: result == {value}",
    ]
    wrong += [f"{requires}\nensures: not ({first}) or result == {value}", f"requires: {task.data.inputs[0]} > 0\n{ensures}"]
    return [reads(text) for text in wrong]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.cases) * len(task.data.inputs) + 3 * len(task.data.asserted)) + len(_render_prompt(task.data)) / 200


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    steps = [CASE(value=value, condition=_path_condition(data.cases, i)) for i, (_, value) in enumerate(data.cases)]
    steps += [ASSERTED(assertion=text, condition=_or_before(data.cases[:i], text)) for i, text in data.asserted]
    yield from any_order(steps)


def _render_prompt(data: Data) -> str:
    lines = [f"def f({', '.join(data.inputs)}):"]
    for i, (condition, value) in enumerate(data.cases):
        lines += [f"    assert {text}" for before, text in data.asserted if before == i]
        lines += [f"    return {value}"] if condition == "True" else [f"    if {condition}:", f"        return {value}"]
    program = "\n".join(lines)
    names = ", ".join(data.inputs)
    return (
        f"This function takes integers of any size:\n\n{program}\n\n"
        f"Write its contract. `requires` is a condition on {names} that holds for exactly those calls in which no assertion fails. `ensures` is a "
        f"condition on {names} and result that determines the result of each of those calls: it holds for the value returned and for no "
        "other integer. Use Python's notation with integers, +, -, * with a number "
        "on one side, // and % by a positive number, comparisons, and, or, not and brackets; write two lines:\nrequires: CONDITION\nensures: CONDITION"
    )


def _test(rng: Rng, inputs: tuple[str, ...], largest: int) -> str:
    name, number, by = rng.choice(inputs), rng.integer(-largest, largest), rng.integer(2, 5)
    others = [other for other in inputs if other != name]
    kinds = [f"{name} > {number}", f"{name} <= {number}", f"{name} % {by} == {rng.integer(0, by - 1)}", f"{name} != {number}"]
    if others:
        other = rng.choice(others)
        kinds += [f"{name} < {other}", f"{name} + {other} >= {number}", f"{name} > 2 * {other} - {abs(number)}"]
    return rng.choice(kinds)


def _term(rng: Rng, inputs: tuple[str, ...], largest: int) -> str:
    name, number = rng.choice(inputs), rng.integer(1, largest)
    other = rng.choice(inputs)
    return rng.choice(
        (
            f"{name} + {number}",
            f"{rng.integer(2, 4)} * {name} - {number}",
            f"{name} - {other} + {number}",
            f"{number} - {name}",
            f"{name} // {rng.integer(2, 4)}",
        )
    )


def _path_condition(cases: tuple[tuple[str, str], ...], index: int) -> str:
    """When the value of this case is returned."""
    before = [f"not ({condition})" for condition, _ in cases[:index]]
    return " and ".join([*before, *([cases[index][0]] if cases[index][0] != "True" else [])]) or "True"


def _or_before(cases: tuple[tuple[str, str], ...], condition: str) -> str:
    return " or ".join([*(earlier for earlier, _ in cases), condition])


def _value(cases: tuple[tuple[str, str], ...]) -> str:
    text = cases[-1][1]
    for condition, value in reversed(cases[:-1]):
        text = f"({value} if {condition} else {text})"
    return text


def _points(inputs: tuple[str, ...], largest: int) -> list[Point]:
    """Calls that are tried while a function is composed."""
    rng = Rng("points", len(inputs), largest)
    return [{name: rng.integer(-2 * largest, 2 * largest) for name in inputs} for _ in range(120)]


def _format(data: Data) -> Condition:
    return Condition(names=(*data.inputs, "result"), parts=("requires", "ensures"))


def audit(task: Task[Data]) -> Audit:
    """Weaker and other contracts. Each case that is changed returns for some call that is tried, so each changed contract is wrong."""
    data, format = task.data, _format(task.data)
    requires, ensures = (line.partition(": ")[2] for line in solve(task).split("\n"))
    parts = [(_path_condition(data.cases, i), value) for i, (_, value) in enumerate(data.cases)]
    calls = [call for call in _points(data.inputs, 20) if proofs.evaluate(requires, call)]
    wrong: list[tuple[str, str]] = []
    for i, (reached, value) in enumerate(parts):
        if not any(proofs.evaluate(reached, call) for call in calls):
            continue
        others = [f"(not ({other}) or result == {returned})" for j, (other, returned) in enumerate(parts) if j != i]
        weaker = (f"(result - ({value})) % 7 == 0", f"result >= {value}", f"result <= {value}", f"result == {value} + 1", "True")
        wrong += [(requires, " and ".join([*others, f"(not ({reached}) or {claim})"])) for claim in weaker]
    wrong += [(requires, " or ".join(f"result == {value}" for _, value in parts))] * (len({value for _, value in parts}) > 1)
    wrong += [("True", ensures)] * any(not proofs.evaluate(requires, call) for call in _points(data.inputs, 20))
    if calls:
        wrong += [(f"({requires}) and {name} != {calls[0][name]}", ensures) for name in data.inputs]
    nested = " or ".join(f"({reached} and result == {value})" for reached, value in parts)
    equal = [
        solve(task),
        f"requires: not not ({requires})\nensures: {nested}",
        f"requires: {requires}\nensures: result == 0 + result and ({ensures})",
    ]
    return Audit(tuple(format.parse(f"requires: {first}\nensures: {second}") for first, second in wrong), tuple(map(format.parse, equal)))


environment = Environment(
    Knobs, Condition("two lines, requires: CONDITION and ensures: CONDITION", names=(*NAMES, "result"), parts=("requires", "ensures")),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    answers="many", solutions=lambda task: [solve(task), solve(task) + " and (result == result or result > 0)"],
    concept="Go through the cases from above: each is come to only when the ones before it do not hold.", needs=("z3",), version=2, audit=audit,
)  # fmt: skip
