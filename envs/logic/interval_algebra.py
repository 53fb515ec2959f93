"""Find times for intervals of which it is told how some of them lie to each other, in Allen's thirteen relations.

Most statements leave a choice, such as `B meets or overlaps D`, and only some choices go together.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators import intervals
from rlgym.generators.intervals import Span
from rlgym.generators.steps import Line, first_wrong

Pairs = tuple[tuple[str, str], ...]
Given = tuple[tuple[int, int, int], ...]
LETTERS = "ABCDEFGHIJ"
MOST = 1000
VALUE = re.compile(r"([0-9]{1,4})\s*(?:-|–|to|\.\.)\s*([0-9]{1,4})")
NARROW = Line("{x} to {y}, seen through {z}: only {left} can be")
TAKE = Line("{x} to {y}: take {relation}, one of {count} that can be")
END = Line("Each pair has one relation now. The ends in order of time, numbered from 1, give\n{answer}")


class Knobs(Config):
    intervals: int = knob(5, easy=3, hard=9, doc="how many intervals there are")
    choices: int = knob(3, easy=1, hard=6, doc="most relations that a statement leaves open")
    links: str = knob("half", easy="path", hard="most", order=("path", "half", "most"), doc="how many pairs of intervals have a statement")


class Data(TaskData):
    count: int
    given: Given  # interval, interval, the bits of the relations that are allowed


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, _mixed)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Some intervals use the same machine: no two of these overlap. Others hang on them."""
    return _made(rng, knobs, _machines)


