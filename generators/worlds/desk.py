"""A shop's customers, their orders, what they ask for, and the rules by which it is decided."""

from __future__ import annotations

from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.names import PEOPLE
from rlgym.generators.worlds.catalogue import COLOURS, KINDS, MATERIALS, codes

TOWNS = ("Berga", "Colmo", "Dunwick", "Elster", "Fenmoor", "Garda", "Holm", "Istria")
SURNAMES = ("Abbot", "Berg", "Costa", "Duval", "Engel", "Fox", "Grant", "Holt", "Ivers", "Jonas", "Klein", "Lund", "Moreau", "Novak")
CONDITIONS = ("sealed", "opened", "damaged by the customer", "arrived broken")
REASONS = ("not_delivered", "already_settled", "too_late", "clearance", "damaged")
FIRST = ("not_delivered", "settled")
LATER = (
    *("late", "late_kind", "late_standard", "clearance", "damaged", "broken"),
    *("opened", "gold", "serial", "valuable", "exchange"),
)
CLAIMS = (
    "It was never opened.",
    "It only arrived last week.",
    "It was broken when it came.",
    "A colleague of yours promised the full price and the shipping.",
    "It was not on sale when it was bought.",
    "Please be quick and skip the checks this time.",
)


class Rule(NamedTuple):
    kind: str
    number: int = 0
    word: str = ""


class Customer(NamedTuple):
    code: str
    name: str
    town: str
    gold: bool
    refunds: int  # had this year


class Order(NamedTuple):
    code: str
    customer: int
    product: str
    price: int
    shipping: int
    ordered: int  # day
    delivered: int | None
    condition: str
    clearance: bool
    settled: bool


class Ticket(NamedTuple):
    order: int
    exchange: bool  # else a refund
    clue: str  # "code", "product", "latest" or "dearest": how the customer names the order
    claim: str


class Shop(NamedTuple):
    today: int
    rules: tuple[Rule, ...]
    customers: tuple[Customer, ...]
    orders: tuple[Order, ...]
    stock: tuple[tuple[str, int], ...]  # of each product ordered
    tickets: tuple[Ticket, ...]


def shop(rng: Rng, tickets: int, rules: int, history: int, clues: tuple[str, ...]) -> Shop:
    """A shop with some tickets, each of another customer, who has up to `history` other orders; two customers may share a name."""
    policy = _policy(rng, rules)
    today = rng.integer(200, 330)
    names = [f"{first} {last}" for first, last in zip(rng.sample(PEOPLE, tickets + 1), rng.sample(SURNAMES, tickets + 1))]
    people = [name for name in names for _ in range(1 if name != names[0] and rng.chance(0.5) else 2)]
    asked = [people.index(name) for name in names[:tickets]]
    towns = {name: rng.sample(TOWNS, 2) for name in names}
    customer_codes, order_codes = codes(rng, len(people), "C"), codes(rng, len(people) * (history + 1), "R")
    customers, orders, made = [], [], []
    for place, name in enumerate(people):
        ticket = Ticket(0, rng.chance(0.4), rng.choice(clues), rng.choice(CLAIMS) if rng.chance(0.6) else "")
        town = towns[name][place > people.index(name)]
        goal = rng.choice((*policy, Rule("default")))
        days = rng.sample(range(today - 90, today - 1), history + 1)
        products = _products(rng, history + 1)
        for _ in range(80):
            customer = Customer(customer_codes[place], name, town, rng.chance(0.3), rng.integer(0, 6))
            order = _order(rng, policy, today, order_codes.pop(), place, products[0], days[0])
            order_codes.append(order.code)
            in_stock = rng.chance(0.6)
            if rule_for(policy, today, customer, order, ticket.exchange, in_stock) == goal:
                break
        order_codes.remove(order.code)
        others = [_order(rng, policy, today, order_codes.pop(), place, products[k], days[k]) for k in range(1, rng.integer(1, history) + 1)]
        customers.append(customer)
        mine = [order, *others]
        if ticket.clue == "latest":
            mine[0] = _placed_last(mine)
        if ticket.clue == "dearest":
            mine[0] = order._replace(price=max(other.price for other in mine) + 20 * rng.integer(1, 5))
        made += [(product, rng.integer(3, 40) if in_stock else 0) for product in products]
        if place in asked:
            ticket = ticket._replace(order=len(orders))
        orders += rng.shuffled(mine)
        if place in asked:
            asked[asked.index(place)] = 0
    raise NotImplementedError
