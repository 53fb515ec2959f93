"""Affine ciphers on any alphabet: encoding, and the keys that fit a word of the plain text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from math import gcd
from typing import NamedTuple


class Key(NamedTuple):
    """The multiplier and the shift."""

    factor: int
    shift: int


class Difference(NamedTuple):
    """Two letters of a word, and the differences of their numbers before and after encoding."""

    signs: str
    x: int
    y: int


class Placement(NamedTuple):
    """A known word at the place of a cipher word: what two of its letters say, and the keys that fit all of it."""

    place: int
    difference: Difference
    keys: list[Key]


def move(alphabet: str, text: str, key: Key, growth: int = 0) -> str:
    """The text with m * x + s for each character, with a shift that grows from character to character; other signs stay and do not count."""
    place, count, moved = {sign: i for i, sign in enumerate(alphabet)}, 0, ""
    for sign in text:
        moved += alphabet[(key.factor * place[sign] + key.shift + growth * count) % len(alphabet)] if sign in place else sign
        count += sign in place
    return moved


def decode(alphabet: str, text: str, key: Key, growth: int = 0) -> str:
    """The plain text of a cipher text."""
    back = pow(key.factor, -1, len(alphabet))
    return move(alphabet, text, Key(back, -back * key.shift), -back * growth)


def quotients(x: int, y: int, size: int) -> list[int]:
    """The multipliers with an inverse for which m * x = y modulo the size."""
    return [m for m in range(1, size) if gcd(m, size) == 1 and (m * x - y) % size == 0]


def placements(alphabet: str, shown: str, known: str, growth: int = 0) -> Iterator[Placement]:
    """For each cipher word that is as long as the known word, counted from 1: the keys for which it is that word."""
    size, number = len(alphabet), {sign: i for i, sign in enumerate(alphabet)}
    coded = shown.split()
    starts = [0, *accumulate(map(len, coded))]
    before = [number[sign] for sign in known]
    at = min((i for i in range(1, len(before)) if before[i] != before[0]), key=lambda i: gcd(before[i] - before[0], size))
    for place, (word, start) in enumerate(zip(coded, starts, strict=False), 1):
        if len(word) != len(before):
            continue
        after = [(number[sign] - growth * (start + i)) % size for i, sign in enumerate(word)]
        difference = Difference(f"{known[0]}{known[at]}", (before[0] - before[at]) % size, (after[0] - after[at]) % size)
        keys = [Key(m, (after[0] - m * before[0]) % size) for m in quotients(difference.x, difference.y, size)]
        fitting = [key for key in keys if all((key.factor * x + key.shift - y) % size == 0 for x, y in zip(before, after, strict=True))]
        yield Placement(place, difference, fitting)
