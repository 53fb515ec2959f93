"""People who speak German and Spanish: what they say, what they understand, and their worlds under the oracle and under players who do not do the work."""

import re
from pathlib import Path

import pytest

from rlgym import Rng, knob
from rlgym.core.errors import DeclarationError, KnobError
from rlgym.generators.users.grammar import missed_clauses, understand
from rlgym.generators.users.person import Chat, Line, Person, converse
from rlgym.generators.users.phrases import _ANGRY, _CLOSERS, _OPENERS, _PLEASED, ASIDES
from rlgym.generators.users.translation.hearing import in_english
from rlgym.generators.users.translation.speech import LANGUAGES, pieces, translated
from rlgym.registry import environment

DATA = Path(__file__).parent / "data"
OTHERS = LANGUAGES[1:]
WORLDS = {
    "rental": "equipment_rental",
    "survey": "survey_interviews",
    "pupil": "pupil_diagnosis",
    "clinic": "clinic_appointments",
    "luggage": "lost_luggage",
    "travel": "travel_planner",
    "claims": "insurance_claims",
    "bank": "bank_support",
    "guest": "hotel_concierge",
    "tenant": "tenant_repairs",
    "archive": "clarify_before_acting",
    "rescue": "emergency_dispatch",
    "telecom": "phone_support",
    "shop": "retail_service",
    "house": "detective_interviews",
}
SILENT = {"unknown", "tell", "rest", "empathy", "rude", "hold", "bye"}
ENGLISH_LEFT = re.compile(r"\b(?:the|is|are|were|and|or|of|with|you|my|not|it|for|that|this|have|from|on)\b")


def _rows(language: str) -> list[tuple[str, set[str], str]]:
    lines = [line for file in sorted(DATA.glob(f"{language}*.txt")) for line in file.read_text(encoding="utf-8").splitlines()]
    rows = [line.split(" | ", 2) for line in lines if line and not line.startswith("#")]
    return [(world, set(intents.split(",")), text) for world, intents, text in rows]


def _start(world: str, language: str, seed: int, level: float):
    game = environment(WORLDS[world])
    return game, game.start(Rng(world, 1, seed), game.config.at(level, language=language))


@pytest.mark.parametrize("language", OTHERS)
def test_ordinary_sentences_are_understood(language: str) -> None:
    rows = _rows(language)
    missed = [
        text
        for world, intents, text in rows
        if {each.intent for each in understand(world, in_english(language, text))} - {"empathy"} != intents
    ]
    assert len(rows) >= 150
    assert len(missed) <= 0.03 * len(rows), missed


@pytest.mark.parametrize("language", OTHERS)
def test_hardly_an_unrelated_sentence_is_understood(language: str) -> None:
    asked = (DATA / f"unrelated_{language}.txt").read_text(encoding="utf-8").splitlines()
    taken = [
        (world, text)
        for world in WORLDS
        for text in asked
        if {each.intent for each in understand(world, in_english(language, text))} - SILENT
    ]
    assert len(asked) >= 30
    assert len(taken) <= 0.015 * len(asked) * len(WORLDS), taken


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("world", [world for world in WORLDS if world not in ("pupil", "tenant", "rescue", "telecom", "house")])
def test_every_line_of_a_person_has_words_in_the_language_and_keeps_its_figures_and_names(world: str, language: str) -> None:
    for seed in range(25):
        for level in (0.0, 0.5, 1.0):
            _, state = _start(world, "english", seed, level)
            for record in state.records:
                if record.kind != "answer":
                    continue
                said = pieces(language, world, record.word("says"))
                assert all(known for _, known in said), record
                words = " ".join(part for part, _ in said)
                assert not ENGLISH_LEFT.search(words), words
                if "-" not in record.word("says"):  # a date may be written with its parts in another order
                    assert sorted(re.findall(r"\d+", words)) == sorted(re.findall(r"\d+", record.word("says")))
                assert set(re.findall(r"[A-Z]+\d{2,}", record.word("says"))) <= set(re.findall(r"[A-Z]+\d{2,}", words))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("world", ["pupil", "tenant", "rescue", "telecom", "house"])
def test_what_people_say_in_the_course_of_a_task_has_words_in_the_language(world: str, language: str) -> None:
    said = 0
    for seed in range(8):
        for level in (0.0, 0.5, 1.0):
            game, state = _start(world, language, seed, level)
            while game.outcome(state) is None:
                calls = game.best(state)
                state = game.act(state, calls)
                if all(hasattr(call, "text") for call in calls):
                    said += 1
                    assert not ENGLISH_LEFT.search(state.told), state.told
    assert said > 60


@pytest.mark.parametrize("language", OTHERS)
def test_every_remark_of_a_person_has_words_in_the_language(language: str) -> None:
    remarks = [
        *(words for table in (_OPENERS, _CLOSERS, ASIDES) for listed in table.values() for words in listed),
        *_ANGRY,
        *_PLEASED,
        ' I did not get "wer bist du" and "was ist das".',
        "No. No, that is all.",
    ]
    for words in filter(str.strip, remarks):
        assert all(known for _, known in pieces(language, "rental", words.strip())), words


