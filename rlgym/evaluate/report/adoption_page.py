"""The report of adopted questions: what each filter left out, with examples, and what was kept, in one self-contained page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rlgym.dataset.adopt.card import funnel
from rlgym.evaluate.report.html_page import card, facts, page
from rlgym.evaluate.report.tables import count, table, text

EXAMPLES = 200


def adoption_page(name: str, report: Mapping[str, Any], source: Mapping[str, Any]) -> str:
    """The page of a report, as `Adoption.to_dict` makes it; `source` is what is known of the file."""
    rows, kept = report["rows"], report["kept"]
    steps = [[text(step), count(out), count(left)] for step, out, left in funnel(rows, report["reasons"])]
    cards = card("Kept", f"{kept} of {rows}", "questions", first=True) + card("Suspect labels", str(len(report["suspects"])), "by votes")
    solutions = report["solutions"]
    if solutions["read"]:
        cards += card("Right solutions", f"{solutions['right']} of {solutions['read']}", "of kept questions")
    rejected = [[text(each["row"]), text(each["reason"]), text(each["detail"])] for each in report["rejected"][:EXAMPLES]]
    sections = [
        ("kept", "What was kept", f"<div class=cards>{cards}</div>" + table("filters", ("Filter", "Left out", "Left"), steps)),
        (
            "answers",
            "Types of answers",
            table("types", ("Type", "Questions"), [[text(kind), count(n)] for kind, n in report["types"].items()]),
        ),
        (
            "rejected",
            "Rejected rows",
            table("rejected-rows", ("Row", "Reason", "Detail"), rejected, {"Reason": 1}, shown=50) if rejected else "",
        ),
    ]
    return page(f"Adopted questions: {name}", facts(list(source.items())), sections, warnings(report))


def warnings(report: Mapping[str, Any]) -> Sequence[str]:
    """What was not checked, and what is missing on the page."""
    found = []
    if not report["kept"]:
        found.append("No question is kept.")
    if not report["references"]:
        found.append("Not decontaminated: no reference was given.")
    if not report["voters"]:
        found.append("Labels were not audited by votes, only by contradictions between rows.")
    if len(report["rejected"]) > EXAMPLES:
        found.append(f"The page shows {EXAMPLES} of {len(report['rejected'])} rejected rows; rejected.jsonl has all.")
    return found
