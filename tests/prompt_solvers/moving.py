"""Puzzles in which pieces move, solved by searches over their states."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, permutations
from math import gcd

from prompt_solvers.board_parsing import boards
from prompt_solvers.grid_models import STEPS, groups
from prompt_solvers.parsing import after, between
from prompt_solvers.registry import prompt_solver
from prompt_solvers.searching import from_both_ends, shortest

Flat = tuple[str, ...]


def flat(board: list[list[str]]) -> Flat:
    """A board in reading order."""
    return tuple(word for row in board for word in row)


def swapped(board: Flat, one: int, other: int) -> Flat:
    """A board with two places exchanged."""
    cells = list(board)
    cells[one], cells[other] = cells[other], cells[one]
    return tuple(cells)


@prompt_solver("fifteen_puzzle")
def solve_fifteen(prompt: str) -> str:
    first, last = boards(prompt)
    rows, columns = len(first), len(first[0])

    def moves(board: Flat) -> Iterator[tuple[str, str, Flat]]:
        row, column = divmod(board.index("."), columns)
        for down, right in STEPS:
            if 0 <= row + down < rows and 0 <= column + right < columns:
                other = (row + down) * columns + column + right
                yield board[other], board[other], swapped(board, row * columns + column, other)

    return ", ".join(from_both_ends(flat(first), flat(last), moves))


@prompt_solver("twiddle")
def solve_twiddle(prompt: str) -> str:
    board = boards(prompt)[0]
    rows, columns = len(board), len(board[0])
    turns = []
    for row in range(rows - 1):
        for column in range(columns - 1):
            corner = row * columns + column
            ring = [corner, corner + 1, corner + columns + 1, corner + columns]
            for sign, undo, source in (("+", "-", ring[-1:] + ring[:-1]), ("-", "+", ring[1:] + ring[:1])):
                places = list(range(rows * columns))
                for to, origin in zip(ring, source, strict=True):
                    places[to] = origin
                turns.append((f"r{row + 1}c{column + 1}{sign}", f"r{row + 1}c{column + 1}{undo}", places))

    def moves(state: Flat) -> Iterator[tuple[str, str, Flat]]:
        for label, undo, places in turns:
            yield label, undo, tuple([state[place] for place in places])

    return " ".join(from_both_ends(flat(board), tuple(sorted(flat(board), key=int)), moves))


Sticker = tuple[tuple[int, int, int], tuple[int, int, int]]


def stickers() -> list[Sticker]:
    """Place and outward direction of each sticker of the net, in reading order; x to the right, y up, z out of the front face."""
    faces = {
        "U": [((c, 1, r), (0, 1, 0)) for r in (-1, 1) for c in (-1, 1)],
        "D": [((c, -1, -r), (0, -1, 0)) for r in (-1, 1) for c in (-1, 1)],
    }
    middle = []
    for height in (1, -1):
        middle += [((-1, height, c), (-1, 0, 0)) for c in (-1, 1)] + [((c, height, 1), (0, 0, 1)) for c in (-1, 1)]
        middle += [((1, height, -c), (1, 0, 0)) for c in (-1, 1)] + [((-c, height, -1), (0, 0, -1)) for c in (-1, 1)]
    return faces["U"] + middle + faces["D"]


def clockwise(axis: int, vector: tuple[int, int, int]) -> tuple[int, int, int]:
    """A quarter turn about an axis, clockwise for someone who looks at its positive end."""
    one, two = (axis + 1) % 3, (axis + 2) % 3
    turned = list(vector)
    turned[one], turned[two] = vector[two], -vector[one]
    return turned[0], turned[1], turned[2]


@prompt_solver("rubiks_pocket")
def solve_rubiks_pocket(prompt: str) -> str:
    net = "".join(word for row in boards(prompt, "[A-Z]")[0] for word in row)
    places = stickers()
    turns = []
    for axis, face in enumerate("RUF"):
        quarter = list(range(24))
        for at, (place, out) in enumerate(places):
            if place[axis] == 1:
                quarter[places.index((clockwise(axis, place), clockwise(axis, out)))] = at
        half = [quarter[at] for at in quarter]
        allowed = ((1, quarter), (2, half), (3, [half[at] for at in quarter]))
        turns += [(f"{face}{count}", f"{face}{4 - count}", order) for count, order in allowed if count != 2 or "R2 a half turn" in prompt]
    corners = [[net[at] for at, (place, _) in enumerate(places) if place == corner] for corner in {place for place, _ in places}]
    fixed = {out: net[at] for at, (place, out) in enumerate(places) if place == (-1, -1, -1)}
    goal = ""
    for _, out in places:
        behind = fixed.get((-out[0], -out[1], -out[2]))
        goal += fixed.get(out) or next(
            colour for colour in set(net) - {behind} if not any({colour, behind} <= set(corner) for corner in corners)
        )

    def moves(state: str) -> Iterator[tuple[str, str, str]]:
        for label, undo, order in turns:
            yield label, undo, "".join([state[at] for at in order])

    return " ".join(from_both_ends(net, goal, moves))


def slides(board: Flat, columns: int, directions: dict[str, str]) -> Iterator[tuple[str, Flat]]:
    """All slides of a block over empty cells, each block in its own directions."""
    rows = len(board) // columns
    for name, steps in directions.items():
        cells = {divmod(at, columns) for at, word in enumerate(board) if word == name}
        for letter in steps:
            down, right = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}[letter]
            for far in range(1, max(rows, columns)):
                to = {(row + far * down, column + far * right) for row, column in cells}
                if not all(
                    0 <= row < rows and 0 <= column < columns and board[row * columns + column] in (".", name) for row, column in to
                ):
                    break
                moved = ["." if word == name else word for word in board]
                for row, column in to:
                    moved[row * columns + column] = name
                yield f"{name}{letter}{far}", tuple(moved)


@prompt_solver("klotski_small")
def solve_klotski(prompt: str) -> str:
    first, last = boards(prompt)
    names = dict.fromkeys(sorted(set(flat(first)) - {"."}), "UDLR")
    goal = {at for at, word in enumerate(flat(last)) if word == "A"}
    found = shortest(flat(first), lambda board: slides(board, len(first[0]), names), lambda board: all(board[at] == "A" for at in goal))
    assert found
    return " ".join(found)


@prompt_solver("rush_hour")
def solve_rush_hour(prompt: str) -> str:
    first = boards(prompt)[0]
    columns = len(first[0])
    cars = {name: "LR" if cells[0][0] == cells[1][0] else "UD" for name, cells in groups(first).items() if name != "."}
    found = shortest(flat(first), lambda board: slides(board, columns, cars), lambda board: "A" in board[columns - 1 :: columns])
    assert found
    return " ".join(found)


@prompt_solver("hanoi_variants")
def solve_hanoi(prompt: str) -> str:
    pegs = re.findall(r"^([A-Z]): (.*)$", prompt, re.MULTILINE)
    names = [name for name, _ in pegs[: len(pegs) // 2]]
    stacks = tuple(tuple(int(disk) for disk in disks.split() if disk != "empty") for _, disks in pegs)
    restricted = "directions: " in prompt
    listed = re.findall(r"([A-Z]) to ([A-Z])", between(prompt, "directions: ", ".")) if restricted else permutations(names, 2)
    directions = list(listed)
    limits = re.search(r"holds at most (\d+) disks.* smaller by at most (\d+)", prompt)
    room, overlap = (int(limits[1]), int(limits[2]) + 1) if limits else (99, 0)
    banned = {(int(disk), one, other) for disk, one, other in re.findall(r"disk (\d+) from ([A-Z]) to ([A-Z])", prompt)}

    def moves(state: tuple[tuple[int, ...], ...]) -> Iterator[tuple[str, tuple[tuple[int, ...], ...]]]:
        for one, other in directions:
            leave, enter = names.index(one), names.index(other)
            fits = state[leave] and len(state[enter]) < room and (not state[enter] or state[enter][-1] + overlap > state[leave][-1])
            if fits and (state[leave][-1], one, other) not in banned:
                moved = list(state)
                moved[leave], moved[enter] = state[leave][:-1], (*state[enter], state[leave][-1])
                yield one + other, tuple(moved)

    found = shortest(stacks[: len(names)], moves, lambda state: state == stacks[len(names) :])
    assert found
    return " ".join(found)


@prompt_solver("peg_solitaire")
def solve_peg_solitaire(prompt: str) -> str:
    board = boards(prompt)[0]
    pegs = frozenset(groups(board)["o"])
    holes = pegs | set(groups(board).get(".", []))
    target = re.search(r"one peg is left, in r(\d+)c(\d+)", prompt)
    goal = (int(target[1]) - 1, int(target[2]) - 1) if target else None
    dead = set()

    def jumps(left: frozenset[tuple[int, int]]) -> list[str] | None:
        if len(left) == 1:
            return [] if goal is None or goal in left else None
        if left in dead:
            return None
        for row, column in sorted(left):
            for down, right in STEPS:
                over, to = (row + down, column + right), (row + 2 * down, column + 2 * right)
                if over in left and to in holes and to not in left:
                    rest = jumps(left - {(row, column), over} | {to})
                    if rest is not None:
                        return [f"r{row + 1}c{column + 1}-r{to[0] + 1}c{to[1] + 1}", *rest]
        dead.add(left)
        return None

    found = jumps(pegs)
    assert found
    return " ".join(found)


@prompt_solver("river_crossing")
def solve_river_crossing(prompt: str) -> str:
    def party(text: str) -> frozenset[str]:
        return frozenset(text.split(", ")) - {"nobody"}

    left, right = party(between(prompt, "On the left bank of a river: ", ".")), party(between(prompt, "On the right bank: ", "."))
    seats = int(between(prompt, "holds at most ", " "))
    enemies = [party(pair) for pair in between(prompt, "who have just landed count): ", ".").split("; ")]
    goal = party(between(prompt, "must be on the left bank: ", "."))

    def moves(state: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
        shore = state if "farmer" in state else (left | right) - state
        for count in range(seats):
            for taken in combinations(sorted(shore - {"farmer"}), count):
                boat = {"farmer", *taken}
                if not any(pair <= shore - boat for pair in enemies):
                    yield ", ".join(sorted(boat)), state ^ boat

    start_on_left = "The boat is on the left bank" in prompt
    assert start_on_left == ("farmer" in left)
    found = shortest(left, moves, lambda state: state == goal)
    assert found
    return "\n".join(found)


@prompt_solver("water_jugs")
def solve_water_jugs(prompt: str) -> str:
    jugs = re.findall(r"^([A-Z]): capacity (\d+), now (\d+)$", prompt, re.MULTILINE)
    names, sizes = [name for name, _, _ in jugs], [int(size) for _, size, _ in jugs]
    aims = re.findall(r"exactly (\d+) litres? in (?:jug ([A-Z])|one of the jugs)", after(prompt, "Get "))
    divisor = gcd(*sizes)
    assert all(now == "0" for _, _, now in jugs)
    if any(int(amount) % divisor for amount, _ in aims):
        return f"impossible {divisor}"

    def moves(state: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
        for at, name in enumerate(names):
            if state[at] < sizes[at]:
                yield f"fill {name}", (*state[:at], sizes[at], *state[at + 1 :])
            if state[at]:
                yield f"empty {name}", (*state[:at], 0, *state[at + 1 :])
            for to, other in enumerate(names):
                amount = min(state[at], sizes[to] - state[to])
                if to != at and amount:
                    poured = list(state)
                    poured[at], poured[to] = state[at] - amount, state[to] + amount
                    yield f"pour {name} {other}", tuple(poured)

    def done(state: tuple[int, ...]) -> bool:
        return all(state[names.index(name)] == int(amount) if name else int(amount) in state for amount, name in aims)

    found = shortest((0,) * len(jugs), moves, done)
    assert found
    return "\n".join(found)
