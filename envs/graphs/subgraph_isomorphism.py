"""Find a small pattern of places and roads in a larger map.

Any way to lay the pattern on the map is accepted. Roads may be one-way, and the pattern may have to fit exactly, without further roads. On the upper
levels places hardly differ in their roads and no three are all joined, so that most of the pattern fits in many spots before it fails.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.drawing import pictures
from rlgym.generators.draws import sample_hard
from rlgym.generators.graphs import embeddings, node_groups, random_graphs
from rlgym.generators.graphs.adjacency import adjacency_lists, breadth_first_search
from rlgym.solutions import Checks, Derivation, Solution, Step

Roads = tuple[tuple[str, str], ...]
Pairs = tuple[tuple[str, str], ...]
ONE_WAY, BOTH_WAYS = "one-way roads, each from the first place to the second", "roads, which can be used both ways"
ANSWER = Mapping("one line `pattern place: map place` for each place of the pattern")


TRIES = 5
MOST_PLACEMENTS = 3000


class Knobs(Config):
    parts: int = knob(5, easy=4, hard=12, beyond=16, doc="places of the pattern")
    towns: int = knob(14, easy=9, hard=26, beyond=36, doc="places of the map")
    fit: str = knob(
        "loose", easy="loose", hard="exact", order=("loose", "exact"), doc="whether the map may have more roads between the chosen places"
    )
    directions: str = knob("both", easy="both", hard="one", order=("both", "one"), doc="whether roads can be used both ways or are one-way")
    shape: str = knob(
        "any",
        easy="any",
        hard="even",
        order=("any", "even"),
        doc="any map, or one where places have about equally many roads, which go both ways",
    )
    placements: int = knob(
        8,
        easy=1,
        hard=300,
        beyond=3000,
        scale="log",
        doc="places that a search with forward checking tries, at least, if one of 5 even maps needs as many",
    )


class Data(TaskData):
    pattern: Roads
    roads: Roads
    exact: bool
    oneway: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_hard(rng, knobs, ("random", "hubs"), reach=knobs.towns)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Other networks; even ones lie along a ring."""
    return _sample_hard(rng, knobs, ("lattice", "near", "ring"), reach=8)


