"""Plan a hotel guest's day: learn what the guest cannot do, and book the best rated plan that keeps to all of it.

A plan has one offer for each wish; times, walks back to the hotel, money and what the guest tells only when asked rule
many out. Judged by the bookings: they must be those of the one best plan.
"""

from typing import Literal

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.office import Service
from rlgym.generators.services.outings import TOPICS, offer, plans, read_wants, stay, suits, walkable
from rlgym.generators.services.records import CODE, FIRST_PAGE, Browse, Change, Eyes, Finish, Office, Read, Record


class GetRoom(Read):
    """Reads who stays in a room, and how many persons they are."""

    kind = "room"
    code: str = CODE


class AskGuest(Read):
    """Asks the guest about one matter."""

    kind, by = "answer", ("about",)
    about: Literal["budget", "food", "stairs", "times", "dislikes"]


class ListOffers(Browse):
    """Lists what is offered today of a sort; the price is in coins for one person."""

    kind, by, shows = "offer", ("sort",), ("begins", "ends", "price", "rating")
    sort: Literal["dinner", "tour", "massage", "concert", "museum"]
    page: int = FIRST_PAGE


class GetOffer(Read):
    """Reads an offer: also its theme, the walk from the hotel, stairs, places left and, of a dinner, whom it has food for."""

    kind = "offer"
    code: str = CODE


class Book(Change):
    """Books an offer for all persons of a room."""

    touches = {"room": "room", "offer": "offer"}
    room: str = CODE
    offer: str = CODE


TOOLS = ToolCalls((GetRoom, AskGuest, ListOffers, GetOffer, Book, Finish))


class Knobs(Config):
    wishes: int = knob(2, easy=1, hard=4, doc="kinds of things wanted")
    offers: int = knob(6, easy=4, hard=7, doc="offers of each kind")
    limits: int = knob(3, easy=1, hard=5, doc="matters in which the guest is bound")
    disclosure: str = knob(
        "asked",
        easy="all",
        hard="late",
        order=("all", "asked", "late"),
        doc="whether the guest says so at once, when asked, or when asked again",
    )


class State(Office):
    room: str
    kinds: tuple[str, ...]


def start(rng: Rng, knobs: Knobs) -> State:
    world = stay(rng, knobs.wishes, knobs.offers, knobs.limits, knobs.disclosure)
    briefing = (
        f'You are the concierge of a hotel. From room {world.room} comes a call: "{world.said}"\n\n'
        f"Book one offer of each kind wanted for all persons of the room, such that:\n"
        f"- all that the guest says about {', '.join(TOPICS[:-1])} and {TOPICS[-1]} is kept to (food only matters for dinners);\n"
        "- every offer booked has a place left for each person;\n"
        "- no two offers overlap, and from the end of one to the beginning of the next there is time to walk back to the hotel and out to the next;\n"
        "- the ratings of the offers booked add up to the largest total possible, and of several such plans the cheapest is booked."
    )
    return State(briefing=briefing, records=world.records, cases=1, stalls=world.stalls, room=world.room, kinds=world.kinds)


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    eyes.read(GetRoom(code=state.room))
    answers = eyes.reads([AskGuest.model_validate({"about": topic}) for topic in TOPICS])
    wants = read_wants(answers)
    if slip == "asks_nothing":
        wants = wants._replace(food="", stairs=False, dislikes="", earliest=0, latest=24 * 60)
    calls = [ListOffers.model_validate({"sort": kind}) for kind in state.kinds]
    lists = eyes.each([lambda call=call: eyes.all(call) for call in calls])  # type: ignore[misc]
    rows = tuple(tuple(offer(one) for one in some) for some in lists)
    budget = 10**6 if slip == "spends" else wants.budget
    known: dict[str, Record] = {}
    for plan in plans(rows, wants.persons, budget, wants.earliest, wants.latest):
        unread = [GetOffer(code=one.code) for one in plan if one.code not in known]
        known |= {record.code: record for record in eyes.reads(unread)}
        records = [known[one.code] for one in plan]
        if all(suits(one, wants) for one in records) and (slip == "flies" or walkable(records)):
            return [Book(room=state.room, offer=one.code) for one in plan]
    assert slip, "the generator sees to it that there is a plan"
    return []


def weight(state: State) -> float:
    return 2 * len(state.kinds) ** 2


desk = Service(TOOLS, decide, slips=("asks_nothing", "spends", "flies"), weight=weight, voices=("answer",))

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Ask for every limit first, then go through the plans from the best rated down, reading offers until one keeps to all of it.",
    rules=desk.rules,
    version=4,
    milestones=desk.milestones,
    with_user=desk.with_user,
)  # fmt: skip
