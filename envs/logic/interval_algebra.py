"""Find times for intervals, given how some of them are related in Allen's thirteen relations.

Most statements leave a choice, such as `B meets or overlaps D`, and only some choices go together.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.relations import allen_intervals
from rlgym.generators.relations.allen_intervals import Network, Span
from rlgym.solutions import Checks, Derivation, Due, Solution, Step, in_order

Pairs = tuple[tuple[str, str], ...]
Given = tuple[tuple[int, int, int], ...]
LETTERS = "ABCDEFGHIJ"
MOST = 1000
VALUE = re.compile(r"([0-9]{1,4})\s*(?:-|–|to|\.\.)\s*([0-9]{1,4})")
NARROW = Step("{x} to {y}, seen through {z}: only {left} can be")
TAKE = Step("{x} to {y}: take {relation}, one of {count:int} that can be")
END = Step("Each pair has one relation now. The ends in order of time, numbered from 1, give\n{answer}")


class Knobs(Config):
    intervals: int = knob(5, easy=3, hard=9, doc="how many intervals there are")
    choices: int = knob(3, easy=1, hard=6, doc="most relations that a statement leaves open")
    links: str = knob("half", easy="path", hard="most", order=("path", "half", "most"), doc="how many pairs of intervals have a statement")


class Data(TaskData):
    count: int
    given: Given  # interval, interval, the bits of the relations that are allowed


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, _sample_mixed_pairs)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Some intervals use the same machine: no two of these overlap. Others hang on them."""
    return _sample_task(rng, knobs, _machines)


