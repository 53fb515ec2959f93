"""Buy things at a price that falls step by step until somebody takes it, with a purse, against a rival who takes by a hidden rule.

The target against each rule is computed exactly: the most profit with the rule known, less the smallest possible regret.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rlgym import Config, Match, Rng, knob
from rlgym.answers import Choice
from rlgym.generators.payoffs import hidden
from rlgym.generators.payoffs.hidden import Move, Played, gained, inside, now
from rlgym.generators.payoffs.sales import THINGS, Rival

Inside = tuple[int, int, int, int]  # your purse, the rival's, how many things are gone, and how often the price has fallen for this one
WORDS = ("wait", "take")


class Knobs(Config):
    things: int = knob(5, easy=4, hard=8, doc="things for sale")
    rules: int = knob(3, easy=2, hard=4, doc="rules that the rival may follow")
    steps: int = knob(5, easy=4, hard=6, doc="prices at which a thing is offered")


class Clock(NamedTuple):
    values: tuple[int, ...]
    purses: tuple[int, int]
    rivals: tuple[Rival, ...]
    prices: tuple[int, ...]

    @property
    def rounds(self) -> int:
        return len(self.values) * len(self.prices)

    @property
    def kinds(self) -> int:
        return len(self.rivals)

    @property
    def scale(self) -> int:
        return sum(self.values) + sum(self.rivals[0].values) + len(self.values) * self.prices[0]

    def begin(self) -> Inside:
        return (*self.purses, 0, 0)

    def moves(self, inside: Inside, rounds_left: int) -> list[Move]:
        if inside[2] == len(self.values):
            return []
        return [(0,), (1,)] if inside[0] >= self.prices[inside[3]] else [(0,)]

    def choices(self, kinds: Sequence[int], inside: Inside, rounds_left: int) -> list[Move]:
        return self.moves(inside, rounds_left)

    def replies(self, inside: Inside, move: Move) -> list[Move]:
        return [(0,), (1,)] if inside[1] >= self.prices[inside[3]] else [(0,)]

    def reply(self, kind: int, inside: Inside, move: Move) -> Move:
        values, parts, denominator, less = self.rivals[kind]
        price = self.prices[inside[3]]
        return (int(price <= min(inside[1], values[inside[2]] * parts // denominator - less)),)

    def sight(self, inside: Inside, move: Move, reply: Move) -> Move:
        return reply

    def relevant_state(self, kind: int, inside: Inside) -> Inside:
        return inside

    def after(self, inside: Inside, move: Move, reply: Move) -> Inside:
        yours, other, sold, fallen = inside
        price = self.prices[fallen]
        if move == (1,):
            return yours - price, other, sold + 1, 0
        if reply == (1,):
            return yours, other - price, sold + 1, 0
        return (yours, other, sold + 1, 0) if fallen + 1 == len(self.prices) else (yours, other, sold, fallen + 1)

    def gains(self, inside: Inside, move: Move, reply: Move) -> tuple[int, int]:
        price = self.prices[inside[3]]
        if move == (1,):
            return self.values[inside[2]] - price, 0
        return 0, self.rivals[0].values[inside[2]] - price if reply == (1,) else 0


class State(Played):
    game: Clock


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        fall = rng.integer(2, 5)
        prices = tuple(fall * (knobs.steps - i) + rng.integer(0, 1) for i in range(knobs.steps))
        top = prices[0]
        values, theirs = (tuple(rng.integer(top // 2, 3 * top // 2) for _ in range(knobs.things)) for _ in range(2))
        rules = rng.sample([(1, 3), (1, 2), (2, 3), (3, 4), (1, 1)], knobs.rules)
        purses = knobs.things * top * rng.integer(25, 45) // 100, knobs.things * top * rng.integer(30, 60) // 100
        game = Clock(values, purses, tuple(Rival(theirs, parts, denominator) for parts, denominator in rules), prices)
        kind = hidden.sample_exploitable_kind(rng, game, [[(0,)], [(1,)], *_cycles(knobs)])
        if kind is not None:
            return State(game=game, kind=kind)


def _cycles(knobs: Knobs) -> list[tuple[Move, ...]]:
    """Plans that wait for the same price of each thing, whatever happens."""
    return [(*((0,),) * waits, (1,)) * knobs.things * knobs.steps for waits in range(1, knobs.steps)]


def show(state: State, player: int) -> str:
    game, (yours, other, sold, fallen) = state.game, now(state)
    mine, theirs = (yours, other) if player == 0 else (other, yours)
    question = f"The {THINGS[sold]} is offered at {game.prices[fallen]}. Do you take it or wait?" if sold < len(game.values) else ""
    if state.past:
        report = _report(game, inside(game, state.past[:-1]), *state.past[-1], player)
        return f"{report} You have {mine} coins left, I have {theirs}. Your profit so far is {gained(state)[player]}. {question}"
    sure = hidden.solve(game).sure
    things = "\n".join(
        f"{thing}: worth {worth} to you and {value} to me"
        for thing, worth, value in zip(THINGS, game.values, game.rivals[0].values, strict=False)
    )
    rules = "\n".join(f"{chr(65 + k)}: {_describe(rival)}. You need a profit of {sure[k]}." for k, rival in enumerate(game.rivals))
    return (
        f"{len(game.values)} things are sold to you or to me, one after the other in this order:\n{things}\n\nEach is offered at falling prices: "
        f"{', '.join(map(str, game.prices))}. At each price both of us say at the same time whether we take it or wait. The one who takes it gets the thing "
        "and pays the price; if both do, you get it. If nobody does, it is offered at the next price, and after the last one it is gone for both. Then the "
        f"next thing is offered. You have {game.purses[0]} coins, I have {game.purses[1]}, and nobody may take at a price above what is left. If I "
        f"can pay, I take a thing as soon as its price is at or below a limit that is given by one of these rules, but I do not tell you by "
        f"which:\n{rules}\n\nYour profit is what the things "
        "that you get are worth to you, less what you pay for them; coins that are left are worth nothing. You win if it is at least what is stated "
        f"for the rule that I actually follow. There is a way to play that achieves this whichever rule it is. {question}"
    )


def legal(state: State) -> list[str]:
    return [WORDS[move[0]] for move in hidden.legal(state)]


def act(state: State, move: str) -> State:
    return hidden.act(state, (WORDS.index(move),))


def best(state: State) -> str:
    return WORDS[hidden.best(state)[0]]


def greedy(state: State) -> str:
    """Takes a thing as soon as that is a gain."""
    if state.pending:
        return WORDS[hidden.reply_of_rule(state)[0]]
    at = now(state)
    return WORDS[len(hidden.legal(state)) == 2 and state.game.prices[at[3]] < state.game.values[at[2]]]


def mistakes(state: State) -> list[str]:
    return [*WORDS, "bid"]


def cost(state: State) -> float:
    return float(2 ** len(state.game.values) * state.game.kinds * len(state.game.prices))


def explain(state: State) -> list[str]:
    return hidden.explain(state, best(state))


def _describe(rival: Rival) -> str:
    return (
        "all that the thing is worth to me"
        if rival.whole == 1
        else f"{rival.parts}/{rival.whole} of what the thing is worth to me, rounded down"
    )


def _report(game: Clock, before: Inside, move: Move, reply: Move, player: int) -> str:
    thing, price = THINGS[before[2]], game.prices[before[3]]
    if move == (1,) or reply == (1,):
        return f"{'You' if (move == (1,)) == (player == 0) else 'I'} took the {thing} at {price}."
    return f"Nobody took the {thing} at {price}."


environment = Match(
    Knobs, Choice(WORDS), start, show, hidden.to_move, legal, act, hidden.returns, best, greedy, hidden.target_return, hidden.opponent,
    hidden.seat, mistakes, cost, hidden.turns,
    explain=explain,
    concept="Wait until just before the rival would take it; what it lets pass and what it takes tells its rule, and the purse decides what is worth it.",
    version=4,
    recoverable_first_move="The first of many prices decides little: perfect play in the others makes up for it.",
)  # fmt: skip
