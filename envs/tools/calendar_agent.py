"""Put meetings into the calendars of people in several time zones, at the first time that suits all of them.

Where no time is free, meetings of lower priority give way, but only movable ones. Meetings put in earlier stand in the
way of later ones. Judged by the calendars at the end.
"""

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.meetings import Meeting, hold, meeting, person, stamp, week, wish
from rlgym.generators.services.office import Service
from rlgym.generators.services.records import CODE, FIRST_PAGE, TEXT, Browse, Change, Eyes, Finish, Office, Read


class GetWish(Read):
    """Reads a meeting that is wanted."""

    kind = "wish"
    code: str = CODE


class GetPerson(Read):
    """Reads a person's time zone and working hours, which are in that zone."""

    kind = "person"
    code: str = CODE


class ListMeetings(Browse):
    """Lists the meetings of a person, as they were at the beginning."""

    kind, by, shows = "meeting", ("people",), ("begins", "ends")
    people: str = CODE
    page: int = FIRST_PAGE


class GetMeeting(Read):
    """Reads a meeting: also its priority and whether it is movable."""

    kind = "meeting"
    code: str = CODE


class Book(Change):
    """Puts a wanted meeting into the calendars of its people; the beginning is in UTC, such as Monday 09:30."""

    touches = {"wish": "wish"}
    wish: str = CODE
    begins: str = TEXT


class Cancel(Change):
    """Takes a meeting out of all calendars to make room for a wanted one."""

    touches = {"meeting": "meeting", "wish": "wish"}
    meeting: str = CODE
    wish: str = CODE


class GiveUp(Change):
    """Says that a wanted meeting cannot be held."""

    touches = {"wish": "wish"}
    wish: str = CODE


TOOLS = ToolCalls((GetWish, GetPerson, ListMeetings, GetMeeting, Book, Cancel, GiveUp, Finish))


class Knobs(Config):
    wishes: int = knob(2, easy=1, hard=4, doc="meetings that are wanted")
    people: int = knob(4, easy=2, hard=5, doc="people with calendars")
    busy: int = knob(2, easy=1, hard=3, doc="how many meetings there are, a person and a day")
    zones: int = knob(2, easy=0, hard=4, doc="time zones besides UTC")


class State(Office):
    wishes: tuple[str, ...]


def start(rng: Rng, knobs: Knobs) -> State:
    world = week(rng, knobs.wishes, knobs.people, knobs.busy, knobs.zones)
    briefing = (
        f"You keep calendars. Arrange these wanted meetings, in this order: {', '.join(world.wishes)}.\n\n"
        "All times are UTC, except working hours, which are in the person's own zone (UTC+02:00 is two hours ahead of UTC).\n"
        "- A meeting begins at a full or half hour, not before and over by the times that the wish names, and lies in one stretch within one "
        "working day of each of its people. Every weekday is a working day.\n"
        "- Book it at the first time when none of its people has another meeting, those counted that you booked earlier.\n"
        "- If there is no such time, cancel meetings: only movable ones with a priority lower than the wish's own. Book at the first time when "
        "nothing but such meetings is in the way, and cancel those and no others. What you booked yourself is not cancelled.\n"
        "- If there is no such time either, give the wish up."
    )
    state = State(briefing=briefing, records=world.records, cases=1, wishes=world.wishes)
    return desk.begun(state) if knobs.people == 2 else state


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    wishes = [wish(one) for one in eyes.reads([GetWish(code=code) for code in state.wishes])]
    crew = list(dict.fromkeys(code for one in wishes for code in one.people))
    people = {one.code: person(one) for one in eyes.reads([GetPerson(code=code) for code in crew])}
    lists = eyes.each([lambda code=code: eyes.all(ListMeetings(people=code)) for code in crew])  # type: ignore[misc]
    near = [row.code for rows in lists for row in rows]
    held = [meeting(one) for one in eyes.reads([GetMeeting(code=code) for code in dict.fromkeys(near)])]
    deeds: list[Tool] = []
    for one in wishes:
        found = hold(one, people, held, moves=slip != "moves_nothing", zones=slip != "ignores_zones")
        if found is None:
            deeds.append(GiveUp(wish=one.code))
            continue
        deeds += [Cancel(meeting=code, wish=one.code) for code in found.cancelled]
        deeds.append(Book(wish=one.code, begins=stamp(found.start)))
        held = [other for other in held if other.code not in found.cancelled]
        held.append(Meeting(one.code, one.people, found.start, found.start + one.length, one.priority, True))
    return deeds


desk = Service(TOOLS, decide, slips=("moves_nothing", "ignores_zones"))

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Bring working hours to UTC, lay all calendars over one another, and look for the first gap; only then for what may give way.",
    rules=desk.rules,
    version=6,
    milestones=desk.milestones,
)  # fmt: skip
