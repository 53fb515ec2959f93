"""Loops drawn from cell to cell: edges between cells, the signs that show them, and what keeps them from being one loop."""

from collections.abc import Sequence
from functools import cache

from rlgym.core.rng import Rng
from rlgym.generators.grids import boards, layout
from rlgym.generators.grids.bits import members
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.mark_deductions import Words
from rlgym.generators.grids.marks import Rule, Ways

SIGNS = ".-ILJ7F"
EXPLAINED = (
    "Show the loop with one character for each cell: - where it goes from left to right, I up and down, L where it joins up and right, J up and left, "
    "7 down and left, F down and right, and a dot where it does not pass."
)
_WAYS = {
    ".": (),
    "-": ("left", "right"),
    "I": ("up", "down"),
    "L": ("up", "right"),
    "J": ("up", "left"),
    "7": ("down", "left"),
    "F": ("down", "right"),
}
_SIGN = {frozenset(ways): sign for sign, ways in _WAYS.items()}
_BACK = {"left": "right", "right": "left", "up": "down", "down": "up"}


@cache
def edge_ends(size: int) -> tuple[tuple[int, int], ...]:
    """The two cells that each edge joins: edges across first, row by row, then those down."""
    across = [(cell, cell + 1) for cell in range(size * size) if cell % size < size - 1]
    return (*across, *((cell, cell + size) for cell in range(size * size - size)))


@cache
def edges_at(size: int) -> tuple[dict[str, int], ...]:
    """The edges at each cell, by direction."""
    by_cell: list[dict[str, int]] = [{} for _ in range(size * size)]
    for edge, (a, b) in enumerate(edge_ends(size)):
        by_cell[a]["right" if b == a + 1 else "down"] = edge
        by_cell[b]["left" if b == a + 1 else "up"] = edge
    return tuple(by_cell)


def neighbour(size: int, cell: int, direction: str) -> int:
    """The cell in this direction."""
    return cell + {"left": -1, "right": 1, "up": -size, "down": size}[direction]


def read_loop(answer: Cells) -> int | str:
    """The edges that the signs of a square board show, or what is wrong with them."""
    size, loop = len(answer), 0
    edges = edges_at(size)
    signs = [sign for row in answer for sign in row]
    for cell, sign in enumerate(signs):
        for direction in _WAYS[sign]:
            edge = edges[cell].get(direction)
            if edge is None or _BACK[direction] not in _WAYS[signs[neighbour(size, cell, direction)]]:
                return f"the line at {layout.place(cell, size)} ends nowhere"
            loop |= 1 << edge
    return loop


def render_loop(size: int, loop: int) -> Cells:
    """The edges as signs."""
    signs = [_SIGN[frozenset(direction for direction, edge in edges.items() if loop >> edge & 1)] for edges in edges_at(size)]
    return layout.rows_of(signs, size)


def find_loop_fault(size: int, loop: int) -> str:
    """Why edges, with none or two at each cell, are not one loop; empty where they are."""
    if not loop:
        return "there is no loop"
    cell = start = edge_ends(size)[members(loop)[0]][0]
    passed, before = 0, -1
    while True:
        edge = next(edge for edge in edges_at(size)[cell].values() if loop >> edge & 1 and edge != before)
        a, b = edge_ends(size)[edge]
        cell, before, passed = b if cell == a else a, edge, passed + 1
        if cell == start:
            return "" if passed == loop.bit_count() else "there are several loops"


def around(size: int, top: int, left: int, bottom: int, right: int) -> int:
    """The loop through the outer cells of a rectangle."""
    cells = [(r, c) for r in range(top, bottom + 1) for c in range(left, right + 1)]
    rim = {r * size + c for r, c in cells if r in (top, bottom) or c in (left, right)}
    loop = 0
    for edge, (a, b) in enumerate(edge_ends(size)):
        same = a // size == b // size
        on_rim = a // size in (top, bottom) if same else a % size in (left, right)
        if a in rim and b in rim and on_rim:
            loop |= 1 << edge
    return loop


def sample_loop(rng: Rng, size: int) -> int:
    """A random winding loop: the outline of a random island of corners between cells."""
    blocks = size - 1
    inside = boards.sample_island(rng, boards.near("square", blocks, blocks), 4, blocks * blocks * rng.integer(45, 65) // 100)
    loop = 0
    for edge, (a, b) in enumerate(edge_ends(size)):
        r, c = divmod(a, size)
        across = ((r - 1, c), (r, c)) if b == a + 1 else ((r, c - 1), (r, c))
        marked = [0 <= i < blocks and 0 <= j < blocks and bool(inside >> i * blocks + j & 1) for i, j in across]
        if marked[0] != marked[1]:
            loop |= 1 << edge
    return loop


@cache
def _passing_rules(size: int) -> tuple[Ways, ...]:
    rules = []
    for cell, edges in enumerate(edges_at(size)):
        bits = [1 << edge for edge in edges.values()]
        ways = (0, *(bit | two for i, bit in enumerate(bits) for two in bits[:i]))
        rules.append(Ways(sum(bits), ways, f"the loop goes through {layout.place(cell, size)} once or not at all"))
    return tuple(rules)


def degree_rules(size: int) -> list[Rule]:
    """At each cell none or two edges are marked."""
    return [*_passing_rules(size)]


def describe_edges(size: int, edges: Sequence[int]) -> str:
    """Edges in words."""
    return ", ".join(f"{layout.place(a, size)} to {layout.place(b, size)}" for a, b in (edge_ends(size)[edge] for edge in edges))


@cache
def edge_words(size: int) -> Words:
    pairs = [f"{layout.place(a, size)} to {layout.place(b, size)}" for a, b in edge_ends(size)]
    return Words([f"{pair} is in the loop" for pair in pairs], [f"{pair} is not in it" for pair in pairs])
