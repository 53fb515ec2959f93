"""Random graphs of several families, built from an Rng, and ways in them."""

from collections.abc import Callable, Iterable, Sequence

from rlgym.core.rng import Rng

Edge = tuple[int, int]


def connected(rng: Rng, nodes: int, extra: int) -> tuple[Edge, ...]:
    """A connected graph on 0..nodes-1: a random tree and up to `extra` more edges, sorted, each (low, high)."""
    # An earlier node as parent keeps the graph connected and acyclic.
    edges = {(rng.integer(0, child - 1), child) for child in range(1, nodes)}
    for _ in range(extra):
        a, b = sorted((rng.integer(0, nodes - 1), rng.integer(0, nodes - 1)))
        if a != b:
            edges.add((a, b))
    return tuple(sorted(edges))


_LETTERS = "BCDEFGHIJKLMNOPQRSTUVWYZ"
FAMILIES = ("random", "lattice", "ring", "tree", "hubs", "near")


def drawn(rng: Rng, family: str, nodes: int, edges: int) -> tuple[Edge, ...]:
    """A connected graph of a family on 0..nodes-1 with `edges` edges where so many fit (at least nodes - 1), sorted, each (low, high).

    random: any pairs. lattice: neighbours on a square board. ring: a ring and chords. tree: a binary tree and links between its branches.
    hubs: few nodes with many edges. near: points of the plane joined to those nearest. All but random and ring leave far pairs alone.
    """
    rank = _ranks(rng, family, nodes)
    every = [(a, b) for a in range(nodes) for b in range(a + 1, nodes)]
    order = sorted(every, key=lambda pair: (rank(*pair), rng.integer(0, 1 << 30)))
    group = list(range(nodes))
    chosen, spare = [], []
    for a, b in order:
        one, other = group[a], group[b]
        if one == other:
            spare.append((a, b))
            continue
        chosen.append((a, b))
        group = [one if label == other else label for label in group]
    return tuple(sorted(chosen + spare[: max(0, edges - len(chosen))]))


def _ranks(rng: Rng, family: str, nodes: int) -> Callable[[int, int], int]:
    """How late a pair is joined."""
    match family:
        case "random":
            return lambda a, b: 0
        case "lattice":
            wide = next(side for side in range(1, nodes + 1) if side * side >= nodes)
            return lambda a, b: abs(a // wide - b // wide) ** 2 + abs(a % wide - b % wide) ** 2
        case "ring":
            return lambda a, b: min(b - a, nodes - b + a) != 1
        case "tree":
            return lambda a, b: 0 if a == (b - 1) // 2 else 1 + abs(a.bit_length() - b.bit_length())
        case "hubs":
            late = [rng.integer(1, 40) for _ in range(nodes)]
            return lambda a, b: late[a] * late[b] * rng.integer(1, 12)
        case _:
            spots = [(rng.integer(0, 1000), rng.integer(0, 1000)) for _ in range(nodes)]
            return lambda a, b: (spots[a][0] - spots[b][0]) ** 2 + (spots[a][1] - spots[b][1]) ** 2


def letters(rng: Rng, nodes: int) -> tuple[str, ...]:
    """Names for nodes in random order: capital letters but A and X, which stand in sentences; then B1, C1 and so on."""
    names = [_LETTERS[i % 24] + (str(i // 24) if i >= 24 else "") for i in range(nodes)]
    return tuple(rng.shuffled(names))


def listed(rng: Rng, edges: Sequence[Edge], names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The edges by names, in random order and with their ends in random order."""
    return tuple((names[a], names[b]) if rng.chance(0.5) else (names[b], names[a]) for a, b in rng.shuffled(edges))


def distances(nodes: Sequence[str], edges: Iterable[tuple[str, str, int]]) -> dict[tuple[str, str], int]:
    """The length of a shortest way between each two nodes that are joined (Floyd and Warshall)."""
    far = {(node, node): 0 for node in nodes}
    for a, b, length in edges:
        for pair in ((a, b), (b, a)):
            far[pair] = min(length, far.get(pair, length))
    for middle in nodes:
        ins = [(a, far[a, middle]) for a in nodes if (a, middle) in far]
        outs = [(b, far[middle, b]) for b in nodes if (middle, b) in far]
        for a, one in ins:
            for b, two in outs:
                if one + two < far.get((a, b), 1 << 60):
                    far[a, b] = one + two
    return far
