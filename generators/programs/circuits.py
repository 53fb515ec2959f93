"""Specifications of circuits without memory, put together from operations, conditions and cases; each has words, a meaning and Verilog."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rlgym.core.rng import Rng
from rlgym.generators.text.english import join_words

Names = Sequence[str]


@dataclass(frozen=True)
class Block:
    """What is made of the vectors x and y of `width` bits: a vector of that width, or one bit.

    verilog  an expression of x and y, in which W stands for the width; what it is assigned to has that width, or one bit
    """

    words: str
    meaning: Callable[[int, int, int], int]  # of x, y and the width
    verilog: Callable[[str, str, int], str]


def _bits(of: str, width: int) -> list[str]:
    return [f"{of}[{i}]" for i in range(width)]


def _any_of(of: str, width: int, numbers: Sequence[int]) -> str:
    return " | ".join(f"({of} == {width}'d{number})" for number in numbers)


VALUES = (
    Block("(X + Y) modulo 2 ** W", lambda x, y, w: (x + y) % 2**w, lambda x, y, w: f"{x} + {y}"),
    Block("the bitwise exclusive or of X and Y", lambda x, y, w: x ^ y, lambda x, y, w: f"{x} ^ {y}"),
    Block("the larger of X and Y", lambda x, y, w: max(x, y), lambda x, y, w: f"{x} > {y} ? {x} : {y}"),
    Block("(X - Y) modulo 2 ** W", lambda x, y, w: (x - y) % 2**w, lambda x, y, w: f"{x} - {y}"),
    Block("X with its bits inverted where Y has a 1", lambda x, y, w: x ^ y, lambda x, y, w: f"({x} & ~{y}) | (~{x} & {y})"),
    Block("X with its bits set to 0 where Y has a 1", lambda x, y, w: x & ~y, lambda x, y, w: f"{x} & ~{y}"),
    Block(
        "the bits of X in reverse order, the lowest becoming the highest",
        lambda x, y, w: int(f"{x:0{w}b}"[::-1], 2),
        lambda x, y, w: f"{{{', '.join(_bits(x, w))}}}",
    ),
    Block(
        "X rotated by one place towards the higher bits, the highest bit becoming the lowest",
        lambda x, y, w: x * 2 % 2**w + x * 2 // 2**w,
        lambda x, y, w: f"{{{x}[{w - 2}:0], {x}[{w - 1}]}}",
    ),
    Block("the absolute value of X - Y", lambda x, y, w: abs(x - y), lambda x, y, w: f"{x} > {y} ? {x} - {y} : {y} - {x}"),
    Block(
        "X with the lowest of its bits that are 1, if there is one, set to 0",
        lambda x, y, w: x & (x - 1) if x else 0,
        lambda x, y, w: f"{x} & ({x} - {w}'d1)",
    ),
    Block("the number of bits of X that are 1", lambda x, y, w: x.bit_count() % 2**w, lambda x, y, w: " + ".join(_bits(x, w))),
    Block(
        "X + Y, or 2 ** W - 1 if the sum is more than that",
        lambda x, y, w: min(x + y, 2**w - 1),
        lambda x, y, w: f"{{1'b0, {x}}} + {y} > {w + 1}'d{2**w - 1} ? {w}'d{2**w - 1} : {x} + {y}",
    ),
    Block("X - Y, or 0 if the difference is negative", lambda x, y, w: max(x - y, 0), lambda x, y, w: f"{x} > {y} ? {x} - {y} : {w}'d0"),
    Block(
        "the Gray code of X: its bits combined by exclusive or with those of X // 2",
        lambda x, y, w: x ^ x >> 1,
        lambda x, y, w: f"{x} ^ {x}[{w - 1}:1]",
    ),
)
FLAGS = (
    Block("X is less than Y", lambda x, y, w: int(x < y), lambda x, y, w: f"{x} < {y}"),
    Block("X equals Y", lambda x, y, w: int(x == y), lambda x, y, w: f"{x} == {y}"),
    Block("an odd number of bits of X are 1", lambda x, y, w: x.bit_count() % 2, lambda x, y, w: f"^{x}"),
    Block("X and Y have no 1 at the same position", lambda x, y, w: int(not x & y), lambda x, y, w: f"!({x} & {y})"),
    Block("X + Y is 2 ** W or more", lambda x, y, w: (x + y) >> w, lambda x, y, w: f"{{1'b0, {x}}} + {y} > {w + 1}'d{2**w - 1}"),
    Block("X is a multiple of 3", lambda x, y, w: int(x % 3 == 0), lambda x, y, w: _any_of(x, w, range(0, 2**w, 3))),
    Block("X is a power of 2", lambda x, y, w: int(x.bit_count() == 1), lambda x, y, w: _any_of(x, w, [2**i for i in range(w)])),
    Block(
        "X is less than Y when both are read as two's complement numbers of W bits",
        lambda x, y, w: int((x ^ 2 ** (w - 1)) < (y ^ 2 ** (w - 1))),
        lambda x, y, w: f"{x}[{w - 1}] ^ {y}[{w - 1}] ? {x}[{w - 1}] : {x} < {y}",
    ),
    Block(
        "more bits of X are 1 than of Y",
        lambda x, y, w: int(x.bit_count() > y.bit_count()),
        lambda x, y, w: f"3'd0 + {' + '.join(_bits(x, w))} > 3'd0 + {' + '.join(_bits(y, w))}",
    ),
)


@dataclass(frozen=True)
class Step:
    """A block with the names, or the number, that it is made of."""

    block: Block
    x: str
    y: str
    inner: Step | None = None  # stands for x


@dataclass(frozen=True)
class Circuit:
    """What y is: that of the first case whose condition holds, or of the last, which has none; and z, if there is one, two flags combined."""

    width: int
    cases: tuple[tuple[Step | None, Step], ...]
    flags: tuple[Step, Step] | None
    how: str  # and, or, exclusive or


def sample(rng: Rng, width: int, cases: int, kinds: int, nested: int, flags: bool) -> Circuit:
    """A circuit of the inputs a and b, and c and d for further conditions."""
    pairs: list[tuple[Step | None, Step]] = []
    for i, (value, flag) in enumerate(
        zip(rng.sample(VALUES[:kinds], cases), rng.sample(FLAGS[: max(cases, kinds - 5)], cases), strict=True)
    ):
        step = _step(rng, value, width)
        if i < nested:
            step = replace(
                step, inner=_step(rng, rng.choice([other_kind for other_kind in VALUES[:kinds] if other_kind is not value]), width)
            )
        pairs.append((_step(rng, flag, width) if i < cases - 1 else None, step))
    pair = [_step(rng, flag, width) for flag in rng.sample(FLAGS[: max(2, kinds - 5)], 2)]
    return Circuit(width, tuple(pairs), (pair[0], pair[1]) if flags else None, rng.choice(("and", "or", "exclusive or")))


def _step(rng: Rng, block: Block, width: int) -> Step:
    x, y = ("a", "b") if rng.chance(0.5) else ("b", "a")
    # Some blocks take single bits of what is at the second place.
    plain = "[" not in block.verilog("x", "y", width).replace("x[", "")
    return Step(block, x, str(rng.integer(1, 2**width - 1)) if plain and rng.chance(0.4) else y)


def _describe(step: Step, width: int) -> str:
    x = f"({_describe(step.inner, width)})" if step.inner else step.x
    words = step.block.words
    if step.y.isdecimal():
        # The bits of a number that is given need not be worked out.
        at = [str(i) for i in range(width) if int(step.y) >> i & 1]
        listed = f"X with {'bits' if len(at) > 1 else 'bit'} {join_words(at)} "
        words = words.replace("X with its bits inverted where Y has a 1", f"{listed}inverted")
        words = words.replace("X with its bits set to 0 where Y has a 1", f"{listed}set to 0")
    sized = words.replace("2 ** W - 1", str(2**width - 1)).replace("2 ** W", str(2**width)).replace("W bits", f"{width} bits")
    return sized.replace("X", "\0").replace("Y", step.y).replace("\0", x)


def words(circuit: Circuit) -> str:
    """The specification, a line for each output, with what is between taken at full size."""
    lines = []
    for i, (test, step) in enumerate(circuit.cases):
        start = "otherwise, " if test is None else f"{'otherwise, if' if i else 'If'} {_describe(test, circuit.width)}, "
        lines.append(f"{start}y is {_describe(step, circuit.width)}")
    text = ";\n".join(lines) + "."
    if circuit.flags:
        first, second = (_describe(flag, circuit.width) for flag in circuit.flags)
        joined = {"and": "both hold", "or": "at least one holds", "exclusive or": "exactly one holds"}[circuit.how]
        text += f"\nz is 1 if of these two conditions {joined}, and 0 if not: (1) {first}; (2) {second}."
    return text


def _evaluate_step(step: Step, a: int, b: int, width: int) -> int:
    x, y = (int(name) if name.isdecimal() else {"a": a, "b": b}[name] for name in (step.x, step.y))
    return step.block.meaning(_evaluate_step(step.inner, a, b, width) if step.inner else x, y, width)


def evaluate_circuit(circuit: Circuit, a: int, b: int) -> tuple[int, int]:
    """What y and z are; z is 0 where there is none."""
    y = next(
        _evaluate_step(step, a, b, circuit.width)
        for test, step in circuit.cases
        if test is None or _evaluate_step(test, a, b, circuit.width)
    )
    if not circuit.flags:
        return y, 0
    first, second = (_evaluate_step(flag, a, b, circuit.width) for flag in circuit.flags)
    return y, {"and": first & second, "or": first | second, "exclusive or": first ^ second}[circuit.how]


def tables(circuit: Circuit) -> dict[str, list[int]]:
    """The outputs for all inputs, a bit for each combination, of which a has the lower bits."""
    w = circuit.width
    rows = [evaluate_circuit(circuit, k % 2**w, k >> w) for k in range(4**w)]
    by_output = {"y": [sum((y >> i & 1) << k for k, (y, _) in enumerate(rows)) for i in range(w)]}
    return by_output | ({"z": [sum(z << k for k, (_, z) in enumerate(rows))]} if circuit.flags else {})


def verilog(circuit: Circuit) -> list[str]:
    """The items of a module, a wire for each step."""
    lines = list[str]()
    w = circuit.width

    def wire(step: Step, width: int) -> str:
        x = wire(step.inner, w) if step.inner else step.x
        y = f"{w}'d{step.y}" if step.y.isdecimal() else step.y
        lines.append(f"  wire {f'[{width - 1}:0] ' if width > 1 else ''}n{len(lines)} = {step.block.verilog(x, y, w)};")
        return f"n{len(lines) - 1}"

    cases = [(wire(test, 1) if test else "", wire(step, w)) for test, step in circuit.cases]
    lines.append(f"  assign y = {' : '.join(f'{test} ? {value}' if test else value for test, value in cases)};")
    if circuit.flags:
        sign = {"and": "&", "or": "|", "exclusive or": "^"}[circuit.how]
        first, second = (wire(flag, 1) for flag in circuit.flags)
        lines.append(f"  assign z = {first} {sign} {second};")
    return lines


def near_miss_circuits(circuit: Circuit) -> list[Circuit]:
    """Circuits that a careless reader would take for this one."""
    variants = [replace(circuit, cases=circuit.cases[1:])] if len(circuit.cases) > 1 else []
    for i, (test, step) in enumerate(circuit.cases):
        other = replace(step, x=step.y, y=step.x)
        variants.append(replace(circuit, cases=(*circuit.cases[:i], (test, other), *circuit.cases[i + 1 :])))
        if step.inner:
            variants.append(replace(circuit, cases=(*circuit.cases[:i], (test, replace(step, inner=None)), *circuit.cases[i + 1 :])))
        if test:
            turned = replace(test, x=test.y, y=test.x)
            variants.append(replace(circuit, cases=(*circuit.cases[:i], (turned, step), *circuit.cases[i + 1 :])))
    if circuit.flags:
        variants += [replace(circuit, how=how) for how in ("and", "or", "exclusive or") if how != circuit.how]
    return variants
