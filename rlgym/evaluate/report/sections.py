"""The sections of a report as HTML; a section without data is empty."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

from rlgym.evaluate.report.charts.bars import histogram, reliability, spread, stacked
from rlgym.evaluate.report.charts.curves import Line, difficulty, difficulty_figure
from rlgym.evaluate.report.charts.heat_map import heat_map, scale
from rlgym.evaluate.report.charts.svg import number, share
from rlgym.evaluate.report.html_page import card, figures, number_card, share_card, tabs
from rlgym.evaluate.report.tables import Cell, bar, count, percent, points, table, text

WHERE = {"position_bias": "first", "length_bias": "longest"}
"""What a judge with this bias prefers."""


def difficulty_section(summary: Mapping[str, Any]) -> str:
    domains: dict[str, list[Any]] = {}
    for row in summary["domain_level"]:
        domains.setdefault(row["domain"], []).append(row)
    if len(summary["by"]["level"]) < 2:
        return ""
    everything = Line("all", difficulty(summary["by"]["level"]).points, None)
    panels = [
        difficulty_figure(name.replace("_", " "), [everything, difficulty(rows, name)], small=True)
        for name, rows in sorted(domains.items())
    ]
    parts = {row["environment"]: row["domain"] for row in summary["by"]["environment"]}
    grid = heat_map("Environments by level (accuracy in per cent)", summary["environment_level"], "environment", parts)
    return (
        "<p class=note>Dashed: all environments. Bands: 95 % intervals over tasks.</p>"
        + figures(*panels, little=True)
        + f"<h3>Map</h3>{scale()}{grid}"
    )


def groups_section(summary: Mapping[str, Any]) -> str:
    parts = [(name, f"By {name}", _table(summary, name)) for name in ("environment", "domain", "level", "kind")]
    domains = {row["environment"]: row["domain"] for row in summary["by"]["environment"]}
    cells = [
        [text(row["environment"]), text(domains[row["environment"]]), count(row["level"]), bar(row), count(row["tasks"])]
        for row in summary["environment_level"]
    ]
    each = table("each", ["Environment", "Domain", "Level", "Accuracy, 95 %", "Tasks"], cells, {"Domain": 1, "Level": 2}, shown=200)
    return tabs([*parts, ("each", "Environment and level", each if cells else "")])


def _table(results: Mapping[str, Any], by: str) -> str:
    rows, most = results["by"][by], results["samples"]["most"]
    if not rows:
        return ""
    wide, several = by == "environment", most > 1
    heads = [by.capitalize(), "Accuracy, 95 %", *(["Domain", "Kind"] if wide else []), "Score", *([f"pass@{most}"] if several else [])]
    heads += ["Tasks", "Samples", "Tokens", "Turns"]
    cells = []
    for row in rows:
        name = count(row[by]) if by == "level" else text(row[by])
        line = [name, bar(row["accuracy"]), *([text(row["domain"]), text(row["kind"])] if wide else []), percent(row["score"])]
        line += [percent(row["pass_most"])] if several else []
        cells.append([*line, count(row["tasks"]), count(row["samples"]), count(row["completion_tokens"]), count(row["turns"])])
    return table(by, heads, cells, {"Domain": 2, "Kind": 3} if wide else {}, shown=100)


def failures_section(summary: Mapping[str, Any], shown: set[tuple[str, int]]) -> str:
    failure_counts, out = summary["failures"], []
    kinds = list(failure_counts["outcomes"])
    if kinds:
        kinds = [kind for kind in ("right", "wrong") if kind in kinds] + [kind for kind in kinds if kind not in ("right", "wrong")]
        domain_of = {row["environment"]: row["domain"] for row in summary["by"]["environment"]}
        by_domain: dict[str, dict[str, int]] = {}
        for env, counts in failure_counts["by_environment"].items():
            place = by_domain.setdefault(domain_of[env], {})
            for kind, total in counts.items():
                place[kind] = place.get(kind, 0) + total
        out.append(figures(stacked("Outcomes", {"all": failure_counts["outcomes"], **dict(sorted(by_domain.items()))}, kinds)))
    if failure_counts["reasons"]:
        cells = [_reason(row, failure_counts["wrong"], shown) for row in failure_counts["reasons"]]
        out.append(f"<h3>Reasons</h3><p class=note>Numbers and quotations are removed, so that reasons of one kind are counted together. "
                   f"{len(cells)} of {failure_counts['kinds_of_reasons']} kinds are shown.</p>")  # fmt: skip
        out.append(
            table("reasons", ["Outcome", "Reason", "Samples", "Share", "Main environments", "Examples"], cells, {"Outcome": 0}, shown=20)
        )
    masked = summary["masked"]
    if masked["samples"]:
        lines = [[text(reason or "(none given)"), count(total)] for reason, total in masked["reasons"].items()]
        out.append(
            f"<h3>Masked: {masked['samples']} samples</h3><p class=note>Not the model's fault, so excluded from all other numbers.</p>"
        )
        out.append(table("masked", ["Reason", "Samples"], lines))
    return "".join(out)


def _reason(row: Mapping[str, Any], wrong: int, shown: set[tuple[str, int]]) -> list[Cell]:
    links = []
    for example in row["examples"]:
        name = html.escape(f"{example['id']}/{example['sample']}")
        inside = f"{html.escape(example['reason']) or '(no reason given)'}<br><small>{name}</small>"
        link = f'<a href="#transcripts" data-transcript="{name}">read</a>' if (example["id"], example["sample"]) in shown else ""
        links.append(f"<li>{inside} {link}</li>")
    examples = f"<details><summary>{len(links)}</summary><ul>{''.join(links)}</ul></details>"
    places = ", ".join(f"{env} ({total})" for env, total in list(row["environments"].items())[:3])
    return [
        text(row["outcome"]),
        text(row["reason"]),
        count(row["samples"]),
        percent(row["samples"] / max(1, wrong)),
        text(places),
        Cell(examples, str(len(links))),
    ]


def judging_section(judging: Sequence[Mapping[str, Any]]) -> str:
    """Accuracy, F1 and biases of each kind of judge task; empty where the run has none."""
    cards = []
    for row in judging:
        cards.append(card(f"{row['kind']}: accuracy", share(row["accuracy"]), f"{row['samples']} samples"))
        cards += [card(f"F1, {verdict}", "none" if value is None else f"{value:.3f}", row["kind"]) for verdict, value in row["f1"].items()]
        for name, title in (("position_bias", "Position bias"), ("length_bias", "Length bias")):
            if row[name] is not None:
                cards.append(
                    card(title, f"{100 * row[name]:+.1f}", f"{row['kind']}: points by which the {WHERE[name]} is chosen too often")
                )
        for answer_type, part in row.get("by_type", {}).items():
            values = ", ".join(f"{verdict} {'none' if value is None else f'{value:.3f}'}" for verdict, value in part["f1"].items())
            cards.append(card(f"{answer_type}: accuracy", share(part["accuracy"]), f"{part['samples']} samples; F1: {values}"))
        for language, part in row.get("by_language", {}).items():
            cards.append(card(f"{row['kind']}, {language}: accuracy", share(part["accuracy"]), f"{part['samples']} samples"))
        if agreement := row.get("agreement"):
            cards.append(
                card(
                    "Languages agree",
                    share(agreement["share"]),
                    f"{row['kind']}: {agreement['pairs']} pairs of one instance in two languages",
                )
            )
    return f"<div class=cards>{''.join(cards)}</div>" if cards else ""


def calibration_section(calibration: Mapping[str, Any] | None) -> str:
    if not calibration:
        return ""
    measures = {
        "brier": ("Brier score", "0 is best"),
        "ece": ("ECE, 10 bins", "0 is best"),
        "auroc": ("AUROC", "0.5 is uninformative, 1 is best"),
    }
    cards = []
    for name, (title, note) in measures.items():
        value = calibration[name]
        if value["mean"] is not None:
            between = "" if value["low"] is None else f"95 %: {value['low']:.3f} to {value['high']:.3f} · "
            cards.append(card(title, f"{value['mean']:.3f}", f"{between}{note}"))
    cards.append(card("RLCR reward", f"{calibration['rlcr']:.3f}", "accuracy minus Brier score; 1 is best"))
    cards.append(
        card(
            "Mean confidence",
            share(calibration["confidence"]),
            f"accuracy {share(calibration['accuracy'])}, {calibration['samples']} samples",
        )
    )
    if vote := calibration["vote"]:
        cards.append(
            card(
                "Vote by confidence",
                share(vote["weighted"]),
                f"majority of the same samples {share(vote['majority'])}, {vote['tasks']} tasks",
            )
        )
    note = f"{calibration['without']} samples stated no confidence and are excluded. " if calibration["without"] else ""
    picture = reliability(
        "Reliability",
        calibration["bins"],
        "On the diagonal, confidence equals accuracy. Whiskers: Wilson's 95 % interval. Below: samples per bin.",
    )
    return f"<div class=cards>{''.join(cards)}</div><p class=note>{note}</p>{figures(picture)}"


def shift_section(shift: Mapping[str, Any] | None) -> str:
    if not shift:
        return ""
    note = f"{shift['places']} cells (environment and level) have both splits; all have the same weight."
    cards = share_card("Gap", shift["gap"], note, first=True) + card("Main", share(shift["main"])) + card("Shift", share(shift["shift"]))
    rows = shift["environments"]
    cells = [_gap(row) for row in rows]
    largest = sorted(rows, key=lambda row: -row["gap"])[:20]
    ends = max([0.1] + [abs(row[end]) for row in largest for end in ("low", "high")])
    ends = min(1.0, round(ends + 0.05, 1))
    named = [(row["environment"], {"mean": row["gap"], "low": row["low"], "high": row["high"]}) for row in largest]
    picture = spread("Largest gaps", named, (-ends, ends), "main minus shift", "Right of zero: worse on the shifted tasks.")
    listed = table("shift-table", ["Environment", "Main", "Shift", "Gap, points", "95 %", "Tasks main / shift"], cells)
    return f"<div class=cards>{cards}</div>{figures(picture)}{listed}"


def _gap(row: Mapping[str, Any]) -> list[Cell]:
    between = Cell(f"{100 * row['low']:+.1f} to {100 * row['high']:+.1f}", row["low"])
    tasks = text(" / ".join(map(str, row["tasks"])))
    return [text(row["environment"]), percent(row["main"]), percent(row["shift"]), points(row["gap"]), between, tasks]


def usage_section(usage: Mapping[str, Any]) -> str:
    """Lengths of right and wrong samples, and the usage of the run."""
    names = {
        "completion_tokens": "completion tokens",
        "prompt_tokens": "prompt tokens",
        "turns": "turns",
        "seconds": "seconds",
        "cost": "cost (USD)",
    }
    rows = []
    for name, title in names.items():
        kinds = [usage["lengths"][name][kind] for kind in ("all", "right", "wrong")]
        if kinds[0]["mean"] is not None:
            rows.append([text(title), *(_estimate_cell(kind) for kind in kinds)])
    used = usage["usage"]
    seconds = None if used["seconds"] is None else used["seconds"] / 3600
    cards = [number_card("Completion tokens", used["completion_tokens"], f"{number(used['tokens_per_right'])} per right sample")]
    cards += [number_card("Prompt tokens", used["prompt_tokens"]), number_card("Requests", used["requests"])]
    cards += [number_card("Total time of all samples", seconds, "", " h"), number_card("Cost", used["cost"], "", " USD")]
    cards.append(number_card("Operations", used.get("flops"), "2 per parameter and token, without attention"))
    unknown = [
        f"{used[name]} samples have no {what}" for name, what in (("without_tokens", "token count"), ("without_cost", "cost")) if used[name]
    ]
    note = f"<p class=note>{html.escape('; '.join(unknown))}: totals and means cover the others.</p>" if unknown else ""
    pictures = histogram("Completion tokens per sample", usage["histograms"]["completion_tokens"], "tokens")
    pictures += histogram("Cost per sample", usage["histograms"]["cost"], "USD")
    listed = table("lengths", ["Mean per sample", "All", "Right", "Wrong"], rows)
    return f"<div class=cards>{''.join(cards)}</div>{note}{figures(pictures) if pictures else ''}<h3>Means per sample, with 95 % intervals</h3>{listed}"


def _estimate_cell(estimate: Mapping[str, Any]) -> Cell:
    between = "" if estimate["low"] is None else f" <small>{number(estimate['low'])} to {number(estimate['high'])}</small>"
    return Cell(f"{number(estimate['mean'])}{between}", estimate["mean"])


def transcripts_section(shown: int, total: int) -> str:
    """The transcript viewer, which the page's script fills."""
    if not shown:
        return ""
    chosen = (
        "all of them" if shown == total else f"{shown} of {total:,}, chosen so that all environments and outcomes occur as far as possible"
    )
    menus = "".join(
        f'<label>{title} <select name="{name}"><option value="">all</option></select></label>'
        for name, title in (("env", "Environment"), ("outcome", "Outcome"))
    )
    verdicts = "".join(f"<option>{kind}</option>" for kind in ("right", "wrong", "masked"))
    menus += f'<label>Verdict <select name="verdict"><option value="">all</option>{verdicts}</select></label>'
    return (
        f"<p class=note>{html.escape(chosen.capitalize())}. Long texts are cut in the middle, with the number of omitted characters. "
        "The arrow keys (or j and k) move through the list.</p>"
        f'<div class=tools id="reader-tools">{menus}<output aria-live=polite></output></div>'
        '<div class=reader id="reader"><div class=scroll><ul aria-label="transcripts"></ul></div><div class=said aria-live=polite></div></div>'
        "<noscript><p class=warn>The transcripts need JavaScript.</p></noscript>"
    )


def method_section(summary: Mapping[str, Any]) -> str:
    """How the numbers are computed, in short."""
    intervals = summary["intervals"]
    lines = [
        "Accuracy is the mean over tasks of the share of a task's samples that are right; every task has the same weight.",
        f"{100 * intervals['level']:.0f} % intervals: {intervals['method']}; {intervals['draws']} draws with seed {intervals['seed']}, "
        f"{intervals['strata']} strata, "
        f"{intervals['tasks']} tasks. If all tasks of a group are right (or none is), the exact binomial limit is given. "
        "They describe new tasks from the same environments and levels, not new environments or other training runs.",
        "pass@k is 1 - C(n-c, k) / C(n, k), maj@k the probability that a right answer wins the vote of k samples (ties share), best of k "
        "the expected highest score of k samples; all three are expectations over subsets of the n samples of a task.",
        "IQM is the mean of the middle half of the environments' accuracies, the optimality gap 1 minus their mean.",
        "Masked samples (a failed verifier or sandbox, an unreachable model) are excluded from all numbers except usage.",
    ]
    return "".join(f"<p>{html.escape(line)}</p>" for line in lines)
