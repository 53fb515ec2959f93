"""The layout around an answer: what is peeled off, what is left, and that any text is read in linear time."""

import time
from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rlgym
from rlgym.answers import (
    Assignment,
    Code,
    Grid,
    Integer,
    Json,
    Lines,
    Mapping,
    Numbers,
    Quantity,
    Rational,
    Rationals,
    Regex,
    Solutions,
    Text,
    Words,
)
from rlgym.core.answer import Unreadable, wrap
from rlgym.core.layout import Layer, Question, peeled
from rlgym.core.score import Outcome
from rlgym.episode.play import score_response
from rlgym.laws.layouts import WRAPPED
from rlgym.laws.subject import Subject

EVERY = frozenset(Layer)
FORMATS = (
    Integer(),
    Rational(),
    Rationals(),
    Numbers(product=True),
    Words(),
    Text(),
    Grid(),
    Lines(),
    Mapping(several_words=True),
    Json(),
    Regex(),
    Code(),
)
SIGNS = (
    "```",
    "**",
    "`",
    "$",
    "\\boxed{",
    "\\text{",
    "{",
    "}",
    "x = ",
    "answer: ",
    " and ",
    ", ",
    "\n",
    ".",
    "- ",
    "1. ",
    "\u2212",
    " minutes",
    "7",
    "a",
    "=",
    "1/3 ≈ 0.3",
    "[2, 3]\n",
    "| 1 |\n",
    "|---",
)


@pytest.mark.parametrize(
    ("answer", "prompt", "text", "value"),
    [
        (Rational(), "How many minutes pass?", "6217/55 minutes", Rational().parse("6217/55")),
        (Integer(), "How old is Ann, in years?", "68 years", 68),
        (Integer(), "Find x.", "x = $\\boxed{7}$.", 7),
        (Integer(), "", "\u3000\uff17\uff18", 78),
        (Integer(), "", "**Answer:** `12`", 12),
        (Words(), "", "**Answer: ann\nbo**.", ("ann", "bo")),
        (Words(), "", "\\(\\(ann bo\\)\\)", ("ann", "bo")),
        (Integer(), "Which angle is it, in degrees?", "45^\\circ", 45),
        (Rationals(), "Find all x.", "x = 7, x = 17/3", Rationals().parse("7, 17/3")),
        (Rationals(), "Find all x.", "x = 7 or x = 17/3", Rationals().parse("7, 17/3")),
        (Numbers("x and y, in this order"), "Find x and y.", "y = 47, x = 2850", (2850, 47)),
        (Numbers(product=True), "Factor 84.", "84 = 2^2 * 3 \u00d7 7", (2, 2, 3, 7)),
        (Words(), "", "Here is the order:\n1. ann\n2. bo\n3. cy", ("ann", "bo", "cy")),
        (Grid(single_characters=True), "", "- #.#\n- ..#", (("#", ".", "#"), (".", ".", "#"))),
        (Lines(), "", "1. farmer, goat\n2. farmer", ("farmer, goat", "farmer")),
        (Lines(), "", "ann: knight.\nbo: knave.", ("ann: knight", "bo: knave")),
        (Integer(), "", "= 55", 55),
        (Integer(), "", "$= 55$.", 55),
        (Rational(), "", "22/49 ≈ 0.4490", Fraction(22, 49)),
        (Rational(), "", "16783048/729 ≈ 23020", Fraction(16783048, 729)),
        (Rational(), "", "= -22/49 (approximately -0.44)", Fraction(-22, 49)),
        (Rational(), "", "$\\frac{22}{49} \\approx 0.449$", Fraction(22, 49)),
        (Quantity("N"), "", "2574/17 N ≈ 151.4 N", Fraction(2574, 17)),
        (Quantity("N"), "", "2574/17 ≈ 151.4 N", Fraction(2574, 17)),
        (Assignment(("p", "n")), "", "p = 4/7 ≈ 0.5714 and n = 10/7 ≈ 1.43", (("p", Fraction(4, 7)), ("n", Fraction(10, 7)))),
        (Solutions(), "", "sqrt(2) ≈ 1.414", Solutions().parse("sqrt(2)")),
        (Lines("numbers separated by spaces"), "", "[2, 3, 6]\n[1, 4, 5]", ("2 3 6", "1 4 5")),
        (Lines("numbers separated by commas"), "", "[[2, 3, 6], [1, 4, 5]]", ("2, 3, 6", "1, 4, 5")),
        (Grid(), "", "| 1 | 2 |\n|:--|--:|\n| 2 | 1 |", (("1", "2"), ("2", "1"))),
        (Grid(), "", "|   |   |\n|---|---|\n| 1 | 2 |\n| 2 | 1 |", (("1", "2"), ("2", "1"))),
        (Grid(single_characters=True), "", "| col 1 | col 2 |\n|---|---|\n| # | - |\n| - | - |", (("#", "-"), ("-", "-"))),
        (Mapping(several_words=True), "", "B-C: DC, EC\nA-B: PO", (("a-b", "po"), ("b-c", "dc ec"))),
    ],
)
def test_a_layout_is_peeled_off(answer, prompt, text, value):
    assert value in answer.readings(wrap(text, "tag"), "tag", prompt)


