"""The tree that a depth-first search walks: what can be tried in a node, and why it cannot lead on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Option:
    """One choice in a node, as sentences.

    text     what is tried
    check    that no rule is broken by it; empty where one is
    undo     what taking it back leaves
    dead     why it leads nowhere; empty where it can be followed
    open     gives the node that it leads to, unless it is dead
    solution True if the oracle's solution makes this choice
    """

    text: str
    undo: str
    check: str = ""
    dead: str = ""
    open: Callable[[], Node] | None = None
    solution: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """The choices of a node, and what is announced before one is made.

    subgoal    what is looked for next
    exhausted  why no choice can be followed, where none can
    failed     that all choices that could be followed have failed
    """

    subgoal: str
    options: Sequence[Option]
    exhausted: str
    failed: str


class Node(Protocol):
    """A position of the search."""

    @property
    def solved(self) -> bool:
        """Whether the task is solved here."""
        ...

    def branch(self) -> Branch:
        """What can be tried here."""
        ...


@dataclass(frozen=True, slots=True)
class Refutation:
    """A wrong choice that was followed to its end: the options that were tried, and the number of dead ends."""

    option: Option
    branch: Branch | None
    tried: tuple[Refutation, ...]
    dead_ends: int


class Work:
    """The number of nodes that may still be visited."""

    def __init__(self, nodes: int) -> None:
        self.left = nodes


def refute(option: Option, most: int, work: Work) -> Refutation | None:
    """Follow a choice until all of it has failed; None if it leads to a solution, to more than `most` dead ends, or takes too much work."""
    if option.open is None:
        return Refutation(option, None, (), 1) if most >= 1 else None
    work.left -= 1
    node = option.open()
    if work.left < 0 or node.solved:
        return None
    branch, tried, count = node.branch(), list[Refutation](), 0
    # Choices that fail at once are named together, as one dead end.
    for each in branch.options:
        if each.open is None:
            continue
        found = refute(each, most - count, work)
        if found is None:
            return None
        tried.append(found)
        count += found.dead_ends
    count = count or 1
    return Refutation(option, branch, tuple(tried), count) if count <= most else None
