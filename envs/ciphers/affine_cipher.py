"""Encode or decode a text by multiplying and adding letter numbers, with the key given or to be found from two known letters.

The alphabet may hold digits and may be in another order, so letter numbers must be looked up and inverses computed.
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
    task: str
    answer: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    alphabet = SIGNS[:26] if knobs.alphabet == "usual" else SIGNS
    alphabet = "".join(rng.shuffled(alphabet)) if knobs.alphabet == "mixed" else alphabet
    size = len(alphabet)
    plain = " ".join(rng.choice(WORDS) for _ in range(knobs.words))
    factor, shift = rng.choice([i for i in range(2, size) if gcd(i, size) == 1]), rng.integer(1, size - 1)
    after = {sign: alphabet[(factor * i + shift) % size] for i, sign in enumerate(alphabet)}
    cipher = "".join(after.get(sign, sign) for sign in plain)
    pairs: tuple[tuple[str, str], ...] = ()
    if knobs.task == "crack":
        first = rng.integer(0, size - 1)
        # Two numbers whose difference has an inverse leave only one key.
        second = rng.choice([i for i in range(size) if gcd(i - first, size) == 1])
        pairs = tuple((alphabet[i], after[alphabet[i]]) for i in (first, second))
    shown, answer = (plain, cipher) if knobs.task == "encode" else (cipher, plain)
    data = Data(alphabet=alphabet, shown=shown, factor=factor, shift=shift, pairs=pairs, task=knobs.task, answer=answer)
    return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    # With inverses: letter minus shift, times the inverse of the factor; a secret key from the difference of the two letters known.
    data = task.data
    size, place = len(data.alphabet), {sign: i for i, sign in enumerate(data.alphabet)}
    factor, shift = data.factor, data.shift
    if data.pairs:
        (a, b), (c, d) = ((place[plain], place[cipher]) for plain, cipher in data.pairs)
        factor = (b - d) * pow(a - c, -1, size) % size
        shift = (b - factor * a) % size
    back = pow(factor, -1, size)
    if data.task == "encode":
        factor, shift = back, -back * shift % size
        back = pow(factor, -1, size)
    return "".join(data.alphabet[(place[sign] - shift) * back % size] if sign in place else sign for sign in data.shown)


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
    return [*(_move(data, factor, shift) for factor, shift in keys), data.shown, right[:-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.shown) * {"encode": 1, "decode": 1.5, "crack": 2}[data.task] * len(data.alphabet) / 26 + 20 * len(data.pairs)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    size, number = len(data.alphabet), {sign: i for i, sign in enumerate(data.alphabet)}
    m, s = data.factor, data.shift
    if data.pairs:
        (a, b), (c, d) = ((number[plain], number[cipher]) for plain, cipher in data.pairs)
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
    for sign in sorted(set(data.shown) - {" "}):
        x = number[sign]
        if data.task == "encode":
            y = (m * x + s) % size
            letters.append(ENCODED(sign=sign, x=x, m=m, s=s, y=y, size=size, other=data.alphabet[y]))
        else:
            y = (x - s) * back % size
            letters.append(DECODED(sign=sign, x=x, s=s, back=back, y=y, size=size, other=data.alphabet[y]))
    yield from any_order(letters)


def _move(data: Data, factor: int, shift: int) -> str:
    place = {sign: i for i, sign in enumerate(data.alphabet)}
    return "".join(data.alphabet[(factor * place[sign] + shift) % len(place)] if sign in place else sign for sign in data.shown)


def _render_prompt(data: Data) -> str:
    size = len(data.alphabet)
    key = "for a secret multiplier m and a secret shift s" if data.pairs else f"with m = {data.factor} and s = {data.shift}"
    known = "".join(f" The sign {plain} of the plain text becomes {cipher}." for plain, cipher in data.pairs)
    instruction = "Encode this text" if data.task == "encode" else "Decode this cipher text"
    return (
        f"In a cipher, the characters of the alphabet {data.alphabet} have the numbers 0 to {size - 1}, in this order. The character with the number x is "
        f"replaced by the character with the number (m * x + s) mod {size}, {key}; spaces stay.{known}\n\n{instruction}:\n{data.shown}"
    )


environment = Environment(
    Knobs, Text("the text on one line, in lower case, words separated by spaces", ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The text is {answer}"),
    concept="Two known letters give two equations; subtract them, and divide by multiplying with the inverse modulo the size of the alphabet.",
    version=2,
)  # fmt: skip
