"""Find bags for callers who remember them wrongly, and hand them out, deliver, hold or keep them by an airport's rules.

The callers are simulated people who understand ordinary English. One may describe a bag that is not quite theirs, or name another's passport.
Judged by how each call is settled; all of it must rest on what was heard and read.
"""

from collections.abc import Mapping
from typing import ClassVar

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.luggage import FOOD, MEDICINE, RULES, Policy, airport, fee_of, rules_in_words
from rlgym.generators.services.office import Service
from rlgym.generators.services.records import CODE, FIRST_PAGE, TEXT, Browse, Change, Eyes, Finish, Read, Record
from rlgym.generators.users import luggage_phrases
from rlgym.generators.users.desk import Conversations, SayTo, hear, talk
from rlgym.generators.users.grammar import Meaning
from rlgym.generators.users.grounds import needs_of
from rlgym.generators.users.luggage_phrases import LOOKS
from rlgym.generators.users.moods import moods
from rlgym.generators.users.person import Chat, Line, Person
from rlgym.generators.users.translation.prompts import LANGUAGE, speaking, worded


class SayToCaller(SayTo):
    """Says something to the caller with this code, in plain English, and gives the reply. Ask for at most three things in one message."""

    grammar: ClassVar[str] = "luggage"
    questions: ClassVar[Mapping[str, str]] = {
        "name": "What is your name?",
        "flight": "Where did you fly from, and on which day?",
        "kind": "What kind of bag is it?",
        "colour": "What colour is it?",
        "brand": "Which brand is it?",
        "mark": "Does it have any distinguishing marks?",
        "contents": "What was inside the bag?",
        "passport": "What is your passport number?",
        "times": "Which days and times suit you?",
        **{f"sure_{look}": f"Are you sure about the {look}?" for look in LOOKS},
    }


class ListFlights(Browse):
    """Lists the flights from a town in the last week."""

    kind, by, shows = "flight", ("town",), ("day",)
    town: str = TEXT
    page: int = FIRST_PAGE


class ListBags(Browse):
    """Lists the bags in the store that came with a flight."""

    kind, by, shows = "bag", ("flight",), ("kind", "colour")
    flight: str = CODE
    page: int = FIRST_PAGE


class GetBag(Read):
    """Reads how a bag looks, what is inside, what it is worth in coins, and for how many days it has been in the store."""

    kind = "bag"
    code: str = CODE


class GetPassenger(Read):
    """Reads the flight and the passport number of a passenger."""

    kind, by = "passenger", ("name",)
    name: str = TEXT


class ListDeliveries(Browse):
    """Lists the free times of the courier for a call, in the order of time."""

    kind, by, shows = "delivery", ("call",), ("day", "time")
    call: str = CODE
    page: int = FIRST_PAGE


class HandOut(Change):
    """Settles a call: the caller gets the bag at the desk."""

    touches = {"call": "call", "bag": "bag"}
    call: str = CODE
    bag: str = CODE


class Deliver(Change):
    """Settles a call: the courier brings the bag at a free time, which is given by its code."""

    touches = {"call": "call", "bag": "bag"}
    call: str = CODE
    bag: str = CODE
    time: str = CODE


class HoldForCustoms(Change):
    """Settles a call: the bag goes to customs."""

    touches = {"call": "call", "bag": "bag"}
    call: str = CODE
    bag: str = CODE


class CallPolice(Change):
    """Settles a call: the police look into it."""

    touches = {"call": "call", "bag": "bag"}
    call: str = CODE
    bag: str = CODE


class KeepBag(Change):
    """Settles a call: the bag stays in the store, because its storage is not paid."""

    touches = {"call": "call", "bag": "bag"}
    call: str = CODE
    bag: str = CODE


class OpenSearch(Change):
    """Settles a call: no bag in the store is the caller's."""

    touches = {"call": "call"}
    call: str = CODE


TOOLS = ToolCalls(
    (
        *(SayToCaller, ListFlights, ListBags, GetBag, GetPassenger, ListDeliveries),
        *(HandOut, Deliver, HoldForCustoms, CallPolice, KeepBag, OpenSearch, Finish),
    )
)


class Knobs(Config):
    callers: int = knob(2, easy=1, hard=4, doc="callers, one after the other")
    rules: int = knob(3, easy=0, hard=5, doc="rules besides the general ones")
    bags: int = knob(7, easy=4, hard=10, doc="bags of a flight in the store")
    patience: int = knob(7, easy=9, hard=5, doc="needless messages that a caller puts up with")
    memory: str = knob(
        "wrong",
        easy="told",
        hard="vague",
        order=("told", "wrong", "vague"),
        doc="callers tell all at once, may be wrong about a look, or do not know the number of their flight either",
    )
    language: str = LANGUAGE


class State(Conversations):
    calls: tuple[str, ...]
    policy: Policy
    described: bool


