"""Pictures of tasks as SVG: boards of cells with clues around them, networks of nodes, and figures in the plane."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from html import escape

CELL = 36
_INK, _FAINT, _SHADE, _CLUE = "#1b1f24", "#aab2bd", "#d8dee6", "#3a6ea5"
TINTS = ("#fde2e2", "#e2f0cb", "#d7e8fa", "#fff3c4", "#e8dff5", "#d5f5f0", "#fce5cd", "#e6e6e6")

Cells = Sequence[Sequence[str]]
Spot = tuple[Fraction | float, Fraction | float]


def board(
    cells: Cells,
    *,
    regions: Sequence[int] | None = None,
    walls: Collection[tuple[int, int]] = (),
    shaded: Collection[int] = (),
    top: Sequence[str] = (),
    bottom: Sequence[str] = (),
    left: Sequence[str] = (),
    right: Sequence[str] = (),
    corners: Mapping[int, str] | None = None,
    dots: bool = False,
    between: Mapping[tuple[int, int], str] | None = None,
) -> str:
    """A board of cells, each with its text ("" and "." are left empty).

    regions  the region of each cell, row by row: thick lines between them, and tints
    walls    pairs of neighbouring cells with a thick line between them
    shaded   cells drawn dark
    top, bottom, left, right  clues next to columns and rows; a space breaks the line of those above and below
    corners  small text in the top left corner of a cell
    dots     the points between cells are drawn instead of the lines
    between  signs on the line between two neighbouring cells
    """
    rows, columns = len(cells), max(len(row) for row in cells)
    wide = max((len(clue) for clue in (*left, *right)), default=0)
    margin = 12 + 9 * wide
    high = max((len(clue.split()) for clue in (*top, *bottom)), default=0)
    above = 12 + 16 * high
    width, height = columns * CELL + 2 * margin, rows * CELL + 2 * above

    def at(cell: int) -> tuple[float, float]:
        return margin + cell % columns * CELL, above + cell // columns * CELL

    out: list[str] = []
    for cell in range(rows * columns):
        x, y = at(cell)
        fill = _SHADE if cell in shaded else TINTS[regions[cell] % len(TINTS)] if regions and regions[cell] >= 0 else "#ffffff"
        stroke = "none" if dots else _FAINT
        out.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="{stroke}"/>')
    thick = {tuple(sorted(pair)) for pair in walls}
    if regions:
        thick |= {(a, b) for a in range(rows * columns) for b in _right_and_lower_neighbours(a, rows, columns) if regions[a] != regions[b]}
    out += [_wall(a, b, at) for a, b in sorted(thick)]
    if dots:
        out += [_dot(margin + c * CELL, above + r * CELL) for r in range(rows + 1) for c in range(columns + 1)]
    else:
        out.append(
            f'<rect x="{margin}" y="{above}" width="{columns * CELL}" height="{rows * CELL}" fill="none" stroke="{_INK}" stroke-width="2"/>'
        )
    for r, row in enumerate(cells):
        for c, text in enumerate(row):
            x, y = at(r * columns + c)
            out += [] if text in ("", ".") else [_text(x + CELL / 2, y + CELL / 2, text)]
    for (a, b), text in sorted((between or {}).items()):
        (ax, ay), (bx, by) = at(a), at(b)
        out.append(_text((ax + bx + CELL) / 2, (ay + by + CELL) / 2, text, size=16, colour=_CLUE))
    for cell, text in sorted((corners or {}).items()):
        x, y = at(cell)
        out.append(_text(x + 3, y + 8, text, size=10, anchor="start", colour=_CLUE))
    for clues, y0, step in ((top, above - 10 - 16 * (high - 1), 16), (bottom, height - above + 14, 16)):
        for c, clue in enumerate(clues):
            words = clue.split()
            lead = high - len(words) if clues is top else 0
            out += [_text(margin + (c + 0.5) * CELL, y0 + (lead + k) * step, word, size=14, colour=_CLUE) for k, word in enumerate(words)]
    for clues, x, anchor in ((left, margin - 8, "end"), (right, width - margin + 8, "start")):
        out += [_text(x, above + (r + 0.5) * CELL, clue, size=14, anchor=anchor, colour=_CLUE) for r, clue in enumerate(clues) if clue]
    return _svg(width, height, out)


def network(
    nodes: Sequence[str], edges: Sequence[tuple[str, str] | tuple[str, str, str]], *, directed: bool = False, marked: Collection[str] = ()
) -> str:
    """Nodes on a circle, and the edges between them with a text in the middle where they have one."""
    radius = max(90, 16 * len(nodes))
    centre = radius + 50
    spots = {
        node: (centre + radius * math.sin(2 * math.pi * i / len(nodes)), centre - radius * math.cos(2 * math.pi * i / len(nodes)))
        for i, node in enumerate(nodes)
    }
    out = []
    for edge in edges:
        (ax, ay), (bx, by) = spots[edge[0]], spots[edge[1]]
        out.append(f'<line x1="{ax:.1f}" y1="{ay:.1f}" x2="{bx:.1f}" y2="{by:.1f}" stroke="{_FAINT}" stroke-width="1.5"/>')
        if directed:
            out.append(_arrow(ax, ay, bx, by))
        if len(edge) > 2:
            # nearer to the first end, so that labels of crossing edges keep apart
            out.append(_text(ax * 0.6 + bx * 0.4, ay * 0.6 + by * 0.4, edge[2], size=12, colour=_CLUE))
    for node, (x, y) in spots.items():
        fill = TINTS[3] if node in marked else "#ffffff"
        half = max(14, 4.5 * len(node) + 4)
        out.append(f'<rect x="{x - half:.1f}" y="{y - 13:.1f}" width="{2 * half:.1f}" height="26" rx="12" fill="{fill}" stroke="{_INK}"/>')
        out.append(_text(x, y, node, size=13))
    return _svg(2 * centre, 2 * centre, out)


def plane(
    points: Mapping[str, Spot] | None = None,
    *,
    segments: Sequence[tuple[Spot, Spot]] = (),
    polygons: Sequence[Sequence[Spot]] = (),
    circles: Sequence[tuple[Spot, float]] = (),
) -> str:
    """Points with their names, segments, closed lines, and circles by centre and radius, drawn to one scale with y growing upwards."""
    named = points or {}
    spots = [*named.values(), *(end for segment in segments for end in segment), *(corner for corners in polygons for corner in corners)]
    spots += [(x + d, y + d) for (x, y), radius in circles for d in (-radius, radius)]
    left, low = (float(min(spot[axis] for spot in spots)) for axis in (0, 1))
    wide, high = (max(float(max(spot[axis] for spot in spots)) - least, 1.0) for axis, least in ((0, left), (1, low)))
    scale, margin = 420 / max(wide, high), 30

    def at(spot: Spot) -> tuple[float, float]:
        return margin + (float(spot[0]) - left) * scale, margin + (low + high - float(spot[1])) * scale

    out = []
    for corners in polygons:
        ends = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(at, corners))
        out.append(f'<polygon points="{ends}" fill="{TINTS[2]}" fill-rule="evenodd" stroke="{_INK}" stroke-width="1.5"/>')
    for centre, radius in circles:
        x, y = at(centre)
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius * scale:.1f}" fill="none" stroke="{_INK}" stroke-width="1.5"/>')
    for first, second in segments:
        (ax, ay), (bx, by) = at(first), at(second)
        out.append(f'<line x1="{ax:.1f}" y1="{ay:.1f}" x2="{bx:.1f}" y2="{by:.1f}" stroke="{_INK}" stroke-width="1.5"/>')
    for name, spot in named.items():
        x, y = at(spot)
        out += [_dot(round(x, 1), round(y, 1)), _text(x + 5, y - 8, name, size=12, anchor="start", colour=_CLUE)]
    return _svg(round(wide * scale) + 2 * margin, round(high * scale) + 2 * margin, out)


def _right_and_lower_neighbours(cell: int, rows: int, columns: int) -> list[int]:
    """The neighbours to the right and below."""
    return [cell + 1] * (cell % columns < columns - 1) + [cell + columns] * (cell // columns < rows - 1)


def _wall(a: int, b: int, at: Callable[[int], tuple[float, float]]) -> str:
    x, y = at(b)
    x2, y2 = (x, y + CELL) if b == a + 1 else (x + CELL, y)
    return f'<line x1="{x}" y1="{y}" x2="{x2}" y2="{y2}" stroke="{_INK}" stroke-width="2.5"/>'


def _dot(x: float, y: float) -> str:
    return f'<circle cx="{x}" cy="{y}" r="2.5" fill="{_INK}"/>'


def _arrow(ax: float, ay: float, bx: float, by: float) -> str:
    """A head two thirds of the way along a line."""
    length = math.hypot(bx - ax, by - ay) or 1.0
    dx, dy = (bx - ax) / length, (by - ay) / length
    x, y = ax + (bx - ax) * 0.7, ay + (by - ay) * 0.7
    points = [(x + 7 * dx, y + 7 * dy), (x - 4 * dy, y + 4 * dx), (x + 4 * dy, y - 4 * dx)]
    return f'<polygon points="{" ".join(f"{px:.1f},{py:.1f}" for px, py in points)}" fill="{_INK}"/>'


def _text(x: float, y: float, text: str, *, size: int = 18, anchor: str = "middle", colour: str = _INK) -> str:
    small = min(size, round(size * 3.2 / max(len(text), 1)) + 4) if anchor == "middle" and size == 18 else size
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{small}" font-family="sans-serif" text-anchor="{anchor}" '
        f'dominant-baseline="central" fill="{colour}">{escape(text)}</text>'
    )


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}">'
        f"{''.join(parts)}</svg>"
    )
