"""Choosing facilities for clients: what is cheapest in sum, and what greedy choices and exchanges find."""

from dataclasses import dataclass
from functools import reduce
from itertools import accumulate


@dataclass(frozen=True)
class FacilityChoice:
    """At most `most` facilities, each with a price, so that their prices and what each client pays at its cheapest facility are least in sum.

    A facility is what each client would pay there, and its own price; `without` is what the clients pay without any.
    """

    without: list[int]
    useful: list[tuple[list[int], int]]
    most: int

    def total(self, chosen: list[int]) -> int:
        read = reduce(lambda now, one: list(map(min, now, self.useful[one][0])), chosen, self.without)
        return sum(read) + sum(self.useful[one][1] for one in chosen)

    def greedy(self) -> list[int]:
        """Adds the facility that saves most as long as one saves anything."""
        chosen: list[int] = []
        while len(chosen) < self.most:
            grown = min(([*chosen, one] for one in range(len(self.useful))), key=self.total, default=chosen)
            if self.total(grown) >= self.total(chosen):
                break
            chosen = grown
        return chosen

    def exchanged(self, chosen: list[int]) -> list[int]:
        """Takes out, adds or exchanges single facilities as long as that saves anything."""
        while True:
            fewer = [chosen[:k] + chosen[k + 1 :] for k in range(len(chosen))]
            bases = [*fewer, *([chosen] if len(chosen) < self.most else [])]
            after = min([*fewer, *([*base, one] for base in bases for one in range(len(self.useful)))], key=self.total, default=chosen)
            if self.total(after) >= self.total(chosen):
                return chosen
            chosen = after

    def least(self) -> int:
        """The least cost: branch and bound, with what all facilities that are left would save together as the bound."""
        order = sorted(self.useful, key=lambda one: sum(map(min, self.without, one[0])) + one[1])
        together = [*accumulate(reversed([row for row, _ in order]), lambda now, row: list(map(min, now, row)), initial=self.without)][::-1]
        best = self.total(self.greedy())

        def branch(now: list[int], spent: int, begin: int, left: int) -> None:
            nonlocal best
            best = min(best, sum(now) + spent)
            for at in range(begin, len(order) if left else 0):
                if sum(map(min, now, together[at])) + spent >= best:
                    break
                branch(list(map(min, now, order[at][0])), spent + order[at][1], at + 1, left - 1)

        branch(self.without, 0, 0, self.most)
        return best
