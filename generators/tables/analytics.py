"""Questions that DuckDB's own clauses answer well: in words, as two queries, and as plain Python over the rows.

Each question has parameters; the Python answer is computed for other parameters too, so that the hidden databases can be chosen to tell them apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.databases.parent_child import Database, Record, Setting, article, integer_cell
from rlgym.generators.tables.instances import constants, edges, instance, tied
from rlgym.generators.tables.probes import probes

Rows = list[Record]
TIERS = 4


@dataclass(frozen=True)
class Asked:
    """One question: `answer(database, given)` computes the rows, `given` are its parameters, `others` such that are nearly right."""

    words: str
    sql: str
    other: str
    answer: Callable[[Database, dict[str, Any]], Rows]
    given: dict[str, Any]
    others: tuple[dict[str, Any], ...]
    ordered: bool = False


def question(rng: Rng, s: Setting, tier: int) -> Asked:
    """A question of a tier from 1 (groups and lists) to 4 (islands and records)."""
    return rng.choice(_SHAPES[tier])(rng, s)


def telling(rng: Rng, s: Setting, question: Asked, sizes: tuple[tuple[int, int], ...], unknown: int) -> tuple[Database, ...]:
    """Databases on which every question that is nearly the same has another answer, as far as some tries find them,
    one of ties, one with values at the edges, and the probes."""
    bounds = constants(question.sql)
    chosen: list[Database] = []
    alive = [question.given | other for other in question.others]
    for parents, children in sizes:
        tries = [instance(rng, s, parents, children, unknown, bounds) for _ in range(4)]
        best = min(tries, key=lambda candidate: (len(_alive(question, candidate, alive)), not question.answer(candidate, question.given)))
        chosen.append(best)
        alive = _alive(question, best, alive)
    busy = tied(rng, s, 6, bounds)
    last = Database(parents=busy.parents, children=tuple((*row[:3], row[3], rng.choice((3, 4))) for row in busy.children))
    return (*chosen, last, edges(rng, s, question.sql, 10, 2), *probes(rng, s, question.sql))


def _alive(question: Asked, database: Database, others: list[dict[str, Any]]) -> list[dict[str, Any]]:
    right = question.answer(database, question.given)
    same = (lambda rows: rows) if question.ordered else (lambda rows: sorted(rows, key=repr))
    return [other for other in others if same(question.answer(database, other)) == same(right)]


def _mine(db: Database, parent: Record) -> Rows:
    """A parent's children in the order of time and id."""
    return sorted((row for row in db.children if row[1] == parent[0]), key=lambda row: (integer_cell(row[4]), integer_cell(row[0])))


def _known(rows: Rows) -> Rows:
    return [row for row in rows if row[3] is not None]


