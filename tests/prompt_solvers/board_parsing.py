"""Helpers that read boards out of prompts."""

from __future__ import annotations

import re


def boards(prompt: str, token: str = r"\S{1,3}") -> list[list[list[str]]]:
    """All boards of a prompt: runs of lines that hold nothing but short words, split at spaces."""
    found: list[list[list[str]]] = [[]]
    for line in prompt.splitlines():
        words = line.split()
        if words and ":" not in line and all(re.fullmatch(token, word) for word in words):
            found[-1].append(words)
        elif found[-1]:
            found.append([])
    return [board for board in found if board]


def cells_named(text: str) -> list[tuple[int, int]]:
    """The cells of a text that are written as r2c3, counted from 0."""
    return [(int(row) - 1, int(column) - 1) for row, column in re.findall(r"\br(\d+)c(\d+)", text)]


def line_clues(prompt: str) -> dict[tuple[str, int], int]:
    """The numbers given for lines as in `row 2: 3`, by the kind of the line and its place counted from 0."""
    return {(kind, int(line) - 1): int(clue) for kind, line, clue in re.findall(r"^(row|column) (\d+): (\d+)$", prompt, re.MULTILINE)}


def size_of(prompt: str) -> tuple[int, int]:
    """Rows and columns of a board whose size is stated."""
    found = re.search(r"(\d+) rows and (\d+) columns", prompt)
    assert found
    return int(found[1]), int(found[2])


def written(board: list[list[str]]) -> str:
    """A board as text, one row per line."""
    return "\n".join(" ".join(row) for row in board)


def cells_known(prompt: str) -> list[tuple[str, tuple[int, int]]]:
    """The cells stated as in `Known to be shaded (...): r1c2, r2c2`, each with its word."""
    lists = re.findall(r"^Known to be (\w+) \(.*?\): (.*)$", prompt, re.MULTILINE)
    return [(word, cell) for word, listed in lists for cell in cells_named(listed)]
