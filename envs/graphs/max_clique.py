"""Find the largest group of people who all know each other.

Any such group is accepted. At the harder levels people are worth points, and the group worth most is wanted.
"""

import math
from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import groups, pictures
from rlgym.generators.bits import places
from rlgym.generators.names import PEOPLE
from rlgym.generators.steps import Line, ended, first_wrong

ADDED = Line(
    "{name} knows, of those named before, {known}: the best group of these and the newcomer has {value}; the best so far has {best}"
)


class Knobs(Config):
    people: int = knob(12, easy=5, hard=34, doc="how many people there are")
    percent: int = knob(50, easy=40, hard=55, doc="percent of all pairs that know each other")
    points: str = knob("alike", easy="alike", hard="points", order=("alike", "points"), doc="whether people count alike or have points")


class Data(TaskData):
    people: tuple[str, ...]
    points: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    best: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, clubs=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """People who know each other since they belong to the same small clubs."""
    return _made(rng, knobs, clubs=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return max(_groups(task.data, range(len(task.data.people))), key=lambda group: _worth(task.data, group))


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
    stranger = next(name.lower() for name in data.people if name.lower() not in right)
    degree = [sum(i in pair for pair in data.pairs) for i in range(len(data.people))]
    popular = sorted(range(len(data.people)), key=lambda i: -degree[i])[: len(right)]
    return [right[:-1] or (stranger,), (*right, stranger), tuple(data.people[i].lower() for i in popular), (*right, right[0])]


def cost(task: Task[Data]) -> float:
    return len(task.data.pairs) * math.sqrt(task.data.best)


def explain(task: Task[Data]) -> list[str]:
    data, right = task.data, solve(task)
    names, near = data.people, groups.neighbours(len(data.people), data.pairs)
    steps, before, best = [], 0, 0
    for i, name in enumerate(names):
        circle = near[i] & before
        before |= 1 << i
        among = [data.points[j] if circle >> j & 1 else 0 for j in range(len(names))]
        inside = [mask & circle if circle >> j & 1 else 0 for j, mask in enumerate(near)]
        value = data.points[i] + groups.heaviest_clique(inside, among)
        best = max(best, value)
        told = ", ".join(names[j] for j in places(circle)) or "nobody"
        steps.append(ADDED.write(name=name, known=told, value=value, best=best))
    return [*steps, f"A group with {data.best} is {' '.join(right)}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    near, place = groups.neighbours(len(data.people), data.pairs), {name: i for i, name in enumerate(data.people)}
    best: list[int] = []

    def follows(step: str) -> bool:
        read = ADDED.read(step)
        if not read:
            return False
        new = place[read["name"]]
        known = [place[name] for name in read["known"].split(", ")] if read["known"] != "nobody" else []
        circle = sum(1 << i for i in known)
        inside = [mask & circle if circle >> i & 1 else 0 for i, mask in enumerate(near)]
        value = data.points[new] + groups.heaviest_clique(inside, [point if circle >> i & 1 else 0 for i, point in enumerate(data.points)])
        best.append(max([value, *best]))
        met = near[new] & (1 << new) - 1
        return (
            new == len(best) - 1
            and (circle, len(known)) == (met, met.bit_count())
            and (int(read["value"]), int(read["best"])) == (value, best[-1])
        )

    return first_wrong(steps, follows, ended(f"A group with {task.data.best} is ", task, environment.answer, verify))


def picture(task: Task[Data]) -> str:
    data = task.data
    alike = max(data.points) == 1
    names = [name if alike else f"{name} {points}" for name, points in zip(data.people, data.points, strict=True)]
    return pictures.network(names, [(names[a], names[b]) for a, b in data.pairs])


def _made(rng: Rng, knobs: Knobs, clubs: bool) -> Task[Data]:
    people, alike = tuple(rng.sample(PEOPLE, knobs.people)), knobs.points == "alike"
    points = tuple(1 if alike else rng.integer(1, 9) for _ in people)
    pairs = _clubs(rng, len(people), knobs.percent) if clubs else groups.pairs(rng, len(people), knobs.percent)
    best = groups.heaviest_clique(groups.neighbours(len(people), pairs), points)
    listing = "\n".join(f"{people[a]} - {people[b]}" if rng.chance(0.5) else f"{people[b]} - {people[a]}" for a, b in rng.shuffled(pairs))
    worth = "" if alike else "Points: " + ", ".join(f"{name} {worth}" for name, worth in zip(people, points, strict=True)) + ".\n\n"
    wanted = "as many people as possible" if alike else "as many points in total as possible"
    prompt = (
        f"The people {', '.join(people)} are at a party. These pairs, and no others, know each other:\n{listing}\n\n{worth}"
        f"Find a group with {wanted} in which every two people know each other. Name its people in any order."
    )
    return Task(prompt, Data(people=people, points=points, pairs=pairs, best=best))


def _clubs(rng: Rng, count: int, percent: int) -> tuple[tuple[int, int], ...]:
    """All pairs within clubs, of which there are as many as it takes; at least one pair is left out."""
    found: dict[tuple[int, int], None] = {}
    every = count * (count - 1) // 2
    while len(found) * 100 < every * percent:
        club = sorted(rng.sample(range(count), rng.integer(2, max(3, count // 4))))
        found |= dict.fromkeys((a, b) for i, a in enumerate(club) for b in club[i + 1 :])
    return tuple(sorted(rng.sample(list(found), min(len(found), every - 1))))


def _groups(data: Data, order: Sequence[int]) -> Iterator[tuple[str, ...]]:
    for group in groups.maximal_cliques(groups.neighbours(len(data.people), data.pairs), order):
        yield tuple(data.people[i].lower() for i in places(group))


def _worth(data: Data, group: tuple[str, ...]) -> int:
    worth = dict(zip((name.lower() for name in data.people), data.points, strict=True))
    return sum(worth[name] for name in group)


def _others(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    for group in _groups(task.data, range(len(task.data.people) - 1, -1, -1)):
        if _worth(task.data, group) == task.data.best:
            yield group[::-1]


environment = Environment(
    Knobs,
    Words("the names of the people in the group, separated by spaces", most=60, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    picture=picture,
    answers="many",
    solutions=_others,
    concept="Take the people one by one and look for the best group among those that the newcomer knows; drop what cannot beat the best group so far.",
)
