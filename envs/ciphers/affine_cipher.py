"""Encode or decode a text by multiplying and adding letter numbers, with the key given or to be found.

Two known letters give the key where the difference of their numbers has an inverse. At higher levels it has none, so that several keys fit and a
known word decides; then only a word of the text is known, but not its place. At the hard end the multiplier has no inverse, so that different letters
become the same one, and nothing is known but a list of words; at last the shift grows by a secret number, too, so that equal letters become different
ones and only second differences are free of it. The alphabet may hold digits and may be in another order, so letter numbers must be looked up and
inverses computed. In the shifted family the shift always grows from letter to letter, or, where the growth is secret, from word to word.
"""

from math import gcd

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.text import affine, lossy_affine
from rlgym.generators.text.affine import Key
from rlgym.generators.text.lossy_affine import BY_CHARACTER, BY_WORD, FIXED
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Due, Solution, Step, any_order

LOSSY = ("merging", "drifting")
SIGNS = "abcdefghijklmnopqrstuvwxyz0123456789"


PAIRS = Step("m * {a} + s = {b} and m * {c} + s = {d} modulo {size}")
FACTOR = Step("So m * {x} = {y}; the inverse of {x} is {inverse}, so m = {m}")
SEVERAL = Step("So m * {x} = {y}; {x} has no inverse modulo {size}, and m may be any of {factors}")
TRIED = Step("With m = {m}, s = {b} - {m} * {a} = {s}, and the word {word} {becomes}")
PLACED = Step("If word {place:int} is {word}, {signs} gives m * {x} = {y} modulo {size}; the keys (m, s) that fit the whole word: {keys}")
SHIFT = Step("s = {b} - {m} * {a} = {s} modulo {size}")
GROWN = Step("Character {place:int}: s has grown by {growth} * {count} = {grown} there, and {y} - {grown} = {b} modulo {size}")
INVERSE = Step("The inverse of {m} modulo {size} is {back}, as {m} * {back} = {product}")
ENCODED = Step("{sign} is {x}: {m} * {x} + {s} = {y} modulo {size}, which is {other}")
DECODED = Step("{sign} is {x}: ({x} - {s}) * {back} = {y} modulo {size}, which is {other}")


class Knobs(Config):
    words: int = knob(4, easy=1, hard=10, doc="words in the text")
    alphabet: str = knob(
        "usual",
        easy="usual",
        hard="mixed",
        order=("usual", "digits", "mixed"),
        doc="a to z; digits after them; or all of these in another order",
    )
    task: str = knob(
        "decode",
        easy="encode",
        hard="drifting",
        order=("encode", "decode", "crack", "several", "placed", "merging", "drifting"),
        doc="encode; decode; decode with two letters known; with two that several keys fit and a word; with a word known, but not its place; with a "
        "list of words known and a multiplier without an inverse; with a shift that grows by a secret number besides",
    )


class Data(TaskData):
    alphabet: str
    shown: str
    factor: int
    shift: int
    pairs: tuple[tuple[str, str], ...]  # plain and cipher letters, where the key is secret
    places: tuple[int, ...] = ()  # of the pairs in the text, counted from 0 without spaces, where the shift grows
    growth: int = 0  # of the shift from each character to the next
    word: str = ""  # one that the plain text contains, where it is needed to find the key
    listed: tuple[str, ...] = ()  # the words of which each word of the text is one, where the multiplier has no inverse
    unit: str = ""  # with which the shift grows by a secret number then: character or word
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
    if knobs.task in LOSSY:
        lossy = _sample_lossy(rng, knobs, "".join(rng.shuffled(SIGNS)), grows)
        return Task(_render_prompt(lossy), lossy)
    while True:
        data = _sample_data(rng, knobs, alphabet, grows)
        if data is not None and (
            data.task in ("encode", "decode") or len(affine.search_keys(data.alphabet, data.shown, _known(data), data.word)) == 1
        ):
            return Task(_render_prompt(data), data)


