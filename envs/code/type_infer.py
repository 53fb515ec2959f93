"""Say which types the variables of a program have in the end, down to what is in the lists, dicts, sets and tuples.

The types are inferred from the operations while the program is written, and read off the values of a run by the oracle.
"""

import re

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.programs import typed
from rlgym.generators.programs.drawing import numbered
from rlgym.generators.programs.typed import WAYS, Writing
from rlgym.solutions import Derivation, Solution, Step

TYPED = Step("Then {name} is of type {type}")
END = "So the types are:\n{answer}"


class Knobs(Config):
    statements: int = knob(6, easy=5, hard=14, doc="statements and loops that give a variable its value")
    deepest: int = knob(3, easy=1, hard=5, doc="how deep types may be nested")
    statement_kinds: int = knob(
        3, easy=1, hard=len(WAYS), doc="kinds of statements: assignments, then loops, then branches of different types"
    )
    reused: int = knob(15, easy=0, hard=35, doc="percent of assignments that give a variable another value")
    variables: int = knob(4, easy=3, hard=5, doc="variables in the question")


class Data(TaskData):
    program: str
    values: tuple[int, ...]
    names: tuple[str, ...]
    types: tuple[str, ...]
    steps: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        values = [rng.integer(1, 30) for _ in range(rng.integer(3, 6))]
        writing, steps = Writing(rng, values, knobs.deepest), list[str]()
        for _ in range(knobs.statements * 4):
            # Until there are names enough to ask for, each statement brings a new one.
            reused = knobs.reused if len(writing.types) > knobs.variables else 0
            if len(steps) < knobs.statements and rng.choice(WAYS[: knobs.statement_kinds])(writing, reused):
                name = list(writing.types)[-1]
                steps.append(f"Then {name} is of type {writing.types[name]}")
        names = _write_question(rng, writing, knobs.variables)
        if len(names) == knobs.variables and len({writing.types[name] for name in names}) > 1:
            break
    types = tuple(str(writing.types[name]) for name in names)
    prompt = (
        f"{numbered(writing.source)}\n\nThis Python program is run as solve({values}). What types do these variables have when solve returns?\n\n"
        f"{', '.join(names)}\n\n"
        "Write types as in annotations, with what is inside: int, str, bool, None, list[int], set[str], dict[str, list[int]], and for a tuple "
        "the type of every part, tuple[int, str]. True and False are of type bool, not int; the type of None is written None."
    )
    return Task(prompt, Data(program=writing.source, values=tuple(values), names=tuple(names), types=types, steps=tuple(steps)))


def _write_question(rng: Rng, writing: Writing, count: int) -> list[str]:
    """Variables to ask for: of the deepest types more often than of plain ones."""
    names = [name for name in writing.types if name != "values"]
    deep = sorted(rng.shuffled(names), key=lambda name: -writing.types[name].depth)[: count - 1]
    return rng.shuffled([*deep, *rng.shuffled([name for name in names if name not in deep])[:1]])


_TYPING = re.compile(r"\b(?:typing\.)?(List|Dict|Set|Tuple|FrozenSet)\b")


def solve(task: Task[Data]) -> tuple[str, ...]:
    types = typed.run_types(task.data.program, list(task.data.values)) or {}
    return tuple(str(types[name]) for name in task.data.names)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    given = [_plain_type(line, name) for line, name in zip(answer, task.data.names)] if len(answer) == len(task.data.names) else []
    return Score.exact(given == [_plain_type(line) for line in task.data.types], "the variables are of other types")


def _plain_type(line: str, name: str = "") -> str:
    """A type without spaces, without the variable's name before it, and with built-in types for those of typing: `List[int]` is `list[int]`."""
    plain = "".join(line.split())
    plain = re.sub(rf"^`?{re.escape(name)}`?:", "", plain) if name else plain
    return _TYPING.sub(lambda match: match[1].lower(), plain).replace("NoneType", "None")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    def with_one(place: int, text: str) -> tuple[str, ...]:
        return (*right[:place], text, *right[place + 1 :])

    changes = (("int", "bool"), ("bool", "int"), ("list", "tuple"), ("dict", "list"), ("str", "int"), ("None", "list[int]"))
    near = [with_one(i, kind.replace(a, b, 1)) for i, kind in enumerate(right) for a, b in changes]
    return [*near, right[::-1], right[:-1], with_one(0, right[0].split("[")[0]), tuple(f"{kind} | None" for kind in right)]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.program)) + 10 * sum(map(len, task.data.types))


def derive(task: Task[Data]) -> Derivation:
    """Each assignment and loop in turn: the type of what it stores follows from the types before it."""
    for step in task.data.steps:
        yield TYPED(**(TYPED.read(step) or {}))


environment = Environment(
    Knobs, Lines("the types in the order of the variables, each on a line of its own"),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END), version=3,
    concept="Give every variable its type line by line; methods that change a list return None, and comparisons give bool.",
)  # fmt: skip
