"""Drawing tasks: with an answer that no guess finds, one on which lazy answers fail, or one with short numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
MOST_DIGITS = 12


def draw_rare(draw: Callable[[], T], answer: Callable[[T], object], draws: int = 6) -> T:
    """Of several draws, the first with the rarest answer among them.

    Small instances have few different answers, and one of them is often half of all. The rarest of six draws is a common answer only
    if nearly all six have it.
    """
    drawn = [draw() for _ in range(draws)]
    answers = [str(answer(each)) for each in drawn]
    counts = Counter(answers)
    return min(zip(drawn, answers, strict=True), key=lambda pair: counts[pair[1]])[0]


def draw_against(draw: Callable[[], T], yields: Callable[[T], bool], tries: int = 60) -> T:
    """The first draw that does not yield to a lazy answer; the last one if all of these tries do."""
    drawn = draw()
    for _ in range(tries):
        if not yields(drawn):
            break
        drawn = draw()
    return drawn


def has_short_numbers(answer: object) -> bool:
    """Whether no number in the text of an answer has more than 12 digits."""
    return all(len(number.lstrip("0")) <= MOST_DIGITS for number in re.findall(r"\d+", str(answer)))


def draw_short(draw: Callable[[], T], answer: Callable[[T], object]) -> T:
    """The first draw whose answer has short numbers; the last one if none of many has."""
    return draw_against(draw, lambda drawn: not has_short_numbers(answer(drawn)), 400)


def sample_hard(sample: Callable[[], T], measure: Callable[[T], int], wanted: int, tries: int) -> T:
    """The first sample that measures what is wanted, or the greatest of `tries` of them."""
    best = sample()
    most = measure(best)
    for _ in range(tries - 1):
        if most >= wanted:
            break
        other = sample()
        if (size := measure(other)) > most:
            best, most = other, size
    return best
