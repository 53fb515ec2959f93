"""Calendars of people in several time zones, meetings wanted, and when these can be held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.flights import clock, minutes
from rlgym.generators.services.people import codes, full_names
from rlgym.generators.services.records import Fact, Record

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
STEP = 30  # minutes; everything begins and ends at a full or half hour
_TOPICS = ("budget", "design", "hiring", "launch", "roadmap", "review", "training", "safety", "travel", "research")


class Person(NamedTuple):
    code: str
    zone: int  # minutes ahead of UTC
    begins: int  # working hours in local minutes of the day
    ends: int


class Meeting(NamedTuple):
    code: str
    people: tuple[str, ...]
    start: int  # UTC minutes from Monday 00:00
    end: int
    priority: int
    fixed: bool


class Wish(NamedTuple):
    code: str
    people: tuple[str, ...]
    length: int
    priority: int
    earliest: int
    latest: int


class Choice(NamedTuple):
    """When a wish is held, and which meetings give way."""

    start: int
    cancelled: tuple[str, ...]


def stamp(moment: int) -> str:
    """UTC minutes of the week as `Tuesday 09:30`."""
    return f"{DAYS[moment // 1440]} {clock(moment % 1440)}"


def moment(text: str) -> int:
    day, _, time = text.partition(" ")
    return DAYS.index(day) * 1440 + minutes(time)


def person(record: Record) -> Person:
    sign, hours = record.word("zone")[3], record.word("zone")[4:]
    ahead = minutes(hours) * (1 if sign == "+" else -1)
    begins, _, ends = record.word("works").partition(" to ")
    return Person(record.code, ahead, minutes(begins), minutes(ends))


def meeting(record: Record) -> Meeting:
    return Meeting(
        record.code,
        record.names("people"),
        moment(record.word("begins")),
        moment(record.word("ends")),
        record.number("priority"),
        record.word("movable") == "no",
    )


def wish(record: Record) -> Wish:
    facts = (record.number("minutes"), record.number("priority"), moment(record.word("not before")), moment(record.word("over by")))
    return Wish(record.code, record.names("people"), *facts)


def works(person: Person, start: int, end: int) -> bool:
    """Whether a person works all the time from start to end."""
    local_start, there = start + person.zone, end + person.zone
    return (
        local_start // 1440 == (there - 1) // 1440
        and local_start % 1440 >= person.begins
        and local_start % 1440 + (end - start) <= person.ends
    )


def hold(wish: Wish, people: Mapping[str, Person], meetings: Sequence[Meeting], moves: bool = True, zones: bool = True) -> Choice | None:
    """The first time when all work and none has another meeting; if there is none, the first when only lesser meetings must give way."""
    crew = [people[code] if zones else people[code]._replace(zone=0) for code in wish.people]
    theirs = [meeting for meeting in meetings if any(code in meeting.people for code in wish.people)]
    second: Choice | None = None
    for start in range(wish.earliest, wish.latest - wish.length + 1, STEP):
        end = start + wish.length
        if not all(works(person, start, end) for person in crew):
            continue
        clash = [meeting for meeting in theirs if meeting.start < end and start < meeting.end]
        if not clash:
            return Choice(start, ())
        if moves and second is None and all(meeting.priority < wish.priority and not meeting.fixed for meeting in clash):
            second = Choice(start, tuple(sorted(meeting.code for meeting in clash)))
    return second


class Week(NamedTuple):
    records: tuple[Record, ...]
    wishes: tuple[str, ...]


def week(rng: Rng, wishes: int, people: int, busy: int, zones: int) -> Week:
    """A week of calendars with up to `busy` meetings a person and a day, and wishes of which most can be met."""
    pressed = busy > 2 or (busy == 2 and rng.chance(0.6))
    while True:
        crew = _crew(rng, people, zones)
        meetings = _sample_meetings(rng, crew, busy)
        wish_list = [_wish(rng, code, crew) for code in codes(rng, wishes, "W")]
        known, now, got = {person.code: person for person in crew}, list(meetings), list[Choice | None]()
        for wish in wish_list:
            choice = hold(wish, known, now)
            got.append(choice)
            if choice:
                now = [other for other in now if other.code not in choice.cancelled]
                now.append(Meeting(wish.code, wish.people, choice.start, choice.start + wish.length, wish.priority, True))
        # Only some of the wishes may be impossible, and where meetings are many one at least must give way.
        if sum(choice is None for choice in got) <= wishes // 4 and (not pressed or any(choice and choice.cancelled for choice in got)):
            break
    records = []
    for name, who in zip(full_names(rng, people), crew):
        zone = f"UTC{'+' if who.zone >= 0 else '-'}{clock(abs(who.zone))}"
        records.append(Record("person", who.code, {"name": name, "zone": zone, "works": f"{clock(who.begins)} to {clock(who.ends)}"}))
    for meet in meetings:
        facts: dict[str, Fact] = {
            "topic": rng.choice(_TOPICS),
            "begins": stamp(meet.start),
            "ends": stamp(meet.end),
            "people": meet.people,
            "priority": meet.priority,
            "movable": "no" if meet.fixed else "yes",
        }
        records.append(Record("meeting", meet.code, facts))
    for wish in wish_list:
        facts = {
            "people": wish.people,
            "minutes": wish.length,
            "priority": wish.priority,
            "not before": stamp(wish.earliest),
            "over by": stamp(wish.latest),
        }
        records.append(Record("wish", wish.code, facts))
    return Week(tuple(rng.shuffled(records)), tuple(wish.code for wish in wish_list))


def _crew(rng: Rng, people: int, zones: int) -> list[Person]:
    offsets = [0, *rng.sample((-300, -180, -60, 60, 120, 180, 210, 330), zones)]
    return [Person(code, rng.choice(offsets), 60 * rng.integer(7, 10), 60 * rng.integer(16, 19)) for code in codes(rng, people, "P")]


def _sample_meetings(rng: Rng, crew: Sequence[Person], busy: int) -> list[Meeting]:
    meetings: list[Meeting] = []
    spare = codes(rng, len(crew) * busy * 2, "M")
    for code in spare:
        day, length = rng.integer(0, 1), STEP * rng.integer(1, 5)
        start = day * 1440 + STEP * rng.integer(10, 36)
        some = tuple(sorted(person.code for person in rng.sample(crew, rng.integer(1, min(3, len(crew))))))
        if not any(meeting.start < start + length and start < meeting.end and set(some) & set(meeting.people) for meeting in meetings):
            meetings.append(Meeting(code, some, start, start + length, rng.integer(1, 8), rng.chance(0.25)))
    return meetings


def _wish(rng: Rng, code: str, crew: Sequence[Person]) -> Wish:
    some = tuple(sorted(person.code for person in rng.sample(crew, rng.integer(2, min(4, len(crew))))))
    day = rng.integer(0, 1)
    early = day * 1440 + 60 * rng.integer(4, 12)
    return Wish(code, some, STEP * rng.integer(1, 4), rng.integer(3, 9), early, day * 1440 + 60 * rng.integer(18, 23))
