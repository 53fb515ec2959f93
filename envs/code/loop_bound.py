"""Find an input of a given size that makes a program do some of its lines often, or seldom: its best or worst case.

Every task has a program of its own: of a hundred thousand that are drawn alike, no two were the same with numbers left aside.
"""

from collections import Counter

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Literal
from rlgym.answers.literal import value_of
from rlgym.generators.programs import counting, drawing, interpreter
from rlgym.generators.programs.bounded_operators import Stopped
from rlgym.generators.programs.domains import Domain
from rlgym.generators.programs.grammar import KINDS
from rlgym.generators.programs.grammar_expressions import Shape
from rlgym.generators.programs.interpreter import Program
from rlgym.generators.text import english
from rlgym.solutions import Derivation, Solution, Step, any_order

INPUTS, SOME, CLIMBED = 24, 6, 20
LONGEST_RUN = 20_000
LINE_CHOICES = 20  # choices of lines looked at for each direction
CLIMBS = 6  # choices of lines for which a bound is sought by hill climbing
Counted = tuple[int, drawing.Arguments]
Choice = tuple[int, tuple[int, ...]]
"""The sign of what is asked for, 1 for often and -1 for seldom, and the lines."""
COUNT = Step("With this input, line {line:int} is executed this many times: {count:int}")
SUM = Step("Together that makes {total:int}, which is {comparison} {bound:int}, as the question asks")
END = "So one such input is {answer}"


class Knobs(Config):
    blocks: int = knob(2, easy=1, hard=5, doc="parts that the program is put together from")
    kinds: int = knob(8, easy=5, hard=KINDS, doc="kinds of parts, plain ones first")
    nesting: int = knob(1, easy=0, hard=3, doc="how deep branches and loops may stand in each other")
    helpers: int = knob(1, easy=0, hard=3, doc="other functions that it calls, the third one recursive")
    lines: int = knob(2, easy=1, hard=3, doc="lines whose counts are added")
    rare: int = knob(2, easy=4, hard=1, doc="most percent of inputs that do")


class Data(TaskData):
    program: str
    lines: tuple[int, ...]
    often: bool
    bound: int
    domain: Domain
    known: tuple[str, ...]
    missing: tuple[str, ...]  # inputs that do not do


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = drawing.find(lambda: _sample(rng, knobs), enough=0, tries=2)
    times = f"at {'least' if data.often else 'most'} {data.bound} time{'s' * (data.bound != 1)}"
    which = f"line {data.lines[0]}" if len(data.lines) == 1 else f"lines {english.join_words([*map(str, data.lines)])} together"
    is_are = "is" if len(data.lines) == 1 else "are"
    prompt = (
        f"{drawing.number_lines(data.program)}\n\nThe function solve of this Python program is called with {data.domain.words}. "
        f"With which input {is_are} {which} executed {times} in the whole run? Give one; any is right. (Lines are counted each time they are executed; "
        "a line with an if counts each time its test is evaluated.)"
    )
    return Task(prompt, data)


def _sample(rng: Rng, knobs: Knobs) -> tuple[float, Data] | None:
    takes = rng.choice(("list", "list", "both"))
    size = rng.integer(4, 6 + knobs.blocks)
    domain = Domain(takes, size, size, rng.integer(-3, 1), rng.integer(9, 40))
    drawn = drawing.lively(
        rng,
        Shape(takes, knobs.blocks, knobs.kinds, knobs.nesting, knobs.helpers),
        longest=size,
        most_steps=80 + 50 * knobs.blocks,
        inputs=3,
    )
    candidates = [counted.line for counted in counting.lines(drawn.program.source, drawn.inputs[0])]
    inputs = [domain.drawn(rng) for _ in range(INPUTS)]
    bounded: list[tuple[float, Data]] = []
    try:
        runs = [drawing.run(drawn.program, arguments, fuel=LONGEST_RUN).counts for arguments in inputs[:SOME]]
        candidates = [line for line in candidates if len({counts[line] for counts in runs}) > 2]
        if not candidates:
            return None
        runs += [drawing.run(drawn.program, arguments, fuel=LONGEST_RUN).counts for arguments in inputs[SOME:]]
        # Of the choices of lines, those for which an input beats all that can be guessed: a climb from elsewhere seldom gets there.
        best: dict[Choice, int] = {}
        for sign in rng.shuffled([1, -1] * LINE_CHOICES):
            choice = sign, tuple(sorted(rng.shuffled(candidates)[: knobs.lines]))
            best[choice] = max(_signed(choice, counts) for counts in runs)
        guessed = dict.fromkeys(best, -LONGEST_RUN)
        for arguments in domain.guesses():
            counts = drawing.run(drawn.program, arguments, fuel=LONGEST_RUN).counts
            guessed = {
                choice: reached for choice, most in guessed.items() if (reached := max(most, _signed(choice, counts))) < best[choice]
            }
            if not guessed:
                return None
        for choice in [*guessed][:CLIMBS]:
            counted = [(_signed(choice, counts), arguments) for counts, arguments in zip(runs, inputs)]
            bounded.append(_sample_bound(rng, knobs.rare, drawn.program, choice, domain, counted, guessed[choice]))
            if bounded[-1][0] >= 0:  # rare enough, so no other lines need to be tried
                break
    except Stopped:
        return None
    return max(bounded, key=lambda rarity_and_data: rarity_and_data[0])


