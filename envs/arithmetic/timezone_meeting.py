"""Find the earliest time at which people in several time zones can meet.

Everybody has working hours and appointments in local time; the answer is in somebody's local time. In the shift clocks are told against each
other ("when it is noon in A it is 17:30 in B"), not against UTC.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, knob
from rlgym.answers import Text
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.stories import listed, people, places, told
from rlgym.generators.time_zones import DAY, Call, Person, both_free, clock, earliest, fits, free_at, offset_of, spans_of, told_in_pairs

FREE = Line("{who} is free at these times of {home}: {times}")
ALL = Line("With {who}, free for all so far: {times}")
LEAD = "The meeting begins at "
HOURS = (
    "{who} in {town} works from {a} to {b}.",
    "In {town}, {who} is in the office from {a} to {b}.",
    "The working hours of {who} in {town} are {a} to {b}.",
)
BUSY = ("{who} is busy from {a} to {b}.", "From {a} to {b}, {who} has an appointment.", "{who} cannot come between {a} and {b}.")


class Knobs(Config):
    people: int = knob(4, easy=2, hard=9, doc="how many people")
    busy: int = knob(2, easy=0, hard=7, doc="appointments of each")
    minutes: int = knob(15, easy=60, hard=1, scale="log", doc="times are multiples of this many minutes")


def generate(rng: Rng, knobs: Knobs) -> Task[Call]:
    return _made(rng, knobs, chained=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Call]:
    return _made(rng, knobs, chained=True)


def _made(rng: Rng, knobs: Knobs, chained: bool) -> Task[Call]:
    step, names, towns = knobs.minutes, people(rng, knobs.people), places(rng, knobs.people)
    zone = 15 if step <= 15 else 60
    while True:
        length = max(step, rng.integer(15, 50) // step * step)
        middle = rng.integer(11 * 60, 13 * 60)
        crowd = tuple(_person(rng, knobs, name, town, middle, zone) for name, town in zip(names, towns, strict=True))
        data = Call(people=crowd, length=length, right=0)
        start = earliest(data)
        if (
            start is not None
            and 0 <= start + crowd[0].offset < DAY
            and start > max(person.hours[0] - person.offset for person in crowd) - (knobs.busy == 0)
        ):
            break
    assert start is not None
    said = [told(rng, HOURS, who=person.name, town=person.town, a=clock(person.hours[0]), b=clock(person.hours[1])) for person in crowd]
    said += [told(rng, BUSY, who=person.name, a=clock(a), b=clock(b)) for person in crowd for a, b in person.busy]
    zones = told_in_pairs(rng, crowd) if chained else [f"{person.town} has UTC{offset_of(person.offset)}." for person in crowd]
    prompt = (
        f"{listed(names)} want to hold a call of {length} minutes, all on the same day, within everybody's working hours and without touching an "
        f"appointment (beginning right when one ends, or ending when one begins, is fine). All times are local, on the 24-hour clock. "
        f"{' '.join(rng.shuffled(zones))} {' '.join(rng.shuffled(said))} At what time can the call begin at the earliest, "
        f"in the local time of {towns[0]}?"
    )
    return Task(prompt, Call(people=crowd, length=length, right=start + crowd[0].offset))


def solve(task: Task[Call]) -> str:
    # Minute by minute through the day of the first person; `verify` has the answer from cutting spans.
    data = task.data
    home = data.people[0].offset
    for start in range(DAY):
        if all(fits(person, start - home + person.offset, data.length) for person in data.people):
            return clock(start)
    raise AssertionError("unreachable: some time is free")


def verify(task: Task[Call], answer: str) -> Score:
    hour, colon, minute = answer.partition(":")
    plain = colon and all(piece.isascii() and piece.isdigit() and len(piece) == 2 for piece in (hour.rjust(2, "0"), minute))
    return Score.exact(bool(plain) and int(hour) * 60 + int(minute) == task.data.right, "that is not the earliest time that suits all")


def mistakes(task: Task[Call], right: str) -> list[str]:
    data = task.data
    first, last = data.people[0], data.people[-1]
    return [
        clock(data.right - first.offset),
        clock(data.right + data.length),
        clock(data.right + 1),
        clock(data.right - first.offset + last.offset),
        clock(data.right - 2 * first.offset),
        clock(max(person.hours[0] - person.offset for person in data.people) + first.offset - 1),
    ]


def cost(task: Task[Call]) -> float:
    return sum(2 + 2 * len(person.busy) + (person.hours[0] % 15 > 0) + (person.offset % 60 > 0) for person in task.data.people)


def explain(task: Task[Call]) -> list[str]:
    data, steps = task.data, list[str]()
    home = data.people[0]
    spans = free_at(data, home)
    for i, person in enumerate(data.people):
        steps.append(FREE.write(who=person.name, home=home.town, times=spans_of(free_at(data, person))))
        if i:
            spans = both_free(spans, free_at(data, person), data.length)
            steps.append(ALL.write(who=person.name, times=spans_of(spans)))
    return [*steps, LEAD + clock(data.right)]


def replay(task: Task[Call], steps: Sequence[str]) -> int | None:
    data, at = task.data, 0
    named = {person.name: person for person in data.people}
    spans: list[tuple[int, int]] = []

    def follows(step: str) -> bool:
        nonlocal at, spans
        if found := FREE.read(step):
            person = named[found["who"]]
            at = data.people.index(person)
            return found["home"] == data.people[0].town and found["times"] == spans_of(free_at(data, person))
        read = ALL.read(step)
        spans = free_at(data, data.people[0])
        for person in data.people[1 : at + 1]:
            spans = both_free(spans, free_at(data, person), data.length)
        return bool(read) and read is not None and read["who"] == data.people[at].name and read["times"] == spans_of(spans)

    return first_wrong(steps, follows, ended(LEAD, task, environment.answer, verify))


def _person(rng: Rng, knobs: Knobs, name: str, town: str, middle: int, zone: int) -> Person:
    step = knobs.minutes
    offset = rng.integer(-480 // zone, 480 // zone) * zone
    # working hours hold a common moment, wherever on the clock that is
    start = max(0, middle + offset - rng.integer(120, 400)) // step * step
    end = min(DAY - step, middle + offset + rng.integer(120, 400)) // step * step
    busy, at = list[tuple[int, int]](), start
    for _ in range(knobs.busy):
        a = at + rng.integer(0, 2 * (end - start) // (3 * knobs.busy)) // step * step
        b = a + max(step, rng.integer(5, 45) // step * step)
        if b <= end:
            busy.append((a, b))
            at = b + step
    return Person(name=name, town=town, offset=offset, hours=(start, end), busy=tuple(busy))


environment = Environment(
    Knobs,
    Text("the time on the 24-hour clock, such as 07:45", compact=True, most=20),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Bring everything to one clock, cut the appointments out of the working hours, and keep what is free for all.",
)
