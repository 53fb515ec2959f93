"""What an oracle has seen of a company's systems: the results of its look-ups, read as the tools gave them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple, TypeVar, cast

from rlgym.answers import Tool
from rlgym.generators.company.operations import SIZE, Listing, Operation, Show
from rlgym.generators.company.versions import Successor, all_replaced, is_replaced, parse_change_page, successors, tool_name
from rlgym.generators.company.wiki import ReadPage, SearchWiki
from rlgym.generators.company.world import Desk, Refused, Row, Tables

V = TypeVar("V")
Kind = TypeVar("Kind", bound=Operation)

ALL = "all"
"""In place of the page that announces second versions: all tools have been replaced."""


class Missing(Exception):
    """Look-ups that must be made before the work can go on."""

    def __init__(self, calls: Sequence[Operation]) -> None:
        super().__init__(calls)
        self.calls = tuple(calls)


class Source(NamedTuple):
    """What a look-up needs: the tools, the rows, what the briefing says, and who calls."""

    tools: tuple[type[Tool], ...]
    base: Tables
    facts: Mapping[str, str]
    actor: str
    today: str
    rights: tuple[str, ...]


class Eyes:
    """Look-ups and their results. With `log` None every look-up is answered at once, and `used` holds the keys of those made."""

    def __init__(self, source: Source, log: Sequence[tuple[str, str]] | None) -> None:
        self._source = source
        self._known = None if log is None else _current(source.tools, log)
        self._desk = Desk(source.base, {}, source.actor, source.today, source.rights)
        self._versions: dict[str, str] | None = None
        self.used: dict[str, Any] = {}

    @property
    def facts(self) -> Mapping[str, str]:
        return self._source.facts

    @property
    def today(self) -> str:
        return self._source.today

    def ask(self, call: Operation) -> Any:
        """The result of a look-up; an error is a result with the key `error`."""
        return self.each([call])[0]

    def each(self, calls: Sequence[Operation]) -> list[Any]:
        """The results of look-ups that do not depend on one another; all that are missing are missing at once."""
        current = [self.current(call) for call in calls]
        missing = [call for call in current if not self._has(call)]
        if missing:
            raise Missing(missing)
        return [self._result(call) for call in current]

    def current(self, call: Kind) -> Kind:
        """The call in the version that works today; which one it is stands on a page of the wiki if some versions are about to change."""
        newer = successors(self._source.tools).get(type(call))
        if newer is None or not is_replaced(self._known_versions(), tool_name(type(call)), self.today):
            return call
        return cast(Kind, newer.of(call))  # a look-up becomes a look-up, a write a write

    def all(self, call: Listing) -> list[Row]:
        """The records of all pages of a listing."""
        call = self.current(call)
        first = self.ask(call)
        rows = list(first["items"])
        if "page" in first:
            more = [call.model_copy(update={"page": number}) for number in range(2, first["pages"] + 1)]
            return rows + [row for page in self.each(more) for row in page["items"]]
        if "offset" in first:
            more = [call.model_copy(update={"offset": start}) for start in range(SIZE, first["total"], SIZE)]
            return rows + [row for page in self.each(more) for row in page["items"]]
        while first["next"]:
            first = self.ask(call.model_copy(update={"cursor": first["next"]}))
            rows += first["items"]
        return rows

    def together(self, questions: Sequence[Callable[[], Any]]) -> list[Any]:
        """The answers to questions that do not depend on one another; what is missing for any of them is missing at once."""
        answers: list[Any] = []
        missing: dict[str, Operation] = {}
        for question in questions:
            try:
                answers.append(question())
            except Missing as stop:
                missing |= {key_of(call): call for call in stop.calls}
        if missing:
            raise Missing(tuple(missing.values()))
        return answers

    def for_each(self, items: Sequence[V], question: Callable[[V], Any]) -> list[Any]:
        """The answers to a question about each of the items; what is missing for any of them is missing at once."""
        return self.together([partial(question, item) for item in items])

    def _known_versions(self) -> dict[str, str]:
        if self._versions is None:
            title = self.facts.get("api", "")
            if title == ALL:
                self._versions = all_replaced(self._source.tools)
            elif title:
                found = self.ask(SearchWiki(words=title))["items"]
                page = self.ask(ReadPage(code=next(row["id"] for row in found if row["title"] == title)))
                self._versions = parse_change_page(page["text"])
            else:
                self._versions = {}
        return self._versions

    def _result(self, call: Operation) -> Any:
        """A result as the first version of the tool gives it."""
        result = self.used[key_of(call)]
        return call.before(result) if isinstance(call, Successor) else result

    def _has(self, call: Operation) -> bool:
        key = key_of(call)
        if key in self.used:
            return True
        if self._known is None:
            try:
                self.used[key] = call.perform(self._desk)
            except Refused as refusal:
                self.used[key] = {"error": refusal.status, "message": refusal.why}
            return True
        if key in self._known:
            self.used[key] = _read(self._known[key])
            return True
        return False


def key_of(call: Tool) -> str:
    return f"{type(call).__name__} {json.dumps(list(call.__dict__.values()), ensure_ascii=False)}"


@cache
def _kinds(tools: tuple[type[Tool], ...]) -> dict[str, type[Tool]]:
    return {tool.__name__: tool for tool in tools}


@lru_cache(maxsize=2048)
def _read(text: str) -> Any:
    return json.loads(text) if text[:1] in ("{", "[") else text


def _current(tools: Sequence[type[Tool]], log: Sequence[tuple[str, str]]) -> dict[str, str]:
    """The results that still hold: after a notice the lists of its system, and the record that it names, must be looked up again."""
    known: dict[str, str] = {}
    for key, text in log:
        if key != "notice":
            known[key] = text
            continue
        system, _, record = text.partition(" ")
        known = {other: result for other, result in known.items() if not is_outdated(tools, other, system, record)}
    return known


def is_outdated(tools: Sequence[type[Tool]], key: str, system: str, record: str) -> bool:
    """Whether a result may be another one once a record was written in a system."""
    kind = _kinds(tuple(tools))[key.partition(" ")[0]]
    if not issubclass(kind, Operation) or kind.system != system:
        return False
    computed = issubclass(kind, Show) and not kind.table
    return issubclass(kind, Listing) or computed or f'"{record}"' in key
