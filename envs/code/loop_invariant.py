"""Give an invariant of a loop that proves what is claimed after it.

z3 checks three things for all integers: the invariant holds before the loop, every round keeps it, and where the loop ends it
gives the claim. Any such condition is right.
"""

from collections.abc import Mapping

from rlgym import Config, Environment, Outcome, Rng, Score, Task, TaskData, knob
from rlgym.answers import Condition
from rlgym.generators.programs import proofs
from rlgym.solutions import Derivation, Solution, Step, any_order

NAMES = ("a", "b", "c", "d")
ROUNDS = Step(
    "The counter starts at {first:int} and goes up by {step:int} a round, so when it is i, the number of rounds that are over is {rounds}"
)
VARIABLE = Step("{name} starts at {begin:int} and goes up by {how}, so {name} == {value}")
BOUND = Step("A round begins only while i < n, so i never passes n by {step:int} or more, and with i >= n the number of rounds is settled")
END = "All of this together is an invariant that gives the claim: {answer}"


class Knobs(Config):
    sums: int = knob(2, easy=1, hard=4, doc="variables that change in every round besides the counter")
    branches: int = knob(1, easy=0, hard=3, doc="of these, how many change by one number in even rounds and by another in odd ones")
    step: int = knob(2, easy=1, hard=5, doc="most that the counter goes up in a round")
    largest: int = knob(5, easy=3, hard=12, doc="largest number that a variable goes up or down by")
    joined: int = knob(0, easy=0, hard=1, doc="whether the claim is about a sum of two variables and not about each")


class Variable(TaskData):
    name: str
    begin: int
    even: int  # what it goes up by in the rounds 0, 2, 4 ...
    odd: int


class Data(TaskData):
    first: int
    step: int
    variables: tuple[Variable, ...]
    claim: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    step, first = rng.integer(max(1, knobs.step - 1), knobs.step), rng.integer(0, 4)
    ups = [number for number in range(-knobs.largest, knobs.largest + 1) if number]
    variables = []
    for number, name in enumerate(NAMES[: knobs.sums]):
        even, odd = rng.sample(ups, 2)
        variables.append(Variable(name=name, begin=rng.integer(-9, 9), even=even, odd=odd if number < knobs.branches else even))
    variables = rng.shuffled(variables)
    added = step - 1 - first
    rounds = _divided_by(f"n {'+' if added > 0 else '-'} {abs(added)}" if added else "n", step)
    claims = [f"{variable.name} == {_value_after(variable, rounds)}" for variable in variables]
    if knobs.joined and len(variables) > 1:
        (one, second), factor = variables[:2], rng.choice((2, 3, -1, -2))
        value = f"{_value_after(one, rounds)} {_term(factor, f'({_value_after(second, rounds)})')}"
        claims[:2] = [f"{one.name} {_term(factor, second.name)} == {value}"]
    data = Data(first=first, step=step, variables=tuple(variables), claim=" and ".join(claims))
    return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    # Nothing of the claim is used: what each variable is after the rounds so far, and where the counter can be.
    data = task.data
    rounds = _divided_by(f"i - {data.first}" if data.first else "i", data.step)
    facts = [f"{variable.name} == {_value_after(variable, rounds)}" for variable in data.variables]
    stays = [f"{f'(i - {data.first})' if data.first else 'i'} % {data.step} == 0"] if data.step > 1 else []
    given = " and ".join([*facts, *stays, f"i >= {data.first}", f"i <= n + {data.step - 1}" if data.step > 1 else "i <= n"])
    return _format(data).parse(given)


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    values = proofs.variables([*(variable.name for variable in data.variables), "i", "n"])
    holds_now, bounded = proofs.formula(answer, values), values["n"] >= data.first
    before = proofs.formula(
        answer,
        {
            **values,
            **{variable.name: proofs.number(variable.begin, values) for variable in data.variables},
            "i": proofs.number(data.first, values),
        },
    )
    after = proofs.formula(answer, {**values, **_move(data, values)})
    claim = proofs.formula(data.claim, values)
    checks = {
        "it does not hold before the loop": (before, [bounded]),
        "a round does not keep it": (after, [bounded, holds_now, values["i"] < values["n"]]),
        "it does not give the claim where the loop ends": (claim, [bounded, holds_now, values["i"] >= values["n"]]),
    }
    try:
        for fault, (conclusion, known) in checks.items():
            if not proofs.always(conclusion, known):
                return Score.wrong(fault)
    except proofs.Undecided as why:
        return Score.nothing(Outcome.TIMED_OUT, str(why))
    return Score.exact(True)


