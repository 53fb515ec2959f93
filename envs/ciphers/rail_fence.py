"""Write or read a text in the zigzag of a rail fence cipher.

In the reverse task the prompt gives a word of the plain text instead of the number of rails; exactly one number of rails fits it.
In the shifted family the letters always go down the rails and start again at the top one, as around a scytale.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Solution, Step, any_order

FAILED = Step("With {rails} rails the text begins {text}, and {clue} does not stand anywhere in it")
SO, HOLDS = Step("So there are {rails} rails"), Step("Rail {rail} holds letters {numbers}: {letters}")


class Knobs(Config):
    words: int = knob(4, easy=2, hard=16, doc="words in the text")
    rails: int = knob(3, easy=2, hard=9, doc="rails of the fence")
    offset: int = knob(1, easy=0, hard=6, doc="places of the zigzag that are passed over before the first letter")
    task: str = knob(
        "decode", easy="encode", hard="crack", order=("encode", "decode", "crack"), doc="encode, decode, or decode with unknown rails"
    )


class Data(TaskData):
    shown: str
    rails: int
    offset: int
    most: int  # the largest number of rails, if the prompt does not give it
    clue: str
    task: str
    answer: str
    around: bool = False  # after the bottom rail the next letter is on the top rail

    @property
    def reading(self) -> str:
        return "One rail after the other" if self.task == "encode" else f"Read along the {'slants' if self.around else 'zigzag'}"


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, around=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The letters go down only: after the bottom rail the next letter is on the top rail again."""
    return _sample_task(rng, knobs, around=True)


def _sample_task(rng: Rng, knobs: Knobs, around: bool) -> Task[Data]:
    period = knobs.rails if around else 2 * knobs.rails - 2
    offset = min(knobs.offset, period - 1)
    while True:
        words = [rng.choice(WORDS) for _ in range(knobs.words)]
        plain = "".join(words)
        cipher = _encode(plain, knobs.rails, offset, around)
        clue = max(words, key=len)
        shown, answer = (plain, cipher) if knobs.task == "encode" else (cipher, plain)
        most = knobs.rails + 4
        data = Data(shown=shown, rails=knobs.rails, offset=offset, most=most, clue=clue, task=knobs.task, answer=answer, around=around)
        if plain != cipher and len(plain) > knobs.rails and (knobs.task != "crack" or len(_readings(data)) == 1):
            return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    data = task.data
    if data.task == "encode":
        # Letter by letter, up and down the rails.
        rails: list[str] = [""] * data.rails
        rail, step = _start(data.rails, data.offset, data.around)
        for letter in data.shown:
            rails[rail] += letter
            if data.around:
                rail = (rail + 1) % data.rails
                continue
            if not 0 <= rail + step < data.rails:
                step = -step
            rail += step
        return "".join(rails)
    return _readings(data)[0] if data.task == "crack" else _decode(data.shown, data.rails, data.offset, data.around)


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.answer, "that is not the text")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    turned = _encode if data.task != "encode" else _decode
    same = _decode if data.task != "encode" else _encode
    return [
        turned(data.shown, data.rails, data.offset, data.around),
        same(data.shown, data.rails + 1, data.offset, data.around),
        *([same(data.shown, data.rails, data.offset, not data.around)] if data.rails > 2 else []),
        data.shown,
        data.shown[::-1],
        right[:-1],
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.shown) * {"encode": 1, "decode": 2, "crack": 2 + data.most}[data.task] + data.rails + data.offset


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    if data.task == "crack":
        texts = {rails: _decode(data.shown, rails, data.offset, data.around) for rails in range(2, data.most + 1)}
        yield from any_order(FAILED(rails=rails, text=text[:8], clue=data.clue) for rails, text in texts.items() if data.clue not in text)
        yield SO(rails=data.rails)
    plain = data.shown if data.task == "encode" else _decode(data.shown, data.rails, data.offset, data.around)
    places = _rails(len(plain), data.rails, data.offset, data.around)
    for rail in range(data.rails):
        numbers = [i + 1 for i, at in enumerate(places) if at == rail]
        yield HOLDS(rail=rail + 1, numbers=numbers or "none", letters=_letters_on_rail(plain, places, rail) or "nothing")


