"""Cards with three values for each feature, and sets of three that are alike or all different in each of them."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

Card = tuple[int, ...]
Set = tuple[int, ...]
FEATURES = (("one", "two", "three"), ("red", "green", "blue"), ("circle", "square", "star"), ("empty", "striped", "full"))


def features(count: int) -> str:
    """The features by name, as a prompt tells them."""
    descriptions = [f"{', '.join(words[:-1])} or {words[-1]}" for words in FEATURES[:count]]
    return "; ".join(descriptions[:-1]) + f"; and {descriptions[-1]}"


def describe_card(card: Card) -> str:
    """A card in words: `one red square`, `two striped red squares`."""
    number, colour, shape, *filling = (words[value] for words, value in zip(FEATURES, card))
    return " ".join((number, *filling, colour, shape if number == "one" else f"{shape}s"))


def completing_card(first: Card, two: Card) -> Card:
    """The card that makes a set with two others."""
    return tuple((-a - b) % 3 for a, b in zip(first, two, strict=True))


def count_faults(cards: Sequence[Card]) -> int:
    """In how many features three cards are neither alike nor all different."""
    return sum(len(set(values)) == 2 for values in zip(*cards, strict=True))


@lru_cache(maxsize=64)
def find_sets(cards: tuple[Card, ...]) -> list[Set]:
    """All sets, as the numbers of their cards from 1."""
    return [tuple(i + 1 for i in triple) for triple in combinations(range(len(cards)), 3) if not count_faults([cards[i] for i in triple])]


def max_set_packing(sets: Sequence[Set]) -> list[Set]:
    """A maximum set packing: as many sets as possible without a common card."""
    best: list[Set] = []

    def go(chosen: list[Set], sets_left: Sequence[Set]) -> None:
        nonlocal best
        if len(chosen) > len(best):
            best = chosen
        for k, candidate in enumerate(sets_left):
            if len(chosen) + len(sets_left) - k <= len(best):
                return
            go([*chosen, candidate], [other for other in sets_left[k + 1 :] if not set(candidate) & set(other)])

    go([], sets)
    return best


def hitting_set(sets: Sequence[Set], count: int) -> tuple[int, ...] | None:
    """A hitting set of `count` cards: each set holds one of them; None where there is none."""
    if not sets:
        return ()
    if not count:
        return None
    for card in sets[0]:
        rest = hitting_set([candidate_set for candidate_set in sets if card not in candidate_set], count - 1)
        if rest is not None:
            return tuple(sorted((card, *rest)))
    return None
