"""Refund customers who sent something back: trace each mail to the order, parcels, earlier refunds and the ledger, and refund what is due.

Judged by the state of all systems at the end. Nothing is refunded twice, and nothing that the bank has taken back already.
"""

from rlgym import Game, Rng
from rlgym.answers import ToolCalls
from rlgym.generators.company.company import Company, CompanyKnobs
from rlgym.generators.company.eyes import Eyes
from rlgym.generators.company.ledger import FindEntries, GetEntry
from rlgym.generators.company.mail import MAIL, ListMail, ReadMail, SendMail
from rlgym.generators.company.operations import Finish, Write
from rlgym.generators.company.rulebook import Rulebook, Rules
from rlgym.generators.company.second_versions import versioned
from rlgym.generators.company.shop import (
    CUSTOMERS,
    REFUNDS,
    CreateRefund,
    GetOrder,
    GetProduct,
    ListOrders,
    ListRefunds,
    ListShipments,
    SearchCustomers,
    SetOrderStatus,
)
from rlgym.generators.company.wiki import WIKI
from rlgym.generators.company.work import Work, Workflow
from rlgym.generators.company.world import Row, add_days, cents, days_between, euros

SUBJECT = "Refund"
BOOK = Rulebook(
    "Refunds",
    {
        "price": "The refund of an order is the price of the units that came back.",
        "deadline": "Units that came back more than {days} days after the delivery are not refunded.",
        "final": "A product that is not returnable is not refunded.",
        "chargeback": "An order whose code is the reference of an entry in the account CHARGEBACK of the ledger is not refunded.",
        "delivery": "If all units of an order are refunded, the delivery fee is refunded too.",
        "earlier": "What was refunded of the order before is subtracted; if nothing is left, nothing is refunded.",
        "close": "The status of an order that gets a refund is set to closed.",
        "answer": "Each mail is answered by one mail to its sender that names the code of the order and the amount of the refund, such as 120.50, or 0.00.",
    },
    basic=("price",),
)
TRAPS = ("deadline", "final", "chargeback", "delivery", "earlier")
TOOLS = ToolCalls(versioned(*MAIL, *CUSTOMERS, *REFUNDS, FindEntries, GetEntry, *WIKI, Finish), limit_in_prompt=True)


class Knobs(CompanyKnobs):
    pass


