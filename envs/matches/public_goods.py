"""Pay into a common pot with two others over many rounds, each of whom follows a hidden rule.

The target against each pair of rules is computed exactly: the most points with the rules known, less the smallest possible regret.
"""

from collections.abc import Callable
from typing import NamedTuple

from rlgym import Config, Match, Rng, knob
from rlgym.answers import Integer
from rlgym.generators.payoffs import machines
from rlgym.generators.payoffs.machines import Repeated, Rounds, Table, gained, moves_of

NAMES = ("Cleo", "Dan")
MOST = 3  # coins of each player in a round


class Knobs(Config):
    rules: int = knob(2, easy=1, hard=3, doc="rules that the second of the others may follow")
    rounds: int = knob(8, easy=6, hard=10, doc="rounds")


class Rule(NamedTuple):
    """What a player pays in per state, and per coins of yours and of the third player the state after."""

    said: str
    pays: tuple[int, ...]
    after: tuple[Table, ...]


class State(Rounds):
    kept: int  # points of a coin that is kept
    shared: int  # points of a coin in the pot, for each of the three
    said: tuple[tuple[str, ...], tuple[str, ...]]


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        shared = rng.integer(2, 7)
        kept = rng.integer(shared + 1, 3 * shared - 1)
        codes = range((MOST + 1) ** 2)
        pay = tuple(tuple(kept * (MOST - mine) + shared * (mine + _sum(code)) for code in codes) for mine in range(MOST + 1))
        others = tuple(
            tuple(
                tuple(kept * (MOST - code // (MOST + 1) ** k % (MOST + 1)) + shared * (mine + _sum(code)) for code in codes)
                for mine in range(MOST + 1)
            )
            for k in (0, 1)
        )
        first = [_scheduled_rule(rng, knobs.rounds) for _ in range(max(2, knobs.rules))]
        second = rng.sample(_rules(rng, NAMES[0]), knobs.rules)
        repeated = Repeated(
            knobs.rounds, pay, tuple(machines.joint(MOST + 1, rule_a[1:], rule_b[1:]) for rule_a in first for rule_b in second)
        )
        kind = machines.sample_exploitable_kind(rng, repeated)
        if kind is not None:
            texts = tuple(rule.said for rule in first), tuple(rule.said for rule in second)
            return State(repeated=repeated, others=others, options=MOST + 1, kind=kind, kept=kept, shared=shared, said=texts)


def show(state: State, player: int) -> str:
    if state.past:
        paid = ", ".join(
            f"{name} {coins}" for name, coins in zip(("the first player", *NAMES), moves_of(state, state.past[-1]), strict=True)
        )
        turn = f"round {len(state.past) + 1} of {state.repeated.rounds}"
        return f"Paid in: {paid}. You have {gained(state)[player]} points. How many coins do you pay into the pot in {turn}?"
    sure = machines.solve(state.repeated).sure
    rules = "\n".join(f"{name}{k}: {text}" for name, all_said in zip(NAMES, state.said, strict=True) for k, text in enumerate(all_said, 1))
    requirements = "; ".join(f"{needs} if they are {pair}" for pair, needs in zip(_pairs(state), sure, strict=True))
    return (
        f"Three players, you, Cleo and Dan, get {MOST} coins each in each of {state.repeated.rounds} rounds. In each round all say at the same time "
        "how many of "
        f"their coins they pay into a common pot, and then see what all paid in. A coin that is kept gives its owner {state.kept} points; a coin in the pot "
        f"gives each of the three {state.shared} points. Coins are not carried over to the next round. Cleo and Dan each follow one of their rules "
        "in all rounds, "
        f"but you do not know which:\n{rules}\n\nYou win if in the end you have enough points: {requirements}. There is a way to play that reaches this "
        "whichever they "
        f"are. How many coins do you pay into the pot in round 1?"
    )


def legal(state: State) -> list[int]:
    return list(range(MOST + 1))


def act(state: State, move: int) -> State:
    return machines.play_move(state, move)


def best(state: State) -> int:
    return machines.best(state)


def greedy(state: State) -> int:
    return machines.reply(state) if state.pending else 0


def mistakes(state: State) -> list[int]:
    return [0, MOST, MOST + 1]


def cost(state: State) -> float:
    return float(state.repeated.rounds * sum(len(machine.after) for machine in state.repeated.machines))


def explain(state: State) -> list[str]:
    return machines.explain(state, [str(coins) for coins in legal(state)], _pairs(state), "pair")


def _pairs(state: State) -> list[str]:
    return [f"Cleo{first} and Dan{second}" for first in range(1, len(state.said[0]) + 1) for second in range(1, len(state.said[1]) + 1)]


def _sum(code: int) -> int:
    return code // (MOST + 1) + code % (MOST + 1)


def _scheduled_rule(rng: Rng, rounds: int) -> Rule:
    """A rule that copies you in some rounds and does the opposite in the others, so that no fixed plan is good against many of them."""
    copied, first = machines.sample_rounds(rng, rounds), rng.integer(0, MOST)
    machine = machines.copier(MOST + 1, rounds, copied, first)
    text = f"pays in {first} in round 1; in {machines.list_rounds(copied)} what you paid in during the round before, in all other rounds {MOST} less that."
    # The first state is exchanged with the one the machine starts with.
    swap = {0: first, first: 0}
    after = [machine.after[swap.get(state, state)] for state in range(len(machine.after))]
    pays = tuple(machine.replies[swap.get(state, state)][0] for state in range(len(machine.after)))
    return Rule(text, pays, tuple(tuple((swap.get(state, state),) * (MOST + 1) for state in row) for row in after))


def _rules(rng: Rng, third: str) -> list[Rule]:
    first, some, least = rng.integer(0, MOST), rng.integer(1, MOST), rng.integer(1, MOST)
    coins = range(MOST + 1)

    def table(states: int, after: Callable[[int, int, int], int]) -> tuple[Table, ...]:
        return tuple(tuple(tuple(after(at, you, other) for other in coins) for you in coins) for at in range(states))

    amounts = tuple(coins)

    def follows(text: str, after: Callable[[int, int, int], int]) -> Rule:
        """A rule whose state is what it pays in; the first state is exchanged with the one it starts with."""
        swap = {0: first, first: 0}

        def name(coin: int) -> int:
            return swap.get(coin, coin)

        machine_table = table(MOST + 1, lambda at, you, other: name(after(name(at), you, other)))
        return Rule(f"pays in {first} in round 1, and later {text}.", tuple(name(coin) for coin in amounts), machine_table)

    return [
        follows("what you paid in during the round before", lambda at, you, other: you),
        follows(f"what {third} paid in during the round before", lambda at, you, other: other),
        follows(f"the smaller of what you and {third} paid in during the round before", lambda at, you, other: min(you, other)),
        follows(f"the larger of what you and {third} paid in during the round before", lambda at, you, other: max(you, other)),
        follows(
            f"1 more than in the round before if you paid in at least {least} then, otherwise 1 less (always from 0 to {MOST})",
            lambda at, you, other: min(MOST, at + 1) if you >= least else max(0, at - 1),
        ),
        follows(f"{MOST} less what you paid in during the round before", lambda at, you, other: MOST - you),
        Rule(
            f"pays in {MOST} until you pay in less than {least}; after that always 0.",
            (MOST, 0),
            table(2, lambda at, you, other: int(at or you < least)),
        ),
        Rule(
            f"pays in 0 until you pay in at least {least}; after that always {some}.",
            (0, some),
            table(2, lambda at, you, other: int(at or you >= least)),
        ),
        Rule(
            f"pays in {MOST} in a round if you and {third} paid in {least} or more together in the round before, otherwise 0; in round 1 {MOST}.",
            (MOST, 0),
            table(2, lambda at, you, other: int(you + other < least)),
        ),
    ]


environment = Match(
    Knobs, Integer("the number of coins that you pay in"),
    start, show, machines.to_move, legal, act, machines.returns, best, greedy, machines.target_return, machines.opponent, machines.seat,
    mistakes, cost, machines.turns,
    players=3, explain=explain,
    concept="A coin in the pot costs you something now; pay it only where it makes the others pay in later, and see which rules do that.",
    version=4,
)  # fmt: skip
