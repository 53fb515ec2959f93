"""Win the end of a game of kalah, in which seeds are sown along the pits and a last seed in the own store gives another move."""

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.play import Board, Drawn, Level, State
from rlgym.generators.boards.search import At, Move, Rules
from rlgym.generators.drawing.pictures import board


class Knobs(Level):
    lasting: int = knob(3, easy=2, hard=6, doc="least moves of yours that a win takes if both play well")
    pits: int = knob(5, easy=4, hard=6, doc="pits of each player")
    seeds: int = knob(9, easy=7, hard=11, doc="seeds that still lie in the pits")


class Kalah(Rules):
    """A position has the seeds in each pit of the player to move and of the other, and in both stores. The size is the number of pits of each."""

    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        return [((pit,), *self.sown(at, pit)) for pit in reversed(range(self.size[0])) if at[pit]] if self.result(at) is None else []

    def sown(self, at: At, pit: int) -> tuple[At, int]:
        pits = self.size[0]
        ring, seeds = [*at[:pits], at[-2], *at[pits:-2]], at[pit]
        ring[pit], place, size = 0, pit, len(ring)
        for place in range(pit + 1, pit + 1 + seeds):
            ring[place % size] += 1
        place %= size
        facing = 2 * pits - place
        if place < pits and ring[place] == 1 and ring[facing]:
            ring[pits] += 1 + ring[facing]
            ring[place] = ring[facing] = 0
        mine, store, theirs, other = ring[:pits], ring[pits], ring[pits + 1 :], at[-1]
        if not any(mine) or not any(theirs):
            store, other = store + sum(mine), other + sum(theirs)
            mine = theirs = [0] * pits
        elif place == pits:
            return (*mine, *theirs, store, other), 1
        return (*theirs, *mine, other, store), -1

    def result(self, at: At) -> int | None:
        mine, theirs, total = at[-2], at[-1], sum(at)
        if mine + theirs < total and 2 * mine <= total and 2 * theirs <= total:
            return None
        return (mine > theirs) - (mine < theirs)

    def name(self, move: Move) -> str:
        return str(move[0] + 1)

    def most(self, at: At) -> int:
        return 4 * sum(at[:-2])

    def merit(self, at: At, after: At, turn: int) -> int:
        """The seeds that come into the own store at once."""
        return after[-2] if turn > 0 else after[-1]

    def work(self, at: At) -> float:
        return float(sum(at[:-2]) ** 3)

    def foul(self, at: At) -> str:
        return str(next((pit for pit in range(self.size[0]) if not at[pit]), self.size[0]) + 1)


PITS = Board(Kalah, work=1500, patience=60)


def start(rng: Rng, knobs: Knobs) -> State:
    return PITS.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: State, player: int) -> str:
    pits = state.size[0]
    first, second = state.at[:pits], state.at[pits:-2]
    lines = [(first, state.at[-2]), (second, state.at[-1])]
    mine, theirs = lines if player == state.player else lines[::-1]
    last, total = f"pit {pits}", sum(state.at)
    facing = ", ".join(f"your {pit + 1} faces my {pits - pit}" for pit in range(pits))
    rules = (
        f"We play kalah. Each of us has {pits} pits, numbered from 1 to {pits}, and a store; there are {total} seeds in all. We move in turn. In a move a "
        "player takes all seeds out of one of their own pits that is not empty and sows them, one into each of the places that follow: their own pits in "
        f"ascending order up to {last}, their own store, the other player's pits from 1 to {pits}, then their own pits from 1 on again; the other player's "
        "store is left out. If the last seed falls into the mover's own store, the mover moves again. If it falls into one of the mover's own pits that was "
        "empty just before, and there are seeds in the pit of the other player that faces it, then this last seed and all seeds in the facing pit go "
        f"into the mover's store ({facing}). When all pits of one player are empty after a move, the game is over, and the seeds that are left in the "
        f"pits of the other go into the store of that other player. The game is also over as soon as a store holds more than half of all seeds. The "
        "player who has more seeds in the store wins; equal numbers are a draw, which is not enough for you."
    )
    rows = [
        f"{whose} pits from 1 to {pits}: {' '.join(map(str, row))}; store: {store}"
        for whose, (row, store) in (("Your", mine), ("My", theirs))
    ]
    return PITS.describe(state, player, rules, "\n".join(rows))


def picture(state: State, player: int) -> str:
    pits = state.size[0]
    first, second = ((state.at[:pits], state.at[-2]), (state.at[pits:-2], state.at[-1]))[:: 1 if state.player == 0 else -1]
    rows = [[str(seeds) for seeds in reversed(second[0])], [str(seeds) for seeds in first[0]]]
    return board(rows, left=("", str(second[1])), right=("", str(first[1])), bottom=tuple(str(pit + 1) for pit in range(pits)))


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    counts, stored = [0] * 2 * knobs.pits, rng.integer(6 * knobs.pits, 16 * knobs.pits) - knobs.seeds
    for seed in range(knobs.seeds):
        # Each player has a seed.
        side, among = (seed % 2, 1) if seed < 2 else (0, 2)
        counts[side * knobs.pits + rng.integer(0, among * knobs.pits - 1)] += 1
    mine = stored // 2 + rng.integer(-5, 4)
    return (knobs.pits,), (*counts, mine, stored - mine)


environment = Match(
    Knobs, Words("the number of the pit that you empty", max_items=1), start, show,
    **PITS.parts(), picture=picture,
    concept="Sow to the end in the mind: moves that end in the own store come first, seeds in a row are kept from capture, and every seed is counted.",
    guessable="At the lowest level the opponent looks one move ahead and a few moves decide, so that moves repeated while they are legal win now and then.",
    version=6,
)  # fmt: skip
