"""Texts in restricted English: what the parser reads, and that no wrong text is paid."""

import re
from itertools import product
from pathlib import Path

import pytest

import rlgym
from rlgym.generators.writing.criteria import Fault, at_most, covers, every, text_rubric
from rlgym.generators.writing.language import Form, Gap, Language
from rlgym.rubrics import evidence_texts

NAMES = rlgym.names("writing")
PETS = Language(
    (Form("like", "{people} like the {pet}."), Form("age", "The {pet} is {years} years old."), Form("walk", "At {clock} we walk.")),
    (Gap("people", ("Ada", "Ben", "Cleo"), "and"), Gap("pet", ("dog", "old cat")), Gap("years"), Gap("clock", kind="time")),
)


def _claims(text):
    reading = PETS.read(text)
    return None if reading.unread else [(claim.form, *claim.values.values()) for claim in reading.claims]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Ada, Ben and Cleo like the dog.", [("like", ("Ada", "Ben", "Cleo"), "dog")]),
        ("Ada, Ben, and Cleo like the dog.", [("like", ("Ada", "Ben", "Cleo"), "dog")]),
        ("ben\nlike the old  cat. At 9:05 we walk.", [("like", ("Ben",), "old cat"), ("walk", 545)]),
        ("The dog is 12 years old.", [("age", "dog", 12)]),
        (
            "- Ada like the dog.\n  * The dog is 12 years old.\n\u2022 At 9:05 we walk.",
            [("like", ("Ada",), "dog"), ("age", "dog", 12), ("walk", 545)],
        ),
        ("Ada, Ben like the dog.", None),
        ("Ada and Ada like the dog.", None),
        ("Ada and Ben and Cleo like the dog.", None),
        ("Ada does not like the dog.", None),
        ("Ada like the dogs.", None),
        ("Ada like the dog. None of this is true.", None),
        ("Perhaps Ada like the dog.", None),
        ("Ada like the dog.Ben like the dog.", None),
        ("Ada like the dog. - The dog is 12 years old.", None),
        ("- Ada like the dog.\n-", None),
        ("Ada like the dog", None),
        ("The dog is -12 years old.", None),
        ("At 9:75 we walk.", None),
    ],
)
def test_a_text_is_read_as_claims_or_not_at_all(text, claims):
    assert _claims(text) == claims


def test_what_is_written_is_read_back():
    text = PETS.write("like", people=("Ben", "Ada"), pet="old cat") + " " + PETS.write("walk", clock=600)
    assert text == "Ben and Ada like the old cat. At 10:00 we walk."
    assert _claims(text) == [("like", ("Ben", "Ada"), "old cat"), ("walk", 600)]


def test_every_criterion_has_a_part_and_evidence():
    rubric = text_rubric(
        PETS,
        true=every(lambda claim: claim.form != "age", "the age is not known"),
        complete=covers({"Ada", "Ben"}, lambda claim: claim.words("people") if claim.form == "like" else (), "somebody is missing"),
        end=lambda claims: None if claims[-1].form == "like" else Fault("the end is another sentence", claims[-1:]),
        length=at_most(2),
    )
    text = "Ada like the dog. The dog is 3 years old. Never mind."
    score, found = rubric.score(text), rubric.find(text)
    assert score.value == 0
    assert score.parts == {"stated_forms": 0.0, "true": 0.5, "complete": 0.5, "end": 0.0, "length": 1.0}
    assert evidence_texts(text, found["stated_forms"]) == ["Never mind."]
    assert evidence_texts(text, found["true"]) == ["The dog is 3 years old."]
    assert rubric.score("Ada and Ben like the dog.").value == 1


@pytest.mark.parametrize("name", NAMES)
def test_no_mistake_is_paid_at_all(name):
    declared = rlgym.environment(name)
    for level, seed in product((0.0, 0.5, 1.0), (1, 2)):
        task = rlgym.task(name, level=level, seed=seed)
        right = declared.solve(task)
        assert declared.verify(task, right).value == 1
        for text in filter(None, declared.mistakes(task, right)):
            assert text == right or declared.verify(task, text).value == 0, text