@pytest.mark.parametrize(
    ("answer", "prompt", "text"),
    [
        (Integer(), "How many minutes pass?", "2 hours"),
        (Integer(), "Find x.", "q = 7"),
        (Integer(), "Find x.", "x = 7, x = 8"),
        (Integer(), "", "7 8"),
        (Integer(), "", "== 7"),
        (Integer(), "", "=> 7"),
        (Integer(), "", "= 7 = 8"),
        (Rational(), "", "22/49 ≈ 0.46"),
        (Rational(), "", "16783048/729 ≈ 23030"),
        (Rational(), "", "0.4490 ≈ 22/49"),
        (Rational(), "", "1/2 + 1/3 ≈ 0.33"),
        (Quantity("N"), "", "2574/17 N ≈ 151.4 m"),
        (Solutions(), "", "sqrt(2) ≈ 1.5"),
        (Numbers(), "Factor 84.", "2 * 2 * 3 * 7"),
        (Numbers(product=True), "Factor 84.", "85 = 2 * 2 * 3 * 7"),
    ],
)
def test_content_is_never_peeled_off(answer, prompt, text):
    with pytest.raises(Unreadable):
        answer.readings(wrap(text, "tag"), "tag", prompt)


def test_the_text_as_it_is_comes_first():
    assert Text().readings("<answer>`a`.</answer>", "tag")[0] == "`a`."
    assert Grid(single_characters=True).parse_response("<answer>. .\n. .</answer>", "tag") == ((".", "."), (".", "."))
    assert Json().readings('<answer>"7"</answer>', "tag") == ['"7"']
    assert Regex().parse_response("<answer>a.</answer>", "tag").text == "a."
    assert Lines().readings("<answer>[2, 3]</answer>", "tag")[0] == ("[2, 3]",)


def test_a_doubled_and_is_an_item():
    assert Words().readings(wrap("and and ann", "tag"), "tag") == [("and", "and", "ann")]


def test_a_row_of_single_dashes_stays_in_its_grid():
    answer = Grid(single_characters=True)
    assert answer.readings(wrap("| # | # |\n| - | - |\n| # | # |", "tag"), "tag") == [(("#", "#"), ("-", "-"), ("#", "#"))]


def test_several_answers_in_layouts_stay_refused():
    with pytest.raises(Unreadable, match="contradict"):
        Integer().parse_response("<answer>**7**</answer> <answer>`8`</answer>", "tag")


def test_an_unknown_layout_is_unreadable():
    subject = Subject("josephus", rlgym.environment("josephus"), "")
    task = subject.task(1, 0.5)
    text = subject.single.answer.render(subject.right(task))
    assert score_response(subject.single, task, wrap(f"**{text}**", "tag"), "tag").value == 1.0
    score = score_response(subject.single, task, wrap(f"<b>{text}</b>", "tag"), "tag")
    assert score.outcome is Outcome.UNREADABLE
    assert "HTML" in score.reason


@given(st.lists(st.one_of(st.sampled_from(SIGNS), st.text(max_size=8)), max_size=25).map("".join))
@settings(max_examples=1500, deadline=None, derandomize=True)
def test_any_text_is_read_without_a_crash(text):
    for answer in FORMATS:
        with suppress(Unreadable):
            assert answer.readings(wrap(text, "tag"), "tag", "How many minutes pass? Find x and y, in dollars.")


@given(st.integers(-(10**9), 10**9), st.lists(st.sampled_from([*WRAPPED, "x = {}", "{} minutes"]), max_size=3))
@settings(max_examples=400, deadline=None, derandomize=True)
def test_nested_layouts_never_change_a_number(number, layouts):
    text = str(number)
    for layout in layouts:
        text = layout.format(text)
    try:
        assert set(Integer().readings(wrap(text, "tag"), "tag", "How many minutes pass? Find x.")) == {number}
    except Unreadable:
        assert len(layouts) > 1  # some layouts cannot stand within others


@pytest.mark.parametrize(("opens", "item"), [("[", "1      "), ("1/3 ≈ ", "9"), ("|", "  --  |")])
def test_many_items_that_end_wrongly_take_linear_time(opens, item):
    # Spaces or digits that two parts of a pattern may both take would have it try every division of them.
    def seconds(items):
        text = f"{opens}{item * items}x\n{opens}{item * items}x"
        begun = time.process_time()
        for _ in peeled(text, EVERY, Question()):
            pass
        return time.process_time() - begun

    short, long = min(seconds(6) for _ in range(3)), min(seconds(96) for _ in range(2))
    assert long < 16 * 6 * max(short, 0.0005)


@pytest.mark.parametrize("sign", SIGNS)
def test_peeling_takes_linear_time(sign):
    question = Question("How many minutes pass? Find x and y.")

    def seconds(length):
        text = (sign * length)[:length]
        begun = time.process_time()
        for _ in peeled(text, EVERY, question):
            pass
        return time.process_time() - begun

    short, long = min(seconds(10_000) for _ in range(3)), min(seconds(160_000) for _ in range(2))
    assert long < 16 * 6 * max(short, 0.0005)  # a quadratic step would take 256 times as long


@pytest.mark.parametrize(
    ("answer", "text", "value"),
    [
        (Integer(), "> 7", 7),
        (Integer(), "### Final Answer\n\n7", 7),
        (Integer(), "**Answer**\n7", 7),
        (Integer(), "## Answer:\n> **7**", 7),
        (Grid(), "> . #\n> # .", ((".", "#"), ("#", "."))),
        (Grid(), "> . #\n# .", ((".", "#"), ("#", "."))),
        (Integer(), "# 7\n8", None),
        (Integer(), ">= 7", None),
        (Integer(), ">7", None),
    ],
)
def test_a_quotation_and_a_heading_are_layout(answer, text, value):
    try:
        assert answer.read(text)[-1] == value
    except Unreadable:
        assert value is None


def test_a_row_of_signs_may_be_a_quotation_or_not():
    assert Words().read("> < >") == [(">", "<", ">"), ("<", ">")]
