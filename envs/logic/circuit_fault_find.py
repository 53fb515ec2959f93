"""Find the one faulty gate of a circuit, and how it fails, from tests in which some outputs came out wrong.

A task is kept only if exactly one fault agrees with all tests, counted over all faults by truth tables.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.logic import gate_circuits, truth_tables
from rlgym.solutions import Derivation, Solution, Step

Pairs = tuple[tuple[str, str], ...]
FAULTS = {"stuck": ("0", "1"), "any": ("0", "1", "inverted")}
SAID = {"0": "stuck at 0", "1": "stuck at 1", "inverted": "inverted"}
OUT = Step("{gate} {fault} is out: the first test against it is {test}, and there first {output}, which would be {value} and not {seen}")


class Knobs(Config):
    gates: int = knob(12, easy=4, hard=28, doc="how many gates the circuit has")
    inputs: int = knob(4, easy=2, hard=6, doc="how many inputs the circuit has")
    faults: str = knob(
        "any", easy="stuck", hard="any", order=tuple(FAULTS), doc="whether a gate can only be stuck at a value or inverted too"
    )
    wires: str = knob(
        "some",
        easy="tree",
        hard="shared",
        order=("tree", "some", "shared"),
        doc="how often a wire leads to several gates whose paths meet again",
    )


class Data(TaskData):
    inputs: tuple[str, ...]
    gates: tuple[tuple[str, str, tuple[str, ...]], ...]
    outputs: tuple[str, ...]
    tests: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]  # inputs, and what the outputs were
    faults: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, regular=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A chain of adders, choices and comparisons instead of gates joined at random."""
    return _sample_task(rng, knobs, regular=True)


def solve(task: Task[Data]) -> Pairs:
    # Gate after gate and test after test, with single values; generate and `solutions` use truth tables.
    return next(((gate, fault),) for gate, fault in _candidates(task.data) if _contradicting_test(task.data, gate, fault) is None)


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    if len(answer) != 1:
        return Score.wrong("exactly one gate is faulty")
    gate, fault = answer[0]
    fault = fault.replace("-", " ").removeprefix("stuck at ")
    if (gate, fault) not in _candidates(data):
        return Score.wrong("that is not a gate of the circuit with one of the faults")
    return Score.exact(_contradicting_test(data, gate, fault) is None, "with this fault a test would have come out otherwise")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    (gate, fault) = right[0]
    gates = [name for name, _, _ in task.data.gates]
    after = gates[(gates.index(gate) + 1) % len(gates)]
    return [
        ((gate, "1" if fault == "0" else "0"),),
        ((after, fault),),
        ((task.data.outputs[-1], fault),),
        ((task.data.inputs[0], fault),),
        tuple((name, fault) for name in sorted((gate, after))),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.gates) ** 2 * len(data.tests) * len(data.faults))


def derive(task: Task[Data]) -> Derivation:
    for gate, fault in _candidates(task.data):
        if against := _contradicting_test(task.data, gate, fault):
            test, output, value = against
            yield OUT(gate=gate, fault=SAID[fault], test=test + 1, output=output, value=value, seen=1 - value)


def _sample_task(rng: Rng, knobs: Knobs, regular: bool) -> Task[Data]:
    inputs = tuple("abcdefgh"[: knobs.inputs])
    every = truth_tables.every(len(inputs))
    given = dict(zip(inputs, truth_tables.columns(len(inputs)), strict=True))
    faults = FAULTS[knobs.faults]
    shared = {"tree": 0.0, "some": 0.3, "shared": 0.5}[knobs.wires]
    while True:
        gates = gate_circuits.cells(rng, inputs, knobs.gates) if regular else gate_circuits.sample(rng, inputs, knobs.gates, shared)
        gates = _rename_gates(rng, gates)
        used = {wire for _, _, ins in gates for wire in ins}
        outputs = tuple(name for name, _, _ in gates if name not in used or rng.chance(0.1))
        shapes: dict[tuple[int, ...], list[tuple[str, str]]] = {}
        for gate, _, _ in gates:
            for fault in faults:
                wires = gate_circuits.tables(gates, given, every, (gate, fault))
                shapes.setdefault(tuple(wires[output] for output in outputs), []).append((gate, fault))
        sound = gate_circuits.tables(gates, given, every)
        single = [shape for shape, members in shapes.items() if len(members) == 1 and shape != tuple(sound[output] for output in outputs)]
        if single:
            break
    right = rng.choice(single)
    rows: list[int] = []
    left = [shape for shape in shapes if shape != right]
    for row in rng.shuffled(range(1 << len(inputs))):
        fewer = [shape for shape in left if all((output_a ^ two) >> row & 1 == 0 for output_a, two in zip(shape, right, strict=True))]
        if len(fewer) < len(left):
            rows.append(row)
            left = fewer
    tests = tuple(
        (tuple(row >> i & 1 for i in range(len(inputs))), tuple(table >> row & 1 for table in right)) for row in rng.shuffled(rows)
    )
    data = Data(inputs=inputs, gates=tuple(gates), outputs=outputs, tests=tests, faults=faults)
    return Task(_render_prompt(data), data)


