"""Pairs of mathematical answers, equal and not, by construction: what an equivalence checker must accept and refuse.

Each type of answer has a function that makes one expected answer and a list of (text, whether it is equal). Equal ones are the same value
spelled or worked out in another way; unequal ones are near misses: a sign, an end, a digit, an order, a unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from rlgym import Rng

Pairs = tuple[str, list[tuple[str, bool]]]


def rational(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def latex(value: Fraction) -> str:
    sign, size = ("-", -value) if value < 0 else ("", value)
    return f"{sign}{size.numerator}" if size.denominator == 1 else f"{sign}\\frac{{{size.numerator}}}{{{size.denominator}}}"


def _fraction(rng: Rng, most: int = 40) -> Fraction:
    return Fraction(rng.integer(-most, most) or 7, rng.integer(1, 12))


def integers(rng: Rng) -> Pairs:
    value = rng.integer(-(10 ** rng.integer(1, 9)), 10 ** rng.integer(1, 9))
    text = str(value)
    swapped = text[:-2] + text[-1] + text[-2] if len(text.strip("-")) > 1 and text[-1] != text[-2] else f"{text}1"
    good = [f"{value:,}", f"${text}$", f"{text}.0", f"\\boxed{{{text}}}", f" {text} ", f"\\({text}\\)", text.replace("-", "−"), f"{text}."]
    bad = [
        str(value + 1),
        str(value - 1),
        str(-value) if value else "1",
        f"{text}0" if value else "10",
        swapped,
        f"{text}.5",
        f"{text}, {value + 2}",
    ]
    return text, _marked(good, bad)


def fractions(rng: Rng) -> Pairs:
    value = _fraction(rng)
    k = rng.integer(2, 9)
    top, below = value.numerator, value.denominator
    good = [
        f"{k * top}/{k * below}",
        f"${latex(value)}$",
        f"\\dfrac{{{k * top}}}{{{k * below}}}",
        f"\\left({latex(value)}\\right)",
        f"({top})/({below})",
    ]
    good += [
        f"{top} / {below}",
        f"-\\frac{{{-top}}}{{{below}}}" if top < 0 else f"\\frac{{{-top}}}{{{-below}}}",
        f"\\boxed{{{latex(value)}}}",
    ]
    if digits := next((d for d in range(1, 9) if 10**d % below == 0), 0):
        size = abs(top) * 10**digits // below
        good.append(f"{'-' if top < 0 else ''}{size // 10**digits}.{size % 10**digits:0{digits}d}")
    bad = [rational(value + Fraction(1, below)), rational(-value), f"{top}/{below + 1}", rational(value * 10), rational(value / 10)]
    bad += [f"{below}/{top}"] * (abs(top) != below)
    return rational(value), _marked(good, bad)


def surds(rng: Rng) -> Pairs:
    a, b, c = rng.integer(-9, 9), rng.integer(1, 9) * (-1 if rng.chance(0.4) else 1), rng.choice([2, 3, 5, 6, 7, 10, 11, 13])
    sign, size = ("-", -b) if b < 0 else ("+", b)
    plain = f"{a} {sign} {size}*sqrt({c})"
    good = [f"{'-' if b < 0 else ''}{size}\\sqrt{{{c}}} {'+' if a >= 0 else '-'} {abs(a)}", f"${a} {sign} \\sqrt{{{size * size * c}}}$"]
    good += [
        f"{a} {sign} sqrt({size * size * c})",
        f"({a}*sqrt({c}) {sign} {size * c})/sqrt({c})",
        f"\\frac{{{3 * a} {sign} {3 * size}\\sqrt{{{c}}}}}{{3}}",
    ]
    good += [f"{a}{sign}{size}√{c}", f"{a} {sign} {size}*{c}^(1/2)"]
    bad = [f"{a} {sign} {size}*sqrt({c + 1})", f"{a} {'-' if sign == '+' else '+'} {size}*sqrt({c})", f"{a + 1} {sign} {size}*sqrt({c})"]
    bad += [f"{a} {sign} {size + 1}*sqrt({c})", f"{a} {sign} {size}*{c}"]
    return plain, _marked(good, bad)


def intervals(rng: Rng) -> Pairs:
    ends = sorted({_fraction(rng, 30) for _ in range(6)})[: 2 * rng.integer(1, 2)]
    ends = ends if len(ends) % 2 == 0 else ends[:-1]
    spans = [(ends[i], ends[i + 1], rng.chance(0.5), rng.chance(0.5)) for i in range(0, len(ends), 2)]
    left, right = rng.chance(0.25), rng.chance(0.25)

    def write_interval(form: str, changed: int = -1, how: str = "") -> str:
        out = []
        for i, (low, high, low_in, high_in) in enumerate(spans):
            if i == changed:
                low_in, high_in = low_in != (how == "low"), high_in != (how == "high")
                low, high = (low - 1, high) if how == "end" else (low, high)
            begins = "-oo" if left and i == 0 else rational(low)
            ends_at = "oo" if right and i == len(spans) - 1 else rational(high)
            low_in, high_in = low_in and begins != "-oo", high_in and ends_at != "oo"
            if form == "inequality":
                before = "" if begins == "-oo" else f"{begins} {'<=' if low_in else '<'} "
                after = "" if ends_at == "oo" else f" {'<=' if high_in else '<'} {ends_at}"
                out.append(f"{before}x{after}" if before or after else "(-oo, oo)")
                continue
            if form == "latex":
                begins = "-\\infty" if begins == "-oo" else latex(low)
                ends_at = "\\infty" if ends_at == "oo" else latex(high)
            out.append(f"{'[' if low_in else '('}{begins}, {ends_at}{']' if high_in else ')'}")
        joint = {"latex": " \\cup ", "inequality": " or "}.get(form, " U ")
        return joint.join(out)

    good = [
        f"${write_interval('latex')}$",
        f"x \\in {write_interval('latex')}",
        write_interval("plain").replace("oo", "∞").replace(" U ", " ∪ "),
        write_interval("plain").replace(", ", ","),
    ]
    good += [write_interval("inequality")] * (len(spans) == 1 and not (left and right))
    bad = []
    for i in range(len(spans)):
        bad += [write_interval("latex", i, "low")] * (not (left and i == 0)) + [write_interval("latex", i, "high")] * (
            not (right and i == len(spans) - 1)
        )
        bad += [write_interval("latex", i, "end")] * (not (left and i == 0))
    return write_interval("plain").replace(" U ", " ∪ "), _marked(good, bad or ["(0, 1)"])


def sets(rng: Rng) -> Pairs:
    values = rng.sample(sorted({_fraction(rng) for _ in range(9)}), rng.integer(2, 5))
    plain, other = ", ".join(map(rational, values)), ", ".join(map(rational, values[::-1]))
    good = [
        f"{{{other}}}",
        "$\\{" + ", ".join(map(latex, values)) + "\\}$",
        other,
        " or ".join(f"x = {rational(value)}" for value in values),
    ]
    good += [", ".join(f"{3 * value.numerator}/{3 * value.denominator}" for value in values), " and ".join(map(rational, values))]
    bad = [
        ", ".join(map(rational, values[1:])),
        ", ".join(map(rational, [*values, values[0] + 41])),
        ", ".join(map(rational, [values[0] + 41, *values[1:]])),
    ]
    bad += [", ".join(rational(-value) for value in values)] * ({-value for value in values} != set(values))
    return f"{{{plain}}}", _marked(good, bad)


def tuples(rng: Rng) -> Pairs:
    values = [_fraction(rng) for _ in range(rng.integer(2, 4))]
    plain = f"({', '.join(map(rational, values))})"
    good = ["$\\left(" + ", ".join(map(latex, values)) + "\\right)$", plain.replace(" ", ""), f"\\boxed{{{plain}}}"]
    good += [
        f"({', '.join(f'{2 * value.numerator}/{2 * value.denominator}' for value in values)})",
        f"(x, y) = {plain}" if len(values) == 2 else plain,
    ]
    bad = [f"({', '.join(map(rational, values[1:]))})", f"({', '.join(map(rational, [values[0] + 1, *values[1:]]))})"]
    bad += [f"({', '.join(map(rational, values[::-1]))})"] * (values != values[::-1])
    bad += [f"({', '.join(map(rational, [*values, values[0]]))})"]
    return plain, _marked(good, bad)


def matrices(rng: Rng) -> Pairs:
    rows, columns = rng.integer(1, 3), rng.integer(2, 3)
    values = [[_fraction(rng, 9) for _ in range(columns)] for _ in range(rows)]

    def write_matrix(name: str, entries: list[list[Fraction]]) -> str:
        body = " \\\\ ".join(" & ".join(map(latex, row)) for row in entries)
        return f"$\\begin{{{name}}} {body} \\end{{{name}}}$"

    changed = [row[:] for row in values]
    changed[rng.integer(0, rows - 1)][rng.integer(0, columns - 1)] += 1
    scaled = [[entry * 2 for entry in row] for row in values]
    good = [
        write_matrix("bmatrix", values),
        write_matrix("pmatrix", values).replace("\\frac", "\\dfrac"),
        write_matrix("pmatrix", values).replace(" & ", "&"),
    ]
    good.append(
        f"$\\left[\\begin{{array}}{{{'c' * columns}}}"
        + write_matrix("pmatrix", values).partition("matrix}")[2].rpartition("\\end")[0]
        + "\\end{array}\\right]$"
    )
    bad = [
        write_matrix("pmatrix", changed),
        write_matrix("pmatrix", scaled),
        write_matrix("pmatrix", [list(row) for row in zip(*values)])
        if rows != columns or values != [list(row) for row in zip(*values)]
        else write_matrix("pmatrix", scaled),
    ]
    bad.append(write_matrix("pmatrix", values[::-1]) if values != values[::-1] else write_matrix("pmatrix", changed))
    return write_matrix("pmatrix", values), _marked(good, bad)


def polynomials(rng: Rng) -> Pairs:
    roots = [rng.integer(-6, 6) for _ in range(rng.integer(2, 3))]
    lead = rng.integer(1, 5)
    coefficients = [lead]
    for root in roots:
        coefficients = [a - root * b for a, b in zip([*coefficients, 0], [0, *coefficients])]

    def expanded(cs: list[int], power: str = "^") -> str:
        degree, out = len(cs) - 1, ""
        for k, c in enumerate(cs):
            if c:
                variable = "" if degree == k else "x" if degree - k == 1 else f"x{power}{degree - k}"
                size = "" if abs(c) == 1 and variable else str(abs(c))
                out += f" {'-' if c < 0 else '+'} {size}{variable}" if out else f"{'-' if c < 0 else ''}{size}{variable}"
        return out or "0"

    factored = f"{lead}*" + "*".join(f"(x - {root})" if root >= 0 else f"(x + {-root})" for root in roots)
    horner = "*x".join(["(" * (len(coefficients) - 1) + str(coefficients[0])] + [f" + ({c}))" for c in coefficients[1:]])
    good = [
        factored,
        f"${factored.replace('*', '')}$",
        expanded(coefficients, "**"),
        horner,
        f"${expanded(coefficients)}$",
        f"({expanded([2 * c for c in coefficients])})/2",
    ]
    wrong = coefficients[:]
    wrong[rng.integer(0, len(wrong) - 1)] += rng.choice([-1, 1])
    bad = [
        expanded(wrong),
        expanded([-c for c in coefficients]),
        factored.replace("x - ", "x + ") if "x - " in factored and any(roots) else f"{factored} + 1",
    ]
    if sorted(-root for root in roots) == sorted(roots) or all(root <= 0 for root in roots):
        bad[-1] = f"{factored} + 1"
    elif "x - " in factored:
        flipped = [-abs(root) for root in roots]
        bad[-1] = f"{factored} + 1" if sorted(flipped) == sorted(roots) else bad[-1]
    return expanded(coefficients), _marked(good, bad)


def expressions(rng: Rng) -> Pairs:
    a, b, k = rng.integer(2, 9), rng.integer(2, 9), rng.integer(2, 5)
    ways = [
        (
            f"(x + {a})/(x + {b})",
            [f"1 + {a - b}/(x + {b})", f"\\frac{{{k}x + {k * a}}}{{{k}x + {k * b}}}", f"-(x + {a})/(-x - {b})"],
            [f"(x + {b})/(x + {a})", f"(x + {a + 1})/(x + {b})", f"x + {a}/x + {b}"],
        ),
        (
            f"sin({k}*x)^2 + {a}",
            [f"{a + 1} - cos({k}x)^2", f"{a} + \\sin^2({k}x)", f"(1 - cos({2 * k}x))/2 + {a}"],
            [f"{a + 1} - sin({k}x)^2", f"sin({k}x^2) + {a}", f"sin({k + 1}*x)^2 + {a}"],
        ),
        (
            f"exp({a}*x + {b})",
            [f"e^({a}x + {b})", f"e^{{{a}x}} \\cdot e^{{{b}}}", f"exp({b})*exp(x)^{a}"],
            [f"e^({a}x) + {b}", f"e^({a}x - {b})", f"e^({a + 1}x + {b})"],
        ),
        (
            f"ln(x^{a}*{b})",
            [f"{a}*ln(x) + ln({b})", f"\\ln({b}) + {a}\\ln(x)", f"ln({b}x^{a})"],
            [f"{a}*ln({b}x)", f"ln(x)^{a} + ln({b})", f"ln(x^{a}) * ln({b})"],
        ),
        (
            f"sqrt({a}*x^2 + {b})",
            [f"({a}x^2 + {b})^(1/2)", f"\\sqrt{{{a}x^2 + {b}}}", f"({a * a}x^2 + {a * b})/(sqrt({a})*sqrt({a * a}*x^2 + {a * b}))"],
            [f"sqrt({a})x + sqrt({b})", f"sqrt({a}x^2 - {b})", f"{a}x^2 + {b}"],
        ),
    ]
    gold, good, bad = rng.choice(ways)
    if a == b:
        good, bad = [each for each in good if "+ 0/" not in each], [each for each in bad if each != f"(x + {b})/(x + {a})"]
    return gold, _marked(good, bad)


def antiderivatives(rng: Rng) -> Pairs:
    a, b, n = rng.integer(2, 9), rng.integer(1, 9), rng.integer(2, 5)
    gold = f"{a}*x^{n} + {b}*x + C"
    good = [f"x*({a}*x^{n - 1} + {b}) + C", f"C + {b}x + {a}x^{n}", f"${a}x^{{{n}}} + {b}x + C$", f"{a}x^{n} + {b}(x + 1) + C"]
    bad = [f"{a}*x^{n} - {b}*x + C", f"{a + 1}*x^{n} + {b}*x + C", f"{a}*x^{n} + {b}*x + C*x", f"{a}*x^{n + 1} + {b}*x + C"]
    return gold, _marked(good, bad)


def units(rng: Rng) -> Pairs:
    unit, others, wrong = rng.choice(
        [
            ("m/s", [(Fraction(18, 5), "km/h"), (Fraction(100), "cm/s"), (Fraction(1), "m s^-1")], ["m", "m/s^2", "s/m"]),
            ("m", [(Fraction(100), "cm"), (Fraction(1, 1000), "km"), (Fraction(1), "meters")], ["m^2", "s", "kg"]),
            ("kg", [(Fraction(1000), "g"), (Fraction(1), "kilograms"), (Fraction(1, 1000), "t")], ["N", "m", "kg*m"]),
            ("J", [(Fraction(1, 1000), "kJ"), (Fraction(1), "N*m"), (Fraction(1), "kg*m^2/s^2")], ["W", "N", "J/s"]),
            ("s", [(Fraction(1, 60), "min"), (Fraction(1000), "ms"), (Fraction(1, 3600), "h")], ["Hz", "m", "s^2"]),
        ]
    )
    value = abs(_fraction(rng))
    good = [f"{rational(value * factor)} {other}" for factor, other in others]
    good += [
        f"{rational(value)} \\text{{ {unit}}}",
        f"${latex(value)} \\mathrm{{{unit}}}$" if "/" not in unit else f"{rational(value)} {unit}",
    ]
    bad = [f"{rational(value)} {other}" for other in wrong] + [
        f"{rational(value + 1)} {unit}",
        f"{rational(value)}",
        f"{rational(value * 1000)} {unit}",
    ]
    return f"{rational(value)} {unit}", _marked(good, bad)


def percentages(rng: Rng) -> Pairs:
    value = Fraction(rng.integer(1, 1999), rng.choice([10, 4, 1, 2]))
    tenths = f"{float(value):g}"
    good = [f"{tenths} %", f"{tenths} percent", f"${tenths}\\%$", f"{rational(value)}%", f"\\boxed{{{tenths}\\%}}"]
    bad = [f"{float(value + 1):g}%", f"{float(value * 10):g}%", f"{float(value) / 10:g}%", f"-{tenths}%", f"{float(value) / 100:g}%"]
    return f"{tenths}%", _marked(good, bad)


def equations(rng: Rng) -> Pairs:
    a, b, c, k = rng.integer(1, 9), rng.integer(1, 9), rng.integer(-9, 9) or 4, rng.integer(2, 5)
    sign = "+" if c >= 0 else "-"
    gold = f"{a}x + {b}y {sign} {abs(c)} = 0"
    good = [
        f"{k * a}x + {k * b}y = {-k * c}",
        f"y = -{a}/{b}*x - ({c})/{b}",
        f"${a}x + {b}y = {-c}$",
        f"0 = -{a}x - {b}y - ({c})",
        f"x = -\\frac{{{b}}}{{{a}}}y - \\frac{{{c}}}{{{a}}}",
    ]
    bad = [
        f"{a}x + {b}y = {c}",
        f"{a}x - {b}y = {-c}",
        f"{a + 1}x + {b}y = {-c}",
        f"{b}x + {a}y = {-c}" if a != b else f"{a}x + {b + 1}y = {-c}",
        f"{a}x + {b}y {sign} {abs(c)} = 1",
    ]
    return gold, _marked(good, bad)


def _marked(good: list[str], bad: list[str]) -> list[tuple[str, bool]]:
    return [(text, True) for text in good] + [(text, False) for text in bad]


TYPES: dict[str, Callable[[Rng], Pairs]] = {
    "integers": integers, "fractions": fractions, "surds": surds, "intervals": intervals, "sets": sets, "tuples": tuples, "matrices": matrices,
    "polynomials": polynomials, "expressions": expressions, "antiderivatives": antiderivatives, "units": units, "percentages": percentages,
    "equations": equations,
}  # fmt: skip


def pairs(kind: str, count: int, seed: int = 0) -> Iterator[tuple[str, str, bool]]:
    """`count` triples (expected, given, whether they are equal) of a type, alternating as the type makes them."""
    made, number = 0, 0
    while made < count:
        expected, others = TYPES[kind](Rng("spellings", kind, seed, number))
        number += 1
        for given, equal in others[: count - made]:
            made += 1
            yield expected, given, equal
