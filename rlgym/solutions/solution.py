"""A worked solution, declared once: `explain` writes it, `replay` checks somebody else's steps against it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from rlgym.core.answer import Answer, Unreadable
from rlgym.core.score import Score
from rlgym.core.task import Task, TaskData
from rlgym.solutions.step import Due, OneOf, Step, Taken

D = TypeVar("D", bound=TaskData)
Derivation = Generator[Due | OneOf, Taken, None]
Checks = Mapping[Step, Callable[..., bool]] | Callable[[str], bool]
BAD_STEP = (ValueError, LookupError, ArithmeticError, StopIteration, Unreadable)  # what a check may raise for a step that makes no sense


ROUNDED = Step("Rounded: {answer}")
"""The last step where the exact answer is a fraction of long numbers and a rounded one is accepted."""
DECIMAL = Step("In decimals: {answer}")
"""The last step where the calculation ends in a fraction and the answer is written as a decimal."""


def restates_answer(step: str) -> bool:
    """Whether a step gives the answer of the step before in the digits that the task asks for."""
    return (ROUNDED.read(step) or DECIMAL.read(step)) is not None


class Solution(Generic[D]):
    """The worked solution of an environment's tasks.

    derive  (task) -> a generator of the steps as they fall due. `taken = yield STEP(count=3, towns=ring)` writes that step; `taken` holds
            the values of the step that was taken, which is another one in somebody else's solution if `STEP(...).accepting(check)` allows
            other values, or if `A(...) | B(...)` allows several steps. `yield from any_order([...])` takes steps in any order.
    closing the last sentence. Its gap {answer} holds the answer, which `verify` judges; its other gaps are fields (or properties) of the task's data.
            A template that `derive` yields last may be the closing as well.
    checks  (task) -> for each template whether a step's values are true, or one function that judges a step's text, independently of
            `derive`. Where it is given, steps may come in any order that it accepts, and `derive` is not asked.
    whole   the closing may come only where no other step is due
    """

    def __init__(
        self,
        derive: Callable[[Task[D]], Derivation],
        closing: str | Step,
        checks: Callable[[Task[D]], Checks] | None = None,
        whole: bool = False,
    ) -> None:
        self.derive, self.checks, self.whole = derive, checks, whole
        self.closing = Step(closing) if isinstance(closing, str) else closing
        self.closes_itself = isinstance(closing, Step)
        if "answer" not in self.closing.types:
            raise ValueError(f"the closing {self.closing.template!r} has no gap {{answer}}")

    def steps(self, task: Task[D]) -> list[Due]:
        """The steps of the worked solution, the closing left out unless `derive` yields it."""
        derivation, out = self.derive(task), list[Due]()
        due = next(derivation, None)
        while due is not None:
            first = due.choices[0] if isinstance(due, OneOf) else due
            out.append(first)
            due = _send(derivation, Taken(first.step, first.fields, first))
        return out

    def explain(self, task: Task[D], answer: Answer[Any], solve: Callable[[Task[D]], Any]) -> list[str]:
        """The worked solution of a task, step by step."""
        texts, written = [due.text for due in self.steps(task)], answer.render(solve(task))
        if not self.closes_itself:
            texts.append(self.closing_of(task).write(answer=written))
        elif getattr(answer, "as_decimal", False) and written not in texts[-1]:
            texts.append(DECIMAL.write(answer=written))
        elif getattr(answer, "digits", None) and written not in texts[-1]:
            texts.append(ROUNDED.write(answer=written))
        return texts

    def replay(self, task: Task[D], steps: Sequence[str], answer: Answer[Any], verify: Callable[[Task[D], Any], Score]) -> int | None:
        """The position of the first step that does not follow from the task and the steps before it; None where all follow; 0 of no steps."""
        checker = self.checker(task, answer, verify)
        for position, step in enumerate(steps):
            if not (checker.closes(step) if position == len(steps) - 1 else checker.follows(step)):
                return position
        return None if steps else 0

    def checker(self, task: Task[D], answer: Answer[Any], verify: Callable[[Task[D], Any], Score]) -> Checker:
        """What judges steps of a solution of this task one after another."""
        judge: Follows = _Checked(self.checks(task)) if self.checks else _Derived(self.derive(task))
        return Checker(self, task, judge, answer, verify)

    def templates(self, task: Task[D]) -> list[Step]:
        """The templates that solutions of this task use, the closing last."""
        checks = self.checks(task) if self.checks else {}
        used = [due.step for due in self.steps(task)] + (list(checks) if isinstance(checks, Mapping) else [])
        return [*dict.fromkeys(step for step in used if step is not self.closing), self.closing_of(task)]

    def closing_of(self, task: Task[D]) -> Step:
        """The closing with the fields of the task's data filled in."""
        if self.closes_itself:
            return self.closing
        return self.closing.filled(**{gap: getattr(task.data, gap) for gap in self.closing.types if gap != "answer"})


