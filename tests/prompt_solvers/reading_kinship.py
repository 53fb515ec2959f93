"""Kinship: couples are merged until the facts of the story hold, and relations are read off the family tree."""

from __future__ import annotations

import re

from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import group, matched, sentences

FACTS = {
    "{a} is the wife of {b}": "married",
    "{a} is the husband of {b}": "married",
    "The husband of {a} is {b}": "married",
    "The wife of {a} is {b}": "married",
    "{a} is married to a man called {b}": "married",
    "{a} is married to a woman called {b}": "married",
    "{a} took {b} as his wife": "married",
    "{a} took {b} as her husband": "married",
    "{a} is the father of {b}": "parent",
    "{a} is the mother of {b}": "parent",
    "The father of {b} is {a}": "parent",
    "The mother of {b} is {a}": "parent",
    "{b} has {a} as a father": "parent",
    "{b} has {a} as a mother": "parent",
    "One of the children of {a} is a son called {b}": "parent",
    "One of the children of {a} is a daughter called {b}": "parent",
    "{a} has a son called {b}": "parent",
    "{a} has a daughter called {b}": "parent",
    "{a} gave birth to {b}": "parent",
    "{b} is a son of {a}": "parent",
    "{b} is a daughter of {a}": "parent",
    "{b} calls {a} father": "parent",
    "{a} is a parent of a boy called {b}": "parent",
    "{a} is a parent of a girl called {b}": "parent",
    "{a} is a brother of {b}": "sibling",
    "{a} is a sister of {b}": "sibling",
    "{b} is the name of a sister of {a}": "sibling",
    "{b} is the name of a brother of {a}": "sibling",
    "{a} has a brother called {b}": "sibling",
    "{a} has a sister called {b}": "sibling",
    "{a} grew up with a brother called {b}": "sibling",
    "{a} grew up with a sister called {b}": "sibling",
}
KINSHIP_WORDS = re.compile(r"\b(son|daughter|father|mother|brother|sister|husband|wife|parent|married|gave birth)\b")


class Family:
    """Couples are written ("own", person) and ("parents", person), and are merged by union-find."""

    def __init__(self, prompt: str) -> None:
        women, men = (re.findall(r"\w+", group(rf"\b{word}: ([\w, ]+)\.", prompt)) for word in ("Women", "Men"))
        self.women, self.people = set(women) - {"and"}, sorted({*women, *men} - {"and"})
        self.root = {(kind, person): (kind, person) for kind in ("own", "parents") for person in self.people}
        for sentence in sentences(prompt.split("Answer with")[0]).values():
            found = matched(sentence, FACTS)
            if found is None:
                assert not KINSHIP_WORDS.search(sentence), sentence
                continue
            kinds = {"married": ("own", "own"), "parent": ("own", "parents"), "sibling": ("parents", "parents")}[found[0]]
            one, two = (self.find((kind, found[1][letter])) for kind, letter in zip(kinds, "ab", strict=True))
            self.root[one] = two
        self.couple = {person: self.find(("own", person)) for person in self.people}
        self.parents = {person: self.find(("parents", person)) for person in self.people}

    def find(self, couple: tuple[str, str]) -> tuple[str, str]:
        while self.root[couple] != couple:
            couple = self.root[couple]
        return couple

    def spouses(self, person: str) -> set[str]:
        return {other for other in self.people if other != person and self.couple[other] == self.couple[person]}

    def children(self, person: str) -> set[str]:
        return {other for other in self.people if self.parents[other] == self.couple[person]}

    def parents_of(self, person: str) -> set[str]:
        return {other for other in self.people if self.couple[other] == self.parents[person]}

    def siblings(self, person: str) -> set[str]:
        return {other for other in self.people if other != person and self.parents[other] == self.parents[person]}

    def walk(self, start: str, *steps: str) -> set[str]:
        """The people reached from a person by steps up (parents), down (children), side (siblings) and ring (spouses)."""
        moves = {"up": self.parents_of, "down": self.children, "side": self.siblings, "ring": self.spouses}
        people = {start}
        for step in steps:
            people = {other for person in people for other in moves[step](person)}
        return people - {start}

    def kinds(self, a: str, b: str) -> set[str]:
        """The kinship words, as (female, male) by sex, for what a is to b."""
        walks = [
            ("wife", "husband", ["ring"]),
            ("mother", "father", ["up"]),
            ("daughter", "son", ["down"]),
            ("sister", "brother", ["side"]),
            ("grandmother", "grandfather", ["up", "up"]),
            ("granddaughter", "grandson", ["down", "down"]),
            ("great-grandmother", "great-grandfather", ["up", "up", "up"]),
            ("great-granddaughter", "great-grandson", ["down", "down", "down"]),
            ("aunt", "uncle", ["up", "side"]),
            ("niece", "nephew", ["side", "down"]),
            ("great-aunt", "great-uncle", ["up", "up", "side"]),
            ("great-niece", "great-nephew", ["side", "down", "down"]),
            ("cousin", "cousin", ["up", "side", "down"]),
            ("second-cousin", "second-cousin", ["up", "up", "side", "down", "down"]),
            ("sister-in-law", "brother-in-law", ["ring", "side"]),
            ("sister-in-law", "brother-in-law", ["side", "ring"]),
            ("mother-in-law", "father-in-law", ["ring", "up"]),
            ("daughter-in-law", "son-in-law", ["down", "ring"]),
        ]
        return {pair[a not in self.women] for *pair, steps in walks if a in self.walk(b, *steps)}


@prompt_solver("kinship_stories")
def solve_kinship_stories(prompt: str) -> str:
    family = Family(prompt)
    words = []
    for a, b in re.findall(r"^\(\d+\) What is (\w+) to (\w+)\?", prompt, re.M):
        (word,) = family.kinds(a, b)
        words.append(word)
    return " ".join(words)
