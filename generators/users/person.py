"""A simulated user: who they are, how a conversation with them has gone so far, and what they reply.

All of it is a value. A reply depends only on the person, the conversation so far and the words, so that a transcript replays exactly.
What a person knows and wants is written in lines; which of them a message asks for is the grammar's matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.users.clauses import is_thanks, small_talk
from rlgym.generators.users.english import plain_text
from rlgym.generators.users.followups import answered_to, as_pending
from rlgym.generators.users.grammar import MOST_CHARACTERS, Meaning, missed_clauses, readings, understand
from rlgym.generators.users.matters import EVERY, Matter, mentioned
from rlgym.generators.users.phrases import ASIDES, aside, ask_back, not_got, spoken
from rlgym.generators.users.translation.hearing import in_english, in_own_words
from rlgym.generators.users.translation.speech import LANGUAGES, translated
from rlgym.generators.users.verdicts import verdict

MOST_ANSWERED = 3
MOST_MESSAGES = 60


class Person(NamedTuple):
    """Someone at the other end of a conversation.

    grammar     the name of the grammar that the person understands, after the language where that is not English: `german/rental`
    forgets     keys of the lines that the person states only when asked a second time
    volunteers  keys of lines that the person states unasked, with the number of the message after which this happens
    patience    how many needless messages the person puts up with: unclear, far too long, rude or asked before
    matters     the things that the person may be spoken to about, where there are several, in the order in which they come up
    """

    code: str
    name: str
    persona: str
    grammar: str
    patience: int
    forgets: tuple[str, ...] = ()
    volunteers: tuple[tuple[int, str], ...] = ()
    matters: tuple[Matter, ...] = ()

    @property
    def language(self) -> str:
        """The language that the person speaks; people understand English as well."""
        language, slash, _ = self.grammar.partition("/")
        return language if slash else LANGUAGES[0]

    @property
    def world(self) -> str:
        """The name of the grammar without the language."""
        return self.grammar.rpartition("/")[2]

    def hears(self, text: str) -> str:
        """A message as the person's grammar reads it: in English; nothing where it is in a language that the person does not speak."""
        return text if self.language == LANGUAGES[0] or len(text) > MOST_CHARACTERS else in_english(self.language, text)

    def says(self, words: str) -> str:
        """English words of this world in the person's language."""
        return translated(self.language, self.world, words)

    def speaking(self, language: str) -> Person:
        """The same person, who speaks another language."""
        return self if language == LANGUAGES[0] else self._replace(grammar=f"{language}/{self.world}")


class Chat(NamedTuple):
    """A conversation so far: the keys of the lines that the person stated, those that were asked for, and the person's mood from -5 to 5.

    spoken  the keys of the matters that were spoken of, the latest last
    pending  what the last message left open: the readings that the person offered or what they asked to be asked again, each an intent and the matter
             that it is about, as in "ask:reason|oak chair"
    latest  what the person answered last, in the same form
    """

    messages: int = 0
    needless: int = 0
    mood: int = 0
    stated: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    gone: bool = False
    spoken: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    latest: tuple[str, ...] = ()


class Line(NamedTuple):
    """Something that a person can say: the key of the fact that it reveals, the words, and the matter that they bring up.

    An empty key reveals nothing. `objects` stands for an objection, which costs patience, and `asks` for the question which matter is meant.
    """

    key: str
    words: str
    brings_up: str = ""
    objects: bool = False
    asks: bool = False


class Reply(NamedTuple):
    """The conversation after a message, what the person said, and the keys of the facts that were revealed by it."""

    chat: Chat
    words: str
    revealed: tuple[str, ...]


Lines = Callable[[Meaning, Chat], Line | None]
"""From what was said to the line that answers it; None where the person knows nothing of it."""


def converse(person: Person, chat: Chat, text: str, lines: Lines, volunteered: Callable[[str], Line | None] = lambda key: None) -> Reply:
    """The person's reply to a message, in the person's language. Within, both are English."""
    reply = _converse(person, chat, person.hears(text), text, lines, volunteered)
    return reply._replace(words=person.says(reply.words))


def _converse(person: Person, chat: Chat, text: str, said: str, lines: Lines, volunteered: Callable[[str], Line | None]) -> Reply:
    """The reply in English to a message in English, which was `said` in other words."""
    grammar = person.world
    rng = Rng("reply", person.code, person.name, chat.messages, chat.needless)
    chat = chat._replace(messages=chat.messages + 1)
    if chat.gone or chat.messages > MOST_MESSAGES:
        return Reply(chat._replace(gone=True), aside(rng, "gone"), ())
    meanings = understand(grammar, text, person.matters)
    if settled := answered_to(grammar, chat.pending, chat.latest, plain_text(text[:MOST_CHARACTERS]), meanings, person.matters):
        meanings = settled
    chat = _felt(chat, meanings)._replace(pending=())
    requests = [each for meaning in meanings if meaning.intent not in ("empathy", "rude", "rest") for each in _each_matter(meaning, chat)]
    for key in mentioned(person.matters, text.lower()):
        chat = _speaking_of(chat, key)
    pieces, revealed, answered = list[str](), list[str](), False
    for meaning in requests[:MOST_ANSWERED]:
        chat, line, answers = _answer(rng, person, chat, meaning, lines, revealed)
        pieces += [line.words] if line.words else []
        revealed += [line.key] if line.key else []
        answered = answered or answers
    words = " ".join(dict.fromkeys(pieces))
    if any(meaning.intent == "unknown" for meaning in meanings):
        words += ask_back(readings(grammar, text)) if person.language == LANGUAGES[0] else ""
        chat = chat._replace(pending=tuple(map(as_pending, readings(grammar, text))))
    if len(text) <= MOST_CHARACTERS:
        words = _politely(rng, plain_text(text), words, answered)
    if len(requests) > MOST_ANSWERED:
        words += aside(rng, "many")
    elif any(meaning.intent == "rest" for meaning in meanings):
        missed = [in_own_words(person.language, said, clause) for clause in missed_clauses(grammar, text, person.matters)]
        words += not_got(missed) or aside(rng, "rest")
    for after, key in person.volunteers:
        extra = volunteered(key) if after == chat.messages and key not in chat.stated else None
        if extra:
            words += f" {aside(rng, 'by_the_way')}{extra.words}"
            chat, revealed = chat._replace(stated=(*chat.stated, key)), [*revealed, key]
    if any(meaning.intent == "rude" for meaning in meanings):
        words = f"{aside(rng, 'hurt')} {words}"
    if chat.needless > person.patience:
        return Reply(chat._replace(gone=True), f"{words} {aside(rng, 'hang_up')}", tuple(revealed))
    # A remark such as "Good that you ask" belongs to an answer.
    return Reply(chat, spoken(rng, person.persona, chat.mood, words) if answered else words, tuple(revealed))


