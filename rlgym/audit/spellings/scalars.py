"""One number: integers, fractions, surds, percentages, quantities with units."""

from __future__ import annotations

from fractions import Fraction

from rlgym import Rng
from rlgym.audit.spellings.notation import Pairs, latex, marked, rational, small_fraction


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
    return text, marked(good, bad)


def fractions(rng: Rng) -> Pairs:
    value = small_fraction(rng)
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
    return rational(value), marked(good, bad)


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
    return plain, marked(good, bad)


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
    value = abs(small_fraction(rng))
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
    return f"{rational(value)} {unit}", marked(good, bad)


def percentages(rng: Rng) -> Pairs:
    value = Fraction(rng.integer(1, 1999), rng.choice([10, 4, 1, 2]))
    tenths = f"{float(value):g}"
    good = [f"{tenths} %", f"{tenths} percent", f"${tenths}\\%$", f"{rational(value)}%", f"\\boxed{{{tenths}\\%}}"]
    bad = [f"{float(value + 1):g}%", f"{float(value * 10):g}%", f"{float(value) / 10:g}%", f"-{tenths}%", f"{float(value) / 100:g}%"]
    return f"{tenths}%", marked(good, bad)


def assignments(rng: Rng) -> Pairs:
    """The value of a named unknown: the name may be left out, but not be another one."""
    name, other = rng.sample(["x", "y", "t", "n", "k", "z"], 2)
    value = small_fraction(rng)
    text = rational(value)
    good = [
        f"{name}={text}",
        f"${name} = {latex(value)}$",
        text,
        f"{name} = {2 * value.numerator}/{2 * value.denominator}",
        f"${latex(value)}$",
    ]
    good += [f"${name}={latex(value)}$."]
    bad = [f"{other} = {text}", f"${other} = {latex(value)}$", f"{name} = {rational(-value)}", f"{name} = {rational(value + 1)}", other]
    bad += [f"{name} > {text}", f"{name} = {rational(value * 10)}", name]
    return f"{name} = {text}", marked(good, bad)
