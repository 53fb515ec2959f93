"""Matches against a player who follows one of several stated rules: what both may do, what follows, and what a player of least regret is sure of."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.payoffs.unknown import Inside, Place, TooMuch, Unknown

Move = tuple[int, ...]
MOST = 60_000  # steps looked at for one game


class Game(Protocol):
    """The rules of a match of moves and replies. What stands inside is known to both players; `kind` says by which rule the other replies.

    moves    the first player's moves, none when it is over
    replies  the other's, after a move that it may see or not
    reply    what a rule makes of it
    choices  moves among which a best one is, where the other follows one of these rules
    relevant_state  the part of the state that the moves and this rule still depend on
    sight    what the first player learns of the reply
    gains    of both players, from a move and its reply
    scale    no total is further from 0
    """

    @property
    def rounds(self) -> int: ...
    @property
    def kinds(self) -> int: ...
    @property
    def scale(self) -> int: ...
    def begin(self) -> Inside: ...
    def moves(self, inside: Inside, rounds_left: int) -> Sequence[Move]: ...
    def replies(self, inside: Inside, move: Move) -> Sequence[Move]: ...
    def reply(self, kind: int, inside: Inside, move: Move) -> Move: ...
    def choices(self, kinds: Sequence[int], inside: Inside, rounds_left: int) -> Sequence[Move]: ...
    def relevant_state(self, kind: int, inside: Inside) -> Inside: ...
    def sight(self, inside: Inside, move: Move, reply: Move) -> Move: ...
    def after(self, inside: Inside, move: Move, reply: Move) -> Inside: ...
    def gains(self, inside: Inside, move: Move, reply: Move) -> tuple[int, int]: ...
    def __hash__(self) -> int: ...


class Played(TaskData):
    """A match so far: pairs of a move and its reply."""

    game: Any
    kind: int
    past: tuple[tuple[Move, Move], ...] = ()
    pending: Move = ()


S = TypeVar("S", bound=Played)


class _Known:
    """A game as the search over kinds sees it."""

    def __init__(self, game: Game) -> None:
        self.game, self.rounds, self.kinds, self.relevant_state = game, game.rounds, game.kinds, game.relevant_state

    def first(self, kind: int) -> Inside:
        return self.game.begin()

    def step(self, kind: int, inside: Inside, move: Move) -> tuple[Inside, Move, int]:
        reply = self.game.reply(kind, inside, move)
        return self.game.after(inside, move, reply), self.game.sight(inside, move, reply), self.game.gains(inside, move, reply)[0]

    def choices(self, places: Sequence[Place], rounds_left: int) -> Sequence[Move]:
        return self.game.choices([kind for kind, _ in places], places[0][1], rounds_left)


@lru_cache(maxsize=64)
def solve(game: Game) -> Unknown[Move]:
    return Unknown(_Known(game), MOST)


@lru_cache(maxsize=256)
def inside(game: Game, past: tuple[tuple[Move, Move], ...]) -> Inside:
    """What stands after these moves and replies."""
    at = game.begin()
    for move, reply in past:
        at = game.after(at, move, reply)
    return at


def now(state: Played) -> Inside:
    return inside(state.game, state.past)


def to_move(state: Played) -> int:
    return 1 if state.pending else 0


def legal(state: Played) -> list[Move]:
    if state.pending:
        return list(state.game.replies(now(state), state.pending))
    return list(state.game.moves(now(state), state.game.rounds - len(state.past)))


def act(state: S, move: Move) -> S:
    if not state.pending:
        return state.model_copy(update={"pending": move})
    return state.model_copy(update={"past": (*state.past, (state.pending, move)), "pending": ()})


def gained(state: Played) -> tuple[int, int]:
    """The points of both players so far."""
    mine, theirs, at = 0, 0, state.game.begin()
    for move, reply in state.past:
        gains = state.game.gains(at, move, reply)
        mine, theirs, at = mine + gains[0], theirs + gains[1], state.game.after(at, move, reply)
    return mine, theirs


def is_over(state: Played) -> bool:
    rounds_left = state.game.rounds - len(state.past)
    return not state.pending and (not rounds_left or not state.game.moves(now(state), rounds_left))


def returns(state: Played) -> tuple[float, ...] | None:
    return tuple(points / state.game.scale for points in gained(state)) if is_over(state) else None


def target_return(state: Played) -> float:
    return float(solve(state.game).sure[state.kind] / state.game.scale)


def best(state: Played) -> Move:
    """The first player's move of least regret, from what it has seen; the other player's by its rule."""
    if state.pending:
        return reply_of_rule(state)
    solution, places = solve(state.game), consistent_places(state)
    return solution.best(places, state.game.rounds - len(state.past)) if places else legal(state)[0]


def consistent_places(state: Played) -> tuple[Place, ...]:
    """The places that fit what the first player saw; none if the other follows no rule."""
    seen, at = [], state.game.begin()
    for move, reply in state.past:
        seen.append((move, state.game.sight(at, move, reply)))
        at = state.game.after(at, move, reply)
    return solve(state.game).left(seen)


def reply_of_rule(state: Played) -> Move:
    """What the rule makes of what stands; something legal, should the rule not know it."""
    move: Move = state.game.reply(state.kind, now(state), state.pending)
    allowed = legal(state)
    return move if move in allowed else allowed[0]


def opponent(state: Played) -> str:
    return "greedy"


def seat(state: Played) -> int:
    return 0


def turns(state: Played) -> int:
    return int(state.game.rounds)


def explain(state: Played, written: str, names: Sequence[str] = "ABCDEFGHIJ", what: str = "rule") -> list[str]:
    """What is known of the other player, and what follows; `written` is the best move as the answer says it."""
    solution = solve(state.game)
    candidates = [names[kind] for kind, _ in consistent_places(state)]
    if len(candidates) == 1:
        return [f"Only {what} {candidates[0]} fits what was seen.", f"The best against it from here on begins with: {written}"]
    return [
        f"The {what}s {', '.join(candidates)} fit what was seen.",
        f"Whichever it is, one need fall short by at most {solution.regret} of what could be gained if it were known; that begins with: {written}",
    ]


def sample_exploitable_kind(rng: Rng, game: Game, plain: Sequence[Sequence[Move]] = (), tries: int = 40) -> int | None:
    """A kind against which neither moves at random nor any of the `plain` plans gain what is sure; None if there is none, or too much to look at."""
    try:
        solution = solve(game)
        for kind in rng.shuffled(range(game.kinds)):
            if all(_walk(rng, game, kind, plan) < solution.alone[kind] for plan in plain):
                sure = solution.sure[kind]
                if all(_walk(rng, game, kind, plan) < sure for plan in (*plain, *((),) * tries)):
                    return kind
    except TooMuch:
        pass
    return None


def _walk(rng: Rng, game: Game, kind: int, plan: Sequence[Move]) -> int:
    """What is gained by a plan of moves, and by random ones where the plan has none that is legal; -scale for an illegal plan."""
    at, total = game.begin(), 0
    for i in range(game.rounds):
        moves = game.moves(at, game.rounds - i)
        if not moves:
            break
        if plan and plan[min(i, len(plan) - 1)] not in moves:
            return -game.scale
        move = plan[min(i, len(plan) - 1)] if plan else rng.choice(moves)
        reply = game.reply(kind, at, move)
        total += game.gains(at, move, reply)[0]
        at = game.after(at, move, reply)
    return total