def solve(task: Task[Data]) -> Pairs:
    found = intervals.scenario(intervals.network_of(task.data.count, task.data.given))
    if found is None:
        raise AssertionError("the search ended without a scenario")
    return _answer(intervals.spans(found))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    given = dict(answer)
    if set(given) != {LETTERS[i].lower() for i in range(data.count)}:
        return Score.wrong("exactly the intervals of the task must each have a start and an end")
    at: list[Span] = []
    for i in range(data.count):
        found = VALUE.fullmatch(given[LETTERS[i].lower()])
        if not found or not int(found[1]) < int(found[2]) <= MOST:
            return Score.wrong(f"{LETTERS[i]} has no start and end as two whole numbers from 0 to {MOST}, the start first")
        at.append((int(found[1]), int(found[2])))
    for i, j, allowed in data.given:
        if not allowed >> intervals.relation(at[i], at[j]) & 1:
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


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    network = intervals.network_of(data.count, data.given)
    goal = intervals.scenario(network)
    assert goal is not None

    def changed(x: int, y: int, z: int) -> None:
        x, y = min(x, y), max(x, y)
        steps.append(NARROW.write(x=LETTERS[x], y=LETTERS[y], z=LETTERS[z], left=intervals.named(network[x][y])))

    while True:
        intervals.narrowed(network, changed)
        opened = [(network[i][j].bit_count(), i, j) for i, j in combinations(range(data.count), 2) if network[i][j].bit_count() > 1]
        if not opened:
            break
        count, i, j = min(opened)
        network[i][j], network[j][i] = goal[i][j], goal[j][i]
        steps.append(TAKE.write(x=LETTERS[i], y=LETTERS[j], relation=intervals.named(goal[i][j]), count=count))
    return [*steps, END.write(answer=environment.answer.render(_answer(intervals.spans(network))))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    network = intervals.network_of(data.count, data.given)

    def follows(step: str) -> bool:
        read = NARROW.read(step) or TAKE.read(step)
        if read is None:
            return False
        x, y = LETTERS.index(read["x"]), LETTERS.index(read["y"])
        before = network[x][y]
        if "relation" in read:
            left = intervals.read(read["relation"])
            sound = left.bit_count() == 1 and left & before == left and int(read["count"]) == before.bit_count() > 1
            after = [list(row) for row in network]
            after[x][y], after[y][x] = left, intervals.converse(left)
            # what is taken must leave a scenario, or the solution runs into a wall
            sound = sound and x != y and intervals.scenario(after, 200) is not None
        else:
            z = LETTERS.index(read["z"])
            left = before & intervals.composed(network[x][z], network[z][y])
            sound = len({x, y, z}) == 3 and left == intervals.read(read["left"]) and left != before
        network[x][y], network[y][x] = left, intervals.converse(left)
        return sound

    def ends(step: str) -> bool:
        read = END.read(step)
        single = all(network[i][j].bit_count() == 1 for i, j in combinations(range(data.count), 2))
        if read is None or not single:
            return False
        answer = environment.answer.parse(read["answer"])
        at = [tuple(map(int, value.split("-"))) for _, value in answer]
        numbers = {end for span in at for end in span}
        fits = all(1 << intervals.relation((a, b), (c, d)) == network[i][j] for (i, (a, b)), (j, (c, d)) in combinations(enumerate(at), 2))
        return verify(task, answer).value == 1.0 and fits and numbers == set(range(1, len(numbers) + 1))

    return first_wrong(steps, follows, ends)


def _made(rng: Rng, knobs: Knobs, drawn: Callable[[Rng, Knobs, list[Span]], Iterator[tuple[int, int, int]]]) -> Task[Data]:
    while True:
        at = [_span(rng, knobs.intervals) for _ in range(knobs.intervals)]
        given = tuple(rng.shuffled(list(drawn(rng, knobs, at))))
        # Where the search for times is too long to be sure of, the statements are drawn anew.
        if intervals.scenario(intervals.network_of(knobs.intervals, given), 400):
            break
    listing = "\n".join(f"{LETTERS[i]} {intervals.named(allowed)} {LETTERS[j]}" for i, j, allowed in given)
    names = f"{', '.join(LETTERS[: knobs.intervals - 1])} and {LETTERS[knobs.intervals - 1]}"
    return Task(
        f"{names} are intervals of time. Each has a start and an end, and starts before it ends. Two intervals can lie to each other in these ways:\n"
        f"{intervals.MEANING}\n\nIt is known that each of these statements holds, in one of the ways that it names:\n{listing}\n\n"
        f"Give each interval a start and an end, whole numbers from 0 to {MOST}, so that all statements hold.",
        Data(count=knobs.intervals, given=given),
    )


def _span(rng: Rng, count: int) -> Span:
    start, end = sorted(rng.sample(range(2 * count), 2))
    return start, end


def _mixed(rng: Rng, knobs: Knobs, at: list[Span]) -> Iterator[tuple[int, int, int]]:
    """A tree of statements, and others between any two intervals."""
    count = len(at)
    pairs = [(rng.integer(0, i - 1), i) for i in range(1, count)]
    share = {"path": 0, "half": 0.4, "most": 0.8}[knobs.links]
    pairs += [pair for pair in combinations(range(count), 2) if pair not in pairs and rng.chance(share)]
    for one, two in pairs:
        i, j = (one, two) if rng.chance(0.5) else (two, one)
        true = intervals.relation(at[i], at[j])
        others = rng.sample([k for k in range(13) if k != true], rng.integer(knobs.choices > 2, knobs.choices - 1))
        yield i, j, sum(1 << k for k in (true, *others))


def _machines(rng: Rng, knobs: Knobs, at: list[Span]) -> Iterator[tuple[int, int, int]]:
    """The first intervals lie apart from each other, and each of the others is tied to two of them or one."""
    count = len(at)
    apart = {"path": 2, "half": max(2, count // 2), "most": max(2, count - 2)}[knobs.links]
    cuts = sorted(rng.sample(range(3 * count), 2 * apart))
    own = rng.shuffled(
        [(cuts[2 * k], cuts[2 * k + 1] + rng.integer(0, 1) * (k + 1 < apart and cuts[2 * k + 1] < cuts[2 * k + 2])) for k in range(apart)]
    )
    at = [*own, *at[apart:]]
    for i, j in combinations(range(apart), 2):
        yield i, j, sum(1 << k for k in (0, 1, 11, 12)) if knobs.choices > 1 else 1 << intervals.relation(at[i], at[j])
    for i in range(apart, count):
        for j in rng.sample(range(i), min(i, 1 + (knobs.links != "path") + (knobs.links == "most" and rng.chance(0.5)))):
            true = intervals.relation(at[i], at[j])
            # neighbours in meaning: a start or an end moved a little
            near = [k for k in range(13) if k != true and abs(k - true) <= knobs.choices]
            others = rng.sample(near, min(len(near), rng.integer(0, knobs.choices - 1)))
            yield i, j, sum(1 << k for k in (true, *others))


def _answer(at: Sequence[Span]) -> Pairs:
    return tuple((LETTERS[i].lower(), f"{a}-{b}") for i, (a, b) in enumerate(at))


def _solutions(task: Task[Data]) -> Iterator[Pairs]:
    """Times found with the clock running backwards, which takes the choices in another order; and the same spread out."""
    data = task.data
    turned = tuple((i, j, intervals.mirrored(allowed)) for i, j, allowed in data.given)
    found = intervals.scenario(intervals.network_of(data.count, turned))
    back = intervals.spans(found) if found else []
    last = max((end for _, end in back), default=0) + 1
    for stretch in (1, 3) if back else ():
        yield _answer([((last - b) * stretch, (last - a) * stretch) for a, b in back])


environment = Environment(
    Knobs,
    Mapping("one line `interval: start-end` for each interval, with two whole numbers", most=40),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=_solutions,
    concept="How A lies to B and B to C limits how A can lie to C; strike out what cannot be until each pair has one relation left.",
    version=2,
)
