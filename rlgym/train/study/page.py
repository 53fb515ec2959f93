"""The report of a study: one self-contained HTML page that is readable on a phone."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping, Sequence
from typing import Any

from rlgym.evaluate.report.html_page import facts, page
from rlgym.evaluate.report.tables import Cell, table
from rlgym.train.study.folder import mixed_code
from rlgym.train.study.summary import Estimate


def study_page(title: str, results: Mapping[str, Any], sections: Sequence[tuple[str, str, str]]) -> str:
    """A page with the given sections as (id, title, HTML), and at the end the settings and the versions."""
    known = [
        ("seeds", ", ".join(str(seed) for seed in results["seeds"])),
        ("rlgym", results["rlgym"]),
        ("code", ", ".join(results["code"])),
        ("torch", results["torch"]),
        ("Python", results["python"]),
    ]
    shown = [*sections, ("settings", "Settings and versions", _settings(results))]
    return page(title, facts(known), shown, mixed_code(results["code"]))


def _settings(results: Mapping[str, Any]) -> str:
    rows = [[name, value] for name, value in flat(results["settings"])]
    rows += [[f"version of {name}", version] for name, version in results["environments"].items()]
    return table("settings-table", ("setting", "value"), [[Cell(html.escape(str(part)), str(part)) for part in row] for row in rows])


def flat(settings: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Nested settings as (dotted name, value)."""
    out: list[tuple[str, str]] = []
    for name, value in settings.items():
        if isinstance(value, Mapping):
            out += flat(value, f"{prefix}{name}.")
        else:
            out.append((prefix + name, ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)))
    return out


def picture(png: bytes, description: str) -> str:
    """A picture inside the page, which scrolls sideways where it is too wide."""
    data = base64.b64encode(png).decode()
    return f'<div class=scroll tabindex=0><img alt="{html.escape(description)}" src="data:image/png;base64,{data}"></div>'


def estimate_cell(value: Mapping[str, Any] | None, sign: bool = True) -> Cell:
    """A cell with an estimate, sorted by its mean."""
    return Cell("–", None) if value is None else Cell(Estimate(**value).text(sign=sign), value["mean"])


def markdown_cell(value: Mapping[str, Any] | str | None, sign: bool = True) -> str:
    """A text as it is, or an estimate; a signed one whose interval excludes 0 is bold."""
    if value is None or isinstance(value, str):
        return value or "-"
    estimate = Estimate(**value)
    shown = estimate.text(sign=sign)
    return f"**{shown}**" if sign and estimate.is_clear else shown


def markdown_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
