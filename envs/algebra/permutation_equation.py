"""Find a permutation that solves an equation: a product, a conjugator or a root.

Any solution is accepted. The shifted family asks for a permutation that conjugates two permutations at once.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.algebra import permutations
from rlgym.generators.algebra.permutations import Permutation
from rlgym.solutions import Checks, Derivation, Due, Solution, Step, in_order

KINDS = ("product", "conjugator", "root")
ANSWER = Numbers("the images x(1), x(2), x(3), ... in order, separated by commas", max_items=60)
PATH = Step("The factors from right to left take {path}.")
JOIN = Step("The cycle {cycle} to the power {exponent:int} is {parts}, as in a.")
LET = Step("Let x take {i:int} to {y:int}.")
FOLLOW = Step("As {left} takes {i:int} to {j:int} and {right} takes {y:int} to {z:int}, x takes {j:int} to {z:int}.")
CLOSING = "The images are {answer}"


class Knobs(Config):
    kind: str = knob("conjugator", easy="product", hard="root", order=KINDS, doc="x is a product, x*a = b*x, or a power of x is given")
    size: int = knob(9, easy=5, hard=20, doc="how many numbers are permuted")
    factors: int = knob(3, easy=2, hard=4, doc="factors of the product")
    exponent: int = knob(3, easy=2, hard=6, doc="largest exponent")


class Data(TaskData):
    kind: str
    given: tuple[Permutation, ...]
    exponents: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.kind == "conjugator":
        return _sample_conjugation(rng, knobs, 1)
    if knobs.kind == "product":
        given = tuple(permutations.sample_permutation(rng, knobs.size) for _ in range(knobs.factors))
        exponents = tuple(rng.choice([e for e in range(-2, knobs.exponent + 1) if e]) for _ in given)
        shown = "*".join(f"{name}^{e}" if e != 1 else name for name, e in zip("abcd", exponents))
        return _render_task(given, f"x = {shown}", Data(kind="product", given=given, exponents=exponents))
    exponent = rng.integer(2, knobs.exponent)
    product = tuple(range(knobs.size))
    while product == tuple(range(knobs.size)):
        product = permutations.power(permutations.sample_permutation(rng, knobs.size), exponent)
    return _render_task((product,), f"x^{exponent} = a", Data(kind="root", given=(product,), exponents=(exponent,)))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Two permutations conjugated at once."""
    return _sample_conjugation(rng, knobs, 2)


def solve(task: Task[Data]) -> Permutation:
    return tuple(i + 1 for i in next(_search_solutions(task.data, False)))


def verify(task: Task[Data], answer: Permutation) -> Score:
    data, size = task.data, len(task.data.given[0])
    if sorted(answer) != list(range(1, size + 1)):
        return Score.wrong(f"give each number from 1 to {size} once")
    x = tuple(i - 1 for i in answer)
    if data.kind == "conjugator":
        return Score.exact(
            all(permutations.product(x, a) == permutations.product(b, x) for a, b in _pairs(data)), "an equation does not hold"
        )
    expected = data.given[0] if data.kind == "root" else _product(data)
    return Score.exact(
        permutations.power(x, data.exponents[0]) == expected if data.kind == "root" else x == expected, "the equation does not hold"
    )


def mistakes(task: Task[Data], right: Permutation) -> list[Permutation]:
    size = len(right)
    turned = tuple(i + 1 for i in permutations.inverse(tuple(i - 1 for i in right)))
    given = tuple(i + 1 for i in task.data.given[0])
    swapped = (right[1], right[0], *right[2:])
    return [turned, given, swapped, right[1:] + right[:1], tuple(range(1, size + 1)), right[:-1]]


def cost(task: Task[Data]) -> float:
    weight = {"product": 2 * sum(map(abs, task.data.exponents)), "conjugator": 12 + 4 * len(task.data.given), "root": 40}[task.data.kind]
    return weight * len(task.data.given[0])


def derive(task: Task[Data]) -> Derivation:
    data, x = task.data, next(_search_solutions(task.data, False))
    if data.kind == "product":
        for i in range(len(x)):
            path = [i]
            for given, exponent in list(zip(data.given, data.exponents))[::-1]:
                path.append(permutations.power(given, exponent)[path[-1]])
            yield PATH(path=" -> ".join(str(k + 1) for k in path))
    elif data.kind == "root":
        for cycle in permutations.cycles(x):
            yield JOIN(cycle=permutations.cycle_text(cycle), exponent=data.exponents[0], parts=_parts_text(cycle, data.exponents[0]))
    else:
        known: set[int] = set()
        for i in range(len(x)):
            if i not in known:
                yield LET(i=i + 1, y=x[i] + 1)
                yield from in_order(_consequences(data, x, i, known))


