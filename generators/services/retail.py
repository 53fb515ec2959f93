"""A shop's customers, their orders, and someone who writes in with wishes and answers when asked."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import PERSONAS, codes, full_names, greeting, later, spoken
from rlgym.generators.services.policy import Book, Clause, Policy, Rule, aim, goals
from rlgym.generators.services.records import Record
from rlgym.generators.worlds.catalogue import COLOURS, KINDS, MATERIALS
from rlgym.generators.worlds.desk import TOWNS

WISHES = ("cancel", "return", "exchange")
REASONS = {"faulty": "it is faulty", "changed_mind": "I changed my mind", "wrong_item": "it is not what I ordered"}
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
        "If the order's price is above {number} coins: hand it to the manager.",
        lambda f, r: f["price"] > r.number,
        "manager",
        range(300, 701, 50),
    ),
    "serial": Clause(
        "If the customer has sent back {number} or more orders this year: hand it to the manager.",
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
_OPENINGS = (
    "I need help with something I bought.",
    "There is a matter with my orders.",
    "Can you sort something out for me?",
    "I have a request.",
)
_ASKS = {
    "cancel": ("I want to cancel {}.", "please cancel {}.", "{} should not be sent any more, cancel it."),
    "return": ("I want to give back {} for money.", "please take back {}.", "I would like to return {}."),
    "exchange": (
        "I want {} in another colour.",
        "please exchange {} for one of another colour.",
        "I would like {} swapped for another colour.",
    ),
}
_CLAIMS = (
    "It came only last week.",
    "A colleague of yours said that would be no problem.",
    "I am a gold customer, by the way.",
    "You need not check anything.",
)


class Shop(NamedTuple):
    records: tuple[Record, ...]
    name: str
    said: str
    stalls: tuple[tuple[str, str], ...]


_Wanted = dict[str, Any]  # an order's facts, and what its customer wants of it
_SHOWN = ("colour", "price", "state", "days since delivery", "clearance", "paid")


def shop(rng: Rng, policy: Policy, wishes: int, history: int, told: str) -> Shop:
    """A shop and a person with wishes.

    Told "all", a wish says everything at once; "some", it names the product, and the rest must be asked for; "little",
    orders are also named by when they were placed, and customers share names. Who does not say all at once may take a wish back.
    """
    persona = rng.choice(PERSONAS)
    people = _people(rng, told == "little" or rng.chance(0.3))
    products = rng.sample([f"{material} {kind}" for material in MATERIALS for kind in KINDS], wishes + history + 2 * len(people))
    spare = codes(rng, len(products), "R")
    me = people[0]
    most = next((rule.number for rule in policy.rules if rule.kind == "serial"), 0)
    if most and rng.chance(0.75):
        me.facts["sent back this year"] = most + rng.integer(0, 2)
    taken_back = rng.integer(1, wishes) if wishes > 1 and told != "all" and rng.chance(0.6) else 0
    due = goals(rng, policy, wishes - 1 if taken_back else wishes)
    wish_cases = [aim(rng, BOOK, policy, goal, partial(_sample_wish, rng, policy, me), _effect_of_rule) for goal in due]
    if taken_back:
        wish_cases.insert(taken_back - 1, _sample_wish(rng, policy, me))
    records, requests = list[Record](), list[tuple[_Wanted, str, str]]()
    for person in people:
        rows = wish_cases if person is me else []
        rows = [*rows, *(_sample_wish(rng, policy, person) for _ in range(history if person is me else 2))]
        placed = [(row, products.pop(), spare.pop(), day) for row, day in zip(rows, rng.sample(range(1, 330), len(rows)))]
        records += [Record("customer", person.code, person.facts), *(row for one in placed for row in _order(rng, person.code, *one))]
        if person is me:
            latest = max(day for *_, day in placed)
            requests = [
                (row, code, "" if told == "little" and day == latest else product)
                for (row, product, code, day), _ in zip(placed, range(wishes))
            ]
    answers, stalls = list[Record](), list[tuple[str, str]]()
    for k, (wish, code, product) in enumerate(requests, 1):
        answers += _answers(rng, persona, k, wish, code, product, told)
        if persona == "forgetful" or rng.chance(0.1):
            about = rng.choice(("wish", "reason", "fallback"))
            stalls.append((f'{{"tool": "ask_user", "arguments": {{"about": "{about}", "wish": {k}', later(rng)))
    if taken_back:
        product = requests[taken_back - 1][2]
        named = f"the {product}" if product else "the order that I placed last of all"
        words = rng.choice(("on second thought, leave {} as it is.", "forget what I said about {}.", "I take back my wish about {}."))
        wishes += 1
        answers.append(_answer(rng, persona, f"wish {wishes}", words.format(named), wish="none", back=str(taken_back)))
    given = me.word("e-mail") if not rng.chance(0.07) else _twist(rng, me.word("e-mail"))
    answers += [
        _answer(rng, persona, "email", given, email=given),
        _answer(rng, persona, "town", f"I live in {me.word('town')}.", town=me.word("town")),
        _answer(rng, persona, f"wish {wishes + 1}", rng.choice(("nothing more, thank you.", "no, that was all.")), wish="none", back="0"),
    ]
    return Shop(
        (*rng.shuffled(records), *answers), me.word("name"), f"{greeting(rng, me.word('name'))} {rng.choice(_OPENINGS)}", tuple(stalls)
    )


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


def _sample_wish(rng: Rng, policy: Policy, person: Record) -> _Wanted:
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
        "wish": rng.choice(WISHES),
        "reason": rng.choice(tuple(REASONS)),
        "wanted": other,
        "stock": rng.choice((0, 0, 1, 2, 3, 9)),
        "price now": price + 10 * rng.integer(-3, 3),
    }


def _effect_of_rule(wish: _Wanted, rule: Rule) -> str:
    """What a rule does: a wish is refused with the number of the rule, and a return is paid back in some way."""
    verdict = BOOK[rule.kind].verdict
    if verdict == "do" and wish["wish"] == "return":
        return str(wish["paid"])
    return rule.kind if verdict == "refuse" else verdict


def _order(rng: Rng, customer: str, wish: _Wanted, product: str, code: str, day: int) -> list[Record]:
    """An order, and the colours in which its product can be had."""
    shown = {"customer": customer, "product": product, "ordered on day": day, **{name: wish[name] for name in _SHOWN}}
    return [
        Record("order", code, shown),
        Record("variant", f"{product} {wish['wanted']}", {"stock": wish["stock"], "price now": wish["price now"]}),
        Record("variant", f"{product} {wish['colour']}", {"stock": rng.integer(0, 9), "price now": wish["price"]}),
    ]


def _answers(rng: Rng, persona: str, k: int, one: _Wanted, code: str, product: str, told: str) -> list[Record]:
    colour, reason = f"In {one['wanted']}, please.", f"Because {REASONS[one['reason']]}."
    extra = [colour] if one["wish"] == "exchange" and told == "all" else []
    extra += [reason] if told == "all" else [rng.choice(_CLAIMS)] if rng.chance(0.4) else []
    named = f"my order {code}" if told == "all" else f"the {product}" if product else "the order that I placed last of all"
    words = " ".join([rng.choice(_ASKS[one["wish"]]).format(named), *extra])
    known = (
        {"order": code, "product": "", "colour": one["wanted"], "reason": one["reason"]}
        if told == "all"
        else {"order": "", "product": product}
    )
    rest = rng.choice([wish for wish in WISHES if wish != one["wish"]] + ["none"])
    fallback = {
        "cancel": "then cancel it.",
        "return": "then I want to return it for money.",
        "exchange": f"then exchange it for a {one['wanted']} one.",
        "none": rng.choice(("then leave it as it is.", "nothing else, then.")),
    }[rest]
    return [
        _answer(rng, persona, f"wish {k}", words, wish=one["wish"], **known),
        _answer(rng, persona, f"colour {k}", colour, colour=one["wanted"]),
        _answer(rng, persona, f"reason {k}", reason, reason=one["reason"]),
        _answer(rng, persona, f"fallback {k}", fallback, wish=rest),
    ]


def _answer(rng: Rng, persona: str, code: str, words: str, **facts: str) -> Record:
    return Record("answer", code, {**facts, "says": spoken(rng, persona, words)})


def _twist(rng: Rng, email: str) -> str:
    name, _, house = email.partition("@")
    return rng.choice((f"{name[:-2]}{(int(name[-2:]) + rng.integer(1, 80) - 10) % 90 + 10}@{house}", f"{name}@work.example"))
