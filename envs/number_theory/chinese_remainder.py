"""Solve simultaneous congruences, or name two of them that contradict each other.

Some systems have no solution; then the answer names two congruences that cannot both hold, so that "none" alone is never an
answer. On the upper levels some statements are about the square of the number, not
all can hold, and the smallest number that satisfies as many as possible is asked for.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import gcd, lcm

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.draws import draw_short
from rlgym.generators.numbers import congruences
from rlgym.generators.numbers.congruences import Remainder
from rlgym.generators.numbers.factors import grouped_integer, is_prime
from rlgym.solutions import Derivation, Solution, SolutionByTask, Step

ANSWER = Words("what is asked for, with spaces between its parts if there are several", max_items=6, ignore_case=True)
CONCEPT = "Combine two congruences into one, again and again; two of them clash if they differ modulo a common factor of their moduli."
BOTH = Step(
    "So far x = {x:int} + {step:int}*k. Statement {number:int} requires {step}*k = {missing:int} modulo {modulus:int}; the greatest common divisor of {step} "
    "and {modulus} is {common:int}"
)
MULTIPLE = Step(
    "Divided by {common:int}, {step:int}*k = {missing:int} modulo {modulus:int}; the inverse of {step} is {inverse:int}, so k = {k:int}"
)
JOINED = Step("Hence statements 1 to {number:int} say that x leaves {x:int} when divided by {step:int}")
CLASH = Step("{missing:int} is no multiple of {common:int}, so no k exists")
PAIR = Step(
    "Statements {first:int} and {second:int} alone contradict each other: {common:int} divides both moduli, but not the difference of {one:int} and {other:int}"
)
RESIDUES = Step("Statement {number:int} holds where x leaves one of these when divided by {modulus:int}: {residues:ints}.")
MOST = Step("No integer satisfies more than {count:int} statements.")
TOGETHER = Step("x = {x:int} satisfies statements {numbers:ints}.")
END = "The answer is {answer}"


class Knobs(Config):
    congruences: int = knob(4, easy=2, hard=9, doc="how many congruences")
    largest: int = knob(40, easy=15, hard=400, doc="largest modulus")
    shared: int = knob(40, easy=0, hard=90, doc="percent of moduli that are multiples of one common factor")

    asked: str = knob(
        "all",
        easy="all",
        hard="most",
        order=("all", "most"),
        doc="a number that satisfies all congruences, or the smallest that satisfies as many as possible",
    )


class Data(TaskData):
    rests: tuple[int, ...]
    moduli: tuple[int, ...]
    solution: int | None
    most: int = 0  # how many statements the solution satisfies, where not all of them can hold
    squares: tuple[bool, ...] = ()  # which statements are about the square of x, where not all of them can hold


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.asked == "most":
        return _sample_most(rng, knobs)
    return _sample_task(rng, knobs, list(range(4, knobs.largest + 1)))


def _sample_moduli(rng: Rng, knobs: Knobs, pool: list[int], factor: int) -> list[int]:
    left, moduli = list(pool), []
    for _ in range(knobs.congruences):
        multiples = [modulus for modulus in left if modulus % factor == 0] if rng.integer(1, 100) <= knobs.shared else []
        moduli.append(rng.choice(multiples or left))
        left.remove(moduli[-1])
    return moduli


def _sample_task(rng: Rng, knobs: Knobs, pool: list[int]) -> Task[Data]:
    factor = rng.choice((2, 3, 4, 6))
    moduli = draw_short(lambda: _sample_moduli(rng, knobs, pool, factor), lambda drawn: lcm(*drawn))
    secret = rng.integer(lcm(*moduli) // 3, lcm(*moduli) - 1)
    rests = [secret % modulus for modulus in moduli]
    sharing_factor = [(i, j) for i, j in combinations(range(len(moduli)), 2) if gcd(moduli[i], moduli[j]) > 1]
    impossible = bool(sharing_factor) and rng.chance(0.15)
    if impossible:
        changed = rng.choice(rng.choice(sharing_factor))
        rests[changed] = (rests[changed] + rng.integer(1, factor)) % moduli[changed]
    solution = _sieve(rests, moduli)
    listing = _numbered_lines(Remainder(rest, modulus, False) for rest, modulus in zip(rests, moduli))
    prompt = (
        f"Consider these statements about an integer x:\n{listing}\n\nIf some x satisfies all of them, give the smallest such x that is not "
        "negative. If none does, two of the statements contradict each other: give the word clash and the numbers of two such statements, such as "
        "clash i j."
    )
    return Task(prompt, Data(rests=tuple(rests), moduli=tuple(moduli), solution=solution))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Moduli that are consecutive integers, so that neighbours are coprime and others share small factors only."""
    last = max(4, min(knobs.largest, 99) + 1 - knobs.congruences)
    first = draw_short(lambda: rng.integer(4, last), lambda start: lcm(*range(start, start + knobs.congruences)))
    return _sample_task(rng, knobs, list(range(first, first + knobs.congruences)))


