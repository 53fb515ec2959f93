"""Put guards on the fewest (or cheapest) corners so that every street has a guard at one of its ends.

Any best set of corners is accepted. That no set is better was proved while generating, and is proved in the explanation by cases.
On the upper levels a bound from cliques is too low, so that cases must be distinguished, and taking the corner with the most streets per cost fails.
At the top no three corners are joined to each other, all have about equally many streets and similar wages, so that cases must be split many times.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.draws import draw_against, draw_rare, sample_hard
from rlgym.generators.graphs import node_groups, random_graphs
from rlgym.generators.numbers.bitsets import places
from rlgym.solutions import Checks, Derivation, Solution, Step

MOST_GREEDY = 2
SMALL = 10  # corners below which the corners with the most streets are no cover
EVEN_DRAWS = 6
MOST_SPLITS = 60
LEAST_WAGE = {"alike": 1, "own": 1, "near": 6}


class Knobs(Config):
    corners: int = knob(14, easy=7, hard=36, beyond=56, doc="how many corners there are")
    streets: int = knob(150, easy=110, hard=190, doc="streets, in percent of the corners")
    wages: str = knob(
        "alike", easy="alike", hard="near", order=tuple(LEAST_WAGE), doc="each guard costs one, or corners have wages: any, or similar ones"
    )
    splits: int = knob(
        2, easy=0, hard=8, doc="case splits that the proof by clique bounds needs, at least; with 0, streets join two halves only"
    )
    shape: str = knob(
        "any",
        easy="any",
        hard="even",
        order=("any", "even"),
        doc="any network, or the one of 6 with most case splits where corners have about equally many streets and no three are all joined",
    )


class Data(TaskData):
    corners: tuple[str, ...]
    streets: tuple[tuple[str, str], ...]
    wages: tuple[int, ...]
    best: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _draw(rng, knobs, ("random", "ring", "near"), reach=knobs.corners)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Other networks; those with few triangles lie along a ring."""
    return _draw(rng, knobs, ("tree", "hubs", "lattice"), reach=7)


def _draw(rng: Rng, knobs: Knobs, families: Sequence[str], reach: int) -> Task[Data]:
    """A task that needs as many case splits as the knob says, if there is one among these draws; with three splits the greedy choice fails."""
    if knobs.shape == "even":

        def measure(task: Task[Data]) -> int:
            return _count_splits(task.data) // (4 if _greedy_cost(task.data) == task.data.best else 1)

        return sample_hard(lambda: _sample_task(rng, knobs, "even", reach), measure, MOST_SPLITS, EVEN_DRAWS)

    def is_too_easy(task: Task[Data]) -> bool:
        if knobs.splits > MOST_GREEDY and _greedy_cost(task.data) == task.data.best:
            return True
        return (knobs.corners < SMALL and _are_the_busiest(task.data, solve(task))) or _count_splits(task.data) < knobs.splits

    def draw() -> Task[Data]:
        return draw_against(lambda: _sample_task(rng, knobs, rng.choice(families), reach), is_too_easy, 40)

    return draw_rare(draw, solve, 6 if knobs.corners < SMALL else 1)


def _are_the_busiest(data: Data, cover: Sequence[str]) -> bool:
    """Whether as many corners as this cover has, those with the most streets, cover all streets."""
    ends = [corner for street in data.streets for corner in street]
    busiest = sorted(data.corners, key=lambda corner: -ends.count(corner))[: len(cover)]
    return all(set(street) & set(busiest) for street in data.streets)


def _greedy_cost(data: Data) -> int:
    """What the guards cost if each next corner covers the most streets per cost."""
    neighbours, uncovered, paid = _neighbours(data), (1 << len(data.corners)) - 1, 0
    while True:
        degree = {i: (neighbours[i] & uncovered).bit_count() for i in places(uncovered)}
        best = max(degree, key=lambda i: (degree[i] / data.wages[i], i), default=-1)
        if best < 0 or not degree[best]:
            return paid
        paid += data.wages[best]
        uncovered &= ~(1 << best)


