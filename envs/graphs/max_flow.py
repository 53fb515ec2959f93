"""Send as much water as possible through a network of pipes, and say how much goes through each pipe.

Any flow of the greatest amount is accepted; the amount alone is never an answer.
"""

from collections import deque
from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators import pictures
from rlgym.generators.steps import Line, ended, first_wrong

Pipe = tuple[str, str, int]
Pairs = tuple[tuple[str, str], ...]
SOURCE, SINK = "S", "E"
USES = Line("{name} must get {amount} units of its own")
FLOW = Line("Path by path, and back where a path takes water from another, this flow is reached: {flow}")
FULL = Line("No more can pass: on the way from {cut} to the rest every pipe is full, and no water comes back over it")


class Knobs(Config):
    stations: int = knob(6, easy=2, hard=20, doc="stations between the source and the end")
    pipes: int = knob(6, easy=1, hard=45, doc="pipes beyond two for each station")
    capacity: int = knob(15, easy=9, hard=60, doc="largest capacity of a pipe")
    leaks: str = knob(
        "none", easy="none", hard="losses", order=("none", "losses"), doc="whether some stations take a fixed amount for themselves"
    )


class Data(TaskData):
    pipes: tuple[Pipe, ...]
    uses: tuple[tuple[str, int], ...]
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        pipes = _network(rng, knobs)
        amounts = _flow(pipes, SINK)
        uses = _uses(rng, pipes, amounts) if knobs.leaks == "losses" else ()
        most = _most(pipes, uses)
        if most > 0:
            break
    listing = "\n".join(f"{a}>{b}: {capacity}" for a, b, capacity in rng.shuffled(pipes))
    needs = "".join(f"\n{name} uses up exactly {amount} units itself." for name, amount in uses)
    prompt = (
        f"Water runs from the source {SOURCE} to the end {SINK} through pipes. Each pipe carries whole units of water in one direction, at most "
        f"as many as its capacity. In this list a>b: c is a pipe from a to b with capacity c:\n{listing}\n{needs}\n\n"
        f"At every station other than {SOURCE} and {SINK} as much water must leave as comes in"
        f"{', apart from what it uses up itself' if uses else ''}. Send as many units as possible from {SOURCE} to {SINK}: say how many units "
        f"each pipe carries. Pipes that carry 0 may be left out. What counts is the water that arrives at {SINK}."
    )
    return Task(prompt, Data(pipes=pipes, uses=uses, most=most))


def solve(task: Task[Data]) -> Pairs:
    return _answered(_whole(task.data, task.data.pipes))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    capacities = {f"{a}>{b}".lower(): capacity for a, b, capacity in data.pipes}
    left = {name.lower(): -amount for name, amount in data.uses}
    for name, written in answer:
        name = "".join(name.split()).replace("->", ">").replace("→", ">")
        if name not in capacities or not (written.isascii() and written.isdigit() and len(written) < 10):
            return Score.wrong("every line must name a pipe and a whole number of units")
        amount, (a, b) = int(written), name.split(">")
        if amount > capacities[name]:
            return Score.wrong(f"the pipe {name.upper()} cannot carry {amount} units")
        left[a], left[b] = left.get(a, 0) - amount, left.get(b, 0) + amount
    for name, amount in left.items():
        if amount and name not in (SOURCE.lower(), SINK.lower()):
            return Score.wrong(f"what comes in at {name.upper()} is not what must leave it")
    if left.get(SINK.lower(), 0) < 0:
        return Score.wrong(f"water must arrive at {SINK}")
    return Score.exact(left.get(SINK.lower(), 0) == data.most, "more water can arrive")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    full = tuple((f"{a}>{b}".lower(), str(capacity)) for a, b, capacity in task.data.pipes)
    less = ((right[0][0], str(int(right[0][1]) - 1)), *right[1:])
    first = task.data.pipes[0]
    return [less, full, ((f"{first[0]}>{first[1]}".lower(), "0"),), right[1:] or (("s>e", "0"),)]