@pytest.mark.parametrize("name", NAMES)
def test_a_right_text_that_is_denied_doubted_or_followed_by_a_false_sentence_is_not_paid(name):
    declared = rlgym.environment(name)
    for seed in (11, 12):
        task = rlgym.task(name, level=0.5, seed=seed)
        right = declared.solve(task)
        around = (
            "{} None of this is true.",
            "{} Or not.",
            "It is false that {}",
            "Perhaps {}",
            "{}\n\nThe opposite holds.",
            '"{}", a liar said.',
            "{}?",
        )
        for text in around:
            assert declared.verify(task, text.format(right)).value == 0, text


def _swaps(text):
    """The text with two different words exchanged, for every two words at most four apart."""
    words = re.findall(r"[\w:]+|[^\w:]+", text)
    places = [i for i, word in enumerate(words) if word[0].isalnum()]
    for at, first in enumerate(places):
        for second in places[at + 1 : at + 5]:
            if words[first].lower() != words[second].lower():
                turned = list(words)
                turned[first], turned[second] = words[second], words[first]
                yield "".join(turned)


def _table_says(task, text):
    """Whether a report is right, found from the prompt alone."""
    table, percent, most = (
        {},
        int(re.search(r"at least (\d+) %", task.prompt)[1]),
        int(re.search(r"at most (\d+) sentence", task.prompt)[1]),
    )
    for measure, row in re.findall(r"^- ([a-z]+): (.*)$", task.prompt, re.MULTILINE):
        for place, old, new in re.findall(r"(\w+) (\d+) -> (\d+)", row):
            table[measure, place.lower()] = (int(new) - int(old)) / int(old) * 100
    wanted = {(cell, change > 0) for cell, change in table.items() if abs(change) >= percent}
    said, sentences = set(), text.split(". ")
    for sentence in sentences:
        match = re.fullmatch(r"([a-z, ]+) (rose|fell) in ([a-z, ]+)\.?", sentence.lower())
        lists = [re.split(r", | and ", group) for group in (match[1], match[3])] if match else [[], []]
        known = set(lists[0]) <= {m for m, _ in table} and set(lists[1]) <= {p for _, p in table}
        if not match or not known or any(" and " not in group and "," in group for group in (match[1], match[3])):
            return False
        said |= {((measure, place), match[2] == "rose") for measure in lists[0] for place in lists[1]}
    return said == wanted and len(sentences) <= most


def _follows(rules, known):
    while True:
        grown = known.union(*(then for when, then in rules if when <= known))
        if grown == known:
            return known
        known = grown


def _book_says(task, text):
    """Whether a rule book is equivalent and short enough, found from the prompt alone."""

    def rules(book):
        found = []
        for sentence in re.split(r"(?<=\.)\s+", book.strip().lower()):
            match = re.fullmatch(r"if (.*), then (.*)\.", sentence)
            if not match:
                return None
            found.append(tuple(frozenset(re.split(r", | and ", group)) for group in match.groups()))
        return found

    book, new = rules(re.search(r"It says:\n\n(.*)\n", task.prompt)[1]), rules(text)
    names = set(re.split(r", | and ", re.search(r"speaks of these statements: (.*)\. It says", task.prompt)[1]))
    if new is None or len(new) > int(re.search(r"at most (\d+) sentence", task.prompt)[1]) or not all(w | t <= names for w, t in new):
        return False
    return all(t <= _follows(new, w) for w, t in book) and all(t <= _follows(book, w) for w, t in new)


@pytest.mark.parametrize(("name", "says"), [("table_report", _table_says), ("rule_book_compression", _book_says)])
def test_verdicts_on_texts_with_exchanged_words_are_those_of_a_reader_of_the_prompt(name, says):
    declared, verdicts = rlgym.environment(name), []
    for seed in (1, 2):
        task = rlgym.task(name, level=0.5, seed=seed)
        right = declared.solve(task)
        assert says(task, right)
        for text in _swaps(right):
            paid = declared.verify(task, text).value == 1
            assert paid == says(task, text), text
            verdicts.append(paid)
    assert len(verdicts) > 100
    assert sum(verdicts) < len(verdicts) / 4


def test_the_examples_of_the_page_run():
    text = (Path(__file__).parents[2] / "docs" / "writing.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        exec(compile(block, "docs/writing.md", "exec"), {})  # noqa: S102  the code of our own page
