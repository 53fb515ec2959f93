"""Count the ways to give everybody a place when some places are forbidden to some.

On the upper levels people give presents to one another and must all belong to one circle, so that those who have a giver already do not tell enough: it
matters, too, where the circle has come to.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.numbers.recurrences import Recurrence, recurrence_solution
from rlgym.generators.text.english import join_words

CONCEPT = "Seat one person after the other: what is left depends only on which places are taken, not on who took them."
State = tuple[int, int]
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gita", "Hugo", "Ines")


class Knobs(Config):
    people: int = knob(6, easy=4, hard=9, doc="how many people there are")
    forbidden: int = knob(30, easy=20, hard=42, doc="percent of the places that are forbidden to a person; in a circle 54 less half of it")
    spare: int = knob(0, easy=0, hard=1, doc="places that stay empty, at most")
    circle: str = knob(
        "any",
        easy="any",
        hard="one",
        order=("any", "one"),
        doc="any ways to seat people, or presents that go round in one circle through all people",
    )


class Data(TaskData):
    forbidden: tuple[tuple[int, ...], ...]
    places: int
    count: int
    circle: bool = False  # whether the places are the people themselves, who must form one cycle


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.circle == "one":
        return _sample_circle(rng, knobs, distances=False)
    places = knobs.people + rng.integer(0, knobs.spare)
    while True:
        rows = tuple(tuple(place for place in range(places) if rng.integer(1, 100) <= knobs.forbidden) for _ in range(knobs.people))
        data = Data(forbidden=rows, places=places, count=0)
        if any(rows) and (count := _recurrence(data).count) > 0:
            break
    lines = "\n".join(
        f"{NAMES[i]}: {'not ' + join_words([str(place + 1) for place in row], 'or') if row else 'any'}" for i, row in enumerate(rows)
    )
    prompt = (
        f"There are seats with the numbers 1 to {places}. Each person below takes one seat that is not ruled out for them, no two the same:\n{lines}\n\n"
        "In how many ways can they be seated?"
    )
    return Task(prompt, data.model_copy(update={"count": count}))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Cards are dealt in a circle: forbidden are the cards of a person and of neighbours at fixed distances, and a few more."""
    if knobs.circle == "one":
        return _sample_circle(rng, knobs, distances=True)
    people = knobs.people + 1
    least = rng.integer(1, 3 * people)  # forbidden cards mostly leave a few ways, which would be guessed
    while True:
        banned_distances = sorted(rng.sample(range(people), max(1, people * knobs.forbidden // 100)))
        rows = [{(i + distance) % people for distance in banned_distances} for i in range(people)]
        others = [(person, card) for person in range(people) for card in range(people) if card not in rows[person]]
        extra = rng.sample(others, min(rng.integer(people // 2, 2 * people) + knobs.spare, len(others)))
        for person, card in extra:
            rows[person].add(card)
        data = Data(forbidden=tuple(tuple(sorted(row)) for row in rows), places=people, count=0)
        if (count := _recurrence(data).count) >= least:
            break
        least = max(1, least - rng.chance(0.05))
    more = "; ".join(sorted({f"person {person + 1} may not get card {card + 1}" for person, card in extra}))
    gaps = " or ".join(str(distance) for distance in banned_distances)
    prompt = (
        f"{people} people with the numbers 1 to {people} sit in a circle in this order, and {people} cards have the numbers 1 to {people}. Each gets one "
        f"card. Counting on around the circle (after {people} comes 1 again), nobody may get the card whose number comes {gaps} "
        f"place{'s' * (banned_distances[-1] != 1)} after the person's own number (0 places after means the same number). Besides, {more}. In how many ways "
        "can the cards be dealt?"
    )
    return Task(prompt, data.model_copy(update={"count": count}))


def _sample_circle(rng: Rng, knobs: Knobs, distances: bool) -> Task[Data]:
    """Presents that are ruled out at random, or most of them by how far apart people are in a ring."""
    # The more presents are allowed, the more ways there are to follow.
    count, percent, tries = knobs.people, 54 - knobs.forbidden // 2, 0
    while True:
        tries += 1
        allowed = [[rng.integer(1, 100) > percent for _ in range(count)] for _ in range(count)]
        if distances:
            ring = [rng.integer(1, 100) > percent for _ in range(count)]
            allowed = [[ring[(j - i) % count] != rng.chance(0.1) for j in range(count)] for i in range(count)]
        rows = tuple(tuple(j for j in range(count) if i == j or not allowed[i][j]) for i in range(count))
        data = Data(forbidden=rows, places=count, count=0, circle=True)
        if any(len(row) > 1 for row in rows) and (ways := _recurrence(data).count) > max(0, count - tries // 20):
            break
    names = NAMES[:count]
    lines = "\n".join(
        f"{names[i]}: {'not to ' + join_words([names[j] for j in row if j != i], 'or') if len(row) > 1 else 'no present ruled out'}"
        for i, row in enumerate(rows)
    )
    prompt = (
        f"{join_words(names, 'and')} each give a present to one of the others, so that each of them gets exactly one present. Some presents are ruled out:\n"
        f"{lines}\n\nAll of them must belong to one circle: following the presents from giver to receiver, starting with Ana, one meets everybody before "
        "returning to Ana. In how many ways can the presents be given?"
    )
    return Task(prompt, data.model_copy(update={"count": ways}))


def _count_circles(data: Data) -> int:
    """By inclusion-exclusion over the people who are left out of closed walks from the first one."""
    people, total = data.places, 0
    for others in range(1 << (people - 1)):
        chosen = [0, *(i + 1 for i in range(people - 1) if others >> i & 1)]
        givers = {j: [i for i in chosen if j not in data.forbidden[i]] for j in chosen}
        walks = dict.fromkeys(chosen, 0) | {0: 1}
        for _ in range(people):
            walks = {j: sum(walks[i] for i in givers[j]) for j in chosen}
        total += (-1) ** (people - len(chosen)) * walks[0]
    return total


def solve(task: Task[Data]) -> int:
    """By the rook polynomial of the forbidden squares and inclusion-exclusion."""
    if task.data.circle:
        return _count_circles(task.data)
    data, people = task.data, len(task.data.forbidden)
    rooks: dict[int, list[int]] = {0: [1] + [0] * people}  # taken columns: placements by number of rooks
    for row in data.forbidden:
        after = {taken: numbers.copy() for taken, numbers in rooks.items()}
        for taken, numbers in rooks.items():
            for place in row:
                if not taken >> place & 1:
                    extended = after.setdefault(taken | 1 << place, [0] * (people + 1))
                    for many in range(people):
                        extended[many + 1] += numbers[many]
        rooks = after
    total = 0
    for many in range(people + 1):
        rest = 1
        for i in range(people - many):
            rest *= data.places - many - i
        total += (-1) ** many * rest * sum(numbers[many] for numbers in rooks.values())
    return total


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.count, "the number of ways is different")


def mistakes(task: Task[Data], right: int) -> list[int]:
    if task.data.circle:
        # All ways to give presents, whatever circles there are, and a ninth of them.
        every = _recurrence(task.data.model_copy(update={"circle": False})).count
        return [other for other in (every, every // task.data.places, right + 1, right - 1, right * 2) if other != right]
    product = 1
    for row in task.data.forbidden:
        product *= task.data.places - len(row)
    return [product, right + 1, right - 1, _recurrence(task.data.model_copy(update={"forbidden": ((),) * len(task.data.forbidden)})).count]


def cost(task: Task[Data]) -> float:
    return _recurrence(task.data).work


def _recurrence(data: Data) -> Recurrence[State]:
    return _circle_recurrence(data) if data.circle else _seat_recurrence(data)


def _circle_recurrence(data: Data) -> Recurrence[State]:
    every = (1 << data.places) - 1

    def parts(state: State) -> int | list[tuple[int, State]]:
        person, visited = state
        if visited == every:
            return int(0 not in data.forbidden[person])
        free = [other for other in range(data.places) if other not in data.forbidden[person] and not visited >> other & 1]
        return [(1, (other, visited | 1 << other)) for other in free]

    def name(state: State) -> str:
        missing = ", ".join(NAMES[i] for i in range(data.places) if not state[1] >> i & 1)
        return f"ways from {NAMES[state[0]]} back to {NAMES[0]} through {missing or 'nobody'}"

    return Recurrence((0, 1), parts, name)


def _seat_recurrence(data: Data) -> Recurrence[State]:
    def parts(state: State) -> int | list[tuple[int, State]]:
        person, taken = state
        free = [place for place in range(data.places) if place not in data.forbidden[person] and not taken >> place & 1]
        if person == len(data.forbidden) - 1:
            return len(free)
        return [(1, (person + 1, taken | 1 << place)) for place in free]

    def name(state: State) -> str:
        taken_places = ", ".join(str(place + 1) for place in range(data.places) if state[1] >> place & 1)
        return f"ways from person {state[0] + 1} on with {taken_places or 'nothing'} taken"

    return Recurrence((0, 0), parts, name)


environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=recurrence_solution(_recurrence),
    shift=shift,
    concept=CONCEPT,
    version=8,
)
