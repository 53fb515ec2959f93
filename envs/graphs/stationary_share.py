"""Work out, as an exact fraction, the share of time that a random walk spends at one page.

The walk follows links at random, with given chances or all alike; it may now and then jump to a page drawn at random. On the upper levels the share
is given, and the chance of a link is asked for.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators.drawing import pictures
from rlgym.generators.draws import draw_rare
from rlgym.generators.graphs import random_graphs, surfing
from rlgym.solutions import Checks, Derivation, Solution, SolutionByTask, Step


class Knobs(Config):
    pages: int = knob(4, easy=4, hard=7, doc="how many pages there are")
    links: int = knob(80, easy=60, hard=110, doc="links beyond those of one round trip, in percent of the pages")
    chances: str = knob(
        "some",
        easy="alike",
        hard="own",
        order=("alike", "some", "own"),
        doc="links of a page are equally likely, or some of them twice, or each its own way",
    )
    asked: str = knob("share", easy="share", hard="chance", order=("share", "chance"), doc="the share of a page, or the chance of a link")
    jumps: str = knob("no", easy="no", hard="yes", order=("no", "yes"), doc="whether the walk sometimes jumps to a page drawn at random")


class Data(TaskData):
    links: tuple[tuple[str, str, int, int], ...]  # from, to, and the chance as a fraction
    jump: int  # on average one move in `jump` is a jump; 0 for none
    page: str
    share: tuple[int, int]
    sources: tuple[str, ...] = ()  # the pages with two links each whose chances are p and 1 - p, and p is asked for

    @property
    def unknown(self) -> list[list[tuple[str, str]]]:
        """The links of chance p, and those of chance 1 - p."""
        pairs = [[(a, b) for a, b, *_ in self.links if a == source] for source in self.sources]
        return [[first for first, _ in pairs], [second for _, second in pairs]]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """One round trip through all pages, and more links between any two."""
    if knobs.asked == "chance":
        return _sample_inverse(rng, knobs)
    order = list(range(knobs.pages))
    return draw_rare(
        lambda: _sample_task(rng, knobs, list(zip(order, order[1:] + order[:1], strict=True))), solve, 6 if knobs.pages < 5 else 1
    )


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Links that go both ways along a tree."""
    parents = [(rng.integer(max(0, child - 3), child - 1), child) for child in range(1, knobs.pages)]
    return draw_rare(
        lambda: _sample_task(rng, knobs, [pair for a, b in parents for pair in ((a, b), (b, a))]), solve, 6 if knobs.pages < 5 else 1
    )


