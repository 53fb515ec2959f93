"""A cache whose evictions are chosen: what a choice costs, what simple policies choose, and the cheapest choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

Held = tuple[tuple[str, bool], ...]
"""The keys in the cache in alphabetical order, each with whether it was written since it was loaded."""


class Request(NamedTuple):
    key: str
    written: bool


class ChosenCache(NamedTuple):
    """Loading a key costs what `loading` says, and evicting a written key costs `write_back`."""

    room: int
    loading: tuple[tuple[str, int], ...]
    write_back: int
    requests: tuple[Request, ...]

    def needs_eviction(self, held: Held, request: Request) -> bool:
        return len(held) == self.room and request.key not in dict(held)

    def serve(self, held: Held, request: Request, evicted: str) -> tuple[Held, int]:
        """What the cache holds after a request, and what was paid; `evicted` is empty if nothing is evicted."""
        after, paid = dict(held), 0
        if evicted:
            paid += self.write_back * after.pop(evicted)
        if request.key not in after:
            paid += dict(self.loading)[request.key]
            after[request.key] = False
        after[request.key] |= request.written
        return tuple(sorted(after.items())), paid

    def total(self, evicted: tuple[str, ...]) -> int | None:
        """What these evictions in order cost; None if they are too many, too few or of keys that are not in the cache."""
        held, paid, waiting = Held(), 0, list(evicted)
        for request in self.requests:
            key = ""
            if self.needs_eviction(held, request):
                if not waiting or waiting[0] not in dict(held):
                    return None
                key = waiting.pop(0)
            held, more = self.serve(held, request, key)
            paid += more
        return None if waiting else paid

    def least_total(self) -> int:
        """The least cost, from the states that can be reached after each request."""
        reached = {Held(): 0}
        for request in self.requests:
            following: dict[Held, int] = {}
            for held, paid in reached.items():
                for key in dict(held) if self.needs_eviction(held, request) else [""]:
                    after, more = self.serve(held, request, key)
                    following[after] = min(paid + more, following.get(after, paid + more))
            reached = following
        return min(reached.values())

    def cheapest(self) -> Iterator[tuple[str, ...]]:
        """All cheapest choices, by what the rest costs at least."""

        @cache
        def rest(i: int, held: Held) -> int:
            return min((more + rest(i + 1, after) for _, after, more in options(i, held)), default=0)

        def options(i: int, held: Held) -> list[tuple[str, Held, int]]:
            if i == len(self.requests):
                return []
            keys = list(dict(held)) if self.needs_eviction(held, self.requests[i]) else [""]
            return [(key, *self.serve(held, self.requests[i], key)) for key in keys]

        waiting: list[tuple[int, Held, tuple[str, ...]]] = [(0, (), ())]
        while waiting:
            i, held, evicted = waiting.pop()
            if i == len(self.requests):
                yield evicted
            for key, after, more in options(i, held):
                if more + rest(i + 1, after) == rest(i, held):
                    waiting.append((i + 1, after, (*evicted, key) if key else evicted))

    def by_policies(self) -> list[tuple[str, ...]]:
        """What simple policies evict: the key needed again last, used longest ago, cheapest to have back, or the best mixture of these."""

        def next_use(key: str, i: int) -> int:
            return next((k for k in range(i, len(self.requests)) if self.requests[k].key == key), len(self.requests) + 9)

        def last_use(key: str, i: int) -> int:
            return max(k for k in range(i) if self.requests[k].key == key)

        def price(key: str, i: int, held: Held) -> int:
            again = dict(self.loading)[key] if next_use(key, i) < len(self.requests) else 0
            return again + self.write_back * dict(held)[key]

        return [
            self._evict_by(lambda key, i, held: (-next_use(key, i), price(key, i, held))),
            self._evict_by(lambda key, i, held: last_use(key, i)),
            self._evict_by(lambda key, i, held: (price(key, i, held), -next_use(key, i))),
            self._evict_by(lambda key, i, held: price(key, i, held) / (next_use(key, i) - i)),
        ]

    def _evict_by(self, order: Callable[[str, int, Held], object]) -> tuple[str, ...]:
        held, evicted = Held(), list[str]()
        for i, request in enumerate(self.requests):
            key = ""
            if self.needs_eviction(held, request):
                key = min(dict(held), key=lambda key: order(key, i, held))  # type: ignore[arg-type, return-value]
                evicted.append(key)
            held, _ = self.serve(held, request, key)
        return tuple(evicted)
