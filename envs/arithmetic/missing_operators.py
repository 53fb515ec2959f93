"""Put operators between numbers so that they make a target.

Any choice with the right value is accepted. In the shift the operations are carried out strictly from left to right.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, knob
from rlgym.answers import Text
from rlgym.generators.numbers.operators import Chain, applied, bracketed, claims, found_chains, runs_of, value_of, written_chain
from rlgym.generators.steps import first_wrong
from rlgym.generators.worked import evaluate, shown

LEAD = "The operators: "
TAKE = "Take "
SIGNS = {"sums": "+-", "products": "+-*", "all": "+-*/"}
SPELLINGS = str.maketrans({"×": "*", "·": "*", "÷": "/", ":": "/", "−": "-", "–": "-", ",": None})


class Knobs(Config):
    numbers: int = knob(6, easy=3, hard=10, doc="how many numbers")
    largest: int = knob(12, easy=9, hard=30, doc="largest number")
    signs: str = knob("products", easy="sums", hard="all", order=tuple(SIGNS), doc="which operators there are")
    counted: str = knob("free", easy="free", hard="counted", order=("free", "counted"), doc="whether it is told how often each is used")


def generate(rng: Rng, knobs: Knobs) -> Task[Chain]:
    return _made(rng, knobs, flat=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Chain]:
    return _made(rng, knobs, flat=True)


def _made(rng: Rng, knobs: Knobs, flat: bool) -> Task[Chain]:
    signs = SIGNS[knobs.signs]
    while True:
        numbers = [rng.integer(2, knobs.largest) for _ in range(knobs.numbers)]
        chosen = "".join(rng.choice(signs) for _ in numbers[1:])
        value = value_of(numbers, chosen, flat)
        # all sums, as well as one operator throughout, must not do
        if value.denominator <= 60 and abs(value) < 10**6 and all(value_of(numbers, sign * len(chosen), flat) != value for sign in signs):
            break
    counts = tuple(chosen.count(sign) for sign in signs) if knobs.counted == "counted" else None
    used = f" Use {', '.join(f'{sign} exactly {count} times' for sign, count in zip(signs, counts, strict=True))}." if counts else ""
    order = (
        "The operations are carried out strictly from left to right (* and / do not come first)."
        if flat
        else "As usual, * and / come before + and -, and otherwise one goes from left to right."
    )
    prompt = (
        f"Put one of the operators {' '.join(signs)} in place of each _ so that this holds:\n{' _ '.join(map(str, numbers))} = {shown(value)}\n\n"
        f"{order} There are no brackets, and results on the way may be negative or fractions.{used}"
    )
    return Task(prompt, Chain(numbers=tuple(numbers), signs=signs, counts=counts, target=(value.numerator, value.denominator), flat=flat))


def solve(task: Task[Chain]) -> str:
    return next(found_chains(task.data, task.data.signs))


def verify(task: Task[Chain], answer: str) -> Score:
    data, chosen = task.data, answer.translate(SPELLINGS)
    if len(chosen) != len(data.numbers) - 1 or any(sign not in data.signs for sign in chosen):
        return Score.wrong(f"give {len(data.numbers) - 1} operators out of {' '.join(data.signs)}")
    if data.counts and tuple(map(chosen.count, data.signs)) != data.counts:
        return Score.wrong("the operators are not used as often as told")
    value = value_of(data.numbers, chosen, data.flat)
    return Score.exact(value == Fraction(*data.target), f"the value is {shown(value)}")


def mistakes(task: Task[Chain], right: str) -> list[str]:
    signs = task.data.signs
    swapped = signs[(signs.index(right[0]) + 1) % len(signs)] + right[1:]
    return [sign * len(right) for sign in signs] + [swapped, right[:-1], right + "+"]


def cost(task: Task[Chain]) -> float:
    data = task.data
    return float(len(data.signs) ** (len(data.numbers) - 1)) / (2 if data.counts else 1)


def explain(task: Task[Chain]) -> list[str]:
    data, chosen = task.data, solve(task)
    steps = [TAKE + written_chain(data.numbers, chosen)]
    if data.flat:
        value = Fraction(data.numbers[0])
        for sign, number in zip(chosen, data.numbers[1:], strict=True):
            after = applied(value, sign, number)
            steps.append(f"{bracketed(value)} {sign} {number} = {shown(after)}")
            value = after
    else:
        runs = runs_of(data.numbers, chosen)
        steps += [f"{run} = {shown(evaluate(run))}" for _, run in runs if " " in run]
        total = "".join(f" {sign} {bracketed(evaluate(run))}" if i else bracketed(evaluate(run)) for i, (sign, run) in enumerate(runs))
        steps.append(f"{total} = {shown(Fraction(*data.target))}")
    return [*steps, LEAD + chosen]


def replay(task: Task[Chain], steps: Sequence[str]) -> int | None:
    data, taken, due = task.data, "", list[str]()

    def follows(step: str) -> bool:
        nonlocal taken
        if step.startswith(TAKE):
            taken = "".join(step.removeprefix(TAKE).split()[1::2])
            due.extend(claims(data, taken))
            return step == TAKE + written_chain(data.numbers, taken) and verify(task, taken).value == 1
        left, _, right = step.rpartition(" = ")
        return bool(due) and left == due.pop(0) and evaluate(left) == Fraction(right)

    def ends(step: str) -> bool:
        return step == LEAD + taken and not due and verify(task, taken).value == 1

    return first_wrong(steps, follows, ends)


def _solutions(task: Task[Chain]) -> Iterator[str]:
    # the two orders in which operators are tried keep different ones of those that come to the same
    yield from found_chains(task.data, task.data.signs[::-1])
    yield from found_chains(task.data, task.data.signs)


environment = Environment(
    Knobs,
    Text("the operators in order, from left to right, without the numbers", compact=True, most=60),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    answers="many",
    solutions=_solutions,
    concept="Look at the size of the target: it tells where products are needed; then choose signs for what is left over.",
)
