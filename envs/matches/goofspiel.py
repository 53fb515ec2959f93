"""Bid for prizes with cards that can each be played once, against a player who follows a hidden rule.

The target against each rule is computed exactly: the best lead with the rule known, less the smallest possible regret.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rlgym import Config, Match, Rng, knob
from rlgym.answers import Numbers
from rlgym.generators.payoffs import hidden
from rlgym.generators.payoffs.hidden import Move, Played, gained, now
from rlgym.generators.text.english import count_noun

Inside = tuple[tuple[int, ...], tuple[int, ...], int]  # both hands, and your last card
RULES = ("equal", "above", "highest", "lowest", "beat", "split", "middle", "twice", "parity")


class Knobs(Config):
    cards: int = knob(6, easy=5, hard=8, doc="cards of each player, and prizes")
    rules: int = knob(3, easy=2, hard=4, doc="rules that the other player may follow")


class Goofspiel(NamedTuple):
    prizes: tuple[int, ...]
    rules: tuple[tuple[str, int], ...]  # a rule and its number

    @property
    def rounds(self) -> int:
        return len(self.prizes)

    @property
    def kinds(self) -> int:
        return len(self.rules)

    @property
    def scale(self) -> int:
        return sum(self.prizes)

    def begin(self) -> Inside:
        hand = tuple(range(1, len(self.prizes) + 1))
        return hand, hand, 0

    def moves(self, inside: Inside, rounds_left: int) -> list[Move]:
        return [(card,) for card in inside[0]]

    def replies(self, inside: Inside, move: Move) -> list[Move]:
        return [(card,) for card in inside[1]]

    def reply(self, kind: int, inside: Inside, move: Move) -> Move:
        _, hand, last = inside
        rule, number = self.rules[kind]
        return (_card(rule, number, hand, self.rounds - len(hand), self.prizes[-len(hand)], last),)

    def choices(self, kinds: Sequence[int], inside: Inside, rounds_left: int) -> list[Move]:
        return self.moves(inside, rounds_left)

    def sight(self, inside: Inside, move: Move, reply: Move) -> Move:
        return reply

    def relevant_state(self, kind: int, inside: Inside) -> Inside:
        return inside if self.rules[kind][0] in ("beat", "twice") else (inside[0], inside[1], 0)

    def after(self, inside: Inside, move: Move, reply: Move) -> Inside:
        mine, theirs, _ = inside
        return tuple(card for card in mine if card != move[0]), tuple(card for card in theirs if card != reply[0]), move[0]

    def gains(self, inside: Inside, move: Move, reply: Move) -> tuple[int, int]:
        prize = self.prizes[-len(inside[0])]
        gain = prize if move > reply else -prize if move < reply else 0
        return gain, -gain


class State(Played):
    game: Goofspiel


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        worth = rng.sample(range(1, knobs.cards + 4), knobs.cards)
        rules = tuple((rule, rng.integer(2, knobs.cards - 1)) for rule in rng.sample(RULES, knobs.rules))
        game = Goofspiel(tuple(worth), rules)
        rising = [(card,) for card in range(1, knobs.cards + 1)]
        # Cards by the rank of the prize, and in order: what suggests itself.
        ranked = [(sorted(worth).index(prize) + 1,) for prize in worth]
        kind = hidden.sample_exploitable_kind(rng, game, [ranked, rising, rising[::-1]])
        if kind is not None:
            return State(game=game, kind=kind)


def show(state: State, player: int) -> str:
    game = state.game
    if state.past:
        pair = state.past[-1] if player == 0 else state.past[-1][::-1]
        lead = gained(state)[player]
        result_text = (
            f"You are {abs(lead)} point{'s' * (abs(lead) > 1)} {'ahead' if lead > 0 else 'behind'}."
            if lead
            else "We have equally many points."
        )
        mine, theirs = now(state)[:2] if player == 0 else now(state)[1::-1]
        return (
            f"You played {pair[0][0]} and I played {pair[1][0]}. {result_text} The prize is now {game.prizes[len(state.past)]}. You have the cards "
            f"{', '.join(map(str, mine))}; I have {', '.join(map(str, theirs))}."
        )
    sure = hidden.solve(game).sure
    rules = "\n".join(
        f"{chr(65 + k)}: {_SAID[rule].format(number=number)} {_write_question(sure[k])}" for k, (rule, number) in enumerate(game.rules)
    )
    return (
        f"Each of us has the cards 1 to {game.rounds}. {game.rounds} prizes are given away one after the other, worth {', '.join(map(str, game.prizes))} "
        "points in this order. For each prize both of us play one of our cards at the same time; the higher card takes the prize, and if they are "
        f"equal nobody gets it. Played cards are gone. I follow one of these rules all the time, but I do not tell you which:\n{rules}\n\nYou win if "
        f"in the end your points less mine are at least what is stated for the rule that I actually follow. There is a way to play that achieves "
        f"this whichever rule it is. Play a card for "
        f"the first prize, worth {game.prizes[0]}."
    )


def greedy(state: State) -> Move:
    """The lowest card that beats the other's highest, for what that is worth."""
    if state.pending:
        return hidden.reply_of_rule(state)
    mine, theirs, _ = now(state)
    return (next((card for card in mine if card > theirs[-1]), mine[0]),)


