"""Numbered excerpts of a library's pages, as a prompt shows them, and what can be read off such a prompt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.corpus.relations import KINDS, NAMED, RELATIONS
from rlgym.generators.corpus.world import Corpus, Page, Rule, about, describe_rule, state, text, title


class Excerpt(NamedTuple):
    """A section of a page; `page` is the position of the page in the library."""

    page: int
    section: int


def stating(library: Corpus, thing: int, relation: str) -> list[Excerpt]:
    """The sections that state a fact, the one that counts first."""
    found = [(page, state(page, relation)) for page in about(library, thing)]
    return [Excerpt(library.pages.index(page), stated[1]) for page, stated in found if stated]


def gather(rng: Rng, library: Corpus, facts: Iterable[tuple[int, str]], extra: int) -> list[Excerpt]:
    """All sections that state these facts, with `extra` others, in random order."""
    needed = list(dict.fromkeys(excerpt for fact in facts for excerpt in stating(library, *fact)))
    others = [Excerpt(i, k) for i, page in enumerate(library.pages) for k in range(1, len(page.sections) + 1)]
    free = [excerpt for excerpt in others if excerpt not in needed]
    return rng.shuffled([*needed, *rng.sample(free, min(extra, len(free)))])


def render(library: Corpus, excerpts: Sequence[Excerpt]) -> str:
    """The excerpts as lines, with numbers from 1."""
    lines = []
    for number, (at, section) in enumerate(excerpts, 1):
        page = library.pages[at]
        lines.append(f"[{number}] {title(library, page)}: {text(library, page, section)}")
    return "\n".join(lines)


def introduce(library: Corpus, excerpts: Sequence[Excerpt]) -> str:
    """The excerpts with what a reader must know: what they come from, what a page speaks of, and which page counts."""
    parts = [
        "These excerpts come from the pages of a library about an invented world; several may come from one page. Each begins with the subject of its page "
        "and, in brackets, the source and the year of the page. They contain everything that the library says about the facts in question."
    ]
    if any(line.relation == "partner" for at, section in excerpts for line in library.pages[at].sections[section - 1][1]):
        parts.append(
            "A page states facts about its own subject only: a page about town A that names B as its partner town does not say that A is the partner "
            "town of B."
        )
    if len(library.things) < len(library.pages):
        parts.append(describe_rule(library.rule))
    return f"{' '.join(parts)}\n\n{render(library, excerpts)}"


class Shown(NamedTuple):
    """What an excerpt says, read off its line."""

    kind: str
    name: str
    page: Page  # without sections; its thing and code are of no meaning
    facts: dict[str, str]


_KIND = "|".join(KINDS)
_LINE = re.compile(rf"\[(\d+)\] (?:({_KIND}) )?(.+?) \((\w+) of (\d{{4}})\): (.*)")


def read(prompt: str) -> list[Shown]:
    """The excerpts that a prompt shows, in order."""
    shown = []
    for line in prompt.split("\n"):
        if not (match := _LINE.fullmatch(line)):
            continue
        name, kind = match[3], match[2] or ("person" if " " in match[3] else "town")
        facts: dict[str, str] = {}
        for sentence in re.split(r"(?<=\.) ", match[6]):
            facts |= _stated(kind, name, sentence)
        shown.append(Shown(kind, name, Page("", 0, match[4], int(match[5]), ()), facts))
    return shown


def read_rule(prompt: str) -> Rule:
    """The rule about which page counts; without one, the latest counts."""
    pairs = re.findall(r"(?:, |and )a (\w+) (?:counts )?before a (\w+)", prompt)
    void = re.search(r"A (\w+) never counts", prompt)
    return Rule((*(one for one, _ in pairs), pairs[-1][1]) if pairs else (), void[1] if void else "")


def counting(shown: Sequence[Shown], rule: Rule, name: str, relation: str) -> tuple[str, int] | None:
    """The value that counts for a fact, and the number of its excerpt; None where no excerpt that may count states it."""

    def rank(page: Page) -> tuple[int, int]:
        return (rule.order.index(page.source) if page.source in rule.order else 0), -page.year

    found = [
        (rank(one.page), one.facts[relation], number)
        for number, one in enumerate(shown, 1)
        if one.name == name and relation in one.facts and one.page.source != rule.void
    ]
    return min(found)[1:] if found else None


def read_question(words: str) -> tuple[str, list[str]]:
    """The name that a question starts from, and the relations to follow from it."""
    name, relations, _ = _parsed(words)
    return name, relations


def _parsed(words: str) -> tuple[str, list[str], str]:
    for name, relation in RELATIONS.items():
        if match := re.fullmatch(re.escape(relation.ask).replace(re.escape("{x}"), "(.+)"), words):
            try:
                start, before, kind = _parsed(match[1])
            except LookupError:
                continue
            if kind == relation.subject:
                return start, [*before, name], relation.value
    if match := re.fullmatch(rf"the ({_KIND}) (\S+)", words):
        return match[2], [], match[1]
    if re.fullmatch(r"[A-Z]\w*(?: [A-Z]\w*)?", words):
        return words, [], "person" if " " in words else "town"
    raise LookupError(words)


def _stated(kind: str, name: str, sentence: str) -> dict[str, str]:
    for key, relation in RELATIONS.items():
        if relation.subject != kind:
            continue
        named = NAMED.get(relation.value, "{}").split("{}")
        for wording in relation.says:
            pattern = re.escape(wording).replace(re.escape("{x}"), re.escape(NAMED[kind].format(name)))
            pattern = pattern.replace(re.escape("{y}"), f"{re.escape(named[0])}([A-Z0-9][\\w ]*?)")
            pattern = f"(?i:{pattern[0]}){pattern[1:]}" if pattern[0].isalpha() else pattern
            if match := re.fullmatch(pattern, sentence):
                return {key: match[1]}
    return {}
