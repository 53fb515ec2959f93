"""Forecast two runs of the same chance process: each result of the first run, and the same result again once the first run has shown it.

A first result says nothing of the second where all is drawn afresh, and much where a draw serves both runs. Two runs are drawn with the task and
never shown: the parts of a score say how likely the answer made them, so that training on the parts is training on pairs of samples.
"""

from fractions import Fraction
from functools import cache
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Assignment
from rlgym.generators.probability.chance_stories import BALLS, BOXES
from rlgym.generators.text.english import join_words
from rlgym.solutions import Derivation, Solution, Step

Forecast = tuple[tuple[str, Fraction], ...]
Pairs = dict[tuple[int, int], Fraction]  # probability of the results of both runs
MODES = ("returned", "removed", "kept")
RULES = {
    "returned": "The {ball} drawn from {box} {name} is put back after the first run, and the second run draws from it again.",
    "removed": "The {ball} drawn from {box} {name} in the first run is not put back, and the second run draws from the rest.",
    "kept": "From {box} {name}, a {ball} is drawn once, before the first run; its number counts in both runs.",
}
LARGEST = 5  # results
LEAST_MOVE = Fraction(1, 50)  # how far the first result must move some probability of the second, where several draws make up a run
SHARED = Step("After {box}, {count:int} of {whole:int} pairs of draws give {first:int} and then {second:int}")


class Knobs(Config):
    bags: int = knob(2, easy=1, hard=4, doc="how many draws make up a run")
    balls: int = knob(
        5, easy=5, hard=6, doc="how many numbers each is drawn from; more than there are results and up to four more, if it is the only one"
    )
    results: int = knob(3, easy=2, hard=LARGEST, doc="how many results a run can have")


class Bag(TaskData):
    name: str
    numbers: tuple[int, ...]
    mode: str


