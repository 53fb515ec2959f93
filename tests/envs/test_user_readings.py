"""Tag questions, alternatives, prices and joined questions as simulated people understand them, by layers that know no sentence."""

import pytest

from rlgym.generators.users.clauses import as_question
from rlgym.generators.users.grammar import Meaning, missed_clauses, understand
from rlgym.generators.users.person import Chat, Line, Person, converse
from rlgym.generators.users.slots import prices

TOM = Person("L1", "Tom Berg", "brief", "rental", 3)


def _intents(grammar: str, text: str) -> set[str]:
    return {meaning.intent for meaning in understand(grammar, text)}


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("let me knock ten coins off: 170 coins in total", (170,)),
        ("that is 90 coins a day, so 270 coins altogether", (270,)),
        ("i can come down from 200 to 180 coins", (180,)),
        ("what would you say to 190?", (190,)),
        ("could we meet at 200 coins instead of 240 coins?", (200,)),
        ("for 3 days in 2021", ()),
        ("it weighs 300 kg and is free on the 12th", ()),
    ],
)
def test_a_price_is_what_is_due_without_rates_and_reductions(text: str, due: tuple[int, ...]) -> None:
    assert prices(text, bare=True) == due


def test_a_number_without_a_currency_is_a_price_only_where_prices_are_offered() -> None:
    assert understand("rental", "What would you say to 190?") == (Meaning("go_ahead", None, 190),)
    assert understand("house", "What would you say to 190?") == (Meaning("unknown"),)


@pytest.mark.parametrize(
    ("grammar", "text", "found"),
    [
        ("rental", "Is it two days or three?", {"ask:days"}),
        ("luggage", "Is it red or blue?", {"ask:colour"}),
        ("luggage", "Is the red one or the blue one an elephant?", {"unknown"}),
        ("rescue", "Is it Mill Lane or Mill Street?", {"ask:where"}),
        ("archive", "Draft or final?", {"ask:state"}),
        ("luggage", "Is the blue one a fish?", {"unknown"}),
    ],
)
def test_alternatives_ask_for_what_their_values_are(grammar: str, text: str, found: set[str]) -> None:
    assert _intents(grammar, text) == found


@pytest.mark.parametrize(
    ("claim", "question"),
    [
        ("nobody is left in the building", "is anybody left in the building?"),
        ("you are not using a vpn", "are you using a vpn?"),
        ("so you have a dog", "so have you a dog?"),
        ("she has been awake", "has she been awake?"),
        ("they drink coffee", "do they drink coffee?"),
    ],
)
def test_a_claim_is_turned_into_the_question_that_it_answers(claim: str, question: str) -> None:
    assert as_question(claim) == question


def test_a_read_back_of_a_bare_value_is_about_the_line_before_it() -> None:
    def lines(meaning: Meaning, chat: Chat) -> Line | None:
        return Line("l1 days", "For three days.") if meaning.intent == "ask:days" else None

    asked = converse(TOM, Chat(), "For how many days do you need it?", lines)
    assert converse(TOM, asked.chat, "So that's three, right?", lines).words.startswith("Yes. ")
    assert converse(TOM, asked.chat, "So that's five, right?", lines).words.startswith("No. ")
    assert "three" not in converse(TOM, Chat(), "So that's three, right?", lines).words


@pytest.mark.parametrize(
    ("grammar", "text", "found"),
    [
        (
            "claims",
            "May I have the policy number so that I can find your file, and what's the date of the theft?",
            {"ask:policy", "ask:date"},
        ),
        ("tenant", "When could the firm come so that I can book it, and is anyone in danger?", {"ask:times", "ask:danger"}),
        ("tenant", "Which flat is yours, and was it somebody's fault?", {"ask:flat", "ask:cause"}),
        ("rental", "This one needs a licence. Do you have one, and do you own a helmet?", {"ask:licence", "ask:helmet"}),
        ("survey", "Are you employed, and if so, how many hours a week do you work?", {"ask:work", "ask:hours"}),
    ],
)
def test_each_of_several_joined_questions_is_understood(grammar: str, text: str, found: set[str]) -> None:
    assert _intents(grammar, text) == found


@pytest.mark.parametrize("other", ["what do you think of the prime minister", "do you know a good joke", "where can I buy a unicorn"])
def test_a_joined_question_that_is_not_understood_is_named(other: str) -> None:
    text = f"For how many days do you need it, and {other}?"
    assert _intents("rental", text) == {"ask:days", "rest"}
    assert missed_clauses("rental", text) == (f"{other.lower()}?",)