def cost(task: Task[Data]) -> float:
    return len(task.data.pipes) * (1 + task.data.most.bit_length() + len(task.data.uses))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    found = _answered(_whole(data, data.pipes))
    steps = [USES.write(name=name, amount=amount) for name, amount in data.uses]
    shown = ", ".join(f"{name.upper()}: {amount}" for name, amount in found)
    cut = _cut(data)
    steps += [FLOW.write(flow=shown), FULL.write(cut=", ".join(cut))]
    return [*steps, "The pipes carry " + environment.answer.render(found)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    carried: dict[str, int] = {}

    def follows(step: str) -> bool:
        if read := USES.read(step):
            return (read["name"], int(read["amount"])) in data.uses
        if read := FLOW.read(step):
            pairs = [pair.split(": ") for pair in read["flow"].split(", ")]
            carried.update((name, int(amount)) for name, amount in pairs)
            return verify(task, tuple((name.lower(), amount) for name, amount in pairs)).value == 1
        read = FULL.read(step)
        if not read:
            return False
        side = read["cut"].split(", ")
        full = all(carried.get(f"{a}>{b}", 0) == capacity for a, b, capacity in data.pipes if a in side and b not in side)
        back = any(carried.get(f"{a}>{b}", 0) for a, b, _ in data.pipes if a not in side and b in side)
        stations = {name for a, b, _ in data.pipes for name in (a, b)}
        return SOURCE in side and SINK not in side and stations.issuperset(side) and len(set(side)) == len(side) and full and not back

    return first_wrong(steps, follows, ended("The pipes carry ", task, environment.answer, verify))


def picture(task: Task[Data]) -> str:
    data = task.data
    uses = dict(data.uses)
    stations = sorted({name for a, b, _ in data.pipes for name in (a, b)} | {SOURCE, SINK})
    names = {name: f"{name}: {uses[name]}" if name in uses else name for name in stations}
    pipes = [(names[a], names[b], str(capacity)) for a, b, capacity in data.pipes]
    return pictures.network(list(names.values()), pipes, directed=True, marked=[names[SOURCE], names[SINK]])


def _network(rng: Rng, knobs: Knobs) -> tuple[Pipe, ...]:
    names = [SOURCE, *(f"P{i}" for i in range(1, knobs.stations + 1)), SINK]
    pairs: dict[tuple[int, int], None] = {}
    for i in range(1, len(names) - 1):
        pairs[rng.integer(0, i - 1), i] = None
        pairs[i, rng.integer(i + 1, len(names) - 1)] = None
    for _ in range(knobs.pipes):
        a, b = rng.sample(range(len(names)), 2)
        if (b, a) not in pairs and b != 0 and a != len(names) - 1 and (a, b) != (0, len(names) - 1):
            pairs[a, b] = None
    return tuple((names[a], names[b], rng.integer(1, knobs.capacity)) for a, b in sorted(pairs))


def _uses(rng: Rng, pipes: tuple[Pipe, ...], amounts: dict[tuple[str, str], int]) -> tuple[tuple[str, int], ...]:
    """A few stations that the greatest flow passes, each using up less than passes it."""
    passing: dict[str, int] = {}
    for (_, b), amount in amounts.items():
        passing[b] = passing.get(b, 0) + amount
    choices = sorted(name for name, amount in passing.items() if amount > 1 and name != SINK)
    chosen = rng.sample(choices, min(2, len(choices)))
    uses = tuple((name, rng.integer(1, passing[name] // 2)) for name in sorted(chosen))
    return uses if _most(pipes, uses) >= 0 else ()


def _most(pipes: tuple[Pipe, ...], uses: tuple[tuple[str, int], ...]) -> int:
    """How much can arrive while every station gets what it uses; -1 if they cannot all get it."""
    # What is used goes on to a second end. Filled first, it stays filled when more is sent to the first end.
    extended = (*pipes, *((name, "use", amount) for name, amount in uses))
    used = _flow(extended, "use")
    if sum(amount for (_, b), amount in used.items() if b == "use") < sum(amount for _, amount in uses):
        return -1
    return sum(amount for (_, b), amount in _flow(extended, SINK, used).items() if b == SINK)


def _whole(data: Data, pipes: tuple[Pipe, ...]) -> dict[tuple[str, str], int]:
    extended = (*pipes, *((name, "use", amount) for name, amount in data.uses))
    return _flow(extended, SINK, _flow(extended, "use"))


def _flow(pipes: tuple[Pipe, ...], end: str, before: dict[tuple[str, str], int] | None = None) -> dict[tuple[str, str], int]:
    """The greatest flow to an end, grown from the flow before by shortest paths (Edmonds and Karp)."""
    left: dict[str, dict[str, int]] = {SOURCE: {}, end: {}}
    for a, b, capacity in pipes:
        done = before.get((a, b), 0) if before else 0
        left.setdefault(a, {})[b] = capacity - done
        left.setdefault(b, {})[a] = done
    while True:
        came: dict[str, str] = {SOURCE: SOURCE}
        queue = deque([SOURCE])
        while queue and end not in came:
            here = queue.popleft()
            for there, room in left[here].items():
                if room and there not in came:
                    came[there] = here
                    queue.append(there)
        if end not in came:
            return {(a, b): capacity - left[a][b] for a, b, capacity in pipes}
        path = [end]
        while path[-1] != SOURCE:
            path.append(came[path[-1]])
        steps = list(zip(path[1:], path, strict=False))
        room = min(left[a][b] for a, b in steps)
        for a, b in steps:
            left[a][b] -= room
            left[b][a] += room


def _cut(data: Data) -> list[str]:
    """The stations that more water could still reach."""
    flow = _whole(data, data.pipes)
    reached, queue = {SOURCE}, [SOURCE]
    while queue:
        here = queue.pop()
        for a, b, capacity in data.pipes:
            for one, other, room in ((a, b, capacity - flow[a, b]), (b, a, flow[a, b])):
                if one == here and room and other not in reached:
                    reached.add(other)
                    queue.append(other)
    return sorted(reached)


def _answered(flow: dict[tuple[str, str], int]) -> Pairs:
    return tuple(sorted((f"{a}>{b}".lower(), str(amount)) for (a, b), amount in flow.items() if amount and b != "use"))


def _others(task: Task[Data]) -> Iterator[Pairs]:
    for pipes in (task.data.pipes[::-1], tuple(sorted(task.data.pipes, key=lambda pipe: -pipe[2]))):
        yield _answered(_whole(task.data, pipes))


environment = Environment(
    Knobs,
    Mapping("one line `a>b: units` for each pipe that carries water", most=300),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    picture=picture,
    answers="many",
    solutions=_others,
    concept="Add flow along a path with room left, where water sent the other way may be taken back, until no such path is left.",
)
