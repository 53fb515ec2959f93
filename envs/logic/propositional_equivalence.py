"""Find every valuation on which two propositional formulas differ.

The second formula is the first, rewritten by laws of logic, one of them misapplied; now and then none is, and then the answer
is that they differ nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.logic import formulas
from rlgym.generators.numbers.bitsets import places
from rlgym.solutions import Derivation, Solution, Step

SIGNS = ("not", "->", "<->", "xor")
CONNECTIVES = {"basic": ("and", "or"), "implies": ("and", "or", "implies"), "all": ("and", "or", "implies", "iff", "xor")}


ROW = Step("{row}: A is {a}, B is {b}")


class Knobs(Config):
    variables: int = knob(4, easy=3, hard=6, doc="propositional variables")
    size: int = knob(5, easy=2, hard=16, doc="connectives of the first formula")
    rewrites: int = knob(4, easy=1, hard=14, doc="laws applied to make the second formula")
    connectives: str = knob("implies", easy="basic", hard="all", order=tuple(CONNECTIVES), doc="which connectives occur")


class Data(TaskData):
    formulas: tuple[str, str]
    variables: int
    rows: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    same = rng.chance(0.02)
    most = 2 + 2 ** (knobs.variables - 2)
    while True:
        first = formulas.random(rng, knobs.size, knobs.variables, CONNECTIVES[knobs.connectives])
        second = first
        wrong_at = -1 if same else rng.integer(0, knobs.rewrites - 1)
        for i in range(knobs.rewrites):
            second = formulas.rewrite(rng, second, i == wrong_at)
        table = formulas.table(first, knobs.variables) ^ formulas.table(second, knobs.variables)
        if (table == 0) == same and table.bit_count() <= most and first != second:
            break
    rows = tuple(_letters(row, knobs.variables) for row in places(table))
    names = ", ".join(formulas.NAMES[: knobs.variables])
    one, other = formulas.write(first), formulas.write(second)
    prompt = (
        f"Here are two formulas over {names}:\nA: {one}\nB: {other}\n\nWhich valuations make one of A and B true and the other false? Write each valuation as "
        f"{knobs.variables} letters, T for true and F for false, for {names} in this order. List all of them in any order, or write none if A and B are "
        "true under the same valuations."
    )
    signs = {sign for sign in SIGNS if f" {sign} " in f" {one} {other} ".replace("(", " ")}
    if "not" in signs:
        prompt += ' "not" applies to the shortest formula after it: "not x or y" means "(not x) or y".'
    if "->" in signs:
        prompt += ' "x -> y" is false only when x is true and y is false.'
    if "<->" in signs:
        prompt += ' "x <-> y" is true only when x and y have the same truth value.'
    if "xor" in signs:
        prompt += ' "x xor y" is true only when x and y have different truth values.'
    return Task(prompt, Data(formulas=(one, other), variables=knobs.variables, rows=tuple(sorted(rows))))


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the formulas from the prompt and tries the valuations one by one; `generate` works with whole tables.
    first, second = (formulas.read(line.partition(": ")[2]) for line in task.prompt.split("\n")[1:3])
    valuations = []
    for values in product("FT", repeat=task.data.variables):
        true = {name: value == "T" for name, value in zip(formulas.NAMES, values, strict=False)}
        if formulas.value(first, true) != formulas.value(second, true):
            valuations.append("".join(values).lower())
    return tuple(sorted(valuations))


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


def derive(task: Task[Data]) -> Derivation:
    first, second = map(formulas.read, task.data.formulas)
    for values in product("FT", repeat=task.data.variables):
        true = {name: value == "T" for name, value in zip(formulas.NAMES, values, strict=False)}
        row = " ".join(f"{name}={value}" for name, value in zip(formulas.NAMES, values, strict=False))
        yield ROW(row=row, a="FT"[formulas.value(first, true)], b="FT"[formulas.value(second, true)])


def _letters(row: int, variables: int) -> str:
    return format(row, f"0{variables}b").replace("0", "f").replace("1", "t")


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The valuations in every order; these rows were found by whole truth tables."""
    yield from permutations(task.data.rows)


environment = Environment(
    Knobs, Words("the valuations, separated by spaces, or the word none if there are none", max_items=70, ignore_case=True, allow_empty=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "They differ on {answer}"), answers="many", solutions=_solutions,
    concept="Work out both formulas valuation by valuation, from the innermost brackets outwards, and compare.", version=3,
)  # fmt: skip
