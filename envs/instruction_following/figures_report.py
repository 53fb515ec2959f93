"""Write a short report on a table: each requested finding in a sentence of its own, after corrections of the table.

The figures come from a table and from notes that correct it one after the other. The text is free; a sentence counts only if it states one
finding, and no sentence may have any other figure.
"""

import itertools
import re
from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.writing.composing import compose, grouped, in_words, write_sentence
from rlgym.rubrics import Fact, FactSheet, NoContradiction, Nugget, Rubric, Term, checks
from rlgym.solutions import Derivation, Solution, Step

BRANCHES = "Harbour Mill Quay Castle Bridge Orchard Station Abbey Canal Chapel".split()
MONTHS = "January February March April June July August September".split()
LIBRARIES = "Northfield Eastgate Westbrook Southwick Hillside Lakeview Riverside Oldtown Newport Kingsway".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
TOTAL = ("total", "totals", "totalled", "totaled", "altogether", "sum", "overall", "combined")
RISE = ("rise", "rose", "risen", "increase", "increased", "grew", "growth", "gained", "climbed", "up")
FALL = ("fall", "fell", "fallen", "decrease", "decreased", "shrank", "drop", "dropped", "declined", "decline", "down")
AHEAD = ("ahead", "more than", "lead", "leads", "led", "beat", "beats", "exceeds", "exceeded", "outsold")
WORDS = {
    "best": ("best", "strongest", "highest", "peak", "top", "busiest", "leading"),
    "worst": ("worst", "weakest", "lowest", "quietest", "least", "poorest"),
}
SENTENCES = {
    "total": (
        "{who} came to a total of {n} {unit}.", "In total, {who} recorded {n} {unit}.", "The total for {who} was {n} {unit}.",
        "Altogether {who} reported {n} {unit}.", "For {who} the sum was {n}.",
    ),
    "rise": (
        "The change at {who} was a rise of {n} {unit}.", "{who} grew by {n} {unit} from the first to the last column.",
        "By the end {who} had gained {n} {unit}.", "At {who} we saw an increase of {n}.",
    ),
    "fall": (
        "The change at {who} was a fall of {n} {unit}.", "{who} dropped by {n} {unit} from the first to the last column.",
        "By the end {who} had declined by {n} {unit}.", "At {who} we saw a decrease of {n}.",
    ),
    "best": (
        "{when} was the best for {who}, with {n} {unit}.", "The highest figure of {who} was {n}, reached on the sheet for {when}.",
        "{who} was at its peak in the column of {when}, with {n} {unit}.", "With {n} {unit}, {when} was the strongest for {who}.",
    ),
    "worst": (
        "{when} was the worst for {who}, with {n} {unit}.", "The lowest figure of {who} was {n}, found on the sheet for {when}.",
        "{who} was at its weakest in the column of {when}, with {n} {unit}.", "With {n} {unit}, {when} was the quietest for {who}.",
    ),
    "ahead": (
        "{who} is ahead of {other} by {n} {unit}.", "{who} leads {other} by {n} {unit}.", "{who} exceeded {other} by {n}.",
        "In the end {who} beat {other} by a margin of {n} {unit}.",
    ),
}  # fmt: skip
OPENINGS = ("Here is the report that you requested.", "These are the corrected findings.", "This report follows the corrected table.")
CLOSINGS = ("The notes have been taken into account.", "All corrections are included.", "I hope that this helps.")
FOUND = Step("By the corrected table, the result for {name} is {result}.")


class Knobs(Config):
    branches: int = knob(5, easy=3, hard=9, doc="rows of the table")
    periods: int = knob(4, easy=3, hard=7, doc="columns of the table")
    findings: int = knob(4, easy=2, hard=9, doc="findings that the report states")
    notes: int = knob(2, easy=0, hard=8, doc="corrections of the table, applied in order")


