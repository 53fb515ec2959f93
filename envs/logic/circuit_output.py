"""Work out what a circuit of logic gates gives for several rows of inputs, with or without memory between them.

With memory, some gates output at each tick their input of the tick before, so that rows cannot be computed one by one.
"""

from __future__ import annotations

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.draws import draw_rare
from rlgym.generators.logic import formula_circuits as circuits
from rlgym.solutions import Derivation, Due, OneOf, Solution, Step

KINDS = {"basic": ("and", "or", "not"), "all": ("and", "or", "not", "xor", "nand", "nor")}
INPUTS = "abcdef"
PLAIN = Step("Row {row}: {gate}, that is {worked}, gives {bit}")
HELD = Step("Row {row}: {name} gives {bit}, {why}")
OUT = Step("Row {row}: the outputs are {bits}")


class Knobs(Config):
    gates: int = knob(9, easy=3, hard=48, doc="gates of the circuit")
    rows: int = knob(3, easy=2, hard=7, doc="rows of inputs")
    kinds: str = knob("all", easy="basic", hard="all", order=tuple(KINDS), doc="which gates there are")
    memory: int = knob(1, easy=0, hard=5, doc="gates that give what they were fed one row before")


class Data(TaskData):
    gates: tuple[str, ...]
    rows: tuple[str, ...]
    asked: tuple[str, ...]
    outputs: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_rare(lambda: _sample_task(rng, knobs, False), lambda task: task.data.outputs, 6 if knobs.gates < 6 else 1)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_rare(lambda: _sample_task(rng, knobs, True), lambda task: task.data.outputs, 6 if knobs.gates < 6 else 1)


