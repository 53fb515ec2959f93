"""Find a permutation that solves an equation: a product, a conjugator or a root.

Any solution is accepted. The shifted family asks for a permutation that conjugates two permutations at once.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.algebra import permutations
from rlgym.generators.algebra.permutations import Permutation
from rlgym.generators.claims import Claim, refuted
from rlgym.generators.steps import Line, ended

KINDS = ("product", "conjugator", "root")


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
        return _conjugating(rng, knobs, 1)
    if knobs.kind == "product":
        given = tuple(permutations.drawn(rng, knobs.size) for _ in range(knobs.factors))
        exponents = tuple(rng.choice([e for e in range(-2, knobs.exponent + 1) if e]) for _ in given)
        shown = "*".join(f"{name}^{e}" if e != 1 else name for name, e in zip("abcd", exponents))
        return _task(given, f"x = {shown}", Data(kind="product", given=given, exponents=exponents))
    exponent = rng.integer(2, knobs.exponent)
    whole = tuple(range(knobs.size))
    while whole == tuple(range(knobs.size)):
        whole = permutations.power(permutations.drawn(rng, knobs.size), exponent)
    return _task((whole,), f"x^{exponent} = a", Data(kind="root", given=(whole,), exponents=(exponent,)))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Two permutations conjugated at once."""
    return _conjugating(rng, knobs, 2)


def solve(task: Task[Data]) -> Permutation:
    return tuple(i + 1 for i in next(_found(task.data, False)))


