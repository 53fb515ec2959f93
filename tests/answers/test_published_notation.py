"""Notations of published answers are read as what they mean, near misses are refused, and no text takes long."""

import time

import pytest

from rlgym import Rng
from rlgym.answers.maths import equivalent
from rlgym.audit import spellings

COUNT = 1000


@pytest.mark.parametrize("kind", spellings.PUBLISHED)
def test_a_thousand_pairs_of_each_notation_are_judged_right(kind):
    triples = list(spellings.pairs(kind, COUNT, seed=11))
    equal = sum(is_equal for *_, is_equal in triples)
    wrong = [t for t in triples if equivalent(t[0], t[1], percent_as_fraction=kind == "percent_fractions") is not t[2]]
    assert len(triples) == COUNT
    assert 350 <= equal <= 650
    assert len({given for _, given, _ in triples}) > 100
    assert not wrong, wrong[:5]


@pytest.mark.parametrize("kind", spellings.PUBLISHED)
def test_equality_of_a_notation_is_symmetric(kind):
    option = {"percent_as_fraction": kind == "percent_fractions"}
    wrong = [t for t in spellings.pairs(kind, 300, seed=12) if equivalent(t[0], t[1], **option) is not equivalent(t[1], t[0], **option)]
    assert not wrong, wrong[:5]


@pytest.mark.parametrize(
    ("expected", "given", "equal"),
    [
        ("120", "5!", True), ("10", "\\binom{5}{2}", True), ("10", "\\binom52", True), ("3/2", "1\\frac12", True), ("\\pi/2", "90^\\circ", True),
        ("\\infty", "inf", True), ("1000", "1e3", True), ("-1", "i^2", True), ("\\begin{pmatrix} 1 \\\\ 2 \\end{pmatrix}", "[[1],[2]]", True),
        ("\\begin{pmatrix} 1 \\\\ 2 \\end{pmatrix}", "[[1,2]]", False), ("[1, 2]", "[[1],[2]]", False), ("90", "90^\\circ", True),
        ("\\pi/2", "90", False), ("1/2", "\\sin 30^\\circ", True), ("\\sin(30)", "\\sin 30^\\circ", False), ("1", "2\\frac12", False),
        ("5", "5!", False), ("15", "5!!", False), ("2e-3", "2e - 3", True), ("0.002", "2e-3", True), ("0.002", "2e - 3", False),
        ("2e+3", "3 + 2e", True), ("6e", "2e3", False), ("3", "2\\frac32", True), ("n^2", "i^2", False), ("50", "50%", True),
        ("20^\\circ C", "20", False), ("1/2", "50%", False), ("(1+i)^{20}", "-1024", True), ("i", "-i", False), ("i", "j", False),
        ("\\sqrt{-2}", "\\sqrt{2}i", True), ("\\sqrt{-2}", "\\sqrt{2}", False), ("60^\\circ, 120^\\circ", "\\pi/3, 2\\pi/3", True),
        ("60^\\circ, 120^\\circ", "\\pi/3, \\pi/3", False), ("x!", "x!", True), ("x!", "x", False), ("5! \\neq 120", "120", False),
    ],
)  # fmt: skip
def test_single_notations(expected, given, equal):
    assert equivalent(expected, given) is equal


def test_a_percentage_is_a_fraction_only_where_that_is_requested():
    assert equivalent("1/2", "50%", percent_as_fraction=True)
    assert not equivalent("50", "50%", percent_as_fraction=True)
    assert equivalent("\\{1/2, 1\\}", "\\{50\\%, 100\\%\\}", percent_as_fraction=True)


def test_hostile_notation_is_judged_in_bounded_time():
    rng = Rng("hostile notation")
    pieces = [
        *"(){}[]!,+-*/^ie9°%. ",
        "\\binom{9999}{5}",
        "9999!",
        "\\frac",
        "\\sqrt",
        "e-3",
        "1e999",
        "\\choose",
        "inf",
        "i^",
        "\\sin",
        "\\pi",
    ]
    texts = ["".join(rng.choice(pieces) for _ in range(rng.integer(1, 1200))) for _ in range(80)]
    texts += ["(" * 200 + "3" + ")!" * 200, "3!" * 2000, "i^" * 1500 + "2", "(1+i)^999999", "(1+i)^(999^999)", "1e999", "9" * 3000 + "!"]
    texts += [
        "\\sqrt{-" * 300 + "1" + "}" * 300,
        "\\binom{1000}{500}" * 200,
        "((1+i)^900)^900",
        "e^{e^{e^{i}}}",
        "°" * 5000,
        "1 " * 2500 + "1/2",
    ]
    begun = time.process_time()
    for text in texts:
        for expected in ("3", "i", "\\pi/2", text + "1"):
            assert equivalent(expected, text) in (True, False)
    assert time.process_time() - begun < 0.25 * 4 * len(texts)