def _sample_hard(rng: Rng, knobs: Knobs, families: tuple[str, ...], reach: int) -> Task[Data]:
    if knobs.shape == "any":
        edges = random_graphs.sample_graph(rng, rng.choice(families), knobs.towns, knobs.towns * 16 // 10)
        return _sample_task(rng, knobs, edges)

    def draw() -> Task[Data]:
        edges = random_graphs.sample_even_graph(rng, knobs.towns, knobs.towns * 19 // 10, reach)
        return _sample_task(rng, knobs.model_copy(update={"directions": "both"}), edges)

    return sample_hard(draw, lambda task: _count_placements(task.data), knobs.placements, TRIES)


def _count_placements(data: Data) -> int:
    masks = []
    for roads in (data.pattern, data.roads):
        number = {name: i for i, name in enumerate(sorted({end for road in roads for end in road}))}
        masks.append(node_groups.neighbour_masks(len(number), [(number[a], number[b]) for a, b in roads]))
    return embeddings.count_placements(masks[0], masks[1], data.exact, MOST_PLACEMENTS)


def _sample_task(rng: Rng, knobs: Knobs, edges: tuple[random_graphs.Edge, ...]) -> Task[Data]:
    names, parts = random_graphs.sample_names(rng, knobs.towns), min(knobs.parts, knobs.towns - 2)
    roads = random_graphs.sample_edge_list(rng, edges, names)
    both_ways = (*roads, *(road[::-1] for road in roads))
    joined = adjacency_lists(both_ways)
    chosen = [rng.choice(max((sorted(breadth_first_search(joined, name)) for name in sorted(joined)), key=len))]
    while len(chosen) < parts:
        near = [b for a, b in both_ways if a in chosen and b not in chosen]
        if not near:
            break
        chosen.append(rng.choice(near))
    parts = len(chosen)
    pattern_roads = [road for road in roads if road[0] in chosen and road[1] in chosen]
    if knobs.fit == "loose":
        # Some roads are left out of the pattern as long as it stays connected.
        for road in rng.shuffled(pattern_roads)[: len(pattern_roads) // 4]:
            rest = [other for other in pattern_roads if other != road]
            pattern_roads = (
                rest if len(random_graphs.floyd_warshall(chosen, [(a, b, 1) for a, b in rest])) == len(chosen) ** 2 else pattern_roads
            )
    part = dict(zip(chosen, rng.shuffled(range(1, parts + 1)), strict=True))
    oneway = knobs.directions == "one"
    pattern = tuple(
        (str(part[a]), str(part[b])) if oneway or rng.chance(0.5) else (str(part[b]), str(part[a])) for a, b in rng.shuffled(pattern_roads)
    )
    data = Data(pattern=pattern, roads=roads, exact=knobs.fit == "exact", oneway=oneway)
    sign, kind = " -> " if oneway else " - ", ONE_WAY if oneway else BOTH_WAYS
    listing, pattern_text = ("\n".join(f"{a}{sign}{b}" for a, b in listed) for listed in (roads, pattern))
    also = " Between two places of the map that are chosen, there must be no road where the pattern has none." if data.exact else ""
    prompt = (
        f"A map has these {kind}:\n{listing}\n\nA pattern has the places 1 to {parts} and these roads of the same kind:\n{pattern_text}\n\nChoose a different "
        f"place of the map for each place of the pattern, so that every road of the pattern is there between the chosen places"
        f"{', in the same direction' if oneway else ''}.{also}"
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> Pairs:
    return next(_backtrack(task.data, 1))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data, chosen = task.data, {part: place.upper() for part, place in answer}
    if set(chosen) != {end for road in data.pattern for end in road}:
        return Score.wrong("exactly the places of the pattern must each get a place of the map")
    if len(set(chosen.values())) < len(chosen):
        return Score.wrong("a place of the map is chosen twice")
    roads = _both_directions(data.roads, data.oneway)
    pattern = _both_directions(data.pattern, data.oneway)
    for a, b in data.pattern:
        if (chosen[a], chosen[b]) not in roads:
            return Score.wrong(f"the road from {a} to {b} of the pattern is not there")
    if data.exact:
        for a, first in chosen.items():
            for b, second in chosen.items():
                if (first, second) in roads and (a, b) not in pattern:
                    return Score.wrong(f"there is a road between the places chosen for {a} and {b}, where the pattern has none")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    parts, places = [part for part, _ in right], [place for _, place in right]
    ends = [end.lower() for road in data.roads for end in road]
    degree = sorted(set(ends), key=lambda name: (-ends.count(name), name))
    busy = [end for road in data.pattern for end in road]
    by_degree = dict(zip(sorted(parts, key=lambda part: (-busy.count(part), part)), degree, strict=False))
    other = next(name for name in degree if name not in places)
    rotated = tuple(zip(parts, places[1:] + places[:1], strict=True))
    same = tuple((part, places[0]) for part in parts)
    return [
        tuple(sorted(by_degree.items())),
        rotated,
        same,
        tuple(zip(parts, places[::-1], strict=True)),
        ((parts[0], other), *right[1:]),
        right[1:],
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    parts = {end for road in data.pattern for end in road}
    return len(parts) * len(data.roads) * (1.5 if data.exact else 1) * (1.5 if data.oneway else 1) * (4 + _count_placements(data)) / 10


PLACED = Step("{part} has {ins:int} road(s) in and {outs:int} out, and must fit to {before}: that leaves {places}; take {place}")
JOINED = Step("{part} has {outs:int} road(s), and must fit to {before}: that leaves {places}; take {place}")
END = Step("All roads of the pattern are there with\n{answer}")


def derive(task: Task[Data]) -> Derivation:
    data, right = task.data, dict(solve(task))
    chosen: dict[str, str] = {}
    for part in _order(data):
        ins, outs = _degrees(data.pattern, part, data.oneway)
        place = right[part].upper()
        gaps = {
            "part": part,
            "outs": outs,
            "before": _chosen_text(chosen),
            "places": " ".join(_candidates(data, chosen, part)),
            "place": place,
        }
        yield PLACED(ins=ins, **gaps) if data.oneway else JOINED(**gaps)
        chosen[part] = place
    yield END(answer=ANSWER.render(solve(task)))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    chosen: dict[str, str] = {}

    def may_be_laid(part: str, outs: int, before: str, places: str, place: str, ins: int = 0) -> bool:
        degrees = _degrees(data.pattern, part, data.oneway)
        open_places = places.split()
        fits = (ins, outs) == degrees != (0, 0) and part not in chosen and before == _chosen_text(chosen)
        fits = fits and open_places == _candidates(data, chosen, part) and place in open_places
        chosen[part] = place
        return fits

    return {
        (PLACED if data.oneway else JOINED): may_be_laid,
        END: lambda answer: {part: place.upper() for part, place in ANSWER.parse(answer)} == chosen,
    }


def picture(task: Task[Data]) -> str:
    names = sorted({end for road in task.data.roads for end in road})
    parts = sorted({end for road in task.data.pattern for end in road})
    return pictures.network([*names, *parts], [*task.data.roads, *task.data.pattern], directed=task.data.oneway, marked=parts)


def _chosen_text(chosen: dict[str, str]) -> str:
    return ", ".join(f"{part} on {place}" for part, place in chosen.items()) or "nothing yet"


def _both_directions(roads: Roads, oneway: bool) -> set[tuple[str, str]]:
    return set(roads) if oneway else {*roads, *(road[::-1] for road in roads)}


def _degrees(roads: Roads, place: str, oneway: bool) -> tuple[int, int]:
    """Roads into a place and out of it; where they go both ways, 0 and all of them."""
    ins, outs = sum(b == place for _, b in roads), sum(a == place for a, _ in roads)
    return (ins, outs) if oneway else (0, ins + outs)


def _order(data: Data) -> list[str]:
    """The places of the pattern, the one with most roads first, then always one with most roads to those before."""
    parts = sorted({end for road in data.pattern for end in road})
    pattern, order = _both_directions(data.pattern, False), list[str]()
    while len(order) < len(parts):
        rest = [part for part in parts if part not in order]
        order.append(max(rest, key=lambda node: (sum((node, other) in pattern for other in order), sum(node in road for road in pattern))))
    return order


def _candidates(data: Data, chosen: dict[str, str], part: str) -> list[str]:
    """The places of the map, in order, that have enough roads and fit to what is chosen."""
    ins, outs = _degrees(data.pattern, part, data.oneway)
    roads, pattern, out = _both_directions(data.roads, data.oneway), _both_directions(data.pattern, data.oneway), []
    neighbours = [place for node, place in chosen.items() if (node, part) in pattern or (part, node) in pattern]
    for name in sorted({end for road in data.roads for end in road}):
        if neighbours and (neighbours[0], name) not in roads and (name, neighbours[0]) not in roads:
            continue
        has = _degrees(data.roads, name, data.oneway)
        if name in chosen.values() or has[0] < ins or has[1] < outs:
            continue
        pairs = [((node, part), (place, name)) for node, place in chosen.items()] + [
            ((part, node), (name, place)) for node, place in chosen.items()
        ]
        if all(
            (map_pair in roads) >= (pattern_pair in pattern) and (not data.exact or (map_pair in roads) == (pattern_pair in pattern))
            for pattern_pair, map_pair in pairs
        ):
            out.append(name)
    return out


def _backtrack(data: Data, step: int) -> Iterator[Pairs]:
    """All embeddings of the pattern by backtracking."""
    order = _order(data)
    waiting: list[dict[str, str]] = [{}]
    while waiting:
        chosen = waiting.pop()
        if len(chosen) == len(order):
            yield tuple(sorted((part, place.lower()) for part, place in chosen.items()))
            continue
        part = order[len(chosen)]
        waiting += [{**chosen, part: name} for name in _candidates(data, chosen, part)[::step]]


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, picture=picture, answers="many", solutions=lambda task: _backtrack(task.data, -1),
    concept="Begin with the place of the pattern that has most roads, and lay its neighbours next to it; a place of the map needs at least as many roads.",
    version=4,
)  # fmt: skip
