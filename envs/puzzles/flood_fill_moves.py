"""Flood a board of colours from one cell, by changing the colour of the flooded piece, until the whole board has one colour.

Any colours within the allowed number are accepted. The number is the proved fewest, or the fewest and a few to spare.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.puzzles import move_puzzles
from rlgym.generators.puzzles.move_puzzles import Moves, Plan

State = tuple[int, int]  # the flooded cells as a set of bits, and their colour
SPARE = {"loose": 4, "near": 1, "tight": 0}
WORK = 900
LETTERS = "RGBYPOWK"
COUNTRIES = "abcdefghijklmnopqrstuvwxyz"
ANSWER = Words("the colours in order as letters, separated by spaces", max_items=200, ignore_case=True)


class Knobs(Config):
    size: int = knob(6, easy=4, hard=8, doc="rows and columns, or about the root of twice the number of countries")
    colours: int = knob(4, easy=3, hard=6, doc="how many colours there are")
    limit: str = knob("near", easy="loose", hard="tight", order=("loose", "near", "tight"), doc="moves to spare: 4, 1 or none")


class Data(TaskData):
    colours: str  # one letter for each cell
    near: tuple[tuple[int, ...], ...]  # the neighbours of each cell
    columns: int  # 0 for a map of countries
    start: int
    most: int
    fewest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    size = knobs.size
    near = [
        tuple(sorted(r * size + c for r, c in ((i - 1, j), (i, j - 1), (i, j + 1), (i + 1, j)) if 0 <= r < size and 0 <= c < size))
        for i in range(size)
        for j in range(size)
    ]
    return _sample_task(rng, knobs, near, size)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A map of countries with borders in place of a board."""
    count = 2 * knobs.size + 8
    # Each country borders on one or two that come shortly before it, so the map is connected and stretches out.
    pairs = {(i, max(0, i - rng.integer(1, 5))) for i in range(1, count) for _ in range(2)}
    near = [tuple(sorted({b for a, b in pairs if a == i} | {a for a, b in pairs if b == i})) for i in range(count)]
    return _sample_task(rng, knobs, near, 0)


