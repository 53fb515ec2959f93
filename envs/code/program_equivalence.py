"""Compare several programs with one: for each give an input on which it differs, or say that there is none, which all inputs have shown.

Every task has a program of its own: of a hundred thousand that are drawn alike, no two were the same with numbers left aside.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Literal
from rlgym.answers.literal import value_of, written
from rlgym.generators.programs import drawing, faults, interpreter
from rlgym.generators.programs.bounded_operators import Stopped
from rlgym.generators.programs.domains import Domain
from rlgym.generators.programs.drawing import Arguments
from rlgym.generators.programs.grammar import KINDS
from rlgym.generators.programs.grammar_expressions import Shape
from rlgym.solutions import Derivation, Solution, Step, any_order

SAME = 40  # percent of the other programs that never differ
TRIED = 10  # faults looked at in one program
CHANGED = Step("Program {number:int} has `{other}` where the original program has `{first}`")
DIFFERS = Step("For {arguments} the original program returns {first} and program {number:int} returns {other}")
AGREES = Step("For all {count:int} pairs of arguments program {number:int} returns what the original program returns")
END = "So the entries are {answer}"


class Knobs(Config):
    blocks: int = knob(1, easy=1, hard=3, beyond=5, doc="parts that the first program is put together from")
    kinds: int = knob(7, easy=3, hard=KINDS, doc="kinds of parts, plain ones first")
    nesting: int = knob(1, easy=0, hard=2, doc="how deep branches and loops may stand in each other")
    others: int = knob(4, easy=3, hard=5, doc="programs that it is compared with")
    rare: int = knob(30, easy=80, hard=8, beyond=2, doc="most percent of inputs on which a program differs")
    commuted: int = knob(25, easy=0, hard=60, doc="percent of the commutative operations whose operands are exchanged")
    span: int = knob(4, easy=4, hard=6, doc="numbers that each argument may be")


class Data(TaskData):
    programs: tuple[str, ...]
    domain: Domain
    known: tuple[tuple[str, ...], ...]  # for each of the other programs inputs on which it differs


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = drawing.find(lambda: _sample(rng, knobs), enough=-2, tries=2)
    others = "\n\n".join(f"Program {number}:\n\n{program}" for number, program in enumerate(data.programs[1:], 1))
    prompt = (
        f"This is the original program, in Python:\n\n{data.programs[0]}\n\nThese are variants of it:\n\n{others}\n\nFor each of programs 1 to {knobs.others}: "
        f"is there a call solve(a, b), with a and b integers from {data.domain.low} to {data.domain.high}, for which its value differs "
        "from that of the original program? Give such a pair (a, b) for each program in turn, any such pair, or None if there is none."
    )
    return Task(prompt, data)


def _sample(rng: Rng, knobs: Knobs) -> tuple[float, Data] | None:
    low = rng.integer(-9, 20)
    domain = Domain("numbers", 0, 0, low, low + knobs.span - 1)
    drawn = drawing.lively(rng, Shape("numbers", knobs.blocks, knobs.kinds, knobs.nesting), most_steps=40 + 20 * knobs.blocks, inputs=3)
    first = faults.normalize_source(drawn.program.source)
    inputs = rng.shuffled(list(domain.everything()))
    right = _values(first, inputs)
    if right is None or len(set(right)) < 3:
        return None
    most = max(1, knobs.rare * len(inputs) // 100)
    same, rare, common = list[str](), list[tuple[str, list[Arguments]]](), list[tuple[str, list[Arguments]]]()
    same_count = sum(rng.integer(1, 100) <= SAME for _ in range(knobs.others - 1))
    for _ in range(same_count):
        source = faults.rewrite(rng, first, max(20, knobs.commuted))
        if source != first and _describe(source, inputs, right, 0) == []:
            same.append(source)
    for fault in rng.shuffled(faults.faults(first))[:TRIED]:
        if len(rare) == knobs.others - min(same_count, len(same)):
            break
        source = faults.rewrite(rng, fault.source, knobs.commuted)
        description = _describe(source, inputs, right, most)
        if description:
            (rare if len(description) <= most else common).append((source, description))
        elif description == []:
            same.append(source)
    for _ in range(knobs.others):
        if len(set(same)) >= same_count:
            break
        source = faults.rewrite(rng, first, max(20, knobs.commuted))
        if source != first and _describe(source, inputs, right, 0) == []:
            same.append(source)
    kept = [(source, list[Arguments]()) for source in rng.shuffled(list(dict.fromkeys(same)))[:same_count]]
    differing = [*rare, *common][: knobs.others - len(kept)]
    if len(kept) + len(differing) < knobs.others:
        return None
    chosen = rng.shuffled(kept + differing)
    known = tuple(tuple(written(arguments) for arguments in description[:4]) for _, description in chosen)
    rank = -sum(value in common for value in differing) - 0.5 * (same_count - len(kept))
    return rank, Data(programs=(first, *(source for source, _ in chosen)), domain=domain, known=known)


def _values(source: str, inputs: list[Arguments]) -> list[str] | None:
    """What the program returns for these; None if it does not always return."""
    program = interpreter.program(source)
    try:
        ends = [drawing.run(program, arguments) for arguments in inputs]
    except Stopped:
        return None
    return None if any(end.raised for end in ends) else [written(end.value) for end in ends]


def _describe(source: str, inputs: list[Arguments], right: list[str], most: int) -> list[Arguments] | None:
    """The inputs on which it differs, one more than `most` at most."""
    program, argumentses = interpreter.program(source), list[Arguments]()
    for arguments, value in zip(inputs, right):
        try:
            end = drawing.run(program, arguments)
        except Stopped:
            return None
        if end.raised:
            return None
        if written(end.value) != value:
            argumentses.append(arguments)
            if len(argumentses) > most:
                break
    return argumentses


def solve(task: Task[Data]) -> str:
    """Tries all inputs."""
    inputs = list(task.data.domain.everything())
    right, *others = (_values(program, inputs) or [] for program in task.data.programs)
    return written([next((input_ for input_, a, b in zip(inputs, right, other) if a != b), None) for other in others])


def verify(task: Task[Data], answer: str) -> Score:
    given, data = value_of(answer), task.data
    if not isinstance(given, list) or len(given) != len(data.known):
        return Score.wrong("there must be one entry for each of the programs")
    for verdict, source, known in zip(given, data.programs[1:], data.known):
        if verdict is None:
            if known:
                return Score.wrong("a program that is said to be the same is not")
            continue
        arguments = data.domain.read(verdict)
        if arguments is None:
            return Score.wrong("an entry is neither None nor two integers of the range")
        if _describe(source, [arguments], _values(data.programs[0], [arguments]) or [], 0) == []:
            return Score.wrong("for one of the inputs both programs return the same")
    return Score.exact(True, "")


def mistakes(task: Task[Data], right: str) -> list[str]:
    entries = value_of(right)
    some = next((entry for entry in entries if entry), None)
    flipped = [written([*entries[:i], some if entry is None else None, *entries[i + 1 :]]) for i, entry in enumerate(entries)]
    return [
        *flipped,
        written([None] * len(entries)),
        written(entries[:-1]),
        written([[task.data.domain.high + 1, 0]] * len(entries)),
        "None",
    ]


def solutions(task: Task[Data]) -> list[str]:
    return [f"[{', '.join(known[i % len(known)] if known else 'None' for known in task.data.known)}]" for i in range(4)]


def cost(task: Task[Data]) -> float:
    return float(sum(map(len, task.data.programs[1:]))) * (task.data.domain.high - task.data.domain.low + 1)


def derive(task: Task[Data]) -> Derivation:
    """For each program the lines that differ, and the first pair of arguments for which that matters."""
    data = task.data
    inputs = list(data.domain.everything())
    first = _values(data.programs[0], inputs) or []
    for number, source in enumerate(data.programs[1:], 1):
        yield from any_order([CHANGED(number=number, first=one, other=other) for one, other in _changed_lines(data.programs[0], source)])
        values = _values(source, inputs) or []
        differing = next((i for i, (one, other) in enumerate(zip(first, values, strict=True)) if one != other), None)
        if differing is None:
            yield AGREES(count=len(inputs), number=number)
        else:
            yield DIFFERS(arguments=written(inputs[differing]), first=first[differing], number=number, other=values[differing])


def _changed_lines(first: str, other: str) -> list[tuple[str, str]]:
    """The lines that differ between two programs of equally many lines; nothing where they have other numbers of lines."""
    ones, others = ([line.strip() for line in source.split("\n")] for source in (first, other))
    return [(one, two) for one, two in zip(ones, others) if one != two] if len(ones) == len(others) else []


environment = Environment(
    Knobs, Literal("a list with one entry per program, like [(3, 4), None, (0, 7)]"), generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    answers="many", solutions=solutions,
    shared_helpers="The helper runs a program of the small language, as Python does.",
    concept="Find where a program says something else, and ask which inputs get there with values for which that matters to the end.",
    version=5,
)  # fmt: skip
