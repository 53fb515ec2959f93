"""Quote a bid and an ask for several days to traders of whom some know the value: their trades tell what it is, and the quotes must follow.

The profit that is asked for lies between what habits earn, the best pair of quotes repeated in every round among them, and what quotes by
Bayes' rule earn from the same traders.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

from rlgym import Config, Match, Rng, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.payoffs import dealing
from rlgym.generators.payoffs.dealing import Market, Orders, Quote, Weights
from rlgym.generators.text.english import count_noun

Rows = tuple[tuple[int, ...], ...]
Choose = Callable[[Market, Sequence[tuple[Quote, Orders]]], Quote]
RANDOM_PLAYS = 3


class Knobs(Config):
    top: int = knob(26, easy=14, hard=40, doc="highest value and price, about")
    days: int = knob(3, easy=2, hard=4, doc="days; each has a value of its own")
    rounds: int = knob(5, easy=4, hard=6, doc="rounds of each day")
    crowd: int = knob(8, easy=8, hard=9, doc="traders of each round")
    informed: int = knob(2, easy=1, hard=4, doc="tenths of the traders who know the value exactly")
    drift: int = knob(1, easy=0, hard=2, doc="how far the value moves after each round")
    demand: int = knob(35, easy=10, hard=60, doc="percent of the way from the best habit to the best quotes that must be gone")


class State(TaskData):
    """`values` holds per day the value in each round and at the end, `prices` those of the traders of each round. `past` are the quotes and orders of
    all rounds so far, `quote` one that the traders have not answered."""

    market: Market
    values: Rows
    prices: tuple[Rows, ...]
    need: int = 0
    past: tuple[tuple[Quote, Orders], ...] = ()
    quote: Quote | None = None

    @property
    def rounds(self) -> int:
        return len(self.prices[0])

    @property
    def over(self) -> bool:
        return len(self.past) == len(self.prices) * self.rounds


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        top = knobs.top + rng.integer(-2, 2)
        market = Market(top, knobs.crowd, knobs.informed, top // 4 + rng.integer(0, 2), knobs.drift, knobs.crowd + rng.integer(-2, 2))
        values, prices = _draw(rng, market, knobs)
        state = State(market=market, values=values, prices=prices)
        reached, every = _earned(state, _bayes), _quotes(top)
        most = max(0, *(_earned(state, habit) for habit in _habits(rng, top)))
        if 3 * most >= 2 * reached:
            continue
        most = max(most, *(_earned(state, lambda *_, quote=quote: quote) for quote in every[::3]))
        if most < reached:
            return state.model_copy(update={"need": most + 1 + (reached - most - 1) * knobs.demand // 100})


def show(state: State, player: int) -> str:
    if player:
        return _crowd(state)
    done, rounds = len(state.past), state.rounds
    day, number = divmod(done, rounds)
    head = ""
    if done:
        (bid, ask), wanted = state.past[-1]
        last = (done - 1) // rounds
        stock, cash = _day(state, last)
        sold, bought = dealing.settle(state.market.limit, _day(state, last, done - 1)[0], wanted)
        buys, sells = count_noun(wanted[0], "trader wants", "traders want"), count_noun(wanted[1], "trader wants", "traders want")
        head = (
            f"At {bid} and {ask}, {buys} to buy from you and {sells} to sell to you. You sell {sold} at {ask} and buy {bought} at {bid}. "
        )
        if number == 0:
            head += (
                f"Day {last + 1} ends with a stock of {stock} and {_coins(cash)} in cash. The value is {state.values[last][-1]}. "
                f"Your profit so far is {_profit(state)}. "
            )
    if state.over:
        return head
    stock, cash = _day(state, day)
    now = f"Day {day + 1}, round {number + 1}: your stock is {stock}, your cash of the day {cash}. Give your bid and your ask."
    return f"{head}{now}" if done else f"{_rules(state)}\n\n{now}"


def player(state: State) -> int:
    return 0 if state.quote is None else 1


def legal(state: State) -> Sequence[tuple[int, int]]:
    if state.over:
        return []
    return _quotes(state.market.top) if state.quote is None else _orders(state.market.crowd)


def act(state: State, move: tuple[int, ...]) -> State:
    pair = (move[0], move[1])
    if state.quote is None:
        return state.model_copy(update={"quote": pair})
    return state.model_copy(update={"past": (*state.past, (state.quote, pair)), "quote": None})


def returns(state: State) -> tuple[float, ...] | None:
    if not state.over:
        return None
    share = _profit(state) / _scale(state)
    return share, -share


def best(state: State) -> tuple[int, int]:
    """The quotes with the most expected profit in this round, by what the trades of the day tell."""
    return _wanted(state) or _bayes(state.market, _today(state))


def greedy(state: State) -> tuple[int, int]:
    """Quotes around a middle that follows the orders; the traders act on their prices."""
    return _wanted(state) or _follow(state.market, _today(state))


def target_return(state: State) -> float:
    return state.need / _scale(state)


def opponent(state: State) -> str:
    return "greedy"


def seat(state: State) -> int:
    return 0


def mistakes(state: State) -> list[tuple[int, ...]]:
    return [(5, 5), (7, 3), (0, state.market.top + 1), (4,)]


def cost(state: State) -> float:
    market = state.market
    return float(len(state.prices) * state.rounds * market.top * (1 + market.drift) * (1 + market.informed))


def turns(state: State) -> int:
    return len(state.prices) * state.rounds


def explain(state: State) -> list[str]:
    weights = _weights(state.market, _today(state))
    total, (bid, ask) = sum(weights), best(state)
    likely = sorted(range(len(weights)), key=lambda value: -weights[value])[:5]
    shown = ", ".join(f"{value} with {weights[value] / total:.3f}" for value in likely)
    return [
        f"By the orders of the day the most likely values are {shown}; the expected value is {dealing.expected(weights):.2f}.",
        f"The quotes with the most expected profit: {bid}, {ask}",
    ]


def _draw(rng: Rng, market: Market, knobs: Knobs) -> tuple[Rows, tuple[Rows, ...]]:
    """Per day the values in each round and at the end, and the prices of the traders."""
    values, prices = [], []
    for _ in range(knobs.days):
        value, rows = [rng.integer(0, market.top)], []
        for _ in range(knobs.rounds):
            knows = [rng.integer(1, dealing.TENTHS) <= market.informed for _ in range(market.crowd)]
            rows.append(tuple(value[-1] + (0 if each else rng.integer(-market.error, market.error)) for each in knows))
            value.append(market.moved(value[-1], rng.chance(0.5)) if market.drift else value[-1])
        values.append(tuple(value))
        prices.append(tuple(rows))
    return tuple(values), tuple(prices)


def _rules(state: State) -> str:
    (top, crowd, informed, error, drift, limit), days, rounds = state.market, len(state.prices), state.rounds
    moves = (
        f"After each round it moves by {drift}, up or down with equal chance, and stays where it is if that would leave the range."
        if drift
        else "It stays the same for the whole day."
    )
    return (
        f"You make the market in a security for {days} days of {rounds} rounds each. At the beginning of each day the value of the security is drawn "
        f"anew, each whole number from 0 to {top} with equal chance, and you do not know it. {moves} In each round you quote a bid and an ask, whole "
        f"numbers from 0 to {top}, the bid below the ask. Then {crowd} traders come, each of whom has a price. A trader whose price is above your ask buys "
        "one unit from you at your ask, one whose price is below your bid sells one unit to you at your bid, and any other one does nothing. With a chance "
        f"of {informed}/{dealing.TENTHS} a trader is informed, and the price is the value in this round. Otherwise the price is the value plus an error, "
        f"which is any whole number from -{error} to {error} with equal chance. You learn how many traders want to buy and how many want to sell. You begin "
        f"each day with no units and no cash. Your stock may become negative, but stays from -{limit} to {limit}. In a round, a buyer and a "
        "seller at a time trade with you, which leaves your stock as it is; of the buyers or sellers who are left over, only as many trade as this range "
        "allows. At the end of a day your profit is your cash plus your stock times the value at that time, "
        f"which is then announced. You win if your profit over all days is at least {count_noun(state.need, 'coin')}. Quotes that follow what the traders tell "
        "achieve this."
    )


def _crowd(state: State) -> str:
    day, number = divmod(len(state.past), state.rounds)
    if state.quote is None:
        return "The dealer quotes next."
    prices = " ".join(map(str, state.prices[day][number]))
    return (
        f"You are the {state.market.crowd} traders of day {day + 1}, round {number + 1}; their prices are {prices}. The value is {state.values[day][number]}. "
        f"The dealer buys at {state.quote[0]} and sells at {state.quote[1]}. Say how many traders buy, and how many sell."
    )


def _wanted(state: State) -> Orders | None:
    """What the traders do now, if it is their turn."""
    day, number = divmod(len(state.past), state.rounds)
    return None if state.quote is None else dealing.orders(state.quote, state.prices[day][number])


def _today(state: State) -> tuple[tuple[Quote, Orders], ...]:
    """The rounds of this day so far."""
    done = len(state.past)
    return state.past[done - done % state.rounds :]


def _weights(market: Market, today: Sequence[tuple[Quote, Orders]]) -> Weights:
    weights = dealing.prior(market)
    for quote, wanted in today:
        weights = dealing.posterior(market, weights, quote, wanted)
    return weights


def _bayes(market: Market, today: Sequence[tuple[Quote, Orders]]) -> Quote:
    return dealing.best_quote(market, _weights(market, today))


def _follow(market: Market, today: Sequence[tuple[Quote, Orders]]) -> Quote:
    """Quotes around a middle that moves by a quarter of the range where all traders buy or all sell, and less where they do not agree."""
    top = market.top
    middle, wide = top // 2, max(2, top // 6)
    for _, (buys, sells) in today:
        middle = min(top - wide, max(wide, middle + (buys - sells) * top // (4 * market.crowd)))
    return middle - wide, middle + wide


def _day(state: State, day: int, before: int | None = None) -> tuple[int, int]:
    """The stock and the cash of a day so far, or before a round."""
    return dealing.account(state.market.limit, state.past[day * state.rounds : (day + 1) * state.rounds if before is None else before])


def _profit(state: State) -> int:
    """The profit of all days that are over."""
    over = [_day(state, day) for day in range(len(state.past) // state.rounds)]
    return sum(cash + stock * state.values[day][-1] for day, (stock, cash) in enumerate(over))


def _earned(state: State, choose: Choose) -> int:
    """The profit of somebody who chooses so."""
    market, profit = state.market, 0
    for day, rows in enumerate(state.prices):
        today: list[tuple[Quote, Orders]] = []
        for prices in rows:
            quote = choose(market, today)
            today.append((quote, dealing.orders(quote, prices)))
        stock, cash = dealing.account(market.limit, today)
        profit += cash + stock * state.values[day][-1]
    return profit


def _habits(rng: Rng, top: int) -> list[Choose]:
    """Quotes that follow the orders by a fixed step, random ones, and those as far from both ends of the range."""
    habits: list[Choose] = [_follow, *([lambda *_: rng.choice(_quotes(top))] * RANDOM_PLAYS)]
    return [*habits, *(lambda *_, wide=wide: (wide, top - wide) for wide in range(top // 2))]


def _scale(state: State) -> int:
    """More than can be won or lost."""
    return state.market.top * state.market.crowd * state.rounds * len(state.prices)


def _coins(cash: int) -> str:
    return f"{'minus ' if cash < 0 else ''}{count_noun(abs(cash), 'coin')}"


@lru_cache(maxsize=64)
def _quotes(top: int) -> tuple[Quote, ...]:
    return tuple((bid, ask) for bid in range(top) for ask in range(bid + 1, top + 1))


@lru_cache(maxsize=16)
def _orders(crowd: int) -> tuple[Orders, ...]:
    return tuple((buys, sells) for buys in range(crowd + 1) for sells in range(crowd + 1 - buys))


environment = Match(
    Knobs, Numbers("your bid and your ask", max_items=2),
    start, show, player, legal, act, returns, best, greedy, target_return, opponent, seat, mistakes, cost, turns,
    explain=explain,
    concept="The shares of traders who buy, sell and do nothing tell where the value lies: quote around the values that fit best.",
    recoverable_first_move="The first of many quotes decides little, and it tells where the value is.",
)  # fmt: skip
