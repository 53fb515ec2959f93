"""Find the cheapest trip for two people who want different things, change their minds, and give something up only when asked.

Both are simulated people who understand ordinary English and tell only what they are asked. Judged by the trip booked; it must rest on what
both of them said.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.office import Service
from rlgym.generators.services.records import CODE, FIRST_PAGE, TEXT, Browse, Change, Eyes, Fact, Finish, Read, Record
from rlgym.generators.services.travel import RULES, SHARE, TOPICS, Trip, Wishes, agency, fitting, rules_in_words, wishes_of
from rlgym.generators.users.desk import Conversations, SayTo, hear, talk
from rlgym.generators.users.grammar import Meaning
from rlgym.generators.users.moods import moods
from rlgym.generators.users.person import Chat, Line, Person
from rlgym.generators.users.translation.prompts import LANGUAGE, speaking, worded
from rlgym.generators.users.travel_phrases import LANDSCAPES


class SayToPerson(SayTo):
    """Says something to one of the two, in plain English, and gives the reply. Ask for at most three things in one message."""

    grammar: ClassVar[str] = "travel"
    questions: ClassVar[Mapping[str, str]] = {
        "landscape": "What kind of place would you like to go to?",
        "budget": "What is your budget?",
        "travel": "How would you like to travel?",
        "hotel": "What does the hotel need to have?",
        "weeks": "In which weeks are you free?",
        "yield": "What could you do without?",
        "propose": "Would that suit you?",
    }


class ListTrips(Browse):
    """Lists the trips to a landscape: sea, mountains, city or lake."""

    kind, by, shows = "trip", ("landscape",), ("town", "price")
    landscape: str = TEXT
    page: int = FIRST_PAGE


class GetTrip(Read):
    """Reads a trip: the town, the landscape, the way of travelling, the week, what the hotel has, and the price per person in coins."""

    kind = "trip"
    code: str = CODE


class BookTrip(Change):
    """Books a trip for both."""

    touches = {"trip": "trip"}
    trip: str = CODE


class ReserveTrip(Change):
    """Reserves a trip for both without a deposit."""

    touches = {"trip": "trip"}
    trip: str = CODE


TOOLS = ToolCalls((SayToPerson, ListTrips, GetTrip, BookTrip, ReserveTrip, Finish))


class Knobs(Config):
    trips: int = knob(14, easy=5, hard=24, doc="trips on offer")
    topics: int = knob(4, easy=2, hard=5, doc="topics on which the two have wishes")
    rules: int = knob(2, easy=0, hard=4, doc="rules on second thoughts, concessions, proposals and the deposit")
    patience: int = knob(6, easy=9, hard=4, doc="needless messages that each of the two puts up with")
    opening: str = knob("short", easy="full", hard="short", order=("full", "short"), doc="whether both state their wishes at once")
    language: str = LANGUAGE


class State(Conversations):
    rules: tuple[str, ...]
    topics: tuple[str, ...]
    full: bool


def start(rng: Rng, knobs: Knobs) -> State:
    rules = tuple(sorted(rng.sample(RULES, knobs.rules), key=RULES.index))
    full = knobs.opening == "full" and not rules
    world = agency(rng, rules, knobs.trips, knobs.topics, full, knobs.patience)
    topics = TOPICS[: knobs.topics]
    words = {
        "landscape": "the landscape",
        "budget": "the highest price per person",
        "travel": "the way of travelling",
        "hotel": "the hotel",
        "weeks": "the week",
    }
    first, second = (f"{person.code} ({person.name})" for person in world.people)
    named = ", ".join(words[topic] for topic in topics[:-1]) + f" and {words[topics[-1]]}"
    ask = "Let both say what they want" if full else f"Ask each of them about {named}"
    lines = "".join(f"\n- {text}" for text in rules_in_words(rules, world.people[0].code))
    briefing = (
        f"You are a travel agent. Find a trip for two people who travel together: {first} and {second}.\n\nThey are not in one room: speak to each in plain "
        f"English. They hang up after more than {knobs.patience} messages that are not understood, or that ask again for what was said. {ask}. A trip must "
        f"suit both of them. Book the cheapest such trip.{f' These rules hold as well:{lines}' if lines else ''}"
    )
    state = State(
        briefing=briefing, records=world.records, cases=1, people=speaking(knobs.language, world.people),
        chats=(Chat(),) * 2, rules=rules, topics=topics, full=full
    )  # fmt: skip
    return desk.begun(state) if knobs.rules == 0 else state


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    rules = {rule for rule in state.rules if rule != slip}
    codes = [person.code for person in state.people]
    wanted = eyes.each([lambda one=code: _wishes(state, eyes, one, rules) for code in codes])  # type: ignore[misc]
    found = _fitting(eyes, wanted)
    if not found and "yield" in rules:
        given = eyes.reads([SayToPerson.asking("yield", code) for code in codes])
        wanted = [wishes.without(line.word("gives")) for wishes, line in zip(wanted, given)]
        found = _fitting(eyes, wanted)
    for trip in found if slip != "cheapest" else found[::-1]:
        if "propose" in rules and not all(_hear(eyes, code, f"propose {trip.word('town').lower()}").number("accepts") for code in codes):
            continue
        if "deposit" in rules and not _hear(eyes, codes[0], f"charge {trip.number('price') // SHARE}").number("agrees"):
            return [ReserveTrip(trip=trip.code)]
        return [BookTrip(trip=trip.code)]
    return []


def _wishes(state: State, eyes: Eyes, code: str, rules: set[str]) -> Wishes:
    """What one of the two wants, as far as it was said."""
    if state.full:
        wish = _hear(eyes, code, "wish")
        said: Mapping[str, Fact] = {topic: wish.facts[topic] for topic in state.topics}
    else:
        said = {
            topic: line.facts["value"]
            for topic, line in zip(state.topics, eyes.reads([SayToPerson.asking(topic, code) for topic in state.topics]))
        }
    wishes = wishes_of(said)
    late = _hear(eyes, code, "more 1").word("late") if "more" in rules else ""
    return wishes._replace(travel=(*wishes.travel, late)) if late else wishes


def _fitting(eyes: Eyes, wanted: Sequence[Wishes]) -> list[Record]:
    """The trips that suit both, the cheapest first."""
    liked = [place for place in LANDSCAPES if all(place in wishes.landscape for wishes in wanted)]
    most = min(wishes.budget for wishes in wanted)
    listed = [trip for trips in eyes.each([lambda one=place: eyes.all(ListTrips(landscape=one)) for place in liked]) for trip in trips]  # type: ignore[misc]
    trips = {_trip(record): record for record in eyes.reads([GetTrip(code=trip.code) for trip in listed if trip.number("price") <= most])}
    return [trips[trip] for trip in fitting(tuple(trips), wanted)]


def _trip(record: Record) -> Trip:
    facts = record.facts
    return Trip(
        record.word("town"), record.word("landscape"), record.word("way"), record.number("week"), record.names("features"), int(str(facts["price"]))
    )  # fmt: skip


def _hear(eyes: Eyes, code: str, name: str) -> Record:
    return eyes.read(SayToPerson.asking(name, code))


def _needs(state: State, change: Tool) -> Sequence[str]:
    """What must have been heard before a trip is booked: all that the right choice rests on, and who does not want a cheaper one."""
    eyes = Eyes(state.records, TOOLS, None)
    [right] = decide(state, 0, eyes)
    town = next(record.word("town") for record in state.records if record.code == getattr(right, "trip", ""))
    looks = [look for key in eyes.used for look in TOOLS.parse(key) if isinstance(look, SayToPerson)]
    heard = [record for look in looks if (record := look.found(state.records))]
    return [line.code for line in heard if " propose " not in line.code or line.code.endswith(town.lower()) or not line.number("accepts")]


def _react(state: State, person: Person, meaning: Meaning) -> Line | None:
    """What one of the two says to a question that none of their lines answers."""
    match meaning.intent:
        case "go_ahead":
            return Line("", "To what exactly?" if meaning.amount is None else "Why that much? That is not what is due.")
        case "ask:propose":
            return Line("", "Is that one of your trips? I have not heard of it.")
    return None


def _stated(state: State) -> tuple[str, ...]:
    return (*state.rules, "cheapest")


desk = Service(
    TOOLS, decide, needs=_needs, stated=_stated, talk=lambda state, call: talk(state, call, TOOLS, _react), heard=hear, voices=("answer",)
)  # fmt: skip

environment = Game(
    Knobs, TOOLS, start, worded(desk.show), desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Hear both completely, rule out the trips that fail one of them, and let them give way only where nothing is left.",
    rules=desk.rules,
    milestones=desk.milestones, moods=moods,
    with_user=desk.with_user,
    version=7,
)  # fmt: skip
