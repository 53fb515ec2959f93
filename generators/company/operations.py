"""Kinds of calls on a company's systems: one that reads a record, one that lists records in pages, and one that writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pydantic import Field

from rlgym.answers import Tool
from rlgym.generators.company.world import Desk, Refused, Row

SIZE = 5
CODE: Any = Field(max_length=40)
WORDS: Any = Field(max_length=80)
DATE: Any = Field(pattern=r"^\d{4}-\d\d-\d\d$")
TIME: Any = Field(pattern=r"^\d\d:\d\d$")
TEXT: Any = Field(max_length=600)
PAGE: Any = Field(1, ge=1, le=1000)
OFFSET: Any = Field(0, ge=0, le=10_000)
CURSOR: Any = Field("", max_length=40)
CENTS: Any = Field(ge=-(10**9), le=10**9)


class Operation(Tool):
    """A call of a system. `right` is what the caller must hold."""

    system: ClassVar[str] = ""
    right: ClassVar[str] = ""

    def perform(self, desk: Desk) -> Any:
        """The result as JSON-able data; Refused for an error."""
        desk.require(not self.right or self.right in desk.rights, 403, f"you do not hold the right {self.right}")
        return self.run(desk)

    def run(self, desk: Desk) -> Any:
        raise NotImplementedError


class Show(Operation):
    """Reads the record whose code is the first argument, without the fields that `hides` names."""

    table: ClassVar[str] = ""
    hides: ClassVar[tuple[str, ...]] = ()

    def run(self, desk: Desk) -> Any:
        code = next(iter(self.__dict__.values()))
        return {"id": code, **{name: value for name, value in desk.get(self.table, code).items() if name not in self.hides}}


class Listing(Operation):
    """Lists the records whose fields are as the arguments named by `by`, in pages; an empty argument allows all values.

    The paging is that of the system: `page` counts from 1, `offset` counts records, and `cursor` is what the page before gave as `next`.
    """

    table: ClassVar[str] = ""
    by: ClassVar[tuple[str, ...]] = ()
    shows: ClassVar[tuple[str, ...]] = ()
    newest: ClassVar[str] = ""
    """A field by which the latest record comes first; else they come by their codes."""
    searched: ClassVar[tuple[str, ...]] = ()

    def found(self, desk: Desk) -> list[tuple[str, Row]]:
        wanted = [(name, value) for name in self.by if (value := getattr(self, name))]
        words = self.__dict__["words"].lower().split() if self.searched else []
        rows = [
            (code, row)
            for code, row in desk.rows(self.table).items()
            if all(_holds(row[name], value) for name, value in wanted) and (not words or self._mentions(code, row, words))
        ]
        rows.sort(key=lambda item: item[0])
        if self.newest:
            rows.sort(key=lambda item: str(item[1][self.newest]), reverse=True)
        return rows

    def listed(self, desk: Desk) -> list[Row]:
        """All records of the list, as a page shows them."""
        return [{"id": code, **{name: row[name] for name in self.shows}} for code, row in self.found(desk)]

    def run(self, desk: Desk) -> Any:
        rows = self.listed(desk)
        if "page" in self.__dict__:
            page, pages = self.__dict__["page"], max(1, -(-len(rows) // SIZE))
            desk.require(page <= pages, 400, f"the last page is {pages}")
            return {"items": rows[(page - 1) * SIZE : page * SIZE], "page": page, "pages": pages}
        if "offset" in self.__dict__:
            offset = self.__dict__["offset"]
            return {"items": rows[offset : offset + SIZE], "offset": offset, "total": len(rows)}
        start = self._start(rows, self.__dict__["cursor"])
        more = start + SIZE < len(rows)
        return {"items": rows[start : start + SIZE], "next": f"after-{rows[start + SIZE - 1]['id']}" if more else ""}

    def _start(self, rows: Sequence[Mapping[str, Any]], cursor: str) -> int:
        if not cursor:
            return 0
        place = next((place for place, row in enumerate(rows) if f"after-{row['id']}" == cursor), None)
        if place is None:
            raise Refused(400, "the cursor is not one that this list gave")
        return place + 1

    def _mentions(self, code: str, row: Row, words: Sequence[str]) -> bool:
        text = " ".join([code, *(str(row[name]) for name in self.searched)]).lower()
        return all(word in text for word in words)


class Write(Operation):
    """Changes something."""


class Finish(Operation):
    """Ends the task; the state of all systems is then judged."""


def _holds(fact: Any, value: Any) -> bool:
    return value in fact if isinstance(fact, list) else bool(fact == value)
