"""Grids whose lines hold every digit once: sudoku, futoshiki and their like. Masks of bits say what each cell can be."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from rlgym.core.rng import Rng
from rlgym.generators.grids import layout
from rlgym.generators.grids.clues import Budget, TooMuchWork
from rlgym.generators.grids.layout import Cells

Units = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Rules:
    """Every unit holds each digit 1..size once; in every pair of `below` the first cell is less than the second."""

    size: int
    units: Units
    names: tuple[str, ...]
    below: tuple[tuple[int, int], ...] = ()

    @property
    def whole(self) -> int:
        return (1 << self.size) - 1

    @property
    def peers(self) -> Units:
        return _peers(self.size, self.units)


@cache
def square(size: int) -> Rules:
    """Rows and columns."""
    rows = tuple(tuple(range(r * size, r * size + size)) for r in range(size))
    columns = tuple(tuple(range(c, size * size, size)) for c in range(size))
    return Rules(size, rows + columns, tuple(f"{line} {i + 1}" for line in ("row", "column") for i in range(size)))


@cache
def box(height: int, width: int) -> Rules:
    """Rows, columns and boxes of `height` rows and `width` columns."""
    size, plain = height * width, square(height * width)
    corners = [(r, c) for r in range(0, size, height) for c in range(0, size, width)]
    boxes = tuple(tuple((r + i) * size + c + j for i in range(height) for j in range(width)) for r, c in corners)
    names = tuple(f"the box of rows {r + 1}-{r + height}, columns {c + 1}-{c + width}" for r, c in corners)
    return Rules(size, plain.units + boxes, plain.names + names)


@cache
def _peers(size: int, units: Units) -> Units:
    near: list[set[int]] = [set() for _ in range(size * size)]
    for unit in units:
        for cell in unit:
            near[cell].update(unit)
    return tuple(tuple(sorted(cells - {cell})) for cell, cells in enumerate(near))


def find_repeat(rules: Rules, cells: Sequence[int | str]) -> str:
    """Why a full grid is wrong: the first unit that holds a digit twice; empty where there is none."""
    for unit, name in zip(rules.units, rules.names):
        if len({cells[cell] for cell in unit}) < rules.size:
            return f"a digit occurs twice in {name}"
    return ""


def near_misses(right: Cells, given: Sequence[Sequence[str]]) -> list[Cells]:
    """Wrong fillings near a right one: two neighbours exchanged, 1 and 2 exchanged everywhere, and the rows in reverse order."""
    exchanged = {"1": "2", "2": "1"}
    relabelled = tuple(tuple(exchanged.get(cell, cell) for cell in row) for row in right)
    return [*layout.exchange_neighbours(right, given), relabelled, right[::-1]]


def digit_masks(rules: Rules, digits: Sequence[int]) -> list[int]:
    """What each cell can be, for given digits with 0 for an unknown one."""
    return [1 << digit - 1 if digit else rules.whole for digit in digits]


def propagate(rules: Rules, can: list[int], fresh: list[int], hidden: bool = True) -> bool:
    """Constraint propagation from the cells in `fresh`, just decided; False for a contradiction.

    Known digits leave their units, cells with one digit left take it, and, with `hidden`, so do the only cells of a unit
    that can hold some digit.
    """
    peers, full_mask = rules.peers, rules.whole
    while True:
        while fresh:
            cell = fresh.pop()
            bit = can[cell]
            for peer in peers[cell]:
                mask = can[peer]
                if mask & bit:
                    mask ^= bit
                    if not mask:
                        return False
                    can[peer] = mask
                    if not mask & mask - 1:
                        fresh.append(peer)
        if rules.below and not _propagate_inequalities(rules, can, fresh):
            return False
        if fresh:
            continue
        if hidden:
            for unit in rules.units:
                at_least_once = twice = 0
                for cell in unit:
                    mask = can[cell]
                    twice |= at_least_once & mask
                    at_least_once |= mask
                if at_least_once != full_mask:
                    return False
                only = at_least_once & ~twice
                if only:
                    for cell in unit:
                        mask = can[cell] & only
                        if mask and mask != can[cell]:
                            if mask & mask - 1:
                                return False
                            can[cell] = mask
                            fresh.append(cell)
        if not fresh:
            return True


def _propagate_inequalities(rules: Rules, can: list[int], fresh: list[int]) -> bool:
    """Cut the masks at what the pairs of `below` leave."""
    moving = True
    while moving:
        moving = False
        for low, high in rules.below:
            below = can[low] & (1 << can[high].bit_length() - 1) - 1
            above = can[high] & -2 * (below & -below)
            if not below or not above:
                return False
            for cell, mask in ((low, below), (high, above)):
                if mask != can[cell]:
                    can[cell], moving = mask, True
                    if not mask & mask - 1:
                        fresh.append(cell)
    return True


def propagate_givens(rules: Rules, digits: Sequence[int], hidden: bool = True) -> list[int] | None:
    """What each cell can be after all deductions without a supposition, or None where the givens contradict themselves."""
    can = digit_masks(rules, digits)
    return can if propagate(rules, can, [cell for cell, digit in enumerate(digits) if digit], hidden) else None


def deducible(rules: Rules, digits: Sequence[int], hidden: bool = True) -> bool:
    """Whether deductions alone fill the grid, which proves the solution unique as well."""
    can = propagate_givens(rules, digits, hidden)
    return can is not None and not any(mask & mask - 1 for mask in can)


def has_one_solution(rules: Rules, digits: Sequence[int], steps: int) -> bool:
    """Whether there is exactly one solution; False also when that takes more than `steps` suppositions to prove."""
    can, budget = propagate_givens(rules, digits), Budget(steps)
    if can is None:
        return False
    try:
        solutions = backtrack(rules, can, budget)
        return next(solutions, None) is not None and next(solutions, None) is None
    except TooMuchWork:
        return False


def backtrack(rules: Rules, can: list[int], budget: Budget, rng: Rng | None = None) -> Iterator[list[int]]:
    """Every solution within propagated masks, by backtracking, as masks of one bit; an Rng shuffles the order of branches."""
    fewest, at = 99, -1
    for cell, mask in enumerate(can):
        if mask & mask - 1:
            count = mask.bit_count()
            if count < fewest:
                fewest, at = count, cell
                if count == 2:
                    break
    if at < 0:
        yield can
        return
    bits = [1 << d for d in range(rules.size) if can[at] >> d & 1]
    for bit in rng.shuffled(bits) if rng else bits:
        budget.spend()
        then = can.copy()
        then[at] = bit
        if propagate(rules, then, [at]):
            yield from backtrack(rules, then, budget, rng)


def solve(rules: Rules, digits: Sequence[int]) -> list[int]:
    """The digits of the first solution found by deduction and supposition."""
    can = propagate_givens(rules, digits)
    if can is None:
        raise ValueError("the givens contradict each other")
    return [mask.bit_length() for mask in next(backtrack(rules, can, Budget(10**9)))]


def sample_grid(rng: Rng, rules: Rules) -> list[int]:
    """A random full grid of digits that keeps the rules of the units; `below` must be empty."""
    first = rng.shuffled(range(1, rules.size + 1))
    can = digit_masks(rules, first + [0] * (rules.size * rules.size - rules.size))
    propagate(rules, can, list(range(rules.size)))
    return [mask.bit_length() for mask in next(backtrack(rules, can, Budget(100_000), rng))]


def plain_backtrack(rules: Rules, digits: Sequence[int]) -> Iterator[list[int]]:
    """Every solution by plain backtracking; the cell with the fewest digits left comes next."""
    grid, peers = list(digits), rules.peers
    lower: list[list[int]] = [[] for _ in grid]
    higher: list[list[int]] = [[] for _ in grid]
    for low, high in rules.below:
        lower[high].append(low)
        higher[low].append(high)
    floor, ceiling = [1] * len(grid), [rules.size] * len(grid)
    for _ in range(rules.size):
        for low, high in rules.below:
            floor[high] = max(floor[high], floor[low] + 1)
            ceiling[low] = min(ceiling[low], ceiling[high] - 1)

    bits = [1 << digit if digit else 0 for digit in grid]

    def options(cell: int) -> int:
        """The digits left for a cell, digit d as bit d."""
        used = 0
        for peer in peers[cell]:
            used |= bits[peer]
        least = max(grid[other] + 1 if grid[other] else floor[other] + 1 for other in lower[cell]) if lower[cell] else 1
        most = min(grid[other] - 1 if grid[other] else ceiling[other] - 1 for other in higher[cell]) if higher[cell] else rules.size
        return (2 << most) - (1 << least) & ~used if least <= most else 0

    def tried() -> Iterator[list[int]]:
        best, fewest, left = -1, rules.size + 1, 0
        for cell, digit in enumerate(grid):
            if not digit:
                values = options(cell)
                count = values.bit_count()
                if count < fewest:
                    best, fewest, left = cell, count, values
                    if count < 2:
                        break
        if best < 0:
            yield list(grid)
            return
        for digit in range(1, rules.size + 1):
            if left >> digit & 1:
                grid[best], bits[best] = digit, 1 << digit
                yield from tried()
        grid[best] = bits[best] = 0

    if all(options(cell) >> digit & 1 for cell, digit in enumerate(digits) if digit):
        yield from tried()


def count_suppositions(rules: Rules, digits: Sequence[int]) -> int:
    """How many suppositions it takes to find the solution and to know that there is no other."""
    settled, budget = propagate_givens(rules, digits), Budget(10**9)
    assert settled is not None
    for _ in backtrack(rules, settled, budget):
        continue
    return 10**9 - budget.left


def effort(rules: Rules, digits: Sequence[int]) -> float:
    """Work of a good solver: digits to rule out of the cells that are not given, and a grid's worth per supposition."""
    can = digit_masks(rules, digits)
    propagate(rules, can, [], hidden=False)
    ruled_out = sum(mask.bit_count() for mask, digit in zip(can, digits) if not digit)
    return ruled_out + count_suppositions(rules, digits) * len(digits)
