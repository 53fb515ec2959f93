"""Write or read a text whose columns were taken out in the order of a key word, once or twice.

In the reverse task only the number of columns is given, with words of the plain text that fit exactly one order of columns.
"""

from collections.abc import Iterator
from itertools import permutations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Solution, Step, in_order

Order = tuple[int, ...]


TRIED = Step("With the columns taken out in the order {order:ints} the given words appear, and with no other order that makes another text")
COLUMN, COLUMNS = Step("Column {number} is {letters}"), Step("The columns from left to right are {columns:words}")
ORDER = Step("The letters of {key} in the alphabet's order: columns {order:ints}")


class Knobs(Config):
    words: int = knob(4, easy=2, hard=14, doc="words in the text")
    columns: int = knob(4, easy=3, hard=6, doc="letters of the key word, and columns")
    rounds: int = knob(1, easy=1, hard=2, doc="how often the text is written in columns, if the key word is given")
    task: str = knob(
        "decode", easy="encode", hard="crack", order=("encode", "decode", "crack"), doc="encode, decode, or decode without the key word"
    )


class Data(TaskData):
    shown: str
    keys: tuple[str, ...]  # the key words, none where they are secret
    columns: int
    clues: tuple[str, ...]
    task: str
    answer: str

    @property
    def reading(self) -> str:
        return "Taken out in that order" if self.task == "encode" else "Read row by row"


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    fitting = [
        word for word in WORDS if len(word) == knobs.columns and len(set(word)) == len(word) and _order(word) != tuple(range(len(word)))
    ]
    while True:
        words = [rng.choice(WORDS) for _ in range(max(knobs.words, 2))]
        plain = "".join(words)
        keys = tuple(rng.sample(fitting, 1 if knobs.task == "crack" else knobs.rounds))
        cipher = plain
        for key in keys:
            cipher = _encode(cipher, _order(key))
        clues = tuple(sorted(dict.fromkeys(words), key=lambda word: (-len(word), word))[:2]) if knobs.task == "crack" else ()
        shown, answer = (plain, cipher) if knobs.task == "encode" else (cipher, plain)
        known_keys = () if knobs.task == "crack" else keys
        data = Data(shown=shown, keys=known_keys, columns=knobs.columns, clues=clues, task=knobs.task, answer=answer)
        if cipher != plain and (knobs.task != "crack" or len(set(_readings(data))) == 1):
            return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    data = task.data
    if data.task == "crack":
        return next(_readings(data))
    text = data.shown
    for key in data.keys if data.task == "encode" else reversed(data.keys):
        text = _transpose_by_sorting(text, key, data.task == "encode")
    return text


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.answer, "that is not the text")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    orders = [_order(key) for key in data.keys] or [tuple(reversed(range(data.columns)))]
    backwards = [tuple(order.index(i) for i in range(len(order))) for order in orders]
    wrong_way = _decode(data.shown, orders[0]) if data.task == "encode" else _encode(data.shown, orders[0])
    inverse = _encode(data.shown, backwards[0]) if data.task == "encode" else _decode(data.shown, backwards[0])
    return [data.shown, wrong_way, inverse, right[:-1], data.shown[::-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    work = {"encode": 1, "decode": 1.6, "crack": 6}[data.task]
    return len(data.shown) * max(1, len(data.keys)) * work + data.columns**2


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    if data.task == "crack":
        order = next(order for order in permutations(range(data.columns)) if _decode(data.shown, order) == data.answer)
        taken = yield TRIED(order=_number(order)).accepting(lambda order: _holds_clues(data, order))
        pieces = _pieces(data.shown, tuple(number - 1 for number in taken["order"]))
        yield from in_order(COLUMN(number=i + 1, letters=letters) for i, letters in enumerate(pieces))
        return
    text = data.shown
    for key in data.keys if data.task == "encode" else reversed(data.keys):
        order = _order(key)
        yield ORDER(key=key, order=_number(order))
        coded = _encode(text, order) if data.task == "encode" else _decode(text, order)
        yield COLUMNS(columns=_pieces(coded if data.task == "encode" else text, order))
        text = coded


def _render_prompt(data: Data) -> str:
    key = f"the key word {data.keys[0]}" if data.keys else f"a secret key word of {data.columns} different letters"
    how = (
        f"A text without spaces is written in rows of {data.columns} letters below {key}, from left to right and from top to bottom; the last row may be "
        "shorter. Then the columns are read from top to bottom, in the alphabetical order of the key letters above them, and written one after the other."
    )
    if len(data.keys) > 1:
        how += f" What comes out is written in rows once more, in the same way, below the key word {data.keys[1]}, and read off again."
    instruction = {"encode": "Encode this text", "decode": "Decode this cipher text", "crack": "Decode this cipher text"}[data.task]
    clue = f"\n\nThe plain text contains the words {' and '.join(data.clues)}, somewhere, without spaces around them." if data.clues else ""
    return f"{how}\n\n{instruction}:\n{data.shown}{clue}"


def _order(key: str) -> Order:
    """The columns in the order in which they are read."""
    return tuple(sorted(range(len(key)), key=lambda i: key[i]))


def _number(order: Order) -> list[int]:
    """The columns by their numbers from 1."""
    return [column + 1 for column in order]


def _holds_clues(data: Data, order: tuple[int, ...]) -> bool:
    """Whether the text read with the columns in this order, numbered from 1, holds the known words."""
    if sorted(order) != list(range(1, data.columns + 1)):
        return False
    text = _decode(data.shown, tuple(number - 1 for number in order))
    return all(clue in text for clue in data.clues)


def _encode(text: str, order: Order) -> str:
    return "".join(text[column :: len(order)] for column in order)


def _pieces(cipher: str, order: Order) -> list[str]:
    """The columns from left to right, cut out of the cipher text."""
    rows, over = divmod(len(cipher), len(order))
    pieces, cut = [""] * len(order), 0
    for column in order:
        size = rows + (column < over)
        pieces[column] = cipher[cut : cut + size]
        cut += size
    return pieces


def _decode(cipher: str, order: Order) -> str:
    pieces = _pieces(cipher, order)
    return "".join(pieces[i % len(order)][i // len(order)] for i in range(len(cipher)))


def _transpose_by_sorting(text: str, key: str, encode: bool) -> str:
    """By numbering the letters: which place of the text does each place of the cipher come from."""
    numbered = sorted(range(len(text)), key=lambda i: (key[i % len(key)], i))
    if encode:
        return "".join(text[i] for i in numbered)
    return "".join(letter for _, letter in sorted(zip(numbered, text, strict=True)))


def _readings(data: Data) -> Iterator[str]:
    for order in permutations(range(data.columns)):
        text = _decode(data.shown, order)
        if all(clue in text for clue in data.clues):
            yield text


def _solutions(task: Task[Data]) -> Iterator[str]:
    """Every order again, by numbering the letters."""
    data = task.data
    if data.task != "crack":
        text = data.shown
        for key in data.keys if data.task == "encode" else reversed(data.keys):
            text = _encode(text, _order(key)) if data.task == "encode" else _decode(text, _order(key))
        yield text
        return
    texts = (_transpose_by_sorting(data.shown, "".join(letters), False) for letters in permutations("abcdefgh"[: data.columns]))
    yield from dict.fromkeys(text for text in texts if all(clue in text for clue in data.clues))


environment = Environment(
    Knobs, Text("the text in lower case, without spaces", ignore_case=True, ignore_spaces=True), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "{reading}: {answer}"), answers="unique", solutions=_solutions,
    concept="The length of the text tells how long each column is; cut the cipher into columns and put them back in place.",
)  # fmt: skip
