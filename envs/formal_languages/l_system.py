"""Count letters in a word that grows by rewriting all its letters at once, many generations on.

The word soon gets too long to be written down: only numbers of letters can be carried along.
"""

from collections.abc import Sequence
from functools import cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.steps import Line, ended, first_wrong

FIRST, AFTER = Line("At first: {told}"), Line("After {generations} generations: {told}")
GROWN = Line("In {generations} generations {told}")
TAKEN = Line("The part takes in all that a letter {letter} becomes in {generations} generations: {more} more {counted}")


class Knobs(Config):
    letters: int = knob(3, easy=2, hard=5, doc="letters with a rule each")
    generations: int = knob(8, easy=2, hard=30, doc="how often all letters are replaced", scale="log")
    longest: int = knob(3, easy=3, hard=4, doc="letters that a letter becomes at most")
    asks: str = knob(
        "letter",
        easy="length",
        hard="part",
        order=("length", "letter", "part"),
        doc="counted: all letters, one letter, or one letter in a part of the word",
    )


class Data(TaskData):
    start: str
    rules: tuple[tuple[str, str], ...]
    generations: int
    letter: str  # what is counted; empty for all letters
    first: int  # how many letters of the word are looked at; 0 for all
    total: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    alphabet = "".join(rng.sample("ABCDEFGHKLMNPRSTUVWXYZ", knobs.letters))
    while True:
        rules = tuple((letter, "".join(rng.choice(alphabet) for _ in range(rng.integer(1, knobs.longest)))) for letter in sorted(alphabet))
        start = "".join(rng.choice(alphabet) for _ in range(rng.integer(2, 4)))
        counts = {letter: start.count(letter) for letter in alphabet}
        for _ in range(knobs.generations):
            counts = {letter: sum(counts[before] * after.count(letter) for before, after in rules) for letter in alphabet}
        length = sum(counts.values())
        letter = "" if knobs.asks == "length" else rng.choice(alphabet)
        total = counts[letter] if letter else length
        if length > len(start) * (knobs.generations + 1) and (not letter or 5 < total < length):
            break
    data = Data(start=start, rules=rules, generations=knobs.generations, letter=letter, first=0, total=total)
    if knobs.asks == "part":
        first = rng.integer(length // 3, 2 * length // 3)
        data = data.model_copy(update={"first": first, "total": sum(count for _, _, count in _cut(data, first))})
    return Task(_prompt(data), data)


def solve(task: Task[Data]) -> int:
    # Letter by letter: what one letter becomes after so many generations is remembered.
    data = task.data
    rules = dict(data.rules)

    @cache
    def grown(letter: str, generations: int) -> tuple[int, int]:
        """Length, and how many of the letters counted."""
        if not generations:
            return 1, int(letter == data.letter)
        parts = [grown(after, generations - 1) for after in rules[letter]]
        return sum(size for size, _ in parts), sum(count for _, count in parts)

    if not data.first:
        parts = [grown(letter, data.generations) for letter in data.start]
        return sum(count if data.letter else size for size, count in parts)
    word, left, total = data.start, data.first, 0
    for generations in range(data.generations, -1, -1):
        for letter in word:
            size, count = grown(letter, generations)
            if size > left:
                word = rules[letter] if generations else ""
                break
            left, total = left - size, total + count
        else:
            break
    return total


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.total, "the number is another one")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    whole = _tables(data)
    counted = "".join(letter for letter, _ in data.rules) if not data.letter else data.letter
    fewer = sum(sum(whole[-2][letter][1][i] for i in counted) for letter in data.start)
    every = sum(sum(whole[-1][letter][1][i] for i in counted) for letter in data.start)
    length = sum(whole[-1][letter][0] for letter in data.start)
    return [fewer, every, length, right + 1, len(data.start) * 2**data.generations, right * 2]


