"""Merge vendors that exist twice in the ledger: keep the right one, move what is open to it, and block the others.

Judged by the state of all systems at the end. Vendors of the same name need not be the same firm.
"""

from rlgym import Game, Rng, knob
from rlgym.answers import ToolCalls
from rlgym.generators.company.company import Company, CompanyKnobs
from rlgym.generators.company.eyes import Eyes
from rlgym.generators.company.ledger import (
    INVOICES,
    VENDORS,
    GetVendor,
    ListInvoices,
    ReassignInvoice,
    SearchVendors,
    SetBankAccount,
    SetVendorStatus,
)
from rlgym.generators.company.mail import MAIL, ListMail, ReadMail, SendMail
from rlgym.generators.company.operations import Finish, Write
from rlgym.generators.company.procurement import ORDERS, ListPurchaseOrders, ReassignPurchaseOrder
from rlgym.generators.company.rulebook import Rulebook, Rules
from rlgym.generators.company.second_versions import versioned
from rlgym.generators.company.wiki import WIKI
from rlgym.generators.company.work import Work, Workflow
from rlgym.generators.company.world import Row, add_days, days_between, euros

SUBJECT = "Duplicate vendor"
BOOK = Rulebook(
    "Duplicate vendors",
    {
        "same": "Vendors are the same firm if they have the same tax number, whatever their names are.",
        "keep": "Of the vendors of a firm, the one with the earliest date in the field `since` is kept, and the others are blocked.",
        "invoices": "Invoices of the others that are open or approved are booked to the kept one.",
        "held": "An invoice that is held or disputed stays where it is, and the vendor that has one is not blocked.",
        "orders": "Purchase orders of the others in the state open are booked to the kept one.",
        "bank": "The kept vendor gets the bank account of the firm that was verified last, if it is not its own.",
        "expired": "A bank account that was verified more than {days} days ago does not count.",
        "tell": "The sender of the mail gets one mail that names the code of the kept vendor and the codes of the others of the firm.",
    },
    basic=("same", "keep", "invoices"),
    needs={"expired": "bank"},
)
TOOLS = ToolCalls(versioned(*MAIL, *VENDORS, *INVOICES, *ORDERS, ReassignPurchaseOrder, *WIKI, Finish), limit_in_prompt=True)
RIGHTS = ("ledger.write", "purchasing.write")


class Knobs(CompanyKnobs):
    cases: int = knob(2, easy=1, hard=3, doc="firms with several vendors")
    clauses: int = knob(3, easy=0, hard=5, doc="rules besides the basic ones")
    duplicates: int = knob(2, easy=2, hard=3, doc="vendors of a firm")


