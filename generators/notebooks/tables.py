"""Small tables as CSV, JSON lines and SQL dumps, dates, and noise whose values are the same on every machine."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from rlgym.core.rng import Rng

CITIES = tuple(
    "Aarhus Bergen Cadiz Dresden Essen Fano Ghent Haarlem Izmir Jena Kiel Lyon Malmo Nantes Oslo Porto Riga Siena Turku Utrecht".split()
)
PRODUCTS = tuple(
    "anvil basket candle drill easel funnel gasket hammer inkwell jigsaw kettle ladder magnet needle oilcan pulley ratchet".split()
)
TEAMS = tuple("amber birch cobalt delta ember fjord garnet harbor indigo juniper lagoon meadow".split())
_EPOCH = date(2023, 1, 1).toordinal()


def day(number: int) -> str:
    """The ISO date that lies so many days after 1 January 2023, a Sunday."""
    return date.fromordinal(_EPOCH + number).isoformat()


def csv_text(columns: Sequence[str], rows: Sequence[Sequence[object]], separator: str = ",") -> str:
    """A CSV file; None is an empty field."""
    lines = [columns, *([_field(value, separator) for value in row] for row in rows)]
    return "".join(f"{separator.join(line)}\n" for line in lines)


def _field(value: object, separator: str) -> str:
    text = "" if value is None else str(value)
    doubled = text.replace('"', '""')
    return f'"{doubled}"' if separator in text or '"' in text else text


def json_lines(rows: Sequence[Mapping[str, Any]]) -> str:
    """One JSON object per line."""
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def sql_dump(table: str, columns: Mapping[str, str], rows: Sequence[Sequence[object]]) -> str:
    """A table with its rows as SQL. columns: names with their types"""
    listed = ", ".join(f"{name} {kind}" for name, kind in columns.items())
    return f"CREATE TABLE {table} ({listed});\n" + "".join(
        f"INSERT INTO {table} VALUES ({', '.join(map(_literal, row))});\n" for row in rows
    )


def _literal(value: object) -> str:
    if value is None:
        return "NULL"
    return str(value) if isinstance(value, int | float) else "'" + str(value).replace("'", "''") + "'"


def noise(rng: Rng) -> float:
    """A draw from a bell-shaped law with mean 0 and variance 1, between -3.5 and 3.5: the sum of four uniform draws."""
    return (rng.real() + rng.real() + rng.real() + rng.real() - 2.0) * 1.7320508075688772


def weekday(text: str) -> int:
    """The weekday of an ISO date, from 0 for Monday."""
    return date.fromisoformat(text).weekday()
