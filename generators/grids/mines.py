"""Minesweeper boards: which hidden cells are certainly safe or mined, by enumeration and by search, and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from rlgym.generators.grids.clues import Budget
from rlgym.generators.grids.layout import place
from rlgym.generators.grids.paper import Choice, Contradiction, Paper, explain_deductions
from rlgym.generators.text.english import count_noun

HIDDEN = "#"
Table = tuple[int, dict[int, tuple[int, int]]]
"""A part, and what is mined in it by how many mines it holds."""


@dataclass(frozen=True)
class Sums:
    """The constraints of a board: how many of the hidden cells in each mask are mines. `sources` are the cells of the numbers."""

    width: int
    hidden: tuple[int, ...]
    sums: tuple[tuple[int, int], ...]
    sources: tuple[int, ...]

    @property
    def whole(self) -> int:
        return (1 << len(self.hidden)) - 1

    @property
    def touched(self) -> int:
        union = 0
        for mask, _ in self.sums:
            union |= mask
        return union


def neighbours_of(cell: int, height: int, width: int) -> list[int]:
    """The up to eight neighbours of a cell."""
    row, column = divmod(cell, width)
    near = [(r, c) for r in range(row - 1, row + 2) for c in range(column - 1, column + 2)]
    return [r * width + c for r, c in near if 0 <= r < height and 0 <= c < width and (r, c) != (row, column)]


def number_constraints(board: Sequence[str]) -> Sums:
    """The sums that the numbers of a board state; numbers without hidden neighbours say nothing."""
    height, width, signs = len(board), len(board[0]), "".join(board)
    hidden = tuple(cell for cell, sign in enumerate(signs) if sign == HIDDEN)
    index = {cell: i for i, cell in enumerate(hidden)}
    sums, sources = [], []
    for cell, sign in enumerate(signs):
        near = [index[other] for other in neighbours_of(cell, height, width) if other in index]
        if sign != HIDDEN and near:
            sums.append((sum(1 << i for i in near), int(sign)))
            sources.append(cell)
    return Sums(width, hidden, tuple(sums), tuple(sources))


def components(clues: Sums) -> list[int]:
    """The masks of hidden cells that sums tie together."""
    parts: list[int] = []
    for mask, _ in clues.sums:
        disjoint = [part for part in parts if not part & mask]
        for part in parts:
            mask |= part if part & mask else 0
        parts = [*disjoint, mask]
    return sorted(parts)


def enumerate_arrangements(clues: Sums, part: int, budget: Budget) -> dict[int, tuple[int, int]]:
    """Per number of mines that a part can hold: the cells mined in all such arrangements, and those mined in some."""
    sums = [(mask, count) for mask, count in clues.sums if mask & part]
    order: list[int] = []
    for mask, _ in sums:  # cells of one number follow one another, so that a wrong count shows soon
        order += [bit for bit in _bits(mask) if bit not in order]
    touching = [[k for k, (mask, _) in enumerate(sums) if mask & bit] for bit in order]
    need, unassigned = [count for _, count in sums], [mask.bit_count() for mask, _ in sums]
    arrangements: dict[int, tuple[int, int]] = {}

    def walk(at: int, mined: int) -> None:
        budget.spend()
        if at == len(order):
            every, some = arrangements.get(mined.bit_count(), (mined, 0))
            arrangements[mined.bit_count()] = every & mined, some | mined
            return
        for k in touching[at]:
            unassigned[k] -= 1
        for mine in (0, 1):
            for k in touching[at]:
                need[k] -= mine
            if all(0 <= need[k] <= unassigned[k] for k in touching[at]):
                walk(at + 1, mined | (order[at] if mine else 0))
            for k in touching[at]:
                need[k] += mine
        for k in touching[at]:
            unassigned[k] += 1

    walk(0, 0)
    return dict(sorted(arrangements.items()))


def tables_of(clues: Sums, budget: Budget) -> list[Table]:
    """What `enumerate_arrangements` finds for each part."""
    return [(part, enumerate_arrangements(clues, part, budget)) for part in components(clues)]


def certain_cells(clues: Sums, tables: list[Table], mines: int | None) -> tuple[int, int]:
    """The cells that are mined, and those that are safe, in every arrangement; `mines` is the total where it is known."""
    outside = clues.whole & ~clues.touched
    mined = safe = 0
    for i, (part, table) in enumerate(tables):
        others = _totals([other for j, (_, other) in enumerate(tables) if j != i])
        possible = [
            facts
            for count, facts in table.items()
            if mines is None or any(0 <= mines - count - more <= outside.bit_count() for more in others)
        ]
        every, some = part, 0
        for sure, maybe in possible:
            every, some = every & sure, some | maybe
        mined, safe = mined | every, safe | part & ~some
    if mines is not None and outside:
        mines_left = {mines - count for count in _totals([table for _, table in tables]) if 0 <= mines - count <= outside.bit_count()}
        mined |= outside if mines_left == {outside.bit_count()} else 0
        safe |= outside if mines_left == {0} else 0
    return mined, safe


def _totals(tables: list[dict[int, tuple[int, int]]]) -> set[int]:
    totals = {0}
    for table in tables:
        totals = {before + count for before in totals for count in table}
    return totals


def decide_singly(clues: Sums, mines: int | None) -> int:
    """The cells that are decided by looking at one number, or at the total, at a time."""
    known = _propagate([*clues.sums, *([(clues.whole, mines)] if mines is not None else [])], 0, 0)
    return known[0] | known[1] if known else 0


def certain_by_search(clues: Sums, mines: int | None) -> tuple[int, int]:
    """`certain_cells` by another route: a search for an arrangement with a mine, and one without, for each hidden cell."""
    sums = [*clues.sums, *([(clues.whole, mines)] if mines is not None else [])]
    with_mine = without = 0
    for bit in _bits(clues.whole):
        for seen, start in ((with_mine, (bit, 0)), (without, (0, bit))):
            if not seen & bit and (arrangement := _find_arrangement(sums, *start)) is not None:
                with_mine, without = with_mine | arrangement[0], without | arrangement[1]
        if mines is None and not bit & clues.touched:
            with_mine, without = with_mine | bit, without | bit
    return clues.whole & ~without, clues.whole & ~with_mine


def _find_arrangement(sums: list[tuple[int, int]], mined: int, safe: int) -> tuple[int, int] | None:
    known = _propagate(sums, mined, safe)
    if known is None:
        return None
    mined, safe = known
    fewest, at = 999, 0
    for mask, _ in sums:
        free = mask & ~mined & ~safe
        if free and free.bit_count() < fewest:
            fewest, at = free.bit_count(), free
    if not at:
        return mined, safe
    bit = at & -at
    arrangement = _find_arrangement(sums, mined | bit, safe)
    return arrangement if arrangement is not None else _find_arrangement(sums, mined, safe | bit)


def _propagate(sums: Sequence[tuple[int, int]], mined: int, safe: int) -> tuple[int, int] | None:
    """What follows from one sum at a time, or None where a sum cannot be met."""
    moving = True
    while moving:
        moving = False
        for mask, count in sums:
            need, free = count - (mask & mined).bit_count(), mask & ~mined & ~safe
            if not 0 <= need <= free.bit_count():
                return None
            if free and need == 0:
                safe, moving = safe | free, True
            elif free and need == free.bit_count():
                mined, moving = mined | free, True
    return mined, safe


def explain(clues: Sums, mines: int | None, most: int) -> list[str]:
    """Why each certain cell is certain: number by number, by suppositions, and last by the total."""
    tables = tables_of(clues, Budget(most))
    mined, safe = certain_cells(clues, tables, None)
    steps = explain_deductions(_Board(clues, 0, 0, mined | safe))
    last = certain_cells(clues, tables, mines)
    if mines is None or last == (mined, safe):
        return steps
    for part, table in tables:
        counts = ", ".join(map(str, table))
        steps.append(f"The numbers that touch {_name_cells(clues, part)} can be met with these numbers of mines there: {counts}.")
    outside = (clues.whole & ~clues.touched).bit_count()
    steps.append(f"Beyond these there are {outside} hidden cells that touch no number. There are {mines} mines in all.")
    for cells, word in ((last[0] & ~mined, "mined"), (last[1] & ~safe, "safe")):
        if cells:
            steps.append(f"In all arrangements with that total these cells are {word}: {_name_cells(clues, cells)}.")
    return steps


def _name_cells(clues: Sums, cells: int) -> str:
    return ", ".join(place(cell, clues.width) for i, cell in enumerate(clues.hidden) if cells >> i & 1)


def _bits(mask: int) -> list[int]:
    return [1 << i for i in range(mask.bit_length()) if mask >> i & 1]


class _Board(Paper):
    """The cells known to be mined and safe; a choice is a hidden cell's bit and 1 for a mine. `goal` are the cells to decide."""

    def __init__(self, told: Sums, mined: int, safe: int, goal: int) -> None:
        self.told, self.mined, self.safe, self.goal = told, mined, safe, goal

    def copy(self) -> "_Board":
        return _Board(self.told, self.mined, self.safe, self.told.touched)

    def open(self) -> list[tuple[Choice, ...]]:
        left = self.goal & ~self.mined & ~self.safe
        fewest = {bit: min((mask & left).bit_count() for mask, _ in self.told.sums if mask & bit) for bit in _bits(left)}
        return [((bit, 1), (bit, 0)) for bit in sorted(fewest, key=lambda bit: (fewest[bit], bit))]

    def assign(self, choice: Choice) -> None:
        if choice[1]:
            self.mined |= choice[0]
        else:
            self.safe |= choice[0]

    def eliminate(self, choice: Choice) -> None:
        self.assign((choice[0], 1 - choice[1]))

    def claim(self, choice: Choice) -> str:
        return f"{_name_cells(self.told, choice[0])} is {'mined' if choice[1] else 'safe'}"

    def denial(self, choice: Choice) -> str:
        return self.claim((choice[0], 1 - choice[1]))

    def may_fail(self, choice: Choice) -> bool:
        mined, safe = (self.mined | choice[0], self.safe) if choice[1] else (self.mined, self.safe | choice[0])
        return _propagate(self.told.sums, mined, safe) is None

    def next(self) -> tuple[str, str] | None:
        for (mask, count), source in zip(self.told.sums, self.told.sources):
            found, free = (mask & self.mined).bit_count(), mask & ~self.mined & ~self.safe
            number = f"the {count} at {place(source, self.told.width)}"
            if found > count:
                raise Contradiction(f"{number} touches {count_noun(found, 'mine')}")
            if found + free.bit_count() < count:
                raise Contradiction(f"{number} can touch at most {count_noun(found + free.bit_count(), 'mine')}")
            if free and found in (count, count - free.bit_count()):
                mine = int(found < count)
                self.assign((free, mine))
                verb = "is" if free.bit_count() == 1 else "are"
                why = f"{number} needs {count - found} more, and no other cell is left" if mine else f"{number} has all its mines"
                return f"{_name_cells(self.told, free)} {verb} {'mined' if mine else 'safe'}", why
        return None
