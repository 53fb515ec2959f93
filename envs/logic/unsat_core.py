"""Find constraints that cannot all hold, though they can as soon as any one of them is left out, or the fewest that cannot.

Every such set is accepted, whatever its size: a set is right if it has no model, and each set with one constraint less has one. On the upper levels the
fewest constraints that cannot all hold are asked for: leaving out one at a time ends at too many, and so does taking always what rules out most rows.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.draws import sample_hard
from rlgym.generators.logic import smallest_cores, truth_tables
from rlgym.solutions import Derivation, Solution, Step

KINDS = {"clauses": ("or",), "mixed": ("or", "or", "one", "odd")}


GOES = Step("Without constraint {number:int} what is kept still cannot all hold, so it is left out")
STAYS = Step("Without constraint {number:int} the others kept so far hold for {values}, so it stays")


TRIES = 10
MOST_ATTEMPTS = 20


class Knobs(Config):
    variables: int = knob(
        5, easy=3, hard=10, beyond=13, doc="how many variables there are; two less where the fewest constraints are asked for"
    )
    width: int = knob(3, easy=2, hard=3, doc="most literals of a constraint")
    extra: int = knob(4, easy=1, hard=14, beyond=18, doc="constraints beyond those after which no model is left")
    kinds: str = knob(
        "clauses",
        easy="clauses",
        hard="mixed",
        order=tuple(KINDS),
        doc="whether some ask for exactly one or an odd number of literals; none does where the fewest are asked for",
    )
    question: str = knob(
        "any",
        easy="any",
        hard="fewest",
        order=("any", "fewest"),
        doc="any constraints of which none can be left out, or the fewest that cannot hold",
    )
    nodes: int = knob(
        8,
        easy=1,
        hard=150,
        beyond=1500,
        scale="log",
        doc="nodes of a search with bounds for the fewest constraints, at least, if one of 10 draws has as many",
    )


class Constraint(TaskData):
    kind: str  # "or": at least one literal is true; "one": exactly one; "odd": an odd number
    literals: tuple[int, ...]  # i or -i, from 1


class Data(TaskData):
    variables: int
    constraints: tuple[Constraint, ...]
    fewest: int  # how many constraints there must be, 0 if any number will do

    def ruled_out(self) -> list[int]:
        """The rows of the truth table in which each constraint does not hold."""
        return [truth_tables.every(self.variables) & ~_table(constraint, self.variables) for constraint in self.constraints]

    def search(self) -> smallest_cores.CoreSearch:
        return smallest_cores.search_core(self.ruled_out(), truth_tables.every(self.variables), range(len(self.constraints)))


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, reach=knobs.variables)


def _sample_task(rng: Rng, knobs: Knobs, reach: int) -> Task[Data]:
    """Constraints on any variables among `reach` that follow each other on a ring."""
    if knobs.question == "fewest":
        knobs = knobs.model_copy(update={"variables": max(4, knobs.variables - 2), "width": 3, "kinds": "clauses"})
        data = sample_hard(lambda: _sample_data(rng, knobs, reach), lambda data: data.search().nodes, knobs.nodes, TRIES)
    else:
        data = _sample_data(rng, knobs, reach)
    listing = "\n".join(f"{i}. {_render_constraint(constraint)}" for i, constraint in enumerate(data.constraints, 1))
    wanted = (
        "Find as few of them as possible that cannot all hold together. If there are several such sets with the fewest constraints, any one will do."
        if data.fewest
        else "Find some of them that cannot all hold together, but can as soon as any one of them is left out. If there are several such sets, any "
        "one will do, and it need not have the fewest constraints."
    )
    prompt = (
        f"The variables x1 to x{data.variables} are each either true or false. These constraints cannot all hold together:\n{listing}\n\n"
        f"{wanted} Give the numbers of its constraints."
    )
    return Task(prompt, data)


def _sample_data(rng: Rng, knobs: Knobs, reach: int) -> Data:
    """Enough constraints; where the fewest are asked for, taking away one after the other must not end at them."""
    count = knobs.variables
    for attempt in range(400):
        drawn: dict[tuple[str, tuple[int, ...]], None] = {}
        satisfying, more, tries = truth_tables.every(count), knobs.extra, 60 * count
        # Few variables do not have that many different constraints; then there are as many as there are.
        while satisfying or (more and tries):
            tries -= bool(tries)
            constraint = _constraint(rng, knobs, reach)
            opposite = tuple(-literal for literal in constraint.literals)
            if (constraint.kind, constraint.literals) not in drawn and (len(opposite) > 1 or (constraint.kind, opposite) not in drawn):
                drawn[constraint.kind, constraint.literals] = None
                more -= not satisfying
                satisfying &= _table(constraint, count)
        constraints = tuple(Constraint(kind=kind, literals=literals) for kind, literals in rng.shuffled(list(drawn)))
        core = _shrunk(constraints, count, range(len(constraints)))
        data = Data(variables=count, constraints=constraints, fewest=0)
        if 3 + (count - 3) // 3 <= len(core) < len(constraints):
            if knobs.question == "any":
                return data
            fewest = len(data.search().core)
            if fewest < len(core) or attempt > MOST_ATTEMPTS:
                return data.model_copy(update={"fewest": fewest})
    raise AssertionError("some of so many draws leave out a constraint")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Variables along a ring, each constraint on some that lie near each other."""
    return _sample_task(rng, knobs, reach=5)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Values are tried variable by variable; `generate` and `verify` work with whole truth tables.
    if task.data.fewest:
        return tuple(str(i + 1) for i in task.data.search().core)
    data, kept = task.data, list(range(len(task.data.constraints)))
    for i in list(kept):
        fewer = [j for j in kept if j != i]
        if not _satisfiable([data.constraints[j] for j in fewer], data.variables):
            kept = fewer
    return tuple(str(i + 1) for i in kept)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    numbers = {str(i): i - 1 for i in range(1, len(data.constraints) + 1)}
    chosen = [numbers[word] for word in answer if word in numbers]
    if len(chosen) < len(answer) or len(set(chosen)) < len(chosen):
        return Score.wrong("the answer must be numbers of constraints, each once")
    every = truth_tables.every(data.variables)
    tables = [_table(data.constraints[i], data.variables) for i in chosen]
    before, after = [every], [every]
    for table, other in zip(tables, reversed(tables), strict=True):
        before.append(before[-1] & table)
        after.append(after[-1] & other)
    if before[-1]:
        return Score.wrong("these constraints can all hold together")
    if data.fewest:
        return Score.exact(len(chosen) == data.fewest, "fewer of the constraints cannot all hold either")
    needed = all(before[i] & after[len(tables) - 1 - i] for i in range(len(tables)))
    return Score.exact(needed, "one of these constraints can be left out, and the others still cannot all hold")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    every = tuple(str(i) for i in range(1, len(task.data.constraints) + 1))
    other = next(number for number in every if number not in right)
    data = task.data
    shrunk = tuple(str(i + 1) for i in _shrunk(data.constraints, data.variables, range(len(every)))) if data.fewest else every
    return [every, right[:-1], (*right, other), tuple(number for number in every if number not in right), every[:3], shrunk]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.constraints) * (data.variables**2 + (4 * data.search().nodes if data.fewest else 0)))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    return smallest_cores.derive_fewest(data.ruled_out(), data.variables, data.fewest) if data.fewest else _derive_minimal(task)


