"""Move the meetings of a series to new times and rooms, under the constraints of people, rooms and rules.

Judged by the state of all systems at the end. Nobody else's meeting is touched.
"""

from rlgym import Game, Rng, knob
from rlgym.answers import ToolCalls
from rlgym.generators.company.company import Company, CompanyKnobs
from rlgym.generators.company.directory import PEOPLE_READ, GetPerson
from rlgym.generators.company.eyes import Eyes
from rlgym.generators.company.mail import MAIL, ListMail, ReadMail, SendMail
from rlgym.generators.company.operations import Finish, Write
from rlgym.generators.company.rulebook import Rulebook, Rules
from rlgym.generators.company.schedule import (
    CALENDAR,
    BusyTimes,
    CancelMeeting,
    GetMeeting,
    ListRooms,
    ListSeries,
    MoveMeeting,
    RoomBookings,
    clock,
    minutes,
    overlaps,
)
from rlgym.generators.company.second_versions import versioned
from rlgym.generators.company.wiki import WIKI, ReadPage, SearchWiki
from rlgym.generators.company.work import Work, Workflow
from rlgym.generators.company.world import Row

BOOK = Rulebook(
    "Meeting moves",
    {
        "start": "The meeting starts on a full or half hour, not before 09:00, and ends by 17:00.",
        "people": "At that time no attendee is busy with anything else.",
        "room": "It takes place in a room of the site that has a seat for each attendee and is not booked then; of several such rooms, the one with the fewest "
        "seats is taken.",
        "earliest": "The earliest start that the rules allow is taken; if there is none on the date, the meeting is cancelled.",
        "gap": "At least {gap} minutes lie between the meeting and whatever else an attendee is busy with.",
        "lunch": "The meeting does not overlap the time from 12:00 to 13:00.",
        "screen": "The room has a screen.",
        "guests": "Attendees of another department than that of the organizer may be busy, but they need a seat.",
        "closed": "On the dates on the page Company closures of the wiki, the meeting is cancelled.",
        "tell": "The organizer gets one mail that names the date and the new start of each meeting that was moved, and no other dates and times.",
    },
    basic=("start", "people", "room", "earliest"),
)
TOOLS = ToolCalls(versioned(*CALENDAR, *PEOPLE_READ, *MAIL, *WIKI, Finish), limit_in_prompt=True)


class Knobs(CompanyKnobs):
    cases: int = knob(3, easy=1, hard=4, doc="meetings of the series")
    attendees: int = knob(3, easy=2, hard=4, doc="attendees, the organizer among them")
    rooms: int = knob(4, easy=1, hard=6, doc="rooms of the site")


