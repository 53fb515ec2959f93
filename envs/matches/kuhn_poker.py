"""Play many hands of Kuhn poker, one card each and one bet, against a player whose chances of betting and calling are known.

What is asked is what the best response to these chances gains with the very cards of the match. It is the only best response, so that
there is nothing to guess; the cards are drawn so that habits gain less. For self-play the other seat's best is an equilibrium.
"""

from functools import cache

from rlgym import Config, Match, Rng, knob
from rlgym.answers import Choice
from rlgym.generators.payoffs import duels, poker_table
from rlgym.generators.payoffs.duels import Poker
from rlgym.generators.payoffs.poker_table import Table
from rlgym.generators.text.english import count_noun

NAMES = ("nine", "ten", "jack", "queen", "king", "ace")


class Knobs(Config):
    ranks: int = knob(4, easy=3, hard=6, doc="cards in the pack")
    hands: int = knob(12, easy=8, hard=20, doc="hands of a match")
    grain: int = knob(4, easy=1, hard=8, doc="chances are multiples of one part in so many; with 1 the other player is sure what it does")


class State(Table):
    grain: int


def start(rng: Rng, knobs: Knobs) -> State:
    grain = knobs.grain
    while True:
        poker = Poker(knobs.ranks, 1, (rng.integer(1, 3),), 1, rng.integer(1, 3))
        bets, calls = ([rng.integer(0, grain) for _ in range(knobs.ranks)] for _ in range(2))
        calls.sort()
        chart = tuple(((grain - bet, bet), (grain - call, call, 0)) for bet, call in zip(bets, calls, strict=True))
        if not poker_table.clear(poker, chart):
            continue
        for _ in range(8):
            deals, draws = poker_table.sample(rng, poker, knobs.hands, grain)
            begins = rng.integer(0, 1)
            need = poker_table.required_gain(rng, poker, chart, deals, draws, begins)
            if need is not None:
                return State(poker=poker, chart=chart, deals=deals, draws=draws, begins=begins, need=need, grain=grain)


def show(state: State, player: int) -> str:
    description = poker_table.describe(state, player, _names(state))
    if state.hand or len(state.history) > 1:
        return description
    names, ante, bet = _names(state), state.poker.ante, state.poker.bets[0]
    chart = "\n".join(
        f"With the {name}: {_chance(opening[1], state.grain)} to bet, {_chance(facing[1], state.grain)} to call."
        for name, (opening, facing) in zip(names, state.chart, strict=True)
    )
    return (
        f"We play {len(state.deals)} hands of a poker with {len(names)} cards, from the lowest to the highest: {', '.join(names)}. In each hand the pack is "
        f"shuffled, both of us put {ante} into the pot and get one card each, which the other does not see. One of us moves first; who does changes "
        f"from hand to hand. The first may check or bet {bet}; after a check the second may check or bet {bet}. Against a bet one may fold, and the other "
        f"takes the pot, or call by putting in {bet} too. After two checks or a call the higher card takes the pot. After each hand you see my card, even if "
        f"somebody folded. I play by chance, anew each time. My chances to bet where nobody has bet yet (moving first or after your check), and to call "
        f"when you bet, are:\n{chart}\nOtherwise I check or fold.\n\nYou win if in the end you have won a total of at least "
        f"{count_noun(state.need, 'point')} (what you "
        f"win less what you lose). A player who always makes the move with the highest expected gain achieves this with the cards that come. {description}"
    )


def best(state: State) -> str:
    """The best response to the chart; for the other player what an equilibrium does, by its draw."""
    if poker_table.player(state) == 0:
        return poker_table.best_response_move(state)
    weights = _equilibrium(state.poker)(state.deals[state.hand][1], state.history)
    return poker_table.sample_from(weights, poker_table.legal(state), state.draws[state.hand][0] * sum(weights) // state.grain)


def opponent(state: State) -> str:
    return "greedy"


def seat(state: State) -> int:
    return 0


def mistakes(state: State) -> list[str]:
    return [poker_table.legal(state)[0], poker_table.legal(state)[1], "raise"]


def cost(state: State) -> float:
    return float(len(state.deals) * state.poker.ranks * (1 + state.grain))


def turns(state: State) -> int:
    return 2 * len(state.deals)


def explain(state: State) -> list[str]:
    return poker_table.explain(state, _names(state))


def _names(state: State) -> tuple[str, ...]:
    return NAMES[-state.poker.ranks :]


def _chance(count: int, grain: int) -> str:
    return "never" if not count else "always" if count == grain else f"{count} in {grain}"


@cache
def _equilibrium(poker: Poker) -> duels.Equilibrium:
    return duels.equilibrium(poker, 300)


environment = Match(
    Knobs, Choice(("check", "bet", "call", "fold")),
    start, show, poker_table.player, poker_table.legal, poker_table.act, poker_table.returns, best, poker_table.greedy, poker_table.target_return,
    opponent, seat, mistakes, cost, turns,
    explain=explain, concept=poker_table.CONCEPT,
    version=2,
    recoverable_first_move="The first of many hands decides little: perfect play in the others makes up for it.",
)  # fmt: skip
