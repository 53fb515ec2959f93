"""A text browser: pages by path or by numbered link, history, finding on a page, a ranked search of the site, forms and a report."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pydantic import Field

from rlgym.generators.company.operations import PAGE, SIZE, WORDS, Operation, Show, Write
from rlgym.generators.company.world import Desk, Row

LINES = 12
PATH: Any = Field(max_length=80)
_WORD = re.compile(r"[a-z0-9]+")
TAB = "tab"


class OpenPage(Show):
    """Opens the page with this path, such as /towns. A long page has parts of 12 lines."""

    system, table = "web", "site"
    path: str = PATH
    part: int = PAGE

    def run(self, desk: Desk) -> object:
        return _open_page(desk, self.path, self.part)


class FollowLink(Operation):
    """Follows a numbered link of the page that is open."""

    system = "web"
    number: int = Field(ge=1, le=999)

    def run(self, desk: Desk) -> object:
        links = desk.get("site", _current_path(desk))["links"]
        desk.require(self.number <= len(links), 404, f"the page has {len(links)} links")
        return _open_page(desk, links[self.number - 1], 1)


class GoBack(Operation):
    """Goes back to the page before, in the history of the tab."""

    system = "web"
    steps: int = Field(ge=1, le=50)

    def run(self, desk: Desk) -> object:
        history = desk.rows("tabs").get(TAB, {"history": []})["history"]
        desk.require(len(history) > self.steps, 404, "the history is not that long")
        desk.changes = {**desk.changes, "tabs": {TAB: {"history": history[: -self.steps - 1]}}}
        return _open_page(desk, history[-self.steps - 1], 1)


class FindOnPage(Operation):
    """Lists the lines of the page that is open, in all its parts, that contain a text."""

    system = "web"
    text: str = WORDS

    def run(self, desk: Desk) -> object:
        lines = [line for line in desk.get("site", _current_path(desk))["lines"] if self.text.lower() in line.lower()]
        return "\n".join([f"{len(lines)} lines found.", *lines[:LINES]])


class SearchSite(Show):
    """Searches the site; the best pages come first, those with all the words in the title before the others. 5 per page of results."""

    system = "web"
    words: str = WORDS
    page: int = PAGE

    def run(self, desk: Desk) -> object:
        site = desk.rows("site")
        hits = rank_pages(_Site(site), self.words)
        pages = max(1, -(-len(hits) // SIZE))
        desk.require(self.page <= pages, 400, f"the last page is {pages}")
        rows = [f"{path} - {site[path]['title']}" for path in hits[(self.page - 1) * SIZE : self.page * SIZE]]
        return "\n".join([f"{len(hits)} pages found, page {self.page} of {pages}.", *rows])


class StateFact(Write):
    """Puts a fact into the report: the number of the item, the value, and, where pages are cited, the path of the page that states it. It replaces
    what the item had."""

    system, right = "web", "web.write"
    item: int = Field(ge=1, le=99)
    value: str = WORDS
    page: str = Field("", max_length=80)

    def run(self, desk: Desk) -> object:
        cites = "page" in desk.get("report", f"item {self.item}")
        if cites:
            desk.get("site", self.page)
        cited = {"page": self.page} if cites else {}
        return desk.write("report", f"item {self.item}", value=plain_value(self.value), **cited)


def plain_value(value: str) -> str:
    """A value as a report keeps it: in small letters, without needless spaces and a full stop."""
    return " ".join(value.lower().split()).rstrip(".")


class RemoveFact(Write):
    """Takes the fact of an item out of the report."""

    system, right = "web", "web.write"
    item: int = Field(ge=1, le=99)

    def run(self, desk: Desk) -> object:
        return desk.write("report", f"item {self.item}", **dict.fromkeys(desk.get("report", f"item {self.item}"), ""))


class FillField(Write):
    """Fills a field of a form, by the path of the form and the number of the field; it replaces what the field had."""

    system, right = "web", "web.write"
    form: str = PATH
    field: int = Field(ge=1, le=99)
    value: str = WORDS

    def run(self, desk: Desk) -> object:
        form = desk.get("forms", self.form)
        desk.require(form["status"] == "open", 409, "the form was submitted")
        desk.require(f"field {self.field}" in form, 404, "the form has no such field")
        return desk.write("forms", self.form, **{f"field {self.field}": " ".join(self.value.split())})


class SubmitForm(Write):
    """Submits a form. It cannot be taken back."""

    system, right = "web", "web.write"
    form: str = PATH

    def run(self, desk: Desk) -> object:
        desk.require(desk.get("forms", self.form)["status"] == "open", 409, "the form was submitted")
        return desk.write("forms", self.form, status="submitted")


BROWSER = (OpenPage, FollowLink, GoBack, FindOnPage, SearchSite)


class _Site:
    """The pages of a site as the key of a cache: equal if they are the very same rows."""

    def __init__(self, rows: Mapping[str, Row]) -> None:
        self.rows = rows

    def __hash__(self) -> int:
        return id(self.rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Site) and other.rows is self.rows


@lru_cache(maxsize=256)
def rank_pages(site: _Site, query: str) -> tuple[str, ...]:
    """The paths of the pages that hold a word of the query: those whose title holds all of its words first, then by BM25.

    Scores are rounded and ties go by path, so that the order is the same on every machine.
    """
    scorer, known, titles = _index(site)
    words = _WORD.findall(query.lower())
    terms = [word for word in dict.fromkeys(words) if word in known]
    if not terms:
        return ()
    scores = {path: score for path, value in zip(titles, scorer.get_scores(terms).tolist()) if (score := round(value, 2)) > 0}
    return tuple(sorted(scores, key=lambda path: (not titles[path].issuperset(words), -scores[path], path)))


@lru_cache(maxsize=64)
def _index(site: _Site) -> tuple[Any, frozenset[str], dict[str, frozenset[str]]]:
    import bm25s

    texts = [_WORD.findall(" ".join([row["title"], *row["lines"]]).lower()) for row in site.rows.values()]
    scorer = bm25s.BM25(backend="numpy")
    scorer.index(texts, show_progress=False)
    titles = {path: frozenset(_WORD.findall(row["title"].lower())) for path, row in site.rows.items()}
    return scorer, frozenset(word for text in texts for word in text), titles


def _current_path(desk: Desk) -> str:
    tab = desk.rows("tabs").get(TAB)
    return str(tab["history"][-1]) if tab else "/"


def _open_page(desk: Desk, path: str, part: int) -> str:
    page = desk.get("site", path)
    parts = max(1, -(-len(page["lines"]) // LINES))
    desk.require(part <= parts, 400, f"the page has {parts} parts")
    history = desk.rows("tabs").get(TAB, {"history": []})["history"]
    desk.changes = {**desk.changes, "tabs": {TAB: {"history": [*history[-50:], path]}}}
    marks = " Archived." if page["archived"] else ""
    head = [f"{path} - {page['title']}", f"Section: {page['section']}. Updated: {page['updated']}.{marks} Part {part} of {parts}."]
    links = " ".join(f"[{number}] {link}" for number, link in enumerate(page["links"], 1))
    return "\n".join([*head, *page["lines"][(part - 1) * LINES : part * LINES], f"Links: {links}" if links else "No links."])
