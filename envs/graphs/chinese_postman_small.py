"""Walk every street at least once on a walk of the least total length.

Any such walk is accepted. The least length is proved by a table of the cheapest ways to pair the corners where an odd number of streets meet.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import graphs, pictures
from rlgym.generators.steps import Line, first_wrong

Streets = tuple[tuple[str, str, int], ...]
MOST_ODD = 8


class Knobs(Config):
    corners: int = knob(8, easy=4, hard=16, doc="how many corners there are")
    extra: int = knob(60, easy=30, hard=70, doc="streets beyond those of a tree, in percent of the corners")
    odd: int = knob(4, easy=2, hard=8, doc="at most so many corners must be paired")
    lengths: str = knob(
        "own", easy="alike", hard="own", order=("alike", "own"), doc="whether all streets are 1 long, or each has its length"
    )
    walk: str = knob(
        "round", easy="round", hard="open", order=("round", "open"), doc="whether the walk ends where it starts, or somewhere else"
    )


class Data(TaskData):
    streets: Streets
    start: str
    end: str
    least: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, ("random", "ring"))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, ("lattice", "near", "tree"))


def _made(rng: Rng, knobs: Knobs, families: tuple[str, ...]) -> Task[Data]:
    count = knobs.corners
    while True:
        edges = list(graphs.drawn(rng, rng.choice(families), count, count - 1 + max(1, count * knobs.extra // 100)))
        names = graphs.letters(rng, count)
        drawn = [(a, b, rng.integer(1, 9) if knobs.lengths == "own" else 1) for a, b in graphs.listed(rng, edges, names)]
        start = rng.choice(names)
        end = start if knobs.walk == "round" else rng.choice([name for name in names if name != start])
        odd = _odd(tuple(drawn), start, end)
        # Too many odd corners: streets between pairs of them are added until so few are left.
        while len(odd) > knobs.odd:
            a, b = next((pair for pair in combinations(odd, 2) if not any(set(pair) <= set(street) for street in drawn)), odd[:2])
            drawn = [street for street in drawn if not {a, b} <= set(street[:2])] if _joined(drawn, a, b) else drawn
            drawn += [] if len(_odd(tuple(drawn), start, end)) < len(odd) else [(a, b, rng.integer(1, 9) if knobs.lengths == "own" else 1)]
            odd = _odd(tuple(drawn), start, end)
        if odd and _whole(tuple(drawn), names):
            break
    streets = tuple(drawn)
    table = _table(odd, graphs.distances(names, streets))
    data = Data(streets=streets, start=start, end=end, least=sum(length for *_, length in streets) + table[odd])
    listing = "\n".join(f"{a} - {b}" + (f": {length}" if knobs.lengths == "own" else "") for a, b, length in streets)
    told = "their lengths" if knobs.lengths == "own" else "each 1 long"
    finish = f"starts and ends at {start}" if start == end else f"starts at {start} and ends at {end}"
    prompt = (
        f"These streets join corners of a town ({told}) and can be walked both ways:\n{listing}\n\nFind a walk that {finish}, uses every street at least "
        "once, and is as short as possible. A street walked again counts again. Name the corners in the order of the walk, with the first and the last one."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_walks(task.data, 1))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if (answer[0].upper(), answer[-1].upper()) != (data.start, data.end):
        return Score.wrong(f"the walk must go from {data.start} to {data.end}")
    lengths = {frozenset((a, b)): length for a, b, length in data.streets}
    total, used = 0, set()
    for pair in pairwise(answer):
        street = frozenset(name.upper() for name in pair)
        if street not in lengths:
            return Score.wrong(f"no street joins {pair[0][:20]} and {pair[1][:20]}")
        total += lengths[street]
        used.add(street)
    if len(used) < len(lengths):
        return Score.wrong("some street is not walked")
    return Score.exact(total == data.least, "there is a shorter walk")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    there_and_back = (right[0], right[1], *right)
    once = tuple(dict.fromkeys(right))
    every = [task.data.start.lower()]
    for a, b, _ in data.streets:
        every += [a.lower(), b.lower()]
    return [there_and_back, right[:-1], right[1:], once, tuple(every), (*right[:-2], right[-1])]


def cost(task: Task[Data]) -> float:
    data = task.data
    odd = len(_odd(data.streets, data.start, data.end))
    return len(data.streets) * (1 + odd) * (1 + (len({length for *_, length in data.streets}) > 1))


ODD = Line("An odd number of walked streets must be added at: {corners}")
FAR = Line("The shortest way between {one} and {other} is {length} long: {way}")
PAIRED = Line("Pairing {corners} costs {total} at least: {one} with {other} for {length}, and {rest} for the others")
SUM = Line("All streets together are {streets} long, and {again} more must be walked again: {least}")
END = Line("A walk of the length {least} is {answer}")


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    odd = _odd(data.streets, data.start, data.end)
    far = graphs.distances(_names(data.streets), data.streets)
    table = _table(odd, far)
    ways = {one: _ways(_near(data.streets), one) for one in odd}
    steps = [ODD.write(corners=" ".join(odd))]
    steps += [FAR.write(one=a, other=b, length=far[a, b], way=" ".join(ways[a][b][1])) for a, b in combinations(odd, 2)]
    for group in sorted(table, key=lambda group: (len(group), group)):
        if len(group) > 2:
            one = group[0]
            rest = {other: tuple(name for name in group if name not in (one, other)) for other in group[1:]}
            other = min(rest, key=lambda name: (far[one, name] + table[rest[name]], name))
            total, left = table[group], table[rest[other]]
            steps.append(PAIRED.write(corners=" ".join(group), total=total, one=one, other=other, length=far[one, other], rest=left))
    streets = sum(length for *_, length in data.streets)
    steps.append(SUM.write(streets=streets, again=table[odd], least=data.least))
    return [*steps, END.write(least=data.least, answer=" ".join(solve(task)))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    odd = _odd(data.streets, data.start, data.end)
    far = graphs.distances(_names(data.streets), data.streets)
    pairs: dict[tuple[str, ...], int] = {}

    def follows(step: str) -> bool:
        if said := ODD.read(step):
            return tuple(said["corners"].split()) == odd
        if said := FAR.read(step):
            one, other = said["one"], said["other"]
            pairs[one, other] = far[one, other]
            way, lengths = said["way"].split(), {frozenset((a, b)): length for a, b, length in data.streets}
            walked = sum(lengths[frozenset(pair)] for pair in pairwise(way))
            fits = one in odd and other in odd and one < other and (way[0], way[-1]) == (one, other)
            return fits and walked == far[one, other] == int(said["length"])
        if said := PAIRED.read(step):
            group, one, other = tuple(said["corners"].split()), said["one"], said["other"]
            ways = {name: pairs[group[0], name] + pairs[tuple(rest for rest in group[1:] if rest != name)] for name in group[1:]}
            pairs[group] = min(ways.values())
            length, rest = pairs[one, other], pairs[tuple(name for name in group if name not in (one, other))]
            told = tuple(int(said[gap]) for gap in ("total", "length", "rest"))
            return one == group[0] and set(group) <= set(odd) and told == (pairs[group], length, rest) and length + rest == pairs[group]
        said = SUM.read(step)
        streets = sum(length for *_, length in data.streets)
        return (
            bool(said)
            and said is not None
            and [int(said[gap]) for gap in ("streets", "again", "least")] == [streets, pairs[odd], streets + pairs[odd]]
        )

    def ends(step: str) -> bool:
        said = END.read(step)
        return bool(said and int(said["least"]) == data.least and verify(task, tuple(said["answer"].split())).value == 1)

    return first_wrong(steps, follows, ends)


def picture(task: Task[Data]) -> str:
    own = len({length for *_, length in task.data.streets}) > 1
    edges = [(a, b, str(length)) if own else (a, b) for a, b, length in task.data.streets]
    return pictures.network(_names(task.data.streets), edges, marked=(task.data.start, task.data.end))


def _names(streets: Streets) -> list[str]:
    return sorted({name for a, b, _ in streets for name in (a, b)})


def _near(streets: Streets) -> dict[str, list[tuple[int, str]]]:
    near: dict[str, list[tuple[int, str]]] = {name: [] for name in _names(streets)}
    for a, b, length in streets:
        near[a].append((length, b))
        near[b].append((length, a))
    return near


def _joined(streets: Sequence[tuple[str, str, int]], a: str, b: str) -> bool:
    return any({a, b} == {one, other} for one, other, _ in streets)


def _whole(streets: Streets, names: Sequence[str]) -> bool:
    return len(graphs.distances(names, streets)) == len(names) ** 2


def _odd(streets: Streets, start: str, end: str) -> tuple[str, ...]:
    """Where an odd number of streets meet; of an open walk the start and the end count one more."""
    ends = [name for a, b, _ in streets for name in (a, b)] + ([start, end] if start != end else [])
    return tuple(name for name in sorted(set(ends)) if ends.count(name) % 2)


def _table(odd: tuple[str, ...], far: dict[tuple[str, str], int]) -> dict[tuple[str, ...], int]:
    """The least total of ways that pair a group, for each group that turns up when the first one is paired again and again."""
    table: dict[tuple[str, ...], int] = {(): 0}

    def least(group: tuple[str, ...]) -> int:
        if group not in table:
            table[group] = min(far[group[0], other] + least(tuple(x for x in group[1:] if x != other)) for other in group[1:])
        return table[group]

    least(odd)
    return table


def _pairings(odd: tuple[str, ...]) -> Iterator[list[tuple[str, str]]]:
    if not odd:
        yield []
    for other in odd[1:]:
        for rest in _pairings(tuple(x for x in odd[1:] if x != other)):
            yield [(odd[0], other), *rest]


def _walks(data: Data, turn: int) -> Iterator[tuple[str, ...]]:
    """Least walks: of all pairings a shortest, its ways walked again, and one walk through everything (Hierholzer)."""
    near = _near(data.streets)
    odd = _odd(data.streets, data.start, data.end)
    ways = {one: _ways(near, one) for one in odd}
    best = min(sum(ways[a][b][0] for a, b in pairs) for pairs in _pairings(odd))
    for pairs in _pairings(odd):
        if sum(ways[a][b][0] for a, b in pairs) == best:
            again = [street for a, b in pairs for street in pairwise(ways[a][b][1])]
            for way in (turn, -turn):
                yield _through([(a, b) for a, b, _ in data.streets] + again, data.start, way)


def _ways(near: dict[str, list[tuple[int, str]]], start: str) -> dict[str, tuple[int, tuple[str, ...]]]:
    found: dict[str, tuple[int, tuple[str, ...]]] = {}
    edge: list[tuple[int, tuple[str, ...]]] = [(0, (start,))]
    while edge:
        edge.sort(reverse=True)
        far, way = edge.pop()
        if way[-1] not in found:
            found[way[-1]] = (far, way)
            edge += [(far + length, (*way, there)) for length, there in near[way[-1]] if there not in found]
    return found


def _through(streets: Sequence[tuple[str, str]], start: str, way: int) -> tuple[str, ...]:
    left: dict[str, list[tuple[int, str]]] = {}
    for i, (a, b) in enumerate(streets[::way]):
        left.setdefault(a, []).append((i, b))
        left.setdefault(b, []).append((i, a))
    used, walk, done = set[int](), [start], list[str]()
    while walk:
        here = left[walk[-1]]
        while here and here[-1][0] in used:
            here.pop()
        if here:
            i, there = here.pop()
            used.add(i)
            walk.append(there)
        else:
            done.append(walk.pop())
    return tuple(name.lower() for name in reversed(done))


environment = Environment(
    Knobs,
    Words("the names of the corners in the order of the walk, separated by spaces", most=300, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    picture,
    answers="many",
    solutions=lambda task: _walks(task.data, -1),
    concept="Where an odd number of streets meet, something must be walked again: pair those corners as cheaply as possible, and a walk through all is left.",
)
