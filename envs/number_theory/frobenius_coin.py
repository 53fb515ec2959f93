"""Find the largest amount that some coins cannot pay, or how many amounts they cannot pay."""

from collections.abc import Iterator
from math import gcd

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.calculations import LAST, CalculationStep
from rlgym.generators.numbers.factors import Facts, residue_line, residue_solution
from rlgym.generators.text.english import join_words

CLOSING = CalculationStep(LAST + "{name} = {formula} = {answer}")
CONCEPT = "For each remainder modulo the smallest coin find the least amount that can be paid; below it, that remainder cannot be paid."


class Knobs(Config):
    coins: int = knob(3, easy=2, hard=4, doc="kinds of coins")
    smallest: int = knob(11, easy=4, hard=32, doc="the smallest coin, about")
    parity: str = knob("any", easy="any", hard="even", order=("any", "even"), doc="whether only even amounts are in question")


class Data(TaskData):
    coins: tuple[int, ...]
    counting: bool
    even: bool
    result: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, counting=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """How many amounts cannot be paid, instead of the largest one."""
    return _sample_task(rng, knobs, counting=True)


def _sample_task(rng: Rng, knobs: Knobs, counting: bool) -> Task[Data]:
    low = knobs.smallest + rng.integer(-1, 4)
    coins = [low]
    while len(coins) < knobs.coins or gcd(*coins) > 1 or (knobs.parity == "even" and low % 2 == 0 and len(coins) < 2):
        coins = [low, *sorted(rng.sample(range(low + 1, 5 * low + 6), knobs.coins - 1))]
    even = knobs.parity == "even"
    data = Data(coins=tuple(coins), counting=counting, even=even, result=0)
    data = data.model_copy(update={"result": _result(data, _least_amounts(data))})
    money = rng.choice(("cents", "pence", "kopeks", "paise", "centimes", "groschen"))
    kind = "even " if even else "whole "
    question = (
        f"How many {kind}amounts greater than 0 cannot be paid" if counting else f"What is the largest {kind}amount that cannot be paid"
    )
    none = "" if counting else " (The answer is 0 if every such amount greater than 0 can be paid.)"
    return Task(
        f"There are coins of {join_words([*map(str, coins)])} {money}, as many as you like of each. {question} exactly, without change?{none}",
        data,
    )


def solve(task: Task[Data]) -> int:
    """Amount by amount, until as many consecutive amounts as the smallest coin can be paid."""
    data = task.data
    paid, missing, run = [True], [], 0
    while run < data.coins[0]:
        amount = len(paid)
        paid.append(any(amount >= coin and paid[amount - coin] for coin in data.coins))
        run = run + 1 if paid[-1] else 0
        missing += [] if paid[-1] or (data.even and amount % 2) else [amount]
    return len(missing) if data.counting else missing[-1] if missing else 0


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.result, "another number is right")


def mistakes(task: Task[Data], right: int) -> list[int]:
    a, b = task.data.coins[:2]
    return [a * b - a - b, (a - 1) * (b - 1) // 2, right + task.data.coins[0], right + 1, right - 2]


def cost(task: Task[Data]) -> float:
    data = task.data
    return data.coins[0] * len(data.coins) * (2.0 if data.even else 1.0)


def _lines(task: Task[Data]) -> Iterator[str]:
    data = task.data
    least, step = _least_amounts(data), data.coins[0] * (2 if data.even and data.coins[0] % 2 else 1)
    for rest, amount in sorted(least.items(), key=lambda item: item[1]):
        coin = next((coin for coin in data.coins[1:] if amount - coin in least.values()), data.coins[0])
        if amount:
            yield residue_line(f"least amount with remainder {rest}", f"{amount - coin} + {coin}")
    relevant = {rest: amount for rest, amount in least.items() if not data.even or rest % 2 == 0}
    if data.counting:
        formula = " + ".join(f"({amount} - {rest})/{step}" for rest, amount in relevant.items() if amount > rest) or "0"
    else:
        most = max(relevant.values())
        formula = f"{most} - {step}" if most > step else "0"
    yield LAST + residue_line("result", formula)


def _facts(task: Task[Data]) -> Facts:
    least = {f"least amount with remainder {rest}": (amount, 0) for rest, amount in _least_amounts(task.data).items()}
    return {**least, "result": (task.data.result, 0)}


def _least_amounts(data: Data) -> dict[int, int]:
    """The least amount that can be paid with each remainder modulo the smallest coin (twice that coin if it is odd and only even amounts count),
    by Dijkstra's algorithm."""
    step = data.coins[0] * (2 if data.even and data.coins[0] % 2 else 1)
    least, open_ = {0: 0}, {0: 0}
    done: dict[int, int] = {}
    while open_:
        rest = min(open_, key=lambda candidate: (open_[candidate], candidate))
        amount = done[rest] = open_.pop(rest)
        for coin in data.coins:
            after = (rest + coin) % step
            if after not in done and amount + coin < least.get(after, amount + coin + 1):
                least[after] = open_[after] = amount + coin
    return done


def _result(data: Data, least: dict[int, int]) -> int:
    step = len(least)
    relevant = {rest: amount for rest, amount in least.items() if not data.even or rest % 2 == 0}
    return sum((amount - rest) // step for rest, amount in relevant.items()) if data.counting else max(0, max(relevant.values()) - step)


solution = residue_solution(_lines, _facts, CLOSING, known=lambda task: range(2 * task.data.coins[0] + 1))

environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost, solution=solution, shift=shift, concept=CONCEPT, version=3
)
