"""Reconcile a bank statement with the ledger at the end of a quarter: post what is missing, reverse what is wrong, and leave the rest alone.

Judged by the state of all systems at the end. What is only late is no mistake, and what was posted before is not posted again.
"""

from rlgym import Game, Rng
from rlgym.answers import ToolCalls
from rlgym.generators.company.company import Company, CompanyKnobs
from rlgym.generators.company.eyes import Eyes
from rlgym.generators.company.ledger import BOOKS, FindEntries, ListBankLines, ListEntries, PostEntry, ReverseEntry
from rlgym.generators.company.operations import Finish, Write
from rlgym.generators.company.rulebook import Rulebook, Rules
from rlgym.generators.company.second_versions import versioned
from rlgym.generators.company.tickets import TICKETS, CreateTicket
from rlgym.generators.company.wiki import WIKI
from rlgym.generators.company.work import Work, Workflow
from rlgym.generators.company.world import Row, add_days, days_between

BOOK = Rulebook(
    "Reconciliation",
    {
        "missing": "A line of the statement whose reference no entry of the quarter has is posted, with the amount of the line.",
        "differs": "An entry whose amount is not that of the line with its reference is reversed, and the amount of the line is posted.",
        "reversed": "Entries whose status is reversed do not count.",
        "double": "If two entries have the reference and the amount of one line, the later one is reversed.",
        "earlier": "A line whose reference has an entry in the quarter before is not posted.",
        "small": "A difference of less than {small} cents between a line and its entry is left as it is.",
        "transit": "An entry whose reference no line has is reversed if it is dated more than {days} days before the end of the quarter.",
        "large": "A missing line of more than {large} cents, in or out, is not posted; instead a ticket of priority high that names its reference is created "
        "in the queue Control, with the title Large amount, and assigned to you.",
    },
    basic=("missing", "differs"),
)
TRAPS = ("reversed", "double", "earlier", "small", "transit", "large")
TOOLS = ToolCalls(versioned(*BOOKS, *TICKETS, CreateTicket, *WIKI, Finish), limit_in_prompt=True)


class Knobs(CompanyKnobs):
    pass


