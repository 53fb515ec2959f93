"""Find the earliest time at which people in several time zones can meet.

Everybody has working hours and appointments in local time; the answer is in somebody's local time. In the shifted family clocks are compared
with each other ("when it is noon in A it is 17:30 in B"), not against UTC.
"""

from rlgym import Config, Environment, Rng, Score, Task, knob
from rlgym.answers import Text
from rlgym.generators.stories import people, phrase, places
from rlgym.generators.text.english import join_words
from rlgym.generators.times.time_zones import (
    DAY,
    Call,
    Person,
    earliest_start,
    format_clock,
    format_offset,
    format_spans,
    free_spans,
    intersect_spans,
    is_available,
    relative_clock_sentences,
)
from rlgym.solutions import Derivation, Solution, Step

FREE = Step("{who} is free at these times of {home}: {times}")
ALL = Step("With {who}, free for all so far: {times}")
CLOSING = "The meeting begins at {answer}"
HOURS = (
    "{who} in {town} works from {a} to {b}.",
    "In {town}, {who} is in the office from {a} to {b}.",
    "The working hours of {who} in {town} are {a} to {b}.",
)
BUSY = ("{who} is busy from {a} to {b}.", "From {a} to {b}, {who} has an appointment.", "{who} cannot come between {a} and {b}.")
ANSWER = Text("the time on the 24-hour clock, such as 07:45", ignore_spaces=True, max_characters=20)
CONCEPT = "Bring everything to one clock, cut the appointments out of the working hours, and keep what is free for all."


class Knobs(Config):
    people: int = knob(4, easy=2, hard=9, doc="how many people")
    busy: int = knob(2, easy=0, hard=7, doc="appointments of each")
    minutes: int = knob(15, easy=60, hard=1, scale="log", doc="times are multiples of this many minutes")


def generate(rng: Rng, knobs: Knobs) -> Task[Call]:
    return _sample_task(rng, knobs, chained=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Call]:
    return _sample_task(rng, knobs, chained=True)


def _sample_task(rng: Rng, knobs: Knobs, chained: bool) -> Task[Call]:
    step, names, towns = knobs.minutes, people(rng, knobs.people), places(rng, knobs.people)
    zone = 15 if step <= 15 else 60
    while True:
        length = max(step, rng.integer(15, 50) // step * step)
        middle = rng.integer(11 * 60, 13 * 60)
        crowd = tuple(_sample_person(rng, knobs, name, town, middle, zone) for name, town in zip(names, towns, strict=True))
        data = Call(people=crowd, length=length, right=0)
        start = earliest_start(data)
        if (
            start is not None
            and 0 <= start + crowd[0].offset < DAY
            and start > max(person.hours[0] - person.offset for person in crowd) - (knobs.busy == 0)
        ):
            break
    assert start is not None
    sentences = [
        phrase(rng, HOURS, who=person.name, town=person.town, a=format_clock(person.hours[0]), b=format_clock(person.hours[1]))
        for person in crowd
    ]
    sentences += [phrase(rng, BUSY, who=person.name, a=format_clock(a), b=format_clock(b)) for person in crowd for a, b in person.busy]
    zones = (
        relative_clock_sentences(rng, crowd) if chained else [f"{person.town} is on UTC{format_offset(person.offset)}." for person in crowd]
    )
    prompt = (
        f"{join_words(names)} want to hold a call of {length} minutes, all on the same day, within everybody's working hours and without touching an "
        f"appointment (beginning right when one ends, or ending when one begins, is fine). All times are local, on the 24-hour clock. "
        f"{' '.join(rng.shuffled(zones))} {' '.join(rng.shuffled(sentences))} At what time can the call begin at the earliest, "
        f"in the local time of {towns[0]}?"
    )
    return Task(prompt, Call(people=crowd, length=length, right=start + crowd[0].offset))


def solve(task: Task[Call]) -> str:
    # Minute by minute through the day of the first person; `verify` intersects spans.
    data = task.data
    home = data.people[0].offset
    for start in range(DAY):
        if all(is_available(person, start - home + person.offset, data.length) for person in data.people):
            return format_clock(start)
    raise AssertionError("unreachable: some time is free")


def verify(task: Task[Call], answer: str) -> Score:
    hour, colon, minute = answer.partition(":")
    plain = colon and all(piece.isascii() and piece.isdigit() and len(piece) == 2 for piece in (hour.rjust(2, "0"), minute))
    return Score.exact(
        bool(plain) and int(hour) * 60 + int(minute) == task.data.right, "that is not the earliest time at which everybody is free"
    )


def mistakes(task: Task[Call], right: str) -> list[str]:
    data = task.data
    first, last = data.people[0], data.people[-1]
    return [
        format_clock(data.right - first.offset),
        format_clock(data.right + data.length),
        format_clock(data.right + 1),
        format_clock(data.right - first.offset + last.offset),
        format_clock(data.right - 2 * first.offset),
        format_clock(max(person.hours[0] - person.offset for person in data.people) + first.offset - 1),
    ]


def cost(task: Task[Call]) -> float:
    return sum(2 + 2 * len(person.busy) + (person.hours[0] % 15 > 0) + (person.offset % 60 > 0) for person in task.data.people)


def derive(task: Task[Call]) -> Derivation:
    data, home = task.data, task.data.people[0]
    spans = free_spans(data, home)
    for i, person in enumerate(data.people):
        free = free_spans(data, person)
        yield FREE(who=person.name, home=home.town, times=format_spans(free))
        if i:
            spans = intersect_spans(spans, free, data.length)
            yield ALL(who=person.name, times=format_spans(spans))


def _sample_person(rng: Rng, knobs: Knobs, name: str, town: str, middle: int, zone: int) -> Person:
    step = knobs.minutes
    offset = rng.integer(-480 // zone, 480 // zone) * zone
    # All working hours contain a common moment.
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
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, CLOSING), shift=shift, concept=CONCEPT, version=2
)
