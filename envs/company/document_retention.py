"""Clean up folders by the rules of retention: delete, archive or review what is due, and leave alone what is held or not due.

Judged by the state of all systems at the end. A file that was deleted too early is gone.
"""

from rlgym import Game, Rng
from rlgym.answers import ToolCalls
from rlgym.generators.company.company import Company, CompanyKnobs
from rlgym.generators.company.directory import PEOPLE_READ, GetPerson
from rlgym.generators.company.documents import FILES, DeleteFile, GetFile, ListFolder, SetFileState
from rlgym.generators.company.eyes import Eyes
from rlgym.generators.company.operations import Finish, Write
from rlgym.generators.company.rulebook import Rulebook, Rules
from rlgym.generators.company.second_versions import versioned
from rlgym.generators.company.tickets import TICKETS, GetTicket
from rlgym.generators.company.wiki import WIKI
from rlgym.generators.company.work import Work, Workflow
from rlgym.generators.company.world import Row, add_days, days_between

BOOK = Rulebook(
    "Retention",
    {
        "application": "A file of the category application is due more than {application} days after it was created.",
        "invoice": "A file of the category invoice is due more than {invoice} days after it was created.",
        "contract": "A file of the category contract is due more than {contract} days after the contract ends; one without an end is not due.",
        "delete": "A file that is due is deleted.",
        "archive": "An invoice that is due is archived instead.",
        "hold": "A file that names a ticket as its hold is left as it is while this ticket is not closed.",
        "orphan": "A file that is due and whose owner has the status left is set to review instead of anything else.",
        "copy": "A file whose name begins with Copy of is due at once.",
        "notes": "A file of the category note that is in the state archived is due.",
    },
    basic=("application", "delete"),
    needs={"archive": "invoice"},
)
TRAPS = ("invoice", "contract", "archive", "hold", "orphan", "copy", "notes")
TOOLS = ToolCalls(versioned(*FILES, *PEOPLE_READ, *TICKETS, *WIKI, Finish), limit_in_prompt=True)


class Knobs(CompanyKnobs):
    pass


