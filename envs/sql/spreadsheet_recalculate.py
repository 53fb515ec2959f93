"""Say which cells of a spreadsheet change when some inputs are changed, and to which values."""

from functools import lru_cache
from itertools import count

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.answers.mapping import Pairs
from rlgym.generators.tables.sheets import Scalar, evaluate
from rlgym.generators.text import english
from rlgym.solutions import Checks, Derivation, Solution, Step

NOW = Step("{cell} is now {value}")
END = "Answer: {answer}"


class Knobs(Config):
    formulas: int = knob(8, easy=3, hard=22, doc="cells with a formula")
    inputs: int = knob(5, easy=3, hard=9, doc="cells with a number")
    changed: int = knob(1, easy=1, hard=3, doc="inputs that are changed")
    formula_kinds: int = knob(2, easy=1, hard=4, doc="kinds of formulas: sums and differences, MAX and MIN, IF, products and MOD")


class Data(TaskData):
    inputs: tuple[tuple[str, int], ...]
    formulas: tuple[tuple[str, str], ...]
    changes: tuple[tuple[str, int], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, lambda known: rng.choice(known))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Long chains: most formulas use the cell that was made just before."""
    return _sample_task(rng, knobs, lambda known: known[-1] if rng.chance(0.6) else rng.choice(known))


def solve(task: Task[Data]) -> Pairs:
    """By going round all formulas until nothing changes any more, once with the old and once with the new inputs."""
    data = task.data
    sheets: list[dict[str, Scalar]] = []
    for given in (dict(data.inputs), dict(data.inputs) | dict(data.changes)):
        cells: dict[str, Scalar] = {**dict.fromkeys(dict(data.formulas), 0), **given}
        for _ in data.formulas:
            cells |= {name: _evaluate(formula, cells) for name, formula in data.formulas}
        sheets.append(cells)
    old, new = sheets
    return tuple(sorted((name.lower(), str(new[name])) for name, _ in data.formulas if old[name] != new[name]))


def verify(task: Task[Data], answer: Pairs) -> Score:
    old, new = _before_and_after(task.data)
    right = {name.lower(): str(new[name]) for name, _ in task.data.formulas if new[name] != old[name]}
    given = dict(answer)
    if given.keys() - {name.lower() for name, _ in task.data.formulas}:
        return Score.wrong("only cells with a formula are asked for")
    return Score.exact(given == right, "some cell is missing, did not change, or has another value")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    old, new = _before_and_after(task.data)
    every = tuple(sorted((name.lower(), str(new[name])) for name, _ in task.data.formulas))
    stale = tuple((name, str(old[name.upper()])) for name, _ in right)
    return [every, stale, right[1:] or (("a1", "0"),), tuple((name, str(int(value) + 1)) for name, value in right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return (
        len(right := solve(task)) * 3.0
        + sum(len(formula) for name, formula in data.formulas if name.lower() in dict(right))
        + len(data.formulas)
    )


def derive(task: Task[Data]) -> Derivation:
    new, formulas = _before_and_after(task.data)[1], dict(task.data.formulas)
    waiting = [name.upper() for name, _ in solve(task)]
    while waiting:
        name = next(name for name in waiting if not any(other != name and _uses(formulas[name], other) for other in waiting))
        waiting.remove(name)
        yield NOW(cell=name, value=new[name])


def checks(task: Task[Data]) -> Checks:
    data = task.data
    known: dict[str, Scalar] = dict(_before_and_after(data)[0]) | dict(data.changes)
    formulas = dict(data.formulas)

    def follows(cell: str, value: str) -> bool:
        # Each value is computed again from the values of the steps before it.
        known[cell] = _evaluate(formulas[cell], known)
        return str(known[cell]) == value

    return {NOW: follows}


@lru_cache(maxsize=64)
def _before_and_after(data: Data) -> tuple[dict[str, Scalar], dict[str, Scalar]]:
    """All cells before and after the change; each formula waits for the cells that it uses."""
    formulas = dict(data.formulas)

    def filled(given: dict[str, Scalar]) -> dict[str, Scalar]:
        def value(name: str) -> Scalar:
            if name not in given:
                for other in formulas:
                    if _uses(formulas[name], other):
                        value(other)
                given[name] = _evaluate(formulas[name], given)
            return given[name]

        for name in formulas:
            value(name)
        return given

    return filled({**dict(data.inputs)}), filled({**dict(data.inputs), **dict(data.changes)})


def _uses(formula: str, name: str) -> bool:
    return f"{name}," in formula or f"{name})" in formula or f"{name} " in f"{formula} "


def _evaluate(formula: str, cells: dict[str, Scalar]) -> int:
    value = evaluate(formula, cells)
    assert isinstance(value, int)
    return value


def _sample_task(rng: Rng, knobs: Knobs, pick: object) -> Task[Data]:
    assert callable(pick)
    for tries in count():
        names = rng.sample([f"{column}{row}" for column in "ABCDEF" for row in range(1, 9)], knobs.inputs + knobs.formulas)
        inputs = [(name, rng.integer(1, 20)) for name in names[: knobs.inputs]]
        formulas: list[tuple[str, str]] = []
        for place in range(knobs.inputs, len(names)):
            known = names[:place]
            operand_a, two, three = pick(known), pick(known), pick(known)
            number = rng.integer(2, 9)
            formulas.append((names[place], rng.choice(_WAYS[: 2 * knobs.formula_kinds]).format(operand_a, two, three, number)))
        changes = [
            (name, value + rng.choice((-1, 1)) * rng.integer(1, 9))
            for name, value in rng.sample(inputs, min(knobs.changed, knobs.inputs - 1))
        ]
        data = Data(inputs=tuple(inputs), formulas=tuple(rng.shuffled(formulas)), changes=tuple(changes))
        old, new = _before_and_after(data)
        moved = sum(old[name] != new[name] for name, _ in formulas)
        if max(abs(int(value)) for value in (*old.values(), *new.values())) < 10**6 and (
            moved > max(0, knobs.formulas // 3) or (moved and tries > 50)
        ):
            break
    cells = sorted([*((name, str(value)) for name, value in data.inputs), *((name, f"= {formula}") for name, formula in data.formulas)])
    shown = "\n".join(f"{name}: {text}" for name, text in cells)
    changes_text = english.join_words([f"{name} is set to {value}" for name, value in data.changes])
    prompt = (
        f"A spreadsheet has these cells:\n\n{shown}\n\n{_functions(shown)}"
        f"Now {changes_text}. Which cells with a formula have a different value than before, and what value do they have now?"
    )
    return Task(prompt, data)


_WAYS = (
    "{0} + {1}", "{0} - {1} + {3}", "MAX({0}, {1}) - {2}", "MIN({0}, {1}, {2}) + {3}", "IF({0} > {1}, {2}, {3})", "IF({0} + {3} > {1}, {1} - {2}, {0} + {2})",
    "MOD({0}, {3}) * {1}", "{3} * {0} - MOD({1} + {2}, 10)",
)  # fmt: skip


def _functions(shown: str) -> str:
    """The meaning of the functions that these cells use and that are not obvious."""
    meanings = {
        "IF(": "IF(test, x, y) is x if the test is true and y otherwise",
        "MOD(": "MOD(x, n) is the remainder of x by n, from 0 to n-1",
    }
    used = "; ".join(meaning for name, meaning in meanings.items() if name in shown)
    return f"{used}.\n\n" if used else ""


environment = Environment(
    Knobs, Mapping("one line `cell: value` for each formula cell whose value has changed, and no other"),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift,
    shared_helpers="The helper evaluates the formula of a cell, which is its definition.",
    concept="Work out the cells that use a changed cell, in an order in which each comes after those it uses; some stay as they were.",
    version=3,
)  # fmt: skip
