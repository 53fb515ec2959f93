"""Decide whether clauses can all be true: give values that make them true, or a refutation by resolution.

Either answer is a certificate that is checked step by step; which of the two it is, alone, is never an answer.
"""

import re
from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.logic import truth_tables
from rlgym.generators.logic.resolution_search import model_or_refutation
from rlgym.generators.numbers.bitsets import places
from rlgym.solutions import Checks, Derivation, Solution, Step

Clause = tuple[int, ...]
MOST_STEPS = 2000
_NOT = re.compile("[−¬~!]|\\bnot ")


HOLDS = Step("Clause {number:int} is true because of {literal}")
MADE = Step("{number:int}. From {i:int} and {j:int}, which differ in x{variable:int}: {clause}")


class Knobs(Config):
    variables: int = knob(6, easy=3, hard=16, doc="how many variables there are")
    width: int = knob(3, easy=2, hard=3, doc="most literals of a clause")
    short: int = knob(40, easy=60, hard=8, doc="percent of clauses that have one literal less")


class Data(TaskData):
    variables: int
    clauses: tuple[Clause, ...]
    satisfiable: bool

    @property
    def conclusion(self) -> str:
        return "So they can all be true:" if self.satisfiable else "The steps are"


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, reach=knobs.variables)


def _sample_task(rng: Rng, knobs: Knobs, reach: int) -> Task[Data]:
    """Clauses on any variables among `reach` that follow each other on a ring."""
    count, satisfiable = knobs.variables, rng.chance(0.5)
    every = truth_tables.every(count)
    while True:
        clauses: dict[Clause, None] = {}
        satisfying, after = every, every
        # Clauses are added until one more would leave no model; that one is added where none is wanted.
        while after:
            clause = _clause(rng, count, knobs, reach)
            after = satisfying & _table(clause, count)
            if clause not in clauses and (after or not satisfiable):
                clauses[clause] = None
                satisfying = after
            elif not after and satisfying.bit_count() <= 1 + count // 3:
                break
            elif not after:
                after = satisfying
        # A core that is tiny would be seen at once.
        if len(clauses) > count and (satisfiable or not knobs.width > 2 or len(clauses) > 2 * count):
            break
    drawn = tuple(rng.shuffled(list(clauses)))
    listing = "\n".join(f"{i}. {_render_clause(clause)}" for i, clause in enumerate(drawn, 1))
    prompt = (
        f"The variables x1 to x{count} are each either true or false. Can all of these clauses be true together?\n{listing}\n\n"
        "If they can, give the values, one word for each variable: x1 if x1 is true and -x1 if x1 is false, and so on.\n"
        f"If they cannot, give a refutation by resolution: at most {MOST_STEPS} steps i+j, each of which takes two earlier clauses in which exactly one "
        "variable occurs with opposite signs, and makes a new clause of all their other literals. The new clauses get the next free numbers, "
        f"{len(drawn) + 1}, {len(drawn) + 2} and so on, in the order of the steps. The last step must make the empty clause."
    )
    return Task(prompt, Data(variables=count, clauses=drawn, satisfiable=satisfiable))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Variables along a ring, each clause on some that lie near each other."""
    return _sample_task(rng, knobs, reach=5)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return model_or_refutation(task.data.clauses, range(1, task.data.variables + 1))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    words = _tidy(answer)
    return _refute(task.data, words) if any("+" in word for word in words) else _model(task.data, words)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    count = task.data.variables
    signs = [
        sum((literal > 0) - (literal < 0) for clause in task.data.clauses for literal in clause if abs(literal) == i)
        for i in range(1, count + 1)
    ]
    majority = tuple(f"{'' if sign > 0 else '-'}x{i}" for i, sign in enumerate(signs, 1))
    wrong = [majority, tuple(f"x{i}" for i in range(1, count + 1)), tuple(f"-x{i}" for i in range(1, count + 1))]
    return [
        *(clause_list for clause_list in wrong if verify(task, clause_list).value == 0),
        right[:-1] or ("x1",),
        ("1+2",),
        ("unsatisfiable",),
    ]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.clauses) * 1.4**task.data.variables)


def derive(task: Task[Data]) -> Derivation:
    data, right = task.data, solve(task)
    if data.satisfiable:
        true = {word.removeprefix("-"): not word.startswith("-") for word in right}
        for i, clause in enumerate(data.clauses, 1):
            holding = next(literal for literal in clause if true[f"x{abs(literal)}"] == (literal > 0))
            yield HOLDS(number=i, literal=_literal(holding))
        return
    known = [set(clause) for clause in data.clauses]
    for word in right:
        i, j = (int(part) for part in word.split("+"))
        variable = next(abs(literal) for literal in known[i - 1] if -literal in known[j - 1])
        known.append((known[i - 1] | known[j - 1]) - {variable, -variable})
        yield MADE(number=len(known), i=i, j=j, variable=variable, clause=_clause_text(known[-1]))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    known, true = [set(clause) for clause in data.clauses], list[int]()
    literals = {_literal(a): a for i in range(1, data.variables + 1) for a in (i, -i)}

    def holds(number: int, literal: str) -> bool:
        read = literals[literal]
        if not data.satisfiable or number != len(true) + 1 or read not in data.clauses[number - 1] or -read in true:
            return False
        true.append(read)
        return True

    def is_resolvent(number: int, i: int, j: int, variable: int, clause: str) -> bool:
        left, right = known[i - 1], known[j - 1]
        opposite = (variable in left and -variable in right) or (-variable in left and variable in right)
        resolvent = (left | right) - {variable, -variable}
        if not opposite or min(i, j) < 1 or number != len(known) + 1 or clause != _clause_text(resolvent):
            return False
        known.append(resolvent)
        return True

    return {HOLDS: holds, MADE: is_resolvent}


def _clause_text(literals: set[int]) -> str:
    return _render_clause(tuple(sorted(literals, key=abs))) or "the empty clause"


def _clause(rng: Rng, count: int, knobs: Knobs, reach: int) -> Clause:
    width = min(count, max(1, knobs.width - (rng.integer(1, 100) <= knobs.short and knobs.width > 2)))
    first = rng.integer(0, count - 1) if reach < count else 0
    near = [1 + (first + place) % count for place in range(min(reach, count))]
    return tuple(sorted((i if rng.chance(0.5) else -i for i in rng.sample(near, width)), key=abs))


def _table(clause: Clause, count: int) -> int:
    every, table = truth_tables.every(count), 0
    for literal in clause:
        column = truth_tables.columns(count)[abs(literal) - 1]
        table |= column if literal > 0 else every ^ column
    return table


def _tidy(answer: tuple[str, ...]) -> tuple[str, ...]:
    """The answer with spaces around plus signs left out, and every sign for `not` written as a minus."""
    return tuple(_NOT.sub("-", " ".join(answer)).replace(" + ", "+").split())


def _model(data: Data, answer: tuple[str, ...]) -> Score:
    names = {f"x{i}": i for i in range(1, data.variables + 1)}
    given: dict[int, bool] = {}
    for word in answer:
        name = word.removeprefix("-")
        if name not in names or names[name] in given:
            return Score.wrong(f"each of x1 to x{data.variables} must be given once, with or without a minus sign")
        given[names[name]] = name == word
    if len(given) != data.variables:
        return Score.wrong(f"each of x1 to x{data.variables} needs a value")
    for i, clause in enumerate(data.clauses, 1):
        if not any(given[abs(literal)] == (literal > 0) for literal in clause):
            return Score.wrong(f"clause {i} is false with these values")
    return Score.exact(True)


def _refute(data: Data, answer: tuple[str, ...]) -> Score:
    if len(answer) > MOST_STEPS:
        return Score.wrong(f"a refutation of more than {MOST_STEPS} steps is not needed")
    known = [frozenset(clause) for clause in data.clauses]
    for step, word in enumerate(answer, 1):
        parts = word.split("+")
        if len(parts) != 2 or not all(
            part.isascii() and part.isdigit() and len(part) < 6 and 1 <= int(part) <= len(known) for part in parts
        ):
            return Score.wrong(f"step {step} must name two earlier clauses as i+j")
        first, second = (known[int(part) - 1] for part in parts)
        opposite = [literal for literal in first if -literal in second]
        if len(opposite) != 1:
            return Score.wrong(f"in step {step} the clauses have {len(opposite)} variables of opposite signs, not one")
        known.append((first | second) - {opposite[0], -opposite[0]})
    return Score.exact(not known[-1], "the last step does not make the empty clause")


def _render_clause(clause: Clause) -> str:
    return " or ".join(map(_literal, clause))


def _literal(literal: int) -> str:
    return f"x{literal}" if literal > 0 else f"not x{-literal}"


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Models read off the whole truth table, or refutations that split on the variables in another order."""
    data = task.data
    if data.satisfiable:
        models = truth_tables.every(data.variables)
        for clause in data.clauses:
            models &= _table(clause, data.variables)
        for row in places(models):
            yield tuple(f"{'' if row >> i & 1 else '-'}x{i + 1}" for i in range(data.variables))
        return
    yield model_or_refutation(data.clauses, range(data.variables, 0, -1))
    yield tuple("+".join(reversed(word.split("+"))) for word in solve(task))


environment = Environment(
    Knobs,
    Words("either one word for each variable, or the resolution steps in order, separated by spaces", max_items=3000, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "{conclusion} {answer}", checks=checks), shift=shift, answers="many", solutions=_solutions,
    concept="Split on a variable: if both of its values lead to a false clause, resolve these two clauses on it.",
)  # fmt: skip
