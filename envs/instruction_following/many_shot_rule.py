"""Infer from many examples how records are written as lines, and write one more record in the same way.

The rule is one of a family that the task tells; every rule of the family that fits the examples gives the same line.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.constraints.compose import Vocabulary, bank
from rlgym.generators.constraints.formats import (
    JOINS,
    NUMBER,
    TEXT,
    Format,
    Record,
    Test,
    applied,
    form_told,
    holds,
    outcomes,
    test_told,
    tests,
    written,
)
from rlgym.generators.steps import Line, ended, first_wrong

RULE = Line(
    "Among the examples, those for which ({test}) comes out {truth}, as for the last record, have the fields {order} joined by {join}"
)
PIECE = Line("Field {field} of the last record is {value}, and {form} it is {piece}")
LAST = "So the line is: "
ENOUGH = (4, 7, 10, 14, 19, 25, 32, 45, 60)
"""Numbers of examples after which it is looked whether they settle the line."""
NAMES = ("A", "B", "C", "D", "E")


class Knobs(Config):
    fields: int = knob(3, easy=2, hard=5, doc="fields of a record")
    spare: int = knob(4, easy=8, hard=0, doc="examples beyond those that settle the line")
    rule: str = knob(
        "condition",
        easy="plain",
        hard="hidden",
        order=("plain", "condition", "hidden"),
        doc="one format, two by a condition, or two that leave a field out",
    )


class Data(TaskData):
    examples: tuple[tuple[tuple[str, ...], str], ...]
    query: tuple[str, ...]
    wrap: str
    rule: str
    right: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, "joined")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Fields inside brackets, with nothing between them."""
    return _made(rng, knobs, "wrapped")


def solve(task: Task[Data]) -> str:
    # The rules that fit the examples are searched; `generate` drew one and made the examples by it.
    return next(_solutions(task))


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.right, "the line is another one")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    plain = JOINS[data.wrap][0].join(data.query) if data.wrap == "joined" else " ".join(data.query)
    return [plain, data.examples[-1][1], right.swapcase(), right[::-1], right + right[-1], right[1:] or "none", right.upper()]


def cost(task: Task[Data]) -> float:
    data = task.data
    possible = len(tests(data.query)) if data.rule != "plain" else 1
    return float(possible * len(data.query) ** 2 * len(TEXT) * (1 + (data.rule == "hidden")) / 10 + len(data.examples) / 10)


