"""Break a substitution cipher when the words that may occur are listed.

A task is kept only if exactly one plain text of listed words has the pattern of the cipher. On the upper levels no listed word repeats a letter and all
are equally long, so that a cipher word alone says nothing, and many pairs of listed words fit any two cipher words: three or more must be read together.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Due, OneOf, Solution, Step

LETTERS = "abcdefghijklmnopqrstuvwxyz"


ONE = Step("{word}: only one listed word fits: {plain}")
SEVERAL = Step("{word}: {count} listed words fit ({choices:words}), and only one lets the others be read: {plain}")


class Knobs(Config):
    words: int = knob(5, easy=2, hard=10, doc="words in the text; two thirds as many where all words have the same pattern")
    listed: int = knob(20, easy=4, hard=90, doc="words in the list; two thirds of it where all words have the same pattern")
    spread: int = knob(2, easy=4, hard=0, doc="how far the lengths of listed words may differ from five")
    patterns: str = knob(
        "mixed",
        easy="mixed",
        hard="same",
        order=("mixed", "same"),
        doc="whether some words repeat letters, or all have five different ones",
    )


class Data(TaskData):
    cipher: tuple[str, ...]
    listed: tuple[str, ...]
    plain: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    pool = [word for word in WORDS if abs(len(word) - 5) <= knobs.spread]
    while True:
        if knobs.patterns == "same":
            listed, words = _sample_alike(rng, max(4, knobs.listed * 2 // 3), max(3, knobs.words * 2 // 3))
        else:
            listed = rng.sample(pool, max(knobs.listed, knobs.words + 1))
            words = rng.sample(listed, knobs.words)
        secret = dict(zip(LETTERS, rng.shuffled(LETTERS), strict=True))
        cipher = tuple("".join(secret[letter] for letter in word).upper() for word in words)
        data = Data(cipher=cipher, listed=tuple(sorted(listed)), plain=" ".join(words))
        solutions = _readings(data, 3000)
        if next(solutions) is not None and next(solutions, None) is None:
            break
    prompt = (
        f"In this cipher text every letter of the alphabet was replaced by a letter, the same one wherever it occurs and different ones for different "
        f"letters (a letter may stand for itself):\n{' '.join(cipher)}\n\nEvery word of the plain text is in this list, and no word occurs in the text "
        f"twice:\n{', '.join(data.listed)}\n\nGive the plain text."
    )
    return Task(prompt, data)


def _sample_alike(rng: Rng, size: int, count: int) -> tuple[list[str], list[str]]:
    """Listed words without repeated letters, and some of them that share letters in such a way that many other pairs do, too."""
    listed = rng.sample([word for word in WORDS if len(set(word)) == len(word) == 5], size)
    common = Counter(_shared_places(one, other) for one, other in permutations(listed, 2))
    words = list[str]()
    for word in rng.shuffled(listed):
        if len(words) < count and all(common[_shared_places(word, other)] * 6 >= size for other in words):
            words.append(word)
    more = [word for word in listed if word not in words]
    return listed, words + more[: count - len(words)]


def _shared_places(one: str, other: str) -> tuple[int, ...]:
    """Where the letters of one word stand in the other, -1 for those that do not."""
    return tuple(other.find(letter) for letter in one)


def solve(task: Task[Data]) -> str:
    return next(reading for reading in _readings(task.data, None) if reading)


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(" ".join(answer.split()) == task.data.plain, "that is not the plain text")


def mistakes(task: Task[Data], right: str) -> list[str]:
    words = right.split()
    other = next(word for word in task.data.listed if word not in words)
    return [" ".join([other, *words[1:]]), " ".join(reversed(words)), " ".join(words[:-1]), " ".join(task.data.cipher)]


def cost(task: Task[Data]) -> float:
    patterns = {word: _pattern(word) for word in task.data.listed}
    fitting = [sum(_pattern(word) == pattern for pattern in patterns.values()) for word in task.data.cipher]
    return sum(map(len, task.data.cipher)) + sum(count**2 for count in fitting) / 2


def derive(task: Task[Data]) -> Derivation:
    data, known = task.data, dict[str, str]()
    meant = dict(zip(data.cipher, data.plain.split(), strict=True))
    words_left = list(data.cipher)
    while words_left:
        # The word with the fewest candidates comes first; any other may be read as well.
        choices = {word: _candidates(word, data.listed, known) for word in words_left}
        words_left.sort(key=lambda word: (len(choices[word]), -len(word), word))
        taken = yield OneOf(tuple(_reading(word, meant[word], choices[word]) for word in words_left))
        words_left.remove(taken["word"])
        known |= dict(zip(taken["word"], taken["plain"], strict=True))


def _readings(data: Data, budget: int | None) -> Iterator[str | None]:
    """Every plain text that fits, the word with fewest candidates first; None when the budget of trials is spent."""
    trials = 0
    stack: list[tuple[dict[str, str], dict[str, str]]] = [({}, {})]
    while stack:
        key, chosen = stack.pop()
        words_left = [word for word in data.cipher if word not in chosen]
        if not words_left:
            yield " ".join(chosen[word] for word in data.cipher)
            continue
        used = set(chosen.values())
        choices = [(word, [plain for plain in _candidates(word, data.listed, key) if plain not in used]) for word in words_left]
        word, candidates = min(choices, key=lambda pair: len(pair[1]))
        for plain in reversed(candidates):
            trials += 1
            stack.append((key | dict(zip(word, plain, strict=True)), chosen | {word: plain}))
        if budget is not None and trials > budget:
            yield None
            return


def _reading(word: str, plain: str, choices: list[str]) -> Due:
    if len(choices) == 1:
        return ONE(word=word, plain=plain)
    return SEVERAL(word=word, plain=plain, count=len(choices), choices=choices[:12])


def _candidates(word: str, listed: tuple[str, ...], key: dict[str, str]) -> list[str]:
    """Listed words that this cipher word may be: letters map one to one, and as the key already says."""
    back = {plain: written for written, plain in key.items()}
    out = []
    for plain in listed:
        if len(plain) != len(word) or _pattern(plain) != _pattern(word):
            continue
        if all(key.get(a, b) == b and back.get(b, a) == a for a, b in zip(word, plain, strict=True)):
            out.append(plain)
    return out


def _pattern(word: str) -> tuple[int, ...]:
    return tuple(word.index(letter) for letter in word)


def _solutions(task: Task[Data]) -> Iterator[str]:
    """Word by word in the order of the text, letter against letter."""
    data = task.data
    partial: list[tuple[str, ...]] = [()]
    for place, word in enumerate(data.cipher):
        longer = []
        for words in partial:
            for plain in data.listed:
                if len(plain) == len(word) and plain not in words:
                    pairs = set(zip("".join((*data.cipher[:place], word)), "".join((*words, plain)), strict=True))
                    if len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs}):
                        longer.append((*words, plain))
        partial = longer
    yield from (" ".join(words) for words in partial)


environment = Environment(
    Knobs, Text("the plain text on one line, words separated by spaces", ignore_case=True), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "In the order of the text: {answer}"), answers="unique", solutions=_solutions,
    concept=(
        "Repeated letters make a pattern: a cipher word can only be a listed word with the same pattern, and each word read tells letters of others. "
        "Where single words say nothing, read cipher words together that share letters."
    ),
    version=2,
)  # fmt: skip
