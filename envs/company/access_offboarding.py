"""Close the access of employees who leave, and pass on to their delegates what they own: accounts, groups, files and tickets.

Judged by the state of all systems at the end. What must survive is handed over before it is lost, and a legal hold stops the closing of accounts.
"""

from rlgym import Game, Rng, knob
from rlgym.answers import ToolCalls
from rlgym.generators.company.access import ACCESS, GetAccount, ListAccounts, SetAccountState, TransferAccount
from rlgym.generators.company.company import Company, CompanyKnobs
from rlgym.generators.company.directory import (
    DIRECTORY,
    AddMember,
    GetGroup,
    GetPerson,
    ListGroups,
    RemoveMember,
    SearchPeople,
    SetGroupOwner,
    SetPersonStatus,
)
from rlgym.generators.company.documents import FILES, ListOwnedFiles, SetFileOwner, SetFileState
from rlgym.generators.company.eyes import Eyes
from rlgym.generators.company.mail import MAIL, ListMail, ReadMail
from rlgym.generators.company.operations import Finish, Write
from rlgym.generators.company.rulebook import Rulebook, Rules
from rlgym.generators.company.second_versions import versioned
from rlgym.generators.company.tickets import TICKETS, AssignTicket, ListAssigned, SearchTickets
from rlgym.generators.company.wiki import WIKI
from rlgym.generators.company.work import Work, Workflow
from rlgym.generators.company.world import Row, days_between

SUBJECT = "Leaving"
BOOK = Rulebook(
    "Offboarding",
    {
        "status": "The status of the employee is set to left.",
        "accounts": "Personal accounts of the employee that are active are closed.",
        "hold": "If an open ticket is titled with the words Legal hold for and the name of the employee, the accounts are suspended instead of closed.",
        "service": "An account of the kind service is not closed; it is transferred to the delegate.",
        "groups": "The employee is removed from all groups.",
        "owner": "Before that, the delegate becomes the owner of each group that the employee owns, and joins it if necessary.",
        "files": "The delegate becomes the owner of each file that the employee owns.",
        "stale": "A file that was created more than {days} days ago is archived instead and keeps its owner.",
        "tickets": "Tickets assigned to the employee that are not closed are assigned to the delegate.",
        "absent": "A delegate whose status is leaving is replaced by the direct manager of the employee.",
    },
    basic=("status", "accounts"),
    needs={"owner": "groups", "stale": "files", "absent": "files", "service": "files"},
)
TOOLS = ToolCalls(versioned(*MAIL, *DIRECTORY, *ACCESS, *FILES, *TICKETS, AssignTicket, *WIKI, Finish), limit_in_prompt=True)
RIGHTS = ("directory.write", "access.write", "files.write", "tickets.write")


class Knobs(CompanyKnobs):
    cases: int = knob(2, easy=1, hard=2, doc="employees who leave")
    clauses: int = knob(4, easy=0, hard=8, doc="rules besides the basic ones")


