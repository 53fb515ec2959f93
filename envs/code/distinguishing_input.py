"""Find an input for which two programs return different values, or say that there is none.

Programs that are the same are written from one description in two ways; of others an input that tells them apart is known.
"""

from itertools import islice
from typing import Any

from rlgym import Environment, Limits, Rng, Score, Task, TaskData, knob
from rlgym.answers import Literal
from rlgym.answers.literal import value_of, written
from rlgym.generators.programs import pipelines, suites
from rlgym.generators.programs.domains import Domain
from rlgym.generators.programs.pipeline_steps import Input
from rlgym.sandbox import Returned, Runner

NONE = "None"
INPUTS, SHOWN = 120, 40  # inputs that tell programs apart, and on which every step of a program must be seen


class Knobs(pipelines.Knobs):
    steps: int = knob(3, easy=1, hard=8, doc="steps before the ending")
    rare: int = knob(12, easy=20, hard=4, doc="most percent of inputs that tell the programs apart")
    equivalent_pairs: int = knob(10, easy=8, hard=12, doc="percent of pairs that are equivalent")


class Data(TaskData):
    programs: tuple[str, str]
    domain: Domain
    known: tuple[str, ...]


def _rare_mutant(rng: Rng, drawn: pipelines.Drawn, domain: Domain, rare: int) -> tuple[str, list[Input]] | None:
    """A misreading that few inputs tell apart, none of those that one can write without reading the programs; and such inputs."""
    guessed, most = [(arguments, drawn.right(*arguments)) for arguments in domain.guesses()], rare * len(drawn.inputs) // 100
    expected: list[tuple[Input, Any]] = []
    for text, meaning in rng.shuffled(drawn.misread):
        if not all(suites.gives(meaning, arguments, value) for arguments, value in guessed):
            continue
        expected = expected or [(arguments, drawn.right(*arguments)) for arguments in drawn.inputs]
        # One more than allowed decides, and most misreadings differ on most inputs.
        distinguishing = list(islice((arguments for arguments, value in expected if not suites.gives(meaning, arguments, value)), most + 1))
        if 0 < len(distinguishing) <= most:
            return text, distinguishing
    return None


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    same = rng.integer(1, 100) <= knobs.equivalent_pairs
    while True:
        size, low = rng.integer(4, 8), rng.integer(-30, 20)
        domain = Domain("list", size, size, low, low + rng.integer(6, 30))
        inputs = [domain.drawn(rng) for _ in range(INPUTS)]
        steps = pipelines.sample_identifiable_pipeline(rng, knobs.steps, knobs.kinds, knobs.branches, inputs[:SHOWN])
        drawn = pipelines.Drawn(tuple(steps), tuple(inputs))
        if same:
            pair, known = (drawn.reference, drawn.other), [NONE]
            break
        mutant = _rare_mutant(rng, drawn, domain, knobs.rare)
        if mutant:
            text, distinguishing = mutant
            pair, known = (
                (drawn.other if rng.chance(0.5) else drawn.reference, text),
                [written(arguments[0]) for arguments in distinguishing[:5]],
            )
            break
    first, second = rng.shuffled(pair)
    prompt = (
        f"Two Python programs take {domain.words}.\n\nThe first:\n\n{first}\n\nThe second:\n\n{second}\n\n"
        "Give one such list for which they return different values, or None if they return the same for all of them."
    )
    return Task(prompt, Data(programs=(first, second), domain=domain, known=tuple(known)))


def solve(task: Task[Data]) -> str:
    return task.data.known[0]


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    if answer == NONE or task.data.known[0] == NONE:
        reason = "they are not the same" if answer == NONE else "they return the same for that list"
        return Score.exact(answer == task.data.known[0], reason)
    arguments = task.data.domain.read(value_of(answer))
    if arguments is None:
        return Score.wrong("that is no list that may be given")
    first, second = (runner.run(program, [arguments]).answer() for program in task.data.programs)
    differ = isinstance(first, Returned) and isinstance(second, Returned) and written(first.value) != written(second.value)
    return Score.exact(differ, "they return the same for that list")


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [NONE, "[]", "[1]", "[99]", "[1.5]", "5"] if right != NONE else ["[]", "[1, 2]", "[-1, -1]"]


def cost(task: Task[Data]) -> float:
    return float(sum(map(len, task.data.programs)))


environment = Environment(
    Knobs, Literal("a list of integers like [1, 2, 3], or None"), generate, solve, verify, mistakes, cost,
    planted=True, version=3, answers="many", solutions=lambda task: task.data.known,
    guessable="about one pair in ten is the same, so that None is right for those",
    concept="Where do the programs differ in what they say? Make that place matter, then see whether it is still seen in the end.",
    sandbox=Limits(seconds=1, memory_mb=128),
)  # fmt: skip
