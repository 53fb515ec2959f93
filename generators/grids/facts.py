"""Puzzles solved fact by fact, each with its reason, in steps that are parsed and judged one by one."""

import re
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from rlgym.core.task import Task
from rlgym.generators.grids.paper import Choice, Contradiction, PartialSolution
from rlgym.generators.grids.solutions import text_solution
from rlgym.solutions import Solution

COMPLETE = "The board is complete:\n{answer}"
NAMED = "r2c3 stands for the cell in row 2, column 3."
COMPARED = 6  # suppositions that fail, the one with the shortest refutation is written
_DEDUCTION = re.compile(r"([^:]+): (.+)\.")
_REFUTATION = re.compile(r"Suppose ([^.]+)\. (?:It follows that (.+)\. )?But (.+)\. So ([^.]+)\.")
_STORY = re.compile(r"Suppose ([^.{}]+)\. (?:It follows that ([^{}]+)\. )?(?:But ([^{}]+)|Each case left fails (\{.+\}))\.")
_INNER = re.compile(r"(.+?) \[(.+)\]")


class Sheet(PartialSolution):
    """A puzzle in progress, deduced fact by fact; `claim` and `denial` use none of . : , ; since steps are parsed.

    `assign` and `next` raise Contradiction, with the reason, when a choice breaks the rules.
    """

    @abstractmethod
    def next(self) -> tuple[list[Choice], str] | None:
        """Make one deduction: what is now known, and why; None where no rule tells more."""

    @abstractmethod
    def failing(self) -> Sequence[Choice]:
        """Choices whose supposition leads to a contradiction by deductions alone; empty when nothing is open."""

    @abstractmethod
    def read(self, text: str) -> Choice:
        """The choice that a text states; a ValueError or KeyError for other texts."""

    @abstractmethod
    def follows(self, choices: Sequence[Choice], why: str) -> bool:
        """Whether the reason holds here and implies all of these."""

    @abstractmethod
    def broken(self, why: str) -> bool:
        """Whether the stated contradiction holds."""

    def cases(self) -> Sequence[Choice]:
        """Choices of which one must be taken, where no single one fails by deductions; empty when nothing is open."""
        return ()

    def is_exhaustive(self, choices: Sequence[Choice]) -> bool:
        """Whether one of these choices must be taken."""
        return False

    def needed(self, chain: list[tuple[list[Choice], str]], why: str, first: Choice) -> list[tuple[list[Choice], str]]:
        """The deductions of a chain without those that its contradiction does not need."""
        return chain


def explain(sheet: Sheet) -> list[str]:
    """The way to the only solution, a deduction a step.

    A supposition fails by deductions alone where there is such a one; else by further suppositions inside it.
    """
    steps = [NAMED]
    while True:
        if deduction := sheet.next():
            steps.append(f"{', '.join(map(sheet.claim, deduction[0]))}: {deduction[1]}.")
        elif wrong := sheet.failing():
            stories = [(_refute(sheet, choice), choice) for choice in wrong[:COMPARED]]
            story, choice = min(stories, key=lambda story: (len(story[0]), story))
            steps.append(story)
            sheet.eliminate(choice)
        elif cases := sheet.cases():
            told = ((choice, _tell_failure(sheet, choice)) for choice in cases)
            choice, text = next((choice, text) for choice, text in told if text)
            steps.append(f"{text} So {sheet.denial(choice)}.")
            sheet.eliminate(choice)
        else:
            return steps


def _tell_failure(sheet: Sheet, choice: Choice) -> str:
    """How a supposition fails, with further ones inside it where deductions do not tell; empty where it does not fail."""
    trial, chain = sheet.copy(), []
    try:
        trial.assign(choice)
        while deduction := trial.next():
            chain.append(deduction)
    except Contradiction as dead:
        return f"Suppose {sheet.claim(choice)}. {_write_chain(sheet, sheet.needed(chain, str(dead), choice))}But {dead}."
    told = []
    for case in trial.cases():
        text = _tell_failure(trial, case)
        if not text:
            return ""
        told.append(f"{{{text}}}")
    return f"Suppose {sheet.claim(choice)}. {_write_chain(sheet, chain)}Each case left fails {' '.join(told)}." if told else ""


