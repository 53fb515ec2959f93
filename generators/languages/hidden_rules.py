"""Finding the rules of a growing word from the word at the start and a word some generations later."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

LONGEST_IMAGE = 3
Rules = dict[str, str]


def grow(word: str, rules: Mapping[str, str], generations: int = 1) -> str:
    for _ in range(generations):
        word = "".join(rules[letter] for letter in word)
    return word


class RuleSearch:
    """All rules, found from left to right: a letter gets any image, one of the last word but one the image that stands there."""

    def __init__(self, alphabet: str, start: str, later: str, generations: int) -> None:
        self.later, self.choices, self.found = later, 0, list[Rules]()
        sizes = range(1, LONGEST_IMAGE + 1)
        self.images = ["".join(letters) for size in sizes for letters in product(alphabet, repeat=size)]
        self._extend({}, [(letter, generations) for letter in reversed(start)], 0)

    def _extend(self, rules: Rules, waiting: list[tuple[str, int]], place: int) -> None:
        """`waiting` holds letters with the generations they still grow, the next one last."""
        while waiting:
            if place + len(waiting) > len(self.later):
                return
            letter, generations = waiting.pop()
            if not generations:
                if self.later[place] != letter:
                    return
                place += 1
            elif letter in rules:
                waiting += [(after, generations - 1) for after in reversed(rules[letter])]
            else:
                pieces = [self.later[place : place + size] for size in range(1, LONGEST_IMAGE + 1) if place + size <= len(self.later)]
                self.choices += 1
                for image in pieces if generations == 1 else self.images:
                    self._extend(rules | {letter: image}, [*waiting, *((after, generations - 1) for after in reversed(image))], place)
                return
        if place == len(self.later):
            self.found.append(rules)
