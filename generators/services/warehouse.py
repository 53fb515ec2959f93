"""Tables of a data warehouse, with what must be known to add their numbers up rightly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes
from rlgym.generators.services.records import Fact, Record

MONTHS = 24
REGIONS = ("north", "south", "east", "west", "islands")
PARTS = ("gross sales", "returns", "rebates", "freight", "taxes", "gifts")
UNITS = {"coins": 1, "tens of coins": 10, "hundreds of coins": 100}


class Span(NamedTuple):
    first: int
    last: int

    def overlap(self, other: Span) -> Span | None:
        both = Span(max(self.first, other.first), min(self.last, other.last))
        return both if both.first <= both.last else None


class Piece(NamedTuple):
    """A query: what a table has for a region's code over months, and how often these count."""

    table: str
    region: str
    months: Span
    halved: bool  # these rows were loaded twice


def spans(texts: Sequence[str]) -> list[tuple[str, Span]]:
    """Reads `K71 in months 3 to 9`."""
    found = []
    for text in texts:
        code, _, rest = text.partition(" in months ")
        first, _, last = rest.partition(" to ")
        found.append((code, Span(int(first), int(last))))
    return found


def span(table: Record) -> Span:
    return Span(table.number("from month"), table.number("to month"))


def pieces(table: Record, codes_of: Sequence[tuple[str, Span]], query: Span) -> list[Piece]:
    """The queries to one table for one region, none over a month that is not needed."""
    found_pieces = []
    twice = table.number("loaded twice")
    for code, code_span in codes_of:
        overlap = span(table).overlap(query)
        overlap = overlap and overlap.overlap(code_span)
        if overlap is None:
            continue
        cut = (
            [Span(overlap.first, twice - 1), Span(twice, twice), Span(twice + 1, overlap.last)]
            if overlap.first <= twice <= overlap.last
            else [overlap]
        )
        found_pieces += [
            Piece(table.code, code, cut_span, cut_span == Span(twice, twice)) for cut_span in cut if cut_span.first <= cut_span.last
        ]
    return found_pieces


def cell(table: str, region: str, month: int) -> int:
    """The number that a table holds for a region's code and a month, before any doubling: even, and different everywhere."""
    mixed = (int(table[1:]) * 7919 + int(region[1:]) * 104729 + month * 1299709) % 1_000_003
    return 2 * (mixed * mixed % 1_000_003 % 4500 + 20)


def sum_up(table: Record, region: str, months: Span) -> int:
    """What a query returns: rows that were loaded twice count twice."""
    overlap = months.overlap(span(table))
    if overlap is None:
        return 0
    return sum(
        cell(table.code, region, month) * (1 + (month == table.number("loaded twice"))) for month in range(overlap.first, overlap.last + 1)
    )


class Store(NamedTuple):
    records: tuple[Record, ...]
    metric: str
    regions: tuple[str, ...]
    months: Span


def store(rng: Rng, parts: int, regions: int, breaks: int, copies: int) -> Store:
    """Tables for a metric of some parts; each part's months lie in up to `breaks` + 1 tables, besides up to `copies` tables with stale data."""
    names = ("gross sales", *rng.sample(PARTS[1:], parts - 1))
    metric = f"{rng.choice(('net', 'true', 'adjusted', 'core'))} {rng.choice(('income', 'revenue', 'sales', 'turnover'))}"
    formula = tuple(f"{'plus' if place == 0 or rng.chance(0.2) else 'less'} {name}" for place, name in enumerate(names))
    first = rng.integer(1, MONTHS - 8)
    query = Span(first, first + rng.integer(3, 7))
    records = [Record("metric", metric, {"is": formula})]
    spare = codes(rng, 4 * len(PARTS) * (breaks + copies + 1), "T")
    for part in names:
        cuts = sorted(rng.sample(range(query.first, query.last), rng.integer(0, min(breaks, 3))))
        starts = [1, *(cut + 1 for cut in cuts)]
        for begin, end in zip(starts, [*cuts, MONTHS]):
            records.append(_table(rng, spare.pop(), part, Span(begin, end), "live", query))
        for _ in range(rng.integer(0, copies)):
            begin = rng.integer(1, MONTHS - 2)
            records.append(
                _table(rng, spare.pop(), part, Span(begin, rng.integer(begin + 1, MONTHS)), rng.choice(("test copy", "draft")), query)
            )
    marks = codes(rng, 4 * len(REGIONS), "K")
    for region in REGIONS:
        cut = rng.integer(2, MONTHS - 1)
        statements = [f"{marks.pop()} in months 1 to {MONTHS}"]
        if breaks and rng.chance(0.5):
            statements = [f"{marks.pop()} in months 1 to {cut}", f"{marks.pop()} in months {cut + 1} to {MONTHS}"]
        if breaks > 1 and rng.chance(0.3):
            statements.append(f"{marks.pop()} in months {rng.integer(1, 8)} to {rng.integer(9, MONTHS)}")
        records.append(Record("region", region, {"codes": tuple(statements)}))
    return Store(tuple(rng.shuffled(records)), metric, tuple(rng.sample(REGIONS, regions)), query)


def _table(rng: Rng, code: str, part: str, covered: Span, state: str, query: Span) -> Record:
    months = covered.overlap(query) or covered
    facts: dict[str, Fact] = {
        "part": part,
        "from month": covered.first,
        "to month": covered.last,
        "state": state,
        "unit": rng.choice(tuple(UNITS)),
        "loaded twice": rng.integer(months.first, months.last) if rng.chance(0.5) else 0,
    }
    return Record("table", code, facts)
