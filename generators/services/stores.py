"""A store's products, what suppliers ask for them, and what is to be ordered of whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes
from rlgym.generators.services.records import Fact, Record
from rlgym.generators.worlds.catalogue import KINDS, MATERIALS


class Offer(NamedTuple):
    """A supplier's offer for a product; prices are for one unit."""

    supplier: str
    price: int
    pack: int
    minimum: int
    days: int


class Terms(NamedTuple):
    """What a supplier charges besides the price: `fee` coins for every order, none from `free` coins of goods on, and percent off."""

    fee: int
    free: int
    percent: int
    blocked: bool


def units(short: int, offer: Offer) -> int:
    """The fewest units in whole packs that make up for what is short and reach the minimum."""
    packs = -(-max(short, offer.minimum) // offer.pack)
    return packs * offer.pack


def total(short: int, offer: Offer, terms: Terms) -> int:
    goods = units(short, offer) * offer.price
    goods -= goods * terms.percent // 100
    return goods + (0 if goods >= terms.free else terms.fee)


def offer(record: Record) -> Offer:
    return Offer(record.word("supplier"), *(record.number(name) for name in ("price", "pack", "minimum", "days")))


def terms(record: Record) -> Terms:
    return Terms(record.number("fee"), record.number("free from"), record.number("percent off"), record.word("state") == "blocked")


def choice(short: int, offers: Sequence[tuple[Offer, Terms]], in_time: int, fastest: bool) -> tuple[Offer, int] | None:
    """The best offer that comes in time, with what it costs in all: the cheapest, or the fastest and of several such the cheapest."""
    rows = [(offer, total(short, offer, supplier)) for offer, supplier in offers if not supplier.blocked and offer.days <= in_time]
    return min(rows, key=lambda row: (row[0].days if fastest else 0, row[1], row[0].supplier), default=None)


def store(rng: Rng, products: int, suppliers: int, rebates: bool) -> tuple[tuple[Record, ...], tuple[str, ...]]:
    """Records of products, suppliers and offers; about two of three products have run low."""
    ids, firms = codes(rng, products, "P"), codes(rng, suppliers, "S")
    names = rng.sample([f"{material} {kind}" for material in MATERIALS for kind in KINDS], products)
    records = [
        Record(
            "supplier",
            code,
            {
                "state": "blocked" if place and rng.chance(0.25) else "active",
                "fee": 5 * rng.integer(2, 16),
                "free from": 50 * rng.integer(4, 24),
                "percent off": rng.choice((0, 4, 7, 12)) if rebates else 0,
            },
        )
        for place, code in enumerate(firms)
    ]
    spare = codes(rng, products * suppliers, "K")
    covers = rng.sample(range(4, 40), products)
    for code, name, cover in zip(ids, names, covers):
        use, low = rng.integer(2, 12), rng.chance(0.7)
        stock = use * cover + rng.integer(0, use - 1)
        coming = rng.choice((0, 0, 10, 25))
        point = stock + coming + (rng.integer(1, 30) if low else -rng.integer(1, 20))
        facts: dict[str, Fact] = {
            "name": name,
            "in stock": stock,
            "on order": coming,
            "reorder point": max(1, point),
            "target": max(1, point) + rng.integer(20, 120),
            "used a day": use,
            "state": rng.weighted(("normal", "critical", "discontinued"), (5, 2, 1)),
        }
        records.append(Record("product", code, facts))
        base = rng.integer(4, 30)
        for place, firm in enumerate(firms):
            # The first supplier has everything and is quick, so that something can always be ordered in time.
            if place and rng.chance(0.25):
                continue
            row: dict[str, Fact] = {
                "product": code,
                "supplier": firm,
                "price": base + rng.integer(0, 6) + (4 if place == 0 else 0),
                "pack": rng.choice((1, 5, 6, 10, 12, 25)),
                "minimum": rng.choice((1, 20, 50, 80)),
                "days": rng.integer(1, 4) if place == 0 else rng.integer(2, 25),
            }
            records.append(Record("offer", spare.pop(), row))
    return tuple(rng.shuffled(records)), tuple(ids)
