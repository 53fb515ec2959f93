"""Build a circuit of given kinds of gates that computes a truth table with as few gates as possible.

Any circuit within the budget is accepted. The budget is the proved least number of gates, plus some slack on easy levels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count as naturals

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.logic import formula_circuits as circuits
from rlgym.generators.logic import truth_tables
from rlgym.generators.logic.normal_forms import columns
from rlgym.solutions import Derivation, Solution, Step

KINDS = {"plain": ("and", "or", "not"), "xor": ("and", "xor"), "nand": ("nand",)}
MEANS = {
    "and": "x and y is 1 where both are 1",
    "or": "x or y is 1 where at least one is 1",
    "not": "not x is 1 where x is 0",
    "xor": "x xor y is 1 where exactly one is 1",
    "nand": "x nand y is 0 where both are 1 and 1 elsewhere",
}
END = Step("These {count} gates give what is asked for:\n{answer}")
GATE = Step("{gate} gives {column} from the top row to the bottom row")


class Knobs(Config):
    inputs: int = knob(3, easy=3, hard=4, doc="inputs of the function")
    gates: int = knob(3, easy=2, hard=5, beyond=6, doc="gates that it takes at least")
    slack: int = knob(1, easy=2, hard=0, doc="how many gates more than that are allowed")
    kinds: str = knob("xor", easy="plain", hard="nand", order=tuple(KINDS), doc="which gates there are")


class Data(TaskData):
    inputs: str
    kinds: tuple[str, ...]
    outputs: tuple[int, ...]
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 1)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 2)


def _sample_task(rng: Rng, knobs: Knobs, count: int) -> Task[Data]:
    size = knobs.inputs
    kinds, every = KINDS[knobs.kinds], truth_tables.every(size)
    names = "".join(sorted(rng.sample("abcdehkmpqrstuvw", size)))
    # Gates of three kinds give more circuits to rule out than one kind does.
    gates = min(knobs.gates, 4) if knobs.kinds == "plain" else knobs.gates
    for tries in naturals():
        values = dict(zip(names, columns(size), strict=True))
        for name, gate in circuits.sample(rng, names, gates, kinds):
            values[name] = circuits.value(gate, values, every)
        tables = list(values.values())[size:]
        outputs = tuple(tables[-1:] if count == 1 else [tables[-1], rng.choice(tables[:-1])])
        if len({*columns(size), 0, every, *outputs}) < size + 2 + count:
            continue
        search = circuits.Search(columns(size), every, kinds, outputs)
        least = next((fewer for fewer in range(count, gates) if search.found(fewer)), gates)
        if least >= max(gates - (tries > 20), count):
            break
    most = least + knobs.slack
    rows = "\n".join(f"{format(row, f'0{size}b')}: {' '.join(str(output >> row & 1) for output in outputs)}" for row in range(2**size))
    what = "two functions" if count == 2 else "a function"
    values_of = "the values of the first and the second function" if count == 2 else "the value of the function"
    prompt = (
        f"This is the truth table of {what} of {', '.join(names)}. Each row shows the values of {', '.join(names)} in this order, and then "
        f"{values_of}:\n{rows}\n\nBuild a circuit of at most {most} gates in which {'for each function ' * (count == 2)}the output of some gate "
        "equals the function in every row. The gates are called g1, g2 and so on in order, and each takes inputs or earlier gates, possibly the same "
        f"one twice. {'These are the kinds of gates' if len(kinds) > 1 else 'There is one kind of gate'}: {'; '.join(MEANS[kind] for kind in kinds)}. "
        f"Write {_forms(kinds)}, with inputs or earlier gates in the place of x and y."
    )
    return Task(prompt, Data(inputs=names, kinds=kinds, outputs=outputs, most=most))


def _forms(kinds: Sequence[str]) -> str:
    """How gates of these kinds are written."""
    forms = [f"`{circuits.spell('g1', circuits.Gate(kind, ('x', 'y')))}`" for kind in kinds]
    return f"each gate in the form {', '.join(forms[:-1]) + ' or ' if forms[1:] else ''}{forms[-1]}"


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the table from the prompt and tries circuits of one gate, two gates and so on; `generate` draws the circuit first.
    head, _, tail = task.prompt.partition("\n\n")
    names = head.partition(" of ")[2].partition(" of ")[2].partition(". Each")[0].split(", ")
    rows = [line.partition(": ")[2].split(" ") for line in head.split("\n")[1:]]
    outputs = [sum(int(bit) << row for row, bit in enumerate(column)) for column in zip(*rows, strict=True)]
    kinds = [kind for kind in MEANS if MEANS[kind] in tail]
    return tuple(_search(outputs, len(names), kinds).lines(names))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if len(answer) > data.most:
        return Score.wrong(f"there may be at most {data.most} gates")
    values = dict(zip(data.inputs, columns(len(data.inputs)), strict=True))
    for number, line in enumerate(answer, 1):
        read = circuits.gate_of(line)
        if read is None or read[0] != f"g{number}":
            return Score.wrong(f"line {number} must be written as g{number} = and a gate")
        gate = read[1]
        if gate.kind not in data.kinds or any(name not in values for name in gate.inputs):
            return Score.wrong(f"g{number} is of another kind, or takes what is no input and no gate before it")
        values[read[0]] = circuits.value(gate, values, truth_tables.every(len(data.inputs)))
    return Score.exact(set(data.outputs) <= set(values.values()), "no gate gives the column that is asked for")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    kind = data.kinds[0]
    return [
        right[:-1] or (f"g1 = {data.inputs[0]} {kind} {data.inputs[1]}",),
        tuple(line.replace("g", "h") for line in right),
        tuple(f"g{number} = {data.inputs[0]} {kind} {data.inputs[1]}" for number in range(1, data.most + 1)),
        tuple(f"g{number} = {data.inputs[0]} {kind} {data.inputs[1]}" for number in range(1, data.most + 2)),
        (f"g1 = {data.inputs[0]} {kind} g1",),
        tuple(line.replace(" nand ", " nor ").replace(" and ", " or ").replace(" xor ", " or ") for line in right),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    least = len(solve(task))
    return float((len(data.inputs) + least) ** least * (3 if "nand" in data.kinds else 2) / (1 + data.most - least))


def derive(task: Task[Data]) -> Derivation:
    data, right = task.data, solve(task)
    values = dict(zip(data.inputs, columns(len(data.inputs)), strict=True))
    every = truth_tables.every(len(data.inputs))
    lines: list[str] = []

    def follows(gate: str, column: str) -> bool:
        read = circuits.gate_of(gate)
        if read is None or read[0] != f"g{len(lines) + 1}" or read[1].kind not in data.kinds:
            return False
        return column == _column(circuits.value(read[1], values, every), len(data.inputs))

    while True:
        end = END(count=len(lines), answer="\n".join(lines))
        line = right[min(len(lines), len(right) - 1)]
        name, gate = circuits.gate_of(line) or ("", None)
        column = _column(circuits.value(gate, values, every), len(data.inputs)) if gate and set(gate.inputs) <= set(values) else ""
        step = GATE(gate=line, column=column).accepting(follows)
        taken = yield step | end if len(lines) < len(right) else end | step
        if taken.step is END:
            return
        lines.append(taken["gate"])
        name, gate = circuits.gate_of(lines[-1]) or ("", None)
        values[name] = circuits.value(gate, values, every) if gate else 0


def _search(outputs: Sequence[int], size: int, kinds: Sequence[str]) -> circuits.Search:
    search, gates = circuits.Search(columns(size), truth_tables.every(size), kinds, outputs), len(outputs)
    while not search.found(gates):
        gates += 1
    return search


def _column(table: int, size: int) -> str:
    return "".join(str(table >> row & 1) for row in range(2**size))


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """What a search finds that knows the inputs and the kinds of gates in the opposite order, and the same with what each gate takes turned round."""
    data = task.data
    size = len(data.inputs)
    search, gates = circuits.Search(columns(size)[::-1], truth_tables.every(size), data.kinds[::-1], data.outputs), len(data.outputs)
    while not search.found(gates):
        gates += 1
    lines = search.lines(data.inputs[::-1])
    yield tuple(lines)
    read = [circuits.gate_of(line) for line in lines]
    yield tuple(circuits.spell(gate[0], circuits.Gate(gate[1].kind, gate[1].inputs[::-1])) for gate in read if gate)


environment = Environment(
    Knobs, Lines("the gates in order, one per line, in the form given above", max_items=20),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, END), answers="many", solutions=_solutions,
    shared_helpers="The helper tabulates a formula, which is its definition.",
    concept="Ask which last gate could give the column, what its two inputs would have to be, and which parts can be shared.", version=6,
)  # fmt: skip
