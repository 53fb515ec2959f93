"""Play many hands of Leduc poker, with a public card and two rounds of betting, against a player whose chances are known.

What is asked is what the best response to these chances gains with the very cards of the match. It is the only best response, so that
there is nothing to guess; the cards are drawn so that habits gain less.
"""

from rlgym import Config, Match, Rng, knob
from rlgym.answers import Choice
from rlgym.generators.payoffs import poker_table
from rlgym.generators.payoffs.duels import Poker
from rlgym.generators.payoffs.poker_table import Row, Table
from rlgym.generators.text.english import count_noun

NAMES = ("ten", "jack", "queen", "king", "ace")
SIDES = ("a card lower than the public one", "a card higher than the public one", "a card of the public card's rank")


class Knobs(Config):
    ranks: int = knob(3, easy=2, hard=4, doc="ranks, of two cards each")
    hands: int = knob(9, easy=6, hard=14, doc="hands of a match")
    grain: int = knob(3, easy=2, hard=6, doc="chances are multiples of one part in so many")


class State(Table):
    grain: int


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        bet = rng.integer(1, 3)
        poker = Poker(knobs.ranks, 2, (bet, bet * rng.integer(1, 2)), 2, rng.integer(1, 3))
        chart = tuple(_row(rng, knobs.grain) for _ in range(knobs.ranks + len(SIDES)))
        if not poker_table.clear(poker, chart):
            continue
        for _ in range(12):
            deals, draws = poker_table.sample(rng, poker, knobs.hands, knobs.grain)
            begins = rng.integer(0, 1)
            need = poker_table.required_gain(rng, poker, chart, deals, draws, begins)
            if need is not None:
                return State(poker=poker, chart=chart, deals=deals, draws=draws, begins=begins, need=need, grain=knobs.grain)


def show(state: State, player: int) -> str:
    names = _names(state)
    description = poker_table.describe(state, player, names)
    if state.hand or len(state.history) > 1:
        return description
    poker, grain = state.poker, state.grain
    before = "\n".join(f"With the {name}: {_describe(row, grain)}" for name, row in zip(names, state.chart, strict=False))
    after = "\n".join(f"With {side}: {_describe(row, grain)}" for side, row in zip(SIDES, state.chart[poker.ranks :], strict=True))
    return (
        f"We play {len(state.deals)} hands of a poker with {2 * len(names)} cards, two of each rank; the ranks are, from the lowest to the highest: "
        f"{', '.join(names)}. In each hand the pack is shuffled, both of us put {poker.ante} into the pot and get one card each, which the other "
        "does not see. There are two rounds of betting; before the second one more card is drawn, which both see, the public card. One of us moves "
        f"first in both rounds; who does changes from hand to hand. In a round, where nobody has bet one may check or bet; a bet is {poker.bets[0]} "
        f"in the first round and {poker.bets[1]} in the second. Against a bet one may fold, and the other takes the pot, call by putting in as much "
        f"as the other has, or raise, which is a call and a "
        "further bet; a raise may only be folded to or called. A round ends with two checks or a call. After the second round a player with a card "
        "of the public card's rank takes the pot; if nobody has one, the higher card does; cards of one rank share it. After each hand you see my card, "
        f"also if somebody folded. I play by chance, anew each time. In the first round my chances are:\n{before}\nIn the second "
        f"round:\n{after}\nWhere I may not raise I call with the chance "
        f"to call or raise.\n\nYou win if in the end you have won a total of at least {count_noun(state.need, 'point')} (what you win less what you lose). "
        f"A player who always makes the move with the highest expected gain achieves this with the cards that come. {description}"
    )


def best(state: State) -> str:
    """The best response to the chart; the other player's best is its chart."""
    return poker_table.best_response_move(state) if poker_table.player(state) == 0 else poker_table.by_chart(state)


def opponent(state: State) -> str:
    return "greedy"


def seat(state: State) -> int:
    return 0


def mistakes(state: State) -> list[str]:
    return [poker_table.legal(state)[0], poker_table.legal(state)[1], "pass"]


def cost(state: State) -> float:
    return float(len(state.deals) * state.poker.ranks**2 * state.grain)


def turns(state: State) -> int:
    return 4 * len(state.deals)


def explain(state: State) -> list[str]:
    return poker_table.explain(state, _names(state))


def _names(state: State) -> tuple[str, ...]:
    return NAMES[-state.poker.ranks :]


def _row(rng: Rng, grain: int) -> Row:
    bet, fold = rng.integer(0, grain), rng.integer(0, grain)
    rise = rng.integer(0, grain - fold)
    return (grain - bet, bet), (fold, grain - fold - rise, rise)


def _describe(row: Row, grain: int) -> str:
    (check, bet), (fold, call, rise) = row
    return f"check {check}, bet {bet}; against a bet fold {fold}, call {call}, raise {rise} (of {grain})."


environment = Match(
    Knobs, Choice(("check", "bet", "call", "raise", "fold")),
    start, show, poker_table.player, poker_table.legal, poker_table.act, poker_table.returns, best, poker_table.greedy, poker_table.target_return,
    opponent, seat, mistakes, cost, turns,
    explain=explain, concept=poker_table.CONCEPT,
    version=2,
    guessable="At the lowest level few hands are played, and the cards let a player who always checks or raises reach the target now and then.",
    recoverable_first_move="The first of many hands decides little: perfect play in the others makes up for it.",
)  # fmt: skip