def cost(task: Task[Data]) -> float:
    data = task.data
    used = len(data.rules) * (1 if not data.letter else 1.3 if not data.first else 3)
    return data.generations * used * sum(len(after) for _, after in data.rules)


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    counts = {letter: data.start.count(letter) for letter, _ in data.rules}
    steps = [FIRST.write(told=_told(counts))]
    if not data.first:
        for generation in range(1, data.generations + 1):
            counts = {letter: sum(counts[before] * after.count(letter) for before, after in data.rules) for letter in counts}
            steps.append(AFTER.write(generations=generation, told=_told(counts)))
        return [*steps, f"Asked for is the number {data.total}"]
    for generations, table in enumerate(_tables(data)):
        told = ", ".join(
            f"{letter} has length {size} with {counts_[data.letter]} {data.letter}" for letter, (size, counts_) in sorted(table.items())
        )
        steps.append(GROWN.write(generations=generations, told=told))
    total = 0
    for letter, generations, count in _cut(data, data.first):
        total += count
        steps.append(TAKEN.write(letter=letter, generations=generations, more=count, counted=data.letter))
    return [*steps, f"In all: {total}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    rules, letters = dict(data.rules), [letter for letter, _ in data.rules]
    counts: list[dict[str, int]] = []
    tables: list[dict[str, tuple[int, int]]] = []
    left, pending, total = [data.first], [(letter, data.generations) for letter in data.start[::-1]], [0]

    def follows(step: str) -> bool:
        if read := FIRST.read(step):
            counts.append({letter: data.start.count(letter) for letter in letters})
            return len(counts) == 1 and read["told"] == _told(counts[0])
        if read := TAKEN.read(step):
            # Families too large for what is left are opened; the first that is small enough is taken in.
            letter, generations = pending.pop()
            while tables[generations][letter][0] > left[0]:
                pending.extend((after, generations - 1) for after in reversed(rules[letter]))
                letter, generations = pending.pop()
            size, more = tables[generations][letter]
            left[0] -= size
            total[0] += more
            told = read["letter"], int(read["generations"]), int(read["more"]), read["counted"]
            return told == (letter, generations, more, data.letter) and left[0] >= 0
        if read := GROWN.read(step):
            table = {letter: (1, int(letter == data.letter)) for letter in letters}
            if tables:
                parts = {letter: [tables[-1][after] for after in rules[letter]] for letter in letters}
                table = {letter: (sum(size for size, _ in part), sum(count for _, count in part)) for letter, part in parts.items()}
            tables.append(table)
            shown = ", ".join(f"{letter} has length {size} with {count} {data.letter}" for letter, (size, count) in sorted(table.items()))
            return data.first > 0 and (int(read["generations"]), read["told"]) == (len(tables) - 1, shown)
        read = AFTER.read(step)
        if not read:
            return False
        counts.append({letter: sum(number * rules[before].count(letter) for before, number in counts[-1].items()) for letter in letters})
        return (int(read["generations"]), read["told"]) == (len(counts) - 1, _told(counts[-1]))

    return first_wrong(
        steps, follows, ended("In all: " if task.data.first else "Asked for is the number ", task, environment.answer, verify)
    )


def _prompt(data: Data) -> str:
    rules = "\n".join(f"{before} becomes {after}" for before, after in data.rules)
    what = f"letters {data.letter}" if data.letter else "letters"
    where = f"are among the first {data.first} letters of the word" if data.first else "does the word have"
    asked = f"How many {what} {where} after {data.generations} generations?"
    return (
        f"A word grows: in each generation all its letters are replaced at the same time, by these rules:\n{rules}\n\nThe word is {data.start} at first (after "
        f"0 generations). {asked}"
    )


def _told(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {letter}" for letter, count in sorted(counts.items())) + f", {sum(counts.values())} letters in all"


def _tables(data: Data) -> list[dict[str, tuple[int, dict[str, int]]]]:
    """For 0, 1, ... generations: how long a letter gets, and how many of each letter it becomes."""
    alphabet = [letter for letter, _ in data.rules]
    tables = [{letter: (1, {other: int(other == letter) for other in alphabet}) for letter in alphabet}]
    for _ in range(data.generations):
        last = tables[-1]
        tables.append(
            {
                before: (sum(last[i][0] for i in after), {other: sum(last[i][1][other] for i in after) for other in alphabet})
                for before, after in data.rules
            }
        )
    return tables


def _cut(data: Data, first: int) -> list[tuple[str, int, int]]:
    """The first letters of the last word as whole families: a letter, the generations it grows, the letters counted in it."""
    tables, rules, found = _tables(data), dict(data.rules), list[tuple[str, int, int]]()
    pending = [(letter, data.generations) for letter in reversed(data.start)]
    while first and pending:
        letter, generations = pending.pop()
        size, counts = tables[generations][letter]
        if size <= first:
            first -= size
            found.append((letter, generations, counts[data.letter]))
        else:
            pending += [(after, generations - 1) for after in reversed(rules[letter])]
    return found


environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    concept="The order of letters does not matter for counting: carry along how many there are of each letter.",
)
