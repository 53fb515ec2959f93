"""Interview people by telephone: ask only what is for them, turn vague answers into numbers, and write them down in the survey's units.

The people are simulated, understand ordinary English, and answer in their own units. Judged by the forms, which must rest on what was said, and by
the questions that were asked.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pydantic import Field

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.office import Service
from rlgym.generators.services.records import CODE, Change, Eyes, Finish, Record
from rlgym.generators.services.survey import AFTER, MEANS, NOT_ASKED, RULES, TOPICS, applies, poll
from rlgym.generators.users.desk import Conversations, SayTo, find_line, hear, talk
from rlgym.generators.users.grammar import Meaning
from rlgym.generators.users.grounds import needs_of
from rlgym.generators.users.moods import moods
from rlgym.generators.users.person import Chat, Line, Person
from rlgym.generators.users.translation.prompts import LANGUAGE, speaking, worded

_PLAIN = {
    "coffee": "How many cups of coffee do you drink a day?",
    "sleep": "How many hours do you sleep a night?",
    "age": "How old are you?",
    "household": "How many people live in your household?",
    "books": "How many books do you read a year?",
    "work": "Do you work?",
    "hours": "How many hours a week do you work?",
    "minutes": "How many minutes is your commute?",
    "car": "Do you have a car?",
    "km": "How many kilometres do you drive a week?",
}
NUMBER: Any = Field(NOT_ASKED, ge=NOT_ASKED, le=10_000)


class SayToPerson(SayTo):
    """Says something to the person with this code, in plain English, and gives the reply. Ask for at most three things in one message."""

    grammar: ClassVar[str] = "survey"
    questions: ClassVar[Mapping[str, str]] = {
        "consent": "Would you like to take part in a survey?",
        "name": "What is your name?",
        **_PLAIN,
        **{f"vague_{topic}": f"A first question: {words[0].lower()}{words[1:]}" for topic, words in _PLAIN.items()},
        **{f"exact_{topic}": f"Could you give me a number? {words}" for topic, words in _PLAIN.items()},
    }


class WriteForm(Change):
    """Writes down a person's answers, and ends the interview; -1 stands for a question that is not for the person or not in the survey."""

    person: str = CODE
    coffee: int = NUMBER
    sleep: int = NUMBER
    age: int = NUMBER
    household: int = NUMBER
    books: int = NUMBER
    work: int = NUMBER
    hours: int = NUMBER
    minutes: int = NUMBER
    car: int = NUMBER
    km: int = NUMBER


class Drop(Change):
    """Ends the interview of a person who does not take part or must not."""

    person: str = CODE


TOOLS = ToolCalls((SayToPerson, WriteForm, Drop, Finish))


class Knobs(Config):
    people: int = knob(2, easy=1, hard=4, doc="people to be interviewed")
    topics: int = knob(7, easy=4, hard=10, doc="questions of the survey")
    rules: int = knob(2, easy=0, hard=3, doc="rules on consent, age and routing")
    vague: int = knob(1, easy=0, hard=3, doc="answers of a person that are vague at first")
    patience: int = knob(6, easy=9, hard=4, doc="needless messages that a person puts up with")
    language: str = LANGUAGE


class State(Conversations):
    rules: tuple[str, ...]
    topics: tuple[str, ...]
    least_age: int


def start(rng: Rng, knobs: Knobs) -> State:
    topics = TOPICS[: knobs.topics]
    possible = [rule for rule in RULES if (rule != "adults" or "age" in topics) and (rule != "route" or set(topics) & set(AFTER))]
    rules = tuple(sorted(rng.sample(possible, min(knobs.rules, len(possible))), key=RULES.index))
    least_age = rng.integer(16, 21)
    world = poll(rng, rules, knobs.people, knobs.topics, knobs.vague, least_age, knobs.patience)
    codes = [person.code for person in world.people]
    several = len(codes) > 1
    texts = {
        "consent": "Ask first whether the person takes part. Drop anyone who does not, and ask nothing more.",
        "adults": f"Ask for the age before the other questions of the list. Drop anyone younger than {least_age}, and ask nothing more.",
        "route": "Ask nobody a question that is not for them: "
        + ", ".join(f"{topic} only if {other} is 1" for topic, other in AFTER.items() if topic in topics)
        + ".",
    }
    lines = "".join(f"\n- {texts[rule]}" for rule in rules)
    route = "" if "route" in rules or not set(topics) & set(AFTER) else (
        f" ({', '.join(f'{topic} is -1 unless {other} is 1' for topic, other in AFTER.items() if topic in topics)})"
    )  # fmt: skip
    briefing = (
        f"You interview people by telephone. Write down the answers of {', '.join(f'{person.code} ({person.name})' for person in world.people)}.\n\n"
        f"Speak to {'each person' if several else 'the person'} in plain English. People hang up after more than {knobs.patience} messages that are not "
        "understood, or that ask again for what was said. Where an answer is vague, ask for a number. These are the questions, with the units in which the "
        f"answers are to be written{route}:"
        + "".join(f"\n- {topic}: {MEANS[topic]}" for topic in topics)
        + (f"\n\nRules:{lines}" if lines else "")
    )
    return State(
        briefing=briefing, records=world.records, cases=len(codes), people=speaking(knobs.language, world.people),
        chats=(Chat(),) * len(codes), rules=rules, topics=topics,
        least_age=least_age,
    )  # fmt: skip


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    code, rules = state.people[case].code, {rule for rule in state.rules if rule != slip}
    if "consent" in rules and not _hear(eyes, code, "consent").number("agrees"):
        return [Drop(person=code)]
    answers: dict[str, int] = {}
    if "adults" in rules:
        answers["age"] = _number(state, eyes, code, "age")
        if answers["age"] < state.least_age:
            return [Drop(person=code)]
    for topics in ([topic for topic in state.topics if topic not in AFTER], [topic for topic in state.topics if topic in AFTER]):
        asked = [topic for topic in topics if topic not in answers and (slip == "route" or applies(topic, answers))]
        answers |= dict(zip(asked, eyes.each([lambda one=topic: _number(state, eyes, code, one) for topic in asked])))  # type: ignore[misc]
    return [WriteForm(person=code, **answers)]


