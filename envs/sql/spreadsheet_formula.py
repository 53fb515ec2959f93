"""Write one spreadsheet formula that answers a question on any sheet of a given shape; it is evaluated on hidden sheets."""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.tables.sheets import MANUAL, BadFormula, Scalar, evaluate
from rlgym.solutions import Derivation, Solution, Step

KINDS = ("red", "blue", "green", "white", "black")
Row = tuple[str, int, int]
Asked = tuple[str, str, str, Callable[[list[Row]], Scalar]]  # words, two formulas, the answer
PART = Step("{part} {meaning}")
FORMULA = "The whole formula: {answer}"


class Knobs(Config):
    tier: int = knob(2, easy=1, hard=4, doc="kind of question: one condition, two, choices and look-ups, neighbours and ranks")
    rows: int = knob(8, easy=5, hard=20, doc="rows of the sheet")
    largest: int = knob(20, easy=9, hard=99, doc="largest number in a cell")


class Data(TaskData):
    tier: int
    rows: int
    reference: str
    other: str
    sheets: tuple[tuple[Row, ...], ...]
    wanted: tuple[Scalar, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    bound, kind = rng.integer(2, knobs.largest - 2), rng.choice(KINDS[:3])
    words, reference, other, answer = rng.choice(_SHAPES[knobs.tier])(knobs.rows, kind, bound, rng.integer(2, 3))
    sheets = tuple(_sheet(rng, knobs, kind, bound) for _ in range(8))
    shown = "\n".join(f"{i} | {' | '.join(map(str, row))}" for i, row in enumerate(sheets[0], 1))
    prompt = (
        f"A sheet has {knobs.rows} rows: a colour in column A, integers in the columns B and C. For example:\n\n  | A | B | "
        f"C\n{shown}\n\n{MANUAL}\n\n"
        f"Write one formula for: {words} It must be right for any colours of {', '.join(KINDS)} and any integers from 0 to "
        f"{knobs.largest} in these {knobs.rows} rows."
    )
    expected = tuple(answer(list(sheet)) for sheet in sheets[1:])
    return Task(prompt, Data(tier=knobs.tier, rows=knobs.rows, reference=reference, other=other, sheets=sheets[1:], wanted=expected))


def solve(task: Task[Data]) -> str:
    # The expected values are computed in Python; the reference formula is an independent route to them.
    return task.data.reference


def verify(task: Task[Data], answer: str) -> Score:
    try:
        got = [evaluate(answer, _cells(sheet)) for sheet in task.data.sheets]
    except BadFormula as fault:
        return Score.wrong(str(fault))
    right = sum(type(first) is type(second) and first == second for first, second in zip(got, task.data.wanted, strict=True))
    return Score.exact(right == len(got), "on some hidden sheet the formula has another value", sheets=right / len(got))


def mistakes(task: Task[Data], right: str) -> list[str]:
    rows = task.data.rows
    swaps = ((">", ">="), ("<", "<="), ("MAX", "MIN"), ("*C", "+C"), (f"{rows})", f"{rows - 1})"), ('="', '<>"'))
    return [
        f"=SUM(B1:B{rows})",
        f"=B{rows}",
        *(right.replace(old, new, 1) for old, new in swaps if old in right and f"{old}=" not in right),
    ]


def cost(task: Task[Data]) -> float:
    return 60.0 * task.data.tier + 2 * task.data.rows + len(task.data.reference) / 10


def derive(task: Task[Data]) -> Derivation:
    """The parts of the formula, the innermost brackets first."""
    for part in dict.fromkeys(_bracket_pairs(task.data.reference)):
        name = part.partition("(")[0] or ("condition" if any(sign in part for sign in "<>=") else "brackets")
        yield PART(part=part, meaning=_MEANINGS[name])


def _bracket_pairs(formula: str) -> Iterator[str]:
    """Each pair of brackets with its function, in the order in which the brackets close."""
    opened = list[int]()
    for place, sign in enumerate(formula):
        if sign == "(":
            start = place
            while formula[start - 1].isalpha():
                start -= 1
            opened.append(start)
        elif sign == ")":
            yield formula[opened.pop() : place + 1]


_MEANINGS = {
    "SUM": "adds the values that remain",
    "COUNT": "is the number of values",
    "IF": "chooses a value row by row, by its condition",
    "MAX": "is the largest of the values",
    "MATCH": "is the first place where the value stands",
    "INDEX": "reads the other column at that place",
    "LARGE": "is one of the largest values, by its place from the top",
    "MOD": "is the remainder of a division, row by row",
    "condition": "is 1 in the rows where the condition holds, and 0 in the others",
    "brackets": "is computed row by row",
}


def _sheet(rng: Rng, knobs: Knobs, kind: str, bound: int) -> tuple[Row, ...]:
    def number() -> int:
        near = min(knobs.largest, max(0, bound + rng.integer(-1, 1)))
        return near if rng.chance(0.35) else rng.integer(0, knobs.largest)

    rows = [(kind if rng.chance(0.4) else rng.choice(KINDS), number(), number()) for _ in range(knobs.rows)]
    return tuple((a, b, b if rng.chance(0.15) else c) for a, b, c in rows)


def _cells(sheet: tuple[Row, ...]) -> Mapping[str, Scalar]:
    return {f"{column}{i}": row["ABC".index(column)] for i, row in enumerate(sheet, 1) for column in "ABC"}


def _ranges(n: int) -> tuple[str, str, str]:
    return f"A1:A{n}", f"B1:B{n}", f"C1:C{n}"


def _sum_of_kind(n: int, kind: str, bound: int, k: int) -> Asked:
    a, b, _ = _ranges(n)
    return (
        f"the sum of B in the rows with A = {kind}.",
        f'=SUM(({a}="{kind}")*{b})',
        f'=SUM(IF({a}="{kind}",{b},0))',
        lambda rows: sum(row[1] for row in rows if row[0] == kind),
    )


def _count_above(n: int, kind: str, bound: int, k: int) -> Asked:
    _, b, _ = _ranges(n)
    return (
        f"how many of the values in B are more than {bound}.",
        f"=SUM({b}>{bound})",
        f"=COUNT({b})-SUM({b}<={bound})",
        lambda rows: sum(row[1] > bound for row in rows),
    )


def _two_conditions(n: int, kind: str, bound: int, k: int) -> Asked:
    a, b, c = _ranges(n)
    return (
        f"the sum of C in the rows where A is not {kind} and B is at least {bound}.",
        f'=SUM(({a}<>"{kind}")*({b}>={bound})*{c})',
        f'=SUM(IF({a}="{kind}",0,IF({b}<{bound},0,{c})))',
        lambda rows: sum(row[2] for row in rows if row[0] != kind and row[1] >= bound),
    )


def _either_condition(n: int, kind: str, bound: int, k: int) -> Asked:
    a, b, c = _ranges(n)
    return (
        f"the sum of B in the rows with A = {kind} or with C less than {bound} (or both).",
        f'=SUM(((({a}="{kind}")+({c}<{bound}))>0)*{b})',
        f'=SUM(IF({a}="{kind}",{b},IF({c}<{bound},{b},0)))',
        lambda rows: sum(row[1] for row in rows if row[0] == kind or row[2] < bound),
    )


def _greater(n: int, kind: str, bound: int, k: int) -> Asked:
    _, b, c = _ranges(n)
    return (
        f"the sum over all rows of the greater of B and C, where this is more than {bound} (other rows count 0).",
        f"=SUM(IF(IF({b}>{c},{b},{c})>{bound},IF({b}>{c},{b},{c}),0))",
        f"=SUM(({b}>={c})*({b}>{bound})*{b})+SUM(({b}<{c})*({c}>{bound})*{c})",
        lambda rows: sum(max(row[1:]) for row in rows if max(row[1:]) > bound),
    )


def _look_up(n: int, kind: str, bound: int, k: int) -> Asked:
    a, b, c = _ranges(n)
    value = f"ABS({b}-{bound})+{c}"
    return (
        f"the colour in the row with the largest sum of C and the distance of B from {bound} (of several such rows the first).",
        f"=INDEX({a},MATCH(MAX({value}),{value}))",
        f"=INDEX({a},MATCH(1,{value}=MAX({value})))",
        lambda rows: max(rows, key=lambda row: abs(row[1] - bound) + row[2])[0],
    )


def _rises(n: int, kind: str, bound: int, k: int) -> Asked:
    return (
        f"in how many rows from the second on B is larger than in the row just above, and A is the same as there or {kind}.",
        f'=SUM((B2:B{n}>B1:B{n - 1})*(((A2:A{n}=A1:A{n - 1})+(A2:A{n}="{kind}"))>0))',
        f'=SUM(IF(B2:B{n}>B1:B{n - 1},IF(A2:A{n}=A1:A{n - 1},1,A2:A{n}="{kind}"),0))',
        lambda rows: sum(row[1] > above[1] and row[0] in (above[0], kind) for above, row in pairwise(rows)),
    )


def _top(n: int, kind: str, bound: int, k: int) -> Asked:
    a, b, c = _ranges(n)
    values = f'({a}<>"{kind}")*({b}*{c})'
    other = f'IF({a}="{kind}",0,{c}*{b})'
    return (
        f"the sum of the {k} largest products B * C among the rows where A is not {kind} (equal products count separately; "
        f"if there are fewer than {k}, each missing one counts as 0), minus {bound}.",
        f"={'+'.join(f'LARGE({values},{i})' for i in range(1, k + 1))}-{bound}",
        f"=0-{bound}+{'+'.join(f'LARGE({other},{i})' for i in range(k, 0, -1))}",
        lambda rows: sum(sorted((row[1] * row[2] for row in rows if row[0] != kind), reverse=True)[:k]) - bound,
    )


def _brackets(n: int, kind: str, bound: int, k: int) -> Asked:
    _, b, c = _ranges(n)
    return (
        f"the sum, over all rows where the remainder of C by {k + 1} is not 0, of {k} times the part of B up to {bound} plus "
        f"{k + 2} times the part of B beyond {bound}.",
        f"=SUM((MOD({c},{k + 1})>0)*({k}*{b}+2*({b}>{bound})*({b}-{bound})))",
        f"=SUM(IF(MOD({c},{k + 1})=0,0,IF({b}>{bound},{k}*{bound}+{k + 2}*({b}-{bound}),{k}*{b})))",
        lambda rows: sum(k * min(row[1], bound) + (k + 2) * max(0, row[1] - bound) for row in rows if row[2] % (k + 1)),
    )


_SHAPES: dict[int, tuple[Callable[[int, str, int, int], Asked], ...]] = {
    1: (_sum_of_kind, _count_above),
    2: (_two_conditions, _either_condition),
    3: (_greater, _look_up),
    4: (_rises, _top, _brackets),
}


environment = Environment(
    Knobs, Text("one formula on one line, beginning with =", max_characters=500), generate, solve, verify, mistakes, cost, solution=Solution(derive, FORMULA),
    answers="many", solutions=lambda task: [task.data.reference, task.data.other], planted=True,
    concept="Turn each condition into a column of 1 and 0, multiply what must hold together, and aggregate.",
    guessable="the easiest questions come from one template; its formula fits about 0.19 of the smallest sheets",
    version=5,
)  # fmt: skip