@pytest.mark.parametrize("language", OTHERS)
def test_two_replies_with_one_meaning_have_two_wordings(language: str) -> None:
    for kind in ("unclear", "later", "acknowledge", "unknown_fact", "bye"):
        assert len({translated(language, "rental", words) for words in ASIDES[kind]}) == len(ASIDES[kind])


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("world", WORLDS)
def test_the_oracle_wins_and_mistakes_do_not(world: str, language: str) -> None:
    for seed, level in ((0, 0.0), (1, 0.5), (2, 1.0)):
        game, first = _start(world, language, seed, level)
        for wrong in game.mistakes(first):
            assert _played(game, first, wrong) < 1
        state, played = first, []
        while game.outcome(state) is None:
            played.append(game.best(state))
            state = game.act(state, played[-1])
        assert game.outcome(state).value == 1
        again = game.data.model_validate_json(first.model_dump_json())
        for calls in played:
            again = game.act(again, calls)
        assert again == state


def _played(game, state, calls) -> float:
    """What a player earns who makes the same calls in every turn."""
    for _ in range(game.turns(state)):
        state = game.act(state, calls)
        if score := game.outcome(state):
            return score.value
    return 0.0


@pytest.mark.parametrize("world", WORLDS)
def test_the_prompt_says_which_language_the_person_speaks_and_english_is_as_ever(world: str) -> None:
    game, plain = _start(world, "english", 3, 1.0)
    for language in OTHERS:
        _, other = _start(world, language, 3, 1.0)
        shown = game.show(other)
        assert f"in plain {language.capitalize()}, which is the language they answer in, or in plain English" in shown
        assert language.capitalize() not in game.show(plain)
        if world in ("guest", "shop"):  # whose first words are part of the prompt
            assert shown != game.show(plain)
            continue
        assert re.sub(rf"in plain {language.capitalize()}(?:, which is the language they answer in, or in plain| or) English", "in plain English", shown) == (
            game.show(plain)
        )  # fmt: skip


@pytest.mark.parametrize("world", WORLDS)
def test_an_unknown_language_is_refused(world: str) -> None:
    with pytest.raises(KnobError, match="language must be one of english, german, spanish"):
        environment(WORLDS[world]).config.at(0.5, language="klingon")


def _lines(meaning, chat) -> Line | None:
    known = {"ask:days": "I would say for 3 days.", "ask:size": "It is 120 cm.", "ask:start": "On Monday."}
    return Line(f"l1 {meaning.intent[4:]}", known[meaning.intent]) if meaning.intent in known else None


def _said(language: str, text: str, chat: Chat = Chat()):  # noqa: B008
    return converse(Person("L1", "Anna Berg", "brief", f"{language}/rental", 9), chat, text, _lines)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("german", "Quel jour voulez-vous commencer ?"),
        ("spanish", "Quel jour voulez-vous commencer ?"),
        ("german", "お名前を教えてください"),
        ("spanish", "Für wie viele Tage brauchen Sie die Maschine?"),
        ("german", "¿Cuántos días necesita la máquina?"),
    ],
)
def test_another_language_is_answered_by_what_do_you_mean(language: str, text: str) -> None:
    reply = _said(language, text)
    assert reply.words in {translated(language, "rental", words) for words in ASIDES["unclear"]}
    assert reply.chat.needless == 1


@pytest.mark.parametrize(
    ("language", "text", "has"),
    [
        ("german", "For how many days do you need it?", "3 Tage"),
        ("german", "Für wie viele Tage brauchen Sie sie?", "3 Tage"),
        ("german", "fuer wie viele tage brauchen sie die maschine?", "3 Tage"),
        ("spanish", "For how many days do you need it?", "3 días"),
        ("spanish", "¿Cuántos días la necesita?", "3 días"),
        ("spanish", "cuantos dias la necesita?", "3 días"),
    ],
)
def test_a_person_is_understood_in_their_language_and_in_english(language: str, text: str, has: str) -> None:
    assert has in _said(language, text).words


def test_what_is_not_understood_is_quoted_in_its_own_words() -> None:
    german = _said("german", "Wie viele Tage brauchen Sie sie, und wer hat Hamlet geschrieben?").words
    spanish = _said("spanish", "¿Cuántos días la necesita, y quién escribió Hamlet?").words
    assert "3 Tage" in german
    assert '"wer hat Hamlet geschrieben" habe ich nicht verstanden.' in german
    assert "3 días" in spanish
    assert 'No he entendido "quién escribió Hamlet".' in spanish
    assert (
        'No he entendido "quién escribió Hamlet".'
        in _said("spanish", "Dos preguntas: ¿quién escribió Hamlet y cuántos días la necesita?").words
    )
    assert missed_clauses("rental", "For how many days, and who wrote Hamlet?") == ("who wrote hamlet?",)


@pytest.mark.parametrize(
    ("language", "right", "wrong", "yes"),
    [
        ("german", "Also drei Tage, richtig?", "Also fünf Tage, richtig?", "Ja."),
        ("spanish", "Entonces son tres días, ¿verdad?", "Entonces son cinco días, ¿verdad?", "Sí."),
    ],
)
def test_a_read_back_is_confirmed_or_denied(language: str, right: str, wrong: str, yes: str) -> None:
    assert yes in _said(language, right).words
    assert re.search(r"\bNein\.|\bNo\.", _said(language, wrong).words)


@pytest.mark.parametrize("language", OTHERS)
def test_a_megabyte_is_answered_in_the_language(language: str) -> None:
    reply = _said(language, "Wie viele Tage? " * 70_000)
    assert reply.words in {translated(language, "rental", words) for words in ASIDES["too_long"]}


def test_a_knob_that_is_the_same_at_every_level_has_one_value() -> None:
    game = environment("equipment_rental")
    assert {game.config.at(level).language for level in (0.0, 0.5, 1.0)} == {"english"}
    with pytest.raises(DeclarationError, match="a fixed knob has one value at every level"):
        knob("a", easy="a", hard="b", order=("a", "b"), fixed=True, doc="a setting")
