"""Win a started game of go on five to seven rows by the stated lead, with area scoring and positional superko, against an engine of stated strength.

The lead that is asked for is one that a stronger engine reaches from the start, and that greedy and random play do not.
"""

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.contests import LEAST_POSITIONS, POSITIONS, Choose, Contest, Position, Strength
from rlgym.generators.boards.go import WIDTH, Go
from rlgym.generators.boards.squares import WHERE, sample, text
from rlgym.generators.boards.started import play_random_moves
from rlgym.generators.text.english import count_noun


class Knobs(Strength):
    positions: int = knob(23, easy=8, hard=68, scale="log", doc=POSITIONS)
    side: int = knob(5, easy=4, hard=7, doc="points on each side of the board")
    open: int = knob(60, easy=45, hard=75, doc="percent of the points that are still empty")


LEAST_LEAD = 1
STONES = Contest(Go, better=2, least=40, plays=4)


def start(rng: Rng, knobs: Knobs) -> Position:
    size = (knobs.side, knobs.side)
    known = STONES.table(size)
    rules = known.rules
    assert isinstance(rules, Go)
    for attempt in range(10**6):
        stones = knobs.side**2 * (100 - knobs.open) // 100
        placed = play_random_moves(rng, rules, (0, 0, 0, 400, 0), stones // 2 * 2)
        at = (*placed[:2], 0, 5 * knobs.side**2 // 4, 0, placed[0] << WIDTH | placed[1])
        state = Position(size=size, at=at, player=0, seat=0, positions=knobs.positions)
        weak: list[Choose] = [known.greedy]
        if knobs.positions < LEAST_POSITIONS:
            weak += [lambda now: rng.choice(rules.legal(now))[0]] * 2
        if rules.estimate(at) < 0:
            continue
        reached, moves = _lead(state, lambda now: known.choose(now, STONES.stronger(knobs.positions))[0])
        if moves < max(2, knobs.lasting - attempt // 8) or reached < LEAST_LEAD:
            continue
        most = max(_lead(state, each)[0] for each in weak)
        if reached > most + 1:
            # Two thirds of the way from what weak play reaches to what the engine does.
            need = max(most + 1 + 2 * (reached - most - 1) // 3, LEAST_LEAD)
            side = rng.integer(0, 1)
            return state.model_copy(update={"at": (*at[:4], need, *at[5:]), "player": side, "seat": side})
    raise AssertionError("unreachable: a stronger engine often leads by more than greedy play")


def show(state: Position, player: int) -> str:
    side, need = state.size[0], state.at[4]
    lead = f"you have at least {count_noun(need, 'point')} more than I"
    if player != state.player:
        lead = f"I have at most {count_noun(need - 1, 'point')} more than you"
    rules = (
        f"We play go on a board of {side} columns and {side} rows of points. {WHERE.replace('a square', 'a point')}. You have the stones {'XO'[player]}, "
        f"I have the stones {'OX'[player]}, and a dot is an empty point. In turn each of us puts a stone on an empty point or passes. Stones of one "
        "player that are next to each other in a row or a column form a group, and the empty points next to a group are its liberties. When a stone is "
        "put, first all groups of the other player that have no liberty left are removed; the move is illegal if the group of the new stone then has no "
        "liberty, or if all stones then stand as they stood at any earlier time since the position below, that position included. The game ends after "
        f"two passes in a row, or after {state.at[3]} further moves of both of us together, passes counted. Then all stones on the board count as alive: "
        "a player has a point for each of their stones on the board and for each empty point from which one cannot come to a stone of the other player "
        f"along empty points in rows and columns. You win if {lead} in the end"
    )
    return STONES.describe(state, player, f"{rules}; otherwise I win.", text(side, side, lambda point: _sign(state, point)))


def picture(state: Position, player: int) -> str:
    return sample(state.size, lambda point: _sign(state, point))


def _sign(state: Position, point: int) -> str:
    point += point // state.size[0]  # the rules keep a free column beside the board
    first, second = state.at[:2] if state.player == 0 else state.at[1::-1]
    return "X" if first >> point & 1 else "O" if second >> point & 1 else "."


def _lead(state: Position, choose: Choose) -> tuple[int, int]:
    """The lead in the end of a player who chooses moves so, and the number of these moves."""
    rules, at, mine, moves = STONES.table(state.size).rules, state.at, True, 0
    assert isinstance(rules, Go)
    while rules.result(at) is None:
        moves += mine
        move = choose(at) if mine else STONES.reply(state, at)
        at = next(after for each, after, _ in rules.legal(at) if each == move)
        mine = not mine
    return (rules.lead(at) if mine else -rules.lead(at)), moves


environment = Match(
    Knobs, Words("the point on which you put a stone, such as b3, or pass", max_items=1, ignore_case=True), start, show,
    **STONES.parts(), picture=picture,
    concept="A group lives with two eyes; connect weak stones, take what stands on its last liberty, and pass only when no point is left to gain.",
)  # fmt: skip
