"""Equations modulo 2 between lamps and the buttons that switch them."""

from collections.abc import Sequence
from itertools import product


def as_set(members: Sequence[int]) -> int:
    return sum([1 << member for member in members])


def gaussian_elimination(switched: Sequence[Sequence[int]], lit: int, lamps: int) -> list[tuple[int, int, int]]:
    """One equation for each lamp, each rid of the leading buttons of those before: buttons, parity, and the lamps added up in it."""
    rows = [0] * lamps
    for button, its in enumerate(switched):
        for lamp in its:
            rows[lamp] |= 1 << button
    done: list[tuple[int, int, int]] = []
    for lamp, row in enumerate(rows):
        odd, used = lit >> lamp & 1, 1 << lamp
        for other, parity, with_ in done:
            if other and row >> other.bit_length() - 1 & 1:
                row, odd, used = row ^ other, odd ^ parity, used ^ with_
        done.append((row, odd, used))
    return done


def smallest_press_set(switched: Sequence[Sequence[int]], lit: int, lamps: int) -> tuple[int, ...] | None:
    """The smallest set of buttons that puts all lamps out, by trying every choice of the free buttons; None where there is none."""
    rows = gaussian_elimination(switched, lit, lamps)
    if any(odd and not row for row, odd, _ in rows):
        return None
    pivots = sorted((row.bit_length() - 1, row, odd) for row, odd, _ in rows if row)
    free = [button for button in range(len(switched)) if button not in {pivot for pivot, *_ in pivots}]
    best: int | None = None
    for choice in product((0, 1), repeat=len(free)):
        chosen = sum(1 << button for button, on in zip(free, choice) if on)
        for pivot, row, odd in pivots:
            if ((row & chosen).bit_count() + odd) % 2:
                chosen |= 1 << pivot
        if best is None or chosen.bit_count() < best.bit_count():
            best = chosen
    return tuple(i for i in range(len(switched)) if (best or 0) >> i & 1)
