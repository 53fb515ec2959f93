"""Write a truth table as a disjunction of terms with as few literals as possible.

The table may leave rows open. Any disjunction that fits the table with the proved least number of literals (or terms) is accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators import formulas, truth
from rlgym.generators import formulas_normal as normal
from rlgym.generators.bits import places
from rlgym.generators.steps import Line, first_wrong

PRIME = Line("{term} is true in the rows {rows} and never where the table says 0; without any one of its literals it would be")
ONLY = Line("Row {row} is 1, and of these terms only {term} is true in it, so it is needed")
EITHER = Line("Row {row} is 1, and of these terms {count} are true in it")


class Knobs(Config):
    variables: int = knob(4, easy=3, hard=6, doc="variables of the table")
    terms: int = knob(5, easy=2, hard=8, doc="terms, or remainders, that the table is made from")
    open_rows: int = knob(10, easy=0, hard=20, doc="percent of the rows that may be either 0 or 1")
    least: str = knob("literals", easy="terms", hard="literals", order=("terms", "literals"), doc="what there must be few of")


class Data(TaskData):
    variables: int
    on: int
    free: int
    least: str
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, _random)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, _counting)


def _made(rng: Rng, knobs: Knobs, table_of: Callable[[Rng, int, int], int]) -> Task[Data]:
    size, rows = knobs.variables, 2**knobs.variables
    terms = min(knobs.terms, size + 2)
    while True:
        table = table_of(rng, size, rng.integer(2, terms))
        free = sum(1 << row for row in rng.sample(range(rows), rows * knobs.open_rows // 100))
        on = table & ~free
        if not on or on | free == truth.every(size):
            continue
        try:
            cover = normal.least_cover(on, normal.primes(on, free, size), knobs.least)
        except normal.TooMuch:
            continue
        if len(cover) > 1:
            break
    most = len(cover) if knobs.least == "terms" else sum(map(len, cover))
    names = formulas.NAMES[:size]
    listing = "\n".join(f"{format(row, f'0{size}b')}: {_mark(row, on, free)}" for row in range(rows))
    one = "term" if knobs.least == "terms" else "literal"
    counted = " in all, each counted as often as it stands there" if knobs.least == "literals" else ""
    prompt = (
        f"This is the truth table of a function of {', '.join(names)}. Each row shows the values of {', '.join(names)} in this order, and "
        f"then that of the function{'; where it is *, either value will do' if free else ''}:\n{listing}\n\nWrite the function as a disjunction "
        "of terms: it is 1 where at least one term is true. A term is one or more literals joined by and, and a literal is a variable or not "
        f"and a variable. Use at most {most} {one}{'s' if most > 1 else ''}{counted}; fewer are not possible."
    )
    return Task(prompt, Data(variables=size, on=on, free=free, least=knobs.least, most=most))


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the table from the prompt.
    size, on, free = task.data.variables, 0, 0
    for line in task.prompt.split("\n\n")[0].split("\n")[1:]:
        row, _, value = line.partition(": ")
        on |= (value == "1") << int(row, 2)
        free |= (value == "*") << int(row, 2)
    cover = normal.least_cover(on, normal.primes(on, free, size), task.data.least)
    return tuple(normal.spelled(term, "and") for term in cover)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    table, size = 0, 0
    if len(answer) > data.most:
        return Score.wrong(f"there may be at most {data.most} {data.least}")
    for line in answer:
        term = normal.parsed(line, "and", data.variables)
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
    terms = [normal.parsed(line, "and", data.variables) or () for line in right]
    return [
        rows,
        tuple(normal.spelled(normal.turned(term), "and") for term in terms),
        tuple(line.replace(" and ", " or ") for line in right),
        right[:-1] or ("p and not p",),
        tuple(normal.spelled(term[:1], "and") for term in terms),
        (*right, right[0]),
        tuple(_minterm(row, data.variables) for row in places(truth.every(data.variables) & ~(data.on | data.free))),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return (
        2.0**data.variables * data.variables
        + 8.0 * data.free.bit_count()
        + 5.0 * len(normal.primes(data.on, data.free, data.variables))
        + data.most
    )


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    terms = normal.primes(data.on, data.free, data.variables)
    steps = [PRIME.write(term=normal.spelled(term, "and"), rows=_rows(table, data.variables)) for term, table in terms]
    for row in places(data.on):
        inside = [normal.spelled(term, "and") for term, table in terms if table >> row & 1]
        shown = format(row, f"0{data.variables}b")
        steps.append(ONLY.write(row=shown, term=inside[0]) if len(inside) == 1 else EITHER.write(row=shown, count=len(inside)))
    return [*steps, f"The fewest {data.least} that make all these rows true are {data.most}:\n" + "\n".join(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, seen = task.data, dict[str, int]()
    off = truth.every(data.variables) & ~(data.on | data.free)
    waiting = places(data.on)

    def follows(step: str) -> bool:
        if said := PRIME.read(step):
            term = normal.parsed(said["term"], "and", data.variables)
            if term is None or said["term"] in seen:
                return False
            table = normal.all_of(term, data.variables)
            shorter = [normal.all_of((*term[:i], *term[i + 1 :]), data.variables) for i in range(len(term))]
            seen[said["term"]] = table
            return said["rows"] == _rows(table, data.variables) and not table & off and all(wider & off for wider in shorter)
        said = ONLY.read(step) or EITHER.read(step)
        if said is None or int(said["row"], 2) != waiting.pop(0) or len(said["row"]) != data.variables:
            return False
        inside = [term for term, table in seen.items() if table >> int(said["row"], 2) & 1]
        return inside == [said["term"]] if "term" in said else len(inside) == int(said["count"])

    def ends(step: str) -> bool:
        head, *lines = step.split("\n")
        told = head == f"The fewest {data.least} that make all these rows true are {data.most}:"
        return told and verify(task, tuple(lines)).value == 1

    return first_wrong(steps, follows, ends)


def _random(rng: Rng, size: int, terms: int) -> int:
    """The rows of a few random terms."""
    table = 0
    for _ in range(terms):
        literals = tuple((i, rng.chance(0.5)) for i in sorted(rng.sample(range(size), rng.integer(max(2, size - 2), size))))
        table |= normal.all_of(literals, size)
    return table


def _counting(rng: Rng, size: int, remainders: int) -> int:
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
    return normal.spelled(tuple((i, row >> size - 1 - i & 1 == 1) for i in range(size)), "and")


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """A least cover that prefers other terms, its terms in both orders, and their literals turned round."""
    data = task.data
    cover = normal.least_cover(data.on, normal.primes(data.on, data.free, data.variables)[::-1], data.least)
    yield tuple(normal.spelled(term, "and") for term in cover)
    yield tuple(normal.spelled(term[::-1], "and") for term in cover[::-1])
    yield tuple(f"({normal.spelled(term, '&').upper()})" for term in cover)


environment = Environment(
    Knobs,
    Lines("the terms, one on each line, each written as `p and not q and r`", most=60),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=_solutions,
    concept="Find the terms that cannot lose a literal without being true where the function is 0, and choose the cheapest of them that cover every 1.",
)
