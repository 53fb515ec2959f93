"""Hunt with two others over many rounds: a stag takes all three, a hare can be caught alone, and each of the others follows a hidden rule.

The target against each pair of rules is computed exactly: the most that could be caught with the rules known, less the smallest possible
regret.
"""

from typing import NamedTuple

from rlgym import Config, Match, Rng, knob
from rlgym.answers import Choice
from rlgym.generators.payoffs import machines
from rlgym.generators.payoffs.machines import Repeated, Rounds, gained, moves_of

WORDS = ("hare", "stag")
NAMES = ("Ada", "Bo")


class Knobs(Config):
    rules: int = knob(2, easy=1, hard=3, doc="rules that the second of the others may follow")
    rounds: int = knob(10, easy=8, hard=16, doc="rounds")
    patience: int = knob(2, easy=1, hard=4, doc="how long the rules count")


class Rule(NamedTuple):
    """What a hunter does: per state what it hunts, and per move of yours and of the third hunter the state after."""

    said: str
    hunts: tuple[int, ...]
    after: tuple[tuple[tuple[int, int], tuple[int, int]], ...]


class State(Rounds):
    said: tuple[tuple[str, ...], tuple[str, ...]]  # the rules of both others, in words


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        hare, stag = rng.integer(2, 5), rng.integer(6, 12)
        pay = tuple(tuple(hare if move == 0 else stag * (reply == 3) for reply in range(4)) for move in (0, 1))
        others = tuple(
            tuple(tuple((hare, stag * (move == 1 and reply == 3))[reply >> k & 1] for reply in range(4)) for move in (0, 1)) for k in (0, 1)
        )
        first = [_scheduled_rule(rng, knobs.rounds) for _ in range(max(2, knobs.rules))]
        second = rng.sample(_rules(rng, knobs.patience, NAMES[0]), knobs.rules)
        repeated = Repeated(knobs.rounds, pay, tuple(machines.joint(2, rule_a[1:], rule_b[1:]) for rule_a in first for rule_b in second))
        kind = machines.sample_exploitable_kind(rng, repeated)
        if kind is not None:
            texts = tuple(rule.said for rule in first), tuple(rule.said for rule in second)
            return State(repeated=repeated, others=others, options=2, kind=kind, said=texts)


def show(state: State, player: int) -> str:
    if state.past:
        moves = moves_of(state, state.past[-1])
        hunted = ", ".join(f"{name} {WORDS[move]}" for name, move in zip(("The first hunter", *NAMES), moves, strict=True))
        return f"{hunted}. You have {gained(state)[player]} points. Choose what to hunt in round {len(state.past) + 1} of {state.repeated.rounds}."
    hare, stag = state.repeated.pay[0][0], state.repeated.pay[1][3]
    sure = machines.solve(state.repeated).sure
    rules = "\n".join(f"{name}{k}: {text}" for name, all_said in zip(NAMES, state.said, strict=True) for k, text in enumerate(all_said, 1))
    pairs = [f"Ada{first} and Bo{second}" for first in range(1, len(state.said[0]) + 1) for second in range(1, len(state.said[1]) + 1)]
    requirements = "; ".join(f"{needs} if they are {pair}" for pair, needs in zip(pairs, sure, strict=True))
    return (
        f"Three hunters, you, Ada and Bo, hunt for {state.repeated.rounds} rounds. In each round all choose at the same time to hunt stag or hare, and then "
        f"see what all chose. A hare gives the hunter {hare} points, whatever the others do. If all three hunt stag, each gets {stag} points; a hunter who "
        f"hunts stag gets 0 if any of the others hunts hare. Ada and Bo each follow one of their rules in all rounds, but you do not know which:\n{rules}\n\n"
        f"You win if in the end you have enough points: {requirements}. There is a way to play that reaches this whichever they are. "
        "Choose what to hunt in round 1."
    )


def legal(state: State) -> list[str]:
    return list(WORDS)


def act(state: State, move: str) -> State:
    return machines.play_move(state, WORDS.index(move))


def best(state: State) -> str:
    return WORDS[machines.best(state)]


def greedy(state: State) -> str:
    return WORDS[machines.reply(state)] if state.pending else "hare"


def mistakes(state: State) -> list[str]:
    return [*WORDS, "boar"]


