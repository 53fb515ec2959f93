"""The report of an audit as one self-contained HTML page."""

from __future__ import annotations

import html
import math
from pathlib import Path
from typing import Any

from rlgym.audit.report import AuditReport, CheckResult, Errors, Failure, GridCell, Rate
from rlgym.dataset.files import write_atomically
from rlgym.evaluate.report.charts.curves import Line, k_figure
from rlgym.evaluate.report.html_page import card, facts, page
from rlgym.evaluate.report.tables import Cell, bar, count, percent, table, text

SHOWN = 600
"""Characters of a prompt or response that the page shows."""


def write_page(path: Path, report: AuditReport) -> None:
    """Write the page of a report."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, render_page(report).encode("utf-8", "replace"))


def render_page(report: AuditReport) -> str:
    """The page of a report."""
    sections = [
        ("checks", "Checks", _checks(report.checks)),
        ("types", "By answer type", _errors("by-type", report.by_type) if report.by_type else ""),
        ("domains", "By domain", _errors("by-domain", report.by_domain) if report.by_domain else ""),
        ("optimisation", "Under optimisation", _best_of_n(report) + _climb(report) if report.best_of_n else ""),
        ("scores", "Rewards as probabilities", _scores(report)),
        ("grid", "By what is given", _grid(report.grid)),
        ("failures", "Examples of failures", _examples(report)),
        ("method", "Method", METHOD),
    ]
    known = facts([
        ("scorer", report.kind), ("called as", report.shape), ("answer style", report.style), ("types left out", ", ".join(report.unsupported_types)),
        ("cases", report.calls), ("without a verdict", report.masked or None), ("effort", report.effort),
        ("seed", report.seed), ("accepts from", report.accept),
        ("distance to the true reward", report.distance), ("rlgym", report.rlgym_version),
    ])  # fmt: skip
    return page(f"Audit of {report.target}", known, [("overview", "Overview", _overview(report)), *sections])


def _overview(report: AuditReport) -> str:
    failed = len(report.failed)
    cards = [
        card("Checks passed", f"{len(report.checks) - failed} of {len(report.checks)}", ", ".join(report.failed), first=True),
        _rate_card("False negatives", report.false_negatives, "right responses rejected"),
        _rate_card("False positives", report.false_positives, "wrong responses accepted"),
        card("Paid and true reward part at", f"n = {report.parts_at}" if report.parts_at else "no n up to 256", "best of n")
        if report.best_of_n
        else "",
    ]
    if report.cost:
        cards.append(card("Slowest call", f"{report.cost.slowest_seconds:.2f} s", report.cost.slowest_case))
    return f"<div class=cards>{''.join(cards)}</div>"


def _rate_card(title: str, rate: Rate, note: str) -> str:
    if rate.mean is None:
        return ""
    return card(title, f"{100 * rate.mean:.2f} %", f"95 %: {_interval(rate)} · {rate.failures} of {rate.cases} {note}")


def _interval(rate: Rate) -> str:
    return "" if rate.low is None or rate.high is None else f"{100 * rate.low:.2f} to {100 * rate.high:.2f}"


def _estimate(rate: Rate) -> dict[str, Any]:
    return {"mean": rate.mean, "low": rate.low, "high": rate.high}


def _checks(results: list[CheckResult]) -> str:
    rows = []
    for result in results:
        verdict = {True: "pass", False: "FAIL", None: "not measured"}[result.passed]
        measured = bar(_estimate(result.rate)) if result.rate.mean is not None else Cell("–", None)
        note = f"{result.question} {result.note}".strip()
        rows.append(
            [
                text(result.name),
                text(verdict),
                measured,
                count(result.rate.failures),
                count(result.rate.cases),
                percent(result.limit),
                text(note),
            ]
        )
    return table("checks", ["check", "verdict", "failures, %", "failures", "cases", "allowed", "question"], rows, {"Verdict": 1})


def _errors(name: str, rows: list[Errors]) -> str:
    cells = [[text(row.name), bar(_estimate(row.false_negatives)), bar(_estimate(row.false_positives))] for row in rows]
    return table(name, ["name", "false negatives, %", "false positives, %"], cells)


def _best_of_n(report: AuditReport) -> str:
    curves = {"paid reward": [point.paid for point in report.best_of_n], "true reward": [point.true for point in report.best_of_n]}
    sizes = [point.n for point in report.best_of_n]
    series = [
        Line(name, [(math.log2(n), f"n = {n}", {"mean": value, "low": None, "high": None}) for n, value in zip(sizes, values)], colour)
        for colour, (name, values) in enumerate(curves.items())
    ]
    note = "The best of n responses by the scorer's own reward, from a pool of right (20 %), near-miss (50 %) and hack (30 %) responses."
    return k_figure("Best of n", series, report.best_of_n[-1].n, note)


def _climb(report: AuditReport) -> str:
    rows = [[count(point.step), *(Cell(f"{value:.2f}", value) for value in (point.kl, point.paid, point.true))] for point in report.climb]
    note = "<p>A tabular policy that climbs the reward from the same pool, by natural policy gradient in closed form.</p>"
    return note + table("climb", ["steps", "KL divergence, nats", "paid reward", "true reward"], rows)


def _scores(report: AuditReport) -> str:
    if report.calibration is None:
        return ""
    known = report.calibration
    area = "–" if known.auroc is None else f"{known.auroc:.3f}"
    line = f"<p>Brier score {known.brier:.3f}, calibration error {known.ece:.3f}, AUROC {area}, {known.levels} different rewards.</p>"
    bins = [[Cell(f"{value:.3f}", value) for value in (one.reward, one.right, one.share)] for one in known.bins]
    ranked = [[text(one.name), count(one.tasks), percent(one.first), percent(one.gap)] for one in report.rankings]
    related = (
        ""
        if report.rank_correlation is None
        else f"<p>Rank correlation over types of the last two columns: {report.rank_correlation:.2f}.</p>"
    )
    return (
        line
        + table("reliability", ["mean reward", "share right", "share of responses"], bins)
        + (
            table("rankings", ["answer type", "tasks", "right answer ranked first", "greatest gap under optimisation"], ranked)
            if ranked
            else ""
        )
        + related
    )


def _grid(cells: list[GridCell]) -> str:
    rows = [
        [text(cell.domain), text(cell.given), text(cell.reply), count(cell.cases), *map(percent, (cell.precision, cell.recall, cell.f1))]
        for cell in cells
    ]
    note = "<p>The same right and wrong answers alone, after a few sentences, and after 3,000 words; a judge replies with a verdict or with reasons first.</p>"
    return note + table("given", ["domain", "given", "reply", "cases", "precision", "recall", "F1"], rows, {"Domain": 0}) if rows else ""


def _examples(report: AuditReport) -> str:
    rows = [_row(result.name, failure) for result in report.checks if result.passed is False for failure in result.examples]
    if not rows:
        return "<p>No check failed.</p>"
    return table("failures", ["check", "variant", "answer type", "reference answer", "response", "result"], rows, {"Check": 0, "Type": 2})


def _row(name: str, failure: Failure) -> list[Cell]:
    return [
        text(name), text(failure.variant[:80]), text(failure.answer_type), _code(failure.answer), _code(failure.response), text(failure.detail[:200]),
    ]  # fmt: skip


def _code(value: str) -> Cell:
    shown = value if len(value) <= SHOWN else f"{value[:SHOWN]}... ({len(value)} characters)"
    return Cell(f"<pre>{html.escape(shown)}</pre>", shown)


METHOD = (
    "<p>The truth of every case is known by construction: equivalent spellings are made from the same value as the reference answer, near misses "
    "from another one. Intervals are Wilson's at 95 % and treat cases as independent, although cases of one task are related. The best-of-n curves "
    "are exact expectations over the pool; nothing is sampled. Times and memory depend on the machine; all other figures repeat with the same "
    "seed. <code>rlgym audit</code> repeats the audit.</p>"
)