def _write_chain(sheet: Sheet, chain: list[tuple[list[Choice], str]]) -> str:
    deductions = "; ".join(f"{', '.join(map(sheet.claim, choices))} [{why}]" for choices, why in chain)
    return f"It follows that {deductions}. " if deductions else ""


def _refute(sheet: Sheet, choice: Choice) -> str:
    trial, chain = sheet.copy(), []
    try:
        trial.assign(choice)
        while deduction := trial.next():
            chain.append(deduction)
    except Contradiction as dead:
        follows = _write_chain(sheet, sheet.needed(chain, str(dead), choice))
        return f"Suppose {sheet.claim(choice)}. {follows}But {dead}. So {sheet.denial(choice)}."
    raise AssertionError("a supposition that fails does so by deductions")


def sheet_solution(sheet: Callable[[Task[Any]], Sheet], closing: str = COMPLETE) -> Solution[Any]:
    """The solution of tasks, each as a sheet: every step is read, judged by the rule that it names, and written down."""

    def checker(task: Task[Any]) -> Callable[[str], bool]:
        known = sheet(task)
        return lambda step: _follows(known, step)

    return text_solution(lambda task: explain(sheet(task)), checker, closing)


def _follows(sheet: Sheet, step: str) -> bool:
    if step.startswith("r2c3 stands"):
        return step == NAMED
    if failed := _REFUTATION.fullmatch(step):
        choice = sheet.read(failed[1])
        if not _fails(sheet, choice, failed[2] or "", failed[3]) or failed[4] != sheet.denial(choice):
            return False
        sheet.eliminate(choice)
        return True
    if step.startswith("Suppose "):
        text, _, denial = step.removesuffix(".").rpartition(" So ")
        refuted = _read_failure(sheet, text)
        if refuted is None or denial != sheet.denial(refuted):
            return False
        sheet.eliminate(refuted)
        return True
    deduction = _DEDUCTION.fullmatch(step)
    return deduction is not None and _accept(sheet, deduction[1], deduction[2])


def _read_failure(sheet: Sheet, text: str) -> Choice | None:
    """The supposition of which the text shows that it fails; None where it does not."""
    match = _STORY.fullmatch(text)
    if match is None:
        return None
    choice = sheet.read(match[1])
    if match[3]:
        return choice if _fails(sheet, choice, match[2] or "", match[3]) else None
    trial = sheet.copy()
    trial.assign(choice)
    if match[2] and not _accept_chain(trial, match[2]):
        return None
    refuted = [_read_failure(trial, case) for case in _split_braces(match[4])]
    cases = [case for case in refuted if case is not None]
    return choice if len(cases) == len(refuted) and trial.is_exhaustive(cases) else None


def _split_braces(text: str) -> list[str]:
    """What stands in the outermost braces."""
    parts, depth, begun = list[str](), 0, 0
    for i, sign in enumerate(text):
        if sign == "{":
            depth, begun = depth + 1, begun if depth else i + 1
        elif sign == "}":
            depth -= 1
            if not depth:
                parts.append(text[begun:i])
    if " ".join(f"{{{part}}}" for part in parts) != text:
        raise ValueError(f"{text!r} is no list of cases in braces")
    return parts


def _accept_chain(trial: Sheet, chain: str) -> bool:
    for inner in chain.split("; "):
        match = _INNER.fullmatch(inner)
        if match is None or not _accept(trial, match[1], match[2]):
            return False
    return True


def _fails(sheet: Sheet, choice: Choice, chain: str, why: str) -> bool:
    """Whether a supposition's chain ends in the stated contradiction."""
    trial = sheet.copy()
    try:
        trial.assign(choice)
        if chain and not _accept_chain(trial, chain):
            return False
    except Contradiction as dead:
        return str(dead) == why
    return trial.broken(why)


def _accept(sheet: Sheet, facts: str, why: str) -> bool:
    choices = [sheet.read(fact) for fact in facts.split(", ")]
    if len(set(choices)) != len(choices) or not sheet.follows(choices, why):
        return False
    for choice in choices:
        sheet.assign(choice)
    return True
