"""A shop's customers, their orders, and someone who writes in with wishes and answers when asked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes, full_names, greeting
from rlgym.generators.services.policy import Book, Clause, Policy, Rule, aim, deciding, goals
from rlgym.generators.services.records import Record
from rlgym.generators.services.shop_chat import LATEST, WISHES, Request, Wanted, answers_about, changes_of_mind, customer, line_name
from rlgym.generators.users import shop_phrases as phrases
from rlgym.generators.users.desk import line
from rlgym.generators.users.person import Person
from rlgym.generators.worlds.catalogue import COLOURS, KINDS, MATERIALS
from rlgym.generators.worlds.desk import TOWNS

_BACK = ("return", "exchange")
_CLAUSES: Book = {
    "sent": Clause(
        "If a cancellation is wanted and the order is not in processing: refuse.",
        lambda f, r: f["wish"] == "cancel" and f["state"] != "processing",
        "refuse",
    ),
    "unsent": Clause(
        "If a return or an exchange is wanted and the order is not delivered: refuse.",
        lambda f, r: f["wish"] in _BACK and f["state"] != "delivered",
        "refuse",
    ),
    "late": Clause(
        "If a return or an exchange is wanted and the order was delivered more than {number} days ago: refuse.",
        lambda f, r: f["wish"] in _BACK and f["days since delivery"] > r.number,
        "refuse",
        range(25, 45),
    ),
    "late_standard": Clause(
        "If a return or an exchange is wanted, the customer is not a gold customer and the order was delivered more than {number} days ago: refuse.",
        lambda f, r: f["wish"] in _BACK and f["days since delivery"] > r.number and f["tier"] != "gold",
        "refuse",
        range(10, 24),
    ),
    "clearance": Clause(
        "If the order was a clearance sale and the reason is not that it is faulty: refuse.",
        lambda f, r: f["clearance"] == "yes" and f["reason"] != "faulty",
        "refuse",
    ),
    "stock": Clause(
        "If an exchange is wanted and the stock of the wanted colour is below {number}: refuse.",
        lambda f, r: f["wish"] == "exchange" and f["stock"] < r.number,
        "refuse",
        range(1, 4),
    ),
    "dearer": Clause(
        "If an exchange is wanted and the wanted colour now costs more than the order did: refuse.",
        lambda f, r: f["wish"] == "exchange" and f["price now"] > f["price"],
        "refuse",
    ),
    "mind": Clause(
        "If a return is wanted because the customer changed their mind: return, paid back as a voucher.",
        lambda f, r: f["wish"] == "return" and f["reason"] == "changed_mind",
        "voucher",
    ),
    "wrong": Clause(
        "If a return is wanted because it is not what was ordered: return, paid back to the card.",
        lambda f, r: f["wish"] == "return" and f["reason"] == "wrong_item",
        "card",
    ),
    "valuable": Clause(
        "If the order's price is above {number} coins: hand the order to the manager.",
        lambda f, r: f["price"] > r.number,
        "manager",
        range(300, 701, 50),
    ),
    "serial": Clause(
        "If the customer has sent back {number} or more orders this year: hand the order to the manager.",
        lambda f, r: f["sent back this year"] >= r.number,
        "manager",
        range(3, 6),
    ),
    "default": Clause("do what is wanted; a return is paid back the way the order was paid.", lambda f, r: True, "do"),
}
# The customer is the same for all wishes, so a rule about the customer alone would decide all of them if it were checked first.
BOOK: Book = {
    kind: clause._replace(before=(*clause.before, *(("serial",) if kind != "serial" else ()))) for kind, clause in _CLAUSES.items()
}


class Shop(NamedTuple):
    records: tuple[Record, ...]
    person: Person
    said: str


_SHOWN = ("colour", "price", "state", "days since delivery", "clearance", "paid")


def shop(rng: Rng, policy: Policy, wishes: int, history: int, told: str) -> Shop:
    """A shop and a person with wishes.

    Told "all", a wish says everything at once; "some", it names the product, and the rest must be asked for; "little",
    orders are also named by when they were placed, and customers share names. Who does not say all at once may take a wish back, or
    change the colour of an exchange.
    """
    people = _people(rng, told == "little" or rng.chance(0.3))
    products = rng.sample([f"{material} {kind}" for material in MATERIALS for kind in KINDS], wishes + history + 2 * len(people))
    spare = codes(rng, len(products), "R")
    me = people[0]
    most = next((rule.number for rule in policy.rules if rule.kind == "serial"), 0)
    if most and rng.chance(0.75):
        me.facts["sent back this year"] = most + rng.integer(0, 2)
    taken_back = rng.integer(1, wishes) if wishes > 1 and told != "all" and rng.chance(0.6) else 0
    due = goals(rng, policy, wishes - 1 if taken_back else wishes)
    # An exchange that is made, so that a change of its colour matters.
    made = rng.chance(0.7)
    draws = [partial(_sample_wish, rng, policy, me, ("exchange",) if made and goal == "default" else WISHES) for goal in due]
    wish_cases = [aim(rng, BOOK, policy, goal, draw, _effect_of_rule) for goal, draw in zip(due, draws, strict=True)]
    if taken_back:
        wish_cases.insert(taken_back - 1, _sample_wish(rng, policy, me))
    records, requests = list[Record](), list[Request]()
    for person in people:
        rows = wish_cases if person is me else []
        rows = [*rows, *(_sample_wish(rng, policy, person) for _ in range(history if person is me else 2))]
        placed = [(row, products.pop(), spare.pop(), day) for row, day in zip(rows, rng.sample(range(1, 330), len(rows)))]
        records += [Record("customer", person.code, person.facts), *(row for one in placed for row in _order(rng, person.code, *one))]
        if person is me:
            latest = max(day for *_, day in placed)
            requests = [
                Request(
                    row,
                    code,
                    product,
                    f"order {code}".lower() if told == "all" else LATEST if told == "little" and day == latest else product,
                )
                for (row, product, code, day), _ in zip(placed, range(wishes))
            ]
    answers = [row for number, one in enumerate(requests, 1) for row in answers_about(rng, number, one, told)]
    further = [] if told == "all" else changes_of_mind(rng, requests, taken_back, answers, records, partial(_is_granted, policy))
    answers += [*further, line("", line_name(len(requests) + len(further) + 1), phrases.nothing_more(rng), wish="none")]
    given = me.word("e-mail") if not rng.chance(0.07) else _twist(rng, me.word("e-mail"))
    answers += [
        line("", "email", phrases.email(rng, given), email=given),
        line("", "town", phrases.town(rng, me.word("town")), town=me.word("town")),
    ]
    said = f"{greeting(rng, me.word('name'))} {rng.choice(phrases.OPENINGS)}"
    return Shop((*rng.shuffled(records), *answers), customer(rng, me.word("name"), requests, answers, told), said)


def _is_granted(policy: Policy, wanted: Wanted) -> bool:
    return BOOK[deciding(BOOK, policy, wanted).kind].verdict == "do"


def _people(rng: Rng, twins: bool) -> list[Record]:
    """Customers, the one who writes first, and others who may have the same name."""
    name, *others = full_names(rng, 3)
    town, *elsewhere = rng.sample(TOWNS, 3)
    named = [
        (name, town),
        *((name, place) for place in elsewhere[: rng.integer(1, 2)] if twins),
        *((other, rng.choice(TOWNS)) for other in others),
    ]
    return [
        Record(
            "customer",
            code,
            {
                "name": who,
                "town": where,
                "e-mail": f"{who.lower().replace(' ', '.')}{rng.integer(10, 99)}@{rng.choice(('post', 'mail', 'home'))}.example",
                "tier": rng.choice(("gold", "standard")),
                "sent back this year": rng.choice((0, 0, 1, 1, 2, 3, 4, 5)),
            },
        )
        for code, (who, where) in zip(codes(rng, len(named), "C"), named)
    ]


def _sample_wish(rng: Rng, policy: Policy, person: Record, wishes: Sequence[str] = WISHES) -> Wanted:
    limits = [rule.number for rule in policy.rules if rule.kind.startswith("late")]
    since = rng.choice(limits) + rng.integer(-1, 2) if limits and rng.chance(0.6) else rng.integer(1, 60)
    state = rng.weighted(("processing", "on its way", "delivered"), (3, 1, 5))
    price, (colour, other) = 10 * rng.integer(4, 90), rng.sample(COLOURS, 2)
    return {
        **person.facts,
        "colour": colour,
        "price": price,
        "state": state,
        "days since delivery": since if state == "delivered" else 0,
        "clearance": rng.weighted(("no", "yes"), (3, 1)),
        "paid": rng.choice(("card", "voucher")),
        "wish": rng.choice(wishes),
        "reason": rng.choice(tuple(phrases.REASONS)),
        "wanted": other,
        "stock": rng.choice((0, 0, 1, 2, 3, 9)),
        "price now": price + 10 * rng.integer(-3, 3),
    }


def _effect_of_rule(wish: Wanted, rule: Rule) -> str:
    """What a rule does: a wish is refused with the number of the rule, and a return is paid back in some way."""
    verdict = BOOK[rule.kind].verdict
    if verdict == "do" and wish["wish"] == "return":
        return str(wish["paid"])
    return rule.kind if verdict == "refuse" else verdict


def _order(rng: Rng, customer: str, wish: Wanted, product: str, code: str, day: int) -> list[Record]:
    """An order, and the colours in which its product can be had."""
    shown = {"customer": customer, "product": product, "ordered on day": day, **{name: wish[name] for name in _SHOWN}}
    return [
        Record("order", code, shown),
        Record("variant", f"{product} {wish['wanted']}", {"stock": wish["stock"], "price now": wish["price now"]}),
        Record("variant", f"{product} {wish['colour']}", {"stock": rng.integer(0, 9), "price now": wish["price"]}),
    ]


def _twist(rng: Rng, email: str) -> str:
    name, _, house = email.partition("@")
    return rng.choice((f"{name[:-2]}{(int(name[-2:]) + rng.integer(1, 80) - 10) % 90 + 10}@{house}", f"{name}@work.example"))
