"""Loops that run far too often to be followed pass by pass: each has a structure by which the list after the last pass is found.

A loop is a statement on `values`, the list that it starts from, and the list after some of its passes up to the last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from rlgym.core.rng import Rng
from rlgym.generators.text.english import count_noun

Values = list[int]


@dataclass(frozen=True)
class LongLoop:
    """A loop, its first list, the passes in stages (in words, with the list after them), and what slips in the count lead to."""

    code: str
    values: Values
    stages: tuple[tuple[str, Values], ...]
    slips: tuple[Values, ...]


def repeat_passes(one_pass: Callable[[Values], Values], values: Values, times: int) -> tuple[Values, int, int]:
    """The list after so many passes, the passes before it first comes again, and the length of the cycle; the cycle must not be long."""
    seen: dict[tuple[int, ...], int] = {}
    states: list[Values] = []
    while tuple(values) not in seen:
        if len(states) == times:
            return values, times, 0
        seen[tuple(values)] = len(states)
        states.append(values)
        values = one_pass(values)
    first = seen[tuple(values)]
    cycle = len(states) - first
    return states[first + (times - first) % cycle], first, cycle


def solitaire(rng: Rng) -> LongLoop:
    """Bulgarian solitaire: takes one from each heap for a new heap, which ends in a cycle."""
    while True:
        values = sorted(rng.integer(1, 9) for _ in range(rng.integer(4, 6)))
        times = rng.integer(10**6, 10**9)
        last, first, cycle = repeat_passes(_deal, values, times)
        if 19 <= sum(values) <= 30 and first >= 8 and cycle > 2:
            break
    turn = repeat_passes(_deal, values, first)[0]
    rest = (times - first) % cycle
    return LongLoop(
        f"for _ in range({times}):\n    values = sorted([v - 1 for v in values if v > 1] + [len(values)])",
        values,
        (
            (f"{first} passes lead to a list that comes again after {cycle} more passes", turn),
            (f"of the other {times - first} passes only {rest} count, the remainder modulo {cycle}", last),
        ),
        tuple(repeat_passes(_deal, values, times + more)[0] for more in (-1, 1, -first)),
    )


def _deal(values: Values) -> Values:
    return sorted([*(v - 1 for v in values if v > 1), len(values)])


def carousel(rng: Rng) -> LongLoop:
    """Moves values along the cycles of a permutation and adds to them on the way."""
    lengths = rng.choice(((3, 4), (2, 5), (4, 5), (3, 5), (2, 3, 4)))
    size, modulus = sum(lengths), rng.choice((89, 97, 101, 103))
    places, order, cycles = rng.shuffled(range(size)), [0] * size, []
    for length in lengths:
        cycle, places = places[:length], places[length:]
        cycles.append(cycle)
        for place, source in zip(cycle, cycle[1:] + cycle[:1], strict=True):
            order[place] = source
    values = [rng.integer(0, modulus - 1) for _ in range(size)]
    times = rng.integer(10**6, 10**9)
    turn = partial(_turn, order=order, modulus=modulus)
    last, _, _ = repeat_passes(turn, values, times)
    stages, now, left = list[tuple[str, Values]](), values, times
    for cycle in cycles:
        rounds, more, gain = times // len(cycle), times % len(cycle), sum(cycle)
        now = [last[i] if i in cycle else v for i, v in enumerate(now)]
        listed = ", ".join(map(str, sorted(cycle)))
        words = (
            f"at the places {listed}, {len(cycle)} passes bring each value back with {gain} more; "
            f"{left} passes are {rounds} such rounds and {more} passes"
        )
        stages.append((words, now))
    code = f"order = {order}\nfor _ in range({times}):\n    values = [(values[j] + j) % {modulus} for j in order]"
    return LongLoop(code, values, tuple(stages), tuple(repeat_passes(turn, values, times + more)[0] for more in (-1, 1)))


def _turn(values: Values, order: list[int], modulus: int) -> Values:
    return [(values[j] + j) % modulus for j in order]


def sample_mixing_loop(rng: Rng, *, squared: bool = False) -> LongLoop:
    """Adds multiples of neighbours modulo a prime p: p ** k passes are one pass with the neighbour p ** k places away.

    Modulo the square of p this is wrong: there p ** k passes are p passes with the neighbour p ** (k - 1) places away.
    """
    prime, size = rng.choice(((3, 7), (5, 7), (2, 11), (3, 11)) if squared else ((3, 7), (5, 7), (7, 5), (2, 11), (3, 11)))
    modulus, turns = (prime**2, prime) if squared else (prime, 1)
    a, b = (rng.choice([n for n in range(1, modulus) if n % prime]) for _ in range(2))
    least = next(power for power in range(30) if prime**power > 200_000)
    powers = sorted([*rng.sample(range(least, least + 4), 2), rng.integer(2, 4)], reverse=True)
    values = [rng.integer(0, modulus - 1) for _ in range(size)]
    body, stages, now, times = f"({_times(a)}v + {_times(b)}{{}}) % {modulus}", list[tuple[str, Values]](), values, 0
    for power in powers:
        away = prime ** (power - squared) % size
        for _ in range(turns):
            now = _mix(now, a, b, away, modulus)
        times += prime**power
        words = (
            f"{prime} ** {power} = {prime**power} passes are {turns} in which {body.format('w')} replaces each v, where w stands "
            f"{count_noun(away, 'place')} before it in the ring, as the other binomial coefficients are multiples of {modulus}; {times} passes are done"
        )
        stages.append((words, now))
    code = f"for _ in range({times}):\n    values = [{body.format('values[i - 1]')} for i, v in enumerate(values)]"
    slips = [values, values]
    for power in powers:
        slips[0] = _mix(slips[0], a, b, prime**power % size, modulus)
        slips[1] = _mix(slips[1], a, b, 1, modulus)
    return LongLoop(code, values, tuple(stages), (*(slip for slip in slips if slip != now), *(state for _, state in stages[:-1])))


def _times(factor: int) -> str:
    return f"{factor} * " if factor > 1 else ""


def _mix(values: Values, a: int, b: int, away: int, modulus: int) -> Values:
    return [(a * v + b * values[(i - away) % len(values)]) % modulus for i, v in enumerate(values)]


LOOPS: dict[str, tuple[Callable[[Rng], LongLoop], ...]] = {
    "repeating": (solitaire, carousel, sample_mixing_loop),
    "hidden": (partial(sample_mixing_loop, squared=True),),
}