def mistakes(task: Task[Data], right: str) -> list[str]:
    reads = _format(task.data).parse
    data = task.data
    ends = f"i <= n + {data.step - 1}"
    bare = " and ".join(part for part in right.split(" and ") if "<= n" not in part)
    return [reads(data.claim), reads(f"{data.claim} and {ends}"), reads(ends), reads(bare), "True", "False"]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.claim)) * sum(1 + 2 * (variable.even != variable.odd) for variable in data.variables)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    rounds = _divided_by(f"i - {data.first}" if data.first else "i", data.step)
    yield ROUNDS(first=data.first, step=data.step, rounds=rounds)
    steps = []
    for one in data.variables:
        how = f"{one.even} in every round" if one.even == one.odd else f"{one.even} in the rounds 0, 2, 4 ... and {one.odd} in the others"
        steps.append(VARIABLE(name=one.name, begin=one.begin, how=how, value=_value_after(one, rounds)))
    yield from any_order([*steps, BOUND(step=data.step)])


def _render_prompt(data: Data) -> str:
    lines = [f"i = {data.first}", *(f"{variable.name} = {variable.begin}" for variable in data.variables), "while i < n:"]
    for variable in data.variables:
        if variable.even == variable.odd:
            lines.append(f"    {variable.name} = {variable.name} + {variable.even}")
        else:
            test = f"(i - {data.first}) % {2 * data.step} == 0" if data.first else f"i % {2 * data.step} == 0"
            lines.append(f"    {variable.name} = {variable.name} + ({variable.even} if {test} else {variable.odd})")
    lines.append(f"    i = i + {data.step}")
    program = "\n".join(lines).replace("+ -", "- ")
    names = ", ".join([*(variable.name for variable in data.variables), "i"])
    return (
        f"All variables are integers of any size; n is at least {data.first} and does not change:\n\n{program}\n\n"
        f"After the loop, this is claimed:\n\n{data.claim}\n\n"
        f"Give a loop invariant that proves it: a condition on {names} and n that holds before the first iteration, that every iteration preserves if i < n "
        f"held at its beginning, and from which the claim follows together with i >= n. That n >= {data.first} is known and need not be said. "
        "Write it in Python's notation with integers, + and -, * with a number on one side, // and % by a positive number, comparisons, and, or, "
        "not and brackets."
    )


def _divided_by(text: str, step: int) -> str:
    return text if step == 1 else f"{f'({text})' if ' ' in text else text} // {step}"


def _term(factor: int, of: str) -> str:
    """A multiple that is added to something."""
    return f"{'+' if factor > 0 else '-'} {of if abs(factor) == 1 else f'{abs(factor)} * {of}'}"


def _value_after(variable: Variable, rounds: str) -> str:
    """What a variable is after so many rounds."""
    begin, even, odd = variable.begin, variable.even, variable.odd
    if even == odd:
        return f"{begin} {_term(even, f'({rounds})')}"
    return f"{begin} {_term(even, f'(({rounds} + 1) // 2)')} {_term(odd, f'(({rounds}) // 2)')}"


def _move(data: Data, values: Mapping[str, object]) -> dict[str, object]:
    """The variables after one more round."""
    after = {"i": proofs.formula(f"i + {data.step}", values)}
    for variable in data.variables:
        after[variable.name] = proofs.formula(
            f"{variable.name} + ({variable.even} if (i - {data.first}) % {2 * data.step} == 0 else {variable.odd})", values
        )
    return after


def _format(data: Data) -> Condition:
    return Condition(names=(*(variable.name for variable in data.variables), "i", "n"))


environment = Environment(
    Knobs, Condition("one condition on the variables, in Python's notation", names=(*NAMES, "i", "n")),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    answers="many", solutions=lambda task: [solve(task), f"{solve(task)} and (True or i == 0)"],
    concept="What is each variable after so many rounds? Say it with the counter, and say how far the counter can have gone.",
    needs=("z3",), version=5,
)  # fmt: skip
