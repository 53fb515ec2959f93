"""Pick places of a list, from left to right, so that the numbers there rise and are as many, or weigh as much, as can be.

Every best choice is accepted, not one stored list.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.solutions import Checks, Derivation, Solution, Step

FEW_NUMBERS, FEW_CHOICES = 12, 2  # of so few numbers, at most so many choices are best: more would be guessed
RULES = {
    "rising": "each chosen number must be larger than the one chosen before it",
    "steps": "each chosen number must be larger than the one chosen before it, by at most {most}",
    "zigzag": "the differences between neighbouring chosen numbers must alternate between positive and negative, starting with either",
}
DIRECTIONS = {0: "as its first", 1: "by a rise", -1: "by a fall"}
REACHES = Step("The best choice that ends at place {place:int} {way} is worth {worth:int}, after {before}")
DONE = Step("The best of all is worth {worth:int}: places {answer}")


class Node(NamedTuple):
    place: int  # from 1
    direction: int  # of the last difference: 1 up, -1 down, 0 none yet


class Knobs(Config):
    numbers: int = knob(14, easy=8, hard=40, doc="numbers in the list")
    rule: str = knob("steps", easy="rising", hard="zigzag", order=tuple(RULES), doc="what makes a choice allowed")
    worth: str = knob("count", easy="count", hard="sum", order=("count", "sum"), doc="what is made as large as can be")


class Data(TaskData):
    numbers: tuple[int, ...]
    rule: str
    step: int
    weighed: bool
    best: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, tuple(rng.integer(1, 3 * knobs.numbers) for _ in range(knobs.numbers)))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Concatenated falling runs, each of which can contribute little."""
    while True:
        numbers: list[int] = []
        while len(numbers) < knobs.numbers:
            numbers += sorted((rng.integer(1, 3 * knobs.numbers) for _ in range(rng.integer(2, 5))), reverse=True)
        task = _sample_task(rng, knobs, tuple(numbers[: knobs.numbers]))
        if knobs.numbers > FEW_NUMBERS or _best_choices(task.data) <= FEW_CHOICES:
            return task


def solve(task: Task[Data]) -> tuple[int, ...]:
    """From the right: the best choice that starts at each place; the table in the data is made from the left."""
    data = task.data
    best: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {}
    for place in range(len(data.numbers), 0, -1):
        for direction in (0, 1, -1):
            after = [
                best[later, next_direction]
                for later in range(place + 1, len(data.numbers) + 1)
                for next_direction in (1, -1)
                if _fits(data, place, direction, later, next_direction)
            ]
            worth, places = max(after, key=lambda place_before: place_before[0], default=(0, ()))
            best[place, direction] = worth + _worth(data, place), (place, *places)
    return max((best[place, 0] for place in range(1, len(data.numbers) + 1)), key=lambda place_before: place_before[0])[1]


def verify(task: Task[Data], answer: Sequence[int]) -> Score:
    data = task.data
    if len(answer) > len(data.numbers) or not all(1 <= place <= len(data.numbers) for place in answer):
        return Score.wrong(f"positions range from 1 to {len(data.numbers)}")
    direction = 0
    for i in range(1, len(answer)):
        place_before, place_after = answer[i - 1], answer[i]
        next_direction = 1 if data.numbers[place_after - 1] > data.numbers[place_before - 1] else -1
        if place_after <= place_before or not _fits(data, place_before, direction, place_after, next_direction):
            return Score.wrong(f"place {place_after} cannot follow place {place_before} there")
        direction = next_direction
    return Score.exact(sum(_worth(data, place) for place in answer) == data.best, "there is a better choice")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    greedy, direction = [1], 0
    for place in range(2, len(data.numbers) + 1):
        next_direction = 1 if data.numbers[place - 1] > data.numbers[greedy[-1] - 1] else -1
        if _fits(data, greedy[-1], direction, place, next_direction):
            greedy.append(place)
            direction = next_direction
    wrong = [tuple(greedy), right[:-1], right[1:], tuple(data.numbers[place - 1] for place in right), tuple(place - 1 for place in right)]
    return [answer for answer in wrong if verify(task, answer).value == 0]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.numbers) ** 2 * (1 + list(RULES).index(data.rule)) * (1 + data.weighed))