def _number(state: State, eyes: Eyes, code: str, topic: str) -> int:
    """The answer to a question, after a vague one where there is one."""
    if find_line(state.records, code, f"vague_{topic}"):
        _hear(eyes, code, f"vague_{topic}")
        return _hear(eyes, code, f"exact_{topic}").number("value")
    return _hear(eyes, code, topic).number("value")


def _hear(eyes: Eyes, code: str, name: str) -> Record:
    return eyes.read(SayToPerson.asking(name, code))


def _forbidden(state: State) -> str:
    """The question that somebody was asked against the rules, or nothing."""
    for person, chat in zip(state.people, state.chats):
        heard = [key.removeprefix(f"{person.code} ".lower()) for key in chat.stated]
        topics = [key.rpartition("_")[2] for key in heard if key.rpartition("_")[2] in TOPICS]
        consent = find_line(state.records, person.code, "consent")
        age = find_line(state.records, person.code, "age")
        if (
            "consent" in state.rules
            and topics
            and (heard.index("consent") if "consent" in heard else 10**6) > heard.index(_first(heard, topics))
        ):
            return f"{person.name} was asked before having said whether to take part"
        if "consent" in state.rules and topics and consent and not consent.number("agrees"):
            return f"{person.name} does not take part and was asked"
        if (
            "adults" in state.rules
            and age
            and (topics[:1] not in ([], ["age"]) or (age.number("value") < state.least_age and len(topics) > 1))
        ):
            return f"{person.name} was asked before or in spite of the age"
        if "route" in state.rules and any(
            record.facts["value"] == NOT_ASKED for topic in topics if (record := find_line(state.records, person.code, topic))
        ):
            return f"{person.name} was asked a question that is not for that person"
    return ""


def _first(heard: Sequence[str], topics: Sequence[str]) -> str:
    return next(key for key in heard if key.rpartition("_")[2] in topics)


def _judge(state: State) -> str:
    required, done = Counter(TOOLS.render((deed,)) for deed in desk.wanted(state)), Counter(state.done)
    wrong = [person.name for person in state.people if _of(required, person.code) != _of(done, person.code)]
    return _forbidden(state) or (f"what was written down about {' and '.join(wrong)} is missing or wrong" if wrong else "")


def _of(deeds: Counter[str], code: str) -> Counter[str]:
    """Those of the changes that are about a person."""
    return Counter({deed: count for deed, count in deeds.items() if f'"{code}"' in deed})


def _react(state: State, person: Person, meaning: Meaning) -> Line | None:
    """A vague answer, or the number where the answer was vague before."""
    if meaning.intent == "go_ahead":
        return Line("", "To what?")
    topic = meaning.intent.partition(":")[2]
    stated = next(chat.stated for other, chat in zip(state.people, state.chats) if other.code == person.code)
    vague = [key.partition("vague_")[2] for key in stated if "vague_" in key]
    if topic == "exact":
        topic = vague[-1] if vague else ""
    name = f"exact_{topic}" if topic in vague else f"vague_{topic}"
    record = find_line(state.records, person.code, name) if topic else None
    if record:
        return Line(record.code, record.word("says"))
    return Line("", "About what?") if meaning.intent == "ask:exact" else Line("", "Is that part of your survey?")


def _refuses(state: State, change: Tool) -> str:
    code = str(getattr(change, "person", ""))
    return "" if any(person.code == code for person in state.people) else f"there is nobody with the code {code!r}"


desk = Service(
    TOOLS, decide, needs=needs_of(TOOLS, decide, (SayToPerson,), field="person", cases=lambda state: [person.code for person in state.people]),
    refuses=_refuses, stated=lambda state: state.rules, judge=_judge,
    talk=lambda state, call: talk(state, call, TOOLS, _react), heard=hear, voices=("answer",),
)  # fmt: skip

environment = Game(
    Knobs, TOOLS, start, worded(desk.show), desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Ask in the order of the rules, let the first answers decide which questions follow, and turn every answer into the survey's unit.",
    rules=desk.rules,
    milestones=desk.milestones, moods=moods,
    with_user=desk.with_user,
    version=5,
)  # fmt: skip
