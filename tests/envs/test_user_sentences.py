"""How much of ordinary English the grammars of simulated users understand."""

import time
from pathlib import Path

import pytest

from rlgym.generators.users.grammar import MOST_CHARACTERS, Meaning, understand
from rlgym.generators.users.intents import grammar_names
from rlgym.generators.users.matters import Matter
from rlgym.generators.users.scoring import examples
from rlgym.generators.users.slots import When, amounts, whens
from rlgym.generators.users.verdicts import Verdict, verdict

FRESH = sorted((Path(__file__).parent / "data").glob("spoken_*.txt"))
UNRELATED = (Path(__file__).parent / "data" / "unrelated.txt").read_text(encoding="utf-8").splitlines()
SILENT = {"unknown", "tell", "rest", "empathy", "rude", "hold", "bye"}


def _sentences() -> list[tuple[str, set[str], str]]:
    known = [(name, set(intents), text) for name in grammar_names() for intents, text in examples(name)]
    lines = [row for file in FRESH for row in file.read_text(encoding="utf-8").splitlines()]
    rows = [row.split(" | ", 2) for row in lines if row and not row.startswith("#")]
    return [*known, *((grammar, set(intents.split(",")), text) for grammar, intents, text in rows)]


@pytest.mark.parametrize("grammar", grammar_names())
def test_ordinary_sentences_of_agents_are_understood(grammar: str) -> None:
    rows = [(intents, text) for name, intents, text in _sentences() if name == grammar]
    missed = [text for intents, text in rows if {each.intent for each in understand(grammar, text)} - {"empathy"} != intents]
    assert len(rows) >= 40
    assert len(missed) <= 0.03 * len(rows), missed


def test_hardly_a_sentence_is_taken_for_a_question_that_it_does_not_ask() -> None:
    rows = _sentences()
    misread = list[str]()
    for grammar, intents, text in rows:
        got = {each.intent for each in understand(grammar, text) if each.intent.startswith(("ask:", "do:"))}
        misread += [text] if got - intents else []
    assert len(misread) <= 0.01 * len(rows), misread


def test_hardly_an_unrelated_sentence_is_understood() -> None:
    asked = [line for line in UNRELATED if line and not line.startswith("#")]
    taken = [(name, text) for name in grammar_names() for text in asked if {each.intent for each in understand(name, text)} - SILENT]
    assert len(asked) >= 150
    assert len(taken) <= 0.02 * len(asked) * len(grammar_names()), taken


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("tuesday at 9:15", ("Tuesday at 9:15",)),
        ("thursday at 2 pm", ("Thursday at 14:00",)),
        ("monday at half past ten", ("Monday at 10:30",)),
        ("10 am on friday", ("Friday at 10:00",)),
        ("at 3 on wednesday", ("Wednesday at 15:00",)),
        ("monday at 9:00 or tuesday at 11.45", ("Monday at 9:00", "Tuesday at 11:45")),
        ("friday at noon", ("Friday at 12:00",)),
        ("tuesday at 99:99", ()),
        ("monday", ()),
    ],
)
def test_days_and_times_are_read(text: str, found: tuple[str, ...]) -> None:
    assert tuple(map(str, whens(text))) == found


def test_amounts_and_offers_are_slots_of_their_intents() -> None:
    assert amounts("it costs 20 coins, not 8 euros") == (20, 8)
    assert amounts("a 20-coin fee, twenty-five coins or three coins; a charge of 40") == (20, 25, 3, 40)
    assert amounts("at 2 on the 20th, for twenty days") == ()
    assert understand("clinic", "That is a 20-coin charge. What would you like me to do?") == (Meaning("go_ahead", None, 20),)
    assert understand("clinic", "What is your favourite colour?") == (Meaning("unknown"),)
    assert understand("clinic", "Do you agree to the fee of 20 coins?") == (Meaning("go_ahead", None, 20),)
    assert understand("clinic", "How about Monday at 9:00?") == (Meaning("offer", When("Monday", "9:00")),)


MATTERS = (Matter("tooth", ("tooth", "filling")), Matter("knee", ("knee",)))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("About the filling: which insurance do you have?", {("ask:insurance", "tooth")}),
        (
            "What is the reason for the knee appointment, and which insurance covers the tooth?",
            {("ask:reason", "knee"), ("ask:insurance", "tooth")},
        ),
        ("Do you have a referral for both?", {("ask:referral", "*")}),
        ("Thanks for telling me about the knee. Do you have a referral?", {("ask:referral", "knee")}),
        ("Besides the knee, is there anything else?", {("anything_else", "")}),
        ("Do you have a referral?", {("ask:referral", "")}),
    ],
)
def test_questions_go_with_the_matter_that_they_name(text: str, found: set[tuple[str, str]]) -> None:
    assert {(meaning.intent, meaning.about) for meaning in understand("clinic", text, MATTERS)} == found


