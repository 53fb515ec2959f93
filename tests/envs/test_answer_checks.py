"""Answers checked against excerpts: the labels of sentences, and the kinds of errors of attempts."""

from collections import Counter

import pytest

from rlgym import Rng
from rlgym.envs.reading import answer_error_type, answer_sentence_check
from rlgym.generators.corpus.excerpts import counting, read, read_question, read_rule
from rlgym.generators.corpus.world import Page, Rule

TEXT = """Of the pages that speak of a fact, a letter counts before a register and a register before a chronicle, whatever their years; of two of the same \
source the later counts. A newspaper never counts, even where nothing else speaks of the fact.

[1] ship Yara (chronicle of 1990): The captain of the ship Yara is Anna Belsen. A letter mentions the ship Yara next to Anna Belsen.
[2] ship Yara (register of 1910): Hans Corard commands the ship Yara.
[3] ship Yara (newspaper of 1999): Ida Fenley commands the ship Yara. In 1720, the ship Yara was launched.
[4] Anna Belsen (letter of 1950): Anna Belsen, born 1801, is still spoken of.
[5] Hans Corard (letter of 1950): The year of birth of Hans Corard is 1811."""


def test_excerpts_and_rules_are_read_off_the_prompt():
    shown, rule = read(TEXT), read_rule(TEXT)
    assert rule == Rule(("letter", "register", "chronicle"), "newspaper")
    assert shown[0][:3] == ("ship", "Yara", Page("", 0, "chronicle", 1990, ()))
    assert [one.facts for one in shown] == [
        {"captain": "Anna Belsen"}, {"captain": "Hans Corard"}, {"captain": "Ida Fenley", "launched": "1720"}, {"birth": "1801"}, {"birth": "1811"},
    ]  # fmt: skip
    assert counting(shown, rule, "Yara", "captain") == ("Hans Corard", 2)
    assert counting(shown, Rule(), "Yara", "captain") == ("Ida Fenley", 3)
    assert counting(shown, rule, "Yara", "launched") is None


@pytest.mark.parametrize(
    ("words", "start", "relations"),
    [
        ("the captain of the ship Yara", "Yara", ["captain"]),
        ("the year in which the captain of the ship Yara was born", "Yara", ["captain", "birth"]),
        ("the year in which Selby was founded", "Selby", ["settled"]),
        ("the year in which the company Yarex was founded", "Yarex", ["began"]),
    ],
)
def test_questions_are_read_off_the_prompt(words, start, relations):
    assert read_question(words) == (start, relations)


def _claim(quoted, found, concluded, implied, true):
    facts = (("Yara", "captain"), ("Anna Belsen", "birth"))
    return answer_sentence_check.Claim(
        facts=facts, cited=(1, 4), quoted=quoted, found=found, concluded=concluded, implied=implied, true=true
    )


def test_the_three_labels_are_independent():
    """Faithful to a page that does not count, and well reasoned, is false; and a right conclusion may rest on nothing."""
    said = ("Anna Belsen", "1801")
    assert _claim(said, said, "1801", "1801", "1811").labels == ("faithful", "reasoned")
    assert _claim(said, ("Ida Fenley", "1801"), "1811", "1801", "1811").labels == ("right",)
    assert _claim(said, said, "1801", "1801", "1801").labels == ("faithful", "reasoned", "right")


def test_all_combinations_of_labels_occur_and_no_one_prevails():
    counts = Counter(
        claim.labels
        for seed in range(40)
        for claim in answer_sentence_check.generate(Rng("labels", seed), answer_sentence_check.Knobs.at(0.6)).data.claims
    )
    assert len(counts) == 8
    assert max(counts.values()) < 0.3 * counts.total()


def test_an_attempt_without_an_excerpt_that_counts_is_an_error_of_retrieval_even_if_its_answer_is_right():
    seen = Counter()
    for seed in range(30):
        task = answer_error_type.generate(Rng("attempts", seed), answer_error_type.Knobs.at(0.5))
        verdicts = dict(answer_error_type.solve(task))
        for number, attempt in enumerate(task.data.attempts, 1):
            verdict, is_right = verdicts[str(number)], attempt.answer == task.data.answer
            seen[verdict, is_right] += 1
            assert (verdict == "retrieval") == (not set(task.data.needed) <= set(attempt.excerpts))
    assert set(seen) == {("right", True), ("grounding", False), ("retrieval", True), ("retrieval", False)}
    wrong = [dict(answer) for answer in answer_error_type.mistakes(task, answer_error_type.solve(task))]
    assert all(answer_error_type.verify(task, tuple(one.items())).value == 0 for one in wrong if one != verdicts)
