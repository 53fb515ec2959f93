"""Find the two points that are closest together, and the square of their distance.

On the upper levels the points are divided into three groups whose members are as far apart as possible, and the closest pair within a group is asked for.
The four points that lie closest together, of which two must share a group, give only a bound that is too low.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.calculations import LINE, CalculationChecker, calculation_line, filled, operand
from rlgym.generators.drawing import pictures
from rlgym.generators.draws import draw_against
from rlgym.generators.geometry import scatters, separations
from rlgym.generators.geometry.planes import NAMES
from rlgym.generators.geometry.scatters import Point
from rlgym.solutions import Checks, Derivation, Solution, Step

GROUPS = 3
GROUP_NAMES = {2: "two", 3: "three"}
SORTED = Step("In order of x: {names}")
PASSED = Step("{name} and those from {other} on: x differs by {gap:int} or more, and {square:int} is not below {best:int}")
DIVIDED = Step("No two points of the same group have a square below {square:int}: {groups:words}")
CORE = Step(
    "The points {core:words} cannot be divided into {groups:int} groups without two points in a group whose square is at most {square:int}"
)
END = Step("The closest two and the square of their distance: {answer}")


class Knobs(Config):
    points: int = knob(12, easy=4, hard=30, doc="how many points; about half as many where they are divided into groups")
    size: int = knob(30, easy=8, hard=400, scale="log", doc="largest coordinate")
    dimensions: int = knob(2, easy=2, hard=4, doc="coordinates of a point, 2 where they are divided into groups")
    goal: str = knob(
        "closest",
        easy="closest",
        hard="groups",
        order=("closest", "groups"),
        doc="the closest pair, or that of the best division into groups",
    )


class Data(TaskData):
    points: tuple[Point, ...]
    groups: int
    """How many groups the points are divided into; 1 if they are not."""
    pair: tuple[str, str]
    square: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.goal == "groups":
        return _sample_division(lambda count: scatters.near_lattice(rng, count, 24), knobs)
    while not (task := _build_task(scatters.scatter(rng, knobs.points, knobs.size, knobs.dimensions))):
        continue
    return task


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Points near the places of a lattice: many pairs are almost as close as the closest. Those for groups are scattered in space."""
    if knobs.goal == "groups":
        return _sample_division(lambda count: scatters.near_lattice(rng, count, 16, 3), knobs)
    while not (task := _build_task(scatters.near_lattice(rng, knobs.points, max(knobs.size // 3, knobs.points + 8), knobs.dimensions))):
        continue
    return task


def _build_task(points: list[Point], groups: int = 1) -> Task[Data] | None:
    """A task where one pair is closer than all others, or is the closest within a group whichever of the best divisions is chosen."""
    ranked = separations.rank_pairs(points)
    critical = separations.count_separable(len(points), ranked, groups)
    square, one, other = ranked[min(critical, len(ranked) - 1)]
    if sum(square == each for each, _, _ in ranked) > 1:
        return None
    asked = "One pair of points is closer together than any other pair. Name these two points"
    if groups > 1:
        asked = (
            f"Divide the points into {GROUP_NAMES[groups]} groups so that the smallest distance between two points of the same group is as large as possible. "
            "In every such division the same two points are the closest two of the same group. Name these two points"
        )
    prompt = (
        f"Some points: {scatters.describe(points)}.\n\nThe square of the distance of two points is the sum of the squares of the differences of their "
        f"coordinates. {asked}, and then give the square of their distance."
    )
    return Task(prompt, Data(points=tuple(points), groups=groups, pair=(NAMES[one], NAMES[other]), square=square))


def _sample_division(sample_points: Callable[[int], list[Point]], knobs: Knobs) -> Task[Data]:
    """A task where the points that lie closest together do not decide, if there is one among the draws."""
    count = max(GROUPS + 1, knobs.points * 17 // 30)

    def draw() -> Task[Data]:
        while not (task := _build_task(sample_points(count), GROUPS)):
            continue
        return task

    return draw_against(draw, lambda task: _is_decided_by_clique(task.data), 60)


def _is_decided_by_clique(data: Data) -> bool:
    """Whether the pair belongs to points that are all at most as close as it, one more of them than there are groups."""
    spots = dict(zip(NAMES, data.points))
    one, other = (spots[name] for name in data.pair)
    near = [spot for spot in data.points if max(_squared_distance(spot, one), _squared_distance(spot, other)) <= data.square]
    near = [spot for spot in near if spot not in (one, other)]
    return any(
        all(_squared_distance(a, b) <= data.square for a, b in combinations(chosen, 2)) for chosen in combinations(near, data.groups - 1)
    )


def _clique_pair(data: Data) -> separations.RankedPair:
    return separations.closest_clique(data.points, separations.rank_pairs(data.points), data.groups + 1)


def _squared_distance(first: Point, second: Point) -> int:
    return sum((a - b) ** 2 for a, b in zip(first, second))


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Along x, with the best so far as the limit; with groups, by the independent sets of the pairs below each square."""
    if task.data.groups > 1:
        return _solve_division(task.data)
    ordered = sorted(zip(task.data.points, NAMES))
    best, pair = -1, ("", "")
    for k, (point, name) in enumerate(ordered):
        for other, second in ordered[k + 1 :]:
            if best >= 0 and (other[0] - point[0]) ** 2 >= best:
                break
            if best < 0 or _squared_distance(point, other) < best:
                best, pair = _squared_distance(point, other), (name, second)
    return (*sorted(pair, key=NAMES.index), str(best))


def _solve_division(data: Data) -> tuple[str, ...]:
    """The first pair, from the closest on, that turns up when points are covered with independent sets, the groups."""
    apart = [0] * len(data.points)

    def can_cover(left: int, groups: int) -> bool:
        """Whether so many independent sets cover the points; a set is extended by its lowest free point, with and without it."""
        if not left or not groups:
            return not left
        first = left & -left

        def extend(chosen: int, free: int) -> bool:
            if not free:
                return can_cover(left & ~chosen, groups - 1)
            i = (free & -free).bit_length() - 1
            with_it = extend(chosen | 1 << i, free & ~apart[i] & ~(1 << i))
            return with_it or (bool(free & apart[i]) and extend(chosen, free & ~(1 << i)))

        return extend(first, left & ~first & ~apart[first.bit_length() - 1])

    for square, i, j in separations.rank_pairs(data.points):
        apart[i] |= 1 << j
        apart[j] |= 1 << i
        if not can_cover((1 << len(data.points)) - 1, data.groups):
            return NAMES[i], NAMES[j], str(square)
    raise AssertionError("so many groups hold one point each")


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    if len(answer) != 3:
        return Score.wrong("expected two names and a number")
    return Score.exact(
        {*answer[:2]} == {*task.data.pair} and answer[2] == str(task.data.square), "another pair is closer, or the number is another"
    )


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    points = task.data.points
    ranked = separations.rank_pairs(points)
    if task.data.groups > 1:
        place = next(k for k, (square, _, _) in enumerate(ranked) if square == task.data.square)
        tempting = [ranked[0], ranked[max(place - 1, 0)], ranked[(place + 1) % len(ranked)], _clique_pair(task.data)]
        wrong = [(NAMES[i], NAMES[j], str(square)) for square, i, j in tempting if square != task.data.square]
        return [*wrong, (*right[:2], str(int(right[2]) + 1))]
    taxi = min((sum(abs(a - b) for a, b in zip(points[i], points[j])), i, j) for i, j in combinations(range(len(points)), 2))
    second, (_, first, other) = ranked[1], taxi
    return [
        (NAMES[second[1]], NAMES[second[2]], str(second[0])),
        (NAMES[first], NAMES[other], str(taxi[0])) if taxi[0] != ranked[0][0] else (right[0], right[0], right[2]),
        (*right[:2], str(int(right[2]) + 1)),
        (right[0], right[0], right[2]),
        right[:2],
    ]


def cost(task: Task[Data]) -> float:
    points = task.data.points
    distances = float(len(points) ** 2 * len(points[0]) * len(str(max(map(max, points)))))
    if task.data.groups == 1:
        return distances
    return distances + 100.0 * sum(square <= task.data.square for square, _, _ in separations.rank_pairs(points))


def derive(task: Task[Data]) -> Derivation:
    if task.data.groups > 1:
        yield from _derive_division(task.data)
        return
    spots = dict(zip(NAMES, task.data.points))
    names, best = sorted(spots, key=lambda name: spots[name]), -1
    yield SORTED(names=" ".join(names))
    for k, name in enumerate(names):
        for other in names[k + 1 :]:
            gap = spots[other][0] - spots[name][0]
            if 0 <= best <= gap * gap:
                yield PASSED(name=name, other=other, gap=gap, square=gap * gap, best=best)
                break
            formula = " + ".join(f"({operand(a)} - {operand(b)})^2" for a, b in zip(spots[name], spots[other]))
            yield filled(calculation_line(_pair_name(name, other), formula), LINE)
            square = _squared_distance(spots[name], spots[other])
            best = square if best < 0 else min(best, square)
    yield END(answer=environment.answer.render((*task.data.pair, str(task.data.square))))


def _derive_division(data: Data) -> Derivation:
    count, ranked = len(data.points), separations.rank_pairs(data.points)
    closer = [pair for pair in ranked if pair[0] < data.square]
    groups = separations.separate(count, closer, data.groups) or []
    yield DIVIDED(square=data.square, groups=["-".join(NAMES[i] for i in range(count) if group >> i & 1) for group in groups if group])
    core = separations.smallest_core(count, ranked[: len(closer) + 1], data.groups)
    yield CORE(core=[NAMES[i] for i in core], groups=data.groups, square=data.square)
    yield END(answer=environment.answer.render((*data.pair, str(data.square))))


def checks(task: Task[Data]) -> Checks:
    spots = dict(zip(NAMES, task.data.points))
    pairs = {_pair_name(a, b): _squared_distance(spots[a], spots[b]) for a in spots for b in spots if a != b}
    checker = CalculationChecker(task.prompt, {name: (Fraction(square), "") for name, square in pairs.items()})
    order, squares = list[str](), list[int]()
    is_divided, is_core = _division_checks(task.data, spots)

    def sorts(names: str) -> bool:
        order.extend(names.split())
        return set(order) == set(spots) and order == sorted(order, key=lambda name: spots[name])

    def passes(name: str, other: str, gap: int, square: int, best: int) -> bool:
        right = gap == spots[other][0] - spots[name][0] and square == gap * gap >= best == min(squares)
        return right and order.index(name) < order.index(other)

    def calculates(name: str, formula: str, value: str) -> bool:
        squares.append(pairs[name])
        return checker.follows(LINE.write(name=name, formula=formula, value=value))

    def is_best(answer: str) -> bool:
        return task.data.groups > 1 or min(squares) == task.data.square

    return {SORTED: sorts, PASSED: passes, END: is_best, LINE: calculates, DIVIDED: is_divided, CORE: is_core}


def _division_checks(data: Data, spots: dict[str, Point]) -> tuple[Callable[..., bool], Callable[..., bool]]:
    def is_divided(square: int, groups: tuple[str, ...]) -> bool:
        named = [group.split("-") for group in groups]
        inside = [pair for names in named for pair in combinations(names, 2)]
        complete = sorted(name for names in named for name in names) == sorted(spots) and len(named) <= data.groups
        return complete and square == data.square and all(_squared_distance(spots[a], spots[b]) >= square for a, b in inside)

    def is_core(core: tuple[str, ...], groups: int, square: int) -> bool:
        ranked = separations.rank_pairs([spots[name] for name in core]) if set(core) <= set(spots) else []
        close = [pair for pair in ranked if pair[0] <= square]
        return groups == data.groups and square == data.square and not separations.separate(len(core), close, groups)

    return is_divided, is_core


def picture(task: Task[Data]) -> str:
    """Seen along all axes but the first two."""
    return pictures.plane({name: (point[0], point[1]) for name, point in zip(NAMES, task.data.points)})


def _pair_name(first: str, second: str) -> str:
    return f"Square of the distance of {first} and {second}"


environment = Environment(
    Knobs, Words("the names of the two points and the number, separated by spaces", max_items=10), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, picture=picture, answers="many",
    solutions=lambda task: [(*task.data.pair, str(task.data.square)), (*task.data.pair[::-1], str(task.data.square))],
    concept="Go through the points in order of x; once x alone differs too much, all later points are too far. Groups must separate the closest pairs first.",
    version=2,
)  # fmt: skip
