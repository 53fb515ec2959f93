"""Fill a futoshiki: a square in which no line repeats a digit and signs between neighbours say which of the two is less.

Uniqueness is proved when a square is made, from the given digits and the signs together.
"""

from collections.abc import Iterator
from dataclasses import replace

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import latin, layout, replays
from rlgym.generators.grids.clues import drop_clues
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.singleton_consistency import sample_hard

STEPS = 300  # suppositions that a proof of uniqueness may take
ATTEMPTS = 3  # squares tried for one that deductions alone do not fill


TRIES = 5  # puzzles of which the hardest is taken


class Knobs(Config):
    size: int = knob(5, easy=4, hard=9, doc="rows and columns")
    hidden: int = knob(70, easy=50, hard=96, doc="percent of digits to leave out, as far as the solution stays unique")
    signs: int = knob(45, easy=55, hard=30, doc="percent of neighbouring cells with a sign between them")
    reasoning: str = knob(
        "singles",
        easy="singles",
        hard="search",
        order=("singles", "search"),
        doc="what suffices besides the signs: digits left for a cell and cells left for a digit; suppositions as well",
    )
    suppositions: int = knob(
        10,
        easy=1,
        hard=100,
        scale="log",
        doc="suppositions that find and prove the solution, where they are needed and as far as a few puzzles have them",
    )


