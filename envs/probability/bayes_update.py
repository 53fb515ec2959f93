"""Update the probabilities of several sources of a thing with several independent signs that were or were not found on it.

In the shifted family the question is whether one more sign will be found, and one of the stated signs was never looked for.
"""

from fractions import Fraction
from math import prod

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations
from rlgym.generators.probability import probabilities
from rlgym.generators.probability.chance_stories import APART, RATES, SHARES, SIGNS, SOURCES
from rlgym.generators.stories import phrase
from rlgym.generators.text.english import join_words

ANSWER = Rational("the probability, as an exact fraction a/b or rounded to 4 significant digits", digits=4)
WEIGHT = "weight of {name} after {count} of the signs"
NEXT = "weight of {name} with the sign asked for"


class Knobs(Config):
    sources: int = knob(3, easy=2, hard=5, doc="how many sources the thing may have")
    signs: int = knob(3, easy=1, hard=6, doc="how many signs were looked for")
    absent: int = knob(25, easy=0, hard=60, doc="percent of signs that are not found")
    parts: int = knob(12, easy=10, hard=40, scale="log", doc="largest denominator of a share or a rate")


class Data(TaskData):
    names: tuple[str, ...]
    shares: tuple[str, ...]
    rates: tuple[tuple[str, ...], ...]  # of each source, for each sign
    found: tuple[bool | None, ...]  # of each sign; None: not looked for
    wanted: int  # the source asked for; or -1
    ahead: int  # the sign asked for; or -1
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, True)


def solve(task: Task[Data]) -> Fraction:
    # Sign after sign, with probabilities that add up to 1; `generate` multiplies weights.
    data = task.data
    beliefs = list(map(Fraction, data.shares))
    for sign, observed_sign in enumerate(data.found):
        if observed_sign is not None:
            beliefs = [belief * _rate(data, source, sign, observed_sign) for source, belief in enumerate(beliefs)]
            beliefs = [belief / sum(beliefs) for belief in beliefs]
    if data.ahead < 0:
        return beliefs[data.wanted]
    return sum((belief * _rate(data, source, data.ahead, True) for source, belief in enumerate(beliefs)), Fraction(0))


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "the probability is different")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    if data.ahead >= 0:
        return probabilities.near_misses(right, Fraction(data.rates[0][data.ahead]))
    likelihood = [_weight(data, source, len(data.found)) / Fraction(data.shares[source]) for source in range(len(data.names))]
    joint = _weight(data, data.wanted, len(data.found))
    return probabilities.near_misses(right, Fraction(data.shares[data.wanted]), likelihood[data.wanted] / sum(likelihood), joint)


def cost(task: Task[Data]) -> float:
    return (
        sum(len(rate) for row in task.data.rates for rate in row)
        + len(task.data.names) * sum(observed_sign is not None for observed_sign in task.data.found) ** 2
    )


def calculation(task: Task[Data]) -> list[str]:
    data, working = task.data, probabilities.Working()
    weights = list(map(Fraction, data.shares))
    observed = [(sign, observed_sign) for sign, observed_sign in enumerate(data.found) if observed_sign is not None]
    for count, (sign, observed_sign) in enumerate(observed, 1):
        for source, name in enumerate(data.names):
            rate = calculations.operand(Fraction(data.rates[source][sign]))
            formula = f"{calculations.operand(weights[source])}*{rate if observed_sign else f'(1 - {rate})'}"
            weights[source] = working.let(WEIGHT.format(name=name, count=count), formula)
    total = working.let("total weight", calculations.sum_formula(weights))
    if data.ahead < 0:
        return working.last("probability", f"{calculations.operand(weights[data.wanted])}/{calculations.operand(total)}")
    further = [
        working.let(
            NEXT.format(name=name),
            f"{calculations.operand(weights[source])}*{calculations.operand(Fraction(data.rates[source][data.ahead]))}",
        )
        for source, name in enumerate(data.names)
    ]
    joint = working.let("total weight with the sign asked for", calculations.sum_formula(further))
    return working.last("probability", f"{calculations.operand(joint)}/{calculations.operand(total)}")


