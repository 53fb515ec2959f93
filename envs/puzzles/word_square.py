"""Choose words from a list for a square that reads the same across and down.

The list hides a square among decoys that share beginnings with its words; any square of listed words is right.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.text import letters
from rlgym.solutions import Checks, Derivation, Solution, Step

FIRST = Step("Row 1 is {word}.")
ROW = Step("Row {row:int} must begin with {start}, the letters that the rows above have in its column; {word} does.")
END = "The square, row by row: {answer}"


class Knobs(Config):
    size: int = knob(5, easy=3, hard=7, doc="letters of a word, and words of the square")
    decoys: int = knob(30, easy=4, hard=120, doc="words in the list that the square does not need")
    near: int = knob(50, easy=0, hard=90, doc="percent of decoys that differ from a word of the square in one letter only")
    broken: int = knob(0, easy=0, hard=1, doc="1 if the decoys are the words of other squares in which one letter is wrong")


class Data(TaskData):
    words: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    size = knobs.size
    first = rng.integer(0, 1)
    kinds = [[letters.VOWELS if (i + j + first) % 2 else letters.CONSONANTS for j in range(size)] for i in range(size)]
    return _sample_task(rng, knobs, kinds)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Words of few letters in any order, so that beginnings say less."""
    alphabet = "".join(sorted(rng.sample("ABCDEFGHIKLMNOPRSTUVWZ", 6)))
    return _sample_task(rng, knobs, [[alphabet] * knobs.size for _ in range(knobs.size)])


def solve(task: Task[Data]) -> tuple[str, ...]:
    return tuple(word.lower() for word in next(letters.squares(task.data.words)))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    size = len(task.data.words[0])
    if len(answer) != size or len(set(answer)) != size:
        return Score.wrong(f"the square must have {size} different words")
    listed = {word.lower() for word in task.data.words}
    if not listed.issuperset(answer):
        return Score.wrong("a word is not in the list")
    square = all(answer[i][j] == answer[j][i] for i in range(size) for j in range(i))
    return Score.exact(square, "a row and the column of the same number differ")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    others = [word.lower() for word in task.data.words if word.lower() not in right]
    return [
        right[::-1],
        (*right[:-1], others[0]),
        (right[1], right[0], *right[2:]),
        tuple(sorted(others))[: len(right)],
        (right[0],) * len(right),
    ]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.words) * len(task.data.words[0]))


def derive(task: Task[Data]) -> Derivation:
    rows = [word.upper() for word in solve(task)]
    yield FIRST(word=rows[0])
    for i in range(1, len(rows)):
        yield ROW(row=i + 1, start="".join(row[i] for row in rows[:i]), word=rows[i])


def checks(task: Task[Data]) -> Checks:
    words, rows = task.data.words, list[str]()

    def extends(word: str) -> bool:
        """Whether some square of the list begins with the rows so far and this one."""
        started = (*rows, word)
        if word not in words or not any(square[: len(started)] == started for square in letters.squares(words)):
            return False
        rows.append(word)
        return True

    def next_row(row: int, start: str, word: str) -> bool:
        letters_so_far = "".join(above[len(rows)] for above in rows)
        return bool(rows) and (row, start) == (len(rows) + 1, letters_so_far) and word.startswith(letters_so_far) and extends(word)

    return {FIRST: lambda word: not rows and extends(word), ROW: next_row}


def picture(task: Task[Data]) -> str:
    """The list of words, as rows of letters."""
    return pictures.board(task.data.words)


def _sample_task(rng: Rng, knobs: Knobs, kinds: list[list[str]]) -> Task[Data]:
    size = knobs.size
    while True:
        table = [[rng.choice(kind) for kind in row] for row in kinds]
        rows = ["".join(table[min(i, j)][max(i, j)] for j in range(size)) for i in range(size)]
        if len(set(rows)) == size:
            break
    listed = dict.fromkeys(rows)
    tables = [table]
    while knobs.broken and len(listed) < size + knobs.decoys:
        # Beginnings are taken from any square, so that the true one does not stand out.
        tables.append(_vary_square(rng, rng.choice(tables), kinds))
        listed |= dict.fromkeys(_break_square(rng, tables[-1], kinds))
    while len(listed) < size + knobs.decoys:
        at = rng.integer(0, size - 1)
        if rng.integer(1, 100) <= knobs.near:
            k = rng.integer(0, size - 1)
            decoy = rows[at][:k] + rng.choice(kinds[at][k]) + rows[at][k + 1 :]
        else:
            k = rng.integer(0, size // 2)
            decoy = rows[at][:k] + "".join(rng.choice(kind) for kind in kinds[at][k:])
        listed[decoy] = None
    words = tuple(sorted(listed))
    prompt = (
        f"Choose {size} different words from this list and write them one below the other, so that for each number k the column k, read from top "
        f"to bottom, is the same word as row k.\n\n{', '.join(words)}"
    )
    return Task(prompt, Data(words=words))


def _vary_square(rng: Rng, table: list[list[str]], kinds: list[list[str]]) -> list[list[str]]:
    """Another square, with the same words in up to two rows at the beginning."""
    size, same = len(table), rng.integer(0, 2)
    other = [[table[i][j] if min(i, j) < same else rng.choice(kinds[i][j]) for j in range(size)] for i in range(size)]
    return [[other[min(i, j)][max(i, j)] for j in range(size)] for i in range(size)]


def _break_square(rng: Rng, table: list[list[str]], kinds: list[list[str]]) -> list[str]:
    """The words of a square with a wrong letter late in one of the last of them."""
    size, rows = len(table), ["".join(row) for row in table]
    at, k = rng.choice([(i, j) for i in range(size // 2, size) for j in range(size // 2, size) if i != j])
    wrong = rng.choice([letter for letter in kinds[at][k] if letter != rows[at][k]])
    rows[at] = rows[at][:k] + wrong + rows[at][k + 1 :]
    return rows


def solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Squares grown from the last row upwards."""
    turned = tuple(word[::-1] for word in reversed(task.data.words))
    for square in letters.squares(turned):
        yield tuple(word[::-1].lower() for word in reversed(square))


environment = Environment(
    Knobs, Words("the words of the square in the order of its rows, separated by spaces", max_items=60, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, picture=picture, answers="many", solutions=solutions,
    concept="Row k begins with the letters in place k of the rows above; drop a choice as soon as some coming row could not begin so.",
    version=4,
)  # fmt: skip
