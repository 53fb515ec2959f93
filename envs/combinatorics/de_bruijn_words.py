"""Find a ring of letters, or a string, in which exactly the words of a list occur."""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.solutions import Checks, Derivation, Solution, Step


class Knobs(Config):
    words: int = knob(10, easy=7, hard=60, doc="approximate number of words that must occur")
    length: int = knob(3, easy=2, hard=5, doc="letters of a word")
    letters: int = knob(3, easy=2, hard=4, doc="letters of the alphabet")


class Data(TaskData):
    words: tuple[str, ...]
    closed: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A closed walk gives the words, read off all around a ring."""
    data = _sample_task(rng, knobs, closed=True)
    return Task(
        f"{len(data.words)} letters are to be written around a ring. The words of {len(data.words[0])} letters that can be read clockwise, one from each "
        f"place (going on past the end), are to be exactly these, each as often as it stands here: {', '.join(data.words)}. Give the letters clockwise "
        "from any place as one string. Any such ring will do.",
        data,
    )


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A strip with two ends instead of a ring, described as the pieces of a torn text."""
    data = _sample_task(rng, knobs, closed=False)
    size = len(data.words[0])
    return Task(
        f"A string of {len(data.words) + size - 1} letters was lost. Known are its pieces: all strings of {size} letters that stand in it side by side, "
        f"each as often as it occurs (in alphabetical order): {', '.join(data.words)}. Give a string with exactly these pieces. Any such string will do.",
        data,
    )


def _sample_task(rng: Rng, knobs: Knobs, closed: bool) -> Data:
    start = rng.integer(0, 22)
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[start : start + knobs.letters]
    while True:
        count = max(4, knobs.words + rng.integer(-1, 3))
        text = "".join(rng.choice(alphabet) for _ in range(count))
        words = sorted(_read_words(text, knobs.length, closed))
        if len(words) > 2 and len(set(text)) > 1:
            return Data(words=tuple(words), closed=closed)


def solve(task: Task[Data]) -> str:
    return next(_hierholzer(task.data)).lower()


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    size = len(data.words[0])
    expected_length = len(data.words) + (0 if data.closed else size - 1)
    if len(answer) != expected_length:
        return Score.wrong(f"expected {expected_length} letters")
    return Score.exact(
        sorted(_read_words(answer.upper(), size, data.closed)) == list(data.words), "the words that can be read are other ones"
    )


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [
        "".join(task.data.words).lower(),
        right[::-1],
        right[:-1],
        right[1:] + right[0],
        right + right[0],
        right[1] + right[0] + right[2:],
    ]


def cost(task: Task[Data]) -> float:
    return len(task.data.words) * len(task.data.words[0])


TAKE = Step("After {before} comes {word}, of which this many are left before that: {times:int}")
END = "The letters are {answer}"


def derive(task: Task[Data]) -> Derivation:
    data, words = task.data, list(_read_words(solve(task).upper(), len(task.data.words[0]), task.data.closed))
    words_left = list(data.words)
    for before, word in zip(["nothing", *words], words):
        yield TAKE(before=before, word=word, times=words_left.count(word))
        words_left.remove(word)


def checks(task: Task[Data]) -> Checks:
    words_left, taken = list(task.data.words), list[str]()

    def is_next(before: str, word: str, times: int) -> bool:
        if word not in words_left or times != words_left.count(word):
            return False
        follows = before == taken[-1] and before[1:] == word[:-1] if taken else before == "nothing"
        taken.append(word)
        words_left.remove(word)
        return follows

    return {TAKE: is_next}


def _read_words(text: str, size: int, closed: bool) -> Iterator[str]:
    extended = text + (text * size)[: size - 1] if closed else text
    return (extended[i : i + size] for i in range(len(extended) - size + 1))


def _hierholzer(data: Data) -> Iterator[str]:
    """Walks that use every word once as a step from its beginning to its end, by joining circles (Hierholzer's way)."""
    starts = dict.fromkeys(word[:-1] for word in data.words)
    if not data.closed:
        unbalanced = [start for start in starts if sum((w[:-1] == start) - (w[1:] == start) for w in data.words) == 1]
        starts = dict.fromkeys(unbalanced or starts)
    for start in starts:
        for direction in (1, -1):
            successors: dict[str, list[str]] = {}
            for word in data.words[::direction]:
                successors.setdefault(word[:-1], []).append(word[1:])
            walk, circuit = [start], list[str]()
            while walk:
                if successors.get(walk[-1]):
                    walk.append(successors[walk[-1]].pop())
                else:
                    circuit.append(walk.pop())
            text = circuit[-1] + "".join(node[-1] for node in circuit[-2::-1])
            yield text[: len(data.words)] if data.closed else text


environment = Environment(
    Knobs, Text("the letters as one string", ignore_case=True), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, answers="many",
    solutions=lambda task: [answer.lower() for answer in _hierholzer(task.data)][::-1],
    concept="Every word is a step from its first letters to its last ones: walk so that each step is made once.", version=2,
)  # fmt: skip
