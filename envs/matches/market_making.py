"""Quote prices to traders of whom some know the value and some do not, and end with a profit: learn the value from who buys and who sells.

Traders come in turn. What they do is decided by stated rules; the trades of those who know nothing are drawn before the first quote. The profit that
is asked for is reached, with these trades, by the maker who weighs all possible values and traders; habits reach less.
"""

from functools import lru_cache
from itertools import combinations

from rlgym import Config, Match, Rng, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.text.english import count_noun, join_words

Move = tuple[str, ...]
NAMES = ("Ada", "Ben", "Cleo", "Dan")
TRADES = ("buy", "sell", "pass")
RANDOM_PLAYS = 8
INFORMED = 2
PERIODS = 2


class Knobs(Config):
    highest: int = knob(200, easy=120, hard=400, doc="the highest value that the share may have")
    spread: int = knob(6, easy=4, hard=8, doc="how far the ask lies above the bid")
    visits: int = knob(3, easy=2, hard=4, doc="how often each trader comes in each of the two periods")


class State(TaskData):
    """Player 0 quotes; player 1 + k is the k-th trader. `moods` are the trades that uninformed traders make, by round."""

    highest: int
    spread: int
    visits: int
    informed: tuple[int, ...]
    values: tuple[int, ...]  # of each period
    moods: tuple[str, ...]
    need: int = 0
    quotes: tuple[int, ...] = ()
    trades: tuple[str, ...] = ()


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        informed = tuple(sorted(rng.sample(range(len(NAMES)), INFORMED)))
        orders = [rng.shuffled(TRADES[:2] * knobs.visits) for _ in NAMES]
        moods = tuple(orders[_trader(k)][k // len(NAMES)] for k in range(PERIODS * knobs.visits * len(NAMES)))
        values = tuple(rng.integer(0, knobs.highest) for _ in range(PERIODS))
        state = State(highest=knobs.highest, spread=knobs.spread, visits=knobs.visits, informed=informed, values=values, moods=moods)
        reached = _profit(_played(state, best))
        weak = [max(_constant(state, bid) for bid in range(state.highest - state.spread + 1)), _profit(_played(state, greedy))]
        weak += [_profit(_played(state, lambda now: rng.choice(legal(now)))) for _ in range(RANDOM_PLAYS)]
        most = max(weak)
        if reached > most:
            # Nine tenths of the way from what habits reach to what was reached.
            return state.model_copy(update={"need": most + 9 * (reached - most) // 10})


def show(state: State, player: int) -> str:
    if not state.quotes:
        return f"{_rules(state)}\n\n{_role(state, player)}"
    bid, who = state.quotes[-1], _trader(len(state.quotes) - 1)
    if len(state.trades) < len(state.quotes):
        last = f"In round {len(state.quotes)} the bid is {bid} and the ask {bid + state.spread}. "
        return f"{last}{_role(state, player)}"
    done = {"buy": f"buys at {bid + state.spread}", "sell": f"sells at {bid}", "pass": "does not trade"}[state.trades[-1]]
    return f"{NAMES[who]} {done}. {_period(state)}{_role(state, player)}"


def player(state: State) -> int:
    return 0 if len(state.trades) == len(state.quotes) else 1 + _trader(len(state.trades))


def legal(state: State) -> list[Move]:
    if len(state.trades) == len(state.moods):
        return []
    if player(state):
        return [(trade,) for trade in TRADES]
    return [(str(bid),) for bid in range(state.highest - state.spread + 1)]


def act(state: State, move: Move) -> State:
    if player(state):
        return state.model_copy(update={"trades": (*state.trades, move[0])})
    return state.model_copy(update={"quotes": (*state.quotes, int(move[0]))})


def returns(state: State) -> tuple[float, ...] | None:
    if len(state.trades) < len(state.moods):
        return None
    scale = float(len(state.moods) * state.highest)
    return (_profit(state) / scale, *(_profit(state, who) / scale for who in range(len(NAMES))))


def best(state: State) -> Move:
    """The quote that loses least to traders who know the value, over all values and sets of such traders that fit the trades."""
    if player(state):
        return _trade(state)
    return (str(_quote(_game(state), state.quotes, state.trades)),)


def greedy(state: State) -> Move:
    """Starts in the middle, and moves the quote by the spread in the direction of each trade."""
    if player(state):
        return _trade(state)
    bid = (state.highest - state.spread) // 2
    for trade in state.trades:
        bid += {"buy": state.spread, "sell": -state.spread, "pass": 0}[trade]
    return (str(min(max(bid, 0), state.highest - state.spread)),)


def target_return(state: State) -> float:
    return state.need / float(len(state.moods) * state.highest)


def opponent(state: State) -> str:
    return "greedy"


def seat(state: State) -> int:
    return 0


def mistakes(state: State) -> list[Move]:
    return [(str(state.highest),), ("0",), ("-1",)]


def cost(state: State) -> float:
    return float(state.highest * len(state.moods))


def turns(state: State) -> int:
    return len(state.moods)


def explain(state: State) -> list[str]:
    values = [sum(row) for row in _weights(_game(state), state.quotes, state.trades)]
    total = sum(values)
    likely = max(range(len(values)), key=lambda value: values[value])
    return [
        f"By the trades so far the value is most likely {likely}, with a probability of {values[likely] / total:.3f}.",
        f"The quote that loses least to informed traders has the bid {best(state)[0]}",
    ]


def _rules(state: State) -> str:
    count, rounds = len(state.informed), len(state.moods) // PERIODS
    return (
        f"You make a market in a share for two periods of {rounds} rounds each. In each period its value is a whole number from 0 to {state.highest}, "
        "drawn anew at the start of the period, each number equally likely, and announced at the end of the game. "
        f"{join_words(NAMES)} come in this order, over and over, one in each round. {count} of these four always know the value, and you do not know "
        f"which; every choice of {count} is equally likely. In each round you quote a bid, a whole number from 0 to {state.highest - state.spread}; your "
        f"ask is always {state.spread} more. A trader who knows the value buys a share from you at the ask if the value is higher than the ask, sells "
        "you one at the bid if the value is lower than the bid, and otherwise does not trade. A trader who does not know it buys one in half of the "
        f"{PERIODS * state.visits} rounds of the game in which they come and sells one in the other half, whatever you quote; every order of these is "
        "equally likely. What you bought and sold in a period is settled at the value of that period: your profit is what you were paid for the shares "
        "that you sold less their value, plus the value of the shares that you bought less what you paid for them."
    )


def _role(state: State, player: int) -> str:
    if player == 0:
        ask = f"Which bid do you quote in round {len(state.quotes) + 1}?"
        goal = (
            f"your profit is at least {count_noun(state.need, 'coin')}"
            if state.need > 0
            else f"you have lost at most {count_noun(-state.need, 'coin')}"
        )
        return ask if state.quotes else f"You win if {goal} in the end. {ask}"
    knows = f"the value is now {_value(state, len(state.trades))}" if player - 1 in state.informed else "you do not know the value"
    return f"You are {NAMES[player - 1]}, and {knows}. Give buy, sell or pass."


def _period(state: State) -> str:
    return "The second period begins, with a new value. " if len(state.trades) == state.visits * len(NAMES) else ""


def _trader(round_number: int) -> int:
    return round_number % len(NAMES)


def _value(state: State, round_number: int) -> int:
    return state.values[round_number // (state.visits * len(NAMES))]


def _trade(state: State) -> Move:
    """What the trader of this round does by the rules."""
    bid, now = state.quotes[-1], len(state.trades)
    value = _value(state, now)
    if _trader(now) not in state.informed:
        return (state.moods[now],)
    return ("buy" if value > bid + state.spread else "sell" if value < bid else "pass",)


def _cash(state: State, k: int) -> int:
    return {"buy": state.quotes[k] + state.spread, "sell": -state.quotes[k], "pass": 0}[state.trades[k]]


def _profit(state: State, trader: int | None = None) -> int:
    """The maker's profit, or that of a trader."""
    total = 0
    for k, trade in enumerate(state.trades):
        gained = _cash(state, k) + {"buy": -_value(state, k), "sell": _value(state, k), "pass": 0}[trade]
        total += gained if trader is None else -gained * (_trader(k) == trader)
    return total


def _constant(state: State, bid: int) -> int:
    """The profit of a maker who quotes the same bid in all rounds."""
    ask, total = bid + state.spread, 0
    for k, mood in enumerate(state.moods):
        value = _value(state, k)
        if _trader(k) in state.informed:
            total -= max(value - ask, bid - value, 0)
        else:
            total += ask - value if mood == "buy" else value - bid
    return total


def _played(state: State, choose: object) -> State:
    assert callable(choose)
    while len(state.trades) < len(state.moods):
        state = act(state, choose(state) if player(state) == 0 else _trade(state))
    return state


@lru_cache(maxsize=512)
def _weights(game: tuple[int, int, int, int], quotes: tuple[int, ...], trades: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """For each value the weight of every set of informed traders."""
    highest, spread, informed, visits = game
    sets = tuple(combinations(range(len(NAMES)), informed))
    if not trades:
        return ((1,) * len(sets),) * (highest + 1)
    before = _weights(game, quotes[:-1], trades[:-1])
    if len(trades) - 1 == visits * len(NAMES):
        # A new period: of what was learnt, only who is informed still counts.
        before = (tuple(sum(row[k] for row in before) for k in range(len(sets))),) * (highest + 1)
    who, trade, bid = _trader(len(trades) - 1), trades[-1], quotes[-1]
    own = trades[who : len(trades) - 1 : len(NAMES)]
    # A trader who knows nothing draws from the trades that are left; the common denominator is their number.
    left, alike = PERIODS * visits - len(own), max(0, visits - own.count(trade)) if trade != "pass" else 0
    rows = []
    for value, row in enumerate(before):
        right = left if trade == ("buy" if value > bid + spread else "sell" if value < bid else "pass") else 0
        rows.append(tuple(weight * (right if who in those else alike) for weight, those in zip(row, sets, strict=True)))
    return tuple(rows)


@lru_cache(maxsize=512)
def _quote(game: tuple[int, int, int, int], quotes: tuple[int, ...], trades: tuple[str, ...]) -> int:
    """The lowest of the bids that lose least to the next trader, or to all where the next one surely knows nothing."""
    highest, spread, informed, _ = game
    weights, coming = _weights(game, quotes, trades), _trader(len(trades))
    if len(trades) == game[3] * len(NAMES):
        weights = (tuple(sum(row[k] for row in weights) for k in range(len(weights[0]))),) * (highest + 1)
    among = [coming in those for those in combinations(range(len(NAMES)), informed)]
    known = [sum(weight for weight, inside in zip(row, among, strict=True) if inside) for row in weights]
    if not any(known):
        known = [sum(row) for row in weights]
    lost = sum(weight * (value - spread) for value, weight in enumerate(known) if value > spread)
    below, above = 0, sum(known[spread + 1 :])
    best, least = 0, lost
    for bid in range(1, highest - spread + 1):
        # With a bid one higher, each value below it loses one more, and each value above the ask before one less.
        below += known[bid - 1]
        lost += below - above
        above -= known[bid + spread]
        if lost < least:
            best, least = bid, lost
    return best


def _game(state: State) -> tuple[int, int, int, int]:
    return state.highest, state.spread, len(state.informed), state.visits


environment = Match(
    Knobs, Words("the bid, a whole number", max_items=1), start, show, player, legal, act, returns, best, greedy, target_return, opponent, seat,
    mistakes, cost, turns, players=1 + len(NAMES), explain=explain,
    recoverable_first_move="A first quote tells little about the value; the later ones make up for it.",
    concept="Whoever trades against a quote that is far off may know the value: search it as by halving, and watch who is consistent with the others.",
)  # fmt: skip
