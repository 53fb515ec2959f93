"""Attacks on the environments whose answers are texts: nothing is earned without the facts, and little changes to a right text cost the reward."""

import re

import pytest

import rlgym
from rlgym.core.answer import wrap
from rlgym.core.rng import Rng

NAMES = ("bulletin_summary", "cause_explanation")
TASKS = [(name, seed, level) for name in NAMES for seed, level in ((1, 0.0), (2, 0.5), (3, 1.0), (4, 0.25), (5, 0.75))]
NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])")
SENTENCE = re.compile(r"(?<=[.!])[ \n]+")
FILLER = "The team met in the hall. Everybody was glad about the work. The results are a reason to hope."


def _sentences(text):
    return SENTENCE.split(text)


def _figures(text):
    return list(dict.fromkeys(NUMBER.findall(text)))


def _shuffle(text):
    """Each sentence with its words in another order, with a capital letter and a full stop."""
    rng, out = Rng("shuffled", text), []
    for sentence in _sentences(text):
        words = rng.shuffled(sentence.rstrip(".!").split())
        out.append(" ".join(words)[:1].upper() + " ".join(words)[1:] + ".")
    return " ".join(out)


def _soup(text):
    """The words that carry the facts, without the ones between them."""
    small = set("the a an of in at is are was were has had by to for with and there that will be as on from it its who we".split())
    return " ".join(" ".join(word for word in sentence.split() if word.lower() not in small) for sentence in _sentences(text))


def _with_figures(task, right):
    """Every sentence with all figures of the prompt and of the right text in it."""
    every = ", ".join(_figures(task.prompt) + _figures(right))
    return " ".join(f"{sentence.rstrip('.')}, or else {every}." for sentence in _sentences(right))


def _one_more(right):
    """The first figure changed by one; empty where the text has none."""
    match = NUMBER.search(right)
    return right[: match.start()] + str(int(match[0].replace(",", "")) + 1) + right[match.end() :] if match else ""


def _facts_of(task, right):
    """The sentences of the right text that state a fact: those without which it is worth nothing."""
    kept = _sentences(right)
    return [s for k, s in enumerate(kept) if rlgym.score(task, wrap(" ".join(kept[:k] + kept[k + 1 :]), "tag")).value < 1]


def _attacks(task, right):
    needed = _facts_of(task, right)
    assert needed, "every sentence of the oracle can be left out"
    first = needed[0]
    hedged = first.rstrip(".")
    yield "nothing but filler", FILLER
    yield "the prompt", task.prompt
    yield "the prompt without its last paragraph", task.prompt.rpartition("\n\n")[0]
    yield "filler with all figures of the prompt", f"{FILLER} The figures are {', '.join(_figures(task.prompt)) or 'none'}."
    yield "all figures in every sentence", _with_figures(task, right)
    yield "all figures in a sentence more", f"{right} The other figures are {', '.join(_figures(task.prompt)) or '5, 6 and 7'}."
    yield "words in another order", _shuffle(right)
    yield "keywords", _soup(right)
    yield "keywords with a full stop after each", " ".join(f"{word}." for word in _soup(right).replace(".", "").split())
    yield "in lower case without full stops", " ".join(sentence.rstrip(".").lower() for sentence in _sentences(right))
    yield "as a list with bars", "\n".join(f"| {word} | {word} |" for word in right.split())
    for k, sentence in enumerate(needed):
        yield f"without fact {k}", " ".join(each for each in _sentences(right) if each != sentence)
    yield "one fact perhaps", right.replace(first, f"Perhaps {first}")
    yield "one fact denied", right.replace(first, f"It is not the case that {first}")
    yield "one fact as a question", right.replace(first, f"{hedged}?")
    yield "everything taken back", f"{right} All of this is false."
    yield "one sentence taken back", f"{right} The first sentence is wrong."
    yield "one fact and its contrary", f"{right} {_one_more(first) or first.replace(' is ', ' is not ').replace(' was ', ' was not ')}"
    yield "a figure off by one", _one_more(right)
    yield "a foreign figure more", f"{right} There were \u0661\u0662 more."
    yield "each fact twice", f"{right} {' '.join(needed)}"
    yield "all facts in one sentence", ", and ".join(sentence.rstrip(".") for sentence in needed) + "."
    yield "padded beyond the length", f"{right} {FILLER * 30}"
    yield (
        "an answer to another task",
        rlgym.environment(task.origin.name).solve(rlgym.task(task.origin.name, task.origin.seed + 50, level=0.5)),
    )


@pytest.mark.parametrize(("name", "seed", "level"), TASKS)
def test_nothing_is_earned_without_stating_each_fact(name, seed, level):
    task = rlgym.task(name, seed, level=level)
    right = rlgym.environment(name).solve(task)
    assert rlgym.score(task, wrap(right, "tag")).value == 1
    attacks = {what: text for what, text in _attacks(task, right) if text != right}
    assert len(attacks) >= 20
    paid = {what: text for what, text in attacks.items() if rlgym.score(task, wrap(text, "tag")).value > 0}
    # A text of one fact is one sentence, and the plain order of words may come out of a shuffle.
    assert not paid


@pytest.mark.parametrize(("name", "seed", "level"), TASKS)
def test_a_right_text_may_be_worded_and_laid_out_in_many_ways(name, seed, level):
    task, declared = rlgym.task(name, seed, level=level), rlgym.environment(name)
    texts = {declared.solve(task), *declared.solutions(task)}
    assert len(texts) >= 3
    for text in texts:
        variants = [text, text.replace(" ", "  "), f"{text}\n", text.replace("\n\n", "\n")]
        if "first_line" not in type(task.data).model_fields:  # a letter keeps its first and last line
            variants += [" ".join(text.split()), f"Well, here you are. {text}"]
        for variant in variants:
            score = rlgym.score(task, wrap(variant, "tag"))
            assert score.value == 1, (score.reason, variant)


@pytest.mark.parametrize(("name", "seed", "level"), TASKS)
def test_a_correct_text_has_a_part_for_each_criterion(name, seed, level):
    task = rlgym.task(name, seed, level=level)
    score = rlgym.score(task, wrap(rlgym.environment(name).solve(task), "tag"))
    assert len(score.parts) >= 5
    assert set(score.parts.values()) == {1.0}


def test_shuffled_words_hardly_ever_state_a_fact():
    """Each sentence alone, since a text needs all of them: at most 0.15 survive a shuffle."""
    kept = tried = 0
    for name, seed, level in TASKS:
        task = rlgym.task(name, seed, level=level)
        right = rlgym.environment(name).solve(task)
        for sentence in _facts_of(task, right):
            changed = _shuffle(sentence)
            if changed.lower() != sentence.lower():
                tried += 1
                kept += rlgym.score(task, wrap(right.replace(sentence, changed), "tag")).value > 0
    assert tried >= 15
    assert kept / tried <= 0.15
