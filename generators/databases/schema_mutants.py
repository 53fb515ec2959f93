"""Systematic changes of CREATE TABLE and CREATE INDEX statements, and the ones that further inserts and deletions show to be wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rlgym.core.declare import Audit
from rlgym.core.rng import Rng
from rlgym.generators.databases.parent_child import SETTINGS, Setting
from rlgym.generators.databases.schema_rules import Requirements, Try, simulate, statements
from rlgym.generators.databases.schema_tries import directed_tries, random_tries
from rlgym.generators.tables.scripts import Scratch
from rlgym.sandbox.sqlite import QueryFailed, Row

Script = tuple[str, ...]
CONSTRAINT = re.compile(
    r",? ?(?:NOT NULL|UNIQUE \([\w, ]+\)|UNIQUE|CHECK \((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|DEFAULT \d+|ON DELETE CASCADE"
    r"|(?:FOREIGN KEY \(\w+\) )?REFERENCES \w+\(id\)(?: ON DELETE CASCADE)?)"
)
COLUMN = re.compile(r"(?<=[(,] )?\b(\w+) (TEXT|INTEGER)(?! PRIMARY)")
SWAPS = (
    (" >= ", " > "), (" > ", " >= "), (" <= ", " < "), (" AND ", " OR "), (" OR ", " AND "), (" IN (", " NOT IN ("), (" IS NULL", " IS NOT NULL"),
    (" IS NOT NULL", " IS NULL"), (" <> ", " = "), (" = '", " <> '"), ("CASCADE", "SET NULL"), (" UNIQUE INDEX", " INDEX"),
    ("PRIMARY KEY", "PRIMARY KEY ON CONFLICT REPLACE"), (", 0)", ", 1)"),
)  # fmt: skip


def changed_statements(script: Script) -> Iterator[Script]:
    """Scripts that differ in one place: a constraint dropped, added, moved by one or turned round, a word or a column of a key left out."""
    for i, statement in enumerate(script):
        for changed in _statement_mutants(statement):
            yield (*script[:i], changed, *script[i + 1 :])
    for i, statement in enumerate(script):
        if statement.startswith("CREATE UNIQUE INDEX"):
            yield (*script[:i], *script[i + 1 :])
            yield (*script[:i], statement.partition(" WHERE")[0] + ";", *script[i + 1 :])


def _statement_mutants(statement: str) -> Iterator[str]:
    for match in CONSTRAINT.finditer(statement):
        yield statement[: match.start()] + statement[match.end() :]
    for old, new in SWAPS:
        for match in re.finditer(re.escape(old), statement):
            yield statement[: match.start()] + new + statement[match.end() :]
    for match in re.finditer(r"(?<![\w'])\d+", statement):
        for step in (-1, 1, 10):
            yield statement[: match.start()] + str(int(match[0]) + step) + statement[match.end() :]
    for match in re.finditer(r"'\w+', |, '\w+'", statement):
        yield statement[: match.start()] + statement[match.end() :]
    for match in re.finditer(r"UNIQUE \((\w+), (\w+)\)", statement):
        for kept in (match[1], match[2]):
            yield statement[: match.start()] + f"UNIQUE ({kept})" + statement[match.end() :]
    if statement.startswith("CREATE TABLE"):
        for match in COLUMN.finditer(statement):
            checks = (f"CHECK ({match[1]} >= 0)",) if match[2] == "INTEGER" else ("COLLATE NOCASE",)
            for constraint in ("NOT NULL", "UNIQUE", *checks):
                yield f"{statement[: match.end()]} {constraint}{statement[match.end() :]}"


def commands(setting: Setting) -> dict[str, str]:
    """The statement of each kind of insert and deletion, with ? for the values."""
    s = setting
    return {
        "parent": f"INSERT INTO {s.parents} (id, name, {s.size}) VALUES (?, ?, ?)",
        "child": f"INSERT INTO {s.children} (id, {s.link}, {s.kind}, {s.amount}, {s.when}) VALUES (?, ?, ?, ?, ?)",
        "short": f"INSERT INTO {s.children} (id, {s.link}, {s.kind}, {s.amount}) VALUES (?, ?, ?, ?)",
        "delete": f"DELETE FROM {s.parents} WHERE id = ?",
    }


def replay_script(
    setting: Setting, script: Script, tries: Sequence[Try]
) -> tuple[tuple[bool, ...], dict[str, tuple[list[str], list[Row]]]]:
    """Which inserts and deletions go through on the tables that a script creates, and the tables afterwards. QueryFailed if it does not run."""
    texts = commands(setting)
    with Scratch() as scratch:
        scratch.guarded("\n".join(script))
        return tuple(scratch.accepts(texts[what], values) for what, values in tries), scratch.tables()


def audit_schema(data: Requirements, tries: int = 120, most: int = 60) -> Audit:
    """The changed scripts that treat some further insert or deletion otherwise than the rules, evenly thinned to `most`."""
    setting, rng = SETTINGS[data.setting], Rng("audit", repr(data.model_dump()))
    right = [statements(data, other=other) for other in (False, True)]
    further = [[*directed_tries(rng, data), *random_tries(rng, data, tries)] for _ in range(3)]
    further += [list(random_tries(rng, data, tries)) for _ in range(3)]
    expected = [simulate(data, attempt) for attempt in further]

    def is_wrong(script: Script) -> bool:
        try:
            for attempt, (accepted, tables_after) in zip(further, expected, strict=True):
                got, stored = replay_script(setting, script, attempt)
                if got != accepted or any(
                    sorted(stored[name][1], key=repr) != sorted(rows, key=repr) for name, rows in tables_after.items()
                ):
                    return True
        except QueryFailed:
            return False
        return False

    changed = [script for script in dict.fromkeys([*changed_statements(right[0]), *changed_statements(right[1])]) if script not in right]
    if len(changed) > most:
        changed = [changed[i * len(changed) // most] for i in range(most)]
    return Audit(tuple(filter(is_wrong, changed)), tuple(right))
