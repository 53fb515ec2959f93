"""Play many rounds of rock, paper, scissors against a small machine whose table is known, but not the state that it starts in.

The target for each start is computed exactly: the most that could be won from there, less the smallest possible regret.
"""

from rlgym import Config, Match, Rng, knob
from rlgym.answers import Choice
from rlgym.generators.payoffs import machines
from rlgym.generators.payoffs.machines import Machine, Repeated, Rounds, gained, moore

WORDS = ("rock", "paper", "scissors")
BEATS = {0: 2, 1: 0, 2: 1}  # rock beats scissors, paper beats rock, scissors beat paper


class Knobs(Config):
    tables: int = knob(1, easy=1, hard=2, doc="tables that the machine may follow")
    states: int = knob(4, easy=3, hard=6, doc="states of a table")
    rounds: int = knob(12, easy=8, hard=18, doc="rounds")


class State(Rounds):
    tables: int


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        worth = [rng.integer(1, 5) for _ in WORDS]
        pay = tuple(
            tuple(worth[mine] if BEATS[mine] == reply else -worth[reply] if BEATS[reply] == mine else 0 for reply in range(3))
            for mine in range(3)
        )
        tables = [_table(rng, knobs.states) for _ in range(knobs.tables)]
        kinds = tuple(machine._replace(first=first) for machine in tables for first in range(knobs.states))
        repeated = Repeated(knobs.rounds, pay, kinds)
        kind = machines.sample_exploitable_kind(rng, repeated) if len(set(worth)) > 1 else None
        if kind is not None:
            theirs = tuple(tuple(-gain for gain in row) for row in pay)
            return State(repeated=repeated, others=(theirs,), kind=kind, tables=knobs.tables)


def show(state: State, player: int) -> str:
    if state.past:
        pair = state.past[-1] if player == 0 else state.past[-1][::-1]
        return (
            f"In round {len(state.past)} you played {WORDS[pair[0]]} and I played {WORDS[pair[1]]}. You have {gained(state)[player]} points. "
            f"Play round {len(state.past) + 1} of {state.repeated.rounds}."
        )
    pay = state.repeated.pay
    worth = ", ".join(f"{pay[k][BEATS[k]]} for {word}" for k, word in enumerate(WORDS))
    return (
        f"We play {state.repeated.rounds} rounds of rock, paper, scissors: rock beats scissors, scissors beat paper, paper beats rock. In each round both "
        f"of us play at the same time. The winner of a round gets points for what they played ({worth}), and the other loses as many; equal plays "
        f"count 0. I am a machine that is always in one state; what I play depends on it, and to which state I go next depends on what you play.\n"
        f"{_format(state)}\n\nI do not tell you in which state I start{', nor which table I follow' * (state.tables > 1)}. You win if in the end you have "
        "at least the points stated for the state that I actually start in. There is a way to play that reaches them wherever I start. Play round 1."
    )


def legal(state: State) -> list[str]:
    return list(WORDS)


def act(state: State, move: str) -> State:
    return machines.play_move(state, WORDS.index(move))


def best(state: State) -> str:
    return WORDS[machines.best(state)]


def greedy(state: State) -> str:
    if state.pending:
        return WORDS[machines.reply(state)]
    return WORDS[(state.past[-1][1] + 1) % 3] if state.past else "paper"  # what beats the last play


def mistakes(state: State) -> list[str]:
    return [*WORDS, "lizard"]


def cost(state: State) -> float:
    return state.repeated.rounds * len(state.repeated.machines) * 3


def explain(state: State) -> list[str]:
    return machines.explain(state, WORDS, _names(state), "start")


def _table(rng: Rng, states: int) -> Machine:
    """A table in which every state can be reached from the one before it, so that no state stands apart."""
    plays = [*rng.sample((0, 1, 2), 2), *(rng.integer(0, 2) for _ in range(states - 2))]
    after = [[rng.integer(0, states - 1) for _ in WORDS] for _ in range(states)]
    for at in range(states):
        after[at][rng.integer(0, 2)] = (at + 1) % states
    return moore(plays, tuple(map(tuple, after)))


def _names(state: State) -> list[str]:
    return [f"{chr(65 + kind // _states(state))}{kind % _states(state) + 1}" for kind in range(state.repeated.kinds)]


def _states(state: State) -> int:
    return state.repeated.kinds // state.tables


def _format(state: State) -> str:
    """The tables with their states, and the points that each start asks for."""
    names, sure = _names(state), machines.solve(state.repeated).sure
    lines = []
    for kind, machine in enumerate(state.repeated.machines):
        at, table = machine.first, kind - machine.first
        goes = ", ".join(f"{names[table + after]} if you play {word}" for word, after in zip(WORDS, machine.after[at], strict=True))
        lines.append(
            f"State {names[kind]}: I play {WORDS[machine.replies[at][0]]}, then go to {goes}. If I start here, you need {sure[kind]} points."
        )
    return "\n".join(lines)


environment = Match(
    Knobs, Choice(WORDS), start, show, machines.to_move, legal, act, machines.returns, best, greedy, machines.target_return,
    machines.opponent, machines.seat, mistakes, cost, machines.turns,
    explain=explain,
    concept="Keep a list of the states the machine may be in, strike out those that its plays contradict, and steer it to where it loses most.",
    version=3,
    recoverable_first_move="The first of many rounds decides little: perfect play in the others makes up for it.",
)  # fmt: skip
