"""Read messages that were sent with check bits, although some bits arrived wrong.

A block with one wrong bit can be mended; with one more check bit, a block with two wrong bits is found to be lost.
"""

from collections.abc import Callable, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.solutions import Derivation, Solution, Step

CLOSING = "All blocks in order: {answer}"
ANSWER = Words("the answers for the blocks, in order, separated by spaces", max_items=20, ignore_case=True)
CONCEPT = "The checks that fail name the wrong bit: it lies in all of them and in no other; a failing check with an even number of ones means two."
KINDS = ("plain", "overall", "mixed")
READ = Step("The bits of block {block} are {bits}")
CHECK = Step("In block {block} the positions of check {check} hold {ones} one(s), so the check {state}")
WHOLE = Step("Block {block} holds {ones} ones in all, which is {parity}")
CLEAN = Step("Block {block} has no wrong bit, and its message is {message}")
FLIP = Step(
    "In block {block} only position {place} is in all checks that fail and in no other, so it is wrong, and the message is {message}"
)
END = Step("In block {block} all checks hold and the number of ones is odd, so the last bit is wrong, and the message is {message}")
LOST = Step("In block {block} a check fails and the number of ones is even, so two bits are wrong: lost")


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
    return _sample_task(rng, knobs, lambda: list(range(1, 1 << knobs.checks)))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A shorter block whose checks cover positions in no order, with the check bits anywhere."""

    def sample_columns() -> list[int]:
        single = [1 << k for k in range(knobs.checks)]
        others = rng.sample([k for k in range(1, 1 << knobs.checks) if k not in single], (1 << knobs.checks) - knobs.checks - 2)
        return rng.shuffled(single + others)

    return _sample_task(rng, knobs, sample_columns)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Brute force: the block as it is, then with each single bit flipped, until all checks hold."""
    data, words = task.data, []
    for block in data.received:
        for place in range(len(block) + 1):
            candidate = _flip(block, place)
            if not any(_ones(candidate, check) % 2 for check in data.checks) and not (data.overall and candidate.count("1") % 2):
                words.append(_message(data, candidate))
                break
        else:
            words.append("lost")
    return tuple(words)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    right = task.data.right
    if len(answer) != len(right):
        return Score.wrong(f"the answer must have {len(right)} words, one for each block")
    wrong = sum(first != second for first, second in zip(answer, right, strict=True))
    return Score.exact(not wrong, f"{wrong} of the {len(right)} words are wrong")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    unchecked = tuple(_message(data, block) for block in data.received)
    mended = tuple("0" * len(data.carry) if word == "lost" else word for word in right)
    return [unchecked, mended, tuple(block[: len(data.carry)] for block in data.received), right[::-1], ("lost",) * len(right), right[:-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.received) * data.length * len(data.checks) * (1 + data.overall + data.mixed))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    for k, block in enumerate(data.received, 1):
        yield READ(block=k, bits=block)
        failed = []
        for c, check in enumerate(data.checks, 1):
            ones = _ones(block, check)
            failed += [c] if ones % 2 else []
            yield CHECK(block=k, check=c, ones=ones, state="fails" if ones % 2 else "holds")
        odd = block.count("1") % 2
        if data.overall:
            yield WHOLE(block=k, ones=block.count("1"), parity="odd" if odd else "even")
        if failed and data.overall and not odd:
            yield LOST(block=k)
        elif failed:
            position = _syndrome_position(data, failed)
            yield FLIP(block=k, place=position, message=_message(data, _flip(block, position)))
        else:
            yield (END if data.overall and odd else CLEAN)(block=k, message=_message(data, block))


def _sample_task(rng: Rng, knobs: Knobs, sample_columns: Callable[[], list[int]]) -> Task[Data]:
    overall, mixed = knobs.kind != "plain", knobs.kind == "mixed"
    columns = sample_columns()
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
            f"The {knobs.blocks} blocks were sent interleaved: first the bits at position 1 of all blocks, in the order of the blocks, then the bits at "
            f"position 2 of all blocks in the same order, and so on. This arrived (the spaces mean nothing):\n{shown}"
        )
    else:
        sent = "These blocks arrived:\n" + "\n".join(f"{k}. {block}" for k, block in enumerate(received, 1))
    lost_rule = " For a block with two wrong bits, which cannot be corrected, write lost instead." if overall else ""
    prompt = (
        f"Messages are sent in blocks of {data.length} bits, with positions numbered from 1 at the left. Some positions hold check bits; the "
        f"{len(carry)} bits at positions {', '.join(map(str, carry))} are the message, in this order. Before sending, each check bit was set so that the "
        f"positions of its check (its own included) held an even number of ones:\n{listing}\n{last.strip() if overall else ''}"
    ).rstrip()
    prompt += f"\n\n{errors} of each block arrived wrong (turned from 0 to 1 or from 1 to 0). {sent}\n\n"
    prompt += f"What is the message of each block, as it was sent? Write its bits without spaces.{lost_rule}"
    return Task(prompt, data.model_copy(update={"received": tuple(received), "right": tuple(right)}))


def _ones(block: str, check: Sequence[int]) -> int:
    return sum(block[place - 1] == "1" for place in check)


def _flip(block: str, position: int) -> str:
    """The block with the bit at a position, from 1, turned."""
    return block[: position - 1] + "10"[int(block[position - 1])] + block[position:] if position else block


def _message(data: Data, block: str) -> str:
    return "".join(block[place - 1] for place in data.carry)


def _syndrome_position(data: Data, failed: list[int]) -> int:
    """The position that is in just these checks, 0 if there is none."""
    positions = range(1, data.length + 1)
    return next((i for i in positions if [c for c, check in enumerate(data.checks, 1) if i in check] == failed), 0)


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, CLOSING, whole=True),
    shift=shift,
    concept=CONCEPT,
    version=4,
)
