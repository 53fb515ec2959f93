"""Jump pegs over one another, taking away each that was jumped over, until one peg is left.

Any legal jumps are accepted. Boards are made by jumps backwards from the last peg, so they can be solved; the oracle finds its own jumps.
"""

from collections.abc import Iterator
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.grids.singleton_consistency import sample_hard
from rlgym.generators.puzzles import move_puzzles
from rlgym.generators.puzzles.move_puzzles import Moves, Plan

WORK = 1500
FEW = 40  # positions that are not sought among several boards
TRIES = 12  # boards of which the hardest is taken
Jump = tuple[str, int, int]  # its name, the cells that must hold pegs, and the cell that must be empty
STRAIGHT = ((0, 1), (0, -1), (1, 0), (-1, 0))
SLANTED = ((1, 1), (-1, -1))
ANSWER = Words("the jumps in order, separated by spaces", max_items=60, ignore_case=True)


class Knobs(Config):
    pegs: int = knob(7, easy=3, hard=17, doc="how many pegs there are")
    size: int = knob(5, easy=4, hard=6, doc="rows and columns")
    corners: int = knob(15, easy=0, hard=25, doc="percent of cells that are cut from the board")
    positions: int = knob(
        12,
        easy=1,
        hard=400,
        scale="log",
        doc="positions that a search depth first looks into, at least in two orders, as far as a few boards are so",
    )
    last: str = knob("anywhere", easy="anywhere", hard="given", order=("anywhere", "given"), doc="where the last peg must stand")


