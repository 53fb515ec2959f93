"""Decipher a text whose letters were shifted, with one of its words as the only clue.

The key is unknown. A task is kept only if exactly one key of the stated family makes the clue a word of the text.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.words import WORDS

LETTERS = "abcdefghijklmnopqrstuvwxyz"
UNITS = (1, 3, 5, 7, 9, 11, 15, 17, 19, 21, 23, 25)
Key = tuple[int, int, int]  # letter x at place i was written as factor * x + shift + growth * i
FAMILIES = {
    "shift": "every letter was moved forward in the alphabet by the same secret number of places (after z comes a)",
    "growing": (
        "with a secret number s and a secret step t, each from 0 to 25, the first letter was moved forward in the alphabet by s places, the "
        "second by s + t, the third by s + 2t and so on (after z comes a; spaces do not count as letters)"
    ),
    "affine": (
        "with a = 0, b = 1, up to z = 25, each letter x was replaced by the letter (m * x + s) mod 26, for a secret shift s and a secret "
        "multiplier m that has no factor in common with 26"
    ),
}


SHORT, CAN_BE = Line("{word} has not as many letters as {clue}"), Line("{word} can be {clue}: then {key}")
NO_KEY = Line("{word} has as many letters as {clue}, but no key turns one into the other")
READS = Line("With this key {word} reads {plain}")


class Knobs(Config):
    words: int = knob(6, easy=2, hard=24, doc="words in the text")
    family: str = knob("growing", easy="shift", hard="affine", order=tuple(FAMILIES), doc="how the letters were moved")


class Data(TaskData):
    cipher: str
    clue: str
    family: str
    plain: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        words = [rng.choice(WORDS) for _ in range(knobs.words)]
        clue = rng.choice(words)
        family = knobs.family
        key = (
            rng.choice(UNITS[1:]) if family == "affine" else 1,
            rng.integer(1, 25),
            rng.integer(1, 25) if family == "growing" else 0,
        )
        plain = " ".join(words)
        cipher = _ciphered(plain, key)
        if len(clue) > 3 and len(set(_fitting(cipher, clue, family))) == 1:
            break
    prompt = (
        f'This text is in cipher:\n{cipher}\n\nIts plain text is made of English words, and one of them is "{clue}". To encipher it, '
        f"{FAMILIES[family]}. Spaces stayed where they were. Give the whole plain text."
    )
    return Task(prompt, Data(cipher=cipher, clue=clue, family=family, plain=plain))


def solve(task: Task[Data]) -> str:
    # Lay the clue on each word of its length and work out the key from its letters.
    key = next(_fitting(task.data.cipher, task.data.clue, task.data.family))
    return _deciphered(task.data.cipher, key)


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(" ".join(answer.split()) == task.data.plain, "that is not the plain text")


def mistakes(task: Task[Data], right: str) -> list[str]:
    factor, shift, growth = next(_fitting(task.data.cipher, task.data.clue, task.data.family))
    near = [_deciphered(task.data.cipher, (factor, (shift + change) % 26, growth)) for change in (1, 25)]
    return [task.data.cipher, *near, right.replace(" ", ""), task.data.clue if " " in right else right + right]


def cost(task: Task[Data]) -> float:
    keys = {"shift": 26, "growing": 26 * 26 // 4, "affine": 312}[task.data.family]
    return keys + len(task.data.cipher) * {"shift": 1, "growing": 2, "affine": 3}[task.data.family]


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    factor, shift, growth = next(_fitting(data.cipher, data.clue, data.family))
    for word, _ in _placed(data.cipher):
        if len(word) != len(data.clue):
            steps.append(SHORT.write(word=word, clue=data.clue))
        elif (
            word in _ciphered(data.plain, (factor, shift, growth)).split()
            and data.clue == data.plain.split()[data.cipher.split().index(word)]
        ):
            steps.append(CAN_BE.write(word=word, clue=data.clue, key=_told(data.family, factor, shift, growth)))
            break
        else:
            steps.append(NO_KEY.write(word=word, clue=data.clue))
    for cipher, plain in zip(data.cipher.split(), data.plain.split(), strict=True):
        steps.append(READS.write(word=cipher, plain=plain))
    return [*steps, f"The plain text is {data.plain}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    words, read_words, key = list(_placed(data.cipher)), [0, 0], list[Key]()
    growths, factors = range(26 if data.family == "growing" else 1), UNITS if data.family == "affine" else (1,)
    keys = [(factor, shift, growth) for factor in factors for shift in range(26) for growth in growths]

    def under(word: str, start: int, one: Key) -> str:
        return _deciphered("a" * start + word, one)[start:]

    def follows(step: str) -> bool:
        if read := READS.read(step):
            word, start = words[read_words[1]]
            read_words[1] += 1
            return (read["word"], read["plain"]) == (word, under(word, start, key[0]))
        word, start = words[read_words[0]]
        read_words[0] += 1
        if read := CAN_BE.read(step):
            key.extend(one for one in keys if _told(data.family, *one) == read["key"])
            return (read["word"], read["clue"]) == (word, data.clue) and len(key) == 1 and under(word, start, key[0]) == data.clue
        if read := SHORT.read(step):
            return (read["word"], read["clue"]) == (word, data.clue) and len(word) != len(data.clue)
        read = NO_KEY.read(step)
        none = len(word) == len(data.clue) and all(under(word, start, one) != data.clue for one in keys)
        return read is not None and (read["word"], read["clue"]) == (word, data.clue) and none

    return first_wrong(steps, follows, ended("The plain text is ", task, environment.answer, verify))


def solutions(task: Task[Data]) -> Iterator[str]:
    """Every key of the family, tried on the whole text."""
    data, seen = task.data, set[str]()
    factors = UNITS if data.family == "affine" else (1,)
    for factor in factors:
        for growth in range(26 if data.family == "growing" else 1):
            for shift in range(26):
                plain = _deciphered(data.cipher, (factor, shift, growth))
                if data.clue in plain.split() and plain not in seen:
                    seen.add(plain)
                    yield plain


def _ciphered(plain: str, key: Key) -> str:
    factor, shift, growth = key
    out, place = [], 0
    for letter in plain:
        if letter != " ":
            letter = LETTERS[(factor * (ord(letter) - 97) + shift + growth * place) % 26]
            place += 1
        out.append(letter)
    return "".join(out)


def _deciphered(cipher: str, key: Key) -> str:
    factor, shift, growth = key
    back, out, place = pow(factor, -1, 26), list[str](), 0
    for letter in cipher:
        if letter != " ":
            letter = LETTERS[(ord(letter) - 97 - shift - growth * place) * back % 26]
            place += 1
        out.append(letter)
    return "".join(out)


def _fitting(cipher: str, clue: str, family: str) -> Iterator[Key]:
    """Keys that turn some word of the text into the clue."""
    for word, start in _placed(cipher):
        if len(word) != len(clue):
            continue
        moved = [(ord(a) - ord(b)) % 26 for a, b in zip(word, clue, strict=True)]
        if family == "affine":
            letters = [(ord(a) - 97, ord(b) - 97) for a, b in zip(word, clue, strict=True)]
            for factor in UNITS:
                shift = (letters[0][0] - factor * letters[0][1]) % 26
                if all((factor * plain + shift - written) % 26 == 0 for written, plain in letters):
                    yield factor, shift, 0
            continue
        growth = (moved[1] - moved[0]) % 26 if family == "growing" else 0
        if all((moved[i] - moved[0] - growth * i) % 26 == 0 for i in range(len(moved))):
            yield 1, (moved[0] - growth * start) % 26, growth


def _placed(cipher: str) -> Iterator[tuple[str, int]]:
    """Every word, and how many letters stand before it."""
    before = 0
    for word in cipher.split():
        yield word, before
        before += len(word)


def _told(family: str, factor: int, shift: int, growth: int) -> str:
    if family == "affine":
        return f"m is {factor} and s is {shift}"
    return f"s is {shift} and t is {growth}" if family == "growing" else f"every letter was moved by {shift} places"


environment = Environment(
    Knobs,
    Text("the plain text on one line, in lower case, words separated by spaces", fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    answers="unique",
    solutions=solutions,
    concept="Lay the known word on a cipher word of the same length: the differences of the letters tell the key, or that it does not stand there.",
)
