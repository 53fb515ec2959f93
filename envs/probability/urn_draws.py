"""Work out the probability of drawing a number of things of given colours without replacement, perhaps after some moved between urns.

In the shifted family the question is turned round: what was moved at first, given what was drawn in the end; and numbers that do not matter
stand in the story.
"""

from fractions import Fraction
from math import comb

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations, stories
from rlgym.generators.probability import probabilities
from rlgym.generators.probability.chance_stories import ASIDES, BALLS, BOXES, COLOURS, DRAWS, HOLDS, MOVES
from rlgym.generators.stories import phrase
from rlgym.generators.text.english import join_words

ANSWER = Rational("the exact probability, as a fraction a/b")
TAKEN = "chance of {hits} wanted among {count} taken from {good} wanted and {rest} unwanted"
ONWARD = "chance of the final draw after {came} wanted came into number {urn}"

LONGEST = 10**12  # from which on a denominator is too long to write


class Knobs(Config):
    urns: int = knob(2, easy=1, hard=4, doc="number of urns; things are moved from each into the next")
    colours: int = knob(3, easy=2, hard=5, doc="how many colours there are")
    moved: int = knob(2, easy=1, hard=3, doc="maximum number of balls moved or drawn, minus one")
    size: int = knob(9, easy=9, hard=10, doc="how many there are at most of a colour in an urn")


class Data(TaskData):
    urns: tuple[tuple[int, int], ...]  # of the wanted colours, and of others
    moved: tuple[int, ...]  # out of each urn but the last; then how many are drawn from the last
    hits: int
    at_least: bool
    first: int  # how many wanted ones left urn 1, where that is asked; else -1
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, knobs.urns, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, max(2, knobs.urns), True)


def solve(task: Task[Data]) -> Fraction:
    # From the first urn on, as a distribution of what has come so far; `generate` works back from the last one.
    data = task.data

    def final_draw(arrived: dict[int, Fraction], begin: int) -> Fraction:
        for urn in range(begin, len(data.urns) - 1):
            after: dict[int, Fraction] = {}
            for hits_wanted, chance in arrived.items():
                for hits in range(data.moved[urn] + 1):
                    after[hits] = after.get(hits, Fraction(0)) + chance * _hypergeometric(
                        hits, data.moved[urn], *_content(data, urn, hits_wanted)
                    )
            arrived = after
        last = len(data.urns) - 1
        return sum(
            (c * _hypergeometric(h, data.moved[last], *_content(data, last, w)) for w, c in arrived.items() for h in _hit_counts(data)),
            Fraction(0),
        )

    total_chance = final_draw({0: Fraction(1)}, 0)
    if data.first < 0:
        return total_chance
    return final_draw({data.first: _hypergeometric(data.first, data.moved[0], *data.urns[0])}, 1) / total_chance


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "the probability is different")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    good, rest = data.urns[-1]
    share = Fraction(good, good + rest)
    replaced = comb(data.moved[-1], data.hits) * share**data.hits * (1 - share) ** (data.moved[-1] - data.hits)
    alone = _hypergeometric(data.hits, min(data.moved[-1], good + rest), good, rest)
    return probabilities.near_misses(right, replaced, alone, share)


def cost(task: Task[Data]) -> float:
    return sum((moved + 1) ** 2 for moved in task.data.moved) * len(task.data.urns)


def calculation(task: Task[Data]) -> list[str]:
    data, working = task.data, probabilities.Working()
    onward: dict[int, Fraction] = dict.fromkeys(_hit_counts(data), Fraction(1))
    for urn in range(len(data.urns) - 1, -1, -1):
        before: dict[int, Fraction] = {}
        for arrived in range(data.moved[urn - 1] + 1 if urn else 1):
            good, rest = _content(data, urn, arrived)
            terms = [
                (_let_hypergeometric(working, hits, data.moved[urn], good, rest), chance)
                if urn < len(data.urns) - 1
                else (_let_hypergeometric(working, hits, data.moved[urn], good, rest),)
                for hits, chance in onward.items()
                if _hypergeometric(hits, data.moved[urn], good, rest)
            ]
            before[arrived] = working.let(ONWARD.format(came=arrived, urn=urn + 1), probabilities.sum_of_products(terms))
        first, onward = onward, before
    if data.first < 0:
        return working.last("probability", calculations.operand(onward[0]))
    moved = _let_hypergeometric(working, data.first, data.moved[0], *data.urns[0])
    return working.last(
        "probability", f"{calculations.operand(moved)}*{calculations.operand(first[data.first])}/{calculations.operand(onward[0])}"
    )


def quantities(task: Task[Data]) -> probabilities.QuantityTemplates:
    data = task.data
    onward = _onward(data)

    def taken(hits: str, count: str, good: str, rest: str) -> Fraction:
        if max(map(len, (hits, count, good, rest))) > 3:
            raise ValueError("more than there are")
        return _hypergeometric(int(hits), int(count), int(good), int(rest))

    return {TAKEN: taken, ONWARD: lambda came, urn: onward[int(urn) - 1][int(came)], "probability": lambda: Fraction(data.value)}


