"""Wait for a pattern of letters in a random sequence: how long does it take on average?

In the shifted family two patterns race, and the probability that one of them comes first is asked for.
"""

from fractions import Fraction
from itertools import pairwise
from math import prod

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations, stories
from rlgym.generators.draws import draw_rare
from rlgym.generators.probability import probabilities
from rlgym.generators.stories import phrase
from rlgym.generators.text import english

ANSWER = Rational("one exact number, as an integer or a fraction a/b")
OVERLAP = "sum for the endings of {one} that begin {other}"
WAIT = "expected number"
RACE = "probability"
SOURCES = (
    "{who} spins a spinner again and again; each spin shows {letters}, independently of the others.",
    "A machine prints letters one after the other. Each one is {letters}, whatever came before.",
    "Letters arrive one by one, each independently of the rest: {letters}.",
    "{who} draws letters from a bag, putting each back before the next draw. A draw gives {letters}.",
    "A random sequence is built letter by letter; independently of the others, a letter is {letters}.",
)
WAITS = (
    "What is the expected number of letters until {pattern} has first come up as consecutive letters, those letters included?",
    "On average, how many letters does it take until the last ones read {pattern} for the first time? Give the exact expected number.",
    "Find the exact expected number of letters up to and including the end of the first block {pattern}.",
    "Find the exact expected number of letters until the pattern {pattern} (consecutive letters) is completed for the first time.",
)
FIRSTS = (
    "{one} turns up as consecutive letters before {other} does",
    "the consecutive letters {one} are completed sooner than the consecutive letters {other}",
    "the pattern {one} of consecutive letters is completed before the pattern {other}",
    "of the two blocks of consecutive letters {one} and {other}, the first to be completed is {one}",
)


class Knobs(Config):
    length: int = knob(4, easy=3, hard=9, doc="letters of a pattern")
    letters: int = knob(2, easy=2, hard=4, doc="how many different letters there are")
    parts: int = knob(6, easy=5, hard=9, doc="denominator of the chances")


class Data(TaskData):
    letters: str
    chances: tuple[str, ...]
    patterns: tuple[str, ...]
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Short patterns have few different answers, so a task with a rare one is taken."""
    return draw_rare(lambda: _wait(rng, knobs), lambda task: task.data.value, 6 if knobs.length < 5 else 1)


def _wait(rng: Rng, knobs: Knobs) -> Task[Data]:
    letters, chances_drawn = _letters(rng, knobs)
    pattern = _pattern(rng, letters, knobs.length)
    data = Data(letters=letters, chances=chances_drawn, patterns=(pattern,), value="")
    question = phrase(rng, WAITS, pattern=pattern)
    return Task(_story(rng, data) + question, data.model_copy(update={"value": str(_sum(data, pattern, pattern))}))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Which of two patterns comes first?"""
    return draw_rare(lambda: _race(rng, knobs), lambda task: task.data.value, 6 if knobs.length < 5 else 1)


def _race(rng: Rng, knobs: Knobs) -> Task[Data]:
    letters, chances_drawn = _letters(rng, knobs)
    first = second = ""
    while first in second or second in first:
        first, second = _pattern(rng, letters, knobs.length), _pattern(rng, letters, max(2, knobs.length - rng.integer(0, 1)))
    data = Data(letters=letters, chances=chances_drawn, patterns=(first, second), value="")
    mine, theirs = _sum(data, second, second) - _sum(data, second, first), _sum(data, first, first) - _sum(data, first, second)
    question = probabilities.render_question(rng, phrase(rng, FIRSTS, one=first, other=second))
    return Task(_story(rng, data) + question, data.model_copy(update={"value": str(mine / (mine + theirs))}))


def solve(task: Task[Data]) -> Fraction:
    # Over how much of a pattern the last letters are the beginning of; `generate` adds up overlaps.
    data = task.data
    starts = sorted({pattern[:k] for pattern in data.patterns for k in range(len(pattern))}, key=lambda start: (len(start), start))
    race = len(data.patterns) > 1
    rows, right = [], []
    for start in starts:
        row = [Fraction(start == other) for other in starts]
        value = Fraction(not race)
        for letter, chance in zip(data.letters, map(Fraction, data.chances), strict=True):
            text = start + letter
            if any(text.endswith(pattern) for pattern in data.patterns):
                value += chance if race and text.endswith(data.patterns[0]) else 0
            else:
                kept = next(text[k:] for k in range(len(text) + 1) if text[k:] in starts)
                row[starts.index(kept)] -= chance
        rows.append(row)
        right.append(value)
    return probabilities.solve_linear_system(rows, right)[0]


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "the value is different")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    single_waits = [1 / _chance(data, pattern) for pattern in data.patterns]
    if len(single_waits) > 1:
        return probabilities.near_misses(right, single_waits[1] / sum(single_waits), single_waits[0] / sum(single_waits), Fraction(1, 2))
    return [single_waits[0], right - len(data.patterns[0]), right + 1, right - 1, Fraction(len(data.patterns[0]))]


