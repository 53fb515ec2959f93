"""The page that shows two runs beside each other."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rlgym.evaluate.charts.bars import spread
from rlgym.evaluate.charts.curves import by_k, difficulty, difficulty_figure, k_figure
from rlgym.evaluate.charts.heat import heat_map, scale
from rlgym.evaluate.charts.radar import radar
from rlgym.evaluate.charts.svg import share
from rlgym.evaluate.shell import card, facts, figures, page, share_card, tabs
from rlgym.evaluate.tables import Cell, bar, count, percent, points, table, text

MOST_LISTED = 500


def html_comparison(found: Mapping[str, Any]) -> str:
    """The page of a comparison's facts."""
    names = _names(found)
    sections = [
        ("overview", "Overview", _overview(found, names)),
        ("environments", "By environment, domain and level", _places(found, names)),
        ("samples", "More samples: pass@k of both", _samples(found, names)),
        ("solved", "What is newly solved, and what is lost", _solved(found)),
        ("method", "How these numbers are made", _how(found)),
    ]
    pairs = [("tasks in both", found["tasks"]), ("suite", (found["a"].get("suite") or {}).get("name")), ("split", found["split"])]
    said = facts([("A", names[0]), ("B", names[1]), *pairs])
    return page(f"{names[1]} beside {names[0]}", said, sections, found["notes"])


def _names(found: Mapping[str, Any]) -> tuple[str, str]:
    a, b = (str(found[side].get("label") or side.upper()) for side in ("a", "b"))
    return (a, b) if a != b else (f"{a} (A)", f"{b} (B)")


def points_card(title: str, change: Mapping[str, Any], note: str = "", first: bool = False) -> str:
    """A headline difference in points, with its interval."""
    if change["mean"] is None:
        return ""
    between = "" if change["low"] is None else f"95 %: {100 * change['low']:+.1f} to {100 * change['high']:+.1f} · "
    return card(title, f"{100 * change['mean']:+.1f}", between + note, first)


def _overview(found: Mapping[str, Any], names: tuple[str, str]) -> str:
    whole = found["overall"]
    cards = [points_card("B minus A, points", whole["change"], f"{whole['test']}, {chance(whole['p'])}", first=True)]
    cards += [share_card(f"A: {names[0]}", whole["a"]), share_card(f"B: {names[1]}", whole["b"])]
    cards.append(share_card("Probability of improvement", found["improvement"], "50 % is no difference"))
    cards.append(card("Tasks better / worse", f"{whole['better']} / {whole['worse']}", f"of {found['tasks']}"))
    if found["shift"]:
        cards.append(points_card("On shifted tasks, points", found["shift"]["change"], chance(found["shift"]["p"])))
    sides = list(zip("ab", names, strict=True))
    levels = [difficulty([{"level": row["level"], "accuracy": row[side]} for row in found["by"]["level"]], name) for side, name in sides]
    levels = [replace(line, colour=place) for place, line in enumerate(levels)]
    domains = [(name, {row["domain"]: row[side] for row in found["by"]["domain"]}) for side, name in sides]
    changes = sorted(((row["domain"], row["change"]) for row in found["by"]["domain"]), key=lambda item: -item[1]["mean"])
    ends = _ends([change for _, change in changes])
    drawn = spread("Change by domain", changes, (-ends, ends), "B minus A", "Right of zero: B is better.")
    return f"<div class=cards>{''.join(cards)}</div>" + figures(
        difficulty_figure("Accuracy by level", levels), radar("Accuracy by domain", domains), drawn
    )


def _ends(changes: list[Any]) -> float:
    largest = max([0.1] + [abs(change[end]) for change in changes for end in ("low", "high", "mean") if change[end] is not None])
    return float(min(1.0, round(largest + 0.05, 1)))


def chance(p: float) -> str:
    """A p-value in words."""
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.2g}"


def _places(found: Mapping[str, Any], names: tuple[str, str]) -> str:
    parts = [(name, f"By {name}", _table(found, name)) for name in ("environment", "domain", "level")]
    note = "<p class=note>p-values are paired tests; those after Holm are corrected for the number of environments.</p>"
    where = {row["environment"]: row["domain"] for row in found["by"]["environment"]}
    note_on_map = "Orange: B is better. Blue: A is better."
    grid = heat_map(
        "Change by environment and level, in points", found["environment_level"], "environment", where, note_on_map, change=True
    )
    return note + tabs(parts) + f"<h3>Map</h3>{scale(change=True)}{grid}"


def _table(found: Mapping[str, Any], by: str) -> str:
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
    for row in found["by"][by]:
        change = row["change"]
        between = "" if change["low"] is None else f"{100 * change['low']:+.1f} to {100 * change['high']:+.1f}"
        line = [count(row[by]) if by == "level" else text(row[by]), *([text(row["domain"])] if wide else []), bar(row["a"]), bar(row["b"])]
        line += [points(change["mean"]), Cell(between, change["low"]), count(change["tasks"])]
        rows.append([*line, *([Cell(f"{row[name]:.2g}", row[name]) for name in ("p", "p_holm")] if wide else [])])
    return table(by, heads, rows, {"Domain": 1} if wide else {}, shown=100)


