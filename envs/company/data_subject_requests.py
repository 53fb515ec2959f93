"""Erase what a company holds about people who ask for it, except what the rules say must be kept.

Judged by the state of all systems at the end. Nobody else's data is touched, however similar the names are.
"""

from rlgym import Game, Rng, knob
from rlgym.answers import ToolCalls
from rlgym.generators.company.company import Company, CompanyKnobs
from rlgym.generators.company.documents import FILES, DeleteFile, GetFile, SearchFiles
from rlgym.generators.company.eyes import Eyes
from rlgym.generators.company.mail import MAIL, ListMail, MoveMail, ReadMail, SendMail
from rlgym.generators.company.operations import Finish, Write
from rlgym.generators.company.rulebook import Rulebook, Rules
from rlgym.generators.company.second_versions import versioned
from rlgym.generators.company.shop import CUSTOMERS, ERASURE, DeleteOrder, ListOrders, SearchCustomers, SetCustomerState
from rlgym.generators.company.wiki import WIKI
from rlgym.generators.company.work import Work, Workflow
from rlgym.generators.company.world import Row, days_between

SUBJECT = "My data"
BOOK = Rulebook(
    "Requests for erasure",
    {
        "erase": "Every customer with exactly the e-mail address of the sender is set to erased.",
        "books": "A customer with an order of the last {days} days is set to restricted instead.",
        "orders": "Orders of customers with that address that are more than {days} days old are deleted; younger ones stay.",
        "running": "If one of the orders of a customer has the status open, nothing about this customer, its orders and its files is changed.",
        "files": "Files whose name contains the code of a customer with that address are deleted.",
        "hold": "A file that names a ticket as its hold stays.",
        "others": "What the sender asks for somebody else is not done.",
        "archive": "The mail with the request is moved to the folder archive.",
        "answer": "The sender gets one mail that names the codes of all customers with the sender's address, whatever was done.",
    },
    basic=("erase",),
    needs={"orders": "books", "hold": "files"},
)
TOOLS = ToolCalls(versioned(*MAIL, *CUSTOMERS, *ERASURE, *FILES, *WIKI, Finish), limit_in_prompt=True)
RIGHTS = ("shop.write", "files.write")


class Knobs(CompanyKnobs):
    cases: int = knob(2, easy=1, hard=4, doc="people who ask")
    clauses: int = knob(4, easy=0, hard=8, doc="rules besides the basic one")


