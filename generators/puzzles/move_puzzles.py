"""Puzzles of moves: states as values, A* search for the fewest moves, verification of plans, and worked solutions move by move."""

import heapq
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Generic, TypeVar

from rlgym.core.answer import Answer
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.solutions import Derivation, Solution, Step

S = TypeVar("S", bound=Hashable)
Plan = tuple[str, ...]
STEP = Step("Move {number:int}, {move}: {state}")
END = Step("All moves: {answer}")


def _zero(_: object) -> int:
    return 0


@dataclass(frozen=True)
class Moves(Generic[S]):
    """One puzzle of moves.

    options      the legal moves of a state by name, with the state each makes, in a fixed order
    is_goal      whether a state is as asked
    describe     a state in words; worked solutions are checked by them
    lower_bound  of the moves still needed: the heuristic of the search, which never overestimates
    """

    start: S
    options: Callable[[S], Iterable[tuple[str, S]]]
    is_goal: Callable[[S], bool]
    describe: Callable[[S], str]
    lower_bound: Callable[[S], int] = _zero

    def after(self, state: S, move: str) -> S | None:
        """The state that a move makes; None where it is not legal."""
        return dict(self.options(state)).get(move)


def a_star(moves: Moves[S], work: int, *, backwards: bool = False, weight: int = 1) -> Plan | None:
    """A* search for the fewest moves to a goal state; None where there are none, or where more than `work` states would be expanded.

    backwards  the options of a state are taken in the other order, for another plan of the same length
    weight     above 1 the plan is found sooner and need not be the shortest
    """
    predecessors: dict[S, tuple[S, str] | None] = {moves.start: None}
    depths = {moves.start: 0}
    queue = [(weight * moves.lower_bound(moves.start), 0, 0, moves.start)]
    count, closed = 0, set[S]()
    while queue:
        _, _, _, state = heapq.heappop(queue)
        if moves.is_goal(state):
            return _path_to(predecessors, state)
        if state in closed:
            continue
        closed.add(state)
        if len(closed) > work:
            return None
        depth = depths[state] + 1
        options = list(moves.options(state))
        for move, after in reversed(options) if backwards else options:
            if depth < depths.get(after, depth + 1):
                count += 1
                depths[after] = depth
                predecessors[after] = (state, move)
                closed.discard(after)
                heapq.heappush(queue, (depth + weight * moves.lower_bound(after), -depth, count, after))
    return None


def breadth_first_distances(
    start: Iterable[S], neighbours: Callable[[S], Iterable[S]], most: int, deepest: int = 10**6
) -> dict[S, int] | None:
    """Breadth-first search: the steps from the nearest start to each state, nearest first, up to `deepest`; None for more than `most` states."""
    distances = dict.fromkeys(start, 0)
    ring, depth = list(distances), 0
    while ring and depth < deepest:
        depth, after = depth + 1, []
        for state in ring:
            for other in neighbours(state):
                if other not in distances:
                    distances[other] = depth
                    after.append(other)
        if len(distances) > most:
            return None
        ring = after
    return distances


def bidirectional_search(start: S, goal: S, neighbours: Callable[[S], Iterable[S]]) -> list[S]:
    """The states of a shortest way between two, both included, where moves can be taken back: breadth-first search from both ends.

    Raises ValueError where there is no way.
    """
    rings, parents = [[start], [goal]], [{start: start}, {goal: goal}]
    meeting = start if start == goal else None
    while meeting is None:
        side = 0 if len(rings[0]) <= len(rings[1]) else 1
        ring: list[S] = []
        for state in rings[side]:
            for other in neighbours(state):
                if other not in parents[side]:
                    parents[side][other] = state
                    ring.append(other)
        if not ring:
            raise ValueError("there is no way from the start to the goal")
        rings[side] = ring
        meeting = next((state for state in ring if state in parents[1 - side]), None)
    halves = []
    for parent in parents:
        half = [meeting]
        while parent[half[-1]] != half[-1]:
            half.append(parent[half[-1]])
        halves.append(half)
    return halves[0][::-1] + halves[1][1:]


def meet_in_the_middle(moves: Moves[S], goal: S, *, backwards: bool = False) -> Plan:
    """The fewest moves to the only goal state, where moves can be taken back; `backwards` as in `a_star`. ValueError where there is no way.

    For puzzles whose lower bounds tell little: the two searches go half as deep each.
    """

    def neighbours(state: S) -> list[S]:
        states = [after for _, after in moves.options(state)]
        return states[::-1] if backwards else states

    way = bidirectional_search(moves.start, goal, neighbours)
    return tuple(next(move for move, made in moves.options(state) if made == after) for state, after in pairwise(way))


