"""Decipher bytes to which a short secret key was added again and again, bit by bit, when one word of the text is known.

A task is kept only if exactly one key lets the text be letters and spaces with the word in its place.
"""

from collections.abc import Iterable, Iterator
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Due, OneOf, Solution, Step

PLAIN = "abcdefghijklmnopqrstuvwxyz "


BYTE = Step("At byte {place}: {byte} xor {code} ({letter}) = {made}")
KEY = Step("The key bytes repeat after {size}: the key, from the first byte of the text, is {key}")
PIECE = Step("Bytes {first} to {last} with the key: {made}, in letters {letters}")


class Knobs(Config):
    words: int = knob(5, easy=2, hard=16, doc="words in the text")
    key: int = knob(2, easy=1, hard=5, doc="bytes of the secret key")
    clue: str = knob(
        "somewhere",
        easy="told",
        hard="somewhere",
        order=("told", "start", "somewhere"),
        doc="whether the prompt gives the key, the first word, or a word somewhere in the text",
    )


class Data(TaskData):
    cipher: tuple[int, ...]
    key: tuple[int, ...]
    told: bool
    clue: str
    somewhere: bool
    plain: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    key_known, somewhere = knobs.clue == "told", knobs.clue == "somewhere"
    long = [word for word in WORDS if len(word) >= 6]
    while True:
        words = [rng.choice(WORDS) for _ in range(max(2, knobs.words))]
        place = rng.integer(0, len(words) - 1) if somewhere else 0
        clue = words[place] = rng.choice(long)
        plain = " ".join(words)
        key = tuple(rng.integer(32, 255) for _ in range(knobs.key))
        data = Data(cipher=_xor(plain.encode(), key), key=key, told=key_known, clue=clue, somewhere=somewhere, plain=plain)
        if key_known or len(set(_keys(data))) == 1:
            return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    data = task.data
    return bytes(_xor(data.cipher, data.key if data.told else next(_keys(data)))).decode()


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(" ".join(answer.split()) == task.data.plain, "that is not the plain text")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    words = right.split()
    shown = " ".join(f"{byte:02x}" for byte in data.cipher)
    turned = "".join(chr(97 + (byte ^ data.key[(i + 1) % len(data.key)] ^ 1) % 26) for i, byte in enumerate(data.cipher))
    return [shown, turned, " ".join(reversed(words)), "".join(words), " ".join(words[:-1]), data.clue]


def cost(task: Task[Data]) -> float:
    data = task.data
    places = len(data.cipher) if data.somewhere else 1
    return len(data.cipher) * 2 + (0 if data.told else 5 * len(data.key) + places * len(data.clue) / 2)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    if not data.told:
        starts = [place for place in _places(data) if _implied_key(data, place) == data.key]
        for i in range(len(data.clue)):
            taken = yield OneOf(tuple(_byte_step(data, start, i) for start in starts))
            starts = [start for start in starts if start + i + 1 == taken["place"]]
        yield KEY(size=len(data.key), key=_hex(data.key))
    plain = bytes(_xor(data.cipher, data.key))
    for start in range(0, len(plain), 8):
        piece = plain[start : start + 8]
        yield PIECE(first=start + 1, last=start + len(piece), made=_hex(piece), letters=repr(piece.decode()))


def _byte_step(data: Data, start: int, i: int) -> Due:
    byte, letter = data.cipher[start + i], data.clue[i]
    return BYTE(place=start + i + 1, byte=_hex([byte]), code=_hex([ord(letter)]), letter=letter, made=_hex([byte ^ ord(letter)]))


def _render_prompt(data: Data) -> str:
    size = len(data.key)
    count = "1 byte" if size == 1 else f"{size} bytes"
    if data.told:
        key_text = f"The key is {_hex(data.key)}."
    elif data.somewhere:
        key_text = f"The key is secret and has {count}. One of the words of the text is {data.clue}."
    else:
        key_text = f"The key is secret and has {count}. The first word of the text is {data.clue}."
    return (
        "A text of English words in lower case, with one space between words, was written as bytes in ASCII (a is 61, b is 62, up to z, which is 7a; a space "
        f"is 20; all bytes are in hexadecimal digits). A key of {count} was written below it again and again, and each byte of the text was combined with "
        f"the key byte below it by exclusive or (xor). This is the result:\n{_hex(data.cipher)}\n\n{key_text} What is the text?"
    )


def _hex(numbers: Iterable[int]) -> str:
    return " ".join(f"{number:02x}" for number in numbers)


def _xor(numbers: bytes | tuple[int, ...], key: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(number ^ key[i % len(key)] for i, number in enumerate(numbers))


def _places(data: Data) -> range:
    return range(len(data.cipher) - len(data.clue) + 1) if data.somewhere else range(1)


def _implied_key(data: Data, place: int) -> tuple[int, ...] | None:
    """The key that the clue tells if it stands there; None if it contradicts itself."""
    key: dict[int, int] = {}
    for i, letter in enumerate(data.clue, place):
        byte = data.cipher[i] ^ ord(letter)
        if key.setdefault(i % len(data.key), byte) != byte:
            return None
    return tuple(key[i] for i in range(len(data.key)))


def _fits(text: str, data: Data) -> bool:
    words = text.split(" ")
    return all(letter in PLAIN for letter in text) and "" not in words and data.clue in (words if data.somewhere else words[:1])


def _keys(data: Data) -> Iterator[tuple[int, ...]]:
    """Every key that makes the text words with the clue among them, by laying the clue on each place."""
    for place in _places(data):
        key = _implied_key(data, place)
        if key is not None and _fits("".join(map(chr, _xor(data.cipher, key))), data):
            yield key


def _solutions(task: Task[Data]) -> Iterator[str]:
    """Every key again, byte by byte: first those that make letters and spaces, then the clue."""
    data = task.data
    if data.told:
        yield "".join(map(chr, _xor(data.cipher, data.key)))
        return
    size = len(data.key)
    choices = []
    for i in range(size):
        column = data.cipher[i::size]
        choices.append([byte for byte in range(256) if all(chr(number ^ byte) in PLAIN for number in column)])
    seen = set[str]()
    for place in _places(data):
        # Where the clue stands, most bytes of the key are fixed.
        fixed: list[set[int]] = [set(options) for options in choices]
        for i, letter in enumerate(data.clue, place):
            fixed[i % size] &= {data.cipher[i] ^ ord(letter)}
        for key in product(*(sorted(options) for options in fixed)):
            text = "".join(map(chr, _xor(data.cipher, key)))
            if _fits(text, data) and text not in seen:
                seen.add(text)
                yield text


environment = Environment(
    Knobs, Text("the plain text on one line, in lower case, words separated by spaces", ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The text is {answer}"), answers="unique", solutions=_solutions,
    concept="Cipher byte xor plain byte is the key byte: a known word laid in its place tells the key, and a wrong place contradicts itself.",
    version=2,
)  # fmt: skip
