"""Answer a question about a table in words: filter, group, compare, and name the rows that remain."""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.solutions import Derivation, Due, Solution, Step, any_order

Person = tuple[str, str, str, int, int]  # name, town, trade, age, income
NAMES = """Abe Bea Cal Dee Eli Fay Gil Hal Ida Jon Kay Lou Max Nan Oda Pam Ray Sue Tom Una Vic Wes Yan Zoe""".split()
TOWNS, TRADES = ("Oslo", "Lima", "Cairo"), ("baker", "cook", "nurse", "pilot")
CONDITION = Step("Condition {number:int} ({condition}) holds for {count:int} of {all:int}: {names:words}")
END = "All conditions hold for {answer}"


class Knobs(Config):
    people: int = knob(10, easy=7, hard=24, doc="rows of the table")
    steps: int = knob(2, easy=1, hard=4, doc="conditions of the question, the later ones about groups")
    near: int = knob(20, easy=40, hard=8, doc="largest difference of two incomes")


class Data(TaskData):
    people: tuple[Person, ...]
    steps: tuple[str, ...]
    low: int
    high: int
    right: tuple[str, ...]


TEXTS = {
    "between": "The person is older than {low} and younger than {high}.",
    "town": "At least two people in the person's town have the same trade as the oldest person in the table (the person and the oldest person count, too).",
    "average": "The person's income is above the average income of everyone in the same town, the person included.",
    "richer": "The person has a larger income than every older person with the same trade (this also holds if there is no such older person).",
    "rare": "The number of people with the person's trade is at most half the number of people with the most common trade.",
    "odd": "Nobody in another town has the same age as the person.",
}


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 40)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Ages that nearly all occur more than once."""
    return _sample_task(rng, knobs, 6)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Condition by condition over the whole table, by sets of names."""
    people = task.data.people
    names = {person[0] for person in people}
    for step in task.data.steps:
        match step:
            case "between":
                names &= {name for name, _, _, age, _ in people if task.data.low < age < task.data.high}
            case "town":
                trade = max(people, key=lambda person: person[3])[2]
                names &= {name for name, town, *_ in people if len([1 for person in people if person[1:3] == (town, trade)]) > 1}
            case "average":
                for place in TOWNS:
                    incomes = [person[4] for person in people if person[1] == place]
                    names -= {person[0] for person in people if person[1] == place and person[4] * len(incomes) <= sum(incomes)}
            case "richer":
                names -= {
                    person[0]
                    for person in people
                    for other in people
                    if person[2] == other[2] and other[3] > person[3] and other[4] >= person[4]
                }
            case "rare":
                counts = {trade: sum(person[2] == trade for person in people) for trade in TRADES}
                names &= {person[0] for person in people if 2 * counts[person[2]] <= max(counts.values())}
            case "odd":
                names -= {person[0] for person in people for other in people if person[3] == other[3] and person[1] != other[1]}
    return tuple(sorted(name.lower() for name in names))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    if len(set(answer)) < len(answer):
        return Score.wrong("a name is given twice")
    return Score.exact(tuple(sorted(answer)) == task.data.right, "some name is missing or does not belong there")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    fewer = _matching_people(data.model_copy(update={"steps": data.steps[:-1]}))
    return [
        fewer,
        tuple(sorted(person[0].lower() for person in data.people)),
        right[1:] or ("none",),
        (*right, "somebody"),
        (right[0], right[0]),
    ]


def cost(task: Task[Data]) -> float:
    return len(task.data.people) * (1.0 + sum(1 if step == "between" else 3 for step in task.data.steps))


def derive(task: Task[Data]) -> Derivation:
    """Each condition by itself over the whole table."""
    data, steps = task.data, list[Due]()
    for number, step in enumerate(data.steps, 1):
        kept = _matching_people(data.model_copy(update={"steps": (step,)}))
        condition = _render_condition(data, step)
        steps.append(CONDITION(number=number, condition=condition, count=len(kept), all=len(data.people), names=kept))
    yield from any_order(steps)


def _matching_people(data: Data) -> tuple[str, ...]:
    """Person by person, all conditions of the question."""
    people = data.people
    oldest = sorted(people, key=lambda person: -person[3])[0]

    def holds(step: str, person: Person) -> bool:
        match step:
            case "between":
                return data.low < person[3] < data.high
            case "town":
                return sum(other[1] == person[1] and other[2] == oldest[2] for other in people) > 1
            case "average":
                near = [other[4] for other in people if other[1] == person[1]]
                return person[4] * len(near) > sum(near)
            case "richer":
                return all(person[4] > other[4] for other in people if other[2] == person[2] and other[3] > person[3])
            case "rare":
                trades = [other[2] for other in people]
                return 2 * trades.count(person[2]) <= max(map(trades.count, trades))
        return not any(other[3] == person[3] and other[1] != person[1] for other in people)

    return tuple(sorted(person[0].lower() for person in people if all(holds(step, person) for step in data.steps)))


def _render_condition(data: Data, step: str) -> str:
    return TEXTS[step].format(low=data.low, high=data.high)


def _guesses(people: tuple[Person, ...]) -> set[tuple[str, ...]]:
    """The people at either end of the ages or of the incomes: what one would answer without reading the question."""
    orders = [
        [person[0].lower() for person in sorted(people, key=lambda person: sign * person[column])] for column in (3, 4) for sign in (-1, 1)
    ]
    return {tuple(sorted(names[:count])) for names in orders for count in range(1, len(people))}


def _sample_task(rng: Rng, knobs: Knobs, ages: int) -> Task[Data]:
    while True:
        people: list[Person] = [
            (name, rng.choice(TOWNS), rng.choice(TRADES), 20 + rng.integer(0, ages), 50 + rng.integer(0, knobs.near))
            for name in rng.sample(NAMES, knobs.people)
        ]
        steps = tuple(rng.sample(tuple(TEXTS)[1:], knobs.steps)) if knobs.steps > 1 else (rng.choice(("between", "odd", "richer")),)
        top = max(person[3] for person in people)
        bounds = sorted(rng.sample(range(ages + 1), 2))
        data = Data(people=tuple(people), steps=steps, low=20 + bounds[0], high=20 + bounds[-1], right=())
        right = _matching_people(data)
        if 1 <= len(right) < knobs.people and sum(person[3] == top for person in people) == 1 and right not in _guesses(data.people):
            break
    shown = "\n".join(" | ".join(map(str, person)) for person in people)
    conditions = "\n".join(f"- {_render_condition(data, step)}" for step in steps)
    scope = "Judge each condition by the whole table, not only by the people who meet the other conditions. " if len(steps) > 1 else ""
    prompt = (
        f"A table (name | town | trade | age | income):\n\n{shown}\n\nWhich people meet "
        f"{'all of these conditions' if len(steps) > 1 else 'this condition'}?\n"
        f"{conditions}\n\n{scope}Give all their names, in any order."
    )
    return Task(prompt, data.model_copy(update={"right": right}))


environment = Environment(
    Knobs, Words("the names, separated by spaces", max_items=60, ignore_case=True), generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    shift=shift, answers="many", solutions=lambda task: [solve(task), solve(task)[::-1]],
    concept="Check each condition on its own over the whole table, and keep the people who meet all of them.",
    version=4,
)  # fmt: skip
