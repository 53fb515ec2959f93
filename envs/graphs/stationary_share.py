"""Work out, as an exact fraction, the share of time that a random walk spends at one page.

The walk follows links at random, with given chances or all alike; at the harder level it now and then jumps to a page drawn at random.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators.drawing import pictures
from rlgym.generators.draws import draw_rare
from rlgym.generators.graphs import random_graphs
from rlgym.solutions import Checks, Derivation, Solution, Step

Chances = dict[tuple[str, str], Fraction]


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
    jumps: str = knob("no", easy="no", hard="yes", order=("no", "yes"), doc="whether the walk sometimes jumps to a page drawn at random")


class Data(TaskData):
    links: tuple[tuple[str, str, int, int], ...]  # from, to, and the chance as a fraction
    jump: int  # on average one move in `jump` is a jump; 0 for none
    page: str
    share: tuple[int, int]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """One round trip through all pages, and more links between any two."""
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
    share = _stationary_shares(_chances(chained, jump))[page]
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
    chances = _chances(task.data.links, task.data.jump)
    names = _names(chances)
    rows = [[chances.get((a, b), Fraction(0)) - (a == b) for a in names] + [Fraction(0)] for b in names[1:]]
    rows.append([Fraction(1)] * (len(names) + 1))
    for i in range(len(names)):
        lead = next(k for k in range(i, len(names)) if rows[k][i])
        rows[i], rows[lead] = rows[lead], rows[i]
        rows[i] = [entry / rows[i][i] for entry in rows[i]]
        rows = [row if k == i else [x - row[i] * y for x, y in zip(row, rows[i], strict=True)] for k, row in enumerate(rows)]
    return rows[names.index(task.data.page)][-1]


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact((answer.numerator, answer.denominator) == task.data.share, "that is not the share")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    names = sorted({name for a, b, *_ in data.links for name in (a, b)})
    into = [Fraction(top, bottom) for _, b, top, bottom in data.links if b == data.page]
    alone = _stationary_shares(_chances(data.links, 0))[data.page] if data.jump else right
    return [Fraction(1, len(names)), sum(into, Fraction(0)) / len(names), Fraction(len(into), len(data.links)), alone, 1 - right, right / 2]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len({a for a, *_ in data.links}) ** 3 * (2 if data.jump else 1) + len(data.links) + len({bottom for *_, bottom in data.links})


ALL = Step("From {a} to {b}, jumps and links together: {chance:fraction}")
OUT = Step("Leaving out {page}, with a chance of {stay:fraction} of staying there: from {a} to {b} the chance becomes {chance:fraction}")
BACK = Step(
    "If {first} counts 1, {page} counts {weight:fraction}: the moves from those before it, {into:fraction}, times 1/(1 - {stay:fraction})"
)
SUM = Step("Together they count {total:fraction}, so the share of {page} is {weight:fraction} / {total:fraction} = {share:fraction}")


def derive(task: Task[Data]) -> Derivation:
    chances = _chances(task.data.links, task.data.jump)
    names, kept = _names(chances), _censored_chains(chances)
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
        into, stay, weights[page] = _weight(names, kept, weights, page)
        yield BACK(first=names[0], page=page, weight=weights[page], into=into, stay=stay)
    total, page = sum(weights.values(), Fraction(0)), task.data.page
    yield SUM(total=total, page=page, weight=weights[page], share=weights[page] / total)


def checks(task: Task[Data]) -> Checks:
    chances = _chances(task.data.links, task.data.jump)
    names, kept = _names(chances), _censored_chains(chances)
    weights = {names[0]: Fraction(1)}

    def leaves_out(page: str, stay: Fraction, a: str, b: str, chance: Fraction) -> bool:
        k = names.index(page)
        return stay == kept[k + 1].get((page, page), 0) and chance == kept[k][a, b]

    def brings_back(first: str, page: str, weight: Fraction, into: Fraction, stay: Fraction) -> bool:
        right = _weight(names, kept, weights, page)
        weights[page] = right[-1]
        return first == names[0] and names.index(page) + 1 == len(weights) and (into, stay, weight) == right

    def adds_up(total: Fraction, page: str, weight: Fraction, share: Fraction) -> bool:
        complete = len(weights) == len(names) and page == task.data.page
        return complete and total == sum(weights.values()) and weight == weights[page] and share == weight / total

    return {ALL: lambda a, b, chance: chances[a, b] == chance, OUT: leaves_out, BACK: brings_back, SUM: adds_up}


def picture(task: Task[Data]) -> str:
    edges = [(a, b, str(Fraction(top, bottom))) for a, b, top, bottom in task.data.links if a != b]
    return pictures.network(sorted({a for a, *_ in task.data.links}), edges, directed=True, marked=(task.data.page,))


def _names(chances: Chances) -> list[str]:
    return sorted({name for pair in chances for name in pair})


def _chances(links: Sequence[tuple[str, str, int, int]], jump: int) -> Chances:
    chances = {(a, b): Fraction(top, bottom) for a, b, top, bottom in links}
    names = _names(chances)
    if jump:
        share = Fraction(1, jump)
        return {(a, b): (1 - share) * chances.get((a, b), 0) + share / len(names) for a in names for b in names}
    return chances


def _leave_out(chances: Chances, page: str) -> Chances:
    """The transition probabilities of the walk observed only while it is not at a page (censored chain)."""
    leave = 1 - chances.get((page, page), Fraction(0))
    out = {pair: chance for pair, chance in chances.items() if page not in pair}
    for a, first in [(a, chance) for (a, b), chance in chances.items() if b == page != a]:
        for b, second in [(b, chance) for (a_, b), chance in chances.items() if a_ == page != b]:
            out[a, b] = out.get((a, b), Fraction(0)) + first * second / leave
    return out


def _censored_chains(chances: Chances) -> dict[int, Chances]:
    """The chances when only the first k pages are watched, for each k."""
    names = _names(chances)
    kept = {len(names): chances}
    for k in range(len(names) - 1, 0, -1):
        kept[k] = _leave_out(kept[k + 1], names[k])
    return kept


def _weight(names: list[str], kept: dict[int, Chances], weights: dict[str, Fraction], page: str) -> tuple[Fraction, Fraction, Fraction]:
    """What comes to a page from those before it, its chance of staying, and its weight."""
    k = names.index(page) + 1
    incoming = sum((weights[a] * kept[k].get((a, page), 0) for a in names[: k - 1]), Fraction(0))
    stay = kept[k].get((page, page), Fraction(0))
    return incoming, stay, incoming / (1 - stay)


def _stationary_shares(chances: Chances) -> dict[str, Fraction]:
    """The share of each page: leave out one page after the other, and bring them back in."""
    names = _names(chances)
    if len(names) == 1:
        return {names[0]: Fraction(1)}
    last = names[-1]
    rest = _stationary_shares(_leave_out(chances, last))
    into = sum((rest[a] * chances.get((a, last), 0) for a in names[:-1]), Fraction(0))
    total_share = 1 + into / (1 - chances.get((last, last), Fraction(0)))
    return {**{name: share / total_share for name, share in rest.items()}, last: (total_share - 1) / total_share}


environment = Environment(
    Knobs, Rational(), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The share is {answer}", checks), shift=shift, picture=picture,
    concept="In the long run as much comes to a page as leaves it; leave out one page after the other, adding the ways through it to those around it.",
    guessable="few pages have few shares; one of them is right for up to 0.25 of the smallest webs",
    version=3,
)  # fmt: skip
