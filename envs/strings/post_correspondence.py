"""Lay tiles with a word above and a word below in a row so that the row above and the row below read the same.

A tile may be used again and again. At the hard end as few tiles as possible may be laid.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.solutions import Checks, Derivation, Solution, Step

Answer = tuple[str, ...]
Tile = tuple[str, str]
MOST_LOOKS = 3000
LAID = Step("{side} is ahead by {over}; of the tiles, {fitting:ints} can come next, and tile {tile:int} leaves {after}")
START = Step("At the beginning the tiles {fitting:ints} can be laid, and tile {tile:int} leaves {after}")
LAST = Step("The rows are the same now: {answer}")
SIDES = ("the row above", "the row below")


class State(NamedTuple):
    side: int  # the row that is ahead: 0 for the row above
    over: str  # by which it is ahead


BEGIN = State(0, "")


class Knobs(Config):
    tiles: int = knob(5, easy=4, hard=9, doc="how many tiles there are")
    length: int = knob(5, easy=4, hard=12, doc="least number of tiles that a row takes")
    letters: int = knob(2, easy=3, hard=2, doc="different letters on the tiles")
    limit: str = knob("double", easy="free", hard="tight", order=("free", "double", "tight"), doc="how many tiles may be laid")


class Data(TaskData):
    tiles: tuple[Tile, ...]
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, repeated=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A few tiles, some of which must be used again."""
    return _sample_task(rng, knobs, repeated=True)


def solve(task: Task[Data]) -> Answer:
    shortest = _breadth_first_search(task.data.tiles, MOST_LOOKS * 100)
    return tuple(str(k + 1) for k in shortest or ())


