"""Set up new employees in all systems: directory, accounts, groups, meeting series, files and chat, by the checklist of their department.

Judged by the state of all systems at the end. Somebody who worked here before has accounts that are activated again, and access that needs an
approval is given to nobody whose approval is not there.
"""

from rlgym import Game, Rng, knob
from rlgym.answers import ToolCalls
from rlgym.generators.company.access import ACCESS, ListAccounts, OpenAccount, SetAccountRole, SetAccountState
from rlgym.generators.company.chat import CHAT, CHAT_WRITE, AddToChannel, SearchChannels
from rlgym.generators.company.company import Company, CompanyKnobs
from rlgym.generators.company.directory import (
    DIRECTORY,
    AddMember,
    GetGroup,
    GetPerson,
    SearchGroups,
    SearchPeople,
    SetManager,
    SetPersonStatus,
)
from rlgym.generators.company.eyes import Eyes
from rlgym.generators.company.mail import MAIL, ListMail, ReadMail, SendMail
from rlgym.generators.company.operations import Finish, Write
from rlgym.generators.company.rulebook import Rulebook, Rules
from rlgym.generators.company.schedule import SERIES, InviteToSeries, SearchMeetings
from rlgym.generators.company.second_versions import versioned
from rlgym.generators.company.tickets import TICKETS, GetTicket, SearchTickets
from rlgym.generators.company.wiki import WIKI, ReadPage, SearchWiki
from rlgym.generators.company.work import Work, Workflow
from rlgym.generators.company.world import Row

SUBJECT = "New employee"
BOOK = Rulebook(
    "Onboarding",
    {
        "status": "The status of the new employee is set to active.",
        "accounts": "The new employee gets an account as a reader in each application of the department.",
        "returning": "An employee who has an account in such an application already, closed or suspended, keeps it: it is activated again and its role is set.",
        "senior": "An employee of level {senior} or above is an editor instead of a reader.",
        "approval": "The application Vault is left out unless a closed ticket titled with the words Vault for and the name of the new employee exists.",
        "group": "The new employee joins the group that is named as the department.",
        "restricted": "A group of the kind restricted is not joined.",
        "series": "The new employee is invited to the meeting series of the department, titled with the department and the word weekly.",
        "channel": "The new employee is added to the chat channel that is named as the department.",
        "manager": "The direct manager of the new employee becomes the person whom the mail names.",
        "welcome": "The manager named in the mail gets one mail that names the code of the new employee.",
    },
    basic=("status", "accounts"),
)
APPLICATIONS = ("Ledger", "Tracker", "Planner", "Warehouse", "Analytics")
TOOLS = ToolCalls(versioned(*MAIL, *DIRECTORY, *ACCESS, *SERIES, *TICKETS, *CHAT, *CHAT_WRITE, *WIKI, Finish), limit_in_prompt=True)
RIGHTS = ("directory.write", "access.write", "calendar.write")


class Knobs(CompanyKnobs):
    cases: int = knob(2, easy=1, hard=2, doc="new employees")
    clauses: int = knob(5, easy=0, hard=9, doc="rules besides the basic ones")
    applications: int = knob(2, easy=1, hard=3, doc="applications of each department, without Vault")


