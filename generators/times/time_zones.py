"""People in several time zones: their working hours and appointments, and when all of them are free."""

from collections.abc import Sequence

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData

DAY = 1440


class Person(TaskData):
    """`offset` is local time minus UTC in minutes; all spans are in local time, on the one day that matters."""

    name: str
    town: str
    offset: int
    hours: tuple[int, int]
    busy: tuple[tuple[int, int], ...]


class Call(TaskData):
    """A call of some minutes; `right` is the earliest beginning in the first person's local time, in minutes."""

    people: tuple[Person, ...]
    length: int
    right: int


def is_available(person: Person, start: int, length: int) -> bool:
    """Whether a person can take a call of that length from this minute of local time."""
    inside = person.hours[0] <= start and start + length <= person.hours[1]
    return inside and all(start + length <= a or b <= start for a, b in person.busy)


def free_spans(data: Call, person: Person) -> list[tuple[int, int]]:
    """The spans in which a person is free for long enough, in the local time of the first person."""
    move, spans, at = data.people[0].offset - person.offset, list[tuple[int, int]](), person.hours[0]
    for a, b in (*person.busy, (person.hours[1], person.hours[1])):
        if min(a + move, DAY) - max(at + move, 0) >= data.length:
            spans.append((max(at + move, 0), min(a + move, DAY)))
        at = max(at, b)
    return spans


def intersect_spans(left: Sequence[tuple[int, int]], right: Sequence[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    """The intersections of two lists of spans that are long enough."""
    shared = [(max(a, c), min(b, d)) for a, b in left for c, d in right]
    return sorted((a, b) for a, b in shared if b - a >= length)


def earliest_start(data: Call) -> int | None:
    """The earliest start in UTC; None if there is none."""
    spans = free_spans(data, data.people[0])
    for person in data.people[1:]:
        spans = intersect_spans(spans, free_spans(data, person), data.length)
    return spans[0][0] - data.people[0].offset if spans else None


def relative_clock_sentences(rng: Rng, crowd: Sequence[Person]) -> list[str]:
    """Sentences that compare the clocks of two towns each."""
    sentences = []
    for i in range(1, len(crowd)):
        person, other = crowd[i], crowd[rng.integer(0, i - 1)]
        ahead = other.offset - person.offset
        now = rng.integer(max(0, -ahead), min(DAY, DAY - ahead) - 1)
        sentences.append(
            f"When it is {format_clock(now)} in {person.town}, it is {format_clock(now + ahead)} of the same day in {other.town}."
        )
    return sentences


def format_clock(minutes: int) -> str:
    """07:45"""
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def format_offset(minutes: int) -> str:
    """+05:30"""
    return f"{'+' if minutes >= 0 else '-'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def format_spans(spans: Sequence[tuple[int, int]]) -> str:
    """Spans in words."""
    return ", ".join(f"{format_clock(a)} to {format_clock(b)}" for a, b in spans)
