"""A second solver for puzzles of candidate values, which shares no propagation with the first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rlgym.generators.grids.domains import Puzzle, bits_of


def plain_backtrack(puzzle: Puzzle, given: dict[int, int], right: Callable[[list[int]], bool]) -> Iterator[list[int]]:
    """Every solution by plain backtracking without propagation; the unknown with the fewest values left comes next.

    `right` judges full assignments by the rules of the puzzle; the rules with `ones` are used to stop early.
    """
    written: dict[int, int] = {}
    out = [[0] * len(puzzle.values) for _ in puzzle.names]  # how many written values rule this value out

    def put(at: int, value: int, sign: int) -> None:
        for other, mask in puzzle.clash[at][value]:
            for v in bits_of(mask):
                out[other][v] += sign

    def options(at: int) -> list[int]:
        allowed = [given[at]] if at in given else bits_of(puzzle.whole[at])
        return [v for v in allowed if not out[at][v]]

    def branches() -> list[tuple[int, int]]:
        best: list[tuple[int, int]] | None = None
        for at in range(len(puzzle.names)):
            if at not in written:
                candidates = [(at, v) for v in options(at)]
                if best is None or len(candidates) < len(best):
                    best = candidates
                    if len(candidates) < 2:
                        return candidates
        for rule in puzzle.rules:
            if rule.ones and not any(at in written and mask >> written[at] & 1 for at, mask in rule.ones):
                candidates = [(at, v) for at, mask in rule.ones if at not in written for v in options(at) if mask >> v & 1]
                if best is None or len(candidates) < len(best):
                    best = candidates
                    if len(candidates) < 2:
                        return candidates
        return best or []

    def going() -> Iterator[list[int]]:
        if len(written) == len(puzzle.names):
            full = [written[at] for at in range(len(written))]
            if right(full):
                yield full
            return
        for at, value in branches():
            written[at] = value
            put(at, value, 1)
            yield from going()
            put(at, value, -1)
            del written[at]

    yield from going()
