"""The clauses of an SQL query in the order in which a query is evaluated, each with the reason for which it is written."""

from __future__ import annotations

import re

from rlgym.solutions import Derivation, Step

CLAUSE = Step("Write {clause}, because {reason}")
ORDER = ("FROM", "JOIN", "LEFT JOIN", "WHERE", "GROUP BY", "HAVING", "WINDOW", "SELECT", "QUALIFY", "ORDER BY", "LIMIT")
_KEYWORD = re.compile(r"\b(SELECT|FROM|LEFT JOIN|JOIN|WHERE|GROUP BY|HAVING|WINDOW|QUALIFY|ORDER BY|LIMIT|UNION ALL)\b")
_JOINS = ("FROM", "JOIN", "LEFT JOIN")
_REASONS = {  # the first mark that occurs in a clause decides
    "FROM": (("(...)", "the result so far is the table that the rest of the query reads"), ("", "the rows that count stand there")),
    "JOIN": (("", "each row is needed together with its matching rows"),),
    "LEFT JOIN": (("", "rows without a match must stay, with the conditions on the other table in ON"),),
    "WHERE": (
        ("NOT EXISTS", "absence is asked for: a row stays only if the subquery finds no match"),
        ("(SELECT MAX", "the largest value of the same group comes from a correlated subquery, which keeps ties"),
        ("(SELECT AVG", "the average of the same kind comes from a correlated subquery, which leaves NULL out"),
        ("", "only such rows count; a comparison with NULL is not true"),
    ),
    "GROUP BY": (("ROLLUP", "groups, their totals and the grand total are asked for"), ("", "one row per group is asked for")),
    "HAVING": (("", "a condition on whole groups comes after the grouping"),),
    "WINDOW": (("", "several columns look at the same neighbouring rows"),),
    "SELECT": (
        (" OVER ", "these columns are asked for, and a window sees the other rows without grouping them"),
        ("FILTER", "each column is an aggregate over its own rows"),
        ("DISTINCT", "equal ones count once"),
        ("", "these columns are asked for, in this order"),
    ),
    "QUALIFY": (("", "a condition on a window comes after the windows"),),
    "ORDER BY": (("", "this order is asked for"),),
    "LIMIT": (("", "no more rows are asked for"),),
    "UNION ALL": (("", "the rows of both queries belong to the result"),),
}


def clauses(sql: str) -> list[tuple[str, str]]:
    """Each clause with its keyword and its text, in the order of evaluation: subqueries in FROM first, SELECT after HAVING.

    A subquery in FROM is replaced by `(...)` in the clause that holds it.
    """
    found = list[tuple[str, str]]()
    for part in _split(sql, "UNION ALL"):
        own = sorted(_split_clauses(part), key=lambda clause: 0 if clause[0] in _JOINS else ORDER.index(clause[0]))
        for keyword, text in own:
            inner = _subquery(text) if keyword in _JOINS else ""
            found += clauses(inner) if inner else []
            found.append((keyword, text.replace(f"({inner})", "(...)") if inner else text))
        if part is not sql and sql.endswith(part):
            found.append(("UNION ALL", "UNION ALL"))
    return found


def reason(keyword: str, text: str) -> str:
    """Why a query that answers such a question has this clause; it completes a sentence that ends with `because`."""
    return next(why for mark, why in _REASONS[keyword] if mark in text)


def derive_query(sql: str) -> Derivation:
    """A query clause by clause."""
    for keyword, text in clauses(sql):
        yield CLAUSE(clause=text, reason=reason(keyword, text))


def _split(sql: str, keyword: str) -> list[str]:
    places = [place for place, found in _keywords(sql) if found == keyword]
    starts = [0, *(place + len(keyword) for place in places)]
    return [sql[start:end].strip() for start, end in zip(starts, [*places, len(sql)])] if places else [sql]


def _split_clauses(sql: str) -> list[tuple[str, str]]:
    places = _keywords(sql)
    ends = [*(place for place, _ in places[1:]), len(sql)]
    return [(keyword, sql[place:end].strip()) for (place, keyword), end in zip(places, ends)]


def _keywords(sql: str) -> list[tuple[int, str]]:
    """The keywords outside brackets, with their places."""
    depths, depth = list[int](), 0
    for character in sql:
        depth += (character == "(") - (character == ")")
        depths.append(depth)
    return [(found.start(), found[1]) for found in _KEYWORD.finditer(sql) if depths[found.start()] == 0]


def _subquery(text: str) -> str:
    """The query in the first brackets of a FROM clause; empty where there is none."""
    start = text.find("(SELECT ")
    depth = 0
    for place in range(start, len(text)) if start >= 0 else ():
        depth += (text[place] == "(") - (text[place] == ")")
        if not depth:
            return text[start + 1 : place]
    return ""
