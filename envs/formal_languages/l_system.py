"""Count letters in a word that grows by rewriting all its letters at once, many generations on.

The word soon gets too long to be written down: only numbers of letters can be carried along. On the upper levels the
rules are hidden: they must first be found from the word at the start and the word two or three generations later.
"""

from functools import cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.draws import draw_rare
from rlgym.generators.languages import hidden_rules
from rlgym.generators.languages.hidden_rules import RuleSearch
from rlgym.solutions import Derivation, Solution, Step

CONCEPT = "The order of letters does not matter for counting: carry along how many there are of each letter."
FIRST, AFTER = Step("At first: {counts}"), Step("After {generations} generation(s): {counts}")
RULES = Step("{start} becomes {later} in {shown:int} generations only with these rules for the letters in it: {rules:words}")
GROWN = Step("In {generations} generations {sizes}")
TAKEN = Step("The part takes in all that a letter {letter} becomes in {generations} generation(s): {more} more {counted}")


LONGEST_WORD = 10**12


class Knobs(Config):
    letters: int = knob(3, easy=2, hard=5, doc="letters with a rule each; at most three where the rules are hidden")
    generations: int = knob(
        8, easy=2, hard=30, doc="number of rewriting generations; 4 and a tenth of it where the rules are hidden", scale="log"
    )
    longest: int = knob(3, easy=3, hard=4, doc="maximum number of letters that replace a letter")
    question: str = knob(
        "letter",
        easy="length",
        hard="part",
        order=("length", "letter", "part"),
        doc="counted: all letters, one letter, or one letter in a part of the word",
    )
    rules: str = knob(
        "known",
        easy="known",
        hard="hidden",
        order=("known", "hidden"),
        doc="whether the rules are stated, or to be found from a later word",
    )


class Data(TaskData):
    start: str
    rules: tuple[tuple[str, str], ...]
    generations: int
    letter: str  # what is counted; empty for all letters
    first: int  # how many letters of the word are looked at; 0 for all
    total: int
    later: str = ""
    """The word after the generations `shown`, where the rules are hidden."""
    shown: int = 0

    @property
    def lead(self) -> str:
        return "In all:" if self.first else "Asked for is the number"


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.rules == "hidden":
        return _sample_hidden(rng, knobs)
    return _sample_known(rng, knobs)


def _sample_known(rng: Rng, knobs: Knobs) -> Task[Data]:
    """After few generations there are few different numbers, so a task with a rare one is taken."""
    return draw_rare(lambda: _sample_task(rng, knobs), lambda task: task.data.total, 24 if knobs.generations < 8 else 1)


