"""Say which events on several machines can have influenced each other, and which are concurrent."""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.solutions import Checks, Derivation, Solution, Step

ASKED = {
    "before": "Which events happened before {one}?",
    "concurrent": "Which events, other than {one} itself, are concurrent with {one}?",
    "both": "Which events are concurrent with {one} and also concurrent with {other}?",
}
CLOCK = Step("Known at {event}, from each machine in turn the number of its events up to there: {clock}")
DONE = Step("Comparing what is known at each event leaves {answer}")


class Knobs(Config):
    machines: int = knob(3, easy=2, hard=6, doc="machines")
    events: int = knob(14, easy=9, hard=46, doc="events in all")
    question: str = knob(
        "concurrent", easy="before", hard="both", order=tuple(ASKED), doc="which relation of the events the question is about"
    )


class Data(TaskData):
    events: tuple[str, ...]
    """Names such as b3, in the order of a possible run."""
    sent: tuple[tuple[str, str], ...]
    """Sending and receiving event of each message."""
    asked: str
    one: str
    other: str
    right: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, centre=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The machine a sends or receives every message: all others hear of each other only through it."""
    return _sample_task(rng, knobs, centre=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """By a graph search along the happened-before relation, without clocks."""
    data = task.data
    into: dict[str, list[str]] = {event: [f"{event[0]}{int(event[1:]) - 1}"] if int(event[1:]) > 1 else [] for event in data.events}
    for source, target in data.sent:
        into[target].append(source)

    def earlier(event: str) -> set[str]:
        history = [event]
        for one in history:
            history += [before for before in into[one] if before not in history]
        return set(history[1:])

    first, second = earlier(data.one), earlier(data.other)
    if data.asked == "before":
        return tuple(sorted(first))
    free = [event for event in data.events if event != data.one and event not in first and data.one not in earlier(event)]
    if data.asked == "both":
        free = [event for event in free if event != data.other and event not in second and data.other not in earlier(event)]
    return tuple(sorted(free))


def verify(task: Task[Data], answer: Sequence[str]) -> Score:
    data = task.data
    given = [name.lower() for name in answer]
    if len(given) > len(data.events) or len(set(given)) < len(given):
        return Score.wrong("each event must be named once at most")
    if not set(given) <= set(data.events):
        return Score.wrong("the answer names something that is not an event")
    return Score.exact(set(given) == set(data.right), "an event is missing, or there is one too many")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    elsewhere = tuple(event for event in data.events if event[0] != data.one[0])
    own = tuple(event for event in data.events if event[0] == data.one[0] and event != data.one)
    others = [_find_answer(data.model_copy(update={"asked": question_kind})) for question_kind in ASKED]
    wrong = [*others, elsewhere, own, right[:-1], (*right, data.one), data.events]
    return [answer for answer in wrong if answer and verify(task, answer).value == 0]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.events) * len({event[0] for event in data.events}) * (1 + list(ASKED).index(data.asked)))


def derive(task: Task[Data]) -> Derivation:
    for event, clock in _vector_clocks(task.data).items():
        yield CLOCK(event=event, clock=" ".join(map(str, clock)))
    yield DONE(answer=" ".join(solve(task)))


def checks(task: Task[Data]) -> Checks:
    data, machines = task.data, _machines(task.data)
    known: dict[str, tuple[int, ...]] = {}

    def is_clock(event: str, clock: str) -> bool:
        place, number = machines.index(event[0]), int(event[1:])
        sources = [known[source] for source, target in data.sent if target == event]
        sources += [known[f"{event[0]}{number - 1}"]] if number > 1 else [(0,) * len(machines)]
        right = [max(column) for column in zip(*sources, strict=True)]
        right[place] += 1
        new = event in data.events and event not in known
        known[event] = tuple(map(int, clock.split()))
        return new and known[event] == tuple(right)

    return {CLOCK: is_clock, DONE: lambda answer: len(known) == len(data.events)}


def _sample_task(rng: Rng, knobs: Knobs, *, centre: bool) -> Task[Data]:
    machines = "abcdef"[: min(knobs.machines, knobs.events // 2)]
    while True:
        events, counts, sent = list[str](), dict.fromkeys(machines, 0), list[tuple[str, str]]()
        waiting: list[str] = []
        for _ in range(knobs.events):
            machine = rng.choice(machines)
            counts[machine] += 1
            event = f"{machine}{counts[machine]}"
            events.append(event)
            fitting = [source for source in waiting if source[0] != machine and (not centre or "a" in (source[0], machine))]
            if fitting and rng.chance(0.6):
                source = rng.choice(fitting)
                waiting.remove(source)
                sent.append((source, event))
            elif rng.chance(0.8):
                waiting.append(event)
        middle = events[len(events) // 3 :]
        first, second = rng.sample(middle, 2)
        data = Data(events=tuple(events), sent=tuple(sent), asked=knobs.question, one=first, other=second, right=())
        right = _find_answer(data)
        if all(counts.values()) and 1 + (knobs.events > 9) <= len(right) <= max(2, knobs.events // 2) and sent:
            break
    received, sends = {target: source for source, target in sent}, dict(sent)

    def describe(event: str) -> str:
        if event in received:
            return f"{event} receives the message of {received[event]}"
        return f"{event} sends a message" if event in sends else f"{event} is internal"

    listing = "\n".join(
        f"machine {machine}: {', '.join(describe(event) for event in events if event[0] == machine)}" for machine in machines
    )
    prompt = (
        f"The events of each machine, in order:\n{listing}\n\nAn event happened before another one if it comes earlier on the same machine, "
        "or if it sends the message that the other one receives, or if there is a chain of such steps from it to the other one. Two different events of "
        f"which neither happened before the other are concurrent.\n\n{ASKED[knobs.question].format(one=first, other=second)}"
    )
    return Task(prompt, data.model_copy(update={"right": right}))


def _machines(data: Data) -> list[str]:
    return sorted({event[0] for event in data.events})


def _vector_clocks(data: Data) -> dict[str, tuple[int, ...]]:
    machines, sources = _machines(data), {target: source for source, target in data.sent}
    clocks: dict[str, tuple[int, ...]] = {}
    for event in data.events:
        place, number = machines.index(event[0]), int(event[1:])
        before = clocks.get(f"{event[0]}{number - 1}", (0,) * len(machines))
        received_clock = clocks[sources[event]] if event in sources else before
        clocks[event] = tuple(max(a, b) + (i == place) for i, (a, b) in enumerate(zip(before, received_clock, strict=True)))
    return clocks


def _find_answer(data: Data) -> tuple[str, ...]:
    clocks, machines = _vector_clocks(data), _machines(data)

    def before(one: str, two: str) -> bool:
        return one != two and clocks[two][machines.index(one[0])] >= int(one[1:])

    if data.asked == "before":
        return tuple(sorted(event for event in data.events if before(event, data.one)))
    fixed = [data.one, data.other] if data.asked == "both" else [data.one]
    return tuple(
        sorted(event for event in data.events if all(event != one and not before(event, one) and not before(one, event) for one in fixed))
    )


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The events by their clocks, in two orders."""
    right = _find_answer(task.data)
    yield right
    if len(right) > 1:
        yield right[::-1]


environment = Environment(
    Knobs, Words("the names of the events in any order, separated by spaces", max_items=200), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, DONE, checks), shift=shift, answers="many", solutions=_other_answers,
    concept="Write at each event how many events of each machine are known there; one event happened before another if the other one knows of it.",
    version=4,
)  # fmt: skip
