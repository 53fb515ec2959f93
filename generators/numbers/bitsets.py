"""Sets of small numbers as the bits of an integer."""

_OF_A_BYTE = tuple(tuple(i for i in range(8) if byte >> i & 1) for byte in range(256))


def places(bits: int) -> list[int]:
    """The places of the bits that are set, in ascending order."""
    if bits < 256:
        return list(_OF_A_BYTE[bits])
    out, first = list[int](), 0
    while bits:
        out += [first + place for place in _OF_A_BYTE[bits & 255]]
        bits >>= 8
        first += 8
    return out
