"""Share out goods in given ratios.

The ratios link the shares in pairs; a total, a difference or one share determines them. On the upper levels closed packages are shared whole, in
an exact ratio and with as little left over as possible: many choices of what is left over have to be refuted. In the shifted family some ratios
hold only after a gift from one to the other, and some sentences are irrelevant.
"""

from collections.abc import Sequence
from math import gcd

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.stories import SHOPS, goods, linked, packages, people, phrase, places
from rlgym.generators.stories.linked import Link, Puzzle, Weighed, make_puzzle
from rlgym.generators.stories.packages import Packages
from rlgym.generators.stories.sharing import ALONE, OPENINGS, SHARES
from rlgym.generators.text.english import join_words
from rlgym.solutions import SolutionByTask

CONCEPT = "Write every share as a multiple of one of them; the last fact determines how large that one is."


class Knobs(Config):
    shares: int = knob(4, easy=2, hard=26, doc="how many people share, where the ratios link them in pairs")
    largest: int = knob(6, easy=3, hard=9, doc="largest number in a ratio")
    given_quantity: str = knob(
        "gap", easy="total", hard="gap", order=("total", "is", "gap"), doc="whether the total, one share or a difference is given"
    )
    packages: int = knob(
        0, easy=0, hard=11, doc="closed packages that three people share; with fewer than 7 the ratios link shares in pairs"
    )


class Data(TaskData):
    puzzle: Puzzle | None = None
    packages: Packages | None = None


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.packages < 7:
        return _sample_task(rng, knobs, shifted=False)
    data = packages.sample(rng, knobs.packages, people(rng, 3))
    return Task(packages.render(rng, data, goods(rng, 1)[0].many), Data(packages=data))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, shifted=True)


def solve(task: Task[Data]) -> int:
    # By all sums of shares that the packages allow; `generate` goes by what is left over.
    if task.data.packages:
        return packages.share(task.data.packages)
    return linked.solve(_puzzle_task(task))


def verify(task: Task[Data], answer: int) -> Score:
    if data := task.data.packages:
        return Score.exact(answer == data.part * data.ratio[data.asked], "that is not the share if as little as possible is left over")
    return linked.verify(_puzzle_task(task), answer)


def mistakes(task: Task[Data], right: int) -> list[int]:
    if task.data.packages:
        return packages.wrong_shares(task.data.packages)
    return linked.mistakes(_puzzle_task(task), right)


def cost(task: Task[Data]) -> float:
    return packages.cost(task.data.packages) if task.data.packages else linked.cost(_puzzle_task(task))


def _puzzle_task(task: Task[Data]) -> Task[Puzzle]:
    assert task.data.puzzle is not None
    return Task(task.prompt, task.data.puzzle)


