"""An invented world and the pages of a library about it, which may be silent, out of date, or contradict one another.

Which page counts for a fact is decided by the library's rule, so what is true is read off the pages and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.corpus.relations import BESIDE, ENDS, KINDS, MIDDLES, NAMED, RELATIONS, STARTS
from rlgym.generators.text.names import PEOPLE

SOURCES = ("register", "chronicle", "newspaper", "letter")
HEADINGS = ("Origins", "Ties", "Miscellany")
MOST_PAGES = 4  # about one thing, so that one page of search results shows them all


class Thing(NamedTuple):
    name: str
    kind: str


class Line(NamedTuple):
    """A sentence: a relation of the page's thing and its value; with no relation it names another thing too."""

    relation: str
    value: str
    said: int


class Page(NamedTuple):
    code: str
    thing: int
    source: str
    year: int
    sections: tuple[tuple[str, tuple[Line, ...]], ...]  # headings and lines


class Rule(NamedTuple):
    """Which page counts: by source, first in `order` (where it is empty by year alone), then by the latest year."""

    order: tuple[str, ...] = ()
    void: str = ""  # a source that never counts


class Corpus(NamedTuple):
    things: tuple[Thing, ...]
    pages: tuple[Page, ...]
    rule: Rule


def corpus(rng: Rng, pages: int, disputes: str, scattered: bool = False, void: bool = True) -> Corpus:
    """A library of so many pages.

    disputes   "none": one page per thing; "latest": of several pages that speak of a fact the latest counts; "rank": sources come before
               years, and one source may never count
    void       whether one source never counts where sources are ranked
    scattered  no page tells most of what there is to say about a thing: its facts lie on several pages
    """
    rule = Rule()
    if disputes == "rank":
        order = rng.shuffled(SOURCES)
        rule = Rule(tuple(order[:3]), order[3]) if void else Rule(tuple(order))
    counts = [1] * pages if disputes == "none" else _counts(rng, pages)
    things = _things(rng, len(counts))
    by_kind = {kind: [thing.name for thing in things if thing.kind == kind] for kind in KINDS}
    codes = rng.sample(range(100, 1000), pages)
    made = []
    for i, count in enumerate(counts):
        years = rng.sample(range(1900, 2000), count)
        facts = {
            relation: _value(rng, relation, things[i], by_kind) for relation, facts in RELATIONS.items() if facts.subject == things[i].kind
        }
        for k, year in enumerate(years):
            source = rng.choice(SOURCES if disputes != "none" else SOURCES[:3])
            spoken = {}
            for relation, value in facts.items():
                is_stated = rng.chance(0.45 if scattered else 0.7 if k else 0.85)
                if is_stated:
                    spoken[relation] = _value(rng, relation, things[i], by_kind) if k and rng.chance(0.6) else value
            others = [rng.choice(things).name for _ in range(rng.integer(1, 3))]
            made.append(
                Page(f"p{codes.pop()}", i, source, year, _sections(rng, spoken, [name for name in others if name != things[i].name]))
            )
    return Corpus(things, tuple(rng.shuffled(made)), rule)


def about(library: Corpus, thing: int) -> list[Page]:
    """The pages about a thing, the one that counts most first, pages that never count last."""
    return sorted((page for page in library.pages if page.thing == thing), key=lambda page: _weight(library.rule, page))


def state(page: Page, relation: str) -> tuple[str, int] | None:
    """The value that a page gives a relation, and the number of the section (from 1) that says so."""
    for number, (_, lines) in enumerate(page.sections, 1):
        for line in lines:
            if line.relation == relation:
                return line.value, number
    return None


def truth(library: Corpus, thing: int, relation: str) -> tuple[str, Page] | None:
    """The value that counts, with its page; None where the library is silent."""
    for page in about(library, thing):
        stated = state(page, relation)
        if stated and page.source != library.rule.void:
            return stated[0], page
    return None


def decisive(library: Corpus, facts: Sequence[tuple[int, str]]) -> tuple[int, int]:
    """How many of the rules about which page counts decide one of these facts (things with relations), and how many rules there are."""
    false = [wrong for rule, wrong in misread(library).items() if rule != "void"]
    pages = [_page_of(library, *fact) for fact in facts]
    return sum([_page_of(wrong, *fact) for fact in facts] != pages for wrong in false), len(false)


def _page_of(library: Corpus, thing: int, relation: str) -> str:
    """The code of the page that counts for a fact, or nothing."""
    found = truth(library, thing, relation)
    return found[1].code if found else ""


def silence(library: Corpus, thing: int, relation: str, rumour: bool = False) -> Corpus:
    """The library without what its pages say about a fact, except on pages that never count; with `rumour` there is such a page.

    Where a source never counts, `rumour` makes one of the pages that speak of the fact of this source.
    """
    kept, void = [], library.rule.void
    speaking = [page for page in about(library, thing) if state(page, relation)]
    muted = speaking[-1].code if void and rumour else ""
    for page in library.pages:
        if page.code == muted:
            page = page._replace(source=void)
        if page.thing == thing and page.source != void:
            sections = tuple((heading, tuple(line for line in lines if line.relation != relation)) for heading, lines in page.sections)
            page = page._replace(sections=sections)
        kept.append(page)
    return library._replace(pages=tuple(kept))


