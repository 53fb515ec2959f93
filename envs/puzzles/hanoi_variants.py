"""Move disks of different sizes between pegs, from any position to any other, where not every peg can be reached from every peg.

On the middle levels each of several disks has moves that it may never make, so that each disk has its own shortest way round, and the shortest plan
needs more moves than without the bans. On the upper levels a disk may also lie on one that is a little smaller, and a peg holds only so many disks: then
the order on a peg is part of the position, a large disk need not wait for all smaller ones, and no recursion is left.

Any legal moves within the allowed number are accepted. The number is the proved fewest, or the fewest and a few to spare.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache, partial
from itertools import product
from typing import Any

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.puzzles import disk_piles, move_puzzles
from rlgym.generators.puzzles.disk_piles import LETTERS, Piles
from rlgym.generators.puzzles.move_puzzles import Moves

Pegs = tuple[int, ...]  # for each disk, from the smallest, the peg where it lies
Pairs = tuple[tuple[int, int], ...]
Bans = tuple[tuple[int, int, int], ...]  # a disk, and from which peg to which it may never go
SPARE = {"loose": 12, "near": 4, "tight": 0}
OVERLAP = 2
FREE_PEGS = ("bans", "overlap")
ANSWER = Words("the moves in order as pairs of letters, separated by spaces", max_items=300, ignore_case=True)


class Knobs(Config):
    disks: int = knob(5, easy=3, hard=8, doc="how many disks there are")
    moves: int = knob(20, easy=3, hard=40, doc="about how many moves are needed, as far as the disks allow")
    pegs: str = knob("row", easy="free", hard="circle", order=("free", "row", "circle"), doc="which pegs a disk can go between")
    limit: str = knob("near", easy="loose", hard="tight", order=("loose", "near", "tight"), doc="moves to spare: 12, 4 or none")
    rule: str = knob(
        "bans",
        easy="smaller",
        hard="overlap",
        order=("smaller", "bans", "overlap"),
        doc="only smaller disks on larger ones, also moves that single disks may never make, or also disks on those that are a little smaller",
    )
    bans: int = knob(4, easy=1, hard=8, doc="half as many moves as single disks may never make")


class Data(TaskData):
    sizes: tuple[int, ...]
    start: Pegs
    goal: Pegs
    ways: Pairs  # from which peg to which a disk may go
    banned: Bans
    most: int
    fewest: int
    room: int = 0  # how many disks a peg holds, where a disk may lie on one that is a little smaller; 0: it may not
    piles: Piles = ()
    aim: Piles = ()


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    x, y, z = rng.shuffled(range(3))
    ways = {
        "free": [(a, b) for a in range(3) for b in range(3) if a != b],
        "row": sorted([(x, y), (y, x), (y, z), (z, y)]),
        "circle": sorted([(x, y), (y, z), (z, x)]),
    }["free" if knobs.rule in FREE_PEGS else knobs.pegs]
    return _sample_task(rng, knobs, 3, ways)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Four pegs whose ways form a tree, a tree with two way back, or a ring of one-way streets with a way across."""
    order = rng.shuffled(range(4))
    tree = [(order[i], order[rng.integer(0, i - 1)]) for i in range(1, 4)]
    both = tree + [(b, a) for a, b in tree]
    ring = [(order[i], order[(i + 1) % 4]) for i in range(4)]
    ways = {"free": sorted({*both, *ring}), "row": sorted(both), "circle": sorted([*ring, (order[0], order[2])])}[
        "free" if knobs.rule in FREE_PEGS else knobs.pegs
    ]
    return _sample_task(rng, knobs, 4, ways)


