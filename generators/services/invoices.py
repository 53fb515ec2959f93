"""Invoices, the orders they are for, and what was delivered: three papers that must agree."""

from __future__ import annotations

from typing import Any, NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes
from rlgym.generators.services.policy import Book, Clause, Policy, Rule, aim, goals
from rlgym.generators.services.records import Fact, Record
from rlgym.generators.worlds.catalogue import KINDS, MATERIALS

BOOK: Book = {
    "no_order": Clause(
        "If the order that the invoice names does not exist: reject.",
        lambda f, r: f["ordered"] == "no",
        "reject",
        before=("unordered", "nothing", "more"),
    ),
    "other": Clause(
        "If the order is of another supplier than the invoice: reject.", lambda f, r: f["order supplier"] != f["supplier"], "reject"
    ),
    "blocked": Clause("If the supplier is blocked: hold.", lambda f, r: f["supplier state"] == "blocked", "hold"),
    "account": Clause(
        "If the invoice asks for payment to another account than the supplier's record has: hold.",
        lambda f, r: f["account"] != f["supplier account"],
        "hold",
    ),
    "paid": Clause(
        "If an invoice for the same order with the same sum was paid before: reject.", lambda f, r: f["paid before"] == "yes", "reject"
    ),
    "sum": Clause("If the lines of the invoice do not add up to its sum: reject.", lambda f, r: f["adds up"] == "no", "reject"),
    "unordered": Clause(
        "If a line of the invoice is for a product that the order does not have: reject.", lambda f, r: f["unordered"] == "yes", "reject"
    ),
    "price": Clause(
        "If the price of a line is more than {number} percent above that of the order: hold.",
        lambda f, r: f["overprice"] > r.number,
        "hold",
        range(2, 11, 2),
    ),
    "more": Clause(
        "If a line has more pieces than were delivered of that product for the order: pay what was delivered.",
        lambda f, r: f["undelivered"] == "yes",
        "part",
    ),
    "nothing": Clause("If nothing was delivered for the order: hold.", lambda f, r: f["delivered"] == "no", "hold", before=("more",)),
    "large": Clause("If the sum is above {number} coins: hold.", lambda f, r: f["sum"] > r.number, "hold", range(600, 2001, 200)),
    "trusted": Clause("If the supplier is trusted: pay in full.", lambda f, r: f["supplier state"] == "trusted", "pay", before=("more",)),
    "default": Clause("pay in full.", lambda f, r: True, "pay"),
}
_PRODUCTS = tuple(f"{material} {kind}" for material in MATERIALS for kind in KINDS)
_Case = dict[str, Any]


class Line(NamedTuple):
    product: str
    pieces: int
    price: int

    @property
    def text(self) -> str:
        return f"{self.pieces} {self.product} at {self.price}"


class Office(NamedTuple):
    records: tuple[Record, ...]
    invoices: tuple[str, ...]


def line(text: str) -> Line:
    """Reads what `Line.text` writes."""
    pieces, rest = text.split(" ", 1)
    product, _, price = rest.rpartition(" at ")
    return Line(product, int(pieces), int(price))


def office(rng: Rng, policy: Policy, invoices: int, lines: int, notes: int) -> Office:
    """Invoices of the given number with up to `lines` lines, whose goods came in up to `notes` deliveries."""
    ids, spare, records = codes(rng, invoices, "V"), codes(rng, 12 * invoices, "N"), list[Record]()
    for code, goal in zip(ids, goals(rng, policy, invoices)):
        case_ = aim(rng, BOOK, policy, goal, lambda: _sample(rng, lines), _effect_of_rule)
        supplier, order, rival = spare.pop(), spare.pop(), spare.pop()
        account = f"A{rng.integer(1000, 9999)} {rng.integer(1000, 9999)}"
        named = supplier if case_["order supplier"] == "me" else rival
        records.append(Record("supplier", supplier, {"state": case_["supplier state"], "account": account}))
        records.append(Record("supplier", rival, {"state": "normal", "account": account[::-1]}))
        if case_["ordered"] == "yes":
            records.append(Record("order", order, {"supplier": named, "lines": tuple(row.text for row in case_["order lines"])}))
        records += [Record("delivery", spare.pop(), {"order": order, "goods": goods}) for goods in _notes(rng, case_, notes)]
        if case_["paid before"] == "yes" or rng.chance(0.3):
            paid = case_["sum"] if case_["paid before"] == "yes" else case_["sum"] + rng.integer(1, 90)
            records.append(Record("payment", spare.pop(), {"order": order, "sum": paid}))
        facts: dict[str, Fact] = {
            "supplier": supplier,
            "order": order,
            "lines": tuple(row.text for row in case_["lines"]),
            "sum": case_["sum"],
            "account": account if case_["account"] == "a" else f"A{rng.integer(1000, 9999)} {account[-4:]}",
        }
        records.append(Record("invoice", code, facts))
    return Office(tuple(rng.shuffled(records)), tuple(ids))


