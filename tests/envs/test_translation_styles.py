"""Instructions on how a translation is written: each is stated where it holds, is decided by itself, and leaves one right translation."""

import re

import pytest

import rlgym
from rlgym.core.rng import Rng
from rlgym.generators.constraints.translation_styles import DATES, Remark, Style, format_remark, sample_limit, shortened

NAME = "translation_glossary_constraints"


def tasks(name, count=24, **knobs):
    return [rlgym.task(name, seed, level=0.6, **knobs) for seed in range(count)]


def value(name, task, words):
    return rlgym.environment(name).verify(task, tuple(words)).value


@pytest.mark.parametrize("name", [NAME, f"{NAME}:shift"])
def test_a_translation_without_instructions_may_be_in_any_case(name):
    for task in tasks(name, 4, instructions=0):
        right = rlgym.environment(name).solve(task)
        assert "Write the translation as follows" not in task.prompt
        assert value(name, task, [word.upper() for word in right]) == 1


@pytest.mark.parametrize("name", [NAME, f"{NAME}:shift"])
def test_each_instruction_is_stated_and_decides(name):
    seen = dict.fromkeys(("nouns", "verbs", "adjectives", "opening", "date", "separator", "limit"), 0)
    for task in tasks(name, instructions=4):
        style, right = task.data.style, rlgym.environment(name).solve(task)
        assert value(name, task, right) == 1
        told = task.prompt.partition("Write the translation as follows:\n")[2].split("\n")
        assert len(told) == 3 + bool(style.limit)
        sentences = "each of the joined sentences" if len(task.data.clauses) > 1 else "the sentence"
        assert (f"- Write the first letter of {sentences} as a capital, " in task.prompt) == (style.case == "opening")
        assert "Write the number of coins with " in task.prompt
        assert ("leave out the last adjective of the text to be translated" in task.prompt) == bool(style.limit)
        seen[style.case] += 1
        assert value(name, task, [word.lower() for word in right]) == 0
        assert value(name, task, [word.upper() for word in right]) == 0
        [date] = [word for word in right if re.fullmatch(r"\d+([./-])\d+\1\d+", word)]
        seen["date"] += 1
        for form in DATES:
            [remark] = [remark for given in task.data.remarks for remark in given if remark.day]
            written = format_remark(remark, Style(date=form))
            assert value(name, task, [written if word == date else word for word in right]) == (written == date)
        [amount] = [word for word in right if re.fullmatch(r"\d+[._']\d{3}", word)]
        seen["separator"] += 1
        assert value(name, task, [re.sub(r"\D", "", word) if word == amount else word for word in right]) == 0
        if style.limit:
            seen["limit"] += 1
            assert len(" ".join(right)) <= style.limit
    assert all(count for kind, count in seen.items()), seen


def test_as_few_adjectives_as_needed_are_left_out_the_last_ones_of_the_text_first():
    shorter = 0
    for task in tasks(NAME, 60, instructions=4):
        if not task.data.style.limit:
            continue
        adjectives = dict(task.data.tongue.adjectives)
        source = [adjectives[word] for word in task.prompt.rpartition("\n\nWrite")[0].rpartition("\n\n")[2].split() if word in adjectives]
        right = rlgym.environment(NAME).solve(task)
        # Adjectives are compared as a bag: the language may have them in another order than English.
        forms = {stem + ending: stem for stem in adjectives.values() for ending in ("", *task.data.tongue.agree)}
        kept = [forms[word.lower()] for word in right if word.lower() in forms]
        assert len(kept) < len(source)
        assert sorted(kept) == sorted(source[: len(kept)])
        shorter += 1
    assert shorter > 12


def test_a_limit_makes_some_adjectives_go_and_never_all_words():
    def compose(left_out):
        return ("a", *("bb",) * (3 - left_out))

    for seed in range(30):
        limit = sample_limit(Rng("limit", seed), compose, 3)
        text = shortened(compose, 3, limit)
        assert 1 <= len(" ".join(text)) <= limit < len("a bb bb bb")
        assert len(" ".join(("bb", *text))) > limit
    assert shortened(compose, 3, 0) == ("a", "bb", "bb", "bb")


def test_dates_and_numbers_by_hand():
    assert [format_remark(Remark(day=3, month=11, year=1999), Style(date=form)) for form in DATES] == [
        "03.11.1999",
        "1999-11-03",
        "03/11/1999",
        "11/03/1999",
    ]
    assert [format_remark(Remark(amount=12045), Style(separator=sign)) for sign in (".", "'", "_")] == ["12.045", "12'045", "12_045"]


def test_the_place_of_dates_and_amounts_is_stated_where_there_are_any():
    for task in [rlgym.task(NAME, seed, level=0.6, instructions=count) for seed in range(8) for count in (0, 1, 4)]:
        given = [remark for remarks in task.data.remarks for remark in remarks]
        assert ('right after the word for "on"' in task.prompt) == any(remark.day for remark in given)
        assert ('the word for "coins", in this order' in task.prompt) == any(remark.amount for remark in given)
        assert ("keep the order of the text" in task.prompt) == any(len(remarks) > 1 for remarks in task.data.remarks)