def _sample_task(rng: Rng, knobs: Knobs, urns: int, reversed_question: bool) -> Task[Data]:
    colours = rng.sample(COLOURS, knobs.colours)
    box, balls, who = rng.choice(BOXES), rng.choice(BALLS), rng.choice(stories.PEOPLE)
    contents = [[rng.integer(1, knobs.size) for _ in colours] for _ in range(urns)]
    wanted_count = rng.integer(1, max(1, knobs.colours - 2))
    split = tuple((sum(content[:wanted_count]), sum(content[wanted_count:])) for content in contents)
    moved = tuple(
        rng.integer(1, 1 + min(knobs.moved, sum(content) - 2)) if urns > 1 or sum(content) < 3 else 1 + knobs.moved for content in contents
    )
    moved = tuple(min(count, sum(content) - 1) for count, content in zip(moved, contents, strict=True))
    at_least = knobs.colours > 2 and rng.chance(0.5)
    blank = Data(urns=split, moved=moved, hits=0, at_least=at_least, first=-1, value="")
    for _ in range(60):
        data = blank.model_copy(update={"hits": rng.integer(1, moved[-1])})
        if 0 < _onward(data)[0][0] < 1:
            break
    value = _onward(data)[0][0]
    if reversed_question:
        likely = [h for h in range(moved[0] + 1) if _hypergeometric(h, moved[0], *split[0]) * _onward(data)[1][h]]
        first = rng.choice(likely)
        value = _hypergeometric(first, moved[0], *split[0]) * _onward(data)[1][first] / value
        data = data.model_copy(update={"first": first})
    if value.denominator >= LONGEST:
        return _sample_task(rng, knobs, urns, reversed_question)
    return Task(_story(rng, data, contents, colours, wanted_count, who, box, balls), data.model_copy(update={"value": str(value)}))


def _story(rng: Rng, data: Data, contents: list[list[int]], colours: list[str], wanted_count: int, who: str, box: str, balls: str) -> str:
    ball = balls[:-1]
    lines = []
    for number, content in enumerate(contents, 1):
        content_text = join_words(
            rng.shuffled([f"{count} {colour} {ball if count == 1 else balls}" for count, colour in zip(content, colours, strict=True)])
        )
        lines.append(phrase(rng, HOLDS, who=who, box=box, number=number, content=content_text))
    for number, count in enumerate(data.moved[:-1], 1):
        gaps = {"them": "it" if count == 1 else "them", "go": "goes" if count == 1 else "go"}
        lines.append(
            phrase(rng, MOVES, who=who, box=box, number=number, after=number + 1, moved=f"{count} {ball if count == 1 else balls}", **gaps)
        )
    count = data.moved[-1]
    final_draw = f"{count} {ball if count == 1 else balls}"
    lines.append(phrase(rng, DRAWS, who=who, box=box, number=len(contents), drawn=final_draw, are="is" if count == 1 else "are"))
    those = join_words(rng.shuffled(colours[:wanted_count]), "or")
    event = _event(data.hits, count, balls, f"drawn in the end {'is' if data.hits == 1 else 'are'}", those, data.at_least)
    if data.first < 0:
        lines.append(probabilities.render_question(rng, event))
    else:
        verb = "was" if data.first == 1 or data.moved[0] == 1 else "were"
        lines.insert(
            rng.integer(1, len(lines) - 1),
            phrase(rng, ASIDES, who=who, box=box, balls=balls, n=rng.integer(2, 30), other=rng.choice(stories.PEOPLE)),
        )
        lines.append(
            probabilities.render_question(rng, _event(data.first, data.moved[0], balls, f"moved out of {box} 1 {verb}", those), event)
        )
    text = " ".join(line[0].upper() + line[1:] for line in lines)
    return f"{text} The {balls} cannot be told apart by touch."


def _event(hits: int, count: int, balls: str, how: str, colours: str, at_least: bool = False) -> str:
    """In words, how many of those that are drawn or moved have the colours."""
    if count == 1:
        return f"the {balls[:-1]} {how} {'' if hits else 'not '}{colours}"
    if hits == count:
        return f"{'both' if count == 2 else f'all {count}'} {balls} {how} {colours}"
    number = f"{'at least' if at_least else 'exactly'} {hits}" if hits else "none"
    return f"{number} of the {balls} {how} {colours}"


def _hypergeometric(hits: int, count: int, good: int, rest: int) -> Fraction:
    return (
        Fraction(comb(good, hits) * comb(rest, count - hits), comb(good + rest, count))
        if 0 <= hits <= count <= good + rest
        else Fraction(0)
    )


def _hit_counts(data: Data) -> range:
    return range(data.hits, data.moved[-1] + 1 if data.at_least else data.hits + 1)


def _content(data: Data, urn: int, arrived: int) -> tuple[int, int]:
    """What an urn holds once things from the one before, `arrived` of them wanted, have been added."""
    good, rest = data.urns[urn]
    return (good + arrived, rest + data.moved[urn - 1] - arrived) if urn else (good, rest)


def _onward(data: Data) -> list[dict[int, Fraction]]:
    """For each urn the probability of the final draw, by the number of wanted things that came into it."""
    onward = dict.fromkeys(_hit_counts(data), Fraction(1))
    per_urn: list[dict[int, Fraction]] = []
    for urn in range(len(data.urns) - 1, -1, -1):
        arrived = range(data.moved[urn - 1] + 1 if urn else 1)
        onward = {
            c: sum((_hypergeometric(h, data.moved[urn], *_content(data, urn, c)) * chance for h, chance in onward.items()), Fraction(0))
            for c in arrived
        }
        per_urn.insert(0, onward)
    return per_urn


def _let_hypergeometric(working: probabilities.Working, hits: int, count: int, good: int, rest: int) -> Fraction:
    above = working.choose(good, hits) * working.choose(rest, count - hits)
    name = TAKEN.format(hits=hits, count=count, good=good, rest=rest)
    return (
        working.let(name, f"{comb(good, hits)}*{comb(rest, count - hits)}/{working.choose(good + rest, count)}") if above else Fraction(0)
    )


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=probabilities.solution(calculation, quantities), shift=shift,
    concept="What is moved between urns is unknown: weigh the final draw after each possible move with the chance of that move.",
    version=6,
)  # fmt: skip
