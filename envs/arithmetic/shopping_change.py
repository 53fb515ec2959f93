"""Add up a bill with offers and discounts, and find the change.

Prices depend on each other ("one pen costs 20 cents more than one card"). In the shifted family the change is given, a price is asked for, and
some sentences are irrelevant.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Task, knob
from rlgym.answers import Integer
from rlgym.generators.stories import SHOPS, Goods, goods, people, phrase, places
from rlgym.generators.stories.buying import BUYING, OPENINGS
from rlgym.generators.stories.linked import Link, Puzzle, Weighed, cost, make_puzzle, mistakes, solution, solve, solve_links, verify

CONCEPT = "Work out each price, count only the pieces that must be paid, add up, take off the discount, and subtract from what is paid."


class Knobs(Config):
    kinds: int = knob(5, easy=1, hard=16, doc="how many kinds of goods")
    offers: int = knob(2, easy=0, hard=8, doc="how many kinds are sold as k for the price of j")
    linked: int = knob(40, easy=0, hard=90, doc="percent of prices that are given by comparison")
    till: str = knob(
        "discount", easy="total", hard="fee", order=("total", "change", "discount", "fee"), doc="what is applied to the bill at the end"
    )


def generate(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _sample_task(rng, knobs, shifted=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _sample_task(rng, knobs, shifted=True)


def _sample_task(rng: Rng, knobs: Knobs, shifted: bool) -> Task[Puzzle]:
    who, wares = people(rng, 1)[0], goods(rng, knobs.kinds)
    while True:
        names, links, values, sentences = [_each(wares[0])], list[Link](), [Fraction(5 * rng.integer(4, 60))], list[str]()
        for i in range(1, knobs.kinds):
            link, price, text = _sample_price(rng, knobs, wares, values, i)
            names.append(_each(wares[i]))
            links.append(link)
            values.append(Fraction(price))
            sentences.append(text)
        sentences += [] if shifted else [phrase(rng, BUYING["price"], a=wares[0].one, n=int(values[0]))]
        sentences += _sample_purchases(rng, knobs, wares, names, links, values, who)
        links.append(Link(who=(len(names), *range(knobs.kinds, 2 * knobs.kinds))))
        names.append("the bill")
        values.append(sum(values[knobs.kinds :], Fraction(0)))
        closing_lines = _sample_till(rng, knobs, names, links, values, who)
        if values[-1].denominator == 1:
            break
    sentences = [*rng.shuffled(sentences), *closing_lines]
    ask, closing, target_index = "ask_total", None, len(names) - 1
    if shifted or knobs.till != "total":
        dollars = (int(values[-1]) // 100 + 1 + rng.integer(0, 9)) // 5 * 5 + 5
        sentences.append(phrase(rng, BUYING["pay"], who=who, n=dollars))
        links.append(Link(who=(len(names), len(names) - 1), times=(-1, 1), add=dollars, each=100))
        values.append(100 * dollars - values[-1])
        names.append("the change")
        ask, target_index = "ask", len(names) - 1
    if shifted:
        sentences.append(phrase(rng, BUYING["change"], who=who, n=int(values[-1])))
        for _ in range(1 + knobs.kinds // 4):
            sentences.insert(
                rng.integer(0, len(sentences)), phrase(rng, BUYING["aside"], who=who, n=rng.integer(3, 70), many=rng.choice(wares).many)
            )
        closing = Weighed(weights=(*(0 for _ in names[1:]), 1), add=-int(values[-1]))
        low, high = (solve_links(links, Fraction(x)) for x in (0, 1))
        ask, target_index = "ask_price", rng.choice([i for i in range(knobs.kinds) if low[i] != high[i]])
    target = Weighed(weights=tuple(int(i == target_index) for i in range(len(names))))
    puzzle = make_puzzle(names, links, values, target, known=None if shifted else int(values[0]), closing=closing)
    assert puzzle
    opening = phrase(rng, OPENINGS, who=who, shop=rng.choice(SHOPS), town=places(rng, 1)[0])
    question = phrase(rng, BUYING[ask], a=wares[target_index % knobs.kinds].one, who=who)
    return Task(" ".join([opening, *sentences, question]), puzzle)


def _each(ware: Goods) -> str:
    return f"one {ware.one}"


def _sample_price(rng: Rng, knobs: Knobs, wares: list[Goods], values: list[Fraction], new: int) -> tuple[Link, int, str]:
    """The price of another kind: as a link, in cents, and in words."""
    while True:
        if rng.integer(1, 100) > knobs.linked:
            price = 5 * rng.integer(4, 120)
            return Link(who=(new,), add=price), price, phrase(rng, BUYING["price"], a=wares[new].one, n=price)
        old, n, k = rng.integer(max(0, new - 4), new - 1), 5 * rng.integer(1, 30), rng.integer(2, 4)
        a, b = (new, old) if rng.chance(0.5) else (old, new)
        kind = rng.choice(("more", "times"))
        link = Link(who=(a, b), add=n) if kind == "more" else Link(who=(a, b), times=(k, 1))
        exact = values[old] + (n if a == new else -n) if kind == "more" else values[old] * k if a == new else values[old] / k
        if 5 <= exact <= 900 and exact.denominator == 1:
            return link, int(exact), phrase(rng, BUYING[kind], a=wares[a].one, b=wares[b].one, n=n if kind == "more" else k)


def _sample_purchases(
    rng: Rng, knobs: Knobs, wares: list[Goods], names: list[str], links: list[Link], values: list[Fraction], who: str
) -> list[str]:
    """How many of each kind are bought, with offers for some."""
    sentences = list[str]()
    offered = rng.sample(range(knobs.kinds), min(knobs.offers, knobs.kinds))
    for i, ware in enumerate(wares):
        number = rng.integer(2, 14)
        paid = number
        if i in offered:
            k = rng.integer(2, 5)
            j = rng.integer(1, k - 1)
            paid = number - number // k * (k - j)
            sentences.append(phrase(rng, BUYING["offer"], many=ware.many, many_start=ware.many.capitalize(), k=k, j=j))
        sentences.append(phrase(rng, BUYING["buy"], who=who, n=number, many=ware.many))
        links.append(Link(who=(len(names), i), times=(paid, 1)))
        names.append(f"all {ware.many}")
        values.append(values[i] * paid)
    return sentences


def _sample_till(rng: Rng, knobs: Knobs, names: list[str], links: list[Link], values: list[Fraction], who: str) -> list[str]:
    """The sentences about discount and fee."""
    sentences = []
    if knobs.till in ("discount", "fee"):
        percent = 5 * rng.integer(1, 8)
        links.append(Link(who=(len(names), len(names) - 1), times=(100 - percent, 100)))
        values.append(values[-1] * (100 - percent) / 100)
        names.append("the bill after the discount")
        sentences.append(phrase(rng, BUYING["percent"], who=who, n=percent))
    if knobs.till == "fee":
        fee = 5 * rng.integer(2, 60)
        links.append(Link(who=(len(names), len(names) - 1), add=fee))
        values.append(values[-1] + fee)
        names.append("the bill with the fee")
        sentences.append(phrase(rng, BUYING["fee"], who=who, n=fee))
    return sentences


environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost, solution=solution, shift=shift, chains=True, concept=CONCEPT, version=3
)
