"""Win a game in which two players colour the regions of a map, each with one colour, and neighbours must differ or must agree."""

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.play import Board, Drawn, Level, State
from rlgym.generators.boards.search import At, Move, Rules
from rlgym.generators.boards.started import play_random_moves
from rlgym.generators.drawing.pictures import network
from rlgym.generators.numbers.bitsets import places, unions

KINDS = ("differ", "agree")
NAMES = "abcdefghijklmnopqr"
FORBIDDEN = {
    "differ": "Nobody may colour a region that borders on a region of their own colour.",
    "agree": "Nobody may colour a region that borders on a region of the other player's colour.",
}


class Knobs(Level):
    lasting: int = knob(3, easy=2, hard=4, doc="least moves of yours that a win takes if both play well")
    regions: int = knob(11, easy=8, hard=13, doc="regions of the map")
    kind: str = knob(
        "differ", easy="differ", hard="agree", order=KINDS, doc="which neighbours are forbidden: of one's own colour, or of the other's"
    )


class Colouring(Rules):
    """The size is the kind and the neighbours of each region as bits; a position has a bit for each region of the mover and of the other player."""

    def __init__(self, size: At) -> None:
        super().__init__(size)
        half = len(size) // 2
        self._half, self._all = half, (1 << len(size) - 1) - 1
        self._low, self._high = unions(size[1 : half + 1]), unions(size[half + 1 :])
        self._with_neighbours = [1 << region | neighbours for region, neighbours in enumerate(size[1:])]

    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        mine, theirs = at
        return [((region,), (theirs, mine | 1 << region), -1) for region in places(self.free(mine, theirs))]

    def free(self, mine: int, theirs: int) -> int:
        """The regions that the player to move may colour, as bits."""
        return ~(mine | theirs | self.bordering(theirs if self.size[0] else mine)) & self._all

    def bordering(self, regions: int) -> int:
        """The regions that border on some of these, as bits."""
        return self._low[regions & (1 << self._half) - 1] | self._high[regions >> self._half]

    def solved(self, at: At) -> int | None:
        """Regions that one player may colour, whatever the other does, can wait: enough of them decide the game."""
        own, other = self.free(*at), self.free(at[1], at[0])
        if self.waiting(own, other) > other.bit_count():
            return 1
        return -1 if self.waiting(other, own) >= own.bit_count() else None

    def waiting(self, free: int, others: int) -> int:
        """How many regions, at least, a player who may colour those of `free` can still colour, whatever the other does."""
        alone = free & ~others
        # A neighbour takes one of them away when the other player colours it, or when the player does, as the game is.
        return (alone & ~self.bordering(others if self.size[0] else alone)).bit_count()

    def result(self, at: At) -> int | None:
        return None if self.free(*at) else -1

    def name(self, move: Move) -> str:
        return NAMES[move[0]]

    def most(self, at: At) -> int:
        return (len(self.size) - (at[0] | at[1]).bit_count()) // 2

    def merit(self, at: At, after: At, turn: int) -> int:
        return self.free(after[1], after[0]).bit_count() - self.free(*after).bit_count()

    def merits(self, at: At) -> list[int]:
        # A region takes itself from what one player may colour later, and itself with its neighbours from what the other may.
        own, other, agree = self.free(*at), self.free(at[1], at[0]), self.size[0]
        around, regions = self._with_neighbours, places(own)
        if agree:
            return [own.bit_count() - 1 - (other & ~around[region]).bit_count() for region in regions]
        return [(own & ~around[region]).bit_count() - (other & ~(1 << region)).bit_count() for region in regions]

    def work(self, at: At) -> float:
        return float((len(self.size) - (at[0] | at[1]).bit_count()) ** 3 * (1 + self.size[0]))

    def foul(self, at: At) -> str:
        return NAMES[places(at[0] | at[1])[0]]


MAP = Board(Colouring, work=2500, patience=8)


def start(rng: Rng, knobs: Knobs) -> State:
    return MAP.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: State, player: int) -> str:
    kind, *degrees = state.size
    names = NAMES[: len(degrees)].upper()
    borders = ", ".join(f"{names[a]}-{names[b]}" for a in range(len(degrees)) for b in places(degrees[a]) if a < b)
    mine, theirs = state.at if state.player == player else state.at[::-1]
    texts = [", ".join(names[region] for region in places(regions)) or "none" for regions in (mine, theirs)]
    rules = (
        f"A map has the regions {names[0]} to {names[-1]}; these pairs border on each other: {borders}. We colour regions in turn: you paint in "
        f"{('red', 'blue')[player]}, I paint in {('blue', 'red')[player]}. In a move a player colours one region that has no colour yet. "
        f"{FORBIDDEN[KINDS[kind]]} A player who cannot move loses."
    )
    return MAP.describe(state, player, rules, f"Your regions: {texts[0]}. My regions: {texts[1]}.")


def picture(state: State, player: int) -> str:
    _, *degrees = state.size
    first, second = state.at if state.player == 0 else state.at[::-1]
    colours = [" red" if first >> i & 1 else " blue" if second >> i & 1 else "" for i in range(len(degrees))]
    names = [f"{NAMES[i].upper()}{colour}" for i, colour in enumerate(colours)]
    return network(names, [(names[a], names[b]) for a in range(len(degrees)) for b in places(degrees[a]) if a < b])


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    # Each region after the second borders on an earlier one, or on two that border on each other: such a map can be drawn in the plane.
    count = knobs.regions
    order = rng.shuffled(range(count))
    borders = [(order[0], order[1])]
    for region in order[2:]:
        first, second = rng.choice(borders)
        borders += [(first, region)] + [(second, region)] * rng.chance(0.5)
    degrees = [sum(1 << (b if a == i else a) for a, b in borders if i in (a, b)) for i in range(count)]
    size = (KINDS.index(knobs.kind), *degrees)
    return size, play_random_moves(rng, MAP.rules(size), (0, 0), rng.integer(1, 2))


environment = Match(
    Knobs, Words("the letter of the region that you colour", max_items=1, ignore_case=True), start, show,
    **MAP.parts(), picture=picture,
    short_matches="A position that takes six moves is too large to be solved within the time that a task may take.",
    concept="Count the regions that only you may still colour and those that only the other player may: each is a move in hand.",
    version=5,
)  # fmt: skip
