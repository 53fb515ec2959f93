"""Read messages that were sent with check bits, although some bits arrived wrong.

A block with one wrong bit can be mended; with one more check bit, a block with two wrong bits is found to be lost.
"""

from collections.abc import Callable, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.steps import Line, first_wrong

KINDS = ("plain", "overall", "mixed")
READ = Line("The bits of block {block} are {bits}")
CHECK = Line("In block {block} the positions of check {check} hold {ones} ones, so the check {state}")
WHOLE = Line("Block {block} holds {ones} ones in all, which is {parity}")
CLEAN = Line("Block {block} has no wrong bit, and its message is {message}")
FLIP = Line(
    "In block {block} only position {place} is in all checks that fail and in no other, so it is wrong, and the message is {message}"
)
END = Line("In block {block} all checks hold and the number of ones is odd, so the last bit is wrong, and the message is {message}")
LOST = Line("In block {block} a check fails and the number of ones is even, so two bits are wrong: lost")
DONE = Line("All blocks in order: {words}")


class Knobs(Config):
    blocks: int = knob(4, easy=2, hard=9, doc="blocks that are sent")
    checks: int = knob(4, easy=3, hard=5, doc="check bits of a block; a block has up to twice as many bits for each more")
    kind: str = knob(
        "overall", easy="plain", hard="mixed", order=KINDS, doc="one wrong bit, or two that are noticed, or the blocks mixed too"
    )


