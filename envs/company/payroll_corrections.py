"""Correct what was paid for doubtful timesheets, from contracts, payslips and earlier corrections.

Judged by the state of all systems at the end. A correction that is posted twice or in the wrong month is as wrong as none.
"""

from rlgym import Game, Rng
from rlgym.answers import ToolCalls
from rlgym.generators.company.company import Company, CompanyKnobs
from rlgym.generators.company.directory import PEOPLE_READ, GetPerson
from rlgym.generators.company.eyes import Eyes
from rlgym.generators.company.operations import Finish, Write
from rlgym.generators.company.payroll import (
    PAYROLL,
    FindPayslips,
    GetPayMonth,
    GetTimesheet,
    ListContracts,
    ListCorrections,
    ListTimesheets,
    PostCorrection,
    SetTimesheetState,
)
from rlgym.generators.company.rulebook import Rulebook, Rules
from rlgym.generators.company.second_versions import versioned
from rlgym.generators.company.wiki import WIKI
from rlgym.generators.company.work import Work, Workflow
from rlgym.generators.company.world import Row, add_days

BOOK = Rulebook(
    "Pay corrections",
    {
        "due": "What is due is the time worked at the rate per hour of the contract that was valid on the first day of the month.",
        "difference": "A correction is what is due minus what the payslip of the month paid, if the two differ.",
        "overtime": "Minutes of overtime are due at {overtime} percent of that rate, besides the time worked.",
        "earlier": "Corrections of the month that were posted before count as paid.",
        "small": "A difference of less than {small} cents, in either direction, is not corrected.",
        "leaving": "If the status of the person is leaving, nothing is corrected and the state of the timesheet is set to hold.",
        "closed": "A correction is paid with the next month if the payroll of the month itself is closed.",
        "approve": "A timesheet that was checked and is not on hold is set to approved, whether it was corrected or not.",
    },
    basic=("due", "difference", "closed"),
)
TRAPS = ("overtime", "earlier", "small", "leaving")
TOOLS = ToolCalls(versioned(*PAYROLL, *PEOPLE_READ, *WIKI, Finish), limit_in_prompt=True)


class Knobs(CompanyKnobs):
    pass


