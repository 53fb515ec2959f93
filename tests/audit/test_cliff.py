"""How far the optimal policy moves when rewards change a little."""

import math

import pytest

from rlgym import RlgymError
from rlgym.audit.measures.cliff import optimal_policy, policy_cliff

TIED = (1.0, 1.0, 1.0, 1.0, 0.0)


def test_optimal_policies_by_hand():
    assert optimal_policy(TIED) == [0.25, 0.25, 0.25, 0.25, 0]
    assert optimal_policy([1.0, 0.0], 1.0) == pytest.approx([math.e / (math.e + 1), 1 / (math.e + 1)])
    for rewards, entropy in (([], 0.0), ([1.0], -0.1)):
        with pytest.raises(RlgymError, match="needs rewards"):
            optimal_policy(rewards, entropy)


def test_the_greedy_policy_jumps_at_any_change_and_entropy_smooths_it():
    found = {(point.epsilon, point.entropy): point for point in policy_cliff(TIED)}
    for epsilon in (1e-6, 1e-1):
        # Of four tied responses one remains: a distance of 3/4, however small the change.
        assert found[epsilon, 0.0].mean == pytest.approx(0.75)
    assert found[1e-6, 0.01].largest < 1e-4
    # With entropy the change of the policy is at most of the order of epsilon over the weight.
    assert found[1e-3, 0.1].largest <= 1e-3 / 0.1
    assert found[1e-1, 1.0].largest < found[1e-1, 0.1].largest < found[1e-1, 0.01].largest
    assert found == {(point.epsilon, point.entropy): point for point in policy_cliff(TIED)}


def test_without_ties_there_is_no_cliff():
    found = policy_cliff([1.0, 0.5, 0.0], epsilons=(1e-2,), entropies=(0.0,))
    assert found[0].largest == 0