def _sample_task(rng: Rng, knobs: Knobs, shifted: bool) -> Task[Data]:
    names, thing = people(rng, knobs.shares), goods(rng, 1)[0].many
    while True:
        links, sentences, moved = [], [], 0
        scale = rng.integer(1, 14)  # without it, a few shares such as 12 would be the answer to a tenth of all tasks
        counts = [scale * count for count in _sample_shares(rng, knobs)]
        pairs = [(i, rng.integer(max(0, i - 3), i - 1)) for i in range(1, knobs.shares)]
        for new, old in pairs:
            a, b = (new, old) if rng.chance(0.5) else (old, new)
            gift = scale * rng.integer(2, 9) if shifted and rng.chance(0.5) else 0
            gift = gift if _has_small_ratio(knobs, counts[a] - gift, counts[b] + gift) else 0
            if not _has_small_ratio(knobs, counts[a] - gift, counts[b] + gift):
                break
            common = gcd(counts[a] - gift, counts[b] + gift)
            n, m = (counts[a] - gift) // common, (counts[b] + gift) // common
            links.append(Link(who=(a, b), times=(n, m), inner=gift, add=gift))
            kind = "moved" if gift else "multiple" if 1 in (n, m) else "ratio"
            if kind == "multiple" and n == 1:
                a, b, n = b, a, m
            sentences.append(phrase(rng, SHARES[kind], a=names[a], b=names[b], n=n, m=m, g=gift, goods=thing))
            moved += gift
        even = len(counts) == 2 and counts[0] == counts[1]  # half of the total, whatever the gift
        if len(links) < len(pairs) or (shifted and not moved) or even:
            continue
        known, closing, sentence = _settle(rng, knobs, names, counts, thing)
        target, question = _question(rng, names, thing, knobs.given_quantity == "total")
        puzzle = make_puzzle(names, links, counts, target, known=known, closing=closing)
        if puzzle:
            break
    sentences.append(sentence)
    if shifted:
        # No two of one kind about the same person: they would contradict each other.
        asides = rng.sample([(who, aside) for who in names for aside in SHARES["aside"]], 1 + knobs.shares // 4)
        sentences += [phrase(rng, (aside,), who=who, n=rng.integer(3, 60), goods=thing) for who, aside in asides]
    opening = phrase(rng, OPENINGS, town=places(rng, 1)[0], all=join_words(names), goods=thing, shop=rng.choice(SHOPS))
    alone = [phrase(rng, ALONE)] if sum(bool(link.inner) for link in links) > 1 else []
    return Task(" ".join([opening, *rng.shuffled(sentences), *alone, question]), Data(puzzle=puzzle))


def _sample_shares(rng: Rng, knobs: Knobs) -> list[int]:
    """Shares of which many have small ratios."""
    base = (
        rng.choice((12, 24, 36, 60, 72)) if knobs.largest > 4 else rng.choice((4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 30, 36, 40, 42, 48))
    )
    parts = range(1, knobs.largest + 1)
    return [base * rng.choice(parts) // rng.choice([part for part in parts if base % part == 0]) for _ in range(knobs.shares)]


def _has_small_ratio(knobs: Knobs, a: int, b: int) -> bool:
    common = gcd(a, b)
    return a > 0 and a != b and max(a, b) // common <= 2 * knobs.largest


def _settle(rng: Rng, knobs: Knobs, names: Sequence[str], counts: Sequence[int], thing: str) -> tuple[int | None, Weighed | None, str]:
    """The condition that determines the shares, with its sentence."""
    if knobs.given_quantity == "total":
        closing = Weighed(weights=(1,) * len(names), add=-sum(counts))
        return None, closing, phrase(rng, SHARES["total"], n=sum(counts), goods=thing)
    unequal = [(i, j) for i in range(len(names)) for j in range(len(names)) if counts[i] > counts[j]]
    if knobs.given_quantity == "gap" and unequal:
        more, less = rng.choice(unequal)
        weights = tuple(1 if i == more else -1 if i == less else 0 for i in range(len(names)))
        gap = counts[more] - counts[less]
        return None, Weighed(weights=weights, add=-gap), phrase(rng, SHARES["gap"], a=names[more], b=names[less], n=gap, goods=thing)
    return counts[0], None, phrase(rng, SHARES["is"], a=names[0], n=counts[0], goods=thing)


def _question(rng: Rng, names: Sequence[str], thing: str, total: bool) -> tuple[Weighed, str]:
    count = 1 if total or len(names) < 3 else rng.integer(1, len(names))
    among = rng.sample(range(1, len(names)), 1) if count == 1 else rng.sample(range(len(names)), count)
    kind, all_of = ("ask_total" if count > 1 else "ask"), join_words([names[i] for i in among])
    weights = tuple(int(i in among) for i in range(len(names)))
    return Weighed(weights=weights), phrase(rng, SHARES[kind], a=names[among[0]], all=all_of, goods=thing)


LINKED = linked.solution_of(_puzzle_task)

environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SolutionByTask(lambda task: packages.SOLUTION if task.data.packages else LINKED),
    shift=shift,
    concept=CONCEPT,
    version=4,
)
