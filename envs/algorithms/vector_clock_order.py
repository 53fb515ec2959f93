"""Say which events on several machines can have influenced each other, and which are concurrent."""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.steps import Line, first_wrong

ASKED = {
    "before": "Which events happened before {one}?",
    "concurrent": "Which events, other than {one} itself, are concurrent with {one}?",
    "both": "Which events are concurrent with {one} and also concurrent with {other}?",
}
CLOCK = Line("Known at {event}, from each machine in turn the number of its events up to there: {clock}")
DONE = Line("Comparing what is known at each event leaves {events}")


class Knobs(Config):
    machines: int = knob(3, easy=2, hard=6, doc="machines")
    events: int = knob(14, easy=5, hard=46, doc="events in all")
    asked: str = knob("concurrent", easy="before", hard="both", order=tuple(ASKED), doc="what is asked of the events")


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
    return _made(rng, knobs, centre=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The machine a sends or receives every message: all others hear of each other only through it."""
    return _made(rng, knobs, centre=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """By following what leads to what, without clocks."""
    data = task.data
    into: dict[str, list[str]] = {event: [f"{event[0]}{int(event[1:]) - 1}"] if int(event[1:]) > 1 else [] for event in data.events}
    for source, target in data.sent:
        into[target].append(source)

    def earlier(event: str) -> set[str]:
        found = [event]
        for one in found:
            found += [before for before in into[one] if before not in found]
        return set(found[1:])

    one, other = earlier(data.one), earlier(data.other)
    if data.asked == "before":
        return tuple(sorted(one))
    free = [event for event in data.events if event != data.one and event not in one and data.one not in earlier(event)]
    if data.asked == "both":
        free = [event for event in free if event != data.other and event not in other and data.other not in earlier(event)]
    return tuple(sorted(free))


def verify(task: Task[Data], answer: Sequence[str]) -> Score:
    data = task.data
    given = [name.lower() for name in answer]
    if len(given) > len(data.events) or len(set(given)) < len(given):
        return Score.wrong("each event must be named once at most")
    if not set(given) <= set(data.events):
        return Score.wrong("something named there is no event")
    return Score.exact(set(given) == set(data.right), "an event is missing, or there is one too many")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    elsewhere = tuple(event for event in data.events if event[0] != data.one[0])
    own = tuple(event for event in data.events if event[0] == data.one[0] and event != data.one)
    others = [_right(data.model_copy(update={"asked": asked})) for asked in ASKED]
    wrong = [*others, elsewhere, own, right[:-1], (*right, data.one), data.events]
    return [answer for answer in wrong if answer and verify(task, answer).value == 0]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.events) * len({event[0] for event in data.events}) * (1 + list(ASKED).index(data.asked)))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    steps = [CLOCK.write(event=event, clock=" ".join(map(str, clock))) for event, clock in _clocks(data).items()]
    return [*steps, DONE.write(events=" ".join(solve(task)))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    machines = _machines(data)
    known: dict[str, tuple[int, ...]] = {}

    def follows(step: str) -> bool:
        said = CLOCK.read(step) or {}
        event, clock = said["event"], tuple(map(int, said["clock"].split()))
        place, number = machines.index(event[0]), int(event[1:])
        parts = [known[source] for source, target in data.sent if target == event]
        parts += [known[f"{event[0]}{number - 1}"]] if number > 1 else [(0,) * len(machines)]
        told = [max(column) for column in zip(*parts, strict=True)]
        told[place] += 1
        new = event in data.events and event not in known
        known[event] = clock
        return new and clock == tuple(told)

    def ends(step: str) -> bool:
        return len(known) == len(data.events) and verify(task, (DONE.read(step) or {})["events"].split()).value == 1

    return first_wrong(steps, follows, ends)


def _made(rng: Rng, knobs: Knobs, *, centre: bool) -> Task[Data]:
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
        one, other = rng.sample(middle, 2)
        data = Data(events=tuple(events), sent=tuple(sent), asked=knobs.asked, one=one, other=other, right=())
        right = _right(data)
        if all(counts.values()) and 1 + (knobs.events > 9) <= len(right) <= max(2, knobs.events // 2) and sent:
            break
    received, sends = {target: source for source, target in sent}, dict(sent)

    def told(event: str) -> str:
        if event in received:
            return f"{event} receives the message of {received[event]}"
        return f"{event} sends a message" if event in sends else f"{event} is internal"

    listing = "\n".join(f"machine {machine}: {', '.join(told(event) for event in events if event[0] == machine)}" for machine in machines)
    prompt = (
        f"The events of each machine, in their order there:\n{listing}\n\nAn event happened before another one if it comes earlier on the "
        "same machine, or if it "
        "sends the message that the other one receives, or if there is a chain of such steps from it to the other one. Two different events of which neither "
        f"happened before the other are concurrent.\n\n{ASKED[knobs.asked].format(one=one, other=other)}"
    )
    return Task(prompt, data.model_copy(update={"right": right}))


def _machines(data: Data) -> list[str]:
    return sorted({event[0] for event in data.events})


def _clocks(data: Data) -> dict[str, tuple[int, ...]]:
    machines, sources = _machines(data), {target: source for source, target in data.sent}
    clocks: dict[str, tuple[int, ...]] = {}
    for event in data.events:
        place, number = machines.index(event[0]), int(event[1:])
        before = clocks.get(f"{event[0]}{number - 1}", (0,) * len(machines))
        heard = clocks[sources[event]] if event in sources else before
        clocks[event] = tuple(max(a, b) + (i == place) for i, (a, b) in enumerate(zip(before, heard, strict=True)))
    return clocks


def _right(data: Data) -> tuple[str, ...]:
    clocks, machines = _clocks(data), _machines(data)

    def before(one: str, two: str) -> bool:
        return one != two and clocks[two][machines.index(one[0])] >= int(one[1:])

    if data.asked == "before":
        return tuple(sorted(event for event in data.events if before(event, data.one)))
    fixed = [data.one, data.other] if data.asked == "both" else [data.one]
    return tuple(
        sorted(event for event in data.events if all(event != one and not before(event, one) and not before(one, event) for one in fixed))
    )


def _others(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The events by their clocks, in two orders."""
    right = _right(task.data)
    yield right
    if len(right) > 1:
        yield right[::-1]


environment = Environment(
    Knobs,
    Words("the names of the events in any order, separated by spaces", most=200),
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
    concept="Write at each event how many events of each machine are known there; one event happened before another if the other one knows of it.",
    version=2,
)