class SolutionByTask(Generic[D]):
    """The worked solution of an environment whose kinds of tasks are solved in different ways: `chosen` (task) -> the solution of that task."""

    def __init__(self, chosen: Callable[[Task[D]], Solution[D]]) -> None:
        self.chosen = chosen

    def explain(self, task: Task[D], answer: Answer[Any], solve: Callable[[Task[D]], Any]) -> list[str]:
        return self.chosen(task).explain(task, answer, solve)

    def replay(self, task: Task[D], steps: Sequence[str], answer: Answer[Any], verify: Callable[[Task[D], Any], Score]) -> int | None:
        return self.chosen(task).replay(task, steps, answer, verify)


class Checker:
    """Judges the steps of one solution one after another; a step that is wrong leaves it where it was."""

    def __init__(self, solution: Solution[Any], task: Task[Any], judge: Follows, answer: Answer[Any], verify: Callable[..., Score]) -> None:
        self._solution, self._task, self._judge, self._answer, self._verify = solution, task, judge, answer, verify

    def follows(self, step: str) -> bool:
        """Whether this step may come next. One that states the answer is true only where the answer is right, whatever its check reads."""
        solution = self._solution
        if solution.checks is not None and solution.closes_itself and solution.closing.read(step) is not None:
            return self.closes(step)
        try:
            return self._judge.follows(step)
        except BAD_STEP:
            return False

    def closes(self, step: str) -> bool:
        """Whether this is the last sentence, with a right answer."""
        solution = self._solution
        read = solution.closing_of(self._task).read(step)
        try:
            if read is None and solution.closes_itself and (restated := ROUNDED.read(step) or DECIMAL.read(step)) is not None:
                return self._verify(self._task, self._answer.parse(restated["answer"])).value == 1
            if read is None or (not self._judge.done(solution.closing) if solution.whole else False):
                return False
            if solution.closes_itself and not self._judge.follows(step):
                return False
            return self._verify(self._task, self._answer.parse(read["answer"])).value == 1
        except BAD_STEP:
            return False


class Follows:
    """How a checker judges the steps before the last."""

    def follows(self, step: str) -> bool:
        raise NotImplementedError

    def done(self, closing: Step) -> bool:
        """Whether nothing but the closing is due."""
        raise NotImplementedError


class _Derived(Follows):
    """A step must be one that the derivation says is due now."""

    def __init__(self, derivation: Derivation) -> None:
        self._derivation = derivation
        self._due = _choices(next(derivation, None))

    def follows(self, step: str) -> bool:
        for due in self._due:
            read = due.step.read(step)
            if read is None:
                continue
            if due.check is None:
                if step != due.text:
                    continue
                chosen = Taken(due.step, due.fields, due)
            else:
                values = due.step.values(read)
                if not due.check(**values):
                    continue
                chosen = Taken(due.step, values, due)
            self._due = _choices(_send(self._derivation, chosen))
            return True
        return False

    def done(self, closing: Step) -> bool:
        return all(due.step is closing for due in self._due)


class _Checked(Follows):
    """A step must be true by the check of the first template that reads it."""

    def __init__(self, checks: Checks) -> None:
        self._checks = checks

    def follows(self, step: str) -> bool:
        if not isinstance(self._checks, Mapping):
            return self._checks(step)
        for template, check in self._checks.items():
            if (read := template.read(step)) is not None:
                return bool(check(**template.values(read)))
        return False

    def done(self, closing: Step) -> bool:
        return True


def in_order(steps: Iterable[Due]) -> Derivation:
    """Steps one after another; the counterpart of `any_order`."""
    for step in steps:
        _ = yield step


def any_order(steps: Iterable[Due]) -> Derivation:
    """Steps that may be taken in any order."""
    remaining = list(steps)
    while remaining:
        chosen = yield OneOf(tuple(remaining))
        remaining = [due for due in remaining if due is not chosen.due]


def _send(derivation: Derivation, chosen: Taken) -> Due | OneOf | None:
    try:
        return derivation.send(chosen)
    except StopIteration:
        return None


def _choices(due: Due | OneOf | None) -> tuple[Due, ...]:
    return () if due is None else due.choices if isinstance(due, OneOf) else (due,)
