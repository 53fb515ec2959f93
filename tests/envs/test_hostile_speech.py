"""Hostile messages to the simulated people take linear time: one that is twice as long takes about twice as long."""

import time
from collections.abc import Callable

import pytest

from rlgym.generators.users import grammar, slots
from rlgym.generators.users.english import plain_text, split_sentences
from rlgym.generators.users.intents import grammar_names
from rlgym.generators.users.translation import hearing

MOST_GROWTH = 2.6
BRIEF = 0.003
"""Seconds that are too few for a ratio to mean anything."""
SPEECH = ("what is it ", "why? ", "tell me.", ", ", "- ", "\n", "so then, ", "a. ", "12 on monday ")
FOREIGN = {
    "german": ("schalten sie ", "sind sie ", "was findest du ", "einund", "rechne ", "wie bist du auf ", "ist es ", "Haus-", "1. "),
    "spanish": ("dos ", "la ", "y ", "que no le gust ", "es el ", "a las dos ", "mil ", "en que ", "no es asi? "),
}


def processor_time(action: Callable[[], object]) -> float:
    """The least processor time of several runs."""
    times = []
    for _ in range(2):
        for cached in (grammar._understand, slots.whens, slots.amounts, slots.prices, hearing.in_english):
            cached.cache_clear()
        begun = time.process_time()
        action()
        times.append(time.process_time() - begun)
    return min(times)


def test_hostile_speech_takes_linear_time_in_every_grammar(monkeypatch):
    monkeypatch.setattr(grammar, "MOST_CHARACTERS", 2400)
    for name in grammar_names():
        grammar.understand(name, "Hello there, what happened?")
        for words in SPEECH:
            half, whole = ((words * 2400)[:size] for size in (1200, 2400))
            short, long = (processor_time(lambda text=text, name=name: grammar.understand(name, text)) for text in (half, whole))
            assert long <= max(BRIEF, MOST_GROWTH * short), (name, words, short, long)


@pytest.mark.parametrize("language", FOREIGN)
def test_hostile_speech_in_another_language_takes_linear_time(language):
    hearing.in_english(language, "hola, guten tag")
    for words in FOREIGN[language]:
        half, whole = ((words * 2400)[:size] for size in (1200, 2400))
        short, long = (processor_time(lambda text=text: hearing.in_english(language, text)) for text in (half, whole))
        assert long <= max(BRIEF, MOST_GROWTH * short), (words, short, long)


def test_a_long_sentence_is_read_in_pieces_at_the_ends_of_words():
    sentence = "i would like to know when it happened and " * 20
    pieces = split_sentences(sentence)
    assert max(map(len, pieces)) <= 300
    assert "".join(pieces).replace(" ", "") == sentence.replace(" ", "")
    assert max(map(len, split_sentences("ab" * 600))) <= 300


def test_a_long_run_of_marks_keeps_its_question_mark_and_its_line_break():
    assert plain_text("so it is red" + "-" * 300 + "?") == "so it is red------------? "
    assert split_sentences(plain_text("it is red" + " " * 200 + "\n what is it?"))[-1] == "what is it?"
    meant = [each.intent for each in grammar.understand("bank", "What is your" + "\n " * 300 + " full name" + "." * 400 + "?")]
    assert meant == ["ask:name"]
