"""The skeleton of a text: how many words stand on each line, where sentences and paragraphs end. Found from what is asked of it."""

from typing import NamedTuple

from rlgym.core.rng import Rng

MOST_LINES = 12


class Wish(NamedTuple):
    """What a skeleton requires; 0 for no requirement. `needed` words need positions besides the first and last of each line."""

    lines: int = 0
    least_lines: int = 2
    words: int = 0
    line_words: int = 0
    least_words: int = 2
    pattern: str = ""
    refrain: bool = False
    sentences: int = 0
    sentence_most: int = 0
    marks: int = 1
    paragraphs: int = 0
    needed: int = 0


class Plan(NamedTuple):
    """The words of each sentence of each line, and the lines, from 0, that open a paragraph."""

    sentences: tuple[tuple[int, ...], ...]
    opens: tuple[int, ...]

    @property
    def sizes(self) -> list[int]:
        return [sum(line) for line in self.sentences]


def sample_plan(rng: Rng, wish: Wish) -> Plan | None:
    """A skeleton, or None where this try led nowhere."""
    least = max(wish.least_lines, wish.paragraphs, 3 if wish.pattern == "palindromic_lines" else 2)
    most = max(least, min(least + 3, MOST_LINES, *([wish.sentences] if wish.sentences else []), *([wish.words // 3] if wish.words else [])))
    lines = wish.lines or (wish.words // wish.line_words if wish.words and wish.line_words else rng.integer(least, most))
    sizes = _sizes(rng, wish, lines)
    if not sizes or lines < wish.paragraphs or min(sizes) < wish.least_words or (wish.words and sum(sizes) != wish.words):
        return None
    counts = _counts(rng, wish, sizes)
    if counts is None:
        return None
    opens = sorted(rng.sample(range(1, lines), max(wish.paragraphs, 1) - 1))
    return Plan(tuple(_split(size, count) for size, count in zip(sizes, counts, strict=True)), tuple(opens))


def _sizes(rng: Rng, wish: Wish, lines: int) -> list[int]:
    """The words of each line; an empty list where it cannot be."""
    if wish.line_words:
        return [wish.line_words] * lines
    rising = wish.pattern == "rising_lines"
    sizes = [wish.least_words + (i if rising else 0) for i in range(lines)]
    spare = (wish.words or max(rng.integer(3, 6) * lines, wish.needed + 3 * lines + 3, sum(sizes))) - sum(sizes)
    if spare < 0:
        return []
    joined = [[i] for i in range(lines)]
    if rising:
        joined = [list(range(i, lines)) for i in range(lines)]
    elif wish.pattern:
        joined = [sorted({i, lines - 1 - i}) for i in range((lines + 1) // 2)]
    elif wish.refrain:
        joined = [[0, lines - 1], *([i] for i in range(1, lines - 1))]
    while spare:
        fits = [group for group in joined if len(group) <= spare]
        if not fits:
            return [] if wish.words else sizes if len(set(sizes)) > 1 or not wish.pattern else []
        for i in (group := rng.choice(fits)):
            sizes[i] += 1
        spare -= len(group)
    return [] if wish.pattern == "palindromic_lines" and len(set(sizes)) == 1 else sizes


def _counts(rng: Rng, wish: Wish, sizes: list[int]) -> list[int] | None:
    """The sentences of each line."""
    counts = [-(-size // wish.sentence_most) if wish.sentence_most else 1 for size in sizes]
    extra = max((wish.sentences or wish.marks) - sum(counts), 0)
    while extra:
        open_lines = [i for i, size in enumerate(sizes) if counts[i] < size // 2 and not (wish.refrain and i in (0, len(sizes) - 1))]
        if open_lines:
            counts[rng.choice(open_lines)] += 1
            extra -= 1
        elif wish.refrain and extra > 1 and counts[0] < sizes[0]:
            counts[0], counts[-1], extra = counts[0] + 1, counts[-1] + 1, extra - 2
        else:
            return None
    return counts if not wish.sentences or sum(counts) == wish.sentences else None


def _split(size: int, count: int) -> tuple[int, ...]:
    return tuple(size // count + (i < size % count) for i in range(count))
