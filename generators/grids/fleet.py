"""Fleets of straight ships that do not touch: placing them, counting them, and what is left possible for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rlgym.core.rng import Rng
from rlgym.generators.grids import regions
from rlgym.generators.grids.domains import Narrow
from rlgym.generators.grids.layout import Cells

_NAMES = {5: "five", 4: "four", 3: "three", 2: "two"}


def standard_fleet(size: int) -> tuple[int, ...]:
    """Ships of a square sea, longest first."""
    if size < 7:
        return ((3, 2, 1, 1), (3, 2, 2, 1, 1))[size - 5]
    return ((3, 3, 2, 2, 1, 1), (4, 3, 2, 2, 1, 1, 1), (4, 3, 3, 2, 2, 1, 1, 1), (4, 3, 3, 2, 2, 2, 1, 1, 1, 1))[size - 7]


def long_fleet(cells: int) -> tuple[int, ...]:
    """Few, long ships for a sea of that many cells."""
    ships, budget = list[int](), cells // 5
    for length in (3, 2, 4, 2, 5, 3, 4, 3, 2):
        if budget >= length:
            ships.append(length)
            budget -= length
    return tuple(sorted(ships, reverse=True))


def describe_fleet(ships: Sequence[int]) -> str:
    counted = sorted(Counter(ships).items(), reverse=True)
    return ", ".join(f"{many} ship{'s' * (many > 1)} of {length} cell{'s' * (length > 1)}" for length, many in counted)


def _places(height: int, width: int, length: int) -> list[tuple[int, ...]]:
    across = [tuple(range(r * width + c, r * width + c + length)) for r in range(height) for c in range(width - length + 1)]
    down = [tuple(range(r * width + c, (r + length) * width + c, width)) for r in range(height - length + 1) for c in range(width)]
    return across + down * (length > 1)


def sample_fleet(rng: Rng, height: int, width: int, ships: Sequence[int]) -> set[int]:
    """The cells of a random fleet."""
    around = regions.touching_neighbours(height, width)
    while True:
        shut, filled = set[int](), set[int]()
        for length in ships:
            free = [place for place in _places(height, width, length) if shut.isdisjoint(place)]
            if not free:
                break
            place = rng.choice(free)
            filled.update(place)
            shut.update(place, *(around[cell] for cell in place))
        else:
            return filled


def ship_lengths(board: Cells) -> tuple[int, ...] | None:
    """The lengths of the ships on a board, longest first; None where ships touch or are not straight."""
    height, width = len(board), len(board[0])
    filled = [cell for cell, sign in enumerate(sign for row in board for sign in row) if sign == "#"]
    ships = regions.pieces(filled, regions.touching_neighbours(height, width))
    if any(len({cell // width for cell in ship}) > 1 and len({cell % width for cell in ship}) > 1 for ship in ships):
        return None
    return tuple(sorted(map(len, ships), reverse=True))


def line_constraint(line: Sequence[int], number: int) -> Narrow:
    """What the number of a line leaves; masks are 1 for water, 2 for ship, 3 for unknown."""

    def narrow(can: list[int]) -> bool:
        sure = sum(can[cell] == 2 for cell in line)
        most = sum(can[cell] > 1 for cell in line)
        if sure > number or most < number:
            return False
        if sure == number or most == number:
            for cell in line:
                if can[cell] == 3:
                    can[cell] = 1 if sure == number else 2
        return True

    return narrow


def fleet_constraint(ships: Sequence[int], height: int, width: int) -> Narrow:
    """Whether the fleet can still lie on the sea: ships that are finished, too long, or without room."""
    rows = [range(r * width, r * width + width) for r in range(height)]
    lines = rows + [range(c, height * width, width) for c in range(width)]
    near = regions.neighbours_by_cell(height, width)
    have = Counter(ships)

    def narrow(can: list[int]) -> bool:
        finished, room = Counter[int](), Counter[int]()
        for line in lines:
            length, open_end = 0, False
            stretch = 0
            before = 1
            for cell in [*line, -1]:
                mask = can[cell] if cell >= 0 else 1
                if mask == 2:
                    if not length:
                        open_end, first = before == 3, cell
                    length += 1
                elif length:
                    if length > ships[0]:
                        return False
                    if not open_end and mask == 1:
                        if length > 1:
                            finished[length] += 1
                        elif line.step == 1 and all(can[other] == 1 for other in near[first]):
                            finished[1] += 1
                    length = 0
                if mask == 1:
                    room[stretch] += stretch > 0
                    stretch = 0
                else:
                    stretch += 1
                before = mask
        if any(many > have[length] for length, many in finished.items()):
            return False
        ship_cells = 0
        for length in sorted(have, reverse=True):
            ship_cells += have[length]
            if length > 1 and ship_cells > sum((stretch + 1) // (length + 1) * many for stretch, many in room.items()):
                return False
        return 3 in can or finished == have

    return narrow


def fleets(ships: Sequence[int], numbers: Sequence[int], given: dict[int, int], height: int, width: int) -> Iterator[set[int]]:
    """Every fleet that fits the given numbers and cells, ship by ship; equal ships come in order of their places."""
    around = regions.touching_neighbours(height, width)
    spots = {length: _places(height, width, length) for length in set(ships)}
    numbers_left = list(numbers)
    needed = {cell for cell, value in given.items() if value}

    def going(at: int, start: int, filled: set[int], shut: frozenset[int]) -> Iterator[set[int]]:
        if at == len(ships):
            if needed <= filled and all(number <= 0 for number in numbers_left):
                yield set(filled)
            return
        rest = sum(ships[at:])
        if (
            sum(number for number in numbers_left[:height] if number > 0) > rest
            or sum(number for number in numbers_left[height:] if number > 0) > rest
        ):
            return
        if len(needed - filled) > rest:
            return
        for k in range(start, len(spots[ships[at]])):
            place = spots[ships[at]][k]
            if not shut.isdisjoint(place):
                continue
            use = [line for cell in place for line in (cell // width, height + cell % width) if numbers_left[line] >= 0]
            for line in use:
                numbers_left[line] -= 1
            if all(numbers_left[line] >= 0 for line in use):
                after = k + 1 if at + 1 < len(ships) and ships[at + 1] == ships[at] else 0
                yield from going(at + 1, after, filled | set(place), shut.union(place, *(around[cell] for cell in place)))
            for line in use:
                numbers_left[line] += 1

    yield from going(0, 0, set(), frozenset(cell for cell, value in given.items() if not value))
