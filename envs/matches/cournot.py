"""Sell against a rival over many rounds: both choose quantities, the price falls with what is sold, and the rival follows a hidden rule.

The target against each rule is computed exactly: the most profit with the rule known, less the smallest possible regret.
"""

from collections.abc import Callable
from functools import partial

from rlgym import Config, Match, Rng, knob
from rlgym.answers import Integer
from rlgym.generators.payoffs import machines
from rlgym.generators.payoffs.machines import Machine, Repeated, Rounds, gained, moore
from rlgym.generators.text.english import count_noun

SCHEDULED = 2  # rules whose best reply differs from task to task, so that no fixed plan is good against many of them


class Knobs(Config):
    rules: int = knob(3, easy=2, hard=5, doc="rules that the rival may follow")
    rounds: int = knob(7, easy=6, hard=9, doc="rounds")
    capacity: int = knob(6, easy=4, hard=9, doc="most units that a seller can bring in a round")


class State(Rounds):
    price: int  # of a unit when nothing is sold
    costs: tuple[int, int]
    said: tuple[str, ...]


def start(rng: Rng, knobs: Knobs) -> State:
    most = knobs.capacity
    while True:
        price = rng.integer(2 * most + 1, 3 * most + 2)
        costs = rng.integer(1, max(1, most // 2)), rng.integer(1, max(1, most // 2))
        pay, theirs = (_profits(price, cost, most) for cost in costs)
        scheduled = [_scheduled_rule(rng, knobs.rounds, most) for _ in range(SCHEDULED)]
        rules = rng.shuffled([*scheduled, *rng.sample(_rules(rng, price, costs[1], most), knobs.rules - SCHEDULED)])
        repeated = Repeated(knobs.rounds, pay, tuple(machine for _, machine in rules))
        kind = machines.sample_exploitable_kind(rng, repeated, among=[k for k, rule in enumerate(rules) if rule in scheduled])
        if kind is not None:
            others = (tuple(zip(*theirs, strict=True)),)
            return State(repeated=repeated, others=others, kind=kind, price=price, costs=costs, said=tuple(text for text, _ in rules))


def show(state: State, player: int) -> str:
    most = len(state.repeated.pay) - 1
    if state.past:
        pair = state.past[-1] if player == 0 else state.past[-1][::-1]
        return (
            f"In round {len(state.past)} you brought {pair[0]} and I brought {pair[1]}, so the price was {max(0, state.price - sum(pair))}. Your profit so "
            f"far is {gained(state)[player]}. Choose for round {len(state.past) + 1} of {state.repeated.rounds}."
        )
    sure = machines.solve(state.repeated).sure
    rules = "\n".join(f"{chr(65 + k)}: {text} You need a profit of {sure[k]}." for k, text in enumerate(state.said))
    return (
        f"Two sellers, you and I, bring goods to market in {state.repeated.rounds} rounds. In each round both choose at the same time how many units to "
        f"bring, from 0 to {most}. All units are sold at one price: {state.price} less the number of units that we bring together (but never below 0). A "
        f"unit costs you {state.costs[0]} to make and costs me {state.costs[1]}; your profit in a round is the number of your units times the price "
        f"less your cost. I follow one of these rules in all rounds, but I do not tell you which:\n{rules}\n\nYou win if your profits of all rounds "
        f"add up to at least what is stated for the rule that I actually follow. There is a way to play that achieves this whichever rule it is. "
        f"Choose for round 1."
    )


def legal(state: State) -> list[int]:
    return list(range(len(state.repeated.pay)))


def act(state: State, move: int) -> State:
    return machines.play_move(state, move)


def best(state: State) -> int:
    return machines.best(state)


def greedy(state: State) -> int:
    """What would be best if the other brought as much as in the last round."""
    if state.pending:
        return machines.reply(state)
    last = state.past[-1][1] if state.past else 0
    return max(legal(state), key=lambda move: (state.repeated.pay[move][last], -move))


def mistakes(state: State) -> list[int]:
    return [0, len(state.repeated.pay) - 1, len(state.repeated.pay), -1]


def cost(state: State) -> float:
    return state.repeated.rounds * len(state.repeated.pay) * state.repeated.kinds


def explain(state: State) -> list[str]:
    return machines.explain(state, [str(move) for move in legal(state)])


def _profits(price: int, cost: int, most: int) -> tuple[tuple[int, ...], ...]:
    """Per own quantity and the other's: units times what the price is above the cost."""
    return tuple(tuple(mine * (max(0, price - mine - other) - cost) for other in range(most + 1)) for mine in range(most + 1))


def _scheduled_rule(rng: Rng, rounds: int, most: int) -> tuple[str, Machine]:
    """A rule that copies in some rounds and does the opposite in the others."""
    copied, first = machines.sample_rounds(rng, rounds), rng.integer(0, most)
    units = count_noun(first, "unit")
    text = f"I bring {units} in round 1; in {machines.list_rounds(copied)} as many as you brought in the round before, in all other rounds {most} less that."
    return text, machines.copier(most + 1, rounds, copied, first)


def _rules(rng: Rng, price: int, cost: int, most: int) -> list[tuple[str, Machine]]:
    """Rules in words and as machines, whose states are quantities or phases."""
    profits = _profits(price, cost, most)
    first, high, low = rng.integer(0, most), rng.integer(most // 2 + 1, most), rng.integer(0, most // 2)
    limit, patience, step = rng.integer(1, most - 1), rng.integer(1, 2), rng.integer(1, 2)
    answers = [max(range(most + 1), key=lambda mine: (profits[mine][other], -mine)) for other in range(most + 1)]
    times = "in a round" if patience == 1 else "in two rounds"
    units = partial(count_noun, singular="unit")
    return [
        (f"I always bring {units(first)}.", _follows(most, first, lambda mine, yours: mine)),
        (
            f"I bring {units(first)} in round 1; afterwards what would have been most profitable for me against what you brought in the round before "
            "(the smaller number if two are equally profitable).",
            _follows(most, first, lambda mine, yours: answers[yours]),
        ),
        (
            f"I bring {units(first)} in round 1; afterwards as many as you brought in the round before.",
            _follows(most, first, lambda mine, yours: yours),
        ),
        (
            f"I bring {units(first)} in round 1; afterwards {most} less the number that you brought in the round before.",
            _follows(most, first, lambda mine, yours: most - yours),
        ),
        (
            f"I bring {units(first)} in round 1; afterwards {step} more than in the round before if you brought fewer than {limit} then, and {step} "
            f"fewer otherwise, but never fewer than 0 or more than {most}.",
            _follows(most, first, lambda mine, yours: min(most, mine + step) if yours < limit else max(0, mine - step)),
        ),
        (
            f"I bring {units(low)} until you have brought more than {units(limit)} {times}; from then on I bring {high}.",
            _turns(most, low, high, patience, lambda yours: yours > limit),
        ),
        (
            f"I bring {units(high)} until you have brought more than {units(limit)} {times}; from then on I bring {low}.",
            _turns(most, high, low, patience, lambda yours: yours > limit),
        ),
        (f"I bring {units(low)} in odd rounds and {high} in even rounds.", moore((low, high), ((1,) * (most + 1), (0,) * (most + 1)))),
    ]


def _follows(most: int, first: int, after: Callable[[int, int], int]) -> Machine:
    """A machine that brings what follows from both quantities of the round before."""
    table = tuple(tuple(after(mine, yours) for yours in range(most + 1)) for mine in range(most + 1))
    return moore(range(most + 1), table)._replace(first=first)


def _turns(most: int, before: int, after: int, patience: int, hurt: Callable[[int], bool]) -> Machine:
    """A machine that changes for ever once it was hurt so often."""
    rows = [tuple(k + hurt(yours) for yours in range(most + 1)) for k in range(patience)]
    return moore((before,) * patience + (after,), (*rows, (patience,) * (most + 1)))


environment = Match(
    Knobs, Integer("the number of units that you bring"),
    start, show, machines.to_move, legal, act, machines.returns, best, greedy, machines.target_return, machines.opponent, machines.seat,
    mistakes, cost, machines.turns,
    explain=explain,
    concept="Find out the rule by what the rival brings, then weigh the profit of a round against how the quantity moves the rival in the next.",
    version=3,
)  # fmt: skip
