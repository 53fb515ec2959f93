"""Programs as answers: the hidden tests accept right programs and find wrong ones out."""

from __future__ import annotations

from itertools import chain

from rlgym.episode.play import runner_for
from rlgym.laws.finding import Effort, Finding
from rlgym.laws.subject import Subject

LEAST_DETECTED = 0.98
MOST_SEEDS = 72


def telling(subject: Subject, effort: Effort) -> Finding:
    """Of plausible wrong programs and mutants at least 0.98 fail, and every right program passes, however it is written."""
    found = Finding()
    single = subject.single
    if single is None or single.audit is None or single.sandbox is None:
        found.measured = {"programs": "no"}
        return found
    tried = missed = equal = refused = 0
    for i in chain(effort.samples(3, 60), range(60, MOST_SEEDS)):
        # Tests of one task miss several programs or none: what looks too few is looked at in more tasks.
        if i >= 60 and missed <= (1 - LEAST_DETECTED) * tried:
            break
        for level in effort.levels if i < 60 else (0.0, 0.5, 1.0):
            task = subject.task(i, level)
            audit = single.audit(task, runner_for(single))
            for program in audit.wrong:
                tried += 1
                missed += subject.score(task, subject.says(program)).value == 1.0
            for program in audit.equal:
                equal += 1
                score = subject.score(task, subject.says(program))
                refused += score.value < 1.0
                found.require(score.value == 1.0, f"a right program is refused, seed {i} level {level}: {score.reason}")
    detected = 1 - missed / max(tried, 1)
    found.require(tried > 0, "the audit has no wrong program")
    found.require(detected >= LEAST_DETECTED, f"the tests find out only {detected:.4f} of {tried} wrong programs")
    found.measured = {
        "programs": "yes",
        "wrong": tried,
        "detected": round(detected, 4),
        "right": equal,
        "accepted": 1 - refused / max(equal, 1),
    }
    return found
