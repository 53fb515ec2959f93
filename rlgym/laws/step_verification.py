"""The step checker of an environment accepts its own explanations and finds corrupted steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice, product
from types import CodeType
from typing import Any

from rlgym.core.declare import Environment
from rlgym.core.rng import Rng
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.margins import exceeds
from rlgym.laws.subject import FROZEN_LEVELS, Subject
from rlgym.solutions.corrupted_steps import corrupted as corruptions

TASKS = Samples(least=1, standard=4, certificate=12)
LEAST_CAUGHT = 0.7
MOST_SEEDS = 52
CORRUPTIONS = 6  # for each explanation


@dataclass
class _Counts:
    steps: int = 0
    corrupted: int = 0
    caught: int = 0
    missed_shares: list[float] = field(default_factory=list)
    """The share of the corrupted steps of each explanation that are missed; those of one explanation are missed together or not at all."""

    @property
    def share(self) -> float:
        return self.caught / max(self.corrupted, 1)


def step_verification(subject: Subject, effort: Effort) -> Finding:
    """Every step of an explanation is found right; a step with a changed number or word is found wrong, in at least 0.7 of the cases.

    A sample below 0.7 is enlarged until chance no longer explains what is missed, or the share reaches 0.7, or all seeds are tried;
    then the share itself decides.
    """
    single = subject.single
    if single is None or single.replay is None:
        return Finding({"replays": False})
    finding = Finding()
    if not finding.require(single.explain is not None, "there is a `replay` and no `explain`"):
        return finding
    finding.require(not _calls_explain(single.replay.__code__), "`replay` calls `explain` instead of reading the steps")
    counts = _Counts()
    sample = [(seed, level) for seed, level in subject.sample(TASKS, effort) if level in subject.chosen_levels(effort)]
    more = [task for task in product(range(1, MOST_SEEDS + 1), FROZEN_LEVELS) if task not in sample]
    for seed, level in [*sample, *more]:
        enough = counts.share >= LEAST_CAUGHT or exceeds(sum(counts.missed_shares), len(counts.missed_shares), 1 - LEAST_CAUGHT)
        if (seed, level) not in sample and (enough or not finding.passed):
            break
        _check_explanation(subject, single, seed, level, counts, finding)
    finding.require(counts.corrupted > 0, "no step contains a number or a word to change")
    finding.require(
        counts.corrupted == 0 or counts.share >= LEAST_CAUGHT,
        f"the step checker finds {counts.share:.0%} of {counts.corrupted} corrupted steps, below {LEAST_CAUGHT:.0%} (seeds up to {seed})",
    )
    finding.measured = {"replays": True, "steps": counts.steps, "slips": counts.corrupted, "caught": round(counts.share, 3)}
    return finding


def _check_explanation(
    subject: Subject, single: Environment[Any, Any, Any], seed: int, level: float, counts: _Counts, finding: Finding
) -> None:
    """Check one explanation as it is, and with one step corrupted at a time."""
    assert single.replay is not None
    task, location = subject.task(seed, level), f"seed {seed} level {level}"
    steps = subject.explanation(task)
    wrong = single.replay(task, steps)
    counts.steps += len(steps)
    if not finding.require(wrong is None, f"the step checker rejects step {wrong} of {location}: {steps[wrong or 0]!r:.90}"):
        return
    tried = caught = 0
    for at, corrupted in islice(corruptions(Rng("slips", subject.name, seed, int(level * 100)), steps), CORRUPTIONS):
        blamed = single.replay(task, corrupted)
        tried, caught = tried + 1, caught + (blamed == at)
        finding.require(blamed is None or blamed >= at, f"the step checker blames step {blamed} of {location}, but step {at} is corrupted")
    counts.corrupted += tried
    counts.caught += caught
    if tried:
        counts.missed_shares.append(1 - caught / tried)


def _calls_explain(code: CodeType) -> bool:
    return any(name.startswith("explain") for name in code.co_names) or any(
        isinstance(inner, CodeType) and _calls_explain(inner) for inner in code.co_consts
    )
