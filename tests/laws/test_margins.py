"""The margins of statistical laws: a sound environment stays within them, a faulty one does not."""

from math import comb

import pytest

from rlgym import Rng
from rlgym.core.errors import KnobError
from rlgym.laws import certify
from rlgym.laws.blind_players import MOST_EARNED, MOST_IF_GUESSABLE, Earnings
from rlgym.laws.constant_answer import MEASURED_ON
from rlgym.laws.diversity import SMALLEST_POOL, expected_repeats, most_repeats
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.margins import RISK, exceeds, most_by_chance, significantly_more


def _beyond(count, tries, share):
    """The probability that a binomial variable is above a count, summed term by term."""
    return sum(comb(tries, k) * share**k * (1 - share) ** (tries - k) for k in range(count + 1, tries + 1))


@pytest.mark.parametrize(("tries", "share"), [(9, 0.2), (10, 0.5), (36, 0.05), (100, 0.5), (400, 0.05), (900, 0.02)])
def test_a_share_at_the_limit_exceeds_the_margin_with_the_stated_risk(tries, share):
    most = most_by_chance(tries, share)
    assert _beyond(most, tries, share) <= RISK
    assert most == 0 or _beyond(most - 1, tries, share) > RISK


def test_margins_at_the_ends():
    assert most_by_chance(10, 0.0) == 0
    assert most_by_chance(10, 1.0) == 10
    assert not exceeds(10, 10, 1.0)
    assert exceeds(1, 10, 0.0)


def test_a_share_is_significantly_more_than_another_only_beyond_chance():
    assert not significantly_more(3, 8, 0, 8)
    assert not significantly_more(35, 100, 25, 100)
    assert significantly_more(35, 100, 10, 100)
    assert significantly_more(8, 8, 0, 8)
    assert not significantly_more(0, 8, 0, 8)


@pytest.mark.parametrize("count", [60, 240, 1000])
def test_pools_of_the_smallest_size_pass_and_small_pools_fail(count):
    def repeats(pool, seed):
        rng = Rng("pool", pool, count, seed)
        return count - len({rng.integer(1, pool) for _ in range(count)})

    at_the_limit = [repeats(SMALLEST_POOL, seed) for seed in range(200)]
    assert sum(each > most_repeats(count) for each in at_the_limit) <= 2
    assert abs(sum(at_the_limit) / 200 - expected_repeats(count)) < 0.1 * expected_repeats(count) + 0.1
    assert all(repeats(200 if count == 60 else 1000, seed) > most_repeats(count) for seed in range(200))


def test_a_constant_answer_at_the_limit_passes_and_one_that_earns_half_fails():
    tasks = MEASURED_ON.at(Effort.LEAST)
    assert not Earnings("0", 0.5, MOST_EARNED, tasks).breaks(MOST_EARNED)
    assert Earnings("0", 0.5, 0.5, tasks).breaks(MOST_EARNED)
    assert not Earnings("0", 0.5, MOST_IF_GUESSABLE, tasks).breaks(MOST_IF_GUESSABLE)


def test_samples_have_a_size_for_each_effort():
    samples = Samples(least=3, standard=6, certificate=30)
    assert [samples.at(effort) for effort in Effort] == [3, 3, 6, 30]
    assert [Samples(least=3, quick=5, standard=6, certificate=30).at(effort) for effort in Effort] == [3, 5, 6, 30]
    assert samples.at(Effort.LEAST, runs_programs=True) == 1
    assert samples.at(Effort.STANDARD, runs_programs=True) == 6


def test_an_unknown_effort_is_named():
    with pytest.raises(KnobError, match=r"there is no effort 'certificat'\. Did you mean 'certificate'"):
        certify(None, effort="certificat")
