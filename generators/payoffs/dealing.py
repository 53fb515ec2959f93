"""A dealer's market: quotes, traders who know the value exactly or roughly, and what their trades tell by Bayes' rule.

All weights are whole numbers, so that the same quotes follow on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

TENTHS = 10
Quote = tuple[int, int]
"""The bid, at which the dealer buys, and the ask, at which the dealer sells."""
Orders = tuple[int, int]
"""How many traders of a round buy, and how many sell."""
Weights = tuple[int, ...]
"""How likely each value from 0 up is, up to a common factor."""


class Market(NamedTuple):
    """Values are from 0 to `top`. In each round `crowd` traders come, each with a chance of `informed` tenths informed.

    The price of an informed trader is the value; that of any other one is off the value by an error, which is equally likely each number from
    -`error` to `error`. After each round the value moves by `drift` up or down, and stays where it would leave the range. The stock of the
    dealer stays from -`limit` to `limit`.
    """

    top: int
    crowd: int
    informed: int
    error: int
    drift: int
    limit: int

    @property
    def cases(self) -> int:
        """Equally likely cases of a trader."""
        return TENTHS * (2 * self.error + 1)

    def moved(self, value: int, up: bool) -> int:
        after = value + (self.drift if up else -self.drift)
        return after if 0 <= after <= self.top else value


@lru_cache(maxsize=4096)
def above(market: Market, price: int) -> tuple[int, ...]:
    """Per value, the cases in which a trader's price is above this one."""
    spread, unknown = 2 * market.error + 1, TENTHS - market.informed
    return tuple(
        market.informed * spread * (value > price) + unknown * min(spread, max(0, value + market.error - price))
        for value in range(market.top + 1)
    )


def orders(quote: Quote, prices: Sequence[int]) -> Orders:
    """Who has a price above the ask buys, who has one below the bid sells."""
    bid, ask = quote
    return sum([price > ask for price in prices]), sum([price < bid for price in prices])


def settle(limit: int, stock: int, wanted: Orders) -> Orders:
    """The trades that are made: as many purchases as sales cancel out, and beyond that the stock may go to its limit."""
    both = min(wanted)
    return both + min(wanted[0] - both, limit + stock), both + min(wanted[1] - both, limit - stock)


def account(limit: int, rounds: Sequence[tuple[Quote, Orders]]) -> tuple[int, int]:
    """The stock and the cash after these rounds of a day."""
    stock = cash = 0
    for (bid, ask), wanted in rounds:
        sold, bought = settle(limit, stock, wanted)
        stock, cash = stock + bought - sold, cash + sold * ask - bought * bid
    return stock, cash


def prior(market: Market) -> Weights:
    return (1,) * (market.top + 1)


@lru_cache(maxsize=8192)
def posterior(market: Market, weights: Weights, quote: Quote, wanted: Orders) -> Weights:
    """The weights after a round, when the value has moved."""
    (buys, sells), cases = wanted, market.cases
    higher, not_lower = above(market, quote[1]), above(market, quote[0] - 1)
    idle = market.crowd - buys - sells
    seen = [
        weight * more**buys * (cases - least) ** sells * (least - more) ** idle if weight else 0
        for weight, more, least in zip(weights, higher, not_lower, strict=True)
    ]
    if market.drift:
        after = [0] * (market.top + 1)
        for value, weight in enumerate(seen):
            after[market.moved(value, True)] += weight
            after[market.moved(value, False)] += weight
        seen = after
    # Orders that the rules make impossible tell nothing: they occur only where others than the scripted traders move.
    return tuple(seen) if any(seen) else weights


@lru_cache(maxsize=8192)
def best_quote(market: Market, weights: Weights) -> Quote:
    """The bid and the ask with the most expected profit from a trader of this round, the lowest bid and the highest ask of equal ones."""
    possible = [(value, weight) for value, weight in enumerate(weights) if weight]
    cases, lowest, highest = market.cases, possible[0][0], possible[-1][0]

    def sold(ask: int) -> int:
        buys = above(market, ask)
        return sum([weight * buys[value] * (ask - value) for value, weight in possible])

    def bought(bid: int) -> int:
        not_sells = above(market, bid - 1)
        return sum([weight * (cases - not_sells[value]) * (value - bid) for value, weight in possible])

    ask = max(range(max(1, lowest), min(market.top, highest + market.error) + 1), key=lambda each: (sold(each), each))
    bid = max(range(max(0, lowest - market.error), ask), key=lambda each: (bought(each), -each), default=ask - 1)
    return bid, ask


def expected(weights: Weights) -> float:
    """The expected value."""
    return sum(value * weight for value, weight in enumerate(weights)) / sum(weights)
