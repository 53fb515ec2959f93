"""Conditions on the rows of a table: in words, as SQL, and as a test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rlgym.core.rng import Rng
from rlgym.generators.databases.parent_child import Record, Setting, integer_cell

Rows = list[Record]


Test = Callable[[Record], bool]


@dataclass(frozen=True)
class Condition:
    """A condition on a row, in words, as SQL with `{t}` for the table's prefix, and as a test."""

    words: str
    sql: str
    holds: Test
    needs_amount: bool = False  # met only by rows with a known amount


@dataclass(frozen=True)
class Conjunction:
    """Conditions on children, joined by `and`."""

    words: str  # " whose ... and ...", or nothing
    conditions: tuple[Condition, ...]

    def sql(self, table: str, lead: str = "WHERE") -> str:
        clauses = " AND ".join(condition.sql.format(t=table) for condition in self.conditions)
        return f" {lead} {clauses}" if clauses else ""

    @property
    def needs_amount(self) -> bool:
        """Whether only rows with a known amount can meet the conditions."""
        return any(condition.needs_amount for condition in self.conditions)

    def holds(self, row: Record) -> bool:
        return all(condition.holds(row) for condition in self.conditions)


def sample_conditions(rng: Rng, s: Setting, count: int) -> tuple[Condition, ...]:
    """Different conditions on the children's kind, amount and time, easily met together."""
    makers = rng.shuffled((_kind_condition, _amount_condition, _time_condition))[:count]
    return tuple(make(rng, s) for make in makers)


def _kind_condition(rng: Rng, s: Setting) -> Condition:
    kind = rng.choice(s.kinds[:5])
    if rng.chance(0.35):
        return Condition(f"{s.kind} is '{kind}'", f"{{t}}{s.kind} = '{kind}'", lambda row: row[2] == kind)
    return Condition(f"{s.kind} is not '{kind}'", f"{{t}}{s.kind} <> '{kind}'", lambda row: row[2] != kind)


def _amount_condition(rng: Rng, s: Setting) -> Condition:
    bound = rng.integer(3, 14) * 10
    if rng.chance(0.5):
        return Condition(
            f"{s.amount_words} is more than {bound}",
            f"{{t}}{s.amount} > {bound}",
            lambda row: row[3] is not None and int(row[3]) > bound,
            needs_amount=True,
        )
    bound += 40
    return Condition(
        f"{s.amount_words} is at most {bound}",
        f"{{t}}{s.amount} <= {bound}",
        lambda row: row[3] is not None and int(row[3]) <= bound,
        needs_amount=True,
    )


def _time_condition(rng: Rng, s: Setting) -> Condition:
    first = rng.integer(1, 5)
    last = first + rng.integer(4, 7)
    words = f"{s.when} is from {first} to {last}"
    return Condition(words, f"{{t}}{s.when} BETWEEN {first} AND {last}", lambda row: first <= integer_cell(row[4]) <= last)
