"""Compare pairs of programs with a reference: which of two is right, does less work, or never fails, decided by running them.

Each pair asks one question. *Right*: one of the two returns what the reference returns for every input, the other differs for some. *Fast*: both are right, and
one executes fewer lines in a given call. *Safe*: one never ends with an exception, the other does for some input. All inputs are tried and all lines
counted, so no label is an opinion; the two programs of a pair are written in the same style.

From *Learning Code Preference via Synthetic Evolution* (CodeFavor), with measured labels.
"""

import re
from collections import defaultdict
from itertools import cycle
from typing import Literal

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.programs import busy_lines, drawing, faults, hazards
from rlgym.generators.programs.domains import Domain
from rlgym.generators.programs.drawing import Arguments
from rlgym.generators.programs.grammar import KINDS
from rlgym.generators.programs.grammar_expressions import Shape
from rlgym.generators.programs.reference_runs import Pool, differing_inputs, ended, is_safe, raising_inputs
from rlgym.solutions import Derivation, Solution, Step, any_order

Question = Literal["right", "fast", "safe"]
QUESTIONS: tuple[Question, ...] = ("right", "fast", "safe")
FAULTS, MOST_FAULTS = 5, 14  # of the reference that are looked at for each pair until faults that are not rare will do as well; and at most
TRIES_OF_LOOPS, TRIES_OF_TEXT = 20, 6  # until a pair of loops or hazards will do; with one text of the reference
DIFFERS = Step("Pair {number:int}: for solve{arguments} program {letter} does not return what the reference returns, so {other} is right")
COUNTED = Step("Pair {number:int}: A executes {first:int} lines and B {second:int}, so {letter} is faster")
RAISES = Step("Pair {number:int}: for solve{arguments} program {letter} ends with {kind}, so {other} is safe")
END = "So the letters are {answer}"


class Knobs(Config):
    pairs: int = knob(5, easy=4, hard=6, doc="pairs of programs")
    blocks: int = knob(1, easy=1, hard=2, doc="parts that the reference is put together from")
    kinds: int = knob(7, easy=3, hard=KINDS, doc="kinds of parts, plain ones first")
    nesting: int = knob(1, easy=0, hard=2, doc="how deep branches and loops may stand in each other")
    rare: int = knob(30, easy=80, hard=10, doc="most percent of inputs on which a wrong program differs")
    commuted: int = knob(30, easy=0, hard=60, doc="percent of the commutative operations whose operands are exchanged")
    gap: int = knob(30, easy=80, hard=10, doc="least percent by which the slower program executes more lines", scale="log")
    hazards: int = knob(4, easy=2, hard=hazards.KINDS, doc="ways of raising exceptions, plain ones first")
    span: int = knob(3, easy=3, hard=4, doc="numbers that each argument may be")


class Pair(TaskData):
    question: Question
    programs: tuple[str, str]
    arguments: tuple[int, int]  # of the call whose lines are counted
    better: str


