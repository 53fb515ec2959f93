"""Write a truth table as a disjunction of terms with as few literals as possible.

The table may leave rows open. Any disjunction that fits the table with the proved least number of literals (or terms) is accepted.
On the upper levels the table has a cyclic core: after all needed terms are chosen and all dominated rows and terms are gone, rows remain that no single
term decides, so that covers must be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.logic import formulas, truth_tables
from rlgym.generators.logic import normal_forms as normal
from rlgym.generators.numbers.bitsets import places
from rlgym.solutions import Derivation, Solution, Step

PRIME = Step("{term} is true in the rows {rows} and never where the table says 0; without any one of its literals it would be")
ONLY = Step("Row {row} is 1, and of these terms only {term} is true in it, so it is needed")
LEAST_CORE = 4
EITHER = Step("Row {row} is 1, and of these terms {count} are true in it")


class Knobs(Config):
    variables: int = knob(4, easy=3, hard=6, doc="variables of the table")
    terms: int = knob(5, easy=2, hard=8, doc="terms, or remainders, that the table is made from")
    open_rows: int = knob(10, easy=0, hard=40, doc="percent of the rows that may be either 0 or 1")
    objective: str = knob("literals", easy="terms", hard="literals", order=("terms", "literals"), doc="what is minimized")
    core: int = knob(4, easy=0, hard=12, doc="rows of the cyclic core, at least, from 4 on")


class Data(TaskData):
    variables: int
    on: int
    free: int
    least: str
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, _sample_terms)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, _sample_by_count)


def _sample_task(rng: Rng, knobs: Knobs, table_of: Callable[[Rng, int, int], int]) -> Task[Data]:
    size, rows = knobs.variables, 2**knobs.variables
    terms = min(knobs.terms, size + 2)
    in_core = knobs.core >= LEAST_CORE and table_of is _sample_terms
    for draw in count():
        table = _sample_terms(rng, size, rng.integer(size, 2 * size), 1) if in_core else table_of(rng, size, rng.integer(2, terms))
        free = sum(1 << row for row in rng.sample(range(rows), rows * knobs.open_rows // 100))
        on = table & ~free
        if not on or on | free == truth_tables.every(size):
            continue
        primes = normal.primes(on, free, size)
        # Few variables hardly have a core: the more draws fail, the smaller a core is enough.
        least_core = min(knobs.core, rows // 4) - draw // 100
        if knobs.core >= LEAST_CORE and normal.cyclic_core(on, primes, knobs.objective) < least_core:
            continue
        try:
            cover = normal.least_cover(on, primes, knobs.objective)
        except normal.TooMuch:
            continue
        if len(cover) > 1:
            break
    most = len(cover) if knobs.objective == "terms" else sum(map(len, cover))
    names = formulas.NAMES[:size]
    listing = "\n".join(f"{format(row, f'0{size}b')}: {_mark(row, on, free)}" for row in range(rows))
    unit = "term" if knobs.objective == "terms" else "literal"
    counted = " in all, counting every occurrence" if knobs.objective == "literals" else ""
    prompt = (
        f"This is the truth table of a Boolean function of {', '.join(names)}. Each row gives the values of {', '.join(names)} in this order, and "
        f"then the value of the function{'; where it is *, either value is allowed' if free else ''}:\n{listing}\n\nWrite the function as a disjunction "
        "of terms: it is 1 exactly where at least one term is true. A term is one or more literals joined by and. A literal is a variable or a "
        f"negated variable, such as {names[0]} or not {names[0]}. Use at most {most} {unit}{'s' if most > 1 else ''}{counted}; this is the "
        "least possible number. If there are several such disjunctions, give any one of them."
    )
    return Task(prompt, Data(variables=size, on=on, free=free, least=knobs.objective, most=most))


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the table from the prompt.
    size, on, free = task.data.variables, 0, 0
    for line in task.prompt.split("\n\n")[0].split("\n")[1:]:
        row, _, value = line.partition(": ")
        on |= (value == "1") << int(row, 2)
        free |= (value == "*") << int(row, 2)
    cover = normal.least_cover(on, normal.primes(on, free, size), task.data.least)
    return tuple(normal.spell(term, "and") for term in cover)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    table, size = 0, 0
    if len(answer) > data.most:
        return Score.wrong(f"there may be at most {data.most} {data.least}")
    for line in answer:
        term = normal.parse(line, "and", data.variables)
        if term is None:
            return Score.wrong("every line must be one term: literals joined by and")
        table |= normal.all_of(term, data.variables)
        size += len(term)
    if data.least == "literals" and size > data.most:
        return Score.wrong(f"there may be at most {data.most} literals")
    if table & ~(data.on | data.free):
        return Score.wrong("a term is true in a row where the function is 0")
    return Score.exact(not data.on & ~table, "no term is true in a row where the function is 1")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    rows = tuple(_minterm(row, data.variables) for row in places(data.on))
    terms = [normal.parse(line, "and", data.variables) or () for line in right]
    return [
        rows,
        tuple(normal.spell(normal.turn(term), "and") for term in terms),
        tuple(line.replace(" and ", " or ") for line in right),
        right[:-1] or ("p and not p",),
        tuple(normal.spell(term[:1], "and") for term in terms),
        (*right, right[0]),
        tuple(_minterm(row, data.variables) for row in places(truth_tables.every(data.variables) & ~(data.on | data.free))),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return (
        2.0**data.variables * data.variables
        + 8.0 * data.free.bit_count()
        + 5.0 * len(normal.primes(data.on, data.free, data.variables))
        + data.most
        + 20.0 * normal.cyclic_core(data.on, normal.primes(data.on, data.free, data.variables), data.least)
    )


def derive(task: Task[Data]) -> Derivation:
    data, tables = task.data, dict[str, int]()
    for term, table in normal.primes(data.on, data.free, data.variables):
        step = PRIME(term=normal.spell(term, "and"), rows=_rows(table, data.variables))
        taken = yield step.accepting(partial(_is_prime, data, tables))
        tables[taken["term"]] = normal.all_of(normal.parse(taken["term"], "and", data.variables) or (), data.variables)
    for row in places(data.on):
        inside = [term for term, table in tables.items() if table >> row & 1]
        shown = format(row, f"0{data.variables}b")
        yield ONLY(row=shown, term=inside[0]) if len(inside) == 1 else EITHER(row=shown, count=len(inside))


def _is_prime(data: Data, known: dict[str, int], /, term: str, rows: str) -> bool:
    """Whether a term is a new prime implicant that is true in just these rows."""
    literals = normal.parse(term, "and", data.variables)
    if literals is None or term in known:
        return False
    off = truth_tables.every(data.variables) & ~(data.on | data.free)
    table = normal.all_of(literals, data.variables)
    wider = [normal.all_of((*literals[:i], *literals[i + 1 :]), data.variables) for i in range(len(literals))]
    return rows == _rows(table, data.variables) and not table & off and all(other & off for other in wider)


def _sample_terms(rng: Rng, size: int, terms: int, narrower: int = 0) -> int:
    """The rows of a few random terms, which leave up to 2 variables out, or from `narrower` to 2."""
    table = 0
    for _ in range(terms):
        literals = tuple((i, rng.chance(0.5)) for i in sorted(rng.sample(range(size), rng.integer(max(2, size - 2), size - narrower))))
        table |= normal.all_of(literals, size)
    return table


def _sample_by_count(rng: Rng, size: int, remainders: int) -> int:
    """The rows in which a weighted count of the variables leaves certain remainders."""
    modulus = remainders + rng.integer(6, 12)
    weights = [rng.integer(1, 2 * modulus) for _ in range(size + 1)]
    kept = rng.sample(range(modulus), remainders + rng.integer(1, 5))
    counts = [weights[-1] + sum(weights[i] for i in range(size) if row >> size - 1 - i & 1) for row in range(2**size)]
    return sum(1 << row for row, count in enumerate(counts) if count % modulus in kept)


def _mark(row: int, on: int, free: int) -> str:
    return "*" if free >> row & 1 else str(on >> row & 1)


def _rows(table: int, size: int) -> str:
    return ", ".join(format(row, f"0{size}b") for row in places(table))


def _minterm(row: int, size: int) -> str:
    return normal.spell(tuple((i, row >> size - 1 - i & 1 == 1) for i in range(size)), "and")


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """A least cover that prefers other terms, its terms in both orders, and their literals turned round."""
    data = task.data
    cover = normal.least_cover(data.on, normal.primes(data.on, data.free, data.variables)[::-1], data.least)
    yield tuple(normal.spell(term, "and") for term in cover)
    yield tuple(normal.spell(term[::-1], "and") for term in cover[::-1])
    yield tuple(f"({normal.spell(term, '&').upper()})" for term in cover)


environment = Environment(
    Knobs, Lines("the terms, one per line, each written as `p and not q and r`", max_items=60),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "The fewest {least} that make all these rows true are {most}:\n{answer}"),
    answers="many", solutions=_solutions,
    shared_helpers="The helper tabulates a formula, which is its definition.",
    concept="Find the terms that cannot lose a literal without being true where the function is 0, and choose the cheapest of them that cover every 1.",
    version=4,
)  # fmt: skip