def explain(task: Task[Data]) -> list[str]:
    test, form = _outcomes(task.data)[task.data.right]
    order = ", ".join(NAMES[field] for field in form.order)
    steps = [RULE.write(test=test_told(test, NAMES), truth=str(holds(test, task.data.query)).lower(), order=order, join=form.join)]
    for field, how in zip(form.order, form.forms, strict=True):
        value = task.data.query[field]
        steps.append(PIECE.write(field=NAMES[field], value=value, form=form_told(value, how), piece=written(value, how)))
    return [*steps, LAST + solve(task)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    own, order = list[tuple[Record, str]](), list[int]()
    chosen: list[tuple[int, int]] = []
    join = ""

    def follows(step: str) -> bool:
        nonlocal own, order, join
        if said := RULE.read(step):
            told = {test_told(test, NAMES): test for test in (*tests(data.query), Test(-1, 0))}
            test, join, order = told[said["test"]], said["join"], [NAMES.index(name) for name in said["order"].split(", ")]
            own = [example for example in data.examples if holds(test, example[0]) == holds(test, data.query)]
            return said["truth"] == str(holds(test, data.query)).lower() and bool(own) and _ordered(own, order, join)
        said = PIECE.read(step) or {}
        field = NAMES.index(said["field"])
        told_forms = NUMBER if data.query[field].isdigit() else TEXT
        how = told_forms.index(said["form"])
        place = len(chosen)
        chosen.append((field, how))
        same = all(_piece(line, join, place) == written(record[field], how) for record, line in own)
        return order[place] == field and said["value"] == data.query[field] and said["piece"] == written(data.query[field], how) and same

    def ends(step: str) -> bool:
        return len(chosen) == len(order) and ended(LAST, task, environment.answer, verify)(step)

    return first_wrong(steps, follows, ends)


def _made(rng: Rng, knobs: Knobs, wrap: str) -> Task[Data]:
    left_out = int(knobs.rule == "hidden" and knobs.fields > 2)
    while True:
        kinds = [rng.chance(0.4) for _ in range(knobs.fields)]
        query = _record(rng, kinds)
        test = rng.choice(tests(query)) if knobs.rule != "plain" else Test(-1, 0)
        sides = [_format(rng, knobs.fields, wrap, left_out) for _ in range(2)]
        examples = list[tuple[Record, str]]()
        while len(examples) < 60:
            record = _record(rng, kinds)
            examples.append((record, applied(sides[holds(test, record)], record)))
            if len(examples) in ENOUGH and len(outcomes(examples, query, wrap, left_out, knobs.rule != "plain")) == 1:
                break
        else:
            continue
        for _ in range(knobs.spare):
            record = _record(rng, kinds)
            examples.append((record, applied(sides[holds(test, record)], record)))
        right = applied(sides[holds(test, query)], query)
        lines = {line for _, line in examples}
        if (
            right not in lines
            and len(lines) > 2
            and query not in [record for record, _ in examples]
            and len(set(right)) > 2
            and right[0] not in "\"'`"
        ):
            break
    shown = rng.shuffled(examples)
    data = Data(examples=tuple(shown), query=query, wrap=wrap, rule=knobs.rule, right=right)
    return Task(_prompt(data, left_out), data)


def _record(rng: Rng, kinds: list[bool]) -> Record:
    return tuple(str(rng.integer(100, 999)) if number else rng.choice(bank(Vocabulary(least=3, most=8))) for number in kinds)


def _format(rng: Rng, fields: int, wrap: str, left_out: int) -> Format:
    order = tuple(rng.sample(range(fields), fields - left_out))
    return Format(order, rng.choice(JOINS[wrap]), tuple(rng.integer(0, 6) for _ in order))


def _prompt(data: Data, left_out: int) -> str:
    names = ", ".join(NAMES[: len(data.query)])
    texts, numbers = ", ".join(TEXT), ", ".join(NUMBER)
    told = ", ".join(JOINS[data.wrap])
    how = (
        f"with one of these between neighbours: {told}"
        if data.wrap == "joined"
        else f"each between the two signs of one of these pairs: {told}"
    )
    kept = "all fields but one" if left_out else "all fields"
    one = (
        f"A format writes {kept}, in an order of its own, {how}. Words are written in one of these ways: {texts}. Numbers are written in one of these: "
        f"{numbers}. Each field has its own way in a format."
    )
    both = ""
    if data.rule != "plain":
        told_tests = [
            test_told(test, ["the number" if value.isdigit() else "the word"]) for value in data.query for test in tests((value,))
        ]
        conditions = ", or that ".join(dict.fromkeys(told_tests))
        both = f" There are two formats. Which of them is used depends on one condition on one field of the record: that {conditions}."
    lines = "\n".join(f"{', '.join(record)} => {line}" for record, line in data.examples)
    return (
        f"Records have the fields {names}, shown in this order before the arrow. A rule makes a line from each record. {one}{both} Examples:\n\n{lines}\n\n"
        f"Which line does the same rule make from this record?\n{', '.join(data.query)}"
    )


def _outcomes(data: Data) -> dict[str, tuple[Test, Format]]:
    return outcomes(data.examples, data.query, data.wrap, int(data.rule == "hidden" and len(data.query) > 2), data.rule != "plain")


def _solutions(task: Task[Data]) -> Iterator[str]:
    yield from _outcomes(task.data)


def _piece(line: str, join: str, place: int) -> str:
    """The piece at a place of a line."""
    pieces = line[1:-1].split(join[1] + join[0]) if join in JOINS["wrapped"] else line.split(join)
    return pieces[place]


def _ordered(own: list[tuple[Record, str]], order: list[int], join: str) -> bool:
    """Whether the lines have as many pieces as the order has fields, and each may come from its field."""
    return all(
        _piece(line, join, place) in [written(record[field], how) for how in range(7)]
        for record, line in own
        for place, field in enumerate(order)
    )


environment = Environment(
    Knobs,
    Text("the line"),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    answers="unique",
    solutions=_solutions,
    concept="Match each piece of the lines with the one field and way of writing that fits all examples; where none fits all, look for what parts them.",
)
