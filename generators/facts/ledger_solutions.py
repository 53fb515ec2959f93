"""Worked solutions of ledgers whose sentences correct, take back and dispute one another."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.generators.facts import ledgers
from rlgym.generators.facts.ledgers import Entry
from rlgym.solutions import Checks, Derivation, Step

TRUE = Step("Sentence {at:int}: the total can only be reached if sentence {of:int} is true and sentence {other:int} is not.")
BACK = Step("Sentence {at:int} takes back sentence {of:int}.")
FIXED = Step("Sentence {at:int} sets sentence {of:int} to {amount:int}.")
LIKE = Step("Sentence {at:int} is {more:int} more than the {base:int} of sentence {of:int}: {amount:int}.")
COUNTS = Step("Sentence {at:int} counts with {amount:int}; so far {total:int} in {count:int} sentence(s).")
SHARE = Step("Sentence {at:int} tells of {amount:int} from {source}; so far {total:int} in {count:int} sentence(s) from there.")


def derive(ledger: Sequence[Entry], untrue: Sequence[int], asked: Sequence[int], source: str) -> Derivation:
    """How the disputes are settled, what is taken back and corrected, and what the loads that are asked for come to, in all and from the source."""
    entries = {entry.at: entry for entry in ledger}
    for at, entry in entries.items():
        if entry.kind == "either":
            true, false = (entry.of, entry.other) if entry.other in untrue else (entry.other, entry.of)
            yield TRUE(at=at, of=true, other=false)
    standing = ledgers.standing(ledger, untrue)
    amounts: dict[int, int] = {}
    for at in sorted(standing, key=lambda at: (entries[at].kind != "back", at)):
        entry = entries[at]
        if entry.kind == "back" and entry.of not in untrue:
            yield BACK(at=at, of=entry.of)
        elif entry.kind == "fix" and entry.of in standing:
            amounts[entry.of] = entry.amount
            yield FIXED(at=at, of=entry.of, amount=entry.amount)
    total = count = 0
    counting = [at for at in asked if at in standing]
    for at in counting:
        yield from _derive_amount(entries, at, amounts)
        total, count = total + amounts[at], count + 1
        yield COUNTS(at=at, amount=amounts[at], total=total, count=count)
    total = count = 0
    for at in counting:
        if entries[at].source == source:
            total, count = total + amounts[at], count + 1
            yield SHARE(at=at, amount=amounts[at], source=source, total=total, count=count)


def _derive_amount(entries: dict[int, Entry], at: int, amounts: dict[int, int]) -> Derivation:
    """Adds the amount of a sentence, after the amounts of those that it refers to."""
    if at in amounts:
        return
    entry = entries[at]
    amounts[at] = entry.amount
    if entry.kind == "like":
        yield from _derive_amount(entries, entry.of, amounts)
        base = amounts[entry.of]
        amounts[at] += base
        yield LIKE(at=at, more=entry.amount, base=base, of=entry.of, amount=amounts[at])


def checks(ledger: Sequence[Entry], untrue: Sequence[int], asked: Sequence[int]) -> Checks:
    """Whether the steps of `derive` hold."""
    entries = {entry.at: entry for entry in ledger}
    standing = ledgers.standing(ledger, untrue)
    amounts, counted, shared = dict[int, int](), list[int](), list[int]()

    def known(at: int) -> int:
        return amounts[at] if at in amounts or entries[at].kind != "sent" else entries[at].amount

    def is_true(at: int, of: int, other: int) -> bool:
        return entries[at].kind == "either" and {of, other} == {entries[at].of, entries[at].other} and other in untrue

    def is_back(at: int, of: int) -> bool:
        return (entries[at].kind, entries[at].of) == ("back", of) and at in standing

    def is_fixed(at: int, of: int, amount: int) -> bool:
        if (entries[at].kind, entries[at].of, entries[at].amount) != ("fix", of, amount) or at not in standing:
            return False
        amounts[of] = amount
        return True

    def is_like(at: int, more: int, base: int, of: int, amount: int) -> bool:
        entry = entries[at]
        if (entry.kind, entry.of, entry.amount, known(of)) != ("like", of, more, base) or base + more != amount:
            return False
        amounts[at] = amount
        return True

    def counts(at: int, amount: int, total: int, count: int) -> bool:
        rising = not counted or at > counted[-1]
        if at not in asked or at not in standing or not rising or known(at) != amount:
            return False
        if (sum(map(known, counted)) + amount, len(counted) + 1) != (total, count):
            return False
        counted.append(at)
        return True

    def is_share(at: int, amount: int, source: str, total: int, count: int) -> bool:
        if at not in counted or at in shared or entries[at].source != source or known(at) != amount:
            return False
        if (sum(map(known, shared)) + amount, len(shared) + 1) != (total, count):
            return False
        shared.append(at)
        return True

    return {TRUE: is_true, BACK: is_back, FIXED: is_fixed, LIKE: is_like, COUNTS: counts, SHARE: is_share}
