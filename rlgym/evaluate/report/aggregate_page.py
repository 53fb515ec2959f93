"""The HTML page of several methods with several runs each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlgym.evaluate.report.charts.bars import spread
from rlgym.evaluate.report.charts.curves import profile_figure
from rlgym.evaluate.report.charts.svg import share
from rlgym.evaluate.report.html_page import card, facts, figures, page
from rlgym.evaluate.report.tables import bar, count, table, text


def render_aggregate(results: Mapping[str, Any]) -> str:
    """The page of the results of `aggregate`."""
    sections = [
        ("methods", "Methods", _methods(results)),
        ("improvement", "Probability of improvement", _improvement(results)),
        ("runs", "Runs", _runs(results)),
        ("method", "Method", _method()),
    ]
    named = [("suite", ", ".join(results["suites"])), ("tasks in all runs", results["tasks"]), ("environments", results["environments"])]
    return page("Methods over several runs", facts(named), sections, results["notes"])


def _methods(results: Mapping[str, Any]) -> str:
    first = min(results["methods"], key=lambda row: (row["rank"] is None, row["rank"] or 0, -row["mean"]["mean"]))
    shared = [row["method"] for row in results["methods"] if row["rank"] == 1]
    cards = (
        [card("First rank", ", ".join(shared), f"highest mean: {first['method']}, {share(first['mean']['mean'])}", first=True)]
        if shared
        else []
    )
    rows = [
        [
            count(row["rank"]), text(row["method"]), *(bar(row[name]) for name in ("mean", "iqm", "median", "optimality_gap")), count(len(row["runs"])),
        ]
        for row in results["methods"]
    ]  # fmt: skip
    listed = table("methods", ("Rank", "Method", "Mean", "IQM", "Median", "Optimality gap", "Runs"), rows)
    curves = [(row["method"], row["profile"]) for row in results["methods"]]
    means = [(row["method"], row["mean"]) for row in results["methods"]]
    pictures = profile_figure("Performance profile", curves, "The share of runs and environments with an accuracy above τ.")
    return f"<div class=cards>{''.join(cards)}</div>{listed}" + figures(spread("Mean accuracy", means, (0.0, 1.0), "accuracy"), pictures)


def _improvement(results: Mapping[str, Any]) -> str:
    rows = [[text(row["method"]), text(row["than"]), bar(row)] for row in results["improvement"]]
    return table("improvement", ("Method", "Than", "Probability"), rows) if rows else ""


def _runs(results: Mapping[str, Any]) -> str:
    rows = [
        [text(row["method"]), text(label), count(value)]
        for row in results["methods"]
        for label, value in zip(row["runs"], row["by_run"], strict=True)
    ]
    return table("runs", ("Method", "Run", "Mean accuracy of environments"), rows, shown=50)


def _method() -> str:
    return (
        "<ul><li>Every environment has the same weight, and only tasks that all runs have count.</li>"
        "<li>Intervals of 95 %: percentile bootstrap over runs and tasks together, n - 1 of n runs of a method, and n - 1 of n tasks of each stratum of "
        "environment and level, the same tasks for all runs.</li>"
        "<li>Rank: 1 plus the number of methods that are better beyond the interval of the difference. A method of one run has none.</li>"
        "<li>Probability of improvement: that a run of the method is more accurate in an environment than a run of the other; equal ones count half.</li></ul>"
    )