def start(rng: Rng, knobs: Knobs, migrated: bool = False) -> Work:
    company = Company(rng, 8 + knobs.records // 2, migrated=migrated)
    rules = rng.sample(BOOK.optional, min(knobs.clauses, len(BOOK.optional)))
    if "restricted" in rules and "group" not in rules:
        rules[rules.index("restricted")] = "group"
    numbers = {"senior": rng.integer(4, 6)}
    old = [{"senior": numbers["senior"] + rng.choice((-1, 1))} for _ in range(knobs.outdated_pages if knobs.cases > 1 else 0)]
    if old and "senior" not in rules:
        rules[-1:] = ["senior"]
    said, facts, skipped = BOOK.install(company, rules, numbers, old)
    used = {department: rng.sample(APPLICATIONS, knobs.applications) for department in company.departments}
    if "approval" in rules:
        used |= {department: rng.shuffled([*names, "Vault"]) for department, names in used.items()}
    _equip(company, knobs)
    lists = {department: f"Applications used in {department}: {', '.join(names)}." for department, names in used.items()}
    hired = [_case(company, rules, used, numbers["senior"] - place, place) for place in range(knobs.cases)]
    if knobs.cases == 1:
        applications = lists[company.departments[0]]
        briefing = f"Set up {hired[0]}, a new employee of {company.name}. {applications}\n{said}"
        state = company.work(knobs, briefing, {**facts, "person": hired[0], "applications": applications}, skipped, RIGHTS)
        return desk.ready(state, knobs)
    for department, text in lists.items():
        company.page(f"Applications of {department}", text)
    mails = rng.shuffled([_mail(company, person) for person in hired])
    late = [company.arrival("mail", "mails", company.code("M"), mails.pop())] if knobs.arrivals else []
    for row in mails:
        company.add("mails", "M", **row)
    company.fill_mail(min(knobs.records // 6, 6))
    briefing = (
        f"You set up new employees at {company.name}. Every mail in the inbox with the subject {SUBJECT!r} is about one of them. The department of a "
        f"person is the one in the directory; its applications are on the page of the wiki titled 'Applications of' and the department.\n{said}"
    )
    return desk.ready(company.disturbed(company.work(knobs, briefing, facts, skipped, RIGHTS), TOOLS.tools, knobs, *late), knobs)


def shift(rng: Rng, knobs: Knobs) -> Work:
    """The same work with the second versions of all tools, and with rules that are amended by further pages."""
    return start(rng, knobs, migrated=True)


def plan(eyes: Eyes, slip: str = "") -> list[Write]:
    if "person" in eyes.facts:
        rules = BOOK.look_up(eyes, slip)
        return _set_up(eyes, rules, eyes.ask(GetPerson(person=eyes.facts["person"])), eyes.facts["applications"])
    rules, rows = eyes.together([lambda: BOOK.look_up(eyes, slip), lambda: eyes.all(ListMail(folder="inbox"))])
    mails = eyes.each([ReadMail(mail=row["id"]) for row in rows if row["subject"] == SUBJECT])
    return [deed for deeds in eyes.for_each(mails, lambda mail: _onboard(eyes, rules, mail)) for deed in deeds]


def _onboard(eyes: Eyes, rules: Rules, mail: Row) -> list[Write]:
    words = mail["body"].split("'")
    person = _person_named(eyes, words[1])
    title = f"Applications of {person['department']}"
    pages = eyes.all(SearchWiki(words=title))
    page = eyes.ask(ReadPage(code=next(row["id"] for row in pages if row["title"] == title)))
    deeds = _set_up(eyes, rules, person, page["text"])
    if "manager" in rules or "welcome" in rules:
        manager = _person_named(eyes, words[3])
        deeds += [SetManager(person=person["id"], manager=manager["id"])] if "manager" in rules else []
        deeds += [SendMail(to=manager["email"], subject=SUBJECT, body=f"{person['id']} is set up.")] if "welcome" in rules else []
    return deeds


def _person_named(eyes: Eyes, name: str) -> Row:
    found = eyes.all(SearchPeople(words=name))
    person: Row = eyes.ask(GetPerson(person=next(row["id"] for row in found if row["name"] == name)))
    return person


def _set_up(eyes: Eyes, rules: Rules, person: Row, applications: str) -> list[Write]:
    code, department = person["id"], person["department"]
    wanted = [name for name in applications.partition(": ")[2].strip(".").split(", ") if name]
    questions = [
        lambda: eyes.all(ListAccounts(person=code)) if "returning" in rules else [],
        lambda: _is_approved(eyes, person) if "approval" in rules and "Vault" in wanted else True,
        lambda: _groups_to_join(eyes, rules, person) if "group" in rules else [],
        lambda: (
            [row["id"] for row in eyes.all(SearchChannels(words=department)) if row["name"] == department] if "channel" in rules else []
        ),
        lambda: eyes.all(SearchMeetings(words=f"{department} weekly")) if "series" in rules else [],
    ]
    accounts, approved, groups, channels, meetings = eyes.together(questions)
    role = "editor" if "senior" in rules and person["level"] >= rules.number("senior") else "reader"
    held = {row["application"]: row for row in accounts}
    deeds: list[Write] = [SetPersonStatus(person=code, status="active")]
    for name in wanted:
        if name == "Vault" and not approved:
            continue
        if name not in held:
            deeds.append(OpenAccount.model_validate({"person": code, "application": name, "role": role}))
            continue
        deeds.append(SetAccountState(account=held[name]["id"], state="active"))
        if held[name]["role"] != role:
            deeds.append(SetAccountRole.model_validate({"account": held[name]["id"], "role": role}))
    deeds += [AddMember(group=group, person=code) for group in groups]
    deeds += [AddToChannel(channel=channel, person=code) for channel in channels]
    return deeds + [InviteToSeries(series=series, person=code) for series in dict.fromkeys(row["series"] for row in meetings)]


def _is_approved(eyes: Eyes, person: Row) -> bool:
    found = eyes.all(SearchTickets(words=f"Vault for {person['name']}"))
    tickets = eyes.each([GetTicket(ticket=row["id"]) for row in found if row["title"] == f"Vault for {person['name']}"])
    return any(ticket["status"] == "closed" for ticket in tickets)


def _groups_to_join(eyes: Eyes, rules: Rules, person: Row) -> list[str]:
    found = [row for row in eyes.all(SearchGroups(words=person["department"])) if row["name"] == person["department"]]
    groups = eyes.each([GetGroup(group=row["id"]) for row in found])
    return [group["id"] for group in groups if group["kind"] == "open" or "restricted" not in rules]


def _equip(company: Company, knobs: Knobs) -> None:
    """Groups, channels and meeting series of the departments, beside others that are named alike."""
    for place, department in enumerate(company.departments):
        head = company.heads[department]
        company.add("groups", "G", name=department, owner=head, members=[head], kind="open" if place % 2 else "restricted")
        company.add("groups", "G", name=f"{department} alumni", owner=head, members=[head], kind="open")
        company.add("channels", "CH", name=department, topic=f"The work of {department}", members=[head])
        company.add("channels", "CH", name=f"{department} lunch", topic="Food", members=[head])
        series = company.code("SR")
        for week in (1, 2):
            times = {"date": company.working_day(7 * week), "start": "10:00", "end": "10:30", "room": ""}
            company.add("meetings", "E", title=f"{department} weekly", organizer=head, attendees=[head], series=series, **times)
    for person in company.staff[: knobs.records // 3]:
        _account(company, person, company.rng.choice(APPLICATIONS), "reader", "active")
        row: Row = {
            "queue": "Office",
            "priority": "low",
            "assignee": person,
            "reporter": company.actor,
            "status": company.rng.choice(("open", "closed")),
        }
        title = f"{company.rng.choice(('Laptop', 'Badge', 'Phone'))} for {company.full(person)}"
        company.add("tickets", "T", title=title, **row, opened=company.day(-60, -3), links=[], text="As usual.")


def _account(company: Company, person: str, application: str, role: str, state: str) -> str:
    return company.add("accounts", "A", person=person, application=application, role=role, state=state, kind="personal")


def _case(company: Company, rules: list[str], used: dict[str, list[str]], level: int, place: int) -> str:
    """A new employee; the first one worked here before, and waits for the approval that the second one has."""
    rng, department = company.rng, company.departments[place]
    person = company.person(department, "analyst", company.heads[company.departments[3]], status="starting", level=level)
    known = [name for name in used[department] if name != "Vault"]
    if place == 0 and "returning" in rules:
        _account(company, person, rng.choice(known), rng.choice(("reader", "editor")), rng.choice(("closed", "suspended")))
    if "Vault" in used[department]:
        status = "waiting" if place == 0 else "closed"
        row = {"queue": "Security", "priority": "normal", "assignee": rng.choice(company.staff), "reporter": company.heads[department]}
        text = f"May {company.full(person)} use Vault?"
        fields: Row = {"status": status, "opened": company.day(-20, -5), "links": [], "text": text}
        company.add("tickets", "T", title=f"Vault for {company.full(person)}", **row, **fields)
    return person


def _mail(company: Company, person: str) -> Row:
    manager = company.rng.choice(company.others(company.actor))
    body = f"'{company.full(person)}' starts soon, with '{company.full(manager)}' as the direct manager. Please set up everything."
    return company.mail_row(company.email(company.rng.choice(company.staff)), SUBJECT, body, company.rng.integer(0, 5))


desk = Workflow(TOOLS, plan)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Find the rules and the applications of the department, look up what each new employee has already, and change only what the rules say.",
    shift=shift,
    rules=desk.rules,
    milestones=desk.milestones,
    version=6,
)  # fmt: skip