def start(rng: Rng, knobs: Knobs, migrated: bool = False) -> Work:
    company = Company(rng, 6 + knobs.records // 6, migrated=migrated)
    several = knobs.cases > 1
    days = rng.integer(28, 32)
    old = [{"days": days + rng.choice((-9, 9))} for _ in range(knobs.outdated_pages if several else 0)]
    rules = BOOK.draw(rng, knobs.clauses, ["deadline"] if old else [])
    said, facts, skipped = BOOK.install(company, rules, {"days": days}, old)
    kinds = [*(rule for rule in TRAPS if rule in rules), *(("low" if old[0]["days"] < days else "high",) if old else ())]
    kinds += ["plain"] * max(1 if set(kinds) <= {"deadline", "final", "chargeback", "high"} else 0, knobs.cases - len(kinds))
    kinds = rng.shuffled(kinds)
    orders = [_case(company, kind, days) for kind in kinds]
    for _ in range(knobs.records // 4):
        _case(company, "plain", days)
    if not several:
        briefing = f"The customer of order {orders[0]} of {company.name} sent units back. Refund what is due.\n{said}"
        return desk.ready(company.work(knobs, briefing, {**facts, "order": orders[0]}, skipped, ("shop.write",)), knobs)
    company.fill_mail(min(knobs.records // 4, 8))
    late = company.plant_mails([_mail(company, order) for order in orders], bool(knobs.arrivals))
    briefing = (
        f"You refund customers of the shop of {company.name}. Every mail in the inbox with the subject {SUBJECT!r} is about the sender's order of "
        f"the product that the mail names. Refund each of these orders as the rules say, in one refund; where nothing is due, there is none.\n{said}"
    )
    state = company.work(knobs, briefing, facts, skipped, ("shop.write",))
    return desk.ready(company.disturbed(state, TOOLS.tools, knobs, *late), knobs)


def shift(rng: Rng, knobs: Knobs) -> Work:
    """The same work with the second versions of all tools, and with rules that are amended by further pages."""
    return start(rng, knobs, migrated=True)


def plan(eyes: Eyes, slip: str = "") -> list[Write]:
    if "order" in eyes.facts:
        return _refund(eyes, BOOK.look_up(eyes, slip), eyes.facts["order"])[0]
    rules, rows = eyes.together([lambda: BOOK.look_up(eyes, slip), lambda: eyes.all(ListMail(folder="inbox"))])
    mails = eyes.each([ReadMail(mail=row["id"]) for row in rows if row["subject"] == SUBJECT])
    return [deed for deeds in eyes.for_each(mails, lambda mail: _answer_mail(eyes, rules, mail)) for deed in deeds]


def _answer_mail(eyes: Eyes, rules: Rules, mail: Row) -> list[Write]:
    found = eyes.all(SearchCustomers(words=mail["sender"]))
    customer = next(row["id"] for row in found if row["email"] == mail["sender"])
    orders = eyes.each([GetOrder(order=row["id"]) for row in eyes.all(ListOrders(customer=customer))])
    order = next(order["id"] for order in orders if order["item"] == mail["body"].split("'")[1])
    deeds, amount = _refund(eyes, rules, order)
    if "answer" in rules:
        deeds.append(SendMail(to=mail["sender"], subject=SUBJECT, body=f"{order}: {euros(amount)}"))
    return deeds


def _refund(eyes: Eyes, rules: Rules, code: str) -> tuple[list[Write], int]:
    order = eyes.ask(GetOrder(order=code))
    parcels, product, refunds, entries = eyes.together(
        [
            lambda: eyes.all(ListShipments(order=code)),
            lambda: eyes.ask(GetProduct(product=order["product"])) if "final" in rules else {"returnable": True},
            lambda: eyes.all(ListRefunds(order=code)) if "earlier" in rules else [],
            lambda: eyes.all(FindEntries(reference=code)) if "chargeback" in rules else [],
        ]
    )
    delivered = next(parcel["date"] for parcel in parcels if parcel["kind"] == "delivery")
    back = [parcel for parcel in parcels if parcel["kind"] == "return"]
    if "deadline" in rules:
        back = [parcel for parcel in back if days_between(delivered, parcel["date"]) <= rules.number("days")]
    units = sum(parcel["units"] for parcel in back)
    if not product["returnable"] or any(entry["account"] == "CHARGEBACK" for entry in entries):
        return [], 0
    amount = units * cents(order["unit_price"]) + (cents(order["delivery_fee"]) if units == order["units"] and "delivery" in rules else 0)
    amount -= sum(cents(refund["amount"]) for refund in refunds)
    if amount <= 0:
        return [], 0
    closed = [SetOrderStatus(order=code, status="closed")] if "close" in rules else []
    return [CreateRefund(order=code, amount=euros(amount)), *closed], amount


def _case(company: Company, kind: str, days: int) -> str:
    """An order with its parcels, and another order of the same customer."""
    rng = company.rng
    name = company.full_name()
    customer = company.add(
        "customers", "U", name=name, email=f"{name.lower().replace(' ', '.')}@mail.example", city=rng.choice(company.sites), state="active"
    )
    items = rng.sample(("kettle", "lamp", "chair", "tent", "clock", "mirror", "rug", "fan"), 2)
    for item in items[1:] * (kind != "alone"):
        _order(company, customer, item, rng.integer(1, 6), True)
    units = rng.integer(4, 9)
    order = _order(company, customer, items[0], units, kind != "final")
    came_back = {"low": days - 4, "high": days + 4, "deadline": days + 20}.get(kind, rng.integer(3, 15))
    delivered = company.day(-95, -70)
    number = units if kind == "delivery" else rng.integer(2, units - 1)
    company.add("shipments", "H", order=order, kind="delivery", units=units, date=delivered)
    company.add("shipments", "H", order=order, kind="return", units=number, date=add_days(delivered, came_back))
    price = cents(company.row("orders", order)["unit_price"])
    if kind == "earlier":
        company.add("refunds", "R", order=order, amount=euros(price), date=company.day(-9, -2))
    if kind == "chargeback":
        row = {"period": "open", "date": company.day(-9, -2), "amount_cents": number * price, "reference": order, "status": "posted"}
        company.add("entries", "B", account="CHARGEBACK", **row)
    return order


def _order(company: Company, customer: str, item: str, units: int, returnable: bool) -> str:
    rng = company.rng
    price, fee = 50 * rng.integer(10, 200), 50 * rng.integer(6, 20)
    product = company.add("products", "D", name=item, price=euros(price), returnable=returnable)
    row: Row = {
        "customer": customer,
        "date": company.day(-120, -96),
        "product": product,
        "item": item,
        "units": units,
        "unit_price": euros(price),
    }
    return company.add("orders", "S", **row, delivery_fee=euros(fee), paid=euros(units * price + fee), status="delivered")


def _mail(company: Company, order: str) -> Row:
    row = company.row("orders", order)
    sender = company.row("customers", row["customer"])
    body = f"I sent back what I did not need of my order, the '{row['item']}'. Please refund all units that I sent. {sender['name']}"
    return company.mail_row(sender["email"], SUBJECT, body, company.rng.integer(0, 2))


desk = Workflow(TOOLS, plan)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Find the rules that hold, trace each mail to its order, its parcels and what was refunded before, and refund only what is due.",
    shift=shift,
    rules=desk.rules,
    milestones=desk.milestones,
    version=7,
)  # fmt: skip