class Data(TaskData):
    given: tuple[str, ...]
    below: tuple[tuple[int, int], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, chains=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Signs that follow one another along chains of rising digits."""
    return _sample_task(rng, knobs, chains=True)


def solve(task: Task[Data]) -> Cells:
    return layout.rows_of([str(digit) for digit in latin.solve(_rules(task), _digits(task))], len(task.data.given))


def verify(task: Task[Data], answer: Cells) -> Score:
    given = task.data.given
    size = len(given)
    if reason := layout.find_misfit(answer, given, "123456789"[:size]):
        return Score.wrong(reason)
    for kind, lines in (("row", answer), ("column", tuple(zip(*answer)))):
        for i, line in enumerate(lines, 1):
            if len(set(line)) < size:
                return Score.wrong(f"a digit occurs twice in {kind} {i}")
    for low, high in task.data.below:
        if answer[low // size][low % size] > answer[high // size][high % size]:
            return Score.wrong(f"the sign between {layout.place(low, size)} and {layout.place(high, size)} points at the larger digit")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    turned = tuple(zip(*right))
    mirrored = tuple(tuple(str(len(right) + 1 - int(cell)) for cell in row) for row in right)
    return [*layout.exchange_neighbours(right, task.data.given), turned, mirrored, right[::-1], tuple(map(tuple, task.data.given))]


def cost(task: Task[Data]) -> float:
    return latin.effort(_rules(task), _digits(task))


def picture(task: Task[Data]) -> str:
    size = len(task.data.given)
    signs = {}
    for low, high in task.data.below:
        across = abs(high - low) < size
        signs[min(low, high), max(low, high)] = ("<" if across else "^") if low < high else (">" if across else "v")
    return pictures.board(task.data.given, between=signs)


def _sample_task(rng: Rng, knobs: Knobs, chains: bool) -> Task[Data]:
    """The hardest of a few puzzles, where suppositions are needed."""

    def measure(task: Task[Data]) -> int:
        return latin.count_suppositions(_rules(task), _digits(task))

    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    return sample_hard(lambda: _sample_once(rng, knobs, chains), measure, wanted, TRIES)


def _sample_once(rng: Rng, knobs: Knobs, chains: bool) -> Task[Data]:
    size, search = knobs.size, knobs.reasoning == "search"
    for _ in range(ATTEMPTS if search else 1):
        rules, digits = _puzzle(rng, size, size * size * (100 - knobs.hidden) // 100, knobs.signs, search, chains)
        if not search or not latin.deducible(rules, digits):
            break
    given = layout.rows_of([str(digit or ".") for digit in digits], size)
    prompt = (
        f"Fill this square so that each row and each column holds every digit from 1 to {size} exactly once. A dot is an empty cell; "
        "the given digits stay. A sign between two neighbouring cells points at the smaller one: with < the cell on its "
        "left is smaller, with > the cell on its right, with ^ the cell above it, with v the cell below it. "
        f"Where there is no sign, either may be smaller.\n\n{_render_square(given, set(rules.below))}"
    )
    return Task(prompt, Data(given=tuple("".join(row) for row in given), below=rules.below))


def _puzzle(rng: Rng, size: int, keep: int, signs: int, search: bool, chains: bool) -> tuple[latin.Rules, list[int]]:
    """A random square's signs and given digits, which leave one solution; 0 is unknown."""
    plain = latin.square(size)
    full = latin.sample_grid(rng, plain)
    pairs = [(cell, cell + 1) for cell in range(size * size) if (cell + 1) % size] + [
        (cell, cell + size) for cell in range(size * (size - 1))
    ]
    sign_count = len(pairs) * signs // 100
    chosen = sorted(_sample_chains(rng, full, pairs, sign_count) if chains else rng.sample(pairs, sign_count))
    rules = replace(plain, below=tuple((a, b) if full[a] < full[b] else (b, a) for a, b in chosen))

    def fine(kept: list[int]) -> bool:
        digits = _keep_digits(full, kept)
        return latin.has_one_solution(rules, digits, STEPS) if search else latin.deducible(rules, digits)

    return rules, _keep_digits(full, drop_clues(rng.shuffled(range(size * size)), keep, fine))


def _sample_chains(rng: Rng, full: list[int], pairs: list[tuple[int, int]], sign_count: int) -> list[tuple[int, int]]:
    """So many pairs of neighbours, along walks from cell to cell to ever larger digits."""
    chosen: list[tuple[int, int]] = []
    end = -1
    while len(chosen) < sign_count:
        pairs_left = [pair for pair in pairs if pair not in chosen]
        onwards = [pair for pair in pairs_left if end in pair and full[sum(pair) - end] > full[end]] if end >= 0 else []
        pair = rng.choice(onwards or pairs_left)
        chosen.append(pair)
        end = max(pair, key=full.__getitem__)
    return chosen


def _keep_digits(digits: list[int], kept: list[int]) -> list[int]:
    kept_cells = set(kept)
    return [digit if cell in kept_cells else 0 for cell, digit in enumerate(digits)]


def _render_square(given: Cells, below: set[tuple[int, int]]) -> str:
    """The square with its signs: cells in every other column of every other line."""
    size, lines = len(given), []
    for r, row in enumerate(given):
        line, under = [], []
        for c, cell in enumerate(row):
            cell_now, right, down = r * size + c, r * size + c + 1, r * size + size + c
            line += [cell, "<" if (cell_now, right) in below else ">" if (right, cell_now) in below else " "]
            under += ["^" if (cell_now, down) in below else "v" if (down, cell_now) in below else " ", " "]
        lines += [" ".join(line).rstrip(), " ".join(under).rstrip()]
    return "\n".join(lines[:-1])


def _rules(task: Task[Data]) -> latin.Rules:
    return replace(latin.square(len(task.data.given)), below=task.data.below)


def _digits(task: Task[Data]) -> list[int]:
    return [0 if cell == "." else int(cell) for row in task.data.given for cell in row]


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for digits in latin.plain_backtrack(_rules(task), _digits(task)):
        yield layout.rows_of([str(digit) for digit in digits], len(task.data.given))


environment = Environment(
    Knobs, Grid("the filled square without the signs, one row per line, with digits separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=replays.latin_solution(lambda task: (_rules(task), _digits(task)), "The square is filled:\n{answer}"),
    shift=shift, picture=picture, answers="unique", solutions=solutions,
    concept="Each sign bounds both its cells; combine those bounds with the digits that a row and a column already hold.",
    version=4,
)  # fmt: skip
