"""People at the other end of a service: what each of them can say stands in the records, and a tool carries what is said to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from pydantic import Field

from rlgym.answers import Tool, ToolCalls
from rlgym.core.user import UserModel
from rlgym.generators.services.records import CODE, Office, Read, Record
from rlgym.generators.users.grammar import Meaning, understand
from rlgym.generators.users.person import MOST_ANSWERED, Chat, Line, Person, converse
from rlgym.generators.users.slots import amounts, whens

MORE = ("Is there anything else?", "Is there anything else besides that?", "Is there anything else after all?")
OFFER = "I can offer you {when}. Does that suit you?"
CHARGE = "That costs {amount} coins. Shall I go ahead?"
_OPEN = "How can I help you?"


class Say(Read):
    """Says something to a person, in plain English; the answer is what they reply. Ask for at most three things in one message."""

    kind: ClassVar[str] = "answer"
    grammar: ClassVar[str] = ""
    to: str = CODE
    text: str = Field(max_length=4000)

    def found(self, records: Sequence[Record]) -> Record | None:
        """The line that the person answers with."""
        number = MORE.index(self.text) + 1 if self.text in MORE else 1
        [meaning, *_] = understand(self.grammar, self.text)
        return find_line(records, self.to, topic(meaning, number))


class Conversations(Office):
    """An office in which people are spoken to, with how each conversation has gone."""

    people: tuple[Person, ...]
    chats: tuple[Chat, ...]


S = TypeVar("S", bound=Conversations)
Reaction = Callable[[Any, Person, Meaning], Line | None]


def topic(meaning: Meaning, number: int) -> str:
    """The name of the line that answers something; `number` counts the questions for anything else."""
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
    """The plainest words that ask for the line of a topic."""
    kind, _, rest = name.partition(" ")
    match kind:
        case "wish":
            return _OPEN
        case "more":
            return MORE[int(rest) - 1]
        case "offer":
            return OFFER.format(when=rest)
        case "charge":
            return CHARGE.format(amount=rest)
    return questions[name]


def find_line(records: Sequence[Record], person: str, name: str) -> Record | None:
    code = f"{person} {name}".lower()
    return next((record for record in records if record.code == code), None)


def line(person: str, name: str, says: str, **facts: Any) -> Record:
    """What a person says about a topic, with the facts that it states."""
    return Record("answer", f"{person} {name}".lower(), {**facts, "says": says})


def talk(state: S, call: Tool, tools: ToolCalls, say: type[Say], questions: Mapping[str, str], react: Reaction) -> tuple[S, str] | None:
    """The state after a message and the person's reply; what the reply reveals counts as read. None where the call says nothing.

    react  what a person says to something that no line of theirs answers
    """
    if not isinstance(call, Say):
        return None
    place = next((place for place, person in enumerate(state.people) if person.code.lower() == call.to.strip().lower()), None)
    if place is None:
        return state, f"there is nobody with the code {call.to!r} to speak to"
    person = state.people[place]

    def lines(meaning: Meaning, chat: Chat) -> Line | None:
        further = sum(key.startswith(f"{person.code} more".lower()) for key in chat.stated)
        for number in (further + 1, further):
            if record := find_line(state.records, person.code, topic(meaning, number)):
                return Line(record.code, record.word("says"))
        return react(state, person, meaning)

    def volunteered(key: str) -> Line | None:
        record = find_line(state.records, person.code, key.partition(" ")[2])
        return Line(record.code, record.word("says")) if record else None

    reply = converse(person, state.chats[place], call.text, lines, volunteered)
    names = [key.partition(" ")[2] for key in reply.revealed]
    seen = [tools.render((say(to=person.code, text=sentence(questions, _cased(name))),)) for name in names]
    codes = [*reply.revealed, *([person.code] if "wish" in names else [])]
    chats = (*state.chats[:place], reply.chat, *state.chats[place + 1 :])
    update = {"chats": chats, "seen": _union(state.seen, seen), "read": _union(state.read, codes)}
    return state.model_copy(update=update), reply.words


def hear(state: S, call: Tool, user: UserModel, questions: Mapping[str, str]) -> Tool | None:
    """A call that speaks to a person of the world. A message that their grammar does not understand is put in plain sentences by the model.

    Days, times and amounts in these sentences are those that the message names itself.
    """
    if not isinstance(call, Say) or all(person.code.lower() != call.to.strip().lower() for person in state.people):
        return None
    meanings = understand(call.grammar, call.text)
    if all(meaning.intent != "unknown" for meaning in meanings):
        return call
    low = call.text.lower()
    offers = [OFFER.format(when=when) for when in whens(low)]
    charges = [CHARGE.format(amount=amount) for amount in amounts(low)]
    sentences = user.interpret(call.text, [_OPEN, *questions.values(), MORE[0], *offers, *charges])
    return call.model_copy(update={"text": " ".join(sentences[:MOST_ANSWERED])}) if sentences else call


def _cased(name: str) -> str:
    kind, _, rest = name.partition(" ")
    return f"{kind} {rest[:1].upper()}{rest[1:]}" if kind == "offer" else name


def _union(old: tuple[str, ...], new: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*old, *new)))
