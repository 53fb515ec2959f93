"""Judges formulas in free text with a prover: a claim follows from those before it, contradicts them, or neither is known.

For responses of tasks whose environment has no step checker, and for what such a checker cannot read. From "Safe: Enhancing Mathematical Reasoning in Large
Language Models via Retrospective Step-aware Formal Verification", with Z3 over the reals for Lean, and a grammar of formulas for a model that formalises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from rlgym.solutions.formula_values import MOST_EXPONENT, FormulaValue, NoFormula
from rlgym.solutions.sentences import sentence_spans

ClaimVerdict = Literal["proved", "refuted", "unknown"]

MOST_CLAIMS = 200
"""Claims of one text that are judged; further ones are unknown."""
MOST_TOKENS = 120
"""Tokens of one formula; a longer one is no claim."""
DIGITS = "0123456789"
"""Others, such as a raised 2, are no digits of a number."""
MOST_DIGITS = 40
MILLISECONDS = 200
"""Time of the prover for one question; after it the verdict is unknown. A second, deterministic limit stops it as a rule before that."""
RESOURCES = 200_000
MOST_RESOURCES = 2_000_000
"""What the questions of one text may use together; after it every verdict is unknown. Hard questions in a row would take minutes."""

_TOKEN = re.compile(r"[0-9]+(?:\.[0-9]+)?|[^\W\d_]+|<=|>=|!=|[-+*/^()=<>≤≥≠×·÷−]|\S")
_PLAIN = {"×": "*", "·": "*", "÷": "/", "−": "-", "≤": "<=", "≥": ">=", "≠": "!="}
_LATEX = re.compile(r"\\(?:times|cdot|div|leq?|geq?|neq?|left|right)(?![a-zA-Z])|\$")
_LATEX_AS = {
    "\\times": "*",
    "\\cdot": "*",
    "\\div": "/",
    "\\le": "<=",
    "\\leq": "<=",
    "\\ge": ">=",
    "\\geq": ">=",
    "\\ne": "!=",
    "\\neq": "!=",
}
_RELATIONS = ("=", "<", ">", "<=", ">=", "!=")
_PUNCTUATION = (",", ".", ";", ":", "*", "?", "`", '"', "'")
_OPERATIONS = frozenset(
    "mod modulo sqrt log ln sin cos tan exp max min gcd lcm det choose percent plus minus times over squared cubed divided thousand million dozen".split()
)
_LEADS = frozenset("so then thus hence since because that therefore we have get gives now finally next but if when where".split())
"""Words before a bare number that begins a claim of its own."""
_FOLLOWS = frozenset("and so because since which is then for as holds but we the in or when where if by follows gives must cannot".split())
"""Words after a formula with variables that are no unit."""
_SUPPOSED = re.compile(r"^\W*(?:let|suppose|assume|given|define|denote|say)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Claim:
    """A sentence with a formula: the characters `start` to `end`, the formula, and its verdict relative to the claims before it.

    supposed  the sentence introduces the formula ("Let x = 3"): it is taken to hold, and its verdict is "unknown"
    trivial   it compares equal texts (`1 = 1`), or repeats a formula of an earlier sentence
    """

    start: int
    end: int
    formula: str
    verdict: ClaimVerdict
    supposed: bool = False
    trivial: bool = False


def judge_claims(text: str) -> list[Claim]:
    """The sentences of a text that hold a formula such as `2x + 1 = 7` or `3 * 4 > 10`, in order, each with its verdict.

    proved   it holds wherever all earlier claims hold that are not refuted
    refuted  it holds nowhere that they hold: `3 + 4 = 8`, or `x = 4` after `2x = 6`
    unknown  neither, or the prover found no answer in its limits on one question and on all of them together
    What is unknown or supposed holds from then on if the prover finds values with which all of it holds, as a new fact would; else it is set aside.
    Numbers are exact, so that a rounded value after `=` is refuted. Words between formulas are ignored: `1 = 1` is proved, and
    `Claim.trivial` marks it.
    """
    import z3

    prover = _Prover(z3)
    claims, earlier = list[Claim](), set[str]()
    for start, end, tokens in _formulas(text):
        relations, sides = _relations(z3, tokens)
        formula = " ".join(tokens)
        claimed = z3.And(*[_compare(relation, left, right) for relation, left, right in zip(relations, sides, sides[1:], strict=False)])
        supposed = _SUPPOSED.match(text[start:end]) is not None
        verdict: ClaimVerdict = "unknown"
        if len(claims) < MOST_CLAIMS:
            if not supposed and prover.check(z3.Not(claimed)) == z3.unsat:
                verdict = "proved"
            elif (found := prover.check(claimed)) == z3.sat:
                prover.solver.add(claimed)
            elif found == z3.unsat and not supposed:
                verdict = "refuted"
        claims.append(Claim(start, end, formula, verdict, supposed, trivial=formula in earlier or _compares_equal_texts(tokens)))
        earlier.add(formula)
    return claims


class _Prover:
    """A solver with a bound on what its questions use together; a question without an answer counts as one that used all it may."""

    def __init__(self, z3: Any) -> None:
        self.solver, self.unknown, self.used = z3.Solver(), z3.unknown, 0
        self.solver.set("timeout", MILLISECONDS)
        self.solver.set("rlimit", RESOURCES)

    def check(self, formula: Any) -> Any:
        """z3's sat, unsat or unknown for the formula with what has been added."""
        if self.used >= MOST_RESOURCES:
            return self.unknown
        before, found = self._count(), self.solver.check(formula)
        self.used += RESOURCES if found == self.unknown else self._count() - before
        return found

    def _count(self) -> int:
        """What all solvers of the process have used so far."""
        names = (statistics := self.solver.statistics()).keys()
        return int(statistics.get_key_value("rlimit count")) if "rlimit count" in names else 0


