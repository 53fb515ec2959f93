"""People arranged in a row by remarks: masks and search agree with trying every order, and no remark is idle."""

from itertools import permutations

from rlgym import Rng
from rlgym.generators.facts import arrangements


def _fitting(remarks: list[arrangements.Remark], people: list[str]) -> list[dict[str, int]]:
    orders = [dict(zip(people, order, strict=True)) for order in permutations(range(len(people)))]
    return [at for at in orders if all(arrangements.holds(one.kind, [at[name] for name in one.people], one.before) for one in remarks)]


def test_some_places_are_settled_and_each_remark_is_needed() -> None:
    people, kinds = ["a", "b", "c", "d", "e"], set()
    for seed in range(12):
        remarks, settled = arrangements.sample(Rng("arrangements", seed), people, 4)
        kinds |= {remark.kind for remark in remarks}
        fitting = _fitting(remarks, people)
        assert 2 <= len(fitting) <= 4
        holders = [{name for at in fitting for name in people if at[name] == place} for place in range(5)]
        assert settled == {place: names.pop() for place, names in enumerate(holders) if len(names) == 1}
        assert len(settled) > 1
        for remark in remarks:
            assert len(_fitting([other for other in remarks if other != remark], people)) > len(fitting)
        found = [at for at, broken in arrangements.search(remarks, people) if not broken]
        assert sorted(sorted(at.items()) for at in found) == sorted(sorted(at.items()) for at in fitting)
    assert kinds == set(arrangements.SIZES)
