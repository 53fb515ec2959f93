"""Find the vertex whose removal leaves the lightest parts of a tree, once or again and again in the parts."""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators import pictures
from rlgym.generators.steps import Line, first_wrong

LARGEST = Line("In the part {part}, without {vertex} the heaviest piece weighs {weight}")
CENTRE = Line("In the part {part} the centre is {centre}, {above}")
ABOVE, ALONE = Line("which hangs under {above}"), "with the lightest heaviest piece"
DONE = Line("The numbers asked for: {numbers}")
Edges = tuple[tuple[int, int], ...]


class Knobs(Config):
    vertices: int = knob(12, easy=5, hard=34, doc="vertices of the tree")
    weight: int = knob(5, easy=1, hard=9, doc="largest weight of a vertex")
    asked: str = knob(
        "parts", easy="parts", hard="levels", order=("parts", "levels"), doc="one centre, or centres of the parts again and again"
    )


class Data(TaskData):
    weights: tuple[int, ...]
    edges: Edges
    levels: bool
    right: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, [rng.integer(max(1, vertex - 5), vertex - 1) for vertex in range(2, knobs.vertices + 1)])


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A long path with short legs on it."""
    spine = max(3, knobs.vertices * 2 // 3)
    return _made(rng, knobs, [vertex - 1 if vertex <= spine else rng.integer(1, spine) for vertex in range(2, knobs.vertices + 1)])


def solve(task: Task[Data]) -> tuple[int, ...]:
    """Walking from any vertex towards the heaviest side, as long as that side holds more than half."""
    data = task.data
    beside = _beside(data.edges, len(data.weights))
    above: dict[int, int] = {}

    def weight(vertex: int, came: int) -> int:
        return data.weights[vertex - 1] + sum(weight(other, vertex) for other in beside[vertex] if other != came and other not in above)

    def centre(start: int) -> int:
        whole, at, came = weight(start, 0), start, 0
        while True:
            sides = {other: weight(other, at) for other in beside[at] if other != came and other not in above}
            heavy = [other for other, side in sides.items() if 2 * side > whole]
            if not heavy:
                even = [other for other, side in sides.items() if 2 * side == whole]
                return min([at, *even])
            at, came = heavy[0], at

    open_parts = [(1, 0)]
    while open_parts:
        start, over = open_parts.pop()
        found = centre(start)
        above[found] = over
        if not data.levels:
            return (found, *sorted((weight(other, found) for other in beside[found]), reverse=True))
        open_parts += [(other, found) for other in beside[found] if other not in above]
    return tuple(above[vertex] for vertex in sorted(above))


def verify(task: Task[Data], answer: Sequence[int]) -> Score:
    return Score.exact(tuple(answer) == task.data.right, "some centre, or some number that follows from it, is another one")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    plain = _answer(data.model_copy(update={"weights": (1,) * len(data.weights)}))
    beside = _beside(data.edges, len(data.weights))
    busiest = max(beside, key=lambda vertex: len(beside[vertex]))
    pieces = _pieces(data, tuple(beside), busiest)
    return [
        plain,
        right[::-1],
        (busiest, *sorted((_sum(data, piece) for piece in pieces), reverse=True)),
        right[:-1],
        (right[0] + 1, *right[1:]),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.weights) * (1 + (max(data.weights) > 1)) * (1 + 3 * data.levels) + sum(data.weights))


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, list[str]()
    for part, centre, over in _centres(data):
        told = " ".join(map(str, part))
        if not data.levels:
            steps += [LARGEST.write(part=told, vertex=vertex, weight=_heaviest(data, part, vertex)) for vertex in part]
        steps.append(CENTRE.write(part=told, centre=centre, above=ABOVE.write(above=over) if data.levels else ALONE))
    return [*steps, DONE.write(numbers=", ".join(map(str, solve(task))))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    parts: dict[tuple[int, ...], int] = {tuple(range(1, len(data.weights) + 1)): 0}
    above: dict[int, int] = {}

    def follows(step: str) -> bool:
        if said := LARGEST.read(step):
            part, vertex = tuple(map(int, said["part"].split())), int(said["vertex"])
            return part in parts and vertex in part and int(said["weight"]) == _heaviest(data, part, vertex)
        said = CENTRE.read(step) or {}
        part, centre = tuple(map(int, said["part"].split())), int(said["centre"])
        over = int((ABOVE.read(said["above"]) or {})["above"]) if data.levels else 0 if said["above"] == ALONE else -1
        if parts.pop(part, -1) != over or centre != min(part, key=lambda vertex: (_heaviest(data, part, vertex), vertex)):
            return False
        above[centre] = over
        parts.update({tuple(sorted(piece)): centre for piece in _pieces(data, part, centre)})
        return True

    def ends(step: str) -> bool:
        given = tuple(map(int, (DONE.read(step) or {})["numbers"].split(", ")))
        done = len(above) == len(data.weights) if data.levels else given[0] in above
        return done and verify(task, given).value == 1

    return first_wrong(steps, follows, ends)


def picture(task: Task[Data]) -> str:
    names = [f"{vertex}: {weight}" for vertex, weight in enumerate(task.data.weights, 1)]
    return pictures.network(names, [(names[a - 1], names[b - 1]) for a, b in task.data.edges])


def _made(rng: Rng, knobs: Knobs, parents: list[int]) -> Task[Data]:
    names = [0, *rng.shuffled(range(1, knobs.vertices + 1))]
    pairs = rng.shuffled([(names[vertex], names[parent]) for vertex, parent in enumerate(parents, 2)])
    weights = tuple(rng.integer(1, knobs.weight) for _ in range(knobs.vertices))
    data = Data(weights=weights, edges=tuple(pairs), levels=knobs.asked == "levels", right=())
    told = f"weights of the vertices 1 to {knobs.vertices}: {', '.join(map(str, weights))}"
    if max(weights) == 1:
        told = "each vertex weighs 1"
    asked = (
        "Take the centre of the whole tree away, then the centre of each part that is left, and so on, until no vertex is left. Each centre "
        "hangs under the centre "
        "that was taken away just before to make its part; the first one hangs under 0. Under which vertex does each of the vertices 1, 2, 3, ... hang?"
        if data.levels
        else "Give the centre of the tree, then the weights of the pieces that are left when it is taken away, the heaviest first."
    )
    prompt = (
        f"A tree with {knobs.vertices} vertices has these edges: {', '.join(f'{a}-{b}' for a, b in pairs)}; {told}. The centre of a tree is "
        "the vertex for which "
        "the heaviest of the connected pieces that are left when it is taken away weighs least; of several such vertices it is the one with "
        "the smallest number. "
        f"A piece weighs what its vertices weigh together.\n\n{asked}"
    )
    return Task(prompt, data.model_copy(update={"right": _answer(data)}))


def _beside(edges: Edges, count: int) -> dict[int, list[int]]:
    beside: dict[int, list[int]] = {vertex: [] for vertex in range(1, count + 1)}
    for a, b in edges:
        beside[a].append(b)
        beside[b].append(a)
    return beside


def _sum(data: Data, part: Sequence[int]) -> int:
    return sum(data.weights[vertex - 1] for vertex in part)


def _pieces(data: Data, part: Sequence[int], without: int) -> list[list[int]]:
    """The connected pieces of a part when one vertex is taken away."""
    beside, left, pieces = _beside(data.edges, len(data.weights)), set(part) - {without}, list[list[int]]()
    for start in beside[without]:
        if start in left:
            piece = [start]
            left.discard(start)
            for vertex in piece:
                fresh = [other for other in beside[vertex] if other in left]
                left.difference_update(fresh)
                piece += fresh
            pieces.append(piece)
    return pieces


def _heaviest(data: Data, part: Sequence[int], without: int) -> int:
    return max((_sum(data, piece) for piece in _pieces(data, part, without)), default=0)


def _centres(data: Data) -> list[tuple[tuple[int, ...], int, int]]:
    """Each part with its centre and what that hangs under; only the whole tree where one centre is asked for."""
    found, open_parts = list[tuple[tuple[int, ...], int, int]](), [(tuple(range(1, len(data.weights) + 1)), 0)]
    for part, over in open_parts:
        centre = min(part, key=lambda vertex, part=part: (_heaviest(data, part, vertex), vertex))  # type: ignore[misc]
        found.append((part, centre, over))
        if data.levels:
            open_parts += [(tuple(sorted(piece)), centre) for piece in _pieces(data, part, centre)]
    return found


def _answer(data: Data) -> tuple[int, ...]:
    centres = _centres(data)
    if data.levels:
        above = {centre: over for _, centre, over in centres}
        return tuple(above[vertex] for vertex in sorted(above))
    part, centre, _ = centres[0]
    return (centre, *sorted((_sum(data, piece) for piece in _pieces(data, part, centre)), reverse=True))


environment = Environment(
    Knobs,
    Numbers("the integers in that order, separated by commas", most=200),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    picture=picture,
    concept="The weight beyond an edge tells how heavy both sides are; move towards any side that holds more than half.",
)
