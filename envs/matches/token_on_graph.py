"""Win a game in which a token is moved along the roads of a map, never back to a town where it has been."""

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.play import Board, Drawn, Level, State
from rlgym.generators.boards.search import At, Move, Rules
from rlgym.generators.drawing.pictures import network
from rlgym.generators.numbers.bitsets import places

KINDS = ("both ways", "one way", "roads")
USED = {
    "both ways": "Roads can be used in both directions. In a move a player moves the token along one road to a town where it has not been yet.",
    "one way": "Each road leads in one direction, from the first town to the second. In a move a player moves the token along one road to a town where it "
    "has not been yet.",
    "roads": "Roads can be used in both directions. In a move a player moves the token along one road that has not been used yet, and towns may be "
    "visited again.",
}


class Knobs(Level):
    lasting: int = knob(4, easy=3, hard=6, doc="least moves of yours that a win takes if both play well")
    towns: int = knob(12, easy=9, hard=16, doc="towns on the map")
    kind: str = knob(
        "one way", easy="both ways", hard="roads", order=KINDS, doc="what may not be used again, and whether roads have a direction"
    )


class Token(Rules):
    """The size is the number of towns, the kind and the ends of all roads; a position is where the token is and what is used up, a bit each."""

    def __init__(self, size: At) -> None:
        super().__init__(size)
        self.towns, self.kind = size[:2]
        self.roads = tuple(zip(size[2::2], size[3::2], strict=True))
        steps = [(a, b, i) for i, (a, b) in enumerate(self.roads)]
        if self.kind != 1:
            steps += [(b, a, i) for i, (a, b) in enumerate(self.roads)]
        self.beside: list[list[tuple[int, int]]] = [[] for _ in range(self.towns)]
        for a, b, i in sorted(steps):
            self.beside[a].append((b, 1 << (i if self.kind == 2 else b)))
        self._ways = [sum(bit for _, bit in ways) for ways in self.beside]

    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        return [((town,), (town, at[1] | bit), -1) for town, bit in self.beside[at[0]] if not at[1] & bit]

    def result(self, at: At) -> int | None:
        return None if self._ways[at[0]] & ~at[1] else -1

    def merit(self, at: At, after: At, turn: int) -> int:
        return turn * (self._ways[after[0]] & ~after[1]).bit_count()

    def merits(self, at: At) -> list[int]:
        ways = self._ways
        return [-(ways[town] & ~used).bit_count() for _, (town, used), _ in self.legal(at)]

    def name(self, move: Move) -> str:
        return "abcdefghijklmnop"[move[0]]

    def most(self, at: At) -> int:
        free = (len(self.roads) if self.kind == 2 else self.towns) - at[1].bit_count()
        return (free + 1) // 2

    def work(self, at: At) -> float:
        return float(self.towns**2 * (1 + self.kind))

    def foul(self, at: At) -> str:
        return self.name((at[0],))


MAP = Board(Token)


def start(rng: Rng, knobs: Knobs) -> State:
    return MAP.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: State, player: int) -> str:
    rules = MAP.rules(state.size)
    assert isinstance(rules, Token)
    token, used = state.at
    names = [rules.name((town,)).upper() for town in range(rules.towns)]
    if rules.kind == 2:
        spent = f"Roads used: {', '.join(f'{names[a]}-{names[b]}' for i, (a, b) in enumerate(rules.roads) if used >> i & 1) or 'none'}"
    else:
        spent = f"Towns where it has been: {', '.join(names[town] for town in places(used))}"
    rules_text = (
        f"A map has the towns {names[0]} to {names[-1]} and the roads {', '.join(f'{names[a]}-{names[b]}' for a, b in rules.roads)}. We move one token in "
        f"turn. {USED[KINDS[rules.kind]]} A player who cannot move loses."
    )
    return MAP.describe(state, player, rules_text, f"The token is in {names[token]}. {spent}.")


def picture(state: State, player: int) -> str:
    rules = MAP.rules(state.size)
    assert isinstance(rules, Token)
    names = [rules.name((town,)).upper() for town in range(rules.towns)]
    used_up = [rules.kind == 2 and state.at[1] >> i & 1 for i in range(len(rules.roads))]
    been = [rules.kind < 2 and state.at[1] >> town & 1 for town in range(rules.towns)]
    shown = [f"{name}*" if town == state.at[0] else f"({name})" if been[town] else name for town, name in enumerate(names)]
    roads = [(shown[a], shown[b]) for (a, b), used in zip(rules.roads, used_up) if not used]
    return network(shown, roads, directed=rules.kind == 1, marked=[shown[state.at[0]]])


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    # Each town after the first has a road to an earlier one, so the map hangs together; some more roads make it no tree.
    kind, towns = KINDS.index(knobs.kind), knobs.towns
    order = rng.shuffled(range(towns))
    roads = {frozenset((order[i], order[rng.integer(max(0, i - 4), i - 1)])) for i in range(1, towns)}
    while len(roads) < towns + (towns // 2, towns, 7)[kind]:
        roads.add(frozenset(rng.sample(range(towns), 2)))
    laid = sorted(tuple(sorted(road)) for road in roads)
    laid = [(b, a) if kind == 1 and rng.chance(0.5) else (a, b) for a, b in laid]
    token = rng.integer(0, towns - 1)
    return (towns, kind, *(town for road in laid for town in road)), (token, 0 if kind == 2 else 1 << token)


environment = Match(
    Knobs, Words("the letter of the town to which the token goes", max_items=1, ignore_case=True), start, show,
    **MAP.parts(), picture=picture,
    concept="A town is lost for the player to move if all roads on from it lead to towns that are won; work back from the dead ends.",
    version=4,
)  # fmt: skip
