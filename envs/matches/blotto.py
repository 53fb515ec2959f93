"""Divide soldiers among fields, round after round, against a commander who follows a hidden rule.

The target against each rule is computed exactly: the best lead with the rule known, less the smallest possible regret.
"""

from collections.abc import Hashable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from rlgym import Config, Match, Rng, knob
from rlgym.answers import Numbers
from rlgym.generators.payoffs import hidden
from rlgym.generators.payoffs.hidden import Move, Played, gained

Inside = tuple[Move, Move, int]  # your last soldiers, the other's, and how many rounds there were
FIELDS = ("hill", "bridge", "wood")


class Knobs(Config):
    soldiers: int = knob(5, easy=4, hard=7, doc="soldiers of each side")
    rules: int = knob(3, easy=2, hard=4, doc="rules that the other commander may follow")
    rounds: int = knob(4, easy=3, hard=6, doc="rounds")


class Blotto(NamedTuple):
    soldiers: int
    rounds: int
    worth: tuple[int, int, int]
    rules: tuple[str, ...]
    first: Move  # the soldiers that all rules begin with

    @property
    def kinds(self) -> int:
        return len(self.rules)

    @property
    def scale(self) -> int:
        return self.rounds * sum(self.worth)

    def begin(self) -> Inside:
        return (), (), 0

    def moves(self, inside: Inside, rounds_left: int) -> tuple[Move, ...]:
        return _divide(self.soldiers)

    def replies(self, inside: Inside, move: Move) -> tuple[Move, ...]:
        return _divide(self.soldiers)

    def reply(self, kind: int, inside: Inside, move: Move) -> Move:
        return _place(self.rules[kind], self.first, self.worth, *inside)

    def choices(self, kinds: Sequence[int], inside: Inside, rounds_left: int) -> tuple[Move, ...]:
        return self.moves(inside, rounds_left)

    def sight(self, inside: Inside, move: Move, reply: Move) -> Move:
        return reply

    def relevant_state(self, kind: int, inside: Inside) -> Hashable:
        mine, theirs, rounds = inside
        match self.rules[kind] if rounds else "fixed":
            case "fixed":
                return ()
            case "copy" | "shift":
                return mine
            case "swap":
                return rounds % 2
            case "turn" | "reinforce":
                return theirs
            case _:
                return self.reply(kind, inside, ())

    def after(self, inside: Inside, move: Move, reply: Move) -> Inside:
        return move, reply, inside[2] + 1

    def gains(self, inside: Inside, move: Move, reply: Move) -> tuple[int, int]:
        gain = _lead(self.worth, move, reply)
        return gain, -gain


class State(Played):
    game: Blotto


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        worth = rng.integer(1, 9), rng.integer(1, 9), rng.integer(1, 9)
        first = rng.choice(_divide(knobs.soldiers))
        game = Blotto(knobs.soldiers, knobs.rounds, worth, tuple(rng.sample(tuple(_SAID), knobs.rules)), first)
        if 2 * max(worth) >= sum(worth):
            continue
        kind = hidden.sample_exploitable_kind(rng, game, [[move] for move in _divide(knobs.soldiers)])
        if kind is not None:
            return State(game=game, kind=kind)


def show(state: State, player: int) -> str:
    game = state.game
    if state.past:
        pair = state.past[-1] if player == 0 else state.past[-1][::-1]
        lead = gained(state)[player]
        score_text = "We have equally many points." if not lead else f"You are {abs(lead)} points {'ahead' if lead > 0 else 'behind'}."
        return f"You sent {_name(pair[0])}; I sent {_name(pair[1])}. {score_text} Divide your soldiers for round {len(state.past) + 1} of {game.rounds}."
    sure, first = hidden.solve(game).sure, _name(game.first)
    rules = "\n".join(
        f"{chr(65 + k)}: {_SAID[rule].format(first=first)} You need a lead of {sure[k]}." for k, rule in enumerate(game.rules)
    )
    worth = ", ".join(f"the {field} {points}" for field, points in zip(FIELDS, game.worth, strict=True))
    return (
        f"We each command {game.soldiers} soldiers for {game.rounds} rounds. In each round both of us divide all of them, at the same time, among "
        f"three fields: the {', the '.join(FIELDS)}. The one who has more soldiers on a field gets its points ({worth}); in a tie nobody does. In "
        f"the next round all soldiers are available again. In round 1 I send {first} (soldiers are given in the order hill, bridge, wood). After "
        f"that I follow one of these rules, but I do not tell "
        f"you which; 'last' means in the round before:\n{rules}\n\nYour lead is your points less mine. You win if in the end it is at least what is "
        "stated for the rule that I actually follow (a negative lead means that you may be behind by that). There is a way to play that achieves this "
        "whichever rule it is. Divide your soldiers for round 1."
    )


