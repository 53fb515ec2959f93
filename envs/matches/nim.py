"""Win a game of nim against a perfect player, from a position that can be won."""

from collections.abc import Callable
from functools import reduce
from operator import xor

from rlgym import Config, Match, Rng, TaskData, knob
from rlgym.answers import Numbers

Move = tuple[int, ...]  # pile from 1, counters taken
RULES = ("normal", "limit", "misere")
OPPONENTS = ("greedy", "lookahead", "exact", "patient")
PATIENCE = 150
"""The starts drawn before one is accepted in which repeated moves win."""
FEW = 12
"""Counters up to which a lookahead reads a game to its end."""
SAID = {
    "greedy": "I look only one move ahead: I take many counters from the largest pile, and do not leave a single pile if I can help it",
    "lookahead": f"I play perfectly once at most {FEW} counters are left, and before that I take from the largest pile",
    "exact": "I play perfectly",
    "patient": "I play perfectly",
}


class Knobs(Config):
    piles: int = knob(4, easy=3, hard=7, doc="piles of counters")
    largest: int = knob(16, easy=15, hard=40, doc="most counters in a pile")
    against: str = knob("exact", easy="greedy", hard="patient", order=OPPONENTS, doc="how the opponent plays")
    rule: str = knob(
        "limit", easy="normal", hard="misere", order=RULES, doc="no limit, a limit on what is taken, or the last counter loses"
    )


class State(TaskData):
    piles: tuple[int, ...]
    limit: int  # most counters taken in a move; 0 for no limit
    misere: bool
    against: str
    player: int = 0
    last: Move = ()


def start(rng: Rng, knobs: Knobs) -> State:
    limit = rng.integer(3, 6) if knobs.rule == "limit" else 0
    for attempt in range(10**6):
        piles = tuple(rng.integer(1, knobs.largest) for _ in range(knobs.piles))
        state = State(piles=piles, limit=limit, misere=knobs.rule == "misere", against=knobs.against)
        if _good(state) and max(piles) > 1 and (attempt >= PATIENCE or not _habit_wins(state)):
            return state
    raise AssertionError("unreachable: positions that can be won are not that rare")


def show(state: State, player: int) -> str:
    piles = ", ".join(f"pile {i} has {count}" for i, count in enumerate(state.piles, 1))
    if state.last:
        return f"I take {state.last[1]} from pile {state.last[0]}. Now {piles}. It is your move."
    limit = f"at least 1 and at most {state.limit}" if state.limit else "at least 1 and as many as the pile has"
    end = "loses" if state.misere else "wins"
    return (
        f"We play a game with {len(state.piles)} piles of counters: {piles}. We move in turn; you move first. In a move a player chooses one pile that is not "
        f"empty and takes counters from it, {limit}. The player who takes the last counter of all {end}. {SAID[state.against]}; you can win. In each turn "
        "give the number of the pile and how many counters you take from it."
    )


def player(state: State) -> int:
    return state.player


def legal(state: State) -> list[Move]:
    return [(i, take) for i, count in enumerate(state.piles, 1) for take in range(1, min(count, state.limit or count) + 1)]


def act(state: State, move: Move) -> State:
    pile, taken = move
    piles = tuple(count - taken if i == pile else count for i, count in enumerate(state.piles, 1))
    return state.model_copy(update={"piles": piles, "player": 1 - state.player, "last": move})


def returns(state: State) -> tuple[float, ...] | None:
    if any(state.piles):
        return None
    # Who is to move now did not take the last counter.
    winner = state.player if state.misere else 1 - state.player
    return (1.0, -1.0) if winner == 0 else (-1.0, 1.0)


def best(state: State) -> Move:
    moves = legal(state)
    return next((move for move in moves if not _good(act(state, move))), _halve(state))


def lookahead(state: State) -> Move:
    return best(state) if sum(state.piles) <= FEW else _halve(state)