def start(rng: Rng, knobs: Knobs, migrated: bool = False) -> Work:
    company = Company(rng, 6 + knobs.records // 5, migrated=migrated)
    several = knobs.cases > 1
    days = 30 * rng.integer(5, 10)
    old = [{"days": days + rng.choice((-60, 60))} for _ in range(knobs.outdated_pages if several else 0)]
    rules = BOOK.draw(rng, knobs.clauses, ["books"] if old else [])
    said, facts, skipped = BOOK.install(company, rules, {"days": days}, old)
    edge = (old[0]["days"] + days) // 2 if old else days - 20
    mails = [_case(company, rules, days, edge, place) for place in range(knobs.cases)]
    for _ in range(knobs.records // 2):
        _customer(company, company.full_name(), "", [rng.integer(10, 700)])
    if not several:
        sender = mails[0]["sender"]
        briefing = f"Somebody asks {company.name} to erase all data about them, by a mail from {sender}. Do what the rules say.\n{said}"
        return desk.ready(company.work(knobs, briefing, {**facts, "sender": sender}, skipped, RIGHTS), knobs)
    late = company.plant_mails(mails, bool(knobs.arrivals))
    company.fill_mail(min(knobs.records // 6, 6))
    briefing = (
        f"You settle requests for the erasure of data at {company.name}. Every mail in the inbox with the subject {SUBJECT!r} is one. Orders are dated "
        f"by their field date.\n{said}"
    )
    state = company.work(knobs, briefing, facts, skipped, RIGHTS)
    return desk.ready(company.disturbed(state, TOOLS.tools, knobs, *late), knobs)


def shift(rng: Rng, knobs: Knobs) -> Work:
    """The same work with the second versions of all tools, and with rules that are amended by further pages."""
    return start(rng, knobs, migrated=True)


def plan(eyes: Eyes, slip: str = "") -> list[Write]:
    if "sender" in eyes.facts:
        return _erase(eyes, BOOK.look_up(eyes, slip), eyes.facts["sender"])[0]
    rules, rows = eyes.together([lambda: BOOK.look_up(eyes, slip), lambda: eyes.all(ListMail(folder="inbox"))])
    mails = eyes.each([ReadMail(mail=row["id"]) for row in rows if row["subject"] == SUBJECT])
    return [deed for deeds in eyes.for_each(mails, lambda mail: _settle_request(eyes, rules, mail, slip)) for deed in deeds]


def _settle_request(eyes: Eyes, rules: Rules, mail: Row, slip: str) -> list[Write]:
    deeds, codes = _erase(eyes, rules, mail["sender"])
    words = mail["body"].split("'")
    if slip == "others" and len(words) > 1:
        deeds += _erase(eyes, rules, words[1])[0]
    if "archive" in rules:
        deeds.append(MoveMail.model_validate({"mails": [mail["id"]], "folder": "archive"}))
    if "answer" in rules:
        deeds.append(SendMail(to=mail["sender"], subject=SUBJECT, body=f"Settled for {', '.join(codes)}."))
    return deeds


def _erase(eyes: Eyes, rules: Rules, address: str) -> tuple[list[Write], list[str]]:
    codes = [row["id"] for row in eyes.all(SearchCustomers(words=address)) if row["email"] == address]
    return [deed for deeds in eyes.for_each(codes, lambda code: _customer_erased(eyes, rules, code)) for deed in deeds], codes


def _customer_erased(eyes: Eyes, rules: Rules, code: str) -> list[Write]:
    orders, files = eyes.together(
        [
            lambda: eyes.all(ListOrders(customer=code)) if "books" in rules or "running" in rules else [],
            lambda: eyes.all(SearchFiles(words=code)) if "files" in rules else [],
        ]
    )
    if "running" in rules and any(order["status"] == "open" for order in orders):
        return []
    named = eyes.each([GetFile(file=row["id"]) for row in files if code in row["name"]]) if "hold" in rules else files
    ages = {order["id"]: days_between(order["date"], eyes.today) for order in orders}
    kept = "books" in rules and any(age <= rules.number("days") for age in ages.values())
    deeds: list[Write] = [SetCustomerState(customer=code, state="restricted" if kept else "erased")]
    if "orders" in rules:
        deeds += [DeleteOrder(order=order) for order, age in ages.items() if age > rules.number("days")]
    return deeds + [DeleteFile(file=file["id"]) for file in named if not file.get("hold")]


def _case(company: Company, rules: list[str], days: int, edge: int, place: int) -> Row:
    """A person who asks, with one or two customers, and another person of the same name."""
    rng = company.rng
    name = company.full_name()
    address = f"{name.lower().replace(' ', '.')}{rng.integer(10, 99)}@mail.example"
    young = [edge, days + 100] if place == 0 else [days + rng.integer(90, 300), days + rng.integer(90, 300)]
    customers = [_customer(company, name, address, young, "open" if "running" in rules and place == 1 else "delivered")]
    if place % 2 == 0 or (place == 1 and "running" in rules):
        customers.append(_customer(company, name, address, [rng.integer(10, 60)] if place == 2 else [days + 200]))
    _customer(company, name, f"x{address}", [days + 150])
    for number, customer in enumerate(customers if "files" in rules else []):
        held = "T-1001" if "hold" in rules and number == 0 and place != 1 else ""
        for kind, hold in (("Letter", held), ("Form", "")):
            row: Row = {
                "name": f"{kind} {customer}",
                "folder": "Letters",
                "owner": company.actor,
                "category": "letter",
                "created": company.day(-90, -10),
            }
            company.add("files", "F", **row, ends="", hold=hold, state="active", readers=["everyone"], text="Dear customer.")
    body = "Please erase everything that you hold about me."
    if "others" in rules and place == 0:
        friend = company.full_name()
        other = f"{friend.lower().replace(' ', '.')}@mail.example"
        _customer(company, friend, other, [days + 120])
        body += f" My neighbour {friend} with the address '{other}' wants the same."
    return company.mail_row(address, SUBJECT, f"{body} {name}", rng.integer(0, 5))


def _customer(company: Company, name: str, address: str, ages: list[int], status: str = "delivered") -> str:
    address = address or f"{name.lower().replace(' ', '.')}@post.example"
    customer = company.add("customers", "U", name=name, email=address, city=company.rng.choice(company.sites), state="active")
    for age in ages:
        row: Row = {
            "customer": customer,
            "date": company.day(-age, -age),
            "product": "",
            "item": company.rng.choice(("lamp", "tent", "rug")),
            "units": 1,
        }
        company.add("orders", "S", **row, unit_price="20.00", delivery_fee="5.00", paid="25.00", status=status)
    return customer


desk = Workflow(TOOLS, plan)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Find all customers of the sender and nobody else, look up what binds the company to keep, and erase only the rest.",
    shift=shift,
    rules=desk.rules,
    milestones=desk.milestones,
    version=6,
)  # fmt: skip
