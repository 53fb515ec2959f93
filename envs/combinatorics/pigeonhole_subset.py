"""Find some of the given numbers whose sum is a multiple of another number.

By the pigeonhole principle there always are some; every choice is accepted.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.solutions import Checks, Derivation, Solution, Step


class Knobs(Config):
    modulus: int = knob(12, easy=11, hard=60, doc="the number whose multiple is wanted")
    digits: int = knob(2, easy=2, hard=6, doc="digits of the numbers")
    offset: int = knob(0, easy=0, hard=1, doc="1 where the sum must leave a given remainder that is not 0")


class Data(TaskData):
    numbers: tuple[int, ...]
    modulus: int
    rest: int
    signs: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = _sample_task(rng, knobs, signs=False)
    condition = f"is a multiple of {data.modulus}" if data.rest == 0 else f"leaves the remainder {data.rest} when divided by {data.modulus}"
    return Task(f"Choose one or more of these numbers so that their sum {condition}: {_number_list(data)}. Any such choice will do.", data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Two groups instead of one: the difference of their sums is wanted."""
    data = _sample_task(rng, knobs, signs=True)
    condition = f"is a multiple of {data.modulus}" if data.rest == 0 else f"leaves the remainder {data.rest} when divided by {data.modulus}"
    return Task(
        f"Write + or - before some of these numbers (at least one, none twice) and leave the others out, so that the total {condition} (below 0 a multiple of "
        f"{data.modulus} may be added first): {_number_list(data)}. Any such choice will do. Give the numbers with their signs.",
        data,
    )


def _sample_task(rng: Rng, knobs: Knobs, signs: bool) -> Data:
    while True:
        data = _sample_data(rng, knobs, signs)
        numbers = data.numbers
        # Numbers that stand side by side, or all of them, would be right without any sums.
        runs = (numbers, numbers[1:], numbers[:-1], numbers[:2], numbers[-2:], numbers[: len(numbers) // 2], numbers[::2])
        if not any(sum(run) % data.modulus == data.rest for run in runs):
            return data


def _sample_data(rng: Rng, knobs: Knobs, signs: bool) -> Data:
    modulus = max(4, knobs.modulus + rng.integer(-1, 4))
    low, high = 10 ** (knobs.digits - 1), 10**knobs.digits + 2 * modulus
    # Subset sums of so few numbers need not give every remainder, so that one that they give is drawn.
    size = max(3, modulus.bit_length() - (2 if signs else 0) + 2)
    pool = [number for number in rng.sample(range(low, min(high, low + 4000)), min(high - low, 40 + size)) if number % modulus]
    numbers = pool[:size]
    remainder = 0
    for _ in range(20):
        chosen = rng.sample(numbers, rng.integer(2, size))
        remainder = sum(number * (rng.choice((1, -1)) if signs else 1) for number in chosen) % modulus
        # a single number that does is too easy
        if all((number - remainder) % modulus and (number + remainder) % modulus for number in numbers):
            break
    data = Data(numbers=tuple(numbers), modulus=modulus, rest=remainder if knobs.offset else 0, signs=signs)
    if data.rest or knobs.offset or next(_remainder_search(data), None):
        return data
    return data.model_copy(update={"numbers": (*numbers[:-1], numbers[-1] + (-sum(numbers)) % modulus)})


def solve(task: Task[Data]) -> tuple[int, ...]:
    return next(_remainder_search(task.data))


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    data = task.data
    plain = [abs(number) for number in answer]
    if len(answer) > len(data.numbers) or len(set(plain)) < len(plain) or not set(plain) <= set(data.numbers):
        return Score.wrong("the answer must use numbers of the list, each at most once")
    if not answer or (min(answer) < 0 and not data.signs):
        return Score.wrong("the answer needs at least one number, and signs only where the task asks for them")
    return Score.exact(sum(answer) % data.modulus == data.rest, "the sum has a different remainder")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    return [right[:-1] or (0,), data.numbers[:1], right * 2, (*right, data.modulus), data.numbers]


def cost(task: Task[Data]) -> float:
    return task.data.modulus * len(task.data.numbers) * len(str(max(task.data.numbers))) * (2 if task.data.rest else 1)


REST = Step("{number:int} leaves {rest:int} when divided by {modulus:int}")
ADD = Step(
    "With {number:int} the remainders make {before:int} {sign} {rest:int} = {total:int}, which is {left:int} and a multiple of {modulus:int}"
)
END = "The numbers are {answer}"


def derive(task: Task[Data]) -> Derivation:
    data, total = task.data, 0
    for number in data.numbers:
        yield REST(number=number, rest=number % data.modulus, modulus=data.modulus)
    for number in solve(task):
        rest, sign = abs(number) % data.modulus, "-" if number < 0 else "+"
        added = total - rest if number < 0 else total + rest
        remainder = added % data.modulus
        yield ADD(number=number, before=total, sign=sign, rest=rest, total=added, left=remainder, modulus=data.modulus)
        total = remainder


def checks(task: Task[Data]) -> Checks:
    data, remainders = task.data, [0]

    def is_remainder(number: int, rest: int, modulus: int) -> bool:
        return number in data.numbers and rest == number % data.modulus and modulus == data.modulus

    def is_added(number: int, before: int, sign: str, rest: int, total: int, left: int, modulus: int) -> bool:
        remainders.append(left)
        fits = abs(number) in data.numbers and modulus == data.modulus and rest == abs(number) % modulus and before == remainders[-2]
        added = before - rest if number < 0 else before + rest
        return fits and sign == "+-"[number < 0] and total == added and left == total % modulus

    return {REST: is_remainder, ADD: is_added}


def _number_list(data: Data) -> str:
    return ", ".join(map(str, data.numbers))


def _remainder_search(data: Data) -> Iterator[tuple[int, ...]]:
    """Number by number, one choice for each remainder reached; a choice is yielded when it reaches the wanted remainder."""
    choices: dict[int, tuple[int, ...]] = {}
    for number in data.numbers:
        for signed in (number, -number) if data.signs else (number,):
            for remainder, choice in [(0, ()), *list(choices.items())]:
                after = (remainder + signed) % data.modulus
                if number in map(abs, choice):
                    continue
                if after == data.rest:
                    yield (*choice, signed)
                choices.setdefault(after, (*choice, signed))


environment = Environment(
    Knobs, Numbers("the chosen numbers, separated by commas", max_items=60), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, answers="many",
    solutions=lambda task: [answer[::-1] for answer in _remainder_search(task.data)],
    concept="Only the remainders matter: keep for every remainder one choice that gives it, and let in one number after the other.",
    version=4,
)  # fmt: skip
