"""A library as a world: two tools to look into it, and the log of what was looked at."""

from __future__ import annotations

import re
from typing import NamedTuple

from pydantic import Field

from rlgym.answers import Tool
from rlgym.generators.corpus.index import rank_pages
from rlgym.generators.corpus.world import Corpus, Page, about, state, text, title, truth

SHOWN = 5
_ARTICLE = re.compile(r"^(?:(?:the|a|an) +)?(?:(?:town|company|river|ship|novel|person|year) +)?")


class Search(Tool):
    """Lists the pages that hold a word of the query, five a page of results: those whose title holds all its words first, then the rest."""

    query: str = Field(max_length=120)
    page: int = Field(1, ge=1, le=100)


class Open(Tool):
    """Shows a section of the page with this code, such as p123; sections are counted from 1."""

    page: str = Field(max_length=12)
    section: int = Field(1, ge=1, le=9)


class Log(NamedTuple):
    """What was found so far: queries with the page of results, and page codes with sections."""

    searched: tuple[tuple[str, int], ...] = ()
    opened: tuple[tuple[str, int], ...] = ()


def normalize(text: str) -> str:
    """An answer without what does not count: case, space, a full stop, a leading article and the word for the kind of thing."""
    return _ARTICLE.sub("", " ".join(text.lower().split()).rstrip("."))


def look(library: Corpus, log: Log, call: Search | Open) -> tuple[Log, str]:
    """What a look-up shows, and the log with it."""
    if isinstance(call, Search):
        hits = rank_pages(library, call.query)
        if not hits:
            return log, f"no page holds a word of {call.query!r}"
        pages = -(-len(hits) // SHOWN)
        if call.page > pages:
            return log, f"there is no page {call.page} of these results; the last is page {pages}"
        results = [library.pages[i] for i in hits[SHOWN * (call.page - 1) : SHOWN * call.page]]
        rows = [f"{page.code}  {title(library, page)}, {len(page.sections)} sections" for page in results]
        query = (call.query, call.page)
        return log._replace(searched=(*log.searched, query)), "\n".join([f"{len(hits)} pages, results {call.page} of {pages}:", *rows])
    page = page_with_code(library, call.page)
    if page is None:
        return log, f"there is no page {call.page!r}"
    if call.section > len(page.sections):
        return log, f"page {page.code} has {len(page.sections)} sections"
    seen = (page.code, call.section)
    log = log if seen in log.opened else log._replace(opened=(*log.opened, seen))
    heading = page.sections[call.section - 1][0]
    return log, f"{page.code} {title(library, page)}, section {call.section} of {len(page.sections)}, {heading}: " + (
        text(library, page, call.section) or "(nothing)"
    )


def all_read(library: Corpus) -> Log:
    """The log of one who has read the whole library without a search."""
    return Log(opened=tuple((page.code, k) for page in library.pages for k in range(1, len(page.sections) + 1)))


def page_with_code(library: Corpus, code: str) -> Page | None:
    return next((page for page in library.pages if page.code == code.strip().lower()), None)


def unread(page: Page, opened: tuple[tuple[str, int], ...], relation: str = "") -> list[Open]:
    """The sections of a page that are yet to be opened by one who wants to know what it says of a relation."""
    stated = state(page, relation)
    if stated and (page.code, stated[1]) in opened:
        return []
    return [Open(page=page.code, section=k) for k in range(1, len(page.sections) + 1) if (page.code, k) not in opened]


def lookups_missing(library: Corpus, log: Log, thing: int, relation: str) -> list[Search | Open]:
    """The look-ups still to be made by one who wants to know a fact of a thing whose name is known, all that can be made now."""
    name = library.things[thing].name
    if (name, 1) not in log.searched:
        return [Search(query=name)]
    pages = about(library, thing)
    if out := [call for page in pages if page.source != library.rule.void for call in unread(page, log.opened, relation)[:1]]:
        return list(out)
    if truth(library, thing, relation):
        return []
    return [call for page in pages for call in unread(page, log.opened)]  # silence is sure when all has been read