def _derive_minimal(task: Task[Data]) -> Derivation:
    data, kept = task.data, list(range(len(task.data.constraints)))
    for i in range(len(data.constraints)):
        others = [data.constraints[j] for j in kept if j != i]
        model = _model(others, data.variables)
        if model is None:
            kept.remove(i)
            yield GOES(number=i + 1).accepting(partial(_is_unsatisfiable, others, data.variables, i + 1))
        else:
            values = ", ".join(f"x{j + 1} {'true' if value else 'false'}" for j, value in enumerate(model))
            yield STAYS(number=i + 1, values=values).accepting(partial(_is_model, others, data.variables, i + 1))


def _is_unsatisfiable(constraints: Sequence[Constraint], variables: int, due: int, /, number: int) -> bool:
    """Whether no row of the truth table makes all constraints true."""
    rows = truth_tables.every(variables)
    for constraint in constraints:
        rows &= _table(constraint, variables)
    return number == due and not rows


def _is_model(constraints: Sequence[Constraint], variables: int, due: int, /, number: int, values: str) -> bool:
    assigned = dict(pair.split(" ") for pair in values.split(", "))
    if number != due or list(assigned) != [f"x{i}" for i in range(1, variables + 1)] or not set(assigned.values()) <= {"true", "false"}:
        return False
    true = {i for i in range(1, variables + 1) if assigned[f"x{i}"] == "true"}
    return all(_holds(constraint, true) for constraint in constraints)


