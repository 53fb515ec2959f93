"""Send as much water as possible through a network of pipes, and say how much goes through each pipe.

Any flow of the greatest amount is accepted; the amount alone is never an answer.
"""

from collections import deque
from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.drawing import pictures
from rlgym.generators.text.english import count_noun
from rlgym.solutions import Checks, Derivation, Solution, Step

Pipe = tuple[str, str, int]
Pairs = tuple[tuple[str, str], ...]
SOURCE, SINK = "S", "E"
USES = Step("{name} must get {amount:int} unit(s) of its own")
FLOW = Step("Path by path, and back where a path takes water from another, this flow is reached: {flow:words}")
FULL = Step("No more can pass: on the way from {cut:words} to the rest every pipe is full, and no water comes back over it")


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
        pipes = _sample_network(rng, knobs)
        amounts = _edmonds_karp(pipes, SINK)
        uses = _sample_uses(rng, pipes, amounts) if knobs.leaks == "losses" else ()
        most = _max_arriving(pipes, uses)
        if most > 0:
            break
    listing = "\n".join(f"{a}>{b}: {capacity}" for a, b, capacity in rng.shuffled(pipes))
    needs = "".join(f"\n{name} uses up exactly {count_noun(amount, 'unit')} itself." for name, amount in uses)
    prompt = (
        f"Water runs from the source {SOURCE} to the end {SINK} through pipes. Each pipe carries whole units of water in one direction, at most "
        f"as many as its capacity. In this list a>b: c is a pipe from a to b with capacity c:\n{listing}\n{needs}\n\n"
        f"At every station other than {SOURCE} and {SINK} as much water must leave as arrives"
        f"{', apart from what the station itself uses' if uses else ''}. Send as many units as possible from {SOURCE} to {SINK}: say how many units "
        f"each pipe carries. Pipes that carry 0 may be left out. Only the water that arrives at {SINK} counts."
    )
    return Task(prompt, Data(pipes=pipes, uses=uses, most=most))


def solve(task: Task[Data]) -> Pairs:
    return _flow_pairs(_max_flow(task.data, task.data.pipes))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    capacities = {f"{a}>{b}".lower(): capacity for a, b, capacity in data.pipes}
    balance = {name.lower(): -amount for name, amount in data.uses}
    for name, written in answer:
        name = "".join(name.split()).replace("->", ">").replace("→", ">")
        if name not in capacities or not (written.isascii() and written.isdigit() and len(written) < 10):
            return Score.wrong("every line must name a pipe and a whole number of units")
        amount, (a, b) = int(written), name.split(">")
        if amount > capacities[name]:
            return Score.wrong(f"the pipe {name.upper()} cannot carry {amount} units")
        balance[a], balance[b] = balance.get(a, 0) - amount, balance.get(b, 0) + amount
    for name, amount in balance.items():
        if amount and name not in (SOURCE.lower(), SINK.lower()):
            return Score.wrong(f"inflow and outflow do not balance at {name.upper()}")
    if balance.get(SINK.lower(), 0) < 0:
        return Score.wrong(f"water must arrive at {SINK}")
    return Score.exact(balance.get(SINK.lower(), 0) == data.most, "more water can arrive")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    full = tuple((f"{a}>{b}".lower(), str(capacity)) for a, b, capacity in task.data.pipes)
    less = ((right[0][0], str(int(right[0][1]) - 1)), *right[1:])
    first = task.data.pipes[0]
    return [less, full, ((f"{first[0]}>{first[1]}".lower(), "0"),), right[1:] or (("s>e", "0"),)]


def cost(task: Task[Data]) -> float:
    return len(task.data.pipes) * (1 + task.data.most.bit_length() + len(task.data.uses))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    for name, amount in data.uses:
        yield USES(name=name, amount=amount)
    yield FLOW(flow=[f"{name.upper()}: {amount}" for name, amount in _flow_pairs(_max_flow(data, data.pipes))])
    yield FULL(cut=_min_cut_side(data))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    carried: dict[str, int] = {}

    def is_greatest_flow(flow: tuple[str, ...]) -> bool:
        pairs = [pair.split(": ") for pair in flow]
        carried.update((name, int(amount)) for name, amount in pairs)
        return verify(task, tuple((name.lower(), amount) for name, amount in pairs)).value == 1

    def is_full(cut: tuple[str, ...]) -> bool:
        full = all(carried.get(f"{a}>{b}", 0) == capacity for a, b, capacity in data.pipes if a in cut and b not in cut)
        back = any(carried.get(f"{a}>{b}", 0) for a, b, _ in data.pipes if a not in cut and b in cut)
        stations = {name for a, b, _ in data.pipes for name in (a, b)}
        return SOURCE in cut and SINK not in cut and stations.issuperset(cut) and len(set(cut)) == len(cut) and full and not back

    return {USES: lambda name, amount: (name, amount) in data.uses, FLOW: is_greatest_flow, FULL: is_full}


