"""Put the listed words into the crossing places of an empty crossword, each word once.

Some words are given, as many as a unique solution needs.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import deduction_sheet, domains, layout, plain_search, singleton_consistency
from rlgym.generators.grids.layout import Cells
from rlgym.generators.puzzles import crosswords
from rlgym.generators.text.words import WORDS

OPENING = (
    "r2c3 across stands for the place that begins in row 2, column 3 and runs to the right, r2c3 down for the one that runs down; a word that is "
    "written in is ruled out at once, without saying, in the other places, and with it all that does not agree with it where they cross."
)
END = "The filled crossword:\n{answer}"


class Knobs(Config):
    words: int = knob(12, easy=4, hard=30, doc="words to put in")
    given_words: int = knob(0, easy=25, hard=0, doc="percent of words given, more where the solution would not be unique or not be found")
    lengths: int = knob(3, easy=5, hard=2, doc="how many lengths words have; the fewer, the more words fit a place")
    reasoning: str = knob(
        "trying", easy="direct", hard="trying", order=domains.REASONING, doc="whether suppositions that fail are needed as well"
    )


class Data(TaskData):
    given: tuple[str, ...]  # rows with # for blocked cells and . for unknown letters
    words: tuple[str, ...]  # in the order of the alphabet


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, WORDS)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Words of few letters that no dictionary has."""
    some = rng.sample("abcdeghiklmnoprstu", 8)
    bank = ["".join(rng.choice(some) for _ in range(rng.integer(3, 8))) for _ in range(600)]
    return _sample_task(rng, knobs, tuple(sorted(set(bank))))


def solve(task: Task[Data]) -> Cells:
    puzzle = _puzzle(task.data)
    return _to_cells(task.data, domains.solve(puzzle, _given_letters(task.data)))


def verify(task: Task[Data], answer: Cells) -> Score:
    given = task.data.given
    letters = tuple(tuple(cell.lower() for cell in row) for row in answer)
    if reason := layout.find_misfit(letters, given, "abcdefghijklmnopqrstuvwxyz"):
        return Score.wrong(reason)
    cells = [cell for row in letters for cell in row]
    found_words = ["".join(cells[cell] for cell in place) for place in crosswords.find_slots(given)]
    return Score.exact(sorted(found_words) == sorted(task.data.words), "the words in the places are not those of the list, each once")


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    data = task.data
    puzzle, givens = _puzzle(data), _given_letters(data)
    lies = domains.solve(puzzle, givens)
    places = crosswords.find_slots(data.given)
    wrong = []
    for i in range(len(places)):
        for j in range(i):
            if len(places[i]) == len(places[j]) and i not in givens and j not in givens:
                swapped = list(lies)
                swapped[i], swapped[j] = lies[j], lies[i]
                wrong.append(_to_cells(data, swapped))
    hole = next((r, c) for r, row in enumerate(data.given) for c, cell in enumerate(row) if cell == ".")
    other = "e" if right[hole[0]][hole[1]] != "e" else "a"
    return [*wrong[:3], layout.replace_cells(right, {hole: other}), right[::-1], tuple(zip(*right))]


def cost(task: Task[Data]) -> float:
    return singleton_consistency.effort(_puzzle(task.data), _given_letters(task.data))


def picture(task: Task[Data]) -> str:
    blocked = [i for i, cell in enumerate("".join(task.data.given)) if cell == "#"]
    return pictures.board(task.data.given, shaded=blocked)


