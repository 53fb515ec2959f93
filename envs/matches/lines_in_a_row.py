"""Finish a started game of tic-tac-toe or a larger board, no worse than the position allows.

The value of the position is computed exactly; the model must win if a win can be forced, and draw otherwise.
"""

from functools import cache, lru_cache

from rlgym import Config, Match, Rng, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.numbers.bitsets import places

Move = tuple[int, ...]  # row, column, from 1
OPPONENTS = ("greedy", "lookahead", "exact", "sly")
FEW = 6
"""Empty squares from which on a lookahead reads the game to its end."""
SAID = {
    "greedy": "I look only one move ahead.",
    "lookahead": "I look several moves ahead.",
    "exact": "I play perfectly.",
    "sly": "I play perfectly, and of equally good moves I make the one that leaves you the fewest right answers.",
}


class Knobs(Config):
    width: int = knob(4, easy=3, hard=7, doc="squares in a row")
    height: int = knob(4, easy=3, hard=5, doc="squares in a column")
    open: int = knob(8, easy=5, hard=11, doc="most squares that are still empty")
    against: str = knob("exact", easy="greedy", hard="sly", order=OPPONENTS, doc="how the opponent plays")


class State(TaskData):
    width: int
    height: int
    need: int  # marks in a line that win
    mine: int  # squares of the player to move, a bit each
    theirs: int
    blocked: int
    aim: int
    against: str
    player: int = 0
    last: Move = ()


