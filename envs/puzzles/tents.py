"""Pitch tents next to trees: one tent to each tree, no two tents touching, with the number of tents in each line given.

Uniqueness is proved when a board is made: rocks are added until one solution is left. On the upper levels one of the numbers is false, and it is not said
which: what follows from one number alone can never be relied on.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import bits, campsite, count_deductions, false_clues, layout, regions, replays
from rlgym.generators.grids.bits import Count
from rlgym.generators.grids.clues import Budget, drop_clues
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.singleton_consistency import sample_hard

ATTEMPTS = 4  # boards tried for one without many rocks
FIRST = "Only free cells beside a tree can be tents."
TRIES = 6  # puzzles of which the hardest is taken
FALSE_TRIES = 2
SILENT = 2  # rows and columns without a number where one is false


class Knobs(Config):
    size: int = knob(7, easy=4, hard=11, doc="rows and columns")
    trees: int = knob(19, easy=16, hard=21, doc="percent of cells with a tree, as far as their tents find room")
    numbers: int = knob(75, easy=100, hard=40, doc="percent of lines whose number is given, as far as the solution stays unique")
    reasoning: str = knob(
        "trying",
        easy="counting",
        hard="search",
        order=bits.REASONING,
        doc="whether counting suffices, or suppositions that fail at once, or some inside others may be needed",
    )
    suppositions: int = knob(
        10,
        easy=1,
        hard=100,
        scale="log",
        doc="suppositions that find the solution and prove it the only one, where some inside others are needed and as far as a few puzzles have them",
    )
    false: str = knob(
        "none",
        easy="none",
        hard="one",
        order=("none", "one"),
        doc="whether one number is false, which is not said (a row and a column fewer)",
    )


class Data(TaskData):
    board: tuple[str, ...]  # T for trees, # for rocks, . for free cells
    counts: tuple[int, ...]  # tents in the rows, then in the columns; -1 where it is not given
    false: int = -1  # which of the numbers is false


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, crowded=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Trees that stand crowded in a few places, with empty ground between them."""
    return _sample_task(rng, knobs, crowded=True)


def solve(task: Task[Data]) -> Cells:
    puzzle, blank = _puzzle_and_blanks(task.data)
    if task.data.false >= 0:
        find = false_clues.on_marks(partial(_puzzle, _trees(task.data.board)), blank)
        return _to_cells(task.data.board, next(false_clues.solutions(find, task.data.counts)))
    return _to_cells(task.data.board, next(bits.backtrack(puzzle, Budget(10**9), no=blank)))


def verify(task: Task[Data], answer: Cells) -> Score:
    board, size = task.data.board, len(task.data.board)
    if reason := layout.find_misfit(answer, board, "*."):
        return Score.wrong(reason)
    tents = bits.as_set([cell for cell, sign in enumerate(sign for row in answer for sign in row) if sign == "*"])
    stated = zip(_lines(size), _names(size), task.data.counts)
    missed = [f"{name} does not hold {count} of the tents" for unit, name, count in stated if count not in (-1, (tents & unit).bit_count())]
    if task.data.false >= 0 and len(missed) != 1:
        return Score.wrong(f"{len(missed)} of the stated numbers are not those of the board, not exactly one")
    if missed and task.data.false < 0:
        return Score.wrong(missed[0])
    near = regions.touching_neighbours(size, size)
    if any(tents >> other & 1 for tent in bits.members(tents) for other in near[tent]):
        return Score.wrong("two tents touch")
    trees = _trees(board)
    if tents.bit_count() != trees.bit_count():
        return Score.wrong("there are not as many tents as trees")
    return Score.exact(_match_trees(trees, tents, size), "not every tree can have a tent of its own")


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    board = task.data.board
    places = [(r, c) for r, row in enumerate(right) for c, cell in enumerate(row) if cell == "*"]
    fewer = layout.replace_cells(right, {places[0]: "."})
    every = tuple(tuple("*" if cell == "." else cell for cell in row) for row in board)
    return [fewer, *layout.exchange_neighbours(right, board), every, tuple(map(tuple, board)), right[::-1]]


def cost(task: Task[Data]) -> float:
    puzzle, blank = _puzzle_and_blanks(task.data)
    if task.data.false >= 0:
        return len(task.data.board) ** 2 * _count_false(task)
    return bits.effort(puzzle, no=blank)


def _count_suppositions(task: Task[Data]) -> int:
    puzzle, blank = _puzzle_and_blanks(task.data)
    return bits.count_suppositions(puzzle, no=blank)


def _count_false(task: Task[Data]) -> int:
    """The suppositions that it takes to go through all numbers that may be false."""
    trees = _trees(task.data.board)
    return false_clues.count_suppositions(partial(_puzzle, trees), task.data.counts, _useless(trees, len(task.data.board)))


