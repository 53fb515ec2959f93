"""Work out the exact p-value of a small test from the distribution of the number of successes.

Successes are counted in independent trials; in the shifted family they lie in one of two groups of fixed sizes (Fisher's test).
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations, stories
from rlgym.generators.draws import draw_against, draw_short, has_short_numbers
from rlgym.generators.probability import probabilities
from rlgym.generators.stories import phrase

ANSWER = Rational("the exact probability, as a fraction a/b")
SIDES = ("at least", "at most", "as unlikely")
WEIGHT = "outcomes with {hits}, weighted"
ALL = "all outcomes, weighted"
TAIL = "weight of the outcomes that count"
TRIALS = (
    (
        "{who} claims to guess right more often than by chance, and guesses {n} times. If the claim is empty, each guess is right "
        "with probability {p}, independently. The number of right guesses was {hits}."
    ),
    (
        "{who} has made {n} independent trials, {hits} of them successful. The hypothesis to be tested is that each trial succeeds with "
        "probability {p}."
    ),
    "A machine is said to make each part faulty with probability {p}, independently. Among {n} parts, {who} has found {hits} to be faulty.",
    "{who} tests the hypothesis that a spinner shows red with probability {p}. Of {n} independent spins, {hits} came up red.",
    (
        "Suppose that each of {who}'s {n} patients recovers with probability {p}, independently of the others. In fact {hits} of them "
        "recovered."
    ),
)
TABLES = (
    (
        "Of {n} people that {who} asked, {good} took a remedy and {rest} did not. Altogether {drawn} of the {n} recovered, and {hits} of these had "
        "taken the remedy. Suppose that the remedy does nothing: every choice of the {drawn} who recover is equally likely."
    ),
    (
        "{who} has tasted {n} cups, {good} of which got the milk first, and has picked {drawn} of them; {hits} of those picked had "
        "got the milk first. Suppose that the picking was blind: each set of {drawn} cups is equally likely."
    ),
    (
        "Among {who}'s {n} plants, {good} are of kind A and {rest} of kind B. {drawn} of them fell ill, {hits} of these being of kind A. The "
        "hypothesis is that any {drawn} of the {n} are equally likely to be those that fall ill."
    ),
    (
        "{who}'s firm with {n} employees, {good} of them in the north, has promoted {drawn}, and {hits} of the promoted are from the north. "
        "The hypothesis: all sets of {drawn} employees are equally likely to be promoted."
    ),
)
ASKS = {
    "at least": (
        "What is the exact probability, under this assumption, of {hits} or more?",
        "Find the exact one-sided p-value: the probability of {hits} or more.",
        "How likely is it, exactly, that chance alone gives {hits} or more?",
        "Work out the exact p-value for large numbers (those of at least {hits}).",
    ),
    "at most": (
        "What is the exact probability, under this assumption, of a number at most as large as the {hits} seen?",
        "Find the exact one-sided p-value: the probability of {hits} or fewer.",
        "How likely is it, exactly, that chance alone gives {hits} or fewer?",
        "Work out the exact p-value for small numbers (those of at most {hits}).",
    ),
    "as unlikely": (
        (
            "Find the exact two-sided p-value: the total probability of all numbers that are no more likely than {hits} is, {hits} itself "
            "included."
        ),
        "Add up the probabilities of all numbers that are at most as probable as {hits}, {hits} included; what is the exact sum?",
        "What is the exact probability of a number that is at most as probable as {hits} ({hits} itself included)?",
        (
            "The two-sided p-value is the probability of all numbers that are at most as probable as {hits}, which counts too. What is "
            "it, exactly?"
        ),
    ),
}


class Knobs(Config):
    trials: int = knob(9, easy=5, hard=21, doc="how many trials, or how many are in both groups together, less a few")
    parts: int = knob(6, easy=3, hard=12, doc="largest denominator of the chance of a success")
    side: str = knob(
        "at most", easy="at least", hard="as unlikely", order=SIDES, doc="which outcomes count: the large, the small, or the unlikely ones"
    )


class Data(TaskData):
    trials: int
    chance: str  # of a success; empty where successes are drawn from two groups
    good: int  # of the group that counts
    drawn: int
    hits: int
    side: str
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    # With equal chances, half is the answer too often.
    return draw_against(
        lambda: _sample_trials(rng, knobs), lambda task: task.data.value == "1/2" or not has_short_numbers(task.data.value), 400
    )


def _sample_trials(rng: Rng, knobs: Knobs) -> Task[Data]:
    trials = rng.integer(max(3, knobs.trials - 3), knobs.trials)
    below = rng.integer(2, knobs.parts)
    chance = Fraction(rng.integer(1, below - 1), below)
    blank = Data(trials=trials, chance=str(chance), good=0, drawn=0, hits=0, side=knobs.side, value="")
    return _finish_task(rng, blank, TRIALS, {"p": chance, "n": trials})


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_short(lambda: _sample_table(rng, knobs), lambda task: task.data.value)


def _sample_table(rng: Rng, knobs: Knobs) -> Task[Data]:
    trials = rng.integer(max(6, knobs.trials), knobs.trials + 6 + knobs.parts)
    good, drawn = rng.integer(3, trials - 3), rng.integer(3, min(trials - 2, 6 + knobs.trials // 3))
    blank = Data(trials=trials, chance="", good=good, drawn=drawn, hits=0, side=knobs.side, value="")
    return _finish_task(rng, blank, TABLES, {"n": trials, "good": good, "rest": trials - good, "drawn": drawn})


def solve(task: Task[Data]) -> Fraction:
    # Trial by trial, or draw by draw, as probabilities; `generate` counts outcomes.
    data = task.data
    distribution = {0: Fraction(1)}
    for done in range(data.drawn or data.trials):
        after: dict[int, Fraction] = {}
        for hits, chance in distribution.items():
            yes = Fraction(data.chance) if data.chance else Fraction(data.good - hits, data.trials - done)
            for more, part in ((1, yes), (0, 1 - yes)):
                if part:
                    after[hits + more] = after.get(hits + more, Fraction(0)) + chance * part
        distribution = after
    if data.side == "as unlikely":
        return sum((chance for chance in distribution.values() if chance <= distribution[data.hits]), Fraction(0))
    return sum(
        (chance for hits, chance in distribution.items() if (hits >= data.hits if data.side == "at least" else hits <= data.hits)),
        Fraction(0),
    )


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "the probability is different")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    weights = _weights(task.data)
    alone = Fraction(weights[task.data.hits], sum(weights.values()))
    return probabilities.near_misses(right, alone, right - alone, 2 * right)


def cost(task: Task[Data]) -> float:
    return len(_weights(task.data)) * (1 + SIDES.index(task.data.side)) + len(task.data.chance)


def calculation(task: Task[Data]) -> list[str]:
    data, working = task.data, probabilities.Working()
    weights, counting = _weights(data), _extreme_counts(data)
    for hits in weights if data.side == "as unlikely" else counting:
        if data.chance:
            p = Fraction(data.chance)
            rest = f"{p.numerator}^{hits}*{p.denominator - p.numerator}^{data.trials - hits}"
            formula = f"{working.choose(data.trials, hits)}*{rest}"
        else:
            formula = f"{working.choose(data.good, hits)}*{working.choose(data.trials - data.good, data.drawn - hits)}"
        working.let(WEIGHT.format(hits=hits), formula)
    tail = working.let(TAIL, calculations.sum_formula(weights[hits] for hits in counting))
    total = (
        working.let(ALL, f"{Fraction(data.chance).denominator}^{data.trials}") if data.chance else working.choose(data.trials, data.drawn)
    )
    return working.last("p-value", f"{tail}/{total}")


def quantities(task: Task[Data]) -> probabilities.QuantityTemplates:
    data = task.data
    weights = _weights(data)
    return {
        WEIGHT: lambda hits: weights[int(hits)],
        TAIL: lambda: sum(weights[hits] for hits in _extreme_counts(data)),
        ALL: lambda: sum(weights.values()),
        "p-value": lambda: Fraction(data.value),
    }


def _finish_task(rng: Rng, blank: Data, story_templates: Sequence[str], gaps: dict[str, object]) -> Task[Data]:
    weights = _weights(blank)
    data, value = blank, Fraction(1)
    for _ in range(30):
        data = blank.model_copy(update={"hits": rng.choice(list(weights))})
        value = Fraction(sum(weights[hits] for hits in _extreme_counts(data)), sum(weights.values()))
        if value < Fraction(4, 5):
            break
    text = phrase(rng, story_templates, hits=data.hits, who=rng.choice(stories.PEOPLE), **gaps)
    return Task(f"{text} {phrase(rng, ASKS[data.side], hits=data.hits)}", data.model_copy(update={"value": str(value)}))


def _weights(data: Data) -> dict[int, int]:
    """For each number of successes the number of equally likely outcomes."""
    if data.chance:
        p = Fraction(data.chance)
        yes, no = p.numerator, p.denominator - p.numerator
        return {hits: comb(data.trials, hits) * yes**hits * no ** (data.trials - hits) for hits in range(data.trials + 1)}
    rest = data.trials - data.good
    ways = {
        hits: comb(data.good, hits) * comb(rest, data.drawn - hits)
        for hits in range(min(data.good, data.drawn) + 1)
        if data.drawn - hits <= rest
    }
    return ways


def _extreme_counts(data: Data) -> list[int]:
    weights = _weights(data)
    if data.side == "as unlikely":
        return [hits for hits, weight in weights.items() if weight <= weights[data.hits]]
    return [hits for hits in weights if (hits >= data.hits if data.side == "at least" else hits <= data.hits)]


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=probabilities.solution(calculation, quantities), shift=shift,
    concept="Count the outcomes for each number of successes under the hypothesis, and add up those that are at least as extreme.",
    version=6,
)  # fmt: skip
