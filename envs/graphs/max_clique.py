"""Find the largest group of people who all know each other.

Any such group is accepted. At the harder levels people are worth points, and the group worth most is wanted.
"""

import math
from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.graphs import node_groups
from rlgym.generators.numbers.bitsets import places
from rlgym.generators.text.names import PEOPLE
from rlgym.solutions import Derivation, Solution, Step

ADDED = Step(
    "{name} knows, of those named before, {known}: the best group of these and the newcomer has {value}; the best so far has {best}"
)


class Knobs(Config):
    people: int = knob(12, easy=7, hard=34, doc="how many people there are")
    percent: int = knob(50, easy=40, hard=55, doc="percent of all pairs that know each other")
    points: str = knob("alike", easy="alike", hard="points", order=("alike", "points"), doc="whether people count alike or have points")


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
    return len(task.data.pairs) * math.sqrt(task.data.best)


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
    people, same_points = tuple(rng.sample(PEOPLE, knobs.people)), knobs.points == "alike"
    points = tuple(1 if same_points else rng.integer(1, 9) for _ in people)
    pairs = _sample_clubs(rng, len(people), knobs.percent) if clubs else node_groups.sample_pairs(rng, len(people), knobs.percent)
    best = node_groups.max_weight_clique(node_groups.neighbour_masks(len(people), pairs), points)
    listing = "\n".join(f"{people[a]} - {people[b]}" if rng.chance(0.5) else f"{people[b]} - {people[a]}" for a, b in rng.shuffled(pairs))
    worth = "" if same_points else "Points: " + ", ".join(f"{name} {worth}" for name, worth in zip(people, points, strict=True)) + ".\n\n"
    goal = "the largest possible number of people" if same_points else "the largest possible total of points"
    prompt = (
        f"The people {', '.join(people)} are at a party. These pairs, and no others, know each other:\n{listing}\n\n{worth}"
        f"Find a group with {goal} in which all people know each other. If there are several such groups, give any one of them."
    )
    return Task(prompt, Data(people=people, points=points, pairs=pairs, best=best))


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
    version=3,
)  # fmt: skip