def greedy(state: State) -> Move:
    """As much as may be taken from the largest pile, but no move after which the other player can end the game at once, unless all do."""
    order = sorted(legal(state), key=lambda move: (-state.piles[move[0] - 1], move[0], -move[1]))
    wins = (move for move in order if not any(act(state, move).piles) and not state.misere)
    safe = (move for move in order if sum(count > 0 for count in act(state, move).piles) > 1)
    return next(wins, next(safe, order[0]))


def target_return(state: State) -> float:
    return 1.0


def opponent(state: State) -> str:
    return "exact" if state.against == "patient" else state.against


def seat(state: State) -> int:
    return 0


def mistakes(state: State) -> list[Move]:
    # A move that leaves a won position to the other side, an empty pile, more than a pile has.
    losing = next((move for move in legal(state) if _good(act(state, move))), (0, 1))
    return [losing, (1, state.piles[0] + 1), (len(state.piles) + 1, 1)]


def cost(state: State) -> float:
    return sum(count.bit_length() for count in state.piles) * len(state.piles) * (1 + bool(state.limit) + 2 * state.misere)


def turns(state: State) -> int:
    return sum(state.piles)


def explain(state: State) -> list[str]:
    values = [_value(count, state.limit) for count in state.piles]
    move = best(state)
    after = act(state, move)
    steps = [f"Each pile counts as its rest when divided by {state.limit + 1}: {', '.join(map(str, values))}."] if state.limit else []
    if state.misere and max(after.piles) <= 1:
        steps.append("Only piles of one counter are to be left, an odd number of them, since then the other side takes the last one.")
    else:
        bits = ", ".join(f"{value:b}" for value in values)
        steps.append(f"In binary the piles are {bits}; columns with an odd number of ones must be made even.")
    return [*steps, f"Afterwards the piles are {', '.join(map(str, after.piles))}; the move is {move[0]}, {move[1]}"]


def _good(state: State) -> bool:
    """Whether the player to move can win."""
    values = [_value(count, state.limit) for count in state.piles]
    if state.misere and max(state.piles) <= 1:
        return sum(state.piles) % 2 == 0
    return reduce(xor, values) != 0


def _habit_wins(state: State) -> bool:
    """Whether the move at a fixed place among the legal ones always wins, or one in twelve moves does that is repeated while it is legal."""
    places = [lambda moves, share=share: moves[len(moves) * share // 4] for share in range(4)]
    if any(_wins(state, place) for place in (*places, lambda moves: moves[-1])):
        return True
    if state.against != "greedy":
        return False
    firsts = legal(state)
    repeated = [lambda moves, move=move, last=last: move if move in moves else moves[last] for move in firsts for last in (0, -1)]
    return sum(_wins(state, each) for each in repeated) * 12 > len(repeated)


def _wins(state: State, choose: Callable[[list[Move]], Move]) -> bool:
    """Whether a player who chooses so among the legal moves wins against the opponent."""
    while any(state.piles):
        mine = state.player == 0
        state = act(state, choose(legal(state)) if mine else _reply(state))
    return returns(state) == (1.0, -1.0)


def _reply(state: State) -> Move:
    return {"greedy": greedy, "lookahead": lookahead}.get(state.against, best)(state)


def _value(count: int, limit: int) -> int:
    return count % (limit + 1) if limit else count


def _halve(state: State) -> Move:
    """Half of the largest pile, or a quarter of it: any move loses here against perfect play."""
    pile = max(range(len(state.piles)), key=lambda i: (state.piles[i], -i))
    count = state.piles[pile]
    return (pile + 1, min((count + 3) // 4 if state.against == "patient" else (count + 1) // 2, state.limit or count))


environment = Match(
    Knobs, Numbers("the number of the pile and the number of counters taken, separated by a comma", max_items=4),
    start, show, player, legal, act, returns, best, greedy, target_return, opponent, seat, mistakes, cost, turns,
    explain=explain, lookahead=lookahead,
    concept="Write the piles in binary and leave an even number of ones in every column.",
    guessable="At the lowest level the opponent looks one move ahead and a few moves decide, so that two moves in turn win now and then.",
    version=4,
)  # fmt: skip
