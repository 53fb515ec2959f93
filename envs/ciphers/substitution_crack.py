"""Break a substitution cipher when the words that may occur are listed.

A task is kept only if exactly one plain text of listed words has the pattern of the cipher.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.words import WORDS

LETTERS = "abcdefghijklmnopqrstuvwxyz"


ONE = Line("{word}: only one listed word fits: {plain}")
SEVERAL = Line("{word}: {count} listed words fit ({choices}), and only one lets the others be read: {plain}")


class Knobs(Config):
    words: int = knob(5, easy=2, hard=10, doc="words in the text")
    listed: int = knob(20, easy=4, hard=90, doc="words in the list")
    spread: int = knob(2, easy=4, hard=0, doc="how far the lengths of listed words may differ from five")


class Data(TaskData):
    cipher: tuple[str, ...]
    listed: tuple[str, ...]
    plain: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    pool = [word for word in WORDS if abs(len(word) - 5) <= knobs.spread]
    while True:
        listed = rng.sample(pool, max(knobs.listed, knobs.words + 1))
        words = rng.sample(listed, knobs.words)
        secret = dict(zip(LETTERS, rng.shuffled(LETTERS), strict=True))
        cipher = tuple("".join(secret[letter] for letter in word).upper() for word in words)
        data = Data(cipher=cipher, listed=tuple(sorted(listed)), plain=" ".join(words))
        found = _readings(data, 3000)
        if next(found) is not None and next(found, None) is None:
            break
    prompt = (
        f"In this cipher text every letter of the alphabet was replaced by a letter, the same one wherever it occurs and different ones for different "
        f"letters (a letter may stand for itself):\n{' '.join(cipher)}\n\nEvery word of the plain text is in this list, and no word occurs in the text "
        f"twice:\n{', '.join(data.listed)}\n\nGive the plain text."
    )
    return Task(prompt, data)


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


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    known: dict[str, str] = {}
    meant = dict(zip(data.cipher, data.plain.split(), strict=True))
    left = list(data.cipher)
    while left:
        # The word with the fewest candidates comes next.
        choices = {word: _candidates(word, data.listed, known) for word in left}
        word = min(left, key=lambda word: (len(choices[word]), -len(word), word))
        left.remove(word)
        known |= dict(zip(word, meant[word], strict=True))
        count = len(choices[word])
        told = {"word": word, "plain": meant[word]}
        steps.append(ONE.write(**told) if count == 1 else SEVERAL.write(**told, count=count, choices=", ".join(choices[word][:12])))
    return [*steps, f"In the order of the text: {data.plain}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    left, known = list(data.cipher), dict[str, str]()

    def fits(word: str, plain: str) -> bool:
        pairs = set(zip(word, plain, strict=True)) | set(known.items())
        return len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)

    def follows(step: str) -> bool:
        several = SEVERAL.read(step)
        read = several or ONE.read(step)
        if not read:
            return False
        word, plain = read["word"], read["plain"]
        left.remove(word)
        choices = [one for one in data.listed if len(one) == len(word) and fits(word, one)]
        true = plain in choices and (len(choices) > 1) == (several is not None)
        if several:
            true = true and (int(several["count"]), several["choices"]) == (len(choices), ", ".join(choices[:12]))
        known.update(zip(word, plain, strict=True))
        return true

    return first_wrong(steps, follows, ended("In the order of the text: ", task, environment.answer, verify))


def _readings(data: Data, budget: int | None) -> Iterator[str | None]:
    """Every plain text that fits, the word with fewest candidates first; None when the budget of trials is spent."""
    trials = 0
    stack: list[tuple[dict[str, str], dict[str, str]]] = [({}, {})]
    while stack:
        key, chosen = stack.pop()
        left = [word for word in data.cipher if word not in chosen]
        if not left:
            yield " ".join(chosen[word] for word in data.cipher)
            continue
        used = set(chosen.values())
        choices = [(word, [plain for plain in _candidates(word, data.listed, key) if plain not in used]) for word in left]
        word, candidates = min(choices, key=lambda pair: len(pair[1]))
        for plain in reversed(candidates):
            trials += 1
            stack.append((key | dict(zip(word, plain, strict=True)), chosen | {word: plain}))
        if budget is not None and trials > budget:
            yield None
            return


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
    Knobs,
    Text("the plain text on one line, words separated by spaces", fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    answers="unique",
    solutions=_solutions,
    concept="Repeated letters make a pattern: a cipher word can only be a listed word with the same pattern, and each word read tells letters of others.",
)
