"""Tools with prices, several ways to get the same kind of thing, and the cheapest way to one kind, found exactly."""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.text.names import invent
from rlgym.generators.toolbox.box import KINDS

RINGS = ("red", "blue")


class Offer(NamedTuple):
    """A tool: what kinds it takes and gives, what a call costs, and the ring whose pass halves that (empty: none does)."""

    name: str
    takes: tuple[str, ...]
    gives: tuple[str, ...]
    price: int
    ring: str


class Market(NamedTuple):
    offers: tuple[Offer, ...]
    passes: tuple[tuple[str, int], ...]  # rings and what their passes cost
    have: tuple[str, ...]  # the kinds given
    goal: str


def market(rng: Rng, kinds: int, ways: int, bundles: int, passes: int, least: int) -> Market:
    """A market with up to `ways` offers for each kind, in which the cheapest way takes at least `least` calls where that can be had."""
    candidate = None
    for _ in range(40):
        candidate = _market(rng, kinds, ways, bundles, passes)
        if len(cheapest(candidate)[1]) >= least:
            break
    assert candidate is not None
    return candidate


def price(offer: Offer, rings: tuple[str, ...]) -> int:
    """What a call costs one who holds passes."""
    return offer.price // 2 if offer.ring in rings else offer.price


@lru_cache(maxsize=64)
def cheapest(market: Market) -> tuple[int, tuple[str, ...]]:
    """The least that the goal costs, and the names of the offers and the rings of the passes in an order in which they can be taken."""
    bits = {kind: 1 << i for i, kind in enumerate((*KINDS, *RINGS))}
    rows = [
        (_mask(offer.takes, bits), _mask(offer.gives, bits), offer.price, bits.get(offer.ring, 0), offer.name) for offer in market.offers
    ]
    rows += [(0, bits[ring], cost, 0, ring) for ring, cost in market.passes]
    start, goal = _mask(market.have, bits), bits[market.goal]
    queue: list[tuple[int, int, int]] = [(0, 0, start)]
    predecessors: dict[int, tuple[int, str]] = {}
    best, done, count = {start: 0}, set(), 0
    while queue:
        spent, _, mask = heappop(queue)
        if mask in done:
            continue
        done.add(mask)
        if mask & goal:
            names: list[str] = []
            while mask != start:
                mask, name = predecessors[mask]
                names.append(name)
            return spent, tuple(reversed(names))
        for takes, gives, cost, ring, name in rows:
            after = mask | gives
            if takes & ~mask or after == mask:
                continue
            total = spent + (cost // 2 if mask & ring else cost)
            if total < best.get(after, 1 << 30):
                best[after], predecessors[after], count = total, (mask, name), count + 1
                heappush(queue, (total, count, after))
    raise AssertionError("unreachable: every market sells its goal")


def hasty(market: Market) -> int:
    """What is spent by one who gets each thing in the way that looks cheapest by itself, and pays for it only once."""
    prices = {offer.name: offer.price for offer in market.offers}
    return sum(prices[name] for name in hasty_order(market))


def hasty_order(market: Market) -> tuple[str, ...]:
    """The offers that such a one buys, in an order in which they can be taken."""
    least = dict.fromkeys(market.have, 0)
    chosen: dict[str, Offer] = {}
    for _ in market.offers:
        for offer in market.offers:
            if all(kind in least for kind in offer.takes):
                total = offer.price + sum(least[kind] for kind in offer.takes)
                for kind in offer.gives:
                    if total < least.get(kind, 1 << 30):
                        least[kind], chosen[kind] = total, offer
    bought: dict[str, None] = {}

    def buy(kind: str) -> None:
        if kind in chosen and chosen[kind].name not in bought:
            for taken in chosen[kind].takes:
                buy(taken)
            bought[chosen[kind].name] = None

    buy(market.goal)
    return tuple(bought)


def _market(rng: Rng, kinds: int, ways: int, bundles: int, passes: int) -> Market:
    names = [name[:-1] for name in invent(rng, kinds * ways + bundles)]
    used = rng.sample(KINDS, kinds)
    given = 2
    rings = RINGS[:passes]
    offers = []
    for i in range(given, kinds):
        for option in range(rng.integer(1 if i < kinds - 1 else min(2, ways), ways)):
            low = max(0, i - 4)
            takes = tuple(rng.sample(used[low:i], min(i - low, 1 + rng.chance(0.5))))
            offers.append(Offer(names.pop(), takes, (used[i],), 2 * rng.integer(2, 12 + 4 * option), rng.choice(("", *rings))))
    for _ in range(bundles):
        i = rng.integer(1, kinds - 3)
        gives = tuple(rng.sample(used[max(given, i + 1) : kinds - 1], min(2, kinds - 1 - max(given, i + 1))))
        offers.append(Offer(names.pop(), (used[i],), gives, 2 * rng.integer(8, 18), rng.choice(("", *rings))))
    bought = tuple((ring, 2 * rng.integer(3, 10)) for ring in rings)
    return Market(tuple(rng.shuffled(offers)), bought, tuple(used[:given]), used[-1])


def _mask(kinds: tuple[str, ...], bits: dict[str, int]) -> int:
    return sum(bits[kind] for kind in kinds)
