"""Make a deterministic automaton as small as it can be.

Any smallest automaton of the same language is accepted, whatever its states are called.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.languages import automata
from rlgym.generators.languages.automata import Automaton
from rlgym.generators.languages.automaton_lines import FORMAT, parse_automaton, render_automaton
from rlgym.solutions import Checks, Derivation, Solution, Step

REACHED = Step("The states that can be reached from the first one: {states}")
START = Step("Accepting states apart from the others: {groups}")
ROUND = Step("States whose letters lead to different groups are parted: {groups}")
DONE = Step("No letter parts a group any more, so each group is one state:\n{answer}")
Groups = list[tuple[int, ...]]


class Knobs(Config):
    states: int = knob(7, easy=2, hard=18, doc="states of the smallest automaton")
    copies: int = knob(4, easy=1, hard=10, doc="states that do what another one does")
    idle: int = knob(2, easy=0, hard=5, doc="states that cannot be reached")
    letters: int = knob(2, easy=2, hard=3, doc="letters of the alphabet")
    depth: str = knob("mixed", easy="mixed", hard="deep", order=("mixed", "deep"), doc="whether only long strings tell some states apart")


class Data(TaskData):
    alphabet: str
    steps: tuple[tuple[int, ...], ...]
    accepting: tuple[int, ...]
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, counting=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Automata that count: every letter moves on, back or nowhere along one circle of states."""
    return _sample_task(rng, knobs, counting=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Pairs of states are marked as different, from the ends backwards; the rest of the pairs are one state each.
    automaton, order = _reachable(task.data)
    size = len(order)
    different = {(i, j) for i in range(size) for j in range(size) if automaton.accepting[i] != automaton.accepting[j]}
    before: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for i, j in product(range(size), repeat=2):
        for pair in zip(automaton.steps[i], automaton.steps[j], strict=True):
            before.setdefault(pair, []).append((i, j))
    queue = sorted(different)
    for pair in queue:
        queue += (new := [other for other in dict.fromkeys(before.get(pair, ())) if other not in different])
        different.update(new)
    first = [next(j for j in range(size) if (i, j) not in different) for i in range(size)]
    kept = sorted(set(first))
    rows = tuple(tuple(kept.index(first[target]) for target in automaton.steps[i]) for i in kept)
    return render_automaton(Automaton(rows, tuple(automaton.accepting[i] for i in kept)), task.data.alphabet, "q")


def verify(task: Task[Data], answer: Sequence[str]) -> Score:
    data = task.data
    given = parse_automaton(answer, data.alphabet, data.most)
    if isinstance(given, str):
        return Score.wrong(given if "states are allowed" not in given else "there is a smaller automaton of the same language")
    text = automata.distinguishing_string(given, _automaton(data), data.alphabet)
    return Score.exact(text is None, f"the automaton is wrong about the string {text or 'of length 0'}")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    reachable = _reachable(data)[0]
    size = data.most
    merged = Automaton(
        tuple(tuple(target % size for target in row) for row in reachable.steps[:size]), tuple(reachable.accepting[:size])
    )  # the first states, with the others laid on top of them
    names = sorted({line.split()[0] for line in right[2:]})
    complemented = "accept: " + " ".join(name for name in names if name not in right[1].split())
    return [
        render_automaton(_automaton(data), data.alphabet, "q"),
        render_automaton(merged, data.alphabet, "q"),
        (right[0], complemented, *right[2:]),
        right[:-1],
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.steps) * len(data.alphabet) * len(_rounds(data, _reachable(data)[1])))


def derive(task: Task[Data]) -> Derivation:
    reached = _reachable(task.data)[1]
    first, *rest = _rounds(task.data, reached)
    yield REACHED(states=" ".join(map(str, sorted(reached))))
    yield START(groups=_render_groups(first))
    for groups in rest:
        yield ROUND(groups=_render_groups(groups))
    yield DONE(answer="\n".join(solve(task)))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    reached: list[int] = []
    rounds: list[Groups] = [[]]

    def are_reached(states: str) -> bool:
        reached[:] = map(int, states.split())
        closed = all(target in reached for state in reached for target in data.steps[state])
        return closed and sorted(reached) == sorted(_reachable(data)[1])

    def are_parted(groups: str) -> bool:
        rounds.append(_parse_groups(groups))
        right = _partition(reached, {state: state in data.accepting for state in reached})
        return bool(reached) and sorted(rounds[-1]) == sorted(right)

    def are_refined(groups: str) -> bool:
        rounds.append(_parse_groups(groups))
        before, now = rounds[-2:]
        return sorted(now) == sorted(_refine(data, before)) and len(now) > len(before)

    return {
        REACHED: are_reached,
        START: are_parted,
        ROUND: are_refined,
        DONE: lambda answer: len(_refine(data, rounds[-1])) == len(rounds[-1]),
    }


