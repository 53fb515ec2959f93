"""Find all solutions of a polynomial congruence modulo a composite number."""

from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.draws import draw_rare
from rlgym.generators.numbers.factors import factorize, primes
from rlgym.solutions import Checks, Derivation, Solution, Step

CLOSING = "The solutions are {answer}"
ROOTS = Step("Modulo {m:int} the solutions are {rests:ints}")
LIFT = Step("Of {lower:ints}, each plus multiples of {step:int}, {modulus:int} divides the value at {rests:ints} only")
JOIN = Step("Solutions modulo {m:int} and modulo {k:int} together are, modulo {n:int}, {rests:ints}")
ANSWER = Numbers("the solutions in ascending order, separated by commas")
CONCEPT = "Solve modulo each prime, lift the solutions to its higher powers, and put together those of different primes."


class Knobs(Config):
    degree: int = knob(2, easy=1, hard=3, doc="degree of the polynomial")
    parts: int = knob(2, easy=1, hard=3, doc="different primes in the modulus")
    size: int = knob(30, easy=15, hard=150, doc="largest prime power in the modulus")


class Data(TaskData):
    coefficients: tuple[int, ...]
    modulus: int
    solutions: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_rare(lambda: _sample_primes(rng, knobs), lambda task: task.data.solutions, 24 if knobs.parts < 2 else 1)


def _sample_primes(rng: Rng, knobs: Knobs) -> Task[Data]:
    few = [p for p in primes(knobs.size) if p < 8 + knobs.size // 4]
    chosen = rng.sample(few, knobs.parts)
    return _sample_task(rng, knobs, chosen, [rng.choice([k for k in range(1, 9) if p**k <= knobs.size]) for p in chosen])


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A high power of a small prime and at most one other prime, with roots that are congruent modulo the prime."""
    p = rng.choice((2, 3, 5))
    q = rng.choice([q for q in primes(8 + knobs.size // 4) if q > 5])
    high = max(k for k in range(1, 20) if p**k <= knobs.size ** min(2, knobs.parts))
    return _sample_task(rng, knobs, [p, q], [rng.integer(max(2, high - 1), max(2, high)), knobs.parts - 1])


def _sample_task(rng: Rng, knobs: Knobs, chosen: list[int], powers: list[int]) -> Task[Data]:
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
        solutions = _solutions_by_modulus(data)[-1][1]
        if len(solutions) <= 24:
            break
    terms = [
        f"{'' if c == 1 and k else c}{'*' if k and c > 1 else ''}{('x' if k == 1 else f'x^{k}') if k else ''}"
        for k, c in enumerate(coefficients)
        if c
    ]
    prompt = f"Find all integers x from 0 to {modulus - 1} for which {modulus} divides {' + '.join(terms[::-1])}. There is at least one."
    return Task(prompt, data.model_copy(update={"solutions": tuple(solutions)}))


def solve(task: Task[Data]) -> tuple[int, ...]:
    """Every remainder is tried where there are few, else every remainder modulo each prime power."""
    data = task.data
    if data.modulus < 20_000:
        return tuple(x for x in range(data.modulus) if _value(data, x) % data.modulus == 0)
    sizes = [p**k for p, k in factorize(data.modulus)]
    local = [[x for x in range(size) if _value(data, x) % size == 0] for size in sizes]
    idempotents = [data.modulus // size * pow(data.modulus // size, -1, size) for size in sizes]
    return tuple(sorted(sum(map(int.__mul__, rests, idempotents)) % data.modulus for rests in product(*local)))


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    return Score.exact(answer == task.data.solutions, "these are not all solutions in ascending order")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    return [right[:-1] or (data.modulus,), tuple(data.modulus - x for x in right), (*right, data.modulus), right[:1] * 2, (right[0] + 1,)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return sum(len(rests) + len(str(m)) ** 3 for m, rests in _solutions_by_modulus(data)) * len(data.coefficients) ** 2


def derive(task: Task[Data]) -> Derivation:
    before = dict[int, list[int]]()
    for m, rests in _solutions_by_modulus(task.data):
        p, k = factorize(m)[0]
        if len(factorize(m)) > 1:
            first, second = list(before)[-2:]
            yield JOIN(m=first, k=second, n=m, rests=rests)
            before = {m: rests}
        elif k == 1:
            yield ROOTS(m=m, rests=rests)
            before[m] = rests
        else:
            yield LIFT(lower=before.pop(m // p), step=m // p, modulus=m, rests=rests)
            before[m] = rests


def checks(task: Task[Data]) -> Checks:
    solutions = {m: tuple(rests) for m, rests in _solutions_by_modulus(task.data)}
    known = dict[int, tuple[int, ...]]()

    def roots(m: int, rests: tuple[int, ...]) -> bool:
        known[m] = rests
        return rests == solutions[m]

    def lift(lower: tuple[int, ...], step: int, modulus: int, rests: tuple[int, ...]) -> bool:
        known[modulus] = rests
        return lower == known[step] and modulus % step == 0 and rests == solutions[modulus]

    def join(m: int, k: int, n: int, rests: tuple[int, ...]) -> bool:
        known[n] = rests
        return m in known and k in known and n == m * k and rests == solutions[n]

    return {ROOTS: roots, LIFT: lift, JOIN: join}


def _value(data: Data, x: int) -> int:
    value = 0
    for c in reversed(data.coefficients):
        value = value * x + c
    return value


def _solutions_by_modulus(data: Data) -> list[tuple[int, list[int]]]:
    """The solutions modulo powers of each prime, rising, and modulo the products of these prime powers."""
    out: list[tuple[int, list[int]]] = []
    modulus, residues = 1, [0]
    for p, k in factorize(data.modulus):
        size, rests = 1, [0]
        for _ in range(k):
            rests = sorted(x for rest in rests for x in range(rest, size * p, size) if _value(data, x) % (size * p) == 0)
            size *= p
            out.append((size, rests))
        first = modulus == 1
        residues = (
            sorted(x for start in residues for x in range(start, modulus * size, modulus) if x % size in rests) if not first else rests
        )
        modulus *= size
        out += [] if first else [(modulus, residues)]
    return out


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, CLOSING, checks),
    shift=shift,
    concept=CONCEPT,
    version=2,
)
