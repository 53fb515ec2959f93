"""A cooperative game of cards that each player sees in all hands but their own, with hints and two conventions about what hints mean.

Cards are places in the deck; `cards` says for each place the colour and the number. New cards join a hand at its right end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from rlgym.core.rng import Rng

ERRORS = 3
"""The error that ends the game."""
RANDOM_PLAYS = 6
PLAY, DISCARD, HINT = "play", "discard", "hint"
Card = tuple[int, int]
"""Colour from 0, number from 1."""
Clue = tuple[bool, int]
"""Whether a hint names a number, and the number or the colour."""


class Deed(NamedTuple):
    """A move: the place of the card in the hand, from 0, or the player who gets the clue."""

    kind: str
    target: int
    clue: Clue = (False, 0)


class Rules(NamedTuple):
    """`summed` says which of the two conventions holds."""

    seats: int
    colours: int
    numbers: int
    hand: int
    hints: int
    summed: bool

    @property
    def codes(self) -> int:
        """How many different signals a hint can carry: to whom it goes, and whether it names a colour or a number."""
        return 2 * (self.seats - 1)

    @property
    def most(self) -> int:
        return self.colours * self.numbers


class Table(NamedTuple):
    """Where a game stands.

    marks   cards that a hint has marked for play, in the order of the hints
    advice  by the last hint, the place plus one of the card that each player is to play, 0 for none; it is used up by the player's next move
    since   how many cards were played since then
    clues   what hints have told of cards: the card, and whether it was the number
    last    moves left once the deck is empty; -1 before
    """

    hands: tuple[tuple[int, ...], ...]
    piles: tuple[int, ...]
    hints: int
    drawn: int
    mover: int = 0
    errors: int = 0
    last: int = -1
    marks: tuple[int, ...] = ()
    advice: tuple[int, ...] = ()
    since: int = 0
    clues: tuple[tuple[int, bool], ...] = ()
    discarded: tuple[int, ...] = ()
    moves: int = 0

    @property
    def score(self) -> int:
        return sum(self.piles)


Choose = Callable[[Rules, tuple[Card, ...], Table], Deed]


class Event(NamedTuple):
    """What a move has shown: the card, whether it could be played, the card drawn, or the places of the cards that a hint names; -1 for no card."""

    mover: int
    deed: Deed
    card: int = -1
    fitted: bool = False
    drawn: int = -1
    places: tuple[int, ...] = ()


def full_deck(rules: Rules) -> list[Card]:
    """Three cards of each colour with the number 1, one with the highest number, and two with each other one."""
    copies = {1: 3, rules.numbers: 1}
    return [
        (colour, number) for colour in range(rules.colours) for number in range(1, rules.numbers + 1) for _ in range(copies.get(number, 2))
    ]


def deal(rules: Rules) -> Table:
    hands = tuple(tuple(range(k * rules.hand, (k + 1) * rules.hand)) for k in range(rules.seats))
    return Table(hands, (0,) * rules.colours, rules.hints, rules.seats * rules.hand, advice=(0,) * rules.seats)


def over(rules: Rules, table: Table) -> bool:
    return table.errors == ERRORS or table.last == 0 or table.score == rules.most


def reachable(rules: Rules, cards: tuple[Card, ...], table: Table) -> int:
    """The most cards that the piles can hold at the end, as all players can see: by the discarded cards, and by the moves left."""
    left = Counter(cards) - Counter(cards[card] for card in table.discarded)
    tops = []
    for colour, top in enumerate(table.piles):
        while top < rules.numbers and left[colour, top + 1]:
            top += 1
        tops.append(top)
    return min(sum(tops), table.score + table.last if table.last >= 0 else rules.most)


def fits(table: Table, card: Card) -> bool:
    """Whether a card can be played."""
    return table.piles[card[0]] == card[1] - 1


def touched(cards: tuple[Card, ...], hand: tuple[int, ...], clue: Clue) -> list[int]:
    return [card for card in hand if cards[card][clue[0]] == clue[1]]


def deeds(rules: Rules, cards: tuple[Card, ...], table: Table) -> list[Deed]:
    """All legal moves."""
    own = range(len(table.hands[table.mover]))
    out = [Deed(PLAY, place) for place in own] + [Deed(DISCARD, place) for place in own]
    if table.hints:
        for step in range(1, rules.seats):
            other = (table.mover + step) % rules.seats
            clues = {(named, cards[card][named]) for card in table.hands[other] for named in (False, True)}
            out += [Deed(HINT, other, clue) for clue in sorted(clues)]
    return out


def after(rules: Rules, cards: tuple[Card, ...], table: Table, deed: Deed) -> Table:
    mover, following, moves = table.mover, (table.mover + 1) % rules.seats, table.moves + 1
    last = table.last - 1 if table.last > 0 else table.last
    advice = (*table.advice[:mover], 0, *table.advice[mover + 1 :])
    if deed.kind == HINT:
        shown = touched(cards, table.hands[deed.target], deed.clue)
        marks = table.marks if rules.summed or shown[0] in table.marks else (*table.marks, shown[0])
        clues = (*table.clues, *((card, deed.clue[0]) for card in shown))
        if rules.summed:
            advice = read(rules, cards, table, deed)
        return table._replace(
            hints=table.hints - 1, mover=following, moves=moves, last=last, marks=marks, since=0, clues=clues, advice=advice
        )
    hand = table.hands[mover]
    card = hand[deed.target]
    kept = hand[: deed.target] + hand[deed.target + 1 :]
    hints, errors, piles, since, discarded, drawn = table.hints, table.errors, table.piles, table.since, table.discarded, table.drawn
    if deed.kind == DISCARD:
        hints, discarded = min(rules.hints, hints + 1), (*discarded, card)
    elif fits(table, cards[card]):
        colour, number = cards[card]
        piles, since = (*piles[:colour], number, *piles[colour + 1 :]), since + 1
    else:
        errors, discarded = errors + 1, (*discarded, card)
    if drawn < len(cards):
        kept, drawn = (*kept, drawn), drawn + 1
        last = rules.seats if drawn == len(cards) else last
    return table._replace(
        hands=(*table.hands[:mover], kept, *table.hands[mover + 1 :]), hints=hints, errors=errors, piles=piles, since=since, discarded=discarded,
        drawn=drawn, last=last, mover=following, moves=moves, advice=advice, marks=tuple([each for each in table.marks if each != card]),
    )  # fmt: skip


def event(rules: Rules, cards: tuple[Card, ...], table: Table, deed: Deed) -> Event:
    """What the players see of a move."""
    if deed.kind == HINT:
        hand = table.hands[deed.target]
        return Event(table.mover, deed, places=tuple(hand.index(card) for card in touched(cards, hand, deed.clue)))
    card = table.hands[table.mover][deed.target]
    drawn = table.drawn if table.drawn < len(cards) else -1
    return Event(table.mover, deed, card, deed.kind == PLAY and fits(table, cards[card]), drawn)


def told(cards: tuple[Card, ...], table: Table, card: int) -> tuple[int | None, int | None]:
    """The colour and the number of a card, as far as hints have named them."""
    colour, number = cards[card]
    return (colour if (card, False) in table.clues else None, number if (card, True) in table.clues else None)


def first_fitting(rules: Rules, cards: tuple[Card, ...], table: Table, player: int) -> int:
    """The place plus one of the leftmost card of a hand that can be played; 0 for none."""
    return next((place for place, card in enumerate(table.hands[player], 1) if fits(table, cards[card])), 0)


def read(rules: Rules, cards: tuple[Card, ...], table: Table, deed: Deed) -> tuple[int, ...]:
    """What each player takes a hint to say by the convention of sums: the code less what the player sees for the other hands."""
    giver = table.mover
    code = 2 * ((deed.target - giver) % rules.seats - 1) + deed.clue[0]
    seen = [0 if player == giver else first_fitting(rules, cards, table, player) for player in range(rules.seats)]
    own = [(code - sum(seen) + each) % rules.codes for each in seen]
    return tuple(0 if player == giver or own[player] > len(table.hands[player]) else own[player] for player in range(rules.seats))


def convention(rules: Rules, cards: tuple[Card, ...], table: Table) -> Deed:
    """The move of a player who follows the convention; it does not depend on the player's own cards beyond what hints say."""
    return _summed(rules, cards, table) if rules.summed else _marked(rules, cards, table)


