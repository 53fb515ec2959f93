"""Solve simultaneous congruences, or name two of them that contradict each other.

Some systems have no solution; then the answer names two congruences that cannot both hold, so that "none" alone is never an
answer.
"""

from collections.abc import Iterator
from itertools import combinations
from math import gcd, lcm

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.draws import draw_short
from rlgym.solutions import Derivation, Solution, Step

ANSWER = Words("the number, or the word clash and two statement numbers, separated by spaces", max_items=6, ignore_case=True)
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
END = "The answer is {answer}"


class Knobs(Config):
    congruences: int = knob(4, easy=2, hard=9, doc="how many congruences")
    largest: int = knob(40, easy=15, hard=400, doc="largest modulus")
    shared: int = knob(40, easy=0, hard=90, doc="percent of moduli that are multiples of one common factor")


class Data(TaskData):
    rests: tuple[int, ...]
    moduli: tuple[int, ...]
    solution: int | None


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
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
    listing = "\n".join(
        f"{i}. x leaves the remainder {rest} when divided by {modulus}" for i, (rest, modulus) in enumerate(zip(rests, moduli), 1)
    )
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
    # Congruence by congruence with inverses; `generate` sieves.
    x, step = 0, 1
    for rest, modulus in zip(task.data.rests, task.data.moduli, strict=True):
        common = gcd(step, modulus)
        if (rest - x) % common:
            return next(_clashes(task.data))
        x += step * ((rest - x) // common * pow(step // common, -1, modulus // common) % (modulus // common))
        step = lcm(step, modulus)
    return (str(x % step),)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if answer[0] == "clash":
        numbers = [int(word) for word in answer[1:] if word.isascii() and word.isdigit() and len(word) < 4]
        if len(answer) != 3 or len(numbers) != 2 or not all(1 <= number <= len(data.moduli) for number in numbers):
            return Score.wrong("clash must be followed by the numbers of two statements")
        (i, j) = (number - 1 for number in numbers)
        common = gcd(data.moduli[i], data.moduli[j])
        return Score.exact((data.rests[i] - data.rests[j]) % common != 0, f"statements {i + 1} and {j + 1} do not contradict each other")
    # `x = 26` says the same as `26`.
    answer = answer[2:] if answer[:2] == ("x", "=") and len(answer) > 2 else answer
    word = answer[0].removeprefix("x=")
    if len(answer) != 1 or not (word.isascii() and word.isdigit() and len(word) < 60):
        return Score.wrong("give one number that is not negative, or clash and two numbers")
    if data.solution is None:
        return Score.wrong("no number satisfies all the statements")
    return Score.exact(int(word) == data.solution, "that is not the smallest number that satisfies all the statements")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    if right[0] == "clash":
        return [(str(data.rests[0]),), ("clash", right[1], right[1]), ("clash",)]
    return [(str(int(right[0]) + lcm(*data.moduli)),), ("clash", "1", "2"), (str(data.rests[0]),), (str(int(right[0]) + data.moduli[0]),)]


def cost(task: Task[Data]) -> float:
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
    if task.data.solution is not None:
        return [(str(task.data.solution),)]
    return [*_clashes(task.data), *((a, c, b) for a, b, c in _clashes(task.data))]


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, END),
    shift=shift,
    answers="many",
    solutions=_solutions,
    concept=CONCEPT,
    version=2,
)
