"""Bar charts: histograms of length and cost, stacked outcomes, and the reliability diagram."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from rlgym.evaluate.report.charts.svg import COLOURS, SHARES, Frame, drawing, figure, mark, number, path, share, tag, tip, words


def histogram(title: str, figures: Mapping[str, Any] | None, unit: str) -> str:
    """Right and wrong samples stacked by a measure; empty if it was not recorded."""
    if figures is None:
        return ""
    ends, totals = figures["ends"], [good + bad for good, bad in zip(figures["right"], figures["wrong"], strict=True)]
    most = max(totals)
    frame = Frame((ends[0], ends[-1]), (0.0, float(most)))
    out = [frame.axes(ticks(ends[-1], 4), ticks(most, 4), unit, "samples")]
    for place, (start, end) in enumerate(pairwise(ends)):
        base = 0
        for colour, kind in enumerate(("right", "wrong")):
            count = figures[kind][place]
            if count:
                left, right = frame.x(start) + 0.5, frame.x(end) - 0.5
                y, ground = frame.y(base + count), frame.y(base)
                tooltip = tip(f"{number(start)} to {number(end)} {unit}: {count} {kind} of {totals[place]}")
                out.append(tag("rect", tooltip, x=left, y=y, width=max(0.5, right - left), height=ground - y, class_=f"bar s{colour}"))
            base += count
    note = f"The last bar includes everything above, up to {number(figures['most'])}." if figures["most"] > ends[-1] else ""
    return figure(title, drawing(frame.width, frame.height, title, *out), note, [("right", 0), ("wrong", 1)])


def ticks(most: float, count: int) -> list[tuple[float, str]]:
    """Round values from 0 to `most`."""
    step = 10.0**-12
    while True:
        for factor in (1, 2, 5):
            if most / (step * factor) <= count:
                size = step * factor
                return [(size * place, number(size * place)) for place in range(int(most / size + 1e-9) + 1)]
        step *= 10


def stacked(title: str, rows: Mapping[str, Mapping[str, int]], kinds: Sequence[str], note: str = "") -> str:
    """One bar of shares per row, divided by kind."""
    width, names, height = 440, 130, 22
    out, y = [], 6.0
    for name, counts in rows.items():
        total = sum(counts.values()) or 1
        out.append(words(name.replace("_", " "), names - 8, y + 14, "end"))
        x = float(names)
        for colour, kind in enumerate(kinds):
            wide = (width - names - 24) * counts.get(kind, 0) / total
            if wide > 0:
                tooltip = tip(f"{name}: {counts[kind]} of {total} {kind} ({share(counts[kind] / total)})")
                out.append(tag("rect", tooltip, x=x, y=y, width=max(0.3, wide - 0.7), height=height - 4, class_=f"bar s{colour % COLOURS}"))
            x += wide
        y += height
    out += [words(label, names + (width - names - 24) * value, y + 12) for value, label in SHARES[::2]]
    return figure(title, drawing(width, y + 20, title, *out), note, [(kind, colour) for colour, kind in enumerate(kinds)])


def reliability(title: str, bins: Sequence[Mapping[str, Any]], note: str = "") -> str:
    """Accuracy against stated confidence, with the number of samples of each bin as bars below."""
    frame, most = Frame((0.0, 1.0), height=300, bottom=90), max((bin_["samples"] for bin_ in bins), default=1) or 1
    out = [frame.axes([(step / 4, f"{25 * step} %") for step in range(5)], SHARES, "stated confidence", "accuracy")]
    out.append(tag("path", d=path([(frame.x(0), frame.y(0)), (frame.x(1), frame.y(1))]), class_="diagonal"))
    full = [bin_ for bin_ in bins if bin_["samples"]]
    points = [(frame.x(bin_["confidence"]), frame.y(bin_["accuracy"])) for bin_ in full]
    foot = frame.height - 26
    for bin_ in full:
        tall = 38 * bin_["samples"] / most
        tooltip = tip(f"{bin_['samples']} samples from {share(bin_['from'], 0)} to {share(bin_['to'], 0)}")
        out.append(
            tag(
                "rect",
                tooltip,
                x=frame.x(bin_["from"]) + 1,
                y=foot - tall,
                width=frame.x(0.1) - frame.x(0) - 2,
                height=tall,
                class_="bar s6",
            )
        )
    if points:
        out.append(tag("path", d=path(points), class_="line s0"))
    for (x, y), bin_ in zip(points, full, strict=True):
        out.append(tag("line", x1=x, x2=x, y1=frame.y(bin_["low"]), y2=frame.y(bin_["high"]), class_="whisker s0"))
        interval = f"{share(bin_['low'])} to {share(bin_['high'])}"
        rates = f"confidence {share(bin_['confidence'])}, accuracy {share(bin_['accuracy'])}"
        tooltip = f"{rates} ({interval}), {bin_['samples']} samples"
        out.append(mark(0, x, y, 4, tip(tooltip), class_="dot s0"))
    return figure(title, drawing(frame.width, frame.height, title, *out), note)


def spread(title: str, rows: Sequence[tuple[str, Mapping[str, Any]]], ends: tuple[float, float], what: str, note: str = "") -> str:
    """One estimate per row as a point with its interval, against a line at zero."""
    frame = Frame(ends, height=24 * len(rows) + 50, left=150, top=4)
    step = (ends[1] - ends[0]) / 4
    out = [frame.axes([(ends[0] + step * place, share(ends[0] + step * place, 0)) for place in range(5)], [], what, "")]
    if ends[0] < 0 < ends[1]:
        out.append(tag("line", x1=frame.x(0), x2=frame.x(0), y1=4, y2=frame.height - frame.bottom, class_="zero"))
    for place, (name, estimate) in enumerate(rows):
        y = 16.0 + 24 * place
        out.append(words(name.replace("_", " ")[:24], frame.left - 8, y + 4, "end"))
        low, high = (
            frame.x(min(max(estimate[end] if estimate[end] is not None else estimate["mean"], ends[0]), ends[1])) for end in ("low", "high")
        )
        out.append(tag("line", x1=low, x2=high, y1=y, y2=y, class_="whisker s0"))
        tooltip = f"{name}: {share(estimate['mean'])} ({share(estimate['low'])} to {share(estimate['high'])})"
        out.append(mark(0, frame.x(min(max(estimate["mean"], ends[0]), ends[1])), y, 4, tip(tooltip), class_="dot s0"))
    return figure(title, drawing(frame.width, frame.height, title, *out), note)
