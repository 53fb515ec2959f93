"""What chance explains: the margins of laws that score_response a share by a sample.

A law states a limit on a share, for example "a constant answer earns at most 0.05". A sample that lies above the limit by chance must not
break the law, so a law breaks only if the count exceeds `most_by_chance`: an environment whose true share equals the limit exceeds that
count with a probability of at most RISK.
"""

from __future__ import annotations

from functools import cache
from math import comb, exp, log1p

RISK = 0.001


@cache
def most_by_chance(tries: int, share: float, risk: float = RISK) -> int:
    """The smallest count that a binomial variable of `tries` trials with probability `share` exceeds with at most this risk."""
    if not 0 < share < 1:
        return tries if share >= 1 else 0
    chance, count = exp(tries * log1p(-share)), 0  # of exactly `count`
    beyond = 1 - chance
    while beyond > risk and count < tries:
        chance *= (tries - count) / (count + 1) * share / (1 - share)
        count += 1
        beyond -= chance
    return count


def exceeds(count: float, tries: int, share: float) -> bool:
    """Whether a count (or a sum of scores from 0 to 1, which varies no more than a count) is above what chance explains."""
    return count > most_by_chance(tries, share)


def significantly_more(count: float, tries: int, other: float, other_tries: int, risk: float = RISK) -> bool:
    """Whether a share is above another one by more than chance explains: Fisher's exact test, one-sided."""
    most, total = round(count), round(count) + round(other)
    extreme = sum(comb(tries, k) * comb(other_tries, total - k) for k in range(most, min(tries, total) + 1))
    return extreme <= risk * comb(tries + other_tries, total)
