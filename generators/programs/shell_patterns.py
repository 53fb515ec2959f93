"""The patterns of grep, sed and tr, matched in a bounded number of steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

MOST_CHARACTERS, MOST_COMMANDS, MOST_LINES, LONGEST_LINE, LONGEST_PATTERN, MOST_STEPS = 1000, 15, 200, 200, 60, 100_000


class Refused(ValueError):
    """The pipeline is none of the subset; the message says why."""


def matcher(pattern: str, fold: bool = False) -> Callable[[str], tuple[int, int] | None]:
    """The first, longest place where a pattern of letters, ., [sets], *, and ^ and $ at its ends is found in a line."""
    if len(pattern) > LONGEST_PATTERN:
        raise Refused(f"a pattern is longer than {LONGEST_PATTERN} characters")
    plain = pattern.lower() if fold else pattern
    front, back = plain.startswith("^"), plain.endswith("$")
    items = list(_items(plain[front : len(plain) - back]))
    steps = 0

    def found(line: str) -> tuple[int, int] | None:
        nonlocal steps
        text = line.lower() if fold else line
        for start in range(1 if front else len(text) + 1):
            ends, done = _ends(items, text, start)
            steps += done
            if steps > MOST_STEPS:
                raise Refused("a pattern takes too many steps")
            if back:
                ends = [end for end in ends if end == len(text)]
            if ends:
                return start, max(ends)
        return None

    return found


def _items(pattern: str) -> Iterator[tuple[Callable[[str], bool], bool]]:
    """What each character may be, and whether it may come any number of times."""
    at = 0
    while at < len(pattern):
        letter = pattern[at]
        if letter == "[":
            end = pattern.find("]", at + 2)
            inside = pattern[at + 1 : end]
            negated = inside.startswith("^")
            if end < 0 or "[" in inside:
                raise Refused("a set in a pattern is not closed, or holds [")
            letters = expand_letters(inside[negated:])
            holds = partial(_among, letters, not negated)
            at = end
        elif letter in "\\*^$":
            raise Refused(f"{letter!r} cannot stand at this place of a pattern here")
        else:
            holds = partial(_among, "", False) if letter == "." else partial(_among, letter, True)
        many = pattern[at + 1 : at + 2] == "*"
        at += 1 + many
        yield holds, many


def _among(letters: str, included: bool, letter: str) -> bool:
    return (letter in letters) == included


def _ends(items: Sequence[tuple[Callable[[str], bool], bool]], text: str, start: int) -> tuple[list[int], int]:
    """All places where a match that begins at `start` may end, and how many were looked at."""
    places, done = [start], 1
    for holds, many in items:
        if many:
            reached = dict.fromkeys(places)
            for place in places:
                while place < len(text) and holds(text[place]) and place + 1 not in reached:
                    place += 1
                    reached[place] = None
            places = list(reached)
        else:
            places = [place + 1 for place in places if place < len(text) and holds(text[place])]
        if not places:
            break
        done += len(places)
    return places, done


def expand_letters(text: str) -> str:
    """The letters of a set, with ranges like a-z written out."""
    out, at = "", 0
    while at < len(text):
        if text[at + 1 : at + 2] == "-" and at + 2 < len(text):
            if not text[at] <= text[at + 2] <= "~":
                raise Refused(f"{text[at : at + 3]!r} is no range")
            out += "".join(map(chr, range(ord(text[at]), ord(text[at + 2]) + 1)))
            at += 3
        else:
            out, at = out + text[at], at + 1
    return out
