"""Apply patches in the form of diffs to a text, one after the other, or take them back.

At the hard end the patches do not say at which line a piece stands: it must be found by the lines around it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Solution, Step

Answer = tuple[str, ...]
WAYS = ("forward", "back", "found")
PIECE = Step("Patch {patch}, piece {piece}: at line {at} of the text as it is now, {old} becomes {new}")


class Hunk(NamedTuple):
    patch: int
    piece: int
    old: list[str]
    new: list[str]
    at: int  # the line, from 0, in the text as it is then


class Knobs(Config):
    lines: int = knob(12, easy=4, hard=40, doc="lines of the text")
    patches: int = knob(2, easy=1, hard=6, doc="how many patches there are, each made for what the ones before it left")
    pieces: int = knob(2, easy=1, hard=4, doc="most pieces of a patch")
    words: int = knob(12, easy=30, hard=6, doc="different words that the lines are drawn from")
    way: str = knob(
        "back", easy="forward", hard="found", order=WAYS, doc="patches are applied, taken back, or applied without line numbers"
    )


class Data(TaskData):
    text: tuple[str, ...]
    patches: tuple[tuple[tuple[str, ...], ...], ...]
    """Of each patch the pieces, of each piece the lines with their sign."""
    starts: tuple[tuple[tuple[int, int], ...], ...]
    """Of each piece the line, from 1, where it begins before and after its patch."""
    way: str
    right: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, moving=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Patches that move lines: what one piece takes away another one puts in elsewhere."""
    return _sample_task(rng, knobs, moving=True)


def solve(task: Task[Data]) -> Answer:
    # Each piece is looked for by its lines; `generate` knows where it made it.
    text = list(task.data.text)
    for hunk in _hunks_in_order(task.data):
        size = len(hunk.old)
        places_found = [k for k in range(len(text) - size + 1) if text[k : k + size] == hunk.old]
        k = min(places_found, key=lambda where: abs(where - hunk.at))
        text[k : k + size] = hunk.new
    return tuple(text)


def verify(task: Task[Data], answer: Answer) -> Score:
    right = task.data.right
    if len(answer) != len(right):
        return Score.wrong(f"the patched text does not have {len(answer)} lines")
    wrong = sum(first.lower() != second for first, second in zip(answer, right, strict=True))
    return Score.exact(not wrong, f"{wrong} of the lines are wrong")


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    data = task.data
    kept = tuple(line[1:] for patch in data.patches for piece in patch for line in piece if line[0] != "-")
    return [data.text, right[:-1], right[1:], right[::-1], (*right, right[-1]), kept]


def cost(task: Task[Data]) -> float:
    data = task.data
    lines = sum(len(piece) for patch in data.patches for piece in patch)
    return float(len(data.text) + lines * (1 + 2 * WAYS.index(data.way)))


def derive(task: Task[Data]) -> Derivation:
    for hunk in _hunks_in_order(task.data):
        yield PIECE(patch=hunk.patch, piece=hunk.piece, at=hunk.at + 1, old=hunk.old, new=hunk.new)


def _sample_task(rng: Rng, knobs: Knobs, moving: bool) -> Task[Data]:
    bank = rng.sample(WORDS, knobs.words)
    while True:
        first = text = [rng.choice(bank) for _ in range(knobs.lines)]
        patches, starts = [], []
        for _ in range(knobs.patches):
            pieces, at, after = _sample_patch(rng, text, bank, knobs, moving)
            if knobs.way == "found" and any(_count(text, piece) != 1 for piece in pieces):
                break
            patches.append(pieces)
            starts.append(at)
            text = after
        shown, right = (text, first) if knobs.way == "back" else (first, text)
        if len(patches) == knobs.patches and shown != right:
            break
    data = Data(text=tuple(shown), patches=tuple(patches), starts=tuple(starts), way=knobs.way, right=tuple(right))
    return Task(_render_prompt(data), data)


