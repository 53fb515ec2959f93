"""Affine ciphers on any alphabet: encoding, and the keys that fit a word of the plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


class Known(NamedTuple):
    """Two known letters with what they become, their places in the text, and by how much the shift grows from place to place."""

    pairs: Sequence[tuple[str, str]]
    places: Sequence[int]
    growth: int


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


def shape(word: str) -> tuple[int, ...]:
    """Which letters of a word are the same."""
    return tuple(map(word.index, word))


def is_decisive(difference: int, size: int, *, single: bool) -> bool:
    """Whether two letters with this difference leave a single key, or else at least three."""
    if single:
        return gcd(difference, size) == 1
    step = size // gcd(difference, size)
    return difference != 0 and sum(gcd(m, size) == 1 for m in range(1, size, step)) >= 3


def search_keys(alphabet: str, shown: str, known: Known, word: str) -> list[Key]:
    """Every key, of all keys, that fits the known letters and for which the plain text contains the word."""
    size, place = len(alphabet), {sign: i for i, sign in enumerate(alphabet)}
    places = known.places[: len(known.pairs)]
    keys = [
        Key(m, s)
        for m in range(1, size)
        if gcd(m, size) == 1
        for s in range(size)
        if all((m * place[a] + s + known.growth * k - place[b]) % size == 0 for (a, b), k in zip(known.pairs, places, strict=True))
    ]
    return [key for key in keys if not word or word in decode(alphabet, shown, key, known.growth).split()]


def equations(alphabet: str, known: Known) -> list[tuple[int, int]]:
    """The numbers of each known character and of what it becomes, without the growth of the shift up to it."""
    return [
        (alphabet.index(plain), (alphabet.index(cipher) - known.growth * place) % len(alphabet))
        for (plain, cipher), place in zip(known.pairs, known.places, strict=True)
    ]


def pair_keys(alphabet: str, known: Known) -> list[Key]:
    """The keys that the two known letters leave."""
    (a, b), (c, d) = equations(alphabet, known)
    size = len(alphabet)
    return [Key(m, (b - m * a) % size) for m in quotients((a - c) % size, (b - d) % size, size)]
