"""Read a message that was hidden two letters at a time with a matrix, which is given, or must be undone or found first."""

from math import gcd

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Due, Solution, Step

PLAIN = "abcdefghijklmnopqrstuvwxyz"
INVERSE = Step(
    "The matrix with rows {matrix} has the determinant {value} modulo 26, whose inverse is {inverse}, so it is undone by {undone}"
)
FOUND = Step("The known letters give that the matrix is {matrix}")
BLOCK = Step("The pair {pair} has the numbers {numbers} and becomes {plain}")
Matrix = tuple[int, int, int, int]  # by rows


class Knobs(Config):
    words: int = knob(3, easy=1, hard=10, doc="words of the message, about")
    key: str = knob("known", easy="decode", hard="known", order=("decode", "encode", "known"), doc="what is known of the matrix")


class Data(TaskData):
    letters: str
    """The letters in the order of their numbers."""
    hidden: str
    key: str
    matrix: Matrix
    known: str
    message: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, PLAIN)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The letters are numbered in an order that opens with a word."""
    word = rng.choice([word for word in WORDS if len(word) > 4])
    return _sample_task(rng, knobs, "".join(dict.fromkeys(word + PLAIN)))


def solve(task: Task[Data]) -> str:
    """Pair by pair; a matrix that must be found is searched for row by row, by trying all rows."""
    data = task.data
    if data.key == "decode":
        undo = data.matrix
    else:
        matrix = data.matrix
        if data.key == "known":
            pairs = list(zip(_numbers(data, data.known), _numbers(data, data.hidden[:4]), strict=True))
            rows = [
                next(
                    (a, b)
                    for a in range(26)
                    for b in range(26)
                    if all((a * plain[0] + b * plain[1] - hidden[i]) % 26 == 0 for plain, hidden in pairs)
                )
                for i in (0, 1)
            ]
            matrix = (*rows[0], *rows[1])
        a, b, c, d = matrix
        turn = next(k for k in range(26) if (a * d - b * c) * k % 26 == 1)
        undo = (d * turn % 26, -b * turn % 26, -c * turn % 26, a * turn % 26)
    return "".join(_letters(data, _times(undo, pair)) for pair in _numbers(data, data.hidden))


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.message, "that is not the message")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    reencoded = "".join(
        _letters(data, _times(data.matrix if any(data.matrix) else (1, 1, 0, 1), pair)) for pair in _numbers(data, data.hidden)
    )
    turned = "".join(right[i + 1] + right[i] for i in range(0, len(right), 2))
    return [reencoded if reencoded != right else data.hidden, data.hidden, turned, right[:-1], right[::-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.hidden) * 4 + {"decode": 0, "encode": 40, "known": 160}[data.key])


def derive(task: Task[Data]) -> Derivation:
    data, matrix = task.data, task.data.matrix
    undo = matrix
    if data.key != "decode":
        if data.key == "known":
            # with the known pairs as columns: matrix * plain = hidden, so matrix = hidden * (inverse of plain)
            (p, q), (r, s) = _numbers(data, data.known)
            (t, u), (v, w) = _numbers(data, data.hidden[:4])
            plain = (p, r, q, s)
            yield _inversion(plain)
            matrix = _product((t, v, u, w), _inverse(plain))
            yield FOUND(matrix=_rows(matrix))
        yield _inversion(matrix)
        undo = _inverse(matrix)
    for pair in _numbers(data, data.hidden):
        yield BLOCK(pair=_letters(data, pair), numbers=f"{pair[0]} {pair[1]}", plain=_letters(data, _times(undo, pair)))


def _sample_task(rng: Rng, knobs: Knobs, letters: str) -> Task[Data]:
    while True:
        message = "".join(rng.choice(WORDS) for _ in range(knobs.words))
        if len(message) < 6:
            message += rng.choice(WORDS)
        message += "x" * (len(message) % 2)
        matrix: Matrix = (rng.integer(0, 25), rng.integer(0, 25), rng.integer(0, 25), rng.integer(0, 25))
        if gcd(matrix[0] * matrix[3] - matrix[1] * matrix[2], 26) > 1 or sorted(matrix) < [0, 0, 1, 2]:
            continue
        data = Data(letters=letters, hidden="", key=knobs.key, matrix=(0, 0, 0, 0), known="", message=message)
        (p, q), (r, s) = _numbers(data, message[:4])
        if knobs.key == "known" and gcd(p * s - q * r, 26) > 1:  # then the known letters would not determine the matrix
            continue
        hidden = "".join(_letters(data, _times(matrix, pair)) for pair in _numbers(data, message))
        if hidden != message:
            break
    known = message[:4] if knobs.key == "known" else ""
    shown: Matrix = {"decode": _inverse(matrix), "encode": matrix, "known": (0, 0, 0, 0)}[knobs.key]
    if known:
        key_text = f"The matrix is not known, but the message begins with {known}."
    elif knobs.key == "encode":
        key_text = f"The matrix is {_rows(matrix)}."
    else:
        key_text = f"The matrix is not given, but its inverse modulo 26 is: {_rows(shown)}. "
        key_text += "Multiplying this inverse by the column of the two numbers of an enciphered pair, modulo 26, gives the numbers of the original pair."
    numbering = (
        "a is 0, b is 1, and so on up to z, which is 25"
        if letters == PLAIN
        else f"in the order {letters}, the first is 0 and the last is 25"
    )
    prompt = (
        f"Letters are numbers: {numbering}. A message was enciphered like this: it was cut into pairs of letters, and each pair with the numbers X Y "
        "was replaced by the letters with the numbers A*X + B*Y and C*X + D*Y, both modulo 26, where the matrix has the rows A B and C D (written A "
        f"B / C D). {key_text} The enciphered message is {hidden}\n\nWhat is the message? It consists of English words without spaces, "
        "perhaps with an x at the end that fills the last pair; that x belongs to the answer."
    )
    return Task(prompt, data.model_copy(update={"hidden": hidden, "matrix": shown, "known": known}))


def _numbers(data: Data, text: str) -> list[tuple[int, int]]:
    return [(data.letters.index(text[i]), data.letters.index(text[i + 1])) for i in range(0, len(text), 2)]


def _letters(data: Data, pair: tuple[int, int]) -> str:
    return data.letters[pair[0]] + data.letters[pair[1]]


def _times(matrix: Matrix, pair: tuple[int, int]) -> tuple[int, int]:
    a, b, c, d = matrix
    return (a * pair[0] + b * pair[1]) % 26, (c * pair[0] + d * pair[1]) % 26


def _product(first: Matrix, second: Matrix) -> Matrix:
    (a, c), (b, d) = _times(first, (second[0], second[2])), _times(first, (second[1], second[3]))
    return a, b, c, d


def _inverse(matrix: Matrix) -> Matrix:
    a, b, c, d = matrix
    inverse = pow(a * d - b * c, -1, 26)
    return d * inverse % 26, -b * inverse % 26, -c * inverse % 26, a * inverse % 26


def _inversion(matrix: Matrix) -> Due:
    value = (matrix[0] * matrix[3] - matrix[1] * matrix[2]) % 26
    return INVERSE(matrix=_rows(matrix), value=value, inverse=pow(value, -1, 26), undone=_rows(_inverse(matrix)))


def _rows(matrix: Matrix) -> str:
    return "{} {} / {} {}".format(*matrix)


environment = Environment(
    Knobs, Text("the message in lower case, without spaces", max_characters=400, ignore_spaces=True, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The message is {answer}", whole=True), shift=shift,
    concept="Two known pairs give the matrix, since hidden = matrix * plain; a matrix is undone modulo 26 with the inverse of its determinant.",
    version=4,
)  # fmt: skip
