"""A seeded source of randomness whose streams never change between Python versions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from random import Random  # noqa: TID251  this is the one place that may
from typing import TypeVar

T = TypeVar("T")

_WHOLE = 1 << 53  # Random.random() returns k / 2**53
_ONE_DRAW = 1 << 40  # spans up to this take one draw; the bias is below 2**-13 of a part per span


class Rng:
    """Random values that depend only on the key, a tuple of strings and integers.

    Every value is derived from `random.Random.random`, the one stream that Python promises never to change.
    """

    def __init__(self, *key: str | int) -> None:
        self._key = key
        digest = hashlib.sha256(repr(key).encode()).digest()
        self._random = Random(int.from_bytes(digest[:16], "big")).random

    def child(self, *key: str | int) -> Rng:
        """An independent stream. Sampling from it does not advance this one."""
        return Rng(*self._key, "/", *key)

    def integer(self, low: int, high: int) -> int:
        """An integer in [low, high], both ends included, of any size."""
        span = high - low + 1
        if span <= 0:
            raise ValueError(f"no integer lies in [{low}, {high}]")
        if span <= _ONE_DRAW:
            return low + int(self._random() * span)
        # 64 spare bits keep the bias of the multiplication below 2**-64.
        needed_bits, bits, value = span.bit_length() + 64, 0, 0
        while bits < needed_bits:
            value = (value << 53) | int(self._random() * _WHOLE)
            bits += 53
        return low + (value * span >> bits)

    def integers(self, low: int, high: int, count: int) -> list[int]:
        """`count` calls of `integer`."""
        span, random = high - low + 1, self._random
        if not 0 < span <= _ONE_DRAW:
            return [self.integer(low, high) for _ in range(count)]
        return [low + int(random() * span) for _ in range(count)]

    def real(self, low: float = 0.0, high: float = 1.0) -> float:
        """A float in [low, high)."""
        return low + (high - low) * self._random()

    def chance(self, p: float) -> bool:
        """True with probability p."""
        return self._random() < p

    def choice(self, items: Sequence[T]) -> T:
        """One item of a non-empty sequence (never of a set: its order is not fixed)."""
        span = len(items)
        return items[int(self._random() * span) if 0 < span <= _ONE_DRAW else self.integer(0, span - 1)]

    def weighted(self, items: Sequence[T], weights: Sequence[int]) -> T:
        """One item, with probability proportional to its integer weight."""
        offset = self.integer(0, sum(weights) - 1)
        for item, weight in zip(items, weights, strict=True):
            offset -= weight
            if offset < 0:
                return item
        raise AssertionError("unreachable: the weights sum to more than any draw")

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A new list of the items in random order."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = int(self._random() * (i + 1))
            out[i], out[j] = out[j], out[i]
        return out

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """`count` different positions of the sequence, in random order."""
        if count > len(items):
            raise ValueError(f"cannot take {count} of {len(items)} items")
        pool = list(items)
        for i in range(count):
            j = i + int(self._random() * (len(pool) - i))
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:count]
