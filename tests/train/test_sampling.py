"""Which tasks go together and how often each is tried, against numbers computed by hand."""

from __future__ import annotations

from math import ceil

import pytest

from rlgym.core.rng import Rng
from rlgym.train.advantages.bundles import bundle_rollouts
from rlgym.train.data.segment_sums import position_T, to_packed, to_padded, used_T
from rlgym.train.registry import OptionError
from rlgym.train.tasks.sampling import num_tasks_to_draw, pair_hard_with_easy, rollouts_for_success_rate, sample_bundles

torch = pytest.importorskip("torch", reason="the trainer needs torch")


def test_bundles_hold_each_task_once():
    full, rest = sample_bundles(range(11), 4, Rng("a"))
    assert [len(bundle) for bundle in full] == [4, 4]
    assert len(rest) == 3
    assert sorted([*sum(full, ()), *rest]) == list(range(11))
    assert sample_bundles(range(11), 4, Rng("a")) == (full, rest)
    assert sample_bundles(range(11), 4, Rng("b")) != (full, rest)
    assert sample_bundles([], 4, Rng("a")) == ([], [])


def test_bundles_mix_all_tasks():
    """Each pair of four tasks is about as often in one bundle of two: a third of the time."""
    met = dict.fromkeys([(0, 1), (0, 2), (0, 3)], 0)
    for seed in range(600):
        for bundle in sample_bundles(range(4), 2, Rng("mix", seed))[0]:
            if 0 in bundle:
                met[tuple(sorted(bundle))] += 1
    assert all(150 < count < 250 for count in met.values())


def test_a_bundle_of_nothing_is_refused():
    with pytest.raises(OptionError, match="at least one task"):
        sample_bundles([1], 0, Rng("a"))


def test_rollouts_of_tasks_that_follow_each_other_are_bundled():
    group_N = torch.tensor([0, 0, 1, 1, 2, 2, 3, 4])
    # Tasks 0 and 1, 2 and 3: first rollout with first, second with second; the second of task 2 and the task 4 stay alone
    assert bundle_rollouts(group_N, 2).tolist() == [0, 1, 0, 1, 2, 3, 2, 4]
    assert bundle_rollouts(torch.tensor([0, 1, 0, 1]), 1).tolist() == [0, 1, 2, 3]
    assert bundle_rollouts(torch.tensor([1, 0, 0, 1]), 5).tolist() == [0, 0, 1, 1]


def test_the_hardest_goes_with_the_easiest():
    success = {"never": 0.0, "seldom": 0.1, "half": 0.5, "often": 0.7, "mostly": 0.9, "nearly": 0.95, "always": 1.0}
    assert pair_hard_with_easy(success, Rng("p")) == [("seldom", "nearly"), ("half", "mostly")]
    assert pair_hard_with_easy({"a": 0.1, "b": 0.2}, Rng("p")) == []
    assert pair_hard_with_easy({}, Rng("p")) == []


def test_equal_tasks_are_paired_at_random():
    success = {1: 0.1, 2: 0.1, 3: 0.9}
    drawn = {pair_hard_with_easy(success, Rng("p", seed))[0] for seed in range(50)}
    assert drawn == {(1, 3), (2, 3)}


def signal(count, chance):
    """The sum of |A| over a group of mean-only advantages: n p (1 - p) + n (1 - p) p."""
    return 2 * count * chance * (1 - chance)


@pytest.mark.parametrize("hardness_weighted", [False, True])
def test_hard_tasks_get_rollouts_until_their_signal_is_as_wanted(hardness_weighted):
    for chance in (0.01, 0.1, 0.25, 0.3, 0.49):
        target = 8 * (1 - chance) if hardness_weighted else 8 / 2
        count = rollouts_for_success_rate(chance, 8, 10**6, hardness_weighted)
        assert signal(count, chance) >= target - 1e-6
        assert count == 8 or signal(count - 1, chance) < target


def test_rollouts_wanted_by_hand():
    # 8 / (4 * 0.25 * 0.75) = 10.67; 8 / (2 * 0.25) = 16
    assert rollouts_for_success_rate(0.25, 8, 64) == 11
    assert rollouts_for_success_rate(0.25, 8, 64, hardness_weighted=True) == 16
    assert rollouts_for_success_rate(0.25, 8, 10) == 10
    assert [rollouts_for_success_rate(chance, 8, 64) for chance in (0.5, 0.75, 1)] == [8, 8, 8]
    assert rollouts_for_success_rate(0, 8, 64) == rollouts_for_success_rate(1e-9, 8, 64) == 64


@pytest.mark.parametrize(("success", "group", "most"), [(-0.1, 8, 64), (1.1, 8, 64), (0.5, 0, 64), (0.5, 8, 7)])
def test_rollouts_wanted_refuses_what_makes_no_sense(success, group, most):
    with pytest.raises(OptionError, match="success rate"):
        rollouts_for_success_rate(success, group, most)


def test_tasks_to_draw_makes_up_for_groups_without_signal():
    assert num_tasks_to_draw(32, 1.0, 1000) == 32
    assert num_tasks_to_draw(32, 0.5, 1000) == 64
    assert num_tasks_to_draw(32, 0.3, 1000) == ceil(32 / 0.3)
    assert num_tasks_to_draw(30, 0.3, 1000) == 100
    assert num_tasks_to_draw(32, 0.01, 1000) == num_tasks_to_draw(32, 0, 1000) == 1000


@pytest.mark.parametrize(("expected", "share", "most"), [(0, 0.5, 10), (11, 0.5, 10), (5, -0.1, 10), (5, 1.1, 10)])
def test_tasks_to_draw_refuses_what_makes_no_sense(expected, share, most):
    with pytest.raises(OptionError, match="wanted"):
        num_tasks_to_draw(expected, share, most)


def test_places_count_used_tokens_only(build):
    batch = build([1, 0, 1], logprobs=[[-1, -2, -3], [-4], [-5, -6]], valid=[True, False, True])
    assert position_T(batch)[used_T(batch)].tolist() == [0, 1, 2, 0, 1]
    assert to_padded(batch.old_logprobs_T, batch).tolist() == [[-1, -2, -3], [0, 0, 0], [-5, -6, 0]]
    there_and_back = to_packed(to_padded(batch.old_logprobs_T, batch), batch)
    assert there_and_back[used_T(batch)].tolist() == [-1, -2, -3, -5, -6]
    assert not there_and_back[~used_T(batch)].any()