def start(rng: Rng, knobs: Knobs, migrated: bool = False) -> Work:
    company = Company(rng, 6 + knobs.records // 6, migrated=migrated)
    several = knobs.cases > 1
    numbers = {"application": 30 * rng.integer(5, 8), "invoice": 365 * rng.integer(3, 5), "contract": 90 * rng.integer(2, 5)}
    old = [numbers | {"application": numbers["application"] + rng.choice((-40, 40))} for _ in range(knobs.outdated_pages if several else 0)]
    rules = BOOK.draw(rng, knobs.clauses)
    said, facts, skipped = BOOK.install(company, rules, numbers, old)
    kinds = ["due", *(rule for rule in TRAPS if rule in rules)]
    if old:
        kinds.append("low" if old[0]["application"] < numbers["application"] else "high")
    kinds += ["due"] * (knobs.cases - len(kinds)) + ["young"] * (knobs.records // 4)
    folders = [
        f"{name} {rng.integer(10, 99)}" for name in rng.sample(("Hiring", "Suppliers", "Projects", "Clients", "Estate"), 1 + several)
    ]
    rows = [_file(company, kind, numbers, rng.choice(folders)) for kind in rng.shuffled(kinds)]
    late = [_file(company, "due", numbers, folders[0])] if knobs.arrivals and several else []
    for row in rows:
        company.add("files", "F", **row)
    for _ in range(knobs.records // 3):
        company.add("files", "F", **_file(company, "due", numbers, "Drafts"))
    named = f"the folder {folders[0]!r}" if len(folders) == 1 else f"the folders {folders[0]!r} and {folders[1]!r}"
    briefing = f"Apply the rules of retention at {company.name} to {named}. No other file is touched.\n{said}"
    state = company.work(knobs, briefing, {**facts, "folders": "|".join(folders)}, skipped, ("files.write",))
    arrivals = [company.arrival("files", "files", company.code("F"), row) for row in late]
    return desk.ready(company.disturbed(state, TOOLS.tools, knobs, *arrivals) if several else state, knobs)


def shift(rng: Rng, knobs: Knobs) -> Work:
    """The same work with the second versions of all tools, and with rules that are amended by further pages."""
    return start(rng, knobs, migrated=True)


def plan(eyes: Eyes, slip: str = "") -> list[Write]:
    folders = eyes.facts["folders"].split("|")
    rules, *lists = eyes.together(
        [lambda: BOOK.look_up(eyes, slip), *(lambda folder=folder: eyes.all(ListFolder(folder=folder)) for folder in folders)]
    )
    return [
        deed
        for deeds in eyes.for_each([row for rows in lists for row in rows], lambda row: _archive_or_delete(eyes, rules, row))
        for deed in deeds
    ]


def _archive_or_delete(eyes: Eyes, rules: Rules, row: Row) -> list[Write]:
    if not _may_be_due(rules, row, eyes.today):
        return []
    file = eyes.ask(GetFile(file=row["id"]))
    if not _is_due(rules, file, eyes.today):
        return []
    questions = [
        lambda: eyes.ask(GetTicket(ticket=file["hold"])) if "hold" in rules and file["hold"] else {"status": "closed"},
        lambda: eyes.ask(GetPerson(person=file["owner"])) if "orphan" in rules else {"status": "active"},
    ]
    ticket, owner = eyes.together(questions)
    if ticket["status"] != "closed":
        return []
    if owner["status"] == "left":
        return [SetFileState(file=row["id"], state="review")]
    archived = row["category"] == "invoice" and "archive" in rules
    return [SetFileState(file=row["id"], state="archived") if archived else DeleteFile(file=row["id"])]


def _is_due(rules: Rules, file: Row, today: str) -> bool:
    """Whether a file is due that may be, from what is known of it besides the list."""
    if _is_copy(rules, file):
        return True
    if file["category"] == "contract":
        return bool(file["ends"]) and days_between(file["ends"], today) > rules.number("contract")
    return bool(file["category"] != "note" or file["state"] == "archived")


def _is_copy(rules: Rules, row: Row) -> bool:
    return "copy" in rules and row["name"].startswith("Copy of")


def _may_be_due(rules: Rules, row: Row, today: str) -> bool:
    """What the list of a folder says: only such files are worth a closer look."""
    age, category = days_between(row["created"], today), row["category"]
    if _is_copy(rules, row):
        return True
    if category in ("application", "invoice"):
        return category in rules and age > rules.number(category)
    return {"contract": "contract", "note": "notes"}.get(category, "") in rules


def _file(company: Company, kind: str, numbers: dict[str, int], folder: str) -> Row:
    rng, limit = company.rng, numbers["application"]
    category, age, ends, hold, state = "application", limit + rng.integer(50, 300), "", "", "active"
    owner, name = rng.choice(company.staff), f"{rng.choice(('Form', 'Letter', 'Summary', 'Record'))} {rng.integer(100, 999)}"
    match kind:
        case "young":
            category, age = rng.choice(("application", "sketch", "note", "contract")), rng.integer(5, limit - 60)
        case "low":
            age = limit - 15
        case "high":
            age = limit + 15
        case "invoice" | "archive":
            category, age = "invoice", numbers["invoice"] + rng.integer(5, 90)
        case "contract":
            category, age, ends = "contract", 2000, add_days(company.today, -numbers["contract"] - rng.integer(5, 90))
        case "hold":
            status = rng.choice(("open", "waiting"))
            row: Row = {"title": "Dispute", "queue": "Legal", "status": status, "priority": "normal", "assignee": owner, "reporter": owner}
            hold = company.add("tickets", "T", **row, opened=company.day(-90, -30), links=[], text="Keep the files.")
        case "orphan":
            owner = company.hire(status="left")
        case "copy":
            name, age = f"Copy of {name}", rng.integer(5, 40)
        case "notes":
            category, state, age = "note", "archived", rng.integer(5, 40)
    created = add_days(company.today, -age)
    row = {"name": name, "folder": folder, "owner": owner, "category": category, "created": created, "ends": ends, "hold": hold}
    return row | {"state": state, "readers": ["everyone"], "text": "Kept by the rules."}


desk = Workflow(TOOLS, plan)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Let the lists of the folders say which files may be due, read only those, and see what holds a file before you delete it.",
    shift=shift,
    rules=desk.rules,
    milestones=desk.milestones,
    version=6,
)  # fmt: skip
