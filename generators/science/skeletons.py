"""Carbon skeletons with single bonds: their symmetries, and arrangements of other atoms on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from rlgym.core.rng import Rng

OPENINGS = (
    "A molecule consists of carbon and hydrogen. Its carbon atoms, numbered 1 to {n}, are joined by these single bonds:",
    "The carbon atoms 1 to {n} of a hydrocarbon are joined by single bonds between",
    "Here are the single bonds between the {n} carbon atoms of a hydrocarbon:",
    "A hydrocarbon has {n} carbon atoms with single bonds between them:",
)
ASKED = (
    "Some hydrogen atoms are replaced. How many different molecules are there of each of these products?",
    "Hydrogen atoms are replaced. How many structural isomers with this skeleton does each of these products have?",
    "Hydrogen atoms are replaced. Count the different molecules of each of these products:",
    "How many different molecules can each of these replacements of hydrogen atoms give?",
)

Bonds = Sequence[tuple[int, int]]
Turn = tuple[int, ...]  # where each atom goes, from 0


def tree(rng: Rng, atoms: int) -> list[tuple[int, int]]:
    """A chain with branches, in which no atom has more than four bonds."""
    bonds = [(0, 1)]
    for new in range(2, atoms):
        # A mirror image of what is there makes symmetry likely.
        twin = [b for _, b in bonds if sum(b in bond for bond in bonds) < 4]
        old = rng.choice(twin if rng.chance(0.5) and twin else [k for k in range(new) if sum(k in bond for bond in bonds) < 4])
        bonds.append((old, new))
    return bonds


def rings(rng: Rng, atoms: int) -> list[tuple[int, int]]:
    """A ring of three to eight atoms with branches and perhaps a bond across."""
    size = rng.integer(min(atoms, 3), min(atoms, 8))
    bonds = [(k, (k + 1) % size) for k in range(size)]
    if size > 3 and rng.chance(0.4):
        bonds.append((0, rng.integer(2, size - 2)))
    for new in range(size, atoms):
        bonds.append((rng.choice([k for k in range(new) if sum(k in bond for bond in bonds) < 4]), new))
    return bonds


def adjacency(atoms: int, bonds: Bonds) -> list[set[int]]:
    """The neighbours of each atom."""
    out: list[set[int]] = [set() for _ in range(atoms)]
    for a, b in bonds:
        out[a].add(b)
        out[b].add(a)
    return out


def hydrogens(atoms: int, bonds: Bonds) -> list[int]:
    """How many hydrogens sit on each carbon."""
    return [4 - len(near) for near in adjacency(atoms, bonds)]


def symmetries(atoms: int, bonds: Bonds) -> Iterator[Turn]:
    """All ways to renumber the atoms that keep the bonds, in the order of their texts."""
    near = adjacency(atoms, bonds)

    def placed(sofar: Turn) -> Iterator[Turn]:
        here = len(sofar)
        if here == atoms:
            yield sofar
            return
        for spot in range(atoms):
            fits = spot not in sofar and len(near[spot]) == len(near[here])
            if fits and all((k in near[here]) == (sofar[k] in near[spot]) for k in range(here)):
                yield from placed((*sofar, spot))

    yield from placed(())


def cycles(turn: Turn) -> list[list[int]]:
    """The cycles of a symmetry."""
    left, out = set(range(len(turn))), []
    for start in range(len(turn)):
        if start in left:
            cycle = [start]
            while (after := turn[cycle[-1]]) != start:
                cycle.append(after)
            left -= set(cycle)
            out.append(cycle)
    return out


def count_fixed(turn: Turn, free: Sequence[int], counts: Sequence[int]) -> int:
    """How many arrangements of so many atoms of each other element a symmetry leaves as they are."""
    ways = {(0,) * len(counts): 1}
    for cycle in cycles(turn):
        following: dict[tuple[int, ...], int] = {}
        for held in shares(free[cycle[0]], len(counts)):
            for before, number in ways.items():
                total = tuple(a + len(cycle) * b for a, b in zip(before, held))
                if all(a <= b for a, b in zip(total, counts)):
                    following[total] = following.get(total, 0) + number
        ways = following
    return ways.get(tuple(counts), 0)


def shares(places: int, kinds: int) -> list[tuple[int, ...]]:
    """How many of each kind one carbon may hold."""
    return [held for held in product(range(places + 1), repeat=kinds) if sum(held) <= places]


def by_images(turns: Sequence[Turn], free: Sequence[int], counts: Sequence[int]) -> int:
    """The number of arrangements up to symmetry by another route: each is listed, and only the least of its images counts."""
    found = 0

    def placed(sofar: tuple[tuple[int, ...], ...], left: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
        if len(sofar) == len(free):
            if not any(left):
                yield sofar
            return
        for held in shares(free[len(sofar)], len(counts)):
            if all(a <= b for a, b in zip(held, left)):
                yield from placed((*sofar, held), tuple(b - a for a, b in zip(held, left)))

    for one in placed((), tuple(counts)):
        found += all(one <= tuple(one[k] for k in turn) for turn in turns)
    return found


def write(turn: Turn) -> str:
    """(1 3)(2 4), or what is said of the one that moves nothing."""
    said = "".join(f"({' '.join(str(k + 1) for k in cycle)})" for cycle in cycles(turn) if len(cycle) > 1)
    return said or "nothing moves"
