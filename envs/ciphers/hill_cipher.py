"""Read a message that was hidden two letters at a time with a matrix, which is given, or must be undone or found first."""

from collections.abc import Sequence
from math import gcd

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.steps import Line, first_wrong
from rlgym.generators.words import WORDS

PLAIN = "abcdefghijklmnopqrstuvwxyz"
INVERSE = Line(
    "The matrix with rows {matrix} has the determinant {value} modulo 26, whose inverse is {inverse}, so it is undone by {undone}"
)
FOUND = Line("The known letters give that the matrix is {matrix}")
BLOCK = Line("The pair {pair} has the numbers {numbers} and becomes {plain}")
DONE = Line("The message is {text}")
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
    return _made(rng, knobs, PLAIN)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The letters are numbered in an order that opens with a word."""
    word = rng.choice([word for word in WORDS if len(word) > 4])
    return _made(rng, knobs, "".join(dict.fromkeys(word + PLAIN)))


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
    again = "".join(_letters(data, _times(data.matrix if any(data.matrix) else (1, 1, 0, 1), pair)) for pair in _numbers(data, data.hidden))
    turned = "".join(right[i + 1] + right[i] for i in range(0, len(right), 2))
    return [again if again != right else data.hidden, data.hidden, turned, right[:-1], right[::-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.hidden) * 4 + {"decode": 0, "encode": 40, "known": 160}[data.key])


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, list[str]()
    undo = data.matrix
    if data.key != "decode":
        matrix = data.matrix
        if data.key == "known":
            # with the known pairs as columns: matrix * plain = hidden, so matrix = hidden * (plain undone)
            (p, q), (r, s) = _numbers(data, data.known)
            (t, u), (v, w) = _numbers(data, data.hidden[:4])
            plain = (p, r, q, s)
            steps.append(_undoing(plain))
            matrix = _product((t, v, u, w), _undone(plain))
            steps.append(FOUND.write(matrix=_told(matrix)))
        steps.append(_undoing(matrix))
        undo = _undone(matrix)
    for pair in _numbers(data, data.hidden):
        steps.append(BLOCK.write(pair=_letters(data, pair), numbers=f"{pair[0]} {pair[1]}", plain=_letters(data, _times(undo, pair))))
    return [*steps, DONE.write(text=solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    undo: Matrix = data.matrix
    matrix = data.matrix
    read = ""

    def follows(step: str) -> bool:
        nonlocal undo, matrix, read
        if said := INVERSE.read(step):
            one, undo = _matrix(said["matrix"]), _matrix(said["undone"])
            value, inverse = int(said["value"]), int(said["inverse"])
            sound = value == (one[0] * one[3] - one[1] * one[2]) % 26 and value * inverse % 26 == 1 and 0 <= inverse < 26
            known = one == matrix if any(matrix) else [(one[0], one[2]), (one[1], one[3])] == _numbers(data, data.known)
            return data.key != "decode" and known and sound and _product(one, undo) == (1, 0, 0, 1) and max(undo) < 26
        if said := FOUND.read(step):
            matrix = _matrix(said["matrix"])
            pairs = zip(_numbers(data, data.known), _numbers(data, data.hidden[:4]), strict=True)
            return data.key == "known" and max(matrix) < 26 and all(_times(matrix, plain) == hidden for plain, hidden in pairs)
        said = BLOCK.read(step) or {}
        pair = _numbers(data, said["pair"])[0]
        read += said["plain"]
        same = said["pair"] == data.hidden[len(read) - 2 : len(read)] and said["numbers"] == f"{pair[0]} {pair[1]}"
        return same and said["plain"] == _letters(data, _times(undo, pair))

    def ends(step: str) -> bool:
        text = (DONE.read(step) or {})["text"]
        return text == read and verify(task, text).value == 1

    return first_wrong(steps, follows, ends)


def _made(rng: Rng, knobs: Knobs, letters: str) -> Task[Data]:
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
    shown: Matrix = {"decode": _undone(matrix), "encode": matrix, "known": (0, 0, 0, 0)}[knobs.key]
    if known:
        told = f"The matrix is not known, but the message begins with {known}."
    elif knobs.key == "encode":
        told = f"The matrix is {_told(matrix)}."
    else:
        told = f"The matrix is not given, but the one that undoes it is: {_told(shown)}. "
        told += "Multiplying it by the numbers of a hidden pair gives the numbers of the pair."
    numbering = (
        "a is 0, b is 1, and so on up to z, which is 25"
        if letters == PLAIN
        else f"in the order {letters}, the first is 0 and the last is 25"
    )
    prompt = (
        f"Letters are numbers: {numbering}. A message was hidden so: it was cut into pairs of letters, and each pair with the numbers X Y "
        "was replaced by the letters "
        "with the numbers A*X + B*Y and C*X + D*Y, both modulo 26, where the matrix has the rows A B and C D (written A B / C D). "
        f"{told} The hidden message is {hidden}\n\nWhat is the message? It consists of English words without spaces, "
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


def _product(one: Matrix, other: Matrix) -> Matrix:
    (a, c), (b, d) = _times(one, (other[0], other[2])), _times(one, (other[1], other[3]))
    return a, b, c, d


def _undone(matrix: Matrix) -> Matrix:
    a, b, c, d = matrix
    inverse = pow(a * d - b * c, -1, 26)
    return d * inverse % 26, -b * inverse % 26, -c * inverse % 26, a * inverse % 26


def _undoing(matrix: Matrix) -> str:
    value = (matrix[0] * matrix[3] - matrix[1] * matrix[2]) % 26
    return INVERSE.write(matrix=_told(matrix), value=value, inverse=pow(value, -1, 26), undone=_told(_undone(matrix)))


def _told(matrix: Matrix) -> str:
    return "{} {} / {} {}".format(*matrix)


def _matrix(told: str) -> Matrix:
    a, b, c, d = map(int, told.replace(" / ", " ").split())
    return a, b, c, d


environment = Environment(
    Knobs,
    Text("the message in small letters, without spaces", most=400, compact=True, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Two known pairs give the matrix, since hidden = matrix * plain; a matrix is undone modulo 26 with the inverse of its determinant.",
    version=2,
)
