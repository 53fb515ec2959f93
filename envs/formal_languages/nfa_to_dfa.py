"""Make a nondeterministic automaton deterministic.

Any deterministic automaton of the same language with few enough states is accepted; languages are compared exactly.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators import automata
from rlgym.generators.automata import Automaton
from rlgym.generators.automaton_lines import FORMAT, read, written
from rlgym.generators.nondeterminism import Arrow, Nondeterministic, after, silent, subsets
from rlgym.generators.steps import Line, first_wrong

MOST_SETS = 26
FIRST = Line("Before the first letter the machine can be in the states {states}")
MOVE = Line("From the states {states} the letter {letter} leads to the states {there}")
FINAL = Line("States {states} hold an accepting state")
SAME = Line("The same strings are accepted from the states {one} and from the states {other}")
DONE = Line("With one state for each different set, the automaton is:\n{lines}")


class Knobs(Config):
    states: int = knob(5, easy=3, hard=8, doc="states of the nondeterministic automaton")
    letters: int = knob(2, easy=2, hard=3, doc="letters of the alphabet")
    silent: int = knob(1, easy=0, hard=3, doc="arrows that read nothing")
    bound: str = knob("subsets", easy="subsets", hard="fewest", order=("subsets", "fewest"), doc="how many states are allowed")


class Data(TaskData):
    alphabet: str
    machine: Nondeterministic
    steps: tuple[tuple[int, ...], ...]
    """The smallest automaton of the language, and its accepting states."""
    accepting: tuple[bool, ...]
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, words=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Automata that look for one of a few words, on a branch for each."""
    return _made(rng, knobs, words=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reversing and determinising twice; the smallest automaton in the data comes from refining groups.
    data = task.data
    found = subsets(data.machine, data.alphabet, MOST_SETS)
    assert found is not None
    return written(automata.reversed_twice(found[0]), data.alphabet, "q")


def verify(task: Task[Data], answer: Sequence[str]) -> Score:
    data = task.data
    given = read(answer, data.alphabet, data.most)
    if isinstance(given, str):
        return Score.wrong(given)
    told = automata.difference(given, Automaton(data.steps, data.accepting), data.alphabet)
    return Score.exact(told is None, f"the automaton is wrong about the string {told or 'of length 0'}")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    first_only: dict[tuple[int, str], int] = {}
    for here, letter, there in data.machine.arrows:
        first_only.setdefault((here, letter), there)
    rows = tuple(
        tuple(first_only.get((state, letter), data.machine.states) for letter in data.alphabet) for state in range(data.machine.states)
    )
    size = data.machine.states
    careless = Automaton((*rows, (size,) * len(data.alphabet)), tuple(state in data.machine.accepting for state in range(size + 1)))
    names = sorted({line.split()[0] for line in right[2:]})
    turned = "accept: " + " ".join(name for name in names if name not in right[1].split())
    loops = (right[0], right[1], *(f"{' '.join(line.split()[:2])} {line.split()[0]}" for line in right[2:]))
    return [written(careless, data.alphabet, "q"), (right[0], turned, *right[2:]), right[:-1], loops]


def cost(task: Task[Data]) -> float:
    data = task.data
    fewest = data.most == len(data.steps)
    return float(data.most * len(data.alphabet) * data.machine.states * (1 + fewest))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    found = subsets(data.machine, data.alphabet, MOST_SETS)
    assert found is not None
    whole, sets = found
    steps = [FIRST.write(states=_told(sets[0]))]
    for states, row in zip(sets, whole.steps, strict=True):
        for letter, there in zip(data.alphabet, row, strict=True):
            steps.append(MOVE.write(states=_told(states), letter=letter, there=_told(sets[there])))
    steps += [FINAL.write(states=_told(states)) for states, yes in zip(sets, whole.accepting, strict=True) if yes]
    known = [sets[0]]
    for i, states in enumerate(sets[1:], 1):
        twin = next((other for other in known if _equal(whole, i, sets.index(other))), None)
        if twin is None:
            known.append(states)
        else:
            steps.append(SAME.write(one=_told(twin), other=_told(states)))
    return [*steps, DONE.write(lines="\n".join(solve(task)))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    reached: list[tuple[int, ...]] = []
    moved: set[tuple[tuple[int, ...], str]] = set()
    final: set[tuple[int, ...]] = set()

    def follows(step: str) -> bool:
        if said := FIRST.read(step):
            reached.append(_states(said["states"]))
            return len(reached) == 1 and reached[0] == silent(data.machine, [0])
        if said := MOVE.read(step):
            states, letter, there = _states(said["states"]), said["letter"], _states(said["there"])
            new = (states, letter) not in moved and states in reached and letter in data.alphabet
            moved.add((states, letter))
            reached.append(there)
            return new and there == after(data.machine, states, letter)
        if said := FINAL.read(step):
            states = _states(said["states"])
            new = states in reached and states not in final
            final.add(states)
            return new and any(state in data.machine.accepting for state in states)
        said = SAME.read(step) or {}
        one, other = _states(said["one"]), _states(said["other"])
        return one != other and one in reached and other in reached and _rest(data, one) == _rest(data, other)

    def ends(step: str) -> bool:
        said = DONE.read(step)
        return said is not None and verify(task, said["lines"].split("\n")).value == 1

    return first_wrong(steps, follows, ends)


def _made(rng: Rng, knobs: Knobs, *, words: bool) -> Task[Data]:
    alphabet = "".join(sorted(rng.sample("abcdefghijklmnopqrstuvwxyz", knobs.letters)))
    while True:
        arrows = _searching(rng, knobs, alphabet) if words else _scattered(rng, knobs, alphabet)
        final = sorted(rng.sample(range(1, knobs.states), rng.integer(1, max(1, knobs.states // 3))))
        if words:
            ends = [state for state in range(1, knobs.states) if not any(here == state and letter for here, letter, _ in arrows)]
            final = ends or final
        machine = Nondeterministic(states=knobs.states, arrows=tuple(arrows), accepting=tuple(final))
        found = subsets(machine, alphabet, MOST_SETS)
        several = len({(here, letter) for here, letter, _ in arrows if letter}) < len([1 for _, letter, _ in arrows if letter])
        if found is None or len(found[1]) < knobs.states or not several:
            continue
        least = automata.minimal(found[0])
        if len(least.steps) >= max(3, knobs.states - 2):
            break
    most = len(least.steps) if knobs.bound == "fewest" else len(found[1])
    listing = "\n".join(
        f"{here} {letter or '-'} {' '.join(str(there) for a, b, there in arrows if (a, b) == (here, letter))}"
        for here, letter in dict.fromkeys((here, letter) for here, letter, _ in arrows)
    )
    nothing = " A - in place of the letter means that the arrow reads nothing." if any(not letter for _, letter, _ in arrows) else ""
    prompt = (
        f"This is a nondeterministic automaton over the alphabet {', '.join(alphabet)}. Its states are 0 to {knobs.states - 1}, it starts in 0, and its "
        f"accepting states are {', '.join(map(str, final))}. A line `p letter q r` says that reading the letter in the state p may lead to any of the states "
        f"listed after it; where no line is given, the letter cannot be read.{nothing}\n{listing}\nIt accepts a string if some way of reading the whole "
        f"string ends in an accepting state.\n\nGive a deterministic automaton that accepts exactly the same strings and has at most {most} states. {FORMAT}"
    )
    return Task(prompt, Data(alphabet=alphabet, machine=machine, steps=least.steps, accepting=least.accepting, most=most))


def _scattered(rng: Rng, knobs: Knobs, alphabet: str) -> list[Arrow]:
    places = [(here, letter, there) for here in range(knobs.states) for letter in alphabet for there in range(knobs.states)]
    drawn = rng.sample(places, round(knobs.states * knobs.letters * 1.2) + 1)
    return sorted({*drawn, *_silent(rng, knobs)})


def _searching(rng: Rng, knobs: Knobs, alphabet: str) -> list[Arrow]:
    arrows: list[Arrow] = [(0, letter, 0) for letter in alphabet]
    left = 1
    while left < knobs.states:
        size, here = rng.integer(1, min(4, knobs.states - left)), 0
        for there in range(left, left + size):
            arrows.append((here, rng.choice(alphabet), there))
            here = there
        left += size
    return sorted({*arrows, *_silent(rng, knobs)})


def _silent(rng: Rng, knobs: Knobs) -> list[Arrow]:
    pairs = [(here, "", there) for here in range(knobs.states) for there in range(knobs.states) if here != there]
    return rng.sample(pairs, knobs.silent)


def _told(states: Sequence[int]) -> str:
    return " ".join(map(str, states)) or "none"


def _states(told: str) -> tuple[int, ...]:
    return () if told == "none" else tuple(map(int, told.split()))


def _rest(data: Data, states: tuple[int, ...]) -> Automaton:
    """The smallest automaton of what is accepted from a set of states, with its states numbered in the order of reading."""
    rows, order = [], [states]
    for here in order:
        row = []
        for letter in data.alphabet:
            there = after(data.machine, here, letter)
            if there not in order:
                order.append(there)
            row.append(order.index(there))
        rows.append(tuple(row))
    return automata.minimal(Automaton(tuple(rows), tuple(any(s in data.machine.accepting for s in here) for here in order)))


def _equal(whole: Automaton, one: int, other: int) -> bool:
    pairs = [(one, other)]
    for a, b in pairs:
        if whole.accepting[a] != whole.accepting[b]:
            return False
        pairs += [pair for pair in zip(whole.steps[a], whole.steps[b], strict=True) if pair not in pairs]
    return True


def _others(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The smallest automaton by refinement, turned round, and the automaton of sets where it is small enough."""
    data = task.data
    found = subsets(data.machine, data.alphabet, MOST_SETS)
    assert found is not None
    yield written(automata.minimal(found[0]), data.alphabet, "s")[::-1]
    if len(found[1]) <= data.most:
        yield written(found[0], data.alphabet, "set")


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
    shift=shift,
    answers="many",
    solutions=_others,
    concept="Follow the set of all states the machine can be in; each such set is one state of the deterministic automaton.",
)
