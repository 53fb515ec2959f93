"""Precision and recall of a scorer, by its input and by the length of its reply."""

from __future__ import annotations

from collections import defaultdict

from rlgym.audit.case import Case, Verdict
from rlgym.audit.cases.grid import CHECK
from rlgym.audit.measures.verdicts import Scale, Scored
from rlgym.audit.report import GridCell

ALL = "all"


def grid(scored: Scored, scale: Scale) -> list[GridCell]:
    """A cell for every input and length of reply, over all domains first and then for each domain; as many answers are right as wrong."""
    cells: dict[tuple[str, str, str], list[tuple[Case, Verdict]]] = defaultdict(list)
    for case, verdict in scored:
        if case.check == CHECK:
            given, _, reply = case.variant.partition(", ")
            for domain in (ALL, case.domain):
                cells[domain, given, reply].append((case, verdict))
    return [_cell(*key, cells[key], scale) for key in sorted(cells, key=lambda key: (key[0] != ALL, key[0]))]


def _cell(domain: str, given: str, reply: str, scored: Scored, scale: Scale) -> GridCell:
    verdicts = [(bool(case.right), scale.accepted(verdict)) for case, verdict in scored]
    hits, accepted, right = verdicts.count((True, True)), sum(said for _, said in verdicts), sum(true for true, _ in verdicts)
    return GridCell(
        domain=domain, given=given, reply=reply, cases=len(verdicts),
        precision=hits / accepted if accepted else None, recall=hits / right if right else None,
        f1=2 * hits / (accepted + right) if accepted + right else None,
    )  # fmt: skip
