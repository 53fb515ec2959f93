"""A random chain of steps with branches and remembered values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from textwrap import indent

from rlgym.core.rng import Rng
from rlgym.generators.programs.list_ends import ENDS, return_list
from rlgym.generators.programs.list_steps import STEPS
from rlgym.generators.programs.pipeline_steps import Step, add_constant, conditional


def pipeline(rng: Rng, length: int, kinds: int, branches: int) -> list[Step]:
    """`length` steps of the first `kinds` kinds, `branches` of them with two ways to go, and one that ends it."""
    makers = rng.sample(STEPS[:kinds], min(length, kinds))
    steps = [_sample_step(rng, maker) for maker in makers]
    for i in rng.sample(range(len(steps)), min(branches, len(steps))):
        steps[i] = _branch(rng, steps[i], kinds) if rng.chance(0.5) else _aggregate_step(rng, kinds)
    return [*steps, _sample_step(rng, rng.choice(ENDS[:kinds]))]


def _sample_step(rng: Rng, maker: Callable[[Rng], Step]) -> Step:
    return replace(maker(rng), redrawn=maker)


def _branch(rng: Rng, first: Step, kinds: int) -> Step:
    """One of two steps, by what the list looks like at that point."""
    second = _sample_step(rng, rng.choice(STEPS[:kinds]))
    condition = rng.choice(
        (
            ("the list has an even number of values", "len(values) % 2 == 0", lambda values: len(values) % 2 == 0),
            ("the sum of the values is negative", "sum(values) < 0", lambda values: sum(values) < 0),
            ("some value occurs more than once", "len(set(values)) < len(values)", lambda values: len(set(values)) < len(values)),
        )
    )
    return _conditional_step(condition, first, second)


def _conditional_step(condition: tuple[str, str, Callable[[list[int]], bool]], one: Step, other: Step) -> Step:
    """One of two steps, by the condition."""
    words, code, holds = condition
    close = {
        "sum(values) < 0": (("sum(values) <= 0", lambda values: sum(values) <= 0), ("sum(values) < -1", lambda values: sum(values) < -1))
    }

    def either(first: str, second: str, code: str = code) -> str:
        return f"if {code}:\n{indent(first, '    ')}\nelse:\n{indent(second, '    ')}"

    return Step(
        f"if {words} at this point, {one.words}. Otherwise, {other.words}",
        either(one.code, other.code),
        either(one.other, other.other),
        conditional(holds, one.meaning, other.meaning),
        (
            (either(other.code, one.code), conditional(holds, other.meaning, one.meaning)),
            (one.code, one.meaning),
            (other.code, other.meaning),
            *((either(one.code, other.code, near), conditional(test, one.meaning, other.meaning)) for near, test in close.get(code, ())),
            *((either(near, other.code), conditional(holds, meaning, other.meaning)) for near, meaning in one.near),
            *((either(one.code, near), conditional(holds, one.meaning, meaning)) for near, meaning in other.near),
        ),
        lambda rng: _conditional_step(condition, *_redraw_one(rng, one, other)),
        (one.meaning, other.meaning),
    )


def _redraw_one(rng: Rng, first: Step, second: Step) -> tuple[Step, Step]:
    if first.redrawn is not None and rng.chance(0.5):
        return first.redrawn(rng), second
    return first, second.redrawn(rng) if second.redrawn is not None else second


def _aggregate_step(rng: Rng, kinds: int) -> Step:
    """A number taken from the whole list changes every value."""
    ends = [end for end in ENDS[:kinds] if end is not return_list]
    return _added_to_each(_sample_step(rng, rng.choice(ends)))


def _added_to_each(end: Step) -> Step:
    words = end.words.removeprefix("return ")
    return Step(
        f"add one number, computed from the list before this step, to each value: {words}",
        f"kept = values\n{end.code}\nvalues = [v + values for v in kept]",
        f"kept = list(values)\n{end.other}\nnumber = values\nvalues = [number + v for v in kept]",
        add_constant(end.meaning),
        tuple((f"kept = values\n{code}\nvalues = [v + values for v in kept]", add_constant(meaning)) for code, meaning in end.near),
        (lambda rng: _added_to_each(end.redrawn(rng) if end.redrawn is not None else end)),
    )
