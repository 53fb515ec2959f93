"""Formulas: polynomials, expressions, antiderivatives, equations."""

from __future__ import annotations

from rlgym import Rng
from rlgym.audit.spellings.notation import Pairs, marked


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
    return expanded(coefficients), marked(good, bad)


def expressions(rng: Rng) -> Pairs:
    a, b, k = rng.integer(2, 9), rng.integer(2, 9), rng.integer(2, 5)
    families = [
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
    gold, good, bad = rng.choice(families)
    if a == b:
        good, bad = [each for each in good if "+ 0/" not in each], [each for each in bad if each != f"(x + {b})/(x + {a})"]
    return gold, marked(good, bad)


def antiderivatives(rng: Rng) -> Pairs:
    a, b, n = rng.integer(2, 9), rng.integer(1, 9), rng.integer(2, 5)
    gold = f"{a}*x^{n} + {b}*x + C"
    good = [f"x*({a}*x^{n - 1} + {b}) + C", f"C + {b}x + {a}x^{n}", f"${a}x^{{{n}}} + {b}x + C$", f"{a}x^{n} + {b}(x + 1) + C"]
    bad = [f"{a}*x^{n} - {b}*x + C", f"{a + 1}*x^{n} + {b}*x + C", f"{a}*x^{n} + {b}*x + C*x", f"{a}*x^{n + 1} + {b}*x + C"]
    return gold, marked(good, bad)


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
    return gold, marked(good, bad)
