"""Find the largest amount that some coins cannot pay, or how many amounts they cannot pay."""

from collections.abc import Sequence
from math import gcd

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.numbers.factors import Residues, reduced
from rlgym.generators.steps import first_wrong
from rlgym.generators.worked import LAST


class Knobs(Config):
    coins: int = knob(3, easy=2, hard=4, doc="kinds of coins")
    smallest: int = knob(11, easy=4, hard=32, doc="the smallest coin, about")
    parity: str = knob("any", easy="any", hard="even", order=("any", "even"), doc="whether only even amounts are asked about")


class Data(TaskData):
    coins: tuple[int, ...]
    counting: bool
    even: bool
    result: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, counting=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """How many amounts cannot be paid, instead of the largest one."""
    return _made(rng, knobs, counting=True)


def _made(rng: Rng, knobs: Knobs, counting: bool) -> Task[Data]:
    low = knobs.smallest + rng.integer(-1, 4)
    coins = [low]
    while len(coins) < knobs.coins or gcd(*coins) > 1 or (knobs.parity == "even" and low % 2 == 0 and len(coins) < 2):
        coins = [low, *sorted(rng.sample(range(low + 1, 5 * low + 6), knobs.coins - 1))]
    even = knobs.parity == "even"
    data = Data(coins=tuple(coins), counting=counting, even=even, result=0)
    data = data.model_copy(update={"result": _result(data, _least(data))})
    money = rng.choice(("cents", "pence", "kopeks", "paise", "centimes", "groschen"))
    kind = "even whole " if even else "whole "
    asked = f"How many {kind}amounts greater than 0 cannot be paid" if counting else f"What is the largest {kind}amount that cannot be paid"
    none = "" if counting else " (The answer is 0 if every such amount greater than 0 can be paid.)"
    return Task(
        f"There are coins of {', '.join(map(str, coins))} {money}, as many as you like of each. {asked} exactly, without change?{none}",
        data,
    )


def solve(task: Task[Data]) -> int:
    """Amount by amount, until so many in a row can be paid that all further ones can."""
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


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    least, step = _least(data), data.coins[0] * (2 if data.even and data.coins[0] % 2 else 1)
    for rest, amount in sorted(least.items(), key=lambda item: item[1]):
        coin = next((coin for coin in data.coins[1:] if amount - coin in least.values()), data.coins[0])
        if amount:
            steps.append(reduced(f"least amount with remainder {rest}", f"{amount - coin} + {coin}"))
    wanted = {rest: amount for rest, amount in least.items() if not data.even or rest % 2 == 0}
    if not data.counting:
        most = max(wanted.values())
        return [*steps, LAST + reduced("result", f"{most} - {step}" if most > step else "0")]
    terms = [f"({amount} - {rest})/{step}" for rest, amount in wanted.items() if amount > rest]
    return [*steps, LAST + reduced("result", " + ".join(terms) or "0")]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, least = task.data, _least(task.data)
    facts = {f"least amount with remainder {rest}": (amount, 0) for rest, amount in least.items()} | {"result": (data.result, 0)}
    sheet = Residues(task.prompt, facts, range(2 * data.coins[0] + 1))
    return first_wrong(steps, sheet.follows, lambda step: step.startswith(LAST) and sheet.follows(step.removeprefix(LAST)))


def _least(data: Data) -> dict[int, int]:
    """The least amount that can be paid with each remainder modulo the smallest coin (twice it where parity matters and it is odd)."""
    step = data.coins[0] * (2 if data.even and data.coins[0] % 2 else 1)
    least, open_ = {0: 0}, {0: 0}
    done: dict[int, int] = {}
    while open_:
        rest = min(open_, key=lambda one: (open_[one], one))
        amount = done[rest] = open_.pop(rest)
        for coin in data.coins:
            after = (rest + coin) % step
            if after not in done and amount + coin < least.get(after, amount + coin + 1):
                least[after] = open_[after] = amount + coin
    return done


def _result(data: Data, least: dict[int, int]) -> int:
    step = len(least)
    wanted = {rest: amount for rest, amount in least.items() if not data.even or rest % 2 == 0}
    return sum((amount - rest) // step for rest, amount in wanted.items()) if data.counting else max(0, max(wanted.values()) - step)


environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    concept="For each remainder modulo the smallest coin find the least amount that can be paid; below it, that remainder cannot be paid.",
)
