"""Markets with straight-line groups of buyers and sellers, each of which drops out at some price."""

from __future__ import annotations

import string
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.science.quantities import Working

BUYERS = (
    "{name} buy {most} - {slope}P units at a price of P dollars",
    "at a price of P dollars {name} want {most} - {slope}P units",
    "the demand of {name} is {most} - {slope}P units at a price of P dollars",
    "{name} take {most} - {slope}P units when the price is P dollars",
)
SELLERS = (
    "{name} offer {slope}(P - {least}) units when they get P dollars for each",
    "for P dollars apiece {name} sell {slope}(P - {least}) units",
    "the supply of {name} is {slope}(P - {least}) units if P dollars are left to them for each",
    "{name} bring {slope}(P - {least}) units to the market when they receive P dollars per unit",
)
ASKED = (
    "Find the equilibrium: p, {p}, q, {q}, and r, {r}.",
    "When the market clears, what are p, {p}, q, {q}, and r, {r}?",
    "Give, for the market in equilibrium, p, {p}, q, {q}, and r, {r}.",
    "The market is in equilibrium. Work out p, {p}, q, {q}, and r, {r}.",
)


class Group(TaskData):
    """Buyers of `number` - `slope` * price units, or sellers of `slope` * (price - `number`), and never less than none.

    Abroad the price is lower than at home by what it costs to bring the good in.
    """

    buys: bool
    number: int
    slope: int
    abroad: bool = False


class Market(TaskData):
    """Groups, and what stands between prices: sellers at home get price * 100 / (100 + percent) - tax, and a good from abroad costs `bringing`
    more than there."""

    groups: tuple[Group, ...]
    tax: int = 0
    percent: int = 0
    bringing: int = 0

    def _price_for(self, group: Group, price: Fraction) -> Fraction:
        """The price that a group faces when the buyers' price at home is this."""
        if group.abroad:
            return price - self.bringing
        return price if group.buys else price * Fraction(100, 100 + self.percent) - self.tax

    def amount(self, group: Group, price: Fraction) -> Fraction:
        """What a group trades."""
        seen = self._price_for(group, price)
        return max(Fraction(0), group.number - group.slope * seen if group.buys else group.slope * (seen - group.number))

    def excess(self, price: Fraction) -> Fraction:
        """What buyers want beyond what sellers offer."""
        return sum(((1 if group.buys else -1) * self.amount(group, price) for group in self.groups), Fraction(0))

    def end(self, group: Group) -> Fraction:
        """The buyers' price at home at which a group begins or ends to trade."""
        limit = Fraction(group.number, group.slope) if group.buys else Fraction(group.number)
        return limit + self.bringing if group.abroad else limit if group.buys else (limit + self.tax) * Fraction(100 + self.percent, 100)

    def clearing(self) -> Fraction | None:
        """The price at which the market clears, found between two kinks; None where there is none or not one."""
        kinks = sorted({self.end(group) for group in self.groups})
        for low, high in pairwise([Fraction(0), *kinks, kinks[-1] + 1000]):
            top, bottom = self.excess(low), self.excess(high)
            if top >= 0 >= bottom and top > bottom:
                price = low + (high - low) * top / (top - bottom)
                return price if price not in kinks else None
        return None


def clearing_price_lines(market: Market, names: Sequence[str], work: Working, price: Fraction) -> Fraction:
    """Lines that lead to the clearing price, of which it is known which groups trade at it: what they want at price 0, and the slopes."""
    tops, buying, selling = list[Fraction](), list[int](), list[int]()
    share = (
        work.add("part of the price without the percentage tax", "", "100 / (100 + {})", market.percent) if market.percent else Fraction(1)
    )
    bring = market.bringing
    for group, name in zip(market.groups, names):
        if group.buys:
            formula, numbers = (
                ("{} / {} + {}", (group.number, group.slope, bring)) if group.abroad else ("{} / {}", (group.number, group.slope))
            )
        else:
            formula, numbers = ("{} + {}", (group.number, bring)) if group.abroad else ("({} + {}) / {}", (group.number, market.tax, share))  # type: ignore[assignment]
        end = work.add(f"price {'below' if group.buys else 'above'} which {name} trade", "dollars", formula, *numbers)
        if (price < end) != group.buys:
            continue
        if group.buys:
            buying.append(group.slope)
            tops.append(
                work.add(f"what {name} want at price 0", "units", "{} + {} * {}", group.number, group.slope, bring if group.abroad else 0)
            )
        else:
            cost = bring if group.abroad else market.tax
            tops.append(work.add(f"what {name} lack at price 0", "units", "{} * ({} + {})", group.slope, group.number, cost))
            selling.append(group.slope)
    falls = work.total("slope of all demand", "units per dollar", buying)
    rises = work.total("slope of all supply", "units per dollar", selling)
    excess = work.total("excess at price 0, by the lines of those that trade", "units", tops)
    return work.add("p", "dollars", "{} / ({} + {} * {})", excess, falls, share, rises)


def names(market: Market) -> list[str]:
    """What the groups are called in the prompt."""
    letters = string.ascii_uppercase
    return [
        f"the {'foreign ' * group.abroad}{'buyers' if group.buys else 'sellers'} of group {letter}"
        for group, letter in zip(market.groups, letters)
    ]