# --- tier 1: lists, and the first rows of each group
def _lists(rng: Rng, s: Setting) -> Asked:
    least, size = rng.integer(2, 3), rng.integer(1, 6) * 5

    def answer(db: Database, given: dict[str, Any]) -> Rows:
        out: Rows = []
        for parent in db.parents:
            kinds = [str(row[2]) for row in _mine(db, parent)]
            kinds = sorted(kinds if given["twice"] else set(kinds), reverse=given["down"])
            if len(kinds) >= given["least"] and integer_cell(parent[3]) >= given["size"]:
                out.append((parent[1], "+".join(kinds)))
        return out

    where = f"p.{s.size} >= {size}"
    return Asked(
        f"For every {s.parent} whose {s.size} is at least {size} and whose {s.children} are of at least {least} different values of "
        f"{s.kind}: the name, "
        f"and these values of {s.kind}, each once, from A to Z, joined to one text by '+'.",
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


def _first(rng: Rng, s: Setting) -> Asked:
    most, bound = rng.integer(1, 2), rng.integer(2, 9) * 10

    def answer(db: Database, given: dict[str, Any]) -> Rows:
        out: Rows = []
        for parent in db.parents:
            rows = [row for row in _known(_mine(db, parent)) if integer_cell(row[3]) >= given["bound"]]
            rows.sort(key=lambda row: (integer_cell(row[3]) * given["sign"], integer_cell(row[0]) * given["tie"]))
            out += [(parent[1], row[0], row[3]) for row in rows[: given["most"]]]
        return out

    ranked = f"row_number() OVER (PARTITION BY c.{s.link} ORDER BY c.{s.amount} DESC, c.id)"
    core = f"SELECT p.name, c.id, c.{s.amount} FROM {s.parents} p JOIN {s.children} c ON c.{s.link} = p.id WHERE c.{s.amount} >= {bound}"
    return Asked(
        f"For every {s.parent}: of their {s.children} with a known {s.amount} of at least {bound}, the {most if most > 1 else 'one'} "
        f"with the largest "
        f"{s.amount} (all, if there are fewer; of equal {s.amount} the smaller id goes first). One row each: the {s.parent}'s name, the "
        f"id of the "
        f"{s.child}, its {s.amount}.",
        f"{core} QUALIFY {ranked} <= {most}",
        f"SELECT name, id, {s.amount} FROM (SELECT p.name, c.id, c.{s.amount}, {ranked} AS place FROM {s.parents} p JOIN {s.children} c "
        f"ON c.{s.link} = p.id WHERE c.{s.amount} >= {bound}) WHERE place <= {most}",
        answer,
        {"most": most, "bound": bound, "sign": -1, "tie": 1},
        ({"most": most + 1}, {"bound": bound + 1}, {"bound": bound - 1}, {"sign": 1}, {"tie": -1}),
    )


# --- tier 2: pivots, totals of several levels, the latest of each
def _pivot(rng: Rng, s: Setting) -> Asked:
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
    return Asked(
        f"A pivot of the {s.children} with {s.when} at most {until} that belong to {article(s.parent)} with a known {s.group}: one row per "
        f"{s.group} with at least "
        f"one such {s.child}, and four columns: the {s.group}, then the sum of the known {s.amount} values for the {s.kind} values "
        f"{named}, in this order "
        f"(NULL where there is none).",
        f"SELECT p.{s.group}, {sums} {joined} GROUP BY p.{s.group}",
        f"SELECT * FROM (SELECT p.{s.group}, c.{s.kind}, c.{s.amount} {joined}) PIVOT (SUM({s.amount}) FOR {s.kind} IN ({named}) GROUP "
        f"BY {s.group})",
        answer,
        {"until": until, "kinds": tuple(kinds), "null": False, "zero": False, "count": False},
        ({"until": until - 1}, {"until": until + 1}, {"kinds": tuple(kinds[::-1])}, {"null": True}, {"zero": True}, {"count": True}),
    )


def _totals(rng: Rng, s: Setting) -> Asked:
    bound = rng.integer(4, 14) * 10

    def answer(db: Database, given: dict[str, Any]) -> Rows:
        groups = {parent[0]: parent[2] for parent in db.parents}
        rows = [row for row in _known(list(db.children)) if integer_cell(row[3]) > given["bound"]]
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
    return Asked(
        f"Take the {s.children} with {s.amount} more than {bound} whose {s.parent} has a known {s.group}. For each {s.group} and "
        f"{s.kind} among them one row: "
        f"{s.group}, {s.kind}, their number, the largest {s.amount}. Besides, for each {s.group} such a row over all its {s.kind} "
        f"values, with 'all' as {s.kind}, "
        "and one row over everything (if there is anything), with 'all' twice.",
        f"SELECT coalesce(p.{s.group}, 'all'), coalesce(c.{s.kind}, 'all'), {cells} {joined} GROUP BY ROLLUP (p.{s.group}, c.{s.kind}) "
        f"HAVING count(*) > 0",
        f"SELECT p.{s.group}, c.{s.kind}, {cells} {joined} GROUP BY ALL UNION ALL SELECT p.{s.group}, 'all', {cells} {joined} GROUP BY ALL "
        f"UNION ALL SELECT 'all', 'all', {cells} {joined} HAVING count(*) > 0",
        answer,
        {"bound": bound, "null": False, "grand": True},
        ({"bound": bound - 1}, {"bound": bound + 1}, {"null": True}, {"grand": False}),
    )


def _latest(rng: Rng, s: Setting) -> Asked:
    kind = rng.choice(s.kinds[:5])

    def answer(db: Database, given: dict[str, Any]) -> Rows:
        out: Rows = []
        for parent in db.parents:
            rows = [row for row in _mine(db, parent) if row[2] != kind or not given["without"]]
            rows = _known(rows) if given["known"] else rows
            if rows:
                rows.sort(key=lambda row: (integer_cell(row[4]), integer_cell(row[0]) * given["tie"]))
                out.append((parent[1], rows[given["end"]][2], len(rows)))
            elif given["outer"]:
                out.append((parent[1], None, 0))
        return out

    where = f"c.{s.kind} <> '{kind}' AND c.{s.amount} IS NOT NULL"
    return Asked(
        f"For every {s.parent}, also those without any: look at their {s.children} with a known {s.amount} and {article(s.kind)} other than "
        f"'{kind}'. Give the name, "
        f"the {s.kind} of the one with the largest {s.when} (of several, the one with the larger id; NULL if there is none), and how "
        f"many there are.",
        f"SELECT p.name, last(c.{s.kind} ORDER BY c.{s.when}, c.id), count(c.id) FROM {s.parents} p LEFT JOIN {s.children} c ON "
        f"c.{s.link} = p.id "
        f"AND {where} GROUP BY p.id, p.name",
        f"SELECT p.name, list(c.{s.kind} ORDER BY c.{s.when} DESC, c.id DESC)[1], count(c.{s.amount}) FROM {s.parents} p LEFT JOIN "
        f"{s.children} c "
        f"ON c.{s.link} = p.id AND {where} GROUP BY ALL",
        answer,
        {"without": True, "known": True, "outer": True, "tie": 1, "end": -1},
        ({"without": False}, {"known": False}, {"outer": False}, {"tie": -1}, {"end": 0}),
    )


# --- tier 3: neighbours and frames
def _rises(rng: Rng, s: Setting) -> Asked:
    rise = rng.integer(1, 6) * 10

    def answer(db: Database, given: dict[str, Any]) -> Rows:
        out: Rows = []
        for parents in [[parent] for parent in db.parents] if given["apart"] else [list(db.parents)]:
            rows = _known([row for parent in parents for row in _mine(db, parent)])
            rows.sort(key=lambda row: (integer_cell(row[4]), integer_cell(row[0]) * given["tie"]))
            steps = [(after[0], integer_cell(after[3]) - integer_cell(before[3])) for before, after in pairwise(rows)]
            out += [(key, step) for key, step in steps if step >= given["rise"]]
        return out

    step = f"{s.amount} - lag({s.amount}) OVER (PARTITION BY {s.link} ORDER BY {s.when}, id)"
    return Asked(
        f"Put the {s.children} of each {s.parent} with a known {s.amount} in the order of {s.when}, then id. Find those whose "
        f"{s.amount} is larger by {rise} or "
        f"more than that of the one just before it in this order. Give the id and the difference.",
        f"SELECT id, {step} AS step FROM {s.children} WHERE {s.amount} IS NOT NULL QUALIFY step >= {rise}",
        f"SELECT * FROM (SELECT id, {step} AS step FROM {s.children} WHERE {s.amount} IS NOT NULL) WHERE step >= {rise}",
        answer,
        {"rise": rise, "apart": True, "tie": 1},
        ({"rise": rise + 1}, {"rise": rise - 1}, {"apart": False}, {"tie": -1}),
    )


def _frames(rng: Rng, s: Setting) -> Asked:
    back, bound = rng.integer(1, 3), rng.integer(8, 20) * 10

    def answer(db: Database, given: dict[str, Any]) -> Rows:
        rows = _known(list(db.children))
        out: Rows = []
        for row in rows:
            near = [
                integer_cell(other[3])
                for other in rows
                if other[2] == row[2]
                and integer_cell(row[4]) - given["back"] <= integer_cell(other[4]) <= integer_cell(row[4]) + given["ahead"]
            ]
            if sum(near) > given["bound"]:
                out.append((row[0], sum(near), len(near)))
        return out

    frame = f"(PARTITION BY {s.kind} ORDER BY {s.when} RANGE BETWEEN {back} PRECEDING AND CURRENT ROW)"
    near = f"d.{s.kind} = c.{s.kind} AND d.{s.when} BETWEEN c.{s.when} - {back} AND c.{s.when} AND d.{s.amount} IS NOT NULL"
    return Asked(
        f"Look only at {s.children} with a known {s.amount}. For each of them take those of the same {s.kind} (itself too) whose "
        f"{s.when} is the same or "
        f"smaller by at most {back}. Where their {s.amount} values sum to more than {bound}, give the id, this sum, and how many they are.",
        f"SELECT id, sum({s.amount}) OVER w AS total, count(*) OVER w FROM {s.children} WHERE {s.amount} IS NOT NULL WINDOW w AS "
        f"{frame} QUALIFY total > {bound}",
        f"SELECT c.id, sum(d.{s.amount}), count(*) FROM {s.children} c JOIN {s.children} d ON {near} WHERE c.{s.amount} IS NOT NULL "
        f"GROUP BY c.id "
        f"HAVING sum(d.{s.amount}) > {bound}",
        answer,
        {"back": back, "ahead": 0, "bound": bound},
        ({"back": back + 1}, {"back": back - 1}, {"ahead": 1}, {"bound": bound + 1}, {"bound": bound - 1}, {"bound": bound - 10}),
    )


# --- tier 4: islands and records
def _islands(rng: Rng, s: Setting) -> Asked:
    least = rng.integer(2, 3)

    def answer(db: Database, given: dict[str, Any]) -> Rows:
        out: Rows = []
        for parent in db.parents:
            times = sorted({integer_cell(row[4]) for row in _mine(db, parent)})
            start = 0
            for i in range(1, len(times) + 1):
                if i == len(times) or times[i] > times[i - 1] + given["gap"]:
                    if i - start >= given["least"]:
                        out.append((parent[1], times[start], times[i - 1]))
                    start = i
        return out

    days = f"SELECT DISTINCT {s.link}, {s.when} AS t FROM {s.children}"
    return Asked(
        f"For each {s.parent} look at the different {s.when} values of their {s.children}. A run is a longest possible row of values "
        f"each of which is "
        f"one more than the one before (a single value is a run of length 1). For each run of length {least} or more give the "
        f"{s.parent}'s name, its first and "
        "its last value.",
        f"SELECT p.name, min(t), max(t) FROM (SELECT {s.link}, t, t - row_number() OVER (PARTITION BY {s.link} ORDER BY t) AS island "
        f"FROM ({days})) x "
        f"JOIN {s.parents} p ON p.id = x.{s.link} GROUP BY p.name, x.{s.link}, island HAVING count(*) >= {least}",
        f"WITH d AS ({days}), e AS (SELECT {s.link}, t, coalesce(t - lag(t) OVER (PARTITION BY {s.link} ORDER BY t) > 1, true) AS opens "
        f"FROM d), "
        f"f AS (SELECT {s.link}, t, count_if(opens) OVER (PARTITION BY {s.link} ORDER BY t) AS island FROM e) "
        f"SELECT p.name, min(t), max(t) FROM f JOIN {s.parents} p ON p.id = f.{s.link} GROUP BY p.id, p.name, island HAVING count(*) >= "
        f"{least}",
        answer,
        {"least": least, "gap": 1},
        ({"least": least + 1}, {"least": least - 1}, {"gap": 2}),
    )


def _records(rng: Rng, s: Setting) -> Asked:
    least = rng.integer(2, 3)

    def answer(db: Database, given: dict[str, Any]) -> Rows:
        out: Rows = []
        for parent in db.parents:
            rows, best, count = _known(_mine(db, parent)), -1, 0
            rows.sort(key=lambda row: (integer_cell(row[4]), integer_cell(row[0]) * given["tie"]))
            for row in rows:
                if integer_cell(row[3]) > best or (given["equal"] and row[3] == best):
                    best, count = integer_cell(row[3]), count + 1
            if count >= given["least"]:
                out.append((parent[1], count, best))
        return out if given["ordered"] is None else sorted(out, key=lambda row: (integer_cell(row[1]) * given["ordered"], str(row[0])))

    over = f"OVER (PARTITION BY {s.link} ORDER BY {s.when}, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)"
    earlier = f"(d.{s.when} < c.{s.when} OR (d.{s.when} = c.{s.when} AND d.id < c.id))"
    return Asked(
        f"Put the {s.children} of each {s.parent} with a known {s.amount} in the order of {s.when}, then id. One of them is a record if "
        f"its {s.amount} is larger "
        f"than that of all before it (the first one is a record). For each {s.parent} with at least {least} records give the name, the "
        f"number of records and "
        "the largest of them; the largest number of records first, equal numbers by name from A to Z.",
        f"SELECT p.name, count(*), max(r.{s.amount}) FROM (SELECT {s.link}, {s.amount} FROM {s.children} WHERE {s.amount} IS NOT NULL "
        f"QUALIFY {s.amount} > coalesce(max({s.amount}) {over}, -1)) r JOIN {s.parents} p ON p.id = r.{s.link} GROUP BY p.id, p.name "
        f"HAVING count(*) >= {least} ORDER BY 2 DESC, 1",
        f"SELECT p.name, count(*), max(c.{s.amount}) FROM {s.children} c JOIN {s.parents} p ON p.id = c.{s.link} WHERE c.{s.amount} IS "
        f"NOT NULL AND NOT EXISTS "
        f"(SELECT 1 FROM {s.children} d WHERE d.{s.link} = c.{s.link} AND d.{s.amount} >= c.{s.amount} AND {earlier}) GROUP BY p.id, "
        f"p.name "
        f"HAVING count(*) >= {least} ORDER BY count(*) DESC, p.name",
        answer,
        {"least": least, "equal": False, "tie": 1, "ordered": -1},
        ({"least": least + 1}, {"least": least - 1}, {"equal": True}, {"tie": -1}, {"ordered": 1}, {"ordered": None}),
        ordered=True,
    )


_SHAPES: dict[int, tuple[Callable[[Rng, Setting], Asked], ...]] = {
    1: (_lists, _first),
    2: (_pivot, _totals, _latest),
    3: (_rises, _frames),
    4: (_islands, _records),
}