def _summed(rules: Rules, cards: tuple[Card, ...], table: Table) -> Deed:
    mover, advice = table.mover, table.advice[table.mover]
    if advice and (table.since == 0 or (table.since == 1 and table.errors < ERRORS - 1)):
        return Deed(PLAY, advice - 1)
    if table.hints:
        seen = [first_fitting(rules, cards, table, (mover + step) % rules.seats) for step in range(1, rules.seats)]
        if any(seen):
            step, named = divmod(sum(seen) % rules.codes, 2)
            other = (mover + step + 1) % rules.seats
            if table.hands[other]:
                return Deed(HINT, other, (named == 1, cards[table.hands[other][0]][named]))
    return Deed(DISCARD, 0)


def _marked(rules: Rules, cards: tuple[Card, ...], table: Table) -> Deed:
    mover, hand = table.mover, table.hands[table.mover]
    mine = [card for card in table.marks if card in hand]
    if mine:
        return Deed(PLAY, hand.index(mine[0]))
    if table.hints:
        marked = {cards[card] for card in table.marks}
        for step in range(1, rules.seats):
            other = (mover + step) % rules.seats
            theirs = table.hands[other]
            if any(card in table.marks for card in theirs):
                continue
            for card in theirs:
                if fits(table, cards[card]) and cards[card] not in marked:
                    for named in (True, False):
                        clue = (named, cards[card][named])
                        if touched(cards, theirs, clue)[0] == card:
                            return Deed(HINT, other, clue)
    return Deed(DISCARD, 0)


