"""Worked solutions that are read back: sentences with gaps, and going through the steps of a solution one by one."""

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from rlgym.core.answer import Answer, Unreadable
from rlgym.core.score import Score
from rlgym.core.task import Task

A = TypeVar("A")


class Line:
    """A sentence with gaps in braces, written and read back by one pattern: Line("By rule {rule}, {fact} holds")."""

    def __init__(self, text: str) -> None:
        self.text = text
        parts = re.split(r"\{(\w+)\}", text)
        gaps = [f"(?P<{part}>.+?)" if i % 2 else re.escape(part) for i, part in enumerate(parts)]
        self._pattern = re.compile("".join(gaps), re.DOTALL)

    def write(self, **gaps: object) -> str:
        """The sentence with its gaps filled."""
        return self.text.format(**gaps)

    def read(self, step: str) -> dict[str, str] | None:
        """What fills the gaps in a step of this form; None of another form."""
        found = self._pattern.fullmatch(step)
        return found and found.groupdict()


def first_wrong(steps: Sequence[str], follows: Callable[[str], bool], ends: Callable[[str], bool]) -> int | None:
    """The position of the first step that does not follow; `ends` judges the last one. Of no steps at all, 0."""
    for at, step in enumerate(steps):
        try:
            if not (ends if at == len(steps) - 1 else follows)(step):
                return at
        except (ValueError, LookupError, ArithmeticError):  # a number that is none or 0, a name that there is not
            return at
    return None if steps else 0


def ended(lead: str, task: Task[Any], answer: Answer[A], verify: Callable[[Task[Any], A], Score]) -> Callable[[str], bool]:
    """For the last step: whether it is this lead and then a right answer."""

    def ends(step: str) -> bool:
        try:
            return step.startswith(lead) and verify(task, answer.parse(step[len(lead) :])).value == 1
        except Unreadable:
            return False

    return ends