def start(rng: Rng, knobs: Knobs, migrated: bool = False) -> Work:
    company = Company(rng, 6, migrated=migrated)
    several = knobs.cases > 1
    year = company.today[:4]
    company.today = f"{year}-07-{rng.integer(10, 28)}"
    numbers = {"small": 10 * rng.integer(5, 20), "days": rng.integer(9, 12), "large": 100_000 * rng.integer(5, 9)}
    old = [numbers | {"days": numbers["days"] + rng.choice((-5, 5))} for _ in range(knobs.outdated_pages if several else 0)]
    rules = BOOK.draw(rng, knobs.clauses, ["transit"] if old else [])
    said, facts, skipped = BOOK.install(company, rules, numbers, old)
    quarter, before, statement = f"{year}-Q2", f"{year}-Q1", company.code("ST")
    company.tables["periods"] = {quarter: {"state": "open"}, before: {"state": "closed"}}
    kinds = [rule for rule in TRAPS if rule in rules]
    if old:
        kinds.append("low" if old[0]["days"] < numbers["days"] else "high")
    kinds += [
        rng.choice(("missing", "differs"))
        for _ in range(max(1 if set(kinds) <= {"earlier", "small", "low"} else 0, knobs.cases - len(kinds)))
    ]
    kinds += ["right"] * (knobs.records // 2)
    if "transit" in rules:
        kinds.append("late")
    late = [
        company.arrival(
            "ledger", "bank_lines", company.code("L"), _line(company, statement, 100 * rng.integer(20, 900), company.code("XR"))
        )
    ]
    for kind in rng.shuffled(kinds):
        _case(company, kind, numbers, (quarter, before), statement, f"{year}-06-30")
    for _ in range(knobs.records // 3):
        company.add("entries", "B", **_entry(company, "CASH", quarter, 100 * rng.integer(20, 900), company.code("XR"), f"{year}-05-09"))
    briefing = (
        f"Reconcile the bank statement {statement} of {company.name} with the entries of the account BANK in {quarter}, which ended on {year}-06-30. "
        f"The quarter before is {before}. Entries are posted in the account BANK in {quarter}, with the reference of the line.\n{said}"
    )
    facts = {**facts, "statement": statement, "quarter": quarter, "end": f"{year}-06-30", "you": company.actor}
    state = company.work(knobs, briefing, facts, skipped, ("ledger.write", "tickets.write"))
    return desk.ready(company.disturbed(state, TOOLS.tools, knobs, *(late if knobs.arrivals else ())) if several else state, knobs)


def shift(rng: Rng, knobs: Knobs) -> Work:
    """The same work with the second versions of all tools, and with rules that are amended by further pages."""
    return start(rng, knobs, migrated=True)


def plan(eyes: Eyes, slip: str = "") -> list[Write]:
    quarter = eyes.facts["quarter"]
    rules, lines, entries = eyes.together(
        [
            lambda: BOOK.look_up(eyes, slip),
            lambda: eyes.all(ListBankLines(statement=eyes.facts["statement"])),
            lambda: eyes.all(ListEntries(account="BANK", period=quarter)),
        ]
    )
    counted = [entry for entry in entries if entry["status"] == "posted" or "reversed" not in rules]
    deeds = [deed for some in eyes.for_each(lines, lambda line: _reconcile_line(eyes, rules, line, counted)) for deed in some]
    if "transit" in rules:
        references = {line["reference"] for line in lines}
        alone = [entry for entry in counted if entry["reference"] not in references]
        deeds += [ReverseEntry(entry=row["id"]) for row in alone if days_between(row["date"], eyes.facts["end"]) > rules.number("days")]
    return deeds


def _reconcile_line(eyes: Eyes, rules: Rules, line: Row, entries: list[Row]) -> list[Write]:
    amount, reference = line["amount_cents"], line["reference"]
    posting = PostEntry(account="BANK", period=eyes.facts["quarter"], amount_cents=amount, reference=reference)
    own = sorted((entry for entry in entries if entry["reference"] == reference), key=lambda entry: str(entry["date"]))
    if not own:
        found = eyes.all(FindEntries(reference=reference)) if "earlier" in rules else []
        if any(entry["period"] != eyes.facts["quarter"] for entry in found):
            return []
        if "large" in rules and abs(amount) > rules.number("large"):
            you, title, text = eyes.facts["you"], "Large amount", f"Not posted: {reference}."
            return [CreateTicket(title=title, queue="Control", priority="high", assignee=you, text=text)]
        return [posting]
    if "double" in rules and len(own) > 1 and all(entry["amount_cents"] == amount for entry in own):
        return [ReverseEntry(entry=own[-1]["id"])]
    difference = abs(own[0]["amount_cents"] - amount)
    if not difference or ("small" in rules and difference < rules.number("small")):
        return []
    return [ReverseEntry(entry=own[0]["id"]), posting]


def _case(company: Company, kind: str, numbers: dict[str, int], periods: tuple[str, str], statement: str, end: str) -> None:
    """A line of the statement, entries, or both."""
    rng, (quarter, before) = company.rng, periods
    amount = rng.choice((-1, 1)) * (numbers["large"] + 100 * rng.integer(5, 900) if kind == "large" else 100 * rng.integer(20, 4000))
    reference = company.code("XR")
    date = add_days(end, -rng.integer(20, 80))
    age = {"transit": numbers["days"] + rng.integer(10, 30), "low": numbers["days"] - 2, "high": numbers["days"] + 2, "late": 1}
    if kind in age:
        company.add("entries", "B", **_entry(company, "BANK", quarter, amount, reference, add_days(end, -age[kind])))
        return
    company.add("bank_lines", "L", **_line(company, statement, amount, reference, date))
    posted = amount
    match kind:
        case "missing" | "large":
            return
        case "earlier":
            company.add("entries", "B", **_entry(company, "BANK", before, amount, reference, add_days(end, -100)))
            return
        case "differs":
            posted = amount + rng.choice((-1, 1)) * 100 * rng.integer(5, 15)
        case "small":
            posted = amount + rng.choice((-1, 1)) * rng.integer(5, numbers["small"] - 5)
        case "double":
            company.add("entries", "B", **_entry(company, "BANK", quarter, amount, reference, add_days(date, 3)))
    status = "reversed" if kind == "reversed" else "posted"
    company.add("entries", "B", **_entry(company, "BANK", quarter, posted, reference, date, status))


def _line(company: Company, statement: str, amount: int, reference: str, date: str = "") -> Row:
    text = company.rng.choice(("transfer", "card payment", "direct debit", "fee"))
    return {"statement": statement, "date": date or company.day(-60, -20), "amount_cents": amount, "reference": reference, "text": text}


def _entry(company: Company, account: str, period: str, amount: int, reference: str, date: str, status: str = "posted") -> Row:
    return {"account": account, "period": period, "date": date, "amount_cents": amount, "reference": reference, "status": status}


desk = Workflow(TOOLS, plan)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Match lines and entries by their references, and ask for each one without a match why it has none before you correct anything.",
    shift=shift,
    rules=desk.rules,
    milestones=desk.milestones,
    version=7,
)  # fmt: skip
