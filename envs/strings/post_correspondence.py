"""Lay tiles with a word above and a word below in a row so that the row above and the row below read the same.

A tile may be used again and again. At the hard end as few tiles as possible may be laid.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.steps import Line, ended, first_wrong

Answer = tuple[str, ...]
Tile = tuple[str, str]
MOST_LOOKS = 3000
LAID = Line("{side} is ahead by {over}; of the tiles, {fitting} can come next, and tile {tile} leaves {after}")
START = Line("At the beginning the tiles {fitting} can be laid, and tile {tile} leaves {after}")
LAST = "The rows are the same now: "
SIDES = ("the row above", "the row below")


class Knobs(Config):
    tiles: int = knob(5, easy=3, hard=9, doc="how many tiles there are")
    length: int = knob(5, easy=3, hard=12, doc="least number of tiles that a row takes")
    letters: int = knob(2, easy=3, hard=2, doc="different letters on the tiles")
    limit: str = knob("double", easy="free", hard="tight", order=("free", "double", "tight"), doc="how many tiles may be laid")


class Data(TaskData):
    tiles: tuple[Tile, ...]
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, repeated=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A few tiles, some of which must be used again."""
    return _made(rng, knobs, repeated=True)


def solve(task: Task[Data]) -> Answer:
    found = _shortest(task.data.tiles, MOST_LOOKS * 100)
    return tuple(str(k + 1) for k in found or ())