class Data(TaskData):
    sheet: FactSheet
    results: tuple[tuple[str, str], ...]
    """Each requested finding with its result in words."""
    most_words: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, rng.sample(BRANCHES, knobs.branches), MONTHS[: knobs.periods], "units", "best")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Loans of libraries by weekday, and the lowest figures instead of the highest."""
    return _sample_task(rng, knobs, rng.sample(LIBRARIES, knobs.branches), DAYS[: knobs.periods], "loans", "worst")


def solve(task: Task[Data]) -> str:
    return _written(task.prompt, 0)


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    facts = {fact.name: fact for fact in data.sheet.facts}
    nuggets = [Nugget(name=name, fact=facts[name], sheet=data.sheet) for name, _ in data.results]
    rubric = Rubric(
        (
            checks.max_words(data.most_words), checks.prose(), *nuggets, NoContradiction(name="no other figure", sheet=data.sheet),
            checks.each_once(data.sheet), checks.only_these(data.sheet, [name for name, _ in data.results]),
        )
    )  # fmt: skip
    return rubric.score(answer)


def mistakes(task: Task[Data], right: str) -> list[str]:
    uncorrected = _written(re.sub(r"\d+\. .*\n?", "", task.prompt), 0)
    sentences = re.split(r"(?<=\.)\s+", right)
    numbers = re.findall(r"\d[\d,]*", right)
    wrong = right.replace(numbers[0], str(int(numbers[0].replace(",", "")) + 1), 1) if numbers else ""
    listed = " ".join(f"{name}: {result}." for name, result in task.data.results)
    return [text for text in (uncorrected, wrong, listed, " ".join(sentences[1:-2]), f"{right} Another figure was 7 units.") if text]


def cost(task: Task[Data]) -> float:
    cells = len(re.findall(r"\d+", task.prompt.partition("\n\n")[2]))
    return float(cells + 6 * len(task.data.results) + 8 * len(re.findall(r"^\d+\. ", task.prompt, re.MULTILINE)))


def derive(task: Task[Data]) -> Derivation:
    for name, result in task.data.results:
        yield FOUND(name=name, result=result)


def _sample_task(rng: Rng, knobs: Knobs, rows: list[str], columns: list[str], unit: str, extreme: str) -> Task[Data]:
    while True:
        true = {(row, column): rng.integer(30, 400) for row in rows for column in columns}
        shown, notes = dict(true), list[str]()
        for _ in range(knobs.notes):  # from the last note back to the first, each undone
            notes.insert(0, _corrupt(rng, shown, rows, columns, unit))
        facts = _facts(true, rows, columns, extreme)
        chosen = rng.sample(facts, min(len(facts), knobs.findings))
        if min(shown.values()) > 0 and len({name for name, _, _ in chosen}) == len(chosen) and all(fact for _, fact, _ in chosen):
            break
    sheet = FactSheet(
        facts=tuple(fact for _, fact, _ in facts if fact),
        vocabulary=tuple(Term(aliases=words) for words in _vocabulary(rows, columns, extreme)),
    )
    results = tuple((name, result) for name, _, result in chosen)
    most = 22 * len(chosen) + 40
    header = f"{'':<11}" + "".join(f"{column:>11}" for column in columns)
    table = "\n".join([header, *(f"{row:<11}" + "".join(f"{shown[row, column]:>11}" for column in columns) for row in rows)])
    listed = "\n".join(f"{k}. {note}" for k, note in enumerate(notes, 1))
    corrections = f"\n\nCorrect the table by these notes, one after the other in this order:\n{listed}" if notes else ""
    what = "the months" if unit == "units" else "the days"
    asked = "\n".join(f"- {name}" for name, _ in results)
    changes = any(name.endswith("last column") for name, _ in results)
    between = f"; a rise or fall is stated without {what} that it is between" if changes else ""
    prompt = (
        f"This table shows {unit} by {'branch and month' if unit == 'units' else 'library and day'}.\n\n{table}{corrections}\n\n"
        f"Write a short report in plain sentences that states these findings:\n{asked}\n\n"
        f"Each finding gets exactly one sentence, which names what stands before the colon, uses the key word after it or a synonym, gives the result, "
        f"and has no other {'branch, month' if unit == 'units' else 'library, day'} or number, in figures or in words{between}. Figures are exact. "
        f"Other sentences are allowed, but they have no figures and do not speak of {what} or the rows. "
        f"The report has at most {most} words and no lists or tables."
    )
    return Task(prompt, Data(sheet=sheet, results=results, most_words=most))


def _vocabulary(rows: list[str], columns: list[str], extreme: str) -> list[tuple[str, ...]]:
    return [*((name,) for name in (*rows, *columns)), TOTAL, RISE, FALL, AHEAD, WORDS[extreme]]


def _corrupt(rng: Rng, shown: dict[tuple[str, str], int], rows: list[str], columns: list[str], unit: str) -> str:
    """Undo one correction in the table, and say how to make it."""
    (row, other), (column, second), kind = rng.sample(rows, 2), rng.sample(columns, 2), rng.integer(0, 4)
    if kind == 0:
        shown[row, column], shown[row, second] = shown[row, second], shown[row, column]
        return f"The figures of {row} for {column} and {second} were swapped."
    if kind == 1:
        for each in columns:
            shown[row, each], shown[other, each] = shown[other, each], shown[row, each]
        return f"The rows of {row} and {other} were mixed up: each holds the figures of the other."
    if kind == 2:
        for each in rows:
            shown[each, column], shown[each, second] = shown[each, second], shown[each, column]
        return f"The columns of {column} and {second} were mixed up: each holds the figures of the other."
    moved = rng.integer(3, 25)
    if kind == 3:
        shown[row, column] += moved
        shown[other, column] -= moved
        return f"The figure of {row} for {column} holds {moved} {unit} that belong to {other} for {column}."
    for each in columns:
        shown[row, each] -= moved
    return f"Every figure of {row} is {moved} {unit} too low."


def _facts(true: dict[tuple[str, str], int], rows: list[str], columns: list[str], extreme: str) -> list[tuple[str, Fact | None, str]]:
    """(name, fact, result in words) of every finding; the fact is None where a tie leaves it open."""
    best, found = max if extreme == "best" else min, list[tuple[str, Fact | None, str]]()
    totals = {row: sum(true[row, column] for column in columns) for row in rows}

    def add(name: str, keys: int, terms: tuple[tuple[str, ...], ...], result: str, clear: bool = True, ordered: int = 0) -> None:
        fact = Fact(name=name, terms=tuple(Term(aliases=words) for words in terms), keys=keys, ordered=ordered)
        found.append((name, fact if clear else None, result))

    for row in rows:
        add(f"{row}: total", 2, ((row,), TOTAL, (str(totals[row]),)), str(totals[row]))
        change = true[row, columns[-1]] - true[row, columns[0]]
        name = f"{row}: rise or fall from the first to the last column"
        add(
            name,
            1,
            ((row,), RISE if change > 0 else FALL, (str(abs(change)),)),
            f"{'rise' if change > 0 else 'fall'} of {abs(change)}",
            change != 0,
        )
        values = [true[row, column] for column in columns]
        at = columns[values.index(best(values))]
        name = f"{row}: {'best month' if extreme == 'best' else 'worst day'}, with its figure"
        terms = ((row,), WORDS[extreme], (at,), (str(best(values)),))
        add(name, 2, terms, f"{at} with {best(values)}", values.count(best(values)) == 1)
    for column in columns:
        total = sum(true[row, column] for row in rows)
        add(f"{column}: total", 2, ((column,), TOTAL, (str(total),)), str(total))
    for row, other in itertools.pairwise(rows):
        first, second = (row, other) if totals[row] > totals[other] else (other, row)
        terms, gap = ((first,), AHEAD, (second,), (str(totals[first] - totals[second]),)), totals[first] - totals[second]
        name = f"{row} and {other}: the one with more over all columns, named first, is ahead of the other, and by how much"
        add(name, 3, terms, f"{first} by {gap}", gap != 0, ordered=4)
    return found


def _written(prompt: str, key: int) -> str:
    """A report, from what the prompt shows: the notes are applied cell by cell, and each finding is read off the corrected table."""
    rng, lines = Rng("report", key, prompt), prompt.split("\n")
    top = next(i for i, line in enumerate(lines) if line.startswith("   "))
    columns, table = lines[top].split(), dict[tuple[str, str], int]()
    for line in lines[top + 1 :]:
        if not line:
            break
        row, *cells = line.split()
        table.update({(row, column): int(cell) for column, cell in zip(columns, cells)})
    for line in lines:
        if re.match(r"\d+\. ", line):
            table = _corrected(table, line.partition(". ")[2])
    unit = "units" if " units " in lines[0] else "loans"
    sentences = [_finding(rng, table, line[2:], columns, unit, key) for line in lines if line.startswith("- ")]
    return compose(rng, rng.shuffled(sentences) if key else sentences, OPENINGS, CLOSINGS)


def _corrected(table: dict[tuple[str, str], int], note: str) -> dict[tuple[str, str], int]:
    if match := re.match(r"The figures of (\w+) for (\w+) and (\w+) were", note):
        swap = {(match[1], match[2]): (match[1], match[3]), (match[1], match[3]): (match[1], match[2])}
    elif match := re.match(r"The rows of (\w+) and (\w+)", note):
        other = {match[1]: match[2], match[2]: match[1]}
        swap = {(row, column): (other.get(row, row), column) for row, column in table}
    elif match := re.match(r"The columns of (\w+) and (\w+)", note):
        other = {match[1]: match[2], match[2]: match[1]}
        swap = {(row, column): (row, other.get(column, column)) for row, column in table}
    elif match := re.match(r"The figure of (\w+) for (\w+) holds (\d+) \w+ that belong to (\w+)", note):
        change = {(match[1], match[2]): -int(match[3]), (match[4], match[2]): int(match[3])}
        return {cell: value + change.get(cell, 0) for cell, value in table.items()}
    else:
        row, many = re.findall(r"of (\w+) is (\d+)", note)[0]
        return {cell: value + int(many) * (cell[0] == row) for cell, value in table.items()}
    return {cell: table[swap.get(cell, cell)] for cell in table}


def _finding(rng: Rng, table: dict[tuple[str, str], int], name: str, columns: list[str], unit: str, key: int) -> str:
    who, _, what = name.partition(": ")
    number = (str, grouped, in_words)[key % 3]
    if what == "total":
        total = sum(value for cell, value in table.items() if who in cell)
        return write_sentence(rng, SENTENCES, "total", who=who, n=number(total), unit=unit)
    if what.startswith("rise"):
        change = table[who, columns[-1]] - table[who, columns[0]]
        return write_sentence(rng, SENTENCES, "rise" if change > 0 else "fall", who=who, n=number(abs(change)), unit=unit)
    if " and " in who:
        pair = sorted(who.split(" and "), key=lambda row: -sum(table[row, column] for column in columns))
        gap = sum(table[pair[0], column] - table[pair[1], column] for column in columns)
        return write_sentence(rng, SENTENCES, "ahead", who=pair[0], other=pair[1], n=number(gap), unit=unit)
    best = what.startswith("best")
    when = (max if best else min)(columns, key=lambda column: table[who, column])
    return write_sentence(rng, SENTENCES, "best" if best else "worst", who=who, when=when, n=number(table[who, when]), unit=unit)


def _solutions(task: Task[Data]) -> Iterator[str]:
    yield from (_written(task.prompt, key) for key in range(1, 6))


environment = Environment(
    Knobs, Passage("the report"), generate, solve, verify, mistakes, cost,
    shift=shift, answers="many", solutions=_solutions, solution=Solution(derive, "So this report states all findings:\n{answer}"),
    concept="Correct the table note by note first; then read off each finding and give it a sentence of its own.",
)  # fmt: skip