def verify(task: Task[Data], answer: Permutation) -> Score:
    data, size = task.data, len(task.data.given[0])
    if sorted(answer) != list(range(1, size + 1)):
        return Score.wrong(f"give each number from 1 to {size} once")
    x = tuple(i - 1 for i in answer)
    if data.kind == "conjugator":
        return Score.exact(
            all(permutations.product(x, a) == permutations.product(b, x) for a, b in _pairs(data)), "an equation does not hold"
        )
    wanted = data.given[0] if data.kind == "root" else _product(data)
    return Score.exact(
        permutations.power(x, data.exponents[0]) == wanted if data.kind == "root" else x == wanted, "the equation does not hold"
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


def explain(task: Task[Data]) -> list[str]:
    data, x = task.data, next(_found(task.data, False))
    steps = []
    if data.kind == "product":
        for i in range(len(x)):
            path = [i]
            for given, exponent in list(zip(data.given, data.exponents))[::-1]:
                path.append(permutations.power(given, exponent)[path[-1]])
            steps.append(_PATH.write(path=" -> ".join(str(k + 1) for k in path)))
    elif data.kind == "root":
        for cycle in permutations.cycles(x):
            parts = permutations.cycles(_within(cycle, data.exponents[0]))
            shown = "".join(permutations.cycle_text([cycle[k] for k in part]) for part in parts)
            steps.append(_JOIN.write(cycle=permutations.cycle_text(cycle), exponent=data.exponents[0], parts=shown))
    else:
        known: set[int] = set()
        for i in range(len(x)):
            if i not in known:
                steps.append(_LET.write(i=i + 1, y=x[i] + 1))
                steps += _spreading(data, x, i, known)
    return [*steps, _LAST + _ANSWER.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, said = task.data, dict[int, int]()

    def path(path: str) -> bool:
        places = [int(word) - 1 for word in path.split(" -> ")]
        parts = list(zip(data.given, data.exponents))[::-1]
        known, said[places[0]] = places[0] in said, places[-1]
        fits = all(permutations.power(given, e)[places[k]] == places[k + 1] for k, (given, e) in enumerate(parts))
        return fits and len(places) == len(parts) + 1 and not known

    def join(cycle: str, exponent: str, parts: str) -> bool:
        members = [int(word) - 1 for word in cycle.strip("()").split()]
        pieces = permutations.cycles(_within(members, int(exponent)))
        shown = "".join(permutations.cycle_text([members[k] for k in piece]) for piece in pieces)
        fits = all(data.given[0][members[i]] == members[(i + int(exponent)) % len(members)] for i in range(len(members)))
        return fits and shown == parts and int(exponent) == data.exponents[0] and len(set(members)) == len(members)

    def let(i: str, y: str) -> bool:
        more = permutations.spread(_pairs(data), int(i) - 1, int(y) - 1)
        new = more is not None and not set(more) & set(said) and not set(more.values()) & set(said.values())
        said[int(i) - 1] = int(y) - 1
        return new

    def follow(i: str, j: str, y: str, z: str, one: str, other: str, k: str, l: str) -> bool:  # noqa: E741
        a, b = _pairs(data)["ac".index(one)]
        start, image = int(i) - 1, int(y) - 1
        follows = said[start] == image and (a[start], b[image]) == (int(j) - 1, int(z) - 1) and other == "bd"["ac".index(one)]
        said[int(j) - 1] = int(z) - 1
        return follows and (k, l) == (j, z)

    claims: list[Claim] = [(_PATH, path), (_JOIN, join), (_LET, let), (_FOLLOW, follow)]
    return refuted(steps, claims, ended(_LAST, task, _ANSWER, verify))


def _conjugating(rng: Rng, knobs: Knobs, count: int) -> Task[Data]:
    x = permutations.drawn(rng, knobs.size)
    given: list[Permutation] = []
    for _ in range(count):
        one = permutations.drawn(rng, knobs.size)
        if count == 2:
            # with short cycles, so that many images are possible at first
            moved = rng.sample(range(knobs.size), knobs.size // 2 * 2)
            swaps = list(range(knobs.size))
            for i, j in zip(moved[::2], moved[1::2]):
                swaps[i], swaps[j] = j, i
            one = tuple(swaps)
        given += [one, permutations.product(x, permutations.product(one, permutations.inverse(x)))]
    equations = " and ".join(("x*a = b*x", "x*c = d*x")[:count])
    return _task(given, equations, Data(kind="conjugator", given=tuple(given), exponents=()))


def _task(given: Sequence[Permutation], equations: str, data: Data) -> Task[Data]:
    size = len(given[0])
    shown = "\n".join(f"{name} = {permutations.text(one)}" for name, one in zip("abcd", given))
    prompt = (
        f"Permutations of the numbers from 1 to {size} are given as cycles, where numbers that stay in place are left out:\n{shown}\n\n"
        f"Find a permutation x of these numbers with {equations}. In a product p*q the right one comes first: p*q takes k to p(q(k))."
    )
    return Task(prompt, data)


def _pairs(data: Data) -> list[permutations.Pair]:
    return list(zip(data.given[::2], data.given[1::2]))


def _product(data: Data) -> Permutation:
    whole = tuple(range(len(data.given[0])))
    for given, exponent in zip(data.given, data.exponents):
        whole = permutations.product(whole, permutations.power(given, exponent))
    return whole


def _within(cycle: Sequence[int], exponent: int) -> Permutation:
    """A power of a cycle, on the places in it."""
    return tuple((k + exponent) % len(cycle) for k in range(len(cycle)))


def _spreading(data: Data, x: Permutation, start: int, known: set[int]) -> list[str]:
    """What follows from one image of x, step by step."""
    steps, waiting = [], [start]
    known.add(start)
    while waiting:
        i = waiting.pop(0)
        for (a, b), one, other in zip(_pairs(data), "ac", "bd"):
            if a[i] not in known:
                steps.append(_FOLLOW.write(one=one, i=i + 1, j=a[i] + 1, k=a[i] + 1, other=other, y=x[i] + 1, z=b[x[i]] + 1, l=b[x[i]] + 1))
                known.add(a[i])
                waiting.append(a[i])
    return steps


def _found(data: Data, backwards: bool) -> Iterator[Permutation]:
    order = range(len(data.given[0]))
    if data.kind == "conjugator":
        yield from permutations.conjugators(_pairs(data), order[::-1] if backwards else order)
    elif data.kind == "root":
        yield from permutations.roots(data.given[0], data.exponents[0], backwards)
    else:
        yield _product(data)


def _others(task: Task[Data]) -> Iterator[Permutation]:
    for x in _found(task.data, True):
        yield tuple(i + 1 for i in x)


_ANSWER = Numbers("the images x(1), x(2), x(3), ... in order, separated by commas", most=60)
_PATH = Line("The factors from right to left take {path}.")
_JOIN = Line("The cycle {cycle} to the power {exponent} is {parts}, as in a.")
_LET = Line("Let x take {i} to {y}.")
_FOLLOW = Line("As {one} takes {i} to {j} and {other} takes {y} to {z}, x takes {k} to {l}.")
_LAST = "The images are "

environment = Environment(
    Knobs,
    _ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=_others,
    concept="Conjugating renames the members of cycles; a power cuts a cycle into equal parts, so a root joins cycles of one length.",
)