def _sample_task(rng: Rng, knobs: Knobs, chained: bool) -> Task[Data]:
    inputs = INPUTS[: 2 + min(4, knobs.gates // 5)]
    held = [f"m{i}" for i in range(1, min(knobs.memory, knobs.rows - 1, knobs.gates) + 1)]
    while True:
        draw = _sample_chain if chained else circuits.sample
        gates = draw(rng, [*inputs, *held], knobs.gates, KINDS[knobs.kinds])
        fed = rng.sample([name for name, _ in gates], len(held))
        lines = [circuits.spell(name, gate) for name, gate in gates]
        lines += [f"{name} = {source} of the row before" for name, source in zip(held, fed, strict=True)]
        queried = tuple(f"g{number}" for number in [*sorted(rng.sample(range(1, knobs.gates), min(3, knobs.gates - 1))), knobs.gates])
        rows = tuple("".join(rng.choice("01") for _ in inputs) for _ in range(knobs.rows))
        outputs = _run(lines, inputs, rows, queried)
        if len(set(rows)) > knobs.rows // 2 and (knobs.gates < 4 or len({"".join(column) for column in zip(*outputs, strict=True)}) > 1):
            break
    shown_lines = tuple(rng.shuffled(lines))
    listing = "\n".join(shown_lines)
    memory = (
        " A gate whose name begins with m gives 0 in the first row, and in each later row what the gate it names gave in the row before."
        if held
        else ""
    )
    prompt = (
        f"A circuit has the inputs {', '.join(inputs)} and these gates, in no particular order:\n{listing}\n\nIt gets these rows of inputs, one after the "
        f"other; each shows {', '.join(inputs)} in this order:\n"
        + "\n".join(rows)
        + "\n\nnot x is 1 where x is 0; x and y is 1 where both are; x or y is 1 "
        f"where at least one is{_meanings(knobs.kinds)}.{memory} What do the gates {', '.join(queried)} give, in this order, in each row?"
    )
    return Task(prompt, Data(gates=shown_lines, rows=rows, asked=queried, outputs=outputs))


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the prompt and works from the asked gates back to the inputs, each gate when it is needed; `generate` goes forwards.
    head, middle, tail = task.prompt.split("\n\n")
    inputs = head.partition(" inputs ")[2].partition(" and these")[0].split(", ")
    lines = dict(line.split(" = ") for line in head.split("\n")[1:])
    rows = middle.split("\n")[1:]
    queried = tail.partition("do the gates ")[2].partition(" give, in this order")[0].split(", ")
    known: dict[tuple[str, int], int] = {}

    def gives(name: str, at: int) -> int:
        if name in inputs:
            return int(rows[at][inputs.index(name)])
        if (name, at) not in known:
            words = lines[name].split(" ")
            if words[0] == "not":
                known[name, at] = 1 - gives(words[1], at)
            elif words[1] == "of":
                known[name, at] = gives(words[0], at - 1) if at else 0
            else:
                known[name, at] = 1 & circuits.WORK[words[1]](gives(words[0], at), gives(words[2], at))
        return known[name, at]

    return tuple("".join(str(gives(name, at)) for name in queried) for at in range(len(rows)))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    if len(answer) != len(task.data.rows) or any(len(word) != len(task.data.asked) for word in answer):
        return Score.wrong("there must be one word for each row, with one digit for each gate that is asked for")
    return Score.exact(answer == task.data.outputs, "a gate gives something else")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    turned = tuple("".join("10"[int(bit)] for bit in word) for word in right)
    swapped = [line.replace(" and ", " OR ").replace(" or ", " and ").replace(" OR ", " or ") for line in data.gates]
    inputs = INPUTS[: len(data.rows[0])]
    forgotten = tuple(word for row in data.rows for word in _run(data.gates, inputs, (row,), data.asked))
    last = right[-1][:-1] + "10"[int(right[-1][-1])]
    return [turned, right[::-1], _run(swapped, inputs, data.rows, data.asked), forgotten, (*right[:-1], last)]


def cost(task: Task[Data]) -> float:
    return float(sum(len(line.split()) for line in task.data.gates) * len(task.data.rows))


def derive(task: Task[Data]) -> Derivation:
    data, before = task.data, dict[str, int]()
    for number, row in enumerate(data.rows, 1):
        values = {name: int(bit) for name, bit in zip(INPUTS[: len(row)], row, strict=True)}
        lines_left = {line.split(" ")[0]: line for line in _topological_order(data.gates)}
        while lines_left:
            ready = [_gate_step(number, line, values, before) for line in lines_left.values() if _ready(line, values)]
            taken = yield OneOf(tuple(ready))
            name = taken["name"] if taken.step is HELD else taken["gate"].split(" ")[0]
            values[name] = int(taken["bit"])
            del lines_left[name]
        before = values
        yield OUT(row=number, bits=" ".join(str(values[name]) for name in data.asked))


def _ready(line: str, values: dict[str, int]) -> bool:
    """Whether all inputs of a gate have values; what memory gives comes from the row before."""
    gate = circuits.gate_of(line)
    return line[0] == "m" or (gate is not None and set(gate[1].inputs) <= set(values))


def _gate_step(number: int, line: str, values: dict[str, int], before: dict[str, int]) -> Due:
    name, source = line.split(" ")[0], line.split(" ")[2]
    if name[0] == "m":
        why = f"what {source} gave in row {number - 1}" if number > 1 else "as this is the first row"
        return HELD(row=number, name=name, bit=before.get(source, 0), why=why)
    return PLAIN(row=number, gate=line, worked=_work(line, values), bit=_bit(line, values))


def _sample_chain(rng: Rng, names: Sequence[str], gates: int, kinds: Sequence[str]) -> list[tuple[str, circuits.Gate]]:
    """A ladder: each gate takes the one before it and an input in turn, so that the circuit is as deep as it is long."""
    chain, last = [], names[0]
    for number in range(1, gates + 1):
        kind = rng.choice(kinds)
        side = names[number % len(names)] if names[number % len(names)] != last else names[(number + 1) % len(names)]
        chain.append((f"g{number}", circuits.Gate(kind, (last,) if kind == "not" else (last, side) if rng.chance(0.5) else (side, last))))
        last = f"g{number}"
    return chain


def _meanings(kinds: str) -> str:
    more = "; x xor y is 1 where exactly one is; x nand y is 0 where both are, else 1; x nor y is 1 where neither is"
    return more if kinds == "all" else ""


def _topological_order(lines: Sequence[str]) -> list[str]:
    """The gates with memory first, the others by their numbers: each after those that it takes."""
    return sorted(lines, key=lambda line: (line[0] != "m", int(line.split(" ")[0][1:])))


def _bit(line: str, values: dict[str, int]) -> int:
    gate = circuits.gate_of(line)
    assert gate is not None
    return circuits.value(gate[1], values, 1)


def _work(line: str, values: dict[str, int]) -> str:
    return " ".join(str(values.get(word, word)) for word in line.split(" ")[2:])


def _run(lines: Sequence[str], inputs: str, rows: Sequence[str], queried: Sequence[str]) -> tuple[str, ...]:
    before: dict[str, int] = {}
    out = []
    for row in rows:
        values = {name: int(bit) for name, bit in zip(inputs, row, strict=True)}
        for line in _topological_order(lines):
            words = line.split(" ")
            values[words[0]] = before.get(words[2], 0) if words[0][0] == "m" else _bit(line, values)
        before = values
        out.append("".join(str(values[name]) for name in queried))
    return tuple(out)


environment = Environment(
    Knobs, Words("one word of digits 0 and 1 for each row, in order, separated by spaces", max_items=20),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Row by row: {answer}", whole=True),
    concept="Work out the gates in an order in which each comes after those it takes, row by row, and carry over what memory holds.",
    version=4,
)  # fmt: skip
