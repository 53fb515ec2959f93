"""Design a deterministic finite automaton for a language that is described in words.

Any automaton of the language with few enough states is accepted; languages are compared exactly, on the product of both automata.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators import automata
from rlgym.generators.automata import Automaton, Condition
from rlgym.generators.automaton_lines import read, written
from rlgym.generators.steps import Line, ended, first_wrong

MOST_STATES = 24  # of the smallest automaton of a task


BESIDE = Line("All run side by side; a state of the whole is a state of each part, and it accepts where {joined}")
AGREE = "States that agree on every continuation are one state"


class Knobs(Config):
    conditions: int = knob(2, easy=1, hard=3, doc="conditions on the strings")
    word: int = knob(3, easy=2, hard=4, doc="longest word that a condition speaks of")
    number: int = knob(3, easy=2, hard=4, doc="largest number that a condition speaks of")
    letters: int = knob(2, easy=2, hard=3, doc="letters of the alphabet")
    kinds: str = knob("counts", easy="ends", hard="all", order=tuple(automata.KINDS), doc="what kinds of conditions are joined")
    spare: int = knob(1, easy=2, hard=0, doc="states allowed beyond the fewest")


class Data(TaskData):
    alphabet: str
    conditions: tuple[Condition, ...]
    some: bool  # one of the conditions is enough
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    alphabet = "".join(sorted(rng.sample("abcdefghijklmnopqrstuvwxyz", knobs.letters)))
    conditions, some, least = automata.language(rng, alphabet, knobs.conditions, knobs.kinds, knobs.word, knobs.number, MOST_STATES)
    data = Data(alphabet=alphabet, conditions=conditions, some=some, most=len(least.steps) + knobs.spare)
    prompt = (
        f"Design a deterministic finite automaton over the alphabet {', '.join(alphabet)} that accepts exactly the strings "
        f"{automata.described(conditions, some)}. The empty string is a string of length 0. Use at most {data.most} states.\n\nWrite one line start: q with "
        "the first state, one line accept: followed by all accepting states, separated by spaces, and for every state and every letter one line q letter r, "
        "which says that reading the letter in the state q leads to the state r. States may have any names of letters and digits."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Smallest by reversing twice; `generate` refines groups of states, and the verifier needs no smallest automaton at all.
    return written(automata.reversed_twice(_language(task.data)), task.data.alphabet, "q")


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    given = read(answer, data.alphabet, data.most)
    if isinstance(given, str):
        return Score.wrong(given)
    told = automata.difference(given, _language(data), data.alphabet)
    if told is None:
        return Score.exact(True)
    return Score.wrong(f"the automaton is wrong about the string {told or 'of length 0'}")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    names = sorted({line.split()[0] for line in right[2:]})
    accepting = right[1].split()[1:]
    turned = "accept: " + " ".join(name for name in names if name not in accepting)
    first = next(condition for condition in data.conditions)
    part = written(automata.minimal(automata.automaton(first, data.alphabet)), data.alphabet, "q")
    loops = (right[0], right[1], *(f"{line.split()[0]} {line.split()[1]} {line.split()[0]}" for line in right[2:]))
    wrong = [
        (right[0], turned, *right[2:]),
        right[:-1],
        part,
        loops,
        ("start: q0", "accept: q0", *(f"q0 {letter} q0" for letter in data.alphabet)),
    ]
    return [lines for lines in wrong if verify(task, lines).value == 0]


def cost(task: Task[Data]) -> float:
    return float(task.data.most * len(task.data.alphabet) * len(task.data.conditions) ** 2)


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    steps = []
    for condition in data.conditions:
        part = automata.minimal(automata.automaton(condition, data.alphabet))
        steps.append(f"For strings that {automata.said(condition)[:200]}: {', '.join(written(part, data.alphabet, 'p'))}")
    if len(data.conditions) > 1:
        joined = "any part accepts" if data.some else "all parts accept"
        steps.append(BESIDE.write(joined=joined))
    steps.append(AGREE)
    return [*steps, "The automaton:\n" + "\n".join(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    left = list(data.conditions)

    def follows(step: str) -> bool:
        if step in (AGREE, BESIDE.write(joined="any part accepts" if data.some else "all parts accept")):
            return not left
        condition = left.pop(0)
        lead = f"For strings that {automata.said(condition)[:200]}: "
        given = read(tuple(step.removeprefix(lead).split(", ")), data.alphabet, 1000) if step.startswith(lead) else ""
        return (
            not isinstance(given, str) and automata.difference(given, automata.automaton(condition, data.alphabet), data.alphabet) is None
        )

    return first_wrong(steps, follows, ended("The automaton:\n", task, environment.answer, verify))


def _language(data: Data) -> Automaton:
    return automata.combined([automata.automaton(condition, data.alphabet) for condition in data.conditions], data.some)


def _others(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The same automaton by refinement under other names, and with its lines turned round."""
    found = written(automata.minimal(_language(task.data)), task.data.alphabet, "s")
    yield found
    yield found[::-1]


environment = Environment(
    Knobs,
    Lines("the lines of the automaton, one below the other", most=400),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    answers="many",
    solutions=_others,
    concept="Ask what has to be remembered of the letters read so far; each thing to be remembered is a state.",
)
