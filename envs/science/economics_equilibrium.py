"""Find the price, the amount traded and the tax revenue of a market with several groups and taxes.

Groups drop out at some prices, so the curves have kinks; at the top the state chooses the tax that brings most. The shift has two
countries with a tariff and transport between them.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Assignment
from rlgym.generators.draws import draw_short
from rlgym.generators.science import markets
from rlgym.generators.science.markets import ASKED, BUYERS, SELLERS, Market, clearing_price_lines
from rlgym.generators.science.quantities import Working, solution
from rlgym.generators.stories import goods, phrase
from rlgym.generators.text.english import count_noun

Found = tuple[tuple[str, Fraction], ...]

ANSWER = Assignment(("p", "q", "r"), "the three exact numbers, as in name = number, separated by commas")


class Knobs(Config):
    groups: int = knob(3, easy=1, hard=5, doc="groups of buyers, and of sellers, at most")
    taxes: int = knob(1, easy=0, hard=2, doc="0 no tax, 1 a tax per unit, 2 also one in percent; abroad, what makes trade cost more")
    best_tax: int = knob(0, easy=0, hard=1, doc="1 if the tax per unit is the one that brings the state most")
    digits: int = knob(40, easy=12, hard=99, doc="largest slope")


class Data(TaskData):
    market: Market
    tariff: int  # of what it costs to bring one unit in
    best_tax: bool  # whether the tax per unit is the one that brings the state most
    answer: tuple[str, str, str]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_short(lambda: _sample_market(rng, knobs), lambda task: task.data.answer)


def _sample_market(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.best_tax:
        return _sample_best_tax(rng, knobs)
    while True:
        groups = markets.groups(rng, knobs.groups, knobs.digits, False, 0)
        tax = rng.integer(1, 20) if knobs.taxes else 0
        market = Market(groups=groups, tax=tax, percent=rng.integer(2, 30) if knobs.taxes > 1 else 0)
        if (price := market.clearing()) and any(market.amount(group, price) for group in groups):
            break
    duties = [f"For each unit sold, the sellers pay a tax of {count_noun(tax, 'dollar')}."] * (tax > 0)
    if market.percent:
        duties.append(
            f"The buyers' price contains a sales tax of {market.percent}% on top of the price before it; the sellers get the price before sales tax"
            f"{', of which they pay the tax per unit' if tax else ''}."
        )
    question = phrase(
        rng, ASKED, p="the price in dollars that buyers pay", q="the number of units traded", r="the tax revenue of the state in dollars"
    )
    return _task(rng, market, 0, " ".join(duties) or "There is no tax.", question)


def _sample_best_tax(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A market where the tax that is best while the groups of the free market trade is not the best of all."""
    while True:
        market = Market(groups=markets.far_groups(rng, knobs.groups + 1, knobs.digits // 3))
        price, peaks = market.clearing(), markets.peaks(market)
        if not price or len(peaks) < max(2, knobs.groups - 2):
            continue
        traders = sum(market.amount(group, price) > 0 for group in market.groups)
        best = max(peaks, key=lambda peak: peak.revenue)
        if len(best.buyers) + len(best.sellers) < traders and markets.greatest_revenue(market) == best.revenue:
            break
    duty = (
        "For each unit sold, the sellers pay the state a tax of t dollars. The state chooses t so that the tax brings as much as possible."
    )
    question = phrase(
        rng, ASKED, p="the price in dollars that buyers pay", q="the number of units traded", r="the tax revenue of the state in dollars"
    )
    return _task(rng, market, 0, duty, question, best_tax=True)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Two countries, between which the good can be brought at some cost."""
    return draw_short(lambda: _sample_countries(rng, knobs), lambda task: task.data.answer)


def _sample_countries(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        groups = (*markets.groups(rng, knobs.groups, knobs.digits, False, 30), *markets.groups(rng, knobs.groups, knobs.digits, True, 0))
        carried, tariff = rng.integer(1, 9), rng.integer(1, 9) if knobs.taxes else 0
        market = Market(groups=groups, bringing=carried + tariff, tax=0)
        price = market.clearing()
        if price and all(
            any(group.abroad == is_abroad and group.buys and market.amount(group, price) for group in groups) for is_abroad in (True, False)
        ):
            imports = sum((market.amount(group, price) * (1 if group.buys else -1) for group in groups if not group.abroad), Fraction(0))
            if imports > 0:
                break
    duty = f" and a tariff of {count_noun(tariff, 'dollar')}, which goes to the state" if tariff else ""
    carriage = f"{count_noun(carried, 'dollar')} of transport{duty}"
    trade = f"The good can be brought in from abroad (and only this way); each unit costs {carriage}. Apart from this trade is free."
    question = phrase(
        rng, ASKED, p="the price at home in dollars", q="the number of units brought in", r="the tariffs paid in all, in dollars"
    )
    return _task(rng, market, tariff, trade, question)


def solve(task: Task[Data]) -> Found:
    # Between the two kinks where the excess of demand changes its sign; the working adds up those groups that trade.
    market = task.data.market
    if task.data.best_tax:
        revenue = markets.greatest_revenue(market)
        peak = next(peak for peak in markets.peaks(market) if peak.revenue == revenue)
        return ("p", peak.price), ("q", peak.amount), ("r", revenue)
    price = market.clearing()
    assert price is not None
    home = sum((market.amount(group, price) * (1 if group.buys else -1) for group in market.groups if not group.abroad), Fraction(0))
    bought = sum((market.amount(group, price) for group in market.groups if group.buys), Fraction(0))
    amount = home if market.bringing else bought
    each = task.data.tariff if market.bringing else price - price * Fraction(100, 100 + market.percent) + market.tax
    return ("p", price), ("q", amount), ("r", each * amount)


def verify(task: Task[Data], answer: Found) -> Score:
    right = tuple((name, Fraction(value)) for name, value in zip("pqr", task.data.answer))
    return Score.exact(answer == right, "the market would not clear like this")


def mistakes(task: Task[Data], right: Found) -> list[Found]:
    (_, p), (_, q), (_, r) = right
    market = task.data.market
    others = []
    if task.data.best_tax:
        others = [(("p", peak.price), ("q", peak.amount), ("r", peak.revenue)) for peak in markets.peaks(market) if peak.revenue != r]
    free = market.model_copy(update={"tax": 0, "percent": 0}).clearing() or p + 1
    return [
        *others,
        (("p", free), ("q", q), ("r", r)),
        (("p", p), ("q", q), ("r", r + market.tax + 1)),
        (("p", q), ("q", p), ("r", r)),
        (("p", p), ("q", q + 1), ("r", r)),
    ]


def cost(task: Task[Data]) -> float:
    market = task.data.market
    return float(
        (1 + 2 * task.data.best_tax) * (len(market.groups) + bool(market.tax) + 2 * bool(market.percent)) ** 2
        + sum(len(str(group.slope)) for group in market.groups)
    )


def _task(rng: Rng, market: Market, tariff: int, duties: str, question: str, best_tax: bool = False) -> Task[Data]:
    good = goods(rng, 1)[0].many
    lines = []
    for group, name in zip(market.groups, markets.names(market)):
        lines.append(
            "- " + phrase(rng, BUYERS if group.buys else SELLERS, name=name, most=group.number, least=group.number, slope=group.slope)
        )
    data = Data(market=market, tariff=tariff, best_tax=best_tax, answer=("0", "0", "0"))
    facts = _working(data).facts
    listed = "\n".join(lines)
    prompt = (
        f"In a market for {good}\n{listed}\nNegative quantities count as 0.\n{duties}\n{question} Quantities need not be whole numbers."
    )
    return Task(prompt, data.model_copy(update={"answer": tuple(str(facts[name][0]) for name in "pqr")}))


def _working(data: Data) -> Working:
    work, market, names = Working("0 1 2 100"), data.market, markets.names(data.market)
    if data.best_tax:
        markets.compare_peaks(work, market, names)
        return work
    if market.bringing:
        work.add("cost of bringing one unit in", "dollars", "{} + {}", market.bringing - data.tariff, data.tariff)
    known = market.clearing()
    assert known is not None
    price = clearing_price_lines(market, names, work, known)
    share = Fraction(100, 100 + market.percent)
    bought, sold = list[Fraction](), list[Fraction]()
    for group, name in zip(market.groups, names):
        if group.abroad or not market.amount(group, price) or not (group.buys or market.bringing):
            continue
        if group.buys:
            bought.append(work.add(f"what {name} take", "units", "{} - {} * {}", group.number, group.slope, price))
        else:
            sold.append(work.add(f"what {name} give", "units", "{} * ({} - {})", group.slope, price, group.number))
    amount = work.add("q", "units", f"{' + '.join(['{}'] * len(bought))}{' - {}' * len(sold)}", *bought, *sold)
    if market.bringing:
        work.add("r", "dollars", "{} * {}", data.tariff, amount)
    else:
        work.add("r", "dollars", "({} - {} * {} + {}) * {}", price, share, price, market.tax, amount)
    return work


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=solution(_working, lambda task: ANSWER.render(solve(task))), shift=shift,
    concept="Add up the groups that trade at the price in question, let demand equal supply, and check that just these groups trade there.",
    version=6,
)  # fmt: skip
