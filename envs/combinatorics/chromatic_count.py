"""Count the colourings of a map's regions in which neighbours differ."""

from collections.abc import Callable

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.drawing.pictures import network
from rlgym.generators.draws import draw_rare
from rlgym.generators.numbers.recurrences import Recurrence, recurrence_solution

Graph = tuple[tuple[int, ...], tuple[tuple[int, int], ...]]
LETTERS = "ABCDEFGHIJKL"


class Knobs(Config):
    regions: int = knob(6, easy=4, hard=10, beyond=12, doc="regions")
    extra: int = knob(2, easy=0, hard=5, beyond=9, doc="borders beyond those of a tree")
    colours: int = knob(11, easy=10, hard=16, doc="colours there are, at most; with fewer than 7 regions up to 12 more")


class Data(TaskData):
    regions: int
    borders: tuple[tuple[int, int], ...]
    colours: int
    count: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A tree with more borders at random."""

    def sample() -> Task[Data]:
        borders = {(rng.integer(0, i - 1), i) for i in range(1, min(max(10, knobs.regions), knobs.regions + rng.integer(0, 1)))}
        return _sample_task(rng, knobs, borders)

    return _draw_rare(knobs, sample)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A ring of regions, with chords."""

    def sample() -> Task[Data]:
        n = min(max(10, knobs.regions), knobs.regions + rng.integer(0, 1))
        return _sample_task(rng, knobs, {(i, i + 1) for i in range(n - 1)} | {(0, n - 1)})

    return _draw_rare(knobs, sample)


def _draw_rare(knobs: Knobs, sample: Callable[[], Task[Data]]) -> Task[Data]:
    """Of several maps with few regions one whose number of colourings is rare."""
    return draw_rare(sample, lambda task: task.data.count, 24 if knobs.regions < 7 else 1)


def _sample_task(rng: Rng, knobs: Knobs, borders: set[tuple[int, int]]) -> Task[Data]:
    n = max(4, max(j for _, j in borders) + 1)
    names = rng.shuffled(range(n))
    others = [(i, j) for j in range(n) for i in range(j) if (i, j) not in borders]
    chosen = [*sorted(borders), *rng.sample(others, min(knobs.extra, len(others)))]
    named = sorted((min(names[i], names[j]), max(names[i], names[j])) for i, j in chosen)
    data = Data(regions=n, borders=tuple(named), colours=rng.integer(3, knobs.colours + (12 if knobs.regions < 7 else 0)), count=0)
    data = data.model_copy(update={"count": _recurrence(data).count})
    pairs = ", ".join(f"{LETTERS[i]}-{LETTERS[j]}" for i, j in rng.shuffled(named))
    return Task(
        f"The regions {', '.join(LETTERS[:n])} of a map are to be coloured with {data.colours} colours, one for each region; not every colour need be used. "
        f"Two regions with a common border must have different colours. Common borders: {pairs}. In how many ways can the map be coloured?",
        data,
    )


def solve(task: Task[Data]) -> int:
    """By set partitions into independent sets, each with a colour of its own."""
    data = task.data
    neighbours = [sum(1 << (i + j - region) for i, j in data.borders if region in (i, j)) for region in range(data.regions)]

    def count_ways(region: int, groups: list[int]) -> int:
        if region == data.regions:
            out = 1
            for used in range(len(groups)):
                out *= data.colours - used
            return out
        total = count_ways(region + 1, [*groups, 1 << region]) if len(groups) < data.colours else 0
        for at, group in enumerate(groups):
            if not group & neighbours[region]:
                total += count_ways(region + 1, [*groups[:at], group | 1 << region, *groups[at + 1 :]])
        return total

    return count_ways(0, [])


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.count, "the number of ways is different")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    k, n = data.colours, data.regions
    return [k * (k - 1) ** (n - 1) + (0 if right != k * (k - 1) ** (n - 1) else k), k**n, right + k, right - 1]


def cost(task: Task[Data]) -> float:
    return _recurrence(task.data).work * task.data.regions


def picture(task: Task[Data]) -> str:
    names = LETTERS[: task.data.regions]
    return network([*names, f"{task.data.colours} colours"], [(names[i], names[j]) for i, j in task.data.borders])


def _recurrence(data: Data) -> Recurrence[Graph]:
    """A region whose neighbours all border each other is coloured last; else a border is taken away, less the colourings with both sides alike."""

    def parts(graph: Graph) -> int | list[tuple[int, Graph]]:
        nodes, edges = graph
        if len(nodes) == 1:
            return data.colours
        neighbours = {node: sorted({i + j - node for i, j in edges if node in (i, j)}) for node in nodes}
        for node in sorted(nodes, key=lambda node: (len(neighbours[node]), node)):
            if all((a, b) in edges for k, b in enumerate(neighbours[node]) for a in neighbours[node][:k]):
                rest = (tuple(other for other in nodes if other != node), tuple(edge for edge in edges if node not in edge))
                return [(max(0, data.colours - len(neighbours[node])), rest)]
        i, j = max(edges, key=lambda edge: (len(neighbours[edge[0]]) + len(neighbours[edge[1]]), edge))
        fewer = tuple(edge for edge in edges if edge != (i, j))
        merged = {tuple(sorted(i if node == j else node for node in edge)) for edge in fewer}
        joined = tuple(sorted((a, b) for a, b in merged if a != b))
        return [(1, (nodes, fewer)), (-1, (tuple(node for node in nodes if node != j), joined))]

    def name(graph: Graph) -> str:
        alone = [LETTERS[node] for node in graph[0] if not any(node in edge for edge in graph[1])]
        return f"colourings of {', '.join([*alone, *(LETTERS[i] + '-' + LETTERS[j] for i, j in graph[1])])}"

    return Recurrence((tuple(range(data.regions)), data.borders), parts, name)


environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost,
    solution=recurrence_solution(_recurrence), shift=shift, picture=picture,
    concept="Colour a region last whose neighbours all border each other; where there is none, compare with and without a border.",
    version=3,
)  # fmt: skip
