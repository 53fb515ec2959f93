"""Put guards on the fewest (or cheapest) corners so that every street has a guard at one of its ends.

Any best set of corners is accepted. That no set is better was proved while generating, and is proved in the explanation by cases.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import graphs, groups, pictures
from rlgym.generators.bits import places
from rlgym.generators.steps import Line, first_wrong


class Knobs(Config):
    corners: int = knob(14, easy=4, hard=26, doc="how many corners there are")
    streets: int = knob(150, easy=110, hard=190, doc="streets, in percent of the corners")
    wages: str = knob(
        "alike", easy="alike", hard="own", order=("alike", "own"), doc="whether each guard costs one, or each corner has its wage"
    )
    rings: str = knob(
        "even", easy="even", hard="odd", order=("even", "odd"), doc="whether streets join two halves only, or also close odd rings"
    )


class Data(TaskData):
    corners: tuple[str, ...]
    streets: tuple[tuple[str, str], ...]
    wages: tuple[int, ...]
    best: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, rng.choice(("random", "ring", "near")))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, rng.choice(("tree", "hubs", "lattice")))


def _made(rng: Rng, knobs: Knobs, family: str) -> Task[Data]:
    count, names = knobs.corners, graphs.letters(rng, knobs.corners)
    edges = graphs.drawn(rng, family, count, count * knobs.streets // 100)
    if knobs.rings == "even":
        side = [rng.integer(0, 1) for _ in range(count)]
        edges = tuple((a, b) for a, b in edges if side[a] != side[b]) or edges[:1]
    wages = tuple(rng.integer(1, 9) if knobs.wages == "own" else 1 for _ in range(count))
    apart = [~mask & (1 << count) - 1 & ~(1 << i) for i, mask in enumerate(groups.neighbours(count, edges))]
    data = Data(
        corners=names, streets=graphs.listed(rng, edges, names), wages=wages, best=sum(wages) - groups.heaviest_clique(apart, wages)
    )
    listing = "\n".join(f"{a} - {b}" for a, b in data.streets)
    paid = ", ".join(f"{name} {wage}" for name, wage in sorted(zip(names, wages, strict=True)))
    told = f"A guard on a corner costs: {paid}.\n\n" if knobs.wages == "own" else ""
    wanted = "at the least total cost" if knobs.wages == "own" else "as few of them as possible"
    prompt = (
        f"These streets join corners of a town:\n{listing}\n\n{told}Put guards on corners, {wanted}, so that every street has a guard on at least one of "
        "its two ends. Name the corners with a guard in any order."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    data = task.data
    near, wages = _near(data), data.wages
    best, found = sum(wages) + 1, 0

    def cover(left: int, chosen: int, paid: int) -> None:
        nonlocal best, found
        degree, corner = max(((near[i] & left).bit_count(), i) for i in places(left)) if left else (0, 0)
        if not degree:
            best, found = (paid, chosen) if paid < best else (best, found)
        elif paid + _need(near, wages, left)[0] < best:
            out = near[corner] & left
            cover(left & ~out & ~(1 << corner), chosen | out, paid + sum(wages[i] for i in places(out)))
            cover(left & ~(1 << corner), chosen | 1 << corner, paid + wages[corner])

    cover((1 << len(near)) - 1, 0, 0)
    return tuple(sorted(data.corners[i].lower() for i in places(found)))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data, chosen = task.data, set(answer)
    wages = {name.lower(): wage for name, wage in zip(data.corners, data.wages, strict=True)}
    if len(chosen) < len(answer) or not chosen <= set(wages):
        return Score.wrong("every name must be one of the corners', and be given once")
    for a, b in data.streets:
        if a.lower() not in chosen and b.lower() not in chosen:
            return Score.wrong(f"the street {a} - {b} has no guard")
    return Score.exact(sum(wages[name] for name in chosen) == data.best, "fewer or cheaper guards are enough")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    names = [name.lower() for name in data.corners]
    bare = {name.lower(): [end.lower() for street in data.streets if name in street for end in street] for name in data.corners}
    greedy: list[str] = []
    for a, b in data.streets:
        if not {a.lower(), b.lower()} & set(greedy):
            greedy += [a.lower(), b.lower()]
    busiest = sorted(names, key=lambda name: (-len(bare[name]), name))[: len(right)]
    others = tuple(name for name in names if name not in right)
    return [right[:-1] or others, tuple(greedy), tuple(busiest), (*right, *others[:1]), (*right, right[0]), others or right[1:]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.streets) * len(data.corners) * (1 + (len(set(data.wages)) > 1))


CASE = Line("Case {case}: {streets} of the streets are still without a guard, so look at {corner}, with a guard and without one")
BOUND = Line("Case {case}: the guards here cost {paid}, and {pieces} need {more} more: {total} at least, no better than {best}")
END = Line("So no guards cost less than {best}, and these cost that: {answer}")


def explain(task: Task[Data]) -> list[str]:
    data, near, steps = task.data, _near(task.data), []
    waiting: list[tuple[tuple[str, ...], int, int]] = [((), 0, (1 << len(near)) - 1)]
    while waiting:
        case, chosen, left = waiting.pop()
        paid = sum(data.wages[i] for i in places(chosen))
        more, pieces = _need(near, data.wages, left)
        named = " ".join(case) or "all"
        if paid + more >= data.best:
            told = ", ".join(f"{'-'.join(data.corners[i] for i in piece)} by {by}" for piece, by in pieces) or "no streets"
            steps.append(BOUND.write(case=named, paid=paid, pieces=told, more=more, total=paid + more, best=data.best))
            continue
        corner = max(places(left), key=lambda i: ((near[i] & left).bit_count(), i))
        open_ = sum((near[i] & left).bit_count() for i in places(left)) // 2
        steps.append(CASE.write(case=named, streets=open_, corner=data.corners[corner]))
        for word in ("-", "+"):
            after = (*case, data.corners[corner] + word)
            waiting.append((after, *_held(data, near, after)))
    return [_FIRST, *steps, END.write(best=data.best, answer=" ".join(solve(task)))]


_FIRST = (
    "X+ in a case means a guard at X, X- none, so that all neighbours of X have one. Of corners that are all joined to each other, all but one need a "
    "guard; 'A-B-C by 2' counts 2 of the cost of each of A, B, C but one, and no corner is counted beyond its cost"
)


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, near = task.data, _near(task.data)
    place = {name: i for i, name in enumerate(data.corners)}
    waiting: list[tuple[str, ...]] = [()]

    def follows(step: str) -> bool:
        if step == _FIRST:
            return True
        said = CASE.read(step) or BOUND.read(step)
        if said is None or not waiting:
            return False
        case = waiting.pop()
        chosen, left = _held(data, near, case)
        if said["case"] != (" ".join(case) or "all"):
            return False
        if "corner" in said:
            waiting.extend((*case, said["corner"] + sign) for sign in "-+")
            open_ = sum((near[i] & left).bit_count() for i in places(left)) // 2
            return left >> place[said["corner"]] & 1 == 1 and open_ == int(said["streets"])
        room, more = list(data.wages), 0
        for piece in said["pieces"].split(", ") if said["pieces"] != "no streets" else ():
            names, by = piece.split(" by ")
            clique = [place[name] for name in names.split("-")]
            if not all(left >> i & 1 and all(i == j or near[i] >> j & 1 for j in clique) for i in clique) or len(set(clique)) < len(clique):
                return False
            for i in clique:
                room[i] -= int(by)
            more += int(by) * (len(clique) - 1)
        paid = sum(data.wages[i] for i in places(chosen))
        numbers = tuple(int(said[gap]) for gap in ("paid", "more", "total", "best"))
        return min(room) >= 0 and numbers == (paid, more, paid + more, data.best) and paid + more >= data.best

    def ends(step: str) -> bool:
        said = END.read(step)
        return bool(said and not waiting and int(said["best"]) == data.best and verify(task, tuple(said["answer"].split())).value == 1)

    return first_wrong(steps, follows, ends)


def picture(task: Task[Data]) -> str:
    data = task.data
    priced = len(set(data.wages)) > 1
    label = {name: f"{name}: {wage}" if priced else name for name, wage in zip(data.corners, data.wages, strict=True)}
    return pictures.network(sorted(label.values()), [(label[a], label[b]) for a, b in data.streets])


def _near(data: Data) -> list[int]:
    place = {name: i for i, name in enumerate(data.corners)}
    return groups.neighbours(len(place), [(place[a], place[b]) for a, b in data.streets])


def _held(data: Data, near: Sequence[int], case: tuple[str, ...]) -> tuple[int, int]:
    """The corners that have a guard in a case, and those still open, as bits."""
    chosen, left = 0, (1 << len(near)) - 1
    for word in case:
        corner = data.corners.index(word[:-1])
        chosen |= 1 << corner if word[-1] == "+" else near[corner]
        left &= ~(1 << corner)
    return chosen, left & ~chosen


def _need(near: Sequence[int], wages: Sequence[int], left: int) -> tuple[int, list[tuple[tuple[int, ...], int]]]:
    """What the open corners need at least, by groups of corners that are all joined, each with what it counts of their wages."""
    room, more = list(wages), 0
    pieces: list[tuple[tuple[int, ...], int]] = []
    while True:
        able = [i for i in places(left) if near[i] & left]
        if not able:
            return more, pieces
        first = min(able, key=lambda i: ((near[i] & left).bit_count(), i))
        piece, shared = [first], near[first] & left
        while shared:
            piece.append(min(places(shared), key=lambda i: (-(near[i] & shared).bit_count(), (near[i] & left).bit_count(), i)))
            shared &= near[piece[-1]]
        by = min(room[i] for i in piece)
        pieces.append((tuple(piece), by))
        more += by * (len(piece) - 1)
        for i in piece:
            room[i] -= by
            left &= left if room[i] else ~(1 << i)


def _others(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    data, near = task.data, _near(task.data)
    whole = (1 << len(near)) - 1
    apart = [~mask & whole & ~(1 << i) for i, mask in enumerate(near)]
    for alone in groups.maximal_cliques(apart, range(len(near) - 1, -1, -1)):
        cover = places(whole & ~alone)
        if sum(data.wages[i] for i in cover) == data.best:
            yield tuple(data.corners[i].lower() for i in cover)


environment = Environment(
    Knobs,
    Words("the names of the corners with a guard, separated by spaces", most=60, fold=True),
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
    solutions=_others,
    concept="Streets without a common end need a guard each: a bound from below; where it is too low, split on a corner with and without a guard.",
)