@pytest.mark.parametrize("grammar", [name for name in grammar_names() if name not in ("house", "archive")])
@pytest.mark.parametrize(
    "text",
    [
        "Hello, how can I help you?",
        "What's on your mind?",
        "Please tell me the whole story.",
        "What did you want to see us about?",
        "What is the purpose of your call?",
        "What went wrong?",
    ],
)
def test_openings_are_understood_in_every_grammar(grammar: str, text: str) -> None:
    assert {meaning.intent for meaning in understand(grammar, text)} <= {"open", "ask:reason"}


@pytest.mark.parametrize("grammar", grammar_names())
@pytest.mark.parametrize("text", ["Is the blue one a fish?", "Who wrote Hamlet?", "Do you own a dog that sings?", "Do elephants dance?"])
def test_unrelated_questions_are_not_understood(grammar: str, text: str) -> None:
    known = {("bank", "Do you own a dog that sings?"): "ask:pet"}
    assert {meaning.intent for meaning in understand(grammar, text)} == {known.get((grammar, text), "unknown")}


READ_BACK = (
    (
        "rental",
        "So that is two days from Wednesday, is that correct?",
        {"ask:days": "two days", "ask:start": "that is two days from wednesday"},
    ),
    ("rental", "Let me confirm: you need it for 3 days.", {"ask:days": "3 days"}),
    ("clinic", "Just to check, you were born on 4 May 1980?", {"ask:birth_date": "you were born on 4 may 1980?"}),
    ("archive", "You want the one from 2021. Did I get that right?", {"ask:year": "2021"}),
    ("rental", "Is that correct?", {}),
    ("rental", "Which days do you want, is that clear?", {}),
)


@pytest.mark.parametrize(("grammar", "text", "claims"), READ_BACK)
def test_a_read_back_is_about_the_values_that_it_names(grammar: str, text: str, claims: dict[str, str]) -> None:
    assert {meaning.intent: meaning.claim for meaning in understand(grammar, text) if meaning.claim} == claims


@pytest.mark.parametrize(
    ("claim", "words", "told"),
    [
        ("two days", "I need it for two days.", Verdict.RIGHT),
        ("2 days", "For two days.", Verdict.RIGHT),
        ("three days", "I need it for two days.", Verdict.WRONG),
        ("monday at 9:00", "On Monday at 9:00.", Verdict.RIGHT),
        ("tuesday", "On Monday or Tuesday.", Verdict.OPEN),
        ("you have a helmet", "No, I have none.", Verdict.OPEN),
        ("return the lamp because it is faulty", "It is faulty.", Verdict.RIGHT),
        ("return the lamp because it is ugly", "It is faulty.", Verdict.OPEN),
    ],
)
def test_a_claim_is_confirmed_only_where_the_words_decide_it(claim: str, words: str, told: Verdict) -> None:
    assert verdict(claim, words) is told


@pytest.mark.parametrize(
    ("grammar", "text", "found"),
    [
        ("clinic", "How about Monday at 9:00? No wait, Tuesday at 10:30.", (Meaning("offer", When("Tuesday", "10:30")),)),
        ("clinic", "If Monday at 9:00 does not suit you, how about Friday at 14:00?", (Meaning("offer", When("Friday", "14:00")),)),
        ("claims", "We'd pay you 300, no sorry, 320 coins. Do you agree?", (Meaning("go_ahead", None, 320),)),
        ("claims", "We would pay three hundred and twenty coins. Is that all right?", (Meaning("go_ahead", None, 320),)),
        ("claims", "Because our policy needs it, I must ask on which day it happened.", (Meaning("ask:date"),)),
        ("clinic", "Coudl you tell me your brithday?", (Meaning("ask:birth_date"),)),
        ("luggage", "What coulour is your suitcse?", (Meaning("ask:colour"),)),
        ("clinic", "I was wondering whether you might be able to tell me when you were born.", (Meaning("ask:birth_date"),)),
        ("clinic", "How are you today?", (Meaning("tell"),)),
    ],
)
def test_roundabout_corrected_and_misspelt_words_are_understood(grammar: str, text: str, found: tuple[Meaning, ...]) -> None:
    assert understand(grammar, text) == found


@pytest.mark.parametrize("grammar", grammar_names())
@pytest.mark.parametrize(
    "piece", ["ok so ", "and ", "no wait, ", "just to confirm ", "because it is, ", "how are you ", "if not ", "hi hi "]
)
def test_a_long_text_takes_a_bounded_time(grammar: str, piece: str) -> None:
    text = (piece * 1200)[:MOST_CHARACTERS]
    start = time.process_time()
    understand(grammar, text + "x" * (MOST_CHARACTERS - len(text)))
    assert time.process_time() - start < 2