def _count_splits(data: Data) -> int:
    """The case splits of the proof that `derive` writes."""
    neighbours, splits = _neighbours(data), 0
    waiting = [((1 << len(neighbours)) - 1, 0)]
    while waiting:
        uncovered, paid = waiting.pop()
        if paid + node_groups.clique_bound(neighbours, data.wages, uncovered)[0] >= data.best:
            continue
        splits += 1
        corner = max(places(uncovered), key=lambda i: ((neighbours[i] & uncovered).bit_count(), i))
        out = neighbours[corner] & uncovered
        waiting.append((uncovered & ~out & ~(1 << corner), paid + sum(data.wages[i] for i in places(out))))
        waiting.append((uncovered & ~(1 << corner), paid + data.wages[corner]))
    return splits


def _sample_task(rng: Rng, knobs: Knobs, family: str, reach: int) -> Task[Data]:
    count, names = knobs.corners, random_graphs.sample_names(rng, knobs.corners)
    if family == "even":
        edges = random_graphs.sample_even_graph(rng, count, count * knobs.streets // 100, reach)
    else:
        edges = random_graphs.sample_graph(rng, family, count, count * knobs.streets // 100)
    if not knobs.splits:
        side = [rng.integer(0, 1) for _ in range(count)]
        edges = tuple((a, b) for a, b in edges if side[a] != side[b]) or edges[:1]
    wages = tuple(1 if knobs.wages == "alike" else rng.integer(LEAST_WAGE[knobs.wages], 9) for _ in range(count))
    complement = [~mask & (1 << count) - 1 & ~(1 << i) for i, mask in enumerate(node_groups.neighbour_masks(count, edges))]
    data = Data(
        corners=names,
        streets=random_graphs.sample_edge_list(rng, edges, names),
        wages=wages,
        best=sum(wages) - node_groups.max_weight_clique(complement, wages),
    )
    listing = "\n".join(f"{a} - {b}" for a, b in data.streets)
    paid = ", ".join(f"{name} {wage}" for name, wage in sorted(zip(names, wages, strict=True)))
    wage_list = f"A guard on a corner costs: {paid}.\n\n" if knobs.wages != "alike" else ""
    goal = "at the least total cost" if knobs.wages != "alike" else "as few of them as possible"
    prompt = (
        f"These streets join corners of a town:\n{listing}\n\n"
        f"{wage_list}Put guards on corners, {goal}, so that every street has a guard on at least one of "
        "its two ends. Name the corners with a guard in any order."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    data = task.data
    neighbours, wages = _neighbours(data), data.wages
    best, best_cover = sum(wages) + 1, 0

    def cover(uncovered: int, chosen: int, paid: int) -> None:
        nonlocal best, best_cover
        degree, corner = max(((neighbours[i] & uncovered).bit_count(), i) for i in places(uncovered)) if uncovered else (0, 0)
        if not degree:
            best, best_cover = (paid, chosen) if paid < best else (best, best_cover)
        elif paid + node_groups.clique_bound(neighbours, wages, uncovered)[0] < best:
            out = neighbours[corner] & uncovered
            cover(uncovered & ~out & ~(1 << corner), chosen | out, paid + sum(wages[i] for i in places(out)))
            cover(uncovered & ~(1 << corner), chosen | 1 << corner, paid + wages[corner])

    cover((1 << len(neighbours)) - 1, 0, 0)
    return tuple(sorted(data.corners[i].lower() for i in places(best_cover)))


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
    return len(data.streets) * len(data.corners) * (1 + (len(set(data.wages)) > 1)) * (1 + _count_splits(data) / 4)


CASE = Step("Case {case}: {streets:int} of the streets are still without a guard, so look at {corner}, with a guard and without one")
BOUND = Step(
    "Case {case}: the guards here cost {paid:int}, and {pieces:words} need {more:int} more: {total:int} at least, no better than {best:int}"
)
END = Step("So no guards cost less than {best:int}, and these cost that: {answer}")


def derive(task: Task[Data]) -> Derivation:
    data, neighbours = task.data, _neighbours(task.data)
    yield FIRST()
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        case = waiting.pop()
        chosen, uncovered = _case_state(data, neighbours, case)
        paid = sum(data.wages[i] for i in places(chosen))
        more, pieces = node_groups.clique_bound(neighbours, data.wages, uncovered)
        if paid + more >= data.best:
            cliques = [f"{'-'.join(data.corners[i] for i in piece)} by {by}" for piece, by in pieces] or "no streets"
            yield BOUND(case=" ".join(case) or "all", paid=paid, pieces=cliques, more=more, total=paid + more, best=data.best)
            continue
        corner = max(places(uncovered), key=lambda i: ((neighbours[i] & uncovered).bit_count(), i))
        yield CASE(case=" ".join(case) or "all", streets=_count_streets(neighbours, uncovered), corner=data.corners[corner])
        waiting += [(*case, data.corners[corner] + sign) for sign in "-+"]
    yield END(best=data.best, answer=" ".join(solve(task)))


def checks(task: Task[Data]) -> Checks:
    data, neighbours = task.data, _neighbours(task.data)
    index = {name: i for i, name in enumerate(data.corners)}
    waiting: list[tuple[str, ...]] = [()]

    def is_split(case: str, streets: int, corner: str) -> bool:
        due = waiting.pop()
        waiting.extend((*due, corner + sign) for sign in "-+")
        _, uncovered = _case_state(data, neighbours, due)
        return case == (" ".join(due) or "all") and uncovered >> index[corner] & 1 == 1 and streets == _count_streets(neighbours, uncovered)

    def is_bounded(case: str, paid: int, pieces: tuple[str, ...], more: int, total: int, best: int) -> bool:
        due = waiting.pop()
        chosen, left = _case_state(data, neighbours, due)
        room, needed = list(data.wages), 0
        for piece in pieces if pieces != ("no streets",) else ():
            names, by = piece.split(" by ")
            clique = [index[name] for name in names.split("-")]
            joined = all(left >> i & 1 and all(i == j or neighbours[i] >> j & 1 for j in clique) for i in clique)
            if not joined or len(set(clique)) < len(clique):
                return False
            for i in clique:
                room[i] -= int(by)
            needed += int(by) * (len(clique) - 1)
        spent = sum(data.wages[i] for i in places(chosen))
        right = (paid, more, total, best) == (spent, needed, spent + needed, data.best)
        return case == (" ".join(due) or "all") and min(room) >= 0 and right and total >= best

    return {FIRST: lambda: True, CASE: is_split, BOUND: is_bounded, END: lambda best, answer: not waiting and best == data.best}


FIRST = Step(
    "X+ in a case means a guard at X, X- none, so that all neighbours of X have one. Of corners that are all joined to each other, all but one need a "
    "guard; 'A-B-C by 2' counts 2 of the cost of each of A, B, C but one, and no corner is counted beyond its cost"
)


def picture(task: Task[Data]) -> str:
    data = task.data
    priced = len(set(data.wages)) > 1
    label = {name: f"{name}: {wage}" if priced else name for name, wage in zip(data.corners, data.wages, strict=True)}
    return pictures.network(sorted(label.values()), [(label[a], label[b]) for a, b in data.streets])


def _neighbours(data: Data) -> list[int]:
    place = {name: i for i, name in enumerate(data.corners)}
    return node_groups.neighbour_masks(len(place), [(place[a], place[b]) for a, b in data.streets])


def _count_streets(neighbours: Sequence[int], uncovered: int) -> int:
    """The streets between corners that are still open."""
    return sum((neighbours[i] & uncovered).bit_count() for i in places(uncovered)) // 2


def _case_state(data: Data, neighbours: Sequence[int], case: tuple[str, ...]) -> tuple[int, int]:
    """The corners that have a guard in a case, and those still open, as bits."""
    chosen, uncovered = 0, (1 << len(neighbours)) - 1
    for word in case:
        corner = data.corners.index(word[:-1])
        chosen |= 1 << corner if word[-1] == "+" else neighbours[corner]
        uncovered &= ~(1 << corner)
    return chosen, uncovered & ~chosen


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    data, neighbours = task.data, _neighbours(task.data)
    all_corners = (1 << len(neighbours)) - 1
    complement = [~mask & all_corners & ~(1 << i) for i, mask in enumerate(neighbours)]
    for alone in node_groups.bron_kerbosch(complement, range(len(neighbours) - 1, -1, -1)):
        cover = places(all_corners & ~alone)
        if sum(data.wages[i] for i in cover) == data.best:
            yield tuple(data.corners[i].lower() for i in cover)


environment = Environment(
    Knobs, Words("the names of the corners with a guard, separated by spaces", max_items=60, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, picture=picture, answers="many", solutions=_other_answers,
    concept="Streets without a common end need a guard each: a bound from below; where it is too low, split on a corner with and without a guard.",
    guessable="few corners are enough on the smallest maps, and the first ones named are about 0.3 of the right choices",
    version=5,
)  # fmt: skip
