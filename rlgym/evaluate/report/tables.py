"""HTML tables that the page's script sorts and filters."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rlgym.evaluate.report.charts.svg import number, share


@dataclass(frozen=True)
class Cell:
    """The HTML of a cell, and the number or text that it is sorted by."""

    shown: str
    key: float | str | None


def text(value: object) -> Cell:
    """A text cell."""
    return Cell(html.escape(str(value)), str(value))


def count(value: float | None) -> Cell:
    """A number cell."""
    return Cell(number(value), value)


def percent(value: float | None, digits: int = 1) -> Cell:
    """A percentage cell."""
    return Cell(share(value, digits), value)


def decimal(value: float | None) -> Cell:
    """A cell with a number of four decimals."""
    return Cell("–" if value is None else f"{value:.4f}", value)


def points(value: float | None) -> Cell:
    """A cell with a difference in percentage points."""
    return Cell("–" if value is None else f"{100 * value:+.1f}", value)


def bar(estimate: Mapping[str, Any]) -> Cell:
    """A cell with a share and its interval as text and as a bar."""
    if estimate["mean"] is None:
        return Cell("–", None)
    low, high = (estimate["mean"] if estimate[end] is None else estimate[end] for end in ("low", "high"))
    marks = f'<i class=span style="left:{100 * low:.1f}%;width:{100 * (high - low):.1f}%"></i><i class=at style="left:{100 * estimate["mean"]:.1f}%"></i>'
    label = f"<b>{share(estimate['mean'])}</b> <small>{100 * low:.1f}–{100 * high:.1f}</small>"
    return Cell(f"<span class=mini aria-hidden=true>{marks}</span>{label}", estimate["mean"])


def interval(estimate: Mapping[str, Any]) -> str:
    """An interval as text."""
    return "" if estimate["low"] is None else f"{100 * estimate['low']:.1f} to {100 * estimate['high']:.1f}"


def table(name: str, heads: Sequence[str], rows: Sequence[Sequence[Cell]], filters: Mapping[str, int] | None = None, shown: int = 0) -> str:
    """A table that sorts by its column heads. `filters` maps a menu title to the column it filters; the search box covers all columns.

    shown   the number of rows at first, with a button for the rest; 0 for all
    """
    head = "".join(
        f'<th scope=col aria-sort=none><button type=button data-column="{place}">{html.escape(title)}</button></th>'
        for place, title in enumerate(heads)
    )
    body = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in rows)
    menus = "".join(_menu(title, column, [row[column] for row in rows]) for title, column in (filters or {}).items())
    search = '<label>Search <input type=search autocomplete=off placeholder="any text"></label>' if len(rows) > 5 else ""
    tools = f"<div class=tools>{search}{menus}<output aria-live=polite></output></div>" if search or menus else ""
    table_html = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    inner = f'<div class=scroll tabindex=0 role=region aria-label="{name} table">{table_html}</div>'
    return f'<div class="sortable" id="{name}" data-shown="{shown}">{tools}{inner}</div>'


def _cell(cell: Cell) -> str:
    numeric = isinstance(cell.key, int | float)
    key = f"{cell.key:.6g}" if numeric else html.escape(str(cell.key or ""))
    if not numeric and cell.shown == key:
        return f"<td>{cell.shown}</td>"
    return f'<td class=n data-v="{key}">{cell.shown}</td>'


def _menu(title: str, column: int, cells: Sequence[Cell]) -> str:
    kinds = sorted({(cell.key if isinstance(cell.key, int | float) else 0.0, str(cell.key), cell.shown) for cell in cells})
    options = "".join(f'<option value="{html.escape(_value(cell_key))}">{shown}</option>' for _, cell_key, shown in kinds)
    return f'<label>{html.escape(title)} <select data-column="{column}"><option value="">all</option>{options}</select></label>'


def _value(key: str) -> str:
    try:
        return f"{float(key):.6g}"
    except ValueError:
        return key
