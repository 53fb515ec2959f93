"""Find the word at a given place in the alphabetical list of all arrangements of some letters."""

from collections import Counter
from collections.abc import Iterator
from math import factorial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.solutions import Derivation, Solution, Step

ANSWER = Text("the word", ignore_case=True)
CONCEPT = (
    "Count how many words begin with each letter in turn, take these off the place while they are too few, and go on with the next letter."
)


class Knobs(Config):
    letters: int = knob(6, easy=3, hard=15, doc="letters of the word")
    repeats: int = knob(2, easy=1, hard=4, doc="maximum number of occurrences of a letter")


class Data(TaskData):
    letters: str
    place: int
    picked: int
    word: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """All letters are used."""
    return _sample_task(rng, knobs, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Only some of the letters are used, so that words differ in which letters they have too."""
    return _sample_task(rng, knobs, 2)


def _sample_task(rng: Rng, knobs: Knobs, spare: int) -> Task[Data]:
    size = max(4, knobs.letters + rng.integer(0, 1)) + spare
    letters: list[str] = []
    for letter in rng.shuffled("ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
        letters += [letter] * rng.integer(1, knobs.repeats)
    bag = "".join(sorted(letters[:size]))
    picked = size - spare
    place = rng.integer(1, _count_words(Counter(bag), picked))
    data = Data(letters=bag, place=place, picked=picked, word="")
    data = data.model_copy(update={"word": "".join(letter for letter, _, _ in _choose_letters(data))})
    return Task(
        f"A word is an arrangement of {f'{picked} of' if spare else 'all'} the letters {', '.join(bag)}"
        f"{'; each listed letter may be used at most once' if spare else ''}. All different words are "
        f"listed in alphabetical order. Which word is number {place} of the list, counted from 1?",
        data,
    )


def solve(task: Task[Data]) -> str:
    """By counting the words before a beginning, which is then made longer letter by letter, from the last letter of the alphabet down."""
    data, bag, word, before = task.data, Counter(task.data.letters), "", 0
    while len(word) < data.picked:
        for letter in sorted(bag, reverse=True):
            smaller = sum(_words_beginning_with(bag, other, data.picked - len(word)) for other in bag if other < letter)
            if bag[letter] and before + smaller < data.place:
                before, word = before + smaller, word + letter
                bag[letter] -= 1
                break
    return word.lower()


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.word.lower(), "a different word has this rank")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    neighbours = [
        data.model_copy(update={"place": place})
        for place in (data.place - 1, data.place + 1)
        if 0 < place <= _count_words(Counter(data.letters), data.picked)
    ]
    words = ["".join(letter for letter, _, _ in _choose_letters(neighbour)).lower() for neighbour in neighbours]
    return [*words, right[::-1], data.letters.lower()[: data.picked], right[1:]]


def cost(task: Task[Data]) -> float:
    return sum(len(str(count)) for _, _, skipped in _choose_letters(task.data) for _, count in skipped) + len(task.data.letters)


SKIP = Step(
    "The number of words that go on with {letter} after {start} is {count}, too few for place {place}: place {left} of the rest is wanted"
)
TAKE = Step("The number of words that go on with {letter} after {start} is {count}, so place {place} is among them")
END = "The word is {answer}"


def derive(task: Task[Data]) -> Derivation:
    start, place = "", task.data.place
    for letter, count, skipped in _choose_letters(task.data):
        for other, many in skipped:
            yield SKIP(count=many, letter=other, start=start or "nothing", place=place, left=place - many)
            place -= many
        yield TAKE(count=count, letter=letter, start=start or "nothing", place=place)
        start += letter


def _count_words(bag: Counter[str], size: int) -> int:
    """How many different words of a size the letters make, by the choices of how often each is used."""
    series = {0: 1}  # words by their size, with binomials for the places of each letter
    for many in bag.values():
        longer: dict[int, int] = {}
        for length, count in series.items():
            for used in range(min(many, size - length) + 1):
                ways = factorial(length + used) // (factorial(length) * factorial(used))
                longer[length + used] = longer.get(length + used, 0) + count * ways
        series = longer
    return series.get(size, 0)


def _words_beginning_with(bag: Counter[str], first: str, size: int) -> int:
    return _count_words(bag - Counter(first), size - 1) if bag[first] else 0


def _choose_letters(data: Data) -> Iterator[tuple[str, int, list[tuple[str, int]]]]:
    """Each letter of the word, how many words go on with it, and the letters before it with theirs."""
    bag, place = Counter(data.letters), data.place
    for done in range(data.picked):
        skipped: list[tuple[str, int]] = []
        for letter in sorted(bag):
            count = _words_beginning_with(bag, letter, data.picked - done)
            if count >= place:
                yield letter, count, skipped
                bag[letter] -= 1
                break
            if count:
                skipped.append((letter, count))
            place -= count


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, END), shift=shift, concept=CONCEPT, version=2
)
