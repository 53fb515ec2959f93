"""Keep sets of numbers as trees, join them, and say who points to whom at the end."""

from collections.abc import Callable, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.steps import Line, first_wrong

RULES = {
    "plain": "The root of a then points to the root of b",
    "size": "The root of the smaller of the two trees then points to the root of the larger one; if both are equally large, the root of "
    "a points to the root of b",
    "rank": (
        "Every root has a rank, at first 0. The root of lower rank then points to the root of higher rank; if the ranks are equal, the root of a points to "
        "the root of b, whose rank grows by 1"
    ),
}
PATHS = {
    "none": "Finding changes nothing.",
    "full": "Finding also makes a, and every number passed on the way from a to the root, point to the root directly.",
    "halves": (
        "Finding goes so: while the number it stands at is no root, make that number point to its parent's parent (which is the parent itself if that "
        "is a root) and go there."
    ),
}
STEP = Line("Command {number}: {command} changes {changes}")
DONE = Line("At the end the numbers point to {parents}")


class Knobs(Config):
    elements: int = knob(9, easy=4, hard=24, doc="numbers in all")
    commands: int = knob(12, easy=3, hard=40, doc="commands")
    joining: str = knob("size", easy="plain", hard="rank", order=tuple(RULES), doc="which root is put under which")
    paths: str = knob("full", easy="none", hard="halves", order=tuple(PATHS), doc="what finding does to the way")


