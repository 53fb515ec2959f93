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


@pytest.mark.parametrize(
    ("expected", "given", "equal"),
    [
        ("0.1\\overline{6}", "1/6", True), ("0.\\overline{3}", "0.3", False), ("5/2", "2½", True), ("\\varnothing", "\\emptyset", True),
        ("\\mathbb{R}", "(-\\infty, \\infty)", True), ("x \\in \\mathbb{R}", "\\text{all real numbers}", True), ("\\mathbb{R}", "[0, \\infty)", False),
        ("\\mathbb{R} \\setminus \\{0\\}", "(-\\infty, \\infty)", False), ("\\mathbb{Z}_{2}", "\\mathbb Z_2", True),
        ("1500000", "1.5\\text{ million}", True), ("3 million dollars", "3000000 dollars", True), ("3 million", "3 billion", False),
        ("12 \\text{ units}^2", "12", True), ("\\pi/6", "30 degrees", True), ("\\pi/3", "30 degrees", False), ("7^{\\text{th}}", "7th", True),
        ("k\\pi, k \\in \\mathbb{Z}", "k\\pi", True), ("k\\pi, k \\in \\mathbb{N}", "k\\pi", False),
        ("x = k\\pi \\ (k \\in \\mathbb{Z})", "x = k\\pi, \\text{ where } k \\in \\mathbb{Z}", True),
        ("\\textbf{(C)}\\ 12", "C", True), ("(C) 12", "12", True), ("\\textbf{(C) }12", "(D) 12", False), ("(A)(B)", "A", False),
        ("2x", "f(x) = 2x", True), ("2x", "f(x) = 3x", False), ("x + 1", "x(y) = 1", False), ("\\{x \\mid x > 3\\}", "(3, \\infty)", True),
        ("(-\\infty, 2) \\cup (3, \\infty)", "x < 2 or x > 3", True), ("(-\\infty, 2) \\cup (3, \\infty)", "x < 2 and x > 3", False),
        ("x < 2, x > 3", "x > 3 or x < 2", True), ("|x| < 3", "-3 < x < 3", True), ("|x| > 2", "x < -2 or x > 2", True), ("|x| < -1", "x < -1", False),
        ("\\log_2 8", "3", True), ("1/\\log_2 8", "1/3", True), ("\\log_3^2 9", "4", True), ("\\log_2 3", "\\log_3 2", False), ("\\lg 100", "2", True),
        ("2\\pi\\mathrm{i}", "2\\pi i", True), ("\\mathcal{O}(n)", "O(n)", True), ("]0, 1]", "(0, 1]", True), ("[0, 1[", "[0, 1]", False),
        ("]0, \\infty[", "x > 0", True), ("[0, 1]", "[0, 1]", True), ("$\\frac{7}{2}$ hours", "3.5 hours", True), ("\\theta/2", "θ/2", True),
        ("20 kΩ", "20000 ohm", True), ("x = 3 cm", "x = 3 m", False), ("x = 300 cm", "x = 3 m", True),
        ("x \\equiv 3 \\pmod{7}", "x\\equiv 3 \\mod 7", True), ("x \\equiv 3 \\pmod{7}", "x \\equiv 3 \\pmod{5}", False),
        ("x \\equiv 3 \\pmod{7}", "x \\equiv 4 \\pmod{7}", False),
        ("1010_2", "1010_{2}", True), ("4,343_6", "4343", True), ("1010_2", "1010_3", False), ("1010_2", "10", False), ("1010_2", "1011_2", False),
        ("\\cos^{-1}(1/3)", "\\arccos\\frac{1}{3}", True), ("\\arcsin(1)", "\\pi/2", True), ("\\arcsin\\frac12", "\\pi/3", False),
        ("\\sin^{-1} x", "1/\\sin x", False), ("\\cosh 1", "(e + e^{-1})/2", True), ("\\tanh x", "\\sinh x/\\cosh x", True),
        ("\\frac12 \\ln 2", "\\ln\\sqrt{2}", True), ("\\frac\\pi4", "\\pi/4", True), ("\\frac x2", "x/2", True), ("\\frac{1}x", "x", False),
        ("6x10^{23}", "6 \\times 10^{23}", True), ("6x10^{23}", "6 \\times 10^{22}", False), ("\\dbinom{2n}{n}", "\\binom{2n}{n}", True),
    ],
)  # fmt: skip
def test_spellings_that_are_rewritten(expected, given, equal):
    assert equivalent(expected, given) is equal
    assert equivalent(given, expected) is equal


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
        "\\overline{3}",
        "\\log_2",
        "\\in\\mathbb{R}",
        "\\text{ million}",
        "(C) ",
        "|x|<",
        " or ",
        "½",
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
