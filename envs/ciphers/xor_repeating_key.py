"""Decipher bytes to which a short secret key was added again and again, bit by bit, when one word of the text is known.

A task is kept only if exactly one key lets the text be letters and spaces with the word in its place.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.words import WORDS

PLAIN = "abcdefghijklmnopqrstuvwxyz "


BYTE = Line("At byte {place}: {byte} xor {code} ({letter}) = {made}")
KEY = Line("The key bytes repeat after {size}: the key, from the first byte of the text, is {key}")
PIECE = Line("Bytes {first} to {last} with the key: {made}, in letters {letters}")


class Knobs(Config):
    words: int = knob(5, easy=2, hard=16, doc="words in the text")
    key: int = knob(2, easy=1, hard=5, doc="bytes of the secret key")
    clue: str = knob(
        "somewhere",
        easy="told",
        hard="somewhere",
        order=("told", "start", "somewhere"),
        doc="whether the key is told, or the first word, or a word somewhere in the text",
    )


class Data(TaskData):
    cipher: tuple[int, ...]
    key: tuple[int, ...]
    told: bool
    clue: str
    somewhere: bool
    plain: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    told, somewhere = knobs.clue == "told", knobs.clue == "somewhere"
    long = [word for word in WORDS if len(word) >= 6]
    while True:
        words = [rng.choice(WORDS) for _ in range(max(2, knobs.words))]
        place = rng.integer(0, len(words) - 1) if somewhere else 0
        clue = words[place] = rng.choice(long)
        plain = " ".join(words)
        key = tuple(rng.integer(32, 255) for _ in range(knobs.key))
        data = Data(cipher=_added(plain.encode(), key), key=key, told=told, clue=clue, somewhere=somewhere, plain=plain)
        if told or len(set(_keys(data))) == 1:
            return Task(_prompt(data), data)


def solve(task: Task[Data]) -> str:
    data = task.data
    return bytes(_added(data.cipher, data.key if data.told else next(_keys(data)))).decode()


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


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, list[str]()
    if not data.told:
        place = next(place for place in _places(data) if _told(data, place) == data.key)
        there = data.cipher[place : place + len(data.clue)]
        for byte, letter in zip(there, data.clue, strict=True):
            told = {"byte": f"{byte:02x}", "code": f"{ord(letter):02x}", "letter": letter, "made": f"{byte ^ ord(letter):02x}"}
            steps.append(BYTE.write(place=place + len(steps) + 1, **told))
        steps.append(KEY.write(size=len(data.key), key=_hex(data.key)))
    for start in range(0, len(data.cipher), 8):
        piece = data.cipher[start : start + 8]
        after = [byte ^ data.key[(start + i) % len(data.key)] for i, byte in enumerate(piece)]
        shown = {"first": start + 1, "last": start + len(piece), "made": _hex(after), "letters": repr(bytes(after).decode())}
        steps.append(PIECE.write(**shown))
    return [*steps, f"The text is {data.plain}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    found, key, at = dict[int, int](), list(data.key if data.told else ()), [0]

    def follows(step: str) -> bool:
        if read := BYTE.read(step):
            place, made = int(read["place"]) - 1, int(read["made"], 16)
            letter = data.clue[len(found)]
            found[place] = made
            first = min(found)
            same = (int(read["byte"], 16), read["code"], read["letter"]) == (data.cipher[place], f"{ord(letter):02x}", letter)
            return same and place == first + len(found) - 1 and made == data.cipher[place] ^ ord(letter)
        if read := KEY.read(step):
            key.extend(int(byte, 16) for byte in read["key"].split(" "))
            size = int(read["size"])
            return (
                size == len(key) == len(data.key)
                and len(found) == len(data.clue)
                and all(key[i % size] == byte for i, byte in found.items())
            )
        read = PIECE.read(step)
        if not read:
            return False
        start, end = at[0], min(at[0] + 8, len(data.cipher))
        at[0] = end
        after = bytes(data.cipher[i] ^ key[i % len(key)] for i in range(start, end))
        told = int(read["first"]), int(read["last"]), read["made"], read["letters"]
        return told == (start + 1, end, " ".join(f"{byte:02x}" for byte in after), repr(after.decode()))

    return first_wrong(steps, follows, ended("The text is ", task, environment.answer, verify))


def _prompt(data: Data) -> str:
    size = len(data.key)
    count = "1 byte" if size == 1 else f"{size} bytes"
    if data.told:
        asked = f"The key is {_hex(data.key)}."
    elif data.somewhere:
        asked = f"The key is secret and has {count}. One of the words of the text is {data.clue}."
    else:
        asked = f"The key is secret and has {count}. The first word of the text is {data.clue}."
    return (
        "A text of English words in lower case, with one space between words, was written as bytes in ASCII (a is 61, b is 62, up to z, which is 7a; a space "
        f"is 20; all bytes are in hexadecimal digits). A key of {count} was written below it again and again, and each byte of the text was combined with "
        f"the key byte below it by exclusive or (xor). This came out:\n{_hex(data.cipher)}\n\n{asked} What is the text?"
    )


def _hex(numbers: tuple[int, ...] | list[int]) -> str:
    return " ".join(f"{number:02x}" for number in numbers)


def _added(numbers: bytes | tuple[int, ...], key: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(number ^ key[i % len(key)] for i, number in enumerate(numbers))


def _places(data: Data) -> range:
    return range(len(data.cipher) - len(data.clue) + 1) if data.somewhere else range(1)


def _told(data: Data, place: int) -> tuple[int, ...] | None:
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
        key = _told(data, place)
        if key is not None and _fits("".join(map(chr, _added(data.cipher, key))), data):
            yield key


def _solutions(task: Task[Data]) -> Iterator[str]:
    """Every key again, byte by byte: first those that make letters and spaces, then the clue."""
    data = task.data
    if data.told:
        yield "".join(map(chr, _added(data.cipher, data.key)))
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
            text = "".join(map(chr, _added(data.cipher, key)))
            if _fits(text, data) and text not in seen:
                seen.add(text)
                yield text


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
    solutions=_solutions,
    concept="Cipher byte xor plain byte is the key byte: a known word laid in its place tells the key, and a wrong place contradicts itself.",
)
