"""A heat map of accuracies: environments or domains as rows, levels as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rlgym.evaluate.report.charts.curves import describe_estimate
from rlgym.evaluate.report.charts.svg import drawing, figure, tag, tip, words

CELL, ROW, NAMES, TOP, PART = 46, 20, 190, 40, 22
# cividis (Nuñez, Anderton and Renslow, "Optimizing colormaps with consideration for color vision deficiency"), nine samples of it
CIVIDIS = (
    (0, 32, 77),
    (0, 53, 111),
    (64, 77, 107),
    (91, 98, 112),
    (121, 118, 118),
    (152, 141, 117),
    (188, 165, 107),
    (222, 192, 87),
    (255, 234, 70),
)
# blue for a decrease, white for no change, orange for an increase
CHANGE = ((0, 90, 160), (150, 190, 220), (245, 245, 245), (245, 190, 130), (190, 90, 0))


def colour(value: float, ramp: Sequence[tuple[int, int, int]] = CIVIDIS) -> tuple[str, str]:
    """The colour of a share, and that of text that can be read on it."""
    at = min(max(value, 0.0), 1.0) * (len(ramp) - 1)
    first = min(int(at), len(ramp) - 2)
    mixed = [round(one + (two - one) * (at - first)) for one, two in zip(ramp[first], ramp[first + 1], strict=True)]
    bright = 0.299 * mixed[0] + 0.587 * mixed[1] + 0.114 * mixed[2] > 140
    return f"rgb({mixed[0]},{mixed[1]},{mixed[2]})", "#000" if bright else "#fff"


def heat_map(
    title: str, cells: Sequence[Mapping[str, Any]], by: str, parts: Mapping[str, str] | None = None, note: str = "", change: bool = False
) -> str:
    """Cells with `by`, `level` and an estimate; `parts` says under which heading each row stands. A change runs from -1 to 1."""
    levels = sorted({cell["level"] for cell in cells})
    cell_at = {(cell[by], cell["level"]): cell for cell in cells}
    names = sorted({cell[by] for cell in cells}, key=lambda name: ((parts or {}).get(name, ""), name))
    width = NAMES + CELL * len(levels) + 8
    y, heading = float(TOP), ""
    out = [words(f"{level:g}", NAMES + CELL * (place + 0.5), TOP - 6) for place, level in enumerate(levels)]
    out.append(words("level", NAMES + CELL * len(levels) / 2, 14, class_="name"))
    for name in names:
        if parts and parts.get(name, "") != heading:
            heading = parts.get(name, "")
            out.append(words(heading.replace("_", " "), 4, y + 15, "start", "name"))
            y += PART
        out.append(words(name if len(name) < 30 else f"{name[:28]}…", NAMES - 6, y + 14, "end"))
        out += [
            _cell(cell_at.get((name, level)), f"{name}, level {level:g}", NAMES + CELL * place, y, change)
            for place, level in enumerate(levels)
        ]
        y += ROW
    picture = tag(
        "svg", *out, viewBox=f"0 0 {width} {y + 4:g}", width=width, height=y + 4, role="img", aria_label=title, class_="chart fixed"
    )
    return figure(title, f'<div class="scroll tall" tabindex=0 role=region aria-label="map">{picture}</div>', note, class_="wide")


def _cell(cell: Mapping[str, Any] | None, where: str, x: float, y: float, change: bool) -> str:
    if cell is None or cell["mean"] is None:
        return tag("rect", tip(f"{where}: no tasks"), x=x, y=y, width=CELL - 2, height=ROW - 2, class_="none")
    mean = cell["mean"]
    fill, ink = colour((mean + 1) / 2, CHANGE) if change else colour(mean)
    square = tag("rect", x=x, y=y, width=CELL - 2, height=ROW - 2, fill=fill)
    text = f"{round(100 * mean):+d}" if change else f"{100 * mean:.0f}"
    label = tag("text", text, x=x + (CELL - 2) / 2, y=y + 13.5, text_anchor="middle", fill=ink, class_="inside")
    return tag("g", tip(f"{where}: {describe_estimate(cell)}"), square, label)


def scale(change: bool = False) -> str:
    """The map's colours with their numbers."""
    steps = [step / 8 for step in range(9)]
    bars = []
    for place, step in enumerate(steps):
        fill, ink = colour(step, CHANGE if change else CIVIDIS)
        text = f"{200 * step - 100:+.0f}" if change else f"{100 * step:.0f}"
        bars.append(tag("rect", x=place * 34, y=0, width=34, height=18, fill=fill))
        bars.append(tag("text", text, x=place * 34 + 17, y=13, text_anchor="middle", fill=ink, class_="inside"))
    return drawing(34 * len(steps), 18, "scale in per cent", *bars, class_="scale")
