"""Many hands of poker at one table, against a player whose chart of chances is known. Cards and chances are drawn before the first hand."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.payoffs import duels
from rlgym.generators.payoffs.duels import CHANCE, OVER, Found, History, Poker

Row = tuple[tuple[int, int], tuple[int, int, int]]
"""Weights of check and bet where nobody has bet, and of fold, call and raise against a bet."""
Chart = tuple[Row, ...]
Choice = Callable[[int, int, History], str]  # of seat, card and what was done

LOWER, HIGHER, PAIR = 0, 1, 2  # rows after those of the ranks: the card against the public one
CONCEPT = "From what the other does, work out how likely each of its cards is, and take the move that gains most on average."


class Table(TaskData):
    """`deals` are your card, the other's and the public one; `draws` decide the other's moves, in order. Seat 0 of a hand moves first."""

    poker: Poker
    chart: Chart
    deals: tuple[tuple[int, int, int], ...]
    draws: tuple[tuple[int, ...], ...]
    begins: int  # who moves first in the first hand; it changes with every hand
    need: int
    hand: int = 0
    history: History = ()
    before: History = ()  # all that was done in the hand before
    points: int = 0  # yours, less those of the first hand on


T = TypeVar("T", bound=Table)


def row(poker: Poker, hand: int, history: History) -> int:
    public = duels.show(history)
    return hand if public < 0 else poker.ranks + (PAIR if hand == public else HIGHER if hand > public else LOWER)


@lru_cache(maxsize=64)
def strategy_of_chart(poker: Poker, chart: Chart) -> duels.Strategy:
    """A chart as a strategy; where raising is not allowed any more, its weight goes to calling."""

    def strategy(hand: int, history: History) -> tuple[int, ...]:
        opening, facing = chart[row(poker, hand, history)]
        moves = poker.moves(history)
        if len(moves) == 2:
            return opening if moves[0] == "check" else (facing[0], facing[1] + facing[2])
        return facing

    return strategy


@lru_cache(maxsize=20_000)
def advice(poker: Poker, chart: Chart, seat: int, mine: int, history: History) -> Found:
    """The best response to the chart in a hand, computed exactly."""
    strategy = strategy_of_chart(poker, chart)
    return duels.respond(poker, seat, mine, history, duels.posterior_weights(poker, seat, mine, history, strategy, exact=False), strategy)


def clear(poker: Poker, chart: Chart) -> bool:
    """Whether the best response is the only one, wherever it leads, from both seats."""
    return all(duels.response(poker, seat, strategy_of_chart(poker, chart), exact=False)[1] for seat in (0, 1))


def sample(rng: Rng, poker: Poker, hands: int, most: int) -> tuple[tuple[tuple[int, int, int], ...], tuple[tuple[int, ...], ...]]:
    """Cards and draws for so many hands."""
    deck = [rank for rank in range(poker.ranks) for _ in range(poker.copies)]
    deals = [(*rng.sample(deck, 2), 0) if len(poker.bets) == 1 else rng.sample(deck, 3) for _ in range(hands)]
    draws = tuple(tuple(rng.integer(0, most - 1) for _ in range(2 * len(poker.bets) * poker.raises)) for _ in range(hands))
    return tuple((mine, theirs, public) for mine, theirs, public in deals), draws


def act(table: T, move: str) -> T:
    history = (*table.history, move)
    mine, theirs, public = table.deals[table.hand]
    if table.poker.mover(history) == CHANCE:
        history = (*history, str(public))
    if table.poker.mover(history) != OVER:
        return table.model_copy(update={"history": history})
    paid = _payoff(table.poker, position(table), mine, theirs, history)
    return table.model_copy(update={"history": (), "before": history, "hand": table.hand + 1, "points": table.points + paid})


def _payoff(poker: Poker, seat: int, mine: int, theirs: int, history: History) -> int:
    return poker.pays(history, mine, theirs) if seat == 0 else -poker.pays(history, theirs, mine)


def position(table: Table) -> int:
    """Your seat in this hand: 0 moves first."""
    return (table.begins + table.hand) % 2


def player(table: Table) -> int:
    mover = table.poker.mover(table.history)
    return mover if position(table) == 0 else 1 - mover


def legal(table: Table) -> list[str]:
    return list(table.poker.moves(table.history))


def largest(table: Table) -> int:
    return len(table.deals) * (table.poker.ante + sum(table.poker.bets) * table.poker.raises)


def returns(table: Table) -> tuple[float, ...] | None:
    if table.hand < len(table.deals):
        return None
    return table.points / largest(table), -table.points / largest(table)


def target_return(table: Table) -> float:
    return table.need / largest(table)


def best_response_move(table: Table) -> str:
    """The best response of the first player to the chart; the first legal move after a move that the chart never makes."""
    return advice(table.poker, table.chart, position(table), table.deals[table.hand][0], table.history).move or legal(table)[0]


def by_chart(table: Table) -> str:
    """What the chart makes the other player do, by the draw for it."""
    weights = strategy_of_chart(table.poker, table.chart)(table.deals[table.hand][1], table.history)
    return sample_from(weights, legal(table), _draw(table.poker, 1 - position(table), table.draws[table.hand], table.history))


def greedy(table: Table) -> str:
    """The chart's move for the opponent; for the player, the second legal move with a card of the upper half, else the first."""
    if player(table) == 1:
        return by_chart(table)
    return legal(table)[2 * table.deals[table.hand][0] >= table.poker.ranks]


