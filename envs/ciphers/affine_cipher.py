"""Encode or decode a text by multiplying and adding letter numbers, with the key told or given away by two letters.

The alphabet is in an order of its own and may have digits in it, so that letter numbers must be looked up and inverses worked out.
"""

from collections.abc import Sequence
from math import gcd

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.words import WORDS

SIGNS = "abcdefghijklmnopqrstuvwxyz0123456789"


PAIRS = Line("m * {a} + s = {b} and m * {c} + s = {d} modulo {size}")
FACTOR = Line("So m * {x} = {y}; the inverse of {again} is {inverse}, so m = {m}")
SHIFT = Line("s = {b} - {m} * {a} = {s} modulo {size}")
INVERSE = Line("The inverse of {m} modulo {size} is {back}, as {again} * {n} = {product}")
ENCODED = Line("{sign} is {x}: {m} * {again} + {s} = {y} modulo {size}, which is {other}")
DECODED = Line("{sign} is {x}: ({again} - {s}) * {back} = {y} modulo {size}, which is {other}")


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
        one = rng.integer(0, size - 1)
        # Two numbers whose difference has an inverse leave only one key.
        two = rng.choice([i for i in range(size) if gcd(i - one, size) == 1])
        pairs = tuple((alphabet[i], after[alphabet[i]]) for i in (one, two))
    shown, answer = (plain, cipher) if knobs.task == "encode" else (cipher, plain)
    data = Data(alphabet=alphabet, shown=shown, factor=factor, shift=shift, pairs=pairs, task=knobs.task, answer=answer)
    return Task(_prompt(data), data)


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
    return [*(_moved(data, factor, shift) for factor, shift in keys), data.shown, right[:-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.shown) * {"encode": 1, "decode": 1.5, "crack": 2}[data.task] * len(data.alphabet) / 26 + 20 * len(data.pairs)


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    size, place = len(data.alphabet), {sign: i for i, sign in enumerate(data.alphabet)}
    m, s = data.factor, data.shift
    if data.pairs:
        (a, b), (c, d) = ((place[plain], place[cipher]) for plain, cipher in data.pairs)
        steps.append(PAIRS.write(a=a, b=b, c=c, d=d, size=size))
        x, y = (a - c) % size, (b - d) % size
        steps.append(FACTOR.write(x=x, y=y, again=x, inverse=pow(x, -1, size), m=m))
        steps.append(SHIFT.write(b=b, m=m, a=a, s=s, size=size))
    back = pow(m, -1, size)
    if data.task != "encode":
        steps.append(INVERSE.write(m=m, size=size, back=back, again=m, n=back, product=m * back))
    for sign, other in sorted({(sign, other) for sign, other in zip(data.shown, data.answer, strict=True) if sign != " "}):
        x, y = place[sign], place[other]
        told = {"sign": sign, "x": x, "again": x, "m": m, "s": s, "back": back, "y": y, "size": size, "other": other}
        steps.append((ENCODED if data.task == "encode" else DECODED).write(**told))
    return [*steps, f"The text is {data.answer}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    size, place = len(data.alphabet), {sign: i for i, sign in enumerate(data.alphabet)}
    known = {} if data.pairs else {"m": data.factor, "s": data.shift}
    points = [(place[plain], place[cipher]) for plain, cipher in data.pairs]

    def follows(step: str) -> bool:
        if read := PAIRS.read(step):
            told = [(int(read["a"]), int(read["b"])), (int(read["c"]), int(read["d"]))]
            return told == points and int(read["size"]) == size
        if read := FACTOR.read(step):
            (a, b), (c, d) = points
            x, y, inverse, known["m"] = (int(read[key]) for key in ("x", "y", "inverse", "m"))
            same = (x, y, int(read["again"])) == ((a - c) % size, (b - d) % size, x)
            return same and x * inverse % size == 1 and 0 < inverse < size and known["m"] == y * inverse % size
        if read := SHIFT.read(step):
            a, b = points[0]
            known["s"] = (b - known["m"] * a) % size
            return [int(read[key]) for key in ("b", "m", "a", "s", "size")] == [b, known["m"], a, known["s"], size]
        if read := INVERSE.read(step):
            m, n, size_, again, back, product = (int(read[key]) for key in ("m", "back", "size", "again", "n", "product"))
            known["back"] = n
            return (m, again, size_, back) == (known["m"], m, size, n) and m * n == product and product % size == 1
        encode = data.task == "encode"
        read = (ENCODED if encode else DECODED).read(step)
        if not read:
            return False
        x, y = place[read["sign"]], place[read["other"]]
        numbers = [int(read[key]) for key in ("x", "again", "y", "size", "s")] == [x, x, y, size, known["s"]]
        if encode:
            return numbers and int(read["m"]) == known["m"] and (known["m"] * x + known["s"] - y) % size == 0
        return numbers and int(read["back"]) == known["back"] and ((x - known["s"]) * known["back"] - y) % size == 0

    return first_wrong(steps, follows, ended("The text is ", task, environment.answer, verify))


def _moved(data: Data, factor: int, shift: int) -> str:
    place = {sign: i for i, sign in enumerate(data.alphabet)}
    return "".join(data.alphabet[(factor * place[sign] + shift) % len(place)] if sign in place else sign for sign in data.shown)


def _prompt(data: Data) -> str:
    size = len(data.alphabet)
    key = "for a secret multiplier m and a secret shift s" if data.pairs else f"with m = {data.factor} and s = {data.shift}"
    known = "".join(f" The sign {plain} of the plain text becomes {cipher}." for plain, cipher in data.pairs)
    asked = "Encode this text" if data.task == "encode" else "Decode this cipher text"
    return (
        f"In a cipher the signs of the alphabet {data.alphabet} have the numbers 0 to {size - 1}, in this order. The sign with the number x is replaced by the "
        f"sign with the number (m * x + s) mod {size}, {key}; spaces stay.{known}\n\n{asked}:\n{data.shown}"
    )


environment = Environment(
    Knobs,
    Text("the text on one line, in lower case, words separated by spaces", fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    concept="Two known letters give two equations; subtract them, and divide by multiplying with the inverse modulo the size of the alphabet.",
)
