"""Put talks into time slots so that none clash, rooms suffice, and some come before others.

Any timetable that keeps the rules is accepted; it is known that one exists.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.text.names import PEOPLE
from rlgym.solutions import Checks, Derivation, Due, Solution, Step

Pairs = tuple[tuple[str, str], ...]


PLACED = Step(
    "{talk} in slots {start:int} to {last:int}, inside {opens:int} to {closes:int}; not before or beside those that it must follow or keep clear of: {others}"
)
NEEDED = Step("Slot {slot:int} needs {count:int} of {rooms:int} rooms")
ANSWER = Mapping("one line `name: slot` for each person", max_items=80)
CONCEPT = "Place next the talk that has the fewest slots left, and strike out what that takes from the others."


class Knobs(Config):
    talks: int = knob(10, easy=4, hard=30, doc="talks to place")
    slots: int = knob(5, easy=3, hard=8, doc="time slots")
    clashes: int = knob(10, easy=2, hard=60, doc="pairs of talks that may not be at the same time")
    orders: int = knob(4, easy=1, hard=14, doc="pairs of talks of which one must be earlier")
    lengths: int = knob(20, easy=0, hard=40, doc="percent of talks that take two slots in a row")


class Data(TaskData):
    talks: tuple[str, ...]
    slots: int
    rooms: int
    lengths: tuple[int, ...]
    clashes: tuple[tuple[int, int], ...]
    orders: tuple[tuple[int, int], ...]
    windows: tuple[tuple[int, int], ...]  # the earliest and the latest slot of each talk, all its slots included


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, reach=knobs.talks)


def _sample_task(rng: Rng, knobs: Knobs, reach: int) -> Task[Data]:
    count, slots = knobs.talks, knobs.slots
    lengths = tuple(2 if rng.integer(1, 100) <= knobs.lengths else 1 for _ in range(count))
    placed = [rng.integer(1, slots + 1 - length) for length in lengths]
    uses = [sum(start <= slot < start + length for start, length in zip(placed, lengths, strict=True)) for slot in range(1, slots + 1)]
    compatible = [
        (a, b)
        for a in range(count)
        for b in range(a + 1, min(count, a + 1 + reach))
        if not _overlap(placed[a], lengths[a], placed[b], lengths[b])
    ]
    earlier = [(a, b) for a in range(count) for b in range(count) if placed[a] + lengths[a] <= placed[b]]
    clashes = tuple(sorted(rng.sample(compatible, min(knobs.clashes, len(compatible)))))
    orders = tuple(sorted(rng.sample(earlier, min(knobs.orders, len(earlier)))))
    windows = tuple(_window(rng, start, length, slots) for start, length in zip(placed, lengths, strict=True))
    talks = tuple(rng.sample(PEOPLE, count))
    data = Data(talks=talks, slots=slots, rooms=max(uses), lengths=lengths, clashes=clashes, orders=orders, windows=windows)
    return Task(_render_prompt(data), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Clashes only between talks that stand near each other in the list."""
    return _sample_task(rng, knobs, reach=3)


