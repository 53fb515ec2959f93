"""Find the vertex whose removal leaves the lightest parts of a tree, once or again and again in the parts."""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.drawing import pictures
from rlgym.generators.graphs.adjacency import adjacency_lists
from rlgym.solutions import Checks, Derivation, Solution, Step

LARGEST = Step("In the component {part}, removing {vertex:int} leaves a heaviest component of weight {weight:int}")
CENTRE = Step("In the component {part} the centroid is {centre:int}, {above}")
ABOVE, ALONE = Step("with parent {above}"), "with the lightest heaviest component"
DONE = Step("The answer: {answer}")
Edges = tuple[tuple[int, int], ...]


class Knobs(Config):
    vertices: int = knob(12, easy=5, hard=34, doc="vertices of the tree")
    weight: int = knob(5, easy=1, hard=9, doc="largest weight of a vertex")
    question: str = knob(
        "parts", easy="parts", hard="levels", order=("parts", "levels"), doc="one centre, or centres of the parts again and again"
    )


class Data(TaskData):
    weights: tuple[int, ...]
    edges: Edges
    levels: bool
    right: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, [rng.integer(max(1, vertex - 5), vertex - 1) for vertex in range(2, knobs.vertices + 1)])


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A long path with short legs on it."""
    spine = max(3, knobs.vertices * 2 // 3)
    return _sample_task(rng, knobs, [vertex - 1 if vertex <= spine else rng.integer(1, spine) for vertex in range(2, knobs.vertices + 1)])


def solve(task: Task[Data]) -> tuple[int, ...]:
    """Walks from any vertex towards the heaviest component while that side holds more than half."""
    data = task.data
    neighbours = _neighbours(data.edges, len(data.weights))
    above: dict[int, int] = {}

    def weight(vertex: int, previous: int) -> int:
        return data.weights[vertex - 1] + sum(
            weight(other, vertex) for other in neighbours[vertex] if other != previous and other not in above
        )

    def centre(start: int) -> int:
        total_weight, current, previous = weight(start, 0), start, 0
        while True:
            sides = {other: weight(other, current) for other in neighbours[current] if other != previous and other not in above}
            heavy = [other for other, side in sides.items() if 2 * side > total_weight]
            if not heavy:
                even = [other for other, side in sides.items() if 2 * side == total_weight]
                return min([current, *even])
            current, previous = heavy[0], current

    parts_left = [(1, 0)]
    while parts_left:
        start, over = parts_left.pop()
        centre_found = centre(start)
        above[centre_found] = over
        if not data.levels:
            return (centre_found, *sorted((weight(other, centre_found) for other in neighbours[centre_found]), reverse=True))
        parts_left += [(other, centre_found) for other in neighbours[centre_found] if other not in above]
    return tuple(above[vertex] for vertex in sorted(above))


def verify(task: Task[Data], answer: Sequence[int]) -> Score:
    return Score.exact(tuple(answer) == task.data.right, "at least one centroid, or a number that follows from it, is different")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    plain = _answer(data.model_copy(update={"weights": (1,) * len(data.weights)}))
    neighbours = _neighbours(data.edges, len(data.weights))
    busiest = max(neighbours, key=lambda vertex: len(neighbours[vertex]))
    pieces = _pieces(data, tuple(neighbours), busiest)
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


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    for part, centre, above in _centres(data):
        vertices = " ".join(map(str, part))
        if not data.levels:
            for vertex in part:
                yield LARGEST(part=vertices, vertex=vertex, weight=_heaviest(data, part, vertex))
        yield CENTRE(part=vertices, centre=centre, above=ABOVE.write(above=above) if data.levels else ALONE)
    yield DONE(answer=", ".join(map(str, solve(task))))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    parts: dict[tuple[int, ...], int] = {tuple(range(1, len(data.weights) + 1)): 0}
    centres: dict[int, int] = {}

    def is_heaviest(part: str, vertex: int, weight: int) -> bool:
        vertices = tuple(map(int, part.split()))
        return vertices in parts and vertex in vertices and weight == _heaviest(data, vertices, vertex)

    def is_centre(part: str, centre: int, above: str) -> bool:
        vertices = tuple(map(int, part.split()))
        over = int((ABOVE.read(above) or {})["above"]) if data.levels else 0 if above == ALONE else -1
        if parts.pop(vertices, -1) != over or centre != min(vertices, key=lambda vertex: (_heaviest(data, vertices, vertex), vertex)):
            return False
        centres[centre] = over
        parts.update({tuple(sorted(piece)): centre for piece in _pieces(data, vertices, centre)})
        return True

    def is_complete(answer: str) -> bool:
        return len(centres) == len(data.weights) if data.levels else int(answer.split(", ")[0]) in centres

    return {LARGEST: is_heaviest, CENTRE: is_centre, DONE: is_complete}


def picture(task: Task[Data]) -> str:
    names = [f"{vertex}: {weight}" for vertex, weight in enumerate(task.data.weights, 1)]
    return pictures.network(names, [(names[a - 1], names[b - 1]) for a, b in task.data.edges])


def _sample_task(rng: Rng, knobs: Knobs, parents: list[int]) -> Task[Data]:
    names = [0, *rng.shuffled(range(1, knobs.vertices + 1))]
    pairs = rng.shuffled([(names[vertex], names[parent]) for vertex, parent in enumerate(parents, 2)])
    weights = tuple(rng.integer(1, knobs.weight) for _ in range(knobs.vertices))
    data = Data(weights=weights, edges=tuple(pairs), levels=knobs.question == "levels", right=())
    weights_text = f"the weights of vertices 1 to {knobs.vertices} are {', '.join(map(str, weights))}"
    if max(weights) == 1:
        weights_text = "each vertex has weight 1"
    question = (
        "Remove the centroid of the whole tree, then the centroid of each remaining component, and so on until no vertex is left. The parent of a "
        "centroid is the centroid whose removal created its component; the parent of the first centroid is 0. "
        f"Give the parents of vertices 1 to {knobs.vertices}, in this order."
        if data.levels
        else "Give the centroid of the tree, then the weights of the components that its removal leaves, in descending order."
    )
    prompt = (
        f"A tree with {knobs.vertices} vertices has these edges: {', '.join(f'{a}-{b}' for a, b in pairs)}; {weights_text}. Removing a vertex splits "
        "a tree into connected components; a component weighs as much as its vertices together. The centroid of a tree is the vertex whose removal "
        f"leaves the lightest heaviest component; if there is a tie, it is the tied vertex with the smallest number.\n\n{question}"
    )
    return Task(prompt, data.model_copy(update={"right": _answer(data)}))


def _neighbours(edges: Edges, count: int) -> dict[int, list[int]]:
    return adjacency_lists(edges, range(1, count + 1))


def _sum(data: Data, part: Sequence[int]) -> int:
    return sum(data.weights[vertex - 1] for vertex in part)


def _pieces(data: Data, part: Sequence[int], without: int) -> list[list[int]]:
    """The connected pieces of a part when one vertex is taken away."""
    neighbours, unvisited, pieces = _neighbours(data.edges, len(data.weights)), set(part) - {without}, list[list[int]]()
    for start in neighbours[without]:
        if start in unvisited:
            piece = [start]
            unvisited.discard(start)
            for vertex in piece:
                reached = [other for other in neighbours[vertex] if other in unvisited]
                unvisited.difference_update(reached)
                piece += reached
            pieces.append(piece)
    return pieces


def _heaviest(data: Data, part: Sequence[int], without: int) -> int:
    return max((_sum(data, piece) for piece in _pieces(data, part, without)), default=0)


def _centres(data: Data) -> list[tuple[tuple[int, ...], int, int]]:
    """Each part with its centre and what that hangs under; only the whole tree where one centre is asked for."""
    centre_found, parts_left = list[tuple[tuple[int, ...], int, int]](), [(tuple(range(1, len(data.weights) + 1)), 0)]
    for part, over in parts_left:
        centre = min(part, key=lambda vertex, part=part: (_heaviest(data, part, vertex), vertex))  # type: ignore[misc]
        centre_found.append((part, centre, over))
        if data.levels:
            parts_left += [(tuple(sorted(piece)), centre) for piece in _pieces(data, part, centre)]
    return centre_found


def _answer(data: Data) -> tuple[int, ...]:
    centres = _centres(data)
    if data.levels:
        above = {centre: over for _, centre, over in centres}
        return tuple(above[vertex] for vertex in sorted(above))
    part, centre, _ = centres[0]
    return (centre, *sorted((_sum(data, piece) for piece in _pieces(data, part, centre)), reverse=True))


environment = Environment(
    Knobs, Numbers("the integers in the stated order, separated by commas", max_items=200), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, DONE, checks), shift=shift, picture=picture,
    concept="The weight beyond an edge tells how heavy both sides are; move towards any side that holds more than half.",
    version=3,
)  # fmt: skip