def verify(task: Task[Data], answer: Answer) -> Score:
    data = task.data
    if len(answer) > data.most:
        return Score.wrong(f"more than {data.most} tiles are laid")
    if not all(word.isascii() and word.isdigit() and len(word) < 4 and 1 <= int(word) <= len(data.tiles) for word in answer):
        return Score.wrong(f"expected the numbers of tiles, from 1 to {len(data.tiles)}")
    above, below = ("".join(data.tiles[int(word) - 1][side] for word in answer) for side in (0, 1))
    return Score.exact(above == below, "the row above and the row below differ")


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    every = tuple(str(k + 1) for k in range(len(task.data.tiles)))
    return [right[:-1], right[1:], right[::-1], every, every[:1], every[-1:], right * (task.data.most // len(right) + 1)]


def cost(task: Task[Data]) -> float:
    data = task.data
    tight = len(solve(task)) == data.most
    return float(len(solve(task)) * len(data.tiles) * sum(len(above) + len(below) for above, below in data.tiles) * (2 if tight else 1))


def explain(task: Task[Data]) -> list[str]:
    data, right, steps = task.data, solve(task), list[str]()
    state = (0, "")
    for word in right:
        fitting = [k for k, tile in enumerate(data.tiles) if _after(state, tile) is not None]
        told = {"fitting": ", ".join(str(k + 1) for k in fitting), "tile": word}
        after = _after(state, data.tiles[int(word) - 1])
        assert after is not None
        line = LAID.write(side=SIDES[state[0]], over=state[1], after=_shown(after), **told) if state[1] else None
        steps.append(line or START.write(after=_shown(after), **told))
        state = after
    return [*steps, LAST + " ".join(right)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, laid = task.data, list[str]()
    state = (0, "")

    def follows(step: str) -> bool:
        nonlocal state
        said = LAID.read(step) or START.read(step) or {}
        tile = int(said["tile"])
        laid.append(said["tile"])
        fitting = ", ".join(str(k + 1) for k, one in enumerate(data.tiles) if _after(state, one) is not None)
        after = _after(state, data.tiles[tile - 1]) if 1 <= tile <= len(data.tiles) else None
        same = (said.get("side", SIDES[0]), said.get("over", "")) == (SIDES[state[0]] if state[1] else SIDES[0], state[1])
        state = after or (0, "")
        return after is not None and same and said["fitting"] == fitting and said["after"] == _shown(after)

    def ends(step: str) -> bool:
        return step == LAST + " ".join(laid) and ended(LAST, task, environment.answer, verify)(step)

    return first_wrong(steps, follows, ends)


def _made(rng: Rng, knobs: Knobs, repeated: bool) -> Task[Data]:
    letters = "abc"[: knobs.letters]
    while True:
        tiles = _repeated(rng, knobs, letters) if repeated else _cut(rng, knobs, letters)
        if len(set(tiles)) < len(tiles) or any(above == below for above, below in tiles):
            continue
        # From the end on, with all words read backwards; `solve` begins at the front.
        found = _shortest([(above[::-1], below[::-1]) for above, below in tiles], MOST_LOOKS)
        least = 3 + (knobs.length > 5 and knobs.tiles > 4) if repeated else min(knobs.length, knobs.tiles) - 1
        if found and len(found) >= least:
            break
    most = {"free": 60, "double": 2 * len(found), "tight": len(found)}[knobs.limit]
    listing = "\n".join(f"{k}. {above} / {below}" for k, (above, below) in enumerate(tiles, 1))
    prompt = (
        f"Each of these tiles has a word above and a word below, written here as above / below:\n{listing}\n\nLay tiles side by side, at least one, "
        "so that the words above, read from left to right without gaps, spell the same as the words below. Each tile may be used as often as you like, or "
        f"not at all, but tiles may not be turned. At most {most} tiles may be laid. Which tiles, from left to right?"
    )
    return Task(prompt, Data(tiles=tuple(tiles), most=most))


def _cut(rng: Rng, knobs: Knobs, letters: str) -> list[Tile]:
    """One word cut into pieces in two ways, and tiles like these that need not be of use."""
    count = min(knobs.tiles, knobs.length)
    size = 2 * count + rng.integer(1, count)
    word = "".join(rng.choice(letters) for _ in range(size))
    cuts = [sorted([0, *rng.sample(range(1, size), count - 1), size]) for _ in range(2)]
    tiles = [(word[cuts[0][k] : cuts[0][k + 1]], word[cuts[1][k] : cuts[1][k + 1]]) for k in range(count)]
    return _filled(rng, tiles, knobs.tiles, letters)


def _filled(rng: Rng, tiles: list[Tile], count: int, letters: str) -> list[Tile]:
    """With other tiles added, in random order."""
    return rng.shuffled([*tiles, *((_word(rng, letters), _word(rng, letters)) for _ in range(count - len(tiles)))])


def _repeated(rng: Rng, knobs: Knobs, letters: str) -> list[Tile]:
    """Tiles for which a row that uses some of them again is planned, with letters that are the same where the rows say so."""
    count = min(knobs.tiles, knobs.length, 5)
    more = min(knobs.length - count, 3)
    while True:
        row = rng.shuffled([*range(count), *(rng.integer(0, count - 1) for _ in range(more))])
        sizes = [[len(_word(rng, letters)) for _ in SIDES] for _ in range(count)]
        if sum(sizes[k][0] - sizes[k][1] for k in row):
            continue
        above, below = ([(k, side, i) for k in row for i in range(sizes[k][side])] for side in (0, 1))
        alike = {place: place for place in (*above, *below)}
        for one, other in zip(above, below, strict=True):
            old, new = alike[one], alike[other]
            alike = {place: new if kind == old else kind for place, kind in alike.items()}
        letter = {kind: rng.choice(letters) for kind in dict.fromkeys(alike.values())}
        words = [["".join(letter[alike[k, side, i]] for i in range(sizes[k][side])) for side in (0, 1)] for k in range(count)]
        return _filled(rng, [(words[k][0], words[k][1]) for k in range(count)], knobs.tiles, letters)


def _word(rng: Rng, letters: str) -> str:
    return "".join(rng.choice(letters) for _ in range(rng.weighted((1, 2, 3, 4), (4, 4, 3, 1))))


def _after(state: tuple[int, str], tile: Tile) -> tuple[int, str] | None:
    """Which row is ahead (0 for the row above) and by what, after one more tile; None where the rows differ."""
    side, over = state
    rows = [tile[0], tile[1]]
    rows[side] = over + rows[side]
    short, long = sorted(rows, key=len)
    if not long.startswith(short):
        return None
    return (0 if len(rows[0]) >= len(rows[1]) else 1), long[len(short) :]


def _shown(state: tuple[int, str]) -> str:
    return f"{SIDES[state[0]]} ahead by {state[1]}" if state[1] else "no row ahead"


def _shortest(tiles: Sequence[Tile], looks: int) -> list[int] | None:
    """A shortest row, ring by ring over what is ahead; None if there is none or it takes too many looks."""
    ring: dict[tuple[int, str], list[int]] = {(0, ""): []}
    seen: set[tuple[int, str]] = set()
    while ring and looks > 0:
        after: dict[tuple[int, str], list[int]] = {}
        for state, row in ring.items():
            for k, tile in enumerate(tiles):
                looks -= 1
                there = _after(state, tile)
                if there is not None and there not in seen and len(there[1]) < 40:
                    if not there[1]:
                        return [*row, k]
                    seen.add(there)
                    after[there] = [*row, k]
        ring = after
    return None


def _rows(task: Task[Data]) -> Iterator[Answer]:
    """The shortest row that is found from its end, and as many copies of it as may be laid."""
    data = task.data
    found = _shortest([(above[::-1], below[::-1]) for above, below in data.tiles], MOST_LOOKS * 100) or []
    row = tuple(str(k + 1) for k in reversed(found))
    yield from (row * times for times in range(1, data.most // len(row) + 1) if times < 4)


environment = Environment(
    Knobs,
    Words("the numbers of the tiles from left to right, separated by spaces", most=100),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=_rows,
    concept="Keep only what one row is ahead of the other by: it says which tiles can come next, and the same again is never of use.",
)
