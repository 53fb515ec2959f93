"""Liar's dice: bids about the dice of all, a stated rule for the other players, and what their bids tell about their dice."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial
from typing import NamedTuple

FACES = 6


class Bid(NamedTuple):
    """That at least so many of all dice show the face."""

    number: int
    face: int


Hand = tuple[int, ...]
"""How many dice show each face, from 1 to 6."""
Spread = tuple[tuple[Hand, int], ...]
"""Hands with their weights."""


def hand_of(dice: Sequence[int]) -> Hand:
    return tuple(dice.count(face) for face in range(1, FACES + 1))


def higher(bid: Bid, dice: int) -> list[Bid]:
    """The bids above one, for so many dice in all."""
    return [Bid(number, face) for number in range(max(bid.number, 1), dice + 1) for face in range(1, FACES + 1) if (number, face) > bid]


@lru_cache(maxsize=200_000)
def rule(hand: Hand, bid: Bid | None, others: int) -> Bid | None:
    """What another player does by the stated rule: a bid, or None to call the last bid a lie. `others` is the number of dice it cannot see.

    It believes in a third of the dice that it cannot see, rounded down, besides its own.
    """
    face = max(range(1, FACES + 1), key=lambda each: (hand[each - 1], each))
    if bid is None:
        return Bid(hand[face - 1], face)
    if bid.number > hand[bid.face - 1] + others // 3:
        return None
    number = bid.number if face > bid.face else bid.number + 1
    return Bid(number, face) if number <= hand[face - 1] + others // 3 else None


@lru_cache(maxsize=8)
def hands(dice: int) -> Spread:
    """All hands of so many dice, weighted by how many throws give each."""
    out = []
    for faces in combinations_with_replacement(range(1, FACES + 1), dice):
        hand, weight = hand_of(faces), factorial(dice)
        for count in hand:
            weight //= factorial(count)
        out.append((hand, weight))
    return tuple(out)


@lru_cache(maxsize=20_000)
def consistent_hands(dice: int, others: int, acts: tuple[tuple[Bid | None, Bid], ...]) -> Spread:
    """The hands of a player who made these bids, each after the bid before it."""
    return tuple((hand, weight) for hand, weight in hands(dice) if all(rule(hand, before, others) == made for before, made in acts))


def at_least(spreads: Sequence[Spread], face: int, number: int) -> float:
    """The probability that players with these hands together have at least so many dice of a face."""
    totals = {0: 1.0}
    for spread in spreads:
        weight = sum(each for _, each in spread)
        counts: dict[int, float] = {}
        for hand, each in spread:
            counts[hand[face - 1]] = counts.get(hand[face - 1], 0.0) + each / weight
        added: dict[int, float] = {}
        for total, chance in totals.items():
            for count, part in counts.items():
                added[total + count] = added.get(total + count, 0.0) + chance * part
        totals = added
    return sum(chance for total, chance in totals.items() if total >= number)


def losses_with_one_bid(thrown: Sequence[Sequence[Hand]], bid: Bid, raises: bool) -> int:
    """The rounds that player 0 loses who makes the same bid whenever it is allowed, and the others follow the rule.

    Where it is not, the player makes the lowest higher bid if `raises`, and calls the last bid a lie otherwise. Player k % seats begins round k.
    """
    lost = 0
    for first, hands_now in enumerate(thrown):
        seats, dice = len(hands_now), sum(map(sum, hands_now))
        last: Bid | None = None
        mover = first % seats
        while True:
            if mover:
                own = hands_now[mover]
                made = rule(own, last, dice - sum(own))
            elif last is None or bid > last:
                made = bid
            else:
                made = next(iter(higher(last, dice)), None) if raises else None
            if made is None:
                assert last is not None
                true = sum(hand[last.face - 1] for hand in hands_now) >= last.number
                lost += (mover if true else (mover - 1) % seats) == 0
                break
            last, mover = made, (mover + 1) % seats
    return lost
