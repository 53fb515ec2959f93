"""Puzzles of moves: states that are values, the fewest moves by bounded search, plans judged, told move by move, and read back."""

import heapq
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rlgym.core.score import Score
from rlgym.generators.steps import Line, first_wrong

S = TypeVar("S", bound=Hashable)
Plan = tuple[str, ...]
STEP = Line("Move {number}, {move}: {state}")
END = "All moves: "


def _nothing(_: object) -> int:
    return 0


@dataclass(frozen=True)
class Moves(Generic[S]):
    """One puzzle of moves.

    options  the legal moves of a state by name, with the state each makes, in a fixed order
    done     whether a state is as asked
    said     a state in words, each of which counts: a replay compares them
    least    a number of moves that are still needed at least; never too large
    """

    start: S
    options: Callable[[S], Iterable[tuple[str, S]]]
    done: Callable[[S], bool]
    said: Callable[[S], str]
    least: Callable[[S], int] = _nothing

    def after(self, state: S, move: str) -> S | None:
        """The state that a move makes; None where it is not legal."""
        return dict(self.options(state)).get(move)


def fewest(moves: Moves[S], work: int, *, backwards: bool = False, weight: int = 1) -> Plan | None:
    """The fewest moves that reach a state as asked; None where there are none, or where more than `work` states would be looked into.

    backwards  the options of a state are taken in the other order, for another plan of the same length
    weight     above 1 the plan is found sooner and need not be the shortest
    """
    came: dict[S, tuple[S, str] | None] = {moves.start: None}
    depths = {moves.start: 0}
    queue = [(weight * moves.least(moves.start), 0, 0, moves.start)]
    count, settled = 0, set[S]()
    while queue:
        _, _, _, state = heapq.heappop(queue)
        if moves.done(state):
            return _walked(came, state)
        if state in settled:
            continue
        settled.add(state)
        if len(settled) > work:
            return None
        depth = depths[state] + 1
        options = list(moves.options(state))
        for move, after in reversed(options) if backwards else options:
            if depth < depths.get(after, depth + 1):
                count += 1
                depths[after] = depth
                came[after] = (state, move)
                settled.discard(after)
                heapq.heappush(queue, (depth + weight * moves.least(after), -depth, count, after))
    return None


def distances(start: Iterable[S], beside: Callable[[S], Iterable[S]], most: int, deepest: int = 10**6) -> dict[S, int] | None:
    """How many steps away each state is from the nearest start, nearest first, up to `deepest`; None where there are more than `most`."""
    found = dict.fromkeys(start, 0)
    ring, depth = list(found), 0
    while ring and depth < deepest:
        depth, after = depth + 1, []
        for state in ring:
            for other in beside(state):
                if other not in found:
                    found[other] = depth
                    after.append(other)
        if len(found) > most:
            return None
        ring = after
    return found


def reached(moves: Moves[S], most: int, deepest: int = 10**6) -> dict[S, int] | None:
    """How many moves away each state is, nearest first; None where there are more than `most`."""
    return distances([moves.start], lambda state: [after for _, after in moves.options(state)], most, deepest)


def _walked(came: dict[S, tuple[S, str] | None], state: S) -> Plan:
    plan = []
    while (before := came[state]) is not None:
        state, move = before
        plan.append(move)
    return tuple(reversed(plan))


def judged(moves: Moves[S], plan: Sequence[str], most: int, wanted: str) -> Score:
    """Whether a plan is legal, at most `most` moves long, and ends as `wanted` says."""
    if len(plan) > most:
        return Score.wrong(f"at most {most} moves are allowed")
    state = moves.start
    for number, move in enumerate(plan, 1):
        after = moves.after(state, move)
        if after is None:
            return Score.wrong(f"move {number} is not a legal move there")
        state = after
    return Score.exact(moves.done(state), f"{wanted} after the last move")


def mistaken(plan: Plan) -> list[Plan]:
    """Plans near a right one: cut short, back to front, a move left out, doubled, or exchanged with the next."""
    half = len(plan) // 2
    wrong = [plan[:-1] or plan * 2, plan[::-1], plan[:half] + plan[half + 1 :], plan[: half + 1] + plan[half:]]
    if len(plan) > 1:
        wrong.append((plan[1], plan[0], *plan[2:]))
    return [other for other in wrong if other]


def others(moves: Moves[S], plan: Plan, most: int, work: int) -> Iterator[Plan]:
    """Right plans beside this one: found in another order, and with a detour of a move there and back where `most` allows."""
    if found := fewest(moves, work, backwards=True):
        yield found
    if len(plan) + 2 <= most:
        for move, after in moves.options(moves.start):
            back = next((name for name, state in moves.options(after) if state == moves.start), None)
            if back is not None:
                yield (move, back, *plan)
    yield plan


def told(moves: Moves[S], plan: Plan, answer: str) -> list[str]:
    """Each move with the state that it makes, and the answer."""
    steps, state = [], moves.start
    for number, move in enumerate(plan, 1):
        after = moves.after(state, move)
        assert after is not None
        steps.append(STEP.write(number=number, move=move, state=moves.said(after)))
        state = after
    return [*steps, END + answer]


def replayed(moves: Moves[S], steps: Sequence[str], read: Callable[[str], Sequence[str] | None], most: int) -> int | None:
    """The first step that is no legal move, or does not make the state it says; the last one must repeat the moves made."""
    state, made = moves.start, list[str]()

    def follows(step: str) -> bool:
        nonlocal state
        found = STEP.read(step)
        after = moves.after(state, found["move"]) if found else None
        if not found or after is None or found["number"] != str(len(made) + 1) or found["state"] != moves.said(after):
            return False
        made.append(found["move"])
        state = after
        return True

    def ends(step: str) -> bool:
        plan = read(step.removeprefix(END)) if step.startswith(END) else None
        return plan is not None and list(plan) == made and len(made) <= most and moves.done(state)

    return first_wrong(steps, follows, ends)
