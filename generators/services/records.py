"""Records of an office, the calls that read, list and change them, and a reader for oracles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple, TypeVar

from pydantic import Field

from rlgym.answers import Tool, ToolCalls
from rlgym.core.task import TaskData
from rlgym.generators.worlds.catalogue import PAGE

Fact = int | str | tuple[str, ...]
CODE: Any = Field(max_length=40)
TEXT: Any = Field(max_length=80)
FIRST_PAGE: Any = Field(1, ge=1, le=1000)
AMOUNT: Any = Field(ge=0, le=10**9)


class Record(NamedTuple):
    """A row of a kind; codes are unique over all kinds. A fact named `says` is shown alone, as what a person says."""

    kind: str
    code: str
    facts: dict[str, Fact]

    def number(self, name: str) -> int:
        value = self.facts[name]
        assert isinstance(value, int), f"{name} of {self.code} is no number: {value!r}"
        return value

    def word(self, name: str) -> str:
        value = self.facts[name]
        assert isinstance(value, str), f"{name} of {self.code} is no word: {value!r}"
        return value

    def names(self, name: str) -> tuple[str, ...]:
        value = self.facts[name]
        assert isinstance(value, tuple), f"{name} of {self.code} is no list: {value!r}"
        return value

    def line(self, shown: Sequence[str]) -> str:
        return f"{self.code}: " + "; ".join(f"{name} {_write(self.facts[name])}" for name in shown)

    @property
    def text(self) -> str:
        return self.word("says") if "says" in self.facts else self.line(tuple(self.facts))


class Read(Tool):
    """A look-up of one record by its code: the arguments that `by` names, with a space between them."""

    kind: ClassVar[str] = ""
    by: ClassVar[tuple[str, ...]] = ("code",)

    def found(self, records: Sequence[Record]) -> Record | None:
        """The record that the look-up shows; a subclass may work one out."""
        return _records_by_code(records).get((self.kind, search_key(self)))


class Browse(Tool):
    """A look-up of all records of a kind whose facts are as the arguments named by `by`, in pages, with the facts named by `shows`."""

    kind: ClassVar[str] = ""
    by: ClassVar[tuple[str, ...]] = ()
    shows: ClassVar[tuple[str, ...]] = ()


class Change(Tool):
    """A change; the arguments named by `touches` hold codes of records (of the kind given) that must have been read before."""

    touches: ClassVar[dict[str, str]] = {}


class Finish(Tool):
    """Ends the task; what was done is then judged."""


class Office(TaskData):
    """The state of the work. The records stay as they were at the start; what was changed since stands in `done`."""

    briefing: str
    records: tuple[Record, ...]
    cases: int
    stalls: tuple[tuple[str, str], ...] = ()  # how a call begins that is not answered the first time, and what is said instead
    stalled: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()  # look-ups that were answered, as JSON
    read: tuple[str, ...] = ()  # codes of the records read
    done: tuple[str, ...] = ()  # changes made, as JSON
    spoiled: str = ""  # why the work is lost already
    finished: bool = False
    told: str = ""


V = TypeVar("V")


class Missing(Exception):
    """Look-ups that must be made before the work can go on."""

    def __init__(self, calls: Sequence[Tool]) -> None:
        super().__init__(calls)
        self.calls = tuple(calls)


class Eyes:
    """The records as far as they were seen; one that was not raises Missing. With `seen` None all are, and `used` counts the look-ups."""

    def __init__(self, records: Sequence[Record], tools: ToolCalls, seen: Sequence[str] | None) -> None:
        self._records, self._tools = records, tools
        self._seen = None if seen is None else frozenset(seen)
        self.used: dict[str, None] = {}

    def read(self, call: Read) -> Record:
        """The record that a look-up shows; it must be there."""
        record = self.find(call)
        assert record is not None, f"no record is found by {call!r}"
        return record

    def find(self, call: Read) -> Record | None:
        self._require_calls([call])
        return call.found(self._records)

    def all(self, call: Browse) -> list[Record]:
        """All records that a look-up lists, over all its pages; only the facts that it shows may be used."""
        self._require_calls([call])
        rows = listed_by(self._records, call)
        pages = -(-len(rows) // PAGE)
        self._require_calls([call.model_copy(update={"page": number}) for number in range(2, pages + 1)])
        return [row._replace(facts={name: row.facts[name] for name in call.shows}) for row in rows]

    def each(self, questions: Sequence[Callable[[], V]]) -> list[V]:
        """The answers to questions that do not depend on one another; what is missing for any of them is missing at once."""
        answers, missing = [], dict[Tool, None]()
        for question in questions:
            try:
                answers.append(question())
            except Missing as stop:
                missing |= dict.fromkeys(stop.calls)
        if missing:
            raise Missing(tuple(missing))
        return answers

    def reads(self, calls: Sequence[Read]) -> list[Record]:
        """The records that look-ups show, which may all be made at once."""
        return self.each([lambda call=call: self.read(call) for call in calls])  # type: ignore[misc]

    def _require_calls(self, calls: Sequence[Tool]) -> None:
        keys = [self._tools.render((call,)) for call in calls]
        self.used |= dict.fromkeys(keys)
        if self._seen is not None and (missing := [call for call, key in zip(calls, keys) if key not in self._seen]):
            raise Missing(missing)


_INDEXES: list[tuple[Sequence[Record], dict[tuple[str, str], Record]]] = []
"""The indexes of the offices in use, newest first. Each holds its records, so that no other records have their identity."""


def _records_by_code(records: Sequence[Record]) -> dict[tuple[str, str], Record]:
    """The records by kind and code in lower case; the first one where a code stands twice."""
    for place, (indexed, index) in enumerate(_INDEXES):
        if indexed is records:
            if place:
                _INDEXES.insert(0, _INDEXES.pop(place))
            return index
    index = {(record.kind, record.code.lower()): record for record in reversed(records)}
    if isinstance(records, tuple):  # which cannot change
        _INDEXES.insert(0, (records, index))
        del _INDEXES[8:]
    return index


def listed_by(records: Sequence[Record], call: Browse) -> list[Record]:
    """The records that a look-up lists, by their codes, which say nothing."""
    criteria = [(name, str(getattr(call, name)).strip().lower()) for name in call.by]
    rows = [
        record for record in records if record.kind == call.kind and all(_fact_equals(record.facts[name], word) for name, word in criteria)
    ]
    return sorted(rows, key=lambda record: record.code)


def search_key(call: Read) -> str:
    return " ".join(str(getattr(call, name)).strip().lower() for name in call.by)


def _fact_equals(fact: Fact, word: str) -> bool:
    return word in map(str.lower, fact) if isinstance(fact, tuple) else str(fact).lower() == word


def _write(fact: Fact) -> str:
    return (", ".join(fact) or "none") if isinstance(fact, tuple) else str(fact)