def _politely(rng: Rng, plain: str, words: str, answered: bool) -> str:
    """The words with an answer to thanks, or to the question how somebody is."""
    if small_talk(plain):
        return f"{aside(rng, 'small_talk')} {words}" if answered else aside(rng, "small_talk")
    return aside(rng, "thanks") if is_thanks(plain) and not answered and words in ASIDES["acknowledge"] else words


def _each_matter(meaning: Meaning, chat: Chat) -> list[Meaning]:
    """What asks for the same of every matter, once for each that was spoken of."""
    return [meaning._replace(about=key) for key in chat.spoken or ("",)] if meaning.about == EVERY else [meaning]


def _speaking_of(chat: Chat, matter: str) -> Chat:
    if not matter or matter == EVERY:
        return chat
    return chat._replace(spoken=(*(key for key in chat.spoken if key != matter), matter))


def _felt(chat: Chat, meanings: Sequence[Meaning]) -> Chat:
    """The conversation with the mood after a message: kind words lift it, rude and unclear ones lower it."""
    intents = {meaning.intent for meaning in meanings}
    mood = (
        chat.mood
        + ("empathy" in intents and "empathy" not in chat.asked)
        - 3 * ("rude" in intents)
        - bool(intents & {"unknown", "too_long"})
    )
    needless = chat.needless + 2 * ("rude" in intents) + bool(intents & {"unknown", "too_long"})
    asked = (*chat.asked, "empathy") if "empathy" in intents and "empathy" not in chat.asked else chat.asked
    return chat._replace(mood=max(-5, min(5, mood)), needless=needless, asked=asked)


_ASIDES = {"unknown": "unclear", "too_long": "too_long", "tell": "acknowledge", "hold": "wait", "bye": "bye"}
"""What is said to something that asks for nothing, or for nothing that is understood."""


_INTRODUCES = re.compile(
    r"^(?:(?:Hello|Hi|Good \w+)[!,.]? )?(?:(?:[Tt]his is|[Mm]y name is|I am) [A-Z]\w+ [A-Z]\w+|[A-Z]\w+ [A-Z]\w+ here)[.!] (?=\S)"
)
"""What somebody who says a thing again leaves out: who they are."""


def _answer(rng: Rng, person: Person, chat: Chat, meaning: Meaning, lines: Lines, said: Sequence[str]) -> tuple[Chat, Line, bool]:
    """The conversation after one thing that was said, what is said about it, and whether that is an answer; `said` are the keys just stated."""
    if meaning.intent in _ASIDES:
        return chat, Line("", aside(rng, _ASIDES[meaning.intent])), False
    if meaning.intent == "confirm" and chat.stated:
        topic, _, matter = chat.stated[-1].removeprefix(f"{person.code.lower()} ").partition(" ")
        meaning = meaning._replace(intent="open" if topic == "wish" else f"ask:{topic}", about=matter)
    line = lines(meaning, chat)
    if line is None:
        return chat, Line("", aside(rng, "unknown_fact" if meaning.intent.startswith("ask:") else "unclear")), False
    if line.key and line.key in said:
        return chat, Line("", ""), False
    if line.asks:
        return chat._replace(pending=(*chat.pending, as_pending(meaning.intent))), line, False
    if line.key in person.forgets and line.key not in (*chat.asked, *chat.stated):
        pending = (*chat.pending, as_pending(meaning.intent, meaning.about))
        return chat._replace(asked=(*chat.asked, line.key), pending=pending), Line("", aside(rng, "later")), False
    chat = chat._replace(latest=(as_pending(meaning.intent, meaning.about),))
    chat = _speaking_of(chat, line.brings_up)
    if meaning.claim and (line.key or meaning.intent in ("open", "anything_else")):
        told = verdict(meaning.claim, line.words)
        line = line._replace(words=f"{told.value} {line.words}".strip())
        return (chat if line.key in chat.stated else chat._replace(stated=(*chat.stated, line.key))), line, True
    if line.objects:
        return chat._replace(needless=chat.needless + 1), line, False
    if line.key in chat.stated:
        chat = chat._replace(needless=chat.needless + 1, mood=max(-5, chat.mood - 1))
        return chat, line._replace(words=aside(rng, "repeat") + _INTRODUCES.sub("", line.words)), True
    stated = (*chat.stated, line.key) if line.key else chat.stated
    return chat._replace(stated=stated), line, True
