"""Encode or decode a text in pairs of letters with the five-by-five square of a Playfair cipher.

The prompt shows the key square itself or the key word that it is made from.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Solution, Step

LETTERS = "abcdefghiklmnopqrstuvwxyz"  # no j


PAIRS = Step("In pairs of different letters the text is {pairs}")
SQUARE, PAIR = Step("The square of {key} has the rows {rows:words}"), Step("{pair}: {where}, gives {made}")


class Knobs(Config):
    words: int = knob(3, easy=1, hard=14, doc="words in the text")
    square: str = knob(
        "word", easy="shown", hard="word", order=("shown", "word"), doc="whether the square is shown or to be made from a key word"
    )
    task: str = knob(
        "decode",
        easy="decode",
        hard="twice",
        order=("decode", "encode", "twice"),
        doc="decode, encode, or encode with two squares one after the other",
    )


class Data(TaskData):
    shown: str
    keys: tuple[str, ...]  # key words
    drawn: bool
    task: str
    answer: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    words = [word for word in WORDS if "j" not in word and "x" not in word]
    while True:
        plain = "".join(rng.choice(words) for _ in range(knobs.words))
        keys = tuple(rng.sample([word for word in words if len(word) > 4], 2 if knobs.task == "twice" else 1))
        pairs = _pair(plain)
        if knobs.task == "decode":
            shown, answer = _substitute(pairs, _square(keys[0]), 1), pairs
        else:
            shown, answer = plain, pairs
            for key in keys:
                answer = _substitute(answer, _square(key), 1)
        if len(plain) > 3 and shown != answer:
            data = Data(shown=shown, keys=keys, drawn=knobs.square == "shown", task=knobs.task, answer=answer)
            return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    # By looking up each pair in a table of all pairs, made from the square once.
    data = task.data
    text = data.shown if data.task == "decode" else _pair(data.shown)
    for key in data.keys:
        table = _table(key)
        if data.task == "decode":
            table = {after: before for before, after in table.items()}
        text = "".join(table[text[i : i + 2]] for i in range(0, len(text), 2))
    return text


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.answer, "that is not the text")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    square = _square(data.keys[0])
    text = data.shown if data.task == "decode" else _pair(data.shown)
    turned = "".join(right[i + 1] + right[i] for i in range(0, len(right), 2))
    down = "".join(square[i::5] for i in range(5))
    direction = -1 if data.task == "decode" else 1
    return [
        _substitute(text, square, -direction),
        _substitute(text, down, direction),
        turned,
        data.shown,
        _substitute(text, LETTERS, direction),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return (
        len(data.shown) * len(data.keys)
        + (0 if data.drawn else 10 * len(data.keys))
        + (0 if data.task == "decode" else len(data.shown) / 2)
    )


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    decode = data.task == "decode"
    text = data.shown if decode else _pair(data.shown)
    if text != data.shown:
        yield PAIRS(pairs=" ".join(_cut(text, 2)))
    for key in data.keys:
        square, moved = _square(key), ""
        if not data.drawn:
            yield SQUARE(key=key, rows=_cut(square, 5))
        for pair in _cut(text, 2):
            (a, b), (c, d) = (divmod(square.index(letter), 5) for letter in pair)
            where = "same row" if a == c else "same column" if b == d else "corners of a rectangle"
            replaced = _substitute(pair, square, -1 if decode else 1)
            yield PAIR(pair=pair, where=where, made=replaced)
            moved += replaced
        text = moved


def _render_prompt(data: Data) -> str:
    back = data.task == "decode"
    two = len(data.keys) > 1
    squares = f"{'two squares' if two else 'a square'} of five rows and five columns of letters"
    if data.drawn:
        grids = ["\n".join(" ".join(row) for row in _cut(_square(key), 5)) for key in data.keys]
        squares += f". The first is\n{grids[0]}\nand the second is\n{grids[1]}" if two else f":\n{grids[0]}"
    else:
        keys = (
            f"a key word, {data.keys[0]} for the first square and {data.keys[1]} for the second" if two else f"the key word {data.keys[0]}"
        )
        filling = "its letters, each written only once, are followed by the other letters of the alphabet in order, without j, row by row"
        squares += f", {'each ' * two}built from {keys}: {filling}."
    rule = (
        "To encode, a text is cut into pairs of letters from its start; where both letters of a pair would be the same, an x is put "
        "between them (the second of them then begins the next pair), and an x is added at the end if one letter is left over. Two "
        "letters in the same row of the square become the letters to the right of each (the first of the row after the "
        "last). Two letters in the same column become the letters below each (the top one after the lowest). Otherwise each letter "
        "becomes the one in its own row and in the column of the other letter."
    )
    instruction = (
        f"Decode this cipher text, and keep every x that was inserted:\n{data.shown}"
        if back
        else f"Encode this text{' with the first square, then encode the resulting pairs again with the second square' * two}:\n{data.shown}"
    )
    return f"A cipher uses {squares}\n\n{rule}\n\n{instruction}"


def _cut(text: str, size: int) -> list[str]:
    return [text[i : i + size] for i in range(0, len(text), size)]


def _square(key: str) -> str:
    return "".join(dict.fromkeys(key + LETTERS))


def _pair(text: str) -> str:
    out, place = "", 0
    while place < len(text):
        first = text[place]
        second = text[place + 1] if place + 1 < len(text) and text[place + 1] != first else "x"
        out += first + second
        place += 2 if second != "x" else 1
    return out


def _substitute(text: str, square: str, direction: int) -> str:
    out = []
    for i in range(0, len(text) - 1, 2):
        (a, b), (c, d) = (divmod(square.index(letter), 5) for letter in text[i : i + 2])
        if a == c:
            b, d = (b + direction) % 5, (d + direction) % 5
        elif b == d:
            a, c = (a + direction) % 5, (c + direction) % 5
        else:
            b, d = d, b
        out.append(square[5 * a + b] + square[5 * c + d])
    return "".join(out)


def _table(key: str) -> dict[str, str]:
    """What every pair of different letters becomes."""
    square = _square(key)
    rows, columns = [square[i : i + 5] for i in range(0, 25, 5)], [square[i::5] for i in range(5)]
    table: dict[str, str] = {}
    for line in (*rows, *columns):
        after = dict(zip(line, line[1:] + line[0], strict=True))
        table |= {a + b: after[a] + after[b] for a in line for b in line if a != b}
    for top in rows:
        for low in rows:
            if top != low:
                table |= {top[i] + low[j]: top[j] + low[i] for i in range(5) for j in range(5) if i != j}
    return table


environment = Environment(
    Knobs, Text("the text in lower case, without spaces", ignore_case=True, ignore_spaces=True), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "Together: {answer}"),
    concept="Find both letters of a pair in the square: same row, same column, or corners of a rectangle.",
    version=3,
)  # fmt: skip
