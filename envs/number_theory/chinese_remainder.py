"""Solve simultaneous congruences, or name two of them that contradict each other.

Some systems have no solution; then the answer names two congruences that cannot both hold, so that "none" alone is never an
answer.
"""

from collections.abc import Iterator
from itertools import combinations
from math import gcd, lcm

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words

ANSWER = Words("the number, or the word clash and two statement numbers, separated by spaces", max_items=6, ignore_case=True)
CONCEPT = "Combine two congruences into one, again and again; two of them clash if they differ modulo a common factor of their moduli."


class Knobs(Config):
    congruences: int = knob(4, easy=2, hard=9, doc="how many congruences")
    largest: int = knob(40, easy=15, hard=400, doc="largest modulus")
    shared: int = knob(40, easy=0, hard=90, doc="percent of moduli that are multiples of one common factor")


class Data(TaskData):
    rests: tuple[int, ...]
    moduli: tuple[int, ...]
    solution: int | None


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    factor = rng.choice((2, 3, 4, 6))
    left = list(range(4, knobs.largest + 1))
    moduli: list[int] = []
    for _ in range(knobs.congruences):
        multiples = [modulus for modulus in left if modulus % factor == 0] if rng.integer(1, 100) <= knobs.shared else []
        moduli.append(rng.choice(multiples or left))
        left.remove(moduli[-1])
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


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    x, step = data.rests[0], data.moduli[0]
    for i in range(1, len(data.moduli)):
        rest, modulus = data.rests[i], data.moduli[i]
        common = gcd(step, modulus)
        if (rest - x) % common:
            steps.append(
                f"So far x leaves {x} when divided by {step}; with statement {i + 1} that is impossible, as both tell x modulo {common}."
            )
            return [*steps, f"Two statements contradict each other: {' '.join(solve(task))}"]
        while x % modulus != rest:
            x += step
        step = lcm(step, modulus)
        steps.append(f"Statements 1 to {i + 1}: x leaves {x % step} when divided by {step}.")
    return [*steps, f"The smallest is {x % step}"]


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
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, explain, answers="many", solutions=_solutions, concept=CONCEPT
)
