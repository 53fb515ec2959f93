"""What people claim for their travels: receipts, caps, rates of exchange, and who may approve how much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes, full_names
from rlgym.generators.services.records import Fact, Record
from rlgym.generators.worlds.desk import TOWNS

CATEGORIES = ("hotel", "meal", "taxi", "train", "bar")
CURRENCIES = ("crowns", "marks", "pesos")
RULES = {
    "paper": "A receipt without paper is worth nothing if it is for more than {number} coins (after exchange, before any cap).",
    "old": "A receipt from more than {number} days before the claim's day counts for nothing.",
    "twice": "A receipt whose number is among those paid before is worth nothing.",
    "bar": "A receipt of the category bar is worth nothing.",
    "taxi": "Of the taxi receipts of one claim that count for something, only the dearest one counts (after exchange and cap).",
}


class Limit(NamedTuple):
    """One of RULES with its number."""

    kind: str
    number: int = 0


class Rate(NamedTuple):
    since: int  # the day from which it holds
    percent: int  # coins for a hundred of the currency


def exchange(amount: int, rates: Sequence[Rate], day: int) -> int:
    """An amount in coins, rounded down, by the last rate that held on the day."""
    return amount * max(rate for rate in rates if rate.since <= day).percent // 100


def count(limits: Sequence[Limit], receipt: Record, day: int, coins: int, cap: int | None, paid: bool) -> int:
    """What a receipt counts for, the rule about taxis aside."""
    for limit in limits:
        if (
            (limit.kind == "paper" and receipt.facts["paper"] == "no" and coins > limit.number)
            or (limit.kind == "old" and day - receipt.number("day") > limit.number)
            or (limit.kind == "twice" and paid)
            or (limit.kind == "bar" and receipt.facts["category"] == "bar")
        ):
            return 0
    return coins if cap is None else min(coins, cap)


def sum_up(limits: Sequence[Limit], rows: Sequence[tuple[str, int]]) -> int:
    """The sum of a claim, from the categories of its receipts and what they count for."""
    taxis = [coins for category, coins in rows if category == "taxi"]
    if any(limit.kind == "taxi" for limit in limits) and taxis:
        return sum(coins for category, coins in rows if category != "taxi") + max(taxis)
    return sum(coins for _, coins in rows)


class Ledger(NamedTuple):
    records: tuple[Record, ...]
    claims: tuple[str, ...]
    limits: tuple[Limit, ...]


def ledger(rng: Rng, claims: int, receipts: int, currencies: int, rules: int, chain: int) -> Ledger:
    """Claims of different people; the one who may approve stands up to `chain` steps above."""
    limits = tuple(Limit(kind, _number(rng, kind)) for kind in sorted(rng.sample(tuple(RULES), rules), key=list(RULES).index))
    records, spare = _tables(rng, currencies), codes(rng, claims * (2 * receipts + 2 * chain + 6), "E")
    ids, names = codes(rng, claims, "V"), full_names(rng, claims * (chain + 3))
    for code in ids:
        me, *above = (spare.pop() for _ in range(chain + 3))
        bounds = sorted(rng.sample(range(100, 1600, 50), len(above)))
        bounds[-1] = 10**6
        for place, who in enumerate((me, *above)):
            facts: dict[str, Fact] = {
                "name": names.pop(),
                "manager": above[place] if place < len(above) else "none",
                "may approve up to": bounds[place - 1] if place else 0,
                "here": "no" if 0 < place < len(above) - 1 and rng.chance(0.35) else "yes",
            }
            records.append(Record("person", who, facts))
        day = rng.integer(120, 300)
        mine = [_receipt(rng, spare.pop(), day, currencies, limits) for _ in range(rng.integer(-(-receipts // 2), receipts))]
        records += mine
        for expense in mine:
            if rng.chance(0.15):
                records.append(Record("payment", expense.word("number").lower(), {"paid on day": rng.integer(20, 119)}))
        records.append(Record("claim", code, {"person": me, "day": day, "receipts": tuple(expense.code for expense in mine)}))
    return Ledger(tuple(rng.shuffled(records)), tuple(ids), limits)


def _tables(rng: Rng, currencies: int) -> list[Record]:
    """Caps for categories in towns, and rates of exchange."""
    records = [
        Record("cap", f"{category} {town}".lower(), {"cap": 10 * rng.integer(2, 18)})
        for category in CATEGORIES
        for town in TOWNS
        if rng.chance(0.6)
    ]
    spare = codes(rng, 6 * max(currencies, 1), "X")
    for currency in CURRENCIES[:currencies]:
        days = [1, *sorted(rng.sample(range(40, 300), rng.integer(1, 4)))]
        records += [
            Record("rate", spare.pop(), {"currency": currency, "since day": day, "coins for 100": rng.integer(15, 320)}) for day in days
        ]
    return records


def _receipt(rng: Rng, code: str, day: int, currencies: int, limits: Sequence[Limit]) -> Record:
    late = next((limit.number for limit in limits if limit.kind == "old"), 30)
    facts: dict[str, Fact] = {
        "number": f"N-{rng.integer(1000, 9999)}",
        "category": rng.choice(CATEGORIES),
        "town": rng.choice(TOWNS),
        "day": max(1, day - (late + rng.integer(-2, 3) if rng.chance(0.25) else rng.integer(1, late))),
        "amount": rng.integer(15, 400),
        "currency": rng.choice(("coins", *CURRENCIES[:currencies])),
        "paper": rng.weighted(("yes", "no"), (5, 1)),
    }
    return Record("receipt", code, facts)


def _number(rng: Rng, kind: str) -> int:
    return {"paper": 10 * rng.integer(2, 9), "old": 10 * rng.integer(2, 9)}.get(kind, 0)
