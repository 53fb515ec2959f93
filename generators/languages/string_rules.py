"""Rewriting strings with free choices: all strings that can be reached, also by rules that may be applied in both directions."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.core.rng import Rng

Rule = tuple[str, str]
MOST_STRINGS = 1500


def reach_strings(
    text: str, rules: tuple[Rule, ...], longest: int = 0, most_strings: int = MOST_STRINGS
) -> dict[str, tuple[str, int, int]] | None:
    """All strings that can be reached, each with the string, rule and place before it; None if they are too many.

    longest  the letters that no string may exceed; 0 for no limit
    """
    reached = {text: ("", 0, 0)}
    waiting = [text]
    for before in waiting:
        for rule, (left, right) in enumerate(rules):
            place = before.find(left)
            while place >= 0:
                after = before[:place] + right + before[place + len(left) :]
                if after not in reached and (not longest or len(after) <= longest):
                    reached[after] = (before, rule, place)
                    waiting.append(after)
                place = before.find(left, place + 1)
        if len(waiting) > most_strings:
            return None
    return reached


def equal_strings(start: str, moves: Sequence[Rule], longest: int) -> set[str]:
    """All strings that can be reached by rules in both directions: an occurrence of either side, at the end of a prefix, is exchanged for the other."""
    seen, frontier = {start}, {start}
    while frontier:
        frontier = {
            text[: at - len(old)] + new + text[at:]
            for text in frontier
            for old, new in moves
            if len(text) - len(old) + len(new) <= longest
            for at in range(len(old), len(text) + 1)
            if text[:at].endswith(old)
        } - seen
        seen |= frontier
    return seen


def sample_equations(rng: Rng, count: int) -> tuple[Rule, ...]:
    """Pairs of different strings of two to four letters, the longer one first."""
    rules: dict[Rule, None] = {}
    while len(rules) < count:
        left, right = ("".join(rng.choice("abc") for _ in range(rng.integer(low, 3))) for low in (3, 1))
        left += rng.choice("abc") if rng.chance(0.3) else ""
        if left != right and len(left) - len(right) < 3:
            rules[left, right] = None
    return tuple(rules)
