"""Notations in which public data sets write answers: factorials, binomials, mixed numbers, angles, infinity, powers of ten, complex numbers."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial

from rlgym import Rng
from rlgym.audit.spellings.notation import Pairs, latex, marked, rational, small_fraction


def factorials(rng: Rng) -> Pairs:
    n, k = rng.integer(3, 12), rng.integer(2, 9)
    value = factorial(n)
    good = [
        f"{n}!",
        f"${n}!$",
        f"{n} \\cdot {n - 1}!",
        f"\\frac{{{n + 1}!}}{{{n + 1}}}",
        f"{n}! + {k}! - {factorial(k)}",
        f"\\boxed{{({n})!}}",
    ]
    bad = [f"{n + 1}!", f"{n - 1}!", f"-{n}!", f"{n}!!" if n > 3 else "5!!", f"{n}", f"{n}!/{k}", f"{n}! + 1", f"{n}^{n}", "!"]
    return str(value), marked(good, bad)


def binomials(rng: Rng) -> Pairs:
    n = rng.integer(4, 20)
    k = rng.integer(1, n - 1)
    value, other = comb(n, k), next(m for m in (k + 1, k + 2, 0) if comb(n, m) != comb(n, k))
    good = [
        f"\\binom{{{n}}}{{{k}}}",
        f"\\dbinom{{{n}}}{{{n - k}}}",
        f"${{{n} \\choose {k}}}$",
        f"\\tbinom{{{n}}}{{{k}}}",
        f"2\\binom{{{n}}}{{{k}}}/2",
    ]
    good += [f"\\binom{{{n - 1}}}{{{k}}} + \\binom{{{n - 1}}}{{{k - 1}}}", f"\\frac{{{n}!}}{{{k}!{n - k}!}}"]
    bad = [
        f"\\binom{{{n}}}{{{other}}}",
        f"\\binom{{{n + 1}}}{{{k}}}",
        f"-\\binom{{{n}}}{{{k}}}",
        f"\\frac{{{n}!}}{{{k}!}}" if n - k > 1 else "0",
    ]
    bad += [f"\\binom{{{n}}}{{{k}}} + 1", f"\\frac{{{n}}}{{{k}}}" if Fraction(n, k) != value else "0", f"{{{n + 2} \\choose {k}}}"]
    return str(value), marked(good, bad)


def mixed_numbers(rng: Rng) -> Pairs:
    whole, below = rng.integer(1, 30), rng.integer(2, 12)
    above = rng.integer(1, below - 1)
    sign = rng.choice(["", "-"])
    value = Fraction(whole * below + above, below) * (-1 if sign else 1)
    fraction = f"\\frac{{{above}}}{{{below}}}"
    good = [
        f"{sign}{whole}{fraction}",
        f"{sign}{whole} {above}/{below}",
        f"${sign}{whole}\\tfrac{{{above}}}{{{below}}}$",
        f"{sign}{whole}\\ {fraction}",
    ]
    good += [f"{sign}{whole}\\frac{above}{below}" if below < 10 else f"x = {sign}{whole}{fraction}", f"{latex(value)}"]
    bad = [
        f"{sign}{whole + 1}{fraction}",
        f"{'' if sign else '-'}{whole}{fraction}",
        f"{sign}{whole}\\cdot{fraction}",
        f"{sign}{whole} {above}/{below + 1}",
    ]
    bad += [f"{sign}{fraction}", f"{sign}{above} {whole}/{above + whole}", f"{sign}{whole}, {above}/{below}"]
    bad += [f"{sign}{whole}{above}/{below}"] * (below != 10)
    return rational(value), marked(good, bad)


def angles(rng: Rng) -> Pairs:
    turns = Fraction(rng.integer(1, 23), rng.choice([2, 3, 4, 5, 6, 9, 12]))
    degrees = turns * 180
    radians = f"{turns.numerator}*pi/{turns.denominator}"
    size = rational(degrees)
    good = [
        f"{size}^\\circ",
        f"${size}^{{\\circ}}$",
        f"{size}°",
        f"{size}\\degree",
        f"\\theta = {size}^\\circ",
        f"\\frac{{{turns.numerator}\\pi}}{{{turns.denominator}}}",
    ]
    bad = [
        f"{rational(degrees + 1)}^\\circ",
        f"-{size}^\\circ",
        size,
        f"{rational(degrees / 2)}°",
        f"{rational(turns)}°",
        f"{rational(turns)}",
        f"{size}\\pi",
    ]
    bad += [f"{rational(degrees + 360)}^\\circ"]
    return radians, marked(good, bad)


def infinities(rng: Rng) -> Pairs:
    sign, low = rng.choice(["", "-"]), small_fraction(rng)
    if rng.chance(0.5):
        other = "" if sign else "-"
        good = [f"{sign}\\infty", f"{sign}inf", f"${sign}\\infty$", f"{sign}∞", f"{sign}infinity", f"{sign}oo"]
        bad = [f"{other}\\infty", f"{other}inf", f"{sign}1", "undefined", "0", "information", f"{sign}\\infty + x"]
        return f"{sign}inf", marked(good, bad)
    end = rational(low)
    good = [f"({end}, \\infty)", f"({latex(low)}, +\\infty)", f"x > {end}", f"({end}, oo)", f"({end}, infinity)", f"({end}, ∞)"]
    bad = [
        f"[{end}, \\infty)",
        f"(-\\infty, {end})",
        f"x >= {end}",
        f"({rational(low + 1)}, inf)",
        f"({end}, 1000)" if low < 1000 else "0",
        "inf",
    ]
    return f"({end}, inf)", marked(good, bad)


def powers_of_ten(rng: Rng) -> Pairs:
    mantissa, exponent = Fraction(rng.integer(11, 99), 10), rng.integer(-8, 12)
    digits = f"{float(mantissa):g}"
    value = mantissa * Fraction(10) ** exponent
    good = [
        f"{digits}e{exponent}",
        f"{digits}E{exponent}",
        f"{digits} \\times 10^{{{exponent}}}",
        f"${digits}e{exponent:+d}$",
        f"{digits}*10^({exponent})",
    ]
    good += [f"{digits}E{exponent:+03d}", f"{int(mantissa * 10)}e{exponent - 1}"]
    bad = [f"{digits}e{exponent + 1}", f"{digits}e{exponent - 1}", f"-{digits}e{exponent}", f"{int(mantissa * 10)}e{exponent}"]
    bad += [f"{digits} e^{{{exponent}}}", f"{digits}*e*{exponent + 20}", f"{digits}x{exponent}", digits] if exponent else []
    return rational(value), marked(good, bad)


def complex_numbers(rng: Rng) -> Pairs:
    a, b = rng.integer(-9, 9) or 3, rng.integer(-9, 9) or 2
    c, d = rng.integer(1, 5), rng.integer(1, 5)
    plain = f"{a} {'+' if b > 0 else '-'} {abs(b)}i"
    good = [f"{b}i + {a}", f"{-a}i^2 + {b}i", f"{a}{b:+d}\\sqrt{{-1}}", f"\\frac{{({a * c - b * d}) + ({a * d + b * c})i}}{{{c} + {d}i}}"]
    good += [f"({plain})i^4", f"{a} + ({-b})i^3", f"i({b} - ({a})i)", f"{a} + {b}e^{{i\\pi/2}}"]
    bad = [
        f"{a} {'-' if b > 0 else '+'} {abs(b)}i",
        f"{-a}{b:+d}i",
        f"{a}i^2 + {b}i",
        f"{a} + ({b})i^3",
        f"{a}",
        f"{b}i",
        f"{a + 1} + {b}i",
    ]
    bad += [f"{a} + {b}j", f"{a} + {b}", f"{a} + {b}e^{{i\\pi}}", f"({plain})i"]
    return plain, marked(good, bad)


def nested_lists(rng: Rng) -> Pairs:
    rows, columns = rng.integer(1, 3) + 1, rng.integer(1, 3)
    matrix = [[small_fraction(rng, 20) for _ in range(columns)] for _ in range(rows)]
    wrong = [list(row) for row in matrix]
    wrong[rng.integer(0, rows - 1)][rng.integer(0, columns - 1)] += 1
    plain, turned = _nested_lists(matrix), [list(row) for row in zip(*matrix, strict=True)]
    spaced = plain.replace(",", " , ")
    good = [plain, spaced, f"${plain}$", f"A = {plain}", plain.replace(",", ", "), _pmatrix(matrix).replace("pmatrix", "bmatrix")]
    bad = [_nested_lists(wrong), _pmatrix(wrong), _nested_lists(matrix[:-1]), ", ".join(rational(entry) for row in matrix for entry in row)]
    bad += [_nested_lists([*matrix, matrix[0]])] + [_nested_lists(turned), _pmatrix(turned)] * (turned != matrix)
    bad += [_nested_lists(matrix[::-1])] * (matrix != matrix[::-1])
    return _pmatrix(matrix), marked(good, bad)


def percent_fractions(rng: Rng) -> Pairs:
    value = Fraction(rng.integer(1, 399), rng.choice([1, 2, 4, 5]))
    hundredths = value / 100
    digits = f"{float(value):g}"
    good = [
        f"{digits}%",
        f"{digits}\\%",
        f"{digits} percent",
        f"${latex(value)}\\%$",
        latex(hundredths),
        f"{float(hundredths):.10f}".rstrip("0"),
    ]
    bad = [
        digits,
        f"{float(value + 1):g}%",
        f"{rational(hundredths)}%",
        f"-{digits}%",
        f"{float(value * 10):g}%",
        rational(hundredths * 10),
    ]
    return rational(hundredths), marked(good, bad)


def _nested_lists(matrix: list[list[Fraction]]) -> str:
    return f"[{','.join('[' + ','.join(map(rational, row)) + ']' for row in matrix)}]"


def _pmatrix(matrix: list[list[Fraction]]) -> str:
    return "\\begin{pmatrix} " + " \\\\ ".join(" & ".join(map(rational, row)) for row in matrix) + " \\end{pmatrix}"