def derive(task: Task[Data]) -> Derivation:
    for (place, direction), (worth, before) in _best_endings(task.data).items():
        yield REACHES(place=place, way=DIRECTIONS[direction], worth=worth, before=f"place {before.place}" if before else "nothing")
    yield DONE(worth=task.data.best, answer=", ".join(map(str, solve(task))))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    known: dict[Node, int] = {}
    directions = {words: direction for direction, words in DIRECTIONS.items()}

    def is_best(place: int, way: str, worth: int, before: str) -> bool:
        direction = directions[way]
        if not 1 <= place <= len(data.numbers) or (place, direction) in known:
            return False
        earlier = [(value, old.place) for old, value in known.items() if direction and _fits(data, *old, place, direction)]
        known[Node(place, direction)] = worth
        best = max(earlier, default=(0, 0))[0]
        if not direction:
            return before == "nothing" and worth == _worth(data, place)
        return worth == best + _worth(data, place) and (best, int(before.removeprefix("place "))) in earlier

    return {REACHES: is_best, DONE: lambda worth, answer: worth == max(known.values())}


def _sample_task(rng: Rng, knobs: Knobs, numbers: tuple[int, ...]) -> Task[Data]:
    data = Data(numbers=numbers, rule=knobs.rule, step=rng.integer(knobs.numbers // 2, knobs.numbers), weighed=knobs.worth == "sum", best=0)
    data = data.model_copy(update={"best": max(worth for worth, _ in _best_endings(data).values())})
    aim = "their sum is as large as possible" if data.weighed else "they are as many as possible"
    prompt = (
        f"A list of numbers: {', '.join(map(str, numbers))}\n\nChoose some of them, going from left to right: "
        f"{RULES[data.rule].format(most=data.step)}. Choose so "
        f"that {aim}. Give the places of the chosen numbers in the list, from left to right; the first number has place 1."
    )
    return Task(prompt, data)


def _best_choices(data: Data) -> int:
    """The number of best choices, from the best worths and their numbers of choices at every last place and direction."""
    table: dict[tuple[int, int], tuple[int, int]] = {}
    for place in range(1, len(data.numbers) + 1):
        table[place, 0] = (_worth(data, place), 1)
        for after in (1, -1):
            ends = [entry for (before, direction), entry in table.items() if _fits(data, before, direction, place, after)]
            if ends:
                top = max(worth for worth, _ in ends)
                table[place, after] = (top + _worth(data, place), sum(choices for worth, choices in ends if worth == top))
    return sum(choices for worth, choices in table.values() if worth == data.best)


def _worth(data: Data, place: int) -> int:
    return data.numbers[place - 1] if data.weighed else 1


def _fits(data: Data, place_before: int, direction: int, place_after: int, next_direction: int) -> bool:
    """Whether one place can follow another that was reached in `direction`, with a difference in `next_direction`."""
    change = data.numbers[place_after - 1] - data.numbers[place_before - 1]
    if place_after <= place_before or not change or (change > 0) != (next_direction > 0):
        return False
    if data.rule == "zigzag":
        return direction != next_direction
    return next_direction > 0 and direction >= 0 and (data.rule == "rising" or change <= data.step)


def _best_endings(data: Data) -> dict[Node, tuple[int, Node | None]]:
    """For each place and last difference the best choice that ends there: its worth and its predecessor."""
    table: dict[Node, tuple[int, Node | None]] = {}
    for place in range(1, len(data.numbers) + 1):
        own = _worth(data, place)
        new_endings: dict[Node, tuple[int, Node | None]] = {Node(place, 0): (own, None)}
        for before, (worth, _) in table.items():
            for next_direction in (1, -1):
                if _fits(data, *before, place, next_direction) and worth + own > new_endings.get(Node(place, next_direction), (0, None))[0]:
                    new_endings[Node(place, next_direction)] = worth + own, before
        table |= new_endings
    return table


def _other_answers(task: Task[Data]) -> Iterator[tuple[int, ...]]:
    """All best choices, read back from the table of ends."""
    data, table = task.data, _best_endings(task.data)
    open_ends: list[tuple[Node, tuple[int, ...]]] = [(node, (node.place,)) for node, (worth, _) in table.items() if worth == data.best]
    while open_ends:
        (place, direction), places = open_ends.pop()
        if not direction:
            yield places
        for node, (worth, _) in table.items():
            if direction and _fits(data, *node, place, direction) and worth + _worth(data, place) == table[Node(place, direction)][0]:
                open_ends.append((node, (node.place, *places)))


environment = Environment(
    Knobs, Numbers("the places from left to right, separated by commas", max_items=200), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, DONE, checks), shift=shift, answers="many", solutions=_other_answers,
    concept="For each place, the best choice that ends there is the best choice that it can follow, with this place added.",
    version=4,
)  # fmt: skip