def start(rng: Rng, knobs: Knobs, migrated: bool = False) -> Work:
    company = Company(rng, 8 + knobs.records // 4, migrated=migrated)
    several = knobs.cases > 1
    days = rng.integer(200, 300)
    old = [{"days": days + rng.choice((-50, 50))} for _ in range(knobs.outdated_pages if several else 0)]
    rules = BOOK.draw(rng, knobs.clauses, ["files", "stale"] if old else [])
    if several and "owner" not in rules and "groups" in rules:
        rules[rules.index("groups")] = "tickets"
    rules = list(dict.fromkeys(rules))
    said, facts, skipped = BOOK.install(company, rules, {"days": days}, old)
    mails = [_case(company, rules, days, place) for place in range(knobs.cases)]
    for _ in range(knobs.records // 5):
        _add_owned_file(company, company.rng.choice(company.staff), days)
    leaver = mails[0]["body"].split("'")[1]
    if not several:
        code = next(code for code, row in company.tables["people"].items() if row["name"] == leaver)
        briefing = f"{leaver}, {code}, leaves {company.name}. Close the access.\n{said}"
        return desk.ready(company.work(knobs, briefing, {**facts, "person": code}, skipped, RIGHTS), knobs)
    late = company.plant_mails(mails, bool(knobs.arrivals))
    company.fill_mail(min(knobs.records // 8, 5))
    briefing = (
        f"You close the access of employees who leave {company.name}. Every mail in the inbox with the subject {SUBJECT!r} is about one of them, and names the "
        f"delegate who takes over what is handed on.\n{said}"
    )
    state = company.work(knobs, briefing, facts, skipped, RIGHTS)
    return desk.ready(company.disturbed(state, TOOLS.tools, knobs, *late), knobs)


def shift(rng: Rng, knobs: Knobs) -> Work:
    """The same work with the second versions of all tools, and with rules that are amended by further pages."""
    return start(rng, knobs, migrated=True)


def plan(eyes: Eyes, slip: str = "") -> list[Write]:
    rules = BOOK.look_up(eyes, slip) if "person" in eyes.facts else None
    if rules is not None:
        person = eyes.ask(GetPerson(person=eyes.facts["person"]))
        return _offboard(eyes, rules, person, person["manager"])
    found, rows = eyes.together([lambda: BOOK.look_up(eyes, slip), lambda: eyes.all(ListMail(folder="inbox"))])
    mails = eyes.each([ReadMail(mail=row["id"]) for row in rows if row["subject"] == SUBJECT])
    return [deed for deeds in eyes.for_each(mails, lambda mail: _handle_departure(eyes, found, mail)) for deed in deeds]


def _handle_departure(eyes: Eyes, rules: Rules, mail: Row) -> list[Write]:
    words = mail["body"].split("'")
    person, delegate = eyes.for_each((words[1], words[3]), lambda name: _person_named(eyes, name))
    replaced = "absent" in rules and delegate["status"] == "leaving"
    return _offboard(eyes, rules, person, person["manager"] if replaced else delegate["id"])


def _person_named(eyes: Eyes, name: str) -> Row:
    found = eyes.all(SearchPeople(words=name))
    person: Row = eyes.ask(GetPerson(person=next(row["id"] for row in found if row["name"] == name)))
    return person


def _offboard(eyes: Eyes, rules: Rules, person: Row, delegate: str) -> list[Write]:
    code = person["id"]
    questions = [
        lambda: eyes.all(ListAccounts(person=code)),
        lambda: eyes.all(SearchTickets(words=f"Legal hold for {person['name']}")) if "hold" in rules else [],
        lambda: eyes.each([GetGroup(group=row["id"]) for row in eyes.all(ListGroups(members=code))]) if "groups" in rules else [],
        lambda: eyes.all(ListOwnedFiles(owner=code)) if "files" in rules else [],
        lambda: eyes.all(ListAssigned(assignee=code)) if "tickets" in rules else [],
    ]
    accounts, holds, groups, files, tickets = eyes.together(questions)
    details = eyes.each([GetAccount(account=row["id"]) for row in accounts]) if "service" in rules else accounts
    held = any(ticket["title"] == f"Legal hold for {person['name']}" and ticket["status"] == "open" for ticket in holds)
    deeds: list[Write] = [SetPersonStatus(person=code, status="left")]
    for account in details:
        if account.get("kind", "personal") == "service":
            deeds.append(TransferAccount(account=account["id"], person=delegate))
        elif account["state"] == "active":
            deeds.append(SetAccountState(account=account["id"], state="suspended" if held else "closed"))
    for group in groups:
        if group["owner"] == code and "owner" in rules:
            deeds += [AddMember(group=group["id"], person=delegate)] if delegate not in group["members"] else []
            deeds.append(SetGroupOwner(group=group["id"], owner=delegate))
        deeds.append(RemoveMember(group=group["id"], person=code))
    for file in files:
        stale = "stale" in rules and days_between(file["created"], eyes.today) > rules.number("days")
        deeds.append(SetFileState(file=file["id"], state="archived") if stale else SetFileOwner(file=file["id"], owner=delegate))
    return deeds + [AssignTicket(ticket=row["id"], assignee=delegate) for row in tickets if row["status"] != "closed"]


def _case(company: Company, rules: list[str], days: int, place: int) -> Row:
    """An employee who leaves, with what belongs to them; the first one is held, the delegate of the second one leaves too."""
    rng = company.rng
    person, delegate, other = (company.hire() for _ in range(3))
    company.row("people", person)["status"] = "leaving"
    company.row("people", delegate)["status"] = "leaving" if place == 1 and "absent" in rules else "active"
    for application, kind in zip(rng.sample(("Ledger", "Tracker", "Planner", "Warehouse"), 3), ("personal", "personal", "service")):
        if kind == "personal" or "service" in rules:
            state = "closed" if kind == "personal" and rng.chance(0.2) else "active"
            company.add("accounts", "A", person=person, application=application, role="editor", state=state, kind=kind)
    for owner, members in ((person, [person, other]), (other, [person, other])):
        if owner != person or "owner" in rules:
            name = f"{rng.choice(('Budget', 'Safety', 'Launch', 'Travel', 'Audit'))} {rng.integer(10, 99)}"
            company.add("groups", "G", name=name, owner=owner, members=sorted(members), kind="open")
    for age in (days - 25, days + 25, rng.integer(5, 100), rng.integer(days + 60, days + 300)):
        _add_owned_file(company, person, age)
    for status in ("open", "waiting", "closed"):
        _ticket(company, f"{rng.choice(('Update', 'Check', 'Move'))} item {rng.integer(10, 99)}", status, person)
    if place == 0 and "hold" in rules:
        _ticket(company, f"Legal hold for {company.full(person)}", "open", other)
    elif "hold" in rules:
        _ticket(company, f"Legal hold for {company.full(person)}", "closed", other)
    body = f"'{company.full(person)}' leaves today. The delegate is '{company.full(delegate)}'."
    return company.mail_row(company.email(rng.choice(company.staff)), SUBJECT, body, rng.integer(0, 5))


def _add_owned_file(company: Company, person: str, age: int) -> None:
    name = f"{company.rng.choice(('Plan', 'Report', 'Minutes', 'Draft'))} {company.rng.integer(100, 999)}"
    row: Row = {
        "name": name,
        "folder": "Shared",
        "owner": person,
        "category": "note",
        "created": company.day(-age, -age),
        "ends": "",
        "hold": "",
    }
    company.add("files", "F", **row, state="active", readers=["everyone"], text="Notes.")


def _ticket(company: Company, title: str, status: str, assignee: str) -> None:
    row: Row = {"title": title, "queue": "Office", "status": status, "priority": "normal", "assignee": assignee, "reporter": assignee}
    company.add("tickets", "T", **row, opened=company.day(-60, -3), links=[], text="See the title.")


desk = Workflow(TOOLS, plan)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Look up all that belongs to a leaver and who takes over, hand it on first, and close only what the rules let you close.",
    shift=shift,
    rules=desk.rules,
    milestones=desk.milestones,
    version=6,
)  # fmt: skip
