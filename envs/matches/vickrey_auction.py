"""Buy things in sealed second-price sales, with a purse and a bonus for a second thing, against a rival whose values are hidden.

The target for each list of values is computed exactly: the most profit with the list known, less the smallest possible regret.
"""

from rlgym import Config, Match, Rng, knob
from rlgym.answers import Numbers
from rlgym.generators.payoffs import hidden, sales
from rlgym.generators.payoffs.hidden import Move, Played, gained, inside, now
from rlgym.generators.payoffs.sales import THINGS, Rival, Sale


class Knobs(Config):
    things: int = knob(4, easy=3, hard=6, doc="things for sale")
    lists: int = knob(3, easy=2, hard=4, doc="lists of values that the rival may have")
    value: int = knob(20, easy=12, hard=40, doc="most that a thing is worth")


class State(Played):
    game: Sale


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        values = tuple(rng.integer(knobs.value // 3, knobs.value) for _ in range(knobs.things))
        usual = [rng.integer(knobs.value // 3, knobs.value) for _ in range(knobs.things)]
        # Lists agree in places, so that one price does not tell them apart.
        rivals = [Rival(tuple(rng.integer(2, knobs.value) if rng.chance(0.5) else value for value in usual)) for _ in range(knobs.lists)]
        purses = sum(values) * rng.integer(30, 50) // 100, sum(usual) * rng.integer(40, 70) // 100
        game = Sale(values, purses, tuple(rivals), second=True, bonus=rng.integer(0, knobs.value))
        truth, nearly = [(value,) for value in values], [(value - 2,) for value in values]
        kind = hidden.sample_exploitable_kind(rng, game, [truth, nearly, *([(bid,)] for bid in range(knobs.value + 1))])
        if kind is not None:
            return State(game=game, kind=kind)


def show(state: State, player: int) -> str:
    game = state.game
    if state.past:
        before = inside(game, state.past[:-1])
        return (
            f"{sales.news(game, before, *state.past[-1], player)} {sales.purses(now(state), player)} Your profit so far is {gained(state)[player]}. "
            f"Bid for the {THINGS[len(state.past)]}."
        )
    sure = hidden.solve(game).sure
    lists = "\n".join(
        f"{chr(65 + k)}: {', '.join(map(str, rival.values))}. You need a profit of {sure[k]}." for k, rival in enumerate(game.rivals)
    )
    return (
        f"{game.rounds} things are sold to you or to me, one after the other in this order: {', '.join(THINGS[: game.rounds])}. To you they are worth "
        f"{', '.join(map(str, game.values))}, in this order. For each thing both of us write down a bid, a whole number of coins from 0 up to what "
        "one has left; neither sees the other's. The higher bid gets the thing, but pays only as much as the other bid; if both are equal, you get "
        f"it. Then both of us learn who got it and what was paid, and nothing else. You have {game.purses[0]} coins, I have {game.purses[1]}, and what is "
        f"spent is gone. For each thing I bid what it "
        f"is worth to me, or all that I have left if that is less. I do not tell you what things are worth to me; it is one of these lists:\n{lists}\n\nYour "
        f"profit is what the things that you get are worth to you, less what you pay for them, and {game.bonus} more if you get at least two "
        "things; coins that are left are worth nothing. You win if it is at least what is stated for the list that is mine. There is a way to bid that "
        f"reaches this whichever list it is. Bid for the {THINGS[0]}."
    )


def greedy(state: State) -> Move:
    """What the thing is worth, which is best where nothing else matters."""
    if state.pending:
        return hidden.reply_of_rule(state)
    return (min(now(state)[0], state.game.values[len(state.past)]),)


def mistakes(state: State) -> list[Move]:
    return [(0,), (now(state)[0] + 1,), (-1,)]


def cost(state: State) -> float:
    return float(2**state.game.rounds * state.game.kinds)


def explain(state: State) -> list[str]:
    return hidden.explain(state, str(hidden.best(state)[0]), what="list")


environment = Match(
    Knobs, Numbers("your bid in coins", max_items=4),
    start, show, hidden.to_move, hidden.legal, hidden.act, hidden.returns, hidden.best, greedy, hidden.target_return, hidden.opponent,
    hidden.seat, mistakes, cost, hidden.turns,
    explain=explain,
    concept="A price is only what the loser bid: bids are questions, too, and who loses by one coin makes the other pay. Plan for the purse and the bonus.",
    version=4,
)  # fmt: skip
