"""Orders of union-find commands that lead to a given forest, found by a search through the forests that can come about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Forest(NamedTuple):
    parents: tuple[int, ...]
    ranks: tuple[int, ...]

    @classmethod
    def start(cls, elements: int) -> Forest:
        return cls(tuple(range(1, elements + 1)), (0,) * elements)

    def after(self, joining: str, paths: str, a: int, b: int) -> Forest:
        """The forest after a command, with sizes counted anew."""
        parents, ranks = list(self.parents), list(self.ranks)
        first, second = _compress(parents, a, paths), _compress(parents, b, paths) if a != b else 0
        if not second or first == second:
            return Forest(tuple(parents), self.ranks)
        sizes = [sum(_compress(list(parents), number, "none") == root for number in range(1, len(parents) + 1)) for root in (first, second)]
        weights = {"size": sizes, "rank": [ranks[first - 1], ranks[second - 1]]}.get(joining, [0, 0])
        if weights[0] > weights[1]:
            first, second = second, first
        ranks[second - 1] += ranks[first - 1] == ranks[second - 1]
        parents[first - 1] = second
        return Forest(tuple(parents), tuple(ranks))

    def may_become(self, last: tuple[int, ...]) -> bool:
        """Whether what a number points to in the last forest is, as soon as both are in one tree, on its path to the root."""
        paths = [_path(self.parents, number) for number in range(1, len(last) + 1)]
        return all(paths[parent - 1][-1] != path[-1] or parent in path for path, parent in zip(paths, last, strict=True)) and all(
            self.parents[number - 1] == number for number, parent in enumerate(last, 1) if number == parent
        )


def _path(parents: Sequence[int], number: int) -> list[int]:
    """From a number to its root."""
    path = [number]
    while parents[path[-1] - 1] != path[-1]:
        path.append(parents[path[-1] - 1])
    return path


def _compress(parents: list[int], number: int, paths: str) -> int:
    """The root of a number, by the whole path to it, along which pointers are changed."""
    path = _path(parents, number)
    for i, node in enumerate(path):
        if paths == "full":
            parents[node - 1] = path[-1]
        elif paths == "halves" and i % 2 == 0:
            parents[node - 1] = path[min(i + 2, len(path) - 1)]
    return path[-1]


class OrderSearch:
    """Orders that fit, one for each way through the forests; what was seen to lead nowhere is not tried again."""

    def __init__(
        self, commands: Sequence[tuple[int, int]], right: tuple[int, ...], joining: str, paths: str, most_trials: int = 1_000_000
    ) -> None:
        self.commands, self.right, self.joining, self.paths = commands, right, joining, paths
        self.trials, self.most_trials = 0, most_trials
        self.dead = set[tuple[frozenset[int], Forest]]()

    def orders(self) -> Iterator[tuple[int, ...]]:
        yield from self._extend((), Forest.start(len(self.right)))

    def _extend(self, order: tuple[int, ...], forest: Forest) -> Iterator[tuple[int, ...]]:
        left = frozenset(range(len(self.commands))) - set(order)
        if not left and forest.parents == self.right:
            yield tuple(number + 1 for number in order)
        if not left or (left, forest) in self.dead or self.trials > self.most_trials:
            return
        fits = False
        for number in sorted(left):
            self.trials += 1
            after = forest.after(self.joining, self.paths, *self.commands[number])
            for found in self._extend((*order, number), after) if after.may_become(self.right) else ():
                fits = True
                yield found
        if not fits:
            self.dead.add((left, forest))
