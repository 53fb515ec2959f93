"""Design a deterministic finite automaton for a language that is described in words.

Any automaton of the language with few enough states is accepted; languages are compared exactly, on the product of both automata.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.languages import automata
from rlgym.generators.languages.automata import Automaton, Condition
from rlgym.generators.languages.automaton_lines import parse_automaton, render_automaton
from rlgym.solutions import Checks, Derivation, Solution, Step

MOST_STATES = 24  # of the smallest automaton of a task
PART = Step("For strings that {condition}: {lines:words}")
BESIDE = Step("All run side by side; a state of the whole is a state of each part, and it accepts where {joined}")
AGREE = Step("States that agree on every continuation are one state")


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
    conditions, some, least = automata.sample_language(rng, alphabet, knobs.conditions, knobs.kinds, knobs.word, knobs.number, MOST_STATES)
    data = Data(alphabet=alphabet, conditions=conditions, some=some, most=len(least.steps) + knobs.spare)
    prompt = (
        f"Design a deterministic finite automaton over the alphabet {', '.join(alphabet)} that accepts exactly the strings "
        f"{automata.render_language(conditions, some)}. The empty string is a string of length 0. Use at most {data.most} states.\n\n"
        "Write one line `start: P` with the start state, one line `accept: P Q ...` with all accepting states, and for every state and every letter one "
        "line `P letter Q`, which says that reading the letter in state P leads to state Q. State names consist of letters and digits."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Smallest by reversing twice; `generate` refines groups of states, and the verifier needs no smallest automaton at all.
    return render_automaton(automata.minimise_by_reversal(_language(task.data)), task.data.alphabet, "q")


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    given = parse_automaton(answer, data.alphabet, data.most)
    if isinstance(given, str):
        return Score.wrong(given)
    counterexample = automata.distinguishing_string(given, _language(data), data.alphabet)
    if counterexample is None:
        return Score.exact(True)
    return Score.wrong(f"the automaton is wrong about the string {counterexample or 'of length 0'}")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    names = sorted({line.split()[0] for line in right[2:]})
    accepting = right[1].split()[1:]
    complemented = "accept: " + " ".join(name for name in names if name not in accepting)
    first = next(condition for condition in data.conditions)
    part = render_automaton(automata.minimise(automata.condition_automaton(first, data.alphabet)), data.alphabet, "q")
    loops = (right[0], right[1], *(f"{line.split()[0]} {line.split()[1]} {line.split()[0]}" for line in right[2:]))
    wrong = [
        (right[0], complemented, *right[2:]),
        right[:-1],
        part,
        loops,
        ("start: q0", "accept: q0", *(f"q0 {letter} q0" for letter in data.alphabet)),
    ]
    return [lines for lines in wrong if verify(task, lines).value == 0]


def cost(task: Task[Data]) -> float:
    return float(task.data.most * len(task.data.alphabet) * len(task.data.conditions) ** 2)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    for condition in data.conditions:
        part = automata.minimise(automata.condition_automaton(condition, data.alphabet))
        yield PART(condition=automata.render_condition(condition)[:200], lines=render_automaton(part, data.alphabet, "p"))
    if len(data.conditions) > 1:
        yield BESIDE(joined=_join(data))
    yield AGREE()


def checks(task: Task[Data]) -> Checks:
    data = task.data
    conditions_left = list(data.conditions)

    def is_part(condition: str, lines: tuple[str, ...]) -> bool:
        due = conditions_left.pop(0)
        part = parse_automaton(lines, data.alphabet, 1000)
        if condition != automata.render_condition(due)[:200] or isinstance(part, str):
            return False
        return automata.distinguishing_string(part, automata.condition_automaton(due, data.alphabet), data.alphabet) is None

    return {PART: is_part, BESIDE: lambda joined: not conditions_left and joined == _join(data), AGREE: lambda: not conditions_left}


def _join(data: Data) -> str:
    return "any part accepts" if data.some else "all parts accept"


def _language(data: Data) -> Automaton:
    return automata.product_automaton([automata.condition_automaton(condition, data.alphabet) for condition in data.conditions], data.some)


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The same automaton by refinement under other names, and with its lines turned round."""
    minimal = render_automaton(automata.minimise(_language(task.data)), task.data.alphabet, "s")
    yield minimal
    yield minimal[::-1]


environment = Environment(
    Knobs, Lines("the lines of the automaton, one below the other", max_items=400), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The automaton:\n{answer}", checks), answers="many", solutions=_other_answers,
    shared_helpers="The helper builds the automaton that decides whether two languages are equal.",
    concept="Ask what has to be remembered of the letters read so far; each thing to be remembered is a state.",
    version=3,
)  # fmt: skip
