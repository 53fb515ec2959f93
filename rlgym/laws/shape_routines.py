"""Routines that read from a prompt only which shape an answer has, and fill that shape: spaced points, short words, what is mentioned most."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from rlgym.laws.prompt_parts import PromptParts

Items = Sequence[str]

RANGES = 2
COUNTS = 2
MOST_PLACES = 24
MOST_NAMES = 40
NUMBERS_AT_AN_END = 6
LONGEST_WORD = 4


def shaped_answers(parts: PromptParts) -> Iterator[tuple[str, Items]]:
    """(routine, items) for every routine that finds something to answer with."""
    for family in (
        _mentions,
        _neighbours,
        _partitions,
        _inputs,
        _short_words,
        _between_points,
        _option_letters,
        _contradictions,
        _verdicts,
    ):
        yield from family(parts)


def _mentions(parts: PromptParts) -> Iterator[tuple[str, Items]]:
    """The names that the prompt mentions most often or last, as many as a small number says; and a fraction 1/n of its numbers."""
    for kind in ("names", "letters", "labels"):
        names = list(dict.fromkeys(name.rstrip(":") for name in parts.sequences.get(kind, [])))
        if not 1 < len(names) <= MOST_NAMES:
            continue
        often = {name: len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", parts.text)) for name in names}
        orders = {
            "mentioned most": sorted(names, key=lambda name: -often[name]),
            "mentioned least": sorted(names, key=lambda name: often[name]),
            "mentioned last": sorted(names, key=parts.text.rfind, reverse=True),
        }
        for (order, ordered), many in product(orders.items(), (1, 2, 3, len(names) // 2, len(names) - 1)):
            amount = str(many) if many < 4 else "half" if many == len(names) // 2 else "all but one"
            yield f"{amount} of the {kind} {order}", ordered[:many]
            yield f"{amount} of the {kind} {order}, in order", sorted(ordered[:many], key=names.index)
    for at, number in enumerate(parts.integers[::-1][:RANGES]):
        yield f"1 divided by number {at + 1} from the end", [f"1/{number}"]


def _neighbours(parts: PromptParts) -> Iterator[tuple[str, Items]]:
    """A number beside one of the prompt, its double and its half, and the middle one of all numbers."""
    numbers = parts.integers
    if not numbers:
        return
    ends = {f"number {k + 1}": each for k, each in enumerate(numbers[:NUMBERS_AT_AN_END])}
    ends |= {f"number {k} from the end": numbers[-k] for k in range(1, min(NUMBERS_AT_AN_END, len(numbers)) + 1)}
    ends |= {"the greatest number": max(numbers), "the least number": min(numbers)}
    for name, number in ends.items():
        yield f"{name} plus 1", [str(number + 1)]
        yield f"{name} less 1", [str(number - 1)]
        yield f"{name} doubled", [str(2 * number)]
        yield f"{name} halved", [str(number // 2)]
    yield "the middle one of all numbers", [str(sorted(numbers)[len(numbers) // 2])]


def _partitions(parts: PromptParts) -> Iterator[tuple[str, Items]]:
    """Points from one end of a stated range to the other, in as many pieces as the prompt states: crowded to one end, or to both."""
    for place, (low, high) in enumerate(parts.ranges[:RANGES], 1):
        for at, pieces in enumerate(_small_counts(parts.counts), 1):
            shares = [Fraction(step, pieces) for step in range(pieces + 1)]
            how = f"range {place} in as many pieces as count {at}"
            for crowded, bent in (("low", [share**2 for share in shares]), ("high", [1 - (1 - share) ** 2 for share in shares])):
                yield f"{how}, crowded to the {crowded} end", [str(low + (high - low) * share) for share in bent]
            yield f"{how}, cubes", [str(low + (high - low) * share**3) for share in shares]
            yield f"{how}, cubes from the high end", [str(high - (high - low) * (1 - share) ** 3) for share in shares]


def _inputs(parts: PromptParts) -> Iterator[tuple[str, Items]]:
    """Lists of as many values of a stated range as the prompt states: rising, falling, the ends in turn, all alike; also with a second value."""
    for place, (low, high) in enumerate(parts.ranges[:RANGES], 1):
        second = [
            (f" and {name}", value)
            for name, value in (("its least value", low), ("its greatest value", high), ("its middle", (low + high) // 2))
        ]
        for at, count in enumerate(_small_counts(parts.counts), 1):
            rising = [low + (high - low) * step // max(count - 1, 1) for step in range(count)]
            lists = {
                "rising": rising,
                "falling": rising[::-1],
                "step by step": [min(high, low + step) for step in range(count)],
                "the ends in turn": [(low, high)[step % 2] for step in range(count)],
                "the greatest throughout": [high] * count,
                "the least throughout": [low] * count,
                "the middle throughout": [(low + high) // 2] * count,
            }
            for name, values in lists.items():
                how = f"values of range {place}, {name}, as many as count {at}"
                yield how, [str(value) for value in values]
                for other, value in second:
                    yield how + other, [f"({values}, {value})"]
        for first, (name, value) in product((low, high, (low + high) // 2), second):
            yield f"two values of range {place}: {first - low} above the least{name}", [f"({first}, {value})"]


def _short_words(parts: PromptParts) -> Iterator[tuple[str, Items]]:
    """Every short word over the first two letters of the first alphabet that the prompt lists."""
    alphabets = (*parts.lists, parts.sequences.get("letters", []))
    letters = next((items for items in alphabets if len(items) > 1 and all(len(item) == 1 and item.isalnum() for item in items)), [])[:2]
    for length in range(1, LONGEST_WORD + 1) if letters else ():
        for places in product(range(2), repeat=length):
            yield f"the word {''.join(map(str, places))} over the first two letters", ["".join(letters[place] for place in places)]
    for length in range(LONGEST_WORD + 1, 9) if letters else ():
        for first in (0, 1):
            word = [letters[(first + place) % 2] for place in range(length)]
            yield f"{length} letters in turn from letter {first}", ["".join(word)]
            yield f"letter {first} {length} times", [letters[first] * length]


def _between_points(parts: PromptParts) -> Iterator[tuple[str, Items]]:
    """The middle of two points and of all, and the points beside the first."""
    points = parts.points[:12]
    if len(points) < 2:
        return
    for name, few in (("the first two points", points[:2]), ("the last two points", points[-2:]), ("all points", points)):
        yield f"the middle of {name}", [str(sum(each[axis] for each in few) // len(few)) for axis in (0, 1)]
    for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        yield f"the first point moved by {x}, {y}", [str(points[0][0] + x), str(points[0][1] + y)]


def _option_letters(parts: PromptParts) -> Iterator[tuple[str, Items]]:
    """The letters of one of the first options, without its signs; of alternatives the first ones."""
    for at, option in enumerate(parts.sequences.get("options", [])[:4], 1):
        plain = re.sub(r"\\.|\W", "", option)
        yield f"the letters of option {at}", [plain]
        yield f"the first alternatives of option {at}", [re.sub(r"\W", "", re.sub(r"\|\w+", "", option))]


def _contradictions(parts: PromptParts) -> Iterator[tuple[str, Items]]:
    """The labels of the first two options of which one is the negation of the other."""
    options = dict(zip(parts.sequences.get("options", []), parts.sequences.get("labels", []), strict=False))
    for option, label in options.items():
        if f"not {option}" in options:
            yield "a statement and its negation", [label, options[f"not {option}"]]
            return


def _verdicts(parts: PromptParts) -> Iterator[tuple[str, Items]]:
    """Yes or no with one number of the prompt."""
    numbers = list(dict.fromkeys(parts.sequences.get("numbers", [])))
    for verdict, (place, few) in product(("yes", "no"), (("first", numbers[:1]), ("second", numbers[1:2]), ("last", numbers[-1:]))):
        yield f"{verdict} with the {place} number", [verdict, *few]


def _small_counts(counts: Sequence[int]) -> list[int]:
    return [count for count in counts if 1 < count <= MOST_PLACES][:COUNTS]