def start(rng: Rng, knobs: Knobs, migrated: bool = False) -> Work:
    company = Company(rng, 8 + knobs.records // 5, migrated=migrated)
    several = knobs.cases > 1
    gap = rng.choice((15, 45))
    old = [{"gap": 60 - gap} for _ in range(knobs.outdated_pages if several else 0)]
    rules = BOOK.draw(rng, knobs.clauses, ["gap"] if old else [])
    said, facts, skipped = BOOK.install(company, rules, {"gap": gap}, old)
    organizer = company.hire()
    home = company.row("people", organizer)["department"]
    others = [company.hire() for _ in range(knobs.attendees - 1)]
    for place, person in enumerate(others):
        away = place == 0 and "guests" in rules
        other = next(name for name in company.departments if name != home)
        company.row("people", person)["department"] = other if away else home
    rooms = _rooms(company, knobs)
    series, dates = company.code("SR"), sorted({company.working_day(3 + 2 * place) for place in range(knobs.cases)})
    for date in dates:
        _day(company, [organizer, *others], rooms, date, gap, others[0] if "guests" in rules else "")
        row: Row = {
            "title": "Project review",
            "organizer": organizer,
            "attendees": sorted([organizer, *others]),
            "room": rooms[0],
            "date": date,
        }
        company.add("meetings", "E", **row, start="17:30", end="18:00", series=series)
    if "closed" in rules:
        company.page("Company closures", f"Closed on {company.working_day(30)} and {dates[min(1, len(dates) - 1)]}.")
    site = company.row("rooms", rooms[0])["site"]
    facts = {**facts, "series": series, "site": site, "organizer": organizer, **({"mails": "yes"} if several else {})}
    briefing = (
        f"No meeting of the series {series} at {company.name} can start at 17:30 any longer. Move each of its meetings to another start and to a room, on the "
        f"same date; its length stays. The organizer is {organizer}, and the site is {site}.\n{said}"
    )
    if not several:
        return desk.ready(company.work(knobs, briefing, facts, skipped, ("calendar.write",)), knobs)
    company.fill_mail(min(knobs.records // 6, 6))
    body = f"Not on {dates[0]}, please: cancel that meeting."
    late = [company.arrival("mail", "mails", company.code("M"), company.mail_row(company.email(organizer), "Series", body))]
    briefing += "\nIf the organizer has sent you a mail with the subject Series, do with the meeting that it names what it says."
    state = company.work(knobs, briefing, facts, skipped, ("calendar.write",))
    return desk.ready(company.disturbed(state, TOOLS.tools, knobs, *(late if knobs.arrivals and len(dates) > 1 else ())), knobs)


def shift(rng: Rng, knobs: Knobs) -> Work:
    """The same work with the second versions of all tools, and with rules that are amended by further pages."""
    return start(rng, knobs, migrated=True)


def plan(eyes: Eyes, slip: str = "") -> list[Write]:
    site, series = eyes.facts["site"], eyes.facts["series"]
    questions = [
        lambda: BOOK.look_up(eyes, slip),
        lambda: [row["id"] for row in eyes.all(ListSeries(series=series))],
        lambda: eyes.all(ListRooms(site=site)),
    ]
    rules, codes, rooms = eyes.together(questions)
    meetings = eyes.each([GetMeeting(meeting=code) for code in codes])
    known = "mails" in eyes.facts or "tell" in rules or "guests" in rules
    organizer = eyes.ask(GetPerson(person=eyes.facts["organizer"])) if known else {}
    cancelled, closed = eyes.together([lambda: _cancellation_mails(eyes, organizer), lambda: _closures(eyes) if "closed" in rules else ""])
    guests = eyes.each([GetPerson(person=person) for person in meetings[0]["attendees"]]) if "guests" in rules else []
    away = [person["id"] for person in guests if person["department"] != organizer["department"]]
    deeds: list[Write] = eyes.for_each(
        meetings,
        lambda row: (
            _move_meeting(eyes, rules, row, rooms, away) if row["date"] not in cancelled + closed else CancelMeeting(meeting=row["id"])
        ),
    )
    if "tell" in rules:
        text = "; ".join(f"{deed.date} at {deed.start}" for deed in deeds if isinstance(deed, MoveMeeting))
        deeds.append(SendMail(to=organizer["email"], subject="Series", body=f"Moved: {text}."))
    return deeds


def _cancellation_mails(eyes: Eyes, organizer: Row) -> str:
    """The mails in which the organizer takes a meeting back."""
    if "mails" not in eyes.facts:
        return ""
    rows = [row for row in eyes.all(ListMail(folder="inbox")) if row["subject"] == "Series" and row["sender"] == organizer["email"]]
    return " ".join(mail["body"] for mail in eyes.each([ReadMail(mail=row["id"]) for row in rows]))


def _closures(eyes: Eyes) -> str:
    found = eyes.all(SearchWiki(words="Company closures"))
    return str(eyes.ask(ReadPage(code=next(row["id"] for row in found if row["title"] == "Company closures")))["text"])


def _move_meeting(eyes: Eyes, rules: Rules, meeting: Row, rooms: list[Row], away: list[str]) -> Write:
    date, length = meeting["date"], minutes(meeting["end"]) - minutes(meeting["start"])
    asked = [person for person in meeting["attendees"] if person not in away]
    fit = [
        room for room in rooms if room["seats"] >= len(meeting["attendees"]) and ("screen" not in rules or "screen" in room["equipment"])
    ]
    busy = eyes.each([BusyTimes(person=person, date=date) for person in asked])
    booked = eyes.each([RoomBookings(room=room["id"], date=date) for room in fit])
    own = f"{meeting['start']}-{meeting['end']}"
    spans = [span for times in busy for span in times["busy"] if span != own]
    gap = rules.number("gap") if "gap" in rules else 0
    taken = {room["id"]: [span for span in times["booked"] if span != own] for room, times in zip(fit, booked)}
    for begin in range(540, 1020 - length + 1, 30):
        end = begin + length
        if overlaps(spans, begin - gap, end + gap) or ("lunch" in rules and overlaps(["12:00-13:00"], begin, end)):
            continue
        free = [room for room in fit if not overlaps(taken[room["id"]], begin, end)]
        if free:
            room = min(free, key=lambda one: int(one["seats"]))
            return MoveMeeting(meeting=meeting["id"], date=date, start=clock(begin), room=room["id"])
    return CancelMeeting(meeting=meeting["id"])


def _rooms(company: Company, knobs: Knobs) -> list[str]:
    """Rooms of one site, no two with as many seats, and rooms of another one; the first has a screen and seats for all."""
    rng, (site, other) = company.rng, company.sites
    fits = [knobs.attendees] if knobs.rooms > 1 else []
    seats = [knobs.attendees + 8, *fits, *rng.sample([2, *range(knobs.attendees + 1, knobs.attendees + 8)], max(0, knobs.rooms - 2))]
    codes = [
        company.add(
            "rooms",
            "RM",
            name=f"Room {rng.integer(100, 999)}",
            site=site,
            seats=count,
            equipment=["screen"] if place % 2 == 0 else ["board"],
        )
        for place, count in enumerate(seats)
    ]
    for _ in range(knobs.rooms):
        company.add("rooms", "RM", name=f"Room {rng.integer(100, 999)}", site=other, seats=rng.integer(4, 12), equipment=["screen"])
    return codes


def _day(company: Company, people: list[str], rooms: list[str], date: str, gap: int, guest: str) -> None:
    """Fills a date such that each rule decides when the first free time is: the morning is taken, and so is the time after lunch."""
    rng = company.rng
    busy = [person for person in people if person != guest]
    morning = 660 if gap > 30 else 690
    cut = 30 * rng.integer(19, morning // 30 - 1)
    _block(company, busy[0], date, 540, cut)
    _block(company, rng.choice(busy), date, cut, morning)
    _block(company, rng.choice(busy), date, 810, 840 + 30 * rng.integer(0, 2))
    if guest:
        _block(company, guest, date, 540, 1020)
    for person in people[1:]:
        begin = 30 * rng.integer(18, 20)
        _block(company, person, date, begin, begin + 30)
    for room in rooms[2:]:
        begin = 30 * rng.integer(18, 31)
        attendees = sorted(rng.sample(company.staff, 2))
        row: Row = {"title": "Talk", "organizer": attendees[0], "attendees": attendees, "room": room, "date": date}
        company.add("meetings", "E", **row, start=clock(begin), end=clock(begin + 30 * rng.integer(1, 3)), series="")


def _block(company: Company, person: str, date: str, begin: int, end: int) -> None:
    company.add("blocks", "BL", person=person, date=date, start=clock(begin), end=clock(end))


desk = Workflow(TOOLS, plan)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Collect what each person and each suitable room has on the date, and take the first start that all rules allow.",
    shift=shift,
    rules=desk.rules,
    milestones=desk.milestones,
    version=6,
)  # fmt: skip
