"""Regions of a Venn diagram: which may have members under statements about classes, and countermodels."""

from rlgym.generators.logic import truth_tables

FORMS = ("all", "no", "some", "some not")


Statement = tuple[str, int, int]  # form, subject, predicate


def _region(statement: Statement, count: int) -> int:
    """The regions that a universal statement empties, or in one of which an existential statement puts somebody."""
    form, a, b = statement
    columns = truth_tables.columns(count)
    return columns[a] & (columns[b] if form in ("no", "some") else ~columns[b])


def possible_regions(premises: list[Statement], count: int, empty: bool) -> tuple[int, list[int]]:
    """The regions that may have members, and for everybody known to exist, the regions where they may be."""
    regions_left = truth_tables.every(count)
    for premise in premises:
        if premise[0] in ("all", "no"):
            regions_left &= ~_region(premise, count)
    witnesses = [regions_left & _region(premise, count) for premise in premises if premise[0] not in ("all", "no")]
    return regions_left, witnesses + ([] if empty else [regions_left & column for column in truth_tables.columns(count)])


def is_entailed(statement: Statement, regions_left: int, witnesses: list[int], count: int) -> bool:
    region = _region(statement, count)
    if statement[0] in ("all", "no"):
        return not regions_left & region
    return any(not witness & ~region for witness in witnesses)


def countermodel(statement: Statement, regions_left: int, witnesses: list[int], count: int) -> int:
    """A choice of inhabited regions that makes everything given true and this conclusion false."""
    region = _region(statement, count)
    chosen = 0
    if statement[0] in ("all", "no"):
        chosen = regions_left & region & -(regions_left & region)
    for witness in witnesses:
        room = witness if statement[0] in ("all", "no") else witness & ~region
        if not room & chosen:
            chosen |= room & -room
    return chosen


def render_statement(statement: Statement, nouns: list[str] | tuple[str, ...]) -> str:
    form, a, b = statement
    subject, predicate = nouns[a], nouns[b]
    return {
        "all": f"All {subject} are {predicate}.",
        "no": f"No {subject} are {predicate}.",
        "some": f"Some {subject} are {predicate}.",
        "some not": f"Some {subject} are not {predicate}.",
    }[form]
