"""Say in which ways two regions of space can lie to each other, by what is known of them and other regions.

Each way is possible only if all statements can hold together with it; most statements leave a choice.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.relations import rcc8_regions
from rlgym.generators.relations.rcc8_regions import Network
from rlgym.solutions import Checks, Derivation, Due, Solution, Step, in_order

LETTERS = "ABCDEFGHIJ"
SHARES = {"path": 0.0, "half": 0.3, "most": 0.6}
NARROW = Step("{x} to {y}, seen through {z}: only {left} can be")
SUPPOSE = Step("Suppose {x} {relation} {y}")
FALLS = Step("{x} to {y}, seen through {z}: nothing can be, so this supposition is wrong")
SCENE = Step("With this there is a scene; giving each pair in turn the first relation that leaves one: {scene}")
Pairs = tuple[tuple[str, str], ...]


class Knobs(Config):
    regions: int = knob(5, easy=3, hard=7, doc="how many regions there are")
    choices: int = knob(2, easy=1, hard=4, doc="most relations that a statement leaves open")
    queries: int = knob(2, easy=1, hard=4, doc="pairs of regions in the question")
    links: str = knob("half", easy="path", hard="most", order=tuple(SHARES), doc="how many pairs of regions have a statement")


class Data(TaskData):
    count: int
    given: tuple[tuple[int, int, int], ...]
    asked: tuple[tuple[int, int], ...]
    possible: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, nested=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Regions within regions, a few levels deep."""
    return _sample_task(rng, knobs, nested=True)


def solve(task: Task[Data]) -> Pairs:
    # Each relation is tried in a search with the regions in reverse order; `generate` strikes out first.
    data = task.data
    last = data.count - 1
    given = [(last - i, last - j, relations) for i, j, relations in data.given]
    network = rcc8_regions.network_of(data.count, given)
    relations_found = []
    for x, y in data.asked:
        tried = [rcc8_regions.scene(rcc8_regions.put(network, last - x, last - y, 1 << k), [10_000], -1) for k in range(8)]
        relations_found.append(sum(1 << k for k, possible in enumerate(tried) if possible))
    return _answer(data, relations_found)


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    answers = dict(answer)
    if sorted(answers) != sorted(_pair(x, y).lower() for x, y in data.asked):
        return Score.wrong("expected one line for each pair that is asked for, and no others")
    for (x, y), possible in zip(data.asked, data.possible, strict=True):
        names = answers[_pair(x, y).lower()].upper().replace("OR", " ").split()
        if not all(name in rcc8_regions.NAMES for name in names) or len(set(names)) < len(names):
            return Score.wrong(f"expected some of {', '.join(rcc8_regions.NAMES)} for {_pair(x, y)}, each once")
        if sum(1 << rcc8_regions.NAMES.index(name) for name in names) != possible:
            return Score.wrong(f"not just these relations of {LETTERS[x]} to {LETTERS[y]} are possible")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    network = rcc8_regions.network_of(data.count, data.given)
    minimal = []
    for x, y in data.asked:
        rows = [rcc8_regions.compose(network[x][z], network[z][y]) for z in range(data.count) if z not in (x, y)]
        minimal.append(min(rows, key=int.bit_count))
    less = [possible & (possible - 1) or possible ^ 1 for possible in data.possible]
    turned = [rcc8_regions.converse(possible) for possible in data.possible]
    return [_answer(data, row) for row in (minimal, less, turned, [255] * len(minimal), [4] * len(minimal))]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(data.count**3 * sum(1 + relations.bit_count() for _, _, relations in data.given))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    network = rcc8_regions.network_of(data.count, data.given)
    _, steps = _narrow(network)
    yield from in_order(steps)
    for x, y in data.asked:
        for k in rcc8_regions.members(network[x][y]):
            yield SUPPOSE(x=LETTERS[x], relation=rcc8_regions.NAMES[k], y=LETTERS[y])
            supposed = rcc8_regions.put(network, x, y, 1 << k)
            consistent, steps = _narrow(supposed)
            yield from in_order(steps)
            if consistent:
                yield SCENE(scene=_scene(supposed, data.count))
            else:
                network = rcc8_regions.put(network, x, y, network[x][y] & ~(1 << k))


