"""Say in which ways two regions of space can lie to each other, by what is known of them and other regions.

Each way is possible only if all statements can hold together with it; most statements leave a choice.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators import regions
from rlgym.generators.regions import Network
from rlgym.generators.steps import Line, ended, first_wrong

LETTERS = "ABCDEFGHIJ"
SHARES = {"path": 0.0, "half": 0.3, "most": 0.6}
NARROW = Line("{x} to {y}, seen through {z}: only {left} can be")
SUPPOSE = Line("Suppose {x} {relation} {y}")
FALLS = Line("{x} to {y}, seen through {z}: nothing can be, so this supposition is wrong")
SCENE = Line("With this there is a scene; giving each pair in turn the first relation that leaves one: {scene}")
LAST = "What can be:\n"
Pairs = tuple[tuple[str, str], ...]


class Knobs(Config):
    regions: int = knob(5, easy=3, hard=7, doc="how many regions there are")
    choices: int = knob(2, easy=1, hard=4, doc="most relations that a statement leaves open")
    asked: int = knob(2, easy=1, hard=4, doc="pairs of regions that are asked for")
    links: str = knob("half", easy="path", hard="most", order=tuple(SHARES), doc="how many pairs of regions have a statement")


class Data(TaskData):
    count: int
    given: tuple[tuple[int, int, int], ...]
    asked: tuple[tuple[int, int], ...]
    possible: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, nested=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Regions within regions, a few levels deep."""
    return _made(rng, knobs, nested=True)


