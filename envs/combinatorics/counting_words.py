"""Count the words of a given length in which certain patterns do not occur."""

from collections import Counter
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.draws import draw_rare
from rlgym.generators.numbers.recurrences import Recurrence, recurrence_solution

CONCEPT = "What may follow depends only on how much of each pattern the letters so far have begun; count the endings for each such case."
State = tuple[int, tuple[str, ...]]


class Knobs(Config):
    length: int = knob(8, easy=4, hard=18, doc="letters in a word")
    letters: int = knob(3, easy=3, hard=4, doc="letters in the alphabet")
    patterns: int = knob(2, easy=2, hard=4, doc="forbidden patterns")
    longest: int = knob(3, easy=2, hard=4, doc="letters in the longest pattern")


class Data(TaskData):
    length: int
    alphabet: str
    patterns: tuple[str, ...]
    scattered: bool
    count: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_rare(rng, knobs, scattered=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The letters of a pattern need not stand side by side to be forbidden."""
    return _sample_rare(rng, knobs, scattered=True)


def _sample_rare(rng: Rng, knobs: Knobs, scattered: bool) -> Task[Data]:
    """Short words have few different counts, so a task with a rare one is taken."""
    return draw_rare(lambda: _sample_task(rng, knobs, scattered), lambda task: task.data.count, 12 if knobs.length < 10 else 1)


def _sample_task(rng: Rng, knobs: Knobs, scattered: bool) -> Task[Data]:
    letters = knobs.letters + (rng.integer(0, 2) if knobs.length < 10 else 0)
    start = rng.integer(0, 26 - letters)
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[start : start + letters]
    length = max(4, knobs.length + rng.integer(-2, 2))
    least = min(3, knobs.longest) if scattered else 2
    pool = ["".join(word) for size in range(least, min(4, knobs.longest + scattered) + 1) for word in product(alphabet, repeat=size)]
    most_patterns = min(knobs.patterns, 2) if scattered else knobs.patterns
    data = Data(length=length, alphabet=alphabet, patterns=(rng.choice(pool),), scattered=scattered, count=0)
    for word in rng.shuffled(pool):
        more = data.model_copy(update={"patterns": (*data.patterns, word)})
        is_independent = not any(word in other or other in word for other in data.patterns)
        if (
            len(more.patterns) <= most_patterns
            and is_independent
            and (scattered or len(word) > 2 or rng.chance(0.3))
            and _recurrence(more).count > 1
        ):
            data = more
    patterns = data.patterns
    how = "with its letters in this order, but not necessarily side by side" if scattered else "as letters side by side"
    prompt = (
        f"Words of {length} letters are made of the letters {', '.join(alphabet)}; a letter may be used several times or not at all. "
        f"In how many such words does {'none of these patterns' if len(patterns) > 1 else 'this pattern not'} occur "
        f"({how}): {', '.join(patterns)}?"
    )
    return Task(prompt, data.model_copy(update={"count": _recurrence(data).count}))


def solve(task: Task[Data]) -> int:
    """Dynamic programming letter by letter over the last letters, or over the progress in each pattern."""
    data, table = task.data, Counter({("",) * (len(task.data.patterns) if task.data.scattered else 1): 1})
    for _ in range(data.length):
        longer: Counter[tuple[str, ...]] = Counter()
        for progress, count in table.items():
            for letter in data.alphabet:
                if data.scattered:
                    longer_progress = tuple(
                        have + letter * (word[len(have)] == letter) for have, word in zip(progress, data.patterns, strict=True)
                    )
                    bad = any(have == word for have, word in zip(longer_progress, data.patterns, strict=True))
                else:
                    longer_progress = ((progress[0] + letter)[-4:],)
                    bad = longer_progress[0].endswith(data.patterns)
                if not bad:
                    longer[longer_progress] += count
        table = longer
    return sum(table.values())


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.count, "the number of such words is different")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    all_words = len(data.alphabet) ** data.length
    return [all_words, all_words - right, right - 1, right + len(data.patterns), all_words - len(data.patterns) * (data.length - 1)]


def cost(task: Task[Data]) -> float:
    return _recurrence(task.data).work


def _recurrence(data: Data) -> Recurrence[State]:
    def parts(state: State) -> int | list[tuple[int, State]]:
        length, progress = state
        following = Counter(after for letter in data.alphabet if (after := _advance(data, progress, letter)) is not None)
        if length == 1:
            return following.total()
        return [(times, (length - 1, after)) for after, times in following.items()]

    def name(state: State) -> str:
        length, progress = state
        return f"endings of {length} letters after {'/'.join(part or '-' for part in progress)}"

    return Recurrence((data.length, ("",) * (len(data.patterns) if data.scattered else 1)), parts, name)


def _advance(data: Data, progress: tuple[str, ...], letter: str) -> tuple[str, ...] | None:
    """How far patterns have come with one more letter: of each its beginning, or the longest end that begins one; None where one is there."""
    if data.scattered:
        longer_progress = tuple(have + letter * (word[len(have)] == letter) for have, word in zip(progress, data.patterns, strict=True))
        return None if any(map(str.__eq__, longer_progress, data.patterns)) else longer_progress
    text = progress[0] + letter
    if text.endswith(data.patterns):
        return None
    return (next(text[at:] for at in range(len(text) + 1) if any(word.startswith(text[at:]) for word in data.patterns)),)


environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=recurrence_solution(_recurrence),
    shift=shift,
    concept=CONCEPT,
    chains=True,
    version=4,
)
