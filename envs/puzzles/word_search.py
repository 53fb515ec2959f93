"""Find where words stand in a grid of letters, with near copies of the words as decoys.

The grid is searched when it is made, so that each word asked for stands there exactly once.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import layout
from rlgym.generators.text import letters
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Checks, Derivation, Solution, Step

Pairs = tuple[tuple[str, str], ...]
FOUND = Step("{word} starts at {start} and runs {direction}: {cells}.")
END = "All words are found:\n{answer}"
ANSWER = Mapping("one line `word: cell direction` for each word", max_items=40, several_words=True)
CONCEPT = "Look for a rare letter of the word, then for its neighbour in each direction, and read the whole word before you trust it."


class Knobs(Config):
    size: int = knob(11, easy=6, hard=20, doc="rows and columns")
    words: int = knob(6, easy=2, hard=14, doc="words to find, fewer where the grid has no room")
    directions: int = knob(6, easy=2, hard=8, doc="directions in which words run: across and down first, then slanting, then backwards")
    decoys: int = knob(50, easy=0, hard=300, doc="near copies of words in the grid, one letter wrong, in percent of the words")


class Data(TaskData):
    grid: tuple[str, ...]
    words: tuple[str, ...]
    directions: tuple[str, ...]
    wrap: bool
    places: Pairs


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, wrap=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Grids without edges: a word that leaves the grid goes on at the opposite side."""
    return _sample_task(rng, knobs, wrap=True)


def solve(task: Task[Data]) -> Pairs:
    data, width = task.data, len(task.data.grid[0])
    answers = []
    for word in data.words:
        start, direction = next(letters.find(word, data.grid, data.directions, data.wrap))
        answers.append((word.lower(), f"{layout.place(start, width)} {direction.lower()}"))
    return tuple(sorted(answers))


def verify(task: Task[Data], answer: Pairs) -> Score:
    if [name for name, _ in answer] != [name for name, _ in task.data.places]:
        return Score.wrong("the answer does not name each word to find exactly once")
    wrong = next((name for (name, place), (_, right) in zip(answer, task.data.places) if place != right), None)
    return Score.exact(wrong is None, f"{wrong} does not stand there")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    (word, place), rest = right[0], right[1:]
    start, direction = place.split()
    back = {"e": "w", "w": "e", "n": "s", "s": "n", "ne": "sw", "sw": "ne", "nw": "se", "se": "nw"}[direction]
    row, column = start[1:].split("c")
    return [
        ((word, f"{start} {back}"), *rest),
        ((word, f"r{column}c{row} {direction}"), *rest),
        ((word, f"r{int(row) - 1}c{int(column) - 1} {direction}"), *rest),
        rest,
    ]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.grid) ** 2 * len(task.data.directions) * len(task.data.words))


def derive(task: Task[Data]) -> Derivation:
    data, width = task.data, len(task.data.grid[0])
    for word, place in solve(task):
        start, direction = place.split()
        cells = _cells(data, start, direction.upper(), len(word))
        letters_read = ", ".join(f"{letter} at {layout.place(cell, width)}" for letter, cell in zip(word.upper(), cells))
        yield FOUND(word=word.upper(), start=start.lower(), direction=direction.upper(), cells=letters_read)


def checks(task: Task[Data]) -> Checks:
    data, width, seen = task.data, len(task.data.grid[0]), set[str]()
    signs = "".join(data.grid)

    def found(word: str, start: str, direction: str, cells: str) -> bool:
        if word not in data.words or word in seen or direction not in data.directions:
            return False
        path = _cells(data, start, direction, len(word))
        letters_text = ", ".join(f"{signs[cell]} at {layout.place(cell, width)}" for cell in path)
        if not path or "".join(signs[cell] for cell in path) != word or cells != letters_text:
            return False
        seen.add(word)
        return True

    return {FOUND: found}


def _cells(data: Data, start: str, direction: str, length: int) -> list[int]:
    """The cells of a word from a start such as r2c3; empty where it leaves the grid."""
    row, column = map(int, start.lower().removeprefix("r").split("c"))
    width = len(data.grid[0])
    return list(letters.along((row - 1) * width + column - 1, direction, length, len(data.grid), width, data.wrap) or [])


def picture(task: Task[Data]) -> str:
    return pictures.board(task.data.grid)


def _sample_task(rng: Rng, knobs: Knobs, wrap: bool) -> Task[Data]:
    directions = tuple(letters.DIRECTIONS)[: knobs.directions]
    while True:
        data = _try_sample(rng, knobs, directions, wrap)
        if data:
            break
    edges = (
        " The grid wraps around: the first column follows the last one and the first row follows the last one, in both directions; words may continue "
        "across the edges." * wrap
    )
    prompt = (
        f"In this grid of letters, each word of the list occurs exactly once, in a straight line in one of these compass directions: "
        f"{', '.join(directions)} (E runs to the right, S down). Words may share letters.{edges}\n\n"
        f"{layout.render_grid(data.grid)}\n\nWords: {', '.join(data.words)}\n\nFor each word, give the cell of its first letter and its "
        "direction, as in r2c3 E for a word that starts in row 2 (from the top), column 3 (from the left), both counted from 1, and runs to the right."
    )
    return Task(prompt, data)


def _try_sample(rng: Rng, knobs: Knobs, directions: tuple[str, ...], wrap: bool) -> Data | None:
    """A grid, or None where a word finds no place or stands there twice."""
    size = knobs.size
    bank = [word.upper() for word in WORDS if 4 <= len(word) <= min(size - 1, 8) and word != word[::-1]]
    words = rng.sample(bank, min(knobs.words, size * size // 10))
    decoys = [letters.exchange_letter(rng, rng.choice(words)) for _ in range(len(words) * knobs.decoys // 100)]
    signs: list[str] = [""] * (size * size)
    for word in words + decoys:
        for start in rng.shuffled(range(size * size)):
            direction = rng.choice(directions)
            cells = letters.along(start, direction, len(word), size, size, wrap)
            if cells and all(signs[cell] in ("", letter) for cell, letter in zip(cells, word)):
                for cell, letter in zip(cells, word):
                    signs[cell] = letter
                break
        else:
            if word in words:
                return None
    used = sorted({letter for word in words for letter in word})
    grid = tuple("".join(row) for row in layout.rows_of([sign or rng.choice(used) for sign in signs], size))
    places = []
    for word in sorted(words):
        placements = list(letters.find(word, grid, directions, wrap))
        if len(placements) != 1:
            return None
        places.append((word.lower(), f"{layout.place(placements[0][0], size)} {placements[0][1].lower()}"))
    return Data(grid=grid, words=tuple(words), directions=directions, wrap=wrap, places=tuple(places))


SOLUTION = Solution(derive, END, checks)
environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=SOLUTION, shift=shift, picture=picture, concept=CONCEPT, version=3
)
