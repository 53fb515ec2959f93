"""Mathematical answers: equal ones are accepted, near misses are not, and no text takes long."""

import importlib.util
import time
from fractions import Fraction
from pathlib import Path

import pytest

from rlgym import Rng, answers
from rlgym.answers import maths, trees
from rlgym.answers.maths.found import final_answer
from rlgym.audit import spellings
from rlgym.core.answer import Unreadable

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def _load(name):
    spec = importlib.util.spec_from_file_location(name, BENCHMARKS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


EQUIVALENCE = _load("equivalence")


@pytest.mark.parametrize("kind", spellings.MATHS)
def test_each_type_tells_its_spellings_from_its_near_misses(kind):
    for name, judge in (("format", EQUIVALENCE.typed(kind)), ("equivalent", maths.equivalent)):
        wrong = [triple for triple in spellings.pairs(kind, 300, seed=5) if judge(triple[0], triple[1]) != triple[2]]
        assert not wrong, (name, wrong[:3])


FORMATS = [
    (answers.Intervals(), "[-1, 1/2) U {3} U (sqrt(20), oo)", maths.same_spans),
    (answers.Intervals(), "{}", maths.same_spans),
    (answers.Intervals(), "(-oo, oo)", maths.same_spans),
    (answers.Solutions(), "1 + sqrt(5), -2/3, pi/4", maths.same_members),
    (answers.Solutions(), "none", maths.same_members),
    (answers.Point(3), "(1, -1/2, sqrt(2))", lambda a, b: all(map(trees.same, a, b))),
    (answers.Matrix(), "[[1, -2/3], [0, 4]]", lambda a, b: a == b),
    (answers.Quantity("m/s^2"), "49/5 m/s^2", lambda a, b: a == b),
    (answers.Percent(), "25/2%", lambda a, b: a == b),
    (answers.Equation(), "2*x + 3*y = 7", maths.same_curve),
]


@pytest.mark.parametrize(("form", "text", "same"), FORMATS, ids=[f"{form.format} {text}" for form, text, _ in FORMATS])
def test_formats_read_what_they_write_and_tell_what_is_near(form, text, same):
    value = form.parse(text)
    assert same(value, form.parse(form.render(value)))
    assert all(same(value, form.parse(spelling)) for spelling in form.variants(value))
    assert not any(len(form.render(other)) and _same_or_not(same, value, other) for other in form.near_misses(value))
    for junk in ("", "x" * 5000, "(" * 3000, "1/0", "__import__('os')", "9**9**9**9", "\u0661", "[1, 2", "0.3.4"):
        with pytest.raises(Unreadable):
            form.parse(junk)


def _same_or_not(same, value, other):
    return len(value) == len(other) and same(value, other) if isinstance(value, tuple) else same(value, other)


@pytest.mark.parametrize(
    ("expected", "given", "equal"),
    [
        ("50", "5000", False), ("50", "0.5", False), ("10000", "10001", False), ("a+bc", "(a+b)c", False), ("2x+1", "2(x+1)", False),
        ("23", "2\\cdot3", False), ("5 minutes", "5 hours", False), ("5 m", "5 cm", False), ("y=5", "x=5", False), ("day", "", False),
        ("1/2", "2/4", True), ("2", "4/2", True), ("3, 1", "{1, 3}", True), ("(3, 1)", "(1, 3)", False), ("x < 1", "-x > -1", True),
        ("12:00", "1:00", False), ("1 - 1/e", "1 + 1/e", False), ("9", "9**9**9**9", False), ("", "", False), ("[0, 1)", "(0, 1)", False),
        ("sqrt(17)", "4.123106", False), ("1/3", "0.3333333333", False), ("2021", "2021, 2021", True), ("\\pm 3", "3", False),
    ],
)  # fmt: skip
def test_holes_of_published_graders_are_closed(expected, given, equal):
    assert maths.equivalent(expected, given) is equal


def test_decimals_count_as_rounded_only_where_digits_are_asked_for():
    assert maths.equivalent("1/3", "0.333333", digits=6)
    assert not maths.equivalent("1/3", "0.333", digits=6)
    assert not maths.equivalent("1/3", "0.333333")


def test_hostile_texts_are_judged_soon_and_without_a_crash():
    rng = Rng("hostile")
    pieces = [
        *"(){}[]$\\,;:=<>+-*/^_|!~ 19xeUor",
        "\\frac",
        "\\sqrt",
        "\\begin{pmatrix}",
        "\\\\",
        "&",
        "\\end{pmatrix}",
        "\\cup",
        "±",
        "oo",
        "\\boxed{",
        "and",
        "10^",
    ]
    texts = ["".join(rng.choice(pieces) for _ in range(rng.integer(1, 1500))) for _ in range(150)]
    texts += [
        "(" * 6000,
        "{" * 3000 + "}" * 3000,
        "1," * 3000,
        "\\boxed{" * 800,
        "$" * 6000,
        "9^" * 2000 + "9",
        "x=" * 3000,
        "-" * 6000,
        "\\begin{pmatrix}" * 300,
    ]
    begun = time.process_time()
    for text in texts:
        assert maths.equivalent("3", text) in (True, False)
        assert maths.equivalent(text, text + "1") in (True, False)
        final_answer(text)
    assert time.process_time() - begun < 0.25 * len(texts)


def test_units_are_converted_exactly():
    speed = answers.Quantity("m/s")
    assert [speed.parse(text) for text in ("18 km/h", "5 m s^-1", "500 cm/s", "5 metres per second")] == [Fraction(5)] * 4
    for wrong in ("5", "5 m", "5 m/s^2", "5 s/m", "5 miles", "5 m/s/s"):
        with pytest.raises(Unreadable):
            speed.parse(wrong)
    with pytest.raises(Unreadable):
        maths.read_unit("J/mol K")
    assert maths.read_unit("J/(mol K)") == maths.read_unit("J mol^-1 K^-1")


MATRIX = "\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}"


@pytest.mark.parametrize("before", ["A = ", "$A^{-1} = $", "\\left[", "\\frac{2}{2} ", "1 \\cdot "])
def test_a_matrix_with_a_label_or_a_factor_of_one_is_the_same(before):
    assert maths.equivalent(MATRIX, before + MATRIX)


@pytest.mark.parametrize("before", ["not ", "anything but ", "-", "2", "0.5", "A + "])
def test_text_before_or_after_a_matrix_is_not_ignored(before):
    assert not maths.equivalent(MATRIX, before + MATRIX)
    assert not maths.equivalent(MATRIX, f"{MATRIX} {before}")


def test_a_factor_before_a_matrix_multiplies_its_entries():
    doubled = "\\begin{pmatrix} 2 & 4 \\\\ 6 & 8 \\end{pmatrix}"
    assert maths.equivalent(MATRIX, f"\\frac{{1}}{{2}} {doubled}")
    assert maths.equivalent(doubled, f"2{MATRIX}")
    assert maths.equivalent(f"-{MATRIX}", "\\begin{pmatrix} -1 & -2 \\\\ -3 & -4 \\end{pmatrix}")


@pytest.mark.parametrize(
    ("expected", "given", "equal"),
    [
        ("n = 2", "n = 2 or y = 2", False),
        ("n = 2", "n = 2, n = 2", True),
        ("n = 2", "n = 2, n = 3", False),
        ("n = 2, y = 2", "n = 2", False),
        ("(x, y) = (2, 3)", "x = 2, y = 3", True),
        ("x = 2 or x = 3", "x = 3, x = 2", True),
    ],
)
def test_names_count_in_lists_of_assignments(expected, given, equal):
    assert maths.equivalent(expected, given) is equal
