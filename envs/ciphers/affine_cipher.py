"""Encode or decode a text by multiplying and adding letter numbers, with the key given or to be found from two known letters.

The alphabet may hold digits and may be in another order, so letter numbers must be looked up and inverses computed. In the shifted family the
shift grows from letter to letter, so that equal letters become different ones.
"""

from math import gcd

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Due, Solution, Step, any_order

SIGNS = "abcdefghijklmnopqrstuvwxyz0123456789"


PAIRS = Step("m * {a} + s = {b} and m * {c} + s = {d} modulo {size}")
FACTOR = Step("So m * {x} = {y}; the inverse of {x} is {inverse}, so m = {m}")
SHIFT = Step("s = {b} - {m} * {a} = {s} modulo {size}")
GROWN = Step("Character {place:int}: s has grown by {growth} * {count} = {grown} there, and {y} - {grown} = {b} modulo {size}")
INVERSE = Step("The inverse of {m} modulo {size} is {back}, as {m} * {back} = {product}")
ENCODED = Step("{sign} is {x}: {m} * {x} + {s} = {y} modulo {size}, which is {other}")
DECODED = Step("{sign} is {x}: ({x} - {s}) * {back} = {y} modulo {size}, which is {other}")


class Knobs(Config):
    words: int = knob(4, easy=1, hard=14, doc="words in the text")
    alphabet: str = knob(
        "usual",
        easy="usual",
        hard="mixed",
        order=("usual", "digits", "mixed"),
        doc="a to z; digits after them; or all of these in another order",
    )
    task: str = knob(
        "decode", easy="encode", hard="crack", order=("encode", "decode", "crack"), doc="encode, decode, or decode with two letters known"
    )


