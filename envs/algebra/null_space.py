"""Find a basis of all solutions of a system of linear equations whose right sides are 0.

Any basis is accepted. On the upper levels the shortest solutions in integers are asked for. The shifted family asks for
a basis of the intersection of two spans.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Matrix
from rlgym.generators.algebra import eliminations, short_vectors
from rlgym.generators.algebra.eliminations import RowReduction, Rows
from rlgym.solutions import Checks, Derivation, Solution, SolutionByTask, Step, in_order

ANSWER = Matrix("a list of vectors with exact entries, as in [[1, 2, 3], [0, 1, 4]] or [[1, 2, 3]]")
START = Step("Numbers that combine the vectors of V and of U to the same vector solve the system {rows}.")
SOLVES = Step("With one free number 1 and the others 0, {vector} solves the system.")
MAKES = Step("Its numbers {part} for V make {vector}.")
CLOSING = "A basis is {answer}"
NONE_SHORTER = Step("Up to sign, there are {count} integer solution(s) with a squared length of at most {longest}.")
SHORT = Step("{vector} is a solution with the squared length {length}.")
CLOSING_SHORTEST = "A shortest one is {answer}"


class Knobs(Config):
    columns: int = knob(5, easy=3, hard=8, doc="length of the vectors")
    nullity: int = knob(2, easy=1, hard=3, doc="vectors in a basis")
    asked: str = knob(
        "basis",
        easy="basis",
        hard="shortest",
        order=("basis", "shortest"),
        doc="a basis, or a shortest nonzero vector with integer entries",
    )
    largest: int = knob(3, easy=2, hard=4, doc="largest entry of the two factors of the matrix")
    field: str = knob(
        "rational", easy="rational", hard="modulo", order=("rational", "modulo"), doc="over the rational numbers, or modulo a prime"
    )


class Data(TaskData):
    prime: int
    rows: tuple[tuple[int, ...], ...]  # where the vectors asked for give 0
    start: tuple[tuple[int, ...], ...]  # the matrix of the system to solve
    first: int  # vectors in the first span; 0: the system's solutions are asked for themselves
    size: int
    length: int = 0  # the squared length of the shortest integer vectors; 0: a basis is asked for


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.asked == "shortest":
        return _sample_shortest(rng, knobs)
    prime = _sample_prime(rng, knobs)
    rank = max(2, knobs.columns - knobs.nullity)
    rows: list[tuple[int, ...]] = []
    while not rows or eliminations.rank(rows, prime) != rank or not all(map(any, zip(*rows))):
        parts = (
            eliminations.sample_matrix(rng, rank + rng.integer(0, 1), rank, knobs.largest),
            eliminations.sample_matrix(rng, rank, knobs.columns, knobs.largest),
        )
        rows = [tuple(map(int, row)) for row in eliminations.product(*parts, prime)]
    size = knobs.columns - rank
    prompt = f"Find a basis of the null space of this matrix{_field_text(prime)}:\n{eliminations.format_matrix(rows)}"
    return Task(prompt, Data(prime=prime, rows=tuple(rows), start=tuple(rows), first=0, size=size))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The intersection of two spans."""
    prime = _sample_prime(rng, knobs)
    nullity = min(knobs.nullity, knobs.columns - 2)
    more = (knobs.columns - nullity) // 2
    while True:
        shared = eliminations.sample_matrix(rng, nullity, knobs.columns, knobs.largest)
        spans = []
        for _ in range(2):
            basis = [*shared, *eliminations.sample_matrix(rng, more, knobs.columns, knobs.largest)]
            mixed = eliminations.product(eliminations.sample_unimodular(rng, len(basis), 3 * len(basis))[0], basis, prime)
            spans.append([tuple(map(int, row)) for row in mixed])
        ranks = [eliminations.rank(rows, prime) for rows in (*spans, [*spans[0], *spans[1]])]
        shared_shown = any(eliminations.rank([*other, row], prime) == len(other) for span, other in (spans, spans[::-1]) for row in span)
        if ranks == [len(spans[0]), len(spans[1]), len(spans[0]) + more] and not (nullity == 1 and shared_shown):
            break
    rows = [eliminations.primitive_row(row) for span in spans for row in eliminations.null_space(span, prime)]
    start = [tuple(column) for column in zip(*spans[0], *([-a for a in row] for row in spans[1]))]
    shown = "\nand U by the vectors\n".join("\n".join(map(eliminations.format_row, span)) for span in spans)
    prompt = f"Find a basis of the intersection of two spaces of vectors{_field_text(prime)}. V is spanned by the vectors\n{shown}"
    return Task(prompt, Data(prime=prime, rows=tuple(rows), start=tuple(start), first=len(spans[0]), size=nullity))


