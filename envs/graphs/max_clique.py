"""Find the largest group of people who all know each other.

Any such group is accepted. At the harder levels people are worth points, and the group worth most is wanted. On the upper levels the best group is of people
with few points who know few others, so that every way of adding the most promising person next ends in a worse group.
"""

import math
from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.draws import sample_hard
from rlgym.generators.graphs import node_groups
from rlgym.generators.numbers.bitsets import places
from rlgym.generators.text.names import PEOPLE
from rlgym.solutions import Derivation, Solution, Step

ADDED = Step(
    "{name} knows, of those named before, {known}: the best group of these and the newcomer has {value}; the best so far has {best}"
)
TRIES = 16


class Knobs(Config):
    people: int = knob(12, easy=7, hard=36, beyond=40, doc="how many people there are")
    percent: int = knob(50, easy=40, hard=55, doc="percent of all pairs that know each other")
    points: str = knob("alike", easy="alike", hard="points", order=("alike", "points"), doc="whether people count alike or have points")
    best: str = knob(
        "any",
        easy="any",
        hard="hidden",
        order=("any", "hidden"),
        doc="whether the best group may be any, or is one that greedy choices miss from whomever they start",
    )
    nodes: int = knob(
        8,
        easy=1,
        hard=90,
        beyond=2000,
        scale="log",
        doc="nodes of a branch and bound search over colourings, at least, if one of 16 parties has as many",
    )


