"""Hidden databases for a question, on which a wrong query gives another result."""

from __future__ import annotations

import re
from collections.abc import Callable

from rlgym.core.rng import Rng
from rlgym.generators.databases.parent_child import Database, Setting
from rlgym.generators.databases.questions import Question
from rlgym.generators.tables.instances import constants, edges, instance, sample_database_with_ties
from rlgym.generators.tables.probes import probes

_CLAUSE = re.compile(r" AND (?:[cd]\.)?[a-z]+ (?:<>|=|>|<=) (?:'\w+'|\d+\b)(?! AND)")


def mutants(sql: str) -> list[str]:
    """Queries that differ from a right one in one small way; most of them are wrong."""
    swaps = (
        (" > ", " >= "), (" <= ", " < "), (" = '", " <> '"), (" <> '", " = '"), ("LEFT JOIN", "JOIN"), ("DISTINCT ", ""), ("SUM(", "COUNT("),
        ("COUNT(c.id)", "COUNT(*)"), (" DESC", " ASC"), ("NOT EXISTS", "EXISTS"), ("MAX(", "MIN("), ("AVG(", "MAX("), ("BETWEEN 1", "BETWEEN 2"),
        (" AND p.name < q.name", " AND p.name <> q.name"), ("HAVING COUNT(*) >= ", "HAVING COUNT(*) > "), (" IS NOT NULL", " IS NULL"),
        (" >= ", " > "), ("COUNT(*), COUNT", "COUNT(*), SUM"),
    )  # fmt: skip
    changed = [sql.replace(old, new, 1) for old, new in swaps if old in sql]
    changed += [sql.replace(clause, "", 1) for clause in _CLAUSE.findall(sql)]
    return list(dict.fromkeys(mutant for mutant in changed if mutant != sql))


def distinguishing_databases(
    rng: Rng, s: Setting, question: Question, sizes: tuple[tuple[int, int], ...], unknown: int, fails: Callable[[Database, str], bool]
) -> tuple[Database, ...]:
    """Databases on which a wrong query shows: one of each size, one of ties, some with values at the edges, the probes, up to two that catch mutants left over.

    `fails(database, query)` says whether a query gives other rows than the question's answer there.
    """
    bounds = constants(question.sql)
    chosen = [instance(rng, s, parents, children, unknown, bounds) for parents, children in sizes]
    chosen += [sample_database_with_ties(rng, s, 10, bounds), *(edges(rng, s, question.sql, 14, most) for most in (1, 1, 2, 3, 4, 6))]
    chosen += probes(rng, s, question.sql)
    most = len(chosen) + 2
    alive = [mutant for mutant in mutants(question.sql) if not any(fails(db, mutant) for db in chosen)]
    for _ in range(8):
        if not alive or len(chosen) == most:
            break
        more = instance(rng, s, rng.integer(8, 11), rng.integer(20, 45), unknown, bounds)
        surviving = [mutant for mutant in alive if not fails(more, mutant)]
        if len(surviving) < len(alive):
            chosen.append(more)
            alive = surviving
    return tuple(chosen)
