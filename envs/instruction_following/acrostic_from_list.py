"""Compose lines from the words of a list so that the lines' first letters spell a word, under rules on letters and neighbours."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Solution, Step

MOST_NODES = 1000
LINE = Step("Line {line:int} is {words}, which has {letters:int} letters and gives the letter {letter}")
OPEN = Step("Line {line:int} needs a word that {edge} with {letter}, and those left are {words:words}")
REST = Step("With {word}, the other words of line {line:int} need {letters:int} letters in all")
END = Step("All lines:\n{answer}")
Text = tuple[str, ...]


class Knobs(Config):
    lines: int = knob(4, easy=3, hard=6, doc="lines, and letters of the word that they spell")
    words: int = knob(3, easy=2, hard=4, doc="words of a line")
    spare: int = knob(8, easy=8, hard=4, doc="words of the list beyond those that are needed")
    link: str = knob(
        "letters",
        easy="free",
        hard="chain",
        order=("free", "letters", "chain"),
        doc="free lines, given numbers of letters, or neighbours that share a letter too",
    )


class Data(TaskData):
    spelled: str
    bank: tuple[str, ...]
    size: int
    letters: tuple[int, ...]
    """How many letters each line has; empty where it is free."""
    chain: bool
    ends: bool
    witness: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, ends=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The last letters of the lines spell the word."""
    return _sample_task(rng, knobs, ends=True)


def solve(task: Task[Data]) -> Text:
    # Searched line by line; `generate` wrote the lines first and made the list from them.
    return next(_backtrack(task.data, task.data.bank), task.data.witness)


def verify(task: Task[Data], answer: Text) -> Score:
    data = task.data
    lines = [line.lower().rstrip(".").replace(",", " ").split() for line in answer]
    if len(lines) != len(data.spelled):
        return Score.wrong(f"there are {len(lines)} lines")
    used = [word for words in lines for word in words]
    if len(set(used)) < len(used) or not set(used) <= set(data.bank):
        return Score.wrong("a word is used twice or is not in the list")
    wrong = [i for i, words in enumerate(lines, 1) if not _fits(data, i - 1, words)]
    return Score.exact(not wrong, f"line {wrong[0] if wrong else 0} breaks a rule")


def mistakes(task: Task[Data], right: Text) -> list[Text]:
    first, second = right[0].split(), right[1].split()
    swapped = (" ".join([second[0], *first[1:]]), " ".join([first[0], *second[1:]]), *right[2:])
    mixed = (" ".join([first[0], *second[1:]]), " ".join([second[0], *first[1:]]), *right[2:])
    return [
        swapped,
        mixed,
        right[::-1],
        right[:-1],
        (right[0], right[0], *right[2:]),
        (*right[:-1], task.data.spelled),
        (" ".join(first[::-1]), *right[1:]),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.spelled) * data.size * (2 + 2 * bool(data.letters) + 2 * data.chain) + len(data.bank))


def derive(task: Task[Data]) -> Derivation:
    data, lines = task.data, list[str]()
    for number, line in enumerate(solve(task), 1):
        letters, letter = len(line.replace(" ", "")), line[-1 if data.ends else 0]
        used = {word for other in lines for word in other.split()}
        openers = [word for word in data.bank if word not in used and word[-1 if data.ends else 0] == letter]
        yield OPEN(line=number, edge="ends" if data.ends else "begins", letter=letter, words=openers)
        if data.letters:
            opener = line.split()[-1 if data.ends else 0]
            yield REST(word=opener, line=number, letters=letters - len(opener)).accepting(partial(_is_rest, data, number, tuple(openers)))
        taken = yield LINE(line=number, words=line, letters=letters, letter=letter).accepting(partial(_is_line, data, tuple(lines)))
        lines.append(taken["words"])
    yield END(answer="\n".join(lines))


def _is_rest(data: Data, at: int, openers: Sequence[str], /, word: str, line: int, letters: int) -> bool:
    """Whether a line may have this word at its edge, and so many letters are then missing."""
    return word in openers and line == at and letters == data.letters[at - 1] - len(word)


def _is_line(data: Data, before: Sequence[str], /, line: int, words: str, letters: int, letter: str) -> bool:
    """Whether these words may stand in the line after those before it, with the right counts."""
    chosen, at = words.split(), len(before)
    used = {word for other in before for word in other.split()}
    counted = (line, letters, letter) == (at + 1, sum(map(len, chosen)), data.spelled[at])
    return counted and not used & set(chosen) and set(chosen) <= set(data.bank) and _fits(data, at, chosen)


