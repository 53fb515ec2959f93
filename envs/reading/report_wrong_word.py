"""Find the one wrong word or number of a report, and tell what should stand there.

A table tells the truth, or a part of it, or there is none: then only the sentences together tell which of them cannot be right. Of all replacements
of a single word or number, one alone makes the report true. The knob `errors` chooses whether a number, a name, a comparison or any of these is wrong.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import stories
from rlgym.generators.algebra.eliminations import rank
from rlgym.generators.algebra.linear import solve_linear
from rlgym.generators.facts import passage, read_statements, reports
from rlgym.generators.facts.reports import COMPARISONS, ERRORS, MULTIPLES, SEASONS, Statement
from rlgym.generators.text.english import join_words
from rlgym.solutions import Derivation, Solution, Step, any_order

SUPPOSE = Step("Suppose that sentence {at:int} is the wrong one, and believe the others.")
GIVES = Step("{combination} gives {value:int} for {who}.")
HOLDS = Step("Sentence {at:int} holds: {terms} = {value:int}.")
FAILS = Step("Sentence {at:int} fails: {terms} = {value:int}, and it says {said:int}.")
FIXED = Step("With {right} instead of {wrong} it holds, and no other change of one word or number makes it hold.")


class Knobs(Config):
    people: int = knob(6, easy=3, hard=9, beyond=14, doc="people of whom the report tells")
    sentences: int = knob(
        12, easy=5, hard=18, beyond=30, doc="sentences of the report where there is a table; without one there are five more than amounts"
    )
    table: str = knob("part", easy="whole", hard="none", order=("whole", "part", "none"), doc="how much of the truth a table shows")
    forms: str = knob("compared", easy="plain", hard="joint", order=("plain", "compared", "joint"), doc="what sentences compare")
    errors: str = knob("any", easy="number", hard="any", order=("name", "number", "any", "word"), doc="what may be wrong")


class Data(TaskData):
    statements: tuple[Statement, ...]
    people: tuple[str, ...]
    amounts: tuple[str, ...]
    shown: dict[str, int]
    at: int
    gap: str
    right: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, tuple(stories.people(rng, knobs.people)), ())


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Half as many people, who each sold something in spring and in autumn, so that a season may be the wrong word."""
    return _sample_task(rng, knobs, tuple(stories.people(rng, max(2, (knobs.people + 1) // 2))), SEASONS)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_solutions(task))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    wrong = data.statements[data.at].gaps[data.gap].lower()
    kind = next(name for name, gaps in ERRORS.items() if data.gap in gaps)
    if len(answer) != 3:
        return Score.wrong("the answer must have three parts: the sentence number, the wrong word or number, and the original one")
    if answer[0] != str(data.at + 1):
        return Score.wrong("this sentence is not the wrong one", **{f"wrong_{kind}": 0.0})
    if answer[1] != wrong:
        return Score.wrong("the sentence is wrong, but this is not what is wrong in it", **{f"wrong_{kind}": 0.0})
    found = answer[2] == data.right.lower()
    return Score.exact(found, "this is wrong, but something else stood there before", **{f"wrong_{kind}": float(found)})


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    last = len(data.statements)
    at, wrong, other = right
    others = [word.lower() for word in data.statements[data.at].gaps.values() if word.lower() != wrong]
    return [
        (at, other, wrong),
        (str(1 + (data.at + 1) % last), wrong, other),
        *((at, word, other) for word in others),
        (at, wrong, str(int(other) + 1) if other.isdigit() else wrong),
        (wrong, other),
    ]


def cost(task: Task[Data]) -> float:
    hidden = len(task.data.amounts) - len(task.data.shown)
    return len(task.data.statements) * (3 + hidden) ** 2


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    rows = [reports.equation(statement, data.amounts) for statement in data.statements]
    values: dict[str, int] = dict(data.shown)
    if len(values) < len(data.amounts):
        yield SUPPOSE(at=data.at + 1)
        others = [(f"[{at}]", row) for at, row in enumerate(rows, 1) if at - 1 != data.at]
        table = [(f"{name} {amount}", reports.is_amount(name, amount, data.amounts)) for name, amount in data.shown.items()]
        chosen = _independent([*table, *others])
        for k, name in enumerate(data.amounts):
            if name not in values:
                combined = solve_linear([[*(row[j] for _, row in chosen), int(j == k)] for j in range(len(data.amounts))])
                values[name] = int(sum(factor * row[-1] for factor, (_, row) in zip(combined, chosen)))
                parts = [(factor, label) for factor, (label, _) in zip(combined, chosen) if factor]
                yield GIVES(combination=_join_terms(parts), value=values[name], who=name)
    holds = list[object]()
    for at, row in enumerate(rows, 1):
        terms = _join_terms([(Fraction(factor), str(values[name])) for factor, name in zip(row, data.amounts) if factor])
        value = sum(factor * values[name] for factor, name in zip(row, data.amounts))
        if at - 1 == data.at:
            failed = FAILS(at=at, terms=terms, value=value, said=row[-1])
        else:
            holds.append(HOLDS(at=at, terms=terms, value=value))
    yield from any_order(holds)  # type: ignore[arg-type]
    yield failed
    yield FIXED(right=data.right, wrong=data.statements[data.at].gaps[data.gap])


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """All changes of one word or number that make the report true, from what the prompt shows."""
    head, _, report = task.prompt.partition("The report:")
    seasons = "in autumn" in head
    people = tuple(head.partition("The people are ")[2].partition(".")[0].replace(" and ", ", ").split(", "))
    amounts = [f"{name} in {season}" for name in people for season in SEASONS] if seasons else list(people)
    shown = [(name, int(number)) for name, _, number in (line.partition(": ") for line in head.split("\n")) if name in amounts]
    statements = [
        Statement(kind=kind, gaps=gaps) for _, (kind, gaps) in read_statements(report, reports.SEASONAL if seasons else reports.BANK)
    ]
    rows = [reports.equation(statement, amounts) for statement in statements]
    table = [reports.is_amount(name, number, amounts) for name, number in shown]
    for at, statement in enumerate(statements):
        try:
            found = solve_linear([*table, *rows[:at], *rows[at + 1 :]])
        except ValueError:  # without this sentence the others still contradict each other
            continue
        for gap, word in reports.repairs(statement, dict(zip(amounts, found)), people):
            yield str(at + 1), statement.gaps[gap].lower(), word.lower()


def _independent(rows: Sequence[tuple[str, list[int]]]) -> list[tuple[str, list[int]]]:
    """The first labelled equations that do not follow from those before them."""
    out = list[tuple[str, list[int]]]()
    for label, row in rows:
        if rank([chosen[:-1] for _, chosen in out] + [row[:-1]]) > len(out):
            out.append((label, row))
    return out


def _join_terms(parts: Sequence[tuple[Fraction, str]]) -> str:
    out = ""
    for factor, what in parts:
        sign = ("-" if factor < 0 else "") if not out else " - " if factor < 0 else " + "
        out += sign + (what if abs(factor) == 1 else f"{abs(factor)} x {what}")
    return out


def _sample_task(rng: Rng, knobs: Knobs, people: tuple[str, ...], seasons: tuple[str, ...]) -> Task[Data]:
    amounts = tuple(f"{name} in {season}" for name in people for season in seasons) or people
    told = {"whole": len(amounts), "part": len(amounts) // 2, "none": 0}[knobs.table]
    size = len(amounts) + 5 if not told else max(knobs.sentences, len(amounts) - told + 5)
    for attempt in range(10**4):
        values = dict(zip(amounts, rng.sample(range(3, 13 + 4 * len(amounts)), len(amounts))))
        shown = {name: values[name] for name in sorted(rng.sample(amounts, told), key=amounts.index)}
        table = [reports.is_amount(name, number, amounts) for name, number in shown.items()]
        true = reports.sample_statements(rng, knobs.forms, values, size)
        kind = rng.choice(list(ERRORS)) if knobs.errors == "any" else knobs.errors
        # Few people allow few sentences, and not always every error.
        error = reports.sample_error(rng, kind if attempt < 20 else "number", true, values, people)
        if error is None:
            continue
        at, gap, wrong = error
        statements = [*true[:at], wrong, *true[at + 1 :]]
        least = len(amounts) // 3 if knobs.forms == "joint" and not table and attempt < 12 else 0
        if reports.is_found(at, [reports.equation(statement, amounts) for statement in statements], table, least):
            break
    else:
        raise AssertionError("unreachable: an error of a number can be found in nearly every report")
    data = Data(statements=tuple(statements), people=people, amounts=amounts, shown=shown, at=at, gap=gap, right=true[at].gaps[gap])
    return Task(_render(rng, data, bool(seasons)), data)


def _render(rng: Rng, data: Data, seasons: bool) -> str:
    said = {word for statement in data.statements for word in statement.gaps.values()}
    changes = [
        *(["a number became another whole number of at least 1"] if any(word.isdigit() for word in said) else []),
        "a name became another of the names above",
        *(['"more" became "fewer" or "fewer" became "more"'] if said & {*COMPARISONS} else []),
        *(['one of the words "half", "twice" and "thrice" became another of them'] if said & {*MULTIPLES} else []),
        *(["one season became the other"] if seasons else []),
    ]
    bank = reports.SEASONAL if seasons else reports.BANK
    report = passage(rng, [bank.say(rng, statement.kind, **statement.gaps) for statement in data.statements], 50, 50)
    complete = len(data.shown) == len(data.amounts)
    listed = "\n".join(f"{name}: {number}" for name, number in data.shown.items())
    table = f" These sales are right{'' if complete else ', and the others are not known'}:\n{listed}" if listed else ""
    return (
        f"A report tells how many jars of honey some people sold{' in spring and in autumn' if seasons else ''}. The people are "
        f"{join_words(data.people)}.{table}\n\nThe report:\n{report}\n\n"
        f"When the report was copied, exactly one word or number in it was changed: {', '.join(changes[:-1])}, or {changes[-1]}. Before that, every "
        f"sentence was true. Only one such change is consistent with the {'sales listed above and the ' if listed else ''}other sentences. Give the number in "
        "brackets before the wrong sentence, then the wrong word or number in it, then the original one."
    )


environment = Environment(
    Knobs, Words("the sentence number, the wrong word or number and the original one, separated by spaces", max_items=12, ignore_case=True, allow_label=True),
    generate, solve, verify, mistakes, cost,
    shift=shift, version=3, solution=Solution(derive, "Answer: {answer}"), answers="unique", solutions=_solutions,
    concept="Write each sentence as an equation: the others agree only without the wrong one, and they tell what it should say.",
)  # fmt: skip
