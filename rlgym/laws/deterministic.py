"""Law 1. The same name, version, seed and knobs make the same bytes, for ever and everywhere."""

from __future__ import annotations

import random  # noqa: TID251  to see that nobody draws from it
import sys

from rlgym.laws.finding import Effort, Finding
from rlgym.laws.freeze import frozen, sampled
from rlgym.laws.other_process import digest, elsewhere
from rlgym.laws.subject import LEVELS, Subject, fingerprint


def deterministic(subject: Subject, effort: Effort) -> Finding:
    found = Finding()
    drawn: dict[tuple[int, float], str] = {}
    for i in effort.samples(3, 20, share=0.5):
        for level in LEVELS:
            _disturb(i)
            drawn[i, level] = fingerprint(subject.task(i, level))
            _disturb(i + 1000)
            subject.fresh(i + 7, level)
            again = fingerprint(subject.fresh(i, level))
            found.require(drawn[i, level] == again, f"seed {i} at level {level} makes different tasks in one process")
    wanted = list(drawn)[:40]
    here = [digest(drawn[at]) for at in wanted]
    there = elsewhere(subject, {"draw": wanted})
    for (seed, level), one, other in zip(wanted, here, there):
        found.require(one == other, f"seed {seed} at level {level} makes another task under another hash seed, in another process")
    kept = frozen(subject)
    if kept is not None:
        found.require(
            kept == sampled(subject),
            f"the frozen samples differ: raise `version`, then run `rlgym freeze {subject.name}`"
            if kept["version"] == subject.declared.version
            else f"the samples are frozen at version {kept['version']}: run `rlgym freeze {subject.name}`",
        )
    found.measured = {
        "tasks": len(drawn),
        "other_process": len(here),
        "frozen": kept is not None,
        "hash_seed_changes": sum(one != other for one, other in zip(here, there)),
    }
    return found


def _disturb(seed: int) -> None:
    """Move every global source of randomness, so that an environment that draws from one is seen to."""
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)
