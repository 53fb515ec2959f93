"""List the rows of a truth table in which as many of several formulas are true as is asked for.

The rows are numbered as binary numbers, and what is asked for is all, an exact number, an odd number, or more than are false.
"""

from collections.abc import Sequence
from functools import partial
from itertools import count as counted

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.draws import draw_rare
from rlgym.generators.logic import pointwise_truth, truth_tables
from rlgym.solutions import Derivation, Solution, Step

Answer = tuple[int, ...]
SIGNS = {"plain": ("and", "or"), "arrows": ("and", "or", "->"), "mixed": ("and", "->", "<->", "xor", "nand")}
MEANING = {
    "->": "F -> G is false only where F is true and G is false",
    "<->": "F <-> G is true where both are true or both are false",
    "xor": "F xor G is true where exactly one of them is",
    "nand": "F nand G is true where not both of them are",
}
ASKED = {"all": ("all",), "exactly": ("all", "exactly"), "odd": ("exactly", "odd", "most")}
NUMBER = Step("Exactly {number} of the formulas hold in these rows: {rows}")


class Knobs(Config):
    variables: int = knob(4, easy=3, hard=6, doc="how many variables there are")
    formulas: int = knob(3, easy=2, hard=6, doc="how many formulas there are")
    operators: int = knob(3, easy=1, hard=7, doc="how many operators each formula has")
    signs: str = knob("arrows", easy="plain", hard="mixed", order=tuple(SIGNS), doc="which connectives there are")
    question: str = knob("exactly", easy="all", hard="odd", order=tuple(ASKED), doc="what to count about the true formulas")


