"""Runs an audit: makes the cases, calls the scorer, and assembles the report."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import rlgym
from rlgym import RlgymError
from rlgym.audit.assemble import Measurements, assemble
from rlgym.audit.case import Case, Verdict
from rlgym.audit.cases.build import build_cases, hostile_cases
from rlgym.audit.cases.environment import environment_tasks
from rlgym.audit.cases.grid import grid_cases
from rlgym.audit.cases.recorded import recorded_cases
from rlgym.audit.cases.tasks import AuditTask, sample_tasks
from rlgym.audit.measures.groups import changed
from rlgym.audit.measures.verdicts import Scale
from rlgym.audit.options import AuditOptions, sizes
from rlgym.audit.report import AuditReport, Failure
from rlgym.audit.scorers.base import Scorer
from rlgym.audit.scorers.process import ProcessOptions, ProcessScorer
from rlgym.audit.spellings import TYPES
from rlgym.audit.styles import STYLES, AnswerStyle, custom_style, detect, probe
from rlgym.core.errors import suggestion

Watch = Callable[[int, int], None]
"""Called with the number of cases that are done and their total."""
PROBES = 4
"""Reference answers of each type that are tried before the audit."""
PROBED = ("integers", "fractions", "choices", "names")
"""Types whose reference answers show which marks a scorer reads."""


def audit(path: str, options: AuditOptions | None = None, watch: Watch | None = None) -> AuditReport:
    """Audit a Python function, named `package.module:function` or `file.py:function`, or one of our environments by its name.

    The target runs in child processes. RlgymError if it cannot be loaded, has no known shape, or accepts no reference answer.
    """
    environment = path if path.partition(":")[0] in rlgym.names() else ""

    def start(process: ProcessOptions) -> Scorer:
        return ProcessScorer(path, process, environment)

    return audit_scorer(path, start, options or AuditOptions(), watch or (lambda done, total: None), environment)


def audit_scorer(
    target: str, start: Callable[[ProcessOptions], Scorer], options: AuditOptions, watch: Watch, environment: str = ""
) -> AuditReport:
    """Audit what `start` starts; it is called again with other options for further runs of a Python function."""
    begun = time.perf_counter()
    if environment:
        # An environment scores its own tasks only; anything below the full score is not right.
        options = replace(options, style="tag", accept=1.0 if options.accept is None else options.accept)
    with _close_at_end(start(options.process)) as scorer:
        style = _style(scorer, options)
        types, tasks, few, repeated = _tasks(scorer, style, options, environment or options.environment)
        cases = [*build_cases(tasks, few, style), *([] if options.reward else grid_cases(few, style, scorer.kind == "judge"))]
        cases += recorded_cases(options.run) if options.run else []
        hostile = [] if scorer.kind == "judge" else hostile_cases(few[0], style)
        sample = cases[:: max(1, len(cases) // repeated)][:repeated]
        progress = _Counter(watch, len(cases) + len(hostile) + _repeats(scorer, len(sample)))
        verdicts = scorer.score(cases, progress)
        again = scorer.score(sample, progress)
        hostile_verdicts = scorer.score(hostile, progress)
    first = dict(zip(map(id, cases), verdicts, strict=True))
    judged = [(case, first[id(case)], verdict) for case, verdict in zip(sample, again, strict=True)]
    unmasked = [(case, one, other) for case, one, other in judged if not (one.masked or other.masked)]
    sample = [case for case, _, _ in unmasked]
    known, again = [one for _, one, _ in unmasked], [other for _, _, other in unmasked]
    repeats = {"determinism": changed(sample, known, again, "determinism", "in the second call")}
    if scorer.kind == "python":
        repeats |= _other_processes(start, options.process, scorer.batched, sample, known, progress)
    scored = [*zip(cases, verdicts, strict=True), *zip(hostile, hostile_verdicts, strict=True)]
    kept = [(case, verdict) for case, verdict in scored if not verdict.masked]
    measured = Measurements(scored=kept, repeats=repeats, repeated=len(sample), masked=len(scored) - len(kept))
    low, high = options.reward_range
    scale = Scale(low, high, options.threshold)
    return assemble(target, scorer, style, types, options, scale, measured, time.perf_counter() - begun)


def _tasks(
    scorer: Scorer, style: AnswerStyle, options: AuditOptions, environment: str
) -> tuple[tuple[str, ...], list[AuditTask], list[AuditTask], int]:
    """The answer types, the tasks for spellings, those for the checks with many variants, and how many calls are repeated."""
    if environment:
        spellings, few, repeated = sizes(options.effort, 1)
        tasks = environment_tasks(environment, spellings, options.seed)
        if not tasks:
            raise RlgymError(f"the tasks of {environment} declare no mistakes")
        return (tasks[0].answer_type,), [] if options.reward and not options.environment else tasks, tasks[:few], repeated
    types = options.types or supported_types(scorer, style, options)
    spellings, few, repeated = sizes(options.effort, len(types))
    first = [] if options.reward else sample_tasks(types, spellings, options.seed)
    return types, first, sample_tasks(types, few, options.seed + 1), repeated


def _style(scorer: Scorer, options: AuditOptions) -> AnswerStyle:
    if options.template is not None:
        return custom_style(options.template)
    if options.style != "auto":
        if options.style not in STYLES:
            raise RlgymError(
                f"there is no answer style {options.style!r}.{suggestion(options.style, STYLES)} The styles are {', '.join(STYLES)}"
            )
        return STYLES[options.style]
    if options.environment:
        return detect(scorer.score, environment_tasks(options.environment, PROBES, options.seed + 2), options.threshold)
    return detect(scorer.score, sample_tasks(options.types or PROBED, PROBES, options.seed + 2), options.threshold)


def supported_types(scorer: Scorer, style: AnswerStyle, options: AuditOptions) -> tuple[str, ...]:
    """The types for which the scorer accepts at least half of the reference answers; all types if it accepts none."""
    tasks = sample_tasks(tuple(TYPES), PROBES, options.seed + 2)
    verdicts = scorer.score([probe(task, style) for task in tasks])
    accepted = Counter(
        task.answer_type for task, verdict in zip(tasks, verdicts) if verdict.reward is not None and verdict.reward >= options.threshold
    )
    return tuple(kind for kind in TYPES if 2 * accepted[kind] >= PROBES) or tuple(TYPES)


def _repeats(scorer: Scorer, sample: int) -> int:
    return sample * (1 if scorer.kind != "python" else 4 if scorer.batched else 3)


def _other_processes(
    start: Callable[[ProcessOptions], Scorer],
    process: ProcessOptions,
    batched: bool,
    sample: Sequence[Case],
    known: Sequence[Verdict],
    progress: Callable[[int], None],
) -> dict[str, list[Failure]]:
    """The same calls under another hash seed, outside the main thread, and in batches."""
    runs = {
        "hash_seeds": (replace(process, hash_seed=1), "under another hash seed"),
        "threads": (replace(process, thread=True), "outside the main thread"),
    }
    if batched:
        runs["batches"] = (replace(process, batch=8), "in a batch of 8")
    found = {}
    for check, (changed_process, where) in runs.items():
        with _close_at_end(start(changed_process)) as scorer:
            found[check] = changed(sample, known, scorer.score(sample, progress), check, where)
    return found


@contextmanager
def _close_at_end(scorer: Scorer) -> Iterator[Scorer]:
    try:
        yield scorer
    finally:
        scorer.close()


class _Counter:
    """Adds up the cases that are done."""

    def __init__(self, watch: Watch, total: int) -> None:
        self._watch, self._total, self._done = watch, total, 0
        watch(0, total)

    def __call__(self, count: int) -> None:
        self._done += count
        self._watch(self._done, self._total)
