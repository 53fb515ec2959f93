"""What changed packages compute, derived from a run of the right one: only the steps that a change touches are computed anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

from rlgym.generators.repository.components import Entry
from rlgym.generators.repository.helpers import STYLES, Book
from rlgym.generators.repository.inputs import Lines
from rlgym.generators.repository.package import Charging, Package, Rule, meaning, reading

RAISED = (ValueError, LookupError, TypeError)
FAILED = ["(an error in place of a report)"]
A = TypeVar("A")
B = TypeVar("B")


def call_or_none(function: Callable[[A], B], argument: A) -> B | None:
    """The result, or None where the function raises."""
    try:
        return function(argument)
    except RAISED:
        return None


def results(package: Package, inputs: Sequence[Lines]) -> list[list[str]]:
    """What a package gives for each input; FAILED where it raises."""
    run = meaning(package)
    return [FAILED if (rows := call_or_none(run, lines)) is None else rows for lines in inputs]


class Trace(NamedTuple):
    """The entries of an input, and for each the amount before the first rule and the one after each rule; and the kinds of the entries."""

    entries: list[Entry]
    amounts: list[list[int]]
    kinds: set[str]


class Block(NamedTuple):
    """Rules of the right package, from `first` up to `end`, and what stands in their place.

    following  the place of the next rule in the changed package
    kinds      the only kinds of entries on which the rules act; all where it is empty
    """

    first: int
    end: int
    rules: list[Rule]
    following: int
    kinds: tuple[str, ...] = ()


class Reading:
    """How a package reads inputs; each is read when it is asked for first."""

    def __init__(self, package: Package, inputs: Sequence[Lines]) -> None:
        self._read, self._inputs, self._known = reading(package), inputs, dict[int, list[Entry] | None]()

    def __call__(self, place: int) -> list[Entry] | None:
        """The entries of an input; None where the package raises."""
        if place not in self._known:
            self._known[place] = call_or_none(self._read, self._inputs[place])
        return self._known[place]


class Cases:
    """Inputs of a package, and what they give.

    right  what the package gives for each input
    """

    def __init__(self, package: Package, inputs: list[Lines]) -> None:
        self.package, self.inputs = package, inputs
        self.charging = Charging(package)
        self._readings: dict[str, Reading] = {}
        read = self.reading(package)
        self.traces = [None if (entries := read(place)) is None else call_or_none(self._trace, entries) for place in range(len(inputs))]
        self.right = [FAILED if trace is None else self._unchanged(self.charging, trace) for trace in self.traces]

    def reading(self, package: Package) -> Reading:
        """How a package reads the inputs."""
        parts = {component.key for component in package.layer("reading")}
        key = repr((sorted(parts), [(site, option) for site, option in package.chosen.items() if site.component in parts]))
        if key not in self._readings:
            self._readings[key] = Reading(package, self.inputs)
        return self._readings[key]

    def _trace(self, entries: list[Entry]) -> Trace:
        charging, book, amounts = self.charging, Book(self.charging.options), list[list[int]]()
        for entry in entries:
            steps = [charging.start(entry)]
            for _, run, helpers, options in charging.rules:
                steps.append(run(helpers, options, entry, steps[-1], book))
            book.add(entry, steps[-1])
            amounts.append(steps)
        return Trace(entries, amounts, {entry.kind for entry in entries})

    @staticmethod
    def _unchanged(charging: Charging, trace: Trace) -> list[str]:
        """The report on the amounts of the right package."""
        book = Book(charging.options)
        book.entries = [(entry, steps[-1]) for entry, steps in zip(trace.entries, trace.amounts, strict=True)]
        return FAILED if (rows := call_or_none(charging.write, book)) is None else rows

    def changed(self, package: Package) -> Changed:
        """Another package, for these inputs."""
        return Changed(self, package)

    def results(self, package: Package) -> list[list[str]]:
        """What another package gives for the inputs; FAILED where it raises."""
        changed = self.changed(package)
        return [changed.rows(place) for place in range(len(self.inputs))]

    def failing(self, package: Package) -> list[int]:
        """The inputs for which another package gives something else."""
        return self.changed(package).first_failing()


class Changed:
    """What a changed package computes for the inputs of the right one.

    As long as the rules that the change touches give what they gave, nothing else is computed. After the first other amount, the rules that look at
    the book are computed as well.
    """

    def __init__(self, found: Cases, package: Package) -> None:
        self._found, self._charging = found, Charging(package, found.charging)
        self._reading = found.reading(package)
        before, after = found.charging, self._charging
        touched = _touched(before, after)
        self._from_start = "rate" in touched
        self._writes = "reports" in touched
        rules = [component for component in found.package.components if component.layer == "rules"]
        keys = {rule.key: rule.kinds for rule in rules if rule.key in touched or rule.uses & touched}
        late = {rule.key: rule.kinds for rule in rules if rule.key in keys or rule.uses - STYLES.keys()}
        self._blocks, self._late = _blocks(before.rules, after.rules, keys), _blocks(before.rules, after.rules, late)
        # Where every block is about certain kinds, inputs without them need not be followed.
        certain = not self._writes and all(block.kinds for block in self._blocks)
        self._kinds = {kind for block in self._blocks for kind in block.kinds} if certain else set[str]()

    def rows(self, place: int) -> list[str]:
        """The report for an input; FAILED where the package raises."""
        entries, trace = self._reading(place), self._found.traces[place]
        if entries is None:
            return FAILED
        try:
            if trace is None or self._from_start or (entries is not trace.entries and entries != trace.entries):
                return self._charging(entries)
            return self._found.right[place] if self._kinds and trace.kinds.isdisjoint(self._kinds) else self._follow(place, trace)
        except RAISED:
            return FAILED

    def fails(self, place: int) -> bool:
        """Whether the report for an input is another one than the right one."""
        return self.rows(place) != self._found.right[place]

    def first_failing(self, places: Iterable[int] | None = None, count: int | None = None) -> list[int]:
        """The first `count` of these inputs for which the report is another one; all of them where no number is given."""
        return list(islice(filter(self.fails, range(len(self._found.inputs)) if places is None else places), count))

    def _follow(self, place: int, trace: Trace) -> list[str]:
        book, blocks = Book(self._charging.options), self._blocks
        for entry, amounts in zip(trace.entries, trace.amounts, strict=True):
            last = amounts[-1]
            for first, end, rules, following, kinds in blocks:
                if kinds and entry.kind not in kinds:
                    continue
                amount = amounts[first]
                for _, run, helpers, options in rules:
                    amount = run(helpers, options, entry, amount, book)
                if amount != amounts[end]:
                    for _, run, helpers, options in self._charging.rules[following:]:
                        amount = run(helpers, options, entry, amount, book)
                    last = amount
                    break
            if last != amounts[-1]:
                blocks = self._late
            book.entries.append((entry, last))
        return self._charging.write(book) if self._writes or blocks is self._late else self._found.right[place]


def _touched(before: Charging, after: Charging) -> set[str]:
    """The components that mean something else, or are called in another way; `reports` where the report is written in another way."""
    old, new = before.package, after.package
    sites = {site for each in (old, new) for site in each.chosen if old.chosen.get(site) != new.chosen.get(site)}
    touched = {site.component for site in sites} | {name for name in STYLES if old.styles.get(name) != new.styles.get(name)}
    if old.components is not new.components:
        known = {component.key: component for component in old.components}
        kept = {component.key for component in new.components if component is known.get(component.key)}
        touched |= known.keys() - kept | {component.key for component in new.components} - kept
    reports = {component.key for each in (old, new) for component in each.components if component.layer == "reports"}
    return touched | {"reports"} if reports & touched or ("taxed" in reports and "percent" in touched) else touched


def _blocks(before: Sequence[Rule], after: Sequence[Rule], touched: Mapping[str, tuple[str, ...]]) -> list[Block]:
    """The rules that may give something else, each by itself; those that are missing, new or in another order in one block.

    touched  the kinds on which each rule acts that may give something else
    """
    same = 0
    while same < min(len(before), len(after)) and before[same].key == after[same].key:
        same += 1
    tail = 0
    while tail < min(len(before), len(after)) - same and before[-1 - tail].key == after[-1 - tail].key:
        tail += 1
    shift = len(after) - len(before)
    middle = [Block(same, len(before) - tail, list(after[same : len(after) - tail]), len(after) - tail)]
    return [
        *(Block(at, at + 1, [after[at]], at + 1, touched[after[at].key]) for at in range(same) if after[at].key in touched),
        *(middle if same < max(len(before), len(after)) else []),
        *(
            Block(at, at + 1, [after[at + shift]], at + shift + 1, touched[before[at].key])
            for at in range(len(before) - tail, len(before))
            if before[at].key in touched
        ),
    ]
