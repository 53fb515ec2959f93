"""Ledgers whose sentences take each other back and contradict each other."""

from collections import Counter

from rlgym import Rng
from rlgym.generators.facts import ledgers
from rlgym.generators.facts.ledgers import Entry


def _entry(at: int, kind: str, of: int = 0, amount: int = 0, other: int = 0) -> Entry:
    return Entry(at=at, kind=kind, of=of, amount=amount, other=other)


def test_a_taking_back_that_is_taken_back_twice_holds() -> None:
    entries = [_entry(1, "sent", amount=5), _entry(2, "back", 1), _entry(3, "back", 2), _entry(4, "back", 3)]
    assert ledgers.standing(entries[:2]) == {2}
    assert ledgers.standing(entries[:3]) == {1, 3}
    assert ledgers.standing(entries) == {2, 4}
    assert ledgers.standing(entries, [4]) == {1, 3}


def test_a_correction_holds_where_it_counts() -> None:
    entries = [_entry(1, "sent", amount=5), _entry(2, "like", 1, 3), _entry(3, "fix", 1, 9), _entry(4, "back", 3)]
    assert ledgers.amounts(entries[:3], ledgers.standing(entries[:3])) == {1: 9, 2: 12}
    assert ledgers.amounts(entries, ledgers.standing(entries)) == {1: 5, 2: 8}


def test_totals_that_settle_disputes_come_from_one_way_only() -> None:
    rng = Rng("disputes", 1)
    loads = [_entry(at, "sent", amount=rng.integer(11, 898)) for at in range(1, 17)]
    entries = [*loads, *ledgers.disputed_changes(rng, loads, 17)]
    asked = {load.at for load in loads}
    sums = {
        tuple(sorted(untrue)): sum(ledgers.amounts(entries, ledgers.standing(entries, untrue)).get(load, 0) for load in asked)
        for untrue in ledgers.untrue_sets(entries)
    }
    times = Counter(sums.values())
    single = {untrue for untrue, total in sums.items() if times[total] == 1}
    assert {tuple(sorted(untrue)) for untrue in ledgers.settled_by_total(entries, asked)} == single
    assert 0 < len(single) < len(sums)