def careful(rules: Rules, cards: tuple[Card, ...], table: Table) -> Deed:
    """The move of a player without a convention, who plays only a card whose colour and number hints have told, and hints at what can be played."""
    hand = table.hands[table.mover]
    for place, card in enumerate(hand):
        if (card, True) in table.clues and (card, False) in table.clues and fits(table, cards[card]):
            return Deed(PLAY, place)
    if table.hints:
        for step in range(1, rules.seats):
            other = (table.mover + step) % rules.seats
            for card in table.hands[other]:
                for named in (True, False):
                    if fits(table, cards[card]) and (card, named) not in table.clues:
                        return Deed(HINT, other, (named, cards[card][named]))
    return Deed(DISCARD, 0)


def habits(rng: Rng, rules: Rules) -> list[Choose]:
    """Players without the convention: a careful one, and those who repeat a move, alternate two, keep to a place of the list or move at random."""
    habits: list[Choose] = [careful, *(partial(_at, place) for place in (0, 0.25, 0.5, 0.75, 0.999))]
    thrown, played = ([Deed(kind, place) for place in range(rules.hand)] for kind in (DISCARD, PLAY))
    pairs = [pair for one in thrown for other in played for pair in ((one, other), (other, one))]
    pairs += [(one, other) for one in played for other in played if one != other]
    pairs += [(Deed(HINT, 0), other) for other in (*thrown, *played)] + [(one, one) for one in thrown]
    habits += [partial(_in_turn, pair, each) for pair in pairs for each in ((True, False) if pair[0].kind == HINT else (False,))]
    return [*habits, *([lambda *now: rng.choice(deeds(*now))] * RANDOM_PLAYS)]


def _in_turn(pair: tuple[Deed, Deed], always: bool, rules: Rules, cards: tuple[Card, ...], table: Table) -> Deed:
    """The first move in every second turn, or always while it is legal, otherwise the other one. A hint is the first of the list."""
    deed = pair[0 if always else table.moves // rules.seats % 2]
    if deed.kind != HINT:
        return deed
    return next((each for each in deeds(rules, cards, table) if each.kind == HINT), pair[1])


def _at(place: float, rules: Rules, cards: tuple[Card, ...], table: Table) -> Deed:
    """The move at a place of the list."""
    moves = deeds(rules, cards, table)
    return moves[int(len(moves) * place)]
