"""Count legs and animals of many kinds, from some of the numbers.

At first all the numbers follow from one, and the legs are asked for. Harder tasks tell the number of legs and ask for a number of animals. In
the shift both the legs and the heads are told, so that two numbers are unknown, beside sentences that do not matter.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Task, knob
from rlgym.answers import Integer
from rlgym.generators.stories import listed, places, told
from rlgym.generators.stories.herds import EACH, HERDS, LEGS, OPENINGS
from rlgym.generators.stories.linked import Link, Puzzle, Weighed, comparison, cost, explain, made, mistakes, replay, solve, verify


class Knobs(Config):
    kinds: int = knob(6, easy=2, hard=24, doc="how many kinds of animals")
    direct: int = knob(50, easy=100, hard=5, doc="percent of the kinds whose number is told outright")
    asked: str = knob(
        "kind", easy="legs", hard="heads", order=("legs", "kind", "heads"), doc="whether legs, one kind or all animals are asked for"
    )


def generate(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _made(rng, knobs, twin=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _made(rng, knobs, twin=True)


def _made(rng: Rng, knobs: Knobs, twin: bool) -> Task[Puzzle]:
    while True:
        names = rng.sample(tuple(LEGS), knobs.kinds)
        legs = tuple(LEGS[name] for name in names)
        counts, links, said = [rng.integer(3, 40)], [], []
        for i in range(1, knobs.kinds - twin):
            link, number, text = _linked(rng, knobs, names, counts, i)
            counts.append(number)
            links.append(link)
            said.append(text)
        asked = "kind" if twin and knobs.asked == "heads" else knobs.asked
        if twin:
            counts.append(rng.integer(3, 40))
            links.append(Link(who=(knobs.kinds - 1, *range(knobs.kinds - 1)), times=(-1, 1), add=sum(counts)))
            said.append(told(rng, HERDS["heads"], n=sum(counts)))
            said += [told(rng, HERDS["aside"], who=rng.choice(names), n=rng.integer(3, 90)) for _ in range(1 + knobs.kinds // 4)]
        total = sum(leg * count for leg, count in zip(legs, counts, strict=True))
        closing = None if asked == "legs" and not twin else Weighed(weights=legs, add=-total)
        said.append(told(rng, HERDS["legs"], n=total) if closing else told(rng, HERDS["is"], a=names[0], n=counts[0]))
        wanted, question = _asked(rng, names, legs, "kind" if twin else asked)
        known = None if closing else counts[0]
        puzzle = made(names, links, counts, wanted, known=known, closing=closing)
        if puzzle and len({*counts}) > len(counts) // 3:
            each = listed([f"{name} {leg}" for name, leg in rng.shuffled(list(zip(names, legs, strict=True)))])
            opening = told(rng, OPENINGS, town=places(rng, 1)[0], kinds=listed(names))
            return Task(" ".join([opening, told(rng, EACH, legs=each), *rng.shuffled(said), question]), puzzle)


def _asked(rng: Rng, names: Sequence[str], legs: tuple[int, ...], asked: str) -> tuple[Weighed, str]:
    if asked == "kind":
        one = rng.integer(0, len(names) - 1) if len(names) == 2 else rng.choice((0, len(names) - 1))
        return Weighed(weights=tuple(int(i == one) for i in range(len(names)))), told(rng, HERDS["ask"], a=names[one])
    weights = legs if asked == "legs" else (1,) * len(names)
    return Weighed(weights=weights), told(rng, HERDS[f"ask_{asked}"])


def _linked(rng: Rng, knobs: Knobs, names: Sequence[str], counts: Sequence[int], new: int) -> tuple[Link, int, str]:
    """What is told about a new kind: as a link to others, its number, and the words."""
    while True:
        if rng.integer(1, 100) <= knobs.direct:
            number = rng.integer(3, 60)
            return Link(who=(new,), add=number), number, told(rng, HERDS["is"], a=names[new], n=number)
        kind, old = rng.choice(("more", "fewer", "times", "part", "over", "under")), rng.integer(0, new - 1)
        n, m = rng.integer(2, 5), rng.integer(2, 25)
        times, add = comparison(kind, n, m)
        exact = counts[old] * Fraction(*times) + add
        if 2 <= exact <= 600 and exact.denominator == 1:
            gaps = {"n": m if kind in ("more", "fewer") else n, "m": m}
            return Link(who=(new, old), times=times, add=add), int(exact), told(rng, HERDS[kind], a=names[new], b=names[old], **gaps)


environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Suppose a number for one kind, count the legs, and see how far that misses the legs that are told.",
)
