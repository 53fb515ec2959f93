"""Find the strength of a mixture after adding, thinning, boiling down, spilling and pouring over.

In the shifted family the final strength is given and the initial one is asked for, some amounts are in millilitres, and some sentences are
irrelevant.
"""

from rlgym import Config, Environment, Rng, Task, knob
from rlgym.answers import Rational
from rlgym.generators.calculations import format_decimal, format_fraction
from rlgym.generators.stories import TRADES, people, phrase, places
from rlgym.generators.stories.linked import Puzzle, Weighed, cost, make_puzzle, solution, verify
from rlgym.generators.stories.linked import mistakes_exactly as mistakes
from rlgym.generators.stories.linked import solve_exactly as solve
from rlgym.generators.stories.mixing import MIXING, OPENINGS, SALTS, STIRRED, VESSELS, Cellar

KINDS: dict[str, tuple[str, ...]] = {"adding": ("add", "water"), "removing": ("add", "water", "dry", "drain")}
KINDS["pouring"] = ("add", "dry", "pour", "pour")
LIQUIDS = ("water", "lemonade", "tea", "juice", "cleaner", "paint", "cider", "brine")
ANSWER = Rational("the exact number of percent, as an integer, a fraction or a decimal, without the percent sign", as_decimal=True)
CONCEPT = "Keep account of what is dissolved: adding adds it, pouring out takes the same share of it as of the volume; divide by the volume at the end."


class Knobs(Config):
    moves: int = knob(5, easy=1, hard=14, doc="number of moves")
    vessels: int = knob(2, easy=1, hard=5, doc="how many vessels")
    kinds: str = knob("removing", easy="adding", hard="pouring", order=tuple(KINDS), doc="kinds of moves")


def generate(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _sample_task(rng, knobs, shifted=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _sample_task(rng, knobs, shifted=True)


def _sample_task(rng: Rng, knobs: Knobs, shifted: bool) -> Task[Puzzle]:
    who, town, salt, liquid = people(rng, 1)[0], places(rng, 1)[0], rng.choice(SALTS), rng.choice(LIQUIDS)
    while True:
        first = rng.integer(3, 60)
        cellar = Cellar(rng.sample(VESSELS, knobs.vessels), salt, first)
        sentences = []
        for i in range(knobs.vessels):
            kind = "start_unknown" if shifted and i == 0 else "start"
            sentences.append(cellar.start(rng, kind, rng.integer(6, 40), 5 * rng.integer(1, 12) if i else first, liquid))
        for i in range(1, knobs.moves + 1):
            sentences.append(cellar.move(rng, KINDS[knobs.kinds], i, shifted))
            if shifted and rng.chance(0.25):
                sentences.append(phrase(rng, MIXING["aside"], who=who, n=rng.integer(3, 70), salt=salt))
        at = rng.choice(cellar.reached())
        end, litres = cellar.last[at], cellar.litres[at]
        final = cellar.amounts[end] / litres
        weights = tuple(int(i == end) for i in range(len(cellar.names)))
        if shifted:
            final_condition = Weighed(weights=tuple(final.denominator * weight for weight in weights), add=-final.numerator * litres)
            sentences.append(cellar.sentence(rng, "end", at, p=format_decimal(final)))
            sentences.append(cellar.sentence(rng, "ask_start", 0, liquid=liquid))
            target, known, closing = Weighed(weights=(1,) + (0,) * (len(weights) - 1)), None, final_condition
        else:
            sentences.append(cellar.sentence(rng, "ask", at))
            target, known, closing = Weighed(weights=weights, over=litres), first, None
        puzzle = make_puzzle(cellar.names, cellar.links, cellar.amounts, target, known=known, closing=closing, whole=False)
        if puzzle and len(format_fraction(final)) <= 24 and not (shifted and final == first):  # the last number of the text is no answer
            opening = phrase(rng, OPENINGS, who=who, town=town, trade=rng.choice(TRADES))
            return Task(" ".join([opening, phrase(rng, STIRRED), *sentences]), puzzle)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=solution, shift=shift, concept=CONCEPT, version=3
)