def _sample_task(rng: Rng, knobs: Knobs, bank: Sequence[str]) -> Task[Data]:
    while True:
        least = rng.integer(3, 8 - knobs.lengths)
        lines = crosswords.sample_crossword(rng, [word for word in bank if least <= len(word) < least + knobs.lengths], knobs.words)
        if lines is None:
            continue
        places = crosswords.find_slots(lines)
        flat = "".join(lines)
        words = ["".join(flat[cell] for cell in place) for place in places]
        if len(words) != knobs.words or len(set(words)) < len(words):
            continue
        bare = tuple("".join("#" if cell == "#" else "." for cell in line) for line in lines)
        free = Data(given=bare, words=tuple(sorted(words)))
        givens = singleton_consistency.choose_givens(
            rng, _puzzle(free), [free.words.index(word) for word in words], knobs.words * knobs.given_words // 100, knobs.reasoning
        )
        if len(givens) < len(words):
            break
    shown = {cell for i in givens for cell in places[i]}
    width = len(lines[0])
    given = tuple("".join(flat[cell] if cell in shown else sign for cell, sign in enumerate(row, r * width)) for r, row in enumerate(bare))
    prompt = (
        "Fill this crossword with letters: a dot is an empty cell, # is a blocked one, and given letters stay.\n\n"
        f"{layout.render_grid(given)}\n\nEach maximal run of two or more open cells in a row is a place for a word that is read from left to right; each "
        "such run in a column is a place for a word that is read downwards. The places "
        f"hold exactly these words, each of them once:\n{', '.join(free.words)}"
    )
    return Task(prompt, Data(given=given, words=free.words))


@lru_cache(maxsize=8)
def _puzzle(data: Data) -> domains.Puzzle:
    places, words, width = crosswords.find_slots(data.given), data.words, len(data.given[0])
    heads = [(place[0], "across" if place[1] == place[0] + 1 else "down") for place in places]
    names = tuple(f"{layout.place(cell, width)} {direction}" for cell, direction in heads)
    words_by_length = tuple(sum(1 << v for v, word in enumerate(words) if len(word) == len(place)) for place in places)
    crossings = [
        (a, b, slot.index(cell), two.index(cell))
        for a, slot in enumerate(places)
        for b, two in enumerate(places[:a])
        for cell in slot
        if cell in two
    ]
    clash: list[list[dict[int, int]]] = [
        [{b: 1 << v for b in range(len(places)) if b != a} for v in range(len(words))] for a in range(len(places))
    ]
    rules = [
        domains.exactly_one(f"the place of {word}", [(a, 1 << v) for a, mask in enumerate(words_by_length) if mask >> v & 1])
        for v, word in enumerate(words)
    ]
    for a, b, i, j in crossings:
        for first, second, first_at, there in ((a, b, i, j), (b, a, j, i)):
            for v in domains.bits_of(words_by_length[first]):
                clash[first][v][second] |= sum(
                    1 << w for w in domains.bits_of(words_by_length[second]) if words[w][there] != words[v][first_at]
                )
        rules.append(
            domains.Rule(
                f"where {names[a]} and {names[b]} cross", (a, b), narrow=crosswords.crossing_constraint(words, words_by_length, a, b, i, j)
            )
        )
    return domains.Puzzle(
        names, words, words_by_length, tuple(tuple(tuple(slot_clash.items()) for slot_clash in place) for place in clash), tuple(rules)
    )


def _given_letters(data: Data) -> dict[int, int]:
    flat = "".join(data.given)
    words_given = ["".join(flat[cell] for cell in place) for place in crosswords.find_slots(data.given)]
    return {a: data.words.index(word) for a, word in enumerate(words_given) if "." not in word}


def _to_cells(data: Data, lies: Sequence[int]) -> Cells:
    cells = list("".join(data.given))
    for place, v in zip(crosswords.find_slots(data.given), lies, strict=True):
        for cell, letter in zip(place, data.words[v], strict=True):
            cells[cell] = letter
    return layout.rows_of(cells, len(data.given[0]))


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for lies in plain_search.plain_backtrack(_puzzle(task.data), _given_letters(task.data), lambda full: True):
        yield _to_cells(task.data, lies)


environment = Environment(
    Knobs, Grid("the filled crossword, one row per line, with # for blocked cells and cells separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=deduction_sheet.solution(_puzzle, END, OPENING, _given_letters), shift=shift, picture=picture, answers="unique", solutions=solutions,
    shared_helpers="The helper lists neighbours, runs or groups of cells; the rules are searched and checked apart.",
    concept="Begin at a place whose length few words have, and let each word written in decide by its letters which words may cross it.",
    version=3,
)  # fmt: skip
