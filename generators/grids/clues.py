"""Removing clues from a puzzle while it stays what it must be."""

from collections.abc import Callable, Sequence


class TooMuchWork(Exception):
    """A search has spent its budget, so what it was asked stays unknown."""


class Budget:
    """How many more steps a search may take: a count of work, never of time."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooMuchWork


def drop_clues(order: Sequence[int], keep: int, fine: Callable[[list[int]], bool]) -> list[int]:
    """The clues left after dropping them in this order, until `keep` are left or each has been tried.

    Every state reached is `fine`. Many clues are dropped at once at first, and fewer after each failure, since a check is
    what costs.
    """
    kept, at = list(order), 0
    step = max(1, (len(kept) - keep) // 2)
    while at < len(kept) and len(kept) > keep:
        batch = min(step, len(kept) - keep, len(kept) - at)
        fewer = kept[:at] + kept[at + batch :]
        if fine(fewer):
            kept = fewer
        elif batch == 1:
            at += 1
        else:
            step = batch // 2
    return kept