def verify(task: Task[Data], answer: Answer) -> Score:
    data = task.data
    if len(answer) > data.most:
        return Score.wrong(f"more than {data.most} tiles are laid")
    if not all(word.isascii() and word.isdigit() and len(word) < 4 and 1 <= int(word) <= len(data.tiles) for word in answer):
        return Score.wrong(f"expected the numbers of tiles, from 1 to {len(data.tiles)}")
    above, below = ("".join(data.tiles[int(word) - 1][side] for word in answer) for side in (0, 1))
    return Score.exact(above == below, "the two rows differ")


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    all_tiles = tuple(str(k + 1) for k in range(len(task.data.tiles)))
    return [right[:-1], right[1:], right[::-1], all_tiles, all_tiles[:1], all_tiles[-1:], right * (task.data.most // len(right) + 1)]


def cost(task: Task[Data]) -> float:
    data = task.data
    tight = len(solve(task)) == data.most
    return float(len(solve(task)) * len(data.tiles) * sum(len(above) + len(below) for above, below in data.tiles) * (2 if tight else 1))


def derive(task: Task[Data]) -> Derivation:
    data, right = task.data, solve(task)
    state = BEGIN
    for word in right:
        tile, fitting = int(word), _fitting_tiles(data, state)
        after = _append_tile(state, data.tiles[tile - 1])
        assert after is not None
        gaps = {"fitting": fitting, "tile": tile, "after": _state_text(after)}
        yield LAID(side=SIDES[state.side], over=state.over, **gaps) if state.over else START(**gaps)
        state = after
    yield LAST(answer=" ".join(right))


def checks(task: Task[Data]) -> Checks:
    data, laid, states = task.data, list[int](), [BEGIN]

    def may_be_laid(fitting: tuple[int, ...], tile: int, after: str, side: str = "", over: str = "") -> bool:
        ahead, rest = states[-1]
        laid.append(tile)
        following = _append_tile(states[-1], data.tiles[tile - 1]) if 1 <= tile <= len(data.tiles) else None
        if following is None:
            return False
        shown = (SIDES[ahead], rest) if rest else ("", "")
        right = list(fitting) == _fitting_tiles(data, states[-1]) and after == _state_text(following) and (side, over) == shown
        states.append(following)
        return right

    return {LAID: may_be_laid, START: may_be_laid, LAST: lambda answer: answer == " ".join(map(str, laid))}


def _sample_task(rng: Rng, knobs: Knobs, repeated: bool) -> Task[Data]:
    letters = "abc"[: knobs.letters]
    while True:
        tiles = _sample_reused_tiles(rng, knobs, letters) if repeated else _sample_cut_tiles(rng, knobs, letters)
        if len(set(tiles)) < len(tiles) or any(above == below for above, below in tiles):
            continue
        # From the end on, with all words read backwards; `solve` begins at the front.
        shortest = _breadth_first_search([(above[::-1], below[::-1]) for above, below in tiles], MOST_LOOKS)
        least = 3 + (knobs.length > 5 and knobs.tiles > 4) if repeated else min(knobs.length, knobs.tiles) - 1
        if shortest and len(shortest) >= least:
            break
    most = {"free": 60, "double": 2 * len(shortest), "tight": len(shortest)}[knobs.limit]
    listing = "\n".join(f"{k}. {above} / {below}" for k, (above, below) in enumerate(tiles, 1))
    prompt = (
        f"Each of these tiles has a word above and a word below, written here as above / below:\n{listing}\n\nLay tiles side by side, at least one, "
        "so that the words above, read from left to right without gaps, spell the same as the words below. Each tile may be used as often as you like, or "
        f"not at all, but tiles may not be turned. At most {most} tiles may be laid. Which tiles, from left to right? Any such row is accepted."
    )
    return Task(prompt, Data(tiles=tuple(tiles), most=most))


def _sample_cut_tiles(rng: Rng, knobs: Knobs, letters: str) -> list[Tile]:
    """One word cut into pieces in two ways, and tiles like these that need not be of use."""
    count = min(knobs.tiles, knobs.length)
    size = 2 * count + rng.integer(1, count)
    word = "".join(rng.choice(letters) for _ in range(size))
    cuts = [sorted([0, *rng.sample(range(1, size), count - 1), size]) for _ in range(2)]
    tiles = [(word[cuts[0][k] : cuts[0][k + 1]], word[cuts[1][k] : cuts[1][k + 1]]) for k in range(count)]
    return _fill_with_decoys(rng, tiles, knobs.tiles, letters)


def _fill_with_decoys(rng: Rng, tiles: list[Tile], count: int, letters: str) -> list[Tile]:
    """With other tiles added, in random order."""
    return rng.shuffled([*tiles, *((_word(rng, letters), _word(rng, letters)) for _ in range(count - len(tiles)))])


def _sample_reused_tiles(rng: Rng, knobs: Knobs, letters: str) -> list[Tile]:
    """Tiles for which a row that uses some of them again is planned, with letters that are the same where the rows say so."""
    count = min(knobs.tiles, knobs.length, 5)
    more = min(knobs.length - count, 3)
    while True:
        row = rng.shuffled([*range(count), *(rng.integer(0, count - 1) for _ in range(more))])
        sizes = [[len(_word(rng, letters)) for _ in SIDES] for _ in range(count)]
        if sum(sizes[k][0] - sizes[k][1] for k in row):
            continue
        above, below = ([(k, side, i) for k in row for i in range(sizes[k][side])] for side in (0, 1))
        kind_of = {place: place for place in (*above, *below)}
        for first, second in zip(above, below, strict=True):
            old, new = kind_of[first], kind_of[second]
            kind_of = {place: new if kind == old else kind for place, kind in kind_of.items()}
        letter = {kind: rng.choice(letters) for kind in dict.fromkeys(kind_of.values())}
        words = [["".join(letter[kind_of[k, side, i]] for i in range(sizes[k][side])) for side in (0, 1)] for k in range(count)]
        return _fill_with_decoys(rng, [(words[k][0], words[k][1]) for k in range(count)], knobs.tiles, letters)


def _word(rng: Rng, letters: str) -> str:
    return "".join(rng.choice(letters) for _ in range(rng.weighted((1, 2, 3, 4), (4, 4, 3, 1))))


def _fitting_tiles(data: Data, state: State) -> list[int]:
    """The numbers of the tiles that can come next."""
    return [k for k, tile in enumerate(data.tiles, 1) if _append_tile(state, tile) is not None]


def _append_tile(state: State, tile: Tile) -> State | None:
    """Which row is ahead (0 for the row above) and by what, after one more tile; None where the rows differ."""
    side, over = state
    rows = [tile[0], tile[1]]
    rows[side] = over + rows[side]
    short, long = sorted(rows, key=len)
    if not long.startswith(short):
        return None
    return State(0 if len(rows[0]) >= len(rows[1]) else 1, long[len(short) :])


def _state_text(state: State) -> str:
    return f"{SIDES[state.side]} ahead by {state.over}" if state.over else "no row ahead"


def _breadth_first_search(tiles: Sequence[Tile], budget: int) -> list[int] | None:
    """A shortest row, ring by ring over what is ahead; None if there is none or it takes too many looks."""
    ring: dict[State, list[int]] = {BEGIN: []}
    seen: set[State] = set()
    while ring and budget > 0:
        after: dict[State, list[int]] = {}
        for state, row in ring.items():
            for k, tile in enumerate(tiles):
                budget -= 1
                next_state = _append_tile(state, tile)
                if next_state is not None and next_state not in seen and len(next_state.over) < 40:
                    if not next_state.over:
                        return [*row, k]
                    seen.add(next_state)
                    after[next_state] = [*row, k]
        ring = after
    return None


def _other_answers(task: Task[Data]) -> Iterator[Answer]:
    """The shortest row that is found from its end, and as many copies of it as may be laid."""
    data = task.data
    shortest = _breadth_first_search([(above[::-1], below[::-1]) for above, below in data.tiles], MOST_LOOKS * 100) or []
    row = tuple(str(k + 1) for k in reversed(shortest))
    yield from (row * times for times in range(1, data.most // len(row) + 1) if times < 4)


environment = Environment(
    Knobs, Words("the numbers of the tiles from left to right, separated by spaces", max_items=100),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, LAST, checks), shift=shift, answers="many", solutions=_other_answers,
    concept="Keep only what one row is ahead of the other by: it says which tiles can come next, and the same again is never of use.",
    version=3,
)  # fmt: skip
