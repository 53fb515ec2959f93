"""Schemas whose keywords tie keys to each other: one set of keys is right, and the search finds every one that is."""

from itertools import combinations

import pytest

from rlgym import Rng
from rlgym.generators.constraints import tied_keys
from rlgym.generators.constraints.schemas import find_violation
from rlgym.generators.constraints.tied_keys import APART, CALLS, ONE, SOME, TiedKeys

NAMES = [f"k{i}" for i in range(13)]


def _subsets(tied: TiedKeys) -> list[frozenset[str]]:
    return [frozenset(keys) for size in range(tied.most + 1) for keys in combinations(tied.names, size)]


def test_a_single_set_of_keys_is_right_and_the_greedy_one_is_not() -> None:
    for seed in range(5):
        tied = tied_keys.sample(Rng("tied", seed), NAMES, 4)
        right = [keys for keys in _subsets(tied) if all(tied_keys.holds(rule, keys) for rule in tied.rules)]
        assert set(tied_keys.choices(tied)) == set(right) == {frozenset(NAMES[:4])}
        assert tied_keys.greedy(tied) not in right


def test_the_search_adds_keys_for_rules_that_want_them() -> None:
    rules = ((SOME, ("a", "b")), (ONE, ("b", "c", "d")), (APART, ("a", "c")), (CALLS, ("d", "e")))
    tied = TiedKeys(("a", "b", "c", "d", "e"), 3, rules)
    assert set(tied_keys.choices(tied)) == {frozenset("ab"), frozenset("b"), frozenset("ade")}
    assert set(tied_keys.choices(tied, ["a"])) == {frozenset("ab"), frozenset("ade")}


@pytest.mark.parametrize("listed", [False, True])
def test_a_schema_says_what_the_rules_say(listed: bool) -> None:
    tied = tied_keys.sample(Rng("schemas of keys", listed), NAMES[:9], 3)
    schema = tied_keys.list_schema(tied) if listed else tied_keys.object_schema(tied, {name: {"type": "integer"} for name in tied.names})
    again = tied_keys.read(schema)
    assert again is not None
    assert (again.most, set(again.names), set(again.rules)) == (tied.most, set(tied.names), set(tied.rules))
    for keys in _subsets(tied):
        value = sorted(keys) if listed else dict.fromkeys(keys, 1)
        assert (find_violation(value, schema, schema) is None) == all(tied_keys.holds(rule, keys) for rule in tied.rules)
