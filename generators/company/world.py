"""The database beneath a company's systems, and what one call sees of it and writes to it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

Row = dict[str, Any]
Tables = dict[str, dict[str, Row]]
Changes = dict[str, dict[str, Row | None]]
"""Rows that were written since the start; None where a row was deleted."""

FIRST_NEW = 90_001
FINAL = ("mails", "messages", "comments")
"""Tables whose new rows cannot be taken back."""
PASSING = ("tabs",)
"""Tables of where one is, which are no part of the judged state."""
_FREE_TEXT = ("body", "text")
_UNCOMPARED = ("subject",)
_CODE = re.compile(r"\b[A-Z]{1,3}-\d{4,5}\b")
_NUMBERS = (re.compile(r"\b\d+\.\d\d\b"), re.compile(r"\b\d{4}-\d\d-\d\d\b"), re.compile(r"\b\d\d:\d\d\b"))


class Refused(Exception):
    """A call that a system answers with an error, as an HTTP service does."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


class Desk:
    """What one call works on: the rows as they are now, and who calls. Rows are values; `changes` is replaced, never written into."""

    def __init__(self, base: Tables, changes: Changes, actor: str, today: str, rights: tuple[str, ...]) -> None:
        self.base, self.changes = base, changes
        self.actor, self.today, self.rights = actor, today, rights

    def rows(self, table: str) -> Mapping[str, Row]:
        base, changed = self.base.get(table, {}), self.changes.get(table)
        if not changed:
            return base
        merged: dict[str, Row | None] = {**base, **changed}
        return {code: row for code, row in merged.items() if row is not None}

    def get(self, table: str, code: str) -> Row:
        changed = self.changes.get(table, {})
        row = changed[code] if code in changed else self.base.get(table, {}).get(code)
        if row is None:
            raise Refused(404, f"there is no {code!r} in {table}")
        return row

    def write(self, table: str, code: str, **fields: Any) -> Row:
        row = {**self.get(table, code), **fields}
        self._put(table, code, row)
        return {"id": code, **row}

    def add(self, table: str, prefix: str, row: Row) -> Row:
        added = sum(code not in self.base.get(table, {}) for code in self.changes.get(table, {}))
        code = f"{prefix}-{FIRST_NEW + added}"
        self._put(table, code, row)
        return {"id": code, **row}

    def delete(self, table: str, code: str) -> Row:
        self.get(table, code)
        self._put(table, code, None)
        return {"id": code, "deleted": True}

    def require(self, condition: object, status: int, why: str) -> None:
        if not condition:
            raise Refused(status, why)

    def _put(self, table: str, code: str, row: Row | None) -> None:
        self.changes = {**self.changes, table: {**self.changes.get(table, {}), code: row}}


def patch_tables(base: Tables, rows: Tables) -> Tables:
    """The tables with some rows replaced or added; fields that are not named stay."""
    return {**base, **{table: {**base.get(table, {}), **_merge_rows(base.get(table, {}), new)} for table, new in rows.items()}}


def overlaid(changes: Changes, rows: Tables) -> Changes:
    """Changes under which somebody else writes rows: the fields that the others write count from now on."""
    out: Changes = {}
    for table, changed in changes.items():
        written = rows.get(table, {})
        out[table] = {code: row if row is None or code not in written else {**row, **written[code]} for code, row in changed.items()}
    return out


def effective(base: Tables, changes: Changes) -> Changes:
    """The changes that make a difference."""
    lasting = [(table, rows) for table, rows in changes.items() if table not in PASSING]
    kept = {table: {code: row for code, row in rows.items() if row != base.get(table, {}).get(code)} for table, rows in lasting}
    return {table: rows for table, rows in kept.items() if rows}


def difference(base: Tables, wanted: Changes, done: Changes) -> tuple[list[tuple[str, str]], list[tuple[str, str]], int]:
    """The wanted changes that were not made, those made that were not wanted, each as table and code, and how many match.

    A new row matches whatever its code is. A text matches if it names the same codes, amounts, dates and times.
    """
    wanted, done = effective(base, wanted), effective(base, done)
    missing: list[tuple[str, str]] = []
    extra: list[tuple[str, str]] = []
    matched = 0
    for table in dict.fromkeys((*wanted, *done)):
        known, goals, rows = base.get(table, {}), wanted.get(table, {}), dict(done.get(table, {}))
        for code, goal in goals.items():
            candidates = [code] if code in known else [other for other in rows if other not in known]
            found = next((other for other in candidates if other in rows and _matches(goal, rows[other])), None)
            if found is None:
                missing.append((table, code))
            else:
                matched += 1
                del rows[found]
        extra += [(table, code) for code in rows]
    return missing, extra, matched


def _matches(goal: Row | None, row: Row | None) -> bool:
    if goal is None or row is None:
        return goal is row
    return set(goal) == set(row) and all(_same_value(name, value, row[name]) for name, value in goal.items())


def _same_value(name: str, goal: Any, value: Any) -> bool:
    if name in _UNCOMPARED and isinstance(goal, str):
        return True
    if name in _FREE_TEXT and isinstance(goal, str) and isinstance(value, str):
        return _names(goal, value)
    return sorted(goal) == sorted(value) if isinstance(goal, list) and isinstance(value, list) else bool(goal == value)


def _names(goal: str, text: str) -> bool:
    """Whether a text names the facts that it should: all the codes, and of each sort of number that is asked for exactly those."""
    plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    if not set(_CODE.findall(goal)) <= set(_CODE.findall(plain)):
        return False
    sorts = [(set(pattern.findall(goal)), set(pattern.findall(plain))) for pattern in _NUMBERS]
    return all(not asked or asked == given for asked, given in sorts)


def _merge_rows(old: Mapping[str, Row], new: Mapping[str, Row]) -> dict[str, Row]:
    return {code: {**old.get(code, {}), **row} for code, row in new.items()}


def euros(cents: int) -> str:
    """1205 cents are `12.05`."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02}"


def cents(amount: str) -> int:
    """The cents of an amount such as `12.05`."""
    whole, _, part = amount.lstrip("-").partition(".")
    return (-1 if amount.startswith("-") else 1) * (int(whole) * 100 + int(part or "0"))


def add_days(day: str, days: int) -> str:
    """The date so many days later."""
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


def days_between(first: str, last: str) -> int:
    return (date.fromisoformat(last) - date.fromisoformat(first)).days


def weekday(day: str) -> int:
    """0 on a Monday."""
    return date.fromisoformat(day).weekday()
