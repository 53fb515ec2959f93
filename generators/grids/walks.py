"""Consecutive numbers in neighbouring cells: where each can be, searched, thinned, explained and read back."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from rlgym.core.rng import Rng
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import boards, layout
from rlgym.generators.grids.bits import members
from rlgym.generators.grids.boards import Near
from rlgym.generators.grids.clues import Budget, TooMuchWork, drop_clues

REASONING = ("direct", "trying")
"""What suffices: where numbers and cells have one place left; also suppositions that these refute."""

SEARCHING = (*REASONING, "search")
"""Also suppositions inside suppositions."""

SEARCH_CHECKS = 30  # numbers that are tried to be hidden where suppositions inside suppositions may be needed

HARD_CHECKS = 6  # checks of what suppositions suffice for, a board


class Trail:
    """Numbers from 1 on in the open cells of a board, each next to the one before: what is placed, and what is ruled out."""

    def __init__(self, around: Near, open_cells: int, at: dict[int, int], out: dict[int, int] | None = None) -> None:
        self.around, self.open_cells, self.at = around, open_cells, dict(at)
        self.out = dict(out or {})
        self.last = open_cells.bit_count()
        self.steps = boards.offsets(around)

    def copy(self) -> "Trail":
        return Trail(self.around, self.open_cells, self.at, self.out)

    def can(self) -> list[int]:
        """Where each number can be, by walks over free cells between the placed ones; index 0 is unused."""
        at, steps, last = self.at, self.steps, self.last
        free = self.free()
        can = [0] * (last + 1)
        candidates = 0
        for number in range(1, last + 1):
            step = boards.neighbours_of_set(steps, candidates) if number > 1 else -1
            if number in at:
                candidates = 1 << at[number]
                can[number] = candidates & step
            else:
                candidates = can[number] = step & free & ~self.out.get(number, 0)
        for number in range(last - 1, 0, -1):
            # A walk that fails leaves nothing between its ends, and none of the other walks is touched by it.
            if number in at:
                candidates = 1 << at[number]
            else:
                candidates = can[number] = boards.neighbours_of_set(steps, candidates) & can[number]
        return can

    def free(self) -> int:
        free = self.open_cells
        for cell in self.at.values():
            free &= ~(1 << cell)
        return free

    def propagate(self) -> bool:
        """Place all that has one place left; False for a contradiction."""
        while True:
            can = self.can()
            if not all(can[1:]):
                return False
            at_least_once = twice = 0
            for mask in can[1:]:
                twice |= at_least_once & mask
                at_least_once |= mask
            if self.open_cells & ~at_least_once:
                return False
            before, single = len(self.at), at_least_once & ~twice
            if before == self.last:
                return True
            taken = 0
            for number in range(1, self.last + 1):
                if number not in self.at:
                    mask = can[number]
                    pick = mask if not mask & mask - 1 else mask & single
                    if pick:
                        if pick & pick - 1 or pick & taken:
                            return False
                        taken |= pick
                        self.at[number] = pick.bit_length() - 1
            if len(self.at) == before:
                return True

    def failed_literal_probing(self, right: Sequence[int] | None = None) -> int | None:
        """Rule out what fails at once, until nothing does: how many suppositions that took; None for a contradiction.

        `right`, the cells of the numbers, saves trying what cannot fail.
        """
        if not self.propagate():
            return None
        tried, busy = 0, True
        while busy and len(self.at) < self.last:
            busy = False
            can = self.can()
            order = sorted((can[k].bit_count(), k) for k in range(1, self.last + 1) if k not in self.at)
            for _, number in order:
                for cell in members(can[number]):
                    if number in self.at or (right and right[number - 1] == cell):
                        continue
                    trial = self.copy()
                    trial.at[number] = cell
                    if not trial.propagate():
                        self.out[number] = self.out.get(number, 0) | 1 << cell
                        tried, busy = tried + 1, True
                        if not self.propagate():
                            return None
                        can = self.can()
        return tried

    def count_suppositions(self, most: int) -> int:
        """How many numbers have their places tried until one numbering is found and no other; -1 where there are others or more are tried."""
        budget = Budget(most)
        try:
            return most - budget.left if len([*islice(self.backtrack(budget), 2)]) == 1 else -1
        except TooMuchWork:
            return -1

    def backtrack(self, budget: Budget) -> Iterator[list[int]]:
        """Every numbering, as the cells of the numbers in order."""
        stack = [self.copy()]
        while stack:
            trail = stack.pop()
            if not trail.propagate():
                continue
            if len(trail.at) == trail.last:
                yield [trail.at[k] for k in range(1, trail.last + 1)]
                continue
            budget.spend()
            can = trail.can()
            number = min((k for k in range(1, trail.last + 1) if k not in trail.at), key=lambda k: can[k].bit_count())
            for cell in members(can[number]):
                child = trail.copy()
                child.at[number] = cell
                stack.append(child)


def choose_givens(
    rng: Rng, around: Near, path: Sequence[int], percent: int, reasoning: str, checks: int = HARD_CHECKS, suppositions: int = 0
) -> tuple[int, ...]:
    """The numbers to show, `percent` of them or more, so that this reasoning finds the path; positions count from 0.

    By `search`, numbers are hidden until so many suppositions prove the path the only one, or about three times as many.
    """
    open_cells = sum(1 << cell for cell in path)

    def trail(kept: Sequence[int]) -> Trail:
        return Trail(around, open_cells, {k + 1: path[k] for k in kept})

    def direct(kept: list[int]) -> bool:
        attempt = trail(kept)
        return attempt.propagate() and len(attempt.at) == len(path)

    def trying(kept: list[int]) -> bool:
        attempt = trail(kept)
        return attempt.failed_literal_probing(path) is not None and len(attempt.at) == len(path)

    keep = max(2, len(path) * percent // 100)
    kept = drop_clues(rng.shuffled(range(len(path))), keep, direct)
    if reasoning == "trying":
        kept = drop_clues_in_batches(rng, kept, keep, trying, checks)
    if reasoning == "search":
        for number in rng.shuffled(kept)[:SEARCH_CHECKS]:
            fewer = [other for other in kept if other != number]
            count = trail(fewer).count_suppositions(3 * suppositions) if len(kept) > keep else -1
            kept = fewer if count >= 0 else kept
            if count >= suppositions:
                break
    return tuple(sorted(kept))


def drop_clues_in_batches(rng: Rng, kept: list[int], keep: int, fine: Callable[[list[int]], bool], checks: int) -> list[int]:
    """The clues left after dropping some while the rest stays valid, within a number of checks: several at once first, fewer after a failure."""
    batch = max(1, len(kept) // 4)
    for _ in range(checks):
        if len(kept) <= keep:
            break
        drop = set(rng.sample(kept, min(batch, len(kept) - keep)))
        less = [clue for clue in kept if clue not in drop]
        if fine(less):
            kept = less
        else:
            batch = max(1, batch // 2)
    return kept


def hide_numbers(path: Sequence[int], kept: Sequence[int], cells: int, width: int) -> tuple[tuple[str, ...], ...]:
    """The board with the numbers at these positions of the path, a dot for other cells of it and # elsewhere."""
    signs = ["#"] * cells
    for i, cell in enumerate(path):
        signs[cell] = str(i + 1) if i in kept else "."
    return layout.rows_of(signs, width)


