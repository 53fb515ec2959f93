"""Find the missing picture of a matrix in which every feature follows a rule of its own along the rows."""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.solutions import Checks, Derivation, Solution, Step

Row = tuple[int, int, int]
FEATURES = {
    "shape": ("circle", "square", "triangle", "star", "cross", "ring", "heart"),
    "colour": ("white", "red", "green", "blue", "black", "brown", "grey"),
    "size": ("tiny", "small", "middling", "large", "huge", "vast", "endless"),
    "border": ("none", "dotted", "dashed", "thin", "thick", "double", "wavy"),
    "place": ("top", "corner", "left", "centre", "right", "edge", "bottom"),
    "count": ("one", "two", "three", "four", "five", "six", "seven"),
}
RULES = ("same", "step", "sum", "set", "difference")
TOLD = {
    "same": "same: all three numbers of a row are the same",
    "step": "step k, for one k from 1 to {last} that holds for all rows: each number of a row but the first is k more than the one before it",
    "sum": "sum: the third number of a row is the sum of the first and the second",
    "set": "set: each row holds the same three different numbers, in any order",
    "difference": "difference: the third number of a row is the first minus the second",
}
FITS = Step("{feature}: {rule} fits row {row:int} with the numbers {numbers}")
FILLS = Step("{feature}: in row {row:int} {rule} asks for {number:int}, which is {value}")
END = "The missing picture: {answer}"
ANSWER = Words("the values of the missing picture in that order, separated by spaces", max_items=12, ignore_case=True)
CONCEPT = "Take one feature at a time, write its numbers down, and see which rules both whole rows allow."


class Knobs(Config):
    features: int = knob(3, easy=2, hard=6, doc="how many features a picture has")
    rules: int = knob(3, easy=2, hard=5, doc="how many kinds of rules there are")
    values: int = knob(5, easy=4, hard=7, doc="different values of each feature")


class Data(TaskData):
    features: tuple[str, ...]
    rules: int
    ways: int
    rows: tuple[tuple[Row, ...], ...]  # for each feature the numbers row by row, -1 for the missing one
    missing: tuple[int, int]
    right: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The last picture of the last row is missing."""
    return _sample_task(rng, knobs, (2, 2))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A picture in the first two columns is missing, so that rules are read backwards."""
    return _sample_task(rng, knobs, (rng.integer(0, 2), rng.integer(0, 1)))


def _sample_task(rng: Rng, knobs: Knobs, missing: tuple[int, int]) -> Task[Data]:
    features = tuple(rng.sample(tuple(FEATURES), knobs.features))
    data = Data(features=features, rules=knobs.rules, ways=knobs.values, rows=(), missing=missing, right=())
    rows, right = [], []
    for feature in features:
        while True:
            rule_rows = _sample_rows(rng, rng.choice(RULES[: knobs.rules]), knobs.values)
            shown = tuple(tuple(-1 if (r, c) == missing else value for c, value in enumerate(row)) for r, row in enumerate(rule_rows))
            sound = tuple((a, b, c) for a, b, c in shown)
            if {value for _, value in _fitting_rules(data, sound)} == {rule_rows[missing[0]][missing[1]]}:
                break
        rows.append(sound)
        right.append(FEATURES[feature][rule_rows[missing[0]][missing[1]]])
    data = data.model_copy(update={"rows": tuple(rows), "right": tuple(right)})
    return Task(_render_prompt(data), data)


def _sample_rows(rng: Rng, rule: str, ways: int) -> list[Row]:
    step, chosen = rng.integer(1, ways - 1), rng.sample(range(ways), 3)
    rows = []
    for _ in range(3):
        a, b = rng.integer(0, ways - 1), rng.integer(0, ways - 1)
        x, y, z = rng.shuffled(chosen)
        by_rule = {
            "same": (a, a, a),
            "step": (a, (a + step) % ways, (a + 2 * step) % ways),
            "sum": (a, b, (a + b) % ways),
            "set": (x, y, z),
            "difference": (a, b, (a - b) % ways),
        }
        rows.append(by_rule[rule])
    return rows


def _names(data: Data) -> list[str]:
    """All rules by name."""
    steps = [f"step {k}" for k in range(1, data.ways)]
    return [name for rule in RULES[: data.rules] for name in (steps if rule == "step" else [rule])]