def solve(task: Task[Data]) -> Pairs:
    return next(_timetables(task.data, False))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    given = dict(answer)
    if set(given) != {talk.lower() for talk in data.talks}:
        return Score.wrong("exactly the talks named must each get a slot")
    starts = []
    for talk, (first, last), length in zip(data.talks, data.windows, data.lengths, strict=True):
        word = given[talk.lower()].removeprefix("slot ")
        if not (word.isascii() and word.isdigit() and len(word) < 4 and first <= int(word) <= last + 1 - length):
            return Score.wrong(f"{talk} cannot start in that slot")
        starts.append(int(word))
    for slot in range(1, data.slots + 1):
        if sum(start <= slot < start + length for start, length in zip(starts, data.lengths, strict=True)) > data.rooms:
            return Score.wrong(f"there are not enough rooms in slot {slot}")
    for a, b in data.clashes:
        if _overlap(starts[a], data.lengths[a], starts[b], data.lengths[b]):
            return Score.wrong(f"{data.talks[a]} and {data.talks[b]} are at the same time")
    for a, b in data.orders:
        if starts[a] + data.lengths[a] > starts[b]:
            return Score.wrong(f"{data.talks[a]} is not over before {data.talks[b]} starts")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    # As early as each may be, as late as each may be, all at once, one left out, slots turned round.
    data = task.data
    early = tuple(sorted((talk.lower(), str(first)) for talk, (first, _) in zip(data.talks, data.windows, strict=True)))
    late = tuple(
        sorted(
            (talk.lower(), str(last + 1 - length)) for talk, (_, last), length in zip(data.talks, data.windows, data.lengths, strict=True)
        )
    )
    turned = tuple((talk, str(data.slots + 1 - int(slot))) for talk, slot in right)
    wrong = [early, late, tuple((talk, "1") for talk, _ in right), turned]
    return [
        *(wrong_answer for wrong_answer in wrong if verify(task, wrong_answer).value == 0),
        right[1:],
        tuple((talk, "0") for talk, _ in right),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.talks) * data.slots + len(data.talks) * (len(data.clashes) + 2 * len(data.orders)) / 2


def derive(task: Task[Data]) -> Derivation:
    data, right = task.data, dict(solve(task))
    starts = [int(right[talk.lower()]) for talk in data.talks]
    placed = dict[int, int]()
    for i in sorted(range(len(data.talks)), key=lambda i: (starts[i], i)):
        yield _placement(data, placed, i, starts[i])
        placed[i] = starts[i]
    for slot in range(1, data.slots + 1):
        yield NEEDED(slot=slot, count=sum(slot in _span(data, placed, i) for i in placed), rooms=data.rooms)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    number, starts, slots = {talk: i for i, talk in enumerate(data.talks)}, dict[int, int](), list[int]()

    def placed(talk: str, start: int, **gaps: object) -> bool:
        i = number[talk]
        due, span = _placement(data, starts, i, start), range(start, start + data.lengths[i])
        first, last = data.windows[i]
        if i in starts or {"talk": talk, "start": start, **gaps} != due.fields or not first <= start <= span[-1] <= last:
            return False
        if any(starts[b] <= span[-1] for a, b in data.orders if a == i and b in starts):
            return False
        if any(_span(data, starts, a)[-1] >= start for a, b in data.orders if b == i and a in starts):
            return False
        if any(set(span) & set(_span(data, starts, other)) for other in _conflicting_talks(data, i) if other in starts):
            return False
        starts[i] = start
        return True

    def needed(slot: int, count: int, rooms: int) -> bool:
        there = sum(slot in _span(data, starts, i) for i in range(len(data.talks)))
        if (slot, count, rooms) != (len(slots) + 1, there, data.rooms) or there > data.rooms:
            return False
        slots.append(slot)
        return True

    return {PLACED: placed, NEEDED: needed}


def _span(data: Data, starts: dict[int, int], i: int) -> range:
    return range(starts[i], starts[i] + data.lengths[i])


def _conflicting_talks(data: Data, i: int) -> list[int]:
    """The talks that a talk must keep clear of."""
    return [a if b == i else b for a, b in data.clashes if i in (a, b)]


def _placement(data: Data, placed: dict[int, int], i: int, start: int) -> Due:
    """The step that places a talk, with those placed before it that it must follow or keep clear of."""
    others = [data.talks[other] for other in (*(a for a, b in data.orders if b == i), *_conflicting_talks(data, i)) if other in placed]
    first, last = data.windows[i]
    end = start + data.lengths[i] - 1
    return PLACED(talk=data.talks[i], start=start, last=end, opens=first, closes=last, others=", ".join(others) or "none")