class Data(TaskData):
    checks: tuple[tuple[int, ...], ...]
    """The positions that each check covers, from 1."""
    carry: tuple[int, ...]
    length: int
    overall: bool
    mixed: bool
    received: tuple[str, ...]
    right: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, lambda: list(range(1, 1 << knobs.checks)))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A shorter block whose checks cover positions in no order, with the check bits anywhere."""

    def drawn() -> list[int]:
        single = [1 << k for k in range(knobs.checks)]
        others = rng.sample([k for k in range(1, 1 << knobs.checks) if k not in single], (1 << knobs.checks) - knobs.checks - 2)
        return rng.shuffled(single + others)

    return _made(rng, knobs, drawn)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """By trying: the block as it is, then each single bit turned, until all is even."""
    data, words = task.data, []
    for block in data.received:
        for place in range(len(block) + 1):
            tried = block if not place else block[: place - 1] + "10"[int(block[place - 1])] + block[place:]
            if not any(_ones(tried, check) % 2 for check in data.checks) and not (data.overall and tried.count("1") % 2):
                words.append(_message(data, tried))
                break
        else:
            words.append("lost")
    return tuple(words)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    right = task.data.right
    if len(answer) != len(right):
        return Score.wrong(f"the answer must have {len(right)} words, one for each block")
    wrong = sum(one != other for one, other in zip(answer, right, strict=True))
    return Score.exact(not wrong, f"{wrong} of the {len(right)} words are wrong")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    asis = tuple(_message(data, block) for block in data.received)
    mended = tuple("0" * len(data.carry) if word == "lost" else word for word in right)
    return [asis, mended, tuple(block[: len(data.carry)] for block in data.received), right[::-1], ("lost",) * len(right), right[:-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.received) * data.length * len(data.checks) * (1 + data.overall + data.mixed))


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, list[str]()
    for k, block in enumerate(data.received, 1):
        steps.append(READ.write(block=k, bits=block))
        failed = []
        for c, check in enumerate(data.checks, 1):
            ones = _ones(block, check)
            failed += [c] if ones % 2 else []
            steps.append(CHECK.write(block=k, check=c, ones=ones, state="fails" if ones % 2 else "holds"))
        odd = block.count("1") % 2
        if data.overall:
            steps.append(WHOLE.write(block=k, ones=block.count("1"), parity="odd" if odd else "even"))
        place = _place(data, failed)
        turned = block[: place - 1] + "10"[int(block[place - 1])] + block[place:] if failed and place else block
        if failed and data.overall and not odd:
            steps.append(LOST.write(block=k))
        elif failed:
            steps.append(FLIP.write(block=k, place=place, message=_message(data, turned)))
        else:
            steps.append((END if data.overall and odd else CLEAN).write(block=k, message=_message(data, block)))
    return [*steps, DONE.write(words=" ".join(data.right))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    block, failed, checked, odd, words = "", list[int](), 0, -1, list[str]()

    def follows(step: str) -> bool:
        nonlocal block, failed, checked, odd
        if said := READ.read(step):
            block, failed, checked, odd = said["bits"], [], 0, -1
            return int(said["block"]) == len(words) + 1 and block == data.received[len(words)]
        if said := CHECK.read(step):
            ones = _ones(block, data.checks[checked])
            checked += 1
            failed += [checked] if ones % 2 else []
            named = int(said["block"]) == len(words) + 1 and int(said["check"]) == checked
            return named and int(said["ones"]) == ones and said["state"] == ("fails" if ones % 2 else "holds")
        if said := WHOLE.read(step):
            odd = block.count("1") % 2
            right = int(said["block"]) == len(words) + 1 and said["parity"] == ("odd" if odd else "even")
            return data.overall and right and int(said["ones"]) == block.count("1")
        if not block or checked < len(data.checks) or (data.overall and odd < 0):
            return False
        if said := LOST.read(step):
            words.append("lost")
            return int(said["block"]) == len(words) and bool(failed) and odd == 0
        if said := FLIP.read(step):
            place = int(said["place"])
            turned = block[: place - 1] + "10"[int(block[place - 1])] + block[place:]
            found = place > 0 and [c for c, check in enumerate(data.checks, 1) if place in check] == failed and odd != 0
            words.append(said["message"])
            return bool(failed) and found and int(said["block"]) == len(words) and said["message"] == _message(data, turned)
        said = CLEAN.read(step) or END.read(step) or {}
        words.append(said["message"])
        ending = END.read(step) is not None and CLEAN.read(step) is None
        sound = not failed and ending == (odd == 1) and int(said["block"]) == len(words)
        return sound and said["message"] == _message(data, block)

    def ends(step: str) -> bool:
        said = tuple((DONE.read(step) or {})["words"].split(" "))
        return said == tuple(words) and verify(task, said).value == 1

    return first_wrong(steps, follows, ends)


def _made(rng: Rng, knobs: Knobs, drawn: Callable[[], list[int]]) -> Task[Data]:
    overall, mixed = knobs.kind != "plain", knobs.kind == "mixed"
    columns = drawn()
    checks = tuple(tuple(i for i, column in enumerate(columns, 1) if column >> k & 1) for k in range(knobs.checks))
    single = [columns.index(1 << k) + 1 for k in range(knobs.checks)]
    carry = tuple(i for i in range(1, len(columns) + 1) if i not in single)
    data = Data(checks=checks, carry=carry, length=len(columns) + overall, overall=overall, mixed=mixed, received=(), right=())
    while True:
        received, right = [], []
        for _ in range(knobs.blocks):
            bits = [0] * (len(columns) + 1)
            for place in carry:
                bits[place] = rng.integer(0, 1)
            message = "".join(str(bits[place]) for place in carry)
            for place, check in zip(single, checks, strict=True):
                bits[place] = sum(bits[i] for i in check) % 2
            bits += [sum(bits) % 2] * overall
            wrong = rng.weighted((0, 1, 2), (2, 5, 3 if overall else 0))
            for place in rng.sample(range(1, len(bits)), wrong):
                bits[place] ^= 1
            received.append("".join(map(str, bits[1:])))
            right.append("lost" if wrong == 2 else message)
        plain = tuple(_message(data, block) for block in received)
        if plain != tuple(right) and right != right[::-1] and any(word != "lost" for word in right):
            break
    listing = "\n".join(
        f"Check {c}: positions {', '.join(map(str, check))}; its check bit is at position {place}"
        for c, (check, place) in enumerate(zip(checks, single, strict=True), 1)
    )
    last = f" The last bit of a block, at position {data.length}, was then set so that the whole block held an even number of ones."
    errors = "At most two bits" if overall else "At most one bit"
    if mixed:
        stream = "".join("".join(column) for column in zip(*received, strict=True))
        shown = " ".join(stream[i : i + 8] for i in range(0, len(stream), 8))
        sent = (
            f"The {knobs.blocks} blocks were sent mixed: first the bits at position 1 of all blocks, in the order of the blocks, then the bits at "
            f"position 2 of all blocks in the same order, and so on. This arrived (the spaces mean nothing):\n{shown}"
        )
    else:
        sent = "These blocks arrived:\n" + "\n".join(f"{k}. {block}" for k, block in enumerate(received, 1))
    lost = " For a block with two wrong bits, which cannot be mended, give the word lost." if overall else ""
    prompt = (
        f"Messages are sent in blocks of {data.length} bits, with positions numbered from 1 at the left. Some positions hold check bits; the "
        f"{len(carry)} bits at positions {', '.join(map(str, carry))} are the message, in this order. Before sending, each check bit was set so that the "
        f"positions of its check (its own included) held an even number of ones:\n{listing}\n{last.strip() if overall else ''}"
    ).rstrip()
    prompt += f"\n\n{errors} of each block arrived wrong (turned from 0 to 1 or from 1 to 0). {sent}\n\n"
    prompt += f"What is the message of each block, as it was sent?{lost}"
    return Task(prompt, data.model_copy(update={"received": tuple(received), "right": tuple(right)}))


def _ones(block: str, check: Sequence[int]) -> int:
    return sum(block[place - 1] == "1" for place in check)


def _message(data: Data, block: str) -> str:
    return "".join(block[place - 1] for place in data.carry)


def _place(data: Data, failed: list[int]) -> int:
    """The position that is in just these checks, 0 if there is none."""
    whole = range(1, data.length + 1)
    return next((i for i in whole if [c for c, check in enumerate(data.checks, 1) if i in check] == failed), 0)


environment = Environment(
    Knobs,
    Words("the messages of the blocks in order, each as bits without spaces between them, separated by one space", most=20, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="The checks that fail name the wrong bit: it lies in all of them and in no other; a failing check with an even number of ones means two.",
)