def start(rng: Rng, knobs: Knobs, migrated: bool = False) -> Work:
    company = Company(rng, 6 + knobs.records // 5, migrated=migrated)
    several = knobs.cases > 1
    numbers = {"overtime": rng.choice((125, 150)), "small": 100 * rng.integer(2, 4)}
    old = [numbers | {"overtime": rng.choice((110, 175))} for _ in range(knobs.outdated_pages if several else 0)]
    rules = BOOK.draw(rng, knobs.clauses, ["overtime"] if old else [])
    said, facts, skipped = BOOK.install(company, rules, numbers, old)
    month = add_days(company.today[:8] + "01", -1)[:7]
    following = company.today[:7]
    for name, payroll in ((month, rng.choice(("closed", "open"))), (following, "open")):
        company.tables.setdefault("pay_months", {})[name] = {"state": payroll}
    kinds = [rule for rule in TRAPS if rule in rules]
    kinds += ["plain"] * max(1 if set(kinds) <= {"small"} else 0, knobs.cases - len(kinds))
    kinds = rng.shuffled(kinds)
    rows = [_case(company, kind, rules, numbers, month) for kind in kinds]
    late = [company.arrival("payroll", "timesheets", company.code("TS"), rows.pop())] if knobs.arrivals and several else []
    sheets = [company.add("timesheets", "TS", **row) for row in rows]
    for _ in range(knobs.records // 3):
        company.add("timesheets", "TS", **{**_case(company, "plain", rules, numbers, month), "state": "approved"})
    facts = {**facts, "month": month, "next": following}
    if not several:
        briefing = (
            f"The timesheet {sheets[0]} for {month} at {company.name} is in the state doubt. Correct what was paid; the next month is {following}.\n"
            f"{said}"
        )
        return desk.ready(company.work(knobs, briefing, {**facts, "sheet": sheets[0]}, skipped, ("payroll.write",)), knobs)
    briefing = (
        f"Check all timesheets of {company.name} for {month} whose state is doubt, and correct what was paid, with one correction for each person at most; the "
        f"next month is {following}.\n{said}"
    )
    state = company.work(knobs, briefing, facts, skipped, ("payroll.write",))
    return desk.ready(company.disturbed(state, TOOLS.tools, knobs, *late), knobs)


def shift(rng: Rng, knobs: Knobs) -> Work:
    """The same work with the second versions of all tools, and with rules that are amended by further pages."""
    return start(rng, knobs, migrated=True)


def plan(eyes: Eyes, slip: str = "") -> list[Write]:
    month = eyes.facts["month"]
    rules, state = eyes.together([lambda: BOOK.look_up(eyes, slip), lambda: eyes.ask(GetPayMonth(month=month))])
    pay_month = month if state["state"] == "open" else eyes.facts["next"]
    if "sheet" in eyes.facts:
        return _check_timesheet(eyes, rules, eyes.facts["sheet"], pay_month)
    rows = eyes.all(ListTimesheets(month=month, state="doubt"))
    return [deed for deeds in eyes.for_each(rows, lambda row: _check_timesheet(eyes, rules, row["id"], pay_month)) for deed in deeds]


def _check_timesheet(eyes: Eyes, rules: Rules, code: str, pay_month: str) -> list[Write]:
    sheet = eyes.ask(GetTimesheet(timesheet=code))
    person, month = sheet["person"], sheet["month"]
    if "leaving" in rules and eyes.ask(GetPerson(person=person))["status"] == "leaving":
        return [SetTimesheetState(timesheet=code, state="hold")]
    contracts, slips, earlier = eyes.together(
        [
            lambda: eyes.all(ListContracts(person=person)),
            lambda: eyes.all(FindPayslips(person=person)),
            lambda: eyes.all(ListCorrections(person=person)) if "earlier" in rules else [],
        ]
    )
    valid = max((row for row in contracts if row["valid_from"] <= f"{month}-01"), key=lambda row: str(row["valid_from"]))
    rate = valid["cents_per_hour"]
    due = sheet["minutes"] * rate // 60
    if "overtime" in rules:
        due += sheet["overtime_minutes"] * rate * rules.number("overtime") // 6000
    paid = sum(row["gross_cents"] for row in slips if row["month"] == month)
    difference = due - paid - sum(row["amount_cents"] for row in earlier if row["month"] == month)
    deeds: list[Write] = []
    if difference and not ("small" in rules and abs(difference) < rules.number("small")):
        deeds.append(PostCorrection(person=person, month=month, amount_cents=difference, pay_month=pay_month))
    return [*deeds, SetTimesheetState(timesheet=code, state="approved")] if "approve" in rules else deeds


def _case(company: Company, kind: str, rules: list[str], numbers: dict[str, int], month: str) -> Row:
    """The timesheet of a person, with contracts and payslips. Rates and times are such that no amount has a part of a cent."""
    rng = company.rng
    person = company.hire(status="leaving" if kind == "leaving" else "active")
    rate = 240 * rng.integer(8, 16)
    newest = rate + 240 * rng.integer(1, 3)
    first = f"{month}-01"
    for valid_from, cents in (
        (add_days(first, -rng.integer(400, 700)), rate - 240),
        (add_days(first, -rng.integer(20, 200)), rate),
        (add_days(first, 14), newest),
    ):
        company.add("contracts", "X", person=person, valid_from=valid_from, cents_per_hour=cents, state="signed")
    minutes = 60 * rng.integer(100, 170)
    overtime = 60 * rng.integer(2, 9) if "overtime" in rules and (kind == "overtime" or rng.chance(0.5)) else 0
    due = minutes * rate // 60 + overtime * rate * numbers["overtime"] // 6000
    short = {"small": rng.choice((-1, 1)) * rng.integer(40, 190)}.get(kind, rng.choice((-1, 1)) * 100 * rng.integer(10, 90))
    if kind == "earlier":
        part = 100 * rng.integer(5, 9)
        company.add("corrections", "K", person=person, month=month, amount_cents=part, pay_month=month)
        short += part
    company.add("payslips", "PS", person=person, month=month, gross_cents=due - short)
    for ago in (40, 70):
        company.add("payslips", "PS", person=person, month=add_days(first, -ago)[:7], gross_cents=due - 100 * rng.integer(1, 50))
    return {"person": person, "month": month, "minutes": minutes, "overtime_minutes": overtime, "state": "doubt"}


desk = Workflow(TOOLS, plan)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Compute what is due from the contract that was valid, subtract all that was paid for the month, and post the difference in an open month.",
    shift=shift,
    rules=desk.rules,
    milestones=desk.milestones,
    version=7,
)  # fmt: skip