def solve(task: Task[Data]) -> Rows:
    if task.data.length:
        shortest = short_vectors.shortest_by_halves(task.data.rows, task.data.length)[0]
        return (tuple(map(Fraction, shortest)),)
    vectors = eliminations.null_space(task.data.start, task.data.prime)
    return tuple(_basis_vector(task.data, vector) for vector in vectors)


def verify(task: Task[Data], answer: Rows) -> Score:
    data, p = task.data, task.data.prime
    if len(answer) != data.size or len(answer[0]) != len(data.rows[0]):
        return Score.wrong("the number of vectors, or their length, is wrong")
    if p and not all(a.denominator == 1 and 0 <= a < p for vector in answer for a in vector):
        return Score.wrong(f"give numbers from 0 to {p - 1}")
    if any(map(any, eliminations.product(answer, list(zip(*data.rows)), p))):
        return Score.wrong("a vector is not in the space")
    if data.length:
        if not all(a.denominator == 1 for a in answer[0]) or not any(answer[0]):
            return Score.wrong("give integers that are not all 0")
        return Score.exact(sum(a * a for a in answer[0]) == data.length, "there is a shorter vector")
    return Score.exact(eliminations.rank(answer, p) == data.size, "the vectors are linearly dependent")


def mistakes(task: Task[Data], right: Rows) -> list[Rows]:
    if task.data.length:
        multiple = tuple(tuple(2 * a for a in vector) for vector in right)
        basis = eliminations.null_space(task.data.rows)
        whole = [tuple(map(Fraction, eliminations.primitive_row(vector))) for vector in basis]
        return [multiple, *((vector,) for vector in whole if sum(a * a for a in vector) > task.data.length), (right[0][::-1],)]
    turned = tuple(vector[::-1] for vector in right)
    more = ((right[0][0] + 1, *right[0][1:]), *right[1:])
    zero = (tuple(Fraction(0) for _ in right[0]), *right[1:])
    given = tuple(eliminations.exact(task.data.start)[: len(right)])
    return [turned, more, zero, given, (*right, right[0]), *([right[1:]] if len(right) > 1 else [])]


def cost(task: Task[Data]) -> float:
    if task.data.length:
        return 100 * len(task.data.rows[0]) * task.data.length
    reduction = _row_reduction(task.data)
    return len(reduction.rows) * len(reduction.rows[0]) ** 2


def derive(task: Task[Data]) -> Derivation:
    data, reduction = task.data, _row_reduction(task.data)
    if data.first:
        yield START(rows=tuple(map(eliminations.format_row, reduction.rows)))
    reduction.gaussian_elimination(len(data.start[0]))
    yield from in_order(reduction.steps)
    for vector in eliminations.null_space(data.start, data.prime):
        yield SOLVES(vector=eliminations.format_row(vector))
        if data.first:
            yield MAKES(part=eliminations.format_row(vector[: data.first]), vector=eliminations.format_row(_basis_vector(data, vector)))