def _sample_patch(
    rng: Rng, text: list[str], bank: list[str], knobs: Knobs, moving: bool
) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[int, int], ...], list[str]]:
    """Pieces, where they begin before and after, and the text after them."""
    context = 2 if knobs.way == "found" else 1
    count = min(rng.integer(1 + moving, max(1 + moving, knobs.pieces)), max(1, len(text) // (2 * context + 3)))
    cuts = sorted(rng.sample(range(len(text) - 2 * context * (count - 1)), count))
    pieces, starts, hunks, done = [], [], list[str](), 0
    taken: list[str] = []
    for k, cut in enumerate(cuts):
        at = cut + 2 * context * k
        removed = text[at : at + min(rng.integer(0, 2), (cuts[k + 1] - cut if k + 1 < count else len(text) - at))]
        removed = removed or (text[at : at + 1] if moving and k == 0 else removed)
        removed = removed if len(text) > 3 else []
        added = taken if moving and k else [rng.choice(bank) for _ in range(rng.integer(0 if removed else 1, 2))]
        added = [] if moving and k == 0 and count > 1 else added
        taken = removed
        if not removed and not added:
            added = [rng.choice(bank)]
        before, behind = text[max(done, at - context) : at], text[at + len(removed) : at + len(removed) + context]
        hunks += text[done:at]
        starts.append((at - len(before) + 1, len(hunks) - len(before) + 1))
        hunks += added
        done = at + len(removed)
        pieces.append(
            (
                *(f" {line}" for line in before),
                *(f"-{line}" for line in removed),
                *(f"+{line}" for line in added),
                *(f" {line}" for line in behind),
            )
        )
    return tuple(pieces), tuple(starts), hunks + text[done:]


def _sides(piece: Sequence[str], back: bool) -> tuple[list[str], list[str]]:
    """The lines that a piece finds and those that it leaves."""
    old = [line[1:] for line in piece if line[0] != "+"]
    new = [line[1:] for line in piece if line[0] != "-"]
    return (new, old) if back else (old, new)


def _count(text: Sequence[str], piece: Sequence[str]) -> int:
    old, _ = _sides(piece, False)
    return sum(list(text[k : k + len(old)]) == old for k in range(len(text) - len(old) + 1))


def _hunks_in_order(data: Data) -> list[Hunk]:
    """The pieces in the order in which they are applied, with the lines that they find and leave."""
    back, hunks = data.way == "back", list[Hunk]()
    for p in reversed(range(len(data.patches))) if back else range(len(data.patches)):
        for k, piece in enumerate(data.patches[p]):
            # the pieces before this one have been dealt with, so it stands where it stands after the whole patch
            hunks.append(Hunk(p + 1, k + 1, *_sides(piece, back), data.starts[p][k][0 if back else 1] - 1))
    return hunks


def _render_prompt(data: Data) -> str:
    parts = []
    for p, (patch, starts) in enumerate(zip(data.patches, data.starts, strict=True), 1):
        parts.append(f"Patch {p}:")
        for piece, (before, after) in zip(patch, starts, strict=True):
            old, new = _sides(piece, False)
            parts.append("@@" if data.way == "found" else f"@@ -{before},{len(old)} +{after},{len(new)} @@")
            parts += piece
    several = len(data.patches) > 1
    head = (
        "@@ alone"
        if data.way == "found"
        else "@@ -a,b +c,d @@, which says that it takes the b lines from line a on and leaves d lines from line c on"
    )
    each_patch = " Each patch was made for the text that the patch before it left." if several else ""
    if data.way == "back":
        ask = f"The text below is what was left when {'all these patches' if several else 'this patch'} had been applied in order. What was the text before?"
    else:
        ask = f"Apply {'all these patches in order' if several else 'this patch'} to the text below. What is the text then?"
    where = (
        " Each hunk belongs at the one place where its lines that stay or are removed occur one after another in the text before its patch."
        if data.way == "found"
        else ""
    )
    return (
        f"A patch consists of hunks. A hunk begins with a line {head}. Then come lines with a prefix: a space for a line that stays, - for a line "
        "that is removed, + for a line that is inserted at that place. "
        f"Lines are numbered from 1, in the text before the patch and after it.{each_patch}{where}"
        f"\n\n{chr(10).join(parts)}\n\n{ask}\n{chr(10).join(data.text)}"
    ).replace(" Lines are numbered from 1, in the text before the patch and after it." if data.way == "found" else "\0", "")


environment = Environment(
    Knobs, Lines("the lines of the text, one below the other", max_items=200), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "After all patches:\n{answer}", whole=True), shift=shift,
    concept="Find the lines of a piece in the text as it is now; later pieces and patches count lines in what the earlier ones left.",
    version=4,
)  # fmt: skip