def quantities(task: Task[Data]) -> probabilities.QuantityTemplates:
    data = task.data
    observed = [sign for sign, observed_sign in enumerate(data.found) if observed_sign is not None]
    sources = range(len(data.names))

    def ahead(source: int) -> Fraction:
        if data.ahead < 0:
            raise ValueError("no further sign is asked for")
        return _weight(data, source, len(data.found)) * _rate(data, source, data.ahead, True)

    return {
        NEXT: lambda name: ahead(data.names.index(name)),
        WEIGHT: lambda name, count: _weight(data, data.names.index(name), observed[int(count) - 1] + 1),
        "total weight": lambda: sum(_weight(data, source, len(data.found)) for source in sources),
        "total weight with the sign asked for": lambda: sum(map(ahead, sources)),
        "probability": lambda: Fraction(data.value),
    }


def _sample_task(rng: Rng, knobs: Knobs, further: bool) -> Task[Data]:
    kind, thing, story, asks = rng.choice(SOURCES)
    noun = thing.removeprefix("the ")
    names = sorted(rng.sample("ABCDEFGHKLMN", knobs.sources))
    size = rng.integer(max(knobs.sources + 2, knobs.parts // 2), knobs.parts)
    cuts = sorted(rng.sample(range(1, size), knobs.sources - 1))
    shares = [Fraction(high - low, size) for low, high in zip([0, *cuts], [*cuts, size], strict=True)]
    signs = rng.sample(SIGNS, knobs.signs + 2 * further)
    rates = [[_sample_rate(rng, knobs.parts) for _ in signs] for _ in names]
    observed_sign: list[bool | None] = [rng.integer(1, 100) > knobs.absent for _ in signs]
    ahead = -1
    if further:
        ahead, unused = rng.sample(range(len(signs)), 2)
        observed_sign[ahead] = observed_sign[unused] = None
    data = Data(
        names=tuple(names),
        shares=tuple(map(str, shares)),
        rates=tuple(tuple(map(str, row)) for row in rates),
        found=tuple(observed_sign),
        wanted=-1 if further else rng.integer(0, len(names) - 1),
        ahead=ahead,
        value="",
    )
    weights = [_weight(data, source, len(signs)) for source in range(len(names))]
    if further:
        value = sum((weight * rates[source][ahead] for source, weight in enumerate(weights)), Fraction(0)) / sum(weights)
    else:
        value = weights[data.wanted] / sum(weights)
    share_sentences = " ".join(
        phrase(rng, SHARES, Kind=kind.capitalize(), kind=kind, things=f"{noun}s", name=name, share=share)
        for name, share in zip(names, shares, strict=True)
    )
    lines = [
        phrase(rng, RATES, kind=kind, thing=noun, things=f"{noun}s", name=name, sign=sign, rate=rates[source][k])
        for k, sign in enumerate(signs)
        for source, name in enumerate(names)
    ]
    seen = [
        f"{thing} {'has' if was else 'does not have'} {sign}" for sign, was in zip(signs, observed_sign, strict=True) if was is not None
    ]
    event = f"{thing} has {signs[ahead]}" if further else f"{thing} {asks.format(name=names[data.wanted])}"
    prompt = " ".join(
        [
            story.format(names=join_words(names), shares=share_sentences),
            *(line[0].upper() + line[1:] for line in lines),
            *([phrase(rng, APART, kind=kind, things=f"{noun}s")] if len(signs) > 1 else []),
            probabilities.render_question(rng, event, join_words(rng.shuffled(seen)), rounded=True),
        ]
    )
    return Task(prompt, data.model_copy(update={"value": str(value)}))


def _sample_rate(rng: Rng, parts: int) -> Fraction:
    denominator = rng.integer(2, parts)
    return Fraction(rng.integer(1, denominator - 1), denominator)


def _rate(data: Data, source: int, sign: int, observed_sign: bool) -> Fraction:
    rate = Fraction(data.rates[source][sign])
    return rate if observed_sign else 1 - rate


def _weight(data: Data, source: int, signs: int) -> Fraction:
    """The share of a source times the rates of what was found of the first signs."""
    parts = (_rate(data, source, sign, observed_sign) for sign, observed_sign in enumerate(data.found[:signs]) if observed_sign is not None)
    return Fraction(data.shares[source]) * prod(parts, start=Fraction(1))


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=probabilities.solution(calculation, quantities), shift=shift,
    concept="Multiply each source's share by the probabilities of all that was found and not found; only the ratios of these weights count.",
    version=8,
)  # fmt: skip
