"""Sets of small numbers as the bits of an integer."""


def places(bits: int) -> list[int]:
    """The places of the bits that are set, in ascending order."""
    out = []
    while bits:
        out.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return out