def solve(task: Task[Data]) -> tuple[str, ...]:
    if task.data.most:
        return (str(congruences.smallest_with_most(_statements(task.data))),)
    x, step = 0, 1  # congruence by congruence with inverses; `generate` sieves
    for rest, modulus in zip(task.data.rests, task.data.moduli, strict=True):
        common = gcd(step, modulus)
        if (rest - x) % common:
            return next(_clashes(task.data))
        x += step * ((rest - x) // common * pow(step // common, -1, modulus // common) % (modulus // common))
        step = lcm(step, modulus)
    return (str(x % step),)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if answer[0] == "clash" and not data.most:
        numbers = [int(word) for word in answer[1:] if word.isascii() and word.isdigit() and len(word) < 4]
        if len(answer) != 3 or len(numbers) != 2 or not all(1 <= number <= len(data.moduli) for number in numbers):
            return Score.wrong("clash must be followed by the numbers of two statements")
        (i, j) = (number - 1 for number in numbers)
        common = gcd(data.moduli[i], data.moduli[j])
        return Score.exact((data.rests[i] - data.rests[j]) % common != 0, f"statements {i + 1} and {j + 1} do not contradict each other")
    answer = answer[2:] if answer[:2] == ("x", "=") and len(answer) > 2 else answer  # `x = 26` says the same as `26`
    number = grouped_integer((answer[0].removeprefix("x="), *answer[1:]), 60)
    if number is None or number < 0:
        return Score.wrong("give one number that is not negative, or clash and two numbers")
    if data.solution is None:
        return Score.wrong("no number satisfies all the statements")
    if data.most:
        return Score.exact(number == data.solution, "that is not the smallest number that satisfies as many statements as possible")
    return Score.exact(number == data.solution, "that is not the smallest number that satisfies all the statements")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    if data.most:
        found = congruences.counts(_statements(data))
        return [(str(x),) for x in (found.index(data.most - 1), int(right[0]) + 1, int(right[0]) + len(found))]
    if right[0] == "clash":
        return [(str(data.rests[0]),), ("clash", right[1], right[1]), ("clash",)]
    return [(str(int(right[0]) + lcm(*data.moduli)),), ("clash", "1", "2"), (str(data.rests[0]),), (str(int(right[0]) + data.moduli[0]),)]


def cost(task: Task[Data]) -> float:
    if task.data.most:
        return 20 * len(task.data.moduli) * sum(len(statement.residues) for statement in _statements(task.data))
    return sum(len(str(modulus)) ** 2 * (i + 1) for i, modulus in enumerate(task.data.moduli))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    x, step = data.rests[0], data.moduli[0]
    for number, (rest, modulus) in enumerate(zip(data.rests[1:], data.moduli[1:]), 2):
        common, missing = gcd(step, modulus), (rest - x) % modulus
        yield BOTH(x=x, step=step, number=number, missing=missing, modulus=modulus, common=common)
        if missing % common:
            yield CLASH(missing=missing, common=common)
            first, second = (int(name) for name in next(_clashes(data))[1:])
            pair = [data.moduli[first - 1], data.moduli[second - 1]]
            yield PAIR(first=first, second=second, common=gcd(*pair), one=data.rests[first - 1], other=data.rests[second - 1])
            return
        coefficient, reduced = step // common, modulus // common
        inverse = pow(coefficient, -1, reduced)
        k = missing // common * inverse % reduced
        yield MULTIPLE(common=common, step=coefficient, missing=missing // common, modulus=reduced, inverse=inverse, k=k)
        x, step = x + step * k, lcm(step, modulus)
        yield JOINED(number=number, x=x, step=step)


def derive_most(task: Task[Data]) -> Derivation:
    data, statements = task.data, _statements(task.data)
    for number, statement in enumerate(statements, 1):
        yield RESIDUES(number=number, modulus=statement.modulus, residues=tuple(statement.residues))
    yield MOST(count=data.most)
    held = [number for number, statement in enumerate(statements, 1) if statement.holds(data.solution or 0)]
    yield TOGETHER(x=data.solution, numbers=tuple(held))


def _sample_most(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Neither statements taken in order nor the commonest residue modulo each prime lead to the most."""
    count = max(6, knobs.congruences) * 3 // 2
    while True:
        period = rng.choice((2520, 5040, 7560, 9240, 12600, 13860))
        moduli = rng.sample([n for n in range(8, 64) if period % n == 0 and not is_prime(n)], count)
        squares = rng.shuffled([k < count // 2 for k in range(count)])
        statements = []
        for modulus, square in zip(moduli, squares, strict=True):
            x = rng.integer(0, modulus - 1)
            statements.append(Remainder((x * x if square else x) % modulus, modulus, square))
        found = congruences.counts(statements)
        most = max(found)
        if not count // 3 < most < count - 1 or found.index(most) < 60 or found.count(most) > 4:
            continue
        if max(congruences.greedy_count(statements), congruences.plurality_count(statements, found)) < most:
            break
    listing = _numbered_lines(statements)
    prompt = (
        f"Consider these statements about an integer x:\n{listing}\n\nNo integer satisfies all of them. Among the integers that satisfy as many "
        "of them as possible, find the smallest one that is not negative."
    )
    rests = tuple(statement.rest for statement in statements)
    return Task(prompt, Data(rests=rests, moduli=tuple(moduli), solution=found.index(most), most=most, squares=tuple(squares)))


def _numbered_lines(statements: Iterable[Remainder]) -> str:
    return "\n".join(f"{i}. {statement}" for i, statement in enumerate(statements, 1))


def _statements(data: Data) -> list[Remainder]:
    return [Remainder(*statement) for statement in zip(data.rests, data.moduli, data.squares, strict=True)]


def _sieve(rests: list[int], moduli: list[int]) -> int | None:
    x, step = rests[0], moduli[0]
    for rest, modulus in zip(rests[1:], moduli[1:], strict=True):
        for _ in range(modulus):
            if x % modulus == rest:
                break
            x += step
        else:
            return None
        step = lcm(step, modulus)
    return x % step


def _clashes(data: Data) -> Iterator[tuple[str, str, str]]:
    for i, j in combinations(range(len(data.moduli)), 2):
        if (data.rests[i] - data.rests[j]) % gcd(data.moduli[i], data.moduli[j]):
            yield ("clash", str(i + 1), str(j + 1))


def _solutions(task: Task[Data]) -> list[tuple[str, ...]]:
    if task.data.most:
        found = congruences.counts(_statements(task.data))
        return [(str(found.index(max(found))),)]
    if task.data.solution is not None:
        return [(str(task.data.solution),)]
    return [*_clashes(task.data), *((a, c, b) for a, b, c in _clashes(task.data))]


EVERY_STATEMENT, MOST_STATEMENTS = Solution(derive, END), Solution(derive_most, END)

environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=SolutionByTask(lambda task: MOST_STATEMENTS if task.data.most else EVERY_STATEMENT), shift=shift,
    answers="many", solutions=_solutions, concept=CONCEPT, version=4,
)  # fmt: skip