def picture(task: Task[Data]) -> str:
    data = task.data
    size = len(data.board)
    counts = [str(count) if count >= 0 else "" for count in data.counts]
    rocks = [cell for cell, sign in enumerate("".join(data.board)) if sign == "#"]
    return pictures.board([row.replace("#", ".") for row in data.board], shaded=rocks, left=counts[:size], top=counts[size:])


def _sample_task(rng: Rng, knobs: Knobs, crowded: bool) -> Task[Data]:
    """The hardest of a few puzzles, where suppositions inside suppositions are needed."""
    if knobs.false == "one":
        return sample_hard(lambda: _sample_false(rng, knobs, crowded), _count_false, knobs.suppositions, FALSE_TRIES)
    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    return sample_hard(lambda: _sample_once(rng, knobs, crowded), _count_suppositions, wanted, TRIES)


def _sample_once(rng: Rng, knobs: Knobs, crowded: bool) -> Task[Data]:
    size, steps = knobs.size, bits.proof_steps(knobs.reasoning, knobs.suppositions)
    best: tuple[Data, int] | None = None
    for _ in range(ATTEMPTS):
        pairs = campsite.sample_tents(rng, size, max(2, size * size * knobs.trees // 100), crowded)
        tents, trees = bits.as_set([tent for tent, _ in pairs]), bits.as_set([tree for _, tree in pairs])
        counts = tuple((tents & unit).bit_count() for unit in _lines(size))
        open_puzzle = _puzzle(trees, counts)
        _, blank = bits.add_givens(rng, open_puzzle, tents, knobs.reasoning, no=_useless(trees, size), marks=False, steps=steps)
        rocks = blank & ~_useless(trees, size)

        def fine(kept: list[int]) -> bool:
            return not bits.undetermined_cells(_puzzle(trees, _keep_clues(counts, kept)), tents, knobs.reasoning, no=blank, steps=steps)  # noqa: B023

        kept = _keep_clues(counts, drop_clues(rng.shuffled(range(2 * size)), 2 * size * knobs.numbers // 100, fine))
        board = ["T" if trees >> cell & 1 else "#" if rocks >> cell & 1 else "." for cell in range(size * size)]
        data = Data(board=tuple("".join(row) for row in layout.rows_of(board, size)), counts=kept)
        if best is None or rocks.bit_count() < best[1]:
            best = data, rocks.bit_count()
        if rocks.bit_count() * 20 <= size * size:
            break
    assert best is not None
    return _pose(best[0])


def _sample_false(rng: Rng, knobs: Knobs, crowded: bool) -> Task[Data]:
    """A false number among the others, with one solution whichever it may be."""
    size = max(4, knobs.size - 1)
    while True:
        pairs = campsite.sample_tents(rng, size, max(2, size * size * knobs.trees // 100), crowded)
        tents, trees = bits.as_set([tent for tent, _ in pairs]), bits.as_set([tree for _, tree in pairs])
        make, blank = partial(_puzzle, trees), _useless(trees, size)
        if found := false_clues.sample_line_counts(rng, make, tents, size, SILENT, blank):
            break
    board = ["T" if trees >> cell & 1 else "." for cell in range(size * size)]
    return _pose(Data(board=tuple("".join(row) for row in layout.rows_of(board, size)), counts=found[0], false=found[1]))


def _pose(data: Data) -> Task[Data]:
    size = len(data.board)
    known = "The number of tents in these lines is known, rows counted from the top and columns from the left:"
    if data.false >= 0:
        known = (
            "The number of tents is stated for these lines, rows counted from the top and columns from the left, but exactly one of these numbers is false; "
            "all others hold:"
        )
    listing = [f"{name}: {count}" for name, count in zip(_names(size), data.counts) if count >= 0]
    prompt = (
        f"On this board T is a tree{', # a rock' * (data.false < 0)} and a dot free ground:\n\n{layout.render_grid(data.board)}\n\n"
        "Pitch tents on free cells, as many as there are trees, so that each tree can be given a tent of its own directly above, below, left or right of it, "
        "and no two tents touch, not even diagonally. (A tent may also stand next to trees other than its own.) "
        f"{known}\n{chr(10).join(listing)}"
    )
    return Task(prompt, data)


def _words(size: int) -> count_deductions.Words:
    places = [layout.place(cell, size) for cell in range(size * size)]
    broken = "the trees and tents cannot be paired off any more"
    return count_deductions.Words([f"{place} is a tent" for place in places], [f"{place} is none" for place in places], broken)


def _match_trees(trees: int, tents: int, size: int) -> bool:
    """Whether each tree can have one of these tents, next to it, of its own."""
    near = regions.neighbours_by_cell(size, size)
    owner: dict[int, int] = {}

    def augmenting_path(tree: int, tried: set[int]) -> bool:
        for tent in near[tree]:
            if tents >> tent & 1 and tent not in tried:
                tried.add(tent)
                if tent not in owner or augmenting_path(owner[tent], tried):
                    owner[tent] = tree
                    return True
        return False

    return all(augmenting_path(tree, set()) for tree in bits.members(trees))


@lru_cache(maxsize=256)
def _lines(size: int) -> tuple[int, ...]:
    rows = [bits.as_set(range(r * size, r * size + size)) for r in range(size)]
    return (*rows, *(bits.as_set(range(c, size * size, size)) for c in range(size)))


def _names(size: int) -> list[str]:
    return [f"{kind} {i + 1}" for kind in ("row", "column") for i in range(size)]


def _keep_clues(counts: Sequence[int], kept: list[int]) -> tuple[int, ...]:
    kept_clues = set(kept)
    return tuple(count if i in kept_clues else -1 for i, count in enumerate(counts))


def _useless(trees: int, size: int) -> int:
    """The trees, and the cells next to none."""
    near = regions.neighbours_by_cell(size, size)
    return bits.as_set([cell for cell in range(size * size) if trees >> cell & 1 or not any(trees >> other & 1 for other in near[cell])])


@lru_cache(maxsize=8)
def _puzzle(trees: int, numbers: tuple[int, ...]) -> bits.Puzzle:
    size = len(numbers) // 2
    counts = [
        Count(unit, count, count, f"{name} holds {count}") for unit, count, name in zip(_lines(size), numbers, _names(size)) if count >= 0
    ]

    def possible(yes: int, no: int) -> bool:
        return _match_trees(trees, ~no, size) and _match_trees(yes, trees, size)

    return bits.Puzzle(size * size, (*counts, *_rules(trees, size)), possible)


@lru_cache(maxsize=4)
def _rules(trees: int, size: int) -> tuple[Count, ...]:
    """What holds whatever the numbers: as many tents as trees, a tent beside each tree, and no two tents touch."""
    near, many, counts = regions.neighbours_by_cell(size, size), trees.bit_count(), list[Count]()
    counts.append(Count((1 << size * size) - 1, many, many, f"there are {many} trees and as many tents"))
    counts += [Count(bits.as_set(near[t]), 1, 4, f"the tree at {layout.place(t, size)} has a tent beside it") for t in bits.members(trees)]
    for cell in [r * size + c for r in range(size - 1) for c in range(size - 1)]:
        block = (cell, cell + 1, cell + size, cell + size + 1)
        counts.append(Count(bits.as_set(block), 0, 1, f"of {regions.describe_regions(block, size)}, which touch, only one may be a tent"))
    return tuple(counts)


def _trees(board: tuple[str, ...]) -> int:
    return bits.as_set([cell for cell, sign in enumerate("".join(board)) if sign == "T"])


def _puzzle_and_blanks(data: Data) -> tuple[bits.Puzzle, int]:
    """The puzzle and the cells that can hold no tent, from what the prompt shows."""
    trees = _trees(data.board)
    rocks = bits.as_set([cell for cell, sign in enumerate("".join(data.board)) if sign == "#"])
    counts = data.counts if data.false < 0 else false_clues.leave_out(data.counts, data.false)
    return _puzzle(trees, counts), rocks | _useless(trees, len(data.board))


def _to_cells(board: tuple[str, ...], tents: int) -> Cells:
    return layout.rows_of(["*" if tents >> cell & 1 else sign for cell, sign in enumerate("".join(board))], len(board))


def solutions(task: Task[Data]) -> Iterator[Cells]:
    puzzle, blank = _puzzle_and_blanks(task.data)
    for tents in bits.solve_with_z3(puzzle, no=blank):
        yield _to_cells(task.data.board, tents)


def _mark_puzzle(task: Task[Data]) -> replays.MarkPuzzle:
    puzzle, blank = _puzzle_and_blanks(task.data)
    return replays.MarkPuzzle(puzzle, _words(len(task.data.board)), no=blank)


environment = Environment(
    Knobs, Grid("the board, one row per line, with * for tents, all else as given and cells separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=replays.mark_solution(_mark_puzzle, "The board is complete:\n{answer}", FIRST),
    shift=shift, picture=picture, answers="unique", solutions=solutions,
    shared_helpers="The helper lists neighbours, runs or groups of cells; the rules are searched and checked apart.",
    concept="Cells beside no tree hold no tent; then compare each line's number with its cells left, and each tree with its neighbours left.",
    version=4,
)  # fmt: skip