def greedy(state: State) -> Move:
    """What would be best against the other's last soldiers."""
    if state.pending:
        return hidden.reply_of_rule(state)
    theirs = state.past[-1][1] if state.past else _divide(state.game.soldiers)[-1]
    return max(_divide(state.game.soldiers), key=lambda mine: state.game.gains(((), (), 0), mine, theirs)[0])


def mistakes(state: State) -> list[Move]:
    some = state.game.soldiers
    return [(some, 0, 0), (0, 0, some), (some, some, some), (some + 1, -1, 0)]


def cost(state: State) -> float:
    return float(state.game.rounds * state.game.kinds * len(_divide(state.game.soldiers)))


def explain(state: State) -> list[str]:
    return hidden.explain(state, ", ".join(map(str, hidden.best(state))))


_MOVED = "moved on by one field (hill to bridge, bridge to wood, wood to hill)."
_SAID = {
    "fixed": "I send {first} again in every round.",
    "turn": f"I send what I sent last, {_MOVED}",
    "copy": "I send what you sent last.",
    "shift": f"I send what you sent last, {_MOVED}",
    "retreat": "I send what I sent last, but one soldier goes from the field where you had fewest last to the one where you had most (of equal ones the "
    "first in order; none goes if there is none to go).",
    "reinforce": "I send what I sent last, but one soldier goes from the field where I had most last to the one where I had fewest (of equal ones the "
    "first in order).",
    "swap": "I send {first} in odd rounds, and the same with hill and wood exchanged in even rounds.",
    "settle": f"I send {{first}} if you had more points than I in the last round alone; otherwise what I sent last, {_MOVED}",
}


def _place(rule: str, first: Move, worth: tuple[int, int, int], mine: Move, theirs: Move, rounds: int) -> Move:
    """What a rule sends; `mine` are the soldiers of the other side, `theirs` those that the rule sent itself."""
    if not rounds or rule == "fixed":
        return first
    match rule:
        case "turn":
            return theirs[-1:] + theirs[:-1]
        case "copy":
            return mine
        case "shift":
            return mine[-1:] + mine[:-1]
        case "swap":
            return first[::-1] if rounds % 2 else first
        case "settle":
            return first if _lead(worth, mine, theirs) > 0 else theirs[-1:] + theirs[:-1]
    here, there = (
        (mine.index(min(mine)), mine.index(max(mine))) if rule == "retreat" else (theirs.index(max(theirs)), theirs.index(min(theirs)))
    )
    if here == there or not theirs[here]:
        return theirs
    return tuple(count - (i == here) + (i == there) for i, count in enumerate(theirs))


@lru_cache(maxsize=10_000)
def _lead(worth: Move, mine: Move, theirs: Move) -> int:
    return sum(points * ((a > b) - (a < b)) for points, a, b in zip(worth, mine, theirs, strict=True))


def _name(move: Move) -> str:
    return ", ".join(map(str, move))


@cache
def _divide(soldiers: int) -> tuple[Move, ...]:
    """All ways to divide soldiers among three fields."""
    return tuple((a, b, soldiers - a - b) for a in range(soldiers + 1) for b in range(soldiers - a + 1))


environment = Match(
    Knobs, Numbers("your soldiers on the hill, on the bridge and in the wood, separated by commas", max_items=6),
    start, show, hidden.to_move, hidden.legal, hidden.act, hidden.returns, hidden.best, greedy, hidden.target_return, hidden.opponent,
    hidden.seat, mistakes, cost, hidden.turns,
    explain=explain,
    concept="Beat two fields by one soldier each and give the third away; watch which rules are left, and what your own soldiers teach the other.",
    version=3,
)  # fmt: skip
