"""The rubric that most written answers share: required facts, nothing false, nothing twice, nothing else, in prose of limited length."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.rubrics import checks
from rlgym.rubrics.criteria import AnyCriterion, NoContradiction, Nugget
from rlgym.rubrics.facts import FactSheet
from rlgym.rubrics.rubric import Rubric


def rubric_of_facts(
    sheet: FactSheet, required: Sequence[str], most_words: int, further: Sequence[AnyCriterion] = (), allowed_lines: Sequence[str] = ()
) -> Rubric:
    """A rubric of the required facts of a sheet, by name. `allowed_lines` need not be prose: greetings and signatures."""
    facts = {fact.name: fact for fact in sheet.facts}
    return Rubric(
        (
            checks.max_words(most_words),
            checks.prose(allowed_lines),
            *(Nugget(name=name, fact=facts[name], sheet=sheet) for name in required),
            NoContradiction(name="no other claim", sheet=sheet),
            checks.each_once(sheet),
            checks.only_these(sheet, required),
            *further,
        )
    )
