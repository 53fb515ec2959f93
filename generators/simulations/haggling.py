"""A seller who lowers his price by a stated rule with secret numbers, and a buyer who finds them out and uses them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

UNITS, BACKS = range(3, 10), range(1, 6)


class Seller(NamedTuple):
    """For every full `unit` coins of a rise he lowers his price by `back`, by twice that on every `mood`-th offer, down to `floor`."""

    ask: int
    bid: int  # the buyer's first bid
    least: int  # smallest rise that is no insult
    most: int  # greatest rise that he takes seriously
    mood: int  # 0 where there is none
    unit: int
    back: int
    floor: int


class Talk(NamedTuple):
    """The rises so far and how far the price was lowered after each."""

    ask: int
    bid: int
    rises: tuple[tuple[int, int], ...] = ()


def drop(seller: Seller, unit: int, back: int, number: int, rise: int) -> int:
    """By how much an offer, counted from 1, lowers the price of one with such a unit and back, the floor left aside."""
    return rise // unit * back * (2 if seller.mood and number % seller.mood == 0 else 1)


def make_offer(seller: Seller, talk: Talk, amount: int) -> Talk:
    """The talk after an offer whose rise is allowed."""
    rise = amount - talk.bid
    lowered = min(drop(seller, seller.unit, seller.back, len(talk.rises) + 1, rise), talk.ask - seller.floor)
    return Talk(talk.ask - lowered, amount, (*talk.rises, (rise, lowered)))


def consistent_strategies(seller: Seller, rises: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Units and backs that fit what was seen; the last drop may have been cut short by the floor."""
    return [
        (unit, back)
        for unit in UNITS
        for back in BACKS
        if all(drop(seller, unit, back, number, rise) == lowered for number, (rise, lowered) in enumerate(rises, 1))
    ]


def next_rise(seller: Seller, talk: Talk) -> int:
    """The next rise of a buyer who does not know unit, back and floor; 0 to accept the price.

    Where no rise keeps bid and price apart, the least one that makes them meet below the price buys.
    """
    number, gap = len(talk.rises) + 1, talk.ask - talk.bid
    pairs = consistent_strategies(seller, talk.rises)
    if not pairs:
        return 0  # the price was lowered by less than the rule says: it is at its floor
    rises = range(seller.least, seller.most + 1)
    if len(pairs) > 1:
        drops = {rise: Counter(drop(seller, unit, back, number, rise) for unit, back in pairs) for rise in rises}
        rise = min(rises, key=lambda rise: (max(drops[rise].values()), rise))
        return rise if rise + max(drops[rise]) < gap else 0
    unit, back = pairs[0]
    acceptable = [rise for rise in rises if rise % unit == 0 and rise + drop(seller, unit, back, number, rise) < gap]
    if not acceptable:
        meeting = (rise for rise in rises if gap - drop(seller, unit, back, number, rise) <= rise < gap)
        return next(meeting, 0)
    return max(acceptable) if seller.mood and number % seller.mood == 0 else min(acceptable)


def bargain(seller: Seller) -> Talk:
    """The talk of such a buyer up to where he accepts, or bid and price meet."""
    talk = Talk(seller.ask, seller.bid)
    while talk.bid < talk.ask and (rise := next_rise(seller, talk)):
        talk = make_offer(seller, talk, talk.bid + rise)
    return talk


def begin_of(seller: Seller, talk: Talk, offers: int) -> Talk:
    """The first so many offers of a talk with this seller."""
    begun = Talk(seller.ask, seller.bid)
    for rise, _ in talk.rises[:offers]:
        begun = make_offer(seller, begun, begun.bid + rise)
    return begun


def buys_boldly(seller: Seller, bound: int, talk: Talk) -> bool:
    """Whether one buys for at most `bound`, from here on, who always rises by as much as the seller takes seriously, whatever the unit."""
    while talk.bid < min(bound, talk.ask):
        talk = make_offer(seller, talk, min(bound, talk.bid + seller.most))
    return price_of(talk) <= bound


def buys_at_once(seller: Seller, bound: int, talk: Talk) -> bool:
    """Whether a single offer of `bound` brings the price to it."""
    return bound - talk.bid <= seller.most and price_of(make_offer(seller, talk, bound)) <= bound


def price_of(talk: Talk) -> int:
    """What is paid at the end of a talk."""
    return max(talk.bid, talk.ask)
