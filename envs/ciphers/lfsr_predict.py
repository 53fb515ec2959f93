"""Predict the next bits of a shift register from the bits it has given so far.

Where the taps are secret, the bits shown leave exactly one set of taps. At the top the product of two secret bits is added to the sum, so that the
equations for the taps are linear for each pair of places only.
"""

from collections.abc import Iterator
from itertools import combinations, product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.text.english import join_words
from rlgym.solutions import Derivation, Solution, Step

RULE = Step("Try the places {taps:ints} back, added: the only rule that gives all bits shown")
RULE_PRODUCT = Step(
    "Try the places {taps:ints} back, added, with the product of the bits {one:int} and {other:int} back: the only rule that gives all bits shown"
)
RULE_TURNED = Step("Try the places {taps:ints} back, added, inverted: the only rule that gives all bits shown")
SHOWN, NEXT = Step("Bit {number}: {terms} is {parity}, as the bit {bit} shown"), Step("Bit {number}: {terms} is {parity}, so {bit}")


Rule = tuple[tuple[int, ...], bool, tuple[int, ...]]
"""The places in the sum, whether it is inverted, and the places of the product."""


class Knobs(Config):
    length: int = knob(7, easy=6, hard=9, beyond=12, doc="bits that each new bit is made from")
    ahead: int = knob(8, easy=5, hard=20, doc="bits to predict")
    taps: str = knob(
        "secret",
        easy="told",
        hard="product",
        order=("told", "secret", "affine", "product"),
        doc="whether the rule is given, secret, secret with a bit that may be inverted, or secret with a product of two bits",
    )


class Data(TaskData):
    bits: str
    length: int
    taps: tuple[int, ...]  # how many places back
    flip: bool
    told: bool
    affine: bool
    next: str
    pair: tuple[int, ...] = ()  # how many places back are the two bits whose product is added
    products: bool = False  # whether there is such a pair


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, trinomial=False)


def _sample_task(rng: Rng, knobs: Knobs, trinomial: bool) -> Task[Data]:
    is_known, affine, products = knobs.taps == "told", knobs.taps == "affine", knobs.taps == "product"
    size = knobs.length
    while True:
        taps = (rng.integer(1, size - 1), size) if trinomial else (*(back for back in range(1, size) if rng.chance(0.4)), size)
        flip = affine and rng.chance(0.5)
        pair = tuple(sorted(rng.sample(range(1, size + 1), 2))) if products else ()
        bits = [rng.integer(0, 1) for _ in range(size)]
        shown = size if is_known else 2 * size + 2 + rng.integer(0, 2) + affine + 8 * products
        while len(bits) < shown + knobs.ahead:
            bits.append((sum(bits[-back] for back in taps) + flip + (products and all(bits[-back] for back in pair))) % 2)
        text = "".join(map(str, bits))
        data = Data(
            bits=text[:shown],
            length=size,
            taps=taps,
            flip=flip,
            told=is_known,
            affine=affine,
            next=text[shown:],
            pair=pair,
            products=products,
        )
        if (
            len(taps) > 1
            and "1" in data.bits
            and (is_known or len(list(_rules(data))) == 1)
            and len(set(data.next)) == 2
            and not _begins_again(data)
        ):
            return Task(_render_prompt(data), data)