def _sample_task(rng: Rng, knobs: Knobs, near: Sequence[tuple[int, ...]], columns: int) -> Task[Data]:
    letters = rng.sample(LETTERS, knobs.colours)
    while True:
        colours = "".join(rng.choice(letters) for _ in near)
        start = 0 if columns else rng.integer(0, len(near) - 1)
        data = Data(colours=colours, near=tuple(near), columns=columns, start=start, most=0, fewest=0)
        plan = move_puzzles.a_star(_puzzle(data), WORK) if len(set(colours)) == len(letters) else None
        # Calling the colours over and over must take more moves than are allowed.
        if plan and (cycle := _shortest_cycle(data)) > len(plan):
            break
    data = data.model_copy(update={"most": min(len(plan) + SPARE[knobs.limit], cycle - 1), "fewest": len(plan)})
    if columns:
        board = "\n".join(" ".join(colours[i : i + columns]) for i in range(0, len(colours), columns))
        shown = (
            f"Each letter on this board is the colour of a cell:\n{board}\n\n"
            "The piece is the cell in the top left corner with all cells of the same colour that are connected with it through cells of "
            "that colour (above, below, left or right of each other)."
        )
        goal_text = "board"
    else:
        borders = "\n".join(f"{COUNTRIES[i]} ({colours[i]}): {' '.join(COUNTRIES[j] for j in its)}" for i, its in enumerate(near))
        shown = (
            "On a map each country has a colour, given in brackets, and borders on the countries after the colon:\n"
            f"{borders}\n\nThe piece is country {COUNTRIES[start]} with all countries of the same colour that are connected with it "
            "through countries of that colour."
        )
        goal_text = "map"
    prompt = (
        f"{shown} A move gives the whole piece another colour, so that the piece grows by what it touches of that colour. Make the whole "
        f"{goal_text} one colour with at most {data.most} moves. Give the new colour of the piece in each move."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> Plan:
    return move_puzzles.a_star(_puzzle(task.data), 10**6) or ()


def verify(task: Task[Data], answer: Plan) -> Score:
    return move_puzzles.verify_plan(_puzzle(task.data), answer, task.data.most, "more than one colour is left")


def mistakes(task: Task[Data], right: Plan) -> list[Plan]:
    used = sorted(set(task.data.colours.lower()))
    return [*move_puzzles.near_misses(right), tuple(used), (task.data.colours[task.data.start].lower(),)]


def cost(task: Task[Data]) -> float:
    spare = task.data.most - task.data.fewest
    return task.data.fewest**2 * len(task.data.colours) * (1 if spare > 3 else 2 if spare else 3)


def picture(task: Task[Data]) -> str:
    data = task.data
    if data.columns:
        rows = [list(data.colours[i : i + data.columns]) for i in range(0, len(data.colours), data.columns)]
        return pictures.board(rows, regions=[LETTERS.index(colour) for colour in data.colours])
    nodes = [f"{COUNTRIES[i]} {colour}" for i, colour in enumerate(data.colours)]
    return pictures.network(
        nodes, [(nodes[i], nodes[j]) for i, its in enumerate(data.near) for j in its if i < j], marked=[nodes[data.start]]
    )


def _puzzle(data: Data) -> Moves[State]:
    every = (1 << len(data.near)) - 1
    neighbours = [sum(1 << other for other in its) for its in data.near]
    pieces = _pieces(data, neighbours)
    touching = [sum(1 << j for j, other in enumerate(pieces) if other != piece and _border(piece, neighbours) & other) for piece in pieces]
    letters = sorted(set(data.colours))
    of_colour = [sum(1 << k for k, piece in enumerate(pieces) if data.colours[piece.bit_length() - 1] == letter) for letter in letters]
    count = len(pieces)

    def touched(flooded: int) -> int:
        out, pending = 0, flooded
        while pending:
            low = pending & -pending
            out |= touching[low.bit_length() - 1]
            pending ^= low
        return out & ~flooded

    def options(state: State) -> list[tuple[str, State]]:
        flooded, colour = state
        border = touched(flooded)
        return [(letter.lower(), (flooded | border & of_colour[k], k)) for k, letter in enumerate(letters) if k != colour]

    all_regions = (1 << count) - 1

    def least(state: State) -> int:
        """Colours that are left, and how many borders away the farthest piece lies: a move crosses one border only."""
        flooded = state[0]
        unflooded = all_regions & ~flooded
        colours = sum([bool(unflooded & its) for its in of_colour])
        rings, ring, reached = 0, flooded, flooded
        while reached != all_regions:
            ring = touched(reached)
            reached |= ring
            rings += 1
        return max(colours, rings)

    def describe(state: State) -> str:
        cells = sum(pieces[k] for k in range(count) if state[0] >> k & 1).bit_count()
        inside = [k for k in range(len(data.near)) if any(state[0] >> p & 1 and pieces[p] >> k & 1 for p in range(count))]
        if data.columns:
            board = ["*" if k in inside else colour for k, colour in enumerate(data.colours)]
            place = " ".join("".join(board[i : i + data.columns]) for i in range(0, len(board), data.columns))
        else:
            place = " ".join(COUNTRIES[k] for k in inside)
        return f"the piece has {cells} cells: {place}; colours left outside: {' '.join(_pieces_left(state[0]))}"

    def _pieces_left(flooded: int) -> list[str]:
        return [letter for letter, its in zip(letters, of_colour) if its & ~flooded] or ["none"]

    first = next(k for k, piece in enumerate(pieces) if piece >> data.start & 1)
    assert sum(pieces) == every
    return Moves((1 << first, letters.index(data.colours[data.start])), options, lambda state: state[0] == all_regions, describe, least)


def _shortest_cycle(data: Data) -> int:
    """How many moves it takes to call all colours over and over, in the best order; the present colour is left out."""
    puzzle, letters = _puzzle(data), sorted(set(data.colours.lower()))
    best = 2 * len(data.colours)
    for order in permutations(letters) if len(letters) <= 4 else (letters, letters[::-1]):
        for first in range(len(letters)):
            state, moves = puzzle.start, 0
            for at in range(first, first + best):
                state_of = dict(puzzle.options(state))
                if (letter := order[at % len(order)]) in state_of:
                    state, moves = state_of[letter], moves + 1
                if puzzle.is_goal(state) or moves >= best:
                    break
            if puzzle.is_goal(state):
                best = min(best, moves)
    return best


def _pieces(data: Data, neighbours: Sequence[int]) -> list[int]:
    """The connected pieces of one colour, as sets of cells."""
    same = {letter: sum(1 << i for i, colour in enumerate(data.colours) if colour == letter) for letter in sorted(set(data.colours))}
    pieces, seen = [], 0
    for cell, colour in enumerate(data.colours):
        if seen >> cell & 1:
            continue
        piece, grown = 0, 1 << cell
        while grown != piece:
            piece = grown
            grown |= _border(piece, neighbours) & same[colour]
        pieces.append(piece)
        seen |= piece
    return pieces


def _border(piece: int, neighbours: Sequence[int]) -> int:
    out, pixels = 0, piece
    while pixels:
        low = pixels & -pixels
        out |= neighbours[low.bit_length() - 1]
        pixels ^= low
    return out & ~piece


def solutions(task: Task[Data]) -> Iterator[Plan]:
    right = solve(task)
    yield from move_puzzles.other_plans(_puzzle(task.data), right, task.data.most, 10**6)
    if len(right) < task.data.most:
        letters = sorted(set(task.data.colours.lower()) - {right[-1]})
        yield from ((*right, letter) for letter in letters)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=move_puzzles.solution(_puzzle, solve, ANSWER), shift=shift, picture=picture, answers="many", solutions=solutions,
    shared_helpers="The helper makes the moves of the puzzle as the prompt states them; searching for a plan and checking one are apart.",
    concept="A move reaches one border further, so first make for the farthest corner, and save for the end the colours that one move can finish.",
    version=2,
)  # fmt: skip