def _sample_task(rng: Rng, knobs: Knobs, *, counting: bool) -> Task[Data]:
    alphabet = "".join(sorted(rng.sample("abcdefghijklmnopqrstuvwxyz", knobs.letters)))
    while True:
        small = _sample_counter(rng, knobs) if counting else _sample_automaton(rng, knobs)
        if len(small.steps) == knobs.states and len(set(small.accepting)) == 2:
            break
    size = knobs.states + knobs.copies + knobs.idle
    rows: list[tuple[int, ...]] = []
    while len(rows) < knobs.states + knobs.copies:
        same_as, rows = _add_copies(rng, small, knobs.copies)
    rows += [tuple(rng.integer(0, size - 1) for _ in range(knobs.letters)) for _ in range(knobs.idle)]
    same_as += [rng.integer(0, knobs.states - 1) for _ in range(knobs.idle)]
    name = [0, *(1 + i for i in rng.shuffled(range(size - 1)))]
    steps = [tuple[int, ...]()] * size
    for i, row in enumerate(rows):
        steps[name[i]] = tuple(name[target] for target in row)
    accepting = tuple(sorted(name[i] for i, same in enumerate(same_as) if small.accepting[same]))
    data = Data(alphabet=alphabet, steps=tuple(steps), accepting=accepting, most=knobs.states)
    listing = "\n".join(
        f"{state} {letter} {target}" for state, row in enumerate(steps) for letter, target in zip(alphabet, row, strict=True)
    )
    prompt = (
        f"This is a deterministic automaton over the alphabet {', '.join(alphabet)}. It starts in the state 0, and its "
        f"{'accepting states are' if len(accepting) > 1 else 'only accepting state is'} {', '.join(map(str, accepting))}. A line `P letter Q` says that "
        f"reading the letter in the state P leads to the state Q.\n{listing}\n\n"
        f"Give a deterministic automaton that accepts exactly the same strings and has as few states as possible; a state from which nothing is accepted "
        f"counts, too. {FORMAT}"
    )
    return Task(prompt, data)


def _add_copies(rng: Rng, small: Automaton, copies: int) -> tuple[list[int], list[tuple[int, ...]]]:
    """States with copies of some: of each the state that it does the same as, and where its letters lead. All can be reached."""
    same_as, rows, copies_left = [0], list[tuple[int, ...]](), copies
    for same in same_as:
        row = []
        for target in small.steps[same]:
            twins = [i for i, other in enumerate(same_as) if other == target]
            if not twins or (copies_left and rng.chance(0.6)):
                copies_left -= bool(twins)
                twins = [len(same_as)]
                same_as.append(target)
            row.append(rng.choice(twins))
        rows.append(tuple(row))
    return same_as, rows


def _sample_automaton(rng: Rng, knobs: Knobs) -> Automaton:
    """A random smallest automaton; a deep one goes along a chain whose end alone accepts, with ways back."""
    size = knobs.states
    rows = [[rng.integer(0, size - 1) for _ in range(knobs.letters)] for _ in range(size)]
    for state in range(size - 1):
        rows[state][rng.integer(0, knobs.letters - 1)] = state + 1
    if knobs.depth == "deep":
        for state, row in enumerate(rows):
            rows[state] = [min(target, state + 1) for target in row]
        return automata.minimise(Automaton(tuple(map(tuple, rows)), tuple(state == size - 1 for state in range(size))))
    accepting = tuple(rng.chance(0.4) for _ in range(size))
    return automata.minimise(Automaton(tuple(map(tuple, rows)), accepting))


def _sample_counter(rng: Rng, knobs: Knobs) -> Automaton:
    size = knobs.states
    moves = [1, *(rng.integer(-2, 2) for _ in range(knobs.letters - 1))]
    accepting = rng.sample(range(size), 1 if knobs.depth == "deep" else rng.integer(1, max(1, size // 2)))
    rows = tuple(tuple((state + move) % size for move in moves) for state in range(size))
    return automata.minimise(Automaton(rows, tuple(state in accepting for state in range(size))))


def _automaton(data: Data) -> Automaton:
    return Automaton(data.steps, tuple(state in data.accepting for state in range(len(data.steps))))


def _reachable(data: Data) -> tuple[Automaton, list[int]]:
    order = [0]
    for state in order:
        order += [target for target in dict.fromkeys(data.steps[state]) if target not in order]
    index = {state: i for i, state in enumerate(order)}
    rows = tuple(tuple(index[target] for target in data.steps[state]) for state in order)
    return Automaton(rows, tuple(state in data.accepting for state in order)), order


def _partition(states: Sequence[int], marks: dict[int, object]) -> Groups:
    groups: dict[object, list[int]] = {}
    for state in sorted(states):
        groups.setdefault(marks[state], []).append(state)
    return [tuple(group) for group in groups.values()]


def _refine(data: Data, groups: Groups) -> Groups:
    group = {state: i for i, members in enumerate(groups) for state in members}
    return _partition(list(group), {state: (group[state], *(group[target] for target in data.steps[state])) for state in group})


def _rounds(data: Data, reached: list[int]) -> list[Groups]:
    rounds = [_partition(reached, {state: state in data.accepting for state in reached})]
    while len(finer := _refine(data, rounds[-1])) > len(rounds[-1]):
        rounds.append(finer)
    return rounds


def _render_groups(groups: Groups) -> str:
    return " | ".join(" ".join(map(str, group)) for group in groups)


def _parse_groups(text: str) -> Groups:
    return [tuple(sorted(map(int, group.split()))) for group in text.split(" | ")]


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The smallest automaton by refining groups, under other names, and with its lines turned round."""
    minimal = render_automaton(automata.minimise(_reachable(task.data)[0]), task.data.alphabet, "s")
    yield from (minimal, minimal[::-1])


environment = Environment(
    Knobs, Lines("the lines of the automaton, one below the other", max_items=400), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, DONE, checks), shift=shift, answers="many", solutions=_other_answers,
    concept="Two states are one if no string is accepted from just one of them: part accepting states from others, then part again by where letters lead.",
    version=3,
)  # fmt: skip
