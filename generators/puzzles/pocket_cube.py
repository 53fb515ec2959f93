"""The cube of two by two by two: its stickers, its turns, its net, and the fewest turns between two positions by search from both ends."""

from collections.abc import Callable, Sequence
from operator import itemgetter

FACES = "ULFRBD"
TURNS = tuple(f"{face}{quarters}" for face in "urf" for quarters in (1, 2, 3))
Vector = tuple[int, int, int]
Step = Callable[[str], list[tuple[str, str]]]

# Of each face: its normal, the way along a row of its net, and the way down a column; x to the right, y up, z to the viewer.
_SIDES: dict[str, tuple[Vector, Vector, Vector]] = {
    "U": ((0, 1, 0), (1, 0, 0), (0, 0, 1)),
    "L": ((-1, 0, 0), (0, 0, 1), (0, -1, 0)),
    "F": ((0, 0, 1), (1, 0, 0), (0, -1, 0)),
    "R": ((1, 0, 0), (0, 0, -1), (0, -1, 0)),
    "B": ((0, 0, -1), (-1, 0, 0), (0, -1, 0)),
    "D": ((0, -1, 0), (1, 0, 0), (0, 0, -1)),
}
_CLOCKWISE: dict[str, Callable[[Vector], Vector]] = {
    "u": lambda v: (-v[2], v[1], v[0]),
    "r": lambda v: (v[0], v[2], -v[1]),
    "f": lambda v: (v[1], -v[0], v[2]),
}


def _stickers() -> list[tuple[Vector, Vector]]:
    """Of each sticker the corner it is on and the way it faces: faces in order, each row by row."""
    stickers = []
    for normal, along, down in (_SIDES[face] for face in FACES):
        for a, b in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            x, y, z = (n + a * i + b * j for n, i, j in zip(normal, along, down))
            stickers.append(((x, y, z), normal))
    return stickers


def _sources(face: str) -> tuple[int, ...]:
    """Where each sticker comes from when this face turns once clockwise."""
    stickers = _stickers()
    spots = {sticker: i for i, sticker in enumerate(stickers)}
    turn, normal = _CLOCKWISE[face], _SIDES[face.upper()][0]
    sources = list(range(24))
    for i, (corner, turned) in enumerate(stickers):
        if sum(a * b for a, b in zip(corner, normal)) == 1:
            sources[spots[turn(corner), turn(turned)]] = i
    return tuple(sources)


def _getters() -> dict[str, Callable[[str], tuple[str, ...]]]:
    getters = dict[str, Callable[[str], tuple[str, ...]]]()
    for face in "urf":
        single_turn = _sources(face)
        sources = tuple(range(24))
        for quarters in (1, 2, 3):
            sources = tuple(sources[i] for i in single_turn)
            getters[f"{face}{quarters}"] = itemgetter(*sources)
    return getters


_GETTERS = _getters()


def apply_turn(state: str, turn: str) -> str:
    """The stickers after a turn."""
    return "".join(_GETTERS[turn](state))


def turns(names: Sequence[str]) -> Step:
    """The positions that these turns make of a position, by name."""
    getters = [(name, _GETTERS[name]) for name in names]
    return lambda state: [(name, "".join(getter(state))) for name, getter in getters]


def inverse_turn(turn: str) -> str:
    return turn[0] + str(4 - int(turn[1]))


def faces(state: str) -> list[tuple[str, str]]:
    """Each face by name with its four stickers, row by row."""
    return [(face, state[4 * i : 4 * i + 4]) for i, face in enumerate(FACES)]


def net(state: str) -> list[str]:
    """The cube unfolded, six rows of letters and spaces: U above F, D below it, L, R and B next to it."""
    sides = dict(faces(state))
    rows = [f"    {sides['U'][i]} {sides['U'][i + 1]}" for i in (0, 2)]
    rows += [" ".join(letter for face in "LFRB" for letter in sides[face][i : i + 2]) for i in (0, 2)]
    return rows + [f"    {sides['D'][i]} {sides['D'][i + 1]}" for i in (0, 2)]


def bidirectional_search(start: str, end: str, names: Sequence[str], work: int) -> tuple[str, ...] | None:
    """Bidirectional search for the fewest turns from one position to another; None where more than `work` positions would be expanded."""
    if start == end:
        return ()
    step = turns(names)
    seen = ({start: ""}, {end: ""})  # the turn that led to a position, on each side
    rings = ([start], [end])
    while all(rings) and len(seen[0]) + len(seen[1]) <= work:
        side = 0 if len(rings[0]) <= len(rings[1]) else 1
        own_side, there, after = seen[side], seen[1 - side], list[str]()
        for state in rings[side]:
            for name, other in step(state):
                if other not in own_side:
                    own_side[other] = name
                    after.append(other)
                    if other in there:
                        return (*_backtrace(seen[0], other)[::-1], *(inverse_turn(turn) for turn in _backtrace(seen[1], other)))
        rings[side][:] = after
    return None


def _backtrace(seen: dict[str, str], state: str) -> list[str]:
    """The turns that led to a position, the last one first."""
    names = []
    while name := seen[state]:
        names.append(name)
        state = apply_turn(state, inverse_turn(name))
    return names
