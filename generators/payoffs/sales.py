"""Sealed sales of several things, one after the other, to you or to a rival who bids by a fixed rule; both have a purse."""

from collections.abc import Sequence
from typing import NamedTuple

from rlgym.generators.payoffs.hidden import Move

Inside = tuple[int, int, int, int]  # your purse, the rival's, how many things are gone, and how many of them you have
THINGS = ("amphora", "brooch", "compass", "drum", "easel", "fan", "globe", "harp", "icon")


class Rival(NamedTuple):
    """Bids so many of so many parts of its value of a thing, rounded down, less some, never below 0 nor above its purse."""

    values: tuple[int, ...]
    parts: int = 1
    whole: int = 1
    less: int = 0


class Sale(NamedTuple):
    """The higher bid wins, yours if they are equal. The winner pays its bid, or with `second` the other's bid.

    With `second` the result names only the winner and the price, otherwise both bids. Your second thing brings a `bonus`.
    """

    values: tuple[int, ...]
    purses: tuple[int, int]
    rivals: tuple[Rival, ...]
    second: bool
    bonus: int = 0

    @property
    def rounds(self) -> int:
        return len(self.values)

    @property
    def kinds(self) -> int:
        return len(self.rivals)

    @property
    def scale(self) -> int:
        return sum(self.values) + sum(max(rival.values) for rival in self.rivals) * self.rounds + sum(self.purses) + self.bonus

    def begin(self) -> Inside:
        return (*self.purses, 0, 0)

    def moves(self, inside: Inside, rounds_left: int) -> list[Move]:
        return [(bid,) for bid in range(inside[0] + 1)]

    def replies(self, inside: Inside, move: Move) -> list[Move]:
        return [(bid,) for bid in range(inside[1] + 1)]

    def reply(self, kind: int, inside: Inside, move: Move) -> Move:
        values, parts, denominator, less = self.rivals[kind]
        return (min(inside[1], max(0, values[inside[2]] * parts // denominator - less)),)

    def choices(self, kinds: Sequence[int], inside: Inside, rounds_left: int) -> list[Move]:
        """What just wins against one of the rules, or just loses where that costs the rival: all else is dearer or costs it less, and teaches the same."""
        bids = {self.reply(kind, inside, ())[0] for kind in kinds}
        edges = {min(inside[0], bid - 1 if bid else 0) for bid in bids} | {min(inside[0], max(bids))} if self.second else {0, *bids}
        return [(bid,) for bid in sorted(edges) if bid <= inside[0]]

    def relevant_state(self, kind: int, inside: Inside) -> Inside:
        return inside

    def sold(self, move: Move, reply: Move) -> tuple[bool, int]:
        """Whether it is yours, and what is paid."""
        mine = move >= reply
        return mine, (min if self.second else max)(move, reply)[0]

    def sight(self, inside: Inside, move: Move, reply: Move) -> Move:
        return tuple(map(int, self.sold(move, reply))) if self.second else reply

    def after(self, inside: Inside, move: Move, reply: Move) -> Inside:
        mine, paid = self.sold(move, reply)
        yours, other, sold, have = inside
        return (yours - paid, other, sold + 1, have + 1) if mine else (yours, other - paid, sold + 1, have)

    def gains(self, inside: Inside, move: Move, reply: Move) -> tuple[int, int]:
        mine, paid = self.sold(move, reply)
        if mine:
            return self.values[inside[2]] - paid + self.bonus * (inside[3] == 1), 0
        return 0, self.rivals[0].values[inside[2]] - paid


def news(game: Sale, inside: Inside, move: Move, reply: Move, player: int) -> str:
    """What a bidder learns of the sale of a thing, given the state before it."""
    mine, paid = game.sold(move, reply)
    who = "You get" if mine == (player == 0) else "I get"
    other = reply[0] if player == 0 else move[0]
    bids = "" if game.second else f"I bid {other}. "
    return f"{bids}{who} the {THINGS[inside[2]]} for {paid}."


def purses(inside: Inside, player: int) -> str:
    yours, other = inside[:2] if player == 0 else inside[1::-1]
    return f"You have {yours} coins left, I have {other}."
