"""The picture of a matrix of gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rlgym.train.study.transfer_summary import clear


def plot_matrix(matrix: Mapping[str, Mapping[str, Mapping[str, Any]]], columns: Sequence[str], title: str, border: int = 0) -> bytes:
    """A heat map as PNG: a row for each family that was trained on, gains in points, bold where the interval excludes 0.

    border   a line is drawn before this column; 0 for none
    """
    import io

    import matplotlib
    from PIL import Image

    matplotlib.use("Agg")
    from matplotlib import pyplot

    rows = list(matrix)
    points = [[100 * matrix[row][column]["mean"] for column in columns] for row in rows]
    limit = max(20.0, *(abs(value) for line in points for value in line))
    figure, axes = pyplot.subplots(figsize=(2.6 + 0.52 * len(columns), 1.9 + 0.36 * len(rows)), layout="constrained")
    axes.imshow(points, cmap="RdBu", vmin=-limit, vmax=limit, aspect="auto")
    for y, row in enumerate(rows):
        for x, column in enumerate(columns):
            dark = abs(points[y][x]) > 0.6 * limit
            weight = "bold" if clear(matrix[row][column]) else "normal"
            axes.text(x, y, f"{points[y][x]:+.0f}", ha="center", va="center", fontsize=8, weight=weight, color="white" if dark else "black")
    axes.set_xticks(range(len(columns)), [column.replace(":shift", "") for column in columns], rotation=45, ha="right", fontsize=8)
    axes.set_yticks(range(len(rows)), rows, fontsize=8)
    if border:
        axes.axvline(border - 0.5, color="black", linewidth=1.5)
    axes.set(ylabel="trained on", title=title)
    axes.title.set_fontsize(9)
    drawn, out = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, dpi=90)
    pyplot.close(figure)
    Image.open(drawn).convert("RGB").quantize(64).save(out, "PNG", optimize=True)  # a third of the bytes
    return out.getvalue()
