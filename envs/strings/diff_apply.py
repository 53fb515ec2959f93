"""Apply patches in the form of diffs to a text, one after the other, or take them back.

At the hard end the patches do not say at which line a piece stands: it must be found by the lines around it.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.words import WORDS

Answer = tuple[str, ...]
WAYS = ("forward", "back", "found")
PIECE = Line("Patch {patch}, piece {piece}: at line {at} of the text as it is now, {old} becomes {new}")
LAST = "After all patches:\n"


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
    return _made(rng, knobs, moving=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Patches that move lines: what one piece takes away another one puts in elsewhere."""
    return _made(rng, knobs, moving=True)


def solve(task: Task[Data]) -> Answer:
    # Each piece is looked for by its lines; `generate` knows where it made it.
    text = list(task.data.text)
    for _, _, old, new, at in _work(task.data):
        found = [k for k in range(len(text) - len(old) + 1) if text[k : k + len(old)] == old]
        k = min(found, key=lambda place: abs(place - at))
        text[k : k + len(old)] = new
    return tuple(text)


def verify(task: Task[Data], answer: Answer) -> Score:
    right = task.data.right
    if len(answer) != len(right):
        return Score.wrong(f"the text does not have {len(answer)} lines then")
    wrong = sum(one.lower() != other for one, other in zip(answer, right, strict=True))
    return Score.exact(not wrong, f"{wrong} of the lines are wrong")


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    data = task.data
    kept = tuple(line[1:] for patch in data.patches for piece in patch for line in piece if line[0] != "-")
    return [data.text, right[:-1], right[1:], right[::-1], (*right, right[-1]), kept]


def cost(task: Task[Data]) -> float:
    data = task.data
    lines = sum(len(piece) for patch in data.patches for piece in patch)
    return float(len(data.text) + lines * (1 + 2 * WAYS.index(data.way)))


def explain(task: Task[Data]) -> list[str]:
    steps = []
    for patch, piece, old, new, at in _work(task.data):
        steps.append(PIECE.write(patch=patch, piece=piece, at=at + 1, old=", ".join(old), new=", ".join(new)))
    return [*steps, LAST + "\n".join(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    text, todo = list(task.data.text), list(_work(task.data))

    def follows(step: str) -> bool:
        said = PIECE.read(step) or {}
        patch, piece, old, new, _ = todo.pop(0)
        at = int(said["at"]) - 1
        same = (said["patch"], said["piece"], said["old"], said["new"]) == (str(patch), str(piece), ", ".join(old), ", ".join(new))
        there = at >= 0 and text[at : at + len(old)] == old
        text[at : at + len(old)] = new
        return same and there

    def ends(step: str) -> bool:
        return not todo and step == LAST + "\n".join(text) and ended(LAST, task, environment.answer, verify)(step)

    return first_wrong(steps, follows, ends)


def _made(rng: Rng, knobs: Knobs, moving: bool) -> Task[Data]:
    bank = rng.sample(WORDS, knobs.words)
    while True:
        first = text = [rng.choice(bank) for _ in range(knobs.lines)]
        patches, starts = [], []
        for _ in range(knobs.patches):
            pieces, at, after = _patch(rng, text, bank, knobs, moving)
            if knobs.way == "found" and any(_count(text, piece) != 1 for piece in pieces):
                break
            patches.append(pieces)
            starts.append(at)
            text = after
        told, right = (text, first) if knobs.way == "back" else (first, text)
        if len(patches) == knobs.patches and told != right:
            break
    data = Data(text=tuple(told), patches=tuple(patches), starts=tuple(starts), way=knobs.way, right=tuple(right))
    return Task(_prompt(data), data)


def _patch(
    rng: Rng, text: list[str], bank: list[str], knobs: Knobs, moving: bool
) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[int, int], ...], list[str]]:
    """Pieces, where they begin before and after, and the text after them."""
    around = 2 if knobs.way == "found" else 1
    count = min(rng.integer(1 + moving, max(1 + moving, knobs.pieces)), max(1, len(text) // (2 * around + 3)))
    cuts = sorted(rng.sample(range(len(text) - 2 * around * (count - 1)), count))
    pieces, starts, out, done = [], [], list[str](), 0
    taken: list[str] = []
    for k, cut in enumerate(cuts):
        at = cut + 2 * around * k
        gone = text[at : at + min(rng.integer(0, 2), (cuts[k + 1] - cut if k + 1 < count else len(text) - at))]
        gone = gone or (text[at : at + 1] if moving and k == 0 else gone)
        gone = gone if len(text) > 3 else []
        fresh = taken if moving and k else [rng.choice(bank) for _ in range(rng.integer(0 if gone else 1, 2))]
        fresh = [] if moving and k == 0 and count > 1 else fresh
        taken = gone
        if not gone and not fresh:
            fresh = [rng.choice(bank)]
        before, behind = text[max(done, at - around) : at], text[at + len(gone) : at + len(gone) + around]
        out += text[done:at]
        starts.append((at - len(before) + 1, len(out) - len(before) + 1))
        out += fresh
        done = at + len(gone)
        pieces.append(
            (*(f" {one}" for one in before), *(f"-{one}" for one in gone), *(f"+{one}" for one in fresh), *(f" {one}" for one in behind))
        )
    return tuple(pieces), tuple(starts), out + text[done:]


def _sides(piece: Sequence[str], back: bool) -> tuple[list[str], list[str]]:
    """The lines that a piece finds and those that it leaves."""
    old = [line[1:] for line in piece if line[0] != "+"]
    new = [line[1:] for line in piece if line[0] != "-"]
    return (new, old) if back else (old, new)


def _count(text: Sequence[str], piece: Sequence[str]) -> int:
    old, _ = _sides(piece, False)
    return sum(list(text[k : k + len(old)]) == old for k in range(len(text) - len(old) + 1))


def _work(data: Data) -> list[tuple[int, int, list[str], list[str], int]]:
    """Patch, piece, the lines found and left, and the place, from 0, in the text as it is then."""
    back, out = data.way == "back", []
    for p in reversed(range(len(data.patches))) if back else range(len(data.patches)):
        for k, piece in enumerate(data.patches[p]):
            # the pieces before this one have been dealt with, so it stands where it stands after the whole patch
            out.append((p + 1, k + 1, *_sides(piece, back), data.starts[p][k][0 if back else 1] - 1))
    return out


def _prompt(data: Data) -> str:
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
    made = " Each patch was made for the text that the patch before it left." if several else ""
    if data.way == "back":
        asked = f"The text below is what was left when {'all these patches' if several else 'this patch'} had been applied in order. What was the text before?"
    else:
        asked = f"Apply {'all these patches in order' if several else 'this patch'} to the text below. What is the text then?"
    place = " Each piece belongs at the one place where its lines stand in the text before its patch." if data.way == "found" else ""
    return (
        f"A patch consists of pieces. A piece begins with a line {head}. Then come lines with a sign in front: a space for a line that stays, - for a line "
        f"that is taken away, + for a line that is put in at that place. Lines are numbered from 1, in the text before the patch and after it.{made}{place}"
        f"\n\n{chr(10).join(parts)}\n\n{asked}\n{chr(10).join(data.text)}"
    ).replace(" Lines are numbered from 1, in the text before the patch and after it." if data.way == "found" else "\0", "")


environment = Environment(
    Knobs,
    Lines("the lines of the text, one below the other", most=200),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    concept="Find the lines of a piece in the text as it is now; later pieces and patches count lines in what the earlier ones left.",
)