def picture(task: Task[Data]) -> str:
    data = task.data
    uses = dict(data.uses)
    stations = sorted({name for a, b, _ in data.pipes for name in (a, b)} | {SOURCE, SINK})
    names = {name: f"{name}: {uses[name]}" if name in uses else name for name in stations}
    pipes = [(names[a], names[b], str(capacity)) for a, b, capacity in data.pipes]
    return pictures.network(list(names.values()), pipes, directed=True, marked=[names[SOURCE], names[SINK]])


def _sample_network(rng: Rng, knobs: Knobs) -> tuple[Pipe, ...]:
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


def _sample_uses(rng: Rng, pipes: tuple[Pipe, ...], amounts: dict[tuple[str, str], int]) -> tuple[tuple[str, int], ...]:
    """A few stations that the maximum flow passes through; each consumes less than its inflow."""
    passing: dict[str, int] = {}
    for (_, b), amount in amounts.items():
        passing[b] = passing.get(b, 0) + amount
    choices = sorted(name for name, amount in passing.items() if amount > 1 and name != SINK)
    chosen = rng.sample(choices, min(2, len(choices)))
    uses = tuple((name, rng.integer(1, passing[name] // 2)) for name in sorted(chosen))
    return uses if _max_arriving(pipes, uses) >= 0 else ()


def _max_arriving(pipes: tuple[Pipe, ...], uses: tuple[tuple[str, int], ...]) -> int:
    """How much can arrive while every station gets what it uses; -1 if they cannot all get it."""
    # Consumption flows to a second sink. It is saturated first and stays saturated when more is sent to the first sink.
    extended = (*pipes, *((name, "use", amount) for name, amount in uses))
    used = _edmonds_karp(extended, "use")
    if sum(amount for (_, b), amount in used.items() if b == "use") < sum(amount for _, amount in uses):
        return -1
    return sum(amount for (_, b), amount in _edmonds_karp(extended, SINK, used).items() if b == SINK)


def _max_flow(data: Data, pipes: tuple[Pipe, ...]) -> dict[tuple[str, str], int]:
    extended = (*pipes, *((name, "use", amount) for name, amount in data.uses))
    return _edmonds_karp(extended, SINK, _edmonds_karp(extended, "use"))


def _edmonds_karp(pipes: tuple[Pipe, ...], end: str, before: dict[tuple[str, str], int] | None = None) -> dict[tuple[str, str], int]:
    """The maximum flow to a sink, grown from an earlier flow along shortest augmenting paths (Edmonds-Karp)."""
    residual_capacity: dict[str, dict[str, int]] = {SOURCE: {}, end: {}}
    for a, b, capacity in pipes:
        done = before.get((a, b), 0) if before else 0
        residual_capacity.setdefault(a, {})[b] = capacity - done
        residual_capacity.setdefault(b, {})[a] = done
    while True:
        predecessor: dict[str, str] = {SOURCE: SOURCE}
        queue = deque([SOURCE])
        while queue and end not in predecessor:
            station = queue.popleft()
            for neighbour, capacity_left in residual_capacity[station].items():
                if capacity_left and neighbour not in predecessor:
                    predecessor[neighbour] = station
                    queue.append(neighbour)
        if end not in predecessor:
            return {(a, b): capacity - residual_capacity[a][b] for a, b, capacity in pipes}
        augmenting_path = [end]
        while augmenting_path[-1] != SOURCE:
            augmenting_path.append(predecessor[augmenting_path[-1]])
        pipes_on_path = list(zip(augmenting_path[1:], augmenting_path, strict=False))
        capacity_left = min(residual_capacity[a][b] for a, b in pipes_on_path)
        for a, b in pipes_on_path:
            residual_capacity[a][b] -= capacity_left
            residual_capacity[b][a] += capacity_left


def _min_cut_side(data: Data) -> list[str]:
    """The source side of a minimum cut: the stations that are reachable in the residual network."""
    flow = _max_flow(data, data.pipes)
    reached, queue = {SOURCE}, [SOURCE]
    while queue:
        station = queue.pop()
        for a, b, capacity in data.pipes:
            for first, second, capacity_left in ((a, b, capacity - flow[a, b]), (b, a, flow[a, b])):
                if first == station and capacity_left and second not in reached:
                    reached.add(second)
                    queue.append(second)
    return sorted(reached)


def _flow_pairs(flow: dict[tuple[str, str], int]) -> Pairs:
    return tuple(sorted((f"{a}>{b}".lower(), str(amount)) for (a, b), amount in flow.items() if amount and b != "use"))


def _other_answers(task: Task[Data]) -> Iterator[Pairs]:
    for pipes in (task.data.pipes[::-1], tuple(sorted(task.data.pipes, key=lambda pipe: -pipe[2]))):
        yield _flow_pairs(_max_flow(task.data, pipes))


environment = Environment(
    Knobs, Mapping("one line `a>b: units` for each pipe that carries water", max_items=300), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The pipes carry {answer}", checks), picture=picture, answers="many", solutions=_other_answers,
    concept="Add flow along a path with room left, where water sent the other way may be taken back, until no such path is left.",
    version=2,
)  # fmt: skip
