"""Hidden tests reject wrong programs, queries, schemas and contracts, and accept right ones."""

from __future__ import annotations

from itertools import product
from zlib import crc32

from rlgym.episode.play import runner_for
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.margins import exceeds
from rlgym.laws.subject import FROZEN_LEVELS, LEVELS, Subject

TASKS = Samples(least=1, standard=2, certificate=12)
MOST_SEEDS = 72
MOST_TASKS_IF_SMALL = 5
LEAST_DETECTED = 0.99
LEAST_DETECTED_IN_FEW = 0.95
"""The limit at the small efforts, whose five tasks say little about one wrong answer in a hundred."""


def mutation_score(subject: Subject, effort: Effort) -> Finding:
    """The tests reject at least 0.99 of plausible wrong answers and mutants, and accept every right one, however it is written.

    A sample below 0.99 is enlarged; at the small efforts one below 0.95, to five tasks. The tests of one task miss several answers or none, so the
    margin counts tasks: the sum of the shares that the tests of each task miss.
    """
    single = subject.single
    if single is None or single.audit is None:
        return Finding({"programs": "no"})
    finding = Finding()
    wrong = missed = right = refused = 0
    shares: list[float] = []  # of the wrong answers that the tests of each task miss
    sample = _sample(subject, effort)
    more = [task for task in product(range(1, MOST_SEEDS + 1), FROZEN_LEVELS) if task not in sample]
    for seed, level in [*sample, *more]:
        if (seed, level) not in sample and _is_decided(shares, missed, wrong, effort):
            break
        task = subject.task(seed, level)
        audit = single.audit(task, runner_for(single)) if single.sandbox else single.audit(task)
        accepted = sum(subject.score(task, subject.write(answer)).value == 1.0 for answer in audit.wrong)
        wrong, missed = wrong + len(audit.wrong), missed + accepted
        shares.append(accepted / max(1, len(audit.wrong)))
        for answer in audit.equal:
            right += 1
            score = subject.score(task, subject.write(answer))
            refused += score.value < 1.0
            finding.require(score.value == 1.0, f"a right answer is rejected, seed {seed} level {level}: {score.reason}")
    detected = 1 - missed / max(wrong, 1)
    finding.require(wrong > 0, "the audit has no wrong answer")
    limit = LEAST_DETECTED_IN_FEW if effort.is_small else LEAST_DETECTED
    finding.require(detected >= limit, f"the tests reject only {detected:.4f} of {wrong} wrong answers (seeds up to {seed})")
    finding.measured = {
        "programs": "yes",
        "wrong": wrong,
        "detected": round(detected, 4),
        "right": right,
        "accepted": 1 - refused / max(right, 1),
    }
    return finding


def _sample(subject: Subject, effort: Effort) -> list[tuple[int, float]]:
    """Tasks of every level; at the small efforts of one level, which the name chooses, so that each level has its environments."""
    if effort.is_small:
        return [(1, FROZEN_LEVELS[crc32(subject.name.encode()) % len(FROZEN_LEVELS)])]
    return list(product(range(1, TASKS.at(effort) + 1), LEVELS))


def _is_decided(shares: list[float], missed: int, wrong: int, effort: Effort) -> bool:
    """Whether the sample needs no further task."""
    if missed <= (1 - (LEAST_DETECTED_IN_FEW if effort.is_small else LEAST_DETECTED)) * wrong or exceeds(
        sum(shares), len(shares), 1 - LEAST_DETECTED
    ):
        return True
    return effort.is_small and len(shares) >= MOST_TASKS_IF_SMALL
