"""Covers: sets, given as bit masks, whose union is a whole; the fewest of them, and those that a greedy choice takes."""

from collections.abc import Callable, Sequence

Cover = Callable[[int, Sequence[int]], list[int] | None]


def minimum_cover(whole: int, sets: Sequence[int], most: int = 12) -> list[int] | None:
    """The positions of the fewest sets that cover the whole, found by iterative deepening; None where `most` of them do not.

    Sets inside another one are left out. The element that the fewest sets have is covered first.
    """
    masks = {mask & whole: place for place, mask in reversed(list(enumerate(sets))) if mask & whole}
    largest = [mask for mask in masks if not any(mask != other and mask & other == mask for other in masks)]
    holders = {bit: [mask for mask in largest if mask >> bit & 1] for bit in range(whole.bit_length()) if whole >> bit & 1}
    if not all(holders.values()):
        return None
    order = sorted(holders, key=lambda bit: len(holders[bit]))

    def search(left: int, depth: int) -> list[int] | None:
        if not left:
            return []
        if not depth or max((mask & left).bit_count() for mask in largest) * depth < left.bit_count():
            return None
        first = next(bit for bit in order if left >> bit & 1)
        for mask in sorted(holders[first], key=lambda mask: -(mask & left).bit_count()):
            if (rest := search(left & ~mask, depth - 1)) is not None:
                return [masks[mask], *rest]
        return None

    return next((found for depth in range(most + 1) if (found := search(whole, depth)) is not None), None)


def greedy_cover(whole: int, sets: Sequence[int]) -> list[int] | None:
    """The positions of the sets that a greedy choice takes, always the one with the most that is not yet covered; None where they do not suffice."""
    found = list[int]()
    while whole:
        at = max(range(len(sets)), key=lambda place: (sets[place] & whole).bit_count())
        if not sets[at] & whole:
            return None
        found.append(at)
        whole &= ~sets[at]
    return found