def _samples(found: Mapping[str, Any], names: tuple[str, str]) -> str:
    passes = found["passes"]
    if passes["most"] < 2:
        return "<p>Each task has one sample in at least one run, so pass@k cannot be told for k above 1.</p>"
    crossing = passes["crossover"]
    if crossing is None:
        said = f"The curves do not cross up to k = {passes['most']}: the run that is ahead with one sample stays ahead."
    else:
        before, after = ((names["ab".index(crossing[end])]) for end in ("ahead_before", "ahead_after"))
        said = f"{before} is ahead with one sample; from k = {crossing['k']} on {after} has caught up ({between_ks(crossing, passes['most'])})."
    series = [by_k(name, passes[side], place) for place, (side, name) in enumerate(zip("ab", names, strict=True))]
    rows = [
        [count(a["k"]), bar(a), bar(b), points(change["mean"]), text(_between(change)), count(a["tasks"])]
        for a, b, change in zip(passes["a"], passes["b"], passes["change"], strict=True)
    ]
    listed = table("passes", ["k", f"A: {names[0]}", f"B: {names[1]}", "Change, points", "95 %", "Tasks"], rows)
    return f"<p>{html.escape(said)}</p>" + figures(k_figure("pass@k", series, passes["most"])) + f"<h3>In numbers</h3>{listed}"


def between_ks(crossing: Mapping[str, Any], most: int) -> str:
    """The interval of a crossover in words."""
    if crossing["low"] is None:
        return f"95 %: above k = {most}"
    return f"95 %: {crossing['low']} to {crossing['high'] or f'above {most}'}"


def _between(change: Mapping[str, Any]) -> str:
    return "" if change["low"] is None else f"{100 * change['low']:+.1f} to {100 * change['high']:+.1f}"


def _solved(found: Mapping[str, Any]) -> str:
    solved, moved = found["solved"], found["compression"]
    few_a, few_b = solved["samples"]
    cards = [
        card("Solved by both", str(solved["preserved"])),
        card("Newly solved by B", str(solved["expanded"]), f"discovery {share(solved['discovery'])}"),
    ]
    cards += [
        card("Lost by B", str(solved["shrunk"]), f"retention {share(solved['retention'])}"),
        card("Solved by neither", str(solved["never"])),
    ]
    cards.append(card("Made sure", str(moved["sharpened"]), "A now and then, B in half or more"))
    cards.append(card("Made unsure", str(moved["blurred"]), "A in half or more, B less"))
    old, new = (100 * moved[f"change_where_a_{kind}"] for kind in ("solved", "never_solved"))
    parts = f"Of the change of {100 * moved['change']:+.1f} points, {old:+.1f} come from tasks that A solved at least once, and {new:+.1f} from tasks "
    parts += (
        f"that it never solved. Solved means: right in at least one sample, of which A has {few_a} or more of each task, B {few_b} or more."
    )
    if few_a != few_b:
        parts += " The run with more samples has more tries at each task: for a fair comparison see pass@k at the same k."
    listed = "".join(_list(title, solved[name]) for title, name in (("Newly solved by B", "gained"), ("Lost by B", "lost")))
    return f"<div class=cards>{''.join(cards)}</div><p>{html.escape(parts)}</p>{_buckets(found['buckets'])}{listed}"


def _buckets(found: Mapping[str, Any]) -> str:
    rows = [
        [
            Cell(_bucket(row), row["from"] + row["to"]),
            percent(row["a"]),
            percent(row["b"]),
            points(row["mean"]),
            text(_between(row)),
            count(row["tasks"]),
        ]
        for row in found["buckets"]
    ]
    note = (
        "A's even samples choose the bucket, its odd ones are compared: so a task that was unlucky in A does not count as a gain."
        if found["split"]
        else "A has tasks with one sample only, which choose the bucket and are compared too: part of the changes is A's luck that does not come again."
    )
    heads = ["A's success rate", "A", "B", "Change, points", "95 %", "Tasks"]
    return f"<h3>By how hard the tasks are for A</h3><p class=note>{html.escape(note)}</p>" + table("buckets", heads, rows)


def _bucket(row: Mapping[str, Any]) -> str:
    if row["from"] == row["to"]:
        return share(row["from"], 0)
    return (
        f"{'over ' if row['from'] > 0 else 'above '}{share(row['from'], 0)}, {'up to' if row['to'] < 1 else 'under'} {share(row['to'], 0)}"
    )


def _list(title: str, ids: list[str]) -> str:
    shown = "".join(f"<li>{html.escape(name)}</li>" for name in ids[:MOST_LISTED])
    more = f"<p class=note>{len(ids) - MOST_LISTED} more are in the JSON.</p>" if len(ids) > MOST_LISTED else ""
    return f"<details><summary>{html.escape(title)}: {len(ids)} tasks</summary><ul>{shown}</ul>{more}</details>" if ids else ""


def _how(found: Mapping[str, Any]) -> str:
    made = found["intervals"]
    lines = [
        "Both runs were asked the same tasks, so differences are taken task by task, and intervals are of these differences.",
        f"Intervals are {100 * made['level']:.0f} %: {made['method']}; {made['draws']} draws with seed {made['seed']}.",
        "McNemar's exact test is used where each task has one sample in both runs, otherwise the signs of the tasks' changes are flipped at random.",
        "The probability of improvement is the chance that a sample of B scores higher than one of A on the same task, ties counted half; "
        "each environment counts alike.",
        "Two runs say nothing of how another training run with another seed would have turned out.",
    ]
    return "".join(f"<p>{html.escape(line)}</p>" for line in lines)
