"""How well tests tell wrong programs from right ones, over a file of problems with submissions; and tests proposed from the submissions.

The metrics are those of "Rethinking Verification for LLM Code Generation: From Generation to Testing" (TCGBench). Its SAGA asks a model for
tests, from right submissions and from what wrong ones get wrong; `propose_tests` searches for them by changing known inputs.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from rlgym.core.errors import RecipeError
from rlgym.core.limits import Limits
from rlgym.core.rng import Rng
from rlgym.sandbox import Returned, Runner
from rlgym.sandbox.grading import Case, grade, same_value

LIMITS = Limits(seconds=2, memory_mb=256)
CANDIDATES = 60
FIELDS = ("problem", "tests", "right", "wrong")


@dataclass(frozen=True)
class Submissions:
    """A problem: its tests in order, right and wrong programs, and the function that the tests call."""

    problem: str
    tests: tuple[Case, ...]
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    entry: str = "solve"


@dataclass(frozen=True)
class ProblemQuality:
    """What the tests of one problem do. `patterns`: how many different sets of wrong programs, none of them empty, its tests reject.

    detection_rate  the share of wrong programs that fail a test
    accepted        the share of right programs that pass all tests
    exact           every wrong program is rejected, and every right one accepted
    auc             the share of k for which the first k tests reject all wrong programs, if all right ones are accepted
    """

    problem: str
    tests: int
    detection_rate: float
    accepted: float
    exact: bool
    patterns: int
    auc: float


@dataclass(frozen=True)
class SuiteQuality:
    """The means over all problems; `verifier_accuracy` is the share of problems whose tests judge every submission rightly.

    `diversity` is the number of patterns divided by the number of tests.
    """

    problems: int
    detection_rate: float
    accepted: float
    verifier_accuracy: float
    auc: float
    diversity: float


def read_submissions(file: Path) -> list[Submissions]:
    """The problems of a JSON-lines file with `problem`, `tests` (each `{"input": [arguments], "output": value}`), `right`, `wrong`, `entry`."""
    found = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            tests = tuple((tuple(test["input"]), test["output"]) for test in row["tests"])
            programs = [tuple(row[kind]) for kind in ("right", "wrong")]
            if not all(isinstance(program, str) for group in programs for program in group):
                raise TypeError("right and wrong are lists of programs")
            found.append(Submissions(str(row["problem"]), tests, programs[0], programs[1], str(row.get("entry", "solve"))))
        except (KeyError, TypeError, ValueError) as error:
            raise RecipeError(f"{file}, line {number}: expected the fields {', '.join(FIELDS)}: {error}") from None
        if not found[-1].right or not found[-1].wrong:
            raise RecipeError(f"{file}, line {number}: a problem needs at least one program in right and one in wrong")
    if not found:
        raise RecipeError(f"{file} holds no problem")
    return found


def problem_quality(problem: Submissions, runner: Runner) -> ProblemQuality:
    """Runs every submission on the tests of its problem."""
    if not problem.tests:
        return ProblemQuality(problem.problem, 0, 0.0, 1.0, False, 0, 0.0)
    passed = [_passed(problem, program, runner) for program in problem.wrong]
    accepted = fmean(all(_passed(problem, program, runner)) for program in problem.right)
    caught = [not all(row) for row in passed]
    patterns = {column for column in zip(*passed, strict=True) if not all(column)}
    needed = max((row.index(False) + 1 for row in passed if not all(row)), default=0)
    exact = accepted == 1 and all(caught)
    auc = (len(problem.tests) - needed + 1) / len(problem.tests) if exact else 0.0
    return ProblemQuality(problem.problem, len(problem.tests), fmean(caught), accepted, exact, len(patterns), auc)


def _passed(problem: Submissions, program: str, runner: Runner) -> tuple[bool, ...]:
    return grade(runner, program, problem.tests, entry=problem.entry, limits=LIMITS).passed


def suite_quality(found: Sequence[ProblemQuality]) -> SuiteQuality:
    """The means over the problems."""
    return SuiteQuality(
        problems=len(found),
        detection_rate=fmean(each.detection_rate for each in found),
        accepted=fmean(each.accepted for each in found),
        verifier_accuracy=fmean(each.exact for each in found),
        auc=fmean(each.auc for each in found),
        diversity=fmean(each.patterns / max(1, each.tests) for each in found),
    )


def propose_tests(problem: Submissions, count: int, runner: Runner, seed: int = 0) -> tuple[Case, ...]:
    """At most `count` further tests, each on an input for which all right programs return the same value.

    Inputs come from those of the tests by one to three changes: neighbouring and extreme numbers, shorter, repeated, sorted and reversed lists. At
    each turn the input on which most of the wrong programs that no test has caught differ from the right ones is taken, while there is one, then
    inputs that reject another set of wrong programs than the tests before.
    """
    rng = Rng("test proposals", seed, problem.problem)
    known = [arguments for arguments, _ in problem.tests]
    candidates = dict[str, tuple[Any, ...]]()
    for _ in range(CANDIDATES if known else 0):
        arguments: tuple[Any, ...] = rng.choice(known)
        for _ in range(rng.integer(1, 3)):
            place = rng.integer(0, max(0, len(arguments) - 1))
            arguments = tuple(_changed(rng, value) if i == place else value for i, value in enumerate(arguments))
        candidates.setdefault(repr(arguments), arguments)
    inputs = [arguments for text, arguments in candidates.items() if text not in {repr(each) for each in known}]
    cases = _agreed(problem, inputs, runner)
    tried = [grade(runner, program, cases, entry=problem.entry, limits=LIMITS).passed for program in problem.wrong] if cases else []
    rejects = [frozenset(i for i, row in enumerate(tried) if not row[place]) for place in range(len(cases))]
    left = {i for i, program in enumerate(problem.wrong) if not known or all(_passed(problem, program, runner))}
    chosen, seen = list[int](), {frozenset[int]()}
    while len(chosen) < count:
        useful = [place for place in range(len(cases)) if place not in chosen and (rejects[place] & left or rejects[place] not in seen)]
        if not useful:
            break
        best = max(useful, key=lambda place: (len(rejects[place] & left), len(rejects[place]), -place))
        chosen.append(best)
        seen.add(rejects[best])
        left -= rejects[best]
    return tuple(cases[place] for place in chosen)


def _agreed(problem: Submissions, inputs: Sequence[tuple[Any, ...]], runner: Runner) -> list[Case]:
    """The inputs on which all right programs return one value, with it."""
    first, *others = [runner.run(program, inputs, LIMITS, entry=problem.entry) for program in problem.right]
    cases = list[Case]()
    for place, arguments in enumerate(inputs):
        answer = first.answer(place)
        if not isinstance(answer, Returned):
            continue
        same = (other.answer(place) for other in others)
        if all(isinstance(each, Returned) and same_value(each.value, answer.value) for each in same):
            cases.append((arguments, answer.value))
    return cases


def _changed(rng: Rng, value: Any) -> Any:
    """A value of the same type, a step or a leap away."""
    match value:
        case bool():
            return not value
        case int():
            return rng.choice((0, 1, -1, value + 1, value - 1, -value, 2 * value, value * value, 10 * value + 1))
        case str():
            return rng.choice(("", value[:-1], value[1:], value[::-1], value + value, value + value[:1], value.swapcase()))
        case list() if value and rng.chance(0.5):
            place = rng.integer(0, len(value) - 1)
            return [_changed(rng, each) if i == place else each for i, each in enumerate(value)]
        case list():
            items = value
            plain = sorted(items) if all(type(each) is int for each in items) else items
            return rng.choice(([], items[:1], items[:-1], items[1:], items[::-1], items + items, items + items[:1], plain, plain[::-1]))
    return value


def report_rows(problems: Sequence[Submissions], runner: Runner, propose: int = 0, seed: int = 0) -> dict[str, Any]:
    """The quality of the tests over all problems and for each; with `propose`, also that of the tests with so many proposed ones."""
    found = [problem_quality(problem, runner) for problem in problems]
    out: dict[str, Any] = {"tests": asdict(suite_quality(found)), "by_problem": [asdict(each) for each in found]}
    if propose:
        proposed = [propose_tests(problem, propose, runner, seed) for problem in problems]
        larger = [
            Submissions(problem.problem, (*problem.tests, *new), problem.right, problem.wrong, problem.entry)
            for problem, new in zip(problems, proposed, strict=True)
        ]
        after = [problem_quality(problem, runner) for problem in larger]
        out["with_proposed"] = asdict(suite_quality(after))
        out["proposed"] = [
            {"problem": problem.problem, "tests": [{"input": list(arguments), "output": value} for arguments, value in new]}
            for problem, new in zip(problems, proposed, strict=True)
        ]
    return out
