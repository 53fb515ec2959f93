"""The frame of a report: a self-contained HTML file that loads nothing and runs only its own script."""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from rlgym.evaluate.report.charts.svg import number, share
from rlgym.evaluate.report.tables import interval

Section = tuple[str, str, str]
"""The id, which the menu also shows, the title, and the HTML. A section without HTML is left out."""


def page(title: str, facts: str, sections: Sequence[Section], warnings: Sequence[str] = (), data: str = "") -> str:
    """The whole file. `title` and `warnings` are plain text, `facts` and the sections' bodies are HTML, `data` is JSON that is safe in a script."""
    style, script = _part("report.css"), _part("report.js")
    # The hash in the policy blocks every other script, even if some text were not escaped.
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    shown = [section for section in sections if section[2]]
    links = "".join(f'<a href="#{name}">{html.escape(name.capitalize())}</a>' for name, _, _ in shown)
    bodies = "".join(f'<section id="{name}"><h2>{html.escape(heading)}</h2>{body}</section>' for name, heading, body in shown)
    warned = "".join(f"<p class=warn role=status>{html.escape(text)}</p>" for text in warnings)
    island = f'<script type="application/json" id="transcripts-data">{data}</script>' if data else ""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        f"<title>{html.escape(title)}</title><style>{style}</style></head><body>"
        f'<a class=skip href="#main">To the content</a><header><div><h1>{html.escape(title)}</h1><p class=facts>{facts}</p>{warned}</div></header>'
        f"<nav aria-label=sections><div>{links}<button type=button id=theme title='light or dark' aria-label='light or dark'>◐</button></div></nav>"
        f'<main id="main" tabindex="-1">{bodies}<footer>Made by rlgym. This file is self-contained.</footer></main>'
        f"{island}<script>{script}</script></body></html>\n"
    )


def _part(name: str) -> str:
    return files("rlgym.evaluate.report").joinpath("page", name).read_text(encoding="utf-8")


def facts(pairs: Sequence[tuple[str, Any]]) -> str:
    """Named facts in one line; unknown ones are left out."""
    return " · ".join(f"{html.escape(name)} <b>{html.escape(str(value))}</b>" for name, value in pairs if value not in (None, ""))


def card(title: str, big: str, below: str = "", first: bool = False) -> str:
    """A card with a number as text."""
    kind = "card first" if first else "card"
    return f'<dl class="{kind}"><dt>{html.escape(title)}</dt><dd class=big>{html.escape(big)}</dd><dd class=note>{html.escape(below)}</dd></dl>'


def share_card(title: str, estimate: Any, note: str = "", first: bool = False) -> str:
    """A card with a share and its interval; empty if the share is unknown."""
    if not estimate or estimate["mean"] is None:
        return ""
    between = interval(estimate)
    subtitle = " · ".join(part for part in ((f"95 %: {between}" if between else ""), note) if part)
    return card(title, share(estimate["mean"]), subtitle, first)


def number_card(title: str, value: float | None, note: str = "", unit: str = "") -> str:
    """A card with a number; empty if it is unknown."""
    return "" if value is None else card(title, f"{number(value)}{unit}", note)


def tabs(parts: Sequence[tuple[str, str, str]]) -> str:
    """Panels of (id, title, HTML), one visible at a time; panels without HTML are left out."""
    shown = [part for part in parts if part[2]]
    heads = "".join(
        f'<button type=button role=tab id="tab-{name}" aria-controls="panel-{name}" aria-selected=false>{html.escape(title)}</button>'
        for name, title, _ in shown
    )
    panels = "".join(f'<div role=tabpanel id="panel-{name}" aria-labelledby="tab-{name}">{body}</div>' for name, _, body in shown)
    return f"<div class=tabs role=tablist>{heads}</div>{panels}"


def figures(*charts: str, little: bool = False, pairs: bool = False) -> str:
    """Figures side by side, as many as fit, or in pairs."""
    inside = "".join(charts)
    kind = "figures little" if little else "figures pairs" if pairs else "figures"
    return f'<div class="{kind}">{inside}</div>' if inside else ""
