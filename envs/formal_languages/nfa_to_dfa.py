"""Make a nondeterministic automaton deterministic.

Any deterministic automaton of the same language with few enough states is accepted; languages are compared exactly.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.languages import automata
from rlgym.generators.languages.automata import Automaton
from rlgym.generators.languages.automaton_lines import FORMAT, parse_automaton, render_automaton
from rlgym.generators.languages.nondeterminism import Arrow, Nondeterministic, epsilon_closure, move, subset_construction
from rlgym.generators.text.english import join_words
from rlgym.solutions import Checks, Derivation, Solution, Step

MOST_SETS = 26
FIRST = Step("Before the first letter the machine can be in the states {states}")
MOVE = Step("From the states {states} the letter {letter} leads to the states {reached}")
FINAL = Step("States {states} hold an accepting state")
SAME = Step("The same strings are accepted from the states {one} and from the states {other}")


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
    return _sample_task(rng, knobs, words=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Automata that look for one of a few words, on a branch for each."""
    return _sample_task(rng, knobs, words=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reversing and determinising twice; the smallest automaton in the data comes from refining groups.
    data = task.data
    return render_automaton(automata.minimise_by_reversal(_subset_automaton(data)[0]), data.alphabet, "q")


def verify(task: Task[Data], answer: Sequence[str]) -> Score:
    data = task.data
    given = parse_automaton(answer, data.alphabet, data.most)
    if isinstance(given, str):
        return Score.wrong(given)
    counterexample = automata.distinguishing_string(given, Automaton(data.steps, data.accepting), data.alphabet)
    return Score.exact(counterexample is None, f"the automaton is wrong about the string {counterexample or 'of length 0'}")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    first_only: dict[tuple[int, str], int] = {}
    for source, letter, target in data.machine.arrows:
        first_only.setdefault((source, letter), target)
    rows = tuple(
        tuple(first_only.get((state, letter), data.machine.states) for letter in data.alphabet) for state in range(data.machine.states)
    )
    size = data.machine.states
    first_arrow_only = Automaton((*rows, (size,) * len(data.alphabet)), tuple(state in data.machine.accepting for state in range(size + 1)))
    names = sorted({line.split()[0] for line in right[2:]})
    complemented = "accept: " + " ".join(name for name in names if name not in right[1].split())
    loops = (right[0], right[1], *(f"{' '.join(line.split()[:2])} {line.split()[0]}" for line in right[2:]))
    return [render_automaton(first_arrow_only, data.alphabet, "q"), (right[0], complemented, *right[2:]), right[:-1], loops]


def cost(task: Task[Data]) -> float:
    data = task.data
    fewest = data.most == len(data.steps)
    return float(data.most * len(data.alphabet) * data.machine.states * (1 + fewest))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    automaton, sets = _subset_automaton(data)
    yield FIRST(states=_render_states(sets[0]))
    for states, row in zip(sets, automaton.steps, strict=True):
        for letter, target in zip(data.alphabet, row, strict=True):
            yield MOVE(states=_render_states(states), letter=letter, reached=_render_states(sets[target]))
    for states, accepts in zip(sets, automaton.accepting, strict=True):
        if accepts:
            yield FINAL(states=_render_states(states))
    known = [sets[0]]
    for i, states in enumerate(sets[1:], 1):
        twin = next((other for other in known if _are_equivalent(automaton, i, sets.index(other))), None)
        if twin is None:
            known.append(states)
        else:
            yield SAME(one=_render_states(twin), other=_render_states(states))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    reached_sets, moved, final = list[tuple[int, ...]](), set[tuple[tuple[int, ...], str]](), set[tuple[int, ...]]()

    def is_first(states: str) -> bool:
        reached_sets.append(_parse_states(states))
        return reached_sets == [epsilon_closure(data.machine, [0])]

    def is_move(states: str, letter: str, reached: str) -> bool:
        start, target = _parse_states(states), _parse_states(reached)
        new = (start, letter) not in moved and start in reached_sets and letter in data.alphabet
        moved.add((start, letter))
        reached_sets.append(target)
        return new and target == move(data.machine, start, letter)

    def is_final(states: str) -> bool:
        members = _parse_states(states)
        new = members in reached_sets and members not in final
        final.add(members)
        return new and any(state in data.machine.accepting for state in members)

    def are_same(one: str, other: str) -> bool:
        first, second = _parse_states(one), _parse_states(other)
        return (
            first != second
            and first in reached_sets
            and second in reached_sets
            and _residual_automaton(data, first) == _residual_automaton(data, second)
        )

    return {FIRST: is_first, MOVE: is_move, FINAL: is_final, SAME: are_same}


def _sample_task(rng: Rng, knobs: Knobs, *, words: bool) -> Task[Data]:
    alphabet = "".join(sorted(rng.sample("abcdefghijklmnopqrstuvwxyz", knobs.letters)))
    while True:
        arrows = _sample_word_search(rng, knobs, alphabet) if words else _sample_arrows(rng, knobs, alphabet)
        final = sorted(rng.sample(range(1, knobs.states), rng.integer(1, max(1, knobs.states // 3))))
        if words:
            ends = [state for state in range(1, knobs.states) if not any(source == state and letter for source, letter, _ in arrows)]
            final = ends or final
        machine = Nondeterministic(states=knobs.states, arrows=tuple(arrows), accepting=tuple(final))
        subset_result = subset_construction(machine, alphabet, MOST_SETS)
        several = len({(source, letter) for source, letter, _ in arrows if letter}) < len([1 for _, letter, _ in arrows if letter])
        if subset_result is None or len(subset_result[1]) < knobs.states or not several:
            continue
        least = automata.minimise(subset_result[0])
        if len(least.steps) >= max(3, knobs.states - 2):
            break
    most = len(least.steps) if knobs.bound == "fewest" else len(subset_result[1])
    listing = "\n".join(
        f"{source} {letter or '-'} {' '.join(str(target) for a, b, target in arrows if (a, b) == (source, letter))}"
        for source, letter in dict.fromkeys((source, letter) for source, letter, _ in arrows)
    )
    nothing = (
        ' A "-" in place of the letter is an empty transition, which reads no letter.' if any(not letter for _, letter, _ in arrows) else ""
    )
    prompt = (
        f"This is a nondeterministic automaton over the alphabet {', '.join(alphabet)}. Its states are 0 to {knobs.states - 1}, its start state is 0, and its "
        f"{'accepting state is' if len(final) == 1 else 'accepting states are'} {join_words(list(map(str, final)))}. Each line gives a state, a letter, "
        f"and the states that reading the letter in that state may lead to; without such a line, the letter cannot be read there.{nothing}\n{listing}\n"
        "It accepts a string if some run over the whole string ends in an accepting state.\n\n"
        f"Give a deterministic automaton that accepts exactly the same strings and has at most {most} states. {FORMAT}"
    )
    return Task(prompt, Data(alphabet=alphabet, machine=machine, steps=least.steps, accepting=least.accepting, most=most))


def _sample_arrows(rng: Rng, knobs: Knobs, alphabet: str) -> list[Arrow]:
    places = [(source, letter, target) for source in range(knobs.states) for letter in alphabet for target in range(knobs.states)]
    arrows_drawn = rng.sample(places, round(knobs.states * knobs.letters * 1.2) + 1)
    return sorted({*arrows_drawn, *_sample_silent_arrows(rng, knobs)})


def _sample_word_search(rng: Rng, knobs: Knobs, alphabet: str) -> list[Arrow]:
    arrows: list[Arrow] = [(0, letter, 0) for letter in alphabet]
    sizes = 1
    while sizes < knobs.states:
        size, source = rng.integer(1, min(4, knobs.states - sizes)), 0
        for target in range(sizes, sizes + size):
            arrows.append((source, rng.choice(alphabet), target))
            source = target
        sizes += size
    return sorted({*arrows, *_sample_silent_arrows(rng, knobs)})


def _sample_silent_arrows(rng: Rng, knobs: Knobs) -> list[Arrow]:
    pairs = [(source, "", target) for source in range(knobs.states) for target in range(knobs.states) if source != target]
    return rng.sample(pairs, knobs.silent)


def _render_states(states: Sequence[int]) -> str:
    return " ".join(map(str, states)) or "none"


def _parse_states(text: str) -> tuple[int, ...]:
    return () if text == "none" else tuple(map(int, text.split()))


def _subset_automaton(data: Data) -> tuple[Automaton, list[tuple[int, ...]]]:
    subset_result = subset_construction(data.machine, data.alphabet, MOST_SETS)
    assert subset_result is not None
    return subset_result


def _residual_automaton(data: Data, states: tuple[int, ...]) -> Automaton:
    """The smallest automaton of what is accepted from a set of states, with its states numbered in the order of reading."""
    rows, order = [], [states]
    for source in order:
        row = []
        for letter in data.alphabet:
            target = move(data.machine, source, letter)
            if target not in order:
                order.append(target)
            row.append(order.index(target))
        rows.append(tuple(row))
    return automata.minimise(Automaton(tuple(rows), tuple(any(s in data.machine.accepting for s in source) for source in order)))


def _are_equivalent(automaton: Automaton, first: int, second: int) -> bool:
    pairs = [(first, second)]
    for a, b in pairs:
        if automaton.accepting[a] != automaton.accepting[b]:
            return False
        pairs += [pair for pair in zip(automaton.steps[a], automaton.steps[b], strict=True) if pair not in pairs]
    return True


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The smallest automaton by refinement, turned round, and the automaton of sets where it is small enough."""
    data = task.data
    automaton, sets = _subset_automaton(data)
    yield render_automaton(automata.minimise(automaton), data.alphabet, "s")[::-1]
    if len(sets) <= data.most:
        yield render_automaton(automaton, data.alphabet, "set")


environment = Environment(
    Knobs, Lines("the lines of the automaton, one below the other", max_items=400), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "With one state for each different set, the automaton is:\n{answer}", checks),
    shift=shift, answers="many", solutions=_other_answers,
    concept="Follow the set of all states the machine can be in; each such set is one state of the deterministic automaton.",
    version=6,
)  # fmt: skip
