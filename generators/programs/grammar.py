"""Random programs with an intent: loops that gather, count, search, simulate and rewrite, put together to functions `solve`.

`kinds` opens further kinds of blocks, `nesting` puts loops and branches into each other, `helpers` brings in other functions (the
last of them recursive), so that what is hard about a program is how it works and not only how long it is.

A hundred thousand draws of one block of three plain kinds gave 99,712 programs that differ in more than numbers; of two blocks of
eight kinds, or four, no two were the same.
"""

from __future__ import annotations

from collections.abc import Callable

from rlgym.core.rng import Rng
from rlgym.generators.programs.grammar_blocks import BLOCKS, ON_LISTS, indent, result
from rlgym.generators.programs.grammar_expressions import Lines, Shape, Sketch

TRIES = 12
KINDS = len(BLOCKS)


def program(rng: Rng, shape: Shape, fits: Callable[[str], bool] = lambda text: True) -> str:
    """The text of a program with a function `solve`. A block after which the program does not fit is drawn again, a few times."""
    helpers = [(f"{name}({', '.join('ab'[:count])})", body) for name, count, body in _helpers(rng, shape.helpers)]
    parameters = {"list": ("values",), "numbers": ("a", "b"), "both": ("values", "k")}[shape.takes]
    before = "".join(f"def {head}:\n{_text(indent(body))}\n\n" for head, body in helpers) + f"def solve({', '.join(parameters)}):\n"
    sketch = Sketch(rng, shape, helpers=[head for head, _ in helpers], used=set(parameters), fixed={"a", "b", "k"})
    sketch.lists += [name for name in parameters if name == "values"]
    sketch.ints += [name for name in parameters if name != "values"]
    lines = [sketch.new(), sketch.new()]
    for _ in range(shape.blocks):
        for _ in range(TRIES):
            trial = sketch.copied()
            able = [block for block in BLOCKS[: shape.kinds] if trial.lists or block not in ON_LISTS]
            added = rng.choice(able)(trial)
            if fits(
                before + _text(indent([*lines, *added, f"return {', '.join(name for name in trial.ints if name not in trial.fixed)}"]))
            ):
                break
        del trial.ints[len(sketch.ints) + 3 :], trial.lists[len(sketch.lists) + 2 :]
        sketch, lines = trial, lines + added
    return before + _text(indent([*lines, f"return {result(sketch)}"]))


def _text(lines: Lines) -> str:
    return "\n".join(lines)


def _helpers(rng: Rng, count: int) -> list[tuple[str, int, Lines]]:
    """Other functions of numbers: name, parameters, lines. The third calls itself."""
    factor, two, base = rng.integer(2, 5), rng.integer(3, 9), rng.integer(2, 3)
    plain = (
        ("clip", 2, [f"if a > b + {two}:", f"    return b + {two}", "if a < b:", f"    return b - {factor}", "return a"]),
        ("mix", 2, [f"if (a + b) % {factor} == 0:", f"    return a - b // {factor}", f"return {factor} * b - a % {two}"]),
        ("fold", 1, [f"while a >= {two}:", f"    a = a // {factor} + a % {factor}", f"return a + {base}"]),
        ("turn", 2, ["for _ in range(3):", f"    a, b = b, (a + {factor} * b) % {two + 10}", "return a"]),
    )
    down = f"    return walk(a // 2 - b // {factor + 1}, b // 2) + 1"
    recursive = (
        ("halve", 1, ["if a < 2:", f"    return {factor}", f"return halve(a // {base}) + a % {two}"]),
        ("walk", 2, ["if a <= 0 or b <= 0:", "    return a + b", "if a > b:", down, "return walk(b // 2, a // 2)"]),
    )
    return [*rng.sample(plain, min(count, 2)), *([rng.choice(recursive)] if count > 2 else [])]
