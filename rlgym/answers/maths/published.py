"""Rewrites spellings of public answers in those that are read: recurring decimals, vulgar fractions, ℝ, words for sizes, options, conditions."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

_RECURRING = re.compile(r"(?<![0-9.,])([0-9]{1,12})?\.([0-9]{0,12})\\overline\s?(?:\{\s?([0-9]{1,12})\s?\}|([0-9]))")
_VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6),
    "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
}  # fmt: skip
_VULGAR_SIGN = re.compile(f"[{''.join(_VULGAR)}]")
_TYPE = re.compile(r"\\(?:mathbb|Bbb)\s?([A-Z])(?![A-Za-z])")
_BINOMIAL = re.compile(r"\\[dt]binom(?![A-Za-z])")
_UPRIGHT = re.compile(r"\\(?:mathrm|operatorname|mathcal)\s?\{\s?([A-Zeijk])\s?\}")
_OUTWARD = re.compile(r"^([\s$]*)([\[\]])([^\[\]]{1,200}[,;][^\[\]]{1,200})([\[\]])([\s$.]*)$")
_MODULUS = re.compile(r"\(?\s?\\(?:pmod|mod)\s?(?:\{\s?([0-9a-z]{1,12})\s?\}|([0-9a-z]{1,12}))\s?\)?")
_COUNTED = re.compile(r"(?<=\})\s(hours?|minutes?|seconds?|days?|weeks?|miles?|feet|inches|met(?:er|re)s?|cm|km|kg|dollars?|cents?)$")
_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "θ": "theta", "λ": "lambda", "μ": "mu", "ρ": "rho", "σ": "sigma", "τ": "tau",
    "φ": "phi", "ω": "omega", "Δ": "Delta", "Ω": "Omega", "Γ": "Gamma", "ψ": "psi", "ξ": "xi", "η": "eta", "ζ": "zeta", "κ": "kappa", "χ": "chi",
}  # fmt: skip
_GREEK_SIGN = re.compile(r"(?<![0-9] )(?<![A-Za-z0-9])[αβγδεθλμρστφωΔΩΓψξηζκχ](?![A-Za-z])")
_BUILDER = re.compile(r"^⦃\s?([A-Za-z])\s?(?:\\mid(?![A-Za-z])|:|\|)\s?([^⦃⦄]{1,200})⦄$")
_IN_BASE = re.compile(r"(?<![0-9,])[0-9]{1,3}(?:,[0-9]{3}){1,9}(?=\s?_\s?\{?\s?[0-9])")
_ORDINAL = re.compile(r"(?<=[0-9])\s?(?:\^\s?\{?\s?)?(?:⟦\s?)?(?:st|nd|rd|th)(?:\s?⟧)?(?:\s?\})?$")
_TIMES = re.compile(r"(?<=[0-9])\s?x\s?(?=10\s?\^)")
_ROOT_INSIDE = re.compile(
    r"\\(ln|log|sin|cos|tan|exp|arc(?:sin|cos|tan))\s?(\\sqrt\s?(?:\[[^\[\]{}]{1,20}\]\s?)?(?:\{[^{}]{1,60}\}|[0-9a-z]))"
)
_EMPTY = re.compile(r"\\varnothing(?![A-Za-z])|[∅⌀]")
_REALS = re.compile(
    r"^([\s$({]*|.*?(?:\\in(?![A-Za-z])|∈)\s?)"
    r"(?:\\(?:mathbb|mathbf|Bbb)\s?(?:\{\s?R\s?\}|R(?![A-Za-z]))|ℝ|(?:\\text\s?\{\s?)?all real numbers(?:\s?\})?)([\s$)}.]*)$"
)
_SIZE = re.compile(
    r"([0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,12})(\.[0-9]{1,12})?\s?(?:⟦\s?)?(thousand|million|billion|trillion)(?![A-Za-z])(\s?⟧)?"
)
_SIZES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_PLAIN_UNITS = re.compile(r"(?<=[0-9})\] ])\s?⟦\s?(?:(?:sq(?:uare|\.)?|cubic)\s?)?units?\s?⟧\s?(?:\^\s?(?:\{\s?[23]\s?\}|[23])|[²³])?$")
_DEGREES = re.compile(r"(?<=[0-9})\] ])\s?(?:⟦\s?degrees?\s?⟧|degrees?)$")
_INTEGERS = r"(?:\\(?:mathbb|Bbb)\s?)?(?:\{\s?Z\s?\}|Z|ℤ)"
_CONDITION = re.compile(
    rf"\s?(?:[,;:]|⟦\s?(?:,\s?)?(?:where|for|with)?\s?⟧)?\s?\(?\s?(?:⟦\s?(?:where|for|with)\s?⟧\s?)?[a-z]\s?(?:\\in|∈)\s?(?:{_INTEGERS})\s?\)?$"
)
_OPTION = re.compile(
    r"^[\s$]*(?:\\(?:text|textbf|textrm|mathrm|mathbf|rm)\s?\{\s?\(([A-J])\)\s?\.?:?\s?\}|\(([A-J])\)(?=[\s~\\]))"
    r"(?:\s|\\[ ,;:!]|~|\\q?quad(?![A-Za-z]))*(?=[$0-9]|\\(?:text|[dt]?frac|sqrt|pi)|-[0-9\\]|[A-Za-z]{2})(.+)$",
    re.DOTALL,
)
_FUNCTION = re.compile(r"^[\s$]*[A-Za-z]'{0,2}\s?(?:\\left)?\(\s?[a-z](?:\s?,\s?[a-z]){0,3}\s?(?:\\right)?\)\s?=(?=[^=])")
_BASE = re.compile(r"\\?log\s?_\s?(?:\{\s?([^{}]{1,40})\s?\}|([0-9A-Za-z]))|\\lg(?![A-Za-z])")
_INVERSE = re.compile(r"\\?(sin|cos|tan)\s?\^\s?(?:\{\s?[-−]\s?1\s?\}|\(\s?[-−]\s?1\s?\))")


def as_read(text: str) -> str:
    """A text with the spellings of public answers in those that `general` reads.

    `0.1\\overline{6}` is 1/6, `1½` is one and a half, `\\varnothing` is `\\emptyset`, all of ℝ is an interval, `3 million` is 3000000, `units` says
    nothing, `45 degrees` is `45°`. The condition that a name is an integer, at the end of a family of solutions, says nothing either.
    """
    if "\\overline" in text:
        text = _RECURRING.sub(lambda match: _fraction(match[1] or "0", match[2], match[3] or match[4]), text)
    text = _VULGAR_SIGN.sub(lambda match: "\\frac{{{}}}{{{}}}".format(*_VULGAR[match[0]]), text)
    text = _TYPE.sub(r"\\mathbb{\1}", _BINOMIAL.sub(r"\\binom", text))
    text = _GREEK_SIGN.sub(lambda match: f"\\{_GREEK[match[0]]} ", _MODULUS.sub(r" \\text{mod \1\2}", _UPRIGHT.sub(r" \1 ", text)))
    if (match := _OUTWARD.match(text)) and (match[2] == "]" or match[4] == "["):
        text = f"{match[1]}{'(' if match[2] == ']' else '['}{match[3]}{')' if match[4] == '[' else ']'}{match[5]}"
    text = _EMPTY.sub(lambda _: "\\emptyset", text)
    text = _REALS.sub(lambda match: f"{match[1]}(-\\infty,\\infty){match[2]}", text)
    return text


def without_words(text: str) -> str:
    """A text, whose words are marked as ⟦words⟧, with sizes in digits and without words that say nothing."""
    text = _COUNTED.sub(r" ⟦\1⟧", text)
    text = _IN_BASE.sub(lambda match: match[0].replace(",", ""), text)
    text = _ORDINAL.sub("", _SIZE.sub(_size, text))
    if (match := _BUILDER.match(text)) and match[1] in match[2]:
        text = match[2].strip()
    text = _DEGREES.sub("°", _PLAIN_UNITS.sub("", text))
    return _CONDITION.sub("", text) or text


def option(text: str) -> tuple[str, str] | None:
    """The letter and the value of an answer that is spelled as an option of a question, `\\textbf{(C)}\\ 12`; None of other answers."""
    match = _OPTION.match(text)
    return (match[1] or match[2], match[3]) if match else None


def value_of_function(text: str) -> str:
    """The right side of `f(x) = x + 1`, another text as it is."""
    return text[match.end() :] if (match := _FUNCTION.match(text)) and "=" not in text[match.end() :] else text


def functions(text: str) -> str:
    """Logarithms to a base and inverse functions as heads that the grammar knows: `\\log_2 8` as `logbase[2] 8`, `\\sin^{-1}` as `\\arcsin`."""
    text = _ROOT_INSIDE.sub(r"\\\1(\2)", _TIMES.sub("*", text))
    return _INVERSE.sub(r"\\arc\1 ", _BASE.sub(lambda match: f" \\logbase[{match[1] or match[2] or 10}] ", text))


def _fraction(whole: str, digits: str, recurring: str) -> str:
    nines = 10 ** len(recurring) - 1
    value = int(whole) + Fraction(int(digits or 0) * nines + int(recurring), nines * 10 ** len(digits))
    return f"\\frac{{{value.numerator}}}{{{value.denominator}}}"


def _size(match: re.Match[str]) -> str:
    number = Decimal(match[1].replace(",", "") + (match[2] or "")) * _SIZES[match[3]]
    after = "" if match[4] or "⟦" not in match[0] else " ⟦"
    return f"{number:f}".rstrip("0").rstrip(".") + after if "." in f"{number:f}" else f"{number:f}{after}"
