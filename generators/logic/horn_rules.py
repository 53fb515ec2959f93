"""If-then rules over numbered atoms, sets of atoms being the bits of an integer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """`head` holds if all of `needs` hold and none of `bars`; a head of -1 says that this must not come about."""

    head: int
    needs: int
    bars: int = 0


def closure(facts: int, rules: Sequence[Rule]) -> int:
    """What holds when these facts do and rules without bars are followed to the end."""
    before = -1
    while facts != before:
        before = facts
        for rule in rules:
            if rule.head >= 0 and rule.needs & facts == rule.needs:
                facts |= 1 << rule.head
    return facts


def reduct_closure(guess: int, rules: Sequence[Rule]) -> int:
    """What the rules make hold when bars are judged by the guess alone."""
    return closure(0, [rule for rule in rules if not rule.bars & guess])


def smallest(sets: Iterable[int]) -> list[int]:
    """The sets that hold no other one of them, each once, small ones first."""
    out: list[int] = []
    for subset in sorted(set(sets), key=lambda bits: (bits.bit_count(), bits)):
        if not any(other & subset == other for other in out):
            out.append(subset)
    return out
