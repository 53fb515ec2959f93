"""Find the strength of a mixture after adding, thinning, boiling down, spilling and pouring over.

In the shift the strength at the end is told and the one at the start is asked for, some amounts are in millilitres, and some sentences do not
matter.
"""

from rlgym import Config, Environment, Rng, Task, knob
from rlgym.answers import Rational
from rlgym.generators.stories import TRADES, people, places, told
from rlgym.generators.stories.linked import Puzzle, Weighed, cost, explain, made, replay, verify
from rlgym.generators.stories.linked import mistakes_exactly as mistakes
from rlgym.generators.stories.linked import solve_exactly as solve
from rlgym.generators.stories.mixing import MIXING, OPENINGS, SALTS, STIRRED, VESSELS, Cellar
from rlgym.generators.worked import decimal, shown

KINDS: dict[str, tuple[str, ...]] = {"adding": ("add", "water"), "removing": ("add", "water", "dry", "drain")}
KINDS["pouring"] = ("add", "dry", "pour", "pour")
LIQUIDS = ("water", "lemonade", "tea", "juice", "cleaner", "paint", "cider", "brine")


class Knobs(Config):
    moves: int = knob(5, easy=1, hard=14, doc="how often something is done")
    vessels: int = knob(2, easy=1, hard=5, doc="how many vessels")
    kinds: str = knob("removing", easy="adding", hard="pouring", order=tuple(KINDS), doc="kinds of moves")


def generate(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _made(rng, knobs, twin=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _made(rng, knobs, twin=True)


def _made(rng: Rng, knobs: Knobs, twin: bool) -> Task[Puzzle]:
    who, town, salt, liquid = people(rng, 1)[0], places(rng, 1)[0], rng.choice(SALTS), rng.choice(LIQUIDS)
    while True:
        first = rng.integer(3, 60)
        cellar = Cellar(rng.sample(VESSELS, knobs.vessels), salt, first)
        said = []
        for i in range(knobs.vessels):
            kind = "start_unknown" if twin and i == 0 else "start"
            said.append(cellar.start(rng, kind, rng.integer(6, 40), 5 * rng.integer(1, 12) if i else first, liquid))
        for i in range(1, knobs.moves + 1):
            said.append(cellar.move(rng, KINDS[knobs.kinds], i, twin))
            if twin and rng.chance(0.25):
                said.append(told(rng, MIXING["aside"], who=who, n=rng.integer(3, 70), salt=salt))
        at = rng.choice(cellar.reached())
        end, litres = cellar.last[at], cellar.litres[at]
        final = cellar.amounts[end] / litres
        here = tuple(int(i == end) for i in range(len(cellar.names)))
        if twin:
            told_end = Weighed(weights=tuple(final.denominator * weight for weight in here), add=-final.numerator * litres)
            said.append(cellar.said(rng, "end", at, p=decimal(final)))
            said.append(cellar.said(rng, "ask_start", 0, liquid=liquid))
            wanted, known, closing = Weighed(weights=(1,) + (0,) * (len(here) - 1)), None, told_end
        else:
            said.append(cellar.said(rng, "ask", at))
            wanted, known, closing = Weighed(weights=here, over=litres), first, None
        puzzle = made(cellar.names, cellar.links, cellar.amounts, wanted, known=known, closing=closing, whole=False)
        if puzzle and len(shown(final)) <= 24:
            opening = told(rng, OPENINGS, who=who, town=town, trade=rng.choice(TRADES))
            return Task(" ".join([opening, told(rng, STIRRED), *said]), puzzle)


environment = Environment(
    Knobs,
    Rational("the exact number of percent, as an integer, a fraction or a decimal, without the percent sign"),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Keep account of what is dissolved: adding adds it, pouring out takes the same share of it as of the volume; divide by the volume at the end.",
)
