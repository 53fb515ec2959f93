"""Questions about a database of parents and children: in words, as SQL, and as plain Python over the rows.

The Python answers and the SQL are written independently, so that each checks the other. Unknown values (NULL) meet no condition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rlgym.core.rng import Rng
from rlgym.generators.databases.parent_child import Database, Record, Setting, article, integer_cell
from rlgym.generators.databases.query_conditions import Conjunction, Rows, sample_conditions
from rlgym.generators.text.english import join_words

TIERS = 5


@dataclass(frozen=True)
class Question:
    """One question. `sql` and `other` are two right queries; `answer` computes the rows without SQL."""

    words: str
    sql: str
    other: str
    answer: Callable[[Database], Rows]
    ordered: bool = False


def question(rng: Rng, s: Setting, tier: int, conditions: int) -> Question:
    """A question of a tier from 1 (one table) to 5 (windows, rankings, pairs), with so many extra conditions on the children."""
    chosen = sample_conditions(rng, s, conditions)
    words = f" {join_words([f'whose {condition.words}' for condition in chosen])}" if chosen else ""
    return rng.choice(_SHAPES[tier])(rng, s, Conjunction(words, chosen))


def _known_amounts(rows: list[Record]) -> list[int]:
    return [integer_cell(row[3]) for row in rows if row[3] is not None]


def _sum_of_amounts(rows: list[Record]) -> int | None:
    known = _known_amounts(rows)
    return sum(known) if known else None


def _amounts(s: Setting, where: Conjunction, of: str = "") -> str:
    """The amounts to add up, in words, and what their sum is if none is known, which can only be where the conditions allow it."""
    return f"{s.amounts}{of}" if where.needs_amount else f"known {s.amounts}{of} (NULL if none is known)"


def _children_of(database: Database, parent: Record, where: Conjunction) -> list[Record]:
    return [row for row in database.children if row[1] == parent[0] and where.holds(row)]


# --- tier 1: one table
def _listing_question(rng: Rng, s: Setting, where: Conjunction) -> Question:
    return Question(
        f"List the id and the {s.amount_words} of every {s.child}{where.words}.",
        f"SELECT id, {s.amount} FROM {s.children}{where.sql('')}",
        f"SELECT c.id, c.{s.amount} FROM {s.children} AS c{where.sql('c.')}",
        lambda db: [(row[0], row[3]) for row in db.children if where.holds(row)],
    )


def _counting_question(rng: Rng, s: Setting, where: Conjunction) -> Question:
    return Question(
        f"How many {s.children} are there{where.words}, and how many of these have a known {s.amount_words}? Give one row with both numbers.",
        f"SELECT COUNT(*), COUNT({s.amount}) FROM {s.children}{where.sql('')}",
        f"SELECT COUNT(id), COALESCE(SUM({s.amount} IS NOT NULL), 0) FROM {s.children}{where.sql('')}",
        lambda db: [(len(rows := [row for row in db.children if where.holds(row)]), len(_known_amounts(rows)))],
    )


def _distinct(rng: Rng, s: Setting, where: Conjunction) -> Question:
    return Question(
        f"List each {s.kind} that occurs among the {s.children}{where.words}, once each.",
        f"SELECT DISTINCT {s.kind} FROM {s.children}{where.sql('')}",
        f"SELECT {s.kind} FROM {s.children}{where.sql('')} GROUP BY {s.kind}",
        lambda db: [(kind,) for kind in dict.fromkeys(row[2] for row in db.children if where.holds(row))],
    )


# --- tier 2: groups and joins
def _per_kind(rng: Rng, s: Setting, where: Conjunction) -> Question:
    def answer(db: Database) -> Rows:
        rows = [row for row in db.children if where.holds(row)]
        kinds = dict.fromkeys(row[2] for row in rows)
        return [(kind, len(same := [row for row in rows if row[2] == kind]), _sum_of_amounts(same)) for kind in kinds]

    return Question(
        f"For each {s.kind} among the {s.children}{where.words}, give the {s.kind}, the number of these {s.children} and the sum of their "
        f"{_amounts(s, where)}.",
        f"SELECT {s.kind}, COUNT(*), SUM({s.amount}) FROM {s.children}{where.sql('')} GROUP BY {s.kind}",
        f"SELECT DISTINCT {s.kind}, COUNT(*) OVER k, SUM({s.amount}) OVER k FROM {s.children}{where.sql('')} WINDOW k AS (PARTITION BY {s.kind})",
        answer,
    )


def _join(rng: Rng, s: Setting, where: Conjunction) -> Question:
    group = rng.choice(s.groups[:4])

    def answer(db: Database) -> Rows:
        parents = {row[0]: row for row in db.parents}
        return [(parents[row[1]][1], row[0]) for row in db.children if where.holds(row) and parents[row[1]][2] == group]

    return Question(
        f"For every {s.child}{where.words} that belongs to {article(s.parent)} whose {s.group} is '{group}', give the {s.parent}'s name and the id "
        f"of the {s.child}.",
        f"SELECT p.name, c.id FROM {s.parents} p JOIN {s.children} c ON c.{s.link} = p.id WHERE p.{s.group} = '{group}'{where.sql('c.', 'AND')}",
        f"SELECT (SELECT name FROM {s.parents} WHERE id = c.{s.link}), id FROM {s.children} c WHERE c.{s.link} IN "
        f"(SELECT id FROM {s.parents} WHERE {s.group} = '{group}'){where.sql('c.', 'AND')}",
        answer,
    )


# --- tier 3: outer joins and conditions on groups
def _counted_all(rng: Rng, s: Setting, where: Conjunction) -> Question:
    size = rng.integer(1, 7) * 5
    match = where.sql("c.", "AND")
    return Question(
        f"For every {s.parent} whose {s.size_words} is at least {size}, including those without any {s.child}, give the name and the number of {s.their} "
        f"{s.children}{where.words}.",
        f"SELECT p.name, COUNT(c.id) FROM {s.parents} p LEFT JOIN {s.children} c ON c.{s.link} = p.id{match} WHERE p.{s.size} >= {size} "
        "GROUP BY p.id, p.name",
        f"SELECT name, (SELECT COUNT(*) FROM {s.children} c WHERE c.{s.link} = p.id{match}) FROM {s.parents} p WHERE {s.size} >= {size}",
        lambda db: [(parent[1], len(_children_of(db, parent, where))) for parent in db.parents if integer_cell(parent[3]) >= size],
    )


def _having_question(rng: Rng, s: Setting, where: Conjunction) -> Question:
    least = rng.integer(2, 3)
    core = (
        f"SELECT c.{s.link} AS who, COUNT(*) AS many, SUM(c.{s.amount}) AS total FROM {s.children} c{where.sql('c.')} GROUP BY c.{s.link}"
    )

    def answer(db: Database) -> Rows:
        matching = [(parent[1], _children_of(db, parent, where)) for parent in db.parents]
        return [(name, _sum_of_amounts(rows)) for name, rows in matching if len(rows) >= least]

    return Question(
        f"Which {s.parents} have at least {least} {s.children}{where.words}? For each give the name and the sum of the "
        f"{_amounts(s, where, f' of these {s.children}')}.",
        f"SELECT p.name, SUM(c.{s.amount}) FROM {s.parents} p JOIN {s.children} c ON c.{s.link} = p.id{where.sql('c.')} "
        f"GROUP BY p.id, p.name HAVING COUNT(*) >= {least}",
        f"SELECT p.name, x.total FROM {s.parents} p JOIN ({core}) x ON x.who = p.id WHERE x.many >= {least}",
        answer,
    )


# --- tier 4: absence and extremes
def _without(rng: Rng, s: Setting, where: Conjunction) -> Question:
    size = rng.integer(2, 6) * 5
    return Question(
        f"Which {s.parents} whose {s.size_words} is at least {size} have no {s.child}{where.words}? Give their names.",
        f"SELECT name FROM {s.parents} p WHERE {s.size} >= {size} AND NOT EXISTS "
        f"(SELECT 1 FROM {s.children} c WHERE c.{s.link} = p.id{where.sql('c.', 'AND')})",
        f"SELECT name FROM {s.parents} WHERE {s.size} >= {size} AND id NOT IN (SELECT {s.link} FROM {s.children} c{where.sql('c.')})",
        lambda db: [(parent[1],) for parent in db.parents if integer_cell(parent[3]) >= size and not _children_of(db, parent, where)],
    )


def _largest(rng: Rng, s: Setting, where: Conjunction) -> Question:
    def answer(db: Database) -> Rows:
        out: Rows = []
        for parent in db.parents:
            rows = _children_of(db, parent, where)
            known = _known_amounts(rows)
            out += [(parent[1], row[0]) for row in rows if known and row[3] == max(known)]
        return out

    extreme = f"SELECT MAX(d.{s.amount}) FROM {s.children} d WHERE d.{s.link} = c.{s.link}{where.sql('d.', 'AND')}"
    ranked = f"SELECT c.*, RANK() OVER (PARTITION BY c.{s.link} ORDER BY c.{s.amount} DESC) AS place FROM {s.children} c"
    return Question(
        f"For every {s.parent}, find the {s.child} with the largest known {s.amount_words} among {s.their} {s.children}{where.words}, if there is one; if "
        f"several share the largest value, list all of them. Give the {s.parent}'s name and the id of the {s.child}.",
        f"SELECT p.name, c.id FROM {s.parents} p JOIN {s.children} c ON c.{s.link} = p.id WHERE c.{s.amount} = ({extreme}){where.sql('c.', 'AND')}",
        f"SELECT p.name, c.id FROM {s.parents} p JOIN ({ranked} WHERE c.{s.amount} IS NOT NULL{where.sql('c.', 'AND')}) c "
        f"ON c.{s.link} = p.id WHERE c.place = 1",
        answer,
    )


# --- tier 5: comparisons with groups, rankings, running totals, pairs
def _above_average(rng: Rng, s: Setting, where: Conjunction) -> Question:
    def answer(db: Database) -> Rows:
        out: Rows = []
        for row in db.children:
            known = _known_amounts([other for other in db.children if other[2] == row[2]])
            if where.holds(row) and row[3] is not None and integer_cell(row[3]) * len(known) > sum(known):
                out.append((row[0], row[2]))
        return out

    average = f"SELECT AVG(d.{s.amount}) FROM {s.children} d WHERE d.{s.kind} = c.{s.kind}"
    averages = f"SELECT {s.kind} AS same, AVG({s.amount}) AS usual FROM {s.children} GROUP BY {s.kind}"
    return Question(
        f"Find every {s.child}{where.words} with {article(s.amount_words)} strictly above the average of the known {s.amounts} "
        f"of all {s.children} of the same {s.kind} (over all of them, whatever the other conditions). Give its id and its {s.kind}.",
        f"SELECT c.id, c.{s.kind} FROM {s.children} c WHERE c.{s.amount} > ({average}){where.sql('c.', 'AND')}",
        f"SELECT c.id, c.{s.kind} FROM {s.children} c JOIN ({averages}) a ON a.same = c.{s.kind} WHERE c.{s.amount} > a.usual{where.sql('c.', 'AND')}",
        answer,
    )


def _ranking_question(rng: Rng, s: Setting, where: Conjunction) -> Question:
    most = rng.integer(3, 4)

    def answer(db: Database) -> Rows:
        totals = [(parent[1], _sum_of_amounts(_children_of(db, parent, where)) or 0) for parent in db.parents]
        ordered: Rows = [*sorted(totals, key=lambda pair: (-pair[1], str(pair[0])))]
        return ordered[:most]

    total = f"COALESCE((SELECT SUM(c.{s.amount}) FROM {s.children} c WHERE c.{s.link} = p.id{where.sql('c.', 'AND')}), 0)"
    return Question(
        f"Rank all {s.parents} by the sum of the known {s.amounts} of their {s.children}{where.words} (0 if there are none), largest first, "
        f"breaking ties by name from A to Z. Give the name and the sum of the first {most}, in this order.",
        f"SELECT p.name, COALESCE(SUM(c.{s.amount}), 0) AS total FROM {s.parents} p LEFT JOIN {s.children} c ON c.{s.link} = p.id"
        f"{where.sql('c.', 'AND')} GROUP BY p.id, p.name ORDER BY total DESC, p.name LIMIT {most}",
        f"SELECT p.name, {total} AS total FROM {s.parents} p ORDER BY 2 DESC, 1 ASC LIMIT {most}",
        answer,
        ordered=True,
    )


def _running_total_question(rng: Rng, s: Setting, where: Conjunction) -> Question:
    def answer(db: Database) -> Rows:
        rows = sorted(
            (row for row in db.children if where.holds(row) and row[3] is not None),
            key=lambda row: (integer_cell(row[4]), integer_cell(row[0])),
        )
        return [(row[0], sum(integer_cell(before[3]) for before in rows[: i + 1])) for i, row in enumerate(rows)]

    earlier = f"(d.{s.when} < c.{s.when} OR (d.{s.when} = c.{s.when} AND d.id <= c.id))"
    return Question(
        f"Take the {s.children}{'' if where.needs_amount else f' with a known {s.amount_words}'}{where.words}. Order them by {s.when} and then by id. For "
        f"each of them, in this order, give its id and the sum of the {s.amounts} of all of them up to and including it.",
        f"SELECT id, SUM({s.amount}) OVER (ORDER BY {s.when}, id) FROM {s.children} WHERE {s.amount} IS NOT NULL{where.sql('', 'AND')} "
        f"ORDER BY {s.when}, id",
        f"SELECT c.id, (SELECT SUM(d.{s.amount}) FROM {s.children} d WHERE d.{s.amount} IS NOT NULL AND {earlier}{where.sql('d.', 'AND')}) "
        f"FROM {s.children} c WHERE c.{s.amount} IS NOT NULL{where.sql('c.', 'AND')} ORDER BY c.{s.when}, c.id",
        answer,
        ordered=True,
    )


def _pairs(rng: Rng, s: Setting, where: Conjunction) -> Question:
    def answer(db: Database) -> Rows:
        kinds = {parent[1]: {row[2] for row in _children_of(db, parent, where)} for parent in db.parents}
        ordered = sorted(db.parents, key=lambda parent: str(parent[1]))
        pairs = [(first, second) for i, first in enumerate(ordered) for second in ordered[i + 1 :] if first[2] == second[2] is not None]
        return [(first[1], second[1]) for first, second in pairs if kinds[first[1]] & kinds[second[1]]]

    has = f"SELECT c.{s.kind} FROM {s.children} c WHERE c.{s.link} = {{}}.id{where.sql('c.', 'AND')}"
    return Question(
        f"Find all pairs of different {s.parents} with the same known {s.group} that also have at least one {s.kind} in common among "
        f"{'those of ' * bool(where.words)}their {s.children}{where.words}. Give both names, the one that comes first from A to Z in the first column, "
        "each pair once.",
        f"SELECT DISTINCT p.name, q.name FROM {s.parents} p JOIN {s.parents} q ON p.{s.group} = q.{s.group} AND p.name < q.name "
        f"JOIN {s.children} c ON c.{s.link} = p.id{where.sql('c.', 'AND')} JOIN {s.children} d ON d.{s.link} = q.id AND d.{s.kind} = c.{s.kind}"
        f"{where.sql('d.', 'AND')}",
        f"SELECT p.name, q.name FROM {s.parents} p, {s.parents} q WHERE p.{s.group} = q.{s.group} AND p.name < q.name AND EXISTS "
        f"({has.format('p')} INTERSECT {has.format('q')})",
        answer,
    )


_SHAPES: dict[int, tuple[Callable[[Rng, Setting, Conjunction], Question], ...]] = {
    1: (_listing_question, _counting_question, _distinct),
    2: (_per_kind, _join),
    3: (_counted_all, _having_question),
    4: (_without, _largest),
    5: (_above_average, _ranking_question, _running_total_question, _pairs),
}
