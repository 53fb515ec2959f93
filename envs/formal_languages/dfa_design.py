"""Design a deterministic finite automaton for a language that is described in words.

Any automaton of the language with few enough states is accepted; languages are compared exactly, on the product of both automata.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators import automata
from rlgym.generators.automata import Automaton, Condition

MOST_STATES = 24  # of the smallest automaton of a task


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
    return _written(automata.reversed_twice(_language(task.data)), task.data.alphabet, "q")


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    given = _read(answer, data.alphabet, data.most)
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
    part = _written(automata.minimal(automata.automaton(first, data.alphabet)), data.alphabet, "q")
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
        steps.append(f"For strings that {automata.said(condition)[:200]}: {', '.join(_written(part, data.alphabet, 'p'))}")
    if len(data.conditions) > 1:
        joined = "any part accepts" if data.some else "all parts accept"
        steps.append(f"All run side by side; a state of the whole is a state of each part, and it accepts where {joined}")
    steps.append("States that agree on every continuation are one state")
    return [*steps, "The automaton:\n" + "\n".join(solve(task))]


def _language(data: Data) -> Automaton:
    return automata.combined([automata.automaton(condition, data.alphabet) for condition in data.conditions], data.some)


def _written(made: Automaton, alphabet: str, name: str) -> tuple[str, ...]:
    accepting = " ".join(f"{name}{i}" for i, yes in enumerate(made.accepting) if yes)
    lines = [f"{name}{i} {letter} {name}{there}" for i, row in enumerate(made.steps) for letter, there in zip(alphabet, row, strict=True)]
    return (f"start: {name}0", f"accept: {accepting}", *lines)


def _read(lines: tuple[str, ...], alphabet: str, most: int) -> Automaton | str:
    """The automaton that the lines spell, or what is wrong with them."""
    start, accepting = "", set[str]()
    steps: dict[str, dict[str, str]] = {}
    seen = {"start": 0, "accept": 0}
    for line in lines:
        head, colon, rest = line.replace(",", " ").replace("->", " ").partition(":")
        if colon and head.strip().lower() in seen:
            seen[head.strip().lower()] += 1
            start, accepting = (rest.strip(), accepting) if head.strip().lower() == "start" else (start, set(rest.split()))
            continue
        words = line.replace(",", " ").replace("->", " ").split()
        if colon or len(words) != 3 or words[1] not in alphabet or len(words[1]) != 1:
            return f"the line {line[:40]!r} does not say a state, a letter and a state"
        if words[1] in steps.setdefault(words[0], {}):
            return f"there are two lines for the state {words[0][:20]} and the letter {words[1]}"
        steps[words[0]][words[1]] = words[2]
    if seen != {"start": 1, "accept": 1}:
        return "there must be one line start: and one line accept:"
    if len(steps) > most:
        return f"at most {most} states are allowed"
    missing = {start, *accepting, *(there for row in steps.values() for there in row.values())} - set(steps)
    if missing or any(len(row) < len(alphabet) for row in steps.values()):
        return "some state has no line for some letter"
    order = [start, *(state for state in steps if state != start)]
    index = {state: i for i, state in enumerate(order)}
    return Automaton(
        tuple(tuple(index[steps[state][letter]] for letter in alphabet) for state in order), tuple(state in accepting for state in order)
    )


def _others(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The same automaton by refinement under other names, and with its lines turned round."""
    found = _written(automata.minimal(_language(task.data)), task.data.alphabet, "s")
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
    answers="many",
    solutions=_others,
    concept="Ask what has to be remembered of the letters read so far; each thing to be remembered is a state.",
)
