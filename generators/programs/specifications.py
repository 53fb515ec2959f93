"""Problems to write a program for: two solutions with their rules as keyword arguments, written out for one set of rules, tests and wrong programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from rlgym.core.declare import Audit
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task, TaskData
from rlgym.generators.programs import suites
from rlgym.generators.programs.specialise import Rules, program, reference_to
from rlgym.generators.programs.suites import Inputs, Meaning
from rlgym.sandbox import Runner
from rlgym.sandbox.grading import score_program

MOST_MUTANTS = 12
MOST_WRONG = 5


@dataclass(frozen=True)
class Specification:
    """What a program is to do.

    words   the statement, which names the function and its arguments
    plain   the specification as a function, as plain as can be: brute force where there is a choice to make
    swift   an independent solution that is quick on large inputs too
    rules   the keyword arguments of both
    near    rules that a careless reader would take for these
    hasty   solutions that look right: greedy, an edge case forgotten
    inputs  arguments for tests, small enough for `plain`, the plainest first
    large   arguments for tests that only `swift` can answer in time
    weight  how much there is to think of
    kind    what `inputs` of the same family takes to make more of them
    """

    words: str
    plain: Meaning
    swift: Meaning
    rules: Rules
    near: Sequence[Rules]
    inputs: Inputs
    weight: float
    hasty: Sequence[Meaning] = ()
    large: Inputs = ()
    kind: str = ""
    shown: Inputs = field(default=())  # inputs fit to be shown; some of `inputs` where empty
    trivial: Sequence[object] = ()  # values that show little of what is meant; some example returns another one
    always: int = 40  # so many of the first inputs are tests in any case


class Data(TaskData):
    """What is tested. The programs are written out from the functions and rules only when they are asked for."""

    weight: float
    swift: str  # a function by module and name
    plain: str  # one that is too slow for large inputs
    rules: str  # the keyword arguments of both, as a literal
    mistaken: tuple[tuple[str, str], ...]  # functions with rules that make wrong programs
    shown: int
    large: int
    kind: str
    tests: tuple[suites.Test, ...]

    @property
    def reference(self) -> str:
        return program(self.swift, self.rules)

    @property
    def other(self) -> str:
        return program(self.plain, self.rules)

    @property
    def wrong(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(program(function, rules) for function, rules in self.mistaken))


def pose(rng: Rng, specification: Specification, examples: int) -> Task[Data]:
    """The task to write a program for this specification, with this many of the tests shown."""
    right, swift = _memoize(partial(specification.plain, **specification.rules)), partial(specification.swift, **specification.rules)
    near = [rules for rules in specification.near if rules != specification.rules]
    wrong = [(specification.swift, rules) for rules in near] + [(hasty, specification.rules) for hasty in specification.hasty]
    fit = rng.shuffled(
        specification.shown
        or [arguments for arguments in specification.inputs[4:80] if 14 <= len(repr(arguments)) <= 110]
        or specification.inputs[4:80]
    )
    # Inputs that distinguish the rules from near misses make better examples.
    mutants_failing = {
        repr(arguments): sum(not suites.agree(right, partial(other, **rules), arguments) for other, rules in wrong)
        for arguments in fit[:10]
    }
    ranked = sorted(fit[:10], key=lambda arguments: -mutants_failing[repr(arguments)])
    chosen = ranked[:examples]
    if chosen and all(right(*arguments) in specification.trivial for arguments in chosen):
        chosen[-1] = next((arguments for arguments in [*ranked, *fit] if right(*arguments) not in specification.trivial), chosen[-1])
    shown = [(repr(arguments), repr(right(*arguments))) for arguments in chosen]
    tests = suites.choose_tests(
        right,
        [partial(other, **rules) for other, rules in wrong],
        specification.inputs,
        least=specification.always,
        most=specification.always + 34,
        twice=3,
    )
    large = [(repr(arguments), repr(swift(*arguments))) for arguments in specification.large]
    calls = "\n".join(f"solve{arguments.removesuffix(',)').removesuffix(')')}) returns {value}" for arguments, value in shown)
    data = Data(
        weight=specification.weight,
        swift=reference_to(specification.swift),
        plain=reference_to(specification.plain),
        rules=repr(dict(specification.rules)),
        mistaken=tuple((reference_to(other), repr(dict(rules))) for other, rules in rng.sample(wrong, min(MOST_WRONG, len(wrong)))),
        shown=len(shown),
        large=len(large),
        kind=specification.kind,
        tests=(*shown, *tests, *large),
    )
    return Task(f"{specification.words}\n\nFor example:\n{calls}\n\nOther inputs are tested too.", data)


def _memoize(function: Meaning) -> Meaning:
    """The function, which works out nothing twice."""
    known: dict[str, Any] = {}

    def remembered(*arguments: Any) -> Any:
        key = repr(arguments)
        if key not in known:
            known[key] = function(*arguments)
        return known[key]

    return remembered


def solve(task: Task[Data]) -> str:
    # The other program computes what the tests expect, except for large inputs.
    return task.data.reference


def solutions(task: Task[Data]) -> list[str]:
    """Right programs; brute force is one where it ends in time."""
    return [task.data.reference, *([] if task.data.large else [task.data.other])]


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    return score_program(runner, answer, task.data.tests, shown=task.data.shown)


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [suites.learnt(task.data.tests[: task.data.shown]), *task.data.wrong[:3]]


def cost(task: Task[Data]) -> float:
    return task.data.weight


def audited(task: Task[Data], runner: Runner, inputs: Callable[[Rng, int, str], Inputs], count: int = 120) -> Audit:
    """Wrong programs found out by other inputs of the same family, and programs that are right."""
    data = task.data
    more = inputs(Rng("audit", data.reference), count, data.kind)
    return suites.audited(runner, data.reference, more, bank=data.wrong, equal=solutions(task), most=MOST_MUTANTS)
