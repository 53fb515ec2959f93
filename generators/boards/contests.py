"""Games on larger boards against an engine whose strength is the number of positions that it searches before each move."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rlgym.core.config import Config, knob
from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.boards.engines import EngineRules, Table, table
from rlgym.generators.boards.search import At, Move

Play = tuple[str, ...]
"""A move as its words."""
Drawn = tuple[At, At]
"""The measures of a board and a position on it."""
Choose = Callable[[At], Move]
LEAST_POSITIONS = 14
"""An opponent that may search fewer positions plays greedily."""
POSITIONS = f"positions that the opponent searches before each move; with fewer than {LEAST_POSITIONS} it is greedy"


class Strength(Config):
    """Knobs of every game against an engine; each adds its own."""

    positions: int = knob(30, easy=8, hard=120, scale="log", doc=POSITIONS)
    lasting: int = knob(4, easy=2, hard=6, doc="least moves of yours in a win of the stronger engine")


class Position(TaskData):
    """Where a game stands. The player to move sees the position `at`; `log` holds the moves in a row that player `by` made last."""

    size: tuple[int, ...]
    at: tuple[int, ...]
    player: int
    seat: int
    positions: int
    log: tuple[str, ...] = ()
    by: int = -1


class Contest:
    """The parts of a match against an engine that the rules decide."""

    def __init__(
        self, rules: type[EngineRules], *, better: int = 4, least: int = 80, plays: int = 6, patience: int = 30, habits: bool = False
    ) -> None:
        """The oracle searches `better` times as many positions as the opponent, and at least `least`.

        plays     random plays that must lose from a start against the weakest engine; fewer against stronger ones
        patience  the starts drawn before a shorter win is accepted
        habits    whether, against a greedy opponent, a player must lose who chooses by the place in the list or by the numbers
        """
        self.habits = habits
        self.kind, self.better, self.least, self.plays, self.patience = rules, better, least, plays, patience

    def table(self, size: At) -> Table:
        return table(self.kind, size)

    def stronger(self, positions: int) -> int:
        """The positions that the oracle searches before each move."""
        return max(self.least, self.better * positions)

    def start(self, rng: Rng, knobs: Strength, draw: Callable[[Rng], Drawn]) -> Position:
        """A first state from which a stronger engine beats the opponent, and greedy and random play lose; `draw` is asked until one is found."""
        for attempt in range(10**6):
            size, at = draw(rng)
            state = Position(size=size, at=at, player=0, seat=0, positions=knobs.positions)
            lasting = max(2, knobs.lasting - max(0, attempt - self.patience) // 8)
            if self.fits(rng, state, lasting):
                side = at[-1] if getattr(self.kind, "sided", False) else rng.integer(0, 1)
                return state.model_copy(update={"player": side, "seat": side})
        raise AssertionError("unreachable: starts that the stronger engine wins are not that rare")

    def fits(self, rng: Rng, state: Position, lasting: int) -> bool:
        known, at = self.table(state.size), state.at
        rules = known.rules
        if rules.result(at) is not None or len(rules.legal(at)) < 2:
            return False
        if any((over := rules.result(after)) is not None and turn * over > 0 for _, after, turn in rules.legal(at)):
            return False
        weak: list[Choose] = [known.greedy]
        # Random play beats weak opponents more often.
        weak += [lambda now: rng.choice(rules.legal(now))[0]] * (self.plays * LEAST_POSITIONS // max(LEAST_POSITIONS, state.positions))
        if self.habits and self.opponent(state) == "greedy":
            weak += habits(rules)
        if any(self.playout(state, each)[0] for each in weak):
            return False
        won, moves = self.playout(state, lambda now: known.choose(now, self.stronger(state.positions))[0])
        return won and moves >= lasting

    def playout(self, state: Position, choose: Choose) -> tuple[bool, int]:
        """Whether a player who chooses moves so wins against the opponent, and in how many moves."""
        rules, at, mine, moves = self.table(state.size).rules, state.at, True, 0
        while (over := rules.result(at)) is None:
            moves += mine
            move = choose(at) if mine else self.reply(state, at)
            at, turn = next(each[1:] for each in rules.legal(at) if each[0] == move)
            mine = mine if turn > 0 else not mine
        return (over > 0) == mine and over != 0, moves

    def reply(self, state: Position, at: At) -> Move:
        """The opponent's move."""
        known = self.table(state.size)
        return known.greedy(at) if self.opponent(state) == "greedy" else known.choose(at, state.positions)[0]

    def describe(self, state: Position, player: int, rules: str, board: str) -> str:
        """What a player reads: before the first move all rules, later the moves since and the board."""
        if not state.log:
            strength = (
                "I look only one move ahead, and a player who looks further ahead wins against me from here"
                if self.opponent(state) == "greedy"
                else f"Before each move I search {state.positions} positions, and a player who searches further wins against me from here"
            )
            return f"{rules} {strength}.\n\n{board}\n\nIt is your move."
        moves = ", then ".join(state.log)
        if state.by == player:
            return f"You play {moves}, and it is your move again. Now:\n{board}"
        return f"I play {moves}. Now:\n{board}\nIt is your move."

    def word(self, state: Position, move: Move) -> Play:
        return tuple(self.table(state.size).rules.name(move).split())

    def player(self, state: Position) -> int:
        return state.player

    def legal(self, state: Position) -> list[Play]:
        rules = self.table(state.size).rules
        return [] if rules.result(state.at) is not None else [self.word(state, move) for move, _, _ in rules.legal(state.at)]

    def act(self, state: Position, move: Play) -> Position:
        rules = self.table(state.size).rules
        after, turn = next(each[1:] for each in rules.legal(state.at) if self.word(state, each[0]) == move)
        log = (*state.log, " ".join(move)) if state.by == state.player else (" ".join(move),)
        player = state.player if turn > 0 else 1 - state.player
        return state.model_copy(update={"at": after, "player": player, "log": log, "by": state.player})

    def returns(self, state: Position) -> tuple[float, ...] | None:
        paid = self.table(state.size).rules.result(state.at)
        if paid is None:
            return None
        return (float(paid), float(-paid)) if state.player == 0 else (float(-paid), float(paid))

    def best(self, state: Position) -> Play:
        return self.engine(state, self.stronger(state.positions))

    def lookahead(self, state: Position) -> Play:
        return self.engine(state, max(state.positions, LEAST_POSITIONS))

    def engine(self, state: Position, positions: int) -> Play:
        """The move of an engine that searches so many positions."""
        return self.word(state, self.table(state.size).choose(state.at, positions)[0])

    def greedy(self, state: Position) -> Play:
        return self.word(state, self.table(state.size).greedy(state.at))

    def target_return(self, state: Position) -> float:
        return 1.0

    def opponent(self, state: Position) -> str:
        return "lookahead" if state.positions >= LEAST_POSITIONS else "greedy"

    def seat(self, state: Position) -> int:
        return state.seat

    def mistakes(self, state: Position) -> list[Play]:
        """Moves that are not legal."""
        return [tuple(self.table(state.size).rules.foul(state.at).split()), ("z0",), ("pass", "pass")]

    def turns(self, state: Position) -> int:
        return self.table(state.size).rules.most(state.at)

    def cost(self, state: Position) -> float:
        """The moves looked at by somebody who reads deeper the stronger the opponent is."""
        return self.table(state.size).rules.work(state.at) * (10 + state.positions)

    def explain(self, state: Position) -> list[str]:
        count = self.stronger(state.positions)
        move, value = self.table(state.size).choose(state.at, count)
        return [
            f"A search of {count} positions values the position after the best move at {value}; the greedy move is {' '.join(self.greedy(state))}.",
            f"The move is {' '.join(self.word(state, move))}",
        ]

    def parts(self) -> dict[str, Any]:
        """The fields of a Match besides its knobs, answer, start, show and picture."""
        names = "player legal act returns best greedy lookahead engine target_return opponent seat mistakes cost turns explain"
        return {name: getattr(self, name) for name in names.split()} | {"recoverable_first_move": RECOVERABLE}


RECOVERABLE = "On a board of this size one move decides little: a stronger player makes up for it."


def habits(rules: EngineRules) -> list[Choose]:
    """Players who always make the move at the same place among the legal ones, or the one with the highest or lowest numbers in its name."""

    def numbers(move: Move) -> list[int]:
        return [int(digits) for digits in re.findall(r"\d+", rules.name(move))]

    def at_place(now: At, share: int) -> Move:
        moves = rules.legal(now)
        return moves[min(len(moves) * share // 4, len(moves) - 1)][0]

    places: list[Choose] = [lambda now, share=share: at_place(now, share) for share in range(5)]  # type: ignore[misc]
    by_number: list[Choose] = [
        lambda now: max((move for move, _, _ in rules.legal(now)), key=numbers),
        lambda now: min((move for move, _, _ in rules.legal(now)), key=numbers),
    ]
    return places + by_number
