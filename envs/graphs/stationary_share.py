"""Work out, as an exact fraction, the share of time that a random walk spends at one page.

The walk follows links at random, with given chances or all alike; at the harder level it now and then jumps to a page drawn at random.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import graphs, pictures
from rlgym.generators.steps import Line, first_wrong

Chances = dict[tuple[str, str], Fraction]


class Knobs(Config):
    pages: int = knob(4, easy=2, hard=7, doc="how many pages there are")
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
    jump: int  # one in so many moves is a jump; 0 for none
    page: str
    share: tuple[int, int]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """One round trip through all pages, and more links between any two."""
    order = list(range(knobs.pages))
    return _made(rng, knobs, list(zip(order, order[1:] + order[:1], strict=True)))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Links that go both ways along a tree."""
    parents = [(rng.integer(max(0, child - 3), child - 1), child) for child in range(1, knobs.pages)]
    return _made(rng, knobs, [pair for a, b in parents for pair in ((a, b), (b, a))])


def _made(rng: Rng, knobs: Knobs, first: list[tuple[int, int]]) -> Task[Data]:
    count, names = knobs.pages, graphs.letters(rng, knobs.pages)
    spare = [(a, b) for a in range(count) for b in range(count) if (a, b) not in first]
    more = rng.sample(spare, min(len(spare), max(1, count * knobs.links // 100)))
    links = sorted({*first, *more})
    weights = {link: rng.integer(1, {"alike": 1, "some": 2, "own": 4}[knobs.chances]) for link in links}
    # Two pages with links of one weight each hold few different tasks.
    weights = {link: weight * (rng.integer(1, 30) if count == 2 else 1) for link, weight in weights.items()}
    total = {a: sum(weight for (one, _), weight in weights.items() if one == a) for a in range(count)}
    told = [(names[a], names[b], Fraction(weights[a, b], total[a])) for a, b in rng.shuffled(links)]
    jump = rng.integer(3, 9) if knobs.jumps == "yes" else 0
    page = rng.choice(names)
    chained = tuple((a, b, chance.numerator, chance.denominator) for a, b, chance in told)
    share = _eliminated(_chances(chained, jump))[page]
    alike = knobs.chances == "alike" and count > 2
    listing = "\n".join(f"{a} -> {b}" + ("" if alike else f": {chance}") for a, b, chance in told)
    how = (
        "a link of its page, all links of a page with the same chance"
        if alike
        else "a link of its page, with the chance that stands beside it"
    )
    leap = f" One move in {jump} on average, drawn at random and independently each time, is a jump instead: to a page drawn from all {count} pages with"
    leap = f"{leap} the same chance, its own page included." if jump else ""
    prompt = (
        f"These are all links between pages:\n{listing}\n\nA walker moves for ever. In each move it follows {how}.{leap}\n\n"
        f"Which share of its moves ends at page {page}, in the long run?"
    )
    return Task(prompt, Data(links=chained, jump=jump, page=page, share=(share.numerator, share.denominator)))


def solve(task: Task[Data]) -> Fraction:
    """By solving the balance equations: what comes to a page is what is there."""
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
    into = [Fraction(top, below) for _, b, top, below in data.links if b == data.page]
    alone = _eliminated(_chances(data.links, 0))[data.page] if data.jump else right
    return [Fraction(1, len(names)), sum(into, Fraction(0)) / len(names), Fraction(len(into), len(data.links)), alone, 1 - right, right / 2]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len({a for a, *_ in data.links}) ** 3 * (2 if data.jump else 1) + len(data.links) + len({below for *_, below in data.links})


ALL = Line("From {a} to {b}, jumps and links together: {chance}")
OUT = Line("Leaving out {page}, with a chance of {stay} of staying there: from {a} to {b} the chance becomes {chance}")
BACK = Line("If {first} counts 1, {page} counts {weight}: the moves from those before it, {into}, times 1/(1 - {stay})")
SUM = Line("Together they count {total}, so the share of {page} is {weight} / {sum} = {share}")
END = Line("The share is {share}")


def explain(task: Task[Data]) -> list[str]:
    chances, steps = _chances(task.data.links, task.data.jump), []
    names = _names(chances)
    if task.data.jump:
        steps += [ALL.write(a=a, b=b, chance=chances[a, b]) for a in names for b in names if (a, b) in chances]
    kept = {len(names): chances}
    for k in range(len(names) - 1, 0, -1):
        kept[k] = _without(kept[k + 1], names[k])
        changed = [pair for pair in sorted(kept[k]) if kept[k][pair] != kept[k + 1].get(pair)]
        stay = kept[k + 1].get((names[k], names[k]), 0)
        steps += [OUT.write(page=names[k], stay=stay, a=a, b=b, chance=kept[k][a, b]) for a, b in changed]
    weights = {names[0]: Fraction(1)}
    for k, page in enumerate(names[1:], 2):
        into = sum((weights[a] * kept[k].get((a, page), 0) for a in names[: k - 1]), Fraction(0))
        stay = kept[k].get((page, page), Fraction(0))
        weights[page] = into / (1 - stay)
        steps.append(BACK.write(first=names[0], page=page, weight=weights[page], into=into, stay=stay))
    total, page = sum(weights.values(), Fraction(0)), task.data.page
    steps.append(SUM.write(total=total, page=page, weight=weights[page], sum=total, share=weights[page] / total))
    return [*steps, END.write(share=weights[page] / total)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    chances = _chances(task.data.links, task.data.jump)
    names = _names(chances)
    kept = {len(names): chances}
    for k in range(len(names) - 1, 0, -1):
        kept[k] = _without(kept[k + 1], names[k])
    weights, read = {names[0]: Fraction(1)}, environment.answer.parse

    def follows(step: str) -> bool:
        if said := ALL.read(step):
            return chances[said["a"], said["b"]] == read(said["chance"])
        if said := OUT.read(step):
            k = names.index(said["page"])
            stay = kept[k + 1].get((said["page"],) * 2, Fraction(0))
            return read(said["stay"]) == stay and kept[k][said["a"], said["b"]] == read(said["chance"])
        if said := BACK.read(step):
            page = said["page"]
            k = names.index(page) + 1
            into = sum((weights[a] * kept[k].get((a, page), 0) for a in names[: k - 1]), Fraction(0))
            stay = kept[k].get((page, page), Fraction(0))
            weights[page] = into / (1 - stay)
            told = [read(said[gap]) for gap in ("into", "stay", "weight")]
            return said["first"] == names[0] and k == len(weights) and told == [into, stay, weights[page]]
        said = SUM.read(step)
        total = sum(weights.values(), Fraction(0))
        if said is None or len(weights) < len(names) or said["page"] != task.data.page:
            return False
        told = [read(said[gap]) for gap in ("total", "weight", "sum", "share")]
        return told == [total, weights[said["page"]], total, weights[said["page"]] / total]

    def ends(step: str) -> bool:
        said = END.read(step)
        return bool(said and verify(task, environment.answer.parse(said["share"])).value == 1)

    return first_wrong(steps, follows, ends)


def picture(task: Task[Data]) -> str:
    edges = [(a, b, str(Fraction(top, below))) for a, b, top, below in task.data.links if a != b]
    return pictures.network(sorted({a for a, *_ in task.data.links}), edges, directed=True, marked=(task.data.page,))


def _names(chances: Chances) -> list[str]:
    return sorted({name for pair in chances for name in pair})


def _chances(links: Sequence[tuple[str, str, int, int]], jump: int) -> Chances:
    chances = {(a, b): Fraction(top, below) for a, b, top, below in links}
    names = _names(chances)
    if jump:
        share = Fraction(1, jump)
        return {(a, b): (1 - share) * chances.get((a, b), 0) + share / len(names) for a in names for b in names}
    return chances


def _without(chances: Chances, page: str) -> Chances:
    """The chances of the walk watched only while it is not at a page."""
    leave = 1 - chances.get((page, page), Fraction(0))
    out = {pair: chance for pair, chance in chances.items() if page not in pair}
    for a, one in [(a, chance) for (a, b), chance in chances.items() if b == page != a]:
        for b, other in [(b, chance) for (a_, b), chance in chances.items() if a_ == page != b]:
            out[a, b] = out.get((a, b), Fraction(0)) + one * other / leave
    return out


def _eliminated(chances: Chances) -> dict[str, Fraction]:
    """The share of each page: leave out one page after the other, and bring them back in."""
    names = _names(chances)
    if len(names) == 1:
        return {names[0]: Fraction(1)}
    last = names[-1]
    rest = _eliminated(_without(chances, last))
    into = sum((rest[a] * chances.get((a, last), 0) for a in names[:-1]), Fraction(0))
    whole = 1 + into / (1 - chances.get((last, last), Fraction(0)))
    return {**{name: share / whole for name, share in rest.items()}, last: (whole - 1) / whole}


environment = Environment(
    Knobs,
    Rational(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    picture,
    concept="In the long run as much comes to a page as leaves it; leave out one page after the other, adding the ways through it to those around it.",
)