def _rename_gates(rng: Rng, gates: Sequence[gate_circuits.Gate]) -> list[gate_circuits.Gate]:
    """Numbers with gaps, so that none of them is faulty more often than others."""
    numbers = sorted(rng.sample(range(1, 3 * len(gates) + 1), len(gates)))
    names = {name: f"g{number}" for (name, _, _), number in zip(gates, numbers, strict=True)}
    return [(names[name], kind, tuple(names.get(wire, wire) for wire in ins)) for name, kind, ins in gates]


def _render_prompt(data: Data) -> str:
    wiring = "\n".join(
        f"{name} = {kind} {ins[0]}" if kind == "not" else f"{name} = {ins[0]} {kind} {ins[1]}" for name, kind, ins in data.gates
    )
    tests = "\n".join(
        f"test {k}: {' '.join(f'{name}={bit}' for name, bit in zip(data.inputs, bits, strict=True))} gave "
        f"{' '.join(f'{name}={bit}' for name, bit in zip(data.outputs, seen, strict=True))}"
        for k, (bits, seen) in enumerate(data.tests, 1)
    )
    kinds = "always gives 0 (written 0) or always gives 1 (written 1)"
    if "inverted" in data.faults:
        kinds = "always gives 0 (written 0), always gives 1 (written 1), or always gives the opposite of what it should (written inverted)"
    return (
        f"A circuit has the inputs {', '.join(data.inputs)} and these gates, where x nand y is not (x and y), x nor y is not (x or y), and x xor y is 1 when "
        f"exactly one of x and y is 1:\n{wiring}\n\nExactly one gate is faulty. A faulty gate {kinds}; everything else works, and the fault is the "
        f"same in all tests. These values were observed:\n{tests}\n\nWhich gate is faulty, and what is its fault?"
    )


def _candidates(data: Data) -> list[tuple[str, str]]:
    return [(name, fault) for name, _, _ in data.gates for fault in data.faults]


def _contradicting_test(data: Data, gate: str, fault: str) -> tuple[int, str, int] | None:
    """The first test that this fault does not agree with, the first output there that would differ, and what it would be."""
    for k, (bits, seen) in enumerate(data.tests):
        wires = dict(zip(data.inputs, bits, strict=True))
        for name, kind, ins in data.gates:
            input_a, two = wires[ins[0]], wires[ins[-1]]
            plain = (
                input_a & two
                if kind in ("and", "nand")
                else input_a | two
                if kind in ("or", "nor")
                else input_a ^ two
                if kind == "xor"
                else input_a
            )
            value = 1 - plain if kind in ("nand", "nor", "not") else plain
            wires[name] = value if name != gate else 1 - value if fault == "inverted" else int(fault)
        for output, value in zip(data.outputs, seen, strict=True):
            if wires[output] != value:
                return k, output, wires[output]
    return None


def _solutions(task: Task[Data]) -> Iterator[Pairs]:
    data = task.data
    every = (1 << len(data.tests)) - 1
    given = {name: sum(bits[i] << k for k, (bits, _) in enumerate(data.tests)) for i, name in enumerate(data.inputs)}
    expected = {name: sum(seen[i] << k for k, (_, seen) in enumerate(data.tests)) for i, name in enumerate(data.outputs)}
    for gate, fault in _candidates(data):
        wires = gate_circuits.tables(data.gates, given, every, (gate, fault))
        if all(wires[name] == table for name, table in expected.items()):
            yield ((gate, fault),)


environment = Environment(
    Knobs, Mapping("one line `gate: fault`, with the fault as it is written above", max_items=40), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "All other faults are out, and this one agrees with all tests:\n{answer}", whole=True),
    answers="unique", solutions=_solutions,
    concept="A fault that agrees with the tests must change an output exactly where it came out wrong; strike out each fault at the first test against it.",
    version=3,
)  # fmt: skip
