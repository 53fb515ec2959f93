"""Loops of millions of passes: what their structure gives is what the passes give, one after the other."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from rlgym import Rng
from rlgym.generators.programs import long_loops
from rlgym.generators.programs.long_loops import LongLoop


def _after_passes(loop: LongLoop) -> list[int]:
    """Runs the body of the loop until a list comes again."""
    head, body = re.split(r"for _ in range\(\d+\):\n    ", loop.code)
    times = int(re.findall(r"range\((\d+)\)", loop.code)[0])
    scope: dict[str, Any] = {}
    exec(f"{head}\ndef one_pass(values):\n    {body}\n    return values", scope)  # noqa: S102 -- a statement of the generator
    return long_loops.repeat_passes(scope["one_pass"], loop.values, times)[0]


@pytest.mark.parametrize(
    "make", [long_loops.solitaire, long_loops.carousel, long_loops.sample_mixing_loop, partial(long_loops.sample_mixing_loop, squared=True)]
)
def test_the_stages_end_where_the_passes_do(make: Callable[[Rng], LongLoop]) -> None:
    for seed in range(4):
        loop = make(Rng("loops", seed))
        assert loop.stages[-1][1] == _after_passes(loop)


def test_modulo_a_square_the_rule_for_primes_gives_another_list() -> None:
    loops = [long_loops.sample_mixing_loop(Rng("squares", seed), squared=True) for seed in range(20)]
    # The first slip takes p ** k passes for one with the neighbour p ** k places away.
    assert all(len(loop.slips) > len(loop.stages) and loop.slips[0] != loop.stages[-1][1] for loop in loops)


def test_a_list_that_never_comes_again_is_followed_to_the_last_pass() -> None:
    assert long_loops.repeat_passes(lambda values: [values[0] + 2], [1], 50) == ([101], 50, 0)
    assert long_loops.repeat_passes(lambda values: [min(values[0] + 1, 5)], [1], 10**9) == ([5], 4, 1)
