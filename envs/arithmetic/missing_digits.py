"""Put back the digits that are missing from a written sum or product.

Any filling that makes the equation true is accepted.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.solutions import Derivation, Solution, Step

MOST_LISTED = 5000  # pairs of endings that a worked solution counts
SIGNS = {"sum": "+", "product": "*"}
ANSWER = Numbers("the three completed numbers, separated by commas", max_items=3)
CONCEPT = (
    "Start with the last digit: the last digits of the two numbers settle the last digit of the result, then go one place to the left."
)
PLACE = Step(
    "Digit {count:int} from the right: the digits there must give that of the result. Pairs of endings of the first two numbers that remain: {left:int}; "
    "{some} is one"
)
WHOLE = Step(
    "Among them the whole numbers {first:int} and {second:int} give a result that fits {shown}: {first} {sign} {second} = {result:int}"
)
END = "So the numbers are {answer}"


class Knobs(Config):
    digits: int = knob(4, easy=2, hard=6, beyond=8, doc="digits of the first number")
    hidden: int = knob(40, easy=25, hard=50, doc="percent of the digits that are missing")
    kind: str = knob("product", easy="sum", hard="product", order=tuple(SIGNS), doc="the operation")


class Data(TaskData):
    sign: str
    shown: tuple[str, str, str]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    sign = SIGNS[knobs.kind]
    first = rng.integer(10 ** (knobs.digits - 1), 10**knobs.digits - 1)
    second = rng.integer(
        10 ** (knobs.digits - 1 - (sign == "*" and knobs.digits > 2)), 10 ** (knobs.digits - (sign == "*" and knobs.digits > 2)) - 1
    )
    result = first + second if sign == "+" else first * second
    written = f"{first} {second} {result}"
    places = [i for i, letter in enumerate(written) if letter != " "]
    hidden = set(rng.sample(places, max(2, len(places) * knobs.hidden // 100)))
    left, right, whole = "".join("?" if i in hidden else letter for i, letter in enumerate(written)).split(" ")
    prompt = (
        f"Some digits of this equation are missing, each shown as a question mark:\n{left} {sign} {right} = {whole}\n\nPut digits in their places so that "
        "the equation is true. No number may start with 0. If there are several ways, any of them will do. Give the three completed numbers in the "
        "order of the equation."
    )
    return Task(prompt, Data(sign=sign, shown=(left, right, whole)))


def solve(task: Task[Data]) -> tuple[int, ...]:
    return next(_search_fillings(task.data))


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != 3:
        return Score.wrong("three numbers are needed")
    for number, shown in zip(answer, task.data.shown, strict=True):
        if not _fits(str(number), shown):
            return Score.wrong(f"one of the numbers does not fit {shown}")
    first, second, result = answer
    return Score.exact((first + second if task.data.sign == "+" else first * second) == result, "the equation is not true")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    zeros = tuple(int(shown.replace("?", "0")) for shown in task.data.shown)
    nines = tuple(int(shown.replace("?", "9")) for shown in task.data.shown)
    return [zeros, nines, (right[0], right[1], right[2] + 1), (right[0] + 10, right[1], right[2])]


def cost(task: Task[Data]) -> float:
    # Fillings of the two numbers on the left, and the digits to compute for each column.
    left, right, result = task.data.shown
    return len(result) * 2.0 ** (left.count("?") + right.count("?")) * (len(right) if task.data.sign == "*" else 1)


def derive(task: Task[Data]) -> Derivation:
    data, right = task.data, solve(task)
    pairs = [(0, 0)]
    for place in range(max(map(len, data.shown[:2]))):
        pairs = [pair for a, b in pairs for pair in _extended_endings(data, place, a, b)]
        if len(pairs) > MOST_LISTED:
            break
        yield PLACE(count=place + 1, left=len(pairs), some=_ending_text(right, place + 1))
    first, second, result = right
    yield WHOLE(first=first, second=second, shown=data.shown[2], sign=data.sign, result=result)


def _ending_text(right: tuple[int, ...], places: int) -> str:
    return " and ".join(str(number % 10**places).zfill(places) for number in right[:2])


def _fits(number: str, shown: str) -> bool:
    return len(number) == len(shown) and all(mark in ("?", digit) for digit, mark in zip(number, shown, strict=True))


def _search_fillings(data: Data, digits: str = "0123456789") -> Iterator[tuple[int, ...]]:
    """Every filling, digit by digit from the right: the last k digits of the two numbers settle those of the result."""
    left, right, result_shown = data.shown
    stack = [(0, 0, 0)]
    while stack:
        place, a, b = stack.pop()
        if place >= max(len(left), len(right)):
            result = a + b if data.sign == "+" else a * b
            if _fits(str(result), result_shown):
                yield a, b, result
            continue
        stack += [(place + 1, high, low) for high, low in _extended_endings(data, place, a, b, digits)]


def _extended_endings(data: Data, place: int, a: int, b: int, digits: str = "0123456789") -> Iterator[tuple[int, int]]:
    """The endings of the first two numbers that are one digit longer and fit the result's digit at this place."""
    left, right, whole = data.shown
    for x in _choices(left, place, digits):
        for y in _choices(right, place, digits):
            high, low = a + x * 10**place, b + y * 10**place
            result_so_far = high + low if data.sign == "+" else high * low
            if whole[-1 - place] in ("?", str(result_so_far // 10**place % 10)):
                yield high, low


def _choices(shown: str, place: int, digits: str) -> list[int]:
    if place >= len(shown):
        return [0]
    mark = shown[-1 - place]
    return [int(digit) for digit in digits if mark in ("?", digit) and (digit != "0" or place < len(shown) - 1)]


def _other_solutions(task: Task[Data]) -> Iterator[tuple[int, ...]]:
    return _search_fillings(task.data, "9876543210")


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, END),
    answers="many",
    solutions=_other_solutions,
    concept=CONCEPT,
)