def cost(state: State) -> float:
    return state.repeated.rounds * sum(len(machine.after) for machine in state.repeated.machines)


def explain(state: State) -> list[str]:
    pairs = [f"Ada{first} with Bo{second}" for first in range(1, len(state.said[0]) + 1) for second in range(1, len(state.said[1]) + 1)]
    return machines.explain(state, WORDS, pairs, "pair")


def _scheduled_rule(rng: Rng, rounds: int) -> Rule:
    """A rule that names the rounds in which it hunts stag, so that no fixed plan is good against many of them."""
    chosen = machines.sample_rounds(rng, rounds, 1)
    hunts = tuple(int(number in chosen) for number in range(1, rounds + 1))
    after = tuple(((min(k + 1, rounds - 1),) * 2,) * 2 for k in range(rounds))
    return Rule(f"hunts stag in {machines.list_rounds(chosen)}, otherwise hare.", hunts, after)


def _rules(rng: Rng, patience: int, third: str) -> list[Rule]:
    """Rules in words and as tables; hare is 0, stag is 1, and the third hunter is the one who is neither this one nor you."""
    many = rng.integer(1, patience)
    times, rounds = ("once", "1 round") if many == 1 else (f"{many} times", f"{many} rounds")
    stay, turn = (0, 0), (1, 1)
    both, either, you, other = ((0, 0), (0, 1)), ((0, 1), (1, 1)), (stay, turn), ((0, 1), (0, 1))
    failed = range(many)
    period = rng.integer(2, 2 + patience)
    return [
        Rule(
            f"hunts stag in the rounds whose number is divisible by {period}, otherwise hare.",
            (0,) * (period - 1) + (1,),
            tuple((((k + 1) % period,) * 2,) * 2 for k in range(period)),
        ),
        Rule(
            f"hunts stag, but hare in the {rounds.removeprefix('1 ')} after each catch of a stag.",
            (1,) + (0,) * many,
            (((0, 0), (0, 1)), *((((k + 1) % (many + 1),) * 2,) * 2 for k in range(1, many + 1))),
        ),
        Rule("hunts stag in round 1, and later the opposite of what you hunted in the round before.", (1, 0), ((stay, turn), (stay, turn))),
        Rule("hunts stag in round 1, and later if both of the others hunted stag in the round before.", (0, 1), (both, both)),
        Rule(
            f"hunts hare in round 1, and later stag if you or {third} or both hunted stag in the round before, otherwise hare.",
            (0, 1),
            (either, either),
        ),
        Rule("hunts hare in round 1, and later what you hunted in the round before.", (0, 1), (you, you)),
        Rule(f"hunts stag in round 1, and later what {third} hunted in the round before.", (0, 1), (other, other)),
        Rule(
            f"hunts stag until it has come home without a catch {times}; from then on always hare.",
            (1,) * many + (0,),
            (*(((k + 1, k + 1), (k + 1, k)) for k in failed), ((many, many), (many, many))),
        ),
        Rule(
            f"hunts hare until you have hunted stag in {rounds}, not necessarily in a row; from then on always stag.",
            (0,) * many + (1,),
            (*(((k, k), (k + 1, k + 1)) for k in failed), ((many, many), (many, many))),
        ),
        Rule(
            f"hunts stag until you have hunted hare in {rounds}, not necessarily in a row; from then on always hare.",
            (1,) * many + (0,),
            (*(((k + 1, k + 1), (k, k)) for k in failed), ((many, many), (many, many))),
        ),
        Rule(
            f"hunts stag in a round if you hunted stag in all of the {many + 1} rounds before it, otherwise hare.",
            (0,) * (many + 1) + (1,),
            (*((stay, (k + 1, k + 1)) for k in range(many + 1)), (stay, (many + 1, many + 1))),
        ),
    ]


environment = Match(
    Knobs, Choice(WORDS), start, show, machines.to_move, legal, act, machines.returns, best, greedy, machines.target_return,
    machines.opponent, machines.seat, mistakes, cost, machines.turns,
    players=3, version=3, explain=explain,
    concept="See first which rules the others' choices rule out, and weigh what a failed hunt costs now and what it makes the others do later.",
    recoverable_first_move="The first of many rounds decides little: perfect play in the others makes up for it.",
)  # fmt: skip
