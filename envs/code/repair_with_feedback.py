"""Repair a function in several attempts: each is followed by a test that still fails.

Hidden tests decide, so that a program which only knows the revealed tests does not pass. Any right program is accepted.
"""

from rlgym import Config, Game, Limits, Rng, Score, TaskData, knob
from rlgym.answers import Code
from rlgym.generators.programs import pipelines, suites
from rlgym.sandbox import Runner
from rlgym.sandbox.grading import grade, parse_case

EXAMPLES = 4
HIDDEN = "(What the program does here is wrong; find out from the examples what it should do.)"

NEAR = "What the program does in a wrong step is close to what it should do: a number, a condition, the order or the operation is another one. "


class Knobs(Config):
    steps: int = knob(4, easy=2, hard=8, doc="steps before the ending")
    kinds: int = knob(10, easy=5, hard=15, doc="how many kinds of steps there are to draw from, plain ones first")
    branches: int = knob(1, easy=0, hard=3, doc="steps that depend on the list so far, or take a number from it")
    faults: int = knob(1, easy=1, hard=4, doc="steps that the program gets wrong")
    described: str = knob(
        "in part", easy="whole", hard="in part", order=("whole", "in part"), doc="whether the wrong steps are described, or left out"
    )
    attempts: int = knob(4, easy=5, hard=3, doc="programs that may be handed in")


class State(TaskData):
    statement: str
    broken: str
    reference: str
    examples: tuple[suites.Test, ...]
    tests: tuple[suites.Test, ...]
    attempts: int
    solved: bool = False
    passed: int = 0
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    inputs = pipelines.inputs(rng.child("inputs"), 300)
    while True:
        steps = pipelines.sample_identifiable_pipeline(rng, knobs.steps, knobs.kinds, knobs.branches, inputs[:60])
        right = pipelines.meant([step.meaning for step in steps])
        places, codes, wrong = pipelines.faulty(rng, steps, knobs.faults)
        failing = [arguments for arguments in inputs[:60] if not suites.agree(right, wrong, arguments)]
        if len(failing) >= EXAMPLES:
            break
    tests = suites.choose_tests(right, [wrong, *(meaning for _, meaning in pipelines.misread(steps))], inputs)
    hides = knobs.described == "in part"
    words = [HIDDEN if i in places and hides else f"{step.words[0].upper()}{step.words[1:]}." for i, step in enumerate(steps)]
    return State(
        statement="\n".join(f"{number}. {text}" for number, text in enumerate(words, 1)),
        broken=pipelines.program(codes),
        reference=pipelines.program([step.code for step in steps]),
        examples=tuple((repr(arguments), repr(right(*arguments))) for arguments in rng.sample(failing, EXAMPLES)),
        tests=tuple(rng.shuffled(tests)),
        attempts=knobs.attempts,
    )


def show(state: State) -> str:
    if state.told:
        return state.told
    examples = "\n".join(f"solve{arguments.replace(',)', ')')} should return {value}" for arguments, value in state.examples)
    return (
        f"This Python function is wrong for some lists of at most {pipelines.LONGEST} integers from {pipelines.LEAST} to {pipelines.MOST}:\n\n"
        f"{state.broken}\n\nIt should do the following, one step after the other, each on the result of the step before:\n{state.statement}\n\n"
        f"It fails on these examples:\n{examples}\n\n"
        f"{NEAR * (HIDDEN in state.statement)}Give the whole program, repaired. {len(state.tests)} hidden tests must pass; after an attempt that fails you "
        "are shown one test that failed."
    )


def act(state: State, program: str, runner: Runner) -> State:
    cases = [parse_case(test) for test in (*state.examples, *state.tests)]
    graded = grade(runner, program, cases)
    if graded.right:
        return state.model_copy(update={"solved": True, "passed": len(cases)})
    (values,), expected = cases[graded.passed.index(False)]
    feedback = f"{sum(graded.passed)} of {len(cases)} tests pass. {graded.reason}: solve({values!r}) should return {expected!r}."
    return state.model_copy(update={"passed": sum(graded.passed), "told": feedback})


def outcome(state: State) -> Score | None:
    return Score.exact(True, tests_passed=1.0) if state.solved else None


def milestones(state: State) -> dict[str, float]:
    return {"tests_passed": state.passed / (len(state.examples) + len(state.tests))}


def best(state: State) -> str:
    return state.reference


def mistakes(state: State) -> list[str]:
    learnt = suites.learnt(state.examples)
    return [state.broken, learnt, "def solve(values):\n    return 0"]


def cost(state: State) -> float:
    return float(len(state.reference)) * (1 + state.statement.count(HIDDEN))


def turns(state: State) -> int:
    return state.attempts


environment = Game(
    Knobs, Code("the whole Python program, which defines solve(values)"), start, show, act, outcome, best, mistakes, cost, turns,
    planted=True, version=7,
    concept="Work the steps through by hand on an example that fails, and see after which step the program goes another way.",
    sandbox=Limits(seconds=1, memory_mb=128),
    milestones=milestones,
)  # fmt: skip
