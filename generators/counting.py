"""Counts worked out by recurrences: how many objects of each sort there are, from the sorts that they are made of."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Generic, TypeVar

from rlgym.core.answer import Answer
from rlgym.core.score import Score
from rlgym.core.task import Task, TaskData
from rlgym.generators.steps import first_wrong
from rlgym.generators.worked import LAST, Sheet

S = TypeVar("S", bound=Hashable)
D = TypeVar("D", bound=TaskData)
Verify = Callable[[Task[Any], int], Score]


class Recurrence(Generic[S]):
    """The counts of states, each the sum of the counts of others.

    parts  of a state: its count where that is plain, else how many times the count of which other states is added
    name   of a state: what is counted, in words without an equals sign; different for different states
    """

    def __init__(self, goal: S, parts: Callable[[S], int | Iterable[tuple[int, S]]], name: Callable[[S], str]) -> None:
        self.goal, self.name = goal, name
        self.counts: dict[S, int] = {}
        self.sums: dict[S, list[tuple[int, S]]] = {}
        waiting = [goal]
        while waiting:
            state = waiting[-1]
            if state in self.counts:
                waiting.pop()
                continue
            if state not in self.sums:
                found = parts(state)
                if isinstance(found, int):
                    self.counts[state] = found
                    continue
                self.sums[state] = list(found)
            missing = [other for _, other in self.sums[state] if other not in self.counts]
            if missing:
                waiting += missing
                continue
            self.counts[state] = sum(times * self.counts[other] for times, other in self.sums[state])

    @property
    def count(self) -> int:
        """The count of the goal."""
        return self.counts[self.goal]

    @property
    def work(self) -> int:
        """How many additions there are."""
        return sum(map(len, self.sums.values()))

    def steps(self) -> list[str]:
        """One line for each sum, those first that others need; the last is the goal's."""
        out = []
        for state, count in self.counts.items():
            if state in self.sums and (count or state == self.goal):
                out.append(f"{self.name(state)} = {self._sum(state)} = {count}")
        return [*out[:-1], LAST + out[-1]] if self.goal in self.sums else [f"{LAST}{self.name(self.goal)} = {self.count} = {self.count}"]

    def replay(self, task: Task[Any], steps: Sequence[str], answer: Answer[int], verify: Verify) -> int | None:
        """The position of the first step that is no true count, or not a sum of numbers that are known by then."""
        times = {abs(one) for terms in self.sums.values() for one, _ in terms}
        plain = {count for state, count in self.counts.items() if state not in self.sums}
        return reread(task, steps, {self.name(state): count for state, count in self.counts.items()}, answer, verify, times | plain)

    def _sum(self, state: S) -> str:
        out = ""
        for times, other in self.sums[state]:
            if count := self.counts[other] * abs(times):
                term = str(count) if abs(times) == 1 else f"{abs(times)}*{self.counts[other]}"
                out += (" - " if times < 0 else " + ") + term
        return (out[3:] if out[:3] == " + " else f"-{out[3:]}") if out else "0"


def told(
    recurrence: Callable[[D], Recurrence[Any]], answer: Answer[int], verify: Verify
) -> tuple[Callable[[Task[D]], list[str]], Callable[[Task[D], Sequence[str]], int | None]]:
    """`explain` and `replay` of an environment that counts by a recurrence, made from a task's data."""

    def steps(task: Task[D]) -> list[str]:
        return recurrence(task.data).steps()

    def replay(task: Task[D], steps: Sequence[str]) -> int | None:
        return recurrence(task.data).replay(task, steps, answer, verify)

    return steps, replay


def reread(
    task: Task[Any],
    steps: Sequence[str],
    facts: Mapping[str, int | Fraction],
    answer: Answer[Any],
    verify: Callable[..., Score],
    known: Iterable[int] = (),
) -> int | None:
    """The position of the first step that is not one of the facts, worked out from numbers of the task, the steps before it or the known ones."""
    constants = " ".join(str(number) for number in {0, 1, 2, *known})
    sheet = Sheet(task.prompt, {name: (Fraction(value), "") for name, value in facts.items()}, constants)
    return first_wrong(steps, sheet.follows, sheet.ends(task, answer, verify))
