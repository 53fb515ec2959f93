"""Decipher a text whose letters were shifted, with one of its words as the only clue.

The key is unknown. A task is kept only if exactly one key of the stated family makes the clue a word of the text.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Solution, Step

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


SHORT, CAN_BE = Step("{word} has not as many letters as {clue}"), Step("{word} can be {clue}: then {key}")
NO_KEY = Step("{word} has as many letters as {clue}, but no key turns one into the other")
READS = Step("With this key {word} reads {plain}")


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
        key = (rng.choice(UNITS[1:]) if family == "affine" else 1, rng.integer(1, 25), rng.integer(1, 25) if family == "growing" else 0)
        plain = " ".join(words)
        cipher = _cipher(plain, key)
        if len(clue) > 3 and len(set(_consistent_keys(cipher, clue, family))) == 1:
            break
    prompt = (
        f'This text is enciphered:\n{cipher}\n\nIts plain text is made of English words, and one of them is "{clue}". To encipher it, '
        f"{FAMILIES[family]}. Spaces stayed where they were. Give the whole plain text."
    )
    return Task(prompt, Data(cipher=cipher, clue=clue, family=family, plain=plain))


def solve(task: Task[Data]) -> str:
    # Lay the clue on each word of its length and work out the key from its letters.
    key = next(_consistent_keys(task.data.cipher, task.data.clue, task.data.family))
    return _decipher(task.data.cipher, key)


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(" ".join(answer.split()) == task.data.plain, "that is not the plain text")


def mistakes(task: Task[Data], right: str) -> list[str]:
    factor, shift, growth = next(_consistent_keys(task.data.cipher, task.data.clue, task.data.family))
    near = [_decipher(task.data.cipher, (factor, (shift + change) % 26, growth)) for change in (1, 25)]
    return [task.data.cipher, *near, right.replace(" ", ""), task.data.clue if " " in right else right + right]


def cost(task: Task[Data]) -> float:
    keys = {"shift": 26, "growing": 26 * 26 // 4, "affine": 312}[task.data.family]
    return keys + len(task.data.cipher) * {"shift": 1, "growing": 2, "affine": 3}[task.data.family]


def derive(task: Task[Data]) -> Derivation:
    data, clue = task.data, task.data.clue
    growths, factors = range(26 if data.family == "growing" else 1), UNITS if data.family == "affine" else (1,)
    keys = [(factor, shift, growth) for factor in factors for shift in range(26) for growth in growths]
    for word, start in _place(data.cipher):
        if len(word) != len(clue):
            yield SHORT(word=word, clue=clue)
            continue
        fitting = [key for key in keys if _decipher("a" * start + word, key)[start:] == clue]
        if fitting:
            yield CAN_BE(word=word, clue=clue, key=_describe_key(data.family, *fitting[0]))
            break
        yield NO_KEY(word=word, clue=clue)
    for word, plain in zip(data.cipher.split(), _decipher(data.cipher, fitting[0]).split(), strict=True):
        yield READS(word=word, plain=plain)


def solutions(task: Task[Data]) -> Iterator[str]:
    """Every key of the family, tried on the whole text."""
    data, seen = task.data, set[str]()
    factors = UNITS if data.family == "affine" else (1,)
    for factor in factors:
        for growth in range(26 if data.family == "growing" else 1):
            for shift in range(26):
                plain = _decipher(data.cipher, (factor, shift, growth))
                if data.clue in plain.split() and plain not in seen:
                    seen.add(plain)
                    yield plain


def _cipher(plain: str, key: Key) -> str:
    factor, shift, growth = key
    out, place = [], 0
    for letter in plain:
        if letter != " ":
            letter = LETTERS[(factor * (ord(letter) - 97) + shift + growth * place) % 26]
            place += 1
        out.append(letter)
    return "".join(out)


def _decipher(cipher: str, key: Key) -> str:
    factor, shift, growth = key
    back, out, place = pow(factor, -1, 26), list[str](), 0
    for letter in cipher:
        if letter != " ":
            letter = LETTERS[(ord(letter) - 97 - shift - growth * place) * back % 26]
            place += 1
        out.append(letter)
    return "".join(out)


def _consistent_keys(cipher: str, clue: str, family: str) -> Iterator[Key]:
    """The keys under which some word of the text reads as the clue."""
    for word, start in _place(cipher):
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


def _place(cipher: str) -> Iterator[tuple[str, int]]:
    """Every word with the number of letters before it."""
    before = 0
    for word in cipher.split():
        yield word, before
        before += len(word)


def _describe_key(family: str, factor: int, shift: int, growth: int) -> str:
    if family == "affine":
        return f"m is {factor} and s is {shift}"
    return f"s is {shift} and t is {growth}" if family == "growing" else f"every letter was moved by {shift} places"


environment = Environment(
    Knobs, Text("the plain text on one line, in lower case, words separated by spaces", ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The plain text is {answer}"), answers="unique", solutions=solutions,
    concept="Lay the known word on a cipher word of the same length: the differences of the letters tell the key, or that it does not stand there.",
    version=2,
)  # fmt: skip