class Data(TaskData):
    board: tuple[str, ...]  # o for a peg, . for a hole, # for no cell
    slanted: bool  # a board of triangles: jumps go along rows, columns and one diagonal
    last: int  # the cell of the last peg, -1 for any
    pegs: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A triangle with jumps in three directions."""
    return _sample_task(rng, knobs, True)


def _sample_task(rng: Rng, knobs: Knobs, slanted: bool) -> Task[Data]:
    """The hardest of a few boards, where much has to be looked into."""
    wanted = knobs.positions if knobs.positions > FEW else 0
    return sample_hard(lambda: _sample_once(rng, knobs, slanted), lambda task: _count_positions(task.data, wanted), wanted, TRIES)


def _sample_once(rng: Rng, knobs: Knobs, slanted: bool) -> Task[Data]:
    size, tries = knobs.size + slanted, 0
    while True:
        tries += 1
        cells = [cell for cell in range(size * size) if not slanted or cell % size <= cell // size]
        cut = rng.sample(cells, len(cells) * knobs.corners // 200) if slanted else rng.sample(cells, len(cells) * knobs.corners // 100)
        cells = [cell for cell in cells if cell not in cut]
        jumps = _jumps(tuple(cells), size, slanted)
        last = rng.choice(cells)
        pegs = 1 << last
        while pegs.bit_count() < knobs.pegs - tries // 20:
            # Backwards: the jumper goes back over a hole, in which a peg appears.
            ways = [(full, hole) for _, full, hole in jumps if pegs & hole and not pegs & full]
            if not ways:
                break
            full, hole = rng.choice(ways)
            pegs = pegs & ~hole | full
        rows = tuple(
            "".join("#" if cell not in cells else "o" if pegs >> cell & 1 else "." for cell in range(r * size, r * size + size))
            for r in range(size)
        )
        data = Data(board=rows, slanted=slanted, last=last if knobs.last == "given" else -1, pegs=pegs.bit_count())
        if data.pegs > 2 and data.pegs >= knobs.pegs - tries // 20 and _depth_first_search(data, WORK)[0] is not None:
            break
    direction_text = (
        "along a row, along a column, or along a diagonal down to the right or up to the left" if slanted else "along a row or a column"
    )
    aim = f"one peg is left, in r{last // size + 1}c{last % size + 1}" if data.last >= 0 else "only one peg is left, in any cell"
    shown = "\n".join(" ".join(row) for row in rows)
    blocked = "#" in shown
    prompt = (
        f"On this board o is a peg{', ' if blocked else ' and '}. is an empty hole{', and # is not part of the board' if blocked else ''}:\n"
        f"{shown}\n\nIn a jump, a peg jumps over a neighbouring peg into the empty hole directly behind it, {direction_text}; the peg that was jumped over is "
        f"removed. Find a sequence of jumps after which {aim}. r2c3 is the cell in row 2 and column 3, counted from 1 at the top left. Write a jump "
        "as its start cell and its end cell, joined by a hyphen."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> Plan:
    return _depth_first_search(task.data, 10**7)[0] or ()


def verify(task: Task[Data], answer: Plan) -> Score:
    return move_puzzles.verify_plan(_puzzle(task.data), answer, task.data.pegs - 1, "the pegs left are not as asked")


def mistakes(task: Task[Data], right: Plan) -> list[Plan]:
    turned = tuple("-".join(jump.split("-")[::-1]) for jump in right)
    return [*move_puzzles.near_misses(right), turned]


def cost(task: Task[Data]) -> float:
    looked = min(_depth_first_search(task.data, WORK, backwards=backwards)[1] for backwards in (False, True))
    return float(1 << min(task.data.pegs, 40)) * (1 + looked / 50) * (2 if task.data.last >= 0 else 1) * len(task.data.board)


def picture(task: Task[Data]) -> str:
    absent = [cell for cell, sign in enumerate("".join(task.data.board)) if sign == "#"]
    return pictures.board([list(row.replace("#", ".")) for row in task.data.board], shaded=absent)


@lru_cache(maxsize=64)
def _jumps(cells: tuple[int, ...], size: int, slanted: bool) -> list[Jump]:
    jumps = []
    for cell in cells:
        row, column = divmod(cell, size)
        for r, c in STRAIGHT + (SLANTED if slanted else ()):
            over, end = (row + r, column + c), (row + 2 * r, column + 2 * c)
            inside = all(0 <= at < size for at in end)
            if inside and over[0] * size + over[1] in cells and end[0] * size + end[1] in cells:
                name = f"r{row + 1}c{column + 1}-r{end[0] + 1}c{end[1] + 1}"
                jumps.append((name, 1 << cell | 1 << over[0] * size + over[1], 1 << end[0] * size + end[1]))
    return jumps


def _puzzle(data: Data) -> Moves[int]:
    size, flat = len(data.board), "".join(data.board)
    jumps = _jumps(tuple(cell for cell, sign in enumerate(flat) if sign != "#"), size, data.slanted)
    aim = 1 << data.last if data.last >= 0 else 0

    def options(pegs: int) -> list[tuple[str, int]]:
        return [(name, pegs & ~full | hole) for name, full, hole in jumps if pegs & full == full and not pegs & hole]

    def done(pegs: int) -> bool:
        return pegs == aim or (not aim and pegs.bit_count() == 1)

    def describe(pegs: int) -> str:
        rows = [
            "".join("#" if flat[cell] == "#" else "o" if pegs >> cell & 1 else "." for cell in range(r * size, r * size + size))
            for r in range(size)
        ]
        return f"{' '.join(rows)}; pegs left: {pegs.bit_count()}; jumps that are now possible: {len(options(pegs))}"

    return Moves(sum(1 << cell for cell, sign in enumerate(flat) if sign == "o"), options, done, describe)


def _count_positions(data: Data, most: int) -> int:
    """How many positions a search depth first looks into, jumps that leave most others first or in the order of the cells; `most` at most."""
    return min(_depth_first_search(data, most, backwards=backwards)[1] for backwards in (False, True)) if most else 0


def _depth_first_search(data: Data, work: int, *, backwards: bool = False) -> tuple[Plan | None, int]:
    """Jumps found depth first, no position being looked into twice, and how many positions that took."""
    puzzle = _puzzle(data)
    dead, path = set[int](), list[str]()
    stack = [iter(_order_jumps(puzzle, puzzle.start, backwards))]
    while stack:
        step = next(stack[-1], None)
        if step is None:
            stack.pop()
            if path:
                path.pop()
            continue
        name, pegs = step
        if pegs in dead:
            continue
        dead.add(pegs)
        path.append(name)
        if puzzle.is_goal(pegs):
            return tuple(path), len(dead)
        if len(dead) > work:
            return None, len(dead)
        stack.append(iter(_order_jumps(puzzle, pegs, backwards)))
    return None, len(dead)


def _order_jumps(puzzle: Moves[int], pegs: int, backwards: bool) -> list[tuple[str, int]]:
    """Jumps after which most other jumps are possible come first."""
    jumps = list(puzzle.options(pegs))
    if backwards:
        return jumps[::-1]
    return sorted(jumps, key=lambda step: -len(list(puzzle.options(step[1]))))


def solutions(task: Task[Data]) -> Iterator[Plan]:
    plan = _depth_first_search(task.data, 20_000, backwards=True)[0]
    if plan:
        yield plan
    yield solve(task)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=move_puzzles.solution(_puzzle, solve, ANSWER), shift=shift, picture=picture, answers="many", solutions=solutions,
    shared_helpers="The helper makes the moves of the puzzle as the prompt states them; searching for a plan and checking one are apart.",
    concept="Keep the pegs together: a peg that is far from the others can be reached only by one that jumps there, so bring stray pegs in first.",
    version=4,
)  # fmt: skip
