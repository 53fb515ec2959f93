"""Rules on connection: cells that are connected, edges that make one loop or none, links that join everything."""

from dataclasses import dataclass
from functools import cached_property

from rlgym.generators.grids import boards
from rlgym.generators.grids.bits import members
from rlgym.generators.grids.boards import Near


@dataclass(frozen=True)
class Connected:
    """The marked cells (or the blank ones) are connected; a board's frame may count as one of them.

    `near` are the neighbours of each cell; the frame, where there is one, is the last of them and no question.
    """

    near: Near
    marked: bool
    why: str
    framed: bool = False
    within: int = 0  # the questions it is about, where not all of `near`
    when: int = 0

    @cached_property
    def cells(self) -> int:
        return self.within or (1 << len(self.near) - self.framed) - 1

    @cached_property
    def _steps(self) -> tuple[tuple[int, int], ...]:
        return boards.offsets(self.near)

    def forced(self, yes: int, no: int) -> tuple[int, int] | None:
        have, cannot = (yes, no) if self.marked else (no, yes)
        have &= self.cells
        if self.framed:
            have |= 1 << len(self.near) - 1
        if not have:
            return 0, 0
        can = (self.cells | have) & ~cannot
        root = have & -have
        reached = boards.flood_fill(self._steps, root, can)
        if have & ~reached:
            return None
        cut = self.cells & can & ~reached
        must = self._articulation_cells(root.bit_length() - 1, reached, have) & self.cells if have & ~root else 0
        return (must, cut) if self.marked else (cut, must)

    def _articulation_cells(self, root: int, reached: int, have: int) -> int:
        """The undecided cells without which some of those there already would be cut off from the root."""
        near, order, low, must = self.near, {root: 0}, {root: 0}, 0
        holds = {root: True}
        stack = [(root, -1, iter(near[root]))]
        while stack:
            cell, parent, rest = stack[-1]
            for other in rest:
                if not reached >> other & 1 or other == parent:
                    continue
                if other in order:
                    low[cell] = min(low[cell], order[other])
                else:
                    order[other] = low[other] = len(order)
                    holds[other] = bool(have >> other & 1)
                    stack.append((other, cell, iter(near[other])))
                    break
            else:
                stack.pop()
                if parent >= 0:
                    low[parent] = min(low[parent], low[cell])
                    if low[cell] >= order[parent] and holds[cell]:
                        must |= 1 << parent
                    holds[parent] = holds[parent] or holds[cell]
        return must & ~have


@dataclass(frozen=True)
class Loop:
    """The marked edges make one closed loop: no part of it closes while there is more, nothing is cut off."""

    ends: tuple[tuple[int, int], ...]  # the cells that each edge joins
    why: str
    through: int = 0  # cells that it must pass
    first: int = 0  # questions before the edges
    when: int = 0

    @cached_property
    def cells(self) -> int:
        return (1 << len(self.ends)) - 1 << self.first

    @cached_property
    def _edges_by_node(self) -> dict[int, list[tuple[int, int]]]:
        by_node: dict[int, list[tuple[int, int]]] = {}
        for edge, (a, b) in enumerate(self.ends):
            by_node.setdefault(a, []).append((edge, b))
            by_node.setdefault(b, []).append((edge, a))
        return by_node

    def forced(self, yes: int, no: int) -> tuple[int, int] | None:
        yes, no = (yes & self.cells) >> self.first, (no & self.cells) >> self.first
        if not yes:
            return 0, 0
        chains: dict[int, int] = {}  # one end of a chain of edges, and the other
        whole: dict[int, int] = {}  # the cells of the chain, by its ends
        on, closed = 0, 0
        for edge in members(yes):
            a, b = self.ends[edge]
            on |= 1 << a | 1 << b
            far_a, far_b = chains.pop(a, a), chains.pop(b, b)
            if far_a == b and far_b == a:
                if closed:
                    return None
                closed = whole[a]
                chains[a], chains[b] = -1, -1
                continue
            cells = whole.get(a, 1 << a) | whole.get(b, 1 << b)
            chains.pop(far_a, 0)
            chains.pop(far_b, 0)
            chains[far_a], chains[far_b] = far_b, far_a
            whole[far_a] = whole[far_b] = cells
        need = on | self.through
        open_edges = (1 << len(self.ends)) - 1 & ~yes & ~no
        if closed:
            return None if need & ~closed else (0, open_edges << self.first)
        reached = self._depth_first_search(members(on)[0], no)
        if need & ~reached:
            return None
        cannot = 0
        for edge in members(open_edges):
            a, b = self.ends[edge]
            if not reached >> a & 1 or (chains.get(a, -1) == b and need & ~whole[a]):
                cannot |= 1 << edge
        return 0, cannot << self.first

    def _depth_first_search(self, start: int, no: int) -> int:
        reached, waiting = 1 << start, [start]
        while waiting:
            for edge, other in self._edges_by_node[waiting.pop()]:
                if not no >> edge & 1 and not reached >> other & 1:
                    reached |= 1 << other
                    waiting.append(other)
        return reached


@dataclass(frozen=True)
class Acyclic:
    """Each question chooses one of two edges, and the chosen edges close no loop."""

    ends: tuple[tuple[tuple[int, int], tuple[int, int]], ...]  # what a marked question joins, and what a blank one joins
    places: int
    why: str
    when: int = 0

    @cached_property
    def cells(self) -> int:
        return (1 << len(self.ends)) - 1

    def forced(self, yes: int, no: int) -> tuple[int, int] | None:
        home = list(range(self.places))

        def root(place: int) -> int:
            while home[place] != place:
                home[place] = home[home[place]]
                place = home[place]
            return place

        for question in members(yes | no):
            a, b = map(root, self.ends[question][no >> question & 1])
            if a == b:
                return None
            home[a] = b
        must = cannot = 0
        for question in members(self.cells & ~yes & ~no):
            (a, b), (c, d) = self.ends[question]
            if root(a) == root(b):
                cannot |= 1 << question
            if root(c) == root(d):
                must |= 1 << question
        return None if must & cannot else (must, cannot)


@dataclass(frozen=True)
class Linked:
    """Links join all places: one that alone holds some of them to the rest is there."""

    places: int
    ends: tuple[tuple[int, int], ...]
    why: str
    each: int = 1  # questions for each link; the first is whether it exists
    when: int = 0

    @cached_property
    def cells(self) -> int:
        return sum(1 << link * self.each for link in range(len(self.ends)))

    def forced(self, yes: int, no: int) -> tuple[int, int] | None:
        open_links = [link for link in range(len(self.ends)) if not no >> link * self.each & 1]
        if not self._is_connected(open_links):
            return None
        must = 0
        for link in open_links:
            if not yes >> link * self.each & 1 and not self._is_connected([other for other in open_links if other != link]):
                must |= 1 << link * self.each
        return must, 0

    def _is_connected(self, links: list[int]) -> bool:
        home = list(range(self.places))

        def root(place: int) -> int:
            while home[place] != place:
                home[place] = home[home[place]]
                place = home[place]
            return place

        joined = 1
        for link in links:
            a, b = (root(end) for end in self.ends[link])
            if a != b:
                home[a] = b
                joined += 1
        return joined == self.places
