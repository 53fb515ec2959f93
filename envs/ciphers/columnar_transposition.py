"""Write or read a text whose columns were taken out in the order of a key word, once or twice.

Turned round, only the number of columns is told, with words of the plain text that let exactly one order of columns stand.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.words import WORDS

Order = tuple[int, ...]


TRIED = Line("With the columns taken out in the order {order} the words told appear, and with no other order that makes another text")
COLUMN, COLUMNS = Line("Column {number} is {letters}"), Line("The columns from left to right are {columns}")
ORDER = Line("The letters of {key} in the alphabet's order: columns {order}")


class Knobs(Config):
    words: int = knob(4, easy=2, hard=14, doc="words in the text")
    columns: int = knob(4, easy=3, hard=6, doc="letters of the key word, and columns")
    rounds: int = knob(1, easy=1, hard=2, doc="how often the text is written in columns, where the key word is told")
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
            cipher = _encoded(cipher, _order(key))
        clues = tuple(sorted(dict.fromkeys(words), key=lambda word: (-len(word), word))[:2]) if knobs.task == "crack" else ()
        shown, answer = (plain, cipher) if knobs.task == "encode" else (cipher, plain)
        told = () if knobs.task == "crack" else keys
        data = Data(shown=shown, keys=told, columns=knobs.columns, clues=clues, task=knobs.task, answer=answer)
        if cipher != plain and (knobs.task != "crack" or len(set(_readings(data))) == 1):
            return Task(_prompt(data), data)


def solve(task: Task[Data]) -> str:
    data = task.data
    if data.task == "crack":
        return next(_readings(data))
    text = data.shown
    for key in data.keys if data.task == "encode" else reversed(data.keys):
        text = _by_columns(text, key, data.task == "encode")
    return text


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.answer, "that is not the text")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    orders = [_order(key) for key in data.keys] or [tuple(reversed(range(data.columns)))]
    backwards = [tuple(order.index(i) for i in range(len(order))) for order in orders]
    wrong_way = _decoded(data.shown, orders[0]) if data.task == "encode" else _encoded(data.shown, orders[0])
    inverse = _encoded(data.shown, backwards[0]) if data.task == "encode" else _decoded(data.shown, backwards[0])
    return [data.shown, wrong_way, inverse, right[:-1], data.shown[::-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    work = {"encode": 1, "decode": 1.6, "crack": 6}[data.task]
    return len(data.shown) * max(1, len(data.keys)) * work + data.columns**2


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    if data.task == "crack":
        order = next(order for order in permutations(range(data.columns)) if _decoded(data.shown, order) == data.answer)
        steps.append(TRIED.write(order=", ".join(str(i + 1) for i in order)))
        pieces = _pieces(data.shown, order)
        steps += [COLUMN.write(number=i + 1, letters=pieces[i]) for i in range(data.columns)]
        return [*steps, f"Read row by row: {data.answer}"]
    text = data.shown
    for key in data.keys if data.task == "encode" else reversed(data.keys):
        order = _order(key)
        steps.append(ORDER.write(key=key, order=", ".join(str(i + 1) for i in order)))
        rows = _encoded(text, order) if data.task == "encode" else _decoded(text, order)
        steps.append(COLUMNS.write(columns=", ".join(_pieces(rows if data.task == "encode" else text, order))))
        text = rows
    return [*steps, f"{'Taken out in that order' if data.task == 'encode' else 'Read row by row'}: {data.answer}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    size, encode = data.columns, data.task == "encode"
    keys = list(data.keys if encode else data.keys[::-1])
    texts, order, columns = [data.shown], list[int](), list[str]()

    def cut(text: str) -> list[str]:
        # A text is laid in rows; a cipher is cut into columns as long as the rows left of the last one and that one make them.
        if encode:
            return [text[i::size] for i in range(size)]
        lengths = [len(range(i, len(text), size)) for i in range(size)]
        ends = {column: sum(lengths[other] for other in order[: at + 1]) for at, column in enumerate(order)}
        return [text[ends[i] - lengths[i] : ends[i]] for i in range(size)]

    def moved() -> None:
        pieces = cut(texts[-1])
        rows = "".join(piece[k : k + 1] for k in range(len(pieces[0])) for piece in pieces)
        texts.append("".join(pieces[i] for i in order) if encode else rows)

    def follows(step: str) -> bool:
        if read := TRIED.read(step):
            order[:] = [int(number) - 1 for number in read["order"].split(", ")]
            moved()
            return data.task == "crack" and sorted(order) == list(range(size)) and all(clue in texts[-1] for clue in data.clues)
        if read := COLUMN.read(step):
            columns.append(read["letters"])
            return data.task == "crack" and int(read["number"]) == len(columns) and columns[-1] == cut(data.shown)[len(columns) - 1]
        if read := ORDER.read(step):
            key = keys.pop(0)
            order[:] = sorted(range(size), key=key.__getitem__)
            return read["key"] == key and read["order"] == ", ".join(str(i + 1) for i in order)
        read = COLUMNS.read(step)
        if not read:
            return False
        pieces = cut(texts[-1])
        moved()
        return read["columns"] == ", ".join(pieces)

    lead = "Taken out in that order: " if encode else "Read row by row: "
    return first_wrong(steps, follows, ended(lead, task, environment.answer, verify))


def _prompt(data: Data) -> str:
    key = f"the key word {data.keys[0]}" if data.keys else f"a secret key word of {data.columns} different letters"
    how = (
        f"A text without spaces is written in rows of {data.columns} letters below {key}, from left to right and from top to bottom; the last row may be "
        "shorter. Then the columns are read from top to bottom, in the alphabetical order of the key letters above them, and written one after the other."
    )
    if len(data.keys) > 1:
        how += f" What comes out is written in rows once more, in the same way, below the key word {data.keys[1]}, and read off again."
    asked = {"encode": "Encode this text", "decode": "Decode this cipher text", "crack": "Decode this cipher text"}[data.task]
    clue = f"\n\nThe plain text contains the words {' and '.join(data.clues)}, somewhere, without spaces around them." if data.clues else ""
    return f"{how}\n\n{asked}:\n{data.shown}{clue}"


def _order(key: str) -> Order:
    """The columns in the order in which they are read."""
    return tuple(sorted(range(len(key)), key=lambda i: key[i]))


def _encoded(text: str, order: Order) -> str:
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


def _decoded(cipher: str, order: Order) -> str:
    pieces = _pieces(cipher, order)
    return "".join(pieces[i % len(order)][i // len(order)] for i in range(len(cipher)))


def _by_columns(text: str, key: str, encode: bool) -> str:
    """By numbering the letters: which place of the text does each place of the cipher come from."""
    numbered = sorted(range(len(text)), key=lambda i: (key[i % len(key)], i))
    if encode:
        return "".join(text[i] for i in numbered)
    return "".join(letter for _, letter in sorted(zip(numbered, text, strict=True)))


def _readings(data: Data) -> Iterator[str]:
    for order in permutations(range(data.columns)):
        text = _decoded(data.shown, order)
        if all(clue in text for clue in data.clues):
            yield text


def _solutions(task: Task[Data]) -> Iterator[str]:
    """Every order again, by numbering the letters."""
    data = task.data
    if data.task != "crack":
        text = data.shown
        for key in data.keys if data.task == "encode" else reversed(data.keys):
            text = _encoded(text, _order(key)) if data.task == "encode" else _decoded(text, _order(key))
        yield text
        return
    found = (_by_columns(data.shown, "".join(letters), False) for letters in permutations("abcdefgh"[: data.columns]))
    yield from dict.fromkeys(text for text in found if all(clue in text for clue in data.clues))


environment = Environment(
    Knobs,
    Text("the text in lower case, without spaces", fold=True, compact=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    answers="unique",
    solutions=_solutions,
    concept="The length of the text tells how long each column is; cut the cipher into columns and put them back in place.",
)