def _narrow(network: Network) -> tuple[bool, list[Due]]:
    """Narrows a network; whether something is left for each pair, and the steps."""
    steps: list[Due] = []

    def note(i: int, j: int, z: int) -> None:
        pair = {"x": LETTERS[i], "y": LETTERS[j], "z": LETTERS[z]}
        steps.append(NARROW(**pair, left=rcc8_regions.relation_names(network[i][j])) if network[i][j] else FALLS(**pair))

    return rcc8_regions.narrow(network, note), steps


def _scene(network: Network, count: int) -> str:
    scene = rcc8_regions.first_scene(network)
    return ", ".join(f"{LETTERS[i]} {rcc8_regions.relation_names(scene[i][j])} {LETTERS[j]}" for i, j in combinations(range(count), 2))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    known = current = rcc8_regions.network_of(data.count, data.given)  # what is certain, and what follows from the supposition
    supposed: tuple[int, int, int] | None = None  # the pair and the relation
    tested = (-1, -1)

    def narrowed_to(x: str, y: str, z: str) -> tuple[int, int, int]:
        i, j, k = (LETTERS.index(letter) for letter in (x, y, z))
        relations_left = current[i][j] & rcc8_regions.compose(current[i][k], current[k][j])
        if len({i, j, k}) < 3 or relations_left == current[i][j]:
            raise LookupError(x, y, z)
        return i, j, relations_left

    def is_due(x: str, relation: str, y: str) -> bool:
        nonlocal current, supposed, tested
        k, i, j = rcc8_regions.NAMES.index(relation), LETTERS.index(x), LETTERS.index(y)
        cases = [(place, other) for place, (a, b) in enumerate(data.asked) for other in rcc8_regions.members(known[a][b])]
        due = next(case for case in cases if case > tested)
        if supposed or (data.asked[due[0]], due[1]) != ((i, j), k):
            return False
        current, supposed, tested = rcc8_regions.put(known, i, j, 1 << k), (i, j, k), due
        return True

    def is_scene(scene: str) -> bool:
        nonlocal current, supposed
        if not supposed or scene != _scene(current, data.count):
            return False
        current, supposed = known, None
        return True

    def falls(x: str, y: str, z: str) -> bool:
        nonlocal known, current, supposed
        if not supposed or narrowed_to(x, y, z)[2]:
            return False
        i, j, k = supposed
        known = current = rcc8_regions.put(known, i, j, known[i][j] & ~(1 << k))
        supposed = None
        return True

    def is_narrowed(x: str, y: str, z: str, left: str) -> bool:
        nonlocal known, current
        i, j, relations = narrowed_to(x, y, z)
        if relations != rcc8_regions.read(left):
            return False
        current = rcc8_regions.put(current, i, j, relations)
        known = known if supposed else current
        return True

    return {SUPPOSE: is_due, SCENE: is_scene, FALLS: falls, NARROW: is_narrowed}


