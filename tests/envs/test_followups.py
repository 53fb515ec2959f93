"""Messages that only go with what was said before: answers to a question back, questions asked again, and the same question about something else."""

import pytest

from rlgym.generators.users.followups import answered_to, as_pending
from rlgym.generators.users.grammar import Meaning, understand
from rlgym.generators.users.matters import Matter
from rlgym.generators.users.person import Chat, Line, Person, converse

MATTERS = (Matter("oak chair", ("oak chair", "chair")), Matter("steel lamp", ("steel lamp", "lamp")))
SHOPPER = Person("", "Ben Fox", "brief", "shop", 9, forgets=("town",), matters=MATTERS)
TRAVELLER = Person("", "Ben Fox", "brief", "luggage", 9)


def _lines(meaning: Meaning, chat: Chat) -> Line | None:
    """Says what was asked for; a question about orders names one, or is asked back about."""
    if meaning.intent in ("ask:reason", "ask:colour") and not meaning.about:
        return Line("", "Which of them do you mean?", asks=True)
    topic = meaning.intent.partition(":")[2]
    return Line(f"{topic} {meaning.about}".strip(), f"[{topic} {meaning.about}]") if topic else None


def _last(person: Person, *messages: str) -> str:
    chat, words = Chat(), ""
    for message in messages:
        reply = converse(person, chat, message, _lines)
        chat, words = reply.chat, reply.words
    return words


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (("What is the reason?", "The lamp."), "[reason steel lamp]"),
        (("What is the reason?", "I mean the second one."), "[reason steel lamp]"),
        (("What is the reason?", "Oh, the oak chair, please."), "[reason oak chair]"),
        (("Why do you want to return the lamp?", "And the chair?"), "[reason oak chair]"),
        (("Which colour should the chair be?", "OK, what about the lamp?"), "[colour steel lamp]"),
        (("Which town do you live in?", "Do you have it now?"), "[town ]"),
        (("Which town do you live in?", "So what is it?"), "[town ]"),
    ],
)
def test_a_message_goes_with_what_was_said_before(messages: tuple[str, ...], said: str) -> None:
    assert said in _last(SHOPPER, *messages)


def test_a_follow_up_is_no_question_where_it_tells_something_or_nothing_is_open() -> None:
    assert "[" not in _last(SHOPPER, "Why do you want to return the lamp?", "And the chair is on its way.")
    assert "[" not in _last(SHOPPER, "The lamp.")
    assert "[" not in _last(SHOPPER, "What is the reason?", "Neither of them.")


OPEN = (as_pending("ask:flight"), as_pending("ask:passport"))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("the first one", ("ask:flight",)),
        ("the second, please.", ("ask:passport",)),
        ("about the passport.", ("ask:passport",)),
        ("both.", ("ask:flight", "ask:passport")),
        ("neither.", ()),
        ("yes.", ()),
    ],
)
def test_the_answer_to_a_question_back_chooses_among_its_readings(words: str, found: tuple[str, ...]) -> None:
    meanings = answered_to("luggage", OPEN, (), words, (Meaning("tell"),), ())
    assert tuple(meaning.intent for meaning in meanings) == found


def test_yes_confirms_the_only_reading_and_a_message_with_a_meaning_of_its_own_keeps_it() -> None:
    assert answered_to("luggage", OPEN[:1], (), "yes, exactly.", (Meaning("tell"),), ()) == (Meaning("ask:flight"),)
    own = understand("luggage", "What colour is it?")
    assert answered_to("luggage", OPEN, (), "what colour is it?", own, ()) == ()


def test_a_person_who_asks_back_understands_the_choice() -> None:
    unclear = "How about the list and the number?"
    claimant = TRAVELLER._replace(grammar="claims")
    assert "Is it about the things in the report or about the policy?" in _last(claimant, unclear)
    assert "[policy ]" in _last(claimant, unclear, "About the policy.")
    assert "[policy ]" in _last(claimant, unclear, "The second one.")
    assert "[differs_items ]" in _last(claimant, unclear, "The first, I mean.")
