"""Second versions of the tools of a company's systems: which of two versions works on a day, and what the other one answers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Self

from rlgym.answers import Tool
from rlgym.generators.company.operations import Listing, Operation, Show, Write
from rlgym.generators.company.world import Desk, Row, cents, euros

TITLE = "API changes"
ALWAYS = ""
"""The date of a replacement that was long ago: the first version is in no manual any more."""
_PAGING = ("page", "offset", "cursor")
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")
_LINE = re.compile(r"^(\w+) is switched off on (\d{4}-\d\d-\d\d)", re.MULTILINE)


class Successor(Operation):
    """The second version of a tool: the same effect with other names of arguments and results, and maybe other units or other paging.

    replaces  the first version
    named     the arguments by their names in the first version, without those of the paging; a name that ends with _cents holds an amount in
              integer cents, the same argument without this end holds it in euros
    gives     the fields of a result that have another name, by their names in the first version
    """

    replaces: ClassVar[type[Operation]]
    named: ClassVar[Mapping[str, str]]
    gives: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def of(cls, call: Operation) -> Self:
        """The call that does what a call of the first version did; of a listing, the call of its first page."""
        return cls(**{new: _converted(call.__dict__[old], old, new) for new, old in cls.named.items()})

    def former(self) -> Operation:
        """The call of the first version."""
        return self.replaces(**{old: _converted(self.__dict__[new], new, old) for new, old in self.named.items()})

    def renamed(self, row: Row) -> Row:
        names = {old: new for new, old in self.gives.items()}
        return {names.get(old, old): _converted(value, old, names.get(old, old)) for old, value in row.items()}

    def before(self, result: Any) -> Any:
        """A result with the names and the units of the first version."""
        if not isinstance(result, dict) or "error" in result:
            return result
        if "items" in result:
            return {**result, "items": [self.before(row) for row in result["items"]]}
        return {self.gives.get(new, new): _converted(value, new, self.gives.get(new, new)) for new, value in result.items()}


class ShowSuccessor(Successor, Show):
    def run(self, desk: Desk) -> Any:
        return self.renamed(self.former().run(desk))


class ListingSuccessor(Successor, Listing):
    def listed(self, desk: Desk) -> list[Row]:
        former = self.former()
        assert isinstance(former, Listing)
        return [self.renamed(row) for row in former.listed(desk)]


class WriteSuccessor(Successor, Write):
    def run(self, desk: Desk) -> Any:
        result = self.former().run(desk)
        return self.renamed(result) if isinstance(result, dict) else result


@cache
def tool_name(kind: type[Tool]) -> str:
    return _CAPITAL.sub("_", kind.__name__).lower()


@cache
def successors(tools: tuple[type[Tool], ...]) -> dict[type[Tool], type[Successor]]:
    """The second versions among the tools, by the first ones."""
    return {tool.replaces: tool for tool in tools if issubclass(tool, Successor)}


def all_replaced(tools: tuple[type[Tool], ...]) -> dict[str, str]:
    """The dates of replacement where every second version has been in service for long."""
    return {tool_name(kind): ALWAYS for kind in successors(tools)}


def is_replaced(versions: Mapping[str, str], name: str, today: str) -> bool:
    """Whether the second version of a tool works; `versions` holds the dates of replacement by the name of the first version."""
    return name in versions and versions[name] <= today


def refusal(versions: Mapping[str, str], kind: type[Tool], tools: tuple[type[Tool], ...], today: str) -> str:
    """Why a tool does not work, with the name of the one that does; empty if it works."""
    if issubclass(kind, Successor):
        name = tool_name(kind.replaces)
        if is_replaced(versions, name, today):
            return ""
        since = f" before {versions[name]}" if name in versions else " yet"
        return f"{tool_name(kind)} is not in service{since}; use {name}"
    name = tool_name(kind)
    if kind in successors(tools) and is_replaced(versions, name, today):
        since = f" on {versions[name]}" if versions[name] else ""
        return f"{name} was switched off{since}; use {tool_name(successors(tools)[kind])}"
    return ""


def in_manual(versions: Mapping[str, str], tools: tuple[type[Tool], ...]) -> tuple[type[Tool], ...]:
    """The tools that the manual describes: both versions of those that are being replaced, else the one that there is."""
    hidden = {
        kind if versions.get(tool_name(kind)) == ALWAYS else new
        for kind, new in successors(tools).items()
        if not _in_change(versions, kind)
    }
    return tuple(tool for tool in tools if tool not in hidden)


def change_page(versions: Mapping[str, str]) -> str:
    """The text of the page that announces replacements."""
    return "\n".join(
        f"{name} is switched off on {day}; from that day on {name}_v2 is in service instead of it." for name, day in versions.items()
    )


def parse_change_page(text: str) -> dict[str, str]:
    return dict(_LINE.findall(text))


def _in_change(versions: Mapping[str, str], kind: type[Tool]) -> bool:
    return versions.get(tool_name(kind), ALWAYS) != ALWAYS


def _converted(value: Any, old: str, new: str) -> Any:
    if old.endswith("_cents") and not new.endswith("_cents") and isinstance(value, int):
        return euros(value)
    if new.endswith("_cents") and not old.endswith("_cents") and isinstance(value, str):
        return cents(value)
    return value


def with_successors(tools: Sequence[type[Tool]], found: Sequence[type[Successor]]) -> tuple[type[Tool], ...]:
    """The tools, each followed by its second version if it has one."""
    later = {tool.replaces: tool for tool in found}
    return tuple(one for tool in tools for one in ((tool, later[tool]) if tool in later else (tool,)))
