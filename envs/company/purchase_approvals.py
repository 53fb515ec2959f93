"""Decide new purchase requests: approve them, reject them for a reason, or route each to the person who must approve it.

Judged by the state of all systems at the end. Nobody approves their own request, and nothing is split to stay below a limit.
"""

from rlgym import Game, Rng
from rlgym.answers import ToolCalls
from rlgym.generators.company.company import Company, CompanyKnobs
from rlgym.generators.company.directory import PEOPLE_READ, GetPerson
from rlgym.generators.company.eyes import Eyes
from rlgym.generators.company.ledger import GetVendor, SearchVendors
from rlgym.generators.company.operations import Finish, Write
from rlgym.generators.company.procurement import (
    REQUESTS,
    ApproveRequest,
    GetCostCentre,
    GetRequest,
    ListRequests,
    ListRequestsOf,
    RejectRequest,
    RouteRequest,
)
from rlgym.generators.company.rulebook import Rulebook, Rules
from rlgym.generators.company.second_versions import versioned
from rlgym.generators.company.wiki import WIKI
from rlgym.generators.company.work import Work, Workflow
from rlgym.generators.company.world import Row, cents, euros

BOOK = Rulebook(
    "Purchase approvals",
    {
        "blocked": "A request for a blocked vendor is rejected as blocked_vendor.",
        "duplicate": "A request is rejected as duplicate if a request of the same person for the same vendor, title and amount is approved.",
        "budget": "A request is rejected as over_budget if its amount is more than what is left of the budget of its cost centre.",
        "limit": "A request of at most {limit} euros is approved, and a larger one is routed to the owner of its cost centre.",
        "split": "For that limit, the amounts of all requests of the same person for the same vendor that are to be decided are added up.",
        "large": "A request of more than {large} euros is routed to the direct manager of the owner instead of the owner.",
        "own": "A request of the owner of its cost centre is never approved by the limit; it is routed to the direct manager of the owner.",
        "absent": "A person who is absent by the directory does not approve; their deputy does.",
    },
    basic=("limit",),
    note="Where several rules fit a request, a rejection comes first, for the first reason that applies.",
)
TRAPS = ("blocked", "duplicate", "budget", "split", "large", "own", "absent")
TOOLS = ToolCalls(versioned(*REQUESTS, *PEOPLE_READ, SearchVendors, GetVendor, *WIKI, Finish), limit_in_prompt=True)


class Knobs(CompanyKnobs):
    pass


