"""The HTML page that compares two runs."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rlgym.evaluate.report.charts.bars import spread
from rlgym.evaluate.report.charts.curves import by_k, difficulty, difficulty_figure, k_figure
from rlgym.evaluate.report.charts.heat_map import heat_map, scale
from rlgym.evaluate.report.charts.radar import radar
from rlgym.evaluate.report.charts.svg import share
from rlgym.evaluate.report.html_page import card, facts, figures, page, share_card, tabs
from rlgym.evaluate.report.tables import Cell, bar, count, percent, points, table, text

MOST_LISTED = 500


def render_comparison(comparison: Mapping[str, Any]) -> str:
    """The page of a comparison."""
    names = _names(comparison)
    sections = [
        ("overview", "Overview", _overview(comparison, names)),
        ("environments", "By environment, domain and level", _groups(comparison, names)),
        ("samples", "More samples: pass@k of both", _samples(comparison, names)),
        ("solved", "Newly solved and lost tasks", _solved_section(comparison)),
        ("method", "Method", _method_section(comparison)),
    ]
    pairs = [
        ("tasks in both", comparison["tasks"]),
        ("suite", (comparison["a"].get("suite") or {}).get("name")),
        ("split", comparison["split"]),
    ]
    facts_line = facts([("A", names[0]), ("B", names[1]), *pairs])
    return page(f"{names[1]} compared with {names[0]}", facts_line, sections, comparison["notes"])


def _names(comparison: Mapping[str, Any]) -> tuple[str, str]:
    a, b = (str(comparison[side].get("label") or side.upper()) for side in ("a", "b"))
    return (a, b) if a != b else (f"{a} (A)", f"{b} (B)")


def points_card(title: str, change: Mapping[str, Any], note: str = "", first: bool = False) -> str:
    """A card with a difference in points and its interval."""
    if change["mean"] is None:
        return ""
    between = "" if change["low"] is None else f"95 %: {100 * change['low']:+.1f} to {100 * change['high']:+.1f} · "
    return card(title, f"{100 * change['mean']:+.1f}", between + note, first)


def _overview(comparison: Mapping[str, Any], names: tuple[str, str]) -> str:
    overall = comparison["overall"]
    cards = [points_card("B minus A, points", overall["change"], f"{overall['test']}, {format_p_value(overall['p'])}", first=True)]
    cards += [share_card(f"A: {names[0]}", overall["a"]), share_card(f"B: {names[1]}", overall["b"])]
    cards.append(share_card("Probability of improvement", comparison["improvement"], "50 % means no difference"))
    cards.append(card("Tasks better / worse", f"{overall['better']} / {overall['worse']}", f"of {comparison['tasks']}"))
    if comparison["shift"]:
        cards.append(points_card("On shifted tasks, points", comparison["shift"]["change"], format_p_value(comparison["shift"]["p"])))
    sides = list(zip("ab", names, strict=True))
    levels = [
        difficulty([{"level": row["level"], "accuracy": row[side]} for row in comparison["by"]["level"]], name) for side, name in sides
    ]
    levels = [replace(line, colour=place) for place, line in enumerate(levels)]
    domains = [(name, {row["domain"]: row[side] for row in comparison["by"]["domain"]}) for side, name in sides]
    changes = sorted(((row["domain"], row["change"]) for row in comparison["by"]["domain"]), key=lambda item: -item[1]["mean"])
    ends = _ends([change for _, change in changes])
    chart = spread("Change by domain", changes, (-ends, ends), "B minus A", "Right of zero: B is better.")
    return f"<div class=cards>{''.join(cards)}</div>" + figures(
        difficulty_figure("Accuracy by level", levels), radar("Accuracy by domain", domains), chart
    )


def _ends(changes: list[Any]) -> float:
    largest = max([0.1] + [abs(change[end]) for change in changes for end in ("low", "high", "mean") if change[end] is not None])
    return float(min(1.0, round(largest + 0.05, 1)))


def format_p_value(p: float) -> str:
    """A p-value as text."""
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.2g}"


def _groups(comparison: Mapping[str, Any], names: tuple[str, str]) -> str:
    parts = [(name, f"By {name}", _table(comparison, name)) for name in ("environment", "domain", "level")]
    note = "<p class=note>p-values come from paired tests; those after Holm are corrected for the number of environments.</p>"
    domains = {row["environment"]: row["domain"] for row in comparison["by"]["environment"]}
    note_on_map = "Orange: B is better. Blue: A is better."
    grid = heat_map(
        "Change by environment and level, in points", comparison["environment_level"], "environment", domains, note_on_map, change=True
    )
    return note + tabs(parts) + f"<h3>Map</h3>{scale(change=True)}{grid}"


def _table(comparison: Mapping[str, Any], by: str) -> str:
    wide = by == "environment"
    heads = [
        by.capitalize(),
        *(["Domain"] if wide else []),
        "A",
        "B",
        "Change, points",
        "95 %",
        "Tasks",
        *(["p", "p after Holm"] if wide else []),
    ]
    rows = []
    for row in comparison["by"][by]:
        change = row["change"]
        between = "" if change["low"] is None else f"{100 * change['low']:+.1f} to {100 * change['high']:+.1f}"
        line = [count(row[by]) if by == "level" else text(row[by]), *([text(row["domain"])] if wide else []), bar(row["a"]), bar(row["b"])]
        line += [points(change["mean"]), Cell(between, change["low"]), count(change["tasks"])]
        rows.append([*line, *([Cell(f"{row[name]:.2g}", row[name]) for name in ("p", "p_holm")] if wide else [])])
    return table(by, heads, rows, {"Domain": 1} if wide else {}, shown=100)


def _samples(comparison: Mapping[str, Any], names: tuple[str, str]) -> str:
    pass_curves = comparison["pass_at_k"]
    if pass_curves["most"] < 2:
        return "<p>At least one run has one sample per task, so pass@k is known only for k = 1.</p>"
    crossing = pass_curves["crossover"]
    if crossing is None:
        conclusion = f"The curves do not cross up to k = {pass_curves['most']}: the run that leads with one sample keeps its lead."
    else:
        before, after = ((names["ab".index(crossing[end])]) for end in ("ahead_before", "ahead_after"))
        conclusion = f"{before} leads with one sample; {after} catches up at k = {crossing['k']} ({format_crossover_interval(crossing, pass_curves['most'])})."
    series = [by_k(name, pass_curves[side], place) for place, (side, name) in enumerate(zip("ab", names, strict=True))]
    rows = [
        [count(a["k"]), bar(a), bar(b), points(change["mean"]), text(_between(change)), count(a["tasks"])]
        for a, b, change in zip(pass_curves["a"], pass_curves["b"], pass_curves["change"], strict=True)
    ]
    listed = table("pass_at_k", ["k", f"A: {names[0]}", f"B: {names[1]}", "Change, points", "95 %", "Tasks"], rows)
    return f"<p>{html.escape(conclusion)}</p>" + figures(k_figure("pass@k", series, pass_curves["most"])) + f"<h3>In numbers</h3>{listed}"


def format_crossover_interval(crossing: Mapping[str, Any], most: int) -> str:
    """The interval of a crossover as text."""
    if crossing["low"] is None:
        return f"95 %: above k = {most}"
    return f"95 %: {crossing['low']} to {crossing['high'] or f'above {most}'}"


def _between(change: Mapping[str, Any]) -> str:
    return "" if change["low"] is None else f"{100 * change['low']:+.1f} to {100 * change['high']:+.1f}"


def _solved_section(comparison: Mapping[str, Any]) -> str:
    solved, moved = comparison["solved"], comparison["compression"]
    few_a, few_b = solved["samples"]
    cards = [
        card("Solved by both", str(solved["preserved"])),
        card("Newly solved by B", str(solved["expanded"]), f"discovery {share(solved['discovery'])}"),
    ]
    cards += [
        card("Lost by B", str(solved["shrunk"]), f"retention {share(solved['retention'])}"),
        card("Solved by neither", str(solved["never"])),
    ]
    cards.append(card("More reliable", str(moved["sharpened"]), "A in less than half of the samples, B in half or more"))
    cards.append(card("Less reliable", str(moved["blurred"]), "A in half or more of the samples, B in less"))
    old, new = (100 * moved[f"change_where_a_{kind}"] for kind in ("solved", "never_solved"))
    parts = f"Of the change of {100 * moved['change']:+.1f} points, {old:+.1f} come from tasks that A solved at least once, and {new:+.1f} from tasks "
    parts += (
        f"that it never solved. Solved means right in at least one sample; A has at least {few_a} samples per task, B at least {few_b}."
    )
    if few_a != few_b:
        parts += " The run with more samples has more attempts per task; pass@k at equal k is the fair comparison."
    listed = "".join(_list(title, solved[name]) for title, name in (("Newly solved by B", "gained"), ("Lost by B", "lost")))
    return f"<div class=cards>{''.join(cards)}</div><p>{html.escape(parts)}</p>{_buckets(comparison['buckets'])}{listed}"


def _buckets(comparison: Mapping[str, Any]) -> str:
    rows = [
        [
            Cell(_bucket(row), row["from"] + row["to"]),
            percent(row["a"]),
            percent(row["b"]),
            points(row["mean"]),
            text(_between(row)),
            count(row["tasks"]),
        ]
        for row in comparison["buckets"]
    ]
    note = (
        "A's even-numbered samples choose the bucket and its odd-numbered samples are compared, so bad luck in A does not count as a gain."
        if comparison["split"]
        else "Some tasks of A have one sample, which both chooses the bucket and is compared, so part of the changes is regression to the mean."
    )
    heads = ["A's success rate", "A", "B", "Change, points", "95 %", "Tasks"]
    return f"<h3>By difficulty for A</h3><p class=note>{html.escape(note)}</p>" + table("buckets", heads, rows)


def _bucket(row: Mapping[str, Any]) -> str:
    if row["from"] == row["to"]:
        return share(row["from"], 0)
    return (
        f"{'over ' if row['from'] > 0 else 'above '}{share(row['from'], 0)}, {'up to' if row['to'] < 1 else 'under'} {share(row['to'], 0)}"
    )


def _list(title: str, ids: list[str]) -> str:
    shown = "".join(f"<li>{html.escape(name)}</li>" for name in ids[:MOST_LISTED])
    more = f"<p class=note>{len(ids) - MOST_LISTED} more are in the JSON output.</p>" if len(ids) > MOST_LISTED else ""
    return f"<details><summary>{html.escape(title)}: {len(ids)} tasks</summary><ul>{shown}</ul>{more}</details>" if ids else ""


def _method_section(comparison: Mapping[str, Any]) -> str:
    intervals = comparison["intervals"]
    lines = [
        "Both runs played the same tasks, so differences are computed per task, and the intervals are those of the differences.",
        f"{100 * intervals['level']:.0f} % intervals: {intervals['method']}; {intervals['draws']} draws with seed {intervals['seed']}.",
        "McNemar's exact test applies if each task has one sample in both runs; otherwise a sign-flip permutation test does.",
        "The probability of improvement is the probability that a sample of B scores higher than one of A on the same task; ties count half, "
        "and every environment has the same weight.",
        "Two runs say nothing about training runs with other seeds.",
    ]
    return "".join(f"<p>{html.escape(line)}</p>" for line in lines)