def _sample_task(rng: Rng, knobs: Knobs) -> Task[Data]:
    alphabet = "".join(rng.sample("ABCDEFGHKLMNPRSTUVWXYZ", knobs.letters))
    while True:
        rules = tuple((letter, "".join(rng.choice(alphabet) for _ in range(rng.integer(1, knobs.longest)))) for letter in sorted(alphabet))
        start = "".join(rng.choice(alphabet) for _ in range(rng.integer(2, 4)))
        counts = {letter: start.count(letter) for letter in alphabet}
        for _ in range(knobs.generations):
            counts = {letter: sum(counts[before] * after.count(letter) for before, after in rules) for letter in alphabet}
        length = sum(counts.values())
        letter = "" if knobs.question == "length" else rng.choice(alphabet)
        total = counts[letter] if letter else length
        if len(start) * (knobs.generations + 1) < length < LONGEST_WORD and (not letter or 5 < total < length):
            break
    data = Data(start=start, rules=rules, generations=knobs.generations, letter=letter, first=0, total=total)
    if knobs.question == "part":
        first = rng.integer(length // 3, 2 * length // 3)
        data = data.model_copy(update={"first": first, "total": sum(count for _, _, count in _families_in_prefix(data, first))})
    return Task(_render_prompt(data), data)


def _sample_hidden(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rules that matter for all letters, and that leave one number possible."""
    alphabet = "".join(sorted(rng.sample("ABCDEFGHKLMNPRSTUVWXYZ", min(3, knobs.letters))))
    shown = 2 if knobs.letters < 5 else 3
    generations = 4 + knobs.generations // 10
    while True:
        rules = tuple((letter, "".join(rng.choice(alphabet) for _ in range(rng.integer(1, 3)))) for letter in alphabet)
        start = "".join(rng.sample(alphabet, 2))
        later = hidden_rules.grow(start, dict(rules), shown)
        rewritten = {*start, *hidden_rules.grow(start, dict(rules)), *hidden_rules.grow(start, dict(rules), shown - 1)}
        if (
            len(set(dict(rules).values())) < len(rules)
            or rewritten != set(alphabet)
            or not 4 * len(alphabet) <= len(later) <= 15 * shown - 10
        ):
            continue
        letter = rng.choice(alphabet)
        totals = {
            hidden_rules.grow(start, found, generations).count(letter)
            for found in RuleSearch(alphabet, start, later, shown).found
            if len(found) == len(alphabet)
        }
        if len(totals) == 1 and (total := totals.pop()) > 9:
            break
    data = Data(start=start, rules=rules, generations=generations, letter=letter, first=0, total=total, later=later, shown=shown)
    names = f"{', '.join(alphabet[:-1])} and {alphabet[-1]}"
    prompt = (
        f"A word of the letters {names} grows: in each generation all its letters are replaced at the same time. Each letter has a rule, "
        "which says by which one to three of these letters it is always replaced. The rules are not known.\n\n"
        f"The word is initially {start} (after 0 generations). After {shown} generations it is {later}.\n\n"
        f"How many letters {letter} does the word have after {generations} generations? All rules that fit lead to the same number."
    )
    return Task(prompt, data)


def _infer_rules(data: Data) -> dict[str, str]:
    """Rules that fit, with those of the longest images for the last letter first."""
    found = RuleSearch("".join(letter for letter, _ in data.rules), data.start, data.later, data.shown).found
    return next(rules for rules in reversed(found) if len(rules) == len(data.rules))


def solve(task: Task[Data]) -> int:
    # Letter by letter, with memoisation of what one letter becomes.
    data = task.data
    rules = _infer_rules(data) if data.later else dict(data.rules)

    @cache
    def growth(letter: str, generations: int) -> tuple[int, int]:
        """Length, and how many of the letters counted."""
        if not generations:
            return 1, int(letter == data.letter)
        parts = [growth(after, generations - 1) for after in rules[letter]]
        return sum(size for size, _ in parts), sum(count for _, count in parts)

    if not data.first:
        parts = [growth(letter, data.generations) for letter in data.start]
        return sum(count if data.letter else size for size, count in parts)
    word, position_left, total = data.start, data.first, 0
    for generations in range(data.generations, -1, -1):
        for letter in word:
            size, count = growth(letter, generations)
            if size > position_left:
                word = rules[letter] if generations else ""
                break
            position_left, total = position_left - size, total + count
        else:
            break
    return total


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.total, "the number is different")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    tables = _tables(data)
    counted = "".join(letter for letter, _ in data.rules) if not data.letter else data.letter
    fewer = sum(sum(tables[-2][letter][1][i] for i in counted) for letter in data.start)
    all_counted = sum(sum(tables[-1][letter][1][i] for i in counted) for letter in data.start)
    length = sum(tables[-1][letter][0] for letter in data.start)
    return [fewer, all_counted, length, right + 1, len(data.start) * 2**data.generations, right * 2]


def cost(task: Task[Data]) -> float:
    data = task.data
    if data.later:
        return 1000.0 + 10 * RuleSearch("".join(letter for letter, _ in data.rules), data.start, data.later, data.shown).choices
    used = len(data.rules) * (1 if not data.letter else 1.3 if not data.first else 3)
    return data.generations * used * sum(len(after) for _, after in data.rules)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    if data.later:
        found = _infer_rules(data)
        yield RULES(
            start=data.start,
            later=data.later,
            shown=data.shown,
            rules=[f"{before} becomes {after}" for before, after in sorted(found.items())],
        )
        data = data.model_copy(update={"rules": tuple(found.items())})
    counts = {letter: data.start.count(letter) for letter, _ in data.rules}
    yield FIRST(counts=_render_counts(counts))
    if not data.first:
        for generation in range(1, data.generations + 1):
            counts = {letter: sum(counts[before] * after.count(letter) for before, after in data.rules) for letter in counts}
            yield AFTER(generations=generation, counts=_render_counts(counts))
        return
    for generations, table in enumerate(_tables(data)):
        sizes = [f"{letter} has length {size} with {among[data.letter]} {data.letter}" for letter, (size, among) in sorted(table.items())]
        yield GROWN(generations=generations, sizes=sizes)
    for letter, generations, count in _families_in_prefix(data, data.first):
        yield TAKEN(letter=letter, generations=generations, more=count, counted=data.letter)


def _render_prompt(data: Data) -> str:
    rules = "\n".join(f"{before} becomes {after}" for before, after in data.rules)
    what = f"letters {data.letter}" if data.letter else "letters"
    where = f"are among the first {data.first} letters of the word" if data.first else "does the word have"
    question = f"How many {what} {where} after {data.generations} generations?"
    return (
        f"A word grows: in each generation all its letters are replaced at the same time, by these rules:\n{rules}\n\n"
        f"The word is initially {data.start} (after 0 generations). {question}"
    )


def _render_counts(counts: dict[str, int]) -> str:
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


def _families_in_prefix(data: Data, first: int) -> list[tuple[str, int, int]]:
    """The first letters of the last word as whole families: a letter, the generations it grows, the letters counted in it."""
    tables, rules, families = _tables(data), dict(data.rules), list[tuple[str, int, int]]()
    pending = [(letter, data.generations) for letter in reversed(data.start)]
    while first and pending:
        letter, generations = pending.pop()
        size, counts = tables[generations][letter]
        if size <= first:
            first -= size
            families.append((letter, generations, counts[data.letter]))
        else:
            pending += [(after, generations - 1) for after in reversed(rules[letter])]
    return families


environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost, solution=Solution(derive, "{lead} {answer}"), concept=CONCEPT, version=5
)
