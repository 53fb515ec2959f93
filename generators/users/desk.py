"""People at the other end of a service: what each of them can say stands in the records, and a tool carries what is said to them.

A world has a tool that is a `Say` or a `SayTo` with its grammar and its questions, one record for each line of a person, and in its state who the
people are. `talk` and `hear` do the rest: a line that a reply states counts as read, as if the plainest question had been asked for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from pydantic import Field

from rlgym.answers import Tool, ToolCalls
from rlgym.core.user import UserModel as UserModel
from rlgym.generators.services.records import CODE, Office, Read, Record
from rlgym.generators.users.english import plain_text
from rlgym.generators.users.grammar import Meaning, understand
from rlgym.generators.users.matters import EVERY, FOREIGN
from rlgym.generators.users.person import MOST_ANSWERED, Chat, Line, Person, converse
from rlgym.generators.users.slots import amounts, whens

MORE = (
    "Is there anything else?",
    "Is there anything else besides that?",
    "Is there anything else after all?",
    "Is there anything further?",
    "Do you have any other wish?",
    "Is there anything more?",
    "Can I help you with anything else?",
    "Would that be all?",
    "Was there anything else?",
    "Did you need anything else?",
)
OFFER = "I can offer you {when}. Does that suit you?"
CHARGE = "That costs {amount} coins. Shall I go ahead?"
_CODE = re.compile(r"\b[a-z]\d+\b")
_ABOUT = "About the {matter}: {question}"
_OPEN = "How can I help you?"
_OFFERED = re.compile(re.escape(OFFER).replace(re.escape("{when}"), "(.+)"))
_CHARGED = re.compile(re.escape(CHARGE).replace(re.escape("{amount}"), "(.+)"))
_WORDS: Any = Field(max_length=4000)


class Speech(Read):
    """A tool that says something to a person.

    grammar    the name of the grammar that the person understands
    questions  the plainest question for each topic of the person's lines besides wish, more, offer and charge
    """

    kind: ClassVar[str] = "answer"
    grammar: ClassVar[str] = ""
    questions: ClassVar[Mapping[str, str]] = {}

    @property
    def said(self) -> str:
        return str(dict(self)["text"])

    @property
    def person(self) -> str:
        """The code of the person, or nothing in a world of one person."""
        return str(dict(self).get("to", "")).strip()

    def found(self, records: Sequence[Record]) -> Record | None:
        """The line that the person answers with to a plainest question."""
        return find_line(records, self.person, _asked_for(self.questions, self.said))

    @classmethod
    def asking(cls, name: str, person: str = "") -> Any:
        """The call that asks for a line in the plainest words."""
        to = {"to": person} if person else {}
        return cls.model_validate({**to, "text": sentence(cls.questions, name)})


class Say(Speech):
    """Says something to the person, in plain English; the answer is what they reply. Ask for at most three things in one message."""

    text: str = _WORDS


class SayTo(Speech):
    """Says something to the person with this code, in plain English, and gives the reply. Ask for at most three things in one message."""

    to: str = CODE
    text: str = _WORDS


class Conversations(Office):
    """An office in which people are spoken to, with how each conversation has gone. A person without a code is the only one."""

    people: tuple[Person, ...]
    chats: tuple[Chat, ...]


S = TypeVar("S", bound=Conversations)
Reaction = Callable[[Any, Person, Meaning], Line | None]
WHICH = Line("", "Which of them do you mean?", asks=True)
NO_MORE = Line("", "No, that is all.")
_INVITES = ("go_ahead", "anything_else", "ask:reason", "ask:want", "ask:order", "ask:cancel_which")
"""What invites people to say what they want as long as they have not."""
NOT_MINE = Line("", "I have not asked for anything about that. What do you mean?")


def topic(meaning: Meaning, number: int) -> str:
    """The topic of the line that answers something; `number` counts the questions for anything else."""
    match meaning.intent:
        case "open":
            return "wish"
        case "anything_else":
            return f"more {number}"
        case "offer":
            return f"offer {meaning.when}"
        case "go_ahead":
            return f"charge {meaning.amount}"
    return meaning.intent.partition(":")[2]


def sentence(questions: Mapping[str, str], name: str) -> str:
    """The plainest words that ask for a line: of a topic, or of a topic about a matter, as in `reason oak chair`."""
    kind, _, rest = name.partition(" ")
    match kind:
        case "wish":
            return _OPEN
        case "more":
            return MORE[int(rest) - 1]
        case "offer":
            return OFFER.format(when=rest[:1].upper() + rest[1:])
        case "charge":
            return CHARGE.format(amount=rest)
    return _ABOUT.format(matter=_cased(rest), question=questions[kind]) if rest else questions[kind]


def _asked_for(questions: Mapping[str, str], text: str) -> str:
    """The name of the line that a plainest question asks for; nothing where it is no such question."""
    if text == _OPEN:
        return "wish"
    if text in MORE:
        return f"more {MORE.index(text) + 1}"
    for kind, pattern in (("offer", _OFFERED), ("charge", _CHARGED)):
        if found := pattern.fullmatch(text):
            return f"{kind} {found[1]}"
    matter, _, question = text.removeprefix("About the ").partition(": ") if text.startswith("About the ") else ("", "", text)
    return next((f"{kind} {matter}".strip() for kind, plain in questions.items() if plain == question), "")


def find_line(records: Sequence[Record], person: str, name: str) -> Record | None:
    code = f"{person} {name}".strip().lower()
    return next((record for record in records if record.kind == "answer" and record.code == code), None)


def line(person: str, name: str, says: str, **facts: Any) -> Record:
    """What a person says about a topic, with the facts that it states.

    Four facts are about the talk itself: `brings_up` names the matter that is spoken of from then on, `until` the line that takes this one
    back, which is what the person says instead once it has been stated, `lead` is what comes before the words at their first time, and
    `objects` stands for an objection to terms that are not due, which costs patience.
    """
    return Record("answer", f"{person} {name}".strip().lower(), {**facts, "says": says})


def talk(state: S, call: Tool, tools: ToolCalls, react: Reaction = lambda state, person, meaning: None) -> tuple[S, str] | None:
    """The state after a message and the person's reply; what the reply reveals counts as read. None where the call says nothing.

    react  what a person says to something that no line of theirs answers
    """
    if not isinstance(call, Speech):
        return None
    place = next((place for place, person in enumerate(state.people) if person.code.lower() == call.person.lower()), None)
    if place is None:
        return state, f"there is nobody with the code {call.person!r} to speak to"
    person = state.people[place]

    abouts = {meaning.about for meaning in understand(call.grammar, person.hears(call.said), person.matters) if meaning.about}
    several_matters = len(abouts) > 1 or EVERY in abouts

    def lines(meaning: Meaning, chat: Chat) -> Line | None:
        if meaning.about == FOREIGN:
            return NOT_MINE
        wish = find_line(state.records, person.code, "wish")
        if wish and wish.code not in chat.stated and meaning.intent in _INVITES and (meaning.amount, meaning.about) == (None, ""):
            return _spoken_line(wish)
        further = sum(key.startswith(f"{person.code} more".strip().lower()) for key in chat.stated)
        for number in (further + 1, further):
            name = topic(meaning, number)
            for about in dict.fromkeys((_matter(person, chat, meaning), "")):
                if record := find_line(state.records, person.code, f"{name} {about}".strip()):
                    record = _current(state.records, record, chat)
                    line = _spoken_line(record, record.code in chat.stated)
                    return _naming(meaning.about, line) if several_matters else line
        several = any(
            record.code.startswith(f"{person.code} {name} ".lstrip().lower()) for record in state.records if record.kind == "answer"
        )
        if several and not meaning.about and name:
            return WHICH
        return react(state, person, meaning) or (NO_MORE if meaning.intent == "anything_else" else None)

    def volunteered(key: str) -> Line | None:
        record = next((record for record in state.records if record.kind == "answer" and record.code == key), None)
        return _spoken_line(record) if record else None

    reply = converse(person, state.chats[place], call.said, lines, volunteered)
    start = len(f"{person.code} ") if person.code else 0
    names = [key[start:] for key in reply.revealed]
    seen = [tools.render((call.asking(name, person.code),)) for name in names]
    codes = [*reply.revealed, *([person.code] if person.code and "wish" in names else [])]
    chats = (*state.chats[:place], reply.chat, *state.chats[place + 1 :])
    update = {"chats": chats, "seen": _union(state.seen, seen), "read": _union(state.read, codes)}
    return state.model_copy(update=update), reply.words


def hear(state: S, call: Tool, user: UserModel) -> Tool | None:
    """A call that speaks to a person of the world. A message that their grammar does not understand is put in plain sentences by the model.

    Days, times and amounts in these sentences are those that the message names itself.
    """
    if not isinstance(call, Speech):
        return None
    person = next((person for person in state.people if person.code.lower() == call.person.lower()), None)
    if person is None:
        return None
    meanings = understand(call.grammar, person.hears(call.said), person.matters)
    if all(meaning.intent != "unknown" for meaning in meanings):
        return call
    about = [_ABOUT.format(matter=matter.key, question=question) for matter in person.matters for question in call.questions.values()]
    sentences = user.interpret(call.said, [_OPEN, *call.questions.values(), MORE[0], *plain_offers(person.hears(call.said)), *about])
    return call.model_copy(update={"text": " ".join(sentences[:MOST_ANSWERED])}) if sentences else call


def plain_offers(text: str) -> tuple[str, ...]:
    """The plainest offers of the days and times that a text names, and charges of its amounts."""
    plain = plain_text(text)
    return (*(OFFER.format(when=when) for when in whens(plain)), *(CHARGE.format(amount=amount) for amount in amounts(plain)))


def _matter(person: Person, chat: Chat, meaning: Meaning) -> str:
    """The matter that something is about: the one it names, else the latest spoken of, else the only one there is."""
    only = [matter.key for matter in person.matters] if len(person.matters) == 1 else []
    return next(iter((*([meaning.about] if meaning.about else chat.spoken[-1:]), *only)), "")


def _current(records: Sequence[Record], record: Record, chat: Chat) -> Record:
    """The line, or the one that took it back."""
    later = record.facts.get("until", "")
    return next(other for other in records if other.kind == "answer" and other.code == later) if later in chat.stated else record


def _naming(matter: str, line: Line) -> Line:
    """A line that names its matter, beside lines about others."""
    return line if not matter or matter in line.words.lower() else line._replace(words=f"The {_cased(matter)}: {line.words}")


def _cased(matter: str) -> str:
    """The name of a matter with its codes in capitals."""
    return _CODE.sub(lambda code: code[0].upper(), matter)


def _spoken_line(record: Record, again: bool = False) -> Line:
    lead = "" if again else str(record.facts.get("lead", ""))
    objects = bool(record.facts.get("objects", False))
    return Line(record.code, lead + record.word("says"), str(record.facts.get("brings_up", "")), objects)


def _union(old: tuple[str, ...], new: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*old, *new)))