class Data(TaskData):
    people: tuple[str, ...]
    points: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    best: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, clubs=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """People who know each other since they belong to the same small clubs."""
    return _sample_task(rng, knobs, clubs=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return max(_maximal_cliques(task.data, range(len(task.data.people))), key=lambda group: _worth(task.data, group))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    place = {name.lower(): i for i, name in enumerate(data.people)}
    if len(set(answer)) < len(answer) or not all(name in place for name in answer):
        return Score.wrong("every name must be one of the people's, and be given once")
    known = set(data.pairs)
    chosen = sorted(place[name] for name in answer)
    for i, a in enumerate(chosen):
        for b in chosen[i + 1 :]:
            if (a, b) not in known:
                return Score.wrong(f"{data.people[a]} and {data.people[b]} do not know each other")
    return Score.exact(_worth(data, answer) == data.best, "there is a better group")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    outsider = next(name.lower() for name in data.people if name.lower() not in right)
    degree = [sum(i in pair for pair in data.pairs) for i in range(len(data.people))]
    popular = sorted(range(len(data.people)), key=lambda i: -degree[i])[: len(right)]
    return [right[:-1] or (outsider,), (*right, outsider), tuple(data.people[i].lower() for i in popular), (*right, right[0])]


def cost(task: Task[Data]) -> float:
    return len(task.data.people) * math.sqrt(task.data.best) * (2 + _search(task.data).nodes)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    neighbours = node_groups.neighbour_masks(len(data.people), data.pairs)
    best = 0
    for i, name in enumerate(data.people):
        circle = neighbours[i] & (1 << i) - 1
        value = data.points[i] + _best_within(data, neighbours, circle)
        best = max(best, value)
        yield ADDED(name=name, known=[data.people[j] for j in places(circle)] or "nobody", value=value, best=best)


def picture(task: Task[Data]) -> str:
    data = task.data
    same_points = max(data.points) == 1
    names = [name if same_points else f"{name} {points}" for name, points in zip(data.people, data.points, strict=True)]
    return pictures.network(names, [(names[a], names[b]) for a, b in data.pairs])


def _sample_task(rng: Rng, knobs: Knobs, clubs: bool) -> Task[Data]:
    hidden = knobs.best == "hidden"

    def measure(data: Data) -> int:
        if _is_found_by_degree(data):
            return 0
        return _search(data).nodes // (4 if hidden and _is_found_greedily(data) else 1)

    data = sample_hard(lambda: _sample_data(rng, knobs, clubs), measure, knobs.nodes, TRIES)
    people, points = data.people, data.points
    same_points = knobs.points == "alike"
    listing = "\n".join(
        f"{people[a]} - {people[b]}" if rng.chance(0.5) else f"{people[b]} - {people[a]}" for a, b in rng.shuffled(data.pairs)
    )
    worth = "" if same_points else "Points: " + ", ".join(f"{name} {worth}" for name, worth in zip(people, points, strict=True)) + ".\n\n"
    goal = "the largest possible number of people" if same_points else "the largest possible total of points"
    prompt = (
        f"The people {', '.join(people)} are at a party. These pairs, and no others, know each other:\n{listing}\n\n{worth}"
        f"Find a group with {goal} in which all people know each other. If there are several such groups, give any one of them."
    )
    return Task(prompt, data)


def _is_found_by_degree(data: Data) -> bool:
    """Whether those who know most people are a largest group, which is read off the prompt without solving."""
    masks = node_groups.neighbour_masks(len(data.people), data.pairs)
    popular = sorted(range(len(masks)), key=lambda i: -masks[i].bit_count())[: data.best]
    together = sum(1 << i for i in popular)
    return max(data.points) == 1 and all(together & ~masks[i] == 1 << i for i in popular)


def _sample_data(rng: Rng, knobs: Knobs, clubs: bool) -> Data:
    people, same_points = tuple(rng.sample(PEOPLE, knobs.people)), knobs.points == "alike"
    points = [1 if same_points else rng.integer(1, 9) for _ in people]
    pairs = _sample_clubs(rng, len(people), knobs.percent) if clubs else node_groups.sample_pairs(rng, len(people), knobs.percent)
    if knobs.best == "hidden" and not same_points:
        pairs = _hide_group(rng, points, pairs)
    best = node_groups.max_weight_clique(node_groups.neighbour_masks(len(people), pairs), points)
    return Data(people=people, points=tuple(points), pairs=pairs, best=best)


def _hide_group(rng: Rng, points: list[int], pairs: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Make a best group of people with few points, who then know fewer others than the rest do; `points` are raised as little as needed."""
    count = len(points)
    neighbours = node_groups.neighbour_masks(count, pairs)
    size = min(count // 3 + 1, 2 + node_groups.max_weight_clique(neighbours, points) // 6)
    group = sorted(rng.sample(sorted(range(count), key=lambda i: (points[i], i))[: count * 2 // 3], min(size, count * 2 // 3)))
    inside = {(a, b) for i, a in enumerate(group) for b in group[i + 1 :]}
    outward = [(a, b) for a, b in pairs if (a in group) != (b in group)]
    dropped = rng.sample(outward, min(len(outward), len(inside.difference(pairs)) + len(group)))
    without = tuple(sorted(set(pairs) - inside - set(dropped)))
    others = node_groups.max_weight_clique(node_groups.neighbour_masks(count, without), points)
    while (missing := others + 1 - sum(points[i] for i in group)) > 0 and min(points[i] for i in group) < 9:
        low = sorted(group, key=lambda i: (points[i], i))
        for i in low[:missing]:
            points[i] = min(9, points[i] + 1)
    return tuple(sorted({*without, *inside}))


def _is_found_greedily(data: Data) -> bool:
    """Whether adding the person with most points, or whose circle is worth most, leads to a best group from some start."""
    neighbours, points = node_groups.neighbour_masks(len(data.people), data.pairs), data.points

    def extend(start: int, by_circle: bool) -> int:
        total, circle = points[start], neighbours[start]
        while circle:
            worth = {i: (sum(points[j] for j in places(circle & neighbours[i])) if by_circle else 0) + points[i] for i in places(circle)}
            best = max(worth, key=worth.__getitem__)
            total, circle = total + points[best], circle & neighbours[best]
        return total

    return any(extend(start, by_circle) == data.best for start in range(len(points)) for by_circle in (False, True))


def _search(data: Data) -> node_groups.CliqueSearch:
    return node_groups.search_clique(node_groups.neighbour_masks(len(data.people), data.pairs), data.points)


def _sample_clubs(rng: Rng, count: int, percent: int) -> tuple[tuple[int, int], ...]:
    """All pairs within random clubs until there are enough pairs; at least one pair is left out."""
    pairs_found: dict[tuple[int, int], None] = {}
    all_pairs = count * (count - 1) // 2
    while len(pairs_found) * 100 < all_pairs * percent:
        club = sorted(rng.sample(range(count), rng.integer(2, max(3, count // 4))))
        pairs_found |= dict.fromkeys((a, b) for i, a in enumerate(club) for b in club[i + 1 :])
    return tuple(sorted(rng.sample(list(pairs_found), min(len(pairs_found), all_pairs - 1))))


def _best_within(data: Data, neighbours: Sequence[int], circle: int) -> int:
    """The points of the best group of people who are all in a circle, given as bits."""
    inside = [mask & circle if circle >> i & 1 else 0 for i, mask in enumerate(neighbours)]
    return node_groups.max_weight_clique(inside, [points if circle >> i & 1 else 0 for i, points in enumerate(data.points)])


def _maximal_cliques(data: Data, order: Sequence[int]) -> Iterator[tuple[str, ...]]:
    for group in node_groups.bron_kerbosch(node_groups.neighbour_masks(len(data.people), data.pairs), order):
        yield tuple(data.people[i].lower() for i in places(group))


def _worth(data: Data, group: tuple[str, ...]) -> int:
    worth = dict(zip((name.lower() for name in data.people), data.points, strict=True))
    return sum(worth[name] for name in group)


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    for group in _maximal_cliques(task.data, range(len(task.data.people) - 1, -1, -1)):
        if _worth(task.data, group) == task.data.best:
            yield group[::-1]


environment = Environment(
    Knobs, Words("the names of the people in the group, in any order, separated by spaces", max_items=60, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "A group with {best} is {answer}"), shift=shift, picture=picture, answers="many", solutions=_other_answers,
    concept="Take the people one by one and look for the best group among those that the newcomer knows; drop what cannot beat the best group so far.",
    version=5,
)  # fmt: skip