def _sample_task(rng: Rng, knobs: Knobs, ends: bool) -> Task[Data]:
    targets = [word for word in WORDS if len(word) == knobs.lines and not (ends and set(word) & set("aiouvjqzxb"))]
    while True:
        spelled, lines = rng.choice(targets), list[list[str]]()
        pool = rng.shuffled(WORDS)
        for letter in spelled:
            if line := _sample_line(pool, letter, knobs, ends):
                lines.append(line)
                pool = [word for word in pool if word not in line]
        if len(lines) < len(spelled) or spelled in [word for line in lines for word in line]:
            continue
        needed = [word for line in lines for word in line]
        spare = [word for word in pool[-4 * knobs.spare :] if word != spelled][: knobs.spare]
        data = Data(
            spelled=spelled,
            bank=tuple(sorted([*needed, *spare])),
            size=knobs.words,
            letters=tuple(sum(map(len, line)) for line in lines) if knobs.link != "free" else (),
            chain=knobs.link == "chain",
            ends=ends,
            witness=tuple(map(" ".join, lines)),
        )
        if next(_backtrack(data, data.bank), None):
            return Task(_render_prompt(data), data)


def _sample_line(pool: list[str], letter: str, knobs: Knobs, ends: bool) -> list[str]:
    """A line for a letter out of the first words of the pool that fit; empty where one is missing."""
    line: list[str] = []
    for place in range(knobs.words):
        for word in pool:
            tied = not line or knobs.link != "chain" or (word[-1] == line[0][0] if ends else line[-1][-1] == word[0])
            edge = place > 0 or word[-1 if ends else 0] == letter
            if word not in line and tied and edge:
                line = [word, *line] if ends else [*line, word]
                break
    return line if len(line) == knobs.words else []


def _fits(data: Data, at: int, words: list[str]) -> bool:
    """Whether a line meets the rules on it, apart from the others."""
    if len(words) != data.size or (words[-1][-1] if data.ends else words[0][0]) != data.spelled[at]:
        return False
    tied = all(a[-1] == b[0] for a, b in pairwise(words)) or not data.chain
    return tied and (not data.letters or sum(map(len, words)) == data.letters[at])


def _backtrack(data: Data, order: Sequence[str]) -> Iterator[Text]:
    """Texts that meet all rules, by a search with bounded work."""
    nodes, edge = 0, -1 if data.ends else 0
    shortest, longest = (len(word) for word in (min(order, key=len), max(order, key=len)))

    def search(lines: list[list[str]], line: list[str]) -> Iterator[Text]:
        nonlocal nodes
        nodes += 1
        if nodes > MOST_NODES:
            return
        if len(line) == data.size:
            if _fits(data, len(lines), line):
                if len(lines) + 1 == len(data.spelled):
                    yield tuple(" ".join(words) for words in [*lines, line])
                else:
                    yield from search([*lines, line], [])
            return
        used = {word for words in lines for word in words} | {*line}
        at, rest = len(lines), data.size - len(line) - 1
        letters_left = data.letters[at] - sum(map(len, line)) if data.letters else 0
        later = data.spelled[at + 1 :]
        for word in order:
            opens = not line and word[edge] == data.spelled[at]
            tied = not data.chain or not line or (word[-1] == line[0][0] if data.ends else line[-1][-1] == word[0])
            fits = not data.letters or rest * shortest <= letters_left - len(word) <= rest * longest
            if word in used or not (opens or line) or not tied or not fits:
                continue
            # Enough words must be left to open the lines to come.
            if word[edge] in later and sum(candidate[edge] == word[edge] and candidate not in used for candidate in order) <= later.count(
                word[edge]
            ):
                continue
            yield from search(lines, [word, *line] if data.ends else [*line, word])

    yield from search([], [])


def _render_prompt(data: Data) -> str:
    end = "last" if data.ends else "first"
    rules = [f'The {end} letters of the lines, from top to bottom, spell "{data.spelled}".', f"Each line has {data.size} words."]
    if data.letters:
        rules.append(f"The lines have, from top to bottom, {', '.join(map(str, data.letters))} letters, spaces not counted.")
    if data.chain:
        rules.append("In a line each word but the first begins with the letter that the word before it ends with.")
    listed = "\n".join(f"- {rule}" for rule in rules)
    return (
        f"Write {len(data.spelled)} lines with words from this list, each word at most once in all, and no other words:\n{', '.join(data.bank)}\n\n"
        f"{listed}\n\nThe lines need not make sense."
    )


def _solutions(task: Task[Data]) -> Iterator[Text]:
    """The lines that the list was made from, and what the search finds in another order."""
    yield task.data.witness
    yield from _backtrack(task.data, task.data.bank[::-1])


environment = Environment(
    Knobs, Lines("the lines, one below the other, words separated by spaces", max_items=40), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, END), answers="many", solutions=_solutions,
    concept="Look first for the lines that few words can open, and count letters as you go on.",
    version=4,
)  # fmt: skip