def sample_from(weights: Sequence[int], moves: Sequence[str], draw: int) -> str:
    for weight, move in zip(weights, moves, strict=True):
        draw -= weight
        if draw < 0:
            return move
    return moves[-1]


def _draw(poker: Poker, seat: int, draws: tuple[int, ...], history: History) -> int:
    return draws[sum(poker.mover(history[:i]) == seat for i in range(len(history)))]


def play(
    poker: Poker, chart: Chart, deals: Sequence[tuple[int, int, int]], draws: Sequence[tuple[int, ...]], begins: int, choose: Choice
) -> int:
    """The points of somebody who chooses so, over all hands."""
    strategy, total = strategy_of_chart(poker, chart), 0
    for hand, (mine, theirs, public) in enumerate(deals):
        seat = (begins + hand) % 2
        history: History = ()
        while (mover := poker.mover(history)) != OVER:
            if mover == CHANCE:
                history = (*history, str(public))
            elif mover == seat:
                history = (*history, choose(seat, mine, history))
            else:
                weights = strategy(theirs, history)
                history = (*history, sample_from(weights, poker.moves(history), _draw(poker, seat ^ 1, draws[hand], history)))
        total += _payoff(poker, seat, mine, theirs, history)
    return total


def required_gain(
    rng: Rng, poker: Poker, chart: Chart, deals: Sequence[tuple[int, int, int]], draws: Sequence[tuple[int, ...]], begins: int
) -> int | None:
    """What the best response gains with these cards; None if it is not above what play at random, or always the same, gains."""
    best = play(poker, chart, deals, draws, begins, lambda seat, mine, history: advice(poker, chart, seat, mine, history).move)
    habits: list[Choice] = [lambda seat, mine, history, k=k: poker.moves(history)[k] for k in (0, 1, -1)]  # type: ignore[misc]
    habits += [lambda seat, mine, history: rng.choice(poker.moves(history))] * 40
    # The very best card is played high and all others low: what anybody would do.
    habits.append(lambda seat, mine, history: poker.moves(history)[-1 if mine == poker.ranks - 1 else 0])
    if any(play(poker, chart, deals, draws, begins, habit) >= best for habit in habits):
        return None
    return best


def describe(table: Table, player: int, names: Sequence[str]) -> str:
    """How the hand before ended, if nothing was done since, and how this one stands."""
    seat = position(table) if player == 0 else 1 - position(table)
    lines = []
    done = [i for i, move in enumerate(table.history) if table.poker.mover(table.history[:i]) == seat]
    if table.before and not done:
        mine, theirs, _ = table.deals[table.hand - 1]
        mine, theirs = (mine, theirs) if player == 0 else (theirs, mine)
        paid = _payoff(table.poker, 1 - seat, mine, theirs, table.before)
        result = f"you win {paid}" if paid > 0 else f"you lose {-paid}" if paid else "nobody wins anything"
        lines.append(f"Hand {table.hand} went: {_course(table.poker, table.before, 1 - seat, names)}. I had the {names[theirs]}: {result}.")
    points = table.points if player == 0 else -table.points
    mine = table.deals[table.hand][player]
    course = f" {_course(table.poker, table.history, seat, names)}." if table.history else " You move first."
    lines.append(
        f"Hand {table.hand + 1} of {len(table.deals)}: you have {points} points and hold the {names[mine]}.{course} You may {_join_with_or(legal(table))}."
    )
    return " ".join(lines)


def _join_with_or(moves: Sequence[str]) -> str:
    return f"{', '.join(moves[:-1])} or {moves[-1]}"


def _course(poker: Poker, history: History, seat: int, names: Sequence[str]) -> str:
    """What was done in a hand, in words."""
    events = []
    for i, move in enumerate(history):
        mover = poker.mover(history[:i])
        events.append(f"the public card is the {names[int(move)]}" if mover == CHANCE else f"{'you' if mover == seat else 'I'} {move}")
    text = ", ".join(events)
    return text[:1].upper() + text[1:]


def explain(table: Table, names: Sequence[str]) -> list[str]:
    """How likely each card of the other is now, and the move that follows."""
    seat, mine = position(table), table.deals[table.hand][0]
    weights = duels.posterior_weights(table.poker, seat, mine, table.history, strategy_of_chart(table.poker, table.chart))
    total_weight = sum(weights)
    likely = (
        ", ".join(f"the {names[k]} {weight / total_weight}" for k, weight in enumerate(weights) if weight)
        if total_weight
        else "nothing its chart allows"
    )
    return [
        f"After what was done, the chances of the other's card are: {likely}.",
        f"The move that gains most on average is: {best_response_move(table)}",
    ]
