"""Counts computed by recurrences: how many objects of each sort there are, from the sorts that they consist of."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any, Generic, TypeVar

from rlgym.core.task import TaskData
from rlgym.generators import calculations
from rlgym.generators.calculations import LAST
from rlgym.solutions import Solution

S = TypeVar("S", bound=Hashable)
D = TypeVar("D", bound=TaskData)


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
                terms = parts(state)
                if isinstance(terms, int):
                    self.counts[state] = terms
                    continue
                self.sums[state] = list(terms)
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

    def named_counts(self) -> dict[str, int]:
        """Every count by the words for what is counted."""
        return {self.name(state): count for state, count in self.counts.items()}

    def constants(self) -> set[int]:
        """The factors of the sums, and the counts that are plain."""
        factors = {abs(times) for terms in self.sums.values() for times, _ in terms}
        return factors | {count for state, count in self.counts.items() if state not in self.sums}

    def _sum(self, state: S) -> str:
        out = ""
        for times, other in self.sums[state]:
            if count := self.counts[other] * abs(times):
                term = str(count) if abs(times) == 1 else f"{abs(times)}*{self.counts[other]}"
                out += (" - " if times < 0 else " + ") + term
        return (out[3:] if out[:3] == " + " else f"-{out[3:]}") if out else "0"


def recurrence_solution(recurrence: Callable[[D], Recurrence[Any]]) -> Solution[D]:
    """The worked solution of an environment that counts by a recurrence, made from a task's data: one line for each sum.

    A solution is right if each of its lines is a true count, computed from counts that are known by then.
    """
    return calculations.solution(
        lines=lambda task: recurrence(task.data).steps(),
        facts=lambda task: count_facts(recurrence(task.data).named_counts()),
        constants="0 1 2",
        known=lambda task: recurrence(task.data).constants(),
    )


def count_facts(counts: Mapping[str, int]) -> calculations.Facts:
    """Named counts as quantities that the lines of a calculation may work out."""
    return {name: (Fraction(count), "") for name, count in counts.items()}