def start(rng: Rng, knobs: Knobs, migrated: bool = False) -> Work:
    company = Company(rng, 6 + knobs.records // 6, migrated=migrated)
    several = knobs.cases > 1
    days = rng.integer(300, 400)
    old = [{"days": days + rng.choice((-60, 60))} for _ in range(knobs.outdated_pages if several else 0)]
    rules = BOOK.draw(rng, knobs.clauses, ["bank", "expired"] if old else [])
    said, facts, skipped = BOOK.install(company, rules, {"days": days}, old)
    toward = (old[0]["days"] - days) // 3 if old else -20
    names = [_case(company, rules, days, toward, knobs.duplicates, place) for place in range(knobs.cases)]
    skipped = [*skipped, *(["same"] if rules else [])]
    for _ in range(knobs.records // 4):
        _bills(company, company.vendor(since=company.day(-2000, -900)), ("open", "paid"))
    facts = {**facts, "name": names[0]}
    if not several:
        beside = ", beside another firm of this name" if rules else ""
        briefing = f"The vendor {names[0]!r} of {company.name} exists several times{beside}. Merge the duplicates.\n{said}"
        return desk.ready(company.work(knobs, briefing, facts, skipped, RIGHTS), knobs)
    del facts["name"]
    late = company.plant_mails([_mail(company, name) for name in names], bool(knobs.arrivals))
    company.fill_mail(min(knobs.records // 6, 6))
    briefing = (
        f"You keep the vendors of {company.name} in order. Every mail in the inbox with the subject {SUBJECT!r} names a vendor that exists several times; all "
        "vendors of the firm have this name, but other firms may have it too. There is one such firm for each mail. Merge the duplicates.\n"
        + said
    )
    state = company.work(knobs, briefing, facts, skipped, RIGHTS)
    return desk.ready(company.disturbed(state, TOOLS.tools, knobs, *late), knobs)


def shift(rng: Rng, knobs: Knobs) -> Work:
    """The same work with the second versions of all tools, and with rules that are amended by further pages."""
    return start(rng, knobs, migrated=True)


def plan(eyes: Eyes, slip: str = "") -> list[Write]:
    if "name" in eyes.facts:
        return _merge_vendors(eyes, BOOK.look_up(eyes, slip), eyes.facts["name"], "", slip)
    rules, rows = eyes.together([lambda: BOOK.look_up(eyes, slip), lambda: eyes.all(ListMail(folder="inbox"))])
    mails = eyes.each([ReadMail(mail=row["id"]) for row in rows if row["subject"] == SUBJECT])
    deeds = eyes.for_each(mails, lambda mail: _merge_vendors(eyes, rules, mail["body"].split("'")[1], mail["sender"], slip))
    return [deed for some in deeds for deed in some]


def _merge_vendors(eyes: Eyes, rules: Rules, name: str, sender: str, slip: str) -> list[Write]:
    found = [row for row in eyes.all(SearchVendors(words=name)) if row["name"] == name]
    vendors = eyes.each([GetVendor(vendor=row["id"]) for row in found])
    numbers = [vendor["tax_number"] for vendor in vendors]
    firm = sorted((one for one in vendors if numbers.count(one["tax_number"]) > 1 or slip == "same"), key=lambda one: str(one["since"]))
    kept, others = firm[0], firm[1:]
    deeds: list[Write] = []
    for some in eyes.for_each(others, lambda other: _move_records(eyes, rules, other["id"], kept["id"])):
        deeds += some
    if "bank" in rules:
        fresh = [one for one in firm if "expired" not in rules or days_between(one["iban_verified"], eyes.today) <= rules.number("days")]
        newest = max(fresh, key=lambda one: str(one["iban_verified"]), default=kept)
        deeds += [SetBankAccount(vendor=kept["id"], iban=newest["iban"])] if newest["iban"] != kept["iban"] else []
    if "tell" in rules and sender:
        codes = ", ".join(one["id"] for one in others)
        deeds.append(SendMail(to=sender, subject=SUBJECT, body=f"{kept['id']} is kept; its duplicates are {codes}."))
    return deeds


def _move_records(eyes: Eyes, rules: Rules, vendor: str, kept: str) -> list[Write]:
    invoices, orders = eyes.together(
        [lambda: eyes.all(ListInvoices(vendor=vendor)), lambda: eyes.all(ListPurchaseOrders(vendor=vendor)) if "orders" in rules else []]
    )
    held = [row for row in invoices if row["status"] in ("held", "disputed")]
    deeds: list[Write] = [ReassignInvoice(invoice=row["id"], vendor=kept) for row in invoices if row["status"] in ("open", "approved")]
    deeds += [ReassignPurchaseOrder(order=row["id"], vendor=kept) for row in orders if row["state"] == "open"]
    return deeds if held and "held" in rules else [*deeds, SetVendorStatus(vendor=vendor, status="blocked")]


def _case(company: Company, rules: list[str], days: int, toward: int, duplicates: int, place: int) -> str:
    """The vendors of a firm, and one of the same name that is another firm."""
    rng, name = company.rng, company.firm()
    tax = company.tax_number()
    ages = sorted(rng.sample(range(900, 2000), duplicates + 1), reverse=True)
    # The account of a duplicate was verified last; with the rule of the expired account it counts or not.
    verified = [days + 100, *rng.sample(range(40, 200), duplicates - 1)]
    if "expired" in rules and place < 2:
        verified = [days + 150, days + (toward if place == 0 else 90), *rng.sample(range(days + 100, days + 140), duplicates - 2)]
    for number in range(duplicates):
        fields: Row = {"since": add_days(company.today, -ages[number]), "iban_verified": add_days(company.today, -verified[number])}
        vendor = company.vendor(name, tax_number=tax, **fields)
        held = ("held",) if "held" in rules and number == 1 and place == 0 else ()
        _bills(company, vendor, ("open", *(("approved", "paid") if rules else ()), *held) if number else ("open", "paid"))
    if not rules:
        return name
    other = company.vendor(name, since=add_days(company.today, -ages[duplicates]), iban_verified=company.day(-60, -41))
    _bills(company, other, ("open",))
    return name


def _bills(company: Company, vendor: str, statuses: tuple[str, ...]) -> None:
    rng = company.rng
    for status in statuses:
        price = 100 * rng.integer(3, 90)
        row: Row = {
            "vendor": vendor,
            "item": rng.choice(("boxes", "cables", "panels")),
            "net_price": euros(price),
            "units": 10,
            "tax_percent": 10,
        }
        state = "open" if status == "open" else "closed"
        order = company.add("purchase_orders", "PO", **row, date=company.day(-90, -40), state=state)
        amount = price * 11
        number = f"{rng.integer(100, 999)}/{rng.integer(10, 99)}"
        bill: Row = {
            "vendor": vendor,
            "number": number,
            "order": order,
            "amount_cents": amount,
            "date": company.day(-30, -2),
            "status": status,
        }
        company.add("invoices", "I", **bill, payable_cents=amount if status == "paid" else 0)


def _mail(company: Company, name: str) -> Row:
    sender = company.email(company.rng.choice(company.staff))
    return company.mail_row(
        sender, SUBJECT, f"The vendor '{name}' exists several times. Please merge the duplicates.", company.rng.integer(0, 4)
    )


desk = Workflow(TOOLS, plan)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Tell firms apart by what identifies them, keep the vendor that the rules name, and move only what may be moved.",
    shift=shift,
    rules=desk.rules,
    milestones=desk.milestones,
    version=6,
)  # fmt: skip