class Data(TaskData):
    reference: str
    domain: Domain
    pairs: tuple[Pair, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = drawing.find(lambda: _sample(rng, knobs), enough=0, tries=1)
    low, high = data.domain.low, data.domain.high
    asked = {
        "right": "Which one returns what the reference returns for all such a and b?",
        "fast": "Both return what the reference returns. Which one executes fewer lines in the call solve{}?",
        "safe": "Which one raises no exception for any such a and b?",
    }
    shown = "\n\n".join(
        f"Pair {number}. {asked[pair.question].format(pair.arguments)}\n\nA:\n\n{pair.programs[0]}\n\nB:\n\n{pair.programs[1]}"
        for number, pair in enumerate(data.pairs, 1)
    )
    counts = busy_lines.counting_rule([program for pair in data.pairs if pair.question == "fast" for program in pair.programs])
    prompt = (
        f"This Python program is the reference:\n\n{data.reference}\n\nIt is called as solve(a, b) with integers a and b, each from {low} to {high}. "
        f"Below are {len(data.pairs)} pairs of variants of it. Choose one program from each pair.{counts}\n\n{shown}"
    )
    return Task(prompt, data)


def _sample(rng: Rng, knobs: Knobs) -> tuple[float, Data] | None:
    low = rng.integer(-9, 20)
    domain = Domain("numbers", 0, 0, low, low + knobs.span - 1)
    drawn = drawing.lively(rng, Shape("numbers", knobs.blocks, knobs.kinds, knobs.nesting), most_steps=40 + 20 * knobs.blocks, inputs=3)
    source = faults.normalize_source(drawn.program.source)
    pool = Pool.of(source, rng.shuffled(list(domain.everything())))
    if pool is None or len({repr(value) for value in pool.values}) < 3:
        return None
    questions = [QUESTIONS[number % len(QUESTIONS)] for number in range(knobs.pairs)]
    # Most references that will not do have too few faults for the first question.
    right = _right_pairs(rng, knobs, pool, questions.count("right"))
    pairs = list[Pair]()
    for question in questions if right else ():
        found = right.pop() if question == "right" else {"fast": _fast_pair, "safe": _safe_pair}[question](rng, knobs, pool)
        if found is None:
            return None
        better, worse, arguments = found
        if any({better, worse} == {*pair.programs} for pair in pairs):
            return None
        first = rng.chance(0.5)
        programs = (better, worse) if first else (worse, better)
        pairs.append(Pair(question=question, programs=programs, arguments=arguments, better="A" if first else "B"))
    return (0.0, Data(reference=source, domain=domain, pairs=tuple(rng.shuffled(pairs)))) if pairs else None


Found = tuple[str, str, Arguments]


def _right_pairs(rng: Rng, knobs: Knobs, pool: Pool, count: int) -> list[Found]:
    """So many pairs of programs that each differ from the reference in one place by the same kind of change, or none.

    One of a pair has the reference's values, the other not on few inputs; the latter all have different changes.
    """
    same, other = defaultdict[int, list[str]](list), defaultdict[int, list[tuple[int, str]]](list)
    rare = knobs.rare * len(pool.inputs) // 100
    for looked_at, fault in enumerate(rng.shuffled(faults.faults(pool.source))[: MOST_FAULTS * count], 1):
        differing = differing_inputs(fault.source, pool, rare + 1, fault.line)
        if differing == []:
            same[fault.kind].append(fault.source)
        elif differing:
            other[fault.kind].append((len(differing), fault.source))
        able, rare_enough = (
            sum(inputs <= most for kind in tuple(same) for inputs, _ in other[kind]) >= count for most in (len(pool.inputs), rare)
        )
        if rare_enough or (able and looked_at >= FAULTS * count):
            break
    for kind in tuple(same):
        # Of faults that are not rare, the inputs have not all been counted.
        other[kind] = [
            (inputs if inputs <= rare else len(differing_inputs(source, pool) or pool.inputs), source) for inputs, source in other[kind]
        ]
    candidates = sorted(
        [(inputs, better, worse) for kind in same for better, (inputs, worse) in zip(cycle(same[kind]), sorted(other[kind]))],
        key=lambda candidate: candidate[0],
    )
    pairs = list[Found]()
    for _, *sources in candidates:
        better, worse = (faults.rewrite(rng, source, knobs.commuted) for source in sources)
        if differing_inputs(better, pool, 1) == [] and differing_inputs(worse, pool, 1):
            pairs.append((better, worse, pool.inputs[0]))
            if len(pairs) == count:
                return pairs
    return []


def _fast_pair(rng: Rng, knobs: Knobs, pool: Pool) -> Found | None:
    """Two programs that are the same as the reference, with different amounts of idle work in loops that are equally deep, and the call that is counted."""
    rewritten = list[str]()
    for attempt in range(TRIES_OF_LOOPS):
        if attempt % TRIES_OF_TEXT == 0:
            rewritten = [faults.rewrite(rng, pool.source, knobs.commuted) for _ in range(2)]
        first, second = (busy_lines.idle_places(source) for source in rewritten)
        both = [indent for indent in first if indent in second]
        if not both:
            return None
        indent = rng.choice(both)
        pair = [busy_lines.with_idle_loop(rng, source, indent) for source in rewritten]
        arguments = rng.choice(pool.inputs)
        counted = [(end.steps, source) for source in pair if (end := ended(source, arguments))]
        if len(counted) < 2:
            continue
        better, worse = sorted(counted, key=lambda one: one[0])
        apart = worse[0] * 100 >= better[0] * (100 + knobs.gap) and worse[0] <= 5 * better[0]
        if apart and differing_inputs(better[1], pool, 1) == differing_inputs(worse[1], pool, 1) == []:
            return better[1], worse[1], arguments
    return None


def _safe_pair(rng: Rng, knobs: Knobs, pool: Pool) -> Found | None:
    """A program that never ends with an exception although a line may look so, and one that does for some input."""
    by_safety: dict[tuple[bool, bool], str] = {}  # by whether there is a try statement, which tells nothing so, and whether it is safe
    rewritten = ""
    for attempt in range(TRIES_OF_LOOPS):
        if attempt % TRIES_OF_TEXT == 0:
            rewritten = faults.rewrite(rng, pool.source, knobs.commuted)
        if not busy_lines.started_names(rewritten):
            return None
        source = hazards.with_hazards(rng, rewritten, 1, knobs.hazards, 20)
        caught, safe = "try:" in source, is_safe(source, pool.inputs)
        if safe is not None:
            by_safety.setdefault((caught, safe), source)
            if (caught, True) in by_safety and (caught, False) in by_safety:
                return by_safety[caught, True], by_safety[caught, False], pool.inputs[0]
    return None


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Runs all programs on all inputs."""
    data = task.data
    inputs = list(data.domain.everything())
    pool = Pool.of(data.reference, inputs)
    assert pool is not None
    return tuple("AB"[_faults_of(pair, 0, pool) > _faults_of(pair, 1, pool)] for pair in data.pairs)


def _faults_of(pair: Pair, place: int, pool: Pool) -> int:
    """What counts against a program: inputs on which it differs or fails, or lines that it executes."""
    source = pair.programs[place]
    if pair.question == "right":
        return len(differing_inputs(source, pool) or ())
    if pair.question == "safe":
        return len(raising_inputs(source, pool.inputs) or ())
    end = ended(source, pair.arguments)
    return end.steps if end else 0


def _letters(answer: tuple[str, ...]) -> tuple[str, ...]:
    """The letters of an answer, also of one that numbers the pairs (`1: A`, `Pair 1: A`) or leaves out the spaces (`AABB`)."""
    joined = re.sub(r"\(([AB])\)", r"\1", "".join(answer).upper()).replace("PAIR", "")
    numbered = re.findall(r"(\d{1,3})[:.)]([A-Z])", joined)
    if (
        numbered
        and re.fullmatch(r"(?:\d{1,3}[:.)][A-Z])+", joined)
        and [int(number) for number, _ in numbered] == list(range(1, len(numbered) + 1))
    ):
        return tuple(letter for _, letter in numbered)
    return tuple(joined)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    right = tuple(pair.better for pair in task.data.pairs)
    given = _letters(answer)
    if len(given) != len(right) or not {*given} <= {*"AB"}:
        return Score.wrong("there must be one letter, A or B, for each pair")
    parts = {
        question: sum(said == pair.better for said, pair in zip(given, task.data.pairs) if pair.question == question)
        / sum(pair.question == question for pair in task.data.pairs)
        for question in QUESTIONS
    }
    return Score.exact(given == right, "in some pair the other program is the better one", **parts)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    flipped = [(*right[:i], "B" if letter == "A" else "A", *right[i + 1 :]) for i, letter in enumerate(right)]
    shorter = tuple("AB"[len(pair.programs[0]) > len(pair.programs[1])] for pair in task.data.pairs)
    constant = [(letter,) * len(right) for letter in "AB"]
    return [other for other in (*flipped, shorter, *constant, right[:-1]) if other != right]


def cost(task: Task[Data]) -> float:
    return float(sum(len(program) for pair in task.data.pairs for program in pair.programs)) * (
        task.data.domain.high - task.data.domain.low + 1
    )


def derive(task: Task[Data]) -> Derivation:
    """For each pair the input that decides it, or the counts of lines."""
    data = task.data
    inputs = list(data.domain.everything())
    pool = Pool.of(data.reference, inputs)
    assert pool is not None
    steps = []
    for number, pair in enumerate(data.pairs, 1):
        worse = pair.programs[pair.better == "A"]
        letters = {"letter": "B" if pair.better == "A" else "A", "other": pair.better}
        if pair.question == "fast":
            first, second = (end.steps for source in pair.programs if (end := ended(source, pair.arguments)))
            steps.append(COUNTED(number=number, first=first, second=second, letter=pair.better))
        elif pair.question == "right":
            steps.append(DIFFERS(number=number, arguments=str((differing_inputs(worse, pool) or [()])[0]), **letters))
        else:
            arguments, kind = (raising_inputs(worse, inputs) or [((), "")])[0]
            steps.append(RAISES(number=number, arguments=str(arguments), kind=kind, **letters))
    yield from any_order(steps)


environment = Environment(
    Knobs, Words("one letter for each pair, A or B, in order, separated by spaces"),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    version=6, planted=True, guessable="at least four pairs with two letters make few answers",
    concept="Run both programs on each input; a difference in one input decides what is right or safe, and a tally of lines decides what is fast.",
)  # fmt: skip
