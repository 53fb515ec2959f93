"""Islands in a sea: what their sizes force, whether they are right, and random ones."""

from dataclasses import dataclass
from functools import cached_property

from rlgym.core.rng import Rng
from rlgym.generators.grids import boards, regions
from rlgym.generators.grids.bits import as_set, members
from rlgym.generators.grids.boards import Near


@dataclass(frozen=True)
class Islands:
    """Each home has an island of blank cells of its size, holding no other home; there is no other island. Marked cells are sea."""

    near: Near
    homes: tuple[int, ...]
    sizes: tuple[int, ...]
    why: str
    when: int = 0

    @cached_property
    def cells(self) -> int:
        return (1 << len(self.near)) - 1

    @cached_property
    def _steps(self) -> tuple[tuple[int, int], ...]:
        return boards.offsets(self.near)

    def forced(self, yes: int, no: int) -> tuple[int, int] | None:
        steps, all_cells = self._steps, self.cells
        homes = as_set(self.homes)
        land = no | homes
        parts, around = [], []
        for home in self.homes:
            part = boards.flood_fill(steps, 1 << home, land)
            if part & homes & ~(1 << home):
                return None
            parts.append(part)
            around.append(boards.neighbours_of_set(steps, part) & ~part)
        owned = sum(parts)
        sea = lost = reachable = 0
        twice = at_least_once = 0
        for edge in around:
            twice |= at_least_once & edge
            at_least_once |= edge
        sea |= twice
        if sea & land:
            return None
        for i, size in enumerate(self.sizes):
            room = size - parts[i].bit_count()
            if room < 0:
                return None
            if not room:
                sea |= around[i]
                reachable |= parts[i]
                continue
            others = owned & ~parts[i]
            free = all_cells & ~yes & ~sea & ~others & ~(boards.neighbours_of_set(steps, others))
            reach = fresh = parts[i]
            for _ in range(room):
                fresh = boards.neighbours_of_set(steps, fresh) & free & ~reach
                reach |= fresh
            if reach.bit_count() < size:
                return None
            reachable |= reach
            ways = around[i] & free
            if not ways:
                return None
            if not ways & ways - 1:
                lost |= ways
        sea |= all_cells & ~reachable
        if sea & land or sea & lost or lost & yes:
            return None
        return sea & ~yes, (lost | homes) & ~no


def find_island_fault(near: Near, sea: int, homes: tuple[int, ...], sizes: tuple[int, ...]) -> str:
    """Why the cells outside the sea are not the islands that the homes need; empty where they are."""
    steps, land = boards.offsets(near), (1 << len(near)) - 1 & ~sea
    for home, size in zip(homes, sizes, strict=True):
        island = boards.flood_fill(steps, 1 << home, land)
        if island.bit_count() != size or island & as_set(homes) != 1 << home:
            return "an island has another number of cells than it says, or several numbers"
        land &= ~island
    return "there is an island without a number" if land else ""


def sample_islands(rng: Rng, near: Near, blocks: tuple[int, ...], largest: int) -> list[tuple[int, ...]]:
    """Random islands of up to `largest` cells that do not touch, in a connected sea that fills no block."""
    steps, all_cells = boards.offsets(near), (1 << len(near)) - 1
    while True:
        land = 0
        for _ in range(2 * len(near)):
            pools = [block for block in blocks if not block & land]
            shore = boards.neighbours_of_set(steps, land) & ~land
            if not pools and not shore:
                break
            # Islands grow rather than new ones come, so that there are large ones.
            cell = rng.choice(members(shore if shore and rng.chance(0.6) else rng.choice(pools or [shore])))
            after = land | 1 << cell
            sea = all_cells & ~after
            island = boards.flood_fill(steps, 1 << cell, after)
            if island.bit_count() <= largest and boards.flood_fill(steps, sea & -sea, sea) == sea:
                land = after
        if not any(not block & land for block in blocks):
            return regions.pieces(members(land), near)