def cost(task: Task[Data]) -> float:
    return sum(len(pattern) ** 2 for pattern in task.data.patterns) * len(task.data.letters) + sum(map(len, task.data.chances))


def calculation(task: Task[Data]) -> list[str]:
    data, working = task.data, probabilities.Working()

    def overlaps(first: str, second: str) -> Fraction:
        terms = [f"1/({'*'.join(_chance_operand(data, letter) for letter in start)})" for start in _starts(first, second)]
        return working.let(OVERLAP.format(one=first, other=second), " + ".join(terms) or "0")

    if len(data.patterns) == 1:
        return working.last(WAIT, calculations.operand(overlaps(data.patterns[0], data.patterns[0])))
    first, second = data.patterns
    mine = f"({calculations.operand(overlaps(second, second))} - {calculations.operand(overlaps(second, first))})"
    theirs = f"({calculations.operand(overlaps(first, first))} - {calculations.operand(overlaps(first, second))})"
    return working.last(RACE, f"{mine}/({mine} + {theirs})")


def quantities(task: Task[Data]) -> probabilities.QuantityTemplates:
    data = task.data

    def overlap(one: str, other: str) -> Fraction:
        if one not in data.patterns or other not in data.patterns:
            raise ValueError("no such pattern")
        return _sum(data, one, other)

    goal = RACE if len(data.patterns) > 1 else WAIT
    return {OVERLAP: overlap, goal: lambda: Fraction(data.value)}


def _letters(rng: Rng, knobs: Knobs) -> tuple[str, tuple[str, ...]]:
    letters = "".join(
        rng.sample(rng.choice(("HT", "RB", "AB", "XY", "LR") if knobs.letters == 2 else ("ABCD", "RGBY", "WXYZ", "KLMN")), knobs.letters)
    )
    if knobs.parts == 2:
        return letters, (str(Fraction(1, knobs.letters)),) * knobs.letters
    denominator = rng.integer(max(knobs.letters, 3, knobs.parts - 2), max(knobs.letters, knobs.parts))
    cuts = [0, *sorted(rng.sample(range(1, denominator), knobs.letters - 1)), denominator]
    return letters, tuple(str(Fraction(high - low, denominator)) for low, high in pairwise(cuts))


def _pattern(rng: Rng, letters: str, length: int) -> str:
    """A random pattern, often one that ends as it begins."""
    size = rng.integer(max(2, length - 1), length)
    period = rng.integer(1, size)
    block = [rng.choice(letters) for _ in range(period)]
    return "".join(block[k % period] for k in range(size))


def _story(rng: Rng, data: Data) -> str:
    letter_list = english.join_words(
        [f"{letter} with probability {chance}" for letter, chance in zip(data.letters, data.chances, strict=True)], "or"
    )
    return phrase(rng, SOURCES, who=rng.choice(stories.PEOPLE), letters=letter_list) + " "


def _chance_operand(data: Data, letter: str) -> str:
    return calculations.operand(Fraction(data.chances[data.letters.index(letter)]))


def _chance(data: Data, word: str) -> Fraction:
    return prod((Fraction(data.chances[data.letters.index(letter)]) for letter in word), start=Fraction(1))


def _starts(first: str, second: str) -> list[str]:
    """The beginnings of the other pattern that end the one."""
    return [second[:k] for k in range(1, len(second) + 1) if first.endswith(second[:k])]


def _sum(data: Data, first: str, second: str) -> Fraction:
    return sum((1 / _chance(data, start) for start in _starts(first, second)), Fraction(0))


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=probabilities.solution(calculation, quantities), shift=shift,
    concept="A pattern that overlaps itself takes longer: for each ending that is also a beginning, add one over the chance of that beginning.",
    version=3,
)  # fmt: skip