def trail_of(board: Sequence[Sequence[str]], kind: str) -> Trail:
    signs = [sign for row in board for sign in row]
    at = {int(sign): cell for cell, sign in enumerate(signs) if sign.isdigit()}
    open_cells = sum(1 << cell for cell, sign in enumerate(signs) if sign != "#")
    return Trail(boards.near(kind, len(board), len(board[0])), open_cells, at)


def render_path(board: Sequence[Sequence[str]], path: Sequence[int]) -> layout.Cells:
    signs = [sign for row in board for sign in row]
    for i, cell in enumerate(path):
        signs[cell] = str(i + 1)
    return layout.rows_of(signs, len(board[0]))


def solve(board: Sequence[Sequence[str]], kind: str) -> layout.Cells:
    trail = trail_of(board, kind)
    trail.failed_literal_probing()
    return render_path(board, next(trail.backtrack(Budget(10**9))))


def find_fault(board: Sequence[Sequence[str]], kind: str, answer: layout.Cells) -> str:
    """What is wrong with an answer; empty for a right one."""
    cells = sum(sign != "#" for row in board for sign in row)
    numbers = [str(k) for k in range(1, cells + 1)]
    if reason := layout.find_misfit(answer, board, numbers):
        return reason if len(reason) < 80 else "a sign is none of the numbers asked for"
    at = {sign: cell for cell, sign in enumerate(sign for row in answer for sign in row) if sign != "#"}
    if len(at) != cells:
        return "a number stands in two cells"
    around = boards.near(kind, len(board), len(board[0]))
    gap_at = next((k for k in range(1, cells) if at[str(k + 1)] not in around[at[str(k)]]), 0)
    return f"{gap_at} and {gap_at + 1} are not neighbours" if gap_at else ""


def near_misses(board: Sequence[Sequence[str]], right: layout.Cells) -> list[layout.Cells]:
    """Two neighbouring numbers exchanged, all numbered row by row, the path walked backwards, a number twice."""
    cells = sum(sign != "#" for row in board for sign in row)
    back = tuple(tuple(str(cells + 1 - int(sign)) if sign.isdigit() else sign for sign in row) for row in right)
    count = iter(range(1, cells + 1))
    rowwise = tuple(tuple(sign if sign == "#" else str(next(count)) for sign in row) for row in board)
    missing = [sign for row in board for sign in row]
    first = next(i for i, sign in enumerate(missing) if sign == ".")
    twice = layout.replace_cells(
        right, {divmod(first, len(board[0])): "1" if right[first // len(board[0])][first % len(board[0])] != "1" else "2"}
    )
    return [*layout.exchange_neighbours(right, board), back, rowwise, twice, right[::-1]]


def effort(board: Sequence[Sequence[str]], kind: str) -> float:
    """Numbers to place, times the square root of the failed suppositions and of those inside others, since good solvers find the short ones."""
    trail = trail_of(board, kind)
    open_numbers = trail.last - len(trail.at)
    tried = trail.failed_literal_probing()
    assert tried is not None
    tried += 3 * trail.count_suppositions(10**9)
    return float(open_numbers * (1 + tried**0.5))


def draw(board: Sequence[Sequence[str]]) -> str:
    """A picture of the board."""
    walls = [cell for cell, sign in enumerate(sign for row in board for sign in row) if sign == "#"]
    return pictures.board([["" if sign == "#" else sign for sign in row] for row in board], shaded=walls)
