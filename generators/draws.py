"""Drawing tasks whose answer no guess finds: the draw with the rarest answer, or one on which lazy answers fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


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
