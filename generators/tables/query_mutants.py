"""Systematic small changes of a SQL query, and the ones that further databases show to be wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from rlgym.core.declare import Audit
from rlgym.core.rng import Rng
from rlgym.generators.databases.parent_child import Database, Setting
from rlgym.generators.databases.sql_verdicts import tables
from rlgym.generators.tables.instances import constants, edges, instance, sample_database_with_ties
from rlgym.generators.tables.probes import probes
from rlgym.sandbox.sqlite import QueryFailed, Row, Table, run_query, same_rows

Results = Callable[[Iterable[Sequence[Table]], str], Iterator[list[Row]]]
"""Runs a query on databases, one after the other."""

SWAPS = {
    "comparison": ((" >= ", " > "), (" > ", " >= "), (" <= ", " < "), (" < ", " <= "), (" = ", " <> "), (" <> ", " = "), (" > ", " < "), (" >= ", " <= ")),
    "and / or": ((" AND ", " OR "), (" OR ", " AND ")),
    "join": (("LEFT JOIN", "JOIN"), (" JOIN ", " LEFT JOIN "), (" ON ", " ON 1 = 1 OR ")),
    "distinct": (("DISTINCT ", ""), ("UNION ALL", "UNION"), ("SELECT ", "SELECT DISTINCT ")),
    "order": ((" DESC", ""), (" DESC", " ASC")),
    "aggregate": (
        ("SUM(", "COUNT("), ("SUM(", "MAX("), ("SUM(", "AVG("), ("COUNT(", "SUM("), ("MAX(", "MIN("), ("MIN(", "MAX("), ("AVG(", "MAX("), ("AVG(", "MIN("),
        ("COUNT(c.id)", "COUNT(*)"), ("sum(", "max("), ("count(", "sum("), ("max(", "min("), ("min(", "max("), ("last(", "first("), ("lag(", "lead("),
        ("RANK()", "ROW_NUMBER()"), ("RANK()", "DENSE_RANK()"), ("row_number()", "rank()"),
    ),
    "null": (
        (" IS NOT NULL", " IS NULL"), ("NOT EXISTS", "EXISTS"), (" EXISTS", " NOT EXISTS"), (" IN (", " NOT IN ("),
        ("COALESCE(", "NULLIF("), ("coalesce(", "nullif("), ("NULLIF(", "COALESCE("),
    ),
    "frame": (
        ("ROWS ", "RANGE "), ("RANGE ", "ROWS "), ("UNBOUNDED PRECEDING", "1 PRECEDING"), ("1 PRECEDING", "CURRENT ROW"),
        ("OVER (PARTITION BY", "OVER (ORDER BY"),
    ),
}  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.'\[])[0-9]+(?![\w.'])")
_LIST = re.compile(r"(GROUP BY|ORDER BY|PARTITION BY|ROLLUP \() ?([a-z_.0-9]+(?: DESC| ASC)?(?:, ?[a-z_.0-9]+(?: DESC| ASC)?)*)")
_CONDITION = re.compile(
    r" AND [\w.]+ (?:<>|=|>|<|<=|>=|BETWEEN \d+ AND) (?:'\w+'|[\w.]+)(?= |\)|$)|[\w.]+ IS NOT NULL AND | AND [\w.]+ IS NOT NULL"
)
_TEXT = re.compile(r"'(\w+)'")


def mutants(sql: str, words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(kind of change, changed query), each change in one place."""

    def at(start: int, end: int, new: str) -> str:
        return sql[:start] + new + sql[end:]

    for kind, swaps in SWAPS.items():
        for old, new in swaps:
            for match in re.finditer(re.escape(old), sql):
                yield kind, at(*match.span(), new)
    for match in _NUMBER.finditer(sql):
        for step in (-1, 1, -10, 10):
            kind = "limit" if sql[: match.start()].endswith("LIMIT ") else "constant"
            yield kind, at(*match.span(), str(int(match[0]) + step))
    for match in _LIST.finditer(sql):
        keys = re.split(r", ?", match[2])
        for i, key in enumerate(keys):
            kind = "order" if match[1] == "ORDER BY" else "group"
            if len(keys) > 1:
                yield kind, at(*match.span(2), ", ".join(keys[:i] + keys[i + 1 :]))
            if kind == "order" and " " not in key:
                yield kind, at(*match.span(2), ", ".join([*keys[:i], f"{key} DESC", *keys[i + 1 :]]))
    for match in _CONDITION.finditer(sql):
        yield "condition dropped", at(*match.span(), "")
    for match in _TEXT.finditer(sql):
        for word in words[:3]:
            yield "text", at(*match.span(1), word)
    for match in re.finditer(r"(?:COALESCE|coalesce|NULLIF)\(((?:[^()]|\([^()]*\))*), (?:0|'all'|-1)\)", sql):
        yield "null", at(*match.span(), match[1])
    for match in re.finditer(r" LIMIT [0-9]+| HAVING [\w(*). <>=]+?(?= ORDER|$| UNION)| ORDER BY [\w., ]+$", sql):
        yield "clause dropped", at(*match.span(), "")


def wide_databases(rng: Rng, setting: Setting, sql: str, count: int) -> Iterator[Database]:
    """Further databases of every kind that the hidden ones are of: at least `count`."""
    bounds = constants(sql)
    yield from probes(rng, setting, sql)
    for _ in range(0, count, 6):
        yield edges(rng, setting, sql, rng.integer(4, 14), rng.integer(1, 5))
        yield sample_database_with_ties(rng, setting, rng.integer(5, 12), bounds)
        for parents, children in ((2, 4), (3, 8), (rng.integer(4, 11), rng.integer(8, 45))):
            yield instance(rng, setting, parents, children, rng.choice((0, 10, 25)), bounds)
        yield from probes(rng, setting, sql)[-11:]


def run_sqlite(databases: Iterable[Sequence[Table]], query: str) -> Iterator[list[Row]]:
    """The rows of a query on each database in turn."""
    return (run_query(database, query) for database in databases)


def audit_query(
    setting: Setting, sql: str, other: str, *, ordered: bool, results: Results = run_sqlite, count: int = 36, most: int = 40
) -> Audit:
    """The changed queries that give other rows than `sql` on some further database, evenly thinned to `most`; `other` is equivalent.

    A changed query that does not run is left out.
    """
    rng = Rng("audit", sql)
    changed = list(dict.fromkeys(query for _, query in mutants(sql, (*setting.kinds[:2], setting.groups[0])) if query != sql))
    if len(changed) > most:
        changed = [changed[i * len(changed) // most] for i in range(most)]
    databases = [tables(setting, database) for database in wide_databases(rng, setting, sql, count)]
    expected = list(results(databases, sql))

    def is_wrong(query: str) -> bool:
        try:
            return any(not same_rows(got, rows, ordered=ordered) for got, rows in zip(results(databases, query), expected, strict=True))
        except QueryFailed:
            return False

    return Audit(tuple(filter(is_wrong, changed)), (sql, other))
