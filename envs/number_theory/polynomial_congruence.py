"""Find all solutions of a polynomial congruence modulo a composite number."""

from collections.abc import Sequence
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.numbers.factors import factored, judged, primes
from rlgym.generators.steps import Line, ended, first_wrong


class Knobs(Config):
    degree: int = knob(2, easy=1, hard=3, doc="degree of the polynomial")
    parts: int = knob(2, easy=1, hard=3, doc="different primes in the modulus")
    size: int = knob(30, easy=15, hard=150, doc="largest prime power in the modulus")


class Data(TaskData):
    coefficients: tuple[int, ...]
    modulus: int
    solutions: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    few = [p for p in primes(knobs.size) if p < 8 + knobs.size // 4]
    chosen = rng.sample(few, knobs.parts)
    return _made(rng, knobs, chosen, [rng.choice([k for k in range(1, 9) if p**k <= knobs.size]) for p in chosen])


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A high power of a small prime, and at most one other prime, with a polynomial that has roots there that are alike modulo the prime."""
    p = rng.choice((2, 3, 5))
    q = rng.choice([q for q in primes(8 + knobs.size // 4) if q > 5])
    high = max(k for k in range(1, 20) if p**k <= knobs.size ** min(2, knobs.parts))
    return _made(rng, knobs, [p, q], [rng.integer(max(2, high - 1), max(2, high)), knobs.parts - 1])


def _made(rng: Rng, knobs: Knobs, chosen: list[int], powers: list[int]) -> Task[Data]:
    modulus = 1
    for p, k in zip(chosen, powers, strict=True):
        modulus *= p**k
    modulus = modulus if modulus > 5 else 3 * modulus * modulus
    while True:
        x = rng.integer(0, modulus - 1)
        lead = rng.integer(1, modulus - 1 + knobs.size) if knobs.degree == 1 else 1
        coefficients = [
            0,
            *(rng.integer(1, modulus - 1 + knobs.size) if k > 1 or knobs.degree > 1 else lead for k in range(1, knobs.degree)),
            lead,
        ]
        coefficients[0] = -sum(c * x**k for k, c in enumerate(coefficients)) % modulus
        data = Data(coefficients=tuple(coefficients), modulus=modulus, solutions=())
        found = _found(data)[-1][1]
        if len(found) <= 24:
            break
    terms = [
        f"{'' if c == 1 and k else c}{'*' if k and c > 1 else ''}{('x' if k == 1 else f'x^{k}') if k else ''}"
        for k, c in enumerate(coefficients)
        if c
    ]
    prompt = f"Find all integers x from 0 to {modulus - 1} for which {modulus} divides {' + '.join(terms[::-1])}. There is at least one."
    return Task(prompt, data.model_copy(update={"solutions": tuple(found)}))


def solve(task: Task[Data]) -> tuple[int, ...]:
    """Every remainder is tried where there are few, else every remainder modulo each prime power."""
    data = task.data
    if data.modulus < 20_000:
        return tuple(x for x in range(data.modulus) if _value(data, x) % data.modulus == 0)
    sizes = [p**k for p, k in factored(data.modulus)]
    local = [[x for x in range(size) if _value(data, x) % size == 0] for size in sizes]
    idempotents = [data.modulus // size * pow(data.modulus // size, -1, size) for size in sizes]
    return tuple(sorted(sum(map(int.__mul__, rests, idempotents)) % data.modulus for rests in product(*local)))


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    return Score.exact(answer == task.data.solutions, "these are not all solutions in rising order")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    return [right[:-1] or (data.modulus,), tuple(data.modulus - x for x in right), (*right, data.modulus), right[:1] * 2, (right[0] + 1,)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return sum(len(rests) + len(str(m)) ** 3 for m, rests in _found(data)) * len(data.coefficients) ** 2


ROOTS = Line("Modulo {m} the solutions are {x_all}")
LIFT = Line("Of {x_all}, each plus multiples of {step}, {modulus} divides the value at {y_all} only")
JOIN = Line("Solutions modulo {m} and modulo {k} together are, modulo {n}, {x_all}")


def explain(task: Task[Data]) -> list[str]:
    data, steps, before = task.data, [], dict[int, list[int]]()
    for m, rests in _found(data):
        p, k = factored(m)[0]
        told = ", ".join(map(str, rests))
        if len(factored(m)) > 1:
            one, two = list(before)[-2:]
            steps.append(JOIN.write(m=one, k=two, n=m, x_all=told))
            before = {m: rests}
        elif k == 1:
            steps.append(ROOTS.write(m=m, x_all=told))
            before[m] = rests
        else:
            lower = before.pop(m // p)
            steps.append(LIFT.write(x_all=", ".join(map(str, lower)), step=m // p, modulus=m, y_all=told))
            before[m] = rests
    return [*steps, f"The solutions are {environment.answer.render(data.solutions)}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    facts = {m: tuple(rests) for m, rests in _found(task.data)}
    known = dict[int, tuple[int, ...]]()

    def roots(m: int, x_all: tuple[int, ...]) -> bool:
        known[m] = x_all
        return x_all == facts[m]

    def lift(x_all: tuple[int, ...], step: int, modulus: int, y_all: tuple[int, ...]) -> bool:
        known[modulus] = y_all
        return x_all == known[step] and modulus % step == 0 and y_all == facts[modulus]

    def join(m: int, k: int, n: int, x_all: tuple[int, ...]) -> bool:
        known[n] = x_all
        return m in known and k in known and n == m * k and x_all == facts[n]

    return first_wrong(
        steps, judged((ROOTS, roots), (LIFT, lift), (JOIN, join)), ended("The solutions are ", task, environment.answer, verify)
    )


def _value(data: Data, x: int) -> int:
    value = 0
    for c in reversed(data.coefficients):
        value = value * x + c
    return value


def _found(data: Data) -> list[tuple[int, list[int]]]:
    """The solutions modulo powers of each prime, rising, and modulo the products of these prime powers."""
    out: list[tuple[int, list[int]]] = []
    modulus, whole = 1, [0]
    for p, k in factored(data.modulus):
        size, rests = 1, [0]
        for _ in range(k):
            rests = sorted(x for rest in rests for x in range(rest, size * p, size) if _value(data, x) % (size * p) == 0)
            size *= p
            out.append((size, rests))
        first = modulus == 1
        whole = sorted(x for one in whole for x in range(one, modulus * size, modulus) if x % size in rests) if not first else rests
        modulus *= size
        out += [] if first else [(modulus, whole)]
    return out


environment = Environment(
    Knobs,
    Numbers("the solutions in rising order, separated by commas"),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    concept="Solve modulo each prime, lift the solutions to its higher powers, and put together those of different primes.",
)