def _sample_task(rng: Rng, knobs: Knobs, nested: bool) -> Task[Data]:
    count = knobs.regions
    while True:
        at = rcc8_regions.sample(rng, count, nested)
        pairs = [(rng.integer(0, i - 1), i) for i in range(1, count)]
        free = [pair for pair in combinations(range(count), 2) if pair not in pairs]
        kept = rng.sample(free, min(knobs.queries, len(free)))
        pairs += [pair for pair in free if pair not in kept and rng.chance(SHARES[knobs.links])]
        given = []
        for region_a, two in rng.shuffled(pairs):
            i, j = (region_a, two) if rng.chance(0.5) else (two, region_a)
            true = rcc8_regions.relation(at[i], at[j])
            others = rng.sample([k for k in range(8) if k != true], rng.integer(knobs.choices > 2, knobs.choices - 1))
            given.append((i, j, sum(1 << k for k in (true, *others))))
        network = rcc8_regions.network_of(count, given)
        narrowed = rcc8_regions.narrow(network)
        good = [(x, y) for x, y in combinations(range(count), 2) if (x, y) not in pairs and network[x][y].bit_count() < 7]
        if not narrowed or len(good) < min(knobs.queries, 2, len(free)):
            continue
        queries = rng.sample(good, min(knobs.queries, len(good)))
        possible = [_possible_relations(network, x, y) for x, y in queries]
        if all(0 < relations.bit_count() < 7 for relations in possible):
            break
    turned = [rng.chance(0.5) for _ in queries]
    queries = [(y, x) if turn else (x, y) for turn, (x, y) in zip(turned, queries, strict=True)]
    possible = [rcc8_regions.converse(relations) if turn else relations for turn, relations in zip(turned, possible, strict=True)]
    listing = "\n".join(f"{LETTERS[i]} {rcc8_regions.relation_names(relations)} {LETTERS[j]}" for i, j, relations in given)
    prompt = (
        f"{', '.join(LETTERS[: count - 1])} and {LETTERS[count - 1]} are regions of space, of any shape and perhaps of several parts. Two regions can be "
        f"related in these eight ways, of which exactly one always holds:\n{rcc8_regions.MEANING}\n\n{_given_rule(listing)}:\n{listing}\n\n"
        f"For each of these pairs, name every relation R for which `first R second` can be true together with all statements, and "
        f"no other: {', '.join(_pair(x, y) for x, y in queries)}."
    )
    return Task(prompt, Data(count=count, given=tuple(given), asked=tuple(queries), possible=tuple(possible)))


def _given_rule(listing: str) -> str:
    return (
        "Each line names the relations that may hold between two regions; exactly one of them does"
        if " or " in listing
        else "These statements hold"
    )


def _possible_relations(network: Network, x: int, y: int) -> int:
    """The relations that can hold; 0 where that takes too long to find."""
    possible = 0
    for k in rcc8_regions.members(network[x][y]):
        now = rcc8_regions.put(network, x, y, 1 << k)
        if rcc8_regions.narrow(now):
            if not rcc8_regions.scene(now, [60]):
                return 0
            possible |= 1 << k
    return possible


def _pair(x: int, y: int) -> str:
    return f"{LETTERS[x]}-{LETTERS[y]}"


def _answer(data: Data, relations_found: Sequence[int]) -> Pairs:
    names = [" ".join(rcc8_regions.relation_names(relations).lower().split(" or ")) for relations in relations_found]
    return tuple(sorted((_pair(x, y).lower(), name) for (x, y), name in zip(data.asked, names, strict=True)))


def _solutions(task: Task[Data]) -> Iterator[Pairs]:
    """The relations for which there is a scene, found in the given order of regions, written in two orders."""
    data = task.data
    network = rcc8_regions.network_of(data.count, data.given)
    tried = [[bool(rcc8_regions.scene(rcc8_regions.put(network, x, y, 1 << k), [10_000])) for k in range(8)] for x, y in data.asked]
    canonical = _answer(data, [sum(fits << k for k, fits in enumerate(row)) for row in tried])
    yield from (canonical, tuple((name, " ".join(names.split()[::-1])) for name, names in canonical))


environment = Environment(
    Knobs, Mapping("one line `first-second: relations` for each pair, with the relations in any order, separated by spaces", 20, several_words=True),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "What can be:\n{answer}", checks=checks), answers="many", solutions=_solutions,
    concept="How A lies to B and B to C limits how A can lie to C; suppose each relation that is left and look whether anything clashes.",
    version=3,
)  # fmt: skip
