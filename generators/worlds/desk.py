"""A shop's customers and their orders, what they ask for, and the rules by which that is decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.text.names import PEOPLE
from rlgym.generators.worlds.catalogue import COLOURS, KINDS, MATERIALS, codes

TOWNS = ("Berga", "Colmo", "Dunwick", "Elster", "Fenmoor", "Garda", "Holm", "Istria")
SURNAMES = ("Abbot", "Berg", "Costa", "Duval", "Engel", "Fox", "Grant", "Holt", "Ivers", "Jonas", "Klein", "Lund", "Moreau", "Novak")
CONDITIONS = ("sealed", "opened", "damaged by the customer", "arrived broken")
CLAIMS = (
    "It was never opened.",
    "It only arrived last week.",
    "It was broken when it came.",
    "A colleague of yours promised the price and the shipping.",
    "It was not on clearance when it was bought.",
    "There is no need to check anything this time.",
)
RULES = {
    "not_delivered": "If the order has not been delivered yet: refuse, with the reason not_delivered.",
    "settled": "If the order was settled before: refuse, with the reason already_settled.",
    "late": "If the order was delivered more than {number} days ago: refuse, with the reason too_late.",
    "late_kind": "If the product is a {word} and was delivered more than {number} days ago: refuse, with the reason too_late.",
    "late_standard": "If the customer is not a gold customer and the order was delivered more than {number} days ago: refuse, with the reason too_late.",
    "clearance": "If the order was a clearance sale: refuse, with the reason clearance.",
    "damaged": "If the recorded condition is `damaged by the customer`: refuse, with the reason damaged.",
    "broken": "If the recorded condition is `arrived broken`: refund the price and the shipping.",
    "gold": "If the customer is a gold customer: refund the price and the shipping.",
    "opened": "If the recorded condition is `opened`: refund the price less {number} percent of it.",
    "exchange": "If the customer asks for an exchange and at least one piece of the product is in stock: exchange.",
    "serial": "If the customer has had {number} or more refunds this year: escalate.",
    "valuable": "If the price is above {number} coins: escalate.",
    "default": "Otherwise: refund the price without the shipping, even if an exchange was asked for.",
}
_FIRST = ("not_delivered", "settled")
_REASONS = {
    "not_delivered": "not_delivered",
    "settled": "already_settled",
    "clearance": "clearance",
    "damaged": "damaged",
    "late": "too_late",
    "late_kind": "too_late",
    "late_standard": "too_late",
}


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
    ordered: int
    delivered: int | None
    condition: str
    clearance: bool
    settled: bool
    stock: int  # pieces of the product that the shop has now


class Ticket(NamedTuple):
    order: int
    exchange: bool  # else a refund
    clue: str  # "code", "product", "latest" or "dearest": how the customer names the order
    claim: str


class Decision(NamedTuple):
    action: str
    amount: int = 0
    reason: str = ""


class Shop(NamedTuple):
    today: int
    rules: tuple[Rule, ...]  # from the top, the first that applies decides; the last one always does
    customers: tuple[Customer, ...]
    orders: tuple[Order, ...]
    tickets: tuple[Ticket, ...]


def shop(rng: Rng, tickets: int, rules: int, history: int, clues: Sequence[str]) -> Shop:
    """A shop with tickets of different customers, with 1 to `history` other orders each; some customers share a name.

    The rules decide the tickets in turn, as far as they can be reached at all, each where something else would be done without it.
    """
    kinds, today = rng.sample(KINDS, 4), rng.integer(200, 330)
    policy = _policy(rng, rules, kinds)
    people = _people(rng, tickets)
    products = [f"{colour} {material} {kind}" for colour in COLOURS for material in MATERIALS for kind in kinds]
    customers: list[Customer] = []
    orders: list[Order] = []
    asked: list[Ticket] = []
    spare = codes(rng, len(people) * (history + 1), "R")
    goals = [rule for _ in range(-(-len(people) // len(policy))) for rule in rng.shuffled(policy)]
    for place, (code, (name, town, asks)) in enumerate(zip(codes(rng, len(people), "C"), people)):
        goal, clue = goals.pop(0) if asks else rng.choice(policy), rng.choice(clues)
        for _ in range(120):
            customer = Customer(code, name, town, rng.chance(0.3), rng.integer(0, 6))
            wanted, exchange = _order(rng, policy, today, place, products), rng.chance(0.4)
            if _is_decisive(goal, policy, today, customer, wanted, exchange):
                break
        if asks:
            asked.append(Ticket(len(orders), exchange, clue, rng.choice(CLAIMS) if rng.chance(0.6) else ""))
        customers.append(customer)
        for k in range(1 + rng.integer(1, history)):
            order = wanted if k == 0 else _neighbouring_order(rng, policy, today, wanted, clue, products)
            products.remove(order.product)  # no product is ordered twice, so that a customer can name an order by it
            orders.append(order._replace(code=spare.pop()))
    return Shop(today, policy, tuple(customers), tuple(orders), tuple(asked))


def rule_for(rules: Sequence[Rule], today: int, customer: Customer, order: Order, exchange: bool) -> Rule:
    """The first rule that applies."""
    return next(rule for rule in rules if _applies(rule, today, customer, order, exchange))


def _is_decisive(rule: Rule, rules: Sequence[Rule], today: int, customer: Customer, order: Order, exchange: bool) -> bool:
    """Whether this rule decides, and something else would be done without it."""
    if rule_for(rules, today, customer, order, exchange) != rule:
        return False
    others = [other for other in rules if other != rule or rule.kind == "default"]
    return rule.kind == "default" or decision(rule, order) != decision(rule_for(others, today, customer, order, exchange), order)


def decision(rule: Rule, order: Order) -> Decision:
    """What a rule that applies says is to be done."""
    match rule.kind:
        case "broken" | "gold":
            return Decision("refund", order.price + order.shipping)
        case "opened":
            return Decision("refund", order.price - order.price * rule.number // 100)
        case "default":
            return Decision("refund", order.price)
        case "exchange":
            return Decision("exchange")
        case "serial" | "valuable":
            return Decision("escalate")
    return Decision("refuse", reason=_REASONS[rule.kind])


def deciding_rule(shop: Shop, ticket: Ticket) -> Rule:
    """The rule that decides a ticket."""
    order = shop.orders[ticket.order]
    return rule_for(shop.rules, shop.today, shop.customers[order.customer], order, ticket.exchange)


def right_decision(shop: Shop, ticket: Ticket) -> Decision:
    """What is to be done about a ticket."""
    return decision(deciding_rule(shop, ticket), shop.orders[ticket.order])


def _applies(rule: Rule, today: int, customer: Customer, order: Order, exchange: bool) -> bool:
    since = today - order.delivered if order.delivered is not None else -1
    match rule.kind:
        case "not_delivered":
            return order.delivered is None
        case "settled":
            return order.settled
        case "late":
            return since > rule.number
        case "late_kind":
            return since > rule.number and order.product.split()[-1] == rule.word
        case "late_standard":
            return since > rule.number and not customer.gold
        case "clearance":
            return order.clearance
        case "damaged" | "broken" | "opened":
            return order.condition == {"damaged": CONDITIONS[2], "broken": CONDITIONS[3], "opened": CONDITIONS[1]}[rule.kind]
        case "gold":
            return customer.gold
        case "exchange":
            return exchange and order.stock > 0
        case "serial":
            return customer.refunds >= rule.number
        case "valuable":
            return order.price > rule.number
    return True


def _policy(rng: Rng, rules: int, kinds: Sequence[str]) -> tuple[Rule, ...]:
    ranges = {"late": (25, 45), "late_standard": (14, 24), "late_kind": (6, 13), "serial": (2, 5)}
    # Two of the three rules about lateness at most, or refusing everything as too late would often be right.
    left_out = ("default", rng.choice(("late", "late_kind", "late_standard")))
    drawn = rng.sample([kind for kind in RULES if kind not in left_out], rules)
    policy = []
    for kind in sorted(drawn, key=lambda kind: _FIRST.index(kind) if kind in _FIRST else len(_FIRST)):
        number = rng.integer(*ranges.get(kind, (0, 0)))
        number = 5 * rng.integer(1, 6) if kind == "opened" else 100 * rng.integer(3, 7) if kind == "valuable" else number
        policy.append(Rule(kind, number, rng.choice(kinds) if kind == "late_kind" else ""))
    return (*policy, Rule("default"))


def _people(rng: Rng, tickets: int) -> list[tuple[str, str, bool]]:
    """Names, towns, and who has a ticket; at least one customer has none."""
    people = []
    for k, (first, last) in enumerate(zip(rng.sample(PEOPLE, tickets + 1), rng.sample(SURNAMES, tickets + 1))):
        home, away = rng.sample(TOWNS, 2)
        people.append((f"{first} {last}", home, k < tickets))
        if rng.chance(0.5):
            people.append((f"{first} {last}", away, False))
    return rng.shuffled(people)


def _order(rng: Rng, policy: Sequence[Rule], today: int, place: int, products: Sequence[str]) -> Order:
    kinds = {rule.kind: rule.number for rule in policy}
    limits = [number for kind, number in kinds.items() if kind.startswith("late")]
    since = rng.choice(limits) + rng.integer(-1, 2) if limits and rng.chance(0.6) else rng.integer(1, 60)
    undelivered = "not_delivered" in kinds and rng.chance(0.15)
    ordered = today - rng.integer(1, 6) if undelivered else today - since - rng.integer(1, 6)
    return Order(
        code="",
        customer=place,
        product=rng.choice(products),
        price=20 * rng.integer(3, 50),
        shipping=rng.integer(5, 30),
        ordered=ordered,
        delivered=None if undelivered else today - since,
        condition=CONDITIONS[0] if undelivered else rng.weighted(CONDITIONS, (5, 3, 2, 2)),
        clearance=rng.chance(0.25),
        settled="settled" in kinds and rng.chance(0.15),
        stock=rng.integer(1, 30) if rng.chance(0.6) else 0,
    )


def _neighbouring_order(rng: Rng, policy: Sequence[Rule], today: int, target: Order, clue: str, products: Sequence[str]) -> Order:
    """Another order of the same customer, of which the clue does not hold."""
    order = _order(rng, policy, today, target.customer, products)
    if clue == "latest" and order.ordered >= target.ordered:
        back = order.ordered - target.ordered + rng.integer(1, 30)
        order = order._replace(ordered=order.ordered - back, delivered=None if order.delivered is None else order.delivered - back)
    if clue == "dearest" and order.price >= target.price:
        order = order._replace(price=20 * rng.integer(1, target.price // 20 - 1))
    return order