class Data(TaskData):
    alphabet: str
    shown: str
    factor: int
    shift: int
    pairs: tuple[tuple[str, str], ...]  # plain and cipher letters, where the key is secret
    places: tuple[int, ...] = ()  # of the pairs in the text, counted from 0 without spaces, where the shift grows
    growth: int = 0  # of the shift from each character to the next
    task: str
    answer: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The shift grows by a fixed number from each character to the next; known characters are given by their places in the text."""
    return _sample_task(rng, knobs, True)


def _sample_task(rng: Rng, knobs: Knobs, grows: bool) -> Task[Data]:
    alphabet = SIGNS[:26] if knobs.alphabet == "usual" else SIGNS
    alphabet = "".join(rng.shuffled(alphabet)) if knobs.alphabet == "mixed" else alphabet
    size = len(alphabet)
    plain = " ".join(rng.choice(WORDS) for _ in range(knobs.words))
    factor, shift = rng.choice([i for i in range(2, size) if gcd(i, size) == 1]), rng.integer(1, size - 1)
    after = {sign: alphabet[(factor * i + shift) % size] for i, sign in enumerate(alphabet)}
    growth = rng.integer(1, size - 1) if grows else 0
    cipher = _move(alphabet, plain, factor, shift, growth)
    pairs: tuple[tuple[str, str], ...] = ()
    places: tuple[int, ...] = ()
    if knobs.task == "crack" and grows:
        letters, after_letters = plain.replace(" ", ""), cipher.replace(" ", "")
        good = [
            (i, j) for i in range(len(letters)) for j in range(i) if gcd(alphabet.index(letters[i]) - alphabet.index(letters[j]), size) == 1
        ]
        places = tuple(sorted(rng.choice(good))) if good else ()
        pairs = tuple((letters[i], after_letters[i]) for i in places)
    elif knobs.task == "crack":
        first = rng.integer(0, size - 1)
        # Two numbers whose difference has an inverse leave only one key.
        second = rng.choice([i for i in range(size) if gcd(i - first, size) == 1])
        pairs = tuple((alphabet[i], after[alphabet[i]]) for i in (first, second))
    shown, answer = (plain, cipher) if knobs.task == "encode" else (cipher, plain)
    data = Data(
        alphabet=alphabet,
        shown=shown,
        factor=factor,
        shift=shift,
        pairs=pairs,
        places=places,
        growth=growth,
        task=knobs.task,
        answer=answer,
    )
    return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    # With inverses: letter minus shift, times the inverse of the factor; a secret key from the difference of the two letters known.
    data = task.data
    # From sign to sign, with the shift as it stands there; `generate` encodes.
    size, place = len(data.alphabet), {sign: i for i, sign in enumerate(data.alphabet)}
    factor, shift = data.factor, data.shift
    if data.pairs:
        (a, b), (c, d) = _equations(data)
        factor = (b - d) * pow(a - c, -1, size) % size
        shift = (b - factor * a) % size
    back = pow(factor, -1, size)
    text = ""
    for sign in data.shown:
        if sign in place:
            text += data.alphabet[(factor * place[sign] + shift if data.task == "encode" else (place[sign] - shift) * back) % size]
            shift += data.growth
        else:
            text += sign
    return text


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(" ".join(answer.split()) == task.data.answer, "that is not the text")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    size = len(data.alphabet)
    back = pow(data.factor, -1, size)
    keys = [
        (data.factor, data.shift),
        (back, -data.shift),
        (back, data.shift),
        (1, -data.shift),
        (back, -back * data.shift),
        (data.factor, data.shift + 1),
    ]
    return [*(_move(data.alphabet, data.shown, factor, shift, 0) for factor, shift in keys), data.shown, right[:-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.shown) * {"encode": 1, "decode": 1.5, "crack": 2}[data.task] * len(data.alphabet) / 26 + 20 * len(data.pairs)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    size, number = len(data.alphabet), {sign: i for i, sign in enumerate(data.alphabet)}
    m, s = data.factor, data.shift
    if data.pairs:
        (a, b), (c, d) = _equations(data)
        for place, (_, cipher), (_, rest) in zip(data.places, data.pairs, ((a, b), (c, d))):
            y, grown = number[cipher], data.growth * place
            yield GROWN(place=place + 1, growth=data.growth, count=place, grown=grown, y=y, b=rest, size=size)
        yield PAIRS(a=a, b=b, c=c, d=d, size=size)
        x, y = (a - c) % size, (b - d) % size
        m = y * pow(x, -1, size) % size
        yield FACTOR(x=x, y=y, inverse=pow(x, -1, size), m=m)
        s = (b - m * a) % size
        yield SHIFT(b=b, m=m, a=a, s=s, size=size)
    back = pow(m, -1, size)
    if data.task != "encode":
        yield INVERSE(m=m, size=size, back=back, product=m * back)
    letters = list[Due]()
    signs = data.shown.replace(" ", "") if data.growth else "".join(sorted(set(data.shown) - {" "}))
    for count, sign in enumerate(signs):
        x, s = number[sign], (s + data.growth * (count > 0)) % size
        if data.task == "encode":
            y = (m * x + s) % size
            letters.append(ENCODED(sign=sign, x=x, m=m, s=s, y=y, size=size, other=data.alphabet[y]))
        else:
            y = (x - s) * back % size
            letters.append(DECODED(sign=sign, x=x, s=s, back=back, y=y, size=size, other=data.alphabet[y]))
    yield from any_order(letters)


def _move(alphabet: str, text: str, factor: int, shift: int, growth: int) -> str:
    """The text after m * x + s for each character, with a shift that grows; other signs stay and do not count."""
    place, count, moved = {sign: i for i, sign in enumerate(alphabet)}, 0, ""
    for sign in text:
        moved += alphabet[(factor * place[sign] + shift + growth * count) % len(alphabet)] if sign in place else sign
        count += sign in place
    return moved


def _equations(data: Data) -> list[tuple[int, int]]:
    """The numbers of each known character and of what it becomes, without the growth of the shift up to it."""
    size = len(data.alphabet)
    grown = [data.growth * place for place in data.places] or [0, 0]
    return [
        (data.alphabet.index(plain), (data.alphabet.index(cipher) - more) % size)
        for (plain, cipher), more in zip(data.pairs, grown, strict=True)
    ]


def _render_prompt(data: Data) -> str:
    size = len(data.alphabet)
    key = "for a secret multiplier m and a secret shift s" if data.pairs else f"with m = {data.factor} and s = {data.shift}"
    known = "".join(f" The sign {plain} of the plain text becomes {cipher}." for plain, cipher in data.pairs)
    grows = ""
    if data.growth:
        known = "".join(f" Character {place + 1} of the plain text is {plain}." for place, (plain, _) in zip(data.places, data.pairs))
        grows = (
            f" This is the s of the first character of the text; it grows by {data.growth} with each further character, spaces not counted."
        )
    instruction = "Encode this text" if data.task == "encode" else "Decode this cipher text"
    return (
        f"In a cipher, the characters of the alphabet {data.alphabet} have the numbers 0 to {size - 1}, in this order. The character with the number x is "
        f"replaced by the character with the number (m * x + s) mod {size}, {key}; spaces stay.{grows}{known}\n\n{instruction}:\n{data.shown}"
    )


environment = Environment(
    Knobs, Text("the text on one line, in lower case, words separated by spaces", ignore_case=True),
    generate, solve, verify, mistakes, cost, shift=shift,
    solution=Solution(derive, "The text is {answer}"),
    concept="Two known letters give two equations; subtract them, and divide by multiplying with the inverse modulo the size of the alphabet.",
    version=3,
)  # fmt: skip
