"""Count legs and animals of many kinds, from some of the numbers.

Easy tasks give one number from which all others follow, and ask for the legs. Harder tasks give the number of legs and ask for a number of
animals. In the shifted family both legs and heads are given, two numbers are unknown, and some sentences are irrelevant.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Task, knob
from rlgym.answers import Integer
from rlgym.generators.stories import phrase, places
from rlgym.generators.stories.herds import EACH, HERDS, LEGS, OPENINGS
from rlgym.generators.stories.linked import Link, Puzzle, Weighed, comparison, cost, make_puzzle, mistakes, solution, solve, verify
from rlgym.generators.text.english import join_words

CONCEPT = "Suppose a number for one kind, count the legs, and see how far that misses the given number of legs."


class Knobs(Config):
    kinds: int = knob(6, easy=2, hard=24, doc="how many kinds of animals")
    direct: int = knob(50, easy=100, hard=5, doc="percent of the kinds whose number is given directly")
    question: str = knob(
        "kind", easy="legs", hard="heads", order=("legs", "kind", "heads"), doc="whether to find legs, one kind or all animals"
    )


def generate(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _sample_task(rng, knobs, shifted=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _sample_task(rng, knobs, shifted=True)


def _sample_task(rng: Rng, knobs: Knobs, shifted: bool) -> Task[Puzzle]:
    while True:
        names = rng.sample(tuple(LEGS), knobs.kinds)
        legs = tuple(LEGS[name] for name in names)
        counts, links, sentences = [rng.integer(3, 40)], [], []
        for i in range(1, knobs.kinds - shifted):
            link, number, text = _sample_link(rng, knobs, names, counts, i)
            counts.append(number)
            links.append(link)
            sentences.append(text)
        asked = "kind" if shifted and knobs.question == "heads" else knobs.question
        if shifted:
            counts.append(rng.integer(3, 40))
            links.append(Link(who=(knobs.kinds - 1, *range(knobs.kinds - 1)), times=(-1, 1), add=sum(counts)))
            sentences.append(phrase(rng, HERDS["heads"], n=sum(counts)))
            sentences += [phrase(rng, HERDS["aside"], who=rng.choice(names), n=rng.integer(3, 90)) for _ in range(1 + knobs.kinds // 4)]
        total = sum(leg * count for leg, count in zip(legs, counts, strict=True))
        closing = None if asked == "legs" and not shifted else Weighed(weights=legs, add=-total)
        sentences.append(phrase(rng, HERDS["legs"], n=total) if closing else phrase(rng, HERDS["is"], a=names[0], n=counts[0]))
        target, question = _question(rng, names, legs, "kind" if shifted else asked)
        known = None if closing else counts[0]
        puzzle = make_puzzle(names, links, counts, target, known=known, closing=closing)
        if puzzle and len({*counts}) > len(counts) // 3:
            each = join_words([f"{name} {leg}" for name, leg in rng.shuffled(list(zip(names, legs, strict=True)))])
            opening = phrase(rng, OPENINGS, town=places(rng, 1)[0], kinds=join_words(names))
            return Task(" ".join([opening, phrase(rng, EACH, legs=each), *rng.shuffled(sentences), question]), puzzle)


def _question(rng: Rng, names: Sequence[str], legs: tuple[int, ...], question: str) -> tuple[Weighed, str]:
    if question == "kind":
        chosen = rng.integer(0, len(names) - 1) if len(names) == 2 else rng.choice((0, len(names) - 1))
        return Weighed(weights=tuple(int(i == chosen) for i in range(len(names)))), phrase(rng, HERDS["ask"], a=names[chosen])
    weights = legs if question == "legs" else (1,) * len(names)
    return Weighed(weights=weights), phrase(rng, HERDS[f"ask_{question}"])


def _sample_link(rng: Rng, knobs: Knobs, names: Sequence[str], counts: Sequence[int], new: int) -> tuple[Link, int, str]:
    """A sentence about a new kind: its link to others, its number, and the text."""
    while True:
        if rng.integer(1, 100) <= knobs.direct:
            number = rng.integer(3, 60)
            return Link(who=(new,), add=number), number, phrase(rng, HERDS["is"], a=names[new], n=number)
        kind, old = rng.choice(("more", "fewer", "times", "part", "over", "under")), rng.integer(0, new - 1)
        n, m = rng.integer(2, 5), rng.integer(2, 25)
        times, add = comparison(kind, n, m)
        exact = counts[old] * Fraction(*times) + add
        if 2 <= exact <= 600 and exact.denominator == 1:
            gaps = {"n": m if kind in ("more", "fewer") else n, "m": m}
            return Link(who=(new, old), times=times, add=add), int(exact), phrase(rng, HERDS[kind], a=names[new], b=names[old], **gaps)


environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost, solution=solution, shift=shift, concept=CONCEPT, chains=True, version=4
)
