"""Find the probability that the k-th smallest of several random numbers has a given value.

The numbers are drawn without replacement; in the shifted family they are dice, so that some may be equal.
"""

from fractions import Fraction
from math import comb, factorial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations, stories
from rlgym.generators.draws import draw_rare
from rlgym.generators.probability import probabilities
from rlgym.generators.stories import phrase
from rlgym.generators.text.english import ordinal

ANSWER = Rational("the exact probability, as a fraction a/b")
KINDS = ("at most", "exactly", "two", "given")
SPLIT = "outcomes with {low} at most {first} and {high} at most {second}"
BELOW = "outcomes with the {k} smallest at most {first} and the {m} smallest at most {second}"
ALL = "all outcomes"
JOINT = "outcomes with both values"
KNOWN = "outcomes with the known value"
DRAWS = (
    "{who} draws {count} of the tickets numbered 1 to {top}, all at once and at random.",
    "From the numbers 1, 2, ..., {top}, {count} different ones are drawn at random, every choice being equally likely.",
    "{count} balls are drawn without replacement from an urn with balls numbered 1 to {top}.",
    "In {who}'s lottery, {count} different numbers from 1 to {top} are drawn, all selections being equally likely.",
)
ROLLS = (
    "{who} rolls {count} fair dice, each with the numbers 1 to {top} on its {top} sides.",
    "{count} independent random integers are drawn, each equally likely to be any of 1, 2, ..., {top}.",
    "A fair die with sides numbered 1 to {top} is rolled {count} times by {who}.",
    "A ball is drawn {count} times, and put back each time, from an urn with balls numbered 1 to {top}.",
)
SORTED = (
    "The results are sorted from smallest to largest{ties}.",
    "They are then written down in ascending order{ties}.",
    "{who} lines the results up from the smallest to the largest{ties}.",
    "Consider the results in increasing order{ties}.",
)


class Knobs(Config):
    draws: int = knob(4, easy=2, hard=7, doc="how many numbers are drawn")
    top: int = knob(16, easy=7, hard=30, doc="the largest number")
    kind: str = knob("exactly", easy="at most", hard="given", order=KINDS, doc="a bound, a value, two values, or one value given another")


class Data(TaskData):
    top: int
    draws: int
    ranks: tuple[int, int]
    bounds: tuple[int, int]
    kind: str
    again: bool
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_rare(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_rare(rng, knobs, True)


def solve(task: Task[Data]) -> Fraction:
    # Number by number from below, with how many were drawn so far; `generate` counts outcomes by bounds.
    data = task.data
    (k, m), (v, w) = data.ranks, data.bounds
    joint = {"at most": [], "exactly": [(k, v)], "two": [(k, v), (m, w)], "given": [(k, v), (m, w)]}[data.kind]
    if data.kind == "at most":
        return Fraction(sum(_count_by_values(data, [(k, value)]) for value in range(1, v + 1)), _count_by_values(data, []))
    return Fraction(_count_by_values(data, joint), _count_by_values(data, [(k, v)] if data.kind == "given" else []))


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "the probability is different")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    return probabilities.near_misses(right, Fraction(1, data.top) ** 2, Fraction(data.bounds[0], data.top), Fraction(1, data.top))


def cost(task: Task[Data]) -> float:
    return task.data.draws**2 * (1 + 2 * KINDS.index(task.data.kind)) + task.data.top


def calculation(task: Task[Data]) -> list[str]:
    data, working = task.data, probabilities.Working()
    top, n, (v, w) = data.top, data.draws, data.bounds
    total = working.let(ALL, "*".join([str(top)] * n)) if data.again else working.choose(top, n)
    if data.kind == "at most":
        return working.last("probability", f"{_below(working, data, v, top)}/{total}")
    if data.kind == "exactly":
        return working.last("probability", f"({_below(working, data, v, top)} - {_below(working, data, v - 1, top)})/{total}")
    corners = [_below(working, data, a, b) for a, b in ((v, w), (v - 1, w), (v, w - 1), (v - 1, w - 1))]
    joint = working.let(JOINT, f"{corners[0]} - {corners[1]} - {corners[2]} + {corners[3]}")
    if data.kind == "two":
        return working.last("probability", f"{joint}/{total}")
    known = working.let(KNOWN, f"{_below(working, data, v, top)} - {_below(working, data, v - 1, top)}")
    return working.last("probability", f"{joint}/{known}")


def quantities(task: Task[Data]) -> probabilities.QuantityTemplates:
    data = task.data

    def split(low: str, first: str, high: str, second: str) -> int:
        if not 0 <= int(low) <= int(high) <= data.draws or not 0 <= int(first) <= int(second) <= data.top:
            raise ValueError("no such outcomes")
        return _split(data, int(low), int(high), int(first), int(second))

    def below(k: str, first: str, m: str, second: str) -> int:
        if (k, m) != (ordinal(data.ranks[0]), ordinal(data.ranks[1])):
            raise ValueError("another one is asked for")
        return _count(data, int(first), int(second))

    v, w = data.bounds
    return {
        BELOW: below,
        SPLIT: split,
        ALL: lambda: data.top**data.draws,
        JOINT: lambda: _count(data, v, w) - _count(data, v - 1, w) - _count(data, v, w - 1) + _count(data, v - 1, w - 1),
        KNOWN: lambda: _count(data, v, data.top) - _count(data, v - 1, data.top),
        "probability": lambda: Fraction(data.value),
    }


def _sample_rare(rng: Rng, knobs: Knobs, with_ties: bool) -> Task[Data]:
    """Of several tasks with few numbers one whose probability is rare."""
    return draw_rare(lambda: _sample_task(rng, knobs, with_ties), lambda task: task.data.value, 24 if knobs.top < 20 else 1)


