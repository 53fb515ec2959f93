"""Find the word at a given place in the alphabetical list of all arrangements of some letters."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import factorial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.steps import Line, ended, first_wrong


class Knobs(Config):
    letters: int = knob(6, easy=3, hard=15, doc="letters of the word")
    repeats: int = knob(2, easy=1, hard=4, doc="how often a letter may occur, at most")


class Data(TaskData):
    letters: str
    place: int
    picked: int
    word: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """All letters are used."""
    return _made(rng, knobs, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Only some of the letters are used, so that words differ in which letters they have too."""
    return _made(rng, knobs, 2)


def _made(rng: Rng, knobs: Knobs, spare: int) -> Task[Data]:
    size = max(4, knobs.letters + rng.integer(0, 1)) + spare
    letters: list[str] = []
    for letter in rng.shuffled("ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
        letters += [letter] * rng.integer(1, knobs.repeats)
    bag = "".join(sorted(letters[:size]))
    picked = size - spare
    place = rng.integer(1, _ways(Counter(bag), picked))
    data = Data(letters=bag, place=place, picked=picked, word="")
    data = data.model_copy(update={"word": "".join(letter for letter, _, _ in _letters(data))})
    which = "each of them once" if not spare else f"{picked} of them, each at most once"
    return Task(
        f"From the letters {', '.join(bag)} words are made that use {which} (a letter that is listed several times may be used as often). All "
        f"different words are written down in alphabetical order. Which word is number {place} of the list, counted from 1?",
        data,
    )


def solve(task: Task[Data]) -> str:
    """By counting the words before a beginning, which is then made longer letter by letter, from the last letter of the alphabet down."""
    data, bag, word, before = task.data, Counter(task.data.letters), "", 0
    while len(word) < data.picked:
        for letter in sorted(bag, reverse=True):
            smaller = sum(_arranged(bag, other, data.picked - len(word)) for other in bag if other < letter)
            if bag[letter] and before + smaller < data.place:
                before, word = before + smaller, word + letter
                bag[letter] -= 1
                break
    return word.lower()


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.word.lower(), "another word stands at this place")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    near = [
        data.model_copy(update={"place": place})
        for place in (data.place - 1, data.place + 1)
        if 0 < place <= _ways(Counter(data.letters), data.picked)
    ]
    words = ["".join(letter for letter, _, _ in _letters(one)).lower() for one in near]
    return [*words, right[::-1], data.letters.lower()[: data.picked], right[1:]]


def cost(task: Task[Data]) -> float:
    return sum(len(str(count)) for _, _, skipped in _letters(task.data) for _, count in skipped) + len(task.data.letters)


SKIP = Line("There are {count} words that go on with {letter} after {start}, too few for place {place}: place {left} of the rest is wanted")
TAKE = Line("There are {count} words that go on with {letter} after {start}, so place {place} is among them")
END = "The word is "


def explain(task: Task[Data]) -> list[str]:
    steps, start, place = list[str](), "", task.data.place
    for letter, count, skipped in _letters(task.data):
        for other, many in skipped:
            steps.append(SKIP.write(count=many, letter=other, start=start or "nothing", place=place, left=place - many))
            place -= many
        steps.append(TAKE.write(count=count, letter=letter, start=start or "nothing", place=place))
        start += letter
    return [*steps, END + start.lower()]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, bag = task.data, Counter(task.data.letters)
    now = {"place": data.place}
    start: list[str] = []
    tried: list[str] = []

    def follows(step: str) -> bool:
        skips = " too few " in step
        said = SKIP.read(step) if skips else TAKE.read(step)
        if said is None:
            return False
        letter, count, place = said["letter"], int(said["count"]), int(said["place"])
        following = [one for one in sorted(bag) if bag[one] and one not in tried]
        fits = letter == following[0] and said["start"] == ("".join(start) or "nothing") and place == now["place"]
        fits = fits and count == _arranged(bag, letter, data.picked - len(start)) and (count < place) == skips
        if skips:
            tried.append(letter)
            now["place"] = int(said["left"])
            return fits and int(said["left"]) == place - count
        start.append(letter)
        tried.clear()
        bag[letter] -= 1
        return fits

    return first_wrong(steps, follows, ended(END, task, environment.answer, verify))


def _ways(bag: Counter[str], size: int) -> int:
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


def _arranged(bag: Counter[str], first: str, size: int) -> int:
    return _ways(bag - Counter(first), size - 1) if bag[first] else 0


def _letters(data: Data) -> Iterator[tuple[str, int, list[tuple[str, int]]]]:
    """Each letter of the word, how many words go on with it, and the letters before it with theirs."""
    bag, place = Counter(data.letters), data.place
    for done in range(data.picked):
        skipped: list[tuple[str, int]] = []
        for letter in sorted(bag):
            count = _arranged(bag, letter, data.picked - done)
            if count >= place:
                yield letter, count, skipped
                bag[letter] -= 1
                break
            if count:
                skipped.append((letter, count))
            place -= count


environment = Environment(
    Knobs,
    Text("the word", fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    concept="Count how many words begin with each letter in turn, take these off the place while they are too few, and go on with the next letter.",
)
