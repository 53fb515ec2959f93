"""Printed reports over a database of parents and children: the rows with their notes, two queries for them, and plain Python over the rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rlgym.core.rng import Rng
from rlgym.generators.databases.parent_child import Database, Record, Setting, integer_cell

Rows = list[Record]


@dataclass(frozen=True)
class Report:
    """A report in fixed order: its title, the headings of its columns, the notes printed below it, two queries, and the rows in Python."""

    title: str
    headings: tuple[str, ...]
    notes: tuple[str, ...]
    sql: str
    other: str
    answer: Callable[[Database], Rows]

    def shown(self, database: Database) -> str:
        """The report on a database, as it is printed."""
        lines = [" | ".join(self.headings)]
        lines += [" | ".join("-" if cell is None else str(cell) for cell in row) for row in self.answer(database)]
        return "\n".join((self.title, *lines, *(f"Note: {note}" for note in self.notes)))


def report(rng: Rng, s: Setting, tier: int) -> Report:
    """A report of a tier from 1 (a plain list of groups) to 4 (several levels, shares of a total)."""
    return rng.choice(_SHAPES[tier])(rng, s)


def _text(cell: object) -> str:
    return str(cell)


@dataclass(frozen=True)
class _Filter:
    """Which children count: a bound on the amount or on the time."""

    note: str
    sql: str  # with {t} for the table's prefix
    holds: Callable[[Record], bool]


def _filter(rng: Rng, s: Setting) -> _Filter:
    condition = rng.choice(("amount", "time", "kind", "at most"))
    bound, last, kind = rng.integer(2, 9) * 10, rng.integer(6, 10), rng.choice(s.kinds[:5])
    match condition:
        case "amount":
            return _Filter(
                f"only {s.children} with {s.amount} above {bound}",
                f"{{t}}{s.amount} > {bound}",
                lambda row: row[3] is not None and integer_cell(row[3]) > bound,
            )
        case "time":
            return _Filter(
                f"only {s.children} with known {s.amount} and {s.when} up to and including {last}",
                f"{{t}}{s.amount} IS NOT NULL AND {{t}}{s.when} <= {last}",
                lambda row: row[3] is not None and integer_cell(row[4]) <= last,
            )
        case "at most":
            most = bound + 60
            return _Filter(
                f"only {s.children} with {s.amount} at most {most}",
                f"{{t}}{s.amount} <= {most}",
                lambda row: row[3] is not None and integer_cell(row[3]) <= most,
            )
    return _Filter(
        f"without {s.children} of {s.kind} {kind} and without those of unknown {s.amount}",
        f"{{t}}{s.kind} <> '{kind}' AND {{t}}{s.amount} IS NOT NULL",
        lambda row: row[2] != kind and row[3] is not None,
    )


def _parents(db: Database) -> dict[object, Record]:
    return {row[0]: row for row in db.parents}


def _per_parent(rng: Rng, s: Setting) -> Report:
    only, size = _filter(rng, s), rng.integer(2, 6) * 5
    on = only.sql.format(t="c.")

    def answer(db: Database) -> Rows:
        out: Rows = []
        for parent in db.parents:
            amounts = [integer_cell(row[3]) for row in db.children if row[1] == parent[0] and only.holds(row)]
            if integer_cell(parent[3]) >= size:
                out.append((parent[1], len(amounts), sum(amounts)))
        return sorted(out, key=lambda row: (-integer_cell(row[2]), _text(row[0])))

    total = f"(SELECT COALESCE(SUM(c.{s.amount}), 0) FROM {s.children} c WHERE c.{s.link} = p.id AND {on})"
    return Report(
        f"{s.children} by {s.parent}",
        ("name", f"number of {s.children}", f"total {s.amount}"),
        (
            f"{only.note}.",
            f"Every {s.parent} with {s.size} of at least {size} is listed, also with nothing (0 and 0), and no other {s.parent}.",
            "Largest total first; equal totals by name from A to Z.",
        ),
        f"SELECT p.name, COUNT(c.id), COALESCE(SUM(c.{s.amount}), 0) AS total FROM {s.parents} p LEFT JOIN {s.children} c ON c.{s.link} "
        f"= p.id AND {on} "
        f"WHERE p.{s.size} >= {size} GROUP BY p.id, p.name ORDER BY total DESC, p.name",
        f"SELECT p.name, (SELECT COUNT(*) FROM {s.children} c WHERE c.{s.link} = p.id AND {on}), {total} FROM {s.parents} p WHERE "
        f"p.{s.size} >= {size} "
        "ORDER BY 3 DESC, 1",
        answer,
    )


def _per_kind(rng: Rng, s: Setting) -> Report:
    only, least = _filter(rng, s), rng.integer(2, 3)
    where = only.sql.format(t="")

    def answer(db: Database) -> Rows:
        rows = [row for row in db.children if only.holds(row)]
        out: Rows = []
        for kind in sorted({_text(row[2]) for row in rows}):
            same = [row for row in rows if row[2] == kind]
            if len(same) >= least:
                out.append(
                    (
                        kind,
                        len({row[1] for row in same}),
                        min(integer_cell(row[3]) for row in same),
                        max(integer_cell(row[3]) for row in same),
                    )
                )
        return out

    return Report(
        f"{s.kind} of the {s.children}",
        (s.kind, f"different {s.parents}", f"smallest {s.amount}", f"largest {s.amount}"),
        (f"{only.note}.", f"A {s.kind} is listed if at least {least} such {s.children} have it.", f"In the order of {s.kind} from A to Z."),
        f"SELECT {s.kind}, COUNT(DISTINCT {s.link}), MIN({s.amount}), MAX({s.amount}) FROM {s.children} WHERE {where} GROUP BY {s.kind} "
        f"HAVING COUNT(*) >= {least} ORDER BY {s.kind}",
        f"SELECT a, COUNT(*), MIN(b), MAX(d) FROM (SELECT {s.kind} AS a, {s.link}, MIN({s.amount}) AS b, MAX({s.amount}) AS d, COUNT(*) "
        f"AS n FROM {s.children} "
        f"WHERE {where} GROUP BY {s.kind}, {s.link}) GROUP BY a HAVING SUM(n) >= {least} ORDER BY a",
        answer,
    )


def _subtotals(rng: Rng, s: Setting) -> Report:
    only = _filter(rng, s)
    where = f"p.{s.group} IS NOT NULL AND {only.sql.format(t='c.')}"

    def answer(db: Database) -> Rows:
        parents, out = _parents(db), list[Record]()
        rows = [(parents[row[1]], integer_cell(row[3])) for row in db.children if only.holds(row) and parents[row[1]][2] is not None]
        for group in sorted({_text(parent[2]) for parent, _ in rows}):
            group_rows = [(parent, amount) for parent, amount in rows if parent[2] == group]
            for name in sorted({_text(parent[1]) for parent, _ in group_rows}):
                mine = [amount for parent, amount in group_rows if parent[1] == name]
                out.append((group, name, len(mine), sum(mine)))
            out.append((group, None, len(group_rows), sum(amount for _, amount in group_rows)))
        return out

    core = f"FROM {s.parents} p JOIN {s.children} c ON c.{s.link} = p.id WHERE {where}"
    cells = f"COUNT(*) AS n, SUM(c.{s.amount}) AS total"
    return Report(
        f"{s.children} by {s.group} and {s.parent}, with subtotals",
        (s.group, "name", f"number of {s.children}", f"total {s.amount}"),
        (
            f"{only.note}; and only of {s.parents} with a known {s.group}.",
            f"{s.parents} without such {s.children} are not listed, nor is a {s.group} without them.",
            f"By {s.group} from A to Z, in it by name from A to Z; last in each {s.group} comes its subtotal, with NULL (printed -) as "
            f"name.",
        ),
        f"SELECT g, name, n, total FROM (SELECT p.{s.group} AS g, p.name AS name, {cells} {core} GROUP BY p.{s.group}, p.name UNION ALL "
        f"SELECT p.{s.group}, NULL, {cells} {core} GROUP BY p.{s.group}) ORDER BY g, name IS NULL, name",
        f"WITH x AS (SELECT p.{s.group} AS g, p.name AS name, c.{s.amount} AS a {core}) SELECT g, name, COUNT(*), SUM(a) FROM (SELECT "
        f"g, name, a, 0 AS last "
        "FROM x UNION ALL SELECT g, NULL, a, 1 FROM x) GROUP BY g, name, last ORDER BY g, last, name",
        answer,
    )


def _crosstab(rng: Rng, s: Setting) -> Report:
    only, kinds = _filter(rng, s), rng.sample(s.kinds[:5], 3)
    where = f"p.{s.group} IS NOT NULL AND {only.sql.format(t='c.')}"

    def answer(db: Database) -> Rows:
        parents, out = _parents(db), list[Record]()
        rows = [(parents[row[1]][2], row) for row in db.children if only.holds(row) and parents[row[1]][2] is not None]
        for group in sorted({_text(group) for group, _ in rows}):
            group_rows = [row for owner, row in rows if owner == group]
            out.append((group, *(sum(row[2] == kind for row in group_rows) for kind in kinds), len(group_rows)))
        return out

    core = f"FROM {s.parents} p JOIN {s.children} c ON c.{s.link} = p.id WHERE {where}"
    counts = ", ".join(f"SUM(c.{s.kind} = '{kind}')" for kind in kinds)
    cases = ", ".join(f"COUNT(CASE WHEN c.{s.kind} = '{kind}' THEN 1 END)" for kind in kinds)
    return Report(
        f"number of {s.children} by {s.group} and {s.kind}",
        (s.group, *kinds, "all"),
        (
            f"{only.note}; and only of {s.parents} with a known {s.group}.",
            f"The last column counts every {s.kind}, also those that have no column.",
            f"A {s.group} is listed if its last column is above 0; from A to Z.",
        ),
        f"SELECT p.{s.group}, {counts}, COUNT(*) {core} GROUP BY p.{s.group} ORDER BY p.{s.group}",
        f"SELECT p.{s.group}, {cases}, COUNT(c.id) {core} GROUP BY 1 ORDER BY 1 ASC",
        answer,
    )


def _shares(rng: Rng, s: Setting) -> Report:
    only = _filter(rng, s)
    where = only.sql.format(t="")

    def answer(db: Database) -> Rows:
        rows = [row for row in db.children if only.holds(row)]
        grand_total = sum(integer_cell(row[3]) for row in rows)
        sums = {kind: sum(integer_cell(row[3]) for row in rows if row[2] == kind) for kind in sorted({_text(row[2]) for row in rows})}
        ordered = sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))
        out: Rows = []
        for i, (kind, total) in enumerate(ordered):
            until = sum(amount for _, amount in ordered[: i + 1])
            out.append((kind, total, 100 * total // grand_total if grand_total else None, until))
        return out

    core = f"SELECT {s.kind} AS k, SUM({s.amount}) AS t FROM {s.children} WHERE {where} GROUP BY {s.kind}"
    return Report(
        f"{s.amount} by {s.kind}",
        (s.kind, f"total {s.amount}", "percent of all", "running total"),
        (
            f"{only.note}.",
            f"Percent of the total over every listed {s.kind}, cut to a whole number (not rounded); NULL (printed -) if that total is 0.",
            f"Largest total first, equal totals by {s.kind} from A to Z; the running total adds up the totals in this order.",
        ),
        f"SELECT k, t, 100 * t / NULLIF(SUM(t) OVER (), 0), SUM(t) OVER (ORDER BY t DESC, k ROWS UNBOUNDED PRECEDING) FROM ({core}) "
        f"ORDER BY t DESC, k",
        f"WITH x AS ({core}) SELECT k, t, 100 * t / NULLIF((SELECT SUM(t) FROM x), 0), (SELECT SUM(y.t) FROM x y WHERE y.t > x.t OR "
        f"(y.t = x.t AND y.k <= x.k)) "
        "FROM x ORDER BY t DESC, k",
        answer,
    )


def _places(rng: Rng, s: Setting) -> Report:
    only, most = _filter(rng, s), rng.integer(2, 3)
    where = only.sql.format(t="c.")

    def answer(db: Database) -> Rows:
        parents, out = _parents(db), list[Record]()
        totals: dict[Record, int] = {}
        for row in db.children:
            parent = parents[row[1]]
            if only.holds(row) and parent[2] is not None:
                totals[parent] = totals.get(parent, 0) + integer_cell(row[3])
        for parent, total in totals.items():
            place = 1 + sum(second > total for first, second in totals.items() if first[2] == parent[2])
            if place <= most:
                out.append((parent[2], place, parent[1], total))
        return sorted(out, key=lambda row: (_text(row[0]), integer_cell(row[1]), _text(row[2])))

    core = (
        f"SELECT p.{s.group} AS g, p.name AS name, SUM(c.{s.amount}) AS t FROM {s.parents} p JOIN {s.children} c ON c.{s.link} = p.id "
        f"WHERE p.{s.group} IS NOT NULL AND {where} GROUP BY p.id, p.{s.group}, p.name"
    )
    return Report(
        f"leading {s.parents} of each {s.group} by {s.amount}",
        (s.group, "place", "name", f"total {s.amount}"),
        (
            f"{only.note}; and only {s.parents} with a known {s.group} and at least one such {s.child}.",
            f"Place 1 is the largest total within the {s.group}; equal totals share a place and the places after it are left out (1, 1, "
            f"3).",
            f"Places 1 to {most} are listed; by {s.group} from A to Z, then by place, then by name from A to Z.",
        ),
        f"SELECT g, place, name, t FROM (SELECT g, name, t, RANK() OVER (PARTITION BY g ORDER BY t DESC) AS place FROM ({core})) WHERE "
        f"place <= {most} "
        "ORDER BY g, place, name",
        f"WITH x AS ({core}) SELECT * FROM (SELECT g, 1 + (SELECT COUNT(*) FROM x y WHERE y.g = x.g AND y.t > x.t) AS place, name, t "
        f"FROM x) "
        f"WHERE place < {most + 1} ORDER BY 1, 2, 3",
        answer,
    )


_SHAPES: dict[int, tuple[Callable[[Rng, Setting], Report], ...]] = {
    1: (_per_kind,),
    2: (_per_parent, _crosstab),
    3: (_subtotals, _places),
    4: (_shares, _places, _subtotals),
}
