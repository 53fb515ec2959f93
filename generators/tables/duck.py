"""Runs one SELECT in DuckDB, on tables in memory, with limits that count rows, in a process with limits of time and memory.

The query is read as a tree first (DuckDB's own), and only the nodes, tables and functions listed here get through: no files, no settings,
no functions that make tables, no recursion. The rows that its joins could make are bounded before it runs.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Any

from rlgym.core.score import Outcome, Score
from rlgym.generators.databases.parent_child import Setting
from rlgym.generators.databases.sql_verdicts import Case, tables
from rlgym.sandbox.duckdb_process import DuckProcess, borrowed_engine
from rlgym.sandbox.sqlite import QueryFailed, Row, Table, Why, same_rows

MOST_CHARACTERS, MOST_ROWS, MOST_WORK, MOST_DEPTH, MOST_GROWING = 4_000, 2_000, 3_000_000, 80, 10
_FUNCTIONS = frozenset(
    """count count_star sum avg min max abs round floor ceil length lower upper substring substr coalesce ifnull nullif trim ltrim rtrim sign mod
    row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value first last any_value arg_max arg_min max_by
    min_by median mode quantile_disc list array_agg string_agg group_concat listagg list_contains list_has len list_sort list_reverse_sort
    list_distinct list_unique list_sum list_max list_min list_avg list_count list_extract list_element list_slice list_value list_filter
    list_transform list_reduce list_position list_has_any list_has_all list_intersect list_zip list_reverse array_length array_to_string
    list_aggregate list_any_value unnest flatten array_extract array_slice struct_pack struct_extract row concat || + - * / // % ! = count_if
    bool_and bool_or greatest least if error_free like ~~ !~~ contains starts_with bit_count map cast list_concat list_append list_prepend
    list_cat grouping cardinality construct_array array_contains array_sort array_distinct array_position in_list list_apply ** ^ pow power""".split()
)
_GROWING = frozenset(
    "|| concat list_concat list_cat list_append list_prepend string_agg group_concat listagg list array_agg flatten".split()
)

_BUILDING = frozenset("row struct_pack list_value construct_array list_zip map".split())
MOST_BUILT = 1 << 14
"""The product of the parts of all values that a query builds of several: one in another can double at every level."""


def run_duck(tables: Sequence[Table], query: str) -> list[Row]:
    """The rows of one SELECT. QueryFailed says why there are none."""
    return next(run_on_each([tables], query))


def run_on_each(databases: Iterable[Sequence[Table]], query: str) -> Generator[list[Row], None, None]:
    """The rows of one SELECT on each database in turn; all have the same tables, which are created once and filled anew."""
    if len(query) > MOST_CHARACTERS or "\x00" in query:
        raise QueryFailed(Why.FORBIDDEN, f"a query has at most {MOST_CHARACTERS} characters, none of them NUL")
    with borrowed_engine() as engine:
        tree = _tree(engine, query)
        for tables in databases:
            # The bound on the rows depends on the sizes of the tables.
            _Bound({table.name.lower(): max(1, len(table.rows)) for table in tables}).node(tree, {}, 1, 0)
            got = engine.run(tables, query, MOST_ROWS)
            if len(got) > MOST_ROWS:
                raise QueryFailed(Why.ROWS, f"the result has more than {MOST_ROWS} rows")
            yield got


def judge(setting: Setting, cases: Sequence[Case], query: str, *, ordered: bool) -> Score:
    """1 if the query gives the wanted rows on every database. What it may not do is refused; too much work times out."""
    results = run_on_each((tables(setting, case.database) for case in cases), query)
    try:
        for number, (got, case) in enumerate(zip(results, cases, strict=True), 1):
            if not same_rows(got, case.wanted, ordered=ordered):
                return Score.wrong(
                    f"on test database {number} of {len(cases)} the query gives other rows than asked for (it gives {len(got)})"
                )
    except QueryFailed as failed:
        if failed.why is Why.FORBIDDEN:
            return Score.nothing(Outcome.REFUSED, str(failed))
        return Score.nothing(Outcome.TIMED_OUT, str(failed)) if failed.why is Why.WORK else Score.wrong(str(failed))
    finally:
        results.close()
    return Score.exact(True)


def _tree(engine: DuckProcess, query: str) -> dict[str, Any]:
    """The syntax tree of the one SELECT."""
    tree = engine.tree(query)
    if tree["error"]:
        syntax = tree.get("error_type") in ("parser", "syntax")
        raise QueryFailed(Why.ERROR if syntax else Why.FORBIDDEN, str(tree.get("error_message"))[:200])
    if len(tree["statements"]) != 1:
        raise QueryFailed(Why.FORBIDDEN, "one statement is asked for")
    node: dict[str, Any] = tree["statements"][0]["node"]
    return node


class _Bound:
    """Goes through a query's tree, refuses what is not listed, and bounds the rows that it can make."""

    def __init__(self, tables: dict[str, int]) -> None:
        self.tables, self.largest = tables, max(tables.values())
        self.growing = self.work = self.unkept = 0
        self.built = 1

    def node(self, node: dict[str, Any], known: dict[str, int], outside: int, depth: int) -> int:
        """How many rows a SELECT or a set operation can give."""
        self._deep(depth)
        known = dict(known)
        for entry in (node.get("cte_map") or {}).get("map", ()):
            self.unkept += entry["value"].get("materialized") == "CTE_MATERIALIZE_NEVER"
            if self.unkept > 1:  # each copies the one before as often as it names it
                raise QueryFailed(Why.WORK, "at most one common table may be NOT MATERIALIZED")
            known[entry["key"].lower()] = self.node(entry["value"]["query_node"], known, 1, depth + 1)
        kind = node.get("type")
        _sample(node)
        if kind == "SELECT_NODE":
            rows = self.source(node.get("from_table"), known, outside, depth + 1)
        elif kind == "SET_OPERATION_NODE":
            sides = node.get("children") or [node["left"], node["right"]]
            rows = sum(self.node(side, known, outside, depth + 1) for side in sides)
        else:
            raise QueryFailed(Why.FORBIDDEN, f"{str(kind).lower().replace('_', ' ')} is not allowed here")
        rows *= max(1, len(node.get("group_sets") or ()))
        self._spend(rows * outside)
        rest = {key: value for key, value in node.items() if key not in ("from_table", "cte_map", "left", "right", "children")}
        return rows * self.inside(rest, known, rows * outside, depth + 1)

    def source(self, table: dict[str, Any] | None, known: dict[str, int], outside: int, depth: int) -> int:
        self._deep(depth)
        if table is None or table["type"] == "EMPTY":
            return 1
        _sample(table)
        match table["type"]:
            case "BASE_TABLE":
                name = table["table_name"].lower()
                if table.get("schema_name") or table.get("catalog_name") or (name not in known and name not in self.tables):
                    raise QueryFailed(Why.FORBIDDEN, f"there is no table {name[:40]!r} here")
                return known.get(name) or self.tables[name]
            case "SUBQUERY":
                rows = self.node(table["subquery"]["node"], known, outside, depth + 1)
            case "JOIN":
                left_rows = self.source(table["left"], known, outside, depth + 1)
                rows = left_rows * self.source(table["right"], known, outside * left_rows, depth + 1)
            case "EXPRESSION_LIST":
                rows = len(table.get("values", ())) or 1
            case "PIVOT":
                wide = max(
                    1, len(table.get("unpivot_names") or ()), *(len(pivot.get("entries") or ()) for pivot in table["pivots"] or [{}])
                )
                rows = self.source(table["source"], known, outside, depth + 1) * wide
            case other:
                raise QueryFailed(Why.FORBIDDEN, f"{str(other).lower().replace('_', ' ')} is not allowed here")
        self._spend(rows * outside)
        rest = {key: value for key, value in table.items() if key not in ("left", "right", "subquery", "source")}
        return rows * self.inside(rest, known, rows * outside, depth + 1)

    def inside(self, part: Any, known: dict[str, int], outside: int, depth: int) -> int:
        """What the expressions of a node multiply its rows by; subqueries in them are bounded on the way."""
        self._deep(depth)
        if isinstance(part, list):
            factor = 1
            for item in part:
                factor *= self.inside(item, known, outside, depth + 1)
            return factor
        if not isinstance(part, dict):
            return 1
        if part.get("class") == "SUBQUERY":
            self.node(part["subquery"]["node"], known, outside, depth + 1)
            return self.inside(part.get("child"), known, outside, depth + 1)
        factor = 1
        if name := str(part.get("function_name") or "").lower():
            if name not in _FUNCTIONS or part.get("schema") or part.get("catalog"):
                raise QueryFailed(Why.FORBIDDEN, f"the function {name[:40]} is not allowed here")
            self.growing += name in _GROWING
            if name in _BUILDING:
                arguments = part.get("children") or part.get("arguments") or ()
                self.built *= max(1, sum("COLUMN_REF" in str(argument) for argument in arguments))
                if self.built > MOST_BUILT:
                    raise QueryFailed(Why.WORK, "the query builds too large values")
            if self.growing > MOST_GROWING:
                raise QueryFailed(Why.WORK, "the query makes too many lists and texts")
            factor = max(self.largest, _widest(part)) * 2**self.growing if name == "unnest" else 1
        for key, value in part.items():
            if isinstance(value, dict | list) and key != "cte_map":
                factor *= self.inside(value, known, outside, depth + 1)
        self._spend(outside * factor)
        return factor

    def _spend(self, rows: int) -> None:
        if rows > MOST_WORK:
            raise QueryFailed(Why.WORK, "the joins of the query can make too many rows")

    @staticmethod
    def _deep(depth: int) -> None:
        if depth > MOST_DEPTH:
            raise QueryFailed(Why.WORK, "the query is nested too deep")


def _sample(node: dict[str, Any]) -> None:
    if node.get("sample"):
        raise QueryFailed(Why.FORBIDDEN, "sampling is not allowed here")


def _widest(part: Any) -> int:
    """The most elements that a list written out in an expression has."""
    inside = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return max([len(part) if isinstance(part, list) else 1, *map(_widest, inside)])
