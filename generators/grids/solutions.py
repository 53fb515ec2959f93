"""Worked solutions that an engine writes as sentences and that a checker of their text judges."""

from collections.abc import Callable, Iterable
from typing import Any

from rlgym.core.task import Task
from rlgym.generators.grids.paper import Contradiction
from rlgym.solutions import Derivation, Solution, sentence


def text_solution(
    write: Callable[[Task[Any]], Iterable[str]], checker: Callable[[Task[Any]], Callable[[str], bool]], closing: str
) -> Solution[Any]:
    """A solution whose steps before the closing `write` writes, and a checker of its own judges one after the other.

    A checker changes its state only by steps that it accepts. A contradiction that it did not expect refuses a step.
    """

    def derive(task: Task[Any]) -> Derivation:
        for text in write(task):
            yield sentence(text)

    def checks(task: Task[Any]) -> Callable[[str], bool]:
        follows = checker(task)

        def check(step: str) -> bool:
            try:
                return follows(step)
            except Contradiction:
                return False

        return check

    return Solution(derive, closing, checks)
