"""Find every valuation on which two propositional formulas differ.

The second formula is the first, rewritten by laws of logic, one of them misapplied; now and then none is, and then the answer
is that they differ nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import truth
from rlgym.generators.bits import places

NAMES = "pqrstu"
CONNECTIVES = {"basic": ("and", "or"), "implies": ("and", "or", "implies"), "all": ("and", "or", "implies", "iff", "xor")}


class Knobs(Config):
    variables: int = knob(3, easy=2, hard=6, doc="propositional variables")
    size: int = knob(5, easy=2, hard=16, doc="connectives of the first formula")
    rewrites: int = knob(4, easy=1, hard=14, doc="laws applied to make the second formula")
    connectives: str = knob("implies", easy="basic", hard="all", order=tuple(CONNECTIVES), doc="which connectives occur")


class Data(TaskData):
    formulas: tuple[str, str]
    variables: int
    rows: tuple[str, ...]


@dataclass(frozen=True)
class Formula:
    """A variable (no parts), a negation (one part) or a connective with two parts."""

    head: str
    parts: tuple[Formula, ...] = ()


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    same = rng.chance(0.02)
    most = 2 + 2 ** (knobs.variables - 2)
    while True:
        first = _random(rng, knobs.size, knobs.variables, CONNECTIVES[knobs.connectives])
        second = first
        wrong_at = -1 if same else rng.integer(0, knobs.rewrites - 1)
        for i in range(knobs.rewrites):
            second = _rewritten(rng, second, i == wrong_at)
        table = _table(first, knobs.variables) ^ _table(second, knobs.variables)
        if (table == 0) == same and table.bit_count() <= most and first != second:
            break
    rows = tuple(_letters(row, knobs.variables) for row in places(table))
    names = ", ".join(NAMES[: knobs.variables])
    prompt = (
        f"Here are two formulas over {names}:\nA: {_written(first)}\nB: {_written(second)}\n\nWhich valuations make one of A and B true and the other "
        f"false? Write each valuation as {knobs.variables} letters, T for true and F for false, for {names} in this order. List all of them in any "
        "order, or write none if A and B are true under the same valuations."
    )
    if knobs.connectives != "basic":
        prompt += ' "x -> y" is false only when x is true and y is false.'
    if knobs.connectives == "all":
        prompt += ' "x <-> y" is true when both have the same truth value, "x xor y" when they have different ones.'
    return Task(prompt, Data(formulas=(_written(first), _written(second)), variables=knobs.variables, rows=tuple(sorted(rows))))


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the formulas from the prompt and tries the valuations one by one; `generate` works with whole tables.
    first, second = (_read(line.partition(": ")[2]) for line in task.prompt.split("\n")[1:3])
    found = []
    for values in product("FT", repeat=task.data.variables):
        true = {name: value == "T" for name, value in zip(NAMES, values, strict=False)}
        if _value(first, true) != _value(second, true):
            found.append("".join(values).lower())
    return tuple(sorted(found))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    size = task.data.variables
    if any(len(word) != size or word.strip("tf") for word in answer):
        return Score.wrong(f"each valuation is {size} letters T or F")
    if len(set(answer)) != len(answer):
        return Score.wrong("a valuation is listed twice")
    right = set(task.data.rows)
    if set(answer) - right:
        return Score.wrong("the formulas agree on one of the valuations listed")
    return Score.exact(len(answer) == len(right), "the formulas differ on a valuation that is not listed")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    every = tuple("".join(values) for values in product("ft", repeat=task.data.variables))
    turned = tuple(sorted("".join("t" if letter == "f" else "f" for letter in word) for word in right))
    wrong = [
        (),
        every,
        right[:-1],
        turned,
        tuple(word for word in every if word not in right),
        (*right, every[0]),
        tuple(word[::-1] for word in right),
    ]
    return [answer for answer in wrong if sorted(answer) != sorted(right)]


def cost(task: Task[Data]) -> float:
    return 2.0**task.data.variables * sum(len(text.replace("(", "").replace(")", "").split()) for text in task.data.formulas)


def explain(task: Task[Data]) -> list[str]:
    first, second = map(_read, task.data.formulas)
    steps = []
    for values in product("FT", repeat=task.data.variables):
        true = {name: value == "T" for name, value in zip(NAMES, values, strict=False)}
        a, b = _value(first, true), _value(second, true)
        steps.append(
            f"{' '.join(f'{name}={value}' for name, value in zip(NAMES, values, strict=False))}: A is {'T' if a else 'F'}, B is {'T' if b else 'F'}"
        )
    return [*steps, f"They differ on {environment.answer.render(solve(task))}"]


_SIGNS = {"and": "and", "or": "or", "implies": "->", "iff": "<->", "xor": "xor"}
_VALUES: dict[str, Callable[[bool, bool], bool]] = {
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "implies": lambda a, b: not a or b,
    "iff": lambda a, b: a == b,
    "xor": lambda a, b: a != b,
}


def _random(rng: Rng, size: int, variables: int, connectives: tuple[str, ...]) -> Formula:
    if size == 0:
        atom = Formula(NAMES[rng.integer(0, variables - 1)])
        return _not(atom) if rng.chance(0.3) else atom
    left = rng.integer(0, size - 1)
    parts = (_random(rng, left, variables, connectives), _random(rng, size - 1 - left, variables, connectives))
    made = Formula(rng.choice(connectives), parts)
    return _not(made) if rng.chance(0.15) else made


def _rewritten(rng: Rng, formula: Formula, wrongly: bool) -> Formula:
    """One law applied somewhere in the formula, or a law misapplied."""
    places = [path for path in _paths(formula) if len(_at(formula, path).parts) == 2 or _at(formula, path).head == "not"]
    for path in rng.shuffled(places):
        here = _at(formula, path)
        made = _misapplied(rng, here) if wrongly else _law(rng, here)
        if made != here:
            return _put(formula, path, made)
    return formula


def _law(rng: Rng, formula: Formula) -> Formula:
    if formula.head == "not":
        inner = formula.parts[0]
        if inner.head == "not":
            return inner.parts[0]
        if inner.head in ("and", "or"):
            other = "or" if inner.head == "and" else "and"
            return Formula(other, tuple(map(_not, inner.parts)))
        if inner.head == "implies":
            return Formula("and", (inner.parts[0], _not(inner.parts[1])))
        return Formula("xor" if inner.head == "iff" else "iff", inner.parts) if inner.head in ("iff", "xor") else formula
    a, b = formula.parts
    if formula.head == "implies":
        return rng.choice((Formula("implies", (_not(b), _not(a))), Formula("or", (_not(a), b))))
    if formula.head in ("and", "or") and rng.chance(0.6):
        other = "or" if formula.head == "and" else "and"
        if b.head == other:
            return Formula(other, tuple(Formula(formula.head, (a, part)) for part in b.parts))
        return _not(Formula(other, (_not(a), _not(b))))
    return Formula(formula.head, (b, a))


def _misapplied(rng: Rng, formula: Formula) -> Formula:
    if formula.head == "not":
        inner = formula.parts[0]
        if inner.head in ("and", "or"):
            return Formula(inner.head, tuple(map(_not, inner.parts)))
        if inner.head == "implies":
            return Formula("implies", tuple(map(_not, inner.parts)))
        return inner.parts[0] if inner.head == "iff" else formula
    a, b = formula.parts
    if formula.head == "implies":
        return rng.choice((Formula("implies", (b, a)), Formula("implies", (_not(a), _not(b))), Formula("or", (a, _not(b)))))
    if formula.head in ("and", "or"):
        other = "or" if formula.head == "and" else "and"
        if b.head == other:
            return Formula(other, (Formula(formula.head, (a, b.parts[0])), b.parts[1]))
        return rng.choice((Formula(other, (a, b)), _not(Formula(formula.head, (_not(a), _not(b))))))
    return Formula("implies", (a, b))


def _not(formula: Formula) -> Formula:
    return formula.parts[0] if formula.head == "not" else Formula("not", (formula,))


def _paths(formula: Formula) -> list[tuple[int, ...]]:
    out: list[tuple[int, ...]] = [()]
    for i, part in enumerate(formula.parts):
        out += [(i, *path) for path in _paths(part)]
    return out


def _at(formula: Formula, path: tuple[int, ...]) -> Formula:
    for i in path:
        formula = formula.parts[i]
    return formula


def _put(formula: Formula, path: tuple[int, ...], new: Formula) -> Formula:
    if not path:
        return new
    parts = list(formula.parts)
    parts[path[0]] = _put(parts[path[0]], path[1:], new)
    return _not(parts[0]) if formula.head == "not" else Formula(formula.head, tuple(parts))


@cache
def _columns(variables: int) -> dict[str, int]:
    # The first name is the highest bit of a row, so that rows read like the words of the answer.
    return {name: truth.column(variables - 1 - i, variables) for i, name in enumerate(NAMES[:variables])}


def _table(formula: Formula, variables: int) -> int:
    every = truth.every(variables)
    if not formula.parts:
        return _columns(variables)[formula.head]
    tables = [_table(part, variables) for part in formula.parts]
    match formula.head:
        case "not":
            return every ^ tables[0]
        case "and":
            return tables[0] & tables[1]
        case "or":
            return tables[0] | tables[1]
        case "implies":
            return (every ^ tables[0]) | tables[1]
        case "iff":
            return every ^ tables[0] ^ tables[1]
        case _:
            return tables[0] ^ tables[1]


def _letters(row: int, variables: int) -> str:
    return format(row, f"0{variables}b").replace("0", "f").replace("1", "t")


def _written(formula: Formula) -> str:
    if not formula.parts:
        return formula.head
    parts = [_written(part) if len(part.parts) < 2 else f"({_written(part)})" for part in formula.parts]
    return f"not {parts[0]}" if formula.head == "not" else f"{parts[0]} {_SIGNS[formula.head]} {parts[1]}"


def _read(text: str) -> Formula:
    """The formula that the oracle's own prompt spells; never used on an answer."""
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()
    heads = {sign: head for head, sign in _SIGNS.items()}

    def operand() -> Formula:
        token = tokens.pop(0)
        if token == "not":
            return Formula("not", (operand(),))
        if token != "(":
            return Formula(token)
        inside = whole()
        tokens.pop(0)
        return inside

    def whole() -> Formula:
        left = operand()
        if tokens and tokens[0] in heads:
            head = heads[tokens.pop(0)]
            return Formula(head, (left, operand()))
        return left

    return whole()


def _value(formula: Formula, true: dict[str, bool]) -> bool:
    if not formula.parts:
        return true[formula.head]
    values = [_value(part, true) for part in formula.parts]
    return not values[0] if formula.head == "not" else _VALUES[formula.head](values[0], values[1])


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The valuations in every order; these rows were found by whole truth tables."""
    yield from permutations(task.data.rows)


environment = Environment(
    Knobs,
    Words("the valuations, separated by spaces, or the word none", most=70, fold=True, empty=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    answers="many",
    solutions=_solutions,
    concept="Work out both formulas valuation by valuation, from the innermost brackets outwards, and compare.",
)