def _sample_task(rng: Rng, knobs: Knobs, pegs: int, ways: Sequence[tuple[int, int]]) -> Task[Data]:
    if knobs.rule == "overlap":
        return _sample_overlapping_task(rng, knobs, pegs, tuple(ways))
    disks = min(knobs.disks - 1, 6) if pegs > 3 else knobs.disks
    sizes = tuple(sorted(rng.sample(range(1, 10), disks)))
    banned, distances = _sample_bans(rng, knobs, disks, pegs, tuple(ways))
    start = next(iter(distances))
    # About the knob's number of moves away, or as far as it goes.
    depth_goal = min(knobs.moves, max(distances.values()))
    near = [state for state, depth in distances.items() if 0 < depth <= depth_goal]
    goal = rng.choice([state for state in near if 3 * distances[state] >= 2 * depth_goal] or near or list(distances)[1:2])
    fewest = distances[goal]
    data = Data(sizes=sizes, start=start, goal=goal, ways=tuple(ways), banned=banned, most=fewest + SPARE[knobs.limit], fewest=fewest)
    never = ", ".join(f"disk {sizes[disk]} from {LETTERS[a]} to {LETTERS[b]}" for disk, a, b in banned)
    bans = f" These moves are never allowed: {never}." if banned else ""
    prompt = (
        f"Disks lie on the pegs {', '.join(LETTERS[:pegs])}. Their sizes on each peg, from bottom to top:\n"
        f"{_render_pegs(start, sizes, pegs)}\n\nA move takes the top disk of a peg and puts it on top of another peg, never onto a "
        f"smaller disk{_directions(tuple(ways), pegs)}.{bans} Reach this position with at most {data.most} moves:\n"
        f"{_render_pegs(goal, sizes, pegs)}\n\nWrite a move as two letters, the peg that the disk leaves and the peg that it goes to."
    )
    return Task(prompt, data)


def _directions(ways: Pairs, pegs: int) -> str:
    """The words that restrict the directions of moves; empty where every direction is allowed."""
    if len(ways) == pegs * (pegs - 1):
        return ""
    return f", and only in one of these directions: {', '.join(f'{LETTERS[a]} to {LETTERS[b]}' for a, b in ways)}"


def _sample_overlapping_task(rng: Rng, knobs: Knobs, pegs: int, ways: Pairs) -> Task[Data]:
    disks = max(4, knobs.disks - 2)
    room = disks - 2 if pegs == 3 else 2
    depth_goal = 3 * knobs.moves // 5
    depth, tries = 0, 0
    while depth < depth_goal and tries < 5:
        tries += 1
        sizes = tuple(sorted(rng.sample(range(1, 10), disks)))
        first = disk_piles.sample_piles(rng, sizes, pegs, OVERLAP, room)
        distances = (
            move_puzzles.breadth_first_distances(
                [first], lambda piles: [after for _, after in disk_piles.pile_moves(piles, ways, OVERLAP, room)], 10**6
            )
            or {}
        )
        if max(distances.values()) > depth:
            depth = max(distances.values())
            start, reached, kept = first, distances, sizes
    wanted = min(depth, depth_goal)
    aim = rng.choice([piles for piles, distance in reached.items() if distance == wanted])
    most = wanted + SPARE[knobs.limit]
    prompt = (
        f"Disks lie on the pegs {', '.join(LETTERS[:pegs])}. Their sizes on each peg, from bottom to top:\n"
        f"{disk_piles.render_piles(start)}\n\nA move takes the top disk of a peg and puts it on top of another peg"
        f"{_directions(ways, pegs)}. A peg holds at most {room} disks. A disk may go onto an empty peg, "
        f"onto any larger disk, and onto a disk that is smaller by at most {OVERLAP}. Reach this position with at most {most} moves:\n"
        f"{disk_piles.render_piles(aim)}\n\nWrite a move as two letters, the peg that the disk leaves and the peg that it goes to."
    )
    data = Data(sizes=kept, start=(), goal=(), ways=ways, banned=(), most=most, fewest=wanted, room=room, piles=start, aim=aim)
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return move_puzzles.a_star(_puzzle(task.data), 10**7) or ()


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return move_puzzles.verify_plan(_puzzle(task.data), answer, task.data.most, "the disks do not lie as asked")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    return move_puzzles.near_misses(right)


def cost(task: Task[Data]) -> float:
    if task.data.room:
        return task.data.fewest * len(task.data.sizes) ** 2 * 10
    spare = task.data.most - task.data.fewest
    return task.data.fewest * len(task.data.start) * (1 if spare > 9 else 2 if spare else 3) * (1 + len(task.data.banned) / 4)


