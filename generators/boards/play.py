"""Started games against a built-in opponent: what every match on a board has in common."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from typing import Any

from rlgym.core.config import Config, knob
from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.boards.search import At, Move, Rules, Search, TooMuch, search
from rlgym.generators.boards.started import play_random_moves

OPPONENTS = ("greedy", "lookahead", "exact", "sly")
SAID = {
    "greedy": "I look only one move ahead",
    "lookahead": "I look several moves ahead",
    "exact": "I play perfectly",
    "sly": "I play perfectly, and where I stand to lose I make it as hard for you as I can",
}
WORDS = {1: "wins", 0: "draws", -1: "loses"}
WEAK_PLAYS = 16
"""Random plays that must lose from a start."""
RARE, LEAST_RARE, TIRED = 12, 5, 150
FOLLOWERS = 8
"""Positions of one game that are tried as a start."""
_NUMBER = re.compile(r"\d+")
Play = tuple[str, ...]
"""A move as its words."""
Drawn = tuple[At, At]
"""The measures of a board and a position on it."""


class Level(Config):
    """Knobs of every match on a board; each adds its own."""

    against: str = knob("exact", easy="greedy", hard="sly", order=OPPONENTS, doc="how the opponent plays")
    keeping: int = knob(34, easy=50, hard=25, doc="most legal moves of the first position that keep the win, in percent")
    lasting: int = knob(4, easy=2, hard=6, doc="least moves of yours that a win takes if both play well")


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

    def __init__(
        self, rules: type[Rules], work: int = 20_000, patience: int = 60, nodes: int = 200, habits: tuple[str, ...] = OPPONENTS
    ) -> None:
        """`work` limits the positions solved for a start, `patience` the starts drawn before less is asked of them, `nodes` a lookahead.
        Against the opponents in `habits`, a repeated move must not win from a start."""
        self.habits = habits
        self.kind, self.work, self.patience, self.nodes = rules, work, patience, nodes

    def rules(self, size: At) -> Rules:
        return self.search(size).rules

    def search(self, size: At) -> Search:
        return search(self.kind, size)

    def start(self, rng: Rng, knobs: Level, draw: Callable[[Rng], Drawn]) -> State:
        """A first state that the player to move wins by few of the moves, and in which greedy and random play lose.

        draw  a board and a position of a game that has been started; it is drawn anew until one will do
        """
        for attempt in range(10**6):
            size, at = draw(rng)
            rules = self.rules(size)
            # What is hard to meet on a small board is asked for less and less.
            late = max(0, attempt - self.patience)
            keeping, lasting = max(knobs.keeping, min(90, late)) if late else knobs.keeping, knobs.lasting - late // 10
            fresh, base = Search(rules, self.work), at
            for k in range(FOLLOWERS):
                state = State(size=size, at=at, player=0, seat=0, against=knobs.against)
                try:
                    good = self.fits(
                        rng, fresh, state, keeping, lasting, relaxed=late > 0, rare=max(LEAST_RARE, RARE - late // 4) * (late < TIRED)
                    )
                except TooMuch:
                    fresh, at = Search(rules, self.work), play_random_moves(rng, rules, at, 2)
                    base = at
                    continue
                if good:
                    side = at[-1] if self.sided(size) else rng.integer(0, 1)
                    self.search(size).known.update(fresh.known)
                    self.search(size).replies.update(fresh.replies)
                    return state.model_copy(update={"player": side, "seat": side})
                base, at = at if k == FOLLOWERS // 2 else base, self.follower(rng, fresh, base)
        raise AssertionError("unreachable: winning positions are not that rare")

    def sided(self, size: At) -> bool:
        """Whether the last number of a position is the player to move."""
        return getattr(self.kind, "sided", False)

    def follower(self, rng: Rng, fresh: Search, at: At) -> At:
        """A position that follows one that was looked into, by a move that loses where one is known."""
        rules = fresh.rules
        won = [after for _, after, turn in rules.legal(at) if turn < 0 and fresh.known.get(rules.key(after)) == 1]
        won = [after for after in won if rules.result(after) is None]
        return rng.choice(won) if won else play_random_moves(rng, rules, at, 1)

    def fits(self, rng: Rng, fresh: Search, state: State, keeping: int, lasting: int, relaxed: bool, rare: int) -> bool:
        """Whether a position is won by not too many moves, takes long enough, and is lost by greedy and random play.

        Unless `relaxed`, the move that looks best at once must lose as well.
        """
        at = state.at
        if fresh.rules.result(at) is not None or fresh.at_once(at):
            return False
        made = fresh.rules.legal(at)
        if not relaxed and state.against != "greedy":
            # Most starts fail here, after the value of one move.
            _, after, turn = made[fresh.tempting(at)]
            if turn * fresh.value(after) == 1:
                return False
        kept = 0
        for i in range(len(made)):
            kept += made[i][2] * fresh.value(made[i][1]) == 1
            if 100 * kept > keeping * len(made):
                return False
        if not kept or len(made) < 2:
            return False
        wins, moves = self.playout(fresh, state, lambda now: self._exact(fresh, now, state.against))
        if not wins or moves < lasting:
            return False
        if rare and state.against in self.habits and self.habit_wins(fresh, state, rare):
            return False
        if state.against == "greedy":
            return True
        weak: list[Callable[[At], int]] = [fresh.tempting]
        # A lookahead takes long for each move.
        plays = WEAK_PLAYS // 2 if state.against == "lookahead" else WEAK_PLAYS
        weak += [lambda now: rng.integer(0, len(fresh.rules.legal(now)) - 1)] * plays
        return not any(self.playout(fresh, state, each)[0] for each in weak)

    def habit_wins(self, fresh: Search, state: State, rare: int) -> bool:
        """Whether a player wins who always makes the move at the same place among the legal ones, or repeats one move while it is legal.

        Of the moves repeated against a greedy opponent, one in `rare` may win.
        """
        rules = fresh.rules
        places: list[Callable[[At], int]] = [lambda now, share=share: len(rules.legal(now)) * share // 4 for share in range(4)]  # type: ignore[misc]
        places += [lambda now: len(rules.legal(now)) - 1, *(lambda now, sign=sign: _move_by_number(rules, now, sign) for sign in (1, -1))]
        if any(self.playout(fresh, state, place)[0] for place in places):
            return True
        turns = count()
        if self.playout(fresh, state, lambda now: (len(rules.legal(now)) - 1) * (next(turns) % 2))[0]:
            return True
        if state.against != "greedy":
            return False
        firsts = [move for move, _, _ in rules.legal(state.at)]

        def repeated(now: At, move: Move, place: Callable[[At], int]) -> int:
            return next((i for i, (each, _, _) in enumerate(rules.legal(now)) if each == move), place(now))

        pairs = [(move, place) for move in firsts for place in (places[0], places[4])]
        won = sum(self.playout(fresh, state, lambda now, pair=pair: repeated(now, *pair))[0] for pair in pairs)  # type: ignore[misc]
        return won * rare > 2 * len(firsts)

    def playout(self, fresh: Search, state: State, choose: Callable[[At], int]) -> tuple[bool, int]:
        """Whether a player who chooses the place of each move so wins against the opponent, and in how many moves."""
        moves, rules, at, player = 0, fresh.rules, state.at, state.player
        while (over := rules.result(at)) is None:
            mine = player == state.seat
            moves += mine
            place = choose(at) if mine else self.reply(fresh, at, state.against)
            _, at, turn = rules.legal(at)[place]
            player = player if turn > 0 else 1 - player
        return (over > 0) == (player == state.seat) and over != 0, moves

    def reply(self, known: Search, at: At, against: str) -> int:
        """The place of the opponent's move."""
        if against == "greedy":
            return known.tempting(at)
        return known.lookahead(at, self.nodes) if against == "lookahead" else self._exact(known, at, against)

    def _exact(self, known: Search, at: At, against: str) -> int:
        """`winning`, remembered: the plays from one start meet the same positions again."""
        if (place := known.exact.get((at, against))) is None:
            place = known.exact[at, against] = self.winning(known, at, against)
        return place

    def winning(self, known: Search, at: At, against: str) -> int:
        """The place of a move of the highest value. A sly player who cannot win leaves the other one few moves that keep their value."""
        rules = known.rules
        moves = rules.legal(at)
        values = [turn * known.value(after) for _, after, turn in moves]
        top = max(values)
        kept = [i for i, value in enumerate(values) if value == top]
        if top > 0:
            return next((i for i in kept if known.wins(*moves[i][1:])), kept[0])
        # A lost game is played on as long as it goes.
        kept = [i for i in kept if rules.result(moves[i][1]) is None] or kept
        if against != "sly":
            return max(kept, key=lambda i: (rules.most(moves[i][1]), -i))
        return min(kept, key=lambda i: (self._answers(known, *moves[i][1:]), -rules.most(moves[i][1])))

    def describe(self, state: State, player: int, rules: str, board: str) -> str:
        """What a player reads: before the first move all rules, later the moves since and the board."""
        if not state.log:
            return f"{rules} {SAID[state.against]}; the game stands so that you can win.\n\n{board}\n\nIt is your move."
        moves = ", then ".join(state.log)
        if state.by == player:
            return f"You play {moves}, and it is your move again. Now:\n{board}"
        return f"I play {moves}. Now:\n{board}\nIt is your move."

    def player(self, state: State) -> int:
        return state.player

    def legal(self, state: State) -> list[Play]:
        return [] if self.rules(state.size).result(state.at) is not None else [*self.named(state)]

    def named(self, state: State) -> dict[Play, tuple[Move, At, int]]:
        rules = self.rules(state.size)
        return {tuple(rules.name(move[0]).split()): move for move in rules.legal(state.at)}

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
        return list(self.named(state))[self.winning(self.search(state.size), state.at, state.against)]

    def lookahead(self, state: State) -> Play:
        return list(self.named(state))[self.search(state.size).lookahead(state.at, self.nodes)]

    def engine(self, state: State, positions: int) -> Play:
        """The move of a search of at most so many positions."""
        return list(self.named(state))[self.search(state.size).lookahead(state.at, positions)]

    def _answers(self, known: Search, after: At, turn: int) -> float:
        """The share of the next moves that keep the value of a position."""
        if known.rules.result(after) is not None:
            return 2.0
        values = known.values(after)
        return values.count(max(values)) / len(values) if turn < 0 else 0.0

    def greedy(self, state: State) -> Play:
        return list(self.named(state))[self.search(state.size).tempting(state.at)]

    def target_return(self, state: State) -> float:
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
        """The fields of a Match besides its knobs, answer, start, show and picture."""
        names = "player legal act returns best greedy lookahead engine target_return opponent seat mistakes cost turns explain"
        return {name: getattr(self, name) for name in names.split()}


def _move_by_number(rules: Rules, at: At, sign: int) -> int:
    """The place of the move with the highest numbers in its name, or with the lowest."""
    numbers = [[sign * int(digits) for digits in _NUMBER.findall(rules.name(move))] for move, _, _ in rules.legal(at)]
    return numbers.index(max(numbers))