class Data(TaskData):
    bags: tuple[Bag, ...]
    results: int
    crossed: bool  # the second result is the next one, not the same
    drawn: tuple[int, int]  # the results of two runs
    answer: tuple[tuple[str, str], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, crossed=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The second forecast is of the next result instead of the same one."""
    return _sample_task(rng, knobs, crossed=True)


def solve(task: Task[Data]) -> Forecast:
    # From the last draw back, ball by ball; `generate` counts pairs of remainders bag after bag.
    data = task.data

    @cache
    def chance(bag: int, first: int, second: int) -> Fraction:
        """That the draws from this bag on add `first` and `second`, up to multiples."""
        if bag == len(data.bags):
            return Fraction(first == 0 and second == 0)
        balls = list(enumerate(data.bags[bag].numbers))
        mode = data.bags[bag].mode
        draws = [(a, b) for (i, a), (k, b) in product(balls, balls) if (mode != "removed" or i != k) and (mode != "kept" or i == k)]
        later = (chance(bag + 1, (first - a) % data.results, (second - b) % data.results) for a, b in draws)
        return sum(later, Fraction(0)) / len(draws)

    results = range(data.results)
    firsts = [sum((chance(0, result, other) for other in results), Fraction(0)) for result in results]
    again = [chance(0, result, (result + data.crossed) % data.results) / firsts[result] for result in results]
    return tuple(pair for k in results for pair in ((f"p{k}", firsts[k]), (f"q{k}", again[k])))


def verify(task: Task[Data], answer: Forecast) -> Score:
    data, right = task.data, {name: Fraction(value) for name, value in task.data.answer}
    stated = dict(answer)
    if stated.keys() != right.keys():
        return Score.wrong(f"a probability is asked for each of {', '.join(right)}, and for nothing else")
    if not all(0 <= number <= 1 for number in stated.values()):
        return Score.wrong("a probability is not from 0 to 1")
    wrong = sum(stated[name] != value for name, value in right.items())
    return Score.exact(not wrong, f"{wrong} of the probabilities are wrong", **_parts(data, {name: float(stated[name]) for name in stated}))


def mistakes(task: Task[Data], right: Forecast) -> list[Forecast]:
    data, value = task.data, dict(right)
    results = range(data.results)
    others = [
        _answer(_pairs([bag.model_copy(update={"mode": mode}) for bag in data.bags], data.results), data.results, data.crossed)
        for mode in MODES
    ]
    joint = tuple(pair for k in results for pair in ((f"p{k}", value[f"p{k}"]), (f"q{k}", value[f"p{k}"] * value[f"q{k}"])))
    even = tuple((name, Fraction(1, data.results)) for name, _ in right)
    return [answer for answer in (*others, joint, even) if answer and answer != right]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(sum(len(bag.numbers) ** (1 + (bag.mode != "returned")) for bag in data.bags) * data.results**2)


def derive(task: Task[Data]) -> Derivation:
    data, whole = task.data, 1
    counts = {(0, 0): 1}
    for bag in data.bags:
        draws = _draws(bag)
        counts, whole = _added(counts, draws, data.results), whole * len(draws)
        for (first, second), count in sorted(counts.items()):
            yield SHARED(box=bag.name, count=count, whole=whole, first=first, second=second)


def _sample_task(rng: Rng, knobs: Knobs, crossed: bool) -> Task[Data]:
    box, balls = rng.choice(BOXES), rng.choice(BALLS)
    while True:
        # As many numbers as results, each with another remainder, would make all results of a single draw equally likely.
        count = max(knobs.balls, knobs.results + 1) + rng.integer(0, 4) if knobs.bags == 1 else knobs.balls
        # Every fourth process of a single draw is drawn afresh: its first result says nothing of the second.
        afresh = knobs.bags == 1 and rng.chance(0.25)
        names = "ABCDEFGH"[: knobs.bags]
        bags = tuple(
            Bag(name=name, numbers=tuple(sorted(rng.integer(1, 9) for _ in range(count))), mode="returned" if afresh else rng.choice(MODES))
            for name in names
        )
        pairs = _pairs(bags, knobs.results)
        answer = _answer(pairs, knobs.results, crossed)
        # Draws that leave all remainders equally likely would make the rest irrelevant.
        if answer and len({value for name, value in answer if name[0] == "p"}) > 1 and (knobs.bags == 1 or _is_telling(answer, crossed)):
            break
    drawn = rng.weighted(sorted(pairs), [int(pairs[pair] * _whole(bags)) for pair in sorted(pairs)])
    data = Data(bags=bags, results=knobs.results, crossed=crossed, drawn=drawn, answer=tuple((name, str(value)) for name, value in answer))
    return Task(_render_prompt(data, box, balls), data)


def _render_prompt(data: Data, box: str, balls: str) -> str:
    ball = balls[:-1]
    one = len(data.bags) == 1
    contents = " ".join(
        f"{box.capitalize()} {bag.name} holds {len(bag.numbers)} {balls} with the numbers {join_words(list(map(str, bag.numbers)))}. "
        + RULES[bag.mode].format(ball=ball, box=box, name=bag.name)
        for bag in data.bags
    )
    number = f"the number on the {ball} drawn" if one else f"the sum of the numbers on the {balls} drawn, one from each {box},"
    last = data.results - 1
    later = f"has result k + 1 (or 0, where k is {last})" if data.crossed else "also has result k"
    wanted = join_words([f"{letter}{k}" for k in range(data.results) for letter in "pq"])
    return (
        f"A game of chance is run twice. {contents} In each draw, every {ball} then in the {box} is equally likely to be drawn, whatever was "
        f"drawn before. The result of a run is the remainder when {number} is divided by {data.results}.\n\n"
        f"For each result k from 0 to {last}, let pk be the probability that the first run has result k, and qk the conditional probability that "
        f"the second run {later}, given that the first has result k. Each of these results is possible in the first run. Find {wanted}."
    )


def _is_telling(answer: Forecast, crossed: bool) -> bool:
    """Whether the second run is neither certain nor nearly independent of the first result; then neither 1 nor p will do for q."""
    value, results = dict(answer), range(len(answer) // 2)
    moves = [abs(value[f"q{k}"] - value[f"p{(k + crossed) % len(results)}"]) for k in results]
    return max(moves) > LEAST_MOVE and any(0 < value[f"q{k}"] < 1 for k in results)


def _draws(bag: Bag) -> list[tuple[int, int]]:
    """The equally likely pairs of numbers that a bag adds to the first and to the second run."""
    if bag.mode == "kept":
        return [(number, number) for number in bag.numbers]
    places = range(len(bag.numbers))
    return [(bag.numbers[i], bag.numbers[k]) for i in places for k in places if bag.mode == "returned" or i != k]


def _added(counts: dict[tuple[int, int], int], draws: list[tuple[int, int]], results: int) -> dict[tuple[int, int], int]:
    after: dict[tuple[int, int], int] = {}
    for (first, second), count in counts.items():
        for a, b in draws:
            pair = ((first + a) % results, (second + b) % results)
            after[pair] = after.get(pair, 0) + count
    return after


def _whole(bags: tuple[Bag, ...] | list[Bag]) -> int:
    whole = 1
    for bag in bags:
        whole *= len(_draws(bag))
    return whole


def _pairs(bags: tuple[Bag, ...] | list[Bag], results: int) -> Pairs:
    counts = {(0, 0): 1}
    for bag in bags:
        counts = _added(counts, _draws(bag), results)
    return {pair: Fraction(count, _whole(bags)) for pair, count in counts.items()}


def _answer(pairs: Pairs, results: int, crossed: bool) -> Forecast:
    """The right forecast; empty where a result cannot come."""
    firsts = [sum((value for (first, _), value in pairs.items() if first == k), Fraction(0)) for k in range(results)]
    if not all(firsts):
        return ()
    again = [pairs.get((k, (k + crossed) % results), Fraction(0)) / firsts[k] for k in range(results)]
    return tuple(pair for k in range(results) for pair in ((f"p{k}", firsts[k]), (f"q{k}", again[k])))


def _parts(data: Data, stated: dict[str, float]) -> dict[str, float]:
    """How well the answer forecasts the two runs that were drawn, by proper scoring rules, and what `pairs` of an evaluation needs."""
    first, second = data.drawn
    right = {name: float(Fraction(value)) for name, value in data.answer}
    asked = (first + data.crossed) % data.results
    came = float(second == asked)
    again = stated[f"q{first}"]
    unconditional = stated[f"p{asked}"]
    spread = sum((stated[f"p{k}"] - (k == first)) ** 2 for k in range(data.results))
    parts = {
        "first_score": 1 - spread / data.results,
        "second_score": 1 - (again - came) ** 2,
        "first_likelihood": stated[f"p{first}"],
        "second_likelihood": again if came else 1 - again,
        "unshown_likelihood": unconditional if came else 1 - unconditional,
    }
    if data.crossed:
        return parts
    facts = {"came_again": came, "process_first": right[f"p{first}"], "process_second": right[f"q{first}"]}
    results = range(data.results)
    means = {
        "stated_pairs": sum(stated[f"p{k}"] * stated[f"q{k}"] for k in results) / data.results,
        "stated_squares": sum(stated[f"p{k}"] ** 2 for k in results) / data.results,
        "process_error": sum((stated[f"p{k}"] - right[f"p{k}"]) ** 2 for k in results) / data.results,
    }
    return {**parts, **facts, **means, "drawn_afresh": float(all(bag.mode == "returned" for bag in data.bags))}


environment = Environment(
    Knobs,
    Assignment(
        tuple(f"{letter}{k}" for k in range(LARGEST) for letter in "pq"),
        "the list of all these probabilities, as in p0 = 1/4, q0 = 1/3, p1 = 3/4, q1 = 2/5; each as an exact fraction, not necessarily in lowest "
        "terms, as a whole number, or rounded to 4 significant digits",
        digits=4,
    ),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "So the probabilities are: {answer}"),
    concept="Count pairs: how many pairs of draws lead to each pair of remainders, bag after bag, and divide by those that start with the first result.",
    version=3,
)  # fmt: skip
