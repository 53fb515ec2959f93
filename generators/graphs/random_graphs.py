"""Random graphs of several families, built from an Rng, and ways in them."""

from collections.abc import Callable, Iterable, Sequence

from rlgym.core.rng import Rng

Edge = tuple[int, int]


def sample_connected_graph(rng: Rng, nodes: int, extra: int) -> tuple[Edge, ...]:
    """A connected graph on 0..nodes-1: a random tree and up to `extra` more edges, sorted, each (low, high)."""
    # An earlier node as parent keeps the graph connected and acyclic.
    edges = {(rng.integer(0, child - 1), child) for child in range(1, nodes)}
    for _ in range(extra):
        a, b = sorted((rng.integer(0, nodes - 1), rng.integer(0, nodes - 1)))
        if a != b:
            edges.add((a, b))
    return tuple(sorted(edges))


def sample_even_graph(rng: Rng, nodes: int, edges: int, reach: int) -> tuple[Edge, ...]:
    """A graph without triangles whose nodes have about equally many edges, sorted, each (low, high); it need not be connected.

    Edges join nodes at most `reach` apart on a ring. Where not so many edges fit, it has fewer.
    """
    pairs = rng.shuffled([(a, b) for a in range(nodes) for b in range(a + 1, nodes) if min(b - a, nodes - b + a) <= reach])
    masks, chosen, most = [0] * nodes, list[Edge](), 2 * edges // nodes + 1
    for limit in (most, most + 1):
        for a, b in pairs:
            if len(chosen) == edges:
                break
            if masks[a] >> b & 1 or masks[a] & masks[b] or max(masks[a].bit_count(), masks[b].bit_count()) >= limit:
                continue
            masks[a] |= 1 << b
            masks[b] |= 1 << a
            chosen.append((a, b))
    return tuple(sorted(chosen))


_LETTERS = "BCDEFGHIJKLMNOPQRSTUVWYZ"
FAMILIES = ("random", "lattice", "ring", "tree", "hubs", "near")


def sample_graph(rng: Rng, family: str, nodes: int, edges: int) -> tuple[Edge, ...]:
    """A connected graph of a family on 0..nodes-1 with `edges` edges where so many fit (at least nodes - 1), sorted, each (low, high).

    random: any pairs. lattice: neighbours on a square board. ring: a ring and chords. tree: a binary tree and links between its branches.
    hubs: few nodes with many edges. near: points of the plane joined to those nearest. All but random and ring leave far pairs alone.
    """
    rank = _edge_ranks(rng, family, nodes)
    all_pairs = [(a, b) for a in range(nodes) for b in range(a + 1, nodes)]
    order = sorted(all_pairs, key=lambda pair: (rank(*pair), rng.integer(0, 1 << 30)))
    group = list(range(nodes))
    chosen, spare = [], []
    for a, b in order:
        first, other = group[a], group[b]
        if first == other:
            spare.append((a, b))
            continue
        chosen.append((a, b))
        group = [first if label == other else label for label in group]
    return tuple(sorted(chosen + spare[: max(0, edges - len(chosen))]))


def _edge_ranks(rng: Rng, family: str, nodes: int) -> Callable[[int, int], int]:
    """How late a pair is joined."""
    match family:
        case "random":
            return lambda a, b: 0
        case "lattice":
            width = next(side for side in range(1, nodes + 1) if side * side >= nodes)
            return lambda a, b: abs(a // width - b // width) ** 2 + abs(a % width - b % width) ** 2
        case "ring":
            return lambda a, b: min(b - a, nodes - b + a) != 1
        case "tree":
            return lambda a, b: 0 if a == (b - 1) // 2 else 1 + abs(a.bit_length() - b.bit_length())
        case "hubs":
            delay = [rng.integer(1, 40) for _ in range(nodes)]
            return lambda a, b: delay[a] * delay[b] * rng.integer(1, 12)
        case _:
            points = [(rng.integer(0, 1000), rng.integer(0, 1000)) for _ in range(nodes)]
            return lambda a, b: (points[a][0] - points[b][0]) ** 2 + (points[a][1] - points[b][1]) ** 2


def sample_names(rng: Rng, nodes: int) -> tuple[str, ...]:
    """Names for nodes in random order: capital letters but A and X, which stand in sentences; then B1, C1 and so on."""
    names = [_LETTERS[i % 24] + (str(i // 24) if i >= 24 else "") for i in range(nodes)]
    return tuple(rng.shuffled(names))


def sample_edge_list(rng: Rng, edges: Sequence[Edge], names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The edges by names, in random order and with their ends in random order."""
    return tuple((names[a], names[b]) if rng.chance(0.5) else (names[b], names[a]) for a, b in rng.shuffled(edges))


def floyd_warshall(nodes: Sequence[str], edges: Iterable[tuple[str, str, int]]) -> dict[tuple[str, str], int]:
    """The length of a shortest way between each two nodes that are joined (Floyd and Warshall)."""
    distances = {(node, node): 0 for node in nodes}
    for a, b, length in edges:
        for pair in ((a, b), (b, a)):
            distances[pair] = min(length, distances.get(pair, length))
    for middle in nodes:
        ins = [(a, distances[a, middle]) for a in nodes if (a, middle) in distances]
        outs = [(b, distances[middle, b]) for b in nodes if (middle, b) in distances]
        for a, first in ins:
            for b, second in outs:
                if first + second < distances.get((a, b), 1 << 60):
                    distances[a, b] = first + second
    return distances
