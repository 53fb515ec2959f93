"""Share out goods in given ratios.

The ratios link the shares in pairs; a total, a difference or one share settles them. In the shift some ratios hold only after a gift from one
to the other, and some sentences do not matter.
"""

from collections.abc import Sequence
from math import gcd

from rlgym import Config, Environment, Rng, Task, knob
from rlgym.answers import Integer
from rlgym.generators.stories import SHOPS, goods, listed, people, places, told
from rlgym.generators.stories.linked import Link, Puzzle, Weighed, cost, explain, made, mistakes, replay, solve, verify
from rlgym.generators.stories.sharing import ALONE, OPENINGS, SHARES


class Knobs(Config):
    shares: int = knob(4, easy=2, hard=14, doc="how many people share")
    largest: int = knob(6, easy=3, hard=9, doc="largest number in a ratio")
    told: str = knob(
        "gap", easy="total", hard="gap", order=("total", "is", "gap"), doc="whether the total, one share or a difference is told"
    )


def generate(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _made(rng, knobs, twin=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _made(rng, knobs, twin=True)


def _made(rng: Rng, knobs: Knobs, twin: bool) -> Task[Puzzle]:
    names, thing = people(rng, knobs.shares), goods(rng, 1)[0].many
    while True:
        links, said, moved = [], [], 0
        counts = _counts(rng, knobs)
        pairs = [(i, rng.integer(max(0, i - 3), i - 1)) for i in range(1, knobs.shares)]
        for new, old in pairs:
            a, b = (new, old) if rng.chance(0.5) else (old, new)
            gift = rng.integer(2, 9) if twin and rng.chance(0.5) else 0
            gift = gift if _small(knobs, counts[a] - gift, counts[b] + gift) else 0
            if not _small(knobs, counts[a] - gift, counts[b] + gift):
                break
            common = gcd(counts[a] - gift, counts[b] + gift)
            n, m = (counts[a] - gift) // common, (counts[b] + gift) // common
            links.append(Link(who=(a, b), times=(n, m), inner=gift, add=gift))
            kind = "moved" if gift else "multiple" if 1 in (n, m) else "ratio"
            if kind == "multiple" and n == 1:
                a, b, n = b, a, m
            said.append(told(rng, SHARES[kind], a=names[a], b=names[b], n=n, m=m, g=gift, goods=thing))
            moved += gift
        if len(links) < len(pairs) or (twin and not moved):
            continue
        known, closing, sentence = _settled(rng, knobs, names, counts, thing)
        wanted, question = _asked(rng, names, thing, knobs.told == "total")
        puzzle = made(names, links, counts, wanted, known=known, closing=closing)
        if puzzle:
            break
    said.append(sentence)
    if twin:
        said += [told(rng, SHARES["aside"], who=rng.choice(names), n=rng.integer(3, 60), goods=thing) for _ in range(1 + knobs.shares // 4)]
    opening = told(rng, OPENINGS, town=places(rng, 1)[0], all=listed(names), goods=thing, shop=rng.choice(SHOPS))
    alone = [told(rng, ALONE)] if sum(bool(link.inner) for link in links) > 1 else []
    return Task(" ".join([opening, *rng.shuffled(said), *alone, question]), puzzle)


def _counts(rng: Rng, knobs: Knobs) -> list[int]:
    """Shares of which many have a small ratio: products of few small factors."""
    base = rng.choice((12, 24, 36, 60, 72)) if knobs.largest > 4 else rng.choice((4, 6, 8, 10, 12, 18, 20, 30))
    parts = range(1, knobs.largest + 1)
    return [base * rng.choice(parts) // rng.choice([part for part in parts if base % part == 0]) for _ in range(knobs.shares)]


def _small(knobs: Knobs, a: int, b: int) -> bool:
    common = gcd(a, b)
    return a > 0 and a != b and max(a, b) // common <= 2 * knobs.largest


def _settled(rng: Rng, knobs: Knobs, names: Sequence[str], counts: Sequence[int], thing: str) -> tuple[int | None, Weighed | None, str]:
    """What settles the shares, and in which words."""
    if knobs.told == "total":
        closing = Weighed(weights=(1,) * len(names), add=-sum(counts))
        return None, closing, told(rng, SHARES["total"], n=sum(counts), goods=thing)
    apart = [(i, j) for i in range(len(names)) for j in range(len(names)) if counts[i] > counts[j]]
    if knobs.told == "gap" and apart:
        more, less = rng.choice(apart)
        weights = tuple(1 if i == more else -1 if i == less else 0 for i in range(len(names)))
        gap = counts[more] - counts[less]
        return None, Weighed(weights=weights, add=-gap), told(rng, SHARES["gap"], a=names[more], b=names[less], n=gap, goods=thing)
    return counts[0], None, told(rng, SHARES["is"], a=names[0], n=counts[0], goods=thing)


def _asked(rng: Rng, names: Sequence[str], thing: str, total: bool) -> tuple[Weighed, str]:
    count = 1 if total or len(names) < 3 else rng.integer(1, len(names))
    among = rng.sample(range(1, len(names)), 1) if count == 1 else rng.sample(range(len(names)), count)
    kind, all_of = ("ask_total" if count > 1 else "ask"), listed([names[i] for i in among])
    weights = tuple(int(i in among) for i in range(len(names)))
    return Weighed(weights=weights), told(rng, SHARES[kind], a=names[among[0]], all=all_of, goods=thing)


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
    concept="Write every share as a multiple of one of them; what is told last settles how large that one is.",
)