def _compares_equal_texts(tokens: Sequence[str]) -> bool:
    """Whether all sides of a chain of comparisons are written alike, but for brackets and spaces."""
    sides = [""]
    for token in tokens:
        if token in _RELATIONS:
            sides.append("")
        elif token not in "()":
            sides[-1] += f" {token}"
    return len({*sides}) == 1


@dataclass
class _Run:
    """Neighbouring tokens that may form a formula, with what stands before and after them."""

    before: str
    tokens: list[str]
    after: str = ""


def _formulas(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """The sentences with a formula, and the tokens of the last formula of each: a chain of comparisons."""
    for start, end in sentence_spans(text):
        runs = [_Run("", [])]
        for token in _TOKEN.findall(_LATEX.sub(lambda mark: f" {_LATEX_AS.get(mark[0], ' ')} ", text[start:end])):
            token = _PLAIN.get(token, token)
            if _is_part(token):
                runs[-1].tokens.append(token)
            else:
                runs[-1].after = token.lower()
                runs.append(_Run(token.lower(), []))
        chains = [chain for run in runs if (chain := _chain(run))]
        if chains:
            yield start, end, chains[-1]


def _is_part(token: str) -> bool:
    number = token[0] in DIGITS and len(token) <= MOST_DIGITS
    return number or token in _RELATIONS or token in "+-*/^()" or (token.isascii() and token.isalpha() and len(token) == 1)


def _chain(run: _Run) -> list[str]:
    """The longest end of a run that is a chain of comparisons; empty if there is none, or if its neighbours may be a part of it.

    A label such as `2.` or an article may come first, but no end begins after an operator.
    """
    tokens = run.tokens
    if len(tokens) > MOST_TOKENS or not any(token in _RELATIONS for token in tokens) or _continues(run):
        return []
    first = next(place for place, token in enumerate(tokens) if token in _RELATIONS)
    for begin in range(first):
        if begin and not tokens[begin - 1].isalnum():
            break
        try:
            _Parser(tokens[begin:]).chain()
        except NoFormula:
            continue
        # "The sum of 3 and 4 = 7" claims nothing about 4 alone.
        alone = begin + 1 == first and tokens[begin][0] in DIGITS and run.before.isalpha() and run.before not in _LEADS
        return [] if alone else tokens[begin:]
    return []


def _continues(run: _Run) -> bool:
    """Whether the words or signs around a run may change what it says: a function, a unit of a variable, a factorial, a remainder."""
    if any(side and not side.isalpha() and side not in _PUNCTUATION for side in (run.before, run.after)):
        return True
    if run.before in _OPERATIONS or run.after in _OPERATIONS:
        return True
    has_variable = any(token.isalpha() for token in run.tokens)
    return has_variable and run.after.isalpha() and run.after not in _FOLLOWS


@dataclass
class _Parser:
    """Reads expressions over a ring of values; without `z3` it only checks the form."""

    tokens: Sequence[str]
    z3: Any = None
    place: int = 0

    def chain(self) -> tuple[list[str], list[Any]]:
        """The relations and the sides of a chain of comparisons. Raises NoFormula."""
        relations, sides = list[str](), [self._sum().expression]
        while self.place < len(self.tokens):
            relation = self.tokens[self.place]
            if relation not in _RELATIONS:
                raise NoFormula
            self.place += 1
            relations.append(relation)
            sides.append(self._sum().expression)
        if not relations:
            raise NoFormula
        return relations, sides

    def _take(self, *wanted: str) -> str:
        if self.place < len(self.tokens) and self.tokens[self.place] in wanted:
            self.place += 1
            return self.tokens[self.place - 1]
        return ""

    def _sum(self) -> FormulaValue:
        value = self._product()
        while sign := self._take("+", "-"):
            value = value.plus(self._product(), sign)
        return value

    def _product(self) -> FormulaValue:
        value = self._signed()
        while True:
            sign = self._take("*", "/")
            if not sign and not self._starts_factor():
                return value
            value = value.times(self._signed() if sign else self._power(), sign or "*")

    def _starts_factor(self) -> bool:
        """A product without a sign, such as `2x` or `3(x + 1)`; two numbers in a row are none."""
        if not self.place or self.place >= len(self.tokens):
            return False
        token = self.tokens[self.place]
        return token == "(" or token.isalpha()

    def _signed(self) -> FormulaValue:
        if sign := self._take("+", "-"):
            value = self._signed()
            return replace(value, expression=-value.expression) if self.z3 and sign == "-" else value
        return self._power()

    def _power(self) -> FormulaValue:
        value = self._atom()
        if not self._take("^"):
            return value
        exponent = self.tokens[self.place] if self.place < len(self.tokens) else ""
        if not exponent.isdecimal() or int(exponent) > MOST_EXPONENT:
            raise NoFormula
        self.place += 1
        return value.power(int(exponent))

    def _atom(self) -> FormulaValue:
        if self._take("("):
            value = self._sum()
            if not self._take(")"):
                raise NoFormula
            return value
        token = self.tokens[self.place] if self.place < len(self.tokens) else ""
        if not token or not (token[0] in DIGITS or token.isalpha()):
            raise NoFormula
        self.place += 1
        if token.isalpha():
            return FormulaValue(self.z3.Real(token) if self.z3 else None, degree=1)
        number = Fraction(token)
        bits = number.numerator.bit_length() + number.denominator.bit_length()
        return FormulaValue(self.z3.RealVal(str(number)) if self.z3 else None, bits=bits)


def _relations(z3: Any, tokens: Sequence[str]) -> tuple[list[str], list[Any]]:
    return _Parser(tokens, z3).chain()


def _compare(relation: str, left: Any, right: Any) -> Any:
    match relation:
        case "=":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
        case ">":
            return left > right
        case "<=":
            return left <= right
    return left >= right
