"""Started games against a built-in opponent: what every match on a board has in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rlgym.core.config import Config, knob
from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.boards.search import At, Move, Rules, Search, TooMuch, search
from rlgym.generators.boards.started import started

OPPONENTS = ("random", "greedy", "exact", "sly")
SAID = {
    "random": "I choose my moves at random",
    "greedy": "I look only one move ahead",
    "exact": "I play perfectly",
    "sly": "I play perfectly, and where I stand to lose I make it as hard for you as I can",
}
WORDS = {1: "wins", 0: "draws", -1: "loses"}
Play = tuple[str, ...]
"""A move as its words."""
Drawn = tuple[At, At]
"""The measures of a board and a position on it."""


class Level(Config):
    """Knobs of every match on a board; each adds its own."""

    against: str = knob("exact", easy="random", hard="sly", order=OPPONENTS, doc="how the opponent plays")
    keeping: int = knob(34, easy=67, hard=25, doc="most legal moves of the first position that keep the win, in percent")


class State(TaskData):
    """Where a match stands. The player to move sees the position `at`; `log` holds the moves in a row that player `by` made last."""

    size: tuple[int, ...]
    at: tuple[int, ...]
    player: int
    seat: int
    against: str
    log: tuple[str, ...] = ()
    by: int = -1


class Board:
    """The parts of a match that the rules decide."""

    def __init__(self, rules: type[Rules], work: int = 20_000, patience: int = 60) -> None:
        """`work` is how many positions may be looked into for a start, `patience` how many starts are drawn before less is asked of them."""
        self.kind, self.work, self.patience = rules, work, patience

    def rules(self, size: At) -> Rules:
        return self.search(size).rules

    def search(self, size: At) -> Search:
        return search(self.kind, size)

    def start(self, rng: Rng, knobs: Level, draw: Callable[[Rng], Drawn]) -> State:
        """A first state that the player to move can win by few of the moves, of which none wins at once.

        draw  a board and a position of a game that has been started; it is drawn anew until one will do
        """
        for attempt in range(10**6):
            size, at = draw(rng)
            rules = self.rules(size)
            # What is hard to meet on a small board is asked for less and less.
            keeping = max(knobs.keeping, min(90, attempt - self.patience)) if attempt > self.patience else knobs.keeping
            quick = knobs.against == "random" or attempt > 3 * self.patience + 20
            fresh, good = Search(rules, self.work), None
            while good is None:
                try:
                    good = self.fits(fresh, at, keeping, quick)
                except TooMuch:
                    # The game goes on by some moves at random, until what is left of it can be looked through.
                    before, at = at, started(rng, rules, at, 2)
                    fresh, good = Search(rules, self.work), False if at == before else None
            if good:
                side = at[-1] if self.sided(size) else rng.integer(0, 1)
                self.search(size).known.update(fresh.known)
                return State(size=size, at=at, player=side, seat=side, against=knobs.against)
        raise AssertionError("unreachable: winning positions are not that rare")

    def sided(self, size: At) -> bool:
        """Whether the last number of a position is the player to move."""
        return getattr(self.kind, "sided", False)

    def fits(self, fresh: Search, at: At, keeping: int, quick: bool) -> bool:
        """Whether a position is won, by not too many of its moves, and takes some moves to win."""
        if fresh.rules.result(at) is not None or fresh.at_once(at):
            return False
        made = fresh.rules.moves(at)
        tempting = fresh.tempting(at)
        # The tempting move is looked at first. Where play is perfect, it is none of those that keep the win.
        kept = 0
        for i in [tempting, *(i for i in range(len(made)) if i != tempting)]:
            kept += made[i][2] * fresh.value(made[i][1]) == 1
            if 100 * kept > keeping * len(made) or (kept and i == tempting and not quick):
                return False
        return kept > 0 and len(made) > 1 and (quick or fresh.slow(at))

    def told(self, state: State, player: int, rules: str, board: str) -> str:
        """What a player reads: before the first move all rules, later the moves since and the board."""
        if not state.log:
            return f"{rules} {SAID[state.against]}; the game stands so that you can win.\n\n{board}\n\nIt is your move."
        made = ", then ".join(state.log)
        if state.by == player:
            return f"You play {made}, and it is your move again. Now:\n{board}"
        return f"I play {made}. Now:\n{board}\nIt is your move."

    def player(self, state: State) -> int:
        return state.player

    def legal(self, state: State) -> list[Play]:
        return [] if self.rules(state.size).result(state.at) is not None else [*self.named(state)]

    def named(self, state: State) -> dict[Play, tuple[Move, At, int]]:
        rules = self.rules(state.size)
        return {tuple(rules.name(made[0]).split()): made for made in rules.moves(state.at)}

    def act(self, state: State, move: Play) -> State:
        _, after, turn = self.named(state)[move]
        log = (*state.log, " ".join(move)) if state.by == state.player else (" ".join(move),)
        player = state.player if turn > 0 else 1 - state.player
        return state.model_copy(update={"at": after, "player": player, "log": log, "by": state.player})

    def returns(self, state: State) -> tuple[float, ...] | None:
        paid = self.rules(state.size).result(state.at)
        if paid is None:
            return None
        return (float(paid), float(-paid)) if state.player == 0 else (float(-paid), float(paid))

    def best(self, state: State) -> Play:
        """A move of the highest value. A sly player who cannot win leaves the other one few moves that keep their value."""
        known = self.search(state.size)
        named = self.named(state)
        values = known.values(state.at)
        top = max(values)
        kept = [(move, made) for (move, made), value in zip(named.items(), values) if value == top]
        if top > 0:
            return next((move for move, (_, after, turn) in kept if known.wins(after, turn)), kept[0][0])
        # A lost game is played on as long as it goes.
        kept = [item for item in kept if known.rules.result(item[1][1]) is None] or kept
        if state.against != "sly":
            return kept[0][0]
        return min(kept, key=lambda item: self._answers(known, *item[1][1:]))[0]

    def _answers(self, known: Search, after: At, turn: int) -> float:
        """The share of the next moves that keep the value of a position."""
        if known.rules.result(after) is not None:
            return 2.0
        values = known.values(after)
        return values.count(max(values)) / len(values) if turn < 0 else 0.0

    def greedy(self, state: State) -> Play:
        return list(self.named(state))[self.search(state.size).tempting(state.at)]

    def goal(self, state: State) -> float:
        return 1.0

    def opponent(self, state: State) -> str:
        return "exact" if state.against == "sly" else state.against

    def seat(self, state: State) -> int:
        return state.seat

    def mistakes(self, state: State) -> list[Play]:
        """Against perfect play the move that looks best, or else another one, if it gives the win away; moves that are not legal."""
        foul, outside = tuple(self.rules(state.size).foul(state.at).split()), ("a0",)
        if self.opponent(state) != "exact":
            return [foul, outside]
        values = dict(zip(self.named(state), self.search(state.size).values(state.at), strict=True))
        losing = [move for move in (self.greedy(state), *values) if values[move] < max(values.values())]
        return [losing[0] if losing else outside, foul, outside]

    def turns(self, state: State) -> int:
        return self.rules(state.size).most(state.at)

    def cost(self, state: State) -> float:
        """The work of reading on to the end, less where the opponent is weak."""
        return self.rules(state.size).work(state.at) * (1 + OPPONENTS.index(state.against))

    def explain(self, state: State) -> list[str]:
        values = self.search(state.size).values(state.at)
        steps = [f"After {' '.join(move)} the one who played it {WORDS[value]}." for move, value in zip(self.named(state), values)]
        return [*steps, f"The best move is {' '.join(self.best(state))}"]

    def parts(self) -> dict[str, Any]:
        """What a Match is declared with beside its knobs, answer, start, show and picture."""
        names = "player legal act returns best greedy goal opponent seat mistakes cost turns explain"
        return {name: getattr(self, name) for name in names.split()}