def groups(rng: Rng, most: int, steep: int, abroad: bool, dear: int) -> tuple[Group, ...]:
    """Up to so many groups of buyers and of sellers; `dear` raises all their prices."""
    out = []
    for buys in (True, False):
        for _ in range(rng.integer(max(1, most - 1), most)):
            slope = rng.integer(2, steep)
            number = slope * rng.integer(30 + dear, 99) + rng.integer(0, slope - 1) if buys else rng.integer(2 + dear, 50 + dear)
            out.append(Group(buys=buys, number=number, slope=slope, abroad=abroad))
    return tuple(out)


def far_groups(rng: Rng, most: int, steep: int) -> tuple[Group, ...]:
    """So many groups of buyers, of whom the few who would pay much more buy little, and one or two less of sellers."""
    out = []
    for k in range(most):
        slope = rng.integer(2, max(3, steep // (1 + (most - 1 - k))))
        out.append(Group(buys=True, number=slope * rng.integer(160 // (k + 2), 320 // (k + 2)), slope=slope))
    sellers = max(2, most - rng.integer(1, 2))
    out += [Group(buys=False, number=rng.integer(2, 60), slope=rng.integer(3, max(4, steep))) for _ in range(sellers)]
    return tuple(rng.shuffled(out[:most])) + tuple(out[most:])


class Peak(NamedTuple):
    """A tax per unit of which every tax a little lower or higher brings less, with the groups that trade under it."""

    price: Fraction
    amount: Fraction
    tax: Fraction
    buyers: tuple[Group, ...]
    sellers: tuple[Group, ...]

    @property
    def revenue(self) -> Fraction:
        return self.tax * self.amount


def peaks(market: Market) -> list[Peak]:
    """All peaks of the revenue of a tax per unit: the best tax for each set of groups that can trade, if just these trade under it."""
    buyers = sorted((group for group in market.groups if group.buys), key=lambda group: -Fraction(group.number, group.slope))
    sellers = sorted((group for group in market.groups if not group.buys), key=lambda group: group.number)
    found = []
    for i in range(1, len(buyers) + 1):
        for k in range(1, len(sellers) + 1):
            most, falls = sum(group.number for group in buyers[:i]), sum(group.slope for group in buyers[:i])
            least, rises = sum(group.slope * group.number for group in sellers[:k]), sum(group.slope for group in sellers[:k])
            gap = Fraction(most, falls) - Fraction(least, rises)
            amount = gap / 2 / (Fraction(1, falls) + Fraction(1, rises))
            price, kept = (most - amount) / falls, (amount + least) / rises
            trading_buyers = [group for group in buyers if group.number > group.slope * price]
            trading_sellers = [group for group in sellers if group.number < kept]
            if amount > 0 and len(trading_buyers) == i and len(trading_sellers) == k:
                found.append(Peak(price, amount, gap / 2, tuple(trading_buyers), tuple(trading_sellers)))
    return found


def compare_peaks(work: Working, market: Market, names: Sequence[str]) -> None:
    """Lines for the revenue at each peak, and for the price, amount and revenue at the highest."""
    called = dict(zip(market.groups, names))
    found = peaks(market)
    best = max(found, key=lambda peak: peak.revenue)
    for peak in sorted(found, key=lambda peak: peak is best):
        who = ", ".join(called[group] for group in (*peak.buyers, *peak.sellers))
        most = work.total(f"what they want at price 0, if {who} trade", "units", [Fraction(group.number) for group in peak.buyers])
        falls = work.total(f"slope of demand, if {who} trade", "units per dollar", [Fraction(group.slope) for group in peak.buyers])
        least = work.add(
            f"what they lack at price 0, if {who} trade", "units", " + ".join(["{} * {}"] * len(peak.sellers)),
            *(number for group in peak.sellers for number in (group.slope, group.number)),
        )  # fmt: skip
        rises = work.total(f"slope of supply, if {who} trade", "units per dollar", [Fraction(group.slope) for group in peak.sellers])
        tax = work.add(f"best tax, if {who} trade", "dollars", "({} / {} - {} / {}) / 2", most, falls, least, rises)
        named = peak is best
        amount = work.add("q" if named else f"amount, if {who} trade", "units", "{} * {} * {} / ({} + {})", tax, falls, rises, falls, rises)
        work.add("r" if named else f"revenue, if {who} trade", "dollars", "{} * {}", tax, amount)
    work.add("p", "dollars", "({} - {}) / {}", most, amount, falls)


def greatest_revenue(market: Market) -> Fraction:
    """The same revenue by going along the amount traded, between kinks of which the tax falls in a straight line."""
    limits = {True: sorted({Fraction(g.number, g.slope) for g in market.groups if g.buys}, reverse=True)}
    limits[False] = sorted({Fraction(g.number) for g in market.groups if not g.buys})

    def traded(buys: bool, price: Fraction) -> Fraction:
        return sum((market.amount(group, price) for group in market.groups if group.buys == buys), Fraction(0))

    def price_at(buys: bool, amount: Fraction) -> Fraction:
        prices = [*limits[buys], Fraction(0) if buys else limits[buys][-1] + 10**6]
        low, high = next((a, b) for a, b in pairwise(prices) if traded(buys, b) >= amount)
        there, then = traded(buys, low), traded(buys, high)
        return low + (high - low) * (amount - there) / (then - there)

    most = traded(True, Fraction(0))
    kinks = sorted({min(most, traded(buys, price)) for buys in (True, False) for price in limits[buys]})
    best = Fraction(0)
    for low, high in pairwise(sorted({*kinks, most})):
        start, end = (price_at(True, amount) - price_at(False, amount) for amount in (low, high))
        fall = (start - end) / (high - low)
        top = (start + fall * low) / (2 * fall)
        if low < top < high:
            best = max(best, top * (start - fall * (top - low)))
    return best
