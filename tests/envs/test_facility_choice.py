"""Cheapest choices of facilities: what branch and bound finds is the least of all choices, and greedy choices miss it where tasks say so."""

from itertools import combinations

from rlgym import Rng
from rlgym.envs.sql import sql_index_choice
from rlgym.generators.databases.facility_choice import FacilityChoice


def _sampled(rng: Rng) -> FacilityChoice:
    clients = rng.integer(2, 6)
    without = [rng.integer(20, 60) for _ in range(clients)]
    useful = [([rng.integer(0, 9) if rng.chance(0.4) else paid for paid in without], rng.integer(1, 40)) for _ in range(rng.integer(0, 8))]
    return FacilityChoice(without, useful, rng.integer(1, 3))


def test_the_least_cost_is_that_of_the_best_of_all_choices() -> None:
    for seed in range(60):
        choice = _sampled(Rng("facilities", seed))
        every = [list(some) for size in range(choice.most + 1) for some in combinations(range(len(choice.useful)), size)]
        greedy = choice.greedy()
        assert choice.least() == min(map(choice.total, every)) <= choice.total(choice.exchanged(greedy)) <= choice.total(greedy)


def test_the_facility_that_saves_most_can_be_the_wrong_one() -> None:
    choice = FacilityChoice([10, 10, 10, 10], [([10, 0, 0, 10], 1), ([0, 0, 10, 10], 2), ([10, 10, 0, 0], 2)], 2)
    assert choice.greedy()[0] == 0
    assert (choice.total(choice.greedy()), choice.least()) == (13, 4)
    assert choice.exchanged(choice.greedy()) == [1, 2]


def test_at_the_hard_end_single_steps_do_not_find_the_cheapest_indexes() -> None:
    greedy = exchanged = 0
    for seed in range(12):
        data = sql_index_choice.generate(Rng("indexes", seed), sql_index_choice.Knobs.at(1)).data
        choice = sql_index_choice._search(data)
        greedy += choice.total(choice.greedy()) > data.least
        exchanged += choice.total(choice.exchanged(choice.greedy())) > data.least
    assert greedy == 12
    assert exchanged > 5
