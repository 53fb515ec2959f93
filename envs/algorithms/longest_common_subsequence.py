"""Find a longest text that can be got from each of two or three texts by striking out letters.

Any longest one is accepted.
"""

from collections.abc import Iterator
from functools import lru_cache, reduce

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.solutions import Checks, Derivation, Solution, Step

LETTERS = "abcdefghijklmnopqrstuvwxyz"
NEXT = Step(
    "Letter {count:int} is {letter}, at places {places:ints}: behind them {rest:int} more letters can be found, and no other letter leaves more"
)


class Knobs(Config):
    letters: int = knob(12, easy=4, hard=32, doc="letters of each text")
    alphabet: int = knob(5, easy=8, hard=3, doc="how many different letters are used")
    texts: int = knob(2, easy=2, hard=3, doc="how many texts there are")


class Data(TaskData):
    texts: tuple[str, ...]
    longest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, period=0)


def _sample_task(rng: Rng, knobs: Knobs, period: int) -> Task[Data]:
    used = rng.sample(LETTERS, knobs.alphabet)
    while True:
        lengths = [knobs.letters + rng.integer(-1, 1) for _ in range(knobs.texts)] if period else []
        texts = tuple((_sample_text(rng, used, period + i) * length)[:length] for i, length in enumerate(lengths)) or tuple(
            _sample_text(rng, used, knobs.letters + rng.integer(-1, 1)) for _ in range(knobs.texts)
        )
        longest = _length(texts)
        if 1 < longest < min(map(len, texts)):
            break
    listing = "\n".join(f"Text {i}: {text}" for i, text in enumerate(texts, 1))
    prompt = (
        f"{listing}\n\nFind a text, as long as possible, that can be obtained from each of these texts by deleting letters; "
        "the remaining letters keep their order and need not have been adjacent."
    )
    return Task(prompt, Data(texts=texts, longest=longest))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Texts that each repeat a piece of their own, of another length in each."""
    return _sample_task(rng, knobs, period=3)


def solve(task: Task[Data]) -> str:
    """Layer by layer: the tuples of positions where common subsequences of 1, 2, 3 ... letters can end; only the Pareto front is kept."""
    return next(_layered_search(task.data, tuple(sorted(dict.fromkeys(task.data.texts[0])))))


def verify(task: Task[Data], answer: str) -> Score:
    if len(answer) > len(task.data.texts[0]):
        return Score.wrong("the answer is longer than the first text")
    for i, text in enumerate(task.data.texts, 1):
        letters_left = iter(text)
        if not all(letter in letters_left for letter in answer):
            return Score.wrong(f"the answer is not a subsequence of text {i}")
    return Score.exact(len(answer) == task.data.longest, "there is a longer one")


def mistakes(task: Task[Data], right: str) -> list[str]:
    texts = task.data.texts
    greedy, left = "", texts[1]
    for letter in texts[0]:
        if letter in left:
            greedy, left = greedy + letter, left[left.index(letter) + 1 :]
    return [right[:-1] or texts[0], right + texts[0][-1], greedy, texts[0], right[::-1], "".join(sorted(right))]


def cost(task: Task[Data]) -> float:
    return float(reduce(lambda product, text: product * len(text), task.data.texts, 1))


def derive(task: Task[Data]) -> Derivation:
    texts, places = task.data.texts, [0] * len(task.data.texts)
    for count, letter in enumerate(solve(task), 1):
        places = [text.index(letter, place) + 1 for text, place in zip(texts, places, strict=True)]
        yield NEXT(count=count, letter=letter, places=places, rest=_suffix_length(texts, tuple(places)))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    reached, reversed_common = [0] * len(data.texts), [0]

    def is_next(count: int, letter: str, places: tuple[int, ...], rest: int) -> bool:
        first = tuple(text.find(letter, place) + 1 for text, place in zip(data.texts, reached, strict=True))
        reached[:] = places
        reversed_common[0] += 1
        missing = data.longest - reversed_common[0]
        return (
            places == first
            and all(places)
            and (count, rest) == (reversed_common[0], missing)
            and missing == _suffix_length(data.texts, places)
        )

    return {NEXT: is_next}


@lru_cache(maxsize=256)
def _suffix_length(texts: tuple[str, ...], places: tuple[int, ...]) -> int:
    """How long the longest is behind these places."""
    return _length(tuple(text[place:] for text, place in zip(texts, places, strict=True)))


def _length(texts: tuple[str, ...]) -> int:
    """How long the longest is, by the table of all beginnings of the texts."""
    if len(texts) == 2:
        row = [0] * (len(texts[1]) + 1)
        for letter in texts[0]:
            before, row = row, [0]
            for j, other in enumerate(texts[1]):
                row.append(before[j] + 1 if letter == other else max(before[j + 1], row[j]))
        return row[-1]
    width, depth = len(texts[1]) + 1, len(texts[2]) + 1
    table = [[0] * depth for _ in range(width)]
    for letter in texts[0]:
        plane = [[0] * depth]
        for j, other in enumerate(texts[1], 1):
            line, above, before = [0], plane[-1], table[j]
            for k, third in enumerate(texts[2], 1):
                line.append(table[j - 1][k - 1] + 1 if letter == other == third else max(before[k], above[k], line[-1]))
            plane.append(line)
        table = plane
    return table[-1][-1]


def _layered_search(data: Data, letters: tuple[str, ...]) -> Iterator[str]:
    following = [_next_occurrences(text) for text in data.texts]
    layer: dict[tuple[int, ...], str] = {(0,) * len(data.texts): ""}
    while True:
        after: dict[tuple[int, ...], str] = {}
        for places, text in layer.items():
            for letter in letters:
                nexts = [following[i][place].get(letter, 0) for i, place in enumerate(places)]
                if all(nexts):
                    after.setdefault(tuple(nexts), text + letter)
        if not after:
            yield from dict.fromkeys(layer.values())
            return
        layer = _pareto_front(after)


def _pareto_front(layer: dict[tuple[int, ...], str]) -> dict[tuple[int, ...], str]:
    kept: dict[tuple[int, ...], str] = {}
    for places in sorted(layer):
        if not any(all(a <= b for a, b in zip(other, places, strict=True)) for other in kept):
            kept[places] = layer[places]
    return kept


def _next_occurrences(text: str) -> list[dict[str, int]]:
    """For each place, where each letter comes next at or after it, counted from 1."""
    following: list[dict[str, int]] = [{}]
    for place in range(len(text), 0, -1):
        following.append({**following[-1], text[place - 1]: place})
    return following[::-1]


def _other_answers(task: Task[Data]) -> Iterator[str]:
    """Found on the texts read backwards."""
    data = task.data
    reversed_data = Data(texts=tuple(text[::-1] for text in data.texts), longest=data.longest)
    letters = tuple(sorted(dict.fromkeys(data.texts[0])))
    for order in (letters, letters[::-1]):
        for reversed_text in _layered_search(reversed_data, order):
            yield reversed_text[::-1]


def _sample_text(rng: Rng, used: list[str], length: int) -> str:
    return "".join(rng.choice(used) for _ in range(length))


environment = Environment(
    Knobs, Text("the text, letters only", ignore_case=True, ignore_spaces=True), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "So the text of {longest} letters is {answer}", checks), shift=shift,
    answers="many", solutions=_other_answers,
    concept="Fill a table over the beginnings of the texts: equal last letters add one, otherwise strike out the last letter of one text.",
    version=2,
)  # fmt: skip
