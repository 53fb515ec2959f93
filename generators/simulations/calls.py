"""The calls of one turn, run one after the other in a simulated world."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rlgym.answers.tools import Calls, Misuse, Tool
from rlgym.core.task import TaskData

S = TypeVar("S", bound=TaskData)


def run(state: S, calls: Calls, step: Callable[[S, Tool], tuple[S, str]], over: Callable[[S], bool]) -> tuple[S, str]:
    """The state after the calls, up to the one that ends the work, and their results; a misuse changes nothing."""
    outputs: list[str] = []
    for number, call in enumerate(calls, 1):
        state, result = (state, call.problem) if isinstance(call, Misuse) else step(state, call)
        outputs.append(f"[{number}] {result}" if len(calls) > 1 else result)
        if over(state):
            break
    return state, "\n".join(outputs)


def run_turn(state: S, calls: Calls, step: Callable[[S, Tool], tuple[S, str]], over: Callable[[S], bool]) -> S:
    """The state after the calls of one turn, with their results in its field `told`, which the player reads next."""
    after, results = run(state, calls, step, over)
    return after.model_copy(update={"told": results})


def before_the_end(first: S, best: Callable[[S], Calls], act: Callable[[S, Calls], S], over: Callable[[S], bool], turns: int) -> S:
    """The state of the oracle's play in which it needs so many turns more; the first one where it never needs as many."""
    states = [first]
    while not over(states[-1]):
        states.append(act(states[-1], best(states[-1])))
    return states[max(0, len(states) - 1 - turns)]


def submit_in_the_same_turn(state: S, best: Callable[[S], Calls], act: Callable[[S, Calls], S], submission: type[Tool]) -> Calls:
    """The oracle's calls of a turn, with the submission that it would make in the next turn, before it has read the results."""
    calls = best(state)
    after = best(act(state, calls)) if not isinstance(calls[0], submission) else ()
    return (*calls, *after) if after and isinstance(after[0], submission) else calls
