"""Lines with interval bands: difficulty curves, pass@k, performance profiles."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rlgym.evaluate.report.charts.svg import COLOURS, SHARES, Frame, drawing, figure, mark, path, share, tag, tip

Estimate = Mapping[str, Any]


@dataclass(frozen=True)
class Line:
    """A named series of (x, x in words, estimate with mean, low, high); `colour` None is a faint line to compare with."""

    name: str
    points: Sequence[tuple[float, str, Estimate]]
    colour: int | None = 0
    marked: bool = True


def lines(frame: Frame, series: Sequence[Line], what: str) -> str:
    """The series on a frame: bands at the back, then lines, then marks with tooltips."""
    bands, strokes, marks = [], [], []
    for line in series:
        known = [(x, label, estimate) for x, label, estimate in line.points if estimate["mean"] is not None]
        if not known:
            continue
        class_ = "faint" if line.colour is None else f"s{line.colour % COLOURS}"
        banded = [point for point in known if point[2]["low"] is not None]
        if line.colour is not None and len(banded) > 1:
            upper = [(frame.x(x), frame.y(estimate["high"])) for x, _, estimate in banded]
            lower = [(frame.x(x), frame.y(estimate["low"])) for x, _, estimate in banded]
            bands.append(tag("path", d=path([*upper, *reversed(lower)], closed=True), class_=f"band {class_}"))
        strokes.append(tag("path", d=path([(frame.x(x), frame.y(estimate["mean"])) for x, _, estimate in known]), class_=f"line {class_}"))
        if line.colour is not None and line.marked:
            marks += [_mark(frame, line, class_, *point, what) for point in known]
    return "".join(bands + strokes + marks)


def _mark(frame: Frame, line: Line, class_: str, x: float, label: str, estimate: Estimate, what: str) -> str:
    colour = line.colour or 0
    return mark(
        colour,
        frame.x(x),
        frame.y(estimate["mean"]),
        3.5,
        tip(f"{line.name}, {label}: {what} {describe_estimate(estimate)}"),
        class_=f"dot {class_}",
    )


def describe_estimate(estimate: Estimate) -> str:
    """An estimate as text."""
    if estimate["mean"] is None:
        return "no tasks"
    interval = "" if estimate["low"] is None else f" ({share(estimate['low'])} to {share(estimate['high'])})"
    tasks = f", {estimate['tasks']} tasks" if estimate.get("tasks") else ""
    return f"{share(estimate['mean'])}{interval}{tasks}"


def difficulty(levels: Sequence[Mapping[str, Any]], name: str = "all environments", colour: int = 0) -> Line:
    """The line of accuracies by level; the estimates lie in the rows themselves or under `accuracy`."""
    return Line(name, [(row["level"], f"level {row['level']:g}", row.get("accuracy", row)) for row in levels], colour)


def difficulty_figure(title: str, series: Sequence[Line], note: str = "", small: bool = False) -> str:
    """Accuracy by level."""
    frame = Frame((0.0, 1.0), width=260, height=180, bottom=40) if small else Frame((0.0, 1.0))
    ticks = [(0.0, "0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "1")]
    picture = drawing(
        frame.width,
        frame.height,
        f"{title}: accuracy by level",
        frame.axes(ticks[::2] if small else ticks, SHARES[::2] if small else SHARES, "level (0 easiest, 1 hardest)", "accuracy"),
        lines(frame, series, "accuracy"),
    )
    coloured = [(line.name, line.colour) for line in series if line.colour is not None]
    return figure(title, picture, note, coloured if len(coloured) > 1 else (), class_="small" if small else "")


def by_k(name: str, estimates: Sequence[Mapping[str, Any]], colour: int) -> Line:
    """The line of a measure over k."""
    return Line(name, [(math.log2(row["k"]), f"k = {row['k']}", row) for row in estimates], colour)


def k_figure(title: str, series: Sequence[Line], most: int, note: str = "") -> str:
    """Measures over k, on a logarithmic axis."""
    frame = Frame((0.0, math.log2(max(2, most))))
    ks = [2**power for power in range(int(math.log2(max(2, most))) + 1)]
    ks = ks[:: math.ceil(len(ks) / 7)]
    ticks = [(math.log2(k), str(k)) for k in ([*ks, most] if most > 1.3 * ks[-1] else ks)]
    inside = lines(frame, series, "")
    picture = drawing(frame.width, frame.height, title, frame.axes(ticks, SHARES, "samples per task, k", "share of tasks"), inside)
    return figure(title, picture, note, [(line.name, line.colour or 0) for line in series])


def profile_figure(title: str, series: Sequence[tuple[str, Sequence[Mapping[str, Any]]]], note: str = "") -> str:
    """The share of environments whose accuracy is above each threshold."""
    frame = Frame((0.0, 1.0))
    made = [
        Line(name, [(row["threshold"], f"above {share(row['threshold'], 0)}", row) for row in rows], colour)
        for colour, (name, rows) in enumerate(series)
    ]
    ticks = [(step / 4, f"{25 * step} %") for step in range(5)]
    inside = lines(frame, made, "environments ")
    picture = drawing(frame.width, frame.height, title, frame.axes(ticks, SHARES, "accuracy τ", "environments above τ"), inside)
    return figure(title, picture, note, [(line.name, line.colour or 0) for line in made] if len(made) > 1 else ())


def coverage_figure(title: str, series: Sequence[tuple[str, Sequence[Mapping[str, Any]]]], note: str = "") -> str:
    """Accuracy against coverage: the share of the answers that is given, the most certain ones first."""
    frame = Frame((0.0, 1.0))
    made = [
        Line(
            name,
            [
                (row["coverage"], f"coverage {share(row['coverage'], 0)}", {"mean": row["accuracy"], "low": None, "high": None})
                for row in rows
            ],
            colour,
        )
        for colour, (name, rows) in enumerate(series)
    ]
    ticks = [(step / 4, f"{25 * step} %") for step in range(5)]
    inside = lines(frame, made, "accuracy ")
    picture = drawing(frame.width, frame.height, title, frame.axes(ticks, SHARES, "coverage", "accuracy"), inside)
    return figure(title, picture, note, [(line.name, line.colour or 0) for line in made])