def mistakes(state: State) -> list[Move]:
    played = state.past[-1][0] if state.past else (0,)
    return [played, (state.game.rounds + 1,), (1, 2)]


def cost(state: State) -> float:
    return float(state.game.kinds * 2**state.game.rounds)


def explain(state: State) -> list[str]:
    return hidden.explain(state, str(hidden.best(state)[0]))


_SAID = {
    "equal": "I play the card that is nearest to the value of the prize, of two equally near ones the higher.",
    "above": "I play my lowest card that is higher than the value of the prize, or my lowest card if I have none.",
    "highest": "I play my highest card for the first {number} prizes, and then always my lowest card.",
    "lowest": "I play my lowest card for the first {number} prizes, and then always my highest card.",
    "beat": "I play my lowest card that is higher than the card you played last (for the first prize: higher than {number}), or my lowest card if I "
    "have none.",
    "split": "I play my highest card for a prize worth more than {number}, and my lowest card otherwise.",
    "middle": "I play the middle one of my cards in order, of two middle ones the lower.",
    "twice": "I play my lowest card if your last card was {number} or more, and my highest card otherwise, also for the first prize.",
    "parity": "I play my highest card for a prize of even worth, and the middle one of my cards in order (of two the lower) for one of odd worth.",
}


def _write_question(lead: int) -> str:
    return (
        f"You need to be ahead by {count_noun(lead, 'point')}."
        if lead > 0
        else f"You may be {-lead} points behind."
        if lead
        else "You need as many points as I."
    )


def _card(rule: str, number: int, hand: tuple[int, ...], played: int, prize: int, last: int) -> int:
    """What a rule plays from a hand in ascending order, when so many cards are gone."""
    high, low, middle = hand[-1], hand[0], hand[(len(hand) - 1) // 2]
    match rule:
        case "equal":
            return min(hand, key=lambda card: (abs(card - prize), -card))
        case "above":
            return next((card for card in hand if card > prize), low)
        case "highest":
            return high if played < number else low
        case "lowest":
            return low if played < number else high
        case "beat":
            return next((card for card in hand if card > (last or number)), low)
        case "split":
            return high if prize > number else low
        case "twice":
            return low if last >= number else high
        case "parity":
            return middle if prize % 2 else high
        case _:
            return middle


environment = Match(
    Knobs, Numbers("the card that you play", max_items=4),
    start, show, hidden.to_move, hidden.legal, hidden.act, hidden.returns, hidden.best, greedy, hidden.target_return, hidden.opponent,
    hidden.seat, mistakes, cost, hidden.turns,
    explain=explain,
    concept="Play cards that lose cheaply where the other plays high, beat it by one where it matters, and watch which rules its cards rule out.",
    version=2,
)  # fmt: skip
