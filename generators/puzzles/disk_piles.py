"""Disks on pegs where a disk may lie on a somewhat smaller one and a peg holds only so many disks, so that the order on a peg is part of the position."""

from collections.abc import Sequence

from rlgym.core.rng import Rng

Piles = tuple[tuple[int, ...], ...]  # the sizes on each peg, from bottom to top
LETTERS = "ABCDE"


def pile_moves(piles: Piles, ways: Sequence[tuple[int, int]], overlap: int, room: int) -> list[tuple[str, Piles]]:
    """The legal moves by name with the position each makes: a disk may exceed the one below it by `overlap` at most."""
    moves = []
    for leave, enter in ways:
        source, target = piles[leave], piles[enter]
        if source and len(target) < room and (not target or source[-1] <= target[-1] + overlap):
            after = list(piles)
            after[leave], after[enter] = source[:-1], (*target, source[-1])
            moves.append(((LETTERS[leave] + LETTERS[enter]).lower(), tuple(after)))
    return moves


def mismatched(piles: Piles, goal: Piles) -> int:
    """How many disks must still move: those above the lowest place where a peg differs from the goal."""
    count = 0
    for pile, aim in zip(piles, goal, strict=True):
        same = next((k for k, (disk, other) in enumerate(zip(pile, aim, strict=False)) if disk != other), min(len(pile), len(aim)))
        count += len(pile) - same
    return count


def sample_piles(rng: Rng, sizes: Sequence[int], pegs: int, overlap: int, room: int) -> Piles:
    """A random legal position; an order of the disks that leaves one of them no place is sampled anew."""
    while True:
        piles: list[tuple[int, ...]] = [()] * pegs
        for size in rng.shuffled(sizes):
            fitting = [peg for peg, pile in enumerate(piles) if len(pile) < room and (not pile or size <= pile[-1] + overlap)]
            if not fitting:
                break
            peg = rng.choice(fitting)
            piles[peg] = (*piles[peg], size)
        else:
            return tuple(piles)


def render_piles(piles: Piles) -> str:
    return "\n".join(f"{LETTERS[peg]}: {' '.join(map(str, pile)) or 'empty'}" for peg, pile in enumerate(piles))