def solve(task: Task[Data]) -> Pairs:
    scenario = allen_intervals.scenario(allen_intervals.network_of(task.data.count, task.data.given))
    if scenario is None:
        raise AssertionError("the search ended without a scenario")
    return _answer(allen_intervals.spans(scenario))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    given = dict(answer)
    if set(given) != {LETTERS[i].lower() for i in range(data.count)}:
        return Score.wrong("exactly the intervals of the task must each have a start and an end")
    at: list[Span] = []
    for i in range(data.count):
        match = VALUE.fullmatch(given[LETTERS[i].lower()])
        if not match or not int(match[1]) < int(match[2]) <= MOST:
            return Score.wrong(f"{LETTERS[i]} has no start and end as two whole numbers from 0 to {MOST}, the start first")
        at.append((int(match[1]), int(match[2])))
    for i, j, allowed in data.given:
        if not allowed >> allen_intervals.relation(at[i], at[j]) & 1:
            return Score.wrong(f"what is said of {LETTERS[i]} and {LETTERS[j]} does not hold")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    names, values = [name for name, _ in right], [value for _, value in right]
    ends = [tuple(map(int, value.split("-"))) for value in values]
    return [
        tuple((name, f"{b}-{a}") for name, (a, b) in zip(names, ends, strict=True)),
        tuple((name, f"{30 - b}-{30 - a}") for name, (a, b) in zip(names, ends, strict=True)),
        tuple(zip(names, [*values[1:], values[0]], strict=True)),
        tuple((name, f"{2 * i + 1}-{2 * i + 2}") for i, name in enumerate(names)),
        tuple((name, f"{i + 1}-{i + 2}") for i, name in enumerate(names)),
        right[:-1],
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(data.count**2 * sum(1 + allowed.bit_count() for _, _, allowed in data.given))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    network = allen_intervals.network_of(data.count, data.given)
    goal = allen_intervals.scenario(network)
    assert goal is not None
    while True:
        steps: list[Due] = []
        allen_intervals.narrow(network, partial(_note_narrowing, network, steps))
        yield from in_order(steps)
        opened = [(network[i][j].bit_count(), i, j) for i, j in combinations(range(data.count), 2) if network[i][j].bit_count() > 1]
        if not opened:
            break
        count, i, j = min(opened)
        network[i][j], network[j][i] = goal[i][j], goal[j][i]
        yield TAKE(x=LETTERS[i], y=LETTERS[j], relation=allen_intervals.relation_names(goal[i][j]), count=count)
    yield END(answer=environment.answer.render(_answer(allen_intervals.spans(network))))


def _note_narrowing(network: Network, steps: list[Due], x: int, y: int, z: int) -> None:
    x, y = min(x, y), max(x, y)
    steps.append(NARROW(x=LETTERS[x], y=LETTERS[y], z=LETTERS[z], left=allen_intervals.relation_names(network[x][y])))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    network = allen_intervals.network_of(data.count, data.given)

    def put(x: int, y: int, relations: int) -> None:
        network[x][y], network[y][x] = relations, allen_intervals.converse(relations)

    def is_narrowed(x: str, y: str, z: str, left: str) -> bool:
        i, j, k = (LETTERS.index(letter) for letter in (x, y, z))
        possible = network[i][j] & allen_intervals.compose(network[i][k], network[k][j])
        if len({i, j, k}) < 3 or possible != allen_intervals.read(left) or possible == network[i][j]:
            return False
        put(i, j, possible)
        return True

    def is_taken(x: str, y: str, relation: str, count: int) -> bool:
        i, j, before = LETTERS.index(x), LETTERS.index(y), network[LETTERS.index(x)][LETTERS.index(y)]
        chosen = allen_intervals.read(relation)
        if i == j or chosen.bit_count() != 1 or chosen & before != chosen or not count == before.bit_count() > 1:
            return False
        put(i, j, chosen)
        # What is taken must leave a scenario, or no solution can be reached from here.
        if allen_intervals.scenario([list(row) for row in network], 200) is None:
            put(i, j, before)
            return False
        return True

    def fits(answer: str) -> bool:
        spans = [tuple(map(int, value.split("-"))) for _, value in environment.answer.parse(answer)]
        numbers = {end for span in spans for end in span}
        return numbers == set(range(1, len(numbers) + 1)) and all(
            1 << allen_intervals.relation((a, b), (c, d)) == network[i][j] for (i, (a, b)), (j, (c, d)) in combinations(enumerate(spans), 2)
        )

    return {NARROW: is_narrowed, TAKE: is_taken, END: fits}


def _sample_task(rng: Rng, knobs: Knobs, drawn: Callable[[Rng, Knobs, list[Span]], Iterator[tuple[int, int, int]]]) -> Task[Data]:
    while True:
        at = [_span(rng, knobs.intervals) for _ in range(knobs.intervals)]
        given = tuple(rng.shuffled(list(drawn(rng, knobs, at))))
        # Where the search for times is too long to be sure of, the statements are drawn anew.
        if allen_intervals.scenario(allen_intervals.network_of(knobs.intervals, given), 400):
            break
    listing = "\n".join(f"{LETTERS[i]} {allen_intervals.relation_names(allowed)} {LETTERS[j]}" for i, j, allowed in given)
    names = f"{', '.join(LETTERS[: knobs.intervals - 1])} and {LETTERS[knobs.intervals - 1]}"
    return Task(
        f"{names} are intervals of time. Each has a start and an end, and starts before it ends. Two intervals can be related in these ways:\n"
        f"{allen_intervals.MEANING}\n\nEach line names the relations that may hold between two intervals; one of them must hold:\n{listing}\n\n"
        f"Give each interval a start and an end, whole numbers from 0 to {MOST}, so that all lines are satisfied.",
        Data(count=knobs.intervals, given=given),
    )


def _span(rng: Rng, count: int) -> Span:
    start, end = sorted(rng.sample(range(2 * count), 2))
    return start, end


def _sample_mixed_pairs(rng: Rng, knobs: Knobs, at: list[Span]) -> Iterator[tuple[int, int, int]]:
    """A tree of statements, and others between any two intervals."""
    count = len(at)
    pairs = [(rng.integer(0, i - 1), i) for i in range(1, count)]
    share = {"path": 0, "half": 0.4, "most": 0.8}[knobs.links]
    pairs += [pair for pair in combinations(range(count), 2) if pair not in pairs and rng.chance(share)]
    for interval_a, two in pairs:
        i, j = (interval_a, two) if rng.chance(0.5) else (two, interval_a)
        true = allen_intervals.relation(at[i], at[j])
        others = rng.sample([k for k in range(13) if k != true], rng.integer(knobs.choices > 2, knobs.choices - 1))
        yield i, j, sum(1 << k for k in (true, *others))


def _machines(rng: Rng, knobs: Knobs, at: list[Span]) -> Iterator[tuple[int, int, int]]:
    """The first intervals lie apart from each other, and each of the others is tied to two of them or one."""
    count = len(at)
    gap_count = {"path": 2, "half": max(2, count // 2), "most": max(2, count - 2)}[knobs.links]
    cuts = sorted(rng.sample(range(3 * count), 2 * gap_count))
    own = rng.shuffled(
        [
            (cuts[2 * k], cuts[2 * k + 1] + rng.integer(0, 1) * (k + 1 < gap_count and cuts[2 * k + 1] < cuts[2 * k + 2]))
            for k in range(gap_count)
        ]
    )
    at = [*own, *at[gap_count:]]
    spans = list(combinations(range(3 * count + 1), 2))
    for i, j in combinations(range(gap_count), 2):
        yield i, j, sum(1 << k for k in (0, 1, 11, 12)) if knobs.choices > 1 else 1 << allen_intervals.relation(at[i], at[j])
    for i in range(gap_count, count):
        partners = rng.sample(range(i), min(i, 1 + (knobs.links != "path") + (knobs.links == "most" and rng.chance(0.5))))
        # Every relation to the first partner is about as likely, so that no fixed times fit many tasks.
        by_relation: dict[int, list[Span]] = {}
        for span in spans:
            by_relation.setdefault(allen_intervals.relation(span, at[partners[0]]), []).append(span)
        at[i] = rng.choice(by_relation[rng.choice(sorted(by_relation))])
        for j in partners:
            true = allen_intervals.relation(at[i], at[j])
            # neighbours in meaning: a start or an end moved a little
            near = [k for k in range(13) if k != true and abs(k - true) <= knobs.choices]
            others = rng.sample(near, min(len(near), rng.integer(0, knobs.choices - 1)))
            yield i, j, sum(1 << k for k in (true, *others))


def _answer(at: Sequence[Span]) -> Pairs:
    return tuple((LETTERS[i].lower(), f"{a}-{b}") for i, (a, b) in enumerate(at))


def _solutions(task: Task[Data]) -> Iterator[Pairs]:
    """Times found with the clock running backwards, which takes the choices in another order; and the same spread out."""
    data = task.data
    turned = tuple((i, j, allen_intervals.mirror(allowed)) for i, j, allowed in data.given)
    solution = allen_intervals.scenario(allen_intervals.network_of(data.count, turned))
    back = allen_intervals.spans(solution) if solution else []
    last = max((end for _, end in back), default=0) + 1
    for stretch in (1, 3) if back else ():
        yield _answer([((last - b) * stretch, (last - a) * stretch) for a, b in back])


environment = Environment(
    Knobs, Mapping("one line `interval: start-end` for each interval, with two whole numbers", max_items=40),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, END, checks), answers="many", solutions=_solutions,
    shared_helpers="The helper names how two intervals lie, by the definitions in the prompt.",
    concept="How A lies to B and B to C limits how A can lie to C; strike out what cannot be until each pair has one relation left.",
    version=6,
)  # fmt: skip