def _rule_holds(rule: str, rows: Sequence[Row], ways: int) -> bool:
    """Whether whole rows follow a rule."""
    if rule == "set":
        return len(set(rows[0])) == 3 and all(sorted(row) == sorted(rows[0]) for row in rows)
    step = int(rule.removeprefix("step ")) if rule.startswith("step") else 0
    for a, b, c in rows:
        fine = {"same": a == b == c, "sum": c == (a + b) % ways, "difference": c == (a - b) % ways}
        if not fine.get(rule, step > 0 and b == (a + step) % ways and c == (b + step) % ways):
            return False
    return True


def _fitting_rules(data: Data, rows: Sequence[Row]) -> Iterator[tuple[str, int]]:
    """All rules with the missing numbers by which they hold for all rows."""
    r, c = data.missing
    for rule in _names(data):
        for value in range(data.ways):
            row = (*rows[r][:c], value, *rows[r][c + 1 :])
            if _rule_holds(rule, [*rows[:r], (row[0], row[1], row[2]), *rows[r + 1 :]], data.ways):
                yield rule, value


def _render_prompt(data: Data) -> str:
    listing = "\n".join(
        f"{feature}: {', '.join(f'{k} {value_name}' for k, value_name in enumerate(FEATURES[feature][: data.ways]))}"
        for feature in data.features
    )
    rules = "\n".join(f"- {TOLD[rule].format(last=data.ways - 1)}" for rule in RULES[: data.rules])
    lines = []
    for r in range(3):
        cells = [", ".join(FEATURES[f][rows[r][c]] for f, rows in zip(data.features, data.rows)) for c in range(3)]
        lines.append(f"Row {r + 1}: " + " | ".join("?" if (r, c) == data.missing else cell for c, cell in enumerate(cells)))
    return (
        f"Each picture has these features, and each feature has numbered values:\n{listing}\n\nPictures stand in three rows of three. For each feature one "
        f"of these rules holds in all rows, for the numbers of that feature from left to right; numbers wrap around, so that after {data.ways - 1} "
        f"comes 0 again:\n{rules}\n\n"
        + "\n".join(lines)
        + "\n\nFor each feature all rules that fit agree on the missing picture, marked ?. What are its "
        f"{', '.join(data.features)}, in this order?"
    )


def solve(task: Task[Data]) -> tuple[str, ...]:
    """By the last rule that fits."""
    data = task.data
    return tuple(FEATURES[feature][list(_fitting_rules(data, rows))[-1][1]] for feature, rows in zip(data.features, data.rows))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return Score.exact(answer == task.data.right, "some feature is another one")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    ways = FEATURES[data.features[0]][: data.ways]
    r, c = data.missing
    next_column = tuple(FEATURES[f][rows[r][(c + 1) % 3]] for f, rows in zip(data.features, data.rows))
    above = tuple(FEATURES[f][rows[(r + 1) % 3][c]] for f, rows in zip(data.features, data.rows))
    return [(ways[(ways.index(right[0]) + 1) % data.ways], *right[1:]), right[:-1], next_column, above, right[::-1]]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.features) * len(_names(task.data)) * 3)


def derive(task: Task[Data]) -> Derivation:
    data, incomplete = task.data, task.data.missing[0]
    for feature, rows in zip(data.features, data.rows):
        rule, value = next(_fitting_rules(data, rows))
        for k, row in enumerate(rows):
            if k != incomplete:
                yield FITS(feature=feature, rule=rule, row=k + 1, numbers=" ".join(map(str, row)))
        yield FILLS(feature=feature, rule=rule, row=incomplete + 1, number=value, value=FEATURES[feature][value])


def checks(task: Task[Data]) -> Checks:
    data, incomplete = task.data, task.data.missing[0]
    fitting = {feature: dict(_fitting_rules(data, rows)) for feature, rows in zip(data.features, data.rows)}

    def fits(feature: str, rule: str, row: int, numbers: str) -> bool:
        rows = data.rows[data.features.index(feature)]
        return row > 0 and row - 1 != incomplete and numbers == " ".join(map(str, rows[row - 1])) and rule in fitting[feature]

    def fills(feature: str, rule: str, row: int, number: int, value: str) -> bool:
        return row - 1 == incomplete and number == fitting[feature][rule] and value == FEATURES[feature][number]

    return {FITS: fits, FILLS: fills}


def picture(task: Task[Data]) -> str:
    data = task.data
    cells = [[".".join(str(rows[r][c]) for rows in data.rows) if (r, c) != data.missing else "?" for c in range(3)] for r in range(3)]
    return pictures.board(cells, top=[".".join(data.features), "", ""])


SOLUTION = Solution(derive, END, checks)
environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=SOLUTION, shift=shift, picture=picture, concept=CONCEPT, version=3
)
