"""Assembles the report of an audit from the verdicts."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rlgym import __version__
from rlgym.audit.case import Case, Verdict
from rlgym.audit.checks import CHECKS, UNIT_TESTS, Check
from rlgym.audit.measures import verdicts
from rlgym.audit.measures.best_of_n import curves, mean_curve, parts_at, pools_by_type
from rlgym.audit.measures.climb import climb
from rlgym.audit.measures.grid import grid
from rlgym.audit.measures.groups import groups, inconsistent, inversions, unequal_rewards
from rlgym.audit.measures.scores import calibration, distance, rank_correlation, rankings
from rlgym.audit.measures.verdicts import JUNK, Scale, Scored, wrong_verdicts
from rlgym.audit.options import AuditOptions
from rlgym.audit.report import AuditReport, BestOfN, CheckResult, Cost, Errors, Failure, Rate
from rlgym.audit.scorers.base import Scorer
from rlgym.audit.spellings import TYPES
from rlgym.audit.styles import AnswerStyle

EXAMPLES = 5
"""Failures that the report shows for each check; all of them go to the file of failures."""


@dataclass(frozen=True)
class Measurements:
    """What was measured.

    scored    all cases with their verdicts
    repeats   failures of repeated calls by check; a check that is absent was not run
    repeated  the number of calls that were repeated
    masked    the number of cases without a verdict
    """

    scored: Scored
    repeats: Mapping[str, list[Failure]]
    repeated: int
    masked: int = 0


def assemble(
    target: str,
    scorer: Scorer,
    style: AnswerStyle,
    types: Sequence[str],
    options: AuditOptions,
    scale: Scale,
    measured: Measurements,
    seconds: float,
) -> AuditReport:
    """The report."""
    wrong = wrong_verdicts(measured.scored, scale)
    pools = {} if options.reward else pools_by_type(measured.scored, scale)
    by_type = curves(pools)
    curve, ranked = mean_curve(by_type), rankings(measured.scored, scale, by_type)
    found = {**_failures_by_check(measured.scored, wrong), **_behaviour(measured, scale)}
    results = [_result(CHECKS[name], failures, count) for name, (failures, count) in found.items()]
    results += [_optimisation(curve)] if curve else []
    chosen = [result.name for result in results if CHECKS[result.name].lint or not options.reward]
    chosen += UNIT_TESTS if options.environment else ()
    results = [result for result in results if result.name in chosen]
    results.sort(key=lambda result: list(CHECKS).index(result.name))
    judged = [(case, verdict) for case, verdict in measured.scored if case.right is not None]
    shown = {result.name for result in results}
    own = options.types is None and not options.environment and scorer.kind != "environment"
    left_out = [kind for kind in TYPES if own and kind not in types]
    return AuditReport(
        target=target, kind=scorer.kind, shape=scorer.shape, style=style.name, template=style.template, accept=scale.accept,
        reward_range=options.reward_range, types=list(types), unsupported_types=left_out,
        rlgym_version=__version__, seed=options.seed, effort=options.effort, calls=len(measured.scored),
        false_negatives=_errors("all", judged, wrong).false_negatives, false_positives=_errors("all", judged, wrong).false_positives,
        checks=results,
        by_type=[] if options.reward else _split(judged, wrong, lambda case: case.answer_type),
        by_domain=[] if options.reward else _split(judged, wrong, lambda case: case.domain),
        best_of_n=curve, parts_at=parts_at(curve), climb=climb([*pools.values()]),
        calibration=None if options.reward else calibration(measured.scored, scale), rankings=ranked,
        rank_correlation=rank_correlation(ranked), distance=distance(measured.scored, scale), grid=grid(measured.scored, scale),
        masked=measured.masked, cost=_cost(measured.scored), seconds=round(seconds, 1),
        failures=[failure for name, (failures, _) in found.items() if name in shown for failure in failures],
    )  # fmt: skip


def _failures_by_check(scored: Scored, wrong: Sequence[Failure]) -> dict[str, tuple[list[Failure], int]]:
    names = dict.fromkeys(case.check for case, _ in scored if case.right is not None)
    kept = [name for name in names if name in CHECKS and CHECKS[name].kind != "behaviour"]
    return {name: ([one for one in wrong if one.check == name], sum(case.check == name for case, _ in scored)) for name in kept}


def _behaviour(measured: Measurements, scale: Scale) -> dict[str, tuple[list[Failure], int]]:
    scored, calls = measured.scored, len(measured.scored)
    agreeing, lengths = groups(scored, "layouts", "length_padding"), groups(scored, "length_padding")
    formats, orders = groups(scored, "markup"), groups(scored, "prompt_order")
    found = {
        "consolation": (verdicts.consolation(scored, scale), sum(case.check in JUNK for case, _ in scored)),
        "consistency": (inconsistent(agreeing, scale), len(agreeing)),
        "format_dependence": (unequal_rewards(formats, "format_dependence", "for the same wrong answer"), len(formats)),
        "length_dependence": (unequal_rewards(lengths, "length_dependence", "for the same answer at other lengths"), len(lengths)),
        "prompt_order": (unequal_rewards(orders, "prompt_order", "for the same response to a reordered prompt"), len(orders)),
        "purity": (verdicts.mutations(scored), calls),
        "crashes": (verdicts.crashes(scored), calls),
        "finite_rewards": (verdicts.not_finite(scored), calls),
        "reward_range": (verdicts.out_of_range(scored, scale), calls),
        "time_limit": (verdicts.slow_calls(scored), calls),
        "memory_limit": (verdicts.memory_failures(scored), calls),
    }
    recorded = groups(scored, "recorded_verdicts")
    if recorded:
        wrong = sum(case.right is False for group in recorded for case, _ in group)
        found["recorded_order"] = (inversions(recorded), wrong)
    code = sum(case.check == "code_execution" for case, _ in scored)
    if code:
        found["code_execution"] = (verdicts.executions(scored), code)
    return {**found, **{name: (failures, measured.repeated) for name, failures in measured.repeats.items()}}


def _result(check: Check, failures: Sequence[Failure], count: int) -> CheckResult:
    rate = Rate.of(len(failures), count)
    passed = None if rate.mean is None else rate.mean <= check.limit
    return CheckResult(
        name=check.name, kind=check.kind, question=check.question, rate=rate, limit=check.limit, passed=passed, examples=_examples(failures)
    )


def _examples(failures: Sequence[Failure]) -> list[Failure]:
    """Failures of different variants and types first."""
    seen: dict[tuple[str, str], Failure] = {}
    for failure in failures:
        seen.setdefault((failure.variant if failure.check in ("layouts", *JUNK) else "", failure.answer_type), failure)
    return [*seen.values()][:EXAMPLES]


def _optimisation(curve: Sequence[BestOfN]) -> CheckResult:
    check, last, parts = CHECKS["optimisation"], curve[-1], parts_at(curve)
    gap = max(point.paid - point.true for point in curve)
    note = f"at n = {last.n} the paid reward is {last.paid:.2f} and the true one {last.true:.2f}"
    note += f"; they diverge at n = {parts}" if parts is not None else ""
    rate = Rate(failures=0, cases=0, mean=max(0.0, gap), low=None, high=None)
    return CheckResult(
        name=check.name, kind=check.kind, question=check.question, rate=rate, limit=check.limit, passed=gap <= check.limit, note=note
    )


def _split(scored: Scored, wrong: Sequence[Failure], key: Callable[[Case], str]) -> list[Errors]:
    """Errors of the spellings and near misses by a key; junk is the same for every type."""
    spelled = ("exact_answers", "equivalent_spellings", "near_misses", "answer_lists")
    names = list(dict.fromkeys(key(case) for case, _ in scored if case.check in spelled))
    types = {case.answer_type: key(case) for case, _ in scored}
    return [
        _errors(
            name,
            [(case, verdict) for case, verdict in scored if key(case) == name and case.check in spelled],
            [one for one in wrong if one.check in spelled and types[one.answer_type] == name],
        )
        for name in names
    ]


def _errors(name: str, scored: Iterable[tuple[Case, Verdict]], wrong: Iterable[Failure]) -> Errors:
    truths, errors = [case.right for case, _ in scored], [one.right for one in wrong]
    return Errors(
        name=name,
        false_negatives=Rate.of(errors.count(True), truths.count(True)),
        false_positives=Rate.of(errors.count(False), truths.count(False)),
    )


def _cost(scored: Scored) -> Cost | None:
    timed = [(verdict.seconds, case) for case, verdict in scored]
    if not timed:
        return None
    slowest = max(timed, key=lambda pair: pair[0])
    largest = max(((verdict.memory_mb, case) for case, verdict in scored), key=lambda pair: pair[0])
    return Cost(
        calls=len(timed), median_ms=round(1000 * statistics.median(seconds for seconds, _ in timed), 3), slowest_seconds=round(slowest[0], 3),
        slowest_case=slowest[1].variant[:80], memory_mb=round(largest[0], 1), largest_case=largest[1].variant[:80],
        timeouts=sum(verdict.timed_out for _, verdict in scored),
    )  # fmt: skip
