"""A set of real numbers made of intervals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.answers import trees
from rlgym.answers.maths import Span, bare, parts, read_constant, tidy
from rlgym.answers.maths.layout import inside
from rlgym.answers.trees import Tree
from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import NUMBER
from rlgym.core.layout.layers import Layers

Spans = tuple[Span, ...]
MOST = 40  # intervals, and characters of one end times ten
_INFINITY = re.compile(r"([+-]?)\s{0,3}(?:oo|inf|infty|infinity|∞|\\infty)", re.IGNORECASE)
_UNION = r"\s*(?:∪|\\cup(?![A-Za-z])|(?<=[\])}\s])[Uu](?=[\[({\s])|\bunion\b|\bor\b)\s*"
_SIGNS = r"\s*(?:<=|>=|=<|≤|≥|\\leq?(?![A-Za-z])|\\geq?(?![A-Za-z])|\\lt(?![A-Za-z])|\\gt(?![A-Za-z])|<|>)\s*"
_EQUALS = ("<=", ">=", "=<", "≤", "≥", "\\le", "\\leq", "\\ge", "\\geq")


@dataclass(frozen=True)
class Intervals(Answer[Spans]):
    """A union of intervals: `(-oo, 2] U {3} U (5, 7)`, or inequalities in the variable: `x <= 2 or 5 < x < 7`.

    `∞`, `∪` and their LaTeX are read, as are `R` or "all real numbers", and `{}` or "none" for the empty set. Values come out from left to right,
    with intervals that meet made into one; two are compared by `maths.same_spans`.
    """

    variable: str = "x"
    instructions: str = "a union of intervals such as (-oo, 2] U {3} U (5, 7), or {} for the empty set"
    layers: ClassVar[Layers] = NUMBER
    format: ClassVar[str] = "intervals"

    def parse(self, text: str) -> Spans:
        if len(text) > 40 * MOST:
            raise Unreadable(f"expected intervals, got {len(text)} characters")
        plain = bare(text)
        plain = re.sub(rf"^{self.variable}\s*(?:∈|\\in(?![A-Za-z])|\bin\b)\s*", "", plain).strip()
        folded = plain.casefold()
        if folded in ("{}", "∅", "\\emptyset", "\\varnothing", "none", "empty set", "the empty set", "no solution"):
            return ()
        if folded in ("r", "ℝ", "\\mathbb{r}", "all real numbers", "all reals"):
            return (Span(None, None),)
        spans = [span for piece in parts(plain, _UNION)[: MOST + 1] for span in self._piece(piece)]
        if len(spans) > MOST:
            raise Unreadable(f"expected at most {MOST} intervals")
        return tidy(spans)

    def _piece(self, piece: str) -> list[Span]:
        points = inside(piece, "{")
        if points is not None:
            ends = [read_constant(part) for part in parts(points, r"\s*[,;]\s*")]
            return [Span(end, end, True, True) for end in ends]
        if piece[:1] in ("[", "(") and piece[-1:] in ("]", ")"):
            ends_ = parts(piece[1:-1], r"\s*[,;]\s*")
            if len(ends_) == 2:
                return [_span(_end(ends_[0], "-"), _end(ends_[1], "+"), piece[0] == "[", piece[-1] == "]")]
        return [self._inequality(piece)]

    def _inequality(self, piece: str) -> Span:
        sides = parts(piece, _SIGNS)
        signs = [match.strip() for match in re.findall(_SIGNS, piece)]
        if len(sides) != len(signs) + 1 or not 1 <= len(signs) <= 2 or sides.count(self.variable) != 1:
            equal = parts(piece, r"\s*=\s*")
            if len(equal) == 2 and equal[0] == self.variable:
                end = read_constant(equal[1])
                return Span(end, end, True, True)
            raise Unreadable(f"expected intervals, got {piece[:40]!r}")
        if len(signs) == 2 and (sides[1] != self.variable or _rises(signs[0]) != _rises(signs[1])):
            raise Unreadable(f"expected an inequality such as 1 < {self.variable} <= 2, got {piece[:40]!r}")
        low: Tree | None = None
        high: Tree | None = None
        low_in = high_in = False
        for k, sign in enumerate(signs):
            variable_first = sides[k] == self.variable
            end = read_constant(sides[k + 1] if variable_first else sides[k])
            if _rises(sign) == variable_first:
                high, high_in = end, sign in _EQUALS
            else:
                low, low_in = end, sign in _EQUALS
        return Span(low, high, low_in, high_in)

    def render(self, value: Spans) -> str:
        return " U ".join(map(_render_interval, value)) if value else "{}"

    def variants(self, value: Spans) -> Iterator[str]:
        plain = self.render(value)
        yield from (f" {plain}\n", f"{self.variable} in {plain}", plain.replace(" U ", " ∪ ").replace("oo", "∞"), f"{plain}.")
        yield (
            "$"
            + plain.replace(" U ", " \\cup ").replace("oo", "\\infty").replace("{", "\\{").replace("}", "\\}").replace("(", "\\left(")
            + "$"
        )
        yield self.render(value[::-1]).replace(", ", ",")
        if value and value != (Span(None, None),):
            yield " or ".join(map(self._as_inequality, value))

    def _as_inequality(self, span: Span) -> str:
        if span.low is None and span.high is None:
            return "(-oo, oo)"
        if span.low is not None and span.low == span.high:
            return f"{self.variable} = {trees.write(span.low)}"
        lower_bound = "" if span.low is None else f"{trees.write(span.low)} {'<=' if span.low_in else '<'} "
        return lower_bound + self.variable + ("" if span.high is None else f" {'<=' if span.high_in else '<'} {trees.write(span.high)}")

    def near_misses(self, value: Spans) -> Iterator[Spans]:
        for k, span in enumerate(value):
            others = [(span.low, span.high, not span.low_in, span.high_in)] * (span.low is not None)
            others += [(span.low, span.high, span.low_in, not span.high_in)] * (span.high is not None)
            for other in others:
                yield tidy((*value[:k], Span(*other), *value[k + 1 :]))
            if len(value) > 1:
                yield (*value[:k], *value[k + 1 :])


def _rises(sign: str) -> bool:
    return sign.startswith(("<", "=<", "≤", "\\l"))


def _span(low: Tree | None, high: Tree | None, low_in: bool, high_in: bool) -> Span:
    if (low is None and low_in) or (high is None and high_in):
        raise Unreadable("an interval cannot include infinity")
    return Span(low, high, low_in, high_in)


def _end(text: str, infinite: str) -> Tree | None:
    if match := _INFINITY.fullmatch(text):
        if (match[1] or "+") != infinite:
            raise Unreadable("an interval goes from -oo, or to oo")
        return None
    return read_constant(text)


def _render_interval(span: Span) -> str:
    if span.low is not None and span.low == span.high:
        return f"{{{trees.write(span.low)}}}"
    low = "-oo" if span.low is None else trees.write(span.low)
    high = "oo" if span.high is None else trees.write(span.high)
    return f"{'[' if span.low_in else '('}{low}, {high}{']' if span.high_in else ')'}"
