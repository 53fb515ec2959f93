"""Rounds against a small machine: in each state it has a reply to every move, and goes on to a state that depends on the move."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.payoffs.unknown import Place, TooMuch, Unknown

R = TypeVar("R", bound="Rounds")
Table = tuple[tuple[int, ...], ...]
Pair = tuple[tuple[int, ...], tuple[Table, ...]]


class Machine(NamedTuple):
    """Per state and move: the reply, and the state after. Replies that do not depend on the move are made unseen."""

    replies: Table
    after: Table
    first: int = 0


class Repeated(NamedTuple):
    """So many rounds against one of several machines. `pay` says per move and reply what is gained."""

    rounds: int
    pay: Table
    machines: tuple[Machine, ...]

    @property
    def kinds(self) -> int:
        return len(self.machines)

    def first(self, kind: int) -> int:
        return self.machines[kind].first

    def choices(self, places: Sequence[Place], rounds_left: int) -> range:
        return range(len(self.pay))

    def step(self, kind: int, inside: int, move: int) -> tuple[int, int, int]:
        machine = self.machines[kind]
        reply = machine.replies[inside][move]
        return machine.after[inside][move], reply, self.pay[move][reply]

    def relevant_state(self, kind: int, inside: int) -> int:
        return inside


class Rounds(TaskData):
    """Rounds of a move and its replies, one of each other player. Nobody sees a move before all have made theirs, unless the rules say so.

    With several other players the replies are written as one number, in base `options`, the second player's digit last.
    """

    repeated: Repeated
    others: tuple[Table, ...]  # for each other player, per move and reply, what it gains
    kind: int  # which of the machines it is
    options: int = 0
    past: tuple[tuple[int, int], ...] = ()
    pending: tuple[int, ...] = ()  # the moves of this round so far


@lru_cache(maxsize=64)
def solve(repeated: Repeated) -> Unknown[int]:
    return Unknown(repeated)


def to_move(state: Rounds) -> int:
    return len(state.pending)


def play_move(state: R, move: int) -> R:
    """The state after the move of who is to move."""
    pending = (*state.pending, move)
    if len(pending) <= len(state.others):
        return state.model_copy(update={"pending": pending})
    reply = sum(other * state.options**k for k, other in enumerate(pending[1:]))
    return state.model_copy(update={"past": (*state.past, (pending[0], reply)), "pending": ()})


def moves_of(state: Rounds, turn: tuple[int, int]) -> list[int]:
    """The moves of all players in a round."""
    return [turn[0], *(turn[1] // state.options**k % state.options for k in range(len(state.others)))] if state.options else list(turn)


def gained(state: Rounds) -> tuple[int, ...]:
    """The points of all players so far."""
    return tuple(sum(table[move][reply] for move, reply in state.past) for table in (state.repeated.pay, *state.others))


def returns(state: Rounds) -> tuple[float, ...] | None:
    """The points of both players as payoffs from -1 to 1, after the last round."""
    if len(state.past) < state.repeated.rounds:
        return None
    return tuple(points / largest(state) for points in gained(state))


def largest(state: Rounds) -> int:
    """No total of points is further from 0 than this."""
    return state.repeated.rounds * max(max(map(abs, row)) for table in (state.repeated.pay, *state.others) for row in table)


def target_return(state: Rounds) -> float:
    """What a player of least regret is sure of against this machine."""
    return solve(state.repeated).sure[state.kind] / largest(state)


def opponent(state: Rounds) -> str:
    return "greedy"


def seat(state: Rounds) -> int:
    return 0


def turns(state: Rounds) -> int:
    return state.repeated.rounds


def best(state: Rounds) -> int:
    """The first player's move of least regret, from what it has seen; the other player's, which is its rule."""
    if state.pending:
        return reply(state)
    return best_response(state.repeated, state.past)


def best_response(repeated: Repeated, past: Sequence[tuple[int, int]]) -> int:
    rounds_left = repeated.rounds - len(past)
    places = solve(repeated).left(past)
    return solve(repeated).best(places, rounds_left) if places else 0


def reply(state: Rounds) -> int:
    """What the machine does now, whatever was done in its place before."""
    machine = state.repeated.machines[state.kind]
    inside = machine.first
    for move, _ in state.past:
        inside = machine.after[inside][move]
    reply_code = machine.replies[inside][state.pending[0]]
    return reply_code // state.options ** (len(state.pending) - 1) % state.options if state.options else reply_code


def best_fixed_total(repeated: Repeated, kind: int, moves: Sequence[int]) -> int:
    """What moves that do not look at the replies gain."""
    inside, total = repeated.first(kind), 0
    for move in moves:
        inside, _, gain = repeated.step(kind, inside, move)
        total += gain
    return total


def sample_exploitable_kind(rng: Rng, repeated: Repeated, tries: int = 24, among: Sequence[int] | None = None) -> int | None:
    """A kind of machine against which neither the same move again and again nor moves at random gain what is sure; None if there is none.

    `among` names the kinds that may be chosen, all of them where it is not given.
    """
    solution = solve(repeated)
    moves = range(len(repeated.pay))
    plain = [max(best_fixed_total(repeated, kind, [move] * repeated.rounds) for move in moves) for kind in range(repeated.kinds)]
    kinds = rng.shuffled([kind for kind in among or range(repeated.kinds) if plain[kind] < solution.alone[kind]])
    try:
        for kind in kinds:
            if plain[kind] < solution.sure[kind] and all(
                best_fixed_total(repeated, kind, [rng.choice(moves) for _ in range(repeated.rounds)]) < solution.sure[kind]
                for _ in range(tries)
            ):
                return kind
    except TooMuch:
        pass
    return None


def moore(plays: Sequence[int], after: Table) -> Machine:
    """A machine whose reply does not depend on the move it has not seen."""
    return Machine(tuple((play,) * len(after[0]) for play in plays), after)


def sample_rounds(rng: Rng, rounds: int, first: int = 2) -> list[int]:
    """About half of the rounds from `first` on, in order: a third of them at least, and a third not."""
    later = range(first, rounds + 1)
    return sorted(rng.sample(later, rng.integer(max(1, len(later) // 3), len(later) - max(1, len(later) // 3))))


def list_rounds(rounds: Sequence[int]) -> str:
    """Numbers of rounds in words: `round 3`, `rounds 2, 4 and 5`."""
    *some, last = map(str, rounds)
    return f"rounds {', '.join(some)} and {last}" if some else f"round {last}"


def copier(options: int, rounds: int, copied: Sequence[int], first: int) -> Machine:
    """A machine that does in the `copied` rounds what you did in the round before, and in all others `options - 1` less that."""
    after = [
        tuple(
            options * (at + 1) + (yours if at + 2 in copied else options - 1 - yours) if at + 1 < rounds else options * at
            for yours in range(options)
        )
        for state in range(options * rounds)
        for at in [state // options]
    ]
    return moore(tuple(range(options)) * rounds, tuple(after))._replace(first=first)


def joint(options: int, first: Pair, second: Pair) -> Machine:
    """Two players as one machine: what each does per state, and per your move and that of the other of them its state after.

    Both begin in their first state.
    """
    pairs = [(0, 0)]
    after = []
    for state_a, there in pairs:
        row = []
        for move in range(options):
            pair = first[1][state_a][move][second[0][there]], second[1][there][move][first[0][state_a]]
            if pair not in pairs:
                pairs.append(pair)
            row.append(pairs.index(pair))
        after.append(tuple(row))
    return moore([first[0][state_a] + options * second[0][there] for state_a, there in pairs], tuple(after))


def explain(state: Rounds, words: Sequence[str], names: Sequence[str] = "ABCDEFGHIJ", what: str = "rule") -> list[str]:
    """What is known of the machine, and what it is good for. `names` are those of the kinds."""
    places = solve(state.repeated).left(state.past)
    fitting = [names[kind] for kind, _ in places]
    move = words[best(state)]
    if len(fitting) == 1:
        return [
            f"Only {what} {fitting[0]} fits all replies so far.",
            f"The best against it in the rounds that are left begins with: {move}",
        ]
    worth = solve(state.repeated).regret
    return [
        f"The {what}s {', '.join(fitting)} fit all replies so far.",
        f"Whichever it is, one need fall short by at most {worth} of what could be gained if it were known; that begins with: {move}",
    ]
