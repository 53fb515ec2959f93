"""Questions for DuckDB that need an order within a group: the latest rows, rises, frames, islands and records."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.databases.parent_child import Database, Setting, article, integer_cell
from rlgym.generators.tables.analytic_question import AnalyticQuestion, Rows, children_in_order, with_known_amount


def latest(rng: Rng, s: Setting) -> AnalyticQuestion:
    kind = rng.choice(s.kinds[:5])

    def answer(db: Database, given: dict[str, Any]) -> Rows:
        out: Rows = []
        for parent in db.parents:
            rows = [row for row in children_in_order(db, parent) if row[2] != kind or not given["without"]]
            rows = with_known_amount(rows) if given["known"] else rows
            if rows:
                rows.sort(key=lambda row: (integer_cell(row[4]), integer_cell(row[0]) * given["tie"]))
                out.append((parent[1], rows[given["end"]][2], len(rows)))
            elif given["outer"]:
                out.append((parent[1], None, 0))
        return out

    where = f"c.{s.kind} <> '{kind}' AND c.{s.amount} IS NOT NULL"
    return AnalyticQuestion(
        f"For every {s.parent}, consider {s.their} {s.children} with a known {s.amount_words} and {article(s.kind)} other than '{kind}'. Give the name, "
        f"the {s.kind} of the one with the largest {s.when} (of several, the one with the largest id; NULL if there is none), and the number "
        f"of these {s.children} (0 if there are none).",
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
def rises(rng: Rng, s: Setting) -> AnalyticQuestion:
    rise = rng.integer(1, 6) * 10

    def answer(db: Database, given: dict[str, Any]) -> Rows:
        out: Rows = []
        for parents in [[parent] for parent in db.parents] if given["apart"] else [list(db.parents)]:
            rows = with_known_amount([row for parent in parents for row in children_in_order(db, parent)])
            rows.sort(key=lambda row: (integer_cell(row[4]), integer_cell(row[0]) * given["tie"]))
            steps = [(after[0], integer_cell(after[3]) - integer_cell(before[3])) for before, after in pairwise(rows)]
            out += [(key, step) for key, step in steps if step >= given["rise"]]
        return out

    step = f"{s.amount} - lag({s.amount}) OVER (PARTITION BY {s.link} ORDER BY {s.when}, id)"
    return AnalyticQuestion(
        f"For each {s.parent}, put {s.their} {s.children} with a known {s.amount_words} in the order of {s.when}, then id. Find those whose "
        f"{s.amount_words} exceeds that of the one just before it in this order by at least {rise}. Give the id and the difference.",
        f"SELECT id, {step} AS step FROM {s.children} WHERE {s.amount} IS NOT NULL QUALIFY step >= {rise}",
        f"SELECT * FROM (SELECT id, {step} AS step FROM {s.children} WHERE {s.amount} IS NOT NULL) WHERE step >= {rise}",
        answer,
        {"rise": rise, "apart": True, "tie": 1},
        ({"rise": rise + 1}, {"rise": rise - 1}, {"apart": False}, {"tie": -1}),
    )


def frames(rng: Rng, s: Setting) -> AnalyticQuestion:
    back, bound = rng.integer(1, 3), rng.integer(8, 20) * 10

    def answer(db: Database, given: dict[str, Any]) -> Rows:
        rows = with_known_amount(list(db.children))
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
    return AnalyticQuestion(
        f"Consider only {s.children} with a known {s.amount_words}. For each of them, take those of the same {s.kind} (itself included) whose "
        f"{s.when} is the same or "
        f"smaller by at most {back}. If their {s.amounts} sum to more than {bound}, give its id, this sum, and the number of those taken.",
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
def islands(rng: Rng, s: Setting) -> AnalyticQuestion:
    least = rng.integer(2, 3)

    def answer(db: Database, given: dict[str, Any]) -> Rows:
        out: Rows = []
        for parent in db.parents:
            times = sorted({integer_cell(row[4]) for row in children_in_order(db, parent)})
            start = 0
            for i in range(1, len(times) + 1):
                if i == len(times) or times[i] > times[i - 1] + given["gap"]:
                    if i - start >= given["least"]:
                        out.append((parent[1], times[start], times[i - 1]))
                    start = i
        return out

    days = f"SELECT DISTINCT {s.link}, {s.when} AS t FROM {s.children}"
    return AnalyticQuestion(
        f"For each {s.parent}, consider the distinct {s.when} values of {s.their} {s.children}. A run is a maximal sequence of values "
        f"each of which is "
        f"one more than the one before (a single value is a run of length 1). For each run of length {least} or more, give the "
        f"{s.parent}'s name, the first value of the run and its last value.",
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


def records(rng: Rng, s: Setting) -> AnalyticQuestion:
    least = rng.integer(2, 3)

    def answer(db: Database, given: dict[str, Any]) -> Rows:
        out: Rows = []
        for parent in db.parents:
            rows, best, count = with_known_amount(children_in_order(db, parent)), -1, 0
            rows.sort(key=lambda row: (integer_cell(row[4]), integer_cell(row[0]) * given["tie"]))
            for row in rows:
                if integer_cell(row[3]) > best or (given["equal"] and row[3] == best):
                    best, count = integer_cell(row[3]), count + 1
            if count >= given["least"]:
                out.append((parent[1], count, best))
        return out if given["ordered"] is None else sorted(out, key=lambda row: (integer_cell(row[1]) * given["ordered"], str(row[0])))

    over = f"OVER (PARTITION BY {s.link} ORDER BY {s.when}, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)"
    earlier = f"(d.{s.when} < c.{s.when} OR (d.{s.when} = c.{s.when} AND d.id < c.id))"
    return AnalyticQuestion(
        f"For each {s.parent}, put {s.their} {s.children} with a known {s.amount_words} in the order of {s.when}, then id. One of them is a record if "
        f"its {s.amount_words} is larger "
        f"than that of all before it (the first one is a record). For each {s.parent} with at least {least} records give the name, the "
        f"number of records and "
        f"the largest {s.amount_words} among them; the largest number of records first, equal numbers by name from A to Z.",
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