def reachable_states(moves: Moves[S], most: int, deepest: int = 10**6) -> dict[S, int] | None:
    """How many moves away each state is, nearest first; None where there are more than `most`."""
    return breadth_first_distances([moves.start], lambda state: [after for _, after in moves.options(state)], most, deepest)


def _path_to(predecessors: dict[S, tuple[S, str] | None], state: S) -> Plan:
    plan = []
    while (before := predecessors[state]) is not None:
        state, move = before
        plan.append(move)
    return tuple(reversed(plan))


def verify_plan(moves: Moves[S], plan: Sequence[str], most: int, goal: str) -> Score:
    """Whether a plan is legal, at most `most` moves long, and ends as `wanted` says."""
    if len(plan) > most:
        return Score.wrong(f"at most {most} moves are allowed")
    state = moves.start
    for number, move in enumerate(plan, 1):
        after = moves.after(state, move)
        if after is None:
            return Score.wrong(f"move {number} is not a legal move there")
        state = after
    return Score.exact(moves.is_goal(state), f"{goal} after the last move")


def near_misses(plan: Plan) -> list[Plan]:
    """Plans near a right one: cut short, back to front, a move left out, doubled, or exchanged with the next."""
    half = len(plan) // 2
    wrong = [plan[:-1] or plan * 2, plan[::-1], plan[:half] + plan[half + 1 :], plan[: half + 1] + plan[half:]]
    if len(plan) > 1:
        wrong.append((plan[1], plan[0], *plan[2:]))
    return [other for other in wrong if other]


def other_plans(moves: Moves[S], plan: Plan, most: int, work: int) -> Iterator[Plan]:
    """Other right plans: found in another order, and with a detour of a move there and back where `most` allows."""
    if found := a_star(moves, work, backwards=True):
        yield found
    yield from detours(moves, plan, most)


def detours(moves: Moves[S], plan: Plan, most: int) -> Iterator[Plan]:
    """A right plan with a move there and back before it where `most` allows, and the plan itself."""
    if len(plan) + 2 <= most:
        for move, after in moves.options(moves.start):
            back = next((name for name, state in moves.options(after) if state == moves.start), None)
            if back is not None:
                yield (move, back, *plan)
    yield plan


def derive(moves: Moves[S], plan: Sequence[str], answer: str) -> Derivation:
    """Each move of a plan with the state that it makes, and the answer."""
    state = moves.start
    for number, move in enumerate(plan, 1):
        after = moves.after(state, move)
        assert after is not None
        yield STEP(number=number, move=move, state=moves.describe(after))
        state = after
    yield END(answer=answer)


def checks(moves: Moves[S], parse: Callable[[str], Sequence[Any]]) -> dict[Step, Callable[..., bool]]:
    """Whether each step is a legal move and makes the state that it says; the closing must repeat the moves made."""
    taken, reached = list[str](), [moves.start]

    def follows(number: int, move: str, state: str) -> bool:
        after = moves.after(reached[-1], move)
        if after is None or number != len(reached) or state != moves.describe(after):
            return False
        taken.append(move)
        reached.append(after)
        return True

    def repeats(answer: str) -> bool:
        return list(map(str, parse(answer))) == taken and moves.is_goal(reached[-1])

    return {STEP: follows, END: repeats}


def solution(puzzle: Callable[[Any], Moves[Any]], plan: Callable[[Task[Any]], Sequence[Any]], answer: Answer[Any]) -> Solution[Any]:
    """The solution of tasks whose data `puzzle` reads: a plan, move by move; any legal moves that reach the goal are right."""

    def derivation(task: Task[Any]) -> Derivation:
        moves = plan(task)
        return derive(puzzle(task.data), list(map(str, moves)), answer.render(moves))

    return Solution(derivation, END, lambda task: checks(puzzle(task.data), answer.parse))


@dataclass(frozen=True)
class PlanOrProof:
    """The solution of tasks that ask for a plan of moves or, where none exists, for a proof of that."""

    possible: Callable[[Any], bool]
    plan: Solution[Any]
    proof: Solution[Any]

    def explain(self, task: Task[Any], answer: Answer[Any], solve: Callable[[Any], Any]) -> list[str]:
        return self.chosen(task).explain(task, answer, solve)

    def replay(self, task: Task[Any], steps: Sequence[str], answer: Answer[Any], verify: Callable[..., Score]) -> int | None:
        return self.chosen(task).replay(task, steps, answer, verify)

    def chosen(self, task: Task[Any]) -> Solution[Any]:
        """The solution that this task asks for."""
        return self.plan if self.possible(task.data) else self.proof