def _sample_task(rng: Rng, knobs: Knobs, first: list[tuple[int, int]]) -> Task[Data]:
    count, names = knobs.pages, random_graphs.sample_names(rng, knobs.pages)
    spare = [(a, b) for a in range(count) for b in range(count) if (a, b) not in first]
    more = rng.sample(spare, min(len(spare), max(1, count * knobs.links // 100)))
    links = sorted({*first, *more})
    weights = {link: rng.integer(1, {"alike": 1, "some": 2, "own": 4}[knobs.chances]) for link in links}
    # Two pages with links of one weight each hold few different tasks.
    weights = {link: weight * (rng.integer(1, 30) if count == 2 else 1) for link, weight in weights.items()}
    total = {a: sum(weight for (source, _), weight in weights.items() if source == a) for a in range(count)}
    listed = [(names[a], names[b], Fraction(weights[a, b], total[a])) for a, b in rng.shuffled(links)]
    jump = rng.integer(3, 9) if knobs.jumps == "yes" else 0
    page = rng.choice(names)
    chained = tuple((a, b, chance.numerator, chance.denominator) for a, b, chance in listed)
    share = surfing.stationary_shares(surfing.chances_of(chained, jump))[page]
    uniform = knobs.chances == "alike" and count > 2
    listing = "\n".join(f"{a} -> {b}" + ("" if uniform else f": {chance}") for a, b, chance in listed)
    how = (
        "a link of its page, all links of a page with the same chance"
        if uniform
        else "a link of its page, with the probability given for it"
    )
    leap = f" One move in {jump} on average, drawn at random and independently each time, is a jump instead: to a page drawn from all {count} pages with"
    leap = f"{leap} the same chance, its own page included." if jump else ""
    prompt = (
        f"These are all links between pages:\n{listing}\n\nA walker moves forever. In each move it follows {how}.{leap}\n\n"
        f"What share of its moves ends at page {page}, in the long run?"
    )
    return Task(prompt, Data(links=chained, jump=jump, page=page, share=(share.numerator, share.denominator)))


def solve(task: Task[Data]) -> Fraction:
    """Gaussian elimination on the balance equations: the inflow of a page equals its share."""
    if task.data.sources:
        roots = surfing.quadratic_roots(*(_excess(task.data, p) for p in TRIED))
        return next(root for root in roots if 0 < root < 1)
    return surfing.share_by_elimination(surfing.chances_of(task.data.links, task.data.jump), task.data.page)


def verify(task: Task[Data], answer: Fraction) -> Score:
    data = task.data
    if data.sources:
        if not 0 < answer < 1:
            return Score.wrong("the chance is between 0 and 1")
        found = surfing.stationary_shares(_chances_with(data, answer))[data.page]
        return Score.exact((found.numerator, found.denominator) == data.share, f"with that chance {data.page} has another share")
    return Score.exact((answer.numerator, answer.denominator) == data.share, "that is not the share")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    if data.sources:
        return [1 - right, Fraction(*data.share), Fraction(1, 2) if right != Fraction(1, 2) else Fraction(1, 3), right / 2, (1 + right) / 2]
    names = sorted({name for a, b, *_ in data.links for name in (a, b)})
    into = [Fraction(top, bottom) for _, b, top, bottom in data.links if b == data.page]
    alone = surfing.stationary_shares(surfing.chances_of(data.links, 0))[data.page] if data.jump else right
    return [Fraction(1, len(names)), sum(into, Fraction(0)) / len(names), Fraction(len(into), len(data.links)), alone, 1 - right, right / 2]


def cost(task: Task[Data]) -> float:
    data = task.data
    if data.sources:
        return 4 * len({a for a, *_ in data.links}) ** 3 + len(data.links)
    return len({a for a, *_ in data.links}) ** 3 * (2 if data.jump else 1) + len(data.links) + len({bottom for *_, bottom in data.links})


TRIED = (Fraction(0), Fraction(1, 2), Fraction(1))
TRIAL = Step("For p = {p:fraction}, the weight of {page} less the wanted share of all weights is {value:fraction}")
ROOT = Step("This is a polynomial of degree 2 in p, and it is 0 between 0 and 1 only for {roots:fractions}")
ALL = Step("From {a} to {b}, jumps and links together: {chance:fraction}")
OUT = Step("Leaving out {page}, with a chance of {stay:fraction} of staying there: from {a} to {b} the chance becomes {chance:fraction}")
BACK = Step(
    "If {first} counts 1, {page} counts {weight:fraction}: the moves from those before it, {into:fraction}, times 1/(1 - {stay:fraction})"
)
SUM = Step("Together they count {total:fraction}, so the share of {page} is {weight:fraction} / {total:fraction} = {share:fraction}")


def derive(task: Task[Data]) -> Derivation:
    chances = surfing.chances_of(task.data.links, task.data.jump)
    names, kept = surfing.page_names(chances), surfing.censored_chains(chances)
    if task.data.jump:
        for a, b in sorted(chances):
            yield ALL(a=a, b=b, chance=chances[a, b])
    for k in range(len(names) - 1, 0, -1):
        stay = kept[k + 1].get((names[k], names[k]), 0)
        for a, b in sorted(kept[k]):
            if kept[k][a, b] != kept[k + 1].get((a, b)):
                yield OUT(page=names[k], stay=stay, a=a, b=b, chance=kept[k][a, b])
    weights = {names[0]: Fraction(1)}
    for page in names[1:]:
        into, stay, weights[page] = surfing.weight_of(names, kept, weights, page)
        yield BACK(first=names[0], page=page, weight=weights[page], into=into, stay=stay)
    total, page = sum(weights.values(), Fraction(0)), task.data.page
    yield SUM(total=total, page=page, weight=weights[page], share=weights[page] / total)


def checks(task: Task[Data]) -> Checks:
    chances = surfing.chances_of(task.data.links, task.data.jump)
    names, kept = surfing.page_names(chances), surfing.censored_chains(chances)
    weights = {names[0]: Fraction(1)}

    def leaves_out(page: str, stay: Fraction, a: str, b: str, chance: Fraction) -> bool:
        k = names.index(page)
        return stay == kept[k + 1].get((page, page), 0) and chance == kept[k][a, b]

    def brings_back(first: str, page: str, weight: Fraction, into: Fraction, stay: Fraction) -> bool:
        right = surfing.weight_of(names, kept, weights, page)
        weights[page] = right[-1]
        return first == names[0] and names.index(page) + 1 == len(weights) and (into, stay, weight) == right

    def adds_up(total: Fraction, page: str, weight: Fraction, share: Fraction) -> bool:
        complete = len(weights) == len(names) and page == task.data.page
        return complete and total == sum(weights.values()) and weight == weights[page] and share == weight / total

    return {ALL: lambda a, b, chance: chances[a, b] == chance, OUT: leaves_out, BACK: brings_back, SUM: adds_up}


def derive_chance(task: Task[Data]) -> Derivation:
    data = task.data
    for p in TRIED:
        yield TRIAL(p=p, page=data.page, value=_excess(data, p))
    roots = [root for root in surfing.quadratic_roots(*(_excess(data, p) for p in TRIED)) if 0 < root < 1]
    yield ROOT(roots=tuple(roots))


def _chances_with(data: Data, p: Fraction) -> surfing.Chances:
    first, second = data.unknown
    return {**surfing.chances_of(data.links, 0), **dict.fromkeys(first, p), **dict.fromkeys(second, 1 - p)}


def _excess(data: Data, p: Fraction) -> Fraction:
    """The weight of the page less its wanted share of all weights, for this chance p: a polynomial of degree 2 in p."""
    weights = surfing.determinant_weights(_chances_with(data, p))
    return weights[data.page] - Fraction(*data.share) * sum(weights.values())


def _sample_inverse(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The same unknown chance occurs at two pages, so that the equation for it is quadratic; only one solution is a probability."""
    small = knobs.model_copy(update={"pages": max(4, knobs.pages - 2), "jumps": "no", "chances": "own", "asked": "share"})
    while True:
        data = generate(rng, small).data
        sources = [a for a in sorted({a for a, *_ in data.links}) if sum(a == other for other, *_ in data.links) == 2 and a != data.page]
        if len(sources) < 2:
            continue
        data = data.model_copy(update={"sources": tuple(rng.sample(sources, 2))})
        p = Fraction(rng.integer(1, 6), 7) if rng.chance(0.5) else Fraction(rng.integer(1, 4), 5)
        share = surfing.stationary_shares(_chances_with(data, p))[data.page]
        data = data.model_copy(update={"share": (share.numerator, share.denominator)})
        excesses = [_excess(data, tried) for tried in TRIED]
        curved = excesses[0] - 2 * excesses[1] + excesses[2] != 0
        if curved and [root for root in surfing.quadratic_roots(*excesses) if 0 < root < 1] == [p]:
            break
    first, second = data.unknown
    shown = {**dict.fromkeys(first, "p"), **dict.fromkeys(second, "1 - p")}
    listing = "\n".join(f"{a} -> {b}: {shown.get((a, b), Fraction(over, under))}" for a, b, over, under in data.links)
    prompt = (
        f"These are all links between pages:\n{listing}\n\nA walker moves forever. In each move it follows a link of its page, with the probability "
        f"given for it. In the long run, a share of {share} of its moves ends at page {data.page}.\n\nWhat is the probability p, which is between 0 and 1?"
    )
    return Task(prompt, data)


def picture(task: Task[Data]) -> str:
    edges = [(a, b, str(Fraction(top, bottom))) for a, b, top, bottom in task.data.links if a != b]
    if task.data.sources:
        first, second = task.data.unknown
        edges = [(a, b, "p" if (a, b) in first else "1 - p" if (a, b) in second else chance) for a, b, chance in edges]
    return pictures.network(sorted({a for a, *_ in task.data.links}), edges, directed=True, marked=(task.data.page,))


SHARE, CHANCE = Solution(derive, "The share is {answer}", checks), Solution(derive_chance, "So p is {answer}")

environment = Environment(
    Knobs, Rational(), generate, solve, verify, mistakes, cost,
    solution=SolutionByTask(lambda task: CHANCE if task.data.sources else SHARE), shift=shift, picture=picture,
    concept="In the long run as much comes to a page as leaves it; leave out one page after the other, adding the ways through it to those around it.",
    guessable="few pages have few shares; one of them is right for up to 0.25 of the smallest webs",
    version=4,
)  # fmt: skip
