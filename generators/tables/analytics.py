"""Questions that DuckDB's own clauses answer well: in words, as two queries, and as plain Python over the rows.

Each question has parameters; the Python answer is computed for other parameters too, so that hidden databases can be chosen that distinguish them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.databases.parent_child import Database, Setting, article, integer_cell
from rlgym.generators.tables.analytic_question import AnalyticQuestion, Rows, children_in_order, with_known_amount
from rlgym.generators.tables.instances import constants, edges, instance, sample_database_with_ties
from rlgym.generators.tables.probes import probes
from rlgym.generators.tables.window_questions import frames, islands, latest, records, rises

TIERS = 4


def question(rng: Rng, s: Setting, tier: int) -> AnalyticQuestion:
    """A question of a tier from 1 (groups and lists) to 4 (islands and records)."""
    return rng.choice(_SHAPES[tier])(rng, s)


def distinguishing_databases(
    rng: Rng, s: Setting, question: AnalyticQuestion, sizes: tuple[tuple[int, int], ...], unknown: int
) -> tuple[Database, ...]:
    """Databases on which every question that is nearly the same has another answer, as far as some tries find them,
    one of ties, one with values at the edges, and the probes."""
    bounds = constants(question.sql)
    chosen: list[Database] = []
    alive = [question.given | other for other in question.others]
    for parents, children in sizes:
        tries = [instance(rng, s, parents, children, unknown, bounds) for _ in range(4)]
        best = min(
            tries,
            key=lambda candidate: (
                len(_indistinguishable_answers(question, candidate, alive)),
                not question.answer(candidate, question.given),
            ),
        )
        chosen.append(best)
        alive = _indistinguishable_answers(question, best, alive)
    busy = sample_database_with_ties(rng, s, 6, bounds)
    last = Database(parents=busy.parents, children=tuple((*row[:3], row[3], rng.choice((3, 4))) for row in busy.children))
    return (*chosen, last, edges(rng, s, question.sql, 10, 2), *probes(rng, s, question.sql))


def _indistinguishable_answers(question: AnalyticQuestion, database: Database, others: list[dict[str, Any]]) -> list[dict[str, Any]]:
    right = question.answer(database, question.given)
    same = (lambda rows: rows) if question.ordered else (lambda rows: sorted(rows, key=repr))
    return [other for other in others if same(question.answer(database, other)) == same(right)]


# --- tier 1: lists, and the first rows of each group
def _lists(rng: Rng, s: Setting) -> AnalyticQuestion:
    least, size = rng.integer(2, 3), rng.integer(1, 6) * 5

    def answer(db: Database, given: dict[str, Any]) -> Rows:
        out: Rows = []
        for parent in db.parents:
            kinds = [str(row[2]) for row in children_in_order(db, parent)]
            kinds = sorted(kinds if given["twice"] else set(kinds), reverse=given["down"])
            if len(kinds) >= given["least"] and integer_cell(parent[3]) >= given["size"]:
                out.append((parent[1], "+".join(kinds)))
        return out

    where = f"p.{s.size} >= {size}"
    return AnalyticQuestion(
        f"For every {s.parent} whose {s.size_words} is at least {size} and whose {s.children} have at least {least} different values of "
        f"{s.kind}, give the name and these values of {s.kind}, each once, from A to Z, joined into one text with '+' between them.",
        f"SELECT p.name, array_to_string(list(DISTINCT c.{s.kind} ORDER BY c.{s.kind}), '+') FROM {s.parents} p JOIN {s.children} c ON "
        f"c.{s.link} = p.id "
        f"WHERE {where} GROUP BY p.id, p.name HAVING count(DISTINCT c.{s.kind}) >= {least}",
        f"SELECT p.name, string_agg(c.{s.kind}, '+' ORDER BY c.{s.kind}) FROM {s.parents} p JOIN (SELECT DISTINCT {s.link}, {s.kind} "
        f"FROM {s.children}) c "
        f"ON c.{s.link} = p.id WHERE {where} GROUP BY ALL HAVING count(*) >= {least}",
        answer,
        {"least": least, "size": size, "twice": False, "down": False},
        ({"least": least + 1}, {"least": least - 1}, {"size": size + 1}, {"size": size - 1}, {"twice": True}, {"down": True}),
    )


def _first(rng: Rng, s: Setting) -> AnalyticQuestion:
    most, bound = rng.integer(1, 2), rng.integer(2, 9) * 10

    def answer(db: Database, given: dict[str, Any]) -> Rows:
        out: Rows = []
        for parent in db.parents:
            rows = [row for row in with_known_amount(children_in_order(db, parent)) if integer_cell(row[3]) >= given["bound"]]
            rows.sort(key=lambda row: (integer_cell(row[3]) * given["sign"], integer_cell(row[0]) * given["tie"]))
            out += [(parent[1], row[0], row[3]) for row in rows[: given["most"]]]
        return out

    ranked = f"row_number() OVER (PARTITION BY c.{s.link} ORDER BY c.{s.amount} DESC, c.id)"
    core = f"SELECT p.name, c.id, c.{s.amount} FROM {s.parents} p JOIN {s.children} c ON c.{s.link} = p.id WHERE c.{s.amount} >= {bound}"
    return AnalyticQuestion(
        f"For every {s.parent}, find among {s.their} {s.children} with {article(s.amount_words)} of at least {bound} the {most if most > 1 else 'one'} "
        f"with the largest {s.amount_words} ({'all of them if there are fewer; ' if most > 1 else ''}where it is equal, "
        f"the smaller id comes first). Give one row for each {s.child} found, and none for {article(s.parent)} without any: the {s.parent}'s name, "
        f"the id of the {s.child} and its {s.amount_words}.",
        f"{core} QUALIFY {ranked} <= {most}",
        f"SELECT name, id, {s.amount} FROM (SELECT p.name, c.id, c.{s.amount}, {ranked} AS place FROM {s.parents} p JOIN {s.children} c "
        f"ON c.{s.link} = p.id WHERE c.{s.amount} >= {bound}) WHERE place <= {most}",
        answer,
        {"most": most, "bound": bound, "sign": -1, "tie": 1},
        ({"most": most + 1}, {"bound": bound + 1}, {"bound": bound - 1}, {"sign": 1}, {"tie": -1}),
    )


# --- tier 2: pivots, totals of several levels, the latest of each
def _pivot(rng: Rng, s: Setting) -> AnalyticQuestion:
    kinds, until = rng.sample(s.kinds[:5], 3), rng.integer(6, 10)

    def answer(db: Database, given: dict[str, Any]) -> Rows:
        groups = {parent[0]: parent[2] for parent in db.parents}
        rows = [row for row in db.children if integer_cell(row[4]) <= given["until"] and (groups[row[1]] is not None or given["null"])]
        out: Rows = []
        for group in dict.fromkeys(groups[row[1]] for row in rows):
            cells = []
            for kind in given["kinds"]:
                known = [integer_cell(row[3]) for row in rows if groups[row[1]] == group and row[2] == kind and row[3] is not None]
                cells.append((len(known) if given["count"] else sum(known)) if known else 0 if given["zero"] else None)
            out.append((group, *cells))
        return out

    sums = ", ".join(f"SUM(c.{s.amount}) FILTER (c.{s.kind} = '{kind}')" for kind in kinds)
    named = ", ".join(f"'{kind}'" for kind in kinds)
    joined = f"FROM {s.parents} p JOIN {s.children} c ON c.{s.link} = p.id WHERE p.{s.group} IS NOT NULL AND c.{s.when} <= {until}"
    return AnalyticQuestion(
        f"Make a pivot table of the {s.children} with {article(s.when)} of at most {until} that belong to {article(s.parent)} with a known {s.group}: one row "
        f"for each {s.group} with at least one such {s.child}, and four columns: the {s.group}, "
        f"then the sum of the known {s.amounts} for the {s.kind} values "
        f"{named}, in this order "
        f"(NULL if there are none).",
        f"SELECT p.{s.group}, {sums} {joined} GROUP BY p.{s.group}",
        f"SELECT * FROM (SELECT p.{s.group}, c.{s.kind}, c.{s.amount} {joined}) PIVOT (SUM({s.amount}) FOR {s.kind} IN ({named}) GROUP "
        f"BY {s.group})",
        answer,
        {"until": until, "kinds": tuple(kinds), "null": False, "zero": False, "count": False},
        ({"until": until - 1}, {"until": until + 1}, {"kinds": tuple(kinds[::-1])}, {"null": True}, {"zero": True}, {"count": True}),
    )


def _totals(rng: Rng, s: Setting) -> AnalyticQuestion:
    bound = rng.integer(4, 14) * 10

    def answer(db: Database, given: dict[str, Any]) -> Rows:
        groups = {parent[0]: parent[2] for parent in db.parents}
        rows = [row for row in with_known_amount(list(db.children)) if integer_cell(row[3]) > given["bound"]]
        entries = [(groups[row[1]], row[2], integer_cell(row[3])) for row in rows if groups[row[1]] is not None or given["null"]]
        out: Rows = []
        pairs = dict.fromkeys([(group, kind) for group, kind, _ in entries])
        for group, kind in pairs:
            amounts = [amount for first, second, amount in entries if (first, second) == (group, kind)]
            out.append((group, kind, len(amounts), max(amounts)))
        for group in dict.fromkeys(name for name, _ in pairs):
            amounts = [amount for name, _, amount in entries if name == group]
            out.append((group, "all", len(amounts), max(amounts)))
        if given["grand"] and entries:
            out.append(("all", "all", len(entries), max(amount for _, _, amount in entries)))
        return out

    joined = f"FROM {s.parents} p JOIN {s.children} c ON c.{s.link} = p.id WHERE p.{s.group} IS NOT NULL AND c.{s.amount} > {bound}"
    cells = f"count(*), max(c.{s.amount})"
    return AnalyticQuestion(
        f"Take the {s.children} with {article(s.amount_words)} of more than {bound} whose {s.parent} has a known {s.group}. For each {s.group} and "
        f"{s.kind} that occur together among them, give one row: {s.group}, {s.kind}, the number of these {s.children} and their largest {s.amount_words}. "
        f"Add a row for each {s.group} over all its {s.kind} values, with 'all' as {s.kind}, and, if there is any such {s.child}, one row over all of "
        "them, with 'all' as both.",
        f"SELECT coalesce(p.{s.group}, 'all'), coalesce(c.{s.kind}, 'all'), {cells} {joined} GROUP BY ROLLUP (p.{s.group}, c.{s.kind}) "
        f"HAVING count(*) > 0",
        f"SELECT p.{s.group}, c.{s.kind}, {cells} {joined} GROUP BY ALL UNION ALL SELECT p.{s.group}, 'all', {cells} {joined} GROUP BY ALL "
        f"UNION ALL SELECT 'all', 'all', {cells} {joined} HAVING count(*) > 0",
        answer,
        {"bound": bound, "null": False, "grand": True},
        ({"bound": bound - 1}, {"bound": bound + 1}, {"null": True}, {"grand": False}),
    )


_SHAPES: dict[int, tuple[Callable[[Rng, Setting], AnalyticQuestion], ...]] = {
    1: (_lists, _first),
    2: (_pivot, _totals, latest),
    3: (rises, frames),
    4: (islands, records),
}
