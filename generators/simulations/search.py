"""Plans in small worlds of hashable states: the shortest by a complete search, and how one goes on."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

H = TypeVar("H", bound=Hashable)
M = TypeVar("M", bound=Hashable)


def plan(first: H, options: Callable[[H], Mapping[M, H]], done: Callable[[H], bool], most: int = 50_000) -> tuple[M, ...] | None:
    """The fewest moves to a state that is done; None where there are none, or where more than `most` states were found."""
    if done(first):
        return ()
    predecessors: dict[H, tuple[H, M] | None] = {first: None}
    queue = [first]
    for state in queue:
        for move, after in options(state).items():
            if after in predecessors:
                continue
            predecessors[after] = (state, move)
            if done(after):
                return _walk(predecessors, after)
            queue.append(after)
        if len(predecessors) > most:
            return None
    return None


def going_on(planned: Sequence[M], done: Sequence[M], replan: Callable[[], Sequence[M] | None]) -> Sequence[M]:
    """What is left of a plan whose first moves are done; a new one where others were done, nothing where there is none."""
    if tuple(planned[: len(done)]) == tuple(done):
        return planned[len(done) :]
    return replan() or ()


def _walk(predecessors: dict[H, tuple[H, M] | None], state: H) -> tuple[M, ...]:
    moves = []
    while (before := predecessors[state]) is not None:
        state, move = before
        moves.append(move)
    return tuple(reversed(moves))
