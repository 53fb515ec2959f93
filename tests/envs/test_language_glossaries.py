"""The glossaries of German and Spanish: days, times, numbers and turns of phrase in English."""

from collections import Counter
from importlib.resources import files

import pytest

from rlgym.generators.users.slots import When, whens
from rlgym.generators.users.translation import glossary
from rlgym.generators.users.translation.glossary import entries, gloss
from rlgym.generators.users.translation.hearing import GLOSSARIES
from rlgym.generators.users.translation.numerals import german_numbers, spanish_numbers


@pytest.mark.parametrize(
    ("language", "text", "when"),
    [
        ("german", "Wie wäre es mit Donnerstag um halb drei?", When("Thursday", "14:30")),
        ("german", "Passt Ihnen Montag um Viertel nach neun?", When("Monday", "9:15")),
        ("german", "Am Dienstag um 14 Uhr?", When("Tuesday", "14:00")),
        ("spanish", "¿Qué tal el jueves a las dos y media?", When("Thursday", "14:30")),
        ("spanish", "¿Le viene bien el lunes a las nueve y cuarto?", When("Monday", "9:15")),
        ("spanish", "¿Y el martes a las 4 de la tarde?", When("Tuesday", "16:00")),
    ],
)
def test_days_and_times_are_read(language: str, text: str, when: When) -> None:
    assert whens(gloss(GLOSSARIES[language], text).text) == (when,)


@pytest.mark.parametrize(
    ("language", "text", "english"),
    [
        ("german", "Was mögen Sie gar nicht, und was können Sie nicht ausstehen?", "dislike"),
        ("german", "Gibt es etwas, das für Sie nicht infrage kommt?", "avoid"),
        ("german", "Wie lautet die Nummer des Vertrags?", "number of the contract"),
        ("german", "Nennen Sie mir die Marke Ihres Koffers.", "brand of your suitcase"),
        ("german", "Könnten Sie mir bitte noch sagen, wie alt Sie sind?", "can you tell me how old you are"),
        ("spanish", "¿Está de acuerdo en pagárselas?", "pay"),
        ("spanish", "Entonces la necesita desde el martes, ¿verdad?", "so you need from tuesday, is that correct?"),
        ("spanish", "¿Y la necesita desde el martes?", "and do you need from tuesday?"),
        ("spanish", "¿Hay algo que no le guste nada?", "that you dislike?"),
        ("spanish", "¿Está usted completamente segura de que era azul?", "are you sure"),
    ],
)
def test_turns_of_phrase_are_put_in_english(language: str, text: str, english: str) -> None:
    assert english in gloss(GLOSSARIES[language], text).text


@pytest.mark.parametrize(
    ("language", "text", "has"),
    [
        ("german", "Wir zahlen Ihnen 1.340 Münzen.", " 1340 coins"),
        ("german", "Wir zahlen Ihnen 12 500 Münzen.", " 12500 coins"),
        ("german", "Das kostet 20,- Münzen.", " 20 coins"),
        ("german", "Zeigt das Manometer 1,2 bar an?", "1.2"),
        ("german", "Am 3.5.1980 um 9.30 Uhr", "3 may 1980 at 9:30"),
        ("spanish", "Le pagaríamos 1.340 monedas.", " 1340 coins"),
        ("spanish", "Le pagaríamos 12 500 monedas.", " 12500 coins"),
        ("spanish", "¿Marca el manómetro 1,2 bares?", "1.2"),
        ("spanish", "El 3/5/1980 a las 9.30", "3 may 1980 at 9:30"),
    ],
)
def test_figures_are_read_in_the_manner_of_the_language(language: str, text: str, has: str) -> None:
    assert has in gloss(GLOSSARIES[language], text).text


@pytest.mark.parametrize(
    ("words", "number"),
    [("zweihundertfuenfzig", "250"), ("einundzwanzig", "21"), ("hundertzwanzig", "120"), ("siebzehn", "17"), ("drei", "three"), ("ein haus", "ein haus")],
)  # fmt: skip
def test_german_numbers_are_read(words: str, number: str) -> None:
    assert german_numbers(words) == number


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("doscientas veinte", "220"),
        ("treinta y cinco", "35"),
        ("mil doscientos", "1200"),
        ("una hora", "una hora"),
        ("uno y dos", "one and two"),
    ],
)
def test_spanish_numbers_are_read(words: str, number: str) -> None:
    assert spanish_numbers(words) == number


def test_a_phrase_that_stands_twice_is_refused(tmp_path, monkeypatch) -> None:
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "german.txt").write_text("# a comment\nhaus/heim = house\nHaus = building\n", encoding="utf-8")
    monkeypatch.setattr(glossary, "files", lambda package: tmp_path)
    with pytest.raises(ValueError, match="the german glossary has these phrases twice: haus"):
        entries("german")


def test_no_sentence_stands_in_two_files_of_phrases() -> None:
    texts = [file.read_text(encoding="utf-8") for file in files("rlgym.generators.users.translation").joinpath("phrases").iterdir()]
    sentences = [line for text in texts for line in text.partition("\n@")[0].splitlines() if line and line[0] != "#"]
    assert len(sentences) > 500
    assert not [line for line, count in Counter(sentences).items() if count > 1]
