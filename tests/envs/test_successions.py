"""Orders of holders that remarks leave: the search agrees with trying all orders, and every remark is needed."""

from itertools import permutations

from rlgym import Rng
from rlgym.generators.facts import successions
from rlgym.generators.facts.successions import Remark


def _fitting(remarks: list[Remark], names: list[str], years: list[int]) -> list[tuple[str, ...]]:
    return [
        order
        for order in permutations(names)
        if all(successions.holds(remark, {name: place for place, name in enumerate(order)}, years) for remark in remarks)
    ]


def test_remarks_leave_one_order_and_each_is_needed() -> None:
    kinds = set()
    for seed in range(6):
        rng = Rng("orders", seed)
        names, years = rng.shuffled(["a", "b", "c", "d", "e"]), sorted(rng.sample(range(20, 200, 4), 6))
        remarks = successions.sample(rng, names, years)
        kinds |= {remark.kind for remark in remarks}
        assert _fitting(remarks, sorted(names), years) == [tuple(names)]
        for remark in remarks:
            others = [other for other in remarks if other != remark]
            assert successions.count_orders(others, names, years) == 2
            assert len(_fitting(others, sorted(names), years)) > 1
    assert len(kinds) > 2


def test_what_remarks_say() -> None:
    places, years = {"a": 0, "b": 1, "c": 2}, [10, 20, 40, 50]
    true = [
        Remark(kind="between", who="b", other="c", third="a"),
        Remark(kind="outside", who="a", other="b", third="c"),
        Remark(kind="apart", who="a", other="c"),
        Remark(kind="longer", who="b", other="a"),
        Remark(kind="later", who="b", year=15),
        Remark(kind="earlier", who="a", year=20),
    ]
    false = [
        Remark(kind="between", who="a", other="c", third="b"),
        Remark(kind="outside", who="b", other="a", third="c"),
        Remark(kind="apart", who="c", other="b"),
        Remark(kind="longer", who="a", other="c"),
        Remark(kind="later", who="b", year=20),
        Remark(kind="earlier", who="b", year=39),
    ]
    assert all(successions.holds(remark, places, years) for remark in true)
    assert not any(successions.holds(remark, places, years) for remark in false)