def start(rng: Rng, knobs: Knobs) -> State:
    size = knobs.width * knobs.height
    need = 3
    while True:
        squares = rng.shuffled(range(size))
        free = min(knobs.open, size - 2)
        taken = (size - free) // 2
        # Larger boards have squares that nobody may take, so that lines are short of room.
        marks = min(taken, 2 + knobs.open // 4)
        mine, theirs = sum(1 << i for i in squares[:marks]), sum(1 << i for i in squares[marks : 2 * marks])
        blocked = sum(1 << i for i in squares[2 * marks : size - free])
        if _lined(mine, knobs.width, knobs.height, need) or _lined(theirs, knobs.width, knobs.height, need):
            continue
        aim = _solve(mine, theirs, blocked, knobs.width, knobs.height, need)
        state = State(
            width=knobs.width, height=knobs.height, need=need, mine=mine, theirs=theirs, blocked=blocked, aim=aim, against=knobs.against
        )
        # At most a third of the moves may hold the value of the position, and none may end the game at once.
        keeping = sum(-_after(state, move) == aim for move in legal(state))
        at_once = any(_after(state, move) == -1 and returns(act(state, move)) for move in legal(state))
        if aim >= 0 and not at_once and 3 * keeping <= len(legal(state)):
            return state


def show(state: State, player: int) -> str:
    board = _board(state, player)
    if state.last:
        return f"I take {state.last[0]}, {state.last[1]}. The board is now:\n{board}\nIt is your move."
    aim = (
        "You can force a win: do so."
        if state.aim > 0
        else "You cannot force a win against perfect play, but you can hold a draw: do not lose."
    )
    blocked = " Nobody may take a square marked #." if state.blocked else ""
    return (
        f"We play on a board of {state.height} rows and {state.width} columns. You are X, I am O, and a dot is an empty square.{blocked} We take empty "
        f"squares in turn. The first player to have {state.need} marks next to each other in a line, across, down or diagonally, wins; if no square is "
        f"left, it is a draw. {SAID[state.against]} {aim} The board is:\n{board}\n\nYou move first. In each turn give the row and the column of the "
        f"square you take. Rows are numbered from 1 at the top, columns from 1 at the left."
    )


def player(state: State) -> int:
    return state.player


def legal(state: State) -> list[Move]:
    taken = state.mine | state.theirs | state.blocked
    return [(i // state.width + 1, i % state.width + 1) for i in range(state.width * state.height) if not taken >> i & 1]


def act(state: State, move: Move) -> State:
    mine = state.mine | 1 << (move[0] - 1) * state.width + move[1] - 1
    return state.model_copy(update={"mine": state.theirs, "theirs": mine, "player": 1 - state.player, "last": move})


def returns(state: State) -> tuple[float, ...] | None:
    if _lined(state.theirs, state.width, state.height, state.need):
        return (-1.0, 1.0) if state.player == 0 else (1.0, -1.0)
    return None if legal(state) else (0.0, 0.0)


def best(state: State) -> Move:
    values = {move: -_after(state, move) for move in legal(state)}
    kept = [move for move, value in values.items() if value == max(values.values())]
    if state.against != "sly" or state.player == 0:
        return kept[0]
    return min(kept, key=lambda move: _right_answers(act(state, move)))


def lookahead(state: State) -> Move:
    """Perfect play near the end; before that a win at once, or else a square where the other player would win."""
    moves = legal(state)
    if len(moves) <= FEW:
        return best(state)
    passed = state.model_copy(update={"mine": state.theirs, "theirs": state.mine})
    threats = [move for move in moves if returns(act(passed, move)) is not None]
    won = [move for move in moves if returns(act(state, move)) is not None]
    return (won or threats or moves)[0]


def greedy(state: State) -> Move:
    moves = legal(state)
    return next((move for move in moves if returns(act(state, move)) is not None), moves[0])


def target_return(state: State) -> float:
    return float(state.aim)


def opponent(state: State) -> str:
    return "exact" if state.against == "sly" else state.against


def seat(state: State) -> int:
    return 0


def mistakes(state: State) -> list[Move]:
    # The move that gives most away, a square that is taken, a square off the board.
    taken = next(i for i in range(state.width * state.height) if (state.mine | state.theirs) >> i & 1)
    worst = min(legal(state), key=lambda move: (-_after(state, move), move))
    losing = worst if -_after(state, worst) < state.aim else (0, 0)
    return [losing, (taken // state.width + 1, taken % state.width + 1), (state.height + 1, 1)]


def cost(state: State) -> float:
    # Positions looked at by somebody who reads to the end and prunes well.
    return len(legal(state)) ** 3 * state.width / 2


def turns(state: State) -> int:
    return (len(legal(state)) + 1) // 2


def explain(state: State) -> list[str]:
    results = {1: "wins", 0: "draws", -1: "loses"}
    steps = [f"{move[0]}, {move[1]} {results[-_after(state, move)]} against the best replies" for move in legal(state)]
    move = best(state)
    return [*steps, f"The best move is {move[0]}, {move[1]}"]


def _board(state: State, player: int) -> str:
    model, other = (state.mine, state.theirs) if state.player == player else (state.theirs, state.mine)
    signs = [
        "X" if model >> i & 1 else "O" if other >> i & 1 else "#" if state.blocked >> i & 1 else "."
        for i in range(state.width * state.height)
    ]
    return "\n".join(" ".join(signs[row * state.width : (row + 1) * state.width]) for row in range(state.height))


def _right_answers(state: State) -> float:
    """The share of the moves that keep the value of a position; more than all where the game is over."""
    values = [_after(state, move) for move in legal(state)] if returns(state) is None else []
    return values.count(min(values)) / len(values) if values else 2.0


def _after(state: State, move: Move) -> int:
    """The value of the position after a move, for the player who is to move then."""
    mine = state.mine | 1 << (move[0] - 1) * state.width + move[1] - 1
    if _lined(mine, state.width, state.height, state.need):
        return -1
    return _solve(state.theirs, mine, state.blocked, state.width, state.height, state.need)


@lru_cache(maxsize=200_000)
def _solve(mine: int, theirs: int, blocked: int, width: int, height: int, need: int) -> int:
    """1, 0 or -1 for the player to move, under perfect play; nobody has a line yet."""
    free = ~(mine | theirs | blocked) & (1 << width * height) - 1
    if not free:
        return 0
    through = _through(width, height, need)
    squares = places(free)
    for i in squares:
        if any(line & ~mine == 1 << i for line in through[i]):
            return 1
    threats = [i for i in squares if any(line & ~theirs == 1 << i for line in through[i])]
    if len(threats) > 1:
        return -1
    best = -1
    for i in threats or squares:
        best = max(best, -_solve(theirs, mine | 1 << i, blocked, width, height, need))
        if best == 1:
            break
    return best


def _lined(marks: int, width: int, height: int, need: int) -> bool:
    return any(line & marks == line for line in _lines(width, height, need))


@cache
def _lines(width: int, height: int, need: int) -> tuple[int, ...]:
    lines = []
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                ends = row + down * (need - 1), column + right * (need - 1)
                if ends[0] < height and 0 <= ends[1] < width:
                    lines.append(sum(1 << (row + down * k) * width + column + right * k for k in range(need)))
    return tuple(lines)


@cache
def _through(width: int, height: int, need: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(line for line in _lines(width, height, need) if line >> i & 1) for i in range(width * height))


environment = Match(
    Knobs, Numbers("the row and the column of the square, separated by a comma", max_items=4),
    start, show, player, legal, act, returns, best, greedy, target_return, opponent, seat, mistakes, cost, turns,
    explain=explain, lookahead=lookahead,
    concept="Look first for a move that wins at once, then for one that stops a win, then for one that makes two threats.",
    guessable="Against an opponent who looks one move ahead, squares taken one after the other complete a line now and then.",
    version=3,
)  # fmt: skip
