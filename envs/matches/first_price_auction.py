"""Buy things in sealed first-price sales, with a purse that does not last for all, against a rival who bids by a hidden rule.

The target against each rule is computed exactly: the most profit with the rule known, less the smallest possible regret.
"""

from rlgym import Config, Match, Rng, knob
from rlgym.answers import Numbers
from rlgym.generators.payoffs import hidden, sales
from rlgym.generators.payoffs.hidden import Move, Played, gained, inside, now
from rlgym.generators.payoffs.sales import THINGS, Rival, Sale


class Knobs(Config):
    things: int = knob(5, easy=3, hard=8, doc="things for sale")
    rules: int = knob(3, easy=2, hard=5, doc="rules that the rival may follow")
    value: int = knob(20, easy=12, hard=40, doc="most that a thing is worth")


class State(Played):
    game: Sale


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        theirs, values = (tuple(rng.integer(knobs.value // 3, knobs.value) for _ in range(knobs.things)) for _ in range(2))
        rules = rng.sample([(1, 2), (1, 3), (2, 3), (3, 4), (1, 1)], min(knobs.rules, 3))
        rivals = [Rival(theirs, parts, denominator) for parts, denominator in rules]
        rivals += [Rival(theirs, 1, 1, less) for less in rng.sample(range(2, 2 + knobs.value // 4), knobs.rules - len(rules))]
        purses = (sum(values) * rng.integer(30, 45) // 100, sum(theirs) * rng.integer(40, 80) // 100)
        game = Sale(values, purses, tuple(rivals), second=False)
        halves, nearly = [(value // 2,) for value in values], [(value - 2,) for value in values]
        kind = hidden.sample_exploitable_kind(rng, game, [halves, nearly, *([(bid,)] for bid in range(knobs.value + 1))])
        if kind is not None:
            return State(game=game, kind=kind)


def show(state: State, player: int) -> str:
    game = state.game
    if state.past:
        before = inside(game, state.past[:-1])
        sold = len(state.past)
        return (
            f"{sales.news(game, before, *state.past[-1], player)} {sales.purses(now(state), player)} Your profit so far is {gained(state)[player]}. "
            f"Bid for the {THINGS[sold]}."
        )
    sure = hidden.solve(game).sure
    things = "\n".join(
        f"{thing}: worth {mine} to you and {other} to me"
        for thing, mine, other in zip(THINGS, game.values, game.rivals[0].values, strict=False)
    )
    rules = "\n".join(f"{chr(65 + k)}: I bid {_describe(rival)}. You need a profit of {sure[k]}." for k, rival in enumerate(game.rivals))
    return (
        f"{game.rounds} things are sold to you or to me, one after the other in this order:\n{things}\n\nFor each thing both of us write down a bid, a whole "
        "number of coins from 0 up to what one has left; neither sees the other's. The higher bid gets the thing and pays what it bid; if both are "
        f"equal, you get it. Then both bids are revealed. You have {game.purses[0]} coins, I have {game.purses[1]}, and what is spent is gone. I "
        f"follow one of these rules for all things, but I do not tell you which (I never bid more than I have left: then I bid all of "
        f"it):\n{rules}\n\nYour profit is what the things that you get "
        "are worth to you, less what you pay for them; coins that are left are worth nothing. You win if it is at least what is stated for the rule that I "
        f"actually follow. There is a way to bid that achieves this whichever rule it is. Bid for the {THINGS[0]}."
    )


def greedy(state: State) -> Move:
    """Half of what the thing is worth."""
    if state.pending:
        return hidden.reply_of_rule(state)
    return (min(now(state)[0], state.game.values[len(state.past)] // 2),)


def mistakes(state: State) -> list[Move]:
    return [(0,), (now(state)[0] + 1,), (-1,)]


def cost(state: State) -> float:
    return float(2**state.game.rounds * state.game.kinds)


def explain(state: State) -> list[str]:
    return hidden.explain(state, str(hidden.best(state)[0]))


def _describe(rival: Rival) -> str:
    if rival.less:
        return f"{rival.less} less than the thing is worth to me, or 0 if that is below 0"
    return (
        "what the thing is worth to me"
        if rival.whole == 1
        else f"{rival.parts}/{rival.whole} of what the thing is worth to me, rounded down"
    )


environment = Match(
    Knobs, Numbers("your bid in coins", max_items=4),
    start, show, hidden.to_move, hidden.legal, hidden.act, hidden.returns, hidden.best, greedy, hidden.target_return, hidden.opponent,
    hidden.seat, mistakes, cost, hidden.turns,
    explain=explain,
    concept="Once a bid has told the rule, every later bid is known: choose the things where value less the other's bid is most for the purse.",
    version=2,
)  # fmt: skip