def _holds(constraint: Constraint, true: set[int]) -> bool:
    count = sum((abs(literal) in true) == (literal > 0) for literal in constraint.literals)
    return {"or": count > 0, "one": count == 1, "odd": count % 2 == 1}[constraint.kind]


def _constraint(rng: Rng, knobs: Knobs, reach: int) -> Constraint:
    kind = rng.choice(KINDS[knobs.kinds])
    width = knobs.width - (kind == "or" and rng.chance(0.25))
    first = rng.integer(0, knobs.variables - 1) if reach < knobs.variables else 0
    near = [1 + (first + place) % knobs.variables for place in range(min(reach, knobs.variables))]
    chosen = sorted(rng.sample(near, max(1 if kind == "or" else 2, width)))
    return Constraint(kind=kind, literals=tuple(i if rng.chance(0.5) else -i for i in chosen))


def _render_constraint(constraint: Constraint) -> str:
    literals = [f"x{literal}" if literal > 0 else f"not x{-literal}" for literal in constraint.literals]
    if constraint.kind == "or":
        return " or ".join(literals)
    listed = f"{', '.join(literals[:-1])} and {literals[-1]}"
    return f"exactly one of {listed} is true" if constraint.kind == "one" else f"an odd number of {listed} are true"


def _table(constraint: Constraint, count: int) -> int:
    every, columns = truth_tables.every(count), truth_tables.columns(count)
    tables = [columns[literal - 1] if literal > 0 else every ^ columns[-literal - 1] for literal in constraint.literals]
    some = odd = several = 0
    for table in tables:
        several |= some & table
        some, odd = some | table, odd ^ table
    return {"or": some, "one": some & ~several, "odd": odd}[constraint.kind]


def _shrunk(constraints: Sequence[Constraint], count: int, order: Sequence[int]) -> list[int]:
    """A set without a model that no constraint can be taken from; they are tried in this order."""
    tables, kept = [_table(constraint, count) for constraint in constraints], list(order)
    for i in order:
        satisfying = truth_tables.every(count)
        for j in kept:
            satisfying &= tables[j] if j != i else satisfying
        if not satisfying:
            kept.remove(i)
    return sorted(kept)


def _satisfiable(constraints: list[Constraint], count: int) -> bool:
    return _model(constraints, count) is not None


def _model(constraints: list[Constraint], count: int) -> list[bool] | None:
    """Values for which all constraints hold, each tested as soon as its last variable has a value."""
    closing: list[list[Constraint]] = [[] for _ in range(count)]
    for constraint in constraints:
        closing[max(map(abs, constraint.literals)) - 1].append(constraint)
    values: list[bool] = []

    def holds(constraint: Constraint) -> bool:
        true = sum(values[abs(literal) - 1] == (literal > 0) for literal in constraint.literals)
        return true == 1 if constraint.kind == "one" else true % 2 == 1 if constraint.kind == "odd" else true > 0

    def tried() -> bool:
        if len(values) == count:
            return True
        for value in (True, False):
            values.append(value)
            if all(map(holds, closing[len(values) - 1])) and tried():
                return True
            values.pop()
        return False

    return values if tried() else None


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Sets that are left when constraints are taken away from the end, or from the middle; of the fewest, those found in other orders."""
    data = task.data
    total = len(data.constraints)
    for order in (range(total - 1, -1, -1), [*range(total // 2, total), *range(total // 2)]):
        if data.fewest:
            core = smallest_cores.search_core(data.ruled_out(), truth_tables.every(data.variables), order).core
            yield tuple(str(i + 1) for i in core[::-1])
        else:
            yield tuple(str(i + 1) for i in _shrunk(data.constraints, data.variables, order))


environment = Environment(
    Knobs, Words("the numbers of the constraints, separated by spaces", max_items=100), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "What stays is {answer}"), shift=shift, answers="many", solutions=_solutions,
    concept="Leave out one constraint at a time: if the others still cannot all hold, it was not needed; if they can, it stays.",
    version=2,
)  # fmt: skip