def derive_shortest(task: Task[Data]) -> Derivation:
    found = _half(short_vectors.within(task.data.rows, task.data.length + task.data.length // 2))
    yield NONE_SHORTER(longest=task.data.length + task.data.length // 2, count=len(found))
    for vector in found:
        yield SHORT(vector=eliminations.format_row(vector), length=short_vectors.squared_length(vector))


def checks(task: Task[Data]) -> Checks:
    data, reduction, given = task.data, _row_reduction(task.data), list[tuple[Fraction, ...]]()
    vectors = eliminations.null_space(data.start, data.prime)

    def solves(vector: str) -> bool:
        given.append(ANSWER.parse(f"[{vector}]")[0])
        return len(given) <= len(vectors) and given[-1] == vectors[len(given) - 1]

    def makes(part: str, vector: str) -> bool:
        combined = eliminations.format_row(_basis_vector(data, given[-1]))
        return part == eliminations.format_row(given[-1][: data.first]) and vector == combined

    start = {START: lambda rows: rows == ", ".join(map(eliminations.format_row, reduction.rows))}
    return {**reduction.checks(), **start, SOLVES: solves, MAKES: makes}


def _sample_shortest(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The shortest vectors are few and have few zeros, so that no two columns decide."""
    largest, longest = (40, 160) if knobs.columns > 7 else (12, 60)
    shortest: list[tuple[int, ...]] = []
    while not shortest:
        rows = tuple(tuple(rng.integer(1, largest) * rng.choice((1, -1)) for _ in range(5)) for _ in range(2))
        if rows[0][-2] * rows[1][-1] == rows[0][-1] * rows[1][-2]:
            continue
        found = _half(short_vectors.within(rows, longest))
        shortest = [vector for vector in found if short_vectors.squared_length(vector) == short_vectors.squared_length(found[0])]
        if shortest and (len(shortest) > 2 or 4 * short_vectors.squared_length(shortest[0]) < longest or any(v.count(0) for v in shortest)):
            shortest = []
    prompt = (
        f"Consider all vectors of integers, not all 0, that this matrix takes to the zero vector:\n{eliminations.format_matrix(rows)}\n"
        "Find one whose sum of squares is as small as possible. Give it as a list that contains this one vector."
    )
    length = short_vectors.squared_length(shortest[0])
    return Task(prompt, Data(prime=0, rows=rows, start=rows, first=0, size=1, length=length))


def _half(vectors: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """One of each vector and its negative."""
    return [vector for vector in vectors if vector > tuple(-a for a in vector)]


def _sample_prime(rng: Rng, knobs: Knobs) -> int:
    return rng.choice((5, 7, 11)) if knobs.field == "modulo" else 0


def _field_text(prime: int) -> str:
    return f" modulo {prime} (write all entries as integers from 0 to {prime - 1})" if prime else " over the rational numbers"


def _row_reduction(data: Data) -> RowReduction:
    reduction = RowReduction(eliminations.exact(data.start), data.prime)
    reduction.rows = [reduction.normalize(row) for row in reduction.rows]
    return reduction


def _basis_vector(data: Data, vector: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """A solution itself, or the combination of the first span's vectors that its first numbers make."""
    if not data.first:
        return tuple(vector)
    return eliminations.product([vector[: data.first]], list(zip(*(row[: data.first] for row in data.start))), data.prime)[0]


def _other_solutions(task: Task[Data]) -> list[Rows]:
    """Every vector times 2 or added to the next one; all shortest vectors."""
    if task.data.length:
        return [(tuple(map(Fraction, vector)),) for vector in short_vectors.within(task.data.rows, task.data.length)]
    right, p = solve(task), task.data.prime
    mixed = [tuple(a + b for a, b in zip(vector, following)) for vector, following in zip(right, (*right[1:], right[0]))]
    changed = [tuple(2 * a for a in right[0]), *(mixed[:-1] if len(right) > 1 else [])]
    return [right[::-1], tuple(tuple(a % p if p else a for a in row) for row in changed)]


BASIS, SHORTEST = Solution(derive, CLOSING, checks), Solution(derive_shortest, CLOSING_SHORTEST)

environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=SolutionByTask(lambda task: SHORTEST if task.data.length else BASIS), shift=shift, answers="many", solutions=_other_solutions,
    version=5, concept="Reduce the rows; each column without a leading entry is free and gives one vector of the basis.",
)  # fmt: skip
