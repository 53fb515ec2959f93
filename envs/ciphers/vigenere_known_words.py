"""Decipher a text written with a repeated secret key word, when two of its words are known.

A task is kept only if exactly one key lets both words stand in the text.
"""

from collections.abc import Iterator
from itertools import islice, product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Due, Solution, Step, any_order

LETTERS = "abcdefghijklmnopqrstuvwxyz"
UNKNOWN = "?"


OVER = Step("{clue} can stand over {there}, letters {first} to {last}: the key letters there are {made}, so the key is like {like}")
KEY = Step("The readings agree and together give the key {key}")


class Knobs(Config):
    words: int = knob(8, easy=2, hard=30, doc="words in the text")
    key: int = knob(4, easy=2, hard=8, doc="letters of the secret key")
    clue: str = knob("anywhere", easy="start", hard="anywhere", order=("start", "anywhere"), doc="where the known words stand")


class Data(TaskData):
    cipher: str
    clues: tuple[str, ...]
    anywhere: bool
    key: int
    plain: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    anywhere = knobs.clue == "anywhere"
    while True:
        words = [rng.choice(WORDS) for _ in range(max(3, knobs.words))]
        key = "".join(rng.choice(LETTERS) for _ in range(knobs.key))
        clues = tuple(rng.shuffled(sorted(words, key=len)[-2:])) if anywhere else tuple(words[:2])
        plain = " ".join(words)
        cipher = _move(plain, key, 1)
        data = Data(cipher=cipher, clues=clues, anywhere=anywhere, key=knobs.key, plain=plain)
        keys = set(_keys(data))
        if clues[0] != clues[1] and len(keys) == 1 and UNKNOWN not in next(iter(keys)):
            break
    where = f'contains the words "{clues[0]}" and "{clues[1]}"' if anywhere else f'begins with the words "{clues[0]} {clues[1]}"'
    prompt = (
        f"This text is enciphered:\n{cipher}\n\nA secret key of {knobs.key} letters was written below the plain text again and again, one key letter "
        "below each letter of the text; spaces stayed where they were and used up no letter of the key. Then each letter was moved forward in the "
        "alphabet by as many places as its key letter says: a by 0, b by 1, up to z by 25 (after z comes a). The plain text is made of English words "
        f"and {where}. Give the whole plain text."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> str:
    data = task.data
    return _move(data.cipher, next(_keys(data)), -1)


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(" ".join(answer.split()) == task.data.plain, "that is not the plain text")


def mistakes(task: Task[Data], right: str) -> list[str]:
    key = next(_keys(task.data))
    wrong = LETTERS[(LETTERS.index(key[-1]) + 1) % 26]
    turned = key[1:] + key[:1]
    return [
        task.data.cipher,
        _move(task.data.cipher, key[:-1] + wrong, -1),
        _move(task.data.cipher, turned, -1),
        _move(task.data.cipher, key, 1),
    ]


def cost(task: Task[Data]) -> float:
    return len(task.data.cipher) + task.data.key * (len(task.data.cipher.split()) if task.data.anywhere else 2)


def derive(task: Task[Data]) -> Derivation:
    data, key = task.data, next(_keys(task.data))
    yield from any_order(_clue_step(data, clue, key) for clue in data.clues)
    yield KEY(key=key)


def _clue_step(data: Data, clue: str, key: str) -> Due:
    """The clue over the first word where it gives this key; another such word is right too."""
    dues = list[Due]()
    for place, letters in _places_of_clue(data, clue):
        if all(a in (UNKNOWN, b) for a, b in zip(letters, key, strict=True)):
            there = data.cipher.replace(" ", "")[place : place + len(clue)]
            key_part = "".join(LETTERS[(ord(a) - ord(b)) % 26] for a, b in zip(there, clue, strict=True))
            dues.append(OVER(clue=clue, there=there, first=place + 1, last=place + len(clue), made=key_part, like=letters))
    return dues[0].accepting(lambda **values: any(OVER.write(**values) == due.text for due in dues))


def _keys(data: Data) -> Iterator[str]:
    """Keys under which all clues stand somewhere, not over each other; a letter that no clue tells is unknown."""
    keys = [(-1, UNKNOWN * data.key)]
    for clue in data.clues:
        longer = []
        for last, key in keys:
            for place, key_letters in _places_of_clue(data, clue):
                if place == last or (not data.anywhere and place != (0 if last < 0 else len(data.clues[0]))):
                    continue
                if all(UNKNOWN in (a, b) or a == b for a, b in zip(key, key_letters, strict=True)):
                    longer.append((place, "".join(b if a == UNKNOWN else a for a, b in zip(key, key_letters, strict=True))))
        keys = longer
    yield from (key for _, key in keys)


def _places_of_clue(data: Data, clue: str) -> Iterator[tuple[int, str]]:
    """Places where the clue can stand, counted in letters, and the key letters that it tells there."""
    place = 0
    for word in data.cipher.split():
        if len(word) == len(clue):
            key = [UNKNOWN] * data.key
            for i, (written, plain) in enumerate(zip(word, clue, strict=True)):
                key_letter = LETTERS[(ord(written) - ord(plain)) % 26]
                if key[(place + i) % data.key] not in (UNKNOWN, key_letter):
                    break
                key[(place + i) % data.key] = key_letter
            else:
                yield place, "".join(key)
        place += len(word)


def _move(text: str, key: str, direction: int) -> str:
    out, place = [], 0
    for letter in text:
        if letter != " ":
            letter = LETTERS[(ord(letter) - 97 + direction * (ord(key[place % len(key)]) - 97)) % 26]
            place += 1
        out.append(letter)
    return "".join(out)


def _solutions(task: Task[Data]) -> Iterator[str]:
    """Every key letter by letter: each place of the key is tried with all 26 letters against the places of the clues."""
    data = task.data
    words = data.cipher.split()
    starts = [sum(map(len, words[:i])) for i in range(len(words))]
    seats = [(i, j) for i in range(len(words)) for j in range(len(words)) if i != j and (data.anywhere or (i, j) == (0, 1))]
    seen = set[str]()
    for i, j in seats:
        if (len(words[i]), len(words[j])) != (len(data.clues[0]), len(data.clues[1])):
            continue
        pairs = [
            *zip(range(starts[i], starts[i] + 99), words[i], data.clues[0]),
            *zip(range(starts[j], starts[j] + 99), words[j], data.clues[1]),
        ]
        choices = []
        for residue in range(data.key):
            below = [(written, plain) for place, written, plain in pairs if place % data.key == residue]
            choices.append([letter for letter in LETTERS if all(_move(plain, letter, 1) == written for written, plain in below)])
        for letters in islice(product(*choices), 2):
            plain_text = _move(data.cipher, "".join(letters), -1)
            if plain_text not in seen:
                seen.add(plain_text)
                yield plain_text


environment = Environment(
    Knobs, Text("the plain text on one line, in lower case, words separated by spaces", ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "With it the plain text reads {answer}"), answers="unique", solutions=_solutions,
    concept="Where a known word stands, cipher letter minus plain letter gives the key letter; the two words must tell the same key.",
    version=2,
)  # fmt: skip
