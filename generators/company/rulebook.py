"""The rules of a family of work as sentences: stated in the briefing, or on a page of the wiki beside outdated pages."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rlgym.core.rng import Rng
from rlgym.generators.company.company import Company
from rlgym.generators.company.eyes import Eyes
from rlgym.generators.company.wiki import ReadPage, SearchWiki
from rlgym.generators.company.world import add_days

CURRENT = "current_page"
_GAP = re.compile(r"\{(\w+)\}")
_IN_FORCE = re.compile(r"In force from (\d{4}-\d\d-\d\d)\.")


@dataclass(frozen=True)
class Rules:
    """The rules that hold, by name, and the numbers in them; a rule that is skipped does not hold."""

    names: frozenset[str]
    numbers: Mapping[str, int]

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def number(self, name: str) -> int:
        return self.numbers[name]


@dataclass(frozen=True)
class Rulebook:
    """Sentences by rule; numbers stand in braces. The sentences of basic rules are always stated, in their place in the order."""

    title: str
    sentences: Mapping[str, str]
    basic: tuple[str, ...]
    note: str = ""
    """What to do where several rules fit; said where one of the optional rules is stated."""

    needs: Mapping[str, str] = field(default_factory=dict)
    """Rules that say nothing without another one."""

    @property
    def optional(self) -> tuple[str, ...]:
        return tuple(name for name in self.sentences if name not in self.basic)

    def draw(self, rng: Rng, count: int, always: Sequence[str] = ()) -> list[str]:
        """`count` of the optional rules, or all there are, those in `always` among them, and no rule without the one that it needs."""
        drawn = list(always)
        for name in rng.shuffled([name for name in self.optional if name not in always]):
            wanted = dict.fromkeys(one for one in (self.needs.get(name, name), name) if one not in drawn)
            if len(drawn) + len(wanted) <= max(count, len(always)):
                drawn += wanted
        return drawn

    def text(self, names: Sequence[str], numbers: Mapping[str, int]) -> str:
        stated = [name for name in self.sentences if name in names or name in self.basic]
        return "\n".join(f"{place}. {self.sentences[name].format_map(numbers)}" for place, name in enumerate(stated, 1))

    def parse(self, text: str) -> Rules:
        names, numbers = [], dict[str, int]()
        for name, sentence in self.sentences.items():
            if match := re.search(_pattern(sentence), text):
                names.append(name)
                numbers |= {key: int(value) for key, value in match.groupdict().items()}
        return Rules(frozenset(names), numbers)

    def install(
        self, company: Company, names: Sequence[str], numbers: Mapping[str, int], old: Sequence[Mapping[str, int]]
    ) -> tuple[str, dict[str, str], list[str]]:
        """What the briefing says of the rules, the facts in it, and the names of the rules that can be skipped."""
        text = self.text(names, numbers)
        if not old:
            return f"Rules:\n{text}\n{self.note if names else ''}".strip(), {"rules": text}, list(names)
        if company.migrated:
            return self._install_amended(company, names, numbers, old)
        company.page(self.title, text, "current", company.rng.integer(5, 60))
        for numbers_then in old:
            company.page(self.title, self.text(names, numbers_then), "outdated", company.rng.integer(1, 400))
        company.fill_pages(6)
        said = f"The rules are on the page of the wiki titled {self.title!r} whose status is current. {self.note}".strip()
        return said, {"title": self.title}, [*names, CURRENT]

    def _install_amended(
        self, company: Company, names: Sequence[str], numbers: Mapping[str, int], old: Sequence[Mapping[str, int]]
    ) -> tuple[str, dict[str, str], list[str]]:
        """The first rules, amendments in force one after the other, the last of which states what holds, and one that is not in force yet."""
        rng = company.rng
        company.page(self.title, self.text(names, old[0]), "current", rng.integer(300, 400))
        changed = {key for then in old for key, value in then.items() if value != numbers[key]}
        stated = [
            name for name in self.sentences if name in (*names, *self.basic) and changed.intersection(_GAP.findall(self.sentences[name]))
        ]
        versions = [then for then, before in zip((*old[1:], numbers, old[0]), (*old, numbers)) if then != before]
        for number, then in enumerate(versions, 1):
            days = rng.integer(5, 40) if number == len(versions) else 50 * (number - len(versions)) + rng.integer(10, 40)
            lines = "\n".join(self.sentences[name].format_map(then) for name in stated)
            reads = "rule reads" if len(stated) == 1 else "rules read"
            text = f"In force from {add_days(company.today, days)}. From then on the {reads}:\n{lines}"
            company.page(f"{self.title}, amendment {number}", text, "current", 60 - days)
        company.fill_pages(6)
        said = (
            f"The rules are on the page of the wiki titled {self.title!r}, as changed by those pages titled '{self.title}, amendment' with a number "
            f"that are in force today. {self.note}"
        )
        return said.strip(), {"title": self.title}, [*names, CURRENT]

    def look_up(self, eyes: Eyes, slip: str) -> Rules:
        """The rules, without the one that is skipped."""
        rules = self._read(eyes, slip)
        return replace(rules, names=rules.names - {slip})

    def _read(self, eyes: Eyes, slip: str) -> Rules:
        if "rules" in eyes.facts:
            return self.parse(eyes.facts["rules"])
        found = eyes.all(SearchWiki(words=eyes.facts["title"]))
        pages = eyes.each([ReadPage(code=row["id"]) for row in found])
        dated = sorted((match[1], page["text"]) for page in pages if (match := _IN_FORCE.match(page["text"])))
        current = next(page for page in pages if page["status"] == "current" and page["title"] == self.title)
        if not dated:
            return self.parse(
                next((page for page in pages if page["status"] != "current"), current)["text"] if slip == CURRENT else current["text"]
            )
        rules = self.parse(current["text"])
        changes = [self.parse(text).numbers for day, text in dated if day <= eyes.today and slip != CURRENT]
        return replace(rules, numbers=dict(ChainMap(*map(dict, reversed(changes)), dict(rules.numbers))))


def _pattern(sentence: str) -> str:
    pieces = _GAP.split(sentence)
    return "".join(re.escape(piece) if place % 2 == 0 else rf"(?P<{piece}>\d+)" for place, piece in enumerate(pieces))
