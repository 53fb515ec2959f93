"""Sets of small numbers as the bits of an integer."""

from collections.abc import Sequence

_BYTES = 8
_OF_A_BYTE = tuple(tuple(tuple(8 * place + i for i in range(8) if byte >> i & 1) for byte in range(256)) for place in range(_BYTES))


def unions(sets: Sequence[int]) -> list[int]:
    """For each selection of these sets, as bits, the union of those selected."""
    united = [0]
    for each in sets:
        united += [each | others for others in united]
    return united


def places(bits: int) -> list[int]:
    """The places of the bits that are set, in ascending order."""
    out: list[int] = []
    for table in _OF_A_BYTE:
        out += table[bits & 255]
        bits >>= 8
        if not bits:
            return out
    first = 8 * _BYTES
    while bits:
        out += [first + place for place in _OF_A_BYTE[0][bits & 255]]
        bits >>= 8
        first += 8
    return out
