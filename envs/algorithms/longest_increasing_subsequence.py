"""Pick places of a list, from left to right, so that the numbers there rise and are as many, or weigh as much, as can be.

Every best choice is accepted, not one stored list.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.steps import Line, first_wrong

RULES = {
    "rising": "each chosen number must be larger than the one chosen before it",
    "steps": "each chosen number must be larger than the one chosen before it, by at most {most}",
    "zigzag": "the differences between neighbouring chosen numbers must be alternately above and below 0, where the first may be either",
}
REACHES = Line("The best choice that ends at place {place} {way} is worth {worth}, after {before}")
DONE = Line("The best of all is worth {worth}: places {places}")
Node = tuple[int, int]  # place from 1, and the direction of the last difference: 1 up, -1 down, 0 none yet


class Knobs(Config):
    numbers: int = knob(14, easy=5, hard=40, doc="numbers in the list")
    rule: str = knob("steps", easy="rising", hard="zigzag", order=tuple(RULES), doc="what makes a choice allowed")
    worth: str = knob("count", easy="count", hard="sum", order=("count", "sum"), doc="what is made as large as can be")


class Data(TaskData):
    numbers: tuple[int, ...]
    rule: str
    step: int
    weighed: bool
    best: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, tuple(rng.integer(1, 3 * knobs.numbers) for _ in range(knobs.numbers)))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Lists of falling runs, each of which can give little, laid one after the other."""
    numbers: list[int] = []
    while len(numbers) < knobs.numbers:
        numbers += sorted((rng.integer(1, 3 * knobs.numbers) for _ in range(rng.integer(2, 5))), reverse=True)
    return _made(rng, knobs, tuple(numbers[: knobs.numbers]))


def solve(task: Task[Data]) -> tuple[int, ...]:
    """From the right: the best choice that starts at each place; the table in the data is made from the left."""
    data = task.data
    best: dict[Node, tuple[int, tuple[int, ...]]] = {}
    for place in range(len(data.numbers), 0, -1):
        for way in (0, 1, -1):
            after = [
                best[later, turn]
                for later in range(place + 1, len(data.numbers) + 1)
                for turn in (1, -1)
                if _fits(data, place, way, later, turn)
            ]
            worth, places = max(after, key=lambda one: one[0], default=(0, ()))
            best[place, way] = worth + _worth(data, place), (place, *places)
    return max((best[place, 0] for place in range(1, len(data.numbers) + 1)), key=lambda one: one[0])[1]


def verify(task: Task[Data], answer: Sequence[int]) -> Score:
    data = task.data
    if len(answer) > len(data.numbers) or not all(1 <= place <= len(data.numbers) for place in answer):
        return Score.wrong(f"places go from 1 to {len(data.numbers)}")
    way = 0
    for i in range(1, len(answer)):
        one, two = answer[i - 1], answer[i]
        turn = 1 if data.numbers[two - 1] > data.numbers[one - 1] else -1
        if two <= one or not _fits(data, one, way, two, turn):
            return Score.wrong(f"place {two} cannot follow place {one} there")
        way = turn
    return Score.exact(sum(_worth(data, place) for place in answer) == data.best, "there is a better choice")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    greedy, way = [1], 0
    for place in range(2, len(data.numbers) + 1):
        turn = 1 if data.numbers[place - 1] > data.numbers[greedy[-1] - 1] else -1
        if _fits(data, greedy[-1], way, place, turn):
            greedy.append(place)
            way = turn
    wrong = [tuple(greedy), right[:-1], right[1:], tuple(data.numbers[place - 1] for place in right), tuple(place - 1 for place in right)]
    return [answer for answer in wrong if verify(task, answer).value == 0]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.numbers) ** 2 * (1 + list(RULES).index(data.rule)) * (1 + data.weighed))