def _sample_bans(rng: Rng, knobs: Knobs, disks: int, pegs: int, ways: Pairs) -> tuple[Bans, dict[Pegs, int]]:
    """Moves that single disks may never make, and the positions that can be reached from a random start with their distances.

    With bans, only positions are kept that are nearer without them. Every disk can still go from every peg to every other.
    """
    neighbours = _neighbours(disks, pegs, ways)
    start = tuple(rng.integer(0, pegs - 1) for _ in range(disks))
    free = move_puzzles.breadth_first_distances([start], neighbours.__getitem__, 10**6) or {}
    banned = set[tuple[int, int, int]]()
    for disk, way in rng.shuffled([(disk, way) for disk in range(disks) for way in ways]):
        left = [other for other in ways if other != way and (disk, *other) not in banned]
        if len(banned) < (2 * knobs.bans if knobs.rule == "bans" else 0) and _is_strongly_connected(pegs, left):
            banned.add((disk, *way))
    if not banned:
        return (), free
    found = move_puzzles.breadth_first_distances([start], partial(_allowed_moves, neighbours, banned), 10**6) or {}
    farther = {state: depth for state, depth in found.items() if depth > free[state] + 1}
    return tuple(sorted(banned)), {start: 0} | (farther or found)


def _is_strongly_connected(pegs: int, ways: Sequence[tuple[int, int]]) -> bool:
    return all(
        len(move_puzzles.breadth_first_distances([start], lambda peg: [b for a, b in ways if a == peg], pegs) or ()) == pegs
        for start in range(pegs)
    )


def _allowed_moves(neighbours: Mapping[Pegs, Sequence[Pegs]], banned: Set[tuple[int, int, int]], state: Pegs) -> list[Pegs]:
    """The positions one move after a position, without the banned moves."""
    after_moves = []
    for after in neighbours[state]:
        disk = next(i for i, (a, b) in enumerate(zip(state, after, strict=True)) if a != b)
        if (disk, state[disk], after[disk]) not in banned:
            after_moves.append(after)
    return after_moves


def _options(state: Pegs, ways: Sequence[tuple[int, int]], banned: Bans = ()) -> list[tuple[str, Pegs]]:
    top = {peg: disk for disk, peg in reversed(list(enumerate(state)))}
    none = len(state)
    return [
        ((LETTERS[a] + LETTERS[b]).lower(), (*state[: top[a]], b, *state[top[a] + 1 :]))
        for a, b in ways
        if top.get(a, none) < top.get(b, none) and (top[a], a, b) not in banned
    ]


@lru_cache(maxsize=32)
def _neighbours(disks: int, pegs: int, ways: Pairs) -> dict[Pegs, tuple[Pegs, ...]]:
    """The positions one move after each position."""
    states = list(product(range(pegs), repeat=disks))
    same = {state: state for state in states}
    return {state: tuple(same[after] for _, after in _options(state, ways)) for state in states}


def _puzzle(data: Data) -> Moves[Any]:
    if data.room:
        return _overlapping_puzzle(data)
    pegs = 1 + max(peg for move in data.ways for peg in move)

    def describe(state: Pegs) -> str:
        waiting = [data.sizes[disk] for disk, peg in enumerate(state) if peg != data.goal[disk]]
        rest = f"the largest disk that is not where it goes is {waiting[-1]}" if waiting else "every disk is where it goes"
        return f"{_render_pegs(state, data.sizes, pegs).replace(chr(10), '; ')}; {rest}"

    return Moves(data.start, lambda state: _options(state, data.ways, data.banned), lambda state: state == data.goal, describe)


def _overlapping_puzzle(data: Data) -> Moves[Piles]:
    def describe(piles: Piles) -> str:
        return (
            f"{disk_piles.render_piles(piles).replace(chr(10), '; ')}; disks that must still move: {disk_piles.mismatched(piles, data.aim)}"
        )

    return Moves(
        data.piles,
        lambda piles: disk_piles.pile_moves(piles, data.ways, OVERLAP, data.room),
        lambda piles: piles == data.aim,
        describe,
        lambda piles: disk_piles.mismatched(piles, data.aim),
    )


def _render_pegs(state: Pegs, sizes: Pegs, pegs: int) -> str:
    piles = [" ".join(str(sizes[disk]) for disk in reversed(range(len(state))) if state[disk] == peg) for peg in range(pegs)]
    return "\n".join(f"{LETTERS[peg]}: {pile or 'empty'}" for peg, pile in enumerate(piles))


def solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    yield from move_puzzles.other_plans(_puzzle(task.data), solve(task), task.data.most, 10**7)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=move_puzzles.solution(_puzzle, solve, ANSWER), shift=shift, answers="many", solutions=solutions,
    concept="Look at the largest disk that must still move: all smaller ones have to be off both its pegs first, which is a smaller task of the same kind.",
    shared_helpers="The helper lists the legal moves of a position, which is the rule that the prompt states.",
    version=3,
)  # fmt: skip
