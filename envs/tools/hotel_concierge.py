"""Plan a hotel guest's day: learn in your own words what the guest cannot do, and book the best rated plan that keeps to all of it.

The guest is a simulated person who understands ordinary English, forgets and corrects what was said before. A plan has one offer for each wish;
times, walks back to the hotel, money and what the guest tells only when asked rule many out. Judged by the bookings of the one best plan.
"""

from typing import ClassVar, Literal

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.office import Service
from rlgym.generators.services.outings import TOPICS, Wants, heard, offer, plans, stay, suits, walkable
from rlgym.generators.services.records import CODE, FIRST_PAGE, Browse, Change, Eyes, Finish, Read, Record
from rlgym.generators.users.desk import Conversations, Say, hear, talk
from rlgym.generators.users.grammar import Meaning
from rlgym.generators.users.moods import moods
from rlgym.generators.users.person import Chat, Line, Person
from rlgym.generators.users.translation.prompts import LANGUAGE, speaking, worded
from rlgym.generators.users.translation.speech import translated


class GetRoom(Read):
    """Reads who stays in a room, and how many persons they are."""

    kind = "room"
    code: str = CODE


class SayToGuest(Say):
    """Says something to the guest, in plain English; the answer is what they reply. Ask for at most three things in one message."""

    grammar: ClassVar[str] = "guest"
    questions: ClassVar[dict[str, str]] = {
        "budget": "How much may it cost in all?",
        "food": "Is there anything that you do not eat?",
        "stairs": "Can you climb stairs?",
        "times": "At what times of the day would it suit you?",
        "dislikes": "Are there themes that you dislike?",
    }


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


TOOLS = ToolCalls((GetRoom, SayToGuest, ListOffers, GetOffer, Book, Finish))


class Knobs(Config):
    wishes: int = knob(2, easy=1, hard=4, doc="kinds of things wanted")
    offers: int = knob(6, easy=4, hard=7, doc="offers of each kind")
    limits: int = knob(3, easy=1, hard=5, doc="matters in which the guest is bound")
    disclosure: str = knob(
        "asked",
        easy="all",
        hard="late",
        order=("all", "asked", "late"),
        doc="whether the guest says all but the budget at once, when asked, or when asked again and with corrections",
    )
    language: str = LANGUAGE


class State(Conversations):
    """`known` is what the guest holds to, where all but the budget was said at once."""

    room: str
    kinds: tuple[str, ...]
    known: Wants | None


def start(rng: Rng, knobs: Knobs) -> State:
    told = knobs.disclosure == "all"
    world = stay(rng, knobs.wishes, knobs.offers, knobs.limits, knobs.disclosure)
    asks = (
        "Before you book, ask about the budget.\n"
        if told
        else f"Before you book, ask about the guest's {_listed(_topics(world.kinds))}, and then whether there is anything else until there is nothing more; "
        "what the guest says last about a matter counts. Guests may need to be asked twice, and hang up when their patience ends.\n"
    )
    briefing = (
        f'You are the concierge of a hotel. From room {world.room} comes a call: "{translated(knobs.language, "guest", world.opening)}"\n\n'
        f"The guest is a person: speak to them in plain English.\n{asks}"
        f"Book one offer of each kind wanted for all persons of the room, such that:\n"
        f"- all that the guest says about {_listed(_topics(world.kinds))} is kept to{' (food only matters for dinners)' if 'dinner' in world.kinds else ''};\n"
        "- every offer booked has a place left for each person;\n"
        "- no two offers overlap, and from the end of one to the beginning of the next there is time to walk back to the hotel and out to the next;\n"
        "- the ratings of the offers booked add up to the largest total possible, and of several such plans the cheapest is booked."
    )
    state = State(
        briefing=briefing, records=world.records, cases=1, room=world.room, kinds=world.kinds, known=world.wants if told else None,
        people=speaking(knobs.language, (world.person,)), chats=(Chat(),),
    )  # fmt: skip
    return desk.begun(state) if knobs.wishes == 1 else state


def _topics(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """What must be asked of a guest."""
    return tuple(topic for topic in TOPICS if topic != "food" or "dinner" in kinds)


def _listed(topics: tuple[str, ...]) -> str:
    topics = tuple("times of day" if topic == "times" else topic for topic in topics)
    return f"{', '.join(topics[:-1])} and {topics[-1]}"


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    persons = eyes.read(GetRoom(code=state.room)).number("persons")
    wants = _ask(state, eyes, persons, slip)
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


def _ask(state: State, eyes: Eyes, persons: int, slip: str) -> Wants:
    """What the guest holds to; food is asked for only where there is a dinner."""
    if state.known:
        return state.known._replace(budget=eyes.read(SayToGuest.asking(TOPICS[0])).number("budget"))
    answers = eyes.reads([SayToGuest.asking(topic) for topic in _topics(state.kinds)])
    nothing = Record("answer", "food", {"food": ""})
    more = list[Record]()
    while slip != "first_words" and (not more or more[-1].facts["more"] == "yes"):
        more.append(eyes.read(SayToGuest.asking(f"more {len(more) + 1}")))
    return heard(persons, [nothing, *answers, *more])


def _needs(state: State, change: Tool) -> list[str]:
    """The guest must have been asked about everything before anything is booked."""
    asked = [*_topics(state.kinds), *(record.code for record in state.records if record.code.startswith("more "))]
    corrected = [record.code for record in state.records if "until" in record.facts and str(record.facts["until"]) in state.read]
    return [TOPICS[0]] if state.known else [code for code in asked if code not in corrected]


def _stated(state: State) -> tuple[str, ...]:
    return () if state.known else ("first_words",)


def _react(state: State, person: Person, meaning: Meaning) -> Line | None:
    """What a guest says to something that none of the lines answers."""
    match meaning.intent:
        case "go_ahead":
            return Line("", "If it keeps to all that matters to us, book it.")
        case "ask:general":
            return Line("", "Ask me about one thing after the other: what would you like to know?")
        case "ask:persons":
            room = next(record for record in state.records if record.kind == "room")
            return Line("", f"We are {room.facts['persons']}." if room.facts["persons"] != 1 else "It is only me.")
        case "ask:name":
            return Line("", f"My name is {person.name}, from room {state.room}.")
        case "ask:walk":
            return Line("", "We do not mind a walk if there is time for it.")
        case "ask:priority":
            return Line("", "We want what is rated best; of equals, the cheapest.")
        case "ask:aside":
            return Line("", "That has nothing to do with it.")
        case "anything_else":
            return Line("", "No, that is all.")
    return None


def _talk(state: State, call: Tool) -> tuple[State, str] | None:
    return talk(state, call, TOOLS, _react)


def weight(state: State) -> float:
    return 2 * len(state.kinds) ** 2


desk = Service(
    TOOLS, decide, slips=("asks_nothing", "spends", "flies"), needs=_needs, stated=_stated, weight=weight, talk=_talk, heard=hear,
    voices=("answer",),
)  # fmt: skip

environment = Game(
    Knobs, TOOLS, start, worded(desk.show), desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Ask for every limit first, then go through the plans from the best rated down, reading offers until one keeps to all of it.",
    rules=desk.rules,
    version=11,
    milestones=desk.milestones, moods=moods,
    with_user=desk.with_user,
)  # fmt: skip