def _sample(rng: Rng, most: int) -> _Case:
    """An invoice with what can be wrong about it; most often little is."""
    products = rng.sample(_PRODUCTS, most + 1)
    ordered = [Line(product, rng.integer(2, 40), rng.integer(5, 60)) for product in products[: rng.integer(1, most)]]
    rows = list(ordered)
    dear = rng.integer(1, 15) if rng.chance(0.3) else 0
    place = rng.integer(0, len(rows) - 1)
    rows[place] = rows[place]._replace(price=rows[place].price + -(-rows[place].price * dear // 100))
    if rng.chance(0.12):
        rows.append(Line(products[-1], rng.integer(1, 9), rng.integer(5, 60)))
    come = {row.product: row.pieces - (rng.integer(1, row.pieces - 1) if rng.chance(0.2) else 0) for row in ordered}
    exists = not rng.chance(0.08)
    come = {} if not exists or rng.chance(0.08) else come
    right = sum(row.pieces * row.price for row in rows)
    sum_said = right + (rng.choice((-10, 9, 90, 100)) if rng.chance(0.1) else 0)
    return {
        "lines": rows,
        "order lines": ordered if exists else [],
        "come": come,
        "sum": sum_said,
        "ordered": "yes" if exists else "no",
        "order supplier": "other" if exists and rng.chance(0.08) else "me",
        "supplier": "me",
        "supplier state": rng.weighted(("normal", "trusted", "blocked"), (5, 2, 1)),
        "account": "b" if rng.chance(0.1) else "a",
        "supplier account": "a",
        "paid before": "yes" if exists and rng.chance(0.1) else "no",
        **judge(rows, ordered if exists else [], come, sum_said),
    }


def _effect_of_rule(case: _Case, rule: Rule) -> str:
    """What a rule does: an invoice is held or rejected with the number of the rule."""
    verdict = BOOK[rule.kind].verdict
    return rule.kind if verdict in ("hold", "reject") else verdict


def judge(rows: list[Line], ordered: list[Line], come: dict[str, int], stated_total: int) -> dict[str, Fact]:
    """What the rules ask about lines, orders and deliveries."""
    prices = {row.product: row.price for row in ordered}
    # In whole percents, rounded up: "more than 4 percent" holds from a little above 4 on.
    over = [-(-100 * (row.price - prices[row.product]) // prices[row.product]) for row in rows if row.product in prices]
    return {
        "adds up": "yes" if sum(row.pieces * row.price for row in rows) == stated_total else "no",
        "unordered": "yes" if any(row.product not in prices for row in rows) else "no",
        "overprice": max(over, default=0),
        "undelivered": "yes" if any(row.pieces > come.get(row.product, 0) for row in rows) else "no",
        "delivered": "yes" if come else "no",
    }


def part(rows: list[Line], come: dict[str, int]) -> int:
    """What the delivered pieces cost at the invoice's prices."""
    return sum(min(row.pieces, come.get(row.product, 0)) * row.price for row in rows)


def _notes(rng: Rng, case: _Case, most: int) -> list[tuple[str, ...]]:
    """What came, as the goods of one or more deliveries."""
    come: dict[str, int] = case["come"]
    if not come:
        return []
    notes: list[list[str]] = [[] for _ in range(rng.integer(1, most))]
    for product, pieces in come.items():
        for place, note in enumerate(notes):
            delivered = pieces if place == len(notes) - 1 else rng.integer(0, pieces)
            pieces -= delivered
            if delivered:
                note.append(f"{delivered} {product}")
    return [tuple(note) for note in notes if note]
