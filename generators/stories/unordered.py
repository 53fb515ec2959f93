"""Changes by percentages and by numbers whose order is unknown, found from what they lead to.

A number that is added counts as often as the percentages after it say. For each order of the percentages the places of the numbers are a sum to be hit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import prod

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.calculations import format_decimal
from rlgym.solutions import Derivation, Step

PERCENTS = (10, 15, 20, 25, 30, 35, 40, 45, 50, 60, 75, 80)
LETTERS = "ABCDEFGH"
WHOLE_START = 20  # where the start is asked for, it is a multiple of this
TRIED = Step(
    "With the percentages in the order {order}, a number counts {weights} times by its place; together the numbers must bring {due}: {places}."
)
ORDER = Step("So the order is {order}, where numbers next to each other may change places.")
VALUE = Step("{when} it is {value}.")


class Changes(TaskData):
    """Percentages (negative where it falls) and numbers, each with a letter, in some order; `after` is the amount at the end.

    Either `start` is known and the amount right before the change `asked`, a percentage, is asked for; or that amount is `before`, and the start is asked for.
    """

    percents: tuple[tuple[str, int], ...]
    numbers: tuple[tuple[str, int], ...]
    after: tuple[int, int]
    asked: str
    start: int | None = None
    before: tuple[int, int] | None = None


Order = tuple[str, ...]
Trial = tuple[Order, tuple[Fraction, ...], Fraction, list[tuple[int, ...]]]


def run(changes: Changes, order: Sequence[str], start: Fraction) -> list[Fraction]:
    """The amounts at the start and after each change."""
    percents, numbers = dict(changes.percents), dict(changes.numbers)
    amounts = [start]
    for letter in order:
        amounts.append(amounts[-1] + numbers[letter] if letter in numbers else amounts[-1] * (100 + percents[letter]) / 100)
    return amounts


@lru_cache(maxsize=64)
def all_trials(changes: Changes) -> tuple[Trial, ...]:
    """The trials as a list that is made once."""
    return tuple(trials(changes))


def trials(changes: Changes) -> Iterator[Trial]:
    """For each order of the percentages: how often a number counts by its place, what the numbers must bring, and the places that bring it.

    The place of a number is how many percentages come before it.
    """
    percents, size = dict(changes.percents), len(changes.percents)
    for order in permutations(percents):
        factors = [100 + percents[letter] for letter in order]
        first = 0 if changes.before is None else order.index(changes.asked) + 1  # the place from which on a number counts
        weights = [prod(factors[place:]) * 100**place if place >= first else 0 for place in range(size + 1)]
        known = Fraction(changes.start or 0) if changes.before is None else Fraction(*changes.before)
        if changes.before is not None:
            factors = factors[first - 1 :]
        due = Fraction(*changes.after) * 100**size - known * prod(factors) * 100 ** (size - len(factors))
        scale, half = 100**size, len(changes.numbers) // 2
        numbers = [number for _, number in changes.numbers]
        found = dict[int, list[tuple[int, ...]]]()
        for total, places in _sums(numbers[half:], weights):
            found.setdefault(total, []).append(places)
        fitting = [
            (*first_places, *rest) for total, first_places in _sums(numbers[:half], weights) for rest in found.get(int(due) - total, ())
        ]
        yield order, tuple(Fraction(weight, scale) for weight in weights), due / scale, fitting if due.denominator == 1 else []


def _sums(numbers: Sequence[int], weights: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
    """What the numbers bring, for each choice of their places."""
    sums: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    for number in numbers:
        sums = [(total + number * weight, (*places, place)) for total, places in sums for place, weight in enumerate(weights)]
    return sums


def orders(changes: Changes) -> Iterator[Order]:
    """Every order that leads to the end; numbers between the same percentages stand in the order of their letters."""
    for order, _, _, found in trials(changes):
        for places in found:
            yield _merged(changes, order, places)


def has_one_answer(changes: Changes) -> bool:
    """Whether the amount asked for is determined; the search ends at a second one."""
    first: Fraction | None = None
    for order in orders(changes):
        answer = answer_of(changes, order)
        if answer is not None and first is not None and answer != first:
            return False
        first = answer if first is None else first
    return first is not None


def answer_of(changes: Changes, order: Order) -> Fraction | None:
    """The amount asked for if this is the order; None where the start would not be a multiple of 20 above 0."""
    until = order[: order.index(changes.asked)]
    if changes.before is None:
        return run(changes, until, Fraction(changes.start or 0))[-1]
    percents, numbers = dict(changes.percents), dict(changes.numbers)
    over, under = changes.before
    for letter in reversed(until):  # in integers, which are faster than fractions
        if letter in numbers:
            over -= numbers[letter] * under
        else:
            over, under = over * 100, under * (100 + percents[letter])
    return Fraction(over, under) if over > 0 and over % (WHOLE_START * under) == 0 else None


@lru_cache(maxsize=64)
def answers_by_meeting(changes: Changes) -> set[Fraction]:
    """The same answers by another route: amounts after some of the changes that are also amounts before the rest of them."""
    letters = frozenset(letter for letter, _ in (*changes.percents, *changes.numbers))
    after, asked = Fraction(*changes.after), changes.asked
    if changes.before is not None:
        middle = Fraction(*changes.before)
        later = _reached(changes, middle, letters, len(letters), forwards=True)
        befores = [letters - some for some, amounts in later.items() if asked in some and any(amount == after for amount, _ in amounts)]
        starts = {some: _reached(changes, middle, some, len(some), forwards=False)[some] for some in befores}
        return {start for amounts in starts.values() for start, _ in amounts if start > 0 and start % WHOLE_START == 0}
    half = len(letters) // 2
    first = _reached(changes, Fraction(changes.start or 0), letters, half, forwards=True)
    last = _reached(changes, after, letters, len(letters) - half, forwards=False)
    found = set[Fraction]()
    for some, amounts in first.items():
        ends = dict[Fraction, set[Fraction | None]]()
        for amount, seen in last.get(letters - some, ()):
            ends.setdefault(amount, set()).add(seen)
        found |= {
            value for amount, seen in amounts for other in ends.get(amount, ()) if (value := seen if other is None else other) is not None
        }
    return found


def _reached(
    changes: Changes, start: Fraction, letters: frozenset[str], steps: int, forwards: bool
) -> dict[frozenset[str], set[tuple[Fraction, Fraction | None]]]:
    """The amounts after (or before) each set of so many changes, each with the amount before the change asked for, if that is among them.

    Where `start` is the amount before the change asked for, that change comes first, and sets of any size are listed.
    """
    percents, numbers = dict(changes.percents), dict(changes.numbers)
    from_asked = changes.before is not None and forwards
    layer: dict[frozenset[str], set[tuple[Fraction, Fraction | None]]] = {frozenset(): {(start, None)}}
    listed = dict(layer)
    for step in range(steps):
        following: dict[frozenset[str], set[tuple[Fraction, Fraction | None]]] = {}
        for some, pairs in layer.items():
            for letter in (changes.asked,) if from_asked and step == 0 else letters - some:
                reached = following.setdefault(some | {letter}, set())
                for amount, seen in pairs:
                    if letter in numbers:
                        new = amount + (numbers[letter] if forwards else -numbers[letter])
                    else:
                        new = amount * (100 + percents[letter]) / 100 if forwards else amount * 100 / (100 + percents[letter])
                    reached.add((new, (amount if forwards else new) if letter == changes.asked else seen))
        layer = following
        listed |= layer
    return listed if from_asked else layer


def sample_changes(rng: Rng, count: int, reverse: bool) -> tuple[Changes, Fraction]:
    """Changes in an order that need not be unique, with one possible answer; `reverse` asks for the start."""
    while True:
        letters, some = rng.shuffled(LETTERS[:count]), count // 2
        percents = tuple((letter, p * rng.choice((1, -1))) for letter, p in zip(letters, rng.sample(PERCENTS, some)))
        start = WHOLE_START * rng.integer(15, 100)
        sizes = rng.sample(range(2, max(12, start // 25)), count - some)
        numbers = tuple((letter, 10 * size * rng.choice((1, 1, -1))) for letter, size in zip(letters[some:], sizes))
        changes = Changes(percents=percents, numbers=numbers, after=(0, 1), asked=rng.choice(letters[:some]))
        order = tuple(rng.shuffled(letters))
        amounts = run(changes, order, Fraction(start))
        before, after = amounts[order.index(changes.asked)], amounts[-1]
        if min(amounts) <= 0 or (100 * after).denominator > 1 or (100 * before).denominator > 1 or order.index(changes.asked) < 2:
            continue
        ends = {"after": (after.numerator, after.denominator)}
        changes = changes.model_copy(
            update={**ends, "before": (before.numerator, before.denominator)} if reverse else {**ends, "start": start}
        )
        if has_one_answer(changes):
            return changes, Fraction(start) if reverse else before


def derive(changes: Changes) -> Derivation:
    """Every order of the percentages is tried; then the amounts in an order that leads to the end."""
    for order, weights, due, found in all_trials(changes):
        fitting = [places for places in found if answer_of(changes, _merged(changes, order, places)) is not None]
        shown = "; or ".join(
            ", ".join(f"{letter} after {place}" for (letter, _), place in zip(changes.numbers, places)) for places in fitting
        )
        yield TRIED(
            order=" ".join(order), weights=", ".join(map(format_decimal, weights)), due=format_decimal(due), places=shown or "never"
        )
    order = next(
        merged
        for percents, _, _, found in all_trials(changes)
        for places in found
        if answer_of(changes, merged := _merged(changes, percents, places)) is not None
    )
    answer = answer_of(changes, order) or Fraction(0)
    yield ORDER(order=" ".join(order))
    start = Fraction(changes.start or 0) if changes.before is None else answer
    for letter, amount in zip(("At the start", *(f"After {letter}" for letter in order)), run(changes, order, start)):
        yield VALUE(when=letter, value=format_decimal(amount))


def _merged(changes: Changes, percents: Sequence[str], places: Sequence[int]) -> Order:
    out = list[str]()
    for place in range(len(percents) + 1):
        out += [letter for (letter, _), at in zip(changes.numbers, places) if at == place]
        out += percents[place : place + 1]
    return tuple(out)
