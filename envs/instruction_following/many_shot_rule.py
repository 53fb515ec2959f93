"""Infer from many examples how records are written as lines, and write one more record in the same way.

The rule is one of a family that the task tells; every rule of the family that fits the examples gives the same line.
"""

from collections.abc import Iterator
from functools import partial

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
    apply,
    describe_format,
    describe_test,
    holds,
    outcomes,
    tests,
    write,
)
from rlgym.solutions import Derivation, Solution, Step

RULE = Step(
    "Among the examples, those for which ({test}) comes out {truth}, as for the last record, have the fields {order} joined by {join}"
)
PIECE = Step("Field {field} of the last record is {value}, and {form} it is {piece}")
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
    return _sample_task(rng, knobs, "joined")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Fields inside brackets, with nothing between them."""
    return _sample_task(rng, knobs, "wrapped")


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


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    test, form = _outcomes(data)[data.right]
    order = ", ".join(NAMES[field] for field in form.order)
    step = RULE(test=describe_test(test, NAMES), truth=str(holds(test, data.query)).lower(), order=order, join=form.join)
    rule = yield step.accepting(partial(_is_rule, data))
    forms = dict(zip(form.order, form.forms, strict=True))
    for place, name in enumerate(rule["order"].split(", ")):
        field = NAMES.index(name)
        value, how = data.query[field], forms.get(field, 0)
        step = PIECE(field=name, value=value, form=describe_format(value, how), piece=write(value, how))
        yield step.accepting(partial(_is_piece, data, rule["test"], rule["join"], place, field))


def _agreeing_examples(data: Data, test: str) -> list[tuple[Record, str]]:
    """The examples for which a test, in words, comes out as for the last record."""
    read = {describe_test(test_known, NAMES): test_known for test_known in (*tests(data.query), Test(-1, 0))}[test]
    return [example for example in data.examples if holds(read, example[0]) == holds(read, data.query)]


def _is_rule(data: Data, test: str, truth: str, order: str, join: str) -> bool:
    read = {describe_test(test_known, NAMES): test_known for test_known in (*tests(data.query), Test(-1, 0))}[test]
    own, fields = _agreeing_examples(data, test), [NAMES.index(name) for name in order.split(", ")]
    return truth == str(holds(read, data.query)).lower() and bool(own) and _fits_order(own, fields, join)


def _is_piece(data: Data, test: str, join: str, place: int, due: int, /, field: str, value: str, form: str, piece: str) -> bool:
    """Whether the field, written in this form, is the piece at this place in all examples that the rule is about."""
    how = (NUMBER if data.query[due].isdigit() else TEXT).index(form)
    fits = all(_piece(line, join, place) == write(record[due], how) for record, line in _agreeing_examples(data, test))
    return (NAMES.index(field), value, piece) == (due, data.query[due], write(data.query[due], how)) and fits


def _sample_task(rng: Rng, knobs: Knobs, wrap: str) -> Task[Data]:
    left_out = int(knobs.rule == "hidden" and knobs.fields > 2)
    while True:
        kinds = [rng.chance(0.4) for _ in range(knobs.fields)]
        query = _record(rng, kinds)
        test = rng.choice(tests(query)) if knobs.rule != "plain" else Test(-1, 0)
        sides = [_format(rng, knobs.fields, wrap, left_out) for _ in range(2)]
        examples = list[tuple[Record, str]]()
        while len(examples) < 60:
            record = _record(rng, kinds)
            examples.append((record, apply(sides[holds(test, record)], record)))
            if len(examples) in ENOUGH and len(outcomes(examples, query, wrap, left_out, knobs.rule != "plain")) == 1:
                break
        else:
            continue
        for _ in range(knobs.spare):
            record = _record(rng, kinds)
            examples.append((record, apply(sides[holds(test, record)], record)))
        right = apply(sides[holds(test, query)], query)
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
    return Task(_render_prompt(data, left_out), data)


def _record(rng: Rng, kinds: list[bool]) -> Record:
    return tuple(str(rng.integer(100, 999)) if number else rng.choice(bank(Vocabulary(least=3, most=8))) for number in kinds)


def _format(rng: Rng, fields: int, wrap: str, left_out: int) -> Format:
    order = tuple(rng.sample(range(fields), fields - left_out))
    return Format(order, rng.choice(JOINS[wrap]), tuple(rng.integer(0, 6) for _ in order))


def _render_prompt(data: Data, left_out: int) -> str:
    names = ", ".join(NAMES[: len(data.query)])
    texts, numbers = "; ".join(TEXT), "; ".join(NUMBER).replace("backwards", "backwards (with zeros kept: 550 gives 055)")
    joins = ", ".join(JOINS[data.wrap])
    how = (
        f"separated by one of these: {joins}"
        if data.wrap == "joined"
        else f"each enclosed in the same one of these pairs of characters: {joins}"
    )
    kept = "all fields except one" if left_out else "all fields"
    kinds = {value.isdigit() for value in data.query}
    written = (f" A word is written in one of these ways: {texts}." if False in kinds else "") + (
        f" A number is written in one of these ways: {numbers}." if True in kinds else ""
    )
    one = (
        f"{'Each' if data.rule != 'plain' else 'The'} format writes {kept}, in a fixed order, {how}.{written} "
        "A format writes a field in the same way in every record; it may write different fields in different ways."
    )
    both = ""
    if data.rule != "plain":
        told_tests = [
            describe_test(test, ["the number" if value.isdigit() else "the word"]) for value in data.query for test in tests((value,))
        ]
        conditions = "; ".join(dict.fromkeys(told_tests))
        both = f" There are two formats; one condition on one field of the record decides which is used. The condition is one of these: {conditions}."
    lines = "\n".join(f"{', '.join(record)} => {line}" for record, line in data.examples)
    return (
        f"A rule turns records with the fields {names} into lines by writing their fields in a format. {one}{both} Each example shows a "
        f"record, an arrow and the line of that record:\n\n{lines}\n\n"
        "What line does the same rule make from this record? All rules that fit the examples make the same one.\n"
        f"{', '.join(data.query)}"
    )


def _outcomes(data: Data) -> dict[str, tuple[Test, Format]]:
    return outcomes(data.examples, data.query, data.wrap, int(data.rule == "hidden" and len(data.query) > 2), data.rule != "plain")


def _solutions(task: Task[Data]) -> Iterator[str]:
    yield from _outcomes(task.data)


def _piece(line: str, join: str, place: int) -> str:
    """The piece at a place of a line."""
    pieces = line[1:-1].split(join[1] + join[0]) if join in JOINS["wrapped"] else line.split(join)
    return pieces[place]


def _fits_order(own: list[tuple[Record, str]], order: list[int], join: str) -> bool:
    """Whether the lines have as many pieces as the order has fields, and each may come from its field."""
    return all(
        _piece(line, join, place) in [write(record[field], how) for how in range(7)]
        for record, line in own
        for place, field in enumerate(order)
    )


environment = Environment(
    Knobs, Text("the line"), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "So the line is: {answer}", whole=True), answers="unique", solutions=_solutions,
    concept="Match each piece of the lines with the one field and way of writing that fits all examples; where none fits all, look for what parts them.",
    version=5,
)  # fmt: skip
