"""The report of a run of strategies: one self-contained HTML page that is readable on a phone."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from typing import Any

from rlgym.evaluate.report.charts.curves import Line, lines
from rlgym.evaluate.report.charts.svg import SHARES, Frame, drawing, figure, number, share
from rlgym.evaluate.report.html_page import card, facts, figures, page, tabs
from rlgym.evaluate.report.tables import Cell, bar, count, percent, table, text

GROUPS = {"domain": "By domain", "env": "By environment", "level": "By level"}


def render(summary: Mapping[str, Any]) -> str:
    """The page of a summary as `run_strategies` writes it."""
    run = summary["run"]
    named = [
        ("model", run["model"]["name"]),
        ("suite", run["suite"]["name"]),
        ("tasks", run["suite"]["tasks"]),
        ("seed", run["sampling"]["seed"]),
        ("rlgym", run["rlgym"]),
    ]
    sections = [
        ("strategies", "Accuracy and cost", _overview(summary)),
        ("difficulty", "By difficulty", _quintiles(summary)),
        ("where", "Which strategy is best where", _where(summary)),
        ("settings", "Samples by setting", _samples_by_setting(summary)),
        ("method", "Method, options and versions", _method(summary)),
    ]
    return page(f"Strategies of {run['model']['name']}", facts(named), sections, warnings(summary))


def warnings(summary: Mapping[str, Any]) -> list[str]:
    """What a reader must know before the numbers: strategies and tasks without a result, and a model that is never right."""
    found = []
    for name, known in summary["strategies"].items():
        error = summary["errors"].get(name, "")
        why = f" ({error.rstrip('.')})" if error else ""
        if not known["tasks"]:
            found.append(f"{name}: all of its {known['masked']} tasks failed{why}, so that it has no numbers.")
        elif known["masked"]:
            found.append(
                f"{name}: {known['masked']} of {known['tasks'] + known['masked']} tasks failed{why} and are in none of its numbers."
            )
    ceilings = [known["ceiling"] for known in summary["strategies"].values() if known["tasks"]]
    if ceilings and not any(ceilings):
        found.append("No attempt of any strategy is right: the strategies cannot be told apart on these tasks.")
    found += _beyond_votes(summary)
    if left_out := summary["tasks_left_out"]:
        found.append(f"{left_out} tasks of the suite have another number of turns than the strategies play, and are left out.")
    return found


def _beyond_votes(summary: Mapping[str, Any]) -> list[str]:
    """The strategies that cost more than the largest vote that was sampled, and how many samples a vote at equal tokens would need."""
    votes = [vote for vote in summary["votes"] if vote["tokens"]]
    if not votes:
        return []
    each = votes[-1]["tokens"] / votes[-1]["samples"]
    beyond = {
        name: row["tokens"] for name, row in summary["strategies"].items() if row["tokens"] and row["tokens"] > votes[-1]["tokens"] + 1e-9
    }
    if not beyond:
        return []
    samples = math.ceil(max(beyond.values()) / each)
    return [
        f"{', '.join(beyond)}: more tokens than the {votes[-1]['samples']} samples of majority, so that the vote at equal tokens is unknown; "
        f"a vote over {samples} samples would cost as much."
    ]


def _overview(summary: Mapping[str, Any]) -> str:
    known = {name: row for name, row in summary["strategies"].items() if row["tasks"]}
    top = max((row["accuracy"] for row in known.values()), default=None)
    best = [name for name, row in known.items() if row["accuracy"] == top]
    cards = []
    if known:
        cards.append(card("Highest accuracy", share(top), ", ".join(best), first=True))
        cards.append(card("Ceiling", share(max(row["ceiling"] for row in known.values())), "tasks of which some attempt is right"))
    rows = []
    for name, row in summary["strategies"].items():
        accuracy = {"mean": row["accuracy"], "low": row.get("low"), "high": row.get("high")}
        costs = [count(row["calls"]), count(row["tokens"]), count(summary["seconds"].get(name)), count(row.get("flops"))]
        equal = percent(row.get("vote_at_equal_tokens"))
        rows.append([text(name), bar(accuracy), percent(row["ceiling"]), equal, *costs, count(row["tasks"]), count(row["masked"])])
    heads = ("Strategy", "Accuracy", "Ceiling", "Vote at equal tokens", "Calls", "Tokens", "Seconds", "Operations", "Tasks", "Failed")
    note = (
        "<p class=note>Calls, tokens, seconds of requests and operations are means over tasks. Vote at equal tokens: a majority vote that "
        "costs as much, empty where none was sampled. Operations: 2 per parameter and token of prompt and completion.</p>"
    )
    return f"<div class=cards>{''.join(cards)}</div>{table('strategies', heads, rows)}{note}{figures(_cost_figure(summary))}"


def _cost_figure(summary: Mapping[str, Any]) -> str:
    """Accuracy against tokens, with the curve of votes; empty where no strategy has tokens."""
    priced = {name: row for name, row in summary["strategies"].items() if row["tasks"] and row["tokens"]}
    votes = [vote for vote in summary["votes"] if vote["tokens"]]
    tokens = [row["tokens"] for row in priced.values()] + [vote["tokens"] for vote in votes]
    if not tokens:
        return ""
    low, high = math.floor(math.log2(min(tokens))), math.ceil(math.log2(max(tokens)))
    frame = Frame((low, max(high, low + 1)))
    curve = [(math.log2(vote["tokens"]), "", {"mean": vote["accuracy"], "low": None, "high": None}) for vote in votes]
    dots = [
        Line(
            name,
            [(math.log2(row["tokens"]), f"{row['tokens']:.0f} tokens", {"mean": row["accuracy"], "low": row["low"], "high": row["high"]})],
            place,
        )
        for place, (name, row) in enumerate(priced.items())
    ]
    ticks = [(power, number(2.0**power)) for power in range(low, max(high, low + 1) + 1)]
    ticks = ticks[:: math.ceil(len(ticks) / 6)]
    inside = lines(frame, [Line("majority votes", curve, None), *dots], "accuracy")
    axes = frame.axes(ticks, SHARES, "completion tokens per task", "accuracy")
    title = "Accuracy against tokens"
    note = "The line: majority votes of growing size." if curve else ""
    return figure(title, drawing(frame.width, frame.height, title, axes, inside), note, [(line.name, line.colour or 0) for line in dots])


def _quintiles(summary: Mapping[str, Any]) -> str:
    heads = ["Quintile", "Solve rate", "Tasks"]
    rows = [[count(part["quintile"]), percent(part["solve_rate"]), count(part["tasks"])] for part in summary["quintiles"]]
    if not rows:
        return "<p>No attempt was scored, so that tasks have no solve rates.</p>"
    missing = 5 - len(rows)
    note = f"<p class=note>{missing} of the 5 quintiles have no task, because there are fewer tasks than quintiles.</p>" if missing else ""
    return _compared("quintiles", heads, rows, summary["quintiles"]) + note


def _where(summary: Mapping[str, Any]) -> str:
    parts = []
    for column, title in GROUPS.items():
        groups = summary["by"][column]
        rows = [[count(part[column]) if column == "level" else text(part[column]), count(part["tasks"])] for part in groups]
        parts.append(
            (column, title, _compared(f"by-{column}", [title.removeprefix("By ").capitalize(), "Tasks"], rows, groups) if rows else "")
        )
    return tabs(parts)


def _compared(name: str, heads: Sequence[str], rows: Sequence[list[Cell]], parts: Sequence[Mapping[str, Any]]) -> str:
    """A table of groups of tasks with the accuracy of every strategy, and the best one."""
    strategies = list(parts[0]["accuracy"])
    cells = [
        [*row, *(percent(part["accuracy"][each]) for each in strategies), text(part["best"] or "a tie")]
        for row, part in zip(rows, parts, strict=True)
    ]
    return table(name, [*heads, *strategies, "Best"], cells, shown=50)


def _samples_by_setting(summary: Mapping[str, Any]) -> str:
    rows = [
        [text(name), text(setting), percent(known["accuracy"]), count(known.get("tokens")), count(known["samples"])]
        for name, settings in summary["settings"].items()
        for setting, known in settings.items()
    ]
    return table("by-setting", ("Strategy", "Setting", "Accuracy", "Tokens", "Samples"), rows) if rows else ""


def _method(summary: Mapping[str, Any]) -> str:
    run = summary["run"]
    items = [
        "Intervals of 95 % (Wilson) over tasks.",
        "A strategy is charged for every completion that it uses, even where strategies share them.",
        "Quintiles are of the tasks' solve rates over the samples of majority, or else of the strategy with the most samples.",
        "Selection by the verifier and revision with its feedback use what is not known at test time: they are upper bounds.",
    ]
    options = [[text(name), text(", ".join(f"{key}={value}" for key, value in given.items()))] for name, given in run["strategies"].items()]
    versions = [[text(name), count(version)] for name, version in sorted(run["versions"].items())]
    listed = "".join(f"<li>{html.escape(item)}</li>" for item in items)
    chosen = table("options", ("Strategy", "Options"), options) + table("versions", ("Environment", "Version"), versions, shown=20)
    return f"<ul>{listed}</ul>{chosen}"
