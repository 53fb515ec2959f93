"""Audits well-known scorers, and writes docs/audit/subjects.md and docs/audit/subjects.json.

    pip install math-verify reasoning-gym && pip install --no-deps verl mathruler
    python benchmarks/audit_subjects.py [--quick] [--only NAME]

A subject whose package is not installed keeps its row of the JSON file. The figures of a run replace those of an earlier one.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
from pathlib import Path
from typing import Any

import audit_wrappers

import rlgym
from rlgym.audit import AuditOptions, ProcessOptions, audit

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "docs" / "audit" / "subjects.json"
PAGE = KEPT.with_suffix(".md")


def version(distribution: str) -> str:
    """The installed version; empty if it is not installed."""
    if not distribution:
        return "-"
    if distribution == "rlvrgym":
        return rlgym.__version__
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


def measured(name: str, effort: Any) -> dict[str, Any]:
    """The row of a subject."""
    function, distribution, reward_range = audit_wrappers.SUBJECTS[name]
    options = AuditOptions(effort=effort, reward_range=reward_range, process=ProcessOptions(seconds=20.0, memory_mb=4096))
    report = audit(f"{audit_wrappers.__file__}:{function.__name__}", options)
    return {
        "version": version(distribution),
        "effort": effort,
        "style": report.style,
        "types": report.types,
        "cases": report.calls,
        "grid": [cell.model_dump() for cell in report.grid if cell.domain == "all"],
        "seconds": report.seconds,
        "false_negatives": report.false_negatives.model_dump(),
        "false_positives": report.false_positives.model_dump(),
        "failed": {name: report.check(name).rate.model_dump() for name in report.failed},
        "example": {name: _example(report.check(name).examples) for name in report.failed},
        "parts_at": report.parts_at,
        "best_of_n": [point.model_dump() for point in report.best_of_n],
        "cost": report.cost.model_dump() if report.cost else None,
        "by_type": {row.name: [row.false_negatives.mean, row.false_positives.mean] for row in report.by_type},
    }


def _example(failures: Any) -> str:
    if not failures:
        return ""
    first = failures[0]
    response = first.response if len(first.response) <= 70 else f"...{first.response[-70:]}"
    return f"{response!r} for {first.answer[:60]!r}: {first.detail[:80]}"


def page(rows: dict[str, dict[str, Any]]) -> str:
    """The page of all rows."""
    lines = [
        "# Audits of well-known scorers",
        "",
        "Written by `benchmarks/audit_subjects.py`. Each scorer ran with its defaults and the marks that the audit detected; answer types of which it rejects",
        "most reference answers are left out, since it does not claim them. A failed check is not always a fault of the package: a scorer that reads the last",
        "number of a text is right to do so if nothing optimises against it. The figures say what a policy could earn.",
        "",
        f"Effort: {', '.join(sorted({row['effort'] for row in rows.values()}))}. The audit's texts and labels were written together with our comparison",
        "of answers, so the row of `rlgym.answers.maths.equivalent` shows only that it covers them. math-verify reads LaTeX, and many",
        "spellings are plain text. Times were taken on a busy machine.",
        "",
        "| scorer | version | marks | answer types | cases | false negatives | false positives | paid and true diverge at n | checks failed |",
        "|---|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, row in rows.items():
        parts = row["parts_at"] or "none"
        lines.append(
            f"| {name} | {row['version']} | {row['style']} | {len(row['types'])} | {row['cases']} | {_rate(row['false_negatives'])} |"
            f" {_rate(row['false_positives'])} | {parts} | {len(row['failed'])} |"
        )
    lines += [
        "",
        "Shares with Wilson's interval at 95 %. `n` is the least best of n at which the paid reward exceeds the true one by more than 0.1.",
    ]
    for name, row in rows.items():
        last = row["best_of_n"][-1]
        lines += ["", f"## {name}", "", f"Answer types: {', '.join(row['types'])}."]
        lines += [f"At n = {last['n']} the paid reward is {last['paid']:.2f} and the true one {last['true']:.2f}."]
        lines += [_grid(row["grid"])] if row.get("grid") else []
        lines += [f"The median call took {row['cost']['median_ms']:.2g} ms, the slowest {row['cost']['slowest_seconds']:.1f} s."]
        if row["failed"]:
            lines += ["", "| failed check | rate | example |", "|---|---:|---|"]
            lines += [f"| `{check}` | {_rate(rate)} | {_code(row['example'][check])} |" for check, rate in row["failed"].items()]
    return "\n".join(lines) + "\n"


def _grid(cells: list[dict[str, Any]]) -> str:
    """Precision and recall by what the scorer is given, in a sentence."""
    shown = [f"{_share(cell['precision'])} and {_share(cell['recall'])} ({cell['given']})" for cell in cells]
    return f"Precision and recall where right and wrong answers are equally many: {', '.join(shown)}."


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"


def _rate(rate: dict[str, Any]) -> str:
    if rate["low"] is None:
        return f"{100 * rate['mean']:.1f} %" if rate["mean"] is not None else "-"
    return f"{100 * rate['mean']:.1f} % ({100 * rate['low']:.1f} to {100 * rate['high']:.1f})"


def _code(text: str) -> str:
    return f"`` {text} ``".replace("|", "\\|").replace("\n", " ") if text else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=audit_wrappers.SUBJECTS)
    parser.add_argument("--page", action="store_true", help="only write the page from the JSON file")
    options = parser.parse_args()
    rows: dict[str, dict[str, Any]] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    for name, (_, distribution, _) in audit_wrappers.SUBJECTS.items():
        if options.page or (options.only and name != options.only) or not version(distribution):
            continue
        rows[name] = measured(name, "quick" if options.quick else "standard")
        print(name, rows[name]["seconds"], rows[name]["failed"].keys(), flush=True)
        rows = {each: rows[each] for each in audit_wrappers.SUBJECTS if each in rows}
        KEPT.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
