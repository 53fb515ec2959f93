"""Notations of public answers that are rewritten before they are read: recurring decimals, logarithms, alternatives, options."""

from __future__ import annotations

from fractions import Fraction

from rlgym import Rng
from rlgym.audit.spellings.notation import Pairs, latex, marked, rational


def recurring_decimals(rng: Rng) -> Pairs:
    whole, before, period = rng.integer(0, 12), rng.choice(["", "0", "1", "25", "7"]), str(rng.integer(1, 98))
    value = whole + (Fraction(int(before or 0)) + Fraction(int(period), 10 ** len(period) - 1)) / 10 ** len(before)
    sign = rng.choice(["", "-"])
    good = [
        f"{sign}{whole}.{before}\\overline{{{period}}}",
        f"${sign}{whole}.{before}\\overline{{{period * 2}}}$",
        latex(value * (-1 if sign else 1)),
    ]
    good += [f"x = {sign}{whole}.{before}\\overline{{{period}}}", f"{sign}{whole}.{before}{period}\\overline{{{period}}}"]
    bad = [f"{sign}{whole}.{before}{period}", f"{sign}{whole}.{before}{period * 3}", f"{sign}{whole + 1}.{before}\\overline{{{period}}}"]
    bad += [f"{'' if sign else '-'}{whole}.{before}\\overline{{{period}}}", f"{sign}{whole}.{before}0\\overline{{{period}}}"]
    bad += [f"{sign}{whole}.{before}\\overline{{{int(period) + 1}}}"] * (period not in ("9", "98"))
    return rational(value * (-1 if sign else 1)), [(text, equal) for text, equal in marked(good, bad) if "." in text or equal]


def logarithms(rng: Rng) -> Pairs:
    base, x, y = rng.integer(2, 9), rng.integer(2, 30), rng.integer(2, 12)
    good = [f"\\log_{base} {x * y}", f"\\log_{{{base}}} {x} + \\log_{{{base}}} {y}", f"\\frac{{\\ln {x * y}}}{{\\ln {base}}}"]
    good += [f"$\\log_{{{base}}}({x * y})$", f"log_{base}({x * y})", f"1/\\log_{{{x * y}}} {base}", f"2\\log_{{{base**2}}} {x * y}"]
    bad = [
        f"\\log_{base} {x * y + 1}",
        f"\\log_{{{base + 1}}} {x * y}",
        f"\\log_{base} {x} \\cdot \\log_{base} {y}" if (x, y) != (2, 2) else "0",
    ]
    bad += [
        f"\\ln {x * y}",
        f"-\\log_{base} {x * y}",
        f"\\log_{base}^2 {x * y}" if x * y != base else "0",
        f"\\frac{{\\ln {base}}}{{\\ln {x * y}}}",
    ]
    return f"\\log_{{{base}}}{{{x * y}}}", marked(good, bad) if x * y not in (base, base**2) else []


def alternatives(rng: Rng) -> Pairs:
    low = rng.integer(-20, 15)
    high = low + rng.integer(1, 12)
    less, more = rng.choice([("<", ">"), ("\\le", "\\ge")])
    left, right = (")", "(") if less == "<" else ("]", "[")
    good = [f"x {less} {low} or x {more} {high}", f"x {less} {low} \\text{{ or }} x {more} {high}", f"$x{more} {high}$ or $x{less} {low}$"]
    good += [f"(-\\infty,{low}{left}\\cup{right}{high},\\infty)", f"{low} {more} x or {high} {less} x"]
    bad = [
        f"x {less} {low} and x {more} {high}",
        f"x {less} {low} or x {more} {high + 1}",
        f"x {less} {low}",
        f"{low} {less} x {less} {high}",
    ]
    bad += [f"x {more} {low} or x {less} {high}", f"({'[' if right == '(' else '('}{high},\\infty)"]
    return f"(-\\infty, {low}{left} \\cup {right}{high}, \\infty)", marked(good, bad)


def options(rng: Rng) -> Pairs:
    letter, value = rng.choice("ABCDE"), rng.integer(2, 400)
    other = rng.choice([each for each in "ABCDE" if each != letter])
    good = [
        letter,
        str(value),
        f"({letter})",
        f"\\textbf{{({letter})}} {value}",
        f"({letter}) {value}",
        f"\\text{{({letter})}}\\ {value}.0",
    ]
    bad = [other, str(value + 1), f"({other})", f"\\textbf{{({other})}}\\ {value}", f"({letter}) {value + 1}", f"-{value}"]
    return f"\\textbf{{({letter})}}\\ {value}", marked(good, bad)
