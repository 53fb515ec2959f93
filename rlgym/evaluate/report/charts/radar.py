"""Accuracy by domain around a circle."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rlgym.evaluate.report.charts.curves import describe_estimate
from rlgym.evaluate.report.charts.svg import COLOURS, Point, drawing, figure, mark, path, tag, tip, words

FEWEST = 3
WIDTH, HEIGHT, RADIUS = 480, 330, 122


def radar(title: str, series: Sequence[tuple[str, Mapping[str, Mapping[str, Any]]]], note: str = "") -> str:
    """One polygon per series of domain -> estimate; empty with fewer than three domains."""
    names = sorted({name for _, profile in series for name in profile})
    if len(names) < FEWEST:
        return ""
    out = [
        tag("path", d=path([_point_at(place, len(names), ring / 4) for place in range(len(names))], closed=True), class_="grid web")
        for ring in range(1, 5)
    ]
    for place, name in enumerate(names):
        (x, y), (far_x, far_y) = _point_at(place, len(names), 1.0), _point_at(place, len(names), 1.09)
        out.append(tag("line", x1=WIDTH / 2, y1=HEIGHT / 2, x2=x, y2=y, class_="grid"))
        anchor = "middle" if abs(far_x - WIDTH / 2) < 12 else "start" if far_x > WIDTH / 2 else "end"
        out.append(
            words(name.replace("_", " "), far_x, far_y + 4 + (0 if anchor != "middle" else 10 if far_y > HEIGHT / 2 else -8), anchor)
        )
    out += [words(f"{25 * ring} %", WIDTH / 2 + 3, HEIGHT / 2 - RADIUS * ring / 4 - 2, "start", "tick soft") for ring in (2,)]
    for colour, (label, profile) in enumerate(series):
        out.append(_polygon(colour, label, names, profile))
    return figure(
        title,
        drawing(WIDTH, HEIGHT, title, *out),
        note,
        [(label, colour) for colour, (label, _) in enumerate(series)] if len(series) > 1 else (),
    )


def _polygon(colour: int, label: str, names: Sequence[str], profile: Mapping[str, Mapping[str, Any]]) -> str:
    class_ = f"s{colour % COLOURS}"
    known = [(place, name, profile[name]) for place, name in enumerate(names) if name in profile and profile[name]["mean"] is not None]
    corners = [_point_at(place, len(names), row["mean"]) for place, _, row in known]
    out = [
        tag("path", d=path(corners, closed=True), class_=f"band {class_}"),
        tag("path", d=path(corners, closed=True), class_=f"line {class_}"),
    ]
    for (x, y), (_, name, row) in zip(corners, known, strict=True):
        out.append(mark(colour, x, y, 3, tip(f"{label}, {name}: {describe_estimate(row)}"), class_=f"dot {class_}"))
    return "".join(out)


def _point_at(place: int, count: int, distance: float) -> Point:
    angle = 2 * math.pi * place / count - math.pi / 2
    return WIDTH / 2 + RADIUS * distance * math.cos(angle), HEIGHT / 2 + RADIUS * distance * math.sin(angle)