def explain(task: Task[Data]) -> list[str]:
    data, right = task.data, solve(task)
    steps = []
    for (place, way), (worth, before) in _table(data).items():
        steps.append(REACHES.write(place=place, way=_WAYS[way], worth=worth, before=f"place {before[0]}" if before else "nothing"))
    return [*steps, DONE.write(worth=data.best, places=", ".join(map(str, right)))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    known: dict[Node, int] = {}

    def follows(step: str) -> bool:
        said = REACHES.read(step) or {}
        place, worth = int(said["place"]), int(said["worth"])
        way = {words: way for way, words in _WAYS.items()}[said["way"]]
        if not 1 <= place <= len(data.numbers) or (place, way) in known:
            return False
        earlier = [(value, one) for (one, before), value in known.items() if way and _fits(data, one, before, place, way)]
        known[place, way] = worth
        best = max(earlier, default=(0, 0))[0]
        if not way:
            return said["before"] == "nothing" and worth == _worth(data, place)
        return worth == best + _worth(data, place) and (best, int(said["before"].removeprefix("place "))) in earlier

    def ends(step: str) -> bool:
        said = DONE.read(step) or {}
        places = tuple(map(int, said["places"].split(", ")))
        return int(said["worth"]) == max(known.values()) and verify(task, places).value == 1

    return first_wrong(steps, follows, ends)


_WAYS = {0: "as its first", 1: "by a rise", -1: "by a fall"}


def _made(rng: Rng, knobs: Knobs, numbers: tuple[int, ...]) -> Task[Data]:
    data = Data(numbers=numbers, rule=knobs.rule, step=rng.integer(knobs.numbers // 2, knobs.numbers), weighed=knobs.worth == "sum", best=0)
    data = data.model_copy(update={"best": max(worth for worth, _ in _table(data).values())})
    aim = "their sum is as large as possible" if data.weighed else "they are as many as possible"
    prompt = (
        f"A list of numbers: {', '.join(map(str, numbers))}\n\nChoose some of them, going from left to right: "
        f"{RULES[data.rule].format(most=data.step)}. Choose so "
        f"that {aim}. Give the places of the chosen numbers in the list, from left to right; the first number has place 1."
    )
    return Task(prompt, data)


def _worth(data: Data, place: int) -> int:
    return data.numbers[place - 1] if data.weighed else 1


def _fits(data: Data, one: int, way: int, two: int, turn: int) -> bool:
    """Whether the place `two` can follow `one`, which was come to in the direction `way`, by the difference `turn`."""
    change = data.numbers[two - 1] - data.numbers[one - 1]
    if two <= one or not change or (change > 0) != (turn > 0):
        return False
    if data.rule == "zigzag":
        return way != turn
    return turn > 0 and way >= 0 and (data.rule == "rising" or change <= data.step)


def _table(data: Data) -> dict[Node, tuple[int, Node | None]]:
    """Of each place and last difference, the best choice that ends so: its worth and what stands before."""
    table: dict[Node, tuple[int, Node | None]] = {}
    for place in range(1, len(data.numbers) + 1):
        own = _worth(data, place)
        fresh: dict[Node, tuple[int, Node | None]] = {(place, 0): (own, None)}
        for before, (worth, _) in table.items():
            for turn in (1, -1):
                if _fits(data, *before, place, turn) and worth + own > fresh.get((place, turn), (0, None))[0]:
                    fresh[place, turn] = worth + own, before
        table |= fresh
    return table


def _others(task: Task[Data]) -> Iterator[tuple[int, ...]]:
    """All best choices, read back from the table of ends."""
    data, table = task.data, _table(task.data)
    open_ends: list[tuple[Node, tuple[int, ...]]] = [(node, (node[0],)) for node, (worth, _) in table.items() if worth == data.best]
    while open_ends:
        (place, way), places = open_ends.pop()
        if not way:
            yield places
        for node, (worth, _) in table.items():
            if way and _fits(data, *node, place, way) and worth + _worth(data, place) == table[place, way][0]:
                open_ends.append((node, (node[0], *places)))


environment = Environment(
    Knobs,
    Numbers("the places from left to right, separated by commas", most=200),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    answers="many",
    solutions=_others,
    concept="For each place, the best choice that ends there is the best choice that it can follow, with this place added.",
)