class Data(TaskData):
    elements: int
    commands: tuple[tuple[int, int], ...]
    """Two numbers whose trees are joined; one number twice is a find."""
    joining: str
    paths: str
    right: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    def drawn() -> list[tuple[int, int]]:
        out = list[tuple[int, int]]()
        for _ in range(knobs.commands):
            a, b = rng.sample(range(1, knobs.elements + 1), 2)
            out.append((a, a) if rng.chance(0.25) else (a, b))
        return out

    return _made(knobs, drawn)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Trees of two, then of four and so on are joined, each by some member, and finds come at the end."""

    def drawn() -> list[tuple[int, int]]:
        out = list[tuple[int, int]]()
        groups = [[number] for number in rng.shuffled(range(1, knobs.elements + 1))]
        while len(groups) > 1 and len(out) < knobs.commands * 3 // 4 + 1:
            one, other, *groups = groups
            out.append((rng.choice(one), rng.choice(other)))
            groups.append(one + other)
        while len(out) < knobs.commands:
            number = rng.integer(1, knobs.elements)
            out.append((number, number))
        return out

    return _made(knobs, drawn)


def solve(task: Task[Data]) -> tuple[int, ...]:
    """With lists of ways to the root, and sizes counted anew each time."""
    data = task.data
    parents = dict(zip(range(1, data.elements + 1), range(1, data.elements + 1), strict=True))
    ranks = dict.fromkeys(parents, 0)

    def way(number: int) -> list[int]:
        out = [number]
        while parents[out[-1]] != out[-1]:
            out.append(parents[out[-1]])
        return out

    def find(number: int) -> int:
        passed = way(number)
        for i, one in enumerate(passed):
            if data.paths == "full":
                parents[one] = passed[-1]
            elif data.paths == "halves" and i % 2 == 0:
                parents[one] = passed[min(i + 2, len(passed) - 1)]
        return passed[-1]

    for a, b in data.commands:
        one, other = find(a), find(b) if a != b else 0
        if not other or one == other:
            continue
        if data.joining == "size":
            counts = {root: sum(way(number)[-1] == root for number in parents) for root in (one, other)}
            one, other = sorted((one, other), key=lambda root: (counts[root], root != one))
        elif data.joining == "rank":
            ranks[other] += ranks[one] == ranks[other]
            one, other = sorted((one, other), key=lambda root: ranks[root])
        parents[one] = other
    return tuple(parents.values())


def verify(task: Task[Data], answer: Sequence[int]) -> Score:
    return Score.exact(tuple(answer) == task.data.right, "some number points to another one at the end")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    others = [data.model_copy(update={"paths": paths}) for paths in PATHS] + [
        data.model_copy(update={"joining": joining}) for joining in RULES
    ]
    roots = tuple(_root(right, number) for number in range(1, data.elements + 1))
    return [*(_run(other)[-1] for other in others), roots, tuple(range(1, data.elements + 1)), right[::-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    kinds = list(RULES).index(data.joining) + list(PATHS).index(data.paths)
    return float(len(data.commands) * (2 + kinds) + data.elements)


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    states = _run(data)
    for i, (a, b) in enumerate(data.commands):
        changes = [f"{number} to {new}" for number, (old, new) in enumerate(zip(states[i], states[i + 1], strict=True), 1) if old != new]
        steps.append(STEP.write(number=i + 1, command=_told(a, b), changes=", ".join(changes) or "nothing"))
    return [*steps, DONE.write(parents=", ".join(map(str, solve(task))))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    states, now, done = _run(data), list(range(1, data.elements + 1)), 0

    def follows(step: str) -> bool:
        nonlocal done
        said = STEP.read(step) or {}
        for change in said["changes"].split(", ") if said["changes"] != "nothing" else ():
            number, new = map(int, change.split(" to "))
            if now[number - 1] == new or number < 1:
                return False
            now[number - 1] = new
        done += 1
        return int(said["number"]) == done and said["command"] == _told(*data.commands[done - 1]) and tuple(now) == states[done]

    def ends(step: str) -> bool:
        given = tuple(map(int, (DONE.read(step) or {})["parents"].split(", ")))
        return done == len(data.commands) and given == tuple(now) and verify(task, given).value == 1

    return first_wrong(steps, follows, ends)


def _made(knobs: Knobs, drawn: Callable[[], list[tuple[int, int]]]) -> Task[Data]:
    while True:
        data = Data(elements=knobs.elements, commands=tuple(drawn()), joining=knobs.joining, paths=knobs.paths, right=())
        right = _run(data)[-1]
        if sum(number != parent for number, parent in enumerate(right, 1)) >= min(knobs.elements - 1, knobs.commands) // 2:
            break
    listing = "\n".join(_told(a, b) for a, b in data.commands)
    prompt = (
        f"The numbers 1 to {knobs.elements} each point to themselves. A number that points to itself is a root; from any number, going to the number it points "
        f"to, again and again, leads to its root.\n`find a` finds the root of a. {PATHS[knobs.paths]}\n`join a b` finds the root of a, then "
        "the root of b. If they are "
        f"the same, nothing more happens. {RULES[knobs.joining]}.\n\nCarry out these commands in order:\n{listing}\n\nTo which numbers do 1, "
        f"2, ..., {knobs.elements} "
        "point at the end?"
    )
    return Task(prompt, data.model_copy(update={"right": right}))


def _told(a: int, b: int) -> str:
    return f"find {a}" if a == b else f"join {a} {b}"


def _root(parents: Sequence[int], number: int) -> int:
    while parents[number - 1] != number:
        number = parents[number - 1]
    return number


def _found(parents: list[int], number: int, paths: str) -> int:
    root = _root(parents, number)
    while paths != "none" and number != root:
        there = parents[number - 1]
        if paths == "halves":
            there = parents[there - 1]
        parents[number - 1], number = (root, parents[number - 1]) if paths == "full" else (there, there)
    return root


def _run(data: Data) -> list[tuple[int, ...]]:
    """Who points to whom before the first command and after each."""
    parents = list(range(1, data.elements + 1))
    sizes, ranks = [1] * data.elements, [0] * data.elements
    states = [tuple(parents)]
    for a, b in data.commands:
        one = _found(parents, a, data.paths)
        other = _found(parents, b, data.paths) if a != b else one
        if one != other:
            weights = {"size": sizes, "rank": ranks}.get(data.joining)
            if weights and weights[one - 1] > weights[other - 1]:
                one, other = other, one
            ranks[other - 1] += ranks[one - 1] == ranks[other - 1]
            sizes[other - 1] += sizes[one - 1]
            parents[one - 1] = other
        states.append(tuple(parents))
    return states


environment = Environment(
    Knobs,
    Numbers("the numbers pointed to, in order, separated by commas", most=200),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Go to both roots first, change the ways that were passed as the rule says, and only then let one root point to the other.",
    version=2,
)