def _begins_again(data: Data) -> bool:
    """Whether the last bits shown, as many as each bit is made from, were there before: then the next ones are a copy."""
    return data.bits.find(data.bits[-data.length :]) < len(data.bits) - data.length


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Registers with exactly two places in the sum (trinomials)."""
    return _sample_task(rng, knobs, trinomial=True)


def solve(task: Task[Data]) -> str:
    data = task.data
    taps, flip, pair = (data.taps, False, ()) if data.told else next(_rules(data))
    return _extend_stream(data.bits, taps, flip, len(data.next), pair)


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.next, "those are not the next bits")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    count = len(right)
    turned = right.translate({48: 49, 49: 48})
    fewer = _extend_stream(data.bits, data.taps[:-1], data.flip, count, data.pair)
    mirrored = _extend_stream(data.bits, tuple(data.length + 1 - tap for tap in data.taps), data.flip, count, data.pair)
    return [
        turned,
        fewer,
        mirrored,
        _extend_stream(data.bits, data.taps, not data.flip, count, data.pair),
        *([_extend_stream(data.bits, data.taps, data.flip, count)] if data.pair else []),
        (data.bits * count)[:count],
        right[1:] + right[:1],
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    unknown = data.length + data.affine
    pairs = data.length * (data.length - 1) // 2 if data.products else 1
    return len(data.next) * len(data.taps) + (0 if data.told else pairs * (unknown**3 / 2 + unknown**2))


def derive(task: Task[Data]) -> Derivation:
    data, bits = task.data, task.data.bits
    if not data.told:
        yield (
            RULE_PRODUCT(taps=data.taps, one=data.pair[0], other=data.pair[1])
            if data.pair
            else (RULE_TURNED if data.flip else RULE)(taps=data.taps)
        )
        for i in range(data.length, len(bits)):
            yield SHOWN(number=i + 1, **_sum(data, bits[:i]))
    for _ in data.next:
        after = _sum(data, bits)
        yield NEXT(number=len(bits) + 1, **after)
        bits += after["bit"]


def _render_prompt(data: Data) -> str:
    begin = f"In a row of bits, each bit after the first {data.length} is made from bits before it: "
    places = join_words([*map(str, data.taps)])
    if data.told:
        rule = f"it is the sum, modulo 2, of the bits {places} places before it (1 place before is the bit right before it)"
    else:
        rule = (
            f"it is the sum, modulo 2, of the bits at certain secret places before it, the same places for every bit. The places are among 1 to "
            f"{data.length} places before (1 place before is the bit right before it), and {data.length} is one of them"
        )
        rule += (
            f". The product of the bits at two different secret places, also among 1 to {data.length} places before, is added too, the same two for every "
            "bit; each of the two may or may not be one of the places of the sum"
            if data.products
            else ""
        )
        rule += ". The sum may also be inverted (0 to 1 and 1 to 0), and then for every bit" if data.affine else ""
    only = "" if data.told else " Only one such rule fits the bits."
    return f"{begin}{rule}.{only} The row begins:\n{data.bits}\n\nWhat are the next {len(data.next)} bits?"


def _sum(data: Data, bits: str) -> dict[str, str]:
    """The bit after these, and the sum modulo 2 that gives it."""
    terms = [bits[-back] for back in data.taps] + ["1"] * data.flip
    terms += [str(_product(bits, data.pair))] if data.pair else []
    odd = terms.count("1") % 2
    return {"terms": " + ".join(terms), "parity": "odd" if odd else "even", "bit": str(odd)}


def _extend_stream(bits: str, taps: tuple[int, ...], flip: bool, count: int, pair: tuple[int, ...] = ()) -> str:
    row = [int(bit) for bit in bits]
    for _ in range(count):
        row.append((sum(row[-back] for back in taps) + flip + (pair != () and all(row[-back] for back in pair))) % 2)
    return "".join(map(str, row[len(bits) :]))


def _rules(data: Data) -> Iterator[Rule]:
    """Every rule that fits; one that another pair of places also gives with other places in the sum is another rule."""
    for pair in combinations(range(1, data.length + 1), 2) if data.products else ((),):
        yield from _rules_with(data, pair)


def _rules_with(data: Data, pair: tuple[int, ...]) -> Iterator[Rule]:
    """Every rule with this product that fits: equations modulo 2, a bit for each place, one for turning over and one for the sum."""
    size = data.length
    rows = []
    for i in range(size, len(data.bits)):
        row = sum(int(data.bits[i - back]) << (back - 1) for back in range(1, size + 1))
        rows.append(row | (data.affine << size) | (int(data.bits[i]) ^ _product(data.bits[:i], pair)) << (size + 1))
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
        yield tuple(back for back in range(1, size + 1) if value >> (back - 1) & 1), bool(value >> size & 1), pair


def _product(bits: str, pair: tuple[int, ...]) -> int:
    return int(pair != () and all(bits[-back] == "1" for back in pair))


def _solutions(task: Task[Data]) -> Iterator[str]:
    """Every set of places, tried on the bits shown."""
    data = task.data
    seen = set[str]()
    pairs = list(combinations(range(1, data.length + 1), 2)) if data.products else [()]
    for choice in [data.taps] if data.told else _subsets(data.length):
        for flip, pair in product((False, True) if data.affine else (False,), pairs):
            row = data.bits[: data.length]
            if _extend_stream(row, choice, flip, len(data.bits) - data.length, pair) == data.bits[data.length :]:
                text = _extend_stream(data.bits, choice, flip, len(data.next), pair)
                if text not in seen:
                    seen.add(text)
                    yield text


def _subsets(size: int) -> Iterator[tuple[int, ...]]:
    for bits in range(1 << (size - 1)):
        yield (*(back for back in range(1, size) if bits >> (back - 1) & 1), size)


environment = Environment(
    Knobs, Text("the bits in order, as digits 0 and 1 without anything between them", ignore_spaces=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The next bits are {answer}"), shift=shift, answers="unique", solutions=_solutions,
    concept="Each bit shown is one linear equation modulo 2 for the secret places: solve them, then go on by the rule.",
    version=6,
)  # fmt: skip
