"""Sets of real numbers that are unions of intervals and single points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cmp_to_key

from rlgym.answers.maths.constants import below
from rlgym.answers.trees import Tree, same


@dataclass(frozen=True)
class Span:
    """An interval. `low` or `high` is None where it has no end on that side; a single point has both ends equal and both included."""

    low: Tree | None
    high: Tree | None
    low_in: bool = False
    high_in: bool = False


def empty(span: Span) -> bool:
    """Whether no number lies in the interval."""
    if span.low is None or span.high is None:
        return False
    if same(span.low, span.high):
        return not (span.low_in and span.high_in)
    return below(span.high, span.low)


def tidy(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same set as intervals from left to right that neither meet nor overlap."""
    waiting = sorted((span for span in spans if not empty(span)), key=cmp_to_key(_order))
    out: list[Span] = []
    for span in waiting:
        if out and _overlap_or_touch(out[-1], span):
            out[-1] = _merge(out[-1], span)
        else:
            out.append(span)
    return tuple(out)


def same_spans(expected: Iterable[Span], answer: Iterable[Span]) -> bool:
    """Whether two unions hold the same numbers."""
    first, second = tidy(expected), tidy(answer)
    return len(first) == len(second) and all(
        a.low_in == b.low_in and a.high_in == b.high_in and _same_end(a.low, b.low) and _same_end(a.high, b.high)
        for a, b in zip(first, second)
    )


def _same_end(first: Tree | None, second: Tree | None) -> bool:
    return (first is None) == (second is None) and (first is None or second is None or same(first, second))


def _order(first: Span, second: Span) -> int:
    if first.low is None or second.low is None:
        return (second.low is None) - (first.low is None)
    if same(first.low, second.low):
        return second.low_in - first.low_in
    return -1 if below(first.low, second.low) else 1


def _overlap_or_touch(left: Span, right: Span) -> bool:
    """Whether the right one, which begins no sooner, begins before or where the left one ends, with no number between them."""
    if left.high is None or right.low is None:
        return True
    if same(left.high, right.low):
        return left.high_in or right.low_in
    return below(right.low, left.high)


def _merge(left: Span, right: Span) -> Span:
    if left.high is None or right.high is None:
        return Span(left.low, None, left.low_in)
    if same(left.high, right.high):
        return Span(left.low, left.high, left.low_in, left.high_in or right.high_in)
    last = right if below(left.high, right.high) else left
    return Span(left.low, last.high, left.low_in, last.high_in)