def checks(task: Task[Data]) -> Checks:
    data, images = task.data, dict[int, int]()

    def path(path: str) -> bool:
        places = [int(word) - 1 for word in path.split(" -> ")]
        factors = list(zip(data.given, data.exponents))[::-1]
        known, images[places[0]] = places[0] in images, places[-1]
        fits = all(permutations.power(given, e)[places[k]] == places[k + 1] for k, (given, e) in enumerate(factors))
        return fits and len(places) == len(factors) + 1 and not known

    def join(cycle: str, exponent: int, parts: str) -> bool:
        members = [int(word) - 1 for word in cycle.strip("()").split()]
        fits = all(data.given[0][members[i]] == members[(i + exponent) % len(members)] for i in range(len(members)))
        distinct = len(set(members)) == len(members)
        return fits and _parts_text(members, exponent) == parts and exponent == data.exponents[0] and distinct

    def let(i: int, y: int) -> bool:
        more = permutations.propagate_image(_pairs(data), i - 1, y - 1)
        new = more is not None and not set(more) & set(images) and not set(more.values()) & set(images.values())
        images[i - 1] = y - 1
        return new

    def follow(i: int, j: int, y: int, z: int, left: str, right: str) -> bool:
        a, b = _pairs(data)["ac".index(left)]
        follows = images[i - 1] == y - 1 and (a[i - 1], b[y - 1]) == (j - 1, z - 1) and right == "bd"["ac".index(left)]
        images[j - 1] = z - 1
        return follows

    return {PATH: path, JOIN: join, LET: let, FOLLOW: follow}


def _sample_conjugation(rng: Rng, knobs: Knobs, count: int) -> Task[Data]:
    x = permutations.sample_permutation(rng, knobs.size)
    given: list[Permutation] = []
    for _ in range(count):
        permutation = permutations.sample_permutation(rng, knobs.size)
        if count == 2:
            # Involutions have short cycles, so that many images are possible at first.
            moved = rng.sample(range(knobs.size), knobs.size // 2 * 2)
            swaps = list(range(knobs.size))
            for i, j in zip(moved[::2], moved[1::2]):
                swaps[i], swaps[j] = j, i
            permutation = tuple(swaps)
        given += [permutation, permutations.product(x, permutations.product(permutation, permutations.inverse(x)))]
    equations = " and ".join(("x*a = b*x", "x*c = d*x")[:count])
    return _render_task(given, equations, Data(kind="conjugator", given=tuple(given), exponents=()))


def _render_task(given: Sequence[Permutation], equations: str, data: Data) -> Task[Data]:
    size = len(given[0])
    shown = "\n".join(f"{name} = {permutations.text(permutation)}" for name, permutation in zip("abcd", given))
    prompt = (
        f"Permutations of the numbers from 1 to {size} are given as cycles, where numbers that stay in place are left out:\n{shown}\n\n"
        f"Find a permutation x of these numbers with {equations}. In a product p*q the right one comes first: p*q takes k to p(q(k))."
    )
    return Task(prompt, data)


def _pairs(data: Data) -> list[permutations.Pair]:
    return list(zip(data.given[::2], data.given[1::2]))


def _product(data: Data) -> Permutation:
    product = tuple(range(len(data.given[0])))
    for given, exponent in zip(data.given, data.exponents):
        product = permutations.product(product, permutations.power(given, exponent))
    return product


def _parts_text(cycle: Sequence[int], exponent: int) -> str:
    """The cycles of a power of a cycle."""
    power = tuple((k + exponent) % len(cycle) for k in range(len(cycle)))
    return "".join(permutations.cycle_text([cycle[k] for k in part]) for part in permutations.cycles(power))


def _consequences(data: Data, x: Permutation, start: int, known: set[int]) -> list[Due]:
    """The images of x that follow from one image, by breadth-first search."""
    steps, waiting = list[Due](), [start]
    known.add(start)
    while waiting:
        i = waiting.pop(0)
        for (a, b), left, right in zip(_pairs(data), "ac", "bd"):
            if a[i] not in known:
                steps.append(FOLLOW(left=left, i=i + 1, j=a[i] + 1, right=right, y=x[i] + 1, z=b[x[i]] + 1))
                known.add(a[i])
                waiting.append(a[i])
    return steps


def _search_solutions(data: Data, backwards: bool) -> Iterator[Permutation]:
    order = range(len(data.given[0]))
    if data.kind == "conjugator":
        yield from permutations.conjugators(_pairs(data), order[::-1] if backwards else order)
    elif data.kind == "root":
        yield from permutations.roots(data.given[0], data.exponents[0], backwards)
    else:
        yield _product(data)


def _other_solutions(task: Task[Data]) -> Iterator[Permutation]:
    for x in _search_solutions(task.data, True):
        yield tuple(i + 1 for i in x)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, CLOSING, checks), shift=shift, answers="many", solutions=_other_solutions,
    concept="Conjugating renames the members of cycles; a power cuts a cycle into equal parts, so a root joins cycles of one length.",
)  # fmt: skip
