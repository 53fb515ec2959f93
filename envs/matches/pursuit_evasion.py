"""Catch a robber on a map within a stated number of moves, or as the robber stay free for as long."""

from functools import lru_cache

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.play import Board, Drawn, Level, State
from rlgym.generators.boards.search import At, Move, Rules
from rlgym.generators.drawing.pictures import network

TOWNS = "ABCDEFGHIJKLMNOP"


class Knobs(Level):
    towns: int = knob(12, easy=8, hard=16, doc="towns on the map")
    moves: int = knob(5, easy=3, hard=8, doc="moves that the cop has")


class Chase(Rules):
    """The size is the number of towns and the ends of all roads. A position is four numbers.

    They are the town of the cop and of the robber, the moves that the cop has left, and 0 where the cop is to move or 1 where the robber is.
    """

    sided = True

    def __init__(self, size: At) -> None:
        super().__init__(size)
        self.near, self.far = _distance_tables(size)

    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        cop, robber, moves_left, side = at
        if side:
            return [((town,), (cop, town, moves_left, 0), -1) for town in self.near[robber] if town != cop]
        return [((town,), (town, robber, moves_left - 1, 1), -1) for town in self.near[cop]]

    def result(self, at: At) -> int | None:
        cop, robber, moves_left, side = at
        if not side:
            return None
        return -1 if cop == robber or self.near[robber] == (cop,) else None if moves_left else 1

    def name(self, move: Move) -> str:
        return TOWNS[move[0]].lower()

    def most(self, at: At) -> int:
        return at[-2] + 1

    def merit(self, at: At, after: At, turn: int) -> int:
        """For the cop the nearness to the robber, for the robber the distance from the cop."""
        away = self.far[after[0]][after[1]]
        return away if at[-1] else -away

    def work(self, at: At) -> float:
        return float(self.size[0] * at[-2])

    def foul(self, at: At) -> str:
        return self.name((at[at[-1]],))


MAP = Board(Chase, work=4000, patience=20)


def start(rng: Rng, knobs: Knobs) -> State:
    return MAP.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: State, player: int) -> str:
    cop, robber, moves_left, _ = state.at
    roads = ", ".join(f"{TOWNS[a]}-{TOWNS[b]}" for a, b in zip(state.size[1::2], state.size[2::2], strict=True))
    mine, yours = ("cop", "robber")[:: 1 - 2 * player]
    rules = (
        f"A map has the towns {TOWNS[0]} to {TOWNS[state.size[0] - 1]} and the roads {roads}; each can be used in both directions. You are the {mine}, I am "
        f"the {yours}. We move in turn. In a move the one whose turn it is goes along one road to the next town; nobody may stay where they are, and the "
        "robber may not go to the town of the cop. The robber is caught when the cop comes to the robber's town, or when after a move of the cop every road "
        f"from the robber's town leads to the cop's. The cop wins by catching the robber within {_moves(moves_left)} of the cop, "
        "counted from now on; otherwise the "
        "robber wins."
    )
    return MAP.describe(state, player, rules, f"Cop: {TOWNS[cop]}. Robber: {TOWNS[robber]}. The cop has {_moves(moves_left)} left.")


def picture(state: State, player: int) -> str:
    cop, robber = state.at[:2]
    shown = [f"{name} cop" if i == cop else f"{name} robber" if i == robber else name for i, name in enumerate(TOWNS[: state.size[0]])]
    roads = [(shown[a], shown[b]) for a, b in zip(state.size[1::2], state.size[2::2], strict=True)]
    return network(shown, roads, marked=[shown[i] for i in (cop, robber)])


def _moves(count: int) -> str:
    return f"{count} move" if count == 1 else f"{count} moves"


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    # Each town after the first has a road to one of those just before it, so the map hangs together; some more roads close rings.
    towns, order = knobs.towns, rng.shuffled(range(knobs.towns))
    roads = {frozenset((order[i], order[rng.integer(max(0, i - 4), i - 1)])) for i in range(1, towns)}
    for _ in range(towns // 3 + rng.integer(0, 2)):
        roads.add(frozenset(rng.sample(range(towns), 2)))
    laid = sorted(tuple(sorted(road)) for road in roads)
    cop, robber = rng.sample(range(towns), 2)
    return (towns, *(town for road in laid for town in road)), (cop, robber, knobs.moves, int(rng.chance(0.2)))


@lru_cache(maxsize=64)
def _distance_tables(size: At) -> tuple[list[tuple[int, ...]], list[list[int]]]:
    """The towns next to each town, and the roads from each town to each other on a shortest way."""
    roads = list(zip(size[1::2], size[2::2], strict=True))
    near = [tuple(sorted(b if a == town else a for a, b in roads if town in (a, b))) for town in range(size[0])]
    distances = []
    for town in range(size[0]):
        away, reached = {town: 0}, [town]
        for at in reached:
            for neighbour in near[at]:
                if neighbour not in away:
                    away[neighbour] = away[at] + 1
                    reached.append(neighbour)
        distances.append([away[other] for other in range(size[0])])
    return near, distances


environment = Match(
    Knobs, Words("the letter of the town to which you go", max_items=1, ignore_case=True), start, show,
    **MAP.parts(), picture=picture,
    concept="Work back from the positions in which the robber is caught: count in how many moves each of them can be forced.",
    version=3,
)  # fmt: skip
