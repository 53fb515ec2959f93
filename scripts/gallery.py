"""Draws the gallery of the home page and the README: docs/pictures/NAME.svg, from the environments' own pictures."""

from __future__ import annotations

import sys
from pathlib import Path

import rlgym

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
# name, level and seed of each picture
GALLERY = (
    ("sudoku", 0.5, 1),
    ("kenken", 0.5, 1),
    ("star_battle", 0.5, 1),
    ("nonogram", 0.4, 2),
    ("sokoban", 0.5, 1),
    ("skyscrapers", 0.5, 1),
    ("max_flow", 0.3, 1),
    ("bayesian_network_query", 0.3, 1),
    ("polygon_area_lattice", 0.3, 1),
    ("circuit_resistance", 0.4, 1),
    ("chess_endgames", 0.5, 1),
    ("minesweeper_play", 0.5, 1),
)


def draw(name: str, level: float, seed: int) -> str:
    """The picture of a task as SVG."""
    env = rlgym.make(name, level=level, render_mode="svg")
    env.reset(seed=seed)
    picture = env.render()
    assert isinstance(picture, str)
    return picture


def main() -> None:
    """Write all pictures, or with --check compare them with the files."""
    check = sys.argv[1:] == ["--check"]
    PICTURES.mkdir(exist_ok=True)
    stale = []
    for name, level, seed in GALLERY:
        file, picture = PICTURES / f"{name}.svg", draw(name, level, seed)
        if not check:
            file.write_text(picture, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != picture:
            stale.append(file.name)
    if stale:
        sys.exit(f"out of date: {', '.join(stale)}; run `python scripts/gallery.py`")


if __name__ == "__main__":
    main()
