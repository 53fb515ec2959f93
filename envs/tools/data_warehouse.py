"""Answer a question about numbers in a data warehouse, whose tables must be understood before they are added up.

A metric has parts, a part's months lie in several tables with units of their own, regions have changed their codes, some
rows were loaded twice, and copies are no good. Queries are paid for by the month and must keep to a budget.
"""

from collections.abc import Sequence

from pydantic import Field

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.office import Service, outages
from rlgym.generators.services.records import CODE, FIRST_PAGE, Browse, Change, Eyes, Finish, Office, Read, Record
from rlgym.generators.services.warehouse import MONTHS, UNITS, Piece, Span, pieces, span, spans, store, sum_up


class GetMetric(Read):
    """Says how a metric is made up of parts."""

    kind, by = "metric", ("name",)
    name: str = CODE


class ListTables(Browse):
    """Lists the tables that hold a part, with their months and their state."""

    kind, by, shows = "table", ("part",), ("from month", "to month", "state")
    part: str = CODE
    page: int = FIRST_PAGE


class GetTable(Read):
    """Reads what is known of a table: also its unit, and the month whose rows were loaded twice (0 means none)."""

    kind = "table"
    code: str = CODE


class GetRegion(Read):
    """Says by which codes a region goes in the tables, and in which months."""

    kind, by = "region", ("name",)
    name: str = CODE


class Query(Read):
    """Adds up the rows of a table for one region code over months, first and last included, in the table's unit."""

    kind, by = "table", ("table",)
    table: str = CODE
    region_code: str = CODE
    first: int = Field(ge=1, le=MONTHS)
    last: int = Field(ge=1, le=MONTHS)

    def found(self, records: Sequence[Record]) -> Record | None:
        table = super().found(records)
        coded = any(code == self.region_code for record in records if record.kind == "region" for code, _ in spans(record.names("codes")))
        if table is None or not coded:
            return None
        return Record("sum", "sum", {"sum": sum_up(table, self.region_code, Span(self.first, self.last))})


class Submit(Change):
    """Hands in the answer, in coins."""

    answer: int = Field(ge=-(10**12), le=10**12)


TOOLS = ToolCalls((GetMetric, ListTables, GetTable, GetRegion, Query, Submit, Finish))


class Knobs(Config):
    parts: int = knob(2, easy=1, hard=3, doc="parts of the metric")
    regions: int = knob(2, easy=1, hard=2, doc="regions requested")
    breaks: int = knob(1, easy=0, hard=2, doc="most changes of table in a part's months; from 1 on regions change codes")
    copies: int = knob(1, easy=0, hard=3, doc="most tables of a part that are no good")
    outages: int = knob(1, easy=0, hard=3, doc="tools that do not answer the first time")


class State(Office):
    metric: str
    regions: tuple[str, ...]
    months: Span
    budget: int


def start(rng: Rng, knobs: Knobs) -> State:
    world = store(rng, knobs.parts, knobs.regions, knobs.breaks, knobs.copies)
    stalls = outages(rng, TOOLS, knobs.outages)
    state = State(
        briefing="",
        records=world.records,
        cases=1,
        stalls=stalls,
        metric=world.metric,
        regions=world.regions,
        months=world.months,
        budget=0,
    )
    eyes = Eyes(world.records, TOOLS, None)
    decide(state, 0, eyes)
    budget = _scan(tuple(eyes.used)) + rng.integer(0, 3)
    briefing = (
        f"How many coins of {world.metric} were there in {' and '.join(world.regions)} together from month {world.months.first} to month "
        f"{world.months.last}, both included? Submit the number, once.\n\n"
        "- Only tables whose state is live count. For each part every month lies in exactly one of them.\n"
        "- A region appears under the codes in its entry, each in its months; where several are given for a month, they add up.\n"
        "- Rows that were loaded twice count twice in a query, but must be counted once.\n"
        f"- A query costs 1 for each month that it covers. All your queries together may cost {budget}; the same query again costs "
        "nothing more. A query that goes over this loses the work.\n"
        "- Read every table that you query. A number submitted before all that it rests on has been looked up is a guess, and wrong."
    )
    state = state.model_copy(update={"briefing": briefing, "budget": budget})
    return desk.begun(state) if knobs.copies == 0 else state


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    formula = [text.partition(" ")[::2] for text in eyes.read(GetMetric(name=state.metric)).names("is")]
    regions = [spans(one.names("codes")) for one in eyes.reads([GetRegion(name=name) for name in state.regions])]
    lists = eyes.each([lambda part=part: eyes.all(ListTables(part=part)) for _, part in formula])  # type: ignore[misc]
    total, asked = 0, list[tuple[int, Record, Piece]]()
    for (sign, _), rows in zip(formula, lists):
        near = [row.code for row in rows if (row.facts["state"] == "live" or slip == "uses_copies") and span(row).overlap(state.months)]
        for table in eyes.reads([GetTable(code=code) for code in near]):
            asked += [
                (1 if sign == "plus" or slip == "adds_all" else -1, table, piece)
                for codes in regions
                for piece in pieces(table, codes, state.months)
            ]
    sums = eyes.reads([_query(piece) for _, _, piece in asked])
    for (sign_of, table, piece), found in zip(asked, sums):
        value = found.number("sum") // (2 if piece.halved and slip != "counts_twice" else 1)
        total += sign_of * value * (1 if slip == "ignores_units" else UNITS[table.word("unit")])
    return [Submit(answer=total)]


def _query(piece: Piece) -> Query:
    return Query(table=piece.table, region_code=piece.region, first=piece.months.first, last=piece.months.last)


def _scan(seen: Sequence[str]) -> int:
    """What the queries among the look-ups cost."""
    queries = [call for key in seen if key.startswith('{"tool": "query"') for call in TOOLS.parse(key)]
    return sum(max(0, call.last - call.first + 1) for call in queries if isinstance(call, Query))


def _needs(state: State, change: Tool) -> list[str]:
    """The metric, the regions and the live tables that the answer rests on."""
    names = [text.partition(" ")[2] for text in next(record.names("is") for record in state.records if record.kind == "metric")]
    tables = [
        record for record in state.records if record.kind == "table" and record.facts["part"] in names and record.facts["state"] == "live"
    ]
    return [state.metric, *state.regions, *(table.code for table in tables if span(table).overlap(state.months)), "sum"]


def judge(state: State) -> str:
    if state.done != tuple(TOOLS.render((deed,)) for deed in desk.wanted(state)):
        return "another number is right, or none was submitted, or several were"
    return "" if _scan(state.seen) <= state.budget else "the queries cost more than was allowed"


desk = Service(TOOLS, decide, slips=("uses_copies", "adds_all", "counts_twice", "ignores_units"), needs=_needs, judge=judge)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Learn what the metric is made of, which live table holds which months in which unit, and query only the months that are needed.",
    rules=desk.rules,
    version=7,
    milestones=desk.milestones,
)  # fmt: skip
