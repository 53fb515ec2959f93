"""Find some of the given numbers whose sum is a multiple of another number.

By the pigeonhole principle there always are some; every choice is accepted.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.steps import Line, ended, first_wrong


class Knobs(Config):
    modulus: int = knob(9, easy=4, hard=60, doc="the number whose multiple is wanted")
    digits: int = knob(2, easy=1, hard=6, doc="digits of the numbers")
    offset: int = knob(0, easy=0, hard=1, doc="1 where the sum must leave a given remainder that is not 0")


class Data(TaskData):
    numbers: tuple[int, ...]
    modulus: int
    rest: int
    signs: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = _made(rng, knobs, signs=False)
    many = f"is a multiple of {data.modulus}" if data.rest == 0 else f"leaves the remainder {data.rest} when divided by {data.modulus}"
    return Task(f"Choose one or more of these numbers so that their sum {many}: {_listed(data)}. Any such choice will do.", data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Two groups instead of one: the difference of their sums is wanted."""
    data = _made(rng, knobs, signs=True)
    many = f"is a multiple of {data.modulus}" if data.rest == 0 else f"leaves the remainder {data.rest} when divided by {data.modulus}"
    return Task(
        f"Write + or - before some of these numbers (at least one, none twice) and leave the others out, so that the total {many} (below 0 a multiple of "
        f"{data.modulus} may be added first): {_listed(data)}. Any such choice will do. Give the numbers with their signs.",
        data,
    )


def _made(rng: Rng, knobs: Knobs, signs: bool) -> Data:
    modulus = max(4, knobs.modulus + rng.integer(-1, 4))
    low, high = 10 ** (knobs.digits - 1), 10**knobs.digits + 2 * modulus
    # Subset sums of so few numbers need not give every remainder, so that one that they give is drawn.
    many = max(3, modulus.bit_length() - (2 if signs else 0) + 2)
    pool = [number for number in rng.sample(range(low, min(high, low + 4000)), min(high - low, 40 + many)) if number % modulus]
    numbers = pool[:many]
    rest = 0
    for _ in range(20):
        chosen = rng.sample(numbers, rng.integer(2, many))
        rest = sum(number * (rng.choice((1, -1)) if signs else 1) for number in chosen) % modulus
        # a single number that does is too easy
        if all((number - rest) % modulus and (number + rest) % modulus for number in numbers):
            break
    data = Data(numbers=tuple(numbers), modulus=modulus, rest=rest if knobs.offset else 0, signs=signs)
    if data.rest or knobs.offset or next(_answers(data), None):
        return data
    return data.model_copy(update={"numbers": (*numbers[:-1], numbers[-1] + (-sum(numbers)) % modulus)})


def solve(task: Task[Data]) -> tuple[int, ...]:
    return next(_answers(task.data))


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    data = task.data
    plain = [abs(number) for number in answer]
    if len(answer) > len(data.numbers) or len(set(plain)) < len(plain) or not set(plain) <= set(data.numbers):
        return Score.wrong("some of the numbers of the list, each at most once, are asked for")
    if not answer or (min(answer) < 0 and not data.signs):
        return Score.wrong("at least one number is asked for, without signs but where the task asks for them")
    return Score.exact(sum(answer) % data.modulus == data.rest, "the sum leaves another remainder")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    return [right[:-1] or (0,), data.numbers[:1], right * 2, (*right, data.modulus), data.numbers]


def cost(task: Task[Data]) -> float:
    return task.data.modulus * len(task.data.numbers) * len(str(max(task.data.numbers))) * (2 if task.data.rest else 1)


REST = Line("{number} leaves {rest} when divided by {modulus}")
ADD = Line("With {number} the remainders make {before} {sign} {rest} = {total}, which is {left} and a multiple of {modulus}")
END = "The numbers are "


def explain(task: Task[Data]) -> list[str]:
    data, steps, total = task.data, list[str](), 0
    answer = solve(task)
    for number in data.numbers:
        steps.append(REST.write(number=number, rest=number % data.modulus, modulus=data.modulus))
    for number in answer:
        rest, sign = abs(number) % data.modulus, "-" if number < 0 else "+"
        added = total - rest if number < 0 else total + rest
        told = {"before": total, "sign": sign, "rest": rest, "total": added, "left": added % data.modulus, "modulus": data.modulus}
        steps.append(ADD.write(number=number, **told))
        total = added % data.modulus
    return [*steps, END + environment.answer.render(answer)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, lefts = task.data, [0]

    def follows(step: str) -> bool:
        if said := REST.read(step):
            number = int(said["number"])
            return number in data.numbers and int(said["rest"]) == number % data.modulus and int(said["modulus"]) == data.modulus
        if not (said := ADD.read(step)):
            return False
        number, before, rest, total, left, modulus = (int(said[gap]) for gap in ("number", "before", "rest", "total", "left", "modulus"))
        lefts.append(left)
        fits = abs(number) in data.numbers and modulus == data.modulus and rest == abs(number) % modulus and before == lefts[-2]
        sign = -1 if number < 0 else 1
        return fits and said["sign"] == "+-"[number < 0] and total == before + sign * rest and left == total % modulus

    return first_wrong(steps, follows, ended(END, task, environment.answer, verify))


def _listed(data: Data) -> str:
    return ", ".join(map(str, data.numbers))


def _answers(data: Data) -> Iterator[tuple[int, ...]]:
    """Number by number, one way to each remainder that has been reached; a way is told when it comes to the wanted one."""
    ways: dict[int, tuple[int, ...]] = {}
    for number in data.numbers:
        for signed in (number, -number) if data.signs else (number,):
            for rest, way in [(0, ()), *list(ways.items())]:
                after = (rest + signed) % data.modulus
                if number in map(abs, way):
                    continue
                if after == data.rest:
                    yield (*way, signed)
                ways.setdefault(after, (*way, signed))


environment = Environment(
    Knobs,
    Numbers("the chosen numbers, separated by commas", most=60),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=lambda task: [answer[::-1] for answer in _answers(task.data)],
    concept="Only the remainders matter: keep for every remainder one choice that gives it, and let in one number after the other.",
)