def place(library: Corpus, name: str) -> int:
    """The position of the thing of this name."""
    return next(i for i, thing in enumerate(library.things) if thing.name == name)


def thing_name(thing: Thing) -> str:
    return NAMED[thing.kind].format(thing.name)


def title(library: Corpus, page: Page) -> str:
    thing = library.things[page.thing]
    return f"{thing_name(thing)} ({page.source} of {page.year})".removeprefix("the ")


def text(library: Corpus, page: Page, section: int) -> str:
    """The sentences of a section, counted from 1."""
    return " ".join(_sentence(library, page, line) for line in page.sections[section - 1][1])


def describe_rule(rule: Rule) -> str:
    """The rule in words."""
    if not rule.order:
        return "Of the pages that mention a fact, only the one of the latest year counts for it."
    pairs = [f"a {one} {'counts ' if not k else ''}before a {other}" for k, (one, other) in enumerate(pairwise(rule.order))]
    void = f" A {rule.void} never counts, even where nothing else speaks of the fact." if rule.void else ""
    return (
        f"Of the pages that speak of a fact, {', '.join(pairs[:-1])} and {pairs[-1]}, whatever their years; of two of the same source the "
        f"later counts.{void}"
    )


def misread(library: Corpus) -> dict[str, Corpus]:
    """The library as it is for one who ignores a rule about which page counts, for each rule that is stated."""
    if len(library.things) == len(library.pages):
        return {}
    turned = tuple(page._replace(year=-page.year) for page in library.pages)
    readings = {"latest": library._replace(pages=turned)}
    if library.rule.order:
        order = library.rule.order
        readings["sources"] = library._replace(rule=Rule((), library.rule.void))
        if library.rule.void:
            readings["void"] = library._replace(rule=Rule((*order, library.rule.void)))
    return readings


def introduce(library: Corpus) -> str:
    """The description of the library for the prompt."""
    several = len(library.things) < len(library.pages)
    return (
        f"All that is known is in a library of {len(library.pages)} pages, which can only be read with tools. Each page is about "
        "one thing, the one in its title. A fact is stated only on pages about the thing that it describes: the founder of a company is named on pages "
        "about the company, not on pages about the founder. " + (describe_rule(library.rule) if several else "No thing has two pages.")
    )


def _weight(rule: Rule, page: Page) -> tuple[int, int]:
    rank = len(rule.order) if page.source == rule.void else rule.order.index(page.source) if rule.order else 0
    return rank, -page.year


def _counts(rng: Rng, pages: int) -> list[int]:
    """How many pages each thing has: a third of them is about things with one page already."""
    counts = [1] * (pages - pages // 3)
    for _ in range(pages // 3):
        free = [i for i, count in enumerate(counts) if count < MOST_PAGES]
        counts[rng.choice(free)] += 1
    return counts


def _things(rng: Rng, count: int) -> tuple[Thing, ...]:
    kinds = [KINDS[i % len(KINDS)] if i < 2 * len(KINDS) else rng.weighted(KINDS, (6, 5, 4, 2, 3, 2)) for i in range(count)]
    things: dict[str, Thing] = {}
    for kind in kinds:
        name = ""
        while not name or name in things:
            name = rng.choice(STARTS) + rng.choice("aeiou") + rng.choice(MIDDLES) + rng.choice(ENDS[kind])
        full = f"{rng.choice(PEOPLE)} {name}" if kind == "person" else name
        things[name] = Thing(full, kind)
    return tuple(things.values())


def _value(rng: Rng, relation: str, thing: Thing, by_kind: dict[str, list[str]]) -> str:
    value_kind = RELATIONS[relation].value
    if value_kind == "year":
        return str(rng.integer(1650, 1899))
    if value_kind == "number":
        return str(rng.integer(30, 990))
    value = thing.name
    while value == thing.name:
        value = rng.choice(by_kind[value_kind])
    return value


def _sections(rng: Rng, spoken: dict[str, str], others: list[str]) -> tuple[tuple[str, tuple[Line, ...]], ...]:
    lines: dict[str, list[Line]] = {heading: [] for heading in HEADINGS}
    for relation, value in spoken.items():
        heading = RELATIONS[relation].heading if rng.chance(0.8) else "Miscellany"
        lines[heading].append(Line(relation, value, rng.integer(0, len(RELATIONS[relation].says) - 1)))
    for name in others:
        lines["Miscellany"].append(Line("", name, rng.integer(0, len(BESIDE) - 1)))
    return tuple((heading, tuple(rng.shuffled(texts))) for heading, texts in lines.items() if texts)


def _sentence(library: Corpus, page: Page, line: Line) -> str:
    thing = library.things[page.thing]
    says = RELATIONS[line.relation].says if line.relation else BESIDE
    kind = RELATIONS[line.relation].value if line.relation else library.things[place(library, line.value)].kind
    sentence = says[line.said].format(x=thing_name(thing), y=NAMED[kind].format(line.value) if kind in NAMED else line.value)
    return sentence[:1].upper() + sentence[1:]
