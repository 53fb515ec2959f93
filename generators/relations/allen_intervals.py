"""Allen's thirteen relations between intervals of time, as bits of a set: what they mean, their composition, and networks of them."""

from collections.abc import Callable, Sequence
from functools import cache, cmp_to_key
from itertools import combinations, pairwise

NAMES = (
    "before",
    "meets",
    "overlaps",
    "finished by",
    "contains",
    "starts",
    "equals",
    "started by",
    "during",
    "finishes",
    "overlapped by",
    "met by",
    "after",
)
_CONVERSE = {
    "before": "after",
    "meets": "met by",
    "overlaps": "overlapped by",
    "starts": "started by",
    "during": "contains",
    "finishes": "finished by",
    "equals": "equals",
}
BACK = tuple(NAMES.index(_CONVERSE.get(name) or next(a for a, b in _CONVERSE.items() if b == name)) for name in NAMES)
MEANING = """X before Y: X ends before Y starts
X meets Y: X ends exactly when Y starts
X overlaps Y: X starts before Y starts, and X ends after Y starts but before Y ends
X starts Y: both start together, and X ends before Y ends
X during Y: X starts after Y starts and ends before Y ends
X finishes Y: both end together, and X starts after Y starts
X equals Y: both start together and end together
X after Y, X met by Y, X overlapped by Y, X started by Y, X contains Y, X finished by Y: the same as Y before X, Y meets X, Y overlaps X, \
Y starts X, Y during X, Y finishes X"""

Span = tuple[int, int]
Network = list[list[int]]
EVERY = (1 << 13) - 1


def relation(first: Span, two: Span) -> int:
    """Which of the thirteen holds, as an index into NAMES."""
    (a, b), (c, d) = first, two
    if b <= c:
        return 1 if b == c else 0
    if d <= a:
        return 11 if a == d else 12
    if a == c:
        return 6 if b == d else 5 if b < d else 7
    if b == d:
        return 9 if a > c else 3
    if a < c:
        return 2 if b < d else 4
    return 8 if b < d else 10


@cache
def _compose() -> tuple[tuple[int, ...], ...]:
    spans = list(combinations(range(6), 2))  # three intervals have at most six ends
    table = [[0] * 13 for _ in range(13)]
    for span in spans:
        for two in spans:
            row = table[relation(span, two)]
            for three in spans:
                row[relation(two, three)] |= 1 << relation(span, three)
    return tuple(map(tuple, table))


def members(relations: int) -> list[int]:
    """The relations of a set, in order."""
    return [k for k in range(13) if relations >> k & 1]


@cache
def converse(relations: int) -> int:
    """The set seen from the other interval."""
    return sum(1 << BACK[k] for k in members(relations))


@cache
def compose(relations_a: int, two: int) -> int:
    """What may hold between A and C where A is in one of the first relations to B and B in one of the second to C."""
    table, out = _compose(), 0
    for a in members(relations_a):
        for b in members(two):
            out |= table[a][b]
    return out


def narrow(network: Network, changed: Callable[[int, int, int], None] | None = None) -> bool:
    """Strike out what three intervals together exclude, until nothing changes; False when a pair is left without a relation.

    `changed(x, y, z)` is called each time that the relations of x to y are narrowed through z.
    """
    count = len(network)
    waiting = list(combinations(range(count), 2))
    while waiting:
        i, j = waiting.pop(0)
        for k in range(count):
            if k in (i, j):
                continue
            for x, y, z in ((i, k, j), (k, j, i)):
                remaining = network[x][y] & compose(network[x][z], network[z][y])
                if remaining != network[x][y]:
                    network[x][y], network[y][x] = remaining, converse(remaining)
                    if changed:
                        changed(x, y, z)
                    if not remaining:
                        return False
                    pair = (min(x, y), max(x, y))
                    if pair not in waiting:
                        waiting.append(pair)
    return True


def scenario(network: Network, budget: int = 20_000) -> Network | None:
    """A network with one relation for each pair that is consistent, or None; `budget` bounds how many choices are looked at."""
    budget_left = [budget]

    def tried(now: Network) -> Network | None:
        budget_left[0] -= 1
        if budget_left[0] < 0 or not narrow(now):
            return None
        pairs = [(now[i][j].bit_count(), i, j) for i, j in combinations(range(len(now)), 2) if now[i][j].bit_count() > 1]
        if not pairs:
            return now
        _, i, j = min(pairs)
        for k in members(now[i][j]):
            after = [list(row) for row in now]
            after[i][j], after[j][i] = 1 << k, 1 << BACK[k]
            if result := tried(after):
                return result
        return None

    return tried([list(row) for row in network])


def spans(network: Network) -> list[Span]:
    """Ends numbered from 1 without gaps, for a consistent network with one relation for each pair."""
    ends = [(i, side) for i in range(len(network)) for side in range(2)]

    def compared(first: tuple[int, int], two: tuple[int, int]) -> int:
        (i, side), (j, second) = first, two
        if i == j:
            return side - second
        mine, theirs = EXAMPLES[network[i][j].bit_length() - 1]
        return mine[side] - theirs[second]

    order = sorted(ends, key=cmp_to_key(compared))
    at, now = {order[0]: 1}, 1
    for before, end in pairwise(order):
        now += compared(before, end) != 0
        at[end] = now
    return [(at[i, 0], at[i, 1]) for i in range(len(network))]


EXAMPLES: tuple[tuple[Span, Span], ...] = tuple(
    next((span_a, two) for span_a in combinations(range(4), 2) for two in combinations(range(4), 2) if relation(span_a, two) == k)
    for k in range(13)
)


def relation_names(relations: int) -> str:
    """The names of a set of relations."""
    return " or ".join(NAMES[k] for k in members(relations))


def read(text: str) -> int:
    """The set that such names stand for."""
    return sum(1 << NAMES.index(name) for name in text.split(" or "))


def mirror(relations: int) -> int:
    """The set as it is with the clock running backwards."""
    return sum(1 << relation(*[(-b, -a) for a, b in EXAMPLES[k]]) for k in members(relations))


def network_of(count: int, given: Sequence[tuple[int, int, int]]) -> Network:
    """A network in which anything may hold but for what is given, as (interval, interval, relations)."""
    out = [[1 << 6 if i == j else EVERY for j in range(count)] for i in range(count)]
    for i, j, relations in given:
        out[i][j] &= relations
        out[j][i] &= converse(relations)
    return out
