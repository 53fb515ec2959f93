"""Sentences on loads that correct, take back and dispute one another: which of them count, and with which amounts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.facts.sentence_banks import Bank

BANK = Bank("""
sent: {source} sent {amount} sacks of {crop} to {goal}. | From {source}, {amount} sacks of {crop} went to {goal}.
sent: {goal} received {amount} sacks of {crop} from {source}. | A carter brought {amount} sacks of {crop} from {source} to {goal}.
like: {source} sent {more} sacks of {crop} more to {goal} than the number of sacks in sentence {of}.
like: To {goal}, {source} sent as many sacks of {crop} as sentence {of} tells of, and {more} more.
like: {goal} received {more} sacks of {crop} more from {source} than sentence {of} tells of.
like: Take the sacks of sentence {of} and {more} besides: so many sacks of {crop} went from {source} to {goal}.
fix: The number of sacks in sentence {of} should be {amount}. | Sentence {of} is wrong about the number, which was {amount}.
fix: Read {amount} for the number of sacks in sentence {of}. | A clerk found that sentence {of} ought to say {amount}.
back: Pay no heed to sentence {of}. | Sentence {of} is struck out.
back: Sentence {of} was written by mistake and does not count. | Strike out sentence {of}.
either: Of sentences {of} and {other}, one is true and the other is not. | Either sentence {of} is true or sentence {other}, but not both.
either: Sentences {of} and {other} contradict each other, and one of them is true. | One of sentences {of} and {other} is true, and only one.
""")
DISPUTED_LOADS = 16  # as many as the changes are about
MOST_SACKS = 898  # of disputed loads, so that two ways to settle the disputes seldom have the same total


class Entry(TaskData):
    """One sentence: a load (`sent`, or `like` another one), a correction (`fix`), a taking back (`back`), or a dispute of two (`either`)."""

    at: int
    kind: str
    source: str = ""
    goal: str = ""
    crop: str = ""
    amount: int = 0
    of: int = 0
    other: int = 0


def standing(entries: Iterable[Entry], untrue: Iterable[int] = ()) -> set[int]:
    """The sentences that count: those that are true and that no sentence which counts takes back."""
    entries, false = list(entries), set(untrue)
    backs: dict[int, list[int]] = {}
    for entry in entries:
        if entry.kind == "back":
            backs.setdefault(entry.of, []).append(entry.at)

    def stands(at: int) -> bool:
        return at not in false and not any(map(stands, backs.get(at, ())))

    return {entry.at for entry in entries if stands(entry.at)}


def amounts(entries: Iterable[Entry], standing_entries: set[int]) -> dict[int, int]:
    """The amount of each load that counts, after the corrections that count."""
    loads = {entry.at: entry for entry in entries if entry.kind in ("sent", "like")}
    fixed = {entry.of: entry.amount for entry in entries if entry.kind == "fix" and entry.at in standing_entries}

    def amount(at: int) -> int:
        return fixed.get(at, loads[at].amount + (amount(loads[at].of) if loads[at].kind == "like" else 0))

    return {at: amount(at) for at in loads if at in standing_entries}


def untrue_sets(entries: Iterable[Entry]) -> Iterator[tuple[int, ...]]:
    """For each way to settle the disputes: the sentences that are not true then."""
    return product(*((entry.of, entry.other) for entry in entries if entry.kind == "either"))


def settled_by_total(entries: Sequence[Entry], loads: Collection[int]) -> list[tuple[int, ...]]:
    """The ways to settle the disputes for which the sum of these loads is one that no other way has."""
    # Sentences that do not change each other add up independently. No load that another one is like is changed.
    all_loads = [entry for entry in entries if entry.kind in ("sent", "like")]
    totals: dict[int, list[tuple[int, ...]]] = {0: [()]}
    for part in _connected(entries):
        sums = []
        for untrue in untrue_sets(part):
            amount = amounts([*all_loads, *part], standing(part, untrue))
            sums.append((sum(amount[load] for load in amount if load in loads), untrue))
        grown: dict[int, list[tuple[int, ...]]] = {}
        for total, ways in totals.items():
            for more, untrue in sums:
                known = grown.setdefault(total + more, [])
                # Two ways are as good as many: such a total settles nothing.
                known += [(*way, *untrue) for way in ways[: 2 - len(known)]]
        totals = grown
    return [ways[0] for ways in totals.values() if len(ways) == 1]


def _connected(entries: Sequence[Entry]) -> list[list[Entry]]:
    """The sentences in groups that refer to each other."""
    group = {entry.at: entry.at for entry in entries}

    def find(at: int) -> int:
        while group[at] != at:
            at = group[at]
        return at

    for entry in entries:
        for other in (entry.of, entry.other):
            if other and entry.kind != "like":
                group[find(entry.at)] = find(other)
    parts: dict[int, list[Entry]] = {}
    for entry in entries:
        parts.setdefault(find(entry.at), []).append(entry)
    return list(parts.values())


def disputed_changes(rng: Rng, loads: Sequence[Entry], at: int) -> list[Entry]:
    """Corrections, takings back and disputes about 16 of the loads, as sentences from number `at` on.

    Loads are disputed against loads, and corrections against corrections and takings back, also of loads that are disputed themselves.
    """
    picked = [load.at for load in rng.sample(loads, DISPUTED_LOADS)]
    changes: list[Entry] = []

    def add(kind: str, of: int, other: int = 0) -> int:
        amount = rng.integer(11, MOST_SACKS) if kind == "fix" else 0
        changes.append(Entry(at=at + len(changes), kind=kind, of=of, other=other, amount=amount))
        return changes[-1].at

    # A ring: which of two loads is true decides whether a taking back matters, which is disputed against a correction of the next ones.
    pairs = [(picked[k], picked[k + 1]) for k in (0, 2, 4, 6, 8, 11)]
    pairs += [(add("back", picked[1]), add("fix", picked[2])), (add("back", picked[3]), add("fix", picked[4]))]
    pairs += [(add("back", picked[5]), add("fix", picked[0])), (add("fix", picked[6]), add("back", picked[13]))]
    pairs.append((add("fix", picked[10]), add("fix", picked[10])))
    add("fix", picked[8])
    # A taking back that is taken back once or twice: who stops reading too soon has the wrong loads.
    for load, depth in ((picked[14], 2), (picked[15], rng.integer(2, 3))):
        for _ in range(depth):
            load = add("back", load)
    for pair in rng.shuffled(pairs):
        add("either", *rng.shuffled(pair))
    return changes
