"""Drawings made of characters: rungs, folds, grids and patches."""

from __future__ import annotations

import re
from itertools import combinations

import networkx as nx

from prompt_solvers.parsing import between
from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import group, listed


@prompt_solver("path_tracing_text")
def solve_path_tracing_text(prompt: str) -> str:
    lines = [line.split("   (")[0].rstrip() for line in prompt.split("\n") if re.fullmatch(r"[|+][-|+ ]*(\(\d+\))?", line)]
    posts = (max(map(len, lines)) + 3) // 4
    times = int((re.search(r"drawing (\d+) times in all", prompt) or [0, "1"])[1])
    letters = re.findall(r"\b[A-Z]\b", group(r"the lines from ([A-Z, ]+) come out", prompt))
    given = re.search(r"come out at the numbers ([\d, ]+), in this order", prompt)
    if not given:
        return ", ".join(_traced(lines, posts, letters, times))
    for row, line in enumerate(lines):
        for rung in re.finditer(r"\+---\+", line):
            shorter = line[: rung.start()] + "|   |" + line[rung.end() :]
            if _traced([*lines[:row], shorter, *lines[row + 1 :]], posts, letters, times) == given[1].split(", "):
                return f"{row + 1}, {rung.start() // 4 + 1}"
    raise AssertionError("no rung")


def _traced(lines: list[str], posts: int, letters: list[str], times: int) -> list[str]:
    ends = {}
    for start in range(posts):
        at = start
        for line in lines:
            if line[4 * at : 4 * at + 4] == "+---":
                at += 1
            elif at and line[4 * at - 3 : 4 * at + 1] == "---+":
                at -= 1
        ends[start] = at
    answers = []
    for letter in letters:
        at = ord(letter) - ord("A")
        for _ in range(times):
            at = ends[at]
        answers.append(str(at + 1))
    return answers


@prompt_solver("paper_folding")
def solve_paper_folding(prompt: str) -> str:
    size = int(group(r"It has (\d+) rows", prompt))
    layers = {(r, c): (r, c) for r in range(1, size + 1) for c in range(1, size + 1)}  # where each cell of the sheet lies
    for line in listed(prompt).values():
        numbers = [int(number) for number in re.findall(r"\d+", line)]
        axis = 0 if "ow" in line.split(" folded")[0].lower().replace("column", "") else 1
        crease = 2 * numbers[-1] + 1 if re.search("down|right", line) else 2 * numbers[0] - 1
        for cell, place in layers.items():
            moves = place[axis] <= numbers[-1] if re.search("down|right", line) else place[axis] >= numbers[0]
            if moves:
                folded = crease - place[axis]
                layers[cell] = (folded, place[1]) if axis == 0 else (place[0], folded)
    punched = {(int(r), int(c)) for r, c in re.findall(r"\br(\d+)c(\d+)\b", prompt)}
    return "\n".join(" ".join("#" if layers[r, c] in punched else "." for c in range(1, size + 1)) for r in range(1, size + 1))


@prompt_solver("rectangle_count")
def solve_rectangle_count(prompt: str) -> str:
    lines = between(prompt, "nothing is drawn:\n\n", "\n\n").split("\n")
    width = max(map(len, lines))
    grid = [line.ljust(width) for line in lines]
    rows, columns = range(0, len(grid), 2), range(0, width, 4)
    stars = [(r, c) for r, line in enumerate(grid) for c, character in enumerate(line) if character == "*"]
    count = 0
    for top, bottom in combinations(rows, 2):
        for left, right in combinations(columns, 2):
            flat = all(grid[r][c] == "-" for r in (top, bottom) for c in range(left, right) if c % 4)
            upright = all(grid[r][c] == "|" for c in (left, right) for r in range(top + 1, bottom, 2))
            starless = "no star" not in prompt or not any(top < r < bottom and left < c < right for r, c in stars)
            count += flat and upright and starless
    return str(count)


@prompt_solver("ascii_shapes_count")
def solve_ascii_shapes_count(prompt: str) -> str:
    rows = [line.split() for line in between(prompt, "characters:\n", "\n\n").split("\n")]
    cells = {(r, c): character for r, row in enumerate(rows) for c, character in enumerate(row)}
    graph = nx.Graph()
    graph.add_nodes_from(cells)
    corners = "corners do not count" not in prompt
    for r, c in cells:
        for other in [(r + 1, c), (r, c + 1), *([(r + 1, c + 1), (r + 1, c - 1)] if corners else [])]:
            if cells.get(other) == cells[r, c]:
                graph.add_edge((r, c), other)
    patches = list(nx.connected_components(graph))
    answers = []
    for character in re.findall(r"for (\S)(?=,| and)", group(r"Give, (.*?)two numbers", prompt)):
        sizes = [len(patch) for patch in patches if cells[next(iter(patch))] == character]
        answers += [len(sizes), max(sizes, default=0)]
    return ", ".join(map(str, answers))
