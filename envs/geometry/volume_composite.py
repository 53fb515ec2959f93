"""Find the volume of a solid that is built of blocks, some of them cut away from what stood there before."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.calculations import Facts, calculation_line, solution, sum_formula
from rlgym.solutions import Step

Range = tuple[int, int]
Box = tuple[Range, Range, Range]
STRIP = Step("For z from {z1} to {z2} and y from {y1} to {y2} the solid fills x from {spans}: length {length:int}")
END = "The volume: {answer}"


FILLED = "Adding a block fills all the space within it; space that several blocks share counts once."
EMPTIED = " Cutting a block away empties all the space within it until a later step fills it."


class Knobs(Config):
    blocks: int = knob(4, easy=2, hard=9, doc="how many blocks")
    size: int = knob(9, easy=5, hard=60, scale="log", doc="largest coordinate")
    cuts: int = knob(30, easy=0, hard=45, doc="percent of blocks that are cut away")


class Data(TaskData):
    blocks: tuple[Box, ...]
    cut: tuple[bool, ...]
    volume: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Blocks anywhere, overlapping."""
    blocks = [tuple(_sample_range(rng, knobs.size) for _ in range(3)) for _ in range(knobs.blocks)]
    return _build_task(blocks, [k > 0 and rng.integer(1, 100) <= knobs.cuts for k in range(knobs.blocks)])


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """One large block with tunnels right through it along the axes, some of them filled again."""
    # Sides of different lengths, since few volumes are left of a cube.
    sides = [rng.integer(knobs.size // 2 + 1, knobs.size + 2) for _ in range(3)]
    blocks = [tuple((0, side) for side in sides)]
    for _ in range(knobs.blocks - 1):
        tunnel = [_sample_range(rng, side) for side in sides]
        axis = rng.integer(0, 2)
        tunnel[axis] = (0, sides[axis])
        blocks.append((tunnel[0], tunnel[1], tunnel[2]))
    return _build_task(blocks, [k > 0 and (k == 1 or rng.integer(1, 100) > knobs.cuts) for k in range(knobs.blocks)])


def _build_task(blocks: Sequence[Sequence[Range]], cut: Sequence[bool]) -> Task[Data]:
    data = Data(blocks=tuple((x, y, z) for x, y, z in blocks), cut=tuple(cut), volume=0)
    listing = "\n".join(
        f"{k}. {'Cut away' if is_removed else 'Add'} the block with {', '.join(f'{axis} from {a} to {b}' for axis, (a, b) in zip('xyz', block))}."
        for k, (block, is_removed) in enumerate(zip(blocks, cut), 1)
    )
    volume = sum((z[1] - z[0]) * (y[1] - y[0]) * sum(b - a for a, b in spans) for z, y, spans in _strips(data))
    prompt = f"A solid is made in steps:\n{listing}\n{FILLED}{EMPTIED if any(cut) else ''} What is the volume of the solid at the end?"
    return Task(prompt, data.model_copy(update={"volume": volume}))


def _sample_range(rng: Rng, size: int) -> Range:
    low, high = sorted(rng.sample(range(size + 1), 2))
    return low, high


def _strips(data: Data) -> Iterator[tuple[Range, Range, list[Range]]]:
    """For each layer of z and strip of y between neighbouring sides of blocks: the ranges of x that are filled, if any."""
    layers = pairwise(sorted({side for block in data.blocks for side in block[2]}))
    rows = list(pairwise(sorted({side for block in data.blocks for side in block[1]})))
    for z, y in product(layers, rows):
        spans: list[Range] = []
        for (x, block_y, block_z), is_removed in zip(data.blocks, data.cut):
            if block_z[0] <= z[0] < block_z[1] and block_y[0] <= y[0] < block_y[1]:
                spans = [part for a, b in spans for part in ((a, min(b, x[0])), (max(a, x[1]), b)) if part[0] < part[1]]
                if not is_removed:
                    spans = _join([*spans, x])
        if spans:
            yield z, y, spans


def _join(spans: list[Range]) -> list[Range]:
    joined: list[Range] = []
    for a, b in sorted(spans):
        if joined and joined[-1][1] == a:
            joined[-1] = (joined[-1][0], b)
        else:
            joined.append((a, b))
    return joined


def solve(task: Task[Data]) -> int:
    """From the last step back: each block counts where no later one lies, as disjoint pieces."""
    total, later = 0, list[Box]()
    for block, is_removed in zip(task.data.blocks[::-1], task.data.cut[::-1]):
        pieces = [block]
        for other in later:
            pieces = [part for piece in pieces for part in _without(piece, other)]
        if not is_removed:
            total += sum((x[1] - x[0]) * (y[1] - y[0]) * (z[1] - z[0]) for x, y, z in pieces)
        later.append(block)
    return total


def _without(box: Box, other: Box) -> Iterator[Box]:
    """What is left of a box outside another one, as disjoint boxes."""
    if any(b <= c or d <= a for (a, b), (c, d) in zip(box, other)):
        yield box
        return
    sides = list(box)
    for axis, ((a, b), (c, d)) in enumerate(zip(box, other)):
        for low, high in ((a, min(b, c)), (max(a, d), b)):
            if low < high:
                piece = [*sides[:axis], (low, high), *sides[axis + 1 :]]
                yield piece[0], piece[1], piece[2]
        sides[axis] = (max(a, c), min(b, d))


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.volume, "another volume")


def mistakes(task: Task[Data], right: int) -> list[int]:
    sizes = [(x[1] - x[0]) * (y[1] - y[0]) * (z[1] - z[0]) for x, y, z in task.data.blocks]
    uncut = task.data.model_copy(update={"cut": (False,) * len(sizes)})
    return [
        sum(sizes),
        sum(-size if is_removed else size for size, is_removed in zip(sizes, task.data.cut)),
        solve(Task(task.prompt, uncut)),
        right + 1,
        sizes[0] + 1,
    ]


def cost(task: Task[Data]) -> float:
    return float(sum(1 + len(spans) for _, _, spans in _strips(task.data)) * len(task.data.blocks))


def _lines(task: Task[Data]) -> Iterator[str]:
    layers: dict[Range, list[tuple[Range, int]]] = {}
    for z, y, spans in _strips(task.data):
        length = sum(b - a for a, b in spans)
        layers.setdefault(z, []).append((y, length))
        yield STRIP.write(z1=z[0], z2=z[1], y1=y[0], y2=y[1], spans=" and ".join(f"{a} to {b}" for a, b in spans), length=length)
    for z, strips in layers.items():
        formula = " + ".join(f"({y[1]} - {y[0]})*{length}" for y, length in strips)
        yield calculation_line(_layer(z), f"({z[1]} - {z[0]})*({formula})")
    volumes = [(z[1] - z[0]) * sum((y[1] - y[0]) * length for y, length in strips) for z, strips in layers.items()]
    yield calculation_line("Volume", sum_formula(volumes))


def _facts(task: Task[Data]) -> Facts:
    facts = {"Volume": (Fraction(task.data.volume), "")}
    for z, y, spans in _strips(task.data):
        before, _ = facts.get(_layer(z), (Fraction(0), ""))
        facts[_layer(z)] = (before + (z[1] - z[0]) * (y[1] - y[0]) * sum(b - a for a, b in spans), "")
    return facts


def _statements(task: Task[Data]) -> dict[Step, Callable[..., bool]]:
    strips = {(*z, *y): spans for z, y, spans in _strips(task.data)}

    def strip_follows(z1: str, z2: str, y1: str, y2: str, spans: str, length: int) -> bool:
        filled = strips[int(z1), int(z2), int(y1), int(y2)]
        read = [(int(a), int(b)) for a, _, b in (span.partition(" to ") for span in spans.split(" and "))]
        return read == filled and length == sum(b - a for a, b in filled)

    return {STRIP: strip_follows}


def _layer(z: Range) -> str:
    return f"Volume for z from {z[0]} to {z[1]}"


environment = Environment(
    Knobs, Integer("the volume as an integer"), generate, solve, verify, mistakes, cost,
    solution=solution(_lines, _facts, "0", closing=END, statements=_statements),
    shift=shift,
    version=3, concept="Cut the space into layers and strips at the sides of the blocks; in each, go through the steps in order.",
)  # fmt: skip
