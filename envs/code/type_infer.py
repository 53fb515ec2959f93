"""Say which types the variables of a program have in the end, down to what is in the lists, dicts, sets and tuples.

The types are inferred from the operations while the program is written, and read off the values of a run by the oracle. Above the middle level the
program is run for many integers, and for how many of them a variable gets a type is to be counted: the type depends on which branches were taken
before, and the conditions overlap.
"""

import re

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.programs import typed, typed_variants
from rlgym.generators.programs.drawing import number_lines
from rlgym.generators.programs.typed import WAYS, Writing
from rlgym.solutions import Derivation, Solution, Step

TYPED = Step("Then {name} is of type {type}")
COUNTED = Step("{name} is of type {type} for n = {numbers}")
END = "So the answer is:\n{answer}"


class Knobs(Config):
    statements: int = knob(6, easy=5, hard=14, doc="statements and loops that give a variable its value")
    deepest: int = knob(3, easy=1, hard=5, doc="how deep types may be nested")
    statement_kinds: int = knob(
        3, easy=1, hard=len(WAYS), doc="kinds of statements: assignments, then loops, then branches of different types"
    )
    reused: int = knob(15, easy=0, hard=35, doc="percent of assignments that give a variable another value")
    asked: str = knob(
        "types", easy="types", hard="counts", order=("types", "counts"), doc="the types for one input, or for how many inputs types occur"
    )
    variables: int = knob(4, easy=3, hard=5, doc="variables in the question")


class Data(TaskData):
    program: str
    values: tuple[int, ...]
    names: tuple[str, ...]
    types: tuple[str, ...]
    steps: tuple[str, ...]
    counts: tuple[int, ...] = ()  # for how many n each of the variables has its type, where this is asked for


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.asked == "counts":
        return _sample_counts(rng, knobs)
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
        f"{number_lines(writing.source)}\n\nThis Python program is run as solve({values}). What types do these variables have when solve returns?\n\n"
        f"{', '.join(names)}\n\n"
        "Write types as in annotations, with the types of elements: int, str, bool, None, list[int], set[str], dict[str, list[int]], and for a tuple "
        "the type of every element, tuple[int, str]. True and False are of type bool, not int; the type of None is written None."
    )
    return Task(prompt, Data(program=writing.source, values=tuple(values), names=tuple(names), types=types, steps=tuple(steps)))


def _sample_counts(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        source, types = typed_variants.sample(rng, max(3, 2 + knobs.statements // 6), knobs.statements, 3)
        varied = [name for name in types[0] if len({held[name] for held in types}) > 2]
        pairs = list(dict.fromkeys((name, held[name]) for name in varied for held in types))
        pairs = [pair for pair in rng.shuffled(pairs) if 4 <= typed_variants.count_values_of_type(types, *pair) <= 40]
        # The variables that depend on most come first, and no two questions are answered by the same number.
        pairs.sort(key=lambda pair: -len({held[pair[0]] for held in types}))
        pairs = list({typed_variants.count_values_of_type(types, *pair): pair for pair in pairs[5::-1]}.values())[-3:]
        if len(pairs) == 3:
            break
    pairs = rng.shuffled(pairs)
    counts = tuple(typed_variants.count_values_of_type(types, *pair) for pair in pairs)
    steps = []
    for name, kind in pairs:
        places = ", ".join(str(n) for n, held in zip(typed_variants.RANGE, types) if held[name] == kind)
        steps.append(f"{name} is of type {kind} for n = {places}")
    questions = "\n".join(f"{name}: {kind}" for name, kind in pairs)
    booleans = "; True and False are of type bool, not int" if any("bool" in str(kind) for held in types for kind in held.values()) else ""
    prompt = (
        f"{number_lines(source)}\n\nThis Python program is run as solve(n) for every integer n from {typed_variants.RANGE[0]} to {typed_variants.RANGE[-1]}. "
        f"The types of variables when solve returns are written as in annotations, with the types of elements{booleans}. "
        f"For how many n does each of these variables have the type given beside it?\n\n{questions}"
    )
    names, kinds = zip(*pairs)
    return Task(prompt, Data(program=source, values=(), names=names, types=kinds, steps=tuple(steps), counts=counts))


def _write_question(rng: Rng, writing: Writing, count: int) -> list[str]:
    """Variables to ask for: of the deepest types more often than of plain ones."""
    names = [name for name in writing.types if name != "values"]
    deep = sorted(rng.shuffled(names), key=lambda name: -writing.types[name].depth)[: count - 1]
    return rng.shuffled([*deep, *rng.shuffled([name for name in names if name not in deep])[:1]])


_TYPING = re.compile(r"\b(?:typing\.)?(List|Dict|Set|Tuple|FrozenSet)\b")


def solve(task: Task[Data]) -> tuple[str, ...]:
    data = task.data
    if data.counts:
        runs = [typed_variants.types_for(data.program, n) or {} for n in range(1, 61)]
        return tuple(str([str(held.get(name)) for held in runs].count(kind)) for name, kind in zip(data.names, data.types))
    types = typed.run_types(data.program, list(data.values)) or {}
    return tuple(str(types[name]) for name in data.names)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    if task.data.counts:
        found = [re.sub(rf"^`?{re.escape(name)}`?\s*[:=]\s*", "", line).strip() for line, name in zip(answer, task.data.names)]
        right = len(answer) == len(task.data.counts) and found == list(map(str, task.data.counts))
        return Score.exact(right, "the types occur for other numbers of n")
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

    if task.data.counts:
        near = [with_one(i, str(int(count) + step)) for i, count in enumerate(right) for step in (1, -1)]
        return [*near, right[1:] + right[:1], right[:-1], tuple(str(60 - int(count)) for count in right)]
    changes = (("int", "bool"), ("bool", "int"), ("list", "tuple"), ("dict", "list"), ("str", "int"), ("None", "list[int]"))
    near = [with_one(i, kind.replace(a, b, 1)) for i, kind in enumerate(right) for a, b in changes]
    return [*near, right[::-1], right[:-1], with_one(0, right[0].split("[")[0]), tuple(f"{kind} | None" for kind in right)]


def cost(task: Task[Data]) -> float:
    # Each combination of conditions is a case of its own: twice as many with every branch.
    cases = 2 ** task.data.program.count(" else:") if task.data.counts else 1
    return cases * float(len(task.data.program)) + 10 * sum(map(len, task.data.types))


def derive(task: Task[Data]) -> Derivation:
    """Each assignment and loop in turn: the type of what it stores follows from the types before it."""
    for step in task.data.steps:
        if task.data.counts:
            yield COUNTED(**(COUNTED.read(step) or {}))
            continue
        yield TYPED(**(TYPED.read(step) or {}))


environment = Environment(
    Knobs, Lines("one line for each variable, in the order of the question, with nothing but the answer for it"),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END), version=7,
    concept="Give every variable its type line by line; methods that change a list return None, and comparisons give bool.",
)  # fmt: skip
