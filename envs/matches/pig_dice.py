"""Race with dice: in each turn say the total at which you stop throwing, and lose the turn if a one comes first.

All dice are drawn before the first race. What is asked is what the exact policy, which makes winning each race most likely, wins with
these dice; they are drawn so that habits win less.
"""

from collections.abc import Callable
from functools import partial

from rlgym import Config, Match, Rng, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.payoffs import pig
from rlgym.generators.text.english import count_noun

Turn = tuple[int, int, int, tuple[int, ...]]  # the race, who moved, the total said, and the throws
Choice = Callable[[int, int], int]  # of both players' points: the total at which to stop


class Knobs(Config):
    goal: int = knob(20, easy=14, hard=26, doc="points that win a race")
    races: int = knob(6, easy=5, hard=7, doc="races")


class State(TaskData):
    sides: int
    goal: int
    races: int
    habit: int  # where the other player stops
    dice: tuple[int, ...]
    begins: int
    heads: tuple[tuple[int, int], ...]  # the points that each race starts with
    need: int
    at: int = 0  # dice used so far
    points: tuple[int, int] = (0, 0)
    wins: tuple[int, int] = (0, 0)
    log: tuple[Turn, ...] = ()
    player: int = 0


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        sides, habit = rng.integer(4, 8), rng.integer(4, 3 * knobs.goal // 4)
        exact: Choice = partial(_exact, knobs.goal, sides, habit)
        for _ in range(120):
            dice = tuple(rng.integers(1, sides, 30 * knobs.races))
            begins = rng.integer(0, 1)
            heads = tuple((rng.integer(0, knobs.goal // 3), rng.integer(0, knobs.goal // 3)) for _ in range(knobs.races))
            state = State(
                sides=sides,
                goal=knobs.goal,
                races=knobs.races,
                habit=habit,
                dice=dice,
                begins=begins,
                heads=heads,
                need=0,
                points=heads[0],
                player=begins,
            )
            known: dict[tuple[int, int], tuple[int, int]] = {}
            need = _won(state, exact, 3 * knobs.races // 4, known)
            if 4 * need < 3 * knobs.races:
                continue
            # The strongest habits lie in the middle; they are tried first, because one that wins rejects the dice.
            totals = sorted(range(1, knobs.goal + 1), key=lambda k: abs(2 * k - knobs.goal))
            habits: list[Choice] = [lambda mine, other, k=k: min(k, knobs.goal - mine) for k in totals]  # type: ignore[misc]
            habits += [lambda mine, other: rng.integer(1, knobs.goal - mine)] * 40
            if all(_won(state, each, need, known) < need for each in habits):
                return state.model_copy(update={"need": need})


def show(state: State, player: int) -> str:
    points = state.points if player == 0 else state.points[::-1]
    race = sum(state.wins) + 1
    heads = state.heads if player == 0 else [pair[::-1] for pair in state.heads]
    now = f"Race {race} of {state.races}: you have {count_noun(points[0], 'point')}, I have {points[1]}. At which total do you stop in this turn?"
    own = [i for i, turn in enumerate(state.log) if turn[1] == player]
    news = "".join(_describe(state, turn, player) for turn in state.log[own[-1] if own else 0 :])
    if any(turn[1] == 0 for turn in state.log):
        return f"{news}{now}"
    return (
        f"We run {state.races} races with a die of {state.sides} sides, numbered from 1. In a race we take turns; the first turn changes from race "
        "to race. In a turn a player first says a total, and then throws the die again and again until the throws of this turn add up to that total "
        f"or more: then the sum is added to the player's points. But as soon as a 1 is thrown the turn ends and adds nothing. The first player to have "
        f"{state.goal} points or more wins "
        f"the race. The races start with these points, yours first: {'; '.join(f'{mine} to {other}' for mine, other in heads)}. I "
        f"always say {state.habit}, or what I need to reach {state.goal} if that is less. The total that you say must be from 1 to what you need to reach "
        f"{state.goal}. You win if you win at least {state.need} of the {state.races} races. A player who always says the total that makes winning the race "
        f"most likely does so with the throws that come.\n\n{news}{now}"
    )


def player(state: State) -> int:
    return state.player


def legal(state: State) -> list[int]:
    return list(range(1, state.goal - state.points[state.player] + 1))


def act(state: State, move: int) -> State:
    throws = pig.throw(state.dice, state.at, move)
    who, race = state.player, sum(state.wins)
    points = tuple(count + (throws[-1] != 1) * sum(throws) * (i == who) for i, count in enumerate(state.points))
    log = (*state.log, (race + 1, who, move, throws))
    at = state.at + len(throws)
    if points[who] < state.goal:
        return state.model_copy(update={"points": points, "at": at, "log": log, "player": 1 - who})
    wins = tuple(count + (i == who) for i, count in enumerate(state.wins))
    points = state.heads[race + 1] if race + 1 < state.races else (0, 0)
    return state.model_copy(update={"points": points, "wins": wins, "at": at, "log": log, "player": (state.begins + race + 1) % 2})


def returns(state: State) -> tuple[float, ...] | None:
    if sum(state.wins) < state.races:
        return None
    lead = (state.wins[0] - state.wins[1]) / state.races
    return lead, -lead


def best(state: State) -> int:
    """What makes winning the race most likely against the other's habit; the other player's best is its habit."""
    if state.player == 1:
        return greedy(state)
    return pig.solve(state.goal, state.sides, state.habit)[state.points][1]


def greedy(state: State) -> int:
    """The other's habit; for the first player the total at which the next throw would not add anything on average."""
    habit = state.habit if state.player else state.sides * (state.sides + 1) // 2 - 1
    return min(habit, state.goal - state.points[state.player])


def target_return(state: State) -> float:
    return (2 * state.need - state.races) / state.races


def opponent(state: State) -> str:
    return "greedy"


def seat(state: State) -> int:
    return 0


def mistakes(state: State) -> list[int]:
    return [1, state.goal - state.points[0], 0]


def cost(state: State) -> float:
    return float(state.races * state.goal**2)


def turns(state: State) -> int:
    return 9 * state.races


def explain(state: State) -> list[str]:
    chance, stop = pig.solve(state.goal, state.sides, state.habit)[state.points]
    failed, _ = pig.turn(state.sides, stop)
    return [
        f"With the best total a turn fails with a chance of {failed:.3f}, and the race is won with one of {chance:.3f}.",
        f"It is: {stop}",
    ]


def _describe(state: State, turn: Turn, player: int) -> str:
    race, who, stop, throws = turn
    name = "You" if who == player else "I"
    ended = "nothing is added" if throws[-1] == 1 else f"{sum(throws)} points"
    return f"Race {race}: {name} said {stop} and threw {', '.join(map(str, throws))}: {ended}.\n"


def _exact(goal: int, sides: int, habit: int, mine: int, other: int) -> int:
    return pig.solve(goal, sides, habit)[mine, other][1]


def _won(state: State, choose: Choice, need: int = 0, known: dict[tuple[int, int], tuple[int, int]] | None = None) -> int:
    """Races won by somebody who chooses so, or 0 if that takes more turns than there are or cannot be as many as needed any more.

    known  per number of dice used so far and total to stop at: how many dice a turn takes, and its points; shared by players with the same dice
    """
    at, wins, taken, most = 0, 0, 0, turns(state)
    dice, goal, habit, races = state.dice, state.goal, state.habit, state.races
    known = {} if known is None else known
    for race in range(races):
        (mine, other), mine_next = state.heads[race], (state.begins + race) % 2 == 0
        while mine < goal and other < goal:
            stop = choose(mine, other) if mine_next else min(habit, goal - other)
            turn = known.get((at, stop))
            if turn is None:
                throws = pig.throw(dice, at, stop)
                turn = known[at, stop] = len(throws), 0 if throws[-1] == 1 else sum(throws)
            at += turn[0]
            if mine_next:
                taken += 1
                mine += turn[1]
            else:
                other += turn[1]
            if taken > most:
                return 0
            mine_next = not mine_next
        wins += mine >= goal
        if wins + races - race - 1 < need:
            return 0
    return wins


environment = Match(
    Knobs, Integer("the total at which you stop"),
    start, show, player, legal, act, returns, best, greedy, target_return, opponent, seat, mistakes, cost, turns,
    explain=explain,
    concept="Throw on while what a throw adds is worth more than what a one takes away, and take more risk when the other is about to win.",
    version=3,
    recoverable_first_move="The first of many turns decides little: perfect play in the others makes up for it.",
)  # fmt: skip
