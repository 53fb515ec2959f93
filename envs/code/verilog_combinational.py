"""Write a Verilog module without memory for a specification; it is simulated on all inputs.

Fourteen operations and nine conditions make more than 157,000 circuits of three cases, what is worked on and nesting aside.
"""

from collections.abc import Mapping, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Code
from rlgym.generators.programs import circuits, verilog
from rlgym.generators.programs.verilog_expressions import WIDEST, Refused
from rlgym.solutions import Derivation, Solution, Step, any_order

MOST_SHOWN = 12  # combinations of inputs in a worked solution
VALUE = Step("For a = {a:int} and b = {b:int} the specification gives {outputs}")
BIT = Step("Over all {all:int} combinations, bit {bit:int} of {name} is 1 in {count:int} of them")
END = "A module that gives each bit for every combination:\n{answer}"


class Knobs(Config):
    width: int = knob(3, easy=3, hard=4, doc="bits of each number")
    cases: int = knob(3, easy=2, hard=5, doc="cases of the specification")
    kinds: int = knob(11, easy=9, hard=14, doc="how many kinds of operations there are to draw from, plain ones first")
    nested: int = knob(1, easy=0, hard=5, doc="operations that are made on what another one gives")
    flag: int = knob(0, easy=0, hard=1, doc="whether there is a second output, of two conditions")


class Data(TaskData):
    width: int
    tables: dict[str, tuple[int, ...]]  # a bit for each combination of inputs
    wrong: tuple[dict[str, tuple[int, ...]], ...]
    reference: str
    words: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        circuit = circuits.sample(rng, knobs.width, knobs.cases, knobs.kinds, knobs.nested, bool(knobs.flag))
        tables, near = circuits.tables(circuit), circuits.near_miss_circuits(circuit)
        wrong = [other for other in map(circuits.tables, near) if other != tables]
        # Every case is met, and no bit is the same for all inputs.
        if wrong and all(0 < bit < (1 << 4**knobs.width) - 1 for bits in tables.values() for bit in bits):
            break
    description = circuits.words(circuit)
    takes, gives = ports(knobs.width, tables)
    prompt = (
        f"Write a Verilog module for this specification. Its head is\n\n{verilog.head(takes, gives)}\n\nAll numbers are unsigned unless stated "
        f"otherwise, and bits are numbered from the lowest, which is bit 0. What is not cut off by 'modulo' is exact.\n\n{description}\n\nThe module "
        "has only items of the forms `wire name;`, `wire name = expression;` and `assign name = expression;`. A wire may have a range, as in `wire [2:0] "
        f"name;`. Each whole wire or output is assigned once, before it is used in an expression, and no wire has more than {WIDEST} bits. Expressions are "
        "made of names, bits like a[0], parts "
        f"like a[2:1], constants with a size like 4'd9 or 2'b01, concatenations in braces, parentheses, and the operators ~ & | ^ + - == != < <= > "
        f">= && || ! ?: and the reductions &a |a ^a. Widths follow the rules of Verilog. It is simulated on all inputs."
    )
    data = Data(
        width=knobs.width,
        tables={name: tuple(bits) for name, bits in tables.items()},
        wrong=tuple({name: tuple(bits) for name, bits in other.items()} for other in wrong),
        reference="\n".join([verilog.head(takes, gives), *circuits.verilog(circuit), "endmodule"]),
        words=description,
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> str:
    return decide(task, task.data.tables)


def verify(task: Task[Data], answer: str) -> Score:
    takes, gives = ports(task.data.width, task.data.tables)
    try:
        outputs = verilog.simulate(answer, takes, gives)
    except Refused as why:
        return Score.wrong(str(why))
    for name, bits in task.data.tables.items():
        differ = 0
        for bit, expected in zip(outputs[name], bits, strict=True):
            differ |= bit ^ expected
        if differ:
            return Score.wrong(f"{name} is wrong for {differ.bit_count()} of {4**task.data.width} combinations of inputs")
    return Score.exact(True)


def solutions(task: Task[Data]) -> list[str]:
    return [task.data.reference, decide(task, task.data.tables)]


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [
        *(decide(task, tables) for tables in task.data.wrong[:4]),
        right.replace("endmodule", ""),
        right.replace("module top", "module main"),
    ]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.words) << task.data.width)


def derive(task: Task[Data]) -> Derivation:
    """Some rows of the truth table, and how often each output bit is 1 in the whole table."""
    data, size = task.data, 4**task.data.width
    for row in range(0, size, max(1, size // MOST_SHOWN)):
        outputs = {name: sum((bits >> row & 1) << place for place, bits in enumerate(table)) for name, table in data.tables.items()}
        a, b = ((row >> shift) & ((1 << data.width) - 1) for shift in (0, data.width))
        yield VALUE(a=a, b=b, outputs=" and ".join(f"{name} = {value}" for name, value in outputs.items()))
    bits = [(name, place, bit) for name, table in data.tables.items() for place, bit in enumerate(table)]
    yield from any_order([BIT(all=size, bit=place, name=name, count=bit.bit_count()) for name, place, bit in bits])


def ports(width: int, tables: Mapping[str, object]) -> tuple[verilog.Ports, verilog.Ports]:
    """What the module takes and gives."""
    return (("a", width), ("b", width)), (("y", width), *((("z", 1),) if "z" in tables else ()))


def decide(task: Task[Data], tables: Mapping[str, Sequence[int]]) -> str:
    """A module made of nothing but the tables."""
    return verilog.decide({name: list(bits) for name, bits in tables.items()}, *ports(task.data.width, tables))


environment = Environment(
    Knobs, Code("the whole Verilog module", language="verilog"), generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    planted=True, answers="many", solutions=solutions,
    concept="Give each operation and each condition a wire of its own, wide enough for a carry, and choose between them with ?: in the end.",
    version=4,
)  # fmt: skip
