"""Pages of the company's wiki, current and outdated."""

from __future__ import annotations

from rlgym.generators.company.operations import CODE, PAGE, TEXT, WORDS, Listing, Show, Write
from rlgym.generators.company.world import Desk


class SearchWiki(Listing):
    """Finds pages whose title or text contains all the words. Outdated pages are found too; the status is only on the page. 5 per page."""

    system, table, shows, searched = "wiki", "pages", ("title", "space"), ("title", "text")
    words: str = WORDS
    page: int = PAGE


class ReadPage(Show):
    """Reads a page with its status and the date of its last revision."""

    system, table = "wiki", "pages"
    code: str = CODE


class EditPage(Write):
    """Replaces the text of a page."""

    system, right = "wiki", "wiki.write"
    code: str = CODE
    text: str = TEXT

    def run(self, desk: Desk) -> object:
        return desk.write("pages", self.code, text=self.text, revised=desk.today)


class CreatePage(Write):
    """Creates a page in a space."""

    system, right = "wiki", "wiki.write"
    title: str = WORDS
    space: str = WORDS
    text: str = TEXT

    def run(self, desk: Desk) -> object:
        row = {"title": self.title, "space": self.space, "status": "current", "revised": desk.today, "text": self.text}
        return desk.add("pages", "W", row)


WIKI = (SearchWiki, ReadPage)
WIKI_WRITE = (EditPage, CreatePage)