def start(rng: Rng, knobs: Knobs) -> State:
    policy = Policy(
        tuple(sorted(rng.sample(RULES, knobs.rules), key=RULES.index)), 50 * rng.integer(4, 9), rng.integer(3, 6), rng.integer(2, 5)
    )
    described = knobs.memory == "told"
    world = airport(rng, policy, knobs.callers, knobs.bags, knobs.memory, knobs.patience)
    calls = tuple(person.code for person in world.people)
    named = ", ".join(f"{person.code} ({person.name})" for person in world.people)
    some = f"these calls, each by exactly one change: {named}" if len(calls) > 1 else f"this call by exactly one change: {named}"
    how = (
        "A bag is the caller's if everything that the caller names as its contents is in it and it looks as the caller says. Let the caller say what is "
        "lost."
        if described
        else "Let each caller say what has happened. Ask for the flight, for the kind, colour, brand and mark of the bag (its four looks) and for its contents "
        "before you settle a call. A bag "
        "of the flight is the caller's if everything that the caller names as its contents is in it and at most one of the looks differs from the "
        "description: people remember wrongly how a bag looks, but not what is in it."
    )
    lines = "".join(f"\n- {text}" for text in rules_in_words(policy))
    briefing = (
        f"You answer the telephone of an airport's lost-luggage office. Settle {some}.\n\nCallers are people: speak to them in plain English. A caller "
        f"hangs up after more than {knobs.patience} messages that are not understood, or that ask again for what was said.\n\n{how} If no bag is the "
        "caller's, open a search."
        + (f" Otherwise the first of these rules that settles the call counts:{lines}\n" if lines else " ")
        + "Otherwise hand the bag out."
    )
    records = (*world.records, *(Record("call", code, {}) for code in calls))
    state = State(
        briefing=briefing, records=records, cases=len(calls), people=speaking(knobs.language, world.people),
        chats=(Chat(),) * len(calls), calls=calls, policy=policy,
        described=described,
    )  # fmt: skip
    return desk.begun(state) if knobs.callers == 1 else state


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    call, rules = state.calls[case], {rule for rule in state.policy.rules if rule != slip}
    wish = _hear(eyes, call, "wish")
    asked = ("contents",) if slip == "looks" else (*LOOKS, "contents")
    asks = () if state.described else ("flight", *asked)
    heard = dict(zip(asks, eyes.reads([SayToCaller.asking(topic, call) for topic in asks])))
    looks = {look: wish.word(look) if state.described else heard[look].word("value") for look in LOOKS if state.described or look in heard}
    flight = _flight(eyes, wish if state.described else heard["flight"])
    most = 0 if state.described else 1
    listed = [bag for bag in eyes.all(ListBags(flight=flight)) if len(_differing(bag, looks)) <= most]
    bags = eyes.reads([GetBag(code=bag.code) for bag in listed])
    named = set((wish if state.described else heard["contents"]).names("named"))
    fits = [bag for bag in bags if named <= set(bag.names("inside")) and len(_differing(bag, looks)) <= most]
    if not fits:
        return [OpenSearch(call=call)]
    bag = fits[0]
    for look in _differing(bag, looks) if "doubt" in rules else ():
        if _hear(eyes, call, f"sure_{look}").word("value") != bag.facts[look]:
            return [OpenSearch(call=call)]
    return [_settle(state, eyes, case, bag, rules)]


def _settle(state: State, eyes: Eyes, case: int, bag: Record, rules: set[str]) -> Tool:
    """What is done about a bag that is the caller's."""
    call, policy, inside = state.calls[case], state.policy._replace(rules=tuple(rules)), bag.names("inside")
    if "passport" in rules and bag.number("worth") > policy.worth:
        passenger = eyes.read(GetPassenger(name=state.people[case].name))
        if _hear(eyes, call, "passport").word("passport") != passenger.word("passport"):
            return CallPolice(call=call, bag=bag.code)
    if "customs" in rules and set(inside) & set(FOOD):
        return HoldForCustoms(call=call, bag=bag.code)
    fee = fee_of(policy, bag.number("days"))
    if fee and not _hear(eyes, call, f"charge {fee}").number("pays"):
        return KeepBag(call=call, bag=bag.code)
    if "medicine" in rules and set(inside) & set(MEDICINE):
        for time in eyes.all(ListDeliveries(call=call)):
            if _hear(eyes, call, f"offer {time.facts['day']} at {time.facts['time']}").number("accepts"):
                return Deliver(call=call, bag=bag.code, time=time.code)
    return HandOut(call=call, bag=bag.code)


def _differing(bag: Record, looks: Mapping[str, str]) -> list[str]:
    return [look for look, value in looks.items() if bag.facts.get(look, value) != value]


def _flight(eyes: Eyes, journey: Record) -> str:
    if "flight" in journey.facts:
        return journey.word("flight")
    return next(flight.code for flight in eyes.all(ListFlights(town=journey.word("town"))) if flight.facts["day"] == journey.facts["day"])


def _hear(eyes: Eyes, call: str, name: str) -> Record:
    return eyes.read(SayToCaller.asking(name, call))


def _react(state: State, person: Person, meaning: Meaning) -> Line | None:
    """What a caller says to an offer or a question that none of the lines answers."""
    match meaning.intent:
        case "offer":
            return Line("", "No, I cannot be there then.")
        case "go_ahead":
            if meaning.amount is None:
                return Line("", "If it costs nothing, go ahead; if it does, tell me how much.")
            return Line("", luggage_phrases.objection(Rng("objection", person.code, meaning.amount), meaning.amount), objects=True)
        case "ask:times":
            return Line("", "I would rather have it today.")
    return None


def _stated(state: State) -> tuple[str, ...]:
    return (*state.policy.rules, *(() if state.described else ("looks",)))


desk = Service(
    TOOLS, decide, needs=needs_of(TOOLS, decide, (SayToCaller, GetPassenger)),
    stated=_stated, talk=lambda state, call: talk(state, call, TOOLS, _react), heard=hear, voices=("answer",)
)  # fmt: skip

environment = Game(
    Knobs, TOOLS, start, worded(desk.show), desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Compare the whole description with every bag of the flight, let the contents decide, and ask again about the one look that differs.",
    rules=desk.rules,
    milestones=desk.milestones, moods=moods,
    with_user=desk.with_user,
    version=7,
)  # fmt: skip