def _sample_bound(
    rng: Rng, rare: int, program: Program, choice: Choice, domain: Domain, signed: list[Counted], guessed: int
) -> tuple[float, Data]:
    """A bound that few inputs keep, none of those among them that one can write without reading the program; what is rarer than that is climbed for.

    signed   the signed counts of some inputs
    guessed  the best signed count of an input that one can so write; one of `signed` is better
    """
    sign, lines = choice
    best = max(signed, key=lambda entry: entry[0])
    for _ in range(CLIMBED if rare * INPUTS < 200 else 0):
        arguments = domain.nearby(rng, best[1])
        best = max((sign * _count(program, lines, arguments), arguments), best, key=lambda entry: entry[0])
    able = [bound for bound in {*(count for count, _ in signed), best[0]} if bound > guessed]
    # The easiest bound that is rare enough, else the hardest there is.
    share = {bound: sum(count >= bound for count, _ in signed) * 100 // INPUTS for bound in able}
    bound = min((bound for bound in able if share[bound] <= rare), default=max(able))
    known = dict.fromkeys(domain.write(arguments) for count, arguments in [best, *signed] if count >= bound)
    missing = [domain.write(arguments) for count, arguments in signed if count < bound]
    data = Data(
        program=program.source,
        lines=lines,
        often=sign > 0,
        bound=abs(bound),
        domain=domain,
        known=tuple(known)[:4],
        missing=tuple(missing[:4]),
    )
    return min(0.0, float(rare - share[bound])), data


def _signed(choice: Choice, counts: Counter[int]) -> int:
    sign, lines = choice
    return sign * sum(counts[line] for line in lines)


def _count(program: Program, lines: tuple[int, ...], arguments: drawing.Arguments) -> int:
    counts = drawing.run(program, arguments, fuel=LONGEST_RUN).counts
    return sum(counts[line] for line in lines)


def solve(task: Task[Data]) -> str:
    return task.data.known[0]


def verify(task: Task[Data], answer: str) -> Score:
    arguments = task.data.domain.read(value_of(answer))
    if arguments is None:
        return Score.wrong("that is no input of the kind that is asked for")
    try:
        count = _count(interpreter.program(task.data.program), task.data.lines, arguments)
    except Stopped:
        return Score.wrong("the run gets too long")
    right = count >= task.data.bound if task.data.often else count <= task.data.bound
    return Score.exact(right, f"with that input they are done {count} times")


def mistakes(task: Task[Data], right: str) -> list[str]:
    arguments = task.data.domain.read(value_of(right))
    assert arguments is not None
    return [*task.data.missing, *task.data.domain.outside(arguments)]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.program))


def derive(task: Task[Data]) -> Derivation:
    """What each of the lines counts in the run on the answer."""
    data = task.data
    arguments = data.domain.read(value_of(solve(task)))
    assert arguments is not None
    counts = drawing.run(interpreter.program(data.program), arguments, fuel=LONGEST_RUN).counts
    yield from any_order([COUNT(line=line, count=counts[line]) for line in data.lines])
    comparison = "at least" if data.often else "at most"
    yield SUM(total=sum(counts[line] for line in data.lines), comparison=comparison, bound=data.bound)


environment = Environment(
    Knobs, Literal("the input: a list like [1, 2], or a tuple of list and integer like ([1, 2], 3)"),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    planted=True, answers="many", solutions=lambda task: task.data.known,
    concept="Ask for each of the lines what lets it be done once more, and make as many values as possible do that (or none of them).",
    version=6,
)  # fmt: skip