def solve(task: Task[Data]) -> Pairs:
    # Each relation is tried in a search with the regions in reverse order; `generate` strikes out first.
    data = task.data
    last = data.count - 1
    given = [(last - i, last - j, relations) for i, j, relations in data.given]
    network = regions.network_of(data.count, given)
    found = []
    for x, y in data.asked:
        tried = [regions.scene(regions.put(network, last - x, last - y, 1 << k), [10_000], -1) for k in range(8)]
        found.append(sum(1 << k for k, one in enumerate(tried) if one))
    return _answer(data, found)


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    said = dict(answer)
    if sorted(said) != sorted(_pair(x, y).lower() for x, y in data.asked):
        return Score.wrong("expected one line for each pair that is asked for, and no others")
    for (x, y), possible in zip(data.asked, data.possible, strict=True):
        names = said[_pair(x, y).lower()].upper().replace("OR", " ").split()
        if not all(name in regions.NAMES for name in names) or len(set(names)) < len(names):
            return Score.wrong(f"expected some of {', '.join(regions.NAMES)} for {_pair(x, y)}, each once")
        if sum(1 << regions.NAMES.index(name) for name in names) != possible:
            return Score.wrong(f"not just these relations of {LETTERS[x]} to {LETTERS[y]} are possible")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    network = regions.network_of(data.count, data.given)
    once = []
    for x, y in data.asked:
        rows = [regions.composed(network[x][z], network[z][y]) for z in range(data.count) if z not in (x, y)]
        once.append(min(rows, key=int.bit_count))
    less = [possible & (possible - 1) or possible ^ 1 for possible in data.possible]
    turned = [regions.converse(possible) for possible in data.possible]
    return [_answer(data, row) for row in (once, less, turned, [255] * len(once), [4] * len(once))]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(data.count**3 * sum(1 + relations.bit_count() for _, _, relations in data.given))


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, list[str]()
    network = regions.network_of(data.count, data.given)

    def narrowed(now: Network) -> bool:
        def changed(i: int, j: int, z: int) -> None:
            told = {"x": LETTERS[i], "y": LETTERS[j], "z": LETTERS[z], "left": regions.named(now[i][j])}
            steps.append(NARROW.write(**told) if now[i][j] else FALLS.write(**told))

        return regions.narrowed(now, changed)

    narrowed(network)
    for x, y in data.asked:
        for k in regions.members(network[x][y]):
            steps.append(SUPPOSE.write(x=LETTERS[x], relation=regions.NAMES[k], y=LETTERS[y]))
            now = regions.put(network, x, y, 1 << k)
            if narrowed(now):
                found = regions.first_scene(now)
                pairs = combinations(range(data.count), 2)
                steps.append(SCENE.write(scene=", ".join(f"{LETTERS[i]} {regions.named(found[i][j])} {LETTERS[j]}" for i, j in pairs)))
            else:
                network = regions.put(network, x, y, network[x][y] & ~(1 << k))
    return [*steps, LAST + environment.answer.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    x, y = -1, -1
    first = regions.network_of(data.count, data.given)
    # what is known, and what is supposed beside it, if something is
    known, now, supposed, tested = first, first, [-1], [(-1, -1)]

    def follows(step: str) -> bool:
        nonlocal known, now, x, y
        if said := SUPPOSE.read(step):
            k, x, y = regions.NAMES.index(said["relation"]), LETTERS.index(said["x"]), LETTERS.index(said["y"])
            open_case, supposed[0] = supposed[0] >= 0, k
            now = regions.put(known, x, y, 1 << k)
            cases = [(p, one) for p, (a, b) in enumerate(data.asked) for one in regions.members(known[a][b])]
            tested.append(next(case for case in cases if case > tested[-1]))
            return not open_case and (data.asked[tested[-1][0]], tested[-1][1]) == ((x, y), k)
        if said := SCENE.read(step):
            found = regions.first_scene(now)
            pairs = combinations(range(data.count), 2)
            case, supposed[0] = supposed[0] >= 0, -1
            return case and said["scene"] == ", ".join(f"{LETTERS[i]} {regions.named(found[i][j])} {LETTERS[j]}" for i, j in pairs)
        falls = FALLS.read(step)
        said = falls or NARROW.read(step) or {}
        i, j, z = (LETTERS.index(said[name]) for name in "xyz")
        left = now[i][j] & regions.composed(now[i][z], now[z][j])
        if len({i, j, z}) < 3 or left != (0 if falls else regions.read(said["left"])) or left == now[i][j]:
            return False
        if falls:
            known = regions.put(known, x, y, known[x][y] & ~(1 << supposed[0]))
            case, supposed[0] = supposed[0] >= 0, -1
            return case
        now = regions.put(now, i, j, left)
        known = now if supposed[0] < 0 else known
        return True

    return first_wrong(steps, follows, ended(LAST, task, environment.answer, verify))


def _made(rng: Rng, knobs: Knobs, nested: bool) -> Task[Data]:
    count = knobs.regions
    while True:
        at = regions.drawn(rng, count, nested)
        pairs = [(rng.integer(0, i - 1), i) for i in range(1, count)]
        free = [pair for pair in combinations(range(count), 2) if pair not in pairs]
        kept = rng.sample(free, min(knobs.asked, len(free)))
        pairs += [pair for pair in free if pair not in kept and rng.chance(SHARES[knobs.links])]
        given = []
        for one, two in rng.shuffled(pairs):
            i, j = (one, two) if rng.chance(0.5) else (two, one)
            true = regions.relation(at[i], at[j])
            others = rng.sample([k for k in range(8) if k != true], rng.integer(knobs.choices > 2, knobs.choices - 1))
            given.append((i, j, sum(1 << k for k in (true, *others))))
        network = regions.network_of(count, given)
        told = regions.narrowed(network)
        good = [(x, y) for x, y in combinations(range(count), 2) if (x, y) not in pairs and network[x][y].bit_count() < 7]
        if not told or len(good) < min(knobs.asked, 2, len(free)):
            continue
        asked = rng.sample(good, min(knobs.asked, len(good)))
        possible = [_possible(network, x, y) for x, y in asked]
        if all(0 < relations.bit_count() < 7 for relations in possible):
            break
    turned = [rng.chance(0.5) for _ in asked]
    asked = [(y, x) if turn else (x, y) for turn, (x, y) in zip(turned, asked, strict=True)]
    possible = [regions.converse(relations) if turn else relations for turn, relations in zip(turned, possible, strict=True)]
    listing = "\n".join(f"{LETTERS[i]} {regions.named(relations)} {LETTERS[j]}" for i, j, relations in given)
    prompt = (
        f"{', '.join(LETTERS[: count - 1])} and {LETTERS[count - 1]} are regions of space, of any shape and perhaps of several parts. Two regions can lie to "
        f"each other in these eight ways, of which always exactly one holds:\n{regions.MEANING}\n\nEach of these statements is true in one of the ways that "
        f"it names:\n{listing}\n\nFor each of these pairs, name every relation R for which `first R second` can be true together with all statements, and "
        f"no other: {', '.join(_pair(x, y) for x, y in asked)}."
    )
    return Task(prompt, Data(count=count, given=tuple(given), asked=tuple(asked), possible=tuple(possible)))


def _possible(network: Network, x: int, y: int) -> int:
    """The relations that can hold; 0 where that takes too long to find."""
    possible = 0
    for k in regions.members(network[x][y]):
        now = regions.put(network, x, y, 1 << k)
        if regions.narrowed(now):
            if not regions.scene(now, [60]):
                return 0
            possible |= 1 << k
    return possible


def _pair(x: int, y: int) -> str:
    return f"{LETTERS[x]}-{LETTERS[y]}"


def _answer(data: Data, found: Sequence[int]) -> Pairs:
    names = [" ".join(regions.named(relations).lower().split(" or ")) for relations in found]
    return tuple(sorted((_pair(x, y).lower(), name) for (x, y), name in zip(data.asked, names, strict=True)))


def _solutions(task: Task[Data]) -> Iterator[Pairs]:
    """The relations for which there is a scene, found in the given order of regions, written in two orders."""
    data = task.data
    network = regions.network_of(data.count, data.given)
    tried = [[bool(regions.scene(regions.put(network, x, y, 1 << k), [10_000])) for k in range(8)] for x, y in data.asked]
    found = _answer(data, [sum(fits << k for k, fits in enumerate(row)) for row in tried])
    yield from (found, tuple((name, " ".join(names.split()[::-1])) for name, names in found))


environment = Environment(
    Knobs,
    Mapping("one line `first-second: relations` for each pair, with the relations in any order, separated by spaces", most=20),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=_solutions,
    concept="How A lies to B and B to C limits how A can lie to C; suppose each relation that is left and look whether anything clashes.",
)
