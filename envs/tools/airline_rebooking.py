"""Move an airline's passengers to other flights: the best allowed journey for each, charged by the fare rules.

Journeys may have several flights, each airport asks for its own time between two of them, and seats that one party
takes are gone for the next. Judged by the bookings at the end.
"""

from typing import Annotated

from pydantic import Field

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.flights import CHARGES, Leg, Limits, charged, journeys, leg, minutes, rank, timetable
from rlgym.generators.services.office import Service
from rlgym.generators.services.policy import Policy, clauses, deciding, listed, policy
from rlgym.generators.services.records import AMOUNT, CODE, FIRST_PAGE, TEXT, Browse, Change, Eyes, Finish, Office, Read, Record


class GetBooking(Read):
    """Reads a booking."""

    kind = "booking"
    code: str = CODE


class ListFlights(Browse):
    """Lists the flights from an airport, with the price for one person."""

    kind, by, shows = "flight", ("origin",), ("origin", "to", "departs", "arrives", "price")
    origin: str = TEXT
    page: int = FIRST_PAGE


class CheckFlight(Read):
    """Reads a flight, with its free seats and its airline, own or partner."""

    kind = "flight"
    code: str = CODE


class GetAirport(Read):
    """Says how many minutes must lie between landing at this airport and taking off again; without an entry any time will do."""

    kind = "airport"
    code: str = TEXT


class Rebook(Change):
    """Moves a booking to these flights, in the order of flying, and charges this many coins for all persons together."""

    touches = {"booking": "booking", "flights": "flight"}
    booking: str = CODE
    flights: tuple[Annotated[str, CODE], ...] = Field(min_length=1, max_length=4)
    charge: int = AMOUNT


class PutOnWaitingList(Change):
    """Notes that no allowed journey is left for a booking."""

    touches = {"booking": "booking"}
    booking: str = CODE


TOOLS = ToolCalls((GetBooking, ListFlights, CheckFlight, GetAirport, Rebook, PutOnWaitingList, Finish))


class Knobs(Config):
    bookings: int = knob(3, easy=1, hard=5, doc="bookings to be moved")
    flights: int = knob(2, easy=1, hard=3, doc="most flights of a journey")
    hubs: int = knob(2, easy=1, hard=3, doc="airports where one can change")
    rules: int = knob(3, easy=1, hard=6, doc="rules about the charge besides the general one")


class State(Office):
    bookings: tuple[str, ...]
    policy: Policy
    flights: int


def start(rng: Rng, knobs: Knobs) -> State:
    return _state(rng, knobs, last=False)


def shift(rng: Rng, knobs: Knobs) -> State:
    """Later rules overrule earlier ones."""
    return _state(rng, knobs, last=True)


def _state(rng: Rng, knobs: Knobs, last: bool) -> State:
    rules = policy(rng, CHARGES, knobs.rules, last)
    records, bookings = timetable(rng, rules, knobs.bookings, knobs.hubs, knobs.flights)
    most = "one flight" if knobs.flights == 1 else f"one to {knobs.flights} flights that visit no airport twice"
    briefing = (
        f"You rebook passengers of an airline, all on one day. Move these bookings, in this order: {', '.join(bookings)}.\n\n"
        f"A journey is {most}, from the booking's first airport to its last. It may not take off before the booking's time `not before` nor "
        "land after its time `there by`. Where passengers change flights, the next one may take off no sooner than that airport's "
        "minimum connection time after landing. Every flight must have a free seat for each person; seats that you gave to an earlier booking "
        "of the list are gone (the records show the seats as they were at the beginning). Passengers with a saver fare may only take flights "
        "of their own airline.\n"
        "Where the reason is cancelled, take the allowed journey that lands first, and of several such the cheapest; else take the cheapest, and "
        "of several such the one that lands first. If there is no allowed journey, put the booking on the waiting list.\n\n"
        "Difference in fare means: the new journey's price less what was paid, for all persons together, or 0 where that is below 0. These "
        f"rules say what is charged for a booking. {listed(CHARGES, rules)}"
    )
    state = State(briefing=briefing, records=records, cases=1, bookings=bookings, policy=rules, flights=knobs.flights)
    return desk.begun(state) if knobs.bookings == 1 else state


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    bookings = eyes.reads([GetBooking(code=code) for code in state.bookings])
    ranked = eyes.each([lambda one=booking: _ranked(state, one, eyes, slip) for booking in bookings])  # type: ignore[misc]
    taken: dict[str, int] = {}
    deeds: list[Tool] = []
    for booking, ways in zip(bookings, ranked):
        way = next((way for way in ways if slip == "full_planes" or _allowed(booking, way, taken, eyes)), None)
        if way is None:
            deeds.append(PutOnWaitingList(booking=booking.code))
            continue
        persons = booking.number("persons")
        for one in way:
            taken[one.code] = taken.get(one.code, 0) + persons
        difference = max(0, persons * (sum(one.price for one in way) - booking.number("paid a person")))
        rule = deciding(CHARGES, state.policy, booking.facts, slip)
        charge = difference if slip == "no_fee" else charged(state.policy, rule.kind, rule.number, persons, difference)
        deeds.append(Rebook(booking=booking.code, flights=tuple(one.code for one in way), charge=charge))
    return deeds


def _ranked(state: State, booking: Record, eyes: Eyes, slip: str) -> list[tuple[Leg, ...]]:
    """The journeys of a booking that its times allow, the best first."""
    start, end = booking.word("from"), booking.word("to")
    legs = {start: [leg(one) for one in eyes.all(ListFlights(origin=start))]}
    connection: dict[str, int] = {}
    for _ in range(state.flights - 1):
        reached = dict.fromkeys(one.end for some in legs.values() for one in some if one.end != end and one.end not in legs)
        for record in eyes.each([lambda town=town: eyes.find(GetAirport(code=town)) for town in reached]):  # type: ignore[misc]
            if record and slip != "no_connection":
                connection[record.code] = record.number("minutes for a connection")
        lists = eyes.each([lambda town=town: eyes.all(ListFlights(origin=town)) for town in reached])  # type: ignore[misc]
        legs |= {town: [leg(one) for one in some] for town, some in zip(reached, lists)}
    limits = Limits(minutes(booking.word("not before")), minutes(booking.word("there by")), state.flights)
    ways = journeys([one for some in legs.values() for one in some], start, end, limits, connection)
    return sorted(ways, key=lambda way: rank(way, booking.facts["reason"] == "cancelled"))


def _allowed(booking: Record, way: tuple[Leg, ...], taken: dict[str, int], eyes: Eyes) -> bool:
    flights = eyes.reads([CheckFlight(code=one.code) for one in way])
    own = booking.facts["fare"] != "saver" or all(flight.facts["airline"] == "own" for flight in flights)
    return own and all(flight.number("seats") - taken.get(flight.code, 0) >= booking.number("persons") for flight in flights)


def weight(state: State) -> float:
    return float(len(state.bookings) * len(state.policy.rules))


desk = Service(TOOLS, decide, slips=("full_planes", "no_connection", "hasty", "no_fee"), weight=weight, stated=clauses)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    shift=shift,
    concept="List the journeys that the times allow, rank them as the booking asks, and take the first with seats; then find the rule for the charge.",
    version=6,
    rules=desk.rules,
    milestones=desk.milestones,
)  # fmt: skip