def _sample_data(rng: Rng, knobs: Knobs, alphabet: str, grows: bool) -> Data | None:
    size = len(alphabet)
    words = [rng.choice(WORDS) for _ in range(knobs.words)]
    factor, shift = rng.choice([i for i in range(2, size) if gcd(i, size) == 1]), rng.integer(1, size - 1)
    growth = rng.integer(1, size - 1) if grows else 0
    plain, word = " ".join(words), ""
    if knobs.task == "placed":
        # Other words with the same pattern of equal letters hide the place of the known one.
        words = [rng.choice(WORDS)]
        while len(words) < knobs.words:
            alike = [other for other in WORDS if affine.shape(other) == affine.shape(words[0])]
            words.append(rng.choice(alike if len(words) < 4 else [other for other in WORDS if len(other) != len(words[0])]))
        word, plain = words[0], " ".join(rng.shuffled(words))
    elif knobs.task == "several":
        word = rng.choice(words)
    cipher = affine.move(alphabet, plain, Key(factor, shift), growth)
    letters, coded = plain.replace(" ", ""), cipher.replace(" ", "")
    places: tuple[int, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    if knobs.task in ("crack", "several"):
        pool = letters if grows or knobs.task == "several" else alphabet
        numbers, single = [alphabet.index(sign) for sign in pool], knobs.task == "crack"
        good = [(i, j) for i in range(len(pool)) for j in range(i) if affine.is_decisive(numbers[i] - numbers[j], size, single=single)]
        if not good:
            return None
        places = tuple(sorted(rng.choice(good)))
        codes = coded if pool is letters else affine.move(alphabet, alphabet, Key(factor, shift))
        pairs = tuple((pool[i], codes[i]) for i in places)
    shown, answer = (plain, cipher) if knobs.task == "encode" else (cipher, plain)
    return Data(
        alphabet=alphabet,
        shown=shown,
        factor=factor,
        shift=shift,
        pairs=pairs,
        places=places if grows else (),
        growth=growth,
        word=word,
        task=knobs.task,
        answer=answer,
    )


def _sample_lossy(rng: Rng, knobs: Knobs, alphabet: str, grows: bool) -> Data:
    unit = FIXED if knobs.task == "merging" and not grows else BY_WORD if knobs.task == "drifting" and grows else BY_CHARACTER
    text = lossy_affine.sample(rng, alphabet, max(3, knobs.words // 2), unit)
    return Data(
        alphabet=alphabet,
        shown=text.shown,
        factor=text.key.factor,
        shift=text.key.shift,
        growth=text.key.growth,
        pairs=(),
        listed=text.listed,
        unit=unit,
        task=knobs.task,
        answer=text.plain,
    )


def _known(data: Data) -> affine.Known:
    return affine.Known(data.pairs, data.places or (0, 0), data.growth)


def solve(task: Task[Data]) -> str:
    # With inverses: letter minus shift, times the inverse of the factor; a secret key from the differences of letters.
    data = task.data
    if data.listed:
        return lossy_affine.solve(data.alphabet, data.shown, data.listed, data.unit)
    # From sign to sign, with the shift as it stands there; `generate` encodes.
    place = {sign: i for i, sign in enumerate(data.alphabet)}
    key = _solve_key(data)
    size, shift, back = len(data.alphabet), key.shift, pow(key.factor, -1, len(data.alphabet))
    text = ""
    for sign in data.shown:
        if sign in place:
            text += data.alphabet[(key.factor * place[sign] + shift if data.task == "encode" else (place[sign] - shift) * back) % size]
            shift += data.growth
        else:
            text += sign
    return text


def _solve_key(data: Data) -> Key:
    if data.task in ("encode", "decode"):
        return Key(data.factor, data.shift)
    if data.task == "placed":
        return next(key for placement in affine.placements(data.alphabet, data.shown, data.word, data.growth) for key in placement.keys)
    keys = affine.pair_keys(data.alphabet, _known(data))
    return next(key for key in keys if not data.word or data.word in affine.decode(data.alphabet, data.shown, key, data.growth).split())


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(" ".join(answer.split()) == task.data.answer, "that is not the text")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    if data.listed:
        words, others = right.split(), [word for word in data.listed if word not in right.split()]
        return [" ".join([*words[:k], other, *words[k + 1 :]]) for k, other in zip(range(len(words)), others)] + [
            " ".join(words[::-1]),
            data.shown,
        ]
    size = len(data.alphabet)
    back = pow(data.factor, -1, size)
    given, undone = (data.factor, data.shift), [(back, -data.shift), (back, data.shift), (1, -data.shift), (back, -back * data.shift)]
    keys = [given, *undone, (data.factor, data.shift + 1)]
    return [*(affine.move(data.alphabet, data.shown, Key(factor, shift)) for factor, shift in keys), data.shown, right[:-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    letters = len(data.shown) * (1 if data.task == "encode" else 1.5) * len(data.alphabet) / 26
    return letters + 10 * {"crack": 2, "several": 14, "placed": 24, "merging": 60, "drifting": 90}.get(data.task, 0)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    size, number = len(data.alphabet), {sign: i for i, sign in enumerate(data.alphabet)}
    if data.listed:
        yield from lossy_affine.derive(data.alphabet, data.shown, data.listed, data.unit)
        return
    m, s = data.factor, data.shift
    if data.task not in ("encode", "decode"):
        m, s = _solve_key(data)
        yield from _derive_key(data)
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


def _derive_key(data: Data) -> Derivation:
    size, number = len(data.alphabet), {sign: i for i, sign in enumerate(data.alphabet)}
    if data.task == "placed":
        for place, difference, keys in affine.placements(data.alphabet, data.shown, data.word, data.growth):
            listed = ", ".join(f"({key.factor}, {key.shift})" for key in keys) or "none"
            yield PLACED(place=place, word=data.word, signs=difference.signs, x=difference.x, y=difference.y, size=size, keys=listed)
        return
    (a, b), (c, d) = affine.equations(data.alphabet, _known(data))
    for place, (_, cipher), (_, rest) in zip(data.places, data.pairs, ((a, b), (c, d))):
        y, grown = number[cipher], data.growth * place
        yield GROWN(place=place + 1, growth=data.growth, count=place, grown=grown, y=y, b=rest, size=size)
    yield PAIRS(a=a, b=b, c=c, d=d, size=size)
    x, y = (a - c) % size, (b - d) % size
    if data.task == "crack":
        (m, s), inverse = _solve_key(data), pow(x, -1, size)
        yield FACTOR(x=x, y=y, inverse=inverse, m=m)
        yield SHIFT(b=b, m=m, a=a, s=s, size=size)
        return
    yield SEVERAL(x=x, y=y, size=size, factors=", ".join(str(key.factor) for key in affine.pair_keys(data.alphabet, _known(data))))
    for key in affine.pair_keys(data.alphabet, _known(data)):
        occurs = data.word in affine.decode(data.alphabet, data.shown, key, data.growth).split()
        yield TRIED(
            m=key.factor, b=b, a=a, s=key.shift, word=data.word, becomes="occurs in the text" if occurs else "does not occur in the text"
        )


def _render_prompt(data: Data) -> str:
    size = len(data.alphabet)
    secret = data.task not in ("encode", "decode")
    key = "for a secret multiplier m and a secret shift s" if secret else f"with m = {data.factor} and s = {data.shift}"
    if data.listed:
        key += ", which have to be found"
    known = "".join(f" The character {plain} of the plain text becomes {cipher}." for plain, cipher in data.pairs)
    grows = ""
    if data.growth and not data.listed:
        known = "".join(f" Character {place + 1} of the plain text is {plain}." for place, (plain, _) in zip(data.places, data.pairs))
        grows = f" The shift s is that of the first character of the text; it grows by {data.growth} with each further character, spaces not counted."
    if data.listed:
        further = (
            f" The shift s is that of the first {data.unit} of the text; it grows by the same secret number with each further {data.unit}"
        )
        grows = f"{further}{', spaces not counted' if data.unit == BY_CHARACTER else ''}." if data.unit else ""
        grows = f" The multiplier has a common factor with {size}, so that different characters become the same one.{grows}"
        known = (
            f" Each word of the plain text is one of these words: {', '.join(data.listed)}. No word occurs twice, and only one text fits."
        )
    elif secret:
        grows = f" The multiplier has no common factor with {size}, so that decoding is possible.{grows}"
    if data.word:
        known += f" One of the words of the plain text is {data.word}."
    instruction = "Encode this text" if data.task == "encode" else "Decode this cipher text"
    return (
        f"In a cipher, the characters of the alphabet {data.alphabet} have the numbers 0 to {size - 1}, in this order. The character with the number x is "
        f"replaced by the character with the number (m * x + s) mod {size}, {key}; spaces stay.{grows}{known}\n\n{instruction}:\n{data.shown}"
    )


environment = Environment(
    Knobs, Text("the text on one line, in lower case, with spaces only where the text above has them", ignore_case=True),
    generate, solve, verify, mistakes, cost, shift=shift,
    solution=Solution(derive, "The text is {answer}"),
    concept="Differences of letter numbers are multiplied by m alone; divide by the inverse where there is one, else try all m that fit, or all words.",
    version=5,
)  # fmt: skip
