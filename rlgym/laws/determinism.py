"""Name, version, seed and knobs determine every byte of a task."""

from __future__ import annotations

import random  # noqa: TID251  to notice an environment that draws from it
import sys

from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.freeze import frozen, sample_differences
from rlgym.laws.second_process import digest, elsewhere
from rlgym.laws.subject import Subject, fingerprint

TASKS = Samples(least=1, standard=3, certificate=8)
INTERLEAVED = 7  # the distance to the seed that is drawn in between


def determinism(subject: Subject, effort: Effort) -> Finding:
    """A seed gives the same task twice in one process, under another hash seed in another process, and as frozen in tests/frozen.

    At the small efforts the repetitions are of level 0.5 where tests/frozen, written by another process with a hash seed of its own, covers the
    other levels; at the least one, it stands for the second process at that level too.
    """
    finding, prints, stored = Finding(), {}, frozen(subject)
    for seed, level in subject.sample(TASKS, effort):
        _disturb(seed)
        prints[seed, level] = fingerprint(subject.task(seed, level))
        if effort.is_small and level != 0.5:
            continue
        _disturb(seed + 1000)
        subject.task(seed + INTERLEAVED, level)
        repeated = fingerprint(subject.fresh(seed, level))
        finding.require(prints[seed, level] == repeated, f"seed {seed} level {level} gives different tasks within one process")
    drawn_again = [key for key in prints if not effort.is_small or stored is None or key[1] == 0.5]
    if effort is Effort.LEAST and stored is not None:
        drawn_again = []
    expected = [digest(prints[key]) for key in drawn_again]
    actual = elsewhere(subject, {"draw": drawn_again}) if drawn_again else []
    for (seed, level), expected_digest, other in zip(drawn_again, expected, actual):
        finding.require(
            expected_digest == other, f"seed {seed} level {level} gives another task in a second process with another hash seed"
        )
    if stored is not None:
        for difference in sample_differences(subject, stored, effort):
            finding.require(False, difference)
    finding.measured = {
        "tasks": len(prints),
        "other_process": len(expected),
        "frozen": stored is not None,
        "hash_seed_changes": sum(one != other for one, other in zip(expected, actual)),
    }
    return finding


def _disturb(seed: int) -> None:
    """Reseed every global source of randomness, so that an environment that draws from one gives itself away."""
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)
