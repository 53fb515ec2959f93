"""The distance between two reward functions, by hand, and what must not change it."""

from math import sqrt

import pytest

from rlgym import Rng
from rlgym.audit import reward_distance
from rlgym.core.errors import RlgymError

PROMPTS = ["a", "a", "b", "b"]


def test_the_distance_by_hand():
    # Without the means: 1/2, -1/2, 1/2, -1/2 with the norm 1, and 1/2, -1/2, 0, 0 with the norm 1 / sqrt(2).
    found = reward_distance([1, 0, 1, 0], [1, 0, 3, 3], PROMPTS)
    difference = [1 / 2 - 1 / sqrt(2), 1 / sqrt(2) - 1 / 2, 1 / 2, -1 / 2]
    assert found == pytest.approx(sqrt(sum(value**2 for value in difference)) / 2)
    assert reward_distance([1, 0, 1, 0], [0, 1, 0, 1], PROMPTS) == pytest.approx(1)
    assert reward_distance([1, 0, 1, 0], [5, 5, 2, 2], PROMPTS) == pytest.approx(0.5)
    assert reward_distance([5, 5, 2, 2], [0.1, 0.1, 0.7, 0.7], PROMPTS) == 0


def test_offsets_by_prompt_and_scales_change_nothing():
    rng = Rng("distance", 1)
    for _ in range(50):
        prompts = [rng.integer(0, 4) for _ in range(20)]
        first, second = ([rng.integer(-100, 100) / 7 for _ in prompts] for _ in range(2))
        offsets = [rng.integer(-50, 50) for _ in range(5)]
        moved = [3.7 * reward + offsets[prompt] for reward, prompt in zip(first, prompts, strict=True)]
        assert reward_distance(first, moved, prompts) == pytest.approx(0, abs=1e-7)
        assert reward_distance(moved, second, prompts) == pytest.approx(reward_distance(first, second, prompts))
        assert reward_distance(first, second, prompts) == reward_distance(second, first, prompts)
        assert reward_distance([-reward for reward in first], first, prompts) == pytest.approx(1)


def test_a_noisier_proxy_is_farther_away():
    true = [float(place % 3 == 0) for place in range(300)]
    prompts = [place // 6 for place in range(300)]
    noisy = [[1 - reward if place % every == 0 else reward for place, reward in enumerate(true)] for every in (20, 5, 3)]
    distances = [reward_distance(true, proxy, prompts) for proxy in noisy]
    assert 0 < distances[0] < distances[1] < distances[2] <= 1


@pytest.mark.parametrize("given", [([], [], []), ([1], [1, 2], ["a"]), ([1], [float("nan")], ["a"])])
def test_what_cannot_be_compared_is_refused(given):
    with pytest.raises(RlgymError):
        reward_distance(*given)