class Data(TaskData):
    letters: str
    formulas: tuple[str, ...]
    counts: tuple[int, ...]  # how many of the formulas may be true
    answer: Answer


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_rare(rng, knobs, chain=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Each formula is one long chain, and is the one before it with one operator more around it or a new chain."""
    return _sample_rare(rng, knobs, chain=True)


def solve(task: Task[Data]) -> Answer:
    # Row by row with single values; generate uses tables of all rows at once.
    data = task.data
    formulas = [pointwise_truth.read(text) for text in data.formulas]
    rows = []
    for row in range(1 << len(data.letters)):
        true = {letter: bool(row >> i & 1) for i, letter in enumerate(reversed(data.letters))}
        if sum(_value(formula, true) for formula in formulas) in data.counts:
            rows.append(row)
    return tuple(rows)


def verify(task: Task[Data], answer: Answer) -> Score:
    return Score.exact(answer == task.data.answer, "these are not the rows that are asked for, in increasing order")


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    data = task.data
    rows = 1 << len(data.letters)
    size = len(data.letters)
    turned = sorted(sum((row >> i & 1) << (size - 1 - i) for i in range(size)) for row in right)
    return [
        tuple(row for row in range(rows) if row not in right),
        tuple(turned),
        right[1:],
        tuple(row + 1 for row in right),
        tuple(range(rows)),
        _rows(data, {count + 1 for count in data.counts}),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    parts = {part for text in data.formulas for part in pointwise_truth.parts(pointwise_truth.read(text))}
    return float((len(parts) + len(data.formulas)) << len(data.letters))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    formulas = [pointwise_truth.read(text) for text in data.formulas]
    yield from pointwise_truth.evaluation(formulas, _columns(data.letters), _table(data))
    for number in range(len(formulas) + 1):
        yield NUMBER(number=number, rows=_render_rows(_rows(data, {number})))


def _sample_rare(rng: Rng, knobs: Knobs, chain: bool) -> Task[Data]:
    """Of several tasks with few rows one whose rows are rare."""
    return draw_rare(lambda: _sample_task(rng, knobs, chain), lambda task: task.data.answer, 30 if knobs.variables < 4 else 1)


def _sample_task(rng: Rng, knobs: Knobs, chain: bool) -> Task[Data]:
    letters = "".join(sorted(rng.sample("abcdeghkmnpqrstuwxyz", knobs.variables)))
    signs = SIGNS[knobs.signs]
    for tries in counted():
        formulas: list[pointwise_truth.Formula] = []
        while len(formulas) < knobs.formulas:
            if chain and formulas and rng.chance(0.5):
                # the chain before it, with one operator more around it
                formula: pointwise_truth.Formula = (rng.choice(signs), rng.choice(letters), formulas[-1])
            else:
                formula = pointwise_truth.sample(rng, knobs.operators, letters, ("not",), signs, chain)
            if formula not in formulas:
                formulas.append(formula)
        # Very small formulas may leave no row in which all are true.
        kind = rng.choice(ASKED[knobs.question]) if tries < 50 else "exactly"
        count = len(formulas)
        exact = rng.integer(1, count - 1)
        counts, queried = {
            "all": ((count,), f"are all {count} formulas true"),
            "exactly": ((exact,), f"{'is' if exact == 1 else 'are'} exactly {exact} of the {count} formulas true"),
            "odd": (tuple(range(1, count + 1, 2)), f"are an odd number of the {count} formulas true"),
            "most": (tuple(range(count // 2 + 1, count + 1)), f"are more of the {count} formulas true than false"),
        }[kind]
        data = Data(letters=letters, formulas=tuple(map(pointwise_truth.write, formulas)), counts=counts, answer=())
        rows = _rows(data, set(counts))
        if 1 + (knobs.variables > 2) <= len(rows) <= max(3, (1 << len(letters)) * 2 // 3):
            break
    data = data.model_copy(update={"answer": rows})
    meaning = "".join(f"{text}. " for sign, text in MEANING.items() if sign in signs)
    listing = "\n".join(f"{k}. {formula}" for k, formula in enumerate(data.formulas, 1))
    return Task(
        f"Each row of a truth table says which of {', '.join(letters)} are true. Rows are numbered by reading these as the digits of a binary number, "
        f"1 for true and 0 for false, {letters[0]} first: row 1 is the one in which only {letters[-1]} is true. {meaning}not binds to the shortest "
        f"formula after it.\n\nThese are {count} formulas:\n{listing}\n\nIn which rows {queried}?",
        data,
    )


def _columns(letters: str) -> dict[str, int]:
    return dict(zip(reversed(letters), truth_tables.columns(len(letters)), strict=True))


def _table(data: Data) -> pointwise_truth.Apply:
    return partial(_apply, truth_tables.every(len(data.letters)))


def _apply(every: int, sign: str, parts: Sequence[int]) -> int:
    operand_a, two = parts[0], parts[-1]
    match sign:
        case "not":
            return every & ~operand_a
        case "and":
            return operand_a & two
        case "or":
            return operand_a | two
        case "->":
            return every & (~operand_a | two)
        case "<->":
            return every & ~(operand_a ^ two)
        case "xor":
            return operand_a ^ two
        case _:
            return every & ~(operand_a & two)


def _value(formula: pointwise_truth.Formula, true: dict[str, bool]) -> bool:
    if isinstance(formula, str):
        return true[formula]
    values = [_value(part, true) for part in formula[1:]]
    match formula[0]:
        case "not":
            return not values[0]
        case "and":
            return all(values)
        case "or":
            return any(values)
        case "->":
            return values[0] <= values[1]
        case "<->":
            return values[0] == values[1]
        case "xor":
            return values[0] != values[1]
        case _:
            return not all(values)


def _rows(data: Data, counts: set[int]) -> tuple[int, ...]:
    columns = _columns(data.letters)
    tables = [pointwise_truth.marks(formula, columns, _table(data))[formula] for formula in map(pointwise_truth.read, data.formulas)]
    return tuple(row for row in range(1 << len(data.letters)) if sum(table >> row & 1 for table in tables) in counts)


def _render_rows(rows: Sequence[int]) -> str:
    return ", ".join(map(str, rows)) or "none"


environment = Environment(
    Knobs, Numbers("the numbers of the rows in increasing order, separated by commas", max_items=200),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "So the rows that are asked for are {answer}", whole=True),
    concept="Fill in the truth table column by column, inner parts first, and then count row by row how many formulas are true.",
    version=4,
)  # fmt: skip