def _sample_task(rng: Rng, knobs: Knobs, with_ties: bool) -> Task[Data]:
    top = rng.integer(max(knobs.draws + 1, knobs.top // 2 + 2), max(knobs.draws + 1, knobs.top))
    for _ in range(100):
        numbers_drawn = (
            sorted(rng.integer(1, top) for _ in range(knobs.draws)) if with_ties else sorted(rng.sample(range(1, top + 1), knobs.draws))
        )
        k, m = sorted(rng.sample(range(1, knobs.draws + 1), 2))
        v, w = numbers_drawn[k - 1], numbers_drawn[m - 1]
        data = Data(top=top, draws=knobs.draws, ranks=(k, m), bounds=(v, w), kind=knobs.kind, again=with_ties, value="")
        if v < w and (value_found := _exact_value(data)) != 1:
            break
    else:
        data = data.model_copy(update={"bounds": (k, m + 1), "kind": knobs.kind})
        value_found = _exact_value(data)
    who = rng.choice(stories.PEOPLE)
    ties = ", equal ones one after the other" if with_ties else ""
    lines = [phrase(rng, ROLLS if with_ties else DRAWS, who=who, count=knobs.draws, top=top), phrase(rng, SORTED, who=who, ties=ties)]
    event = {"at most": f"the {ordinal(k)} of them is at most {v}", "exactly": f"the {ordinal(k)} of them is exactly {v}"}.get(
        knobs.kind, f"the {ordinal(m)} of them is exactly {w}"
    )
    if knobs.kind == "two":
        event = f"the {ordinal(k)} of them is exactly {v} and the {ordinal(m)} is exactly {w}"
    lines.append(probabilities.render_question(rng, event, f"the {ordinal(k)} of them is exactly {v}" if knobs.kind == "given" else ""))
    return Task(" ".join(lines), data.model_copy(update={"value": str(value_found)}))


def _exact_value(data: Data) -> Fraction:
    v, w = data.bounds
    total = data.top**data.draws if data.again else comb(data.top, data.draws)
    known = _count(data, v, data.top) - _count(data, v - 1, data.top)
    if data.kind in KINDS[:2]:
        return Fraction(_count(data, v, data.top) if data.kind == "at most" else known, total)
    joint = _count(data, v, w) - _count(data, v - 1, w) - _count(data, v, w - 1) + _count(data, v - 1, w - 1)
    return Fraction(joint, known if data.kind == "given" else total)


def _split(data: Data, low: int, high: int, first: int, second: int) -> int:
    """Outcomes with `low` values at most the first bound and `high` values (those included) at most the second."""
    n, parts = data.draws, (low, high - low, data.draws - high)
    sizes = (first, second - first, data.top - second)
    if data.again:
        orders = factorial(n) // (factorial(parts[0]) * factorial(parts[1]) * factorial(parts[2]))
        return orders * int(sizes[0] ** parts[0] * sizes[1] ** parts[1] * sizes[2] ** parts[2])
    return comb(sizes[0], parts[0]) * comb(sizes[1], parts[1]) * comb(sizes[2], parts[2])


def _splits(data: Data, first: int, second: int) -> list[tuple[int, int]]:
    (k, m), n = data.ranks, data.draws
    if second >= data.top:
        return [(low, n) for low in range(k, n + 1) if _split(data, low, n, first, data.top)]
    return [(low, high) for high in range(m, n + 1) for low in range(k, high + 1) if _split(data, low, high, first, second)]


def _count(data: Data, first: int, second: int) -> int:
    """Outcomes whose k-th smallest is at most the first bound, and the other one at most the second."""
    first = min(first, second)
    return sum(_split(data, low, high, first, second) for low, high in _splits(data, first, second))


def _below(working: probabilities.Working, data: Data, first: int, second: int) -> Fraction:
    terms = []
    for low, high in _splits(data, first, second):
        parts, sizes = (low, high - low, data.draws - high), (first, second - first, data.top - second)
        if data.again:
            formula = "*".join(
                [
                    str(working.choose(data.draws, high)),
                    str(working.choose(high, low)),
                    *(f"{s}^{p}" for s, p in zip(sizes, parts, strict=True) if p),
                ]
            )
        else:
            formula = "*".join(str(working.choose(size, part)) for size, part in zip(sizes, parts, strict=True))
        terms.append(working.let(SPLIT.format(low=low, first=first, high=high, second=second), formula))
    return working.let(
        BELOW.format(k=ordinal(data.ranks[0]), first=first, m=ordinal(data.ranks[1]), second=second), calculations.sum_formula(terms)
    )


def _count_by_values(data: Data, fixed: list[tuple[int, int]]) -> int:
    """Outcomes in which the numbers of given ranks have given values, counted from the smallest number up."""
    ways = {0: 1}
    for value in range(1, data.top + 1):
        after: dict[int, int] = {}
        for numbers_drawn, count in ways.items():
            for times in range(min(data.draws - numbers_drawn, data.draws if data.again else 1) + 1):
                now = numbers_drawn + times
                if all(
                    (value < v and now < k) or (value == v and numbers_drawn < k <= now) or (value > v and numbers_drawn >= k)
                    for k, v in fixed
                ):
                    after[now] = after.get(now, 0) + count * (comb(data.draws - numbers_drawn, times) if data.again else 1)
        ways = after
    return ways.get(data.draws, 0)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=probabilities.solution(calculation, quantities), shift=shift,
    concept="The k-th smallest is at most v exactly where at least k of the numbers are at most v; differences of such counts give single values.",
    version=4, inverts=True
)  # fmt: skip