def start(rng: Rng, knobs: Knobs, migrated: bool = False) -> Work:
    company = Company(rng, 8 + knobs.records // 4, migrated=migrated)
    for person in company.tables["people"].values():
        person |= {"absent": False, "deputy": rng.choice(company.staff)}
    several = knobs.cases > 1
    limit = 100 * rng.integer(8, 20)
    numbers = {"limit": limit, "large": 5 * limit}
    old = [numbers | {"limit": limit + rng.choice((-300, 300))} for _ in range(knobs.outdated_pages if several else 0)]
    rules = BOOK.draw(rng, knobs.clauses)
    said, facts, skipped = BOOK.install(company, rules, numbers, old)
    kinds = [rule for rule in TRAPS if rule in rules]
    if old:
        kinds.append("low" if old[0]["limit"] < limit else "high")
    kinds = rng.shuffled([*kinds, *(rng.choice(("small", "above")) for _ in range(max(0, knobs.cases - len(kinds))))])
    rows = [row for kind in kinds for row in _case(company, kind, limit)]
    late = [company.arrival("purchasing", "requests", company.code("Q"), rows.pop())] if knobs.arrivals and several else []
    codes = [company.add("requests", "Q", **row) for row in rows]
    for _ in range(knobs.records // 3):
        company.add("requests", "Q", **{**_case(company, "small", limit)[0], "status": rng.choice(("approved", "rejected"))})
    if not several:
        briefing = f"Decide the purchase request {codes[0]} at {company.name}.\n{said}"
        return desk.ready(company.work(knobs, briefing, {**facts, "request": codes[0]}, skipped, ("purchasing.write",)), knobs)
    briefing = f"Decide all purchase requests at {company.name} whose status is new.\n{said}"
    state = company.work(knobs, briefing, facts, skipped, ("purchasing.write",))
    return desk.ready(company.disturbed(state, TOOLS.tools, knobs, *late), knobs)


def shift(rng: Rng, knobs: Knobs) -> Work:
    """The same work with the second versions of all tools, and with rules that are amended by further pages."""
    return start(rng, knobs, migrated=True)


def plan(eyes: Eyes, slip: str = "") -> list[Write]:
    if "request" in eyes.facts:
        return [_decide(eyes, BOOK.look_up(eyes, slip), eyes.facts["request"])]
    rules, rows = eyes.together([lambda: BOOK.look_up(eyes, slip), lambda: eyes.all(ListRequests(status="new"))])
    return eyes.for_each(rows, lambda row: _decide(eyes, rules, row["id"]))


def _decide(eyes: Eyes, rules: Rules, code: str) -> Write:
    request = eyes.ask(GetRequest(request=code))
    needs_others = "split" in rules or "duplicate" in rules
    vendor, centre, others = eyes.together(
        [
            lambda: eyes.ask(GetVendor(vendor=request["vendor"])) if "blocked" in rules else {"status": "active"},
            lambda: eyes.ask(GetCostCentre(centre=request["centre"])),
            lambda: eyes.all(ListRequestsOf(requester=request["requester"])) if needs_others else [],
        ]
    )
    alike = [row for row in others if row["vendor"] == request["vendor"] and row["id"] != code]
    amount = cents(request["amount"])
    if vendor["status"] == "blocked":
        return RejectRequest(request=code, reason="blocked_vendor")
    same = [row for row in alike if row["title"] == request["title"] and row["amount"] == request["amount"]]
    if "duplicate" in rules and any(row["status"] == "approved" for row in same):
        return RejectRequest(request=code, reason="duplicate")
    if "budget" in rules and amount > cents(centre["budget"]) - cents(centre["spent"]):
        return RejectRequest(request=code, reason="over_budget")
    counted = amount + sum(cents(row["amount"]) for row in alike if "split" in rules and row["status"] == "new")
    own = "own" in rules and centre["owner"] == request["requester"]
    if counted <= 100 * rules.number("limit") and not own:
        return ApproveRequest(request=code)
    approver = centre["owner"]
    if own or ("large" in rules and amount > 100 * rules.number("large")):
        approver = eyes.ask(GetPerson(person=approver))["manager"]
    if "absent" in rules:
        person = eyes.ask(GetPerson(person=approver))
        approver = person["deputy"] if person["absent"] else approver
    return RouteRequest(request=code, approver=approver)


def _case(company: Company, kind: str, limit: int) -> list[Row]:
    """A request, or several that were split, with its vendor and its cost centre; the last one is what the case is about."""
    rng = company.rng
    owner, requester = company.hire(absent=kind == "absent", deputy=rng.choice(company.staff)), company.hire(absent=False, deputy="")
    amount = 100 * {
        "small": rng.integer(50, limit - 400),
        "low": limit - rng.integer(50, 250),
        "high": limit + rng.integer(50, 250),
        "large": 5 * limit + rng.integer(50, 900),
        "own": rng.integer(50, limit - 400),
        "split": limit - rng.integer(310, 390),
        "duplicate": limit - rng.integer(310, 390),
        "blocked": limit - rng.integer(310, 390),
        "budget": limit - rng.integer(310, 390),
    }.get(kind, limit + rng.integer(310, 900))
    left = amount - 100 * rng.integer(1, 20) if kind == "budget" else amount + 100 * rng.integer(10 * limit, 20 * limit)
    spent = 100 * rng.integer(1000, 9000)
    centre = company.add(
        "centres", "CC", name=f"Centre {rng.integer(100, 999)}", owner=owner, budget=euros(spent + left), spent=euros(spent)
    )
    vendor = company.vendor(status="blocked" if kind == "blocked" else "active")
    title = rng.choice(("Chairs", "Laptops", "Training", "Software", "Displays", "Tools"))
    row: Row = {"title": title, "requester": owner if kind == "own" else requester, "vendor": vendor, "centre": centre}
    row |= {"amount": euros(amount), "date": company.day(-9, -1), "status": "new", "approver": "", "reason": ""}
    if kind == "duplicate":
        company.add("requests", "Q", **{**row, "status": "approved", "date": company.day(-60, -20)})
    if kind == "split":
        return [row, {**row, "title": f"More {title.lower()}", "amount": euros(amount + 100 * rng.integer(1, 9))}]
    return [row]


desk = Workflow(TOOLS, plan)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Check what rules a request out first, add up what was split, and follow the chain from the owner to who may approve.",
    shift=shift,
    rules=desk.rules,
    milestones=desk.milestones,
    version=6,
)  # fmt: skip
