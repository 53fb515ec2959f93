"""Walks over a grid: all walks, dynamic programming, and a greedy rule."""

from __future__ import annotations

from rlgym.generators.programs.totals.summaries import added, summarize_counts, summarize_totals


def walk_plain(grid: list[list[int]], *, slant: bool, closed: int, turn: int, run: int, worth: str, ask: str, target: int) -> object:
    from itertools import pairwise

    totals: list[int] = []
    if not grid or grid[0][0] == closed:
        return summarize_totals(totals, ask=ask, target=target)
    height, width = len(grid), len(grid[0])
    moves = [(0, 1), (1, 0), (1, 1)] if slant else [(0, 1), (1, 0)]

    def walk(y: int, x: int, path: list[tuple[int, int]]) -> None:
        if (y, x) == (height - 1, width - 1):
            total, row, column, cells = grid[0][0], 0, 0, [grid[0][0]]
            for dy, dx in path:
                row, column = row + dy, column + dx
                cells.append(grid[row][column])
                total += cells[-1]
            if worth == "last":
                total += cells[-1]
            elif worth == "climb":
                total = sum(max(0, other - one) for one, other in pairwise(cells))
            elif worth == "steps":
                total = sum(abs(other - one) for one, other in pairwise(cells))
            totals.append(total - turn * sum(one != other for one, other in pairwise(path)))
            return
        for dy, dx in moves:
            if y + dy < height and x + dx < width and grid[y + dy][x + dx] != closed:
                if run > 0 and len(path) >= run and all(move == (dy, dx) for move in path[-run:]):
                    continue
                walk(y + dy, x + dx, [*path, (dy, dx)])

    walk(0, 0, [])
    return summarize_totals(totals, ask=ask, target=target)


def walk_swift(grid: list[list[int]], *, slant: bool, closed: int, turn: int, run: int, worth: str, ask: str, target: int) -> object:
    from functools import cache

    @cache
    def arrived(y: int, x: int, move: int, long: int) -> dict[int, int]:
        counts: dict[int, int] = {}
        here = grid[y][x]
        if here == closed:
            return counts
        if move == 3:
            return {here if worth in ("sum", "last") else 0: 1} if y == 0 and x == 0 else counts
        down, right = [(0, 1), (1, 0), (1, 1)][move]
        if y < down or x < right:
            return counts
        there = grid[y - down][x - right]
        by = here if worth in ("sum", "last") else max(0, here - there) if worth == "climb" else abs(here - there)
        for other in range(4):
            if other == 2 and not slant:
                continue
            if run == 0:
                added(counts, arrived(y - down, x - right, other, 0), by - (turn if other not in (3, move) else 0))
            elif other == move and long > 1:
                added(counts, arrived(y - down, x - right, other, long - 1), by)
            elif other != move and long == 1:
                for before in range(1, run + 1) if other < 3 else (0,):
                    added(counts, arrived(y - down, x - right, other, before), by - (turn if other < 3 else 0))
        return counts

    counts: dict[int, int] = {}
    if grid:
        y, x = len(grid) - 1, len(grid[0]) - 1
        again = grid[y][x] if worth == "last" else 0
        added(counts, arrived(y, x, 3, 0), again)
        for move in range(3 if slant else 2):
            for long in range(1, run + 1) if run > 0 else (0,):
                added(counts, arrived(y, x, move, long), again)
    return summarize_counts(counts, ask=ask, target=target)


def walk_hasty(grid: list[list[int]], *, slant: bool, **others: object) -> int:
    y, x, total = 0, 0, grid[0][0]
    while (y, x) != (len(grid) - 1, len(grid[0]) - 1):
        nexts = [(y, x + 1), (y + 1, x), (y + 1, x + 1)][: 3 if slant else 2]
        y, x = max([cell for cell in nexts if cell[0] < len(grid) and cell[1] < len(grid[0])], key=lambda cell: grid[cell[0]][cell[1]])
        total += grid[y][x]
    return total
