"""Parts of a score for answers that may abstain: how the items that the text decides, and those that it leaves open, were answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def abstention_parts(items: Iterable[tuple[str, str]], open_word: str) -> dict[str, float]:
    """The shares of the items of one answer by what is right and what was given; empty without items.

    items         the right text and the given text of each item
    open_word     the first word of a text that abstains

    The parts add up to 1: `closed_right`, `closed_wrong` and `closed_abstained` of the items that the text decides, `open_abstained` and
    `open_answered` of the others. `closed_f1` is the sum of F1 over words of the former, divided by the number of all items, as in SQuAD.
    """
    listed = list(items)
    if not listed:
        return {}
    counts = Counter(_outcome(right, given, open_word) for right, given in listed)
    shares = {name: counts[name] / len(listed) for name in OUTCOMES}
    closed = [pair for pair in listed if not _abstains(pair[0], open_word)]
    return shares | {"closed_f1": sum(word_f1(*pair) for pair in closed) / len(listed)}


OUTCOMES = ("closed_right", "closed_wrong", "closed_abstained", "open_abstained", "open_answered")


def word_f1(right: str, given: str) -> float:
    """F1 of the words of two texts, repeated words counted as often as they stand in both."""
    first, second = right.lower().split(), given.lower().split()
    common = (Counter(first) & Counter(second)).total()
    return 2 * common / (len(first) + len(second)) if common else 0.0


def _abstains(text: str, open_word: str) -> bool:
    return text.split()[:1] == [open_word]


def _outcome(right: str, given: str, open_word: str) -> str:
    if _abstains(right, open_word):
        return "open_abstained" if _abstains(given, open_word) else "open_answered"
    if _abstains(given, open_word):
        return "closed_abstained"
    return "closed_right" if right == given else "closed_wrong"
