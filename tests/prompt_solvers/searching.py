"""Searches over states: breadth first from one end, and from both ends where moves can be undone."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

State = TypeVar("State", bound=Hashable)


def shortest(start: State, moves: Callable[[State], Iterable[tuple[str, State]]], done: Callable[[State], bool]) -> list[str] | None:
    """The labels of a shortest sequence of moves to a state that is done; None if there is none."""
    came: dict[State, tuple[str, State] | None] = {start: None}
    front = [start]
    if done(start):
        return []
    while front:
        following = []
        for state in front:
            for label, other in moves(state):
                if other in came:
                    continue
                came[other] = (label, state)
                if done(other):
                    return back(came, other)
                following.append(other)
        front = following
    return None


def back(came: dict[State, tuple[str, State] | None], state: State) -> list[str]:
    """The labels that lead to a state."""
    labels = []
    while step := came[state]:
        labels.append(step[0])
        state = step[1]
    return labels[::-1]


def from_both_ends(start: State, goal: State, moves: Callable[[State], Iterable[tuple[str, str, State]]]) -> list[str]:
    """The labels of a shortest sequence between two states; `moves` gives a label, the label that undoes it, and the state."""
    ahead: dict[State, tuple[str, State] | None] = {start: None}
    behind: dict[State, tuple[str, State] | None] = {goal: None}
    fronts = [start], [goal]
    while start != goal:
        forward = len(fronts[0]) <= len(fronts[1])
        came, others, front = (ahead, behind, fronts[0]) if forward else (behind, ahead, fronts[1])
        following = []
        for state in front:
            for label, undo, other in moves(state):
                if other in came:
                    continue
                came[other] = (label if forward else undo, state)
                if other in others:
                    return back(ahead, other) + back(behind, other)[::-1]
                following.append(other)
        if not following:
            raise ValueError("the goal cannot be reached")
        fronts = (following, fronts[1]) if forward else (fronts[0], following)
    return []
