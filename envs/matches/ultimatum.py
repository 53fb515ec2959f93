"""Offer a share of coins in every round to somebody who takes it or leaves both with nothing, by a hidden rule that changes with what was offered.

The target against each rule is computed exactly: the most that could be kept with the rule known, less the smallest possible regret.
"""

from collections.abc import Callable

from rlgym import Config, Match, Rng, knob
from rlgym.answers import Integer
from rlgym.generators.payoffs import machines
from rlgym.generators.payoffs.machines import Machine, Repeated, Rounds, gained

SCHEDULED = 2  # rules whose best reply differs from task to task, so that no fixed plan is good against many of them


class Knobs(Config):
    coins: int = knob(9, easy=6, hard=11, doc="coins to share in a round")
    rules: int = knob(3, easy=2, hard=5, doc="rules that the other may follow")
    rounds: int = knob(7, easy=5, hard=10, doc="rounds")


class State(Rounds):
    coins: int
    said: tuple[str, ...]


def start(rng: Rng, knobs: Knobs) -> State:
    coins = knobs.coins
    pay, theirs = (tuple((0, kept) for kept in column) for column in (range(coins, -1, -1), range(coins + 1)))
    while True:
        scheduled = [_scheduled_rule(rng, coins, knobs.rounds) for _ in range(SCHEDULED)]
        rules = rng.shuffled([*scheduled, *rng.sample(_rules(rng, coins), knobs.rules - SCHEDULED)])
        repeated = Repeated(knobs.rounds, pay, tuple(machine for _, machine in rules))
        kind = machines.sample_exploitable_kind(rng, repeated, among=[k for k, rule in enumerate(rules) if rule in scheduled])
        if kind is not None:
            return State(repeated=repeated, others=(theirs,), kind=kind, coins=coins, said=tuple(text for text, _ in rules))


def show(state: State, player: int) -> str:
    mine, theirs = gained(state) if player == 0 else gained(state)[::-1]
    have = f"You have {mine} coins, I have {theirs}."
    offer = f" I offer you {state.pending[0]} of {state.coins} coins. Say 1 to take them, 0 to refuse." if state.pending else ""
    if state.past:
        outcome_text = f"The offer of {state.past[-1][0]} was {'taken' if state.past[-1][1] else 'refused'}. {have}"
        return f"{outcome_text}{offer or f' Make an offer for round {len(state.past) + 1} of {state.repeated.rounds}.'}"
    sure = machines.solve(state.repeated).sure
    rules = "\n".join(f"{chr(65 + k)}: {text} You need {sure[k]} coins." for k, text in enumerate(state.said))
    return (
        f"In each of {state.repeated.rounds} rounds there are {state.coins} coins to share. You say how many of them you offer me, from 0 to "
        f"{state.coins}. If I take the offer, I get that many and you keep the rest; if I refuse, nobody gets anything in this round. What I ask for "
        f"is the fewest coins that I take. I follow one of these rules in all rounds, but I do not tell you which:\n{rules}\n\nYou win if in the end "
        "you have at least the number of coins stated for the rule that I follow. There is a way to make offers that achieves this whichever rule it "
        f"is.{offer or ' Make an offer for round 1.'}"
    )


def legal(state: State) -> list[int]:
    return [0, 1] if state.pending else list(range(state.coins + 1))


def act(state: State, move: int) -> State:
    return machines.play_move(state, move)


def best(state: State) -> int:
    return machines.best(state)


def greedy(state: State) -> int:
    """Half of the coins, or what was taken last time."""
    if state.pending:
        return machines.reply(state)
    return state.past[-1][0] if state.past and state.past[-1][1] else (state.coins + 1) // 2


def mistakes(state: State) -> list[int]:
    return [0, state.coins, state.coins + 1, -1]


def cost(state: State) -> float:
    return float(state.repeated.rounds * state.repeated.kinds * (state.coins + 1))


def explain(state: State) -> list[str]:
    return machines.explain(state, [str(offer) for offer in range(state.coins + 1)])


def _scheduled_rule(rng: Rng, coins: int, rounds: int) -> tuple[str, Machine]:
    """A rule that asks for one number of coins in some rounds and for another in all others."""
    high, low = rng.integer(coins // 2 + 1, coins - 1), rng.integer(1, coins // 2)
    chosen = machines.sample_rounds(rng, rounds, 1)
    asks = [high if number in chosen else low for number in range(1, rounds + 1)]
    text = f"I ask for {high} in {machines.list_rounds(chosen)}, and for {low} in all other rounds."
    return text, _asks(coins, asks, lambda at, taken, offer: min(at + 1, rounds - 1))


def _rules(rng: Rng, coins: int) -> list[tuple[str, Machine]]:
    """Rules in words and as machines."""
    high, low, some = rng.integer(coins // 2, coins - 1), rng.integer(1, coins // 3), rng.integer(2, coins - 2)
    many = rng.integer(1, 3)
    times = "once" if many == 1 else f"{many} times"
    every = range(coins + 1)
    return [
        (f"I always ask for {some}.", _asks(coins, [some], lambda at, taken, offer: 0)),
        (
            f"I ask for {high} at first, and for 1 less than before after each refusal, but never for less than {low}.",
            _asks(coins, every, lambda at, taken, offer: at if taken else max(low, at - 1), high),
        ),
        (
            f"I ask for {low} at first, and for 1 more than before after each offer that I take, but never for more than {high}.",
            _asks(coins, every, lambda at, taken, offer: min(high, at + 1) if taken else at, low),
        ),
        (
            f"I ask for {max(low, min(high, some))} at first, for 1 more after each offer that I take, and for 1 less after each refusal, always "
            f"between {low} and {high}.",
            _asks(coins, every, lambda at, taken, offer: max(low, min(high, at + 1 if taken else at - 1)), max(low, min(high, some))),
        ),
        (f"I ask for {high} in odd rounds and for {low} in even rounds.", _asks(coins, [high, low], lambda at, taken, offer: 1 - at)),
        (
            f"I ask for {low} until I have refused {times}; from then on for {high}.",
            _asks(coins, [low] * many + [high], lambda at, taken, offer: min(many, at + (not taken))),
        ),
        (
            f"I ask for {high} until I have taken an offer {times}; from then on for {low}.",
            _asks(coins, [high] * many + [low], lambda at, taken, offer: min(many, at + taken)),
        ),
        (
            f"I ask for {some} in round 1, and later for {coins} less what you offered in the round before, but for no less than {low}.",
            _asks(coins, every, lambda at, taken, offer: max(low, coins - offer), some),
        ),
    ]


def _asks(coins: int, demands: range | list[int], after: Callable[[int, bool, int], int], first: int = 0) -> Machine:
    """A machine that asks for something in each state and goes on by whether it took the offer, and by the offer."""
    offers = range(coins + 1)
    replies = tuple(tuple(int(offer >= ask) for offer in offers) for ask in demands)
    return Machine(replies, tuple(tuple(after(at, offer >= ask, offer) for offer in offers) for at, ask in enumerate(demands)), first)


environment = Match(
    Knobs, Integer("the number of coins that you offer"),
    start, show, machines.to_move, legal, act, machines.returns, best, greedy, machines.target_return, machines.opponent, machines.seat,
    mistakes, cost, machines.turns,
    explain=explain,
    concept="A refusal costs a round but tells what is asked; offers that are taken may make the next ones dearer.",
    version=4,
)  # fmt: skip
