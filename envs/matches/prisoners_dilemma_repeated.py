"""Play the repeated prisoner's dilemma against a player who follows one of several known rules, and find out which while scoring.

The target against each rule is computed exactly: the most that could be gained with the rule known, less the smallest possible regret.
It can be reached whatever the rule is.
"""

from rlgym import Config, Match, Rng, knob
from rlgym.answers import Choice
from rlgym.generators.payoffs import machines
from rlgym.generators.payoffs.machines import Machine, Repeated, Rounds, gained, moore

WORDS = ("cooperate", "defect")
SCHEDULED = 2  # rules whose best reply differs from task to task, so that no fixed plan is good against many of them


class Knobs(Config):
    rules: int = knob(3, easy=2, hard=6, doc="rules that the other player may follow")
    rounds: int = knob(11, easy=8, hard=16, doc="rounds")
    patience: int = knob(2, easy=1, hard=4, doc="how long the rules count")


class State(Rounds):
    said: tuple[str, ...]  # the rules in words


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        low = rng.integer(0, 3)
        pay = [low + step for step in (0, rng.integer(1, 3), rng.integer(4, 6), rng.integer(7, 9))]
        if 2 * pay[2] <= pay[0] + pay[3]:
            continue
        mine = ((pay[2], pay[0]), (pay[3], pay[1]))
        scheduled = [_scheduled_rule(rng, knobs.rounds) for _ in range(SCHEDULED)]
        rules = rng.shuffled([*scheduled, *rng.sample(_rules(rng, knobs.patience), knobs.rules - SCHEDULED)])
        repeated = Repeated(knobs.rounds, mine, tuple(machine for _, machine in rules))
        kind = machines.sample_exploitable_kind(rng, repeated, among=[k for k, rule in enumerate(rules) if rule in scheduled])
        if kind is not None:
            theirs = ((pay[2], pay[3]), (pay[0], pay[1]))
            return State(repeated=repeated, others=(theirs,), kind=kind, said=tuple(text for text, _ in rules))


def show(state: State, player: int) -> str:
    if state.past:
        mine, theirs = gained(state) if player == 0 else gained(state)[::-1]
        pair = state.past[-1] if player == 0 else state.past[-1][::-1]
        return (
            f"In round {len(state.past)} you chose {WORDS[pair[0]]} and I chose {WORDS[pair[1]]}. You have {mine} points, I have {theirs}. "
            f"Choose for round {len(state.past) + 1} of {state.repeated.rounds}."
        )
    (both, fooled), (tempted, neither) = state.repeated.pay
    sure = machines.solve(state.repeated).sure
    rules = "\n".join(f"{chr(65 + k)}: {text} You need {sure[k]} points." for k, text in enumerate(state.said))
    return (
        f"We play {state.repeated.rounds} rounds. In each round both of us choose, at the same time, to cooperate or to defect. If both cooperate, each gets "
        f"{both} points; if both defect, each gets {neither}; if only one defects, the defector gets {tempted} and the other {fooled}. I follow one of these "
        f"rules in all rounds, but I do not tell you which:\n{rules}\n\nYou win if in the end you have at least the points stated for the rule that I "
        f"actually follow. There is a way to play that reaches them whichever rule it is. Choose for round 1."
    )


def legal(state: State) -> list[str]:
    return list(WORDS)


def act(state: State, move: str) -> State:
    return machines.play_move(state, WORDS.index(move))


def best(state: State) -> str:
    return WORDS[machines.best(state)]


def greedy(state: State) -> str:
    return WORDS[machines.reply(state)] if state.pending else "defect"


def mistakes(state: State) -> list[str]:
    return ["defect", "cooperate", "betray"]


def cost(state: State) -> float:
    return state.repeated.rounds * sum(len(machine.after) for machine in state.repeated.machines)


def explain(state: State) -> list[str]:
    return machines.explain(state, WORDS)


def _scheduled_rule(rng: Rng, rounds: int) -> tuple[str, Machine]:
    """A rule that copies in some rounds and does the opposite in the others. Its states are a round and the move in it."""
    copied, first = machines.sample_rounds(rng, rounds), rng.integer(0, 1)
    text = (
        f"I {WORDS[first]} in the first round; in {machines.list_rounds(copied)} I do what you did in the round before, in all other rounds the "
        "opposite of it."
    )
    return text, machines.copier(2, rounds, copied, first)


def _rules(rng: Rng, patience: int) -> list[tuple[str, Machine]]:
    """Rules in words and as machines; move 0 cooperates, move 1 defects."""
    many = rng.integer(1, patience)
    times = "once" if many == 1 else f"{many} times"
    length = rng.integer(1, patience)
    for_rounds = "in the next round" if length == 1 else f"in the next {length} rounds"
    late = rng.integer(patience, patience + 2)
    first = "in the first round" if late == 1 else f"in the first {late} rounds"
    return [
        ("I cooperate in the first round; afterwards I do what you did in the round before.", moore((0, 1), ((0, 1), (0, 1)))),
        ("I defect in the first round; afterwards I do what you did in the round before.", moore((1, 0), ((1, 0), (1, 0)))),
        (
            f"I cooperate until you have defected {times}; from then on I always defect.",
            moore((0,) * many + (1,), (*((k, k + 1) for k in range(many)), (many, many))),
        ),
        (
            f"I defect until you have defected {times}; from then on I always cooperate.",
            moore((1,) * many + (0,), (*((k, k + 1) for k in range(many)), (many, many))),
        ),
        (
            f"I defect until you have cooperated {times}; from then on I do what you did in the round before.",
            moore((1,) * many + (0, 1), (*((k + 1, k) for k in range(many)), (many, many + 1), (many, many + 1))),
        ),
        (
            "I cooperate in the first round; afterwards I repeat my own last move if you cooperated in the round before, and change it if you defected.",
            moore((0, 1), ((0, 1), (1, 0))),
        ),
        (
            "I cooperate in the first round; afterwards I do the opposite of what you did in the round before.",
            moore((0, 1), ((1, 0), (1, 0))),
        ),
        (
            f"I cooperate, but whenever you defect, I defect {for_rounds}, counted again from your last defection.",
            moore((0,) + (1,) * length, ((0, length), *((k - 1, length) for k in range(1, length + 1)))),
        ),
        (
            f"I cooperate {first} and defect in all later ones, whatever you do.",
            moore((0,) * late + (1,), (*((k + 1, k + 1) for k in range(late)), (late, late))),
        ),
        (
            f"I cooperate {first}. If you have cooperated in all of these, I cooperate in all later rounds, otherwise I defect in all later rounds.",
            moore(
                (0,) * (2 * late) + (0, 1),
                (
                    *((k + 1 if k + 1 < late else 2 * late, late + k + 1 if k + 1 < late else 2 * late + 1) for k in range(late)),
                    *(((late + k + 1,) * 2 if k + 1 < late else (2 * late + 1,) * 2) for k in range(late)),
                    (2 * late, 2 * late),
                    (2 * late + 1, 2 * late + 1),
                ),
            ),
        ),
    ]


environment = Match(
    Knobs, Choice(WORDS), start, show, machines.to_move, legal, act, machines.returns, best, greedy, machines.target_return,
    machines.opponent, machines.seat, mistakes, cost, machines.turns,
    explain=explain,
    concept="Move so that the rules that are still possible answer differently, but not by a move that one of them never forgives.",
    version=3,
    recoverable_first_move="The first of many rounds decides little: perfect play in the others makes up for it.",
)  # fmt: skip