def _render_prompt(data: Data) -> str:
    rails = "some number of" if data.task == "crack" else str(data.rails)
    rail, step = _start(data.rails, data.offset, data.around)
    start = "on the top rail" + (", going down" * (not data.around))
    if data.offset and data.task != "crack":
        start = f"on rail {rail + 1} counted from the top" + f", going {'down' if step > 0 else 'up'}" * (not data.around)
    line = "on slanting lines" if data.around else "along a zigzag"
    turning = (
        "starting again at the top rail after the bottom one" if data.around else "turning around at the bottom rail and at the top rail"
    )
    places = f"{line}: the first {start}, each next letter"
    if data.offset and data.task == "crack":
        empty = f"first {data.offset} places are" if data.offset > 1 else "first place is"
        places = f"{line}, whose {empty} left empty. The first place is {start}, each next place"
    how = (
        f"In a {'scytale' if data.around else 'rail fence'} cipher with {rails} rails, the letters of a text are written one by one "
        f"{places} one rail further{' down' * data.around}, {turning}. Then the rails are read from the top one to the bottom one, "
        "each from left to "
        "right, and written one after the other without spaces."
    )
    if data.task == "encode":
        return f"{how}\n\nEncode this text:\n{data.shown}"
    if data.task == "decode":
        return f"{how}\n\nDecode this cipher text:\n{data.shown}"
    return (
        f"{how}\n\nDecode this cipher text:\n{data.shown}\n\nThe number of rails is from 2 to {data.most}, and the plain text, which has no spaces "
        f"either, contains the word {data.clue}."
    )


def _start(rails: int, offset: int, around: bool) -> tuple[int, int]:
    """The rail of the first letter, and whether the zigzag then goes down (1) or up (-1)."""
    if around:
        return offset % rails, 1
    at = offset % (2 * rails - 2)
    return (at, 1) if at < rails - 1 else (2 * rails - 2 - at, -1)


def _rails(length: int, rails: int, offset: int, around: bool) -> list[int]:
    if around:
        return [(i + offset) % rails for i in range(length)]
    period = 2 * rails - 2
    return [min((i + offset) % period, period - (i + offset) % period) for i in range(length)]


def _letters_on_rail(text: str, places: list[int], rail: int) -> str:
    return "".join(letter for letter, at in zip(text, places, strict=True) if at == rail)


def _encode(text: str, rails: int, offset: int, around: bool) -> str:
    places = _rails(len(text), rails, offset, around)
    return "".join(_letters_on_rail(text, places, rail) for rail in range(rails))


def _decode(text: str, rails: int, offset: int, around: bool) -> str:
    places = _rails(len(text), rails, offset, around)
    order = sorted(range(len(text)), key=lambda i: (places[i], i))
    out = [""] * len(text)
    for letter, i in zip(text, order, strict=True):
        out[i] = letter
    return "".join(out)


def _readings(data: Data) -> list[str]:
    """Texts that hold the clue, for every number of rails."""
    texts = dict.fromkeys(_decode(data.shown, rails, data.offset, data.around) for rails in range(2, data.most + 1))
    return [text for text in texts if data.clue in text]


def _solutions(task: Task[Data]) -> Iterator[str]:
    """Every number of rails again, the rails cut off the text and dealt out letter by letter."""
    data = task.data
    if data.task == "encode":
        yield _encode(data.shown, data.rails, data.offset, data.around)
        return
    seen = set[str]()
    for count in range(2, data.most + 1) if data.task == "crack" else (data.rails,):
        places = _rails(len(data.shown), count, data.offset, data.around)
        cut, rows = 0, list[list[str]]()
        for rail in range(count):
            size = places.count(rail)
            rows.append(list(data.shown[cut : cut + size]))
            cut += size
        text = "".join(rows[rail].pop(0) for rail in places)
        if data.clue in text and text not in seen:
            seen.add(text)
            yield text


environment = Environment(
    Knobs, Text("the text in lower case, without spaces", ignore_case=True, ignore_spaces=True), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "{reading}: {answer}"), answers="unique", solutions=_solutions,
    concept="Number the places of the zigzag: which letters lie on which rail depends only on the length of the text.",
    shift=shift, version=6,
)  # fmt: skip
