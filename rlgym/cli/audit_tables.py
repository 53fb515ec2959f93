"""The tables that `rlgym audit` prints."""

from __future__ import annotations

from rich.table import Table

from rlgym.audit.report import AuditReport, CheckResult, Errors, Rate
from rlgym.cli.output import console, cut, heading, percent, print_table


def print_report(report: AuditReport) -> None:
    """The report as tables: checks, errors by answer type, best of n, and one example for each failed check."""
    heading(f"audit of {report.target}")
    console.print(
        f"{report.kind}, called as {report.shape}; answers in the style {report.style}; {report.calls} cases, seed {report.seed}",
        markup=False,
    )
    if report.unsupported_types:
        console.print(f"left out, since the scorer rejects their reference answers: {', '.join(report.unsupported_types)}", markup=False)
    print_table(_checks(report))
    if report.by_type:
        print_table(_errors(report.by_type))
    if report.best_of_n:
        print_table(_best_of_n(report))
    if report.climb:
        print_table(_climb(report))
    if report.grid:
        print_table(_grid(report))
    _print_scores(report)
    if report.masked:
        console.print(f"{report.masked} cases have no verdict because the endpoint failed; they count nowhere", markup=False)
    if report.cost:
        cost = report.cost
        console.print(
            f"median call {cost.median_ms:.2g} ms, slowest {cost.slowest_seconds:.2f} s ({cost.slowest_case}), memory {cost.memory_mb:.0f} MB"
            f" ({cost.largest_case}), {cost.timeouts} timeouts",
            markup=False,
        )
    failed = [result for result in report.checks if result.passed is False]
    for result in failed:
        for example in result.examples[:1]:
            console.print(f"[red]{result.name}[/]", end=" ")
            where = f"{example.variant!r}, {example.answer_type}: answer {cut(example.answer, 50)!r}, response {_end(example.response)!r}"
            console.print(f"{where}: {example.detail}", markup=False)
    console.print(f"{len(report.checks) - len(failed)} of {len(report.checks)} checks pass")


def _end(text: str, width: int = 90) -> str:
    """The end of a response, where its answer usually stands."""
    return text if len(text) <= width else f"...{text[-width:]}"


def _checks(report: AuditReport) -> Table:
    table = Table("check", "", "failures", "cases", "rate", "95 %", "allowed")
    for result in report.checks:
        rate = result.rate
        counts = (str(rate.failures), str(rate.cases)) if rate.cases else ("", "")
        table.add_row(result.name, _sign(result), *counts, percent(rate.mean), _interval(rate), f"{100 * result.limit:g} %")
    return table


def _sign(result: CheckResult) -> str:
    return {True: "[green]pass[/]", False: "[red]FAIL[/]", None: "-"}[result.passed]


def _errors(rows: list[Errors]) -> Table:
    table = Table("answer type", "false negatives", "95 %", "false positives", "95 %")
    for row in rows:
        negatives, positives = row.false_negatives, row.false_positives
        table.add_row(row.name, percent(negatives.mean), _interval(negatives), percent(positives.mean), _interval(positives))
    return table


def _best_of_n(report: AuditReport) -> Table:
    table = Table("best of n", *(str(point.n) for point in report.best_of_n))
    table.add_row("paid reward", *(f"{point.paid:.2f}" for point in report.best_of_n))
    table.add_row("true reward", *(f"{point.true:.2f}" for point in report.best_of_n))
    return table


def _climb(report: AuditReport) -> Table:
    table = Table("steps of a climbing policy", *(str(point.step) for point in report.climb))
    table.add_row("paid reward", *(f"{point.paid:.2f}" for point in report.climb))
    table.add_row("true reward", *(f"{point.true:.2f}" for point in report.climb))
    table.add_row("KL divergence", *(f"{point.kl:.2f}" for point in report.climb))
    return table


def _grid(report: AuditReport) -> Table:
    table = Table("given", "reply", "cases", "precision", "recall", "F1")
    for cell in report.grid:
        if cell.domain == "all":
            table.add_row(cell.given, cell.reply, str(cell.cases), percent(cell.precision), percent(cell.recall), percent(cell.f1))
    return table


def _print_scores(report: AuditReport) -> None:
    if report.distance is not None:
        console.print(
            f"distance to the true reward {report.distance:.3f} (0: it ranks like the truth, 0.5: it tells no responses apart)",
            markup=False,
        )
    if known := report.calibration:
        area = "-" if known.auroc is None else f"{known.auroc:.3f}"
        console.print(
            f"rewards as probabilities: Brier score {known.brier:.3f}, calibration error {known.ece:.3f}, AUROC {area}, {known.levels} different rewards",
            markup=False,
        )
    if report.rankings:
        tasks = sum(one.tasks for one in report.rankings)
        first = sum(one.first * one.tasks for one in report.rankings) / tasks
        related = (
            "" if report.rank_correlation is None else f"; rank correlation with the gap under optimisation {report.rank_correlation:.2f}"
        )
        console.print(f"the right answer is ranked first in {100 * first:.1f} % of {tasks} tasks{related}", markup=False)


def _interval(rate: Rate) -> str:
    return "" if rate.low is None or rate.high is None else f"{100 * rate.low:.1f} to {100 * rate.high:.1f}"
