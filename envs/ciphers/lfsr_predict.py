"""Predict the next bits of a shift register from the bits it has given so far.

Where the taps are secret, the bits shown leave exactly one set of taps.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.steps import Line, ended, first_wrong

RULE = Line("Try the places {taps} back, added: the only rule that gives all bits shown")
RULE_TURNED = Line("Try the places {taps} back, added, turned over: the only rule that gives all bits shown")
SHOWN, NEXT = Line("Bit {number}: {terms} is {parity}, as the bit {bit} shown"), Line("Bit {number}: {terms} is {parity}, so {bit}")


class Knobs(Config):
    length: int = knob(7, easy=6, hard=12, doc="bits that each new bit is made from")
    ahead: int = knob(8, easy=5, hard=40, doc="bits to predict")
    taps: str = knob(
        "secret",
        easy="told",
        hard="affine",
        order=("told", "secret", "affine"),
        doc="whether the rule is told, secret, or secret with a bit that may be turned over",
    )


class Data(TaskData):
    bits: str
    length: int
    taps: tuple[int, ...]  # how many places back
    flip: bool
    told: bool
    affine: bool
    next: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    told, affine = knobs.taps == "told", knobs.taps == "affine"
    size = knobs.length
    while True:
        taps = (*(back for back in range(1, size) if rng.chance(0.4)), size)
        flip = affine and rng.chance(0.5)
        bits = [rng.integer(0, 1) for _ in range(size)]
        shown = size if told else 2 * size + 2 + rng.integer(0, 2) + affine
        while len(bits) < shown + knobs.ahead:
            bits.append((sum(bits[-back] for back in taps) + flip) % 2)
        text = "".join(map(str, bits))
        data = Data(bits=text[:shown], length=size, taps=taps, flip=flip, told=told, affine=affine, next=text[shown:])
        if len(taps) > 1 and "1" in data.bits and (told or len(list(_rules(data))) == 1) and len(set(data.next)) == 2:
            return Task(_prompt(data), data)


def solve(task: Task[Data]) -> str:
    data = task.data
    taps, flip = (data.taps, False) if data.told else next(_rules(data))
    return _continued(data.bits, taps, flip, len(data.next))


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.next, "those are not the next bits")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    count = len(right)
    turned = right.translate({48: 49, 49: 48})
    fewer = _continued(data.bits, data.taps[:-1], data.flip, count)
    mirrored = _continued(data.bits, tuple(data.length + 1 - tap for tap in data.taps), data.flip, count)
    return [
        turned,
        fewer,
        mirrored,
        _continued(data.bits, data.taps, not data.flip, count),
        (data.bits * count)[:count],
        right[1:] + right[:1],
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    unknown = data.length + data.affine
    return len(data.next) * len(data.taps) + (0 if data.told else unknown**3 / 2 + unknown**2)


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    bits = data.bits
    if not data.told:
        steps.append((RULE_TURNED if data.flip else RULE).write(taps=", ".join(map(str, data.taps))))
        for i in range(data.length, len(bits)):
            terms = " + ".join(bits[i - back] for back in data.taps) + (" + 1" if data.flip else "")
            steps.append(SHOWN.write(number=i + 1, terms=terms, parity="even" if bits[i] == "0" else "odd", bit=bits[i]))
    for i, bit in enumerate(data.next, len(bits)):
        terms = " + ".join((bits + data.next)[i - back] for back in data.taps) + (" + 1" if data.flip else "")
        steps.append(NEXT.write(number=i + 1, terms=terms, parity="even" if bit == "0" else "odd", bit=bit))
    return [*steps, f"The next bits are {data.next}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    taps, flip = list(data.taps if data.told else ()), [False]
    bits, at = list(data.bits), [data.length if not data.told else len(data.bits)]

    def follows(step: str) -> bool:
        turned = RULE_TURNED.read(step)
        if read := turned or RULE.read(step):
            taps.extend(int(tap) for tap in read["taps"].split(", "))
            flip[0] = turned is not None
            row = [int(bit) for bit in data.bits]
            fits = all((sum(row[i - tap] for tap in taps) + flip[0]) % 2 == row[i] for i in range(data.length, len(row)))
            return not data.told and fits and taps == sorted(set(taps)) and (taps[0] > 0) and taps[-1] == data.length
        shown = SHOWN.read(step)
        read = shown or NEXT.read(step)
        if not read or (shown is not None) != (at[0] < len(data.bits)):
            return False
        terms = [bits[at[0] - tap] for tap in taps] + ["1"] * flip[0]
        bit = str(terms.count("1") % 2)
        at[0] += 1
        if not shown:
            bits.append(bit)
        told = int(read["number"]), read["terms"], read["parity"], read["bit"]
        return bits[at[0] - 1] == bit and told == (at[0], " + ".join(terms), "even" if bit == "0" else "odd", bit)

    return first_wrong(steps, follows, ended("The next bits are ", task, environment.answer, verify))


def _prompt(data: Data) -> str:
    begin = f"In a row of bits, each bit after the first {data.length} is made from bits before it: "
    places = ", ".join(map(str, data.taps))
    if data.told:
        rule = f"it is the sum, modulo 2, of the bits {places} places before it (1 place before is the bit right before it)"
    else:
        rule = (
            f"it is the sum, modulo 2, of the bits at certain secret places before it, the same places for every bit. The places are among 1 to {data.length} "
            f"places before (1 place before is the bit right before it), and {data.length} is one of them"
        )
        rule += ". The sum may also be turned over (0 to 1 and 1 to 0), then for every bit" if data.affine else ""
    only = "" if data.told else " Only one such rule fits the bits."
    return f"{begin}{rule}.{only} The row begins:\n{data.bits}\n\nWhat are the next {len(data.next)} bits?"


def _continued(bits: str, taps: tuple[int, ...], flip: bool, count: int) -> str:
    row = [int(bit) for bit in bits]
    for _ in range(count):
        row.append((sum(row[-back] for back in taps) + flip) % 2)
    return "".join(map(str, row[len(bits) :]))


def _rules(data: Data) -> Iterator[tuple[tuple[int, ...], bool]]:
    """Every rule that fits: equations modulo 2, a bit for each place, one for turning over and one for the sum."""
    size = data.length
    rows = []
    for i in range(size, len(data.bits)):
        row = sum(int(data.bits[i - back]) << (back - 1) for back in range(1, size + 1))
        rows.append(row | (data.affine << size) | int(data.bits[i]) << (size + 1))
    rows.append(1 << (size - 1) | 1 << (size + 1))
    if not data.affine:
        rows.append(1 << size)
    pivots: dict[int, int] = {}
    for row in rows:
        for column, pivot in pivots.items():
            if row >> column & 1:
                row ^= pivot
        if not row & ((1 << (size + 1)) - 1):
            if row:
                return
            continue
        column = (row & -row).bit_length() - 1
        for other, pivot in pivots.items():
            if pivot >> column & 1:
                pivots[other] = pivot ^ row
        pivots[column] = row
    free = [column for column in range(size + 1) if column not in pivots]
    for choice in product((0, 1), repeat=len(free)):
        value = sum(1 << column for column, bit in zip(free, choice, strict=True) if bit)
        for column, row in pivots.items():
            if ((row & value & ~(1 << column)).bit_count() + (row >> (size + 1))) % 2:
                value |= 1 << column
        yield tuple(back for back in range(1, size + 1) if value >> (back - 1) & 1), bool(value >> size & 1)


def _solutions(task: Task[Data]) -> Iterator[str]:
    """Every set of places, tried on the bits shown."""
    data = task.data
    seen = set[str]()
    for choice in [data.taps] if data.told else _subsets(data.length):
        for flip in (False, True) if data.affine else (False,):
            row = data.bits[: data.length]
            if _continued(row, choice, flip, len(data.bits) - data.length) == data.bits[data.length :]:
                text = _continued(data.bits, choice, flip, len(data.next))
                if text not in seen:
                    seen.add(text)
                    yield text


def _subsets(size: int) -> Iterator[tuple[int, ...]]:
    for bits in range(1 << (size - 1)):
        yield (*(back for back in range(1, size) if bits >> (back - 1) & 1), size)


environment = Environment(
    Knobs,
    Text("the bits in order, as digits 0 and 1 without anything between them", compact=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    answers="unique",
    solutions=_solutions,
    concept="Each bit shown is one linear equation modulo 2 for the secret places: solve them, then go on by the rule.",
)