def _render_prompt(data: Data) -> str:
    lines = []
    for talk, length, (first, last) in zip(data.talks, data.lengths, data.windows, strict=True):
        size = "takes two slots in a row" if length == 2 else "takes one slot"
        # A window is that of all slots of a talk, the second one included.
        if first == last:
            limit = f", which must be slot {first}"
        elif (first, last) == (1, data.slots):
            limit = ""
        else:
            limit = f", {'both' if length == 2 else 'which must be'} among slots {first} to {last}"
        lines.append(f"{talk} {size}{limit}")
    rules = [f"{data.talks[a]} and {data.talks[b]} may not be at the same time." for a, b in data.clashes]
    rules += [f"{data.talks[a]} must be over before {data.talks[b]} starts." for a, b in data.orders]
    listing, ruled = "\n".join(lines), "\n".join(rules)
    return (
        f"{len(data.talks)} people give one talk each at a meeting with the time slots 1 to {data.slots}. In each slot there are rooms for at most "
        f"{data.rooms} talks at the same time.\n{listing}\n\n{ruled}\n\nFind a timetable that meets all these conditions. For each person give the slot in "
        "which the "
        "talk starts."
    )


def _window(rng: Rng, start: int, length: int, slots: int) -> tuple[int, int]:
    if rng.chance(0.5):
        return 1, slots
    return rng.integer(1, start), rng.integer(start + length - 1, slots)


def _overlap(a: int, length: int, b: int, other: int) -> bool:
    return a < b + other and b < a + length


def _timetables(data: Data, late: bool) -> Iterator[Pairs]:
    """Every timetable: always the talk with fewest starts left, starts that the rest cannot live with taken out first."""
    count = len(data.talks)
    first = [
        sum(1 << start for start in range(low, high + 2 - length)) for (low, high), length in zip(data.windows, data.lengths, strict=True)
    ]
    linked: list[list[tuple[int, int]]] = [[] for _ in range(count)]  # other talk, and -1, 0, 1: it is later, apart, earlier
    for a, b in data.clashes:
        linked[a].append((b, 0))
        linked[b].append((a, 0))
    for a, b in data.orders:
        linked[a].append((b, -1))
        linked[b].append((a, 1))
    stack: list[tuple[list[int], dict[int, int]]] = [(first, {})]
    while stack:
        open_talks, starts = stack.pop()
        if len(starts) == count:
            yield tuple(sorted((data.talks[i].lower(), str(start)) for i, start in starts.items()))
            continue
        talk = min((i for i in range(count) if i not in starts), key=lambda i: (open_talks[i].bit_count(), -len(linked[i]), i))
        options = [start for start in range(1, data.slots + 1) if open_talks[talk] >> start & 1]
        for start in options if late else reversed(options):
            after = _without(data, open_talks, starts, linked, talk, start)
            if after is not None:
                stack.append((after, starts | {talk: start}))


def _without(
    data: Data, open_talks: list[int], starts: dict[int, int], linked: list[list[tuple[int, int]]], talk: int, start: int
) -> list[int] | None:
    """What is left to the other talks once this one is placed; None if nothing is left to one of them."""
    after, length = open_talks.copy(), data.lengths[talk]
    after[talk] = 1 << start
    for other, relation in linked[talk]:
        size = data.lengths[other]
        for begin in range(1, data.slots + 1):
            bad = _overlap(start, length, begin, size) if not relation else begin < start + length if relation < 0 else begin + size > start
            if bad:
                after[other] &= ~(1 << begin)
    for slot in range(start, start + length):
        used = 1 + sum(begin <= slot < begin + data.lengths[i] for i, begin in starts.items())
        if used == data.rooms:
            for other in range(len(after)):
                if other != talk and other not in starts:
                    for begin in range(slot + 1 - data.lengths[other], slot + 1):
                        after[other] &= ~(1 << begin) if begin > 0 else -1
    return after if all(after) else None


def solutions(task: Task[Data]) -> Iterator[Pairs]:
    return _timetables(task.data, True)


SOLUTION = Solution(derive, "The timetable is {answer}", checks)
environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    version=4,
    solution=SOLUTION,
    shift=shift,
    answers="many",
    solutions=solutions,
    concept=CONCEPT,
)
