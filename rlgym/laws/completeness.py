"""Every right answer is accepted, and a claimed uniqueness holds."""

from __future__ import annotations

from itertools import islice, product

from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.subject import LEVELS, Subject

TASKS = Samples(least=1, standard=2, certificate=12)
MOST_SOLUTIONS = 6  # tried for each task with many right answers
SEEDS_FOR_A_SECOND = 60


def completeness(subject: Subject, effort: Effort) -> Finding:
    """An independent search finds exactly one solution where it is unique; where there are many, every one that it finds scores 1."""
    if subject.single is None:
        return Finding({"answers": "played"})
    kind, solutions = subject.single.answers, subject.single.solutions
    if kind == "computed":
        return Finding({"answers": kind})
    finding = Finding()
    if not finding.require(solutions is not None, f"answers={kind!r} needs `solutions`, a search by another route"):
        return finding
    assert solutions is not None
    tried, several, tasks = 0, 0, 0
    for seed, level in subject.sample(TASKS, effort):
        task = subject.task(seed, level)
        others = list(islice(solutions(task), 2 if kind == "unique" else MOST_SOLUTIONS))
        tasks, tried, several = tasks + 1, tried + len(others), several + (len(others) > 1)
        finding.require(bool(others), f"`solutions` finds none for seed {seed} level {level}")
        if kind == "unique":
            finding.require(len(others) < 2, f"seed {seed} level {level} has a second solution: {others[-1]!r:.80}")
        for other in others:
            score = subject.score(task, subject.write(other))
            finding.require(score.value == 1.0, f"a right answer is rejected, seed {seed} level {level}: {other!r:.80}: {score.reason}")
    if kind == "many":
        # Tasks with a second right answer may be rare: search until one is seen.
        for seed, level in product(range(1, SEEDS_FOR_A_SECOND + 1), reversed(LEVELS)):
            if several:
                break
            several += len(list(islice(solutions(subject.task(seed, level)), 2))) > 1
        finding.require(several > 0, "no task has two right answers, although answers='many'")
    finding.measured = {"answers": kind, "tasks": tasks, "solutions_tried": tried}
    return finding
